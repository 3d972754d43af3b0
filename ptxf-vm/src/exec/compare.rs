//! Comparison and selection of integers (manual 9.7.6). The table of forms has floating point.

use ptxf_text::{Class, Ty};

use super::registers::{LANES, Mask, Registers, Run, Slots, Word};
use super::{Found, Width};

/// A comparison of two numbers.
trait Comparison {
    fn holds<W: Word>(a: W, b: W) -> bool;
}

macro_rules! comparisons {
    ($($name:ident |$a:ident, $b:ident| $body:expr;)*) => {$(
        struct $name;
        impl Comparison for $name {
            #[inline(always)]
            fn holds<W: Word>($a: W, $b: W) -> bool {
                $body
            }
        }
    )*};
}

comparisons! {
    Eq |a, b| a == b;
    Ne |a, b| a != b;
    LtU |a, b| a.u() < b.u();
    LeU |a, b| a.u() <= b.u();
    GtU |a, b| a.u() > b.u();
    GeU |a, b| a.u() >= b.u();
    LtS |a, b| a.s() < b.s();
    LeS |a, b| a.s() <= b.s();
    GtS |a, b| a.s() > b.s();
    GeS |a, b| a.s() >= b.s();
}

/// Boolean operators that combine a comparison with a predicate.
const ALONE: u8 = 0;
const AND: u8 = 1;
const OR: u8 = 2;
const XOR: u8 = 3;

#[inline(always)]
fn combined<const BY: u8>(x: Mask, c: Mask) -> Mask {
    match BY {
        AND => x & c,
        OR => x | c,
        XOR => x ^ c,
        _ => x,
    }
}

#[inline(always)]
fn compared<C: Comparison, W: Word>(registers: &Registers, a: u32, b: u32) -> Mask {
    let (a, b) = (W::read(registers, a), W::read(registers, b));
    let mut truth = 0;
    for lane in 0..LANES {
        truth |= u32::from(C::holds(a[lane], b[lane])) << lane;
    }
    truth
}

/// Computes `setp p|q, a, b, c`.
fn setp<C: Comparison, W: Word, const BY: u8>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let truth = compared::<C, W>(registers, s[2], s[3]);
    let c = if BY == ALONE { 0 } else { registers.truth(s[4]) };
    registers.set_truth(s[0], combined::<BY>(truth, c), mask);
    registers.set_truth(s[1], combined::<BY>(!truth, c), mask);
}

/// Computes `set.u32 d, a, b, c`: all ones for true.
fn set<C: Comparison, W: Word, const BY: u8>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let truth = compared::<C, W>(registers, s[1], s[2]);
    let c = if BY == ALONE { 0 } else { registers.truth(s[3]) };
    let truth = combined::<BY>(truth, c);
    let d = std::array::from_fn(|lane| (truth >> lane & 1).wrapping_neg());
    u32::write(registers, s[0], mask, &d);
}

fn of_comparison<C: Comparison, const BY: u8>(bits: u32, predicates: bool) -> Option<Run> {
    Some(match (bits, predicates) {
        (16, true) => setp::<C, u16, BY>,
        (32, true) => setp::<C, u32, BY>,
        (64, true) => setp::<C, u64, BY>,
        (16, false) => set::<C, u16, BY>,
        (32, false) => set::<C, u32, BY>,
        (64, false) => set::<C, u64, BY>,
        _ => return None,
    })
}

fn of_operator<const BY: u8>(comparison: &str, ty: Ty, predicates: bool) -> Option<Run> {
    use Class::{Bits, Signed, Unsigned};
    let bits = ty.bits;
    match (comparison, ty.class) {
        ("eq", Bits | Unsigned | Signed) => of_comparison::<Eq, BY>(bits, predicates),
        ("ne", Bits | Unsigned | Signed) => of_comparison::<Ne, BY>(bits, predicates),
        ("lt", Unsigned) | ("lo", Unsigned) => of_comparison::<LtU, BY>(bits, predicates),
        ("le", Unsigned) | ("ls", Unsigned) => of_comparison::<LeU, BY>(bits, predicates),
        ("gt", Unsigned) | ("hi", Unsigned) => of_comparison::<GtU, BY>(bits, predicates),
        ("ge", Unsigned) | ("hs", Unsigned) => of_comparison::<GeU, BY>(bits, predicates),
        ("lt", Signed) => of_comparison::<LtS, BY>(bits, predicates),
        ("le", Signed) => of_comparison::<LeS, BY>(bits, predicates),
        ("gt", Signed) => of_comparison::<GtS, BY>(bits, predicates),
        ("ge", Signed) => of_comparison::<GeS, BY>(bits, predicates),
        _ => None,
    }
}

/// Returns `setp` if `predicates`, else `set`, with this comparison and Boolean operator.
pub(crate) fn find(comparison: &str, operator: Option<&str>, ty: Ty, predicates: bool) -> Option<Run> {
    match operator {
        None => of_operator::<ALONE>(comparison, ty, predicates),
        Some("and") => of_operator::<AND>(comparison, ty, predicates),
        Some("or") => of_operator::<OR>(comparison, ty, predicates),
        Some("xor") => of_operator::<XOR>(comparison, ty, predicates),
        Some(_) => None,
    }
}

/// Computes `selp d, a, b, c`.
fn selp<W: Word>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let (a, b, c) = (W::read(registers, s[1]), W::read(registers, s[2]), registers.truth(s[3]));
    let d = std::array::from_fn(|lane| if c >> lane & 1 != 0 { a[lane] } else { b[lane] });
    W::write(registers, s[0], mask, &d);
}

/// Computes `slct.type.s32 d, a, b, c`.
fn slct<W: Word>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let (a, b, c) = (W::read(registers, s[1]), W::read(registers, s[2]), u32::read(registers, s[3]));
    let d = std::array::from_fn(|lane| if c[lane].s() >= 0 { a[lane] } else { b[lane] });
    W::write(registers, s[0], mask, &d);
}

/// Returns the selection of values of this width, by a predicate or by the sign of an integer.
pub(crate) fn find_select(bits: u32, by_sign: bool) -> Option<Found> {
    let run: Run = match (bits, by_sign) {
        (16, false) => selp::<u16>,
        (32, false) => selp::<u32>,
        (64, false) => selp::<u64>,
        (16, true) => slct::<u16>,
        (32, true) => slct::<u32>,
        (64, true) => slct::<u64>,
        _ => return None,
    };
    let operands: &[Width] =
        if by_sign { &[Width::Same, Width::Same, Width::B32] } else { &[Width::Same, Width::Same, Width::Predicate] };
    Some(Found { run, result: Width::Same, operands })
}
