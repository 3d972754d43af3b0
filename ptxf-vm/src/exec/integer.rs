//! Integer arithmetic (manual 9.7.1): the operation of a lane, for each width.

use ptxf_text::{Class, Ty};

use super::registers::{LANES, Mask, Registers, Run, Slots, Word};
use super::{Found, Width};

/// An operation on a lane.
pub(super) trait Operation {
    const OPERANDS: &'static [Width];
    const RESULT: Width = Width::Same;
    /// Computes on the lanes of registers of this width.
    fn run<W: Word>(registers: &mut Registers, slots: &Slots, mask: Mask);
}

/// Defines operations by expressions of their operands, which have the type's width.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident ($($operand:ident),*) $body:expr;)*) => {$(
        $(#[$doc])*
        struct $name;

        impl $name {
            #[inline(always)]
            fn lane<W: Word>($($operand: W),*) -> W {
                $body
            }
        }

        impl Operation for $name {
            const OPERANDS: &'static [Width] = &[$(operations!(@same $operand)),*];

            fn run<W: Word>(registers: &mut Registers, slots: &Slots, mask: Mask) {
                let mut place = slots[1..].iter();
                $(let $operand: [W; LANES] = W::read(registers, operations!(@next place $operand));)*
                let mut d = [W::ZERO; LANES];
                for (lane, d) in d.iter_mut().enumerate() {
                    *d = Self::lane($($operand[lane]),*);
                }
                W::write(registers, slots[0], mask, &d);
            }
        }
    )*};
    (@same $operand:ident) => { Width::Same };
    (@next $place:ident $operand:ident) => { $place.next().copied().unwrap_or_default() };
}

operations! {
    Add(a, b) W::cut(a.u().wrapping_add(b.u()));
    Sub(a, b) W::cut(a.u().wrapping_sub(b.u()));
    AddSat(a, b) W::cut_s(clamp::<W>(i128::from(a.s()) + i128::from(b.s())));
    SubSat(a, b) W::cut_s(clamp::<W>(i128::from(a.s()) - i128::from(b.s())));
    Mul(a, b) W::cut(a.u().wrapping_mul(b.u()));
    MulHiU(a, b) W::cut(((u128::from(a.u()) * u128::from(b.u())) >> W::BITS) as u64);
    MulHiS(a, b) W::cut_s(((i128::from(a.s()) * i128::from(b.s())) >> W::BITS) as i64);
    Mad(a, b, c) W::cut(a.u().wrapping_mul(b.u()).wrapping_add(c.u()));
    MadHiU(a, b, c) Add::lane(MulHiU::lane(a, b), c);
    MadHiS(a, b, c) Add::lane(MulHiS::lane(a, b), c);
    MadHiSatS(a, b, c) AddSat::lane(MulHiS::lane(a, b), c);
    /// The product of the lower 24 bits of each factor: its lower 32 bits, or those from bit 16 on.
    Mul24LoU(a, b) W::cut(low24(a) * low24(b));
    Mul24LoS(a, b) W::cut_s(low24_s(a) * low24_s(b));
    Mul24HiU(a, b) W::cut((low24(a) * low24(b)) >> 16);
    Mul24HiS(a, b) W::cut_s((low24_s(a) * low24_s(b)) >> 16);
    Mad24LoU(a, b, c) Add::lane(Mul24LoU::lane(a, b), c);
    Mad24LoS(a, b, c) Add::lane(Mul24LoS::lane(a, b), c);
    Mad24HiU(a, b, c) Add::lane(Mul24HiU::lane(a, b), c);
    Mad24HiS(a, b, c) Add::lane(Mul24HiS::lane(a, b), c);
    Mad24HiSatS(a, b, c) AddSat::lane(Mul24HiS::lane(a, b), c);
    /// A quotient by 0 is all ones.
    DivU(a, b) W::cut(a.u().checked_div(b.u()).unwrap_or(u64::MAX));
    DivS(a, b) if b.s() == 0 { W::cut(u64::MAX) } else { W::cut_s(a.s().wrapping_div(b.s())) };
    /// A remainder by 0 is all ones.
    RemU(a, b) W::cut(a.u().checked_rem(b.u()).unwrap_or(u64::MAX));
    RemS(a, b) if b.s() == 0 { W::cut(u64::MAX) } else { W::cut_s(a.s().wrapping_rem(b.s())) };
    MinU(a, b) if b.u() < a.u() { b } else { a };
    MinS(a, b) if b.s() < a.s() { b } else { a };
    MaxU(a, b) if b.u() > a.u() { b } else { a };
    MaxS(a, b) if b.s() > a.s() { b } else { a };
    MinReluS(a, b) MaxS::lane(MinS::lane(a, b), W::ZERO);
    MaxReluS(a, b) MaxS::lane(MaxS::lane(a, b), W::ZERO);
    Neg(a) W::cut(a.u().wrapping_neg());
    Abs(a) W::cut_s(a.s().wrapping_abs());
    SadU(a, b, c) W::cut(a.u().abs_diff(b.u()).wrapping_add(c.u()));
    SadS(a, b, c) W::cut(a.s().abs_diff(b.s()).wrapping_add(c.u()));
    DotUU(a, b, c) dot4(a, b, c, |x| u64::from(x).cast_signed(), |x| u64::from(x).cast_signed());
    DotUS(a, b, c) dot4(a, b, c, |x| u64::from(x).cast_signed(), |x| x.cast_signed().into());
    DotSU(a, b, c) dot4(a, b, c, |x| x.cast_signed().into(), |x| u64::from(x).cast_signed());
    DotSS(a, b, c) dot4(a, b, c, |x| x.cast_signed().into(), |x| x.cast_signed().into());
    Dot2UU(a, b, c) dot2(a, b, c, |x| u64::from(x).cast_signed(), |x| u64::from(x).cast_signed());
    Dot2US(a, b, c) dot2(a, b, c, |x| u64::from(x).cast_signed(), |x| x.cast_signed().into());
    Dot2SU(a, b, c) dot2(a, b, c, |x| x.cast_signed().into(), |x| u64::from(x).cast_signed());
    Dot2SS(a, b, c) dot2(a, b, c, |x| x.cast_signed().into(), |x| x.cast_signed().into());
    /// The same with the upper two bytes of `b`.
    Dot2HiUU(a, b, c) Dot2UU::lane(a, W::cut(b.u() >> 16), c);
    Dot2HiUS(a, b, c) Dot2US::lane(a, W::cut(b.u() >> 16), c);
    Dot2HiSU(a, b, c) Dot2SU::lane(a, W::cut(b.u() >> 16), c);
    Dot2HiSS(a, b, c) Dot2SS::lane(a, W::cut(b.u() >> 16), c);
    /// Operations on each half of a 32-bit word.
    AddPairs(a, b) pairs(a, b, u16::wrapping_add);
    MinPairsU(a, b) pairs(a, b, u16::min);
    MaxPairsU(a, b) pairs(a, b, u16::max);
    MinPairsS(a, b) pairs(a, b, |a, b| a.cast_signed().min(b.cast_signed()).cast_unsigned());
    MaxPairsS(a, b) pairs(a, b, |a, b| a.cast_signed().max(b.cast_signed()).cast_unsigned());
    MinReluPairsS(a, b) pairs(a, b, |a, b| a.cast_signed().min(b.cast_signed()).max(0).cast_unsigned());
    MaxReluPairsS(a, b) pairs(a, b, |a, b| a.cast_signed().max(b.cast_signed()).max(0).cast_unsigned());
}

/// Clamps a number to the range of a signed register.
#[inline(always)]
fn clamp<W: Word>(x: i128) -> i64 {
    let most = (1_i128 << (W::BITS - 1)) - 1;
    x.clamp(-most - 1, most) as i64
}

#[inline(always)]
fn low24<W: Word>(x: W) -> u64 {
    x.u() & 0xff_ffff
}

#[inline(always)]
fn low24_s<W: Word>(x: W) -> i64 {
    x.s() << 40 >> 40
}

#[inline(always)]
fn pairs<W: Word>(a: W, b: W, f: impl Fn(u16, u16) -> u16) -> W {
    let half = |i: u32| u64::from(f((a.u() >> i) as u16, (b.u() >> i) as u16)) << i;
    W::cut(half(0) | half(16))
}

#[inline(always)]
fn dot4<W: Word>(a: W, b: W, c: W, x: impl Fn(u8) -> i64, y: impl Fn(u8) -> i64) -> W {
    let products = (0..4).map(|i| x((a.u() >> (8 * i)) as u8) * y((b.u() >> (8 * i)) as u8));
    W::cut_s(products.fold(c.s(), i64::wrapping_add))
}

/// Adds the products of the halves of `a` and the lower two bytes of `b`.
#[inline(always)]
fn dot2<W: Word>(a: W, b: W, c: W, x: impl Fn(u16) -> i64, y: impl Fn(u8) -> i64) -> W {
    let products = (0..2).map(|i| x((a.u() >> (16 * i)) as u16) * y((b.u() >> (8 * i)) as u8));
    W::cut_s(products.fold(c.s(), i64::wrapping_add))
}

/// Computes `mul.wide` and `mad.wide`, whose product has twice the width of the factors.
fn wide<A: Word, D: Word, const SIGNED: bool, const ADDS: bool>(registers: &mut Registers, s: &Slots, mask: Mask) {
    let (a, b) = (A::read(registers, s[1]), A::read(registers, s[2]));
    let c = if ADDS { D::read(registers, s[3]) } else { [D::ZERO; LANES] };
    let mut d = [D::ZERO; LANES];
    for (lane, d) in d.iter_mut().enumerate() {
        let product = if SIGNED {
            D::cut_s(a[lane].s().wrapping_mul(b[lane].s()))
        } else {
            D::cut(a[lane].u().wrapping_mul(b[lane].u()))
        };
        *d = D::cut(product.u().wrapping_add(c[lane].u()));
    }
    D::write(registers, s[0], mask, &d);
}

/// Returns the operation on registers of this width.
pub(super) fn of_width<O: Operation>(bits: u32) -> Option<Run> {
    Some(match bits {
        16 => O::run::<u16>,
        32 => O::run::<u32>,
        64 => O::run::<u64>,
        _ => return None,
    })
}

fn same<O: Operation>(bits: u32) -> Option<Found> {
    Some(Found { run: of_width::<O>(bits)?, result: O::RESULT, operands: O::OPERANDS })
}

/// Returns the instruction of this name, such as `mul.hi`, on this type.
pub(crate) fn find(name: &str, ty: Ty) -> Option<Found> {
    use Class::{Signed, Unsigned};
    let bits = ty.bits;
    match (name, ty.class, bits) {
        (_, Unsigned | Signed, 8 | 128) => None,
        ("add", Unsigned | Signed, _) => same::<Add>(bits),
        ("sub", Unsigned | Signed, _) => same::<Sub>(bits),
        ("add.sat", Signed, 32) => same::<AddSat>(bits),
        ("sub.sat", Signed, 32) => same::<SubSat>(bits),
        ("mul.lo", Unsigned | Signed, _) => same::<Mul>(bits),
        ("mul.hi", Unsigned, _) => same::<MulHiU>(bits),
        ("mul.hi", Signed, _) => same::<MulHiS>(bits),
        ("mad.lo", Unsigned | Signed, _) => same::<Mad>(bits),
        ("mad.hi", Unsigned, _) => same::<MadHiU>(bits),
        ("mad.hi", Signed, _) => same::<MadHiS>(bits),
        ("mad.hi.sat", Signed, 32) => same::<MadHiSatS>(bits),
        ("mul24.lo", Unsigned, 32) => same::<Mul24LoU>(bits),
        ("mul24.lo", Signed, 32) => same::<Mul24LoS>(bits),
        ("mul24.hi", Unsigned, 32) => same::<Mul24HiU>(bits),
        ("mul24.hi", Signed, 32) => same::<Mul24HiS>(bits),
        ("mad24.lo", Unsigned, 32) => same::<Mad24LoU>(bits),
        ("mad24.lo", Signed, 32) => same::<Mad24LoS>(bits),
        ("mad24.hi", Unsigned, 32) => same::<Mad24HiU>(bits),
        ("mad24.hi", Signed, 32) => same::<Mad24HiS>(bits),
        ("mad24.hi.sat", Signed, 32) => same::<Mad24HiSatS>(bits),
        ("div", Unsigned, _) => same::<DivU>(bits),
        ("div", Signed, _) => same::<DivS>(bits),
        ("rem", Unsigned, _) => same::<RemU>(bits),
        ("rem", Signed, _) => same::<RemS>(bits),
        ("min", Unsigned, _) => same::<MinU>(bits),
        ("min", Signed, _) => same::<MinS>(bits),
        ("max", Unsigned, _) => same::<MaxU>(bits),
        ("max", Signed, _) => same::<MaxS>(bits),
        ("min.relu", Signed, 32) => same::<MinReluS>(bits),
        ("max.relu", Signed, 32) => same::<MaxReluS>(bits),
        ("neg", Signed, _) => same::<Neg>(bits),
        ("abs", Signed, _) => same::<Abs>(bits),
        ("sad", Unsigned, _) => same::<SadU>(bits),
        ("sad", Signed, _) => same::<SadS>(bits),
        ("mul.wide" | "mad.wide", Unsigned | Signed, 16 | 32) => {
            let adds = name == "mad.wide";
            let run = match (bits, ty.class, adds) {
                (16, Unsigned, false) => wide::<u16, u32, false, false>,
                (16, Unsigned, true) => wide::<u16, u32, false, true>,
                (16, _, false) => wide::<u16, u32, true, false>,
                (16, _, true) => wide::<u16, u32, true, true>,
                (_, Unsigned, false) => wide::<u32, u64, false, false>,
                (_, Unsigned, true) => wide::<u32, u64, false, true>,
                (_, _, false) => wide::<u32, u64, true, false>,
                (_, _, true) => wide::<u32, u64, true, true>,
            };
            let operands: &[Width] = &[Width::Same, Width::Same, Width::Wide];
            Some(Found { run, result: Width::Wide, operands: &operands[..2 + usize::from(adds)] })
        }
        _ => None,
    }
}

/// Returns an instruction on two halves of a word, such as `add.u16x2`.
pub(crate) fn find_pairs(name: &str, signed: bool) -> Option<Found> {
    match (name, signed) {
        ("add", _) => same::<AddPairs>(32),
        ("min", false) => same::<MinPairsU>(32),
        ("max", false) => same::<MaxPairsU>(32),
        ("min", true) => same::<MinPairsS>(32),
        ("max", true) => same::<MaxPairsS>(32),
        ("min.relu", true) => same::<MinReluPairsS>(32),
        ("max.relu", true) => same::<MaxReluPairsS>(32),
        _ => None,
    }
}

/// Returns `dp4a.atype.btype`, or `dp2a.lo` and `dp2a.hi`: a sum of products of bytes.
pub(crate) fn find_dot(name: &str, a_signed: bool, b_signed: bool) -> Option<Found> {
    match (name, a_signed, b_signed) {
        ("dp4a", false, false) => same::<DotUU>(32),
        ("dp4a", false, true) => same::<DotUS>(32),
        ("dp4a", true, false) => same::<DotSU>(32),
        ("dp4a", true, true) => same::<DotSS>(32),
        ("dp2a.lo", false, false) => same::<Dot2UU>(32),
        ("dp2a.lo", false, true) => same::<Dot2US>(32),
        ("dp2a.lo", true, false) => same::<Dot2SU>(32),
        ("dp2a.lo", true, true) => same::<Dot2SS>(32),
        ("dp2a.hi", false, false) => same::<Dot2HiUU>(32),
        ("dp2a.hi", false, true) => same::<Dot2HiUS>(32),
        ("dp2a.hi", true, false) => same::<Dot2HiSU>(32),
        ("dp2a.hi", true, true) => same::<Dot2HiSS>(32),
        _ => None,
    }
}
