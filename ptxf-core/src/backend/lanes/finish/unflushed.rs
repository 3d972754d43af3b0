//! Sums and products of f32 under `.ftz` as they are without it, of pairs of vectors in which there is nothing to flush.
//!
//! To flush two or three operands and a result, and to ask whether it was tiny before it was rounded, takes several times as long as to
//! compute. So it is asked at once, of all that has to be looked at, whether a lane is small and no zero; and of the results whether one is a
//! NaN. Most pairs have neither.
//!
//! Of a sum, rounded to nearest, only the result is looked at. An operand below 2^-126, which `.ftz` makes a zero, does not change a sum of 2^-100 or more: the other
//! one is larger than 2^-101, so that its neighbours are 2^-124 away at least, and the sum rounds to it. And a sum that is zero is the same zero of
//! flushed operands, for they are opposite numbers or zeros.

use crate::backend::lanes::engine::{End, Floats as _, Ints as _, M32, V32, Vectors, Words as _};
use crate::backend::lanes::format::LaneFormat as _;
use crate::backend::lanes::modifiers;
use crate::backend::lanes::op::{Arithmetic, On32};
use crate::format::Binary32;
use crate::modifiers::{Modifiers, Round};

/// The results of two vectors under `.ftz`; `None` if a lane is a NaN or may have to be flushed, and where to flush takes no longer than to ask.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn of_pair<O: On32, E: Vectors>(e: E, m: Modifiers, [x, y]: [[V32<E>; 3]; 2]) -> Option<[V32<E>; 2]> {
    if !(m.ftz && m.rnd == Round::Rn && E::FINDS_NANS) {
        return None;
    }
    let (f, ints) = (e.f32(), e.u32());
    let limit = match O::ARITHMETIC? {
        // 2^-100
        Arithmetic::Add | Arithmetic::Sub => 27 << 23,
        Arithmetic::Mul | Arithmetic::Fma if !E::FINDS_SUBNORMALS => return None,
        Arithmetic::Mul | Arithmetic::Fma => {
            let factors = ints.min(lowest::<E>(e, x[0], x[1]), lowest::<E>(e, y[0], y[1]));
            let operands = if O::OPERANDS < 3 { factors } else { ints.min(factors, lowest::<E>(e, x[2], y[2])) };
            // Asked first, for a CPU may take a hundred times as long to multiply a subnormal number.
            if ints.any(below::<E>(e, operands, 1 << 23)) {
                return None;
            }
            // The smallest normal number, too, for a smaller one may have been rounded to it.
            (1 << 23) + 1
        }
    };
    let (p, q) = (O::f32::<E>(e, m, x).0, O::f32::<E>(e, m, y).0);
    if ints.any(ints.mask_or(below::<E>(e, lowest::<E>(e, p, q), limit), f.unordered(p, q))) {
        return None;
    }
    let end = modifiers::end(m);
    // There is no NaN to make canonical.
    Some(if end == End::Plain { [p, q] } else { [f.finish(end, Binary32::NAN, p), f.finish(end, Binary32::NAN, q)] })
}

/// A signed integer for the smaller one of two magnitudes, in whose order zero is the largest.
#[cfg_attr(not(debug_assertions), inline(always))]
fn lowest<E: Vectors>(e: E, x: V32<E>, y: V32<E>) -> V32<E> {
    let (ints, offset) = (e.u32(), e.u32().splat(OFFSET));
    ints.min(ints.add(ints.add(x, x), offset), ints.add(ints.add(y, y), offset))
}

/// Where what [`lowest`] returns stands for a magnitude below that of the number with the bits `limit`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn below<E: Vectors>(e: E, lowest: V32<E>, limit: u32) -> M32<E> {
    e.u32().gt(e.u32().splat((2 * limit).wrapping_add(OFFSET)), lowest)
}

/// What is added to twice a number's bits, which have lost the sign: of zero it makes the largest signed integer, and of the smallest other
/// numbers the smallest integers.
const OFFSET: u32 = i32::MAX as u32;
