//! Functions that kernels call, for the plain Rust copy of a module's methods, which computes in
//! f32.

use super::element::Element;
use super::op::{Op1, Op2};

macro_rules! of_one {
    ($($name:ident $op:ident;)*) => {
        /// Functions on a kernel's floats that `core` lacks. With `std`, the methods of `std` hide
        /// those that have the same name.
        pub trait Functions: Sized {
            $(
                #[doc = concat!("[`Op1::", stringify!($op), "`]")]
                #[must_use]
                fn $name(self) -> Self;
            )*
            /// `fma.rn`
            #[must_use]
            fn mul_add(self, b: Self, c: Self) -> Self;
            /// [`Element::powi`]
            #[must_use]
            fn powi(self, exponent: i32) -> Self;
            /// [`Op2::Atan2`]
            #[must_use]
            fn atan2(self, x: Self) -> Self;
            /// [`Op2::Powf`]
            #[must_use]
            fn powf(self, exponent: Self) -> Self;
            /// [`Op2::Hypot`]
            #[must_use]
            fn hypot(self, b: Self) -> Self;
        }

        impl Functions for f32 {
            $(
                #[inline]
                fn $name(self) -> Self {
                    Self::op1(Op1::$op, self)
                }
            )*
            #[inline]
            fn mul_add(self, b: Self, c: Self) -> Self {
                <Self as Element>::fma(self, b, c)
            }
            #[inline]
            fn powi(self, exponent: i32) -> Self {
                <Self as Element>::powi(self, exponent)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                Self::op2(Op2::Atan2, self, x)
            }
            #[inline]
            fn powf(self, exponent: Self) -> Self {
                Self::op2(Op2::Powf, self, exponent)
            }
            #[inline]
            fn hypot(self, b: Self) -> Self {
                Self::op2(Op2::Hypot, self, b)
            }
        }
    };
}

of_one! {
    sqrt Sqrt;
    rsqrt Rsqrt;
    exp2 Exp2;
    exp Exp;
    log2 Log2;
    ln Ln;
    sin Sin;
    cos Cos;
    tanh Tanh;
    floor Floor;
    ceil Ceil;
    trunc Trunc;
    round Round;
    round_ties_even RoundTiesEven;
    fract Fract;
    tan Tan;
    asin Asin;
    acos Acos;
    atan Atan;
    sinh Sinh;
    cosh Cosh;
    log10 Log10;
}

/// Returns `x`: in a copy that computes in f32 nothing is rounded.
#[inline]
#[must_use]
pub const fn cvt_rn(x: f32) -> f32 {
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the functions with exact results to those of `std`.
    #[test]
    fn exact_ones_are_those_of_std() {
        let mut x = 0x0123_4567_u32;
        for _ in 0..if cfg!(miri) { 20 } else { 10_000 } {
            x = x.wrapping_mul(0x9E37_79B1).rotate_left(13).wrapping_add(1);
            let x = f32::from_bits(x);
            let pairs = [
                (Functions::sqrt(x), f32::sqrt(x)),
                (Functions::floor(x), f32::floor(x)),
                (Functions::ceil(x), f32::ceil(x)),
                (Functions::trunc(x), f32::trunc(x)),
                (Functions::round(x), f32::round(x)),
                (Functions::round_ties_even(x), f32::round_ties_even(x)),
                (Functions::mul_add(x, 1.5, -0.25), f32::mul_add(x, 1.5, -0.25)),
            ];
            for (ours, theirs) in pairs {
                assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{x:?}");
            }
        }
        assert_eq!(Functions::powi(3.0, -2), 1.0 / 9.0);
        assert_eq!((Functions::rsqrt(4.0), Functions::exp2(-3.0), Functions::log2(8.0)), (0.5, 0.125, 3.0));
        assert_eq!((Functions::exp(0.0), Functions::ln(1.0), Functions::sin(0.0)), (1.0, 0.0, 0.0));
        assert_eq!((Functions::cos(0.0), Functions::tanh(0.0), cvt_rn(0.1)), (1.0, 0.0, 0.1));
    }
}
