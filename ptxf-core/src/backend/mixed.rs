//! Forms whose result has another type than their operands, on the CPU.

use super::register::{Bits, Register};
use super::scalar;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::{Comparison, Modifiers};
use crate::sem;

/// The value of `a` in the format of `D`.
#[inline(always)]
pub(crate) fn cvt<A: Register, D: Register>(m: Modifiers, a: A) -> D {
    D::from_u64(lane::<A, D>(m, a))
}

/// The values of `a` and `b` in the lanes of `D`, the first of them in the upper one.
#[inline(always)]
pub(crate) fn cvt_pack<A: Register, D: Register>(m: Modifiers, a: A, b: A) -> D {
    D::from_u64(lane::<A, D>(m, a) << D::Lane::BITS | lane::<A, D>(m, b))
}

#[inline(always)]
fn lane<A: Register, D: Register>(m: Modifiers, a: A) -> u64 {
    scalar::cvt::<A::Format, D::Format>(m, A::Lane::truncate(a.to_u64().into())).cast()
}

/// A result with a place for the truth about each lane of the operands.
pub(crate) trait Truths: Bits {
    /// What a true comparison gives in a place of so many bits.
    fn truth(bits: u32) -> u64;
}

impl Truths for u32 {
    #[inline(always)]
    fn truth(bits: u32) -> u64 {
        u64::mask(bits)
    }
}

impl Truths for i32 {
    #[inline(always)]
    fn truth(bits: u32) -> u64 {
        u64::mask(bits)
    }
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Truths for crate::types::$ty {
            #[inline(always)]
            fn truth(_: u32) -> u64 {
                <Self as Register>::Format::one().cast()
            }
        }
    )*};
}

numbers!(F16x2 Bf16x2);

/// Whether the lanes of `a` and `b` compare so.
#[inline(always)]
pub(crate) fn set<A: Register, D: Truths>(m: Modifiers, comparison: Comparison, a: A, b: A) -> D {
    let place = D::BITS / A::LANES;
    let (a, b) = (a.to_u64(), b.to_u64());
    let mut d = 0;
    for i in 0..A::LANES {
        let lane = |x: u64| A::Lane::truncate((x >> (i * A::Lane::BITS)).into());
        if sem::set::<A::Format>(m, comparison, lane(a), lane(b)) {
            d |= D::truth(place) << (i * place);
        }
    }
    D::from_u64(d)
}
