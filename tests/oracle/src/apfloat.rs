//! Oracle A: LLVM's soft float (`rustc_apfloat`), with PTX's modifiers around it.
//!
//! Fast enough for all 2³² pairs of a 16-bit form. It shares no arithmetic with [`crate::exact`]:
//! apfloat rounds, detects infinities, NaNs and signs by itself; only the modifiers are ours,
//! written a second time here.

use core::cmp::Ordering;

use rustc_apfloat::ieee::{BFloat, Double, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

use crate::form::{Form, Op, Rnd, Testp, Ty};

/// The 8-bit [`Ty::Mini`].
#[derive(Debug)]
struct MiniS;

impl Semantics for MiniS {
    const BITS: usize = 8;
    const EXP_BITS: usize = 4;
}

/// The 1.11.20 format of `rcp.approx.ftz.f64`.
#[derive(Debug)]
struct HighWordS;

impl Semantics for HighWordS {
    const BITS: usize = 32;
    const EXP_BITS: usize = 11;
}

/// The result of one lane; `None` for roots, `sin cos lg2 ex2 tanh`, and `.oob` where no such NaN
/// is defined.
///
/// # Panics
/// It panics if `ops` has fewer operands than the instruction takes.
#[must_use]
pub fn eval(form: &Form, ops: &[u64]) -> Option<u64> {
    if let Some(to) = form.target() {
        return cvt(form, to, ops[0]);
    }
    if form.is_mixed() {
        return mixed(form, ops);
    }
    match form.ty {
        Ty::F16 => Lane::<Half>::new(form, 0x7fff).eval(ops),
        Ty::Bf16 => Lane::<BFloat>::new(form, 0x7fff).eval(ops),
        Ty::F32 if form.is_legacy_mad() => Some(legacy_mad(form, ops)),
        Ty::F32 => Lane::<Single>::new(form, 0x7fff_ffff).eval(ops),
        Ty::F64 if form.is_high_word() => high_word(form, ops[0]),
        Ty::F64 => Lane::<Double>::new(form, 0xfff8_0000_0000_0000).eval(ops),
        Ty::Mini => Lane::<IeeeFloat<MiniS>>::new(form, 0x7f).eval(ops),
    }
}

/// A form over one of apfloat's types.
struct Lane<'a, F> {
    form: &'a Form,
    nan: u64,
    rnd: Round,
    _format: core::marker::PhantomData<F>,
}

const fn round_of(rnd: Rnd) -> Round {
    match rnd {
        Rnd::Rn => Round::NearestTiesToEven,
        Rnd::Rz => Round::TowardZero,
        Rnd::Rm => Round::TowardNegative,
        Rnd::Rp => Round::TowardPositive,
    }
}

impl<'a, F: Float> Lane<'a, F> {
    fn new(form: &'a Form, nan: u64) -> Self {
        Self { form, nan, rnd: round_of(form.rounding()), _format: core::marker::PhantomData }
    }

    /// Reads an operand, flushing it where the form does.
    #[inline]
    fn read(&self, x: u64) -> F {
        flush_if(self.form.ftz, F::from_bits(x.into()))
    }

    #[inline]
    fn eval(&self, ops: &[u64]) -> Option<u64> {
        let form = self.form;
        let rnd = self.rnd;
        let is_oob_nan = |x: &u64| matches!(x, 0x7ff7 | 0xfff7);
        match form.op {
            Op::Add | Op::Sub => {
                let (a, b) = (self.read(ops[0]), self.read(ops[1]));
                let d = if form.op == Op::Add { a.add_r(b, rnd) } else { a.sub_r(b, rnd) };
                // A sum that is tiny is exact, so there is nothing to look at twice.
                Some(self.finish(&[a, b], ops, d, |_| d))
            }
            Op::Mul => {
                let (a, b) = (self.read(ops[0]), self.read(ops[1]));
                Some(self.finish(&[a, b], ops, a.mul_r(b, rnd), |k| {
                    let (a, b) = lift_smaller(a, b, k);
                    a.mul_r(b, rnd)
                }))
            }
            Op::Fma | Op::Mad => {
                if form.oob && F::BITS != 16 {
                    return None;
                }
                if form.oob && ops[..2].iter().any(is_oob_nan) {
                    return Some(0);
                }
                let (a, b, c) = (self.read(ops[0]), self.read(ops[1]), self.read(ops[2]));
                Some(self.finish(&[a, b, c], ops, a.mul_add_r(b, c, rnd), |k| {
                    let (a, b) = lift_smaller(a, b, k);
                    a.mul_add_r(b, c.scalbn(k), rnd)
                }))
            }
            Op::Div if form.approx => Some(self.div_approx(ops)),
            Op::Div => Some(self.div(self.read(ops[0]), self.read(ops[1]), ops)),
            Op::Rcp => {
                let one = F::from_u128(1).value;
                Some(self.div(one, self.read(ops[0]), &[0, ops[0]]))
            }
            Op::Min | Op::Max => Some(self.min_max(ops)),
            Op::Abs => Some(pack(self.bare(ops[0]).abs())),
            Op::Neg => Some(pack(-self.bare(ops[0]))),
            Op::Copysign => Some(pack(self.bare(ops[1]).copy_sign(self.bare(ops[0])))),
            Op::Testp => Some(u64::from(testp(form.testp?, F::from_bits(ops[0].into())))),
            Op::Cvt | Op::Sqrt | Op::Rsqrt | Op::Sin | Op::Cos | Op::Lg2 | Op::Ex2 | Op::Tanh => None,
        }
    }

    /// An operand of an instruction that may only touch the sign.
    fn bare(&self, x: u64) -> F {
        self.read(x)
    }

    fn div(&self, a: F, b: F, ops: &[u64]) -> u64 {
        self.finish(&[a, b], ops, a.div_r(b, self.rnd), |k| {
            // Scaling keeps each operand away from the ends of the range: the quotient is about
            // 2^emin.
            if a.ilogb() <= 0 { a.scalbn(k).div_r(b, self.rnd) } else { a.div_r(b.scalbn(-k), self.rnd) }
        })
    }

    /// 9.7.3.8: divisors above 2¹²⁶ underflow in the reciprocal.
    fn div_approx(&self, ops: &[u64]) -> u64 {
        let (a, b) = (self.read(ops[0]), self.read(ops[1]));
        let power = F::from_u128(1).value.scalbn(126);
        if self.form.ty != Ty::F32 || !b.is_finite() || b.abs().partial_cmp(&power) != Some(Ordering::Greater) {
            self.div(a, b, ops)
        } else if a.is_nan() || a.is_infinite() {
            self.nan
        } else {
            pack(signed_zero::<F>(a.is_negative() ^ b.is_negative()))
        }
    }

    /// NaN rule, `.ftz`, `.sat` and `.relu` on the result `d` of `operands`, whose unflushed bits
    /// are `bits`.
    ///
    /// `again(k)` repeats the operation with its exact result scaled by 2^k. The second result
    /// distinguishes two cases: a result that rounds to the smallest normal number with any
    /// exponent range (kept), and a result that does so only because a subnormal has fewer bits
    /// (flushed).
    #[inline]
    fn finish(&self, operands: &[F], bits: &[u64], d: StatusAnd<F>, again: impl Fn(i32) -> StatusAnd<F>) -> u64 {
        let form = self.form;
        if form.ty == Ty::F64 {
            // A quotient keeps the first NaN. The other instructions look at the first operand
            // last.
            let nan = |i: &usize| operands[*i].is_nan();
            let first = if form.op == Op::Div { (0..2).find(nan) } else { (1..operands.len()).chain([0]).find(nan) };
            if let Some(i) = first {
                return bits[i] | 1 << 51;
            }
        }
        let mut value = d.value;
        if form.ftz {
            value = flush_if(true, value);
            if value.is_smallest_normalized() && d.status.contains(Status::INEXACT) {
                let scaled = again(2).value.abs();
                if scaled.partial_cmp(&F::smallest_normalized().scalbn(2)) == Some(Ordering::Less) {
                    value = signed_zero(value.is_negative());
                }
            }
        }
        self.clamp(value)
    }

    #[inline]
    fn clamp(&self, value: F) -> u64 {
        let form = self.form;
        if form.sat && (value.is_nan() || value.is_negative()) || form.relu && !value.is_nan() && value.is_negative() {
            return 0;
        }
        if value.is_nan() {
            return self.nan;
        }
        if form.sat {
            let one = F::from_u128(1).value;
            if value.partial_cmp(&one) == Some(Ordering::Greater) {
                return pack(one);
            }
        }
        pack(value)
    }

    fn min_max(&self, ops: &[u64]) -> u64 {
        let form = self.form;
        let mut d: Option<F> = None;
        for &x in ops {
            let x = self.read(x);
            let x = if form.abs { x.abs() } else { x };
            d = Some(d.map_or(x, |d| self.choose(d, x)));
        }
        let d = d.expect("min and max have operands");
        if d.is_nan() {
            return if form.ty == Ty::F64 { ops[ops.len() - 1] | 1 << 51 } else { self.nan };
        }
        if !form.xorsign {
            return pack(d);
        }
        let negative = ops.iter().filter(|&&x| x >> (F::BITS - 1) & 1 == 1).count() == 1;
        pack(if negative { -d.abs() } else { d.abs() })
    }

    /// Returns the smaller or greater of two by apfloat's own comparison, in which the zeros are
    /// equal.
    fn choose(&self, x: F, y: F) -> F {
        let y_first = match x.partial_cmp(&y) {
            None if self.form.nan => return F::NAN,
            None => return if x.is_nan() { y } else { x },
            Some(Ordering::Less) => false,
            Some(Ordering::Greater) => true,
            Some(Ordering::Equal) => y.is_negative(),
        };
        if y_first == (self.form.op == Op::Min) { y } else { x }
    }
}

/// 9.7.5: apfloat converts the narrow operands, exactly, and computes in f32.
fn mixed(form: &Form, ops: &[u64]) -> Option<u64> {
    fn wide<From: Float + FloatConvert<Single>>(x: u64) -> u64 {
        pack(From::from_bits(x.into()).convert(&mut false).value)
    }
    let widen = match form.ty {
        Ty::F16 => wide::<Half>,
        Ty::Bf16 => wide::<BFloat>,
        _ => return None,
    };
    let (last, narrow) = ops.split_last()?;
    let ops: Vec<u64> = narrow.iter().map(|x| widen(*x)).chain([*last]).collect();
    Lane::<Single>::new(&Form { ty: Ty::F32, to: None, ..*form }, 0x7fff_ffff).eval(&ops)
}

/// 9.7.9.21 between f32 and the 16-bit formats: apfloat converts, and `.ftz` concerns f32 alone.
fn cvt(form: &Form, to: Ty, a: u64) -> Option<u64> {
    fn one<From: Float + FloatConvert<To>, To: Float>(form: &Form, nan: u64, a: u64) -> u64 {
        let x = From::from_bits(a.into());
        let x = flush_if(form.ftz && form.ty == Ty::F32, x);
        let d: To = x.convert_r(round_of(form.rounding()), &mut false).value;
        let d = flush_if(form.ftz && To::BITS == 32, d);
        Lane::<To>::new(form, nan).clamp(d)
    }
    match (form.ty, to) {
        (Ty::F32, Ty::F16) => Some(one::<Single, Half>(form, 0x7fff, a)),
        (Ty::F32, Ty::Bf16) => Some(one::<Single, BFloat>(form, 0x7fff, a)),
        (Ty::F16, Ty::F32) => Some(one::<Half, Single>(form, 0x7fff_ffff, a)),
        (Ty::Bf16, Ty::F32) => Some(one::<BFloat, Single>(form, 0x7fff_ffff, a)),
        _ => None,
    }
}

fn testp<F: Float>(test: Testp, a: F) -> bool {
    match test {
        Testp::Finite => a.is_finite(),
        Testp::Infinite => a.is_infinite(),
        Testp::Number => !a.is_nan(),
        Testp::NotANumber => a.is_nan(),
        Testp::Normal => a.is_normal() || a.is_zero(),
        Testp::Subnormal => a.is_denormal(),
    }
}

#[inline]
fn flush_if<F: Float>(ftz: bool, x: F) -> F {
    if ftz && x.is_denormal() { signed_zero(x.is_negative()) } else { x }
}

fn signed_zero<F: Float>(negative: bool) -> F {
    if negative { -F::ZERO } else { F::ZERO }
}

/// Scales the smaller factor, which has room above it, by 2^k.
fn lift_smaller<F: Float>(a: F, b: F, k: i32) -> (F, F) {
    if a.cmp_abs_normal(b) == Ordering::Less { (a.scalbn(k), b) } else { (a, b.scalbn(k)) }
}

#[inline]
fn pack<F: Float>(x: F) -> u64 {
    x.to_bits() as u64
}

/// `rcp.approx.ftz.f64` as a division in the high word's own format. Its flush needs no second
/// look: truncation never raises a result to the smallest normal number.
fn high_word(form: &Form, a: u64) -> Option<u64> {
    if form.op != Op::Rcp {
        return None;
    }
    let x = flush_if(true, IeeeFloat::<HighWordS>::from_bits((a >> 32).into()));
    let d = flush_if(true, IeeeFloat::from_u128(1).value.div_r(x, Round::TowardZero).value);
    Some((if d.is_nan() { 0x7fff_ffff } else { pack(d) }) << 32)
}

/// `mad.f32` of sm_1x (9.7.3.7): the exact product is a binary128 with room to spare, its tail is
/// masked off, and the sum is rounded to odd so that the conversion rounds only once.
fn legacy_mad(form: &Form, ops: &[u64]) -> u64 {
    let lane = Lane::<Single>::new(form, 0x7fff_ffff);
    let [a, b, c] = [ops[0], ops[1], ops[2]].map(|x| flush_if(true, Single::from_bits(x.into())));
    if a.is_nan() || b.is_nan() || c.is_nan() {
        return lane.clamp(Single::NAN);
    }
    if c.is_zero() {
        let [mul, add] = [Op::Mul, Op::Add].map(|op| Form { ftz: true, ..Form::bare(op, Ty::F32, 1) });
        let product = Lane::<Single>::new(&mul, 0x7fff_ffff).eval(&[pack(a), pack(b)]);
        let sum = product.and_then(|p| Lane::<Single>::new(&add, 0x7fff_ffff).eval(&[p, pack(c)]));
        return lane.clamp(Single::from_bits(sum.expect("mul and add are covered").into()));
    }
    let wide = |x: Single| -> Quad { x.convert(&mut false).value };
    let product = (wide(a) * wide(b)).value;
    if product.is_nan() {
        return lane.clamp(Single::NAN);
    }
    let truncated = Quad::from_bits(product.to_bits() >> 89 << 89);
    let sum = truncated.add_r(wide(c), Round::TowardZero);
    let odd = sum.value.to_bits() | u128::from(sum.status.contains(Status::INEXACT));
    let narrow = |x: Quad| -> Single { x.convert(&mut false).value };
    let exact = Quad::from_bits(odd);
    let mut d = flush_if(true, narrow(exact));
    if d.is_smallest_normalized()
        && narrow(exact.scalbn(2)).cmp_abs_normal(Single::smallest_normalized().scalbn(2)) == Ordering::Less
    {
        d = signed_zero(d.is_negative());
    }
    lane.clamp(d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a(spelling: &str, ops: &[u64]) -> u64 {
        eval(&Form::parse(spelling).unwrap(), ops).unwrap()
    }

    #[test]
    fn the_flush_looks_at_the_unbounded_exponent() {
        // Products just below 2⁻¹²⁶, on either side of the tie.
        for (x, y, want) in [
            (0x2bc5_a94e, 0x1425_c74b, 0x0080_0000),
            (0x2b90_b1b2, 0x1462_76c4, 0x0080_0000),
            (0x2bcd_4d41, 0x141f_9be4, 0x0080_0000),
            (0x2bbc_adca, 0x142d_abb6, 0),
            (0x2ba1_3284, 0x144b_475f, 0),
        ] {
            assert_eq!(a("mul.rn.f32", &[x, y]), 0x0080_0000);
            assert_eq!(a("mul.rn.ftz.f32", &[x, y]), want, "{x:#x} {y:#x}");
            assert_eq!(a("mul.rz.ftz.f32", &[x, y]), 0);
            assert_eq!(a("fma.rn.ftz.f32", &[x, y, 0x8000_0000]), want);
        }
    }

    #[test]
    fn nan_rules() {
        assert_eq!(a("add.f16", &[0xfc00, 0x7c00]), 0x7fff);
        assert_eq!(a("add.sat.f16", &[0xfc00, 0x7c00]), 0);
        assert_eq!(a("fma.rn.relu.f16", &[0xfe00, 0, 0]), 0x7fff);
        assert_eq!(a("fma.rn.relu.f16", &[0x8000, 0, 0x8000]), 0);
        assert_eq!(a("fma.rn.oob.f16", &[0x3c00, 0xfff7, 0x3c00]), 0);
        assert_eq!(a("fma.rn.oob.f16", &[0x3c00, 0x3c00, 0xfff7]), 0x7fff);
        assert_eq!(a("abs.f32", &[0xff80_0001]), 0x7f80_0001);
        assert_eq!(a("sub.rn.f64", &[0, 0x7ff0_0000_0000_0001]), 0x7ff8_0000_0000_0001);
        assert_eq!(a("rcp.rn.f64", &[0xfff0_0000_0000_0001]), 0xfff8_0000_0000_0001);
    }
}
