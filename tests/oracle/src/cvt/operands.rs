//! Operands of conversions.

use std::sync::OnceLock;

use super::exact::{Value, read};
use super::{Cvt, Num};
use crate::edges;
use crate::form::Ty;
use crate::rng::Rng;

/// Patterns of a type at which implementations go wrong; all of them if they are 256 or fewer.
#[must_use]
pub fn edges(num: Num) -> Vec<u64> {
    match num {
        Num::F16 => edges::of(Ty::F16).to_vec(),
        Num::Bf16 => edges::of(Ty::Bf16).to_vec(),
        Num::F32 => edges::of(Ty::F32).to_vec(),
        Num::F64 => edges::of(Ty::F64).to_vec(),
        Num::Tf32 => edges::of(Ty::F32).iter().map(|x| x >> 13 << 13).collect(),
        Num::Int { bits, .. } if bits > 8 => (0..bits)
            .flat_map(|i| {
                [
                    1_u64 << i,
                    (1_u64 << i) - 1,
                    (1_u64 << i) + 1,
                    (1_u64 << i) | 1 << (i / 2),
                    (1_u64 << i).wrapping_neg(),
                ]
            })
            .chain([0, u64::MAX])
            .map(|x| x & num.mask())
            .collect(),
        _ => (0..=num.mask()).collect(),
    }
}

/// The boundaries of the result's type as patterns of the source's type: its numbers, the middles
/// between them, and their neighbours.
///
/// For a type with more than 2¹⁶ codes only the top and the bottom are taken.
fn boundaries(cvt: &Cvt) -> Vec<u64> {
    let (to, from) = (cvt.to.num, cvt.from.num);
    let codes: Vec<u64> = match to.bits() {
        bits @ ..=8 => (0..1 << bits).collect(),
        bits @ ..=16 => (0..1 << bits).step_by(7).chain(edges(to)).collect(),
        _ => edges(to),
    };
    let mut out = vec![];
    for code in codes {
        let Value::Number { negative, magnitude } = read(to, code) else { continue };
        let Value::Number { magnitude: next, .. } = read(to, code.wrapping_add(1) & to.mask()) else { continue };
        for x in [magnitude.clone(), magnitude.midpoint(&next)] {
            let Some(bits) = nearest(from, negative, &x) else { continue };
            out.extend([bits.wrapping_sub(1), bits, bits.wrapping_add(1)].map(|x| x & from.mask()));
        }
    }
    out
}

/// Returns a pattern of the type at that magnitude, or right below it. `None` if the type lacks
/// that sign.
fn nearest(num: Num, negative: bool, x: &crate::dyadic::Dyadic) -> Option<u64> {
    let (mut low, mut high) = (
        0,
        match num {
            Num::Int { signed, bits } => {
                if signed {
                    1 << (bits - 1)
                } else {
                    num.mask()
                }
            }
            _ => num.mask() / 2 + 1,
        },
    );
    if negative && matches!(num, Num::Int { signed: false, .. }) {
        return None;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match read(num, middle) {
            Value::Number { magnitude, .. } if magnitude.compare(x).is_le() => low = middle,
            _ => high = middle,
        }
    }
    Some(match (negative, num) {
        (false, _) => low,
        (true, Num::Int { .. }) => low.wrapping_neg() & num.mask(),
        (true, _) => low | (num.mask() / 2 + 1),
    })
}

/// One operand: an edge, a boundary of the result's type, or any bits.
pub fn lane(cvt: &Cvt, list: &[u64], rng: &mut Rng) -> u64 {
    let num = cvt.from.num;
    match rng.below(4) {
        0 => rng.pick(list),
        1 if num.is_int() => rng.next() & num.mask() >> rng.below(num.bits().into()),
        // The exponent of an interesting one, another fraction.
        1 => rng.pick(list) ^ rng.next() & num.mask() >> 9 & rng.next(),
        _ => rng.next() & num.mask(),
    }
}

/// The list from which [`lane`] picks: edges of the source's type, and boundaries of the result's.
///
/// The list is computed once for each pair of types and kept under a lock. Callers that draw many
/// operands fetch the list once; fetching it per operand makes threads wait for each other.
#[must_use]
pub fn list(cvt: &Cvt) -> &'static [u64] {
    type Key = (Num, Num);
    static LISTS: OnceLock<std::sync::Mutex<std::collections::HashMap<Key, &'static [u64]>>> = OnceLock::new();
    let mut lists = LISTS.get_or_init(Default::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    lists.entry((cvt.to.num, cvt.from.num)).or_insert_with(|| {
        let mut list = edges(cvt.from.num);
        list.extend(boundaries(cvt));
        list.sort_unstable();
        list.dedup();
        list.leak()
    })
}

/// The code of a scale, often of one near 1.
pub fn scale(rng: &mut Rng) -> u64 {
    if rng.below(2) == 0 { rng.next() & 0xff } else { 120 + rng.below(16) }
}

/// The operands of a conversion, a scale and random bits with them; `list` is the conversion's
/// [`list`].
pub fn registers(cvt: &Cvt, list: &[u64], rng: &mut Rng) -> Vec<u64> {
    let lanes = u32::from(cvt.from.lanes);
    let mut out: Vec<u64> = (0..cvt.sources())
        .map(|_| (0..lanes).fold(0, |x, i| x | lane(cvt, list, rng) << (i * cvt.from.num.place())))
        .collect();
    if cvt.operands() > cvt.sources() {
        let last = match cvt {
            Cvt { scaled: true, .. } => scale(rng) << 8 | scale(rng),
            Cvt { divided: true, .. } => scale(rng),
            _ => rng.next() & 0xffff_ffff,
        };
        out.push(last);
    }
    out
}
