//! The values of two threads: elements in one packed register, and all other values in two
//! registers.
//!
//! The inner loop of a pair kernel is as short as one written by hand, which `cargo xtask ptx`
//! checks by counting instructions. One reason is here: one value for both threads is a *move* of a
//! pair, which the assembler merges into the instruction that reads it.

use super::convert;
use super::element::Element;
use super::op::{Cmp, Op1, Op2};
use super::stored::{Stored, StoredOut};
use super::value::Scalar;
use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};
#[cfg(target_arch = "nvptx64")]
use crate::types::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};

/// Two values.
pub trait Joined: Copy + Send + Sync + 'static {
    /// The type of one value.
    type Lane: Copy;

    /// Joins the lower lane, that of the first thread, and the upper lane.
    fn join(lanes: [Self::Lane; 2]) -> Self;
    /// Returns the lanes, the lower lane first.
    fn split(self) -> [Self::Lane; 2];
    /// Joins two elements that were loaded one by one. On a device the halves of a word are one
    /// move, and not the shift and the `or` of [`join`](Self::join).
    #[inline_in_release]
    fn of_loads(lanes: [Self::Lane; 2]) -> Self {
        Self::join(lanes)
    }
}

/// The values of two threads. Each lane computes the function of [`Scalar`].
#[inline_in_release]
pub trait Pair: Joined<Lane: Scalar> {
    /// Returns one value in both lanes.
    fn splat(lane: Self::Lane) -> Self;
    /// Returns `yes` in lanes whose half of the mask is all ones, and `no` in the others.
    fn select(m: u32, yes: Self, no: Self) -> Self;
    /// Returns `left` and the lower lane, or `left` and the upper lane if the upper half of the
    /// mask is all ones.
    fn with_left(self, left: Self::Lane, m: u32) -> Self {
        let [low, high] = self.split();
        Self::join([left, if m >> 31 != 0 { high } else { low }])
    }
    /// Returns the upper lane and `right`, or the lower lane and `right` if the lower half of the
    /// mask is all ones.
    fn with_right(self, right: Self::Lane, m: u32) -> Self {
        let [low, high] = self.split();
        Self::join([if m & 1 != 0 { low } else { high }, right])
    }
    /// Compares; each half of the mask is all ones or all zeros.
    fn cmp(op: Cmp, a: Self, b: Self) -> u32 {
        let ([a0, a1], [b0, b1]) = (a.split(), b.split());
        mask([Self::Lane::cmp(op, a0, b0), Self::Lane::cmp(op, a1, b1)])
    }
}

/// The floats of two threads. Each lane computes the function of [`Element`].
#[inline_in_release]
pub trait FloatPair: Pair<Lane: Element> {
    /// Computes an operation on one pair.
    fn op1(op: Op1, a: Self) -> Self;
    /// Computes an operation on two pairs.
    fn op2(op: Op2, a: Self, b: Self) -> Self;
    /// Computes `fma.rn`.
    fn fma(a: Self, b: Self, c: Self) -> Self;
    /// Rounds f32 values, as `cvt.rn` does.
    fn cvt_rn(x: [f32; 2]) -> Self;
    /// Converts from a narrow format; rounds if the element type lacks the number.
    fn of_stored<S: Stored>(x: S::Pair) -> Self {
        Self::cvt_rn(S::widened(x))
    }
    /// Converts to a narrow format, rounded once.
    fn to_stored<S: StoredOut>(self) -> S::Pair {
        S::of_f32(self.split().map(Element::widen))
    }
}

/// Prevents other implementations; on a device it stands for the traits of vectors.
#[cfg(target_arch = "nvptx64")]
pub(crate) trait Sealed {}
#[cfg(target_arch = "nvptx64")]
macro_rules! sealed {
    ($($ty:ty)*) => { $(impl Sealed for $ty {})* };
}
#[cfg(target_arch = "nvptx64")]
sealed! { f32 F16 Bf16 i8 u8 i16 u16 i32 u32 i64 u64 usize E4m3 E5m2 E2m3 E3m2 E2m1 E2m1x2 Ue8m0 }

/// Returns a mask from two truth values.
#[inline_in_release]
pub(super) fn mask([low, high]: [bool; 2]) -> u32 {
    (if low { 0xFFFF } else { 0 }) | (if high { 0xFFFF_0000 } else { 0 })
}

/// Returns `yes` in lanes whose half of the mask is all ones, and `no` in the others.
#[inline_in_release]
fn select<T: Copy>(m: u32, yes: [T; 2], no: [T; 2]) -> [T; 2] {
    [if m & 1 != 0 { yes[0] } else { no[0] }, if m >> 31 != 0 { yes[1] } else { no[1] }]
}

/// Two registers: integers, kept f32 values, and narrow formats.
#[inline_in_release]
impl<T: Copy + Send + Sync + 'static> Joined for [T; 2] {
    type Lane = T;

    fn join(lanes: [T; 2]) -> Self {
        lanes
    }
    fn split(self) -> [T; 2] {
        self
    }
}

#[inline_in_release]
impl<T: Scalar> Pair for [T; 2] {
    fn splat(lane: T) -> Self {
        [lane; 2]
    }
    fn select(m: u32, yes: Self, no: Self) -> Self {
        select(m, yes, no)
    }
}

/// Kept floats are packed for the instructions that take pairs of f32.
#[inline_in_release]
impl FloatPair for [f32; 2] {
    fn op1(op: Op1, [a, b]: Self) -> Self {
        [f32::op1(op, a), f32::op1(op, b)]
    }
    fn op2(op: Op2, a: Self, b: Self) -> Self {
        F32x2::op2(op, a.into(), b.into()).into()
    }
    fn fma(a: Self, b: Self, c: Self) -> Self {
        F32x2::fma(a.into(), b.into(), c.into()).into()
    }
    fn cvt_rn(x: [f32; 2]) -> Self {
        x
    }
}

macro_rules! halves {
    ($($ty:ident $lane:ident $ex2:ident $cvt_rn:ident $cmp:ident { $($stored:tt)* })*) => {$(
        #[inline_in_release]
        impl Joined for $ty {
            type Lane = $lane;

            fn join([low, high]: [$lane; 2]) -> Self {
                Self::from_lo_hi(low, high)
            }
            fn of_loads(lanes: [$lane; 2]) -> Self {
                Self::from_bits(convert::pack(lanes.map($lane::to_bits)))
            }
            fn split(self) -> [$lane; 2] {
                [self.lo(), self.hi()]
            }
        }

        #[inline_in_release]
        impl Pair for $ty {
            fn splat(lane: $lane) -> Self {
                Self::from_bits(convert::pack([lane.to_bits(); 2]))
            }
            fn select(m: u32, yes: Self, no: Self) -> Self {
                // One `lop3` instruction.
                Self::from_bits(yes.to_bits() & m | no.to_bits() & !m)
            }
            fn with_left(self, left: $lane, m: u32) -> Self {
                let [word, left] = [self.to_bits(), u32::from(left.to_bits())];
                Self::from_bits(convert::permute(word, left, if m >> 31 != 0 { 0x3254 } else { 0x1054 }))
            }
            fn with_right(self, right: $lane, m: u32) -> Self {
                let [word, right] = [self.to_bits(), u32::from(right.to_bits())];
                Self::from_bits(convert::permute(word, right, if m & 1 != 0 { 0x5410 } else { 0x5432 }))
            }
            fn cmp(op: Cmp, a: Self, b: Self) -> u32 {
                convert::$cmp(op, a, b).unwrap_or_else(|| <[$lane; 2]>::cmp(op, a.split(), b.split()))
            }
        }

        #[inline_in_release]
        impl FloatPair for $ty {
            fn op1(op: Op1, a: Self) -> Self {
                match op {
                    Op1::Neg => a.neg(),
                    Op1::Abs => a.abs(),
                    Op1::Exp2 => a.$ex2(),
                    Op1::Tanh => a.tanh_approx(),
                    // Both lanes are rounded in one instruction.
                    _ => Self::cvt_rn(a.split().map(|a| f32::op1(op, a.widen()))),
                }
            }
            fn op2(op: Op2, a: Self, b: Self) -> Self {
                match op {
                    Op2::Add => a.add_rn(b),
                    Op2::Sub => a.sub_rn(b),
                    Op2::Mul => a.mul_rn(b),
                    Op2::Div | Op2::Atan2 | Op2::Powf | Op2::Hypot => {
                        let ([a0, a1], [b0, b1]) = (a.split(), b.split());
                        Self::cvt_rn([f32::op2(op, a0.widen(), b0.widen()), f32::op2(op, a1.widen(), b1.widen())])
                    }
                    Op2::Min => a.min(b),
                    Op2::Max => a.max(b),
                    Op2::CopySign => Self::from_bits(a.to_bits() & 0x7FFF_7FFF | b.to_bits() & 0x8000_8000),
                }
            }
            fn fma(a: Self, b: Self, c: Self) -> Self {
                a.fma_rn(b, c)
            }
            fn cvt_rn(x: [f32; 2]) -> Self {
                convert::$cvt_rn(x)
            }
            $($stored)*
        }
    )*};
}

halves! {
    F16x2 F16 ex2_approx to_f16x2 compare_f16x2 {
        #[inline_in_release]
        fn of_stored<S: Stored>(x: S::Pair) -> Self {
            S::to_f16x2(x)
        }
        #[inline_in_release]
        fn to_stored<S: StoredOut>(self) -> S::Pair {
            S::of_f16x2(self)
        }
    }
    Bf16x2 Bf16 ex2_approx_ftz to_bf16x2 compare_bf16x2 {}
}

#[inline_in_release]
impl Joined for F32x2 {
    type Lane = f32;

    fn join(lanes: [f32; 2]) -> Self {
        Self::from_array(lanes)
    }
    fn split(self) -> [f32; 2] {
        self.to_array()
    }
}

#[inline_in_release]
impl Pair for F32x2 {
    fn splat(lane: f32) -> Self {
        Self::from_array([lane; 2])
    }
    fn select(m: u32, yes: Self, no: Self) -> Self {
        Self::join(select(m, yes.split(), no.split()))
    }
}

#[inline_in_release]
impl FloatPair for F32x2 {
    fn op1(op: Op1, a: Self) -> Self {
        Self::join(a.split().map(|a| f32::op1(op, a)))
    }
    fn op2(op: Op2, a: Self, b: Self) -> Self {
        match op {
            Op2::Add => a.add_rn(b),
            Op2::Sub => a.sub_rn(b),
            Op2::Mul => a.mul_rn(b),
            _ => {
                let ([a0, a1], [b0, b1]) = (a.split(), b.split());
                Self::join([f32::op2(op, a0, b0), f32::op2(op, a1, b1)])
            }
        }
    }
    fn fma(a: Self, b: Self, c: Self) -> Self {
        a.fma_rn(b, c)
    }
    fn cvt_rn(x: [f32; 2]) -> Self {
        Self::join(x)
    }
}
