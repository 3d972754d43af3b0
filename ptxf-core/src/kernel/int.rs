//! The integer types of a thread's variables, and the operations on them.

use super::ctx::Sealed;
use super::op::Cmp;
use super::value::Scalar;

/// Lists the integer types, each with the type of its bits, and with a type that holds its absolute
/// value in 25 bits or more.
macro_rules! for_each_int {
    ($do:ident) => {
        $do! {
            i8 u8 u32;
            u8 u8 u32;
            i16 u16 u32;
            u16 u16 u32;
            i32 u32 u32;
            u32 u32 u32;
            i64 u64 u64;
            u64 u64 u64;
            usize usize usize;
        }
    };
}
pub(super) use for_each_int;

/// An integer type of a thread's variables.
#[expect(private_bounds, reason = "the types are these nine")]
pub trait LaneInt: Sealed + Scalar {
    /// Computes an operation on one value.
    fn op1(op: IntOp1, a: Self) -> Self;
    /// Computes an operation on two values. All arithmetic wraps, as on a GPU.
    #[track_caller]
    fn op2(op: IntOp, a: Self, b: Self) -> Self;
    /// Converts as `as` does.
    fn to_i128(self) -> i128;
    /// Converts as `as` does: the low bits.
    fn wrap(x: i128) -> Self;
    /// Converts as `as` does: rounded to nearest.
    fn to_f32(self) -> f32;
    /// Converts to a value with at least 16 significant bits, rounded to odd if inexact. Rounding
    /// this value to a 16-bit format rounds once.
    fn to_f32_odd(self) -> f32;
    /// Converts as `as` does: towards zero, saturating, with 0 for NaN.
    fn from_f32(x: f32) -> Self;
}

/// An operation on one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp1 {
    /// The absolute value; the least integer stays unchanged.
    Abs,
    /// 1, 0 or −1.
    Signum,
    /// The number of one bits, PTX's `popc`.
    CountOnes,
    /// The number of zero bits above the highest one bit, PTX's `clz`.
    LeadingZeros,
    /// The number of zero bits below the lowest one bit.
    TrailingZeros,
    /// The bits in reverse order, PTX's `brev`.
    ReverseBits,
}

/// An operation on two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`; panics on 0
    Div,
    /// `a % b`; panics on 0
    Rem,
    /// The quotient whose remainder is not negative; panics on 0
    DivEuclid,
    /// The remainder that is not negative; panics on 0
    RemEuclid,
    /// The quotient of unsigned integers, rounded towards +∞; panics on 0
    DivCeil,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a << b`, by the low bits of `b`
    Shl,
    /// `a >> b`, by the low bits of `b`
    Shr,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// The absolute difference, as an unsigned integer.
    AbsDiff,
    /// The sum, clamped to the type's range.
    SaturatingAdd,
    /// The difference, clamped to the type's range.
    SaturatingSub,
    /// `a` to the power of the low 32 bits of `b`.
    Pow,
    /// `a` rotated to the left, by the low bits of `b`.
    RotateLeft,
    /// `a` rotated to the right, by the low bits of `b`.
    RotateRight,
}

impl IntOp {
    /// Returns `true` if the operation panics on 0.
    pub(super) const fn divides(self) -> bool {
        matches!(self, Self::Div | Self::Rem | Self::DivEuclid | Self::RemEuclid | Self::DivCeil)
    }
}

/// Panics for a division by zero; on a device it traps, as for an index out of range.
#[cold]
#[inline(never)]
#[track_caller]
fn by_zero() -> ! {
    #[cfg(not(target_arch = "nvptx64"))]
    panic!("thread divides an integer by zero");
    #[cfg(target_arch = "nvptx64")]
    crate::backend::nvptx::trap()
}

macro_rules! lane_ints {
    ($($ty:ident $unsigned:ident $long:ident;)*) => {$(
        impl Sealed for $ty {}

        #[inline_in_release]
        impl Scalar for $ty {
            fn cmp(op: Cmp, a: Self, b: Self) -> bool {
                op.of(&a, &b)
            }
        }

        #[inline_in_release]
        impl LaneInt for $ty {
            fn op1(op: IntOp1, a: Self) -> Self {
                match op {
                    #[allow(unused_comparisons, reason = "also for unsigned types")]
                    IntOp1::Abs => if a < 0 { a.wrapping_neg() } else { a },
                    #[allow(unused_comparisons, reason = "also for unsigned types")]
                    IntOp1::Signum => if a < 0 { !0 } else { Self::from(a != 0) },
                    IntOp1::CountOnes => a.count_ones() as Self,
                    IntOp1::LeadingZeros => a.leading_zeros() as Self,
                    IntOp1::TrailingZeros => a.trailing_zeros() as Self,
                    IntOp1::ReverseBits => a.reverse_bits(),
                }
            }
            fn op2(op: IntOp, a: Self, b: Self) -> Self {
                match op {
                    _ if op.divides() && b == 0 => by_zero(),
                    IntOp::Add => a.wrapping_add(b),
                    IntOp::Sub => a.wrapping_sub(b),
                    IntOp::Mul => a.wrapping_mul(b),
                    IntOp::Div => a.wrapping_div(b),
                    IntOp::Rem => a.wrapping_rem(b),
                    IntOp::DivEuclid => a.wrapping_div_euclid(b),
                    IntOp::RemEuclid => a.wrapping_rem_euclid(b),
                    IntOp::DivCeil => a.wrapping_div(b).wrapping_add(Self::from(a.wrapping_rem(b) != 0)),
                    IntOp::And => a & b,
                    IntOp::Or => a | b,
                    IntOp::Xor => a ^ b,
                    IntOp::Shl => a.wrapping_shl(b as u32),
                    IntOp::Shr => a.wrapping_shr(b as u32),
                    IntOp::Min => a.min(b),
                    IntOp::Max => a.max(b),
                    IntOp::AbsDiff => a.abs_diff(b) as Self,
                    IntOp::SaturatingAdd => a.saturating_add(b),
                    IntOp::SaturatingSub => a.saturating_sub(b),
                    IntOp::Pow => a.wrapping_pow(b as u32),
                    IntOp::RotateLeft => a.rotate_left(b as u32),
                    IntOp::RotateRight => a.rotate_right(b as u32),
                }
            }
            fn to_i128(self) -> i128 {
                self as i128
            }
            fn wrap(x: i128) -> Self {
                x as Self
            }
            fn to_f32(self) -> f32 {
                self as f32
            }
            fn to_f32_odd(self) -> f32 {
                #[allow(unused_comparisons, reason = "also for unsigned types")]
                let negative = self < 0;
                let bits = self as $unsigned;
                let mut x = $long::from(if negative { bits.wrapping_neg() } else { bits });
                // Each step drops 8 bits if more than 24 are left. At least 17 significant bits
                // stay, and the last one collects the dropped bits.
                let mut unit = 1.0;
                let mut k = 24;
                while k < $unsigned::BITS {
                    let long = x >> 24 != 0;
                    x = if long { x >> 8 | $long::from(x & 0xFF != 0) } else { x };
                    unit = if long { unit * 256.0 } else { unit };
                    k += 8;
                }
                // Exact: at most 24 bits.
                let value = x as u32 as f32 * unit;
                if negative { -value } else { value }
            }
            fn from_f32(x: f32) -> Self {
                x as Self
            }
        }
    )*};
}

for_each_int! { lane_ints }

#[inline_in_release]
impl Cmp {
    /// Compares two values in Rust's order, which is IEEE's for floats.
    pub(super) fn of<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
            Self::Eq => a == b,
            Self::Ne => a != b,
        }
    }
}
