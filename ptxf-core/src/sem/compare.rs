//! set: comparisons.

use super::number::flush_input;
use crate::format::Format;
use crate::int::Int;
use crate::modifiers::{Comparison, Modifiers};

/// Whether `a` and `b` compare so. −0 equals +0, and a NaN is unordered.
#[inline]
pub fn set<F: Format>(m: Modifiers, comparison: Comparison, a: F::Bits, b: F::Bits) -> bool {
    let (a, b) = (flush_input::<F>(m.ftz, a), flush_input::<F>(m.ftz, b));
    let unordered = F::is_nan(a) || F::is_nan(b);
    let equal = a == b || F::magnitude(a | b) == F::Bits::ZERO;
    // Of two negative numbers the one with the greater magnitude is less.
    let less = !equal
        && match (F::is_negative(a), F::is_negative(b)) {
            (false, false) => a < b,
            (true, true) => a > b,
            (negative, _) => negative,
        };
    let ordered = |is: bool| !unordered && is;
    match comparison {
        Comparison::Eq => ordered(equal),
        Comparison::Ne => ordered(!equal),
        Comparison::Lt => ordered(less),
        Comparison::Le => ordered(less || equal),
        Comparison::Gt => ordered(!(less || equal)),
        Comparison::Ge => ordered(!less),
        Comparison::Equ => unordered || equal,
        Comparison::Neu => unordered || !equal,
        Comparison::Ltu => unordered || less,
        Comparison::Leu => unordered || less || equal,
        Comparison::Gtu => unordered || !(less || equal),
        Comparison::Geu => unordered || !less,
        Comparison::Num => !unordered,
        Comparison::Nan => unordered,
    }
}
