//! Rounding by definition: the exact result is looked up in the ordered list of representable
//! magnitudes.
//!
//! The patterns of the non-negative finite numbers are in the order of their values. So the list is
//! the pattern itself, and the search is a bisection with exact comparisons, without guard bits,
//! shifts or carries.

use core::cmp::Ordering;

use crate::dyadic::Dyadic;
use crate::form::Rnd;
use crate::layout::Layout;

/// An exact positive result: the `root`-th root of `num / den`.
#[derive(Clone, Debug)]
pub struct Exact {
    /// Numerator.
    pub num: Dyadic,
    /// Denominator, not zero.
    pub den: Dyadic,
    /// 1, or 2 for a square root.
    pub root: u8,
}

impl Exact {
    /// Wraps a dyadic fraction.
    #[must_use]
    pub fn dyadic(num: Dyadic) -> Self {
        Self { num, den: Dyadic::new(1, 0), root: 1 }
    }

    /// Compares with `v`: x ⋛ v is num ⋛ v^root · den.
    #[must_use]
    pub fn compare(&self, v: &Dyadic) -> Ordering {
        let power = if self.root == 2 { v.times(v) } else { v.clone() };
        self.num.compare(&power.times(&self.den))
    }

    /// `self · 2^k`
    #[must_use]
    pub fn scaled(&self, k: i64) -> Self {
        Self { num: self.num.scaled(k * i64::from(self.root)), den: self.den.clone(), root: self.root }
    }
}

/// The pattern of the largest finite magnitude that is not above `x`.
#[must_use]
pub fn largest_not_above(layout: &Layout, x: &Exact) -> u64 {
    // Invariant: value(low) ≤ x < value(high), where infinity counts as unreached.
    let (mut low, mut high) = (0, layout.infinity());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if x.compare(&Dyadic::of(layout, middle)) == Ordering::Less {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// Returns the pattern of the magnitude to which `x`, of sign `negative`, rounds.
#[must_use]
pub fn round(layout: &Layout, x: &Exact, negative: bool, rnd: Rnd) -> u64 {
    let below = largest_not_above(layout, x);
    let lower = Dyadic::of(layout, below);
    if x.compare(&lower) == Ordering::Equal {
        return below;
    }
    let away = match rnd {
        Rnd::Rz => false,
        Rnd::Rm => negative,
        Rnd::Rp => !negative,
        // Above the largest finite number the neighbour is 2^(emax+1), as IEEE 754 has it for the
        // overflow threshold.
        Rnd::Rn => match x.compare(&lower.midpoint(&Dyadic::of(layout, below + 1))) {
            Ordering::Less => false,
            Ordering::Equal => below % 2 == 1,
            Ordering::Greater => true,
        },
    };
    below + u64::from(away)
}

/// Returns `true` if `x` is still below the smallest normal number when rounded with an unbounded
/// exponent. `.ftz` turns such a result into zero.
#[must_use]
pub fn is_tiny(layout: &Layout, x: &Exact, negative: bool, rnd: Rnd) -> bool {
    let least = Dyadic::of(layout, layout.min_normal());
    if x.compare(&least) != Ordering::Less {
        return false;
    }
    if x.compare(&least.scaled(-1)) != Ordering::Greater {
        // 2^(emin−1) is representable with an unbounded exponent, so no rounding passes it.
        return true;
    }
    // Two binades up the format has its full precision, and rounding commutes with the scaling.
    let rounded = round(layout, &x.scaled(2), negative, rnd);
    Dyadic::of(layout, rounded).compare(&least.scaled(2)) == Ordering::Less
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Ty;

    const RN: Rnd = Rnd::Rn;

    fn f16(m: u64, e: i32, negative: bool, rnd: Rnd) -> u64 {
        round(Layout::of(Ty::F16), &Exact::dyadic(Dyadic::new(m, e)), negative, rnd)
    }

    #[test]
    fn overflow_follows_the_direction() {
        // 65520 is halfway between the largest f16 and 2^16, 65519 is not.
        assert_eq!(f16(65520, 0, false, RN), 0x7c00);
        assert_eq!(f16(65519, 0, false, RN), 0x7bff);
        assert_eq!(f16(1, 99, false, Rnd::Rz), 0x7bff);
        assert_eq!(f16(1, 99, false, Rnd::Rp), 0x7c00);
        assert_eq!(f16(1, 99, false, Rnd::Rm), 0x7bff);
        assert_eq!(f16(1, 99, true, Rnd::Rm), 0x7c00);
    }

    #[test]
    fn ties_go_to_even_and_a_trace_above_goes_up() {
        assert_eq!(f16(1, -25, false, RN), 0);
        assert_eq!(f16((1 << 40) + 1, -65, false, RN), 1);
        assert_eq!(f16(3, -25, false, RN), 2);
        assert_eq!(f16(4097, -12, false, RN), 0x3c00);
        assert_eq!(f16(1, -60, false, Rnd::Rp), 1);
        assert_eq!(f16(1, -60, true, Rnd::Rp), 0);
    }

    #[test]
    fn roots_compare_by_their_squares() {
        let l = Layout::of(Ty::F32);
        for x in 1..2000_u32 {
            let exact = Exact { num: Dyadic::new(x.into(), 0), den: Dyadic::new(1, 0), root: 2 };
            assert_eq!(round(l, &exact, false, RN), u64::from((x as f32).sqrt().to_bits()));
        }
    }

    #[test]
    fn tiny_is_judged_before_the_exponent_is_bounded() {
        let l = Layout::of(Ty::F32);
        let tiny = |m: u64, e, rnd| is_tiny(l, &Exact::dyadic(Dyadic::new(m, e)), false, rnd);
        // (1 − 2⁻²⁴)·2⁻¹²⁶ is representable with an unbounded exponent, though it becomes 2⁻¹²⁶ in
        // the format.
        assert!(tiny((1 << 24) - 1, -150, RN));
        assert!(tiny((1 << 26) - 3, -152, RN));
        // A tie between it and 2⁻¹²⁶ goes to the even 2⁻¹²⁶.
        assert!(!tiny((1 << 25) - 1, -151, RN));
        assert!(tiny((1 << 25) - 1, -151, Rnd::Rz));
        assert!(!tiny((1 << 26) - 3, -152, Rnd::Rp));
        assert!(!tiny(1, -126, RN));
        assert!(tiny(1, -149, Rnd::Rp));
    }
}
