//! Arithmetic on f32 with `.ftz`, for pairs of vectors without anything to flush.
//!
//! Flushing two or three operands and a result, and checking if the result was tiny before
//! rounding, takes several times as long as the operation. So one check covers all operands and
//! results: is a lane small but not zero, or is a result a NaN? Most pairs have neither.
//!
//! For a sum to nearest only the result is checked. An operand below 2^-126, which `.ftz` flushes,
//! does not change a sum of 2^-100 or more: the other operand is larger than 2^-101, its neighbours
//! are at least 2^-124 away, and the sum rounds to it. A sum of zero is the same zero with flushed
//! operands, since they are opposite numbers or zeros.
//!
//! Sums in other directions and roots are not checked. Those sums take longer themselves, and of a
//! root only the operand is ever flushed.

use crate::backend::lanes::engine::{End, Floats as _, Ints as _, V32, Vectors};
use crate::backend::lanes::format::LaneFormat as _;
use crate::backend::lanes::modifiers;
use crate::backend::lanes::op::{Arithmetic, On32};
use crate::backend::lanes::subnormal;
use crate::format::Binary32;
use crate::modifiers::{Modifiers, Round};

/// Returns `true` if pairs of vectors are checked.
#[inline_in_release]
pub(in crate::backend::lanes) fn asks_if_ftz_matters<O: On32, E: Vectors>(m: Modifiers) -> bool {
    let takes_less_time = match O::ARITHMETIC {
        Some(Arithmetic::Add | Arithmetic::Sub) => m.rnd() == Round::Rn,
        _ => O::ROUNDS_TO_NORMAL && E::FINDS_SUBNORMALS,
    };
    m.ftz() && E::FINDS_NANS && takes_less_time
}

/// Returns the results of two vectors under `.ftz`; `None` if they are not checked, or if a lane is
/// a NaN or may have to be flushed.
#[inline_in_release]
pub(super) fn of_pair<O: On32, E: Vectors>(e: E, m: Modifiers, [x, y]: [[V32<E>; 3]; 2]) -> Option<[V32<E>; 2]> {
    if !asks_if_ftz_matters::<O, E>(m) {
        return None;
    }
    let (f, ints) = (e.f32(), e.u32());
    let limit = if let Some(Arithmetic::Add | Arithmetic::Sub) = O::ARITHMETIC {
        // 2^-100
        27 << 23
    } else {
        let mut subnormal = e.subnormal(x[0], y[0]);
        if O::OPERANDS > 1 {
            subnormal = ints.mask_or(subnormal, e.subnormal(x[1], y[1]));
        }
        if O::OPERANDS > 2 {
            subnormal = ints.mask_or(subnormal, e.subnormal(x[2], y[2]));
        }
        // Checked first: a CPU may take a hundred times as long to multiply a subnormal number.
        if ints.any(subnormal) {
            return None;
        }
        // The smallest normal number counts too, since a smaller one may round to it.
        (1 << 23) + 1
    };
    let ((p, None), (q, None)) = (O::f32::<E>(e, m, x), O::f32::<E>(e, m, y)) else { return None };
    if ints.any(ints.mask_or(subnormal::below(e, limit, p, q), f.unordered(p, q))) {
        return None;
    }
    let end = modifiers::end(m);
    // There is no NaN to make canonical.
    Some(if end == End::Plain { [p, q] } else { [f.finish(end, Binary32::NAN, p), f.finish(end, Binary32::NAN, q)] })
}
