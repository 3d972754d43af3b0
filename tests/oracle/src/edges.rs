//! Operands at which implementations are often wrong, per format.

use std::sync::OnceLock;

use crate::form::Ty;
use crate::layout::Layout;

/// Edge patterns of a format: both signs, no pattern twice, about 200 (all 256 for [`Ty::Mini`]).
#[must_use]
pub fn of(ty: Ty) -> &'static [u64] {
    static LISTS: [OnceLock<Vec<u64>>; 5] = [const { OnceLock::new() }; 5];
    LISTS[ty as usize].get_or_init(|| list(ty))
}

fn list(ty: Ty) -> Vec<u64> {
    let layout = Layout::of(ty);
    if ty == Ty::Mini {
        return (0..256).collect();
    }
    let mut positive = landmarks(layout);
    positive.extend(powers(layout));
    positive.extend(specials(ty, layout));
    signs(layout, positive)
}

/// A quarter of [`of`], for products of two or three operands: one of each kind.
#[must_use]
pub fn few(ty: Ty) -> Vec<u64> {
    let layout = Layout::of(ty);
    let mut positive = landmarks(layout);
    if layout.bits == 16 {
        positive.push(crate::exact::OOB_NAN);
    }
    signs(layout, positive)
}

fn signs(layout: &Layout, mut positive: Vec<u64>) -> Vec<u64> {
    positive.sort_unstable();
    positive.dedup();
    positive.iter().flat_map(|m| [*m, m | layout.sign_bit()]).collect()
}

/// Zero, the ends of the subnormals, normals and NaNs, and the neighbours of 1.
fn landmarks(layout: &Layout) -> Vec<u64> {
    let (one, infinity, min_normal) = (layout.one(), layout.infinity(), layout.min_normal());
    vec![
        0,
        1,
        2,
        3,
        min_normal / 2,
        min_normal - 1,
        min_normal,
        min_normal + 1,
        one - layout.min_normal(),
        one - 2,
        one - 1,
        one,
        one + 1,
        one + 2,
        one + layout.min_normal() / 2,
        one + layout.min_normal() - 1,
        one + layout.min_normal(),
        infinity - layout.min_normal(),
        infinity - 1,
        infinity,
        infinity + 1,
        infinity | layout.quiet_bit(),
        infinity | layout.quiet_bit() | 1,
        layout.sign_bit() - 1,
    ]
}

/// Powers of two: the range's ends, the distances at which one addend no longer affects the other,
/// halves of the minimum exponent (whose products are just tiny), and their neighbours.
fn powers(layout: &Layout) -> Vec<u64> {
    let (low, high) = (layout.min_exponent(), layout.bias());
    let digits = layout.fraction as i32;
    let exponents = [
        low - digits + 1,
        low - 1,
        low + 1,
        low + digits,
        low / 2 - 1,
        low / 2,
        low / 2 + 1,
        -digits - 2,
        -digits - 1,
        -digits,
        1,
        digits,
        digits + 1,
        digits + 2,
        high / 2,
        high / 2 + 1,
        high - 1,
        high,
    ];
    let mut out = vec![];
    for e in exponents {
        if (low - digits..=high).contains(&e) {
            let p = layout.power_of_two(e);
            out.extend([p - 1, p, p + 1]);
        }
    }
    out
}

/// Patterns that concern only some formats or instructions.
fn specials(ty: Ty, layout: &Layout) -> Vec<u64> {
    use core::f64::consts::{FRAC_PI_2, LN_2, PI};
    // Rounding toward zero is precise enough here: the result is a neighbour of the wanted
    // multiple.
    let near = |x: f64| {
        let steps = crate::dyadic::Dyadic::of(Layout::of(Ty::F64), x.to_bits());
        crate::round::largest_not_above(layout, &crate::round::Exact::dyadic(steps))
    };
    let mut out: Vec<u64> = [
        FRAC_PI_2,
        PI,
        2.0 * PI,
        100.0 * PI,
        LN_2,
        1.0 / 3.0,
        3.0,
        7.0,
        10.0,
        0.1,
        24.0,
        25.0,
        126.5,
        149.0,
        150.0,
        8.0,
        9.01,
    ]
    .iter()
    .flat_map(|x| [near(*x), near(*x) + 1])
    .collect();
    if layout.bits == 16 {
        out.extend([crate::exact::OOB_NAN - 1, crate::exact::OOB_NAN, crate::exact::OOB_NAN + 1]);
    }
    if ty == Ty::F32 {
        // div.approx's last divisors, and the exponents where approximations change their scaling.
        out.extend([0x7e80_0000, 0x7e80_0001, 0x7e7f_ffff, 0x7f00_0001]);
    }
    if ty == Ty::F64 {
        // Patterns whose high word alone is of another class than the whole.
        out.extend([0x7ff0_0000_0000_0001, 0x7ff0_0001_0000_0000, 0x0000_0000_ffff_ffff, 0x0010_0000_ffff_ffff]);
        out.extend([0x7fd0_0000_0000_0000, 0x7fd0_0000_ffff_ffff, 0x7fd0_0001_0000_0000, 0x7fc0_0000_0000_0001]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_have_no_doubles_and_fit_the_format() {
        for ty in [Ty::F16, Ty::Bf16, Ty::F32, Ty::F64, Ty::Mini] {
            let all = of(ty);
            let mut sorted = all.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), all.len());
            assert!(all.iter().all(|x| *x <= Layout::of(ty).mask()));
            assert!(few(ty).iter().all(|x| all.contains(x)), "{ty:?}");
            println!("{ty:?}: {} edges, {} few", all.len(), few(ty).len());
        }
    }
}
