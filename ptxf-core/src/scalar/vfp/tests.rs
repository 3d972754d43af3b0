//! The route's arithmetic, on any machine with binary32, against the meaning.

use super::{add, convert, div, fma, mul, rcp, sqrt, sub};
use crate::format::{BFloat16, Binary16, Binary32};
use crate::modifiers::{Modifiers, Round};
use crate::sem;

/// Every combination of the modifiers that f16 has.
fn modifiers() -> [Modifiers; 12] {
    core::array::from_fn(|i| {
        let [ftz, oob] = [i & 1 != 0, i & 2 != 0];
        Modifiers::PLAIN.with_ftz(ftz).with_oob(oob).with_sat(i / 4 == 1).with_relu(i / 4 == 2)
    })
}

/// Pseudo-random bits, all different for 2³² − 1 steps.
fn xorshift(state: &mut u32) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    *state
}

/// All pairs of operands whose last six bits are 0, 1, 2, 31, 32 or 63: every exponent, ties, and
/// what lies beside them.
#[test]
fn sums_and_products_are_the_meaning() {
    let operand = |i: usize| ((i / 6) << 6) as u16 | [0, 1, 2, 31, 32, 63][i % 6];
    // Only `fma` has `.oob`.
    for m in modifiers().into_iter().filter(|m| !m.oob()) {
        for (a, b) in (0..6144)
            .step_by(if oracle::long() { 5 } else { 35 })
            .flat_map(|i| (0..6144).map(move |j| (operand(i), operand(j))))
        {
            assert_eq!(add::<Binary16>(m, a, b), Some(sem::add::<Binary16>(m, a, b)), "{m:?} {a:#x} + {b:#x}");
            assert_eq!(sub::<Binary16>(m, a, b), Some(sem::sub::<Binary16>(m, a, b)), "{m:?} {a:#x} - {b:#x}");
            assert_eq!(mul::<Binary16>(m, a, b), Some(sem::mul::<Binary16>(m, a, b)), "{m:?} {a:#x} * {b:#x}");
        }
    }
}

#[test]
fn fused_operations_are_the_meaning() {
    let mut state = 1;
    let modifiers = modifiers();
    let check = |a: u16, b: u16, c: u16| {
        for m in modifiers {
            let (route, meaning) = (fma::<Binary16>(m, a, b, c), sem::fma::<Binary16>(m, a, b, c));
            assert_eq!(route, Some(meaning), "{m:?} {a:#x} * {b:#x} + {c:#x}");
        }
    };
    for i in 0..if oracle::long() { 2_000_000 } else { 200_000_u32 } {
        let (x, y) = (xorshift(&mut state), xorshift(&mut state));
        let (a, b) = (x as u16, (x >> 16) as u16);
        // The third operand is any, or about the product or half a unit of it: there roundings are
        // hard.
        let product = sem::mul::<Binary16>(Modifiers::PLAIN, a, b);
        let c = match i % 4 {
            0 => y as u16,
            1 => product.wrapping_add((y % 5) as u16).wrapping_sub(2) ^ 0x8000,
            2 => product.wrapping_sub(((11 + y % 3) << 10) as u16),
            _ => product.wrapping_add(((11 + y % 3) << 10) as u16),
        };
        check(a, b, c);
    }
    check(0x3c01, 0x0ffe, 0x3c01);
    for special in [0x7c00, 0xfc00, 0x7ff7, 0xfff7, 0x7fff, 0x7c01, 0x0000, 0x8000] {
        for x in 0..=u16::MAX {
            check(x, special, 0x3c00);
            check(special, x, special);
            check(0x3c00, x, special);
        }
    }
}

#[test]
fn conversions_are_the_meaning() {
    for x in 0..=u16::MAX {
        assert_eq!(convert::<Binary16, Binary32>(Round::Rn, x), Some(sem::convert::<Binary16, Binary32>(Round::Rn, x)));
        assert_eq!(convert::<BFloat16, Binary16>(Round::Rn, x), Some(sem::convert::<BFloat16, Binary16>(Round::Rn, x)));
        assert_eq!(convert::<BFloat16, Binary32>(Round::Rn, x), None);
    }
}

/// binary32, where only a flushed result at the bound may be left to the meaning.
#[test]
fn single_precision_is_the_meaning() {
    let mut left = 0;
    let mut check = |[a, b, c]: [u32; 3]| {
        for ftz in [false, true] {
            let m = Modifiers::PLAIN.with_ftz(ftz);
            for (route, meaning) in [
                (add::<Binary32>(m, a, b), sem::add::<Binary32>(m, a, b)),
                (sub::<Binary32>(m, a, b), sem::sub::<Binary32>(m, a, b)),
                (mul::<Binary32>(m, a, b), sem::mul::<Binary32>(m, a, b)),
                (fma::<Binary32>(m, a, b, c), sem::fma::<Binary32>(m, a, b, c)),
                (div::<Binary32>(m, a, b), sem::div::<Binary32>(m, a, b)),
                (rcp::<Binary32>(m, a), sem::rcp::<Binary32>(m, a)),
                (sqrt::<Binary32>(m, a), sem::sqrt::<Binary32>(m, a)),
            ] {
                assert!(ftz || route.is_some());
                left += u32::from(route.is_none());
                assert_eq!(route.unwrap_or(meaning), meaning, "{m:?} {a:#x} {b:#x} {c:#x}");
            }
        }
    };
    // 2⁻¹²⁶ − 2⁻¹⁵⁰, which has 24 bits and is flushed, though it rounds to the smallest normal
    // number where they are 23.
    check([0x1fff_ffff, 0x2000_0000, 0x8000_0000]);
    let mut state = 1;
    for i in 0..if oracle::long() { 1_000_000 } else { 200_000 } {
        // A third of them about the smallest normal number, whose neighbours are flushed.
        let mask = if i % 3 == 0 { 0x8180_0003 } else { !0 };
        check(core::array::from_fn(|_| xorshift(&mut state) & mask));
    }
    assert!(0 < left && left < 3_000_000, "{left} of 14,000,000 left to the meaning");
}
