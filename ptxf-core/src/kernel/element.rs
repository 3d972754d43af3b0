//! The formats in which a kernel computes, one value at a time: the reference for all other code.

use core::fmt::Debug;

use super::composed::{self, Arithmetic};
use super::convert;
use super::int::LaneInt;
use super::op::{Cmp, Op1, Op2};
use super::pair::FloatPair;
use super::value::Scalar;
use crate::format::{Binary32, Format as _};
use crate::ptx;
use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};

#[cfg(target_arch = "nvptx64")]
use super::pair::Sealed as FloatLane;
#[cfg(not(target_arch = "nvptx64"))]
use super::wide::vector::FloatLane;

/// A float type of a kernel's values: `f32`, [`F16`], [`Bf16`].
///
/// The functions are those of [`ptx`](mod@crate::ptx). An operation without an instruction for the
/// type is computed in f32 and rounded once.
///
/// # Examples
///
/// ```
/// use ptxf::F16;
/// use ptxf::kernel::{Element, Op2};
///
/// let x = F16::op2(Op2::Div, F16::ONE, F16::cvt_rn(3.0));
/// assert_eq!(x.to_bits(), 0x3555);
/// ```
#[allow(private_bounds, reason = "the types are these three")]
#[inline_in_release]
pub trait Element: FloatLane + Scalar + Debug {
    /// Two values in a register.
    type Pair: FloatPair<Lane = Self>;

    /// Number of significand bits, including the hidden bit.
    const PRECISION: u32;
    /// +∞.
    const INFINITY: Self;
    /// −∞.
    const NEG_INFINITY: Self;
    /// The NaN that instructions return.
    const NAN: Self;
    /// The largest finite number.
    const MAX: Self;
    /// The smallest finite number, `-MAX`.
    const MIN: Self;
    /// The smallest positive normal number.
    const MIN_POSITIVE: Self;
    /// The distance from 1 to the next larger number.
    const EPSILON: Self;

    /// Returns a literal of the source, given its bits in each format, each rounded once from the
    /// decimal.
    fn literal(single: u32, half: u16, bfloat: u16) -> Self;
    /// Rounds an f32 value to nearest, as `cvt.rn` does; f32 itself stays unchanged.
    fn cvt_rn(x: f32) -> Self;
    /// Returns the same value in f32, exactly.
    fn widen(self) -> f32;
    /// Computes an operation on one value.
    fn op1(op: Op1, a: Self) -> Self;
    /// Computes an operation on two values.
    fn op2(op: Op2, a: Self, b: Self) -> Self;
    /// Computes `fma.rn`.
    fn fma(a: Self, b: Self, c: Self) -> Self;
    /// Converts an integer to the nearest value, rounded once.
    fn from_int<T: LaneInt>(x: T) -> Self;
    /// Converts as `as` does: towards zero, saturating, with 0 for NaN.
    fn to_int<T: LaneInt>(self) -> T;

    /// Returns `true` for a NaN.
    fn is_nan(x: Self) -> bool {
        Self::cmp(Cmp::Ne, x, x)
    }
    /// Returns `true` for a value that is neither infinite nor NaN.
    fn is_finite(x: Self) -> bool {
        Self::cmp(Cmp::Lt, Self::op1(Op1::Abs, x), Self::INFINITY)
    }
    /// Returns `true` for an infinity.
    fn is_infinite(x: Self) -> bool {
        Self::cmp(Cmp::Eq, Self::op1(Op1::Abs, x), Self::INFINITY)
    }
    /// Computes the power by repeated squaring, each product rounded once. A negative exponent
    /// gives `recip` of the power.
    fn powi(x: Self, exponent: i32) -> Self {
        let (mut power, mut square, mut left) = (None, x, exponent.unsigned_abs());
        while left != 0 {
            if left & 1 != 0 {
                power = Some(power.map_or(square, |power| Self::op2(Op2::Mul, power, square)));
            }
            left >>= 1;
            if left != 0 {
                square = Self::op2(Op2::Mul, square, square);
            }
        }
        let power = match power {
            None => Self::from_int(1),
            // A product with 1 is the other factor, except for the bits of a NaN. Powers that are
            // products have canonical NaNs already.
            Some(x) if exponent.unsigned_abs() == 1 => Self::op2(Op2::Mul, Self::from_int(1), x),
            Some(power) => power,
        };
        if exponent < 0 { Self::op1(Op1::Recip, power) } else { power }
    }
}

/// The largest number of f32 below 0.5.
pub(super) const BELOW_HALF: f32 = 0.5f32.next_down();

#[inline_in_release]
impl Scalar for f32 {
    fn cmp(op: Cmp, a: Self, b: Self) -> bool {
        let yes = op.of(&a, &b);
        // LLVM turns a choice by comparison with a constant into Arm's `fmaxnm` and `fminnm`, which
        // return NaN for a signalling NaN (seen in LLVM 22 on AArch64). With integer operations a
        // NaN is handled correctly.
        if cfg!(any(target_arch = "aarch64", target_arch = "arm")) && !matches!(op, Cmp::Eq | Cmp::Ne) {
            return yes & !Binary32::is_nan(a.to_bits()) & !Binary32::is_nan(b.to_bits());
        }
        yes
    }
}

#[inline_in_release]
impl Element for f32 {
    type Pair = F32x2;

    const PRECISION: u32 = Self::MANTISSA_DIGITS;
    const INFINITY: Self = Self::INFINITY;
    const NEG_INFINITY: Self = Self::NEG_INFINITY;
    const NAN: Self = Self::from_bits(0x7FFF_FFFF);
    const MAX: Self = Self::MAX;
    const MIN: Self = Self::MIN;
    const MIN_POSITIVE: Self = Self::MIN_POSITIVE;
    const EPSILON: Self = Self::EPSILON;

    fn literal(single: u32, _: u16, _: u16) -> Self {
        Self::from_bits(single)
    }
    fn cvt_rn(x: f32) -> Self {
        x
    }
    fn widen(self) -> f32 {
        self
    }
    fn op1(op: Op1, a: Self) -> Self {
        match op {
            Op1::Neg => ptx::neg_f32(a),
            Op1::Abs => ptx::abs_f32(a),
            Op1::Sqrt => ptx::sqrt_rn_f32(a),
            Op1::Recip => ptx::rcp_rn_f32(a),
            Op1::Exp2 => ptx::ex2_approx_f32(a),
            Op1::Exp => ptx::ex2_approx_f32(ptx::mul_rn_f32(a, core::f32::consts::LOG2_E)),
            Op1::Log2 => ptx::lg2_approx_f32(a),
            Op1::Ln => ptx::mul_rn_f32(ptx::lg2_approx_f32(a), core::f32::consts::LN_2),
            Op1::Sin => ptx::sin_approx_f32(a),
            Op1::Cos => ptx::cos_approx_f32(a),
            Op1::Tanh => ptx::tanh_approx_f32(a),
            Op1::Rsqrt => ptx::rsqrt_approx_f32(a),
            Op1::Floor => ptx::cvt_rmi_f32_f32(a),
            Op1::Ceil => ptx::cvt_rpi_f32_f32(a),
            Op1::Trunc => ptx::cvt_rzi_f32_f32(a),
            Op1::Round => {
                // Adding 0.5 itself would round the number before 0.5 to 1.
                ptx::cvt_rzi_f32_f32(ptx::add_rn_f32(a, ptx::copysign_f32(a, BELOW_HALF)))
            }
            Op1::RoundTiesEven => ptx::cvt_rni_f32_f32(a),
            Op1::Signum => {
                if <Self as Element>::is_nan(a) {
                    <Self as Element>::NAN
                } else {
                    ptx::copysign_f32(a, 1.0)
                }
            }
            Op1::Fract => composed::fract(OneF32, a),
            Op1::Tan => composed::tan(OneF32, a),
            Op1::Asin => composed::asin(OneF32, a),
            Op1::Acos => composed::acos(OneF32, a),
            Op1::Atan => composed::atan(OneF32, a),
            Op1::Sinh => composed::sinh(OneF32, a),
            Op1::Cosh => composed::cosh(OneF32, a),
            Op1::Log10 => composed::log10(OneF32, a),
            Op1::ToDegrees => composed::to_degrees(OneF32, a),
            Op1::ToRadians => composed::to_radians(OneF32, a),
        }
    }
    fn op2(op: Op2, a: Self, b: Self) -> Self {
        match op {
            Op2::Add => ptx::add_rn_f32(a, b),
            Op2::Sub => ptx::sub_rn_f32(a, b),
            Op2::Mul => ptx::mul_rn_f32(a, b),
            Op2::Div => ptx::div_rn_f32(a, b),
            Op2::Min => ptx::min_f32(a, b),
            Op2::Max => ptx::max_f32(a, b),
            Op2::CopySign => ptx::copysign_f32(b, a),
            Op2::Atan2 => composed::atan2(OneF32, a, b),
            Op2::Powf => composed::powf(OneF32, a, b),
            Op2::Hypot => composed::hypot(OneF32, a, b),
        }
    }
    fn fma(a: Self, b: Self, c: Self) -> Self {
        ptx::fma_rn_f32(a, b, c)
    }
    fn from_int<T: LaneInt>(x: T) -> Self {
        x.to_f32()
    }
    fn to_int<T: LaneInt>(self) -> T {
        T::from_f32(self)
    }
}

/// The arithmetic of composed functions on single values.
#[derive(Clone, Copy)]
struct OneF32;

macro_rules! instructions {
    ($($name:ident($($x:ident),*) $instruction:ident;)*) => {$(
        #[inline_in_release]
        fn $name(self, $($x: f32),*) -> f32 {
            ptx::$instruction($($x),*)
        }
    )*};
}

#[inline_in_release]
impl Arithmetic for OneF32 {
    type V = f32;

    instructions! {
        abs(a) abs_f32;
        sqrt(a) sqrt_rn_f32;
        rcp(a) rcp_rn_f32;
        ex2(a) ex2_approx_f32;
        lg2(a) lg2_approx_f32;
        sin(a) sin_approx_f32;
        cos(a) cos_approx_f32;
        trunc(a) cvt_rzi_f32_f32;
        add(a, b) add_rn_f32;
        sub(a, b) sub_rn_f32;
        mul(a, b) mul_rn_f32;
        div(a, b) div_rn_f32;
        fma(a, b, c) fma_rn_f32;
    }

    fn splat(self, x: f32) -> f32 {
        x
    }
    fn copysign(self, a: f32, b: f32) -> f32 {
        ptx::copysign_f32(b, a)
    }
    fn if_less(self, a: f32, b: f32, yes: f32, no: f32) -> f32 {
        if f32::cmp(Cmp::Lt, a, b) { yes } else { no }
    }
    fn if_equal(self, a: f32, b: f32, yes: f32, no: f32) -> f32 {
        if f32::cmp(Cmp::Eq, a, b) { yes } else { no }
    }
}

macro_rules! halves {
    ($($ty:ident $pair:ident $literal:ident $cvt_rn:ident $widen:ident $neg:ident $abs:ident $ex2:ident $tanh:ident
       $add:ident $sub:ident $mul:ident $min:ident $max:ident $fma:ident;)*) => {$(
        #[inline_in_release]
        impl Scalar for $ty {
            fn cmp(op: Cmp, a: Self, b: Self) -> bool {
                if cfg!(target_arch = "nvptx64") { f32::cmp(op, a.widen(), b.widen()) } else { op.of(&a, &b) }
            }
        }

        #[inline_in_release]
        impl Element for $ty {
            type Pair = $pair;

            const PRECISION: u32 = Self::MANTISSA_DIGITS;

            const INFINITY: Self = Self::INFINITY;
            const NEG_INFINITY: Self = Self::NEG_INFINITY;
            const NAN: Self = Self::CANONICAL_NAN;
            const MAX: Self = Self::MAX;
            const MIN: Self = Self::MIN;
            const MIN_POSITIVE: Self = Self::MIN_POSITIVE;
            const EPSILON: Self = Self::EPSILON;

            fn literal(_: u32, half: u16, bfloat: u16) -> Self {
                let bits = Literal { half, bfloat };
                Self::from_bits(bits.$literal)
            }
            fn cvt_rn(x: f32) -> Self {
                ptx::$cvt_rn(x)
            }
            fn widen(self) -> f32 {
                convert::$widen(self)
            }
            fn op1(op: Op1, a: Self) -> Self {
                match op {
                    Op1::Neg => ptx::$neg(a),
                    Op1::Abs => ptx::$abs(a),
                    Op1::Exp2 => ptx::$ex2(a),
                    Op1::Tanh => ptx::$tanh(a),
                    _ => Self::cvt_rn(f32::op1(op, a.widen())),
                }
            }
            fn op2(op: Op2, a: Self, b: Self) -> Self {
                match op {
                    Op2::Add => ptx::$add(a, b),
                    Op2::Sub => ptx::$sub(a, b),
                    Op2::Mul => ptx::$mul(a, b),
                    Op2::Min => ptx::$min(a, b),
                    Op2::Max => ptx::$max(a, b),
                    Op2::CopySign => a.copysign(b),
                    Op2::Div | Op2::Atan2 | Op2::Powf | Op2::Hypot => Self::cvt_rn(f32::op2(op, a.widen(), b.widen())),
                }
            }
            fn fma(a: Self, b: Self, c: Self) -> Self {
                ptx::$fma(a, b, c)
            }
            fn from_int<T: LaneInt>(x: T) -> Self {
                Self::cvt_rn(x.to_f32_odd())
            }
            fn to_int<T: LaneInt>(self) -> T {
                T::from_f32(self.widen())
            }
        }
    )*};
}

/// The bits of a literal in each 16-bit format.
struct Literal {
    half: u16,
    bfloat: u16,
}

halves! {
    F16 F16x2 half cvt_rn_f16_f32 of_f16 neg_f16 abs_f16 ex2_approx_f16 tanh_approx_f16
        add_rn_f16 sub_rn_f16 mul_rn_f16 min_f16 max_f16 fma_rn_f16;
    Bf16 Bf16x2 bfloat cvt_rn_bf16_f32 of_bf16 neg_bf16 abs_bf16 ex2_approx_ftz_bf16 tanh_approx_bf16
        add_rn_bf16 sub_rn_bf16 mul_rn_bf16 min_bf16 max_bf16 fma_rn_bf16;
}
