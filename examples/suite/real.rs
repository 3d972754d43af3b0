//! The formats that the benchmarks run in.

use ptxf::kernel::Element;
use ptxf::{Bf16, F16};

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

/// An element type whose bits can be compared.
pub trait Real: Element {
    fn bits(self) -> u32;
}

impl Real for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

impl Real for F16 {
    fn bits(self) -> u32 {
        self.to_bits().into()
    }
}

impl Real for Bf16 {
    fn bits(self) -> u32 {
        self.to_bits().into()
    }
}

/// The values rounded to elements, as a program stores its input.
pub fn rounded<E: Real>(x: &[f32]) -> Vec<E> {
    x.iter().map(|&x| E::cvt_rn(x)).collect()
}

/// `n` zeros.
pub fn zeros<E: Real>(n: usize) -> Vec<E> {
    vec![E::default(); n]
}
