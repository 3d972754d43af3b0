//! Buffers in global memory, and their elements.

use ptxf::{Bf16, Bf16x2, F16, F16x2};

/// Memory of a [`Machine`](crate::Machine) at an address that kernels can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
}

impl Buffer {
    /// Returns the address of the first byte, a multiple of 256.
    #[must_use]
    pub const fn address(self) -> u64 {
        self.address
    }

    /// Returns the size in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.bytes
    }
}

/// A value in a buffer, stored with its lowest byte first.
pub trait Element: Copy {
    /// The size of a value in bytes.
    const BYTES: usize;
    /// Appends the bytes of the value.
    fn put(self, to: &mut Vec<u8>);
    /// Returns the value of these bytes. Missing bytes are 0.
    fn get(from: &[u8]) -> Self;
}

fn bits(from: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    u64::from_le_bytes(bytes)
}

macro_rules! elements {
    ($($ty:ty as $bits:ty: |$value:ident| $to:expr, $from:expr;)*) => {$(
        impl Element for $ty {
            const BYTES: usize = size_of::<$bits>();

            fn put(self, to: &mut Vec<u8>) {
                let $value = self;
                let bits: $bits = $to;
                to.extend_from_slice(&bits.to_le_bytes());
            }

            fn get(from: &[u8]) -> Self {
                let $value = bits(from.get(..Self::BYTES).unwrap_or(from)) as $bits;
                $from
            }
        }
    )*};
}

elements! {
    u8 as u8: |x| x, x;
    u16 as u16: |x| x, x;
    u32 as u32: |x| x, x;
    u64 as u64: |x| x, x;
    i8 as u8: |x| x.cast_unsigned(), x.cast_signed();
    i16 as u16: |x| x.cast_unsigned(), x.cast_signed();
    i32 as u32: |x| x.cast_unsigned(), x.cast_signed();
    i64 as u64: |x| x.cast_unsigned(), x.cast_signed();
    f32 as u32: |x| x.to_bits(), Self::from_bits(x);
    f64 as u64: |x| x.to_bits(), Self::from_bits(x);
    F16 as u16: |x| x.to_bits(), Self::from_bits(x);
    Bf16 as u16: |x| x.to_bits(), Self::from_bits(x);
    F16x2 as u32: |x| x.to_bits(), Self::from_bits(x);
    Bf16x2 as u32: |x| x.to_bits(), Self::from_bits(x);
}
