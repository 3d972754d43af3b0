//! set, setp, selp, slct: comparisons, and selection by a predicate or a sign.

use core::cmp::Ordering;

use super::number::flush_input;
use crate::format::{Binary32, Format};
use crate::int::Int;
use crate::modifiers::{Comparison, Modifiers};

/// Returns `true` if the comparison of `a` and `b` holds; `set` and `setp` derive their results. −0
/// equals +0, and a NaN is unordered.
#[inline]
pub fn set<F: Format>(m: Modifiers, comparison: Comparison, a: F::Bits, b: F::Bits) -> bool {
    let (a, b) = (flush_input::<F>(m.ftz(), a), flush_input::<F>(m.ftz(), b));
    let order = if F::is_nan(a) || F::is_nan(b) {
        None
    } else if a == b || F::magnitude(a | b) == F::Bits::ZERO {
        Some(Ordering::Equal)
    } else {
        // Among two negative numbers the one with the greater magnitude is less.
        let less = match (F::is_negative(a), F::is_negative(b)) {
            (false, false) => a < b,
            (true, true) => a > b,
            (negative, _) => negative,
        };
        Some(if less { Ordering::Less } else { Ordering::Greater })
    };
    comparison.holds(order)
}

/// Returns `a` if the predicate `c` is true, else `b`, with unchanged bits.
#[inline]
pub fn selp<T>(a: T, b: T, c: bool) -> T {
    if c { a } else { b }
}

/// Returns `a` if `c` is at least zero, else `b`, with unchanged bits.
#[inline]
pub fn slct_s32<T>(a: T, b: T, c: i32) -> T {
    selp(a, b, c >= 0)
}

/// Returns `a` if `c` is at least zero, as −0 is, else `b`, also for a NaN; with unchanged bits.
#[inline]
pub fn slct_f32<T>(m: Modifiers, a: T, b: T, c: u32) -> T {
    selp(a, b, set::<Binary32>(m, Comparison::Ge, c, 0))
}
