//! Sines and cosines of intervals.

use std::cmp::Ordering;

use super::Value::Open;
use super::{Arithmetic, Function, Known, greater, lesser};

/// Sine or cosine: it changes no faster than its argument.
pub(super) fn between<L: Arithmetic>(l: &mut L, f: Function, lo: L::End, hi: L::End) -> Known<L> {
    if L::end_is_infinite(&lo) || L::end_is_infinite(&hi) {
        return Open(L::end_from(-2), L::end_from(2));
    }
    let width = l.end_add(&hi, &L::end_neg(&lo), true);
    let one = L::end_from(1);
    let rises = L::end_cmp(&lo, &L::end_neg(&one)).is_ge() && L::end_cmp(&hi, &one).is_le();
    if f == Function::Sin && rises {
        // The end nearer to 0 is a bound, the other no farther than that. At 0 the sign is not in doubt.
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
