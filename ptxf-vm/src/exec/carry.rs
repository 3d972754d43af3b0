//! Arithmetic with a carry (manual 9.7.2).
//!
//! The carry of a subtraction is the carry of `a + !b + 1`: 1 if nothing was borrowed.

use ptxf_text::{Class, Ty};

use super::registers::{CARRY, LANES, Mask, Registers, Run, Slots, Word, lanes};
use super::{Found, Width};

/// The value that is added: the second operand, its complement, or the third operand to half of a
/// product.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Sub,
    MadLo,
    MadHiU,
    MadHiS,
}

/// Computes `a + b`. `IN` adds the carry, and `OUT` writes it.
fn run<W: Word, const KIND: u8, const IN: bool, const OUT: bool>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let kind = [Kind::Add, Kind::Sub, Kind::MadLo, Kind::MadHiU, Kind::MadHiS][KIND as usize];
    let (a, b) = (W::read(registers, s[1]), W::read(registers, s[2]));
    let c = if KIND < 2 { [W::ZERO; LANES] } else { W::read(registers, s[3]) };
    let carries = registers.predicates[CARRY as usize];
    let (mut d, mut out) = ([W::ZERO; LANES], 0);
    for lane in lanes(mask) {
        let (a, b, c) = (a[lane], b[lane], c[lane]);
        let (x, y) = match kind {
            Kind::Add => (a, b),
            Kind::Sub => (a, W::cut(!b.u())),
            Kind::MadLo => (W::cut(a.u().wrapping_mul(b.u())), c),
            Kind::MadHiU => (W::cut(((u128::from(a.u()) * u128::from(b.u())) >> W::BITS) as u64), c),
            Kind::MadHiS => (W::cut_s(((i128::from(a.s()) * i128::from(b.s())) >> W::BITS) as i64), c),
        };
        let carry = if IN { carries >> lane & 1 != 0 } else { kind == Kind::Sub };
        let sum = u128::from(x.u()) + u128::from(y.u()) + u128::from(carry);
        d[lane] = W::cut(sum as u64);
        out |= u32::from(sum >> W::BITS != 0) << lane;
    }
    W::write(registers, s[0], mask, &d);
    if OUT {
        registers.set_truth(CARRY, out, mask);
    }
}

fn of<const KIND: u8, const IN: bool, const OUT: bool>(bits: u32) -> Option<Run> {
    Some(match bits {
        32 => run::<u32, KIND, IN, OUT>,
        64 => run::<u64, KIND, IN, OUT>,
        _ => return None,
    })
}

/// Returns the instruction of this name, such as `addc.cc`, on this type.
pub(crate) fn find(name: &str, ty: Ty) -> Option<Found> {
    let signed = match ty.class {
        Class::Unsigned => false,
        Class::Signed => true,
        _ => return None,
    };
    let bits = ty.bits;
    let (run, operands) = match (name, signed) {
        ("add.cc", _) => (of::<0, false, true>(bits)?, 2),
        ("addc", _) => (of::<0, true, false>(bits)?, 2),
        ("addc.cc", _) => (of::<0, true, true>(bits)?, 2),
        ("sub.cc", _) => (of::<1, false, true>(bits)?, 2),
        ("subc", _) => (of::<1, true, false>(bits)?, 2),
        ("subc.cc", _) => (of::<1, true, true>(bits)?, 2),
        ("mad.lo.cc", _) => (of::<2, false, true>(bits)?, 3),
        ("madc.lo", _) => (of::<2, true, false>(bits)?, 3),
        ("madc.lo.cc", _) => (of::<2, true, true>(bits)?, 3),
        ("mad.hi.cc", false) => (of::<3, false, true>(bits)?, 3),
        ("madc.hi", false) => (of::<3, true, false>(bits)?, 3),
        ("madc.hi.cc", false) => (of::<3, true, true>(bits)?, 3),
        ("mad.hi.cc", true) => (of::<4, false, true>(bits)?, 3),
        ("madc.hi", true) => (of::<4, true, false>(bits)?, 3),
        ("madc.hi.cc", true) => (of::<4, true, true>(bits)?, 3),
        _ => return None,
    };
    Some(Found { run, result: Width::Same, operands: &[Width::Same; 3][..operands] })
}
