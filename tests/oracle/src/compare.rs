//! `set`, `setp`, `selp`, `slct`: their spellings, and their results by a truth table on decoded
//! values.
//!
//! A comparison is done in f64 or i128, in which every value of every type is exact. An
//! instruction's own bits are compared only where they are the zeros and ones that it writes.

use core::cmp::Ordering;

use crate::form::Ty;
use crate::layout::Layout;

/// The instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the manual's mnemonics")]
pub enum Op {
    Set,
    Setp,
    Selp,
    Slct,
}

/// The contents of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lanes of a format.
    Float(Ty, u32),
    /// An unsigned integer of that many bits.
    Unsigned(u32),
    /// A signed integer of that many bits.
    Signed(u32),
    /// Untyped bits.
    Bits(u32),
}

/// The types as spelled.
const KINDS: [(&str, Kind); 15] = [
    ("f16", Kind::Float(Ty::F16, 1)),
    ("f16x2", Kind::Float(Ty::F16, 2)),
    ("bf16", Kind::Float(Ty::Bf16, 1)),
    ("bf16x2", Kind::Float(Ty::Bf16, 2)),
    ("f32", Kind::Float(Ty::F32, 1)),
    ("f64", Kind::Float(Ty::F64, 1)),
    ("u16", Kind::Unsigned(16)),
    ("u32", Kind::Unsigned(32)),
    ("u64", Kind::Unsigned(64)),
    ("s16", Kind::Signed(16)),
    ("s32", Kind::Signed(32)),
    ("s64", Kind::Signed(64)),
    ("b16", Kind::Bits(16)),
    ("b32", Kind::Bits(32)),
    ("b64", Kind::Bits(64)),
];

/// The cases in which a comparison is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cmp {
    /// A smaller, an equal and a greater first operand.
    pub ordered: [bool; 3],
    /// An operand that is a NaN.
    pub unordered: bool,
}

/// The comparisons (9.3.2): result for less, equal, greater; result for a NaN; and the types that
/// have them: floats, unsigned and signed integers, bits.
const CMPS: [(&str, [bool; 3], bool, &str); 18] = [
    ("eq", [false, true, false], false, "fusb"),
    ("ne", [true, false, true], false, "fusb"),
    ("lt", [true, false, false], false, "fus"),
    ("le", [true, true, false], false, "fus"),
    ("gt", [false, false, true], false, "fus"),
    ("ge", [false, true, true], false, "fus"),
    ("lo", [true, false, false], false, "u"),
    ("ls", [true, true, false], false, "u"),
    ("hi", [false, false, true], false, "u"),
    ("hs", [false, true, true], false, "u"),
    ("equ", [false, true, false], true, "f"),
    ("neu", [true, false, true], true, "f"),
    ("ltu", [true, false, false], true, "f"),
    ("leu", [true, true, false], true, "f"),
    ("gtu", [false, false, true], true, "f"),
    ("geu", [false, true, true], true, "f"),
    ("num", [true, true, true], false, "f"),
    ("nan", [false, false, false], true, "f"),
];

/// Combinations of the comparison with the predicate: the truth of (comparison, predicate) = (0,
/// 0), (0, 1), (1, 0), (1, 1).
const BOOLEANS: [(&str, [bool; 4]); 3] =
    [("and", [false, false, false, true]), ("or", [false, true, true, true]), ("xor", [false, true, true, false])];

/// One spelling, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The instruction.
    pub op: Op,
    /// The comparison of `set` and `setp`.
    pub cmp: Option<Cmp>,
    /// The operator that takes a predicate.
    pub boolean: Option<[bool; 4]>,
    /// `.ftz`
    pub ftz: bool,
    /// The first type: that of the result, except for `setp`.
    pub to: Kind,
    /// The last type: that of the compared operands.
    pub of: Kind,
}

impl Form {
    /// Reads a spelling of one of the four instructions.
    ///
    /// # Errors
    /// Returns a message about the first word that is unknown or out of place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split('.').peekable();
        let op = match words.next() {
            Some("set") => Op::Set,
            Some("setp") => Op::Setp,
            Some("selp") => Op::Selp,
            Some("slct") => Op::Slct,
            _ => return Err(format!("`{text}` neither compares nor selects")),
        };
        let compares = matches!(op, Op::Set | Op::Setp);
        let cmp = if compares { words.next().and_then(|w| CMPS.iter().find(|c| c.0 == w)) } else { None };
        let boolean = words.peek().and_then(|w| BOOLEANS.iter().find(|b| b.0 == *w)).filter(|_| compares);
        words.next_if(|_| boolean.is_some());
        let ftz = words.next_if_eq(&"ftz").is_some();
        let kind = |w: &str| KINDS.iter().find(|k| k.0 == w).map(|k| k.1).ok_or(format!("`.{w}` in `{text}`"));
        let types = words.map(kind).collect::<Result<Vec<_>, _>>()?;
        let (to, of) = match (op, &types[..]) {
            (Op::Set | Op::Slct, &[to, of]) => (to, of),
            (Op::Setp | Op::Selp, &[ty]) => (ty, ty),
            _ => return Err(format!("`{text}` has {} types", types.len())),
        };
        let letter = match of {
            Kind::Float(..) => 'f',
            Kind::Unsigned(_) => 'u',
            Kind::Signed(_) => 's',
            Kind::Bits(_) => 'b',
        };
        if compares != cmp.is_some_and(|c| c.3.contains(letter)) {
            return Err(format!("`{text}` has no comparison of its type"));
        }
        let cmp = cmp.map(|c| Cmp { ordered: c.1, unordered: c.2 });
        Ok(Self { op, cmp, boolean: boolean.map(|b| b.1), ftz, to, of })
    }

    /// Number of operands.
    #[must_use]
    pub const fn operands(&self) -> usize {
        match self.op {
            Op::Selp | Op::Slct => 3,
            Op::Set | Op::Setp if self.boolean.is_some() => 3,
            Op::Set | Op::Setp => 2,
        }
    }

    /// The result for the bits of the operands; a predicate is 0 or 1, and of two the second one is
    /// bit 1.
    ///
    /// # Panics
    /// Panics if there are fewer operands than the form takes.
    #[must_use]
    pub fn eval(&self, ops: &[u64]) -> u64 {
        match self.op {
            Op::Selp => ops[usize::from(ops[2] & 1 == 0)],
            Op::Slct => {
                let selects_b = match value(self.of, self.ftz, ops[2], 0) {
                    Value::Number(c) => c.is_nan() || c < 0.0,
                    Value::Integer(c) => c < 0,
                };
                ops[usize::from(selects_b)]
            }
            Op::Set => {
                let lanes = self.of.lanes();
                let (place, one) = match self.to {
                    Kind::Float(ty, _) => (Layout::of(ty).bits, Layout::of(ty).one()),
                    Kind::Unsigned(bits) | Kind::Signed(bits) | Kind::Bits(bits) => {
                        (bits / lanes, u64::MAX >> (64 - bits / lanes))
                    }
                };
                (0..lanes).map(|i| if self.combined(self.holds(ops, i), ops) { one << (i * place) } else { 0 }).sum()
            }
            Op::Setp => {
                let first = self.holds(ops, 0);
                let second = match self.of {
                    Kind::Float(Ty::F16 | Ty::Bf16, 1) => None,
                    Kind::Float(_, 2) => Some(self.holds(ops, 1)),
                    _ => Some(!first),
                };
                let bit = |t| u64::from(self.combined(t, ops));
                bit(first) | second.map_or(0, bit) << 1
            }
        }
    }

    /// Returns `true` if the comparison holds for that lane of the first two operands.
    fn holds(&self, ops: &[u64], lane: u32) -> bool {
        let cmp = self.cmp.expect("set and setp compare");
        let order = match [ops[0], ops[1]].map(|x| value(self.of, self.ftz, x, lane)) {
            [Value::Number(a), Value::Number(b)] => a.partial_cmp(&b),
            [Value::Integer(a), Value::Integer(b)] => Some(a.cmp(&b)),
            _ => unreachable!("both have one type"),
        };
        match order {
            None => cmp.unordered,
            Some(Ordering::Less) => cmp.ordered[0],
            Some(Ordering::Equal) => cmp.ordered[1],
            Some(Ordering::Greater) => cmp.ordered[2],
        }
    }

    fn combined(&self, t: bool, ops: &[u64]) -> bool {
        self.boolean.map_or(t, |table| table[usize::from(t) * 2 + usize::from(ops[2] & 1 == 1)])
    }
}

impl Kind {
    /// Number of lanes.
    #[must_use]
    pub const fn lanes(self) -> u32 {
        match self {
            Self::Float(_, lanes) => lanes,
            _ => 1,
        }
    }

    /// Width of a lane in bits.
    #[must_use]
    pub const fn lane_bits(self) -> u32 {
        match self {
            Self::Float(ty, _) => Layout::of(ty).bits,
            Self::Unsigned(bits) | Self::Signed(bits) | Self::Bits(bits) => bits,
        }
    }

    /// Lanes at which implementations go wrong.
    #[must_use]
    pub fn edges(self) -> Vec<u64> {
        match self {
            Self::Float(ty, _) => crate::edges::few(ty),
            Self::Unsigned(bits) | Self::Signed(bits) | Self::Bits(bits) => {
                let (top, all) = (1 << (bits - 1), u64::MAX >> (64 - bits));
                vec![0, 1, 2, top - 1, top, top + 1, all - 1, all]
            }
        }
    }
}

/// A lane's value.
enum Value {
    Number(f64),
    Integer(i128),
}

fn value(kind: Kind, ftz: bool, register: u64, lane: u32) -> Value {
    let bits = kind.lane_bits();
    let x = register >> (lane * bits) & u64::MAX >> (64 - bits);
    match kind {
        Kind::Float(ty, _) => {
            let layout = Layout::of(ty);
            Value::Number(layout.to_f64(if ftz { layout.flush(x) } else { x }))
        }
        Kind::Unsigned(_) | Kind::Bits(_) => Value::Integer(x.into()),
        Kind::Signed(_) => Value::Integer(i128::from(x) - (i128::from(x >> (bits - 1)) << bits)),
    }
}

#[cfg(test)]
mod tests {
    use rustc_apfloat::Float;
    use rustc_apfloat::ieee::{BFloat, Double, Half, Single};

    use super::*;
    use crate::{Rng, generate};

    fn e(spelling: &str, ops: &[u64]) -> u64 {
        Form::parse(spelling).unwrap().eval(ops)
    }

    /// The manual's tables (9.3.2, 9.7.6, 9.7.7), by hand.
    #[test]
    fn the_manual_by_hand() {
        let (nan, one, two) = (0x7fc0_0000, 0x3f80_0000, 0x4000_0000);
        assert_eq!(e("set.ne.u32.f32", &[nan, one]), 0);
        assert_eq!(e("set.neu.u32.f32", &[nan, one]), 0xffff_ffff);
        assert_eq!(e("set.eq.f32.f32", &[0x8000_0000, 0]), one);
        assert_eq!(e("set.lt.ftz.f32.f32", &[0, 1]), 0);
        assert_eq!(e("set.lt.f32.f32", &[0, 1]), one);
        assert_eq!(e("set.lt.u32.f16x2", &[0x3c00_4000, 0x4000_3c00]), 0xffff_0000);
        assert_eq!(e("set.lt.u32.f16", &[0x3c00, 0x4000]), 0xffff_ffff);
        assert_eq!(e("set.lt.s16.bf16", &[0x3f80, 0x4000]), 0xffff);
        assert_eq!(e("set.lt.bf16.s64", &[u64::MAX, 0]), 0x3f80);
        assert_eq!(e("set.lo.f16.u64", &[u64::MAX, 0]), 0);
        assert_eq!(e("setp.lt.f32", &[one, two]), 0b01);
        assert_eq!(e("setp.lt.and.f32", &[one, two, 0]), 0b00);
        assert_eq!(e("setp.lt.or.f32", &[one, two, 1]), 0b11);
        assert_eq!(e("setp.lt.f16x2", &[0x3c00_4000, 0x4000_3c00]), 0b10);
        assert_eq!(e("setp.lt.xor.f16x2", &[0x3c00_4000, 0x4000_3c00, 1]), 0b01);
        assert_eq!(e("setp.nan.bf16", &[0x7fff, 0]), 1);
        assert_eq!(e("selp.f64", &[1, 2, 0]), 2);
        assert_eq!([0x8000_0000, 0x8000_0001, nan].map(|c| e("slct.b16.f32", &[1, 2, c])), [1, 2, 2]);
        assert_eq!(e("slct.ftz.b16.f32", &[1, 2, 0x8000_0001]), 1);
        assert_eq!([0, 0x8000_0000].map(|c| e("slct.f32.s32", &[1, 2, c])), [1, 2]);
    }

    #[test]
    fn what_is_no_spelling_is_refused() {
        for text in [
            "setp.lo.f32",
            "set.lt.f32.b32",
            "set.nan.f32.s16",
            "add.f32",
            "selp.f32.f32",
            "set.f32.f32",
            "set.lt.f8.f32",
        ] {
            assert!(Form::parse(text).is_err(), "{text}");
        }
    }

    /// The order of decoded values against that of LLVM's soft float.
    #[test]
    fn values_are_ordered_as_apfloat_orders_them() {
        type Order = fn(u64, u64) -> Option<Ordering>;
        fn order<F: Float>(a: u64, b: u64) -> Option<Ordering> {
            F::from_bits(a.into()).partial_cmp(&F::from_bits(b.into()))
        }
        let mut rng = Rng::from_env(0x5e7);
        let apfloat: [(Ty, Order); 4] = [
            (Ty::F16, order::<Half>),
            (Ty::Bf16, order::<BFloat>),
            (Ty::F32, order::<Single>),
            (Ty::F64, order::<Double>),
        ];
        for (ty, apfloat) in apfloat {
            let mut pairs: Vec<_> =
                crate::edges::of(ty).iter().flat_map(|&a| crate::edges::of(ty).iter().map(move |&b| (a, b))).collect();
            pairs.extend((0..20_000).map(|_| {
                let a = generate::operand(ty, &mut rng);
                (a, generate::operand_near(ty, a, &mut rng))
            }));
            for (a, b) in pairs {
                let [Value::Number(x), Value::Number(y)] = [a, b].map(|x| value(Kind::Float(ty, 1), false, x, 0))
                else {
                    unreachable!("floats are numbers")
                };
                assert_eq!(x.partial_cmp(&y), apfloat(a, b), "{ty:?} {a:#x} {b:#x}");
            }
        }
    }
}
