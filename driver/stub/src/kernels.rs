//! The kernels of examples/launch as a device would run them: what their entries' parameters say, by the CPU's siblings.

use launch_kernels::{distance, smooth};
use ptxf::{F16, F16x2};

use super::State;

/// What a buffer is of.
pub(crate) trait Stored: Copy {
    fn of(bits: u32) -> Self;
    fn bits(self) -> u32;
}

macro_rules! stored {
    ($($ty:ty: $bits:ty;)*) => {$(
        impl Stored for $ty {
            fn of(bits: u32) -> Self {
                Self::from_bits(bits as $bits)
            }

            fn bits(self) -> u32 {
                self.to_bits().into()
            }
        }
    )*};
}

stored! { f32: u32; F16: u16; F16x2: u32; }

/// Reads an entry's parameters in order, as the driver copies them.
pub(crate) struct Parameters<P: Fn(usize, usize) -> u64> {
    param: P,
    next: usize,
}

impl<P: Fn(usize, usize) -> u64> Parameters<P> {
    pub(crate) const fn new(param: P) -> Self {
        Self { param, next: 0 }
    }

    pub(crate) fn read(&mut self, bytes: usize) -> u64 {
        self.next += 1;
        (self.param)(self.next - 1, bytes)
    }

    pub(crate) fn size(&mut self) -> usize {
        self.read(8) as usize
    }

    pub(crate) fn float(&mut self) -> f32 {
        f32::from_bits(self.read(4) as u32)
    }

    /// A slice, if it is inside an allocation.
    pub(crate) fn slice<T: Stored>(&mut self, s: &mut State) -> Option<(u64, Vec<T>)> {
        let (address, length) = (self.read(8), self.size());
        let bytes = s.bytes(address, length.checked_mul(size_of::<T>())?)?;
        let word = |bytes: &[u8]| T::of(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
        Some((address, bytes.chunks(size_of::<T>()).map(word).collect()))
    }

    /// Runs `name_pair` on `threads` threads of the device: two of the kernel's in each.
    pub(crate) fn pair(mut self, name: &str, threads: usize, s: &mut State) -> Option<()> {
        let (wanted, head) = (self.read(4) as usize, self.read(4));
        if head != 0 || threads * 2 < wanted {
            return None;
        }
        let n = self.size();
        let (address, out) = match name {
            "distance" => {
                let (_, x) = self.slice(s)?;
                let (_, y) = self.slice(s)?;
                let (x0, y0) = (self.float(), self.float());
                let (address, mut out) = self.slice(s)?;
                distance::pair(wanted, n, &x, &y, x0, y0, &mut out);
                (address, out)
            }
            "smooth" => {
                let (_, x) = self.slice(s)?;
                let (address, mut out) = self.slice(s)?;
                smooth::pair(wanted, n, &x, &mut out);
                (address, out)
            }
            _ => return None,
        };
        store(name, address, &out, s)
    }
}

/// Writes a kernel's results, one bit of them wrong if the environment says so.
pub(crate) fn store<T: Stored>(name: &str, address: u64, out: &[T], s: &mut State) -> Option<()> {
    let flipped = std::env::var("STUB_FLIPS").is_ok_and(|kernel| kernel == name);
    let bytes = s.bytes(address, size_of_val(out))?;
    for (i, (bytes, value)) in bytes.chunks_mut(size_of::<T>()).zip(out).enumerate() {
        let bits = value.bits() ^ u32::from(flipped && i == 5);
        bytes.copy_from_slice(&bits.to_le_bytes()[..size_of::<T>()]);
    }
    Some(())
}

// For the texts of examples/suite, which name them by this path.
include!("../../../examples/suite/kernels/modules.rs");
pub(crate) use modules;

macro_rules! bf16 {
    ($($item:tt)*) => {};
}
pub(crate) use bf16;
