//! Logic, shifts and bit fields (manual 9.7.8, and 9.7.1 for counts and moves of bits).

use ptxf_text::{Class, Ty};

use super::registers::{LANES, Mask, Registers, Run, Slots, Word};
use super::{Found, Width};

/// Defines operations on a lane. Operands have the type's width, or are counts of 32 bits.
macro_rules! operations {
    ($($name:ident -> $result:ident ($($operand:ident: $width:ident),*) $body:expr;)*) => {$(
        mod $name {
            use super::*;

            pub(super) const OPERANDS: &[Width] = &[$(Width::$width),*];
            pub(super) const RESULT: Width = Width::$result;

            pub(super) fn run<W: Word>(registers: &mut Registers, slots: &Slots, mask: Mask) {
                let mut place = slots.iter().skip(1).copied();
                $(let $operand = operations!(@read $width registers place);)*
                operations!(@write $result registers slots mask, |lane| {
                    $(let $operand = $operand[lane];)*
                    $body
                });
            }
        }
    )*};
    (@read Same $registers:ident $place:ident) => { W::read($registers, $place.next().unwrap_or_default()) };
    (@read B32 $registers:ident $place:ident) => { u32::read($registers, $place.next().unwrap_or_default()) };
    (@write Same $registers:ident $slots:ident $mask:ident, |$lane:ident| $body:expr) => {
        let mut d = [W::ZERO; LANES];
        for ($lane, d) in d.iter_mut().enumerate() {
            *d = $body;
        }
        W::write($registers, $slots[0], $mask, &d);
    };
    (@write B32 $registers:ident $slots:ident $mask:ident, |$lane:ident| $body:expr) => {
        let mut d = [0_u32; LANES];
        for ($lane, d) in d.iter_mut().enumerate() {
            *d = $body;
        }
        u32::write($registers, $slots[0], $mask, &d);
    };
}

operations! {
    and -> Same (a: Same, b: Same) W::cut(a.u() & b.u());
    or -> Same (a: Same, b: Same) W::cut(a.u() | b.u());
    xor -> Same (a: Same, b: Same) W::cut(a.u() ^ b.u());
    not -> Same (a: Same) W::cut(!a.u());
    cnot -> Same (a: Same) W::cut((a.u() == 0).into());
    shl -> Same (a: Same, b: B32) if b < W::BITS { W::cut(a.u() << b) } else { W::ZERO };
    shr_u -> Same (a: Same, b: B32) if b < W::BITS { W::cut(a.u() >> b) } else { W::ZERO };
    shr_s -> Same (a: Same, b: B32) W::cut_s(a.s() >> b.min(W::BITS - 1));
    shf_l_wrap -> Same (a: Same, b: Same, c: B32) funnel(a, b, c & 31, true);
    shf_l_clamp -> Same (a: Same, b: Same, c: B32) funnel(a, b, c.min(32), true);
    shf_r_wrap -> Same (a: Same, b: Same, c: B32) funnel(a, b, c & 31, false);
    shf_r_clamp -> Same (a: Same, b: Same, c: B32) funnel(a, b, c.min(32), false);
    lop3 -> Same (a: Same, b: Same, c: Same, table: B32) lookup(a, b, c, table);
    popc -> B32 (a: Same) a.u().count_ones();
    clz -> B32 (a: Same) a.u().leading_zeros() - (64 - W::BITS);
    brev -> Same (a: Same) W::cut(a.u().reverse_bits() >> (64 - W::BITS));
    bfind_u -> B32 (a: Same) highest(a.u());
    bfind_s -> B32 (a: Same) highest(W::cut_s(if a.s() < 0 { !a.s() } else { a.s() }).u());
    bfind_shiftamt_u -> B32 (a: Same) amount::<W>(highest(a.u()));
    bfind_shiftamt_s -> B32 (a: Same) amount::<W>(highest(W::cut_s(if a.s() < 0 { !a.s() } else { a.s() }).u()));
    bfe_u -> Same (a: Same, position: B32, length: B32) extract(a, position, length, false);
    bfe_s -> Same (a: Same, position: B32, length: B32) extract(a, position, length, true);
    bfi -> Same (a: Same, b: Same, position: B32, length: B32) insert(a, b, position, length);
    bmsk_clamp -> B32 (a: B32, b: B32) ones(b.min(32)).checked_shl(a).unwrap_or(0);
    bmsk_wrap -> B32 (a: B32, b: B32) ones(b & 31) << (a & 31);
    szext_clamp_u -> B32 (a: B32, b: B32) extend(a, b.min(32), false);
    szext_clamp_s -> B32 (a: B32, b: B32) extend(a, b.min(32), true);
    szext_wrap_u -> B32 (a: B32, b: B32) extend(a, b & 31, false);
    szext_wrap_s -> B32 (a: B32, b: B32) extend(a, b & 31, true);
    fns -> B32 (mask: B32, base: B32, offset: B32) nth(mask, base, offset.cast_signed());
    prmt -> Same (a: Same, b: Same, c: Same) permute(a, b, |i| c.u() >> (4 * i));
    prmt_f4e -> Same (a: Same, b: Same, c: Same) permute(a, b, |i| (c.u() & 3) + i);
    prmt_b4e -> Same (a: Same, b: Same, c: Same) permute(a, b, |i| (c.u() & 3).wrapping_sub(i) & 7);
    prmt_rc8 -> Same (a: Same, b: Same, c: Same) permute(a, b, |_| c.u() & 3);
    prmt_ecl -> Same (a: Same, b: Same, c: Same) permute(a, b, |i| i.max(c.u() & 3));
    prmt_ecr -> Same (a: Same, b: Same, c: Same) permute(a, b, |i| i.min(c.u() & 3));
    prmt_rc16 -> Same (a: Same, b: Same, c: Same) permute(a, b, |i| (c.u() & 1) * 2 + (i & 1));
}

/// Shifts the 64-bit word `b:a`, and returns its upper half for a shift to the left, else its lower
/// half.
#[inline(always)]
fn funnel<W: Word>(a: W, b: W, count: u32, left: bool) -> W {
    let both = b.u() << 32 | a.u();
    W::cut(if left { both << count >> 32 } else { both >> count })
}

/// Returns, for each bit, an entry of a truth table of three inputs.
#[inline(always)]
fn lookup<W: Word>(a: W, b: W, c: W, table: u32) -> W {
    let (a, b, c) = (a.u(), b.u(), c.u());
    let mut d = 0;
    for row in 0..8 {
        let pick = |x: u64, bit: u32| if row >> bit & 1 != 0 { x } else { !x };
        d |= u64::from(table >> row & 1).wrapping_neg() & pick(a, 2) & pick(b, 1) & pick(c, 0);
    }
    W::cut(d)
}

/// Returns the position of the highest set bit, or all ones for 0.
#[inline(always)]
fn highest(x: u64) -> u32 {
    if x == 0 { u32::MAX } else { x.ilog2() }
}

/// Returns the shift to the left that moves the highest set bit to the top.
#[inline(always)]
fn amount<W: Word>(place: u32) -> u32 {
    if place == u32::MAX { place } else { W::BITS - 1 - place }
}

/// Returns `count` ones, at most 32.
#[inline(always)]
fn ones(count: u32) -> u32 {
    ((1_u64 << count) - 1) as u32
}

/// Extends the lower `bits` bits of a number.
#[inline(always)]
fn extend(a: u32, bits: u32, signed: bool) -> u32 {
    if signed && bits > 0 && a >> (bits - 1) & 1 != 0 { a | !ones(bits) } else { a & ones(bits) }
}

/// Returns the position of the n-th set bit from `base` on: upwards, or downwards for a negative n.
/// For 0 it is `base`, if that bit is set. Without such a bit the result is all ones.
#[inline(always)]
fn nth(mask: u32, base: u32, n: i32) -> u32 {
    let is_set = |i: &u32| mask >> i & 1 != 0;
    let found = match n {
        _ if base > 31 => None,
        0 => Some(base).filter(is_set),
        1.. => (base..32).filter(is_set).nth(n as usize - 1),
        _ => (0..=base).rev().filter(is_set).nth(n.unsigned_abs() as usize - 1),
    };
    found.unwrap_or(u32::MAX)
}

/// Returns a bit field of `a`. Bits beyond the register are 0 or the sign.
#[inline(always)]
fn extract<W: Word>(a: W, position: u32, length: u32, signed: bool) -> W {
    let (position, length) = (position & 0xff, length & 0xff);
    if length == 0 {
        return W::ZERO;
    }
    let highest = (position + length - 1).min(W::BITS - 1);
    let sign = if signed && a.u() >> highest & 1 != 0 { u64::MAX } else { 0 };
    if position >= W::BITS {
        return W::cut(sign);
    }
    let kept = highest - position + 1;
    let field = a.u() >> position;
    let below = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
    W::cut(field & below | sign & !below)
}

/// Returns `b` with a field replaced by the lower bits of `a`.
#[inline(always)]
fn insert<W: Word>(a: W, b: W, position: u32, length: u32) -> W {
    let (position, length) = (position & 0xff, length & 0xff);
    if position >= W::BITS {
        return b;
    }
    let field = if length >= 64 { u64::MAX } else { (1 << length) - 1 } << position;
    W::cut(a.u() << position & field | b.u() & !field)
}

/// Returns four of the eight bytes of `b:a`. Bit 3 of a selector replaces the byte by its sign bit,
/// eight times.
#[inline(always)]
fn permute<W: Word>(a: W, b: W, choice: impl Fn(u64) -> u64) -> W {
    let both = b.u() << 32 | a.u();
    let mut d = 0;
    for i in 0..4 {
        let c = choice(i);
        let byte = (both >> (8 * (c & 7))) as u8;
        let byte = if c & 8 != 0 { (byte.cast_signed() >> 7).cast_unsigned() } else { byte };
        d |= u64::from(byte) << (8 * i);
    }
    W::cut(d)
}

macro_rules! found {
    ($name:ident $bits:expr) => {{
        let run: Run = match $bits {
            16 => $name::run::<u16>,
            32 => $name::run::<u32>,
            64 => $name::run::<u64>,
            _ => return None,
        };
        Some(Found { run, result: $name::RESULT, operands: $name::OPERANDS })
    }};
}

/// Returns the instruction of this name, such as `shf.l.wrap`, on this type.
pub(crate) fn find(name: &str, ty: Ty) -> Option<Found> {
    use Class::{Bits, Signed, Unsigned};
    let bits = ty.bits;
    match (name, ty.class, bits) {
        (_, _, 8 | 128) => None,
        ("and", Bits, _) => found!(and bits),
        ("or", Bits, _) => found!(or bits),
        ("xor", Bits, _) => found!(xor bits),
        ("not", Bits, _) => found!(not bits),
        ("cnot", Bits, _) => found!(cnot bits),
        ("shl", Bits, _) => found!(shl bits),
        ("shr", Bits | Unsigned, _) => found!(shr_u bits),
        ("shr", Signed, _) => found!(shr_s bits),
        ("shf.l.wrap", Bits, 32) => found!(shf_l_wrap bits),
        ("shf.l.clamp", Bits, 32) => found!(shf_l_clamp bits),
        ("shf.r.wrap", Bits, 32) => found!(shf_r_wrap bits),
        ("shf.r.clamp", Bits, 32) => found!(shf_r_clamp bits),
        ("lop3", Bits, 32) => found!(lop3 bits),
        ("popc", Bits, 32 | 64) => found!(popc bits),
        ("clz", Bits, 32 | 64) => found!(clz bits),
        ("brev", Bits, 32 | 64) => found!(brev bits),
        ("bfind", Unsigned, 32 | 64) => found!(bfind_u bits),
        ("bfind", Signed, 32 | 64) => found!(bfind_s bits),
        ("bfind.shiftamt", Unsigned, 32 | 64) => found!(bfind_shiftamt_u bits),
        ("bfind.shiftamt", Signed, 32 | 64) => found!(bfind_shiftamt_s bits),
        ("bfe", Unsigned, 32 | 64) => found!(bfe_u bits),
        ("bfe", Signed, 32 | 64) => found!(bfe_s bits),
        ("bfi", Bits, 32 | 64) => found!(bfi bits),
        ("bmsk.clamp", Bits, 32) => found!(bmsk_clamp bits),
        ("bmsk.wrap", Bits, 32) => found!(bmsk_wrap bits),
        ("szext.clamp", Unsigned, 32) => found!(szext_clamp_u bits),
        ("szext.clamp", Signed, 32) => found!(szext_clamp_s bits),
        ("szext.wrap", Unsigned, 32) => found!(szext_wrap_u bits),
        ("szext.wrap", Signed, 32) => found!(szext_wrap_s bits),
        ("fns", Bits, 32) => found!(fns bits),
        ("prmt", Bits, 32) => found!(prmt bits),
        ("prmt.f4e", Bits, 32) => found!(prmt_f4e bits),
        ("prmt.b4e", Bits, 32) => found!(prmt_b4e bits),
        ("prmt.rc8", Bits, 32) => found!(prmt_rc8 bits),
        ("prmt.ecl", Bits, 32) => found!(prmt_ecl bits),
        ("prmt.ecr", Bits, 32) => found!(prmt_ecr bits),
        ("prmt.rc16", Bits, 32) => found!(prmt_rc16 bits),
        _ => None,
    }
}
