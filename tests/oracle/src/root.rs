//! Oracle C: `sqrt` and `rsqrt` by an integer square root, rounded with guard and sticky bits.
//!
//! An oracle independent of apfloat, which has no roots. No result of these two instructions is
//! subnormal or overflows in any format, so the packing is short.

use num_bigint::BigUint;

use crate::form::{Form, Op, Rnd};
use crate::layout::{HIGH_WORD, Layout};

/// The result of one lane of `sqrt` or `rsqrt`, `None` for everything else.
#[must_use]
pub fn eval(form: &Form, ops: &[u64]) -> Option<u64> {
    if !matches!(form.op, Op::Sqrt | Op::Rsqrt) {
        return None;
    }
    let a = *ops.first()?;
    if form.is_high_word() {
        let truncating = Form { rnd: Some(Rnd::Rz), ..*form };
        return Some(lane(&truncating, &HIGH_WORD, a >> 32) << 32);
    }
    Some(lane(form, Layout::of(form.ty), a))
}

fn lane(form: &Form, layout: &Layout, a: u64) -> u64 {
    let a = if form.ftz { layout.flush(a) } else { a };
    let reciprocal = form.op == Op::Rsqrt;
    if layout.is_nan(a) {
        return if layout.payloads { a | layout.quiet_bit() } else { layout.canonical_nan };
    }
    if layout.is_zero(a) {
        return if reciprocal { a | layout.infinity() } else { a };
    }
    if layout.is_negative(a) {
        return layout.canonical_nan;
    }
    if layout.is_infinite(a) {
        return if reciprocal { 0 } else { a };
    }
    let (m, e) = layout.decompose(a);
    let (root, exponent, inexact) = if reciprocal { inverse_root(layout, m, e) } else { plain_root(layout, m, e) };
    pack(layout, form.rounding(), &root, exponent, inexact)
}

/// Bits that a root needs so that two are left for rounding.
fn wanted(layout: &Layout) -> u64 {
    u64::from(layout.precision()) + 2
}

/// ⌊√(m·2^e)⌋ in units of 2^exponent.
fn plain_root(layout: &Layout, m: u64, e: i32) -> (BigUint, i32, bool) {
    let m = BigUint::from(m);
    let mut shift = (2 * wanted(layout)).saturating_sub(m.bits()) as i32;
    shift += (e - shift) & 1;
    let square = m << shift;
    let root = square.sqrt();
    let inexact = &root * &root != square;
    (root, (e - shift) / 2, inexact)
}

/// ⌊1/√(m·2^e)⌋ in units of 2^exponent, from ⌊2^shift / m⌋: a floor of a floor is still the floor.
fn inverse_root(layout: &Layout, m: u64, e: i32) -> (BigUint, i32, bool) {
    let m = BigUint::from(m);
    let mut shift = (2 * wanted(layout) + m.bits()) as i32;
    shift += (e + shift) & 1;
    let one = BigUint::from(1u8) << shift;
    let quotient = &one / &m;
    let root = quotient.sqrt();
    let inexact = &root * &root != quotient || &quotient * &m != one;
    (root, (-e - shift) / 2, inexact)
}

/// Rounds `root · 2^exponent`, plus a trace if `inexact`, to a positive normal number.
fn pack(layout: &Layout, rnd: Rnd, root: &BigUint, exponent: i32, inexact: bool) -> u64 {
    let spare = root.bits() as u32 - layout.precision();
    let digits = u64::try_from(root).expect("a root has a few bits more than the format");
    let kept = digits >> spare;
    let tail = digits & ((1 << spare) - 1);
    let half = 1 << (spare - 1);
    let up = match rnd {
        Rnd::Rn => tail > half || tail == half && (inexact || kept & 1 == 1),
        Rnd::Rp => tail > 0 || inexact,
        Rnd::Rz | Rnd::Rm => false,
    };
    // A carry out of the fraction increments the exponent.
    let biased = exponent + spare as i32 + layout.fraction as i32 + layout.bias();
    ((biased as u64 - 1) << layout.fraction) + kept + u64::from(up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_host_where_the_host_is_exact() {
        let form = Form::parse("sqrt.rn.f64").unwrap();
        let mut rng = crate::Rng::new(3);
        for _ in 0..5000 {
            let a = rng.next() >> 1;
            if !f64::from_bits(a).is_nan() {
                assert_eq!(eval(&form, &[a]), Some(f64::from_bits(a).sqrt().to_bits()), "{a:#x}");
            }
        }
    }

    #[test]
    fn agrees_with_core_math() {
        let f32s = Form::parse("rsqrt.approx.f32").unwrap();
        let f64s = Form::parse("rsqrt.approx.f64").unwrap();
        let mut rng = crate::Rng::new(4);
        for _ in 0..5000 {
            let a = rng.next() >> 33;
            if !f32::from_bits(a as u32).is_nan() {
                let want = core_math::rsqrtf(f32::from_bits(a as u32)).to_bits();
                assert_eq!(eval(&f32s, &[a]), Some(want.into()), "{a:#x}");
            }
            let a = rng.next() >> 1;
            if !f64::from_bits(a).is_nan() {
                assert_eq!(eval(&f64s, &[a]), Some(core_math::rsqrt(f64::from_bits(a)).to_bits()), "{a:#x}");
            }
        }
    }
}
