//! add, sub, mul, fma with operands and a result of several types: `add.rn.f32x2.f16x2.f32x2`.
//!
//! [`eval`] computes each lane with exact rationals, and rounds by a search among the numbers of
//! the result's type. [`widened`] converts the operands exactly to a wider type, in which another
//! library or the CPU computes: to f32 if the result is one, and to f64 if it has 8 bits.

use crate::cvt::{By, Cvt, Num, Reg, exact, operands};
use crate::dyadic::Dyadic;
use crate::form::{Form, Op, Rnd, Ty};
use crate::rng::Rng;
use exact::Value;

/// One spelling, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Across {
    /// The instruction.
    pub op: Op,
    /// The rounding; `.rn` if none is written.
    pub rnd: Rnd,
    /// `.ftz`
    pub ftz: bool,
    /// `.satfinite`
    pub satfinite: bool,
    /// The result.
    pub to: Reg,
    /// The types of two or three operands; two are followed by the last one again.
    from: [Reg; 3],
    /// Strides of the operands' lanes in bits.
    strides: [u32; 3],
}

impl Across {
    /// Reads a spelling with three types or more, or with four lanes.
    ///
    /// Two operands may have one type between them: `mul.f16x2.f16x2.bf16x2` names the result's,
    /// `a`'s and `c`'s. Of four lanes, an addend has the result's type, which is written once.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split('.');
        let op = match words.next()? {
            "add" => Op::Add,
            "sub" => Op::Sub,
            "mul" => Op::Mul,
            "fma" => Op::Fma,
            _ => return None,
        };
        let (mut rnd, mut ftz, mut satfinite, mut types) = (Rnd::Rn, false, false, Vec::new());
        for word in words {
            match (Rnd::ALL.iter().find(|r| r.name() == word), word) {
                (Some(named), _) => rnd = *named,
                (None, "ftz") => ftz = true,
                (None, "satfinite") => satfinite = true,
                // A lane takes a byte.
                (None, "e2m1p4x4") => types.push((Reg::parse("e2m1x4")?, 8)),
                (None, name) => types.push(Reg::parse(name).map(|reg| (reg, reg.num.place()))?),
            }
        }
        let (to, of) = match (op, &types[..]) {
            (Op::Fma, &[to, a, b, c]) => (to.0, [a, b, c]),
            (Op::Add | Op::Sub | Op::Mul, &[to, a, c]) => (to.0, [a, c, c]),
            (Op::Fma, &[to, a, b]) if to.0.lanes == 4 => (to.0, [a, b, to]),
            (Op::Add | Op::Sub, &[to, a]) if to.0.lanes == 4 => (to.0, [a, to, to]),
            _ => return None,
        };
        Some(Self { op, rnd, ftz, satfinite, to, from: of.map(|(reg, _)| reg), strides: of.map(|(_, stride)| stride) })
    }

    /// Returns the types of the operands.
    #[must_use]
    pub fn from(&self) -> &[Reg] {
        &self.from[..if self.op == Op::Fma { 3 } else { 2 }]
    }

    /// Returns random operands: edges of their types, the exponents of edges with other fractions,
    /// and any bits.
    pub fn registers(&self, rng: &mut Rng) -> Vec<u64> {
        let register = |(from, stride): (&Reg, u32)| {
            let same = Cvt::bare(By::Unsaid, *from, *from);
            let edges = operands::list(&same);
            (0..u32::from(from.lanes)).fold(0, |x, i| x | operands::lane(&same, edges, rng) << (i * stride))
        };
        self.from().iter().zip(self.strides).map(register).collect()
    }
}

/// The result of a register, by exact rationals.
#[must_use]
pub fn eval(form: &Across, operands: &[u64]) -> u64 {
    lanes(form, operands, |x| lane(form, x))
}

/// The result of a register, by the instruction of a wider type: in f32 by LLVM's soft float, and
/// for results of 8 bits in f64 by the CPU. Returns `None` for other results.
///
/// # Panics
/// Panics if no operand fits.
#[must_use]
pub fn widened(form: &Across, operands: &[u64]) -> Option<u64> {
    if form.to.lanes == 4 {
        return Some(lanes(form, operands, |x| eight_bits(form, x)));
    }
    if form.to.num != Num::F32 || form.ftz {
        return None;
    }
    let f32 = Form { rnd: Some(form.rnd), ..Form::bare(form.op, Ty::F32, 1) };
    Some(lanes(form, operands, |x| {
        let wide: Vec<u64> = x.iter().zip(form.from()).map(|(&x, from)| to_f32(from.num, x)).collect();
        crate::apfloat::eval(&f32, &wide).expect("an arithmetic instruction on f32")
    }))
}

/// A lane of 8 bits. A sum of two numbers, of which one is a number of the result's type, has the
/// same neighbours as the f64 nearest to it: what is lost is far below the half of a unit.
fn eight_bits(form: &Across, x: &[u64]) -> u64 {
    let value = |k: usize| {
        let cvt = Cvt::bare(By::Unsaid, Reg { num: Num::F64, lanes: 1 }, Reg { lanes: 1, ..form.from[k] });
        f64::from_bits(crate::cvt::apfloat::lane(&cvt, x[k], Default::default()).expect("of a float"))
    };
    let sum = match form.op {
        Op::Mul => value(0) * value(1),
        Op::Fma => value(0).mul_add(value(1), value(2)),
        Op::Sub => value(0) - value(1),
        _ => value(0) + value(1),
    };
    // 464 is as near to 448, the largest e4m3, as to the next number if there were one.
    if form.to.num == Num::E4m3 && !form.satfinite && sum.abs() > 464.0 {
        return if sum < 0.0 { 0xff } else { 0x7f };
    }
    let from = Reg { num: Num::F64, lanes: 1 };
    let cvt = Cvt { satfinite: form.satfinite, ..Cvt::bare(By::To(Rnd::Rn), Reg { lanes: 1, ..form.to }, from) };
    crate::cvt::apfloat::lane(&cvt, sum.to_bits(), Default::default()).expect("of a float")
}

fn to_f32(from: Num, x: u64) -> u64 {
    let widens = Cvt::parse(&format!("cvt.f32.{from}"));
    match from {
        Num::F32 => x,
        _ => {
            crate::cvt::apfloat::lane(&widens.expect("a conversion to f32"), x, Default::default()).expect("of a float")
        }
    }
}

fn lanes(form: &Across, operands: &[u64], result: impl Fn(&[u64]) -> u64) -> u64 {
    assert_eq!(operands.len(), form.from().len());
    (0..u32::from(form.to.lanes)).fold(0, |register, i| {
        let lane = |((x, from), stride): ((&u64, &Reg), u32)| x >> (i * stride) & from.num.mask();
        let x: Vec<u64> = operands.iter().zip(form.from()).zip(form.strides).map(lane).collect();
        register | result(&x) << (i * form.to.num.place())
    })
}

fn lane(form: &Across, x: &[u64]) -> u64 {
    let value = |k: usize| flushed(form, form.from[k].num, exact::read(form.from[k].num, x[k]));
    let exact = match form.op {
        Op::Mul => times(value(0), value(1)),
        Op::Fma => plus(form.rnd, times(value(0), value(1)), value(2)),
        Op::Sub => plus(form.rnd, value(0), opposite(value(1))),
        _ => plus(form.rnd, value(0), value(1)),
    };
    let to = Reg { lanes: 1, ..form.to };
    let by = Cvt { satfinite: form.satfinite, ..Cvt::bare(By::To(form.rnd), to, to) };
    let d = exact::rounded_value(&by, exact);
    match flushed(form, to.num, exact::read(to.num, d)) {
        Value::Number { negative, magnitude } if magnitude.is_zero() => exact::zero(to.num, negative),
        _ => d,
    }
}

/// With `.ftz` a subnormal f32 or f16 is a zero of its sign.
fn flushed(form: &Across, num: Num, x: Value) -> Value {
    let least = match num {
        Num::F16 => -14,
        _ => -126,
    };
    match x {
        Value::Number { negative, magnitude } if form.ftz && magnitude.compare(&Dyadic::new(1, least)).is_lt() => {
            Value::Number { negative, magnitude: Dyadic::new(0, 0) }
        }
        other => other,
    }
}

fn opposite(x: Value) -> Value {
    match x {
        Value::Number { negative, magnitude } => Value::Number { negative: !negative, magnitude },
        Value::Infinity { negative } => Value::Infinity { negative: !negative },
        nan @ Value::Nan { .. } => nan,
    }
}

const NAN: Value = Value::Nan { negative: false, payload: 0 };

fn times(x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => NAN,
        (Value::Infinity { .. }, Value::Number { magnitude, .. })
        | (Value::Number { magnitude, .. }, Value::Infinity { .. })
            if magnitude.is_zero() =>
        {
            NAN
        }
        (Value::Number { negative: a, magnitude: x }, Value::Number { negative: b, magnitude: y }) => {
            Value::Number { negative: a != b, magnitude: x.times(&y) }
        }
        (
            Value::Infinity { negative: a } | Value::Number { negative: a, .. },
            Value::Infinity { negative: b } | Value::Number { negative: b, .. },
        ) => Value::Infinity { negative: a != b },
    }
}

fn plus(rnd: Rnd, x: Value, y: Value) -> Value {
    match (x, y) {
        (Value::Nan { .. }, _) | (_, Value::Nan { .. }) => NAN,
        (Value::Infinity { negative: a }, Value::Infinity { negative: b }) if a != b => NAN,
        (Value::Infinity { negative }, _) | (_, Value::Infinity { negative }) => Value::Infinity { negative },
        (Value::Number { negative: a, magnitude: x }, Value::Number { negative: b, magnitude: y }) => {
            if a == b {
                return Value::Number { negative: a, magnitude: x.plus(&y) };
            }
            let order = x.compare(&y);
            let negative = if order.is_eq() { rnd == Rnd::Rm } else { order.is_gt() == a };
            Value::Number { negative, magnitude: x.distance(&y) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(spelling: &str, operands: &[u64]) -> u64 {
        let form = Across::parse(spelling).unwrap();
        let exact = eval(&form, operands);
        assert!(widened(&form, operands).is_none_or(|other| other == exact), "{spelling} {operands:#x?}");
        exact
    }

    #[test]
    fn results_by_hand() {
        let [one, tiny] = [1f32, 2f32.powi(-30)].map(|x| u64::from(x.to_bits()));
        let pair = |low: u64, high: u64| high << 32 | low;
        // 1.0 and −2.0 in f16, plus 2⁻³⁰ in each lane.
        assert_eq!(d("add.rp.f32x2.f16x2.f32x2", &[0xc000_3c00, pair(tiny, tiny)]), 0xbfff_ffff_3f80_0001);
        assert_eq!(d("sub.rm.f32x2.bf16x2.f32x2", &[0x3f80_3f80, pair(one, tiny)]), 0x3f7f_ffff_8000_0000);
        assert_eq!(d("fma.rz.f32x2.f16x2.f32x2.f32x2", &[0x3c00_3c00, pair(one, one), pair(tiny, one)]), {
            pair(one, 0x4000_0000)
        });
        assert_eq!(d("add.rz.bf16x2.f32x2.f32x2", &[pair(one, one), pair(tiny, one)]), 0x4000_3f80);
        // 2⁻¹⁵ is subnormal in f16, and 65504 · 2 beyond its range.
        let small = u64::from(2f32.powi(-15).to_bits());
        let large = u64::from(65504f32.to_bits());
        assert_eq!(d("mul.rz.ftz.f16x2.f32x2.f32x2", &[pair(small, large), pair(one, 0x4000_0000)]), 0x7bff_0000);
        assert_eq!(d("mul.f16x2.f16x2.bf16x2", &[0x7bff_8000, 0x4000_3f80]), 0x7c00_8000);
        // 448 + 32; −448 − 16, which is a tie; −1 − 2⁻³ and 0.5 + 0 in e4m3, of e5m2 and e4m3.
        let operands = [0x38bc_cc50, 0x00a0_fe7e];
        assert_eq!(d("add.e4m3x4.e5m2x4", &operands), 0x30b9_fe7f);
        assert_eq!(d("add.rn.satfinite.e4m3x4.e5m2x4", &operands), 0x30b9_fe7e);
        // 6 · 2 + 1, 0.5 · 2⁻¹²⁷ and a NaN.
        assert_eq!(d("fma.e5m2x4.e2m1p4x4.ue8m0x4", &[0x0001_0107, 0x7fff_0080, 0x3c3c_003c]), 0x3c7f_004a);
        assert_eq!(d("mul.e5m2x4.e2m1x4.ue8m0x4", &[0x7f77, 0x8f8e_8d80]), 0x7cfc_7c4a);
    }

    #[test]
    fn what_is_not_of_several_types() {
        for other in
            ["add.rn.f32.f16", "add.rn.f16x2", "mul.e4m3x4.e4m3x4", "cvt.rn.f16x2.f32", "mul.rx.f16x2.f16x2.bf16x2"]
        {
            assert_eq!(Across::parse(other), None, "{other}");
        }
    }
}
