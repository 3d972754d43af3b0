//! The kernels of examples/launch as a device would run them: what their entries' parameters say, by the CPU's siblings.

use launch_kernels::{distance, smooth};
use ptxf::F16;

use super::State;

/// Reads an entry's parameters in order, as the driver copies them.
pub(crate) struct Parameters<P: Fn(usize, usize) -> u64> {
    param: P,
    next: usize,
}

impl<P: Fn(usize, usize) -> u64> Parameters<P> {
    pub(crate) const fn new(param: P) -> Self {
        Self { param, next: 0 }
    }

    fn read(&mut self, bytes: usize) -> u64 {
        self.next += 1;
        (self.param)(self.next - 1, bytes)
    }

    fn size(&mut self) -> usize {
        self.read(8) as usize
    }

    fn float(&mut self) -> f32 {
        f32::from_bits(self.read(4) as u32)
    }

    /// A slice, if it is inside an allocation.
    fn slice(&mut self, s: &mut State) -> Option<(u64, Vec<F16>)> {
        let (address, length) = (self.read(8), self.size());
        let bytes = s.bytes(address, length.checked_mul(2)?)?;
        let (halves, _) = bytes.as_chunks::<2>();
        Some((address, halves.iter().map(|h| F16::from_bits(u16::from_le_bytes(*h))).collect()))
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
        let flipped = std::env::var("STUB_FLIPS").is_ok_and(|kernel| kernel == name);
        for (i, (bytes, value)) in
            s.bytes(address, out.len() * 2)?.as_chunks_mut::<2>().0.iter_mut().zip(out).enumerate()
        {
            *bytes = (value.to_bits() ^ u16::from(flipped && i == 5)).to_le_bytes();
        }
        Some(())
    }
}
