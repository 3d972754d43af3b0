//! Sines and cosines of intervals.

use std::cmp::Ordering;

use super::Value::Open;
use super::{Arithmetic, Function, Known, greater, lesser};

/// Returns the sine or cosine of an interval, which changes no faster than its argument.
pub(super) fn between<L: Arithmetic>(l: &mut L, f: Function, lo: L::End, hi: L::End) -> Known<L> {
    if L::end_is_infinite(&lo) || L::end_is_infinite(&hi) {
        return Open(L::end_from(-2), L::end_from(2));
    }
    let width = l.end_add(&hi, &L::end_neg(&lo), true);
    let one = L::end_from(1);
    let rises = L::end_cmp(&lo, &L::end_neg(&one)).is_ge() && L::end_cmp(&hi, &one).is_le();
    if f == Function::Sin && rises {
        // The interval's nearer end bounds the result toward 0, and the result is at most its width
        // farther. At 0 the sign is known.
        let minus_width = L::end_neg(&width);
        return match (L::end_sign(&lo), L::end_sign(&hi)) {
            (Ordering::Equal, _) => Open(lo, l.ends_of(f, &hi).1),
            (_, Ordering::Equal) => Open(l.ends_of(f, &lo).0, hi),
            (_, Ordering::Less) => {
                let (a, b) = l.ends_of(f, &hi);
                Open(greater::<L>(l.end_add(&a, &minus_width, false), lo), b)
            }
            (sign, _) => {
                let (a, b) = l.ends_of(f, &lo);
                let above = l.end_add(&b, &width, true);
                Open(a, if sign.is_gt() { lesser::<L>(above, hi) } else { above })
            }
        };
    }
    let (a, b) = l.ends_of(f, if L::end_sign(&lo).is_eq() { &hi } else { &lo });
    Open(l.end_add(&a, &L::end_neg(&width), false), l.end_add(&b, &width, true))
}
