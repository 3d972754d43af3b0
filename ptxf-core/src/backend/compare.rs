//! set, setp, slct on registers, on the CPU.

use super::register::{Bits, Register};
use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::modifiers::{BoolOp, Comparison, Modifiers};
use crate::sem;
use crate::types::{Bf16, Bf16x2, F16, F16x2};

/// A register whose lanes are compared.
pub(crate) trait Compared: Bits {
    /// Number of lanes.
    const LANES: u32;

    /// Returns `true` if the comparison holds for lanes with these bits.
    fn holds(m: Modifiers, comparison: Comparison, a: u64, b: u64) -> bool;
}

macro_rules! floats {
    ($($ty:ident $format:ident;)*) => {$(
        impl Compared for $ty {
            const LANES: u32 = <Self as Register>::LANES;

            #[inline(always)]
            fn holds(m: Modifiers, comparison: Comparison, a: u64, b: u64) -> bool {
                let [a, b] = [a, b].map(|x| <$format as Format>::Bits::of_low_bits(x.into()));
                sem::set::<$format>(m, comparison, a, b)
            }
        }
    )*};
}

floats! { F16 Binary16; Bf16 BFloat16; f32 Binary32; f64 Binary64; F16x2 Binary16; Bf16x2 BFloat16; }

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Compared for $ty {
            const LANES: u32 = 1;

            #[inline(always)]
            fn holds(_: Modifiers, comparison: Comparison, a: u64, b: u64) -> bool {
                comparison.holds(Some(Self::from_u64(a).cmp(&Self::from_u64(b))))
            }
        }
    )*};
}

integers! { u16 u32 u64 i16 i32 i64 }

/// A result made of the truth about each lane of the operands.
pub(crate) trait Truths: Bits {
    /// Returns the bits that a true comparison writes to a lane of `bits` bits.
    fn truth(bits: u32) -> u64;

    /// The result for `holds`, which says of each of the lanes whether the comparison is true, and
    /// for what becomes of that.
    #[inline(always)]
    fn collect(lanes: u32, holds: impl Fn(u32) -> bool, combine: impl Fn(bool) -> bool) -> Self {
        let place = Self::BITS / lanes;
        let mut d = 0;
        for i in 0..lanes {
            if combine(holds(i)) {
                d |= Self::truth(place) << (i * place);
            }
        }
        Self::from_u64(d)
    }
}

macro_rules! ones {
    ($($ty:ident)*) => {$(
        impl Truths for $ty {
            #[inline(always)]
            fn truth(bits: u32) -> u64 {
                u64::mask(bits)
            }
        }
    )*};
}

ones! { u16 u32 i16 i32 bool }

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Truths for $ty {
            #[inline(always)]
            fn truth(_: u32) -> u64 {
                <Self as Register>::Format::one().cast()
            }
        }
    )*};
}

numbers! { f32 F16 Bf16 F16x2 Bf16x2 }

/// `p|q`: of two lanes each has its own; of one, `q` is made of the opposite of the comparison.
impl Truths for (bool, bool) {
    #[inline(always)]
    fn truth(_: u32) -> u64 {
        1
    }

    #[inline(always)]
    fn collect(lanes: u32, holds: impl Fn(u32) -> bool, combine: impl Fn(bool) -> bool) -> Self {
        let p = holds(0);
        (combine(p), combine(if lanes == 1 { !p } else { holds(1) }))
    }
}

/// Compares the lanes of `a` and `b`, and combines each result with the predicate if there is one.
#[inline(always)]
pub(crate) fn set<A: Compared, D: Truths>(
    m: Modifiers,
    comparison: Comparison,
    combined: Option<(BoolOp, bool)>,
    a: A,
    b: A,
) -> D {
    let (a, b, width) = (a.to_u64(), b.to_u64(), A::BITS / A::LANES);
    let lane = |x: u64, i: u32| x >> (i * width) & u64::mask(width);
    D::collect(
        A::LANES,
        |i| A::holds(m, comparison, lane(a, i), lane(b, i)),
        |t| combined.map_or(t, |(boolean, c)| boolean.apply(t, c)),
    )
}

/// An operand whose sign selects one of two others.
pub(crate) trait Selector: Copy {
    fn choose<T>(m: Modifiers, a: T, b: T, c: Self) -> T;
}

impl Selector for i32 {
    #[inline(always)]
    fn choose<T>(_: Modifiers, a: T, b: T, c: Self) -> T {
        sem::slct_s32(a, b, c)
    }
}

impl Selector for f32 {
    #[inline(always)]
    fn choose<T>(m: Modifiers, a: T, b: T, c: Self) -> T {
        sem::slct_f32(m, a, b, c.to_bits())
    }
}

/// `a` if `c` is at least zero, else `b`.
#[inline(always)]
pub(crate) fn slct<T, C: Selector>(m: Modifiers, a: T, b: T, c: C) -> T {
    C::choose(m, a, b, c)
}
