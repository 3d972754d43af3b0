//! The formats of the benchmarks.

use ptxf::kernel::Element;
use ptxf::{Bf16, E2m1x2, E4m3, F16, F16x2, Ue8m0};

/// A format's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    F32,
    F16,
    Bf16,
}

impl Format {
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }
}

/// An element of a buffer, whose bits can be compared and copied to a device.
pub trait Word: Copy + 'static {
    fn bits(self) -> u32;
    fn of_bits(bits: u32) -> Self;
}

macro_rules! words {
    ($($ty:ty: $bits:ty, |$x:ident| $to:expr, $of:expr;)*) => {$(
        impl Word for $ty {
            fn bits(self) -> u32 {
                let $x = self;
                $to.into()
            }

            fn of_bits(bits: u32) -> Self {
                // The upper bits of a narrow element's word are zeros.
                $of(bits as $bits)
            }
        }
    )*};
}

words! {
    f32: u32, |x| x.to_bits(), Self::from_bits;
    F16: u16, |x| x.to_bits(), Self::from_bits;
    Bf16: u16, |x| x.to_bits(), Self::from_bits;
    F16x2: u32, |x| x.to_bits(), Self::from_bits;
    i32: u32, |x| x.cast_unsigned(), u32::cast_signed;
    E4m3: u8, |x| x.to_bits(), Self::from_bits;
    E2m1x2: u8, |x| x.to_bits(), Self::from_bits;
    Ue8m0: u8, |x| x.to_bits(), Self::from_bits;
}

/// An element type of the kernels.
pub trait Real: Element + Word {}

impl<E: Element + Word> Real for E {}

/// Rounds values to elements.
pub fn rounded<E: Real>(x: &[f32]) -> Vec<E> {
    x.iter().map(|&x| E::cvt_rn(x)).collect()
}

/// Returns `n` zeros.
pub fn zeros<E: Real>(n: usize) -> Vec<E> {
    vec![E::default(); n]
}

/// Returns the product of two matrices in f64. `a` has `depth` columns, `b` has `width` columns.
pub fn product(width: usize, depth: usize, a: &[f32], b: &[f32]) -> Vec<f64> {
    let mut product = vec![0.0; a.len() / depth * width];
    for (sums, row) in product.chunks_mut(width).zip(a.chunks(depth)) {
        for (&x, column) in row.iter().zip(b.chunks(width)) {
            sums.iter_mut().zip(column).for_each(|(sum, &y)| *sum += f64::from(x) * f64::from(y));
        }
    }
    product
}

/// Computes the product in f32, row by row, so that a compiler vectorizes the loop.
pub fn plain_product(width: usize, depth: usize, a: &[f32], b: &[f32], product: &mut [f32]) {
    for (sums, row) in product.chunks_mut(width).zip(a.chunks(depth)) {
        for (&x, column) in row.iter().zip(b.chunks(width)) {
            sums.iter_mut().zip(column).for_each(|(sum, &y)| *sum += x * y);
        }
    }
}
