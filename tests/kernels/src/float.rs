//! Numbers for loops written by hand: a format's instructions as Rust's operators, without the
//! kernels' runtime.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use oracle::form::Ty;
use ptxf::kernel::Element;
use ptxf::{Bf16, F16, ptx};

/// A format in which kernels are run.
pub(crate) trait Float: Element {
    /// The format's name in `oracle`.
    const TY: Ty;
    fn bits(self) -> u32;
    fn of_bits(bits: u32) -> Self;
    fn add(a: Self, b: Self) -> Self;
    fn sub(a: Self, b: Self) -> Self;
    fn mul(a: Self, b: Self) -> Self;
    fn div(a: Self, b: Self) -> Self;
    fn fma(a: Self, b: Self, c: Self) -> Self;
    fn min(a: Self, b: Self) -> Self;
    fn max(a: Self, b: Self) -> Self;
    fn neg(a: Self) -> Self;
    fn abs(a: Self) -> Self;
    fn sqrt(a: Self) -> Self;
    fn exp2(a: Self) -> Self;
    fn single(self) -> f32;
    fn of_single(x: f32) -> Self;
}

macro_rules! halves {
    ($($ty:ident $name:ident $add:ident $sub:ident $mul:ident $fma:ident $min:ident $max:ident $neg:ident $abs:ident
       $ex2:ident;)*) => {$(
        impl Float for $ty {
            const TY: Ty = Ty::$name;
            fn bits(self) -> u32 {
                self.to_bits().into()
            }
            fn of_bits(bits: u32) -> Self {
                Self::from_bits(bits as u16)
            }
            fn add(a: Self, b: Self) -> Self {
                ptx::$add(a, b)
            }
            fn sub(a: Self, b: Self) -> Self {
                ptx::$sub(a, b)
            }
            fn mul(a: Self, b: Self) -> Self {
                ptx::$mul(a, b)
            }
            // An f32 has more than twice the digits, so rounding its quotients and roots again is
            // rounding the true ones.
            fn div(a: Self, b: Self) -> Self {
                Self::from_f32(a.to_f32() / b.to_f32())
            }
            fn fma(a: Self, b: Self, c: Self) -> Self {
                ptx::$fma(a, b, c)
            }
            fn min(a: Self, b: Self) -> Self {
                ptx::$min(a, b)
            }
            fn max(a: Self, b: Self) -> Self {
                ptx::$max(a, b)
            }
            fn neg(a: Self) -> Self {
                ptx::$neg(a)
            }
            fn abs(a: Self) -> Self {
                ptx::$abs(a)
            }
            fn sqrt(a: Self) -> Self {
                Self::from_f32(a.to_f32().sqrt())
            }
            fn exp2(a: Self) -> Self {
                ptx::$ex2(a)
            }
            fn single(self) -> f32 {
                self.to_f32()
            }
            fn of_single(x: f32) -> Self {
                Self::from_f32(x)
            }
        }
    )*};
}

halves! {
    F16 F16 add_rn_f16 sub_rn_f16 mul_rn_f16 fma_rn_f16 min_f16 max_f16 neg_f16 abs_f16 ex2_approx_f16;
    Bf16 Bf16 add_rn_bf16 sub_rn_bf16 mul_rn_bf16 fma_rn_bf16 min_bf16 max_bf16 neg_bf16 abs_bf16 ex2_approx_ftz_bf16;
}

impl Float for f32 {
    const TY: Ty = Ty::F32;
    fn bits(self) -> u32 {
        self.to_bits()
    }
    fn of_bits(bits: u32) -> Self {
        Self::from_bits(bits)
    }
    fn add(a: Self, b: Self) -> Self {
        ptx::add_rn_f32(a, b)
    }
    fn sub(a: Self, b: Self) -> Self {
        ptx::sub_rn_f32(a, b)
    }
    fn mul(a: Self, b: Self) -> Self {
        ptx::mul_rn_f32(a, b)
    }
    fn div(a: Self, b: Self) -> Self {
        ptx::div_rn_f32(a, b)
    }
    fn fma(a: Self, b: Self, c: Self) -> Self {
        ptx::fma_rn_f32(a, b, c)
    }
    fn min(a: Self, b: Self) -> Self {
        ptx::min_f32(a, b)
    }
    fn max(a: Self, b: Self) -> Self {
        ptx::max_f32(a, b)
    }
    fn neg(a: Self) -> Self {
        ptx::neg_f32(a)
    }
    fn abs(a: Self) -> Self {
        ptx::abs_f32(a)
    }
    fn sqrt(a: Self) -> Self {
        ptx::sqrt_rn_f32(a)
    }
    fn exp2(a: Self) -> Self {
        ptx::ex2_approx_f32(a)
    }
    fn single(self) -> f32 {
        self
    }
    fn of_single(x: f32) -> Self {
        x
    }
}

/// A number with operators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct P<E>(pub(crate) E);

/// A kept variable's value.
pub(crate) type Kept = P<f32>;

impl<E: Float> P<E> {
    /// The nearest value.
    pub(crate) fn of(x: f32) -> Self {
        Self(E::of_single(x))
    }
    pub(crate) fn min(self, b: Self) -> Self {
        Self(Float::min(self.0, b.0))
    }
    pub(crate) fn max(self, b: Self) -> Self {
        Self(Float::max(self.0, b.0))
    }
    pub(crate) fn mul_add(self, b: Self, c: Self) -> Self {
        Self(Float::fma(self.0, b.0, c.0))
    }
    pub(crate) fn abs(self) -> Self {
        Self(Float::abs(self.0))
    }
    pub(crate) fn sqrt(self) -> Self {
        Self(Float::sqrt(self.0))
    }
    pub(crate) fn exp2(self) -> Self {
        Self(Float::exp2(self.0))
    }
    /// The same value in f32.
    pub(crate) fn keep(self) -> Kept {
        P(self.0.single())
    }
    /// Converts as `as i32` does.
    pub(crate) fn int(self) -> i32 {
        self.0.single() as i32
    }
}

impl Kept {
    /// Rounded to the element type.
    pub(crate) fn cvt_rn<E: Float>(self) -> P<E> {
        P(E::of_single(self.0))
    }
}

impl<E: Float> PartialEq for P<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0.single() == other.0.single()
    }
}

impl<E: Float> PartialOrd for P<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.single().partial_cmp(&other.0.single())
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident;)*) => {$(
        impl<E: Float> $operator for P<E> {
            type Output = Self;
            fn $method(self, b: Self) -> Self {
                Self(<E as Float>::$method(self.0, b.0))
            }
        }
    )*};
}

operators! { Add add; Sub sub; Mul mul; Div div; }

impl<E: Float> Neg for P<E> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(Float::neg(self.0))
    }
}
