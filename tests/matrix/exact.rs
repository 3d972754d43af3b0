//! A third definition of a step, in exact numbers, over all kinds of the captured operands.
//!
//! Terms are integers of any size times a power of two. A result is searched for in the list of its
//! format's numbers, so that nothing here counts bits or shifts a significand to round it.

use oracle::dyadic::Dyadic;
use oracle::form::{Form, Rnd};
use oracle::layout::Layout;
use oracle::round::{Exact, largest_not_above, round};
use ptxf::matrix::{Accumulator, Multiplicand, Unit};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};

use crate::captured::Bits;
use crate::operands::{E4M3, KINDS, Place, Role, element};

#[derive(Clone)]
enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    /// A magnitude, and the exponent that counts for the grid.
    Finite {
        negative: bool,
        magnitude: Dyadic,
        exponent: i64,
    },
}

use Number::{Finite, Infinite, Nan};

fn layout<T: Bits>() -> Layout {
    let (bits, fraction) = (1 + T::FORMAT.exponent + T::FORMAT.fraction, T::FORMAT.fraction);
    Layout { bits, fraction, canonical_nan: (1 << (bits - 1)) - 1, payloads: false }
}

fn number<T: Bits>(bits: u64) -> Number {
    let layout = layout::<T>();
    let (negative, pattern) = (layout.is_negative(bits), layout.magnitude(bits));
    // E4m3 has no infinities, and one NaN of each sign.
    let (is_nan, is_infinite) = if T::FORMAT == E4M3 {
        (pattern == 0x7F, false)
    } else {
        (layout.is_nan(pattern), layout.is_infinite(pattern))
    };
    if is_nan || is_infinite {
        return if is_nan { Nan } else { Infinite { negative } };
    }
    let exponent = i64::from((pattern >> layout.fraction) as i32 - layout.bias());
    let exponent = exponent.max(layout.min_exponent().into());
    Finite { negative, magnitude: Dyadic::of(&layout, pattern), exponent }
}

fn times(a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: x }, Infinite { negative: y }) => Infinite { negative: x != y },
        (Infinite { negative: x }, Finite { negative: y, magnitude, .. })
        | (Finite { negative: y, magnitude, .. }, Infinite { negative: x }) => {
            if magnitude.is_zero() {
                Nan
            } else {
                Infinite { negative: x != y }
            }
        }
        (Finite { negative: x, magnitude: a, exponent: e }, Finite { negative: y, magnitude: b, exponent: f }) => {
            Finite { negative: x != y, magnitude: a.times(b), exponent: e + f }
        }
    }
}

/// A number of 8 bits after its conversion to f16, where it is normal if it can be.
fn in_f16(number: Number) -> Number {
    match number {
        Finite { negative, magnitude, .. } => {
            let leading = magnitude.magnitude.bits() as i64 + magnitude.exponent - 1;
            Finite { negative, magnitude, exponent: leading.max(-14) }
        }
        other => other,
    }
}

/// The parameters of a unit, and the precision of its results.
#[derive(Clone, Copy, Debug)]
struct Rule {
    products: usize,
    fraction_bits: i64,
    least: i64,
    /// Fraction bits of an f32 result.
    kept: u32,
    by_f16: bool,
}

/// Returns the bits of a step's result.
fn step<C: Bits>(rule: Rule, terms: &[Number]) -> u64 {
    let layout = layout::<C>();
    let infinite = |sign| terms.iter().any(|x| matches!(x, Infinite { negative } if *negative == sign));
    if terms.iter().any(|x| matches!(x, Nan)) || infinite(false) && infinite(true) {
        return layout.canonical_nan;
    }
    if infinite(false) || infinite(true) {
        return layout.infinity() | if infinite(true) { layout.sign_bit() } else { 0 };
    }
    let exponents = terms.iter().filter_map(|x| match x {
        Finite { magnitude, exponent, .. } if !magnitude.is_zero() => Some(*exponent),
        _ => None,
    });
    let grid = exponents.fold(rule.least, i64::max) - rule.fraction_bits;
    let total = |sign| {
        terms.iter().fold(Dyadic::new(0, 0), |total, x| match x {
            Finite { negative, magnitude: x, .. } if *negative == sign => {
                let dropped = (grid - x.exponent).max(0);
                let magnitude = &x.magnitude >> dropped as u64;
                total.plus(&Dyadic { magnitude, exponent: x.exponent + dropped })
            }
            _ => total,
        })
    };
    let (plus, minus) = (total(false), total(true));
    let (negative, sum) = (plus.compare(&minus).is_lt(), Exact::dyadic(plus.distance(&minus)));
    let magnitude = if layout.bits == 16 {
        round(&layout, &sum, negative, Rnd::Rn)
    } else if sum.compare(&Dyadic::new(1, 128)).is_ge() {
        layout.infinity()
    } else {
        let dropped = layout.fraction - rule.kept;
        let kept = Layout { bits: layout.bits - dropped, fraction: rule.kept, ..layout };
        largest_not_above(&kept, &sum) << dropped
    };
    if negative && magnitude != 0 { magnitude | layout.sign_bit() } else { magnitude }
}

fn chain<C: Bits>(rule: Rule, a: &[Number], b: &[Number], c: u64) -> u64 {
    let products: Vec<_> = a.iter().zip(b).map(|(a, b)| times(a, b)).collect();
    let steps = |products: &[Number], c| {
        let step = |c, block: &[Number]| step::<C>(rule, &[block, &[number::<C>(c)]].concat());
        products.chunks(rule.products).fold(c, step)
    };
    if !rule.by_f16 {
        return steps(&products, c);
    }
    let half = |upper| products.iter().enumerate().filter(move |(k, _)| (k % 4 >= 2) == upper).map(|(_, x)| x.clone());
    let d = steps(&half(true).collect::<Vec<_>>(), steps(&half(false).collect::<Vec<_>>(), 0));
    let add: Form = if layout::<C>().bits == 16 { "add.rn.f16" } else { "add.rn.f32" }.parse().unwrap();
    oracle::exact::eval(&add, &[d, c]).unwrap()
}

fn compare<A: Multiplicand + Bits, B: Multiplicand + Bits, C: Accumulator + Bits>(unit: Unit, rule: Rule) {
    let mma = unit.mma::<A, B, C>().unwrap();
    // Two steps. By f16 these are the halves of one instruction.
    let length = if rule.by_f16 { 32 } else { 2 * rule.products as u64 };
    let kept = |name, bits| if name == "tf32" { bits & !0x1FFF } else { bits };
    for (kind, index) in
        (0..KINDS).flat_map(|kind| (0..if oracle::long() { 4000 } else { 200 }).map(move |i| (kind, i)))
    {
        let place = Place { instruction: 254, kind, index, row: 0, k: 0, length };
        let [a, b] = [(A::FORMAT, Role::A), (B::FORMAT, Role::B)]
            .map(|(format, role)| (0..length).map(|k| element(format, role, Place { k, ..place })).collect::<Vec<_>>());
        let c = element(C::FORMAT, Role::C, Place { length: 8, ..place });
        let number_of = |x| if rule.by_f16 { in_f16(x) } else { x };
        let want = chain::<C>(
            rule,
            &a.iter().map(|x| number_of(number::<A>(kept(A::NAME, *x)))).collect::<Vec<_>>(),
            &b.iter().map(|x| number_of(number::<B>(kept(B::NAME, *x)))).collect::<Vec<_>>(),
            c,
        );
        let (x, y): (Vec<A>, Vec<B>) = (a.iter().map(|x| A::of(*x)).collect(), b.iter().map(|x| B::of(*x)).collect());
        let got = Bits::bits(mma.dot(&x, &y, C::of(c)));
        assert_eq!(got, want, "{unit:?}, {} {}, {place:?}: {got:x} for {want:x}", A::NAME, C::NAME);
    }
}

fn fp8(unit: Unit, rule: Rule) {
    let narrow = Rule { least: rule.least + 112, ..rule };
    compare::<E4m3, E4m3, f32>(unit, rule);
    compare::<E5m2, E5m2, f32>(unit, rule);
    compare::<E4m3, E5m2, f32>(unit, rule);
    compare::<E4m3, E4m3, F16>(unit, narrow);
    compare::<E5m2, E4m3, F16>(unit, narrow);
}

#[test]
fn exact_numbers() {
    for (unit, bytes, fraction_bits) in [
        (Unit::sm_70(), 8, 23),
        (Unit::sm_75(), 16, 24),
        (Unit::sm_80(), 16, 24),
        (Unit::sm_89(), 16, 24),
        (Unit::sm_90(), 32, 25),
        (Unit::sm_90a(), 32, 25),
        (Unit::sm_100(), 32, 25),
        (Unit::sm_100a(), 32, 25),
        (Unit::sm_120(), 32, 25),
    ] {
        let least = -108 - fraction_bits;
        let rule = Rule { products: bytes / 2, fraction_bits, least, kept: 23, by_f16: false };
        compare::<F16, F16, f32>(unit, rule);
        compare::<F16, F16, F16>(unit, Rule { least: least + 112, ..rule });
        if unit != Unit::sm_70() && unit != Unit::sm_75() {
            compare::<Bf16, Bf16, f32>(unit, rule);
            compare::<Tf32, Tf32, f32>(unit, Rule { products: bytes / 4, ..rule });
        }
    }
    for (unit, products, fraction_bits, kept, by_f16) in [
        (Unit::sm_89(), 16, 13, 13, false),
        (Unit::sm_90(), 16, 25, 23, true),
        (Unit::sm_90a(), 32, 13, 13, false),
        (Unit::sm_100(), 16, 25, 23, true),
        (Unit::sm_100a(), 32, 25, 23, false),
        (Unit::sm_120(), 32, 25, 23, false),
    ] {
        let least = if unit == Unit::sm_89() { -132 } else { -133 };
        fp8(unit, Rule { products, fraction_bits, least, kept, by_f16 });
    }
}
