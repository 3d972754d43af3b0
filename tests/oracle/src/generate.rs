//! Random operands that reach the hard cases: with uniform bits an addend almost never overlaps a
//! product.

use crate::dyadic::Dyadic;
use crate::edges;
use crate::form::{Form, Op, Ty};
use crate::lanes;
use crate::layout::Layout;
use crate::rng::Rng;
use crate::round::{self, Exact};

/// One operand: an edge, uniform bits, or a significand of a telling shape at a uniform or a
/// middling exponent.
pub fn operand(ty: Ty, rng: &mut Rng) -> u64 {
    let layout = Layout::of(ty);
    match rng.below(8) {
        0 | 1 => rng.pick(edges::of(ty)),
        2 => neighbour(layout, rng.pick(edges::of(ty)), rng),
        3 | 4 => rng.next() & layout.mask(),
        5 => at_exponent(layout, rng.between(layout.min_exponent() - 1, layout.bias()), rng),
        _ => at_exponent(layout, rng.between(-8, 8), rng),
    }
}

/// An operand whose exponent is near that of `x`, so that their sum has to be aligned and may
/// cancel.
pub fn operand_near(ty: Ty, x: u64, rng: &mut Rng) -> u64 {
    let layout = Layout::of(ty);
    if rng.below(8) == 0 {
        return neighbour(layout, x ^ layout.sign_bit(), rng);
    }
    let reach = layout.precision() as i32 + 2;
    at_exponent(layout, exponent(layout, x) + rng.between(-reach, reach), rng)
}

/// A triple for `fma` whose exact result is within a few units of its own last place, often far
/// less, of a tie.
pub fn near_tie(ty: Ty, rng: &mut Rng) -> [u64; 3] {
    let layout = Layout::of(ty);
    let target = if rng.below(4) == 0 {
        rng.below(4 * layout.min_normal())
    } else {
        layout.magnitude(at_exponent(layout, rng.between(layout.min_exponent(), layout.bias() - 1), rng))
    };
    let lower = Dyadic::of(layout, target);
    let tie = lower.midpoint(&Dyadic::of(layout, target + 1));
    let (a, b, c, opposed) = if rng.below(2) == 0 {
        // The addend is the number below the tie, the product about the missing half unit.
        let half = tie.distance(&lower);
        let (a, b) = factors(layout, &half, rng);
        (a, b, target + rng.below(2), rng.below(2) == 1)
    } else {
        // The product is about the tie; the addend is the difference.
        let (a, b) = factors(layout, &tie, rng);
        let product = Dyadic::of(layout, a).times(&Dyadic::of(layout, b));
        let c = below(layout, &tie.distance(&product)) + rng.below(3);
        (a, b, c, product.compare(&tie).is_gt())
    };
    let signs = rng.next();
    let signed = |x: u64, negative: bool| if negative { x | layout.sign_bit() } else { x };
    let (sa, sb) = (signs & 1 == 1, signs & 2 == 2);
    [signed(a, sa), signed(b, sb), signed(c.min(layout.infinity()), sa ^ sb ^ opposed)]
}

/// Two factors whose product is within a few units of the smallest normal number, where `.ftz`
/// decides.
pub fn near_min_normal(ty: Ty, rng: &mut Rng) -> [u64; 2] {
    let layout = Layout::of(ty);
    let (a, b) = factors(layout, &just_below_normal(layout, rng), rng);
    [a, b].map(|x| x | if rng.below(4) == 0 { layout.sign_bit() } else { 0 })
}

/// A dividend and a divisor whose quotient is within a few units of the smallest normal number.
pub fn quotient_near_min_normal(ty: Ty, rng: &mut Rng) -> [u64; 2] {
    let layout = Layout::of(ty);
    let b = layout.magnitude(at_exponent(layout, rng.between(0, layout.bias()), rng));
    let product = just_below_normal(layout, rng).times(&Dyadic::of(layout, b));
    [below(layout, &product) + rng.below(2), b]
}

/// The operands of one lane, related as suits the instruction.
pub fn lane_operands(form: &Form, operands: usize, rng: &mut Rng) -> Vec<u64> {
    let ty = form.ty;
    match (form.op, operands, rng.below(8)) {
        (Op::Fma | Op::Mad, 3, 0 | 1) => near_tie(ty, rng).to_vec(),
        (Op::Fma | Op::Mad, 3, 5) => {
            let [a, b] = near_min_normal(ty, rng);
            vec![a, b, rng.below(3)]
        }
        (Op::Fma | Op::Mad, 3, 6) => {
            let (a, b) = (operand(ty, rng), operand(ty, rng));
            let product = below(Layout::of(ty), &magnitude(ty, a).times(&magnitude(ty, b)));
            vec![a, b, operand_near(ty, product, rng)]
        }
        (Op::Cvt, _, 0..=3) if ty == Ty::F32 => (0..operands).map(|_| near_narrow(form, rng)).collect(),
        (Op::Mul, 2, 0 | 1) => near_min_normal(ty, rng).to_vec(),
        (Op::Div, 2, 0 | 1) => quotient_near_min_normal(ty, rng).to_vec(),
        (_, 2 | 3, 2..=4) => {
            let a = operand(ty, rng);
            (0..operands).map(|i| if i == 0 { a } else { operand_near(ty, a, rng) }).collect()
        }
        _ => (0..operands).map(|_| operand(ty, rng)).collect(),
    }
}

/// An f32 in the range of the format to which it is converted: a value of that format, half way
/// between two, or beside that.
fn near_narrow(form: &Form, rng: &mut Rng) -> u64 {
    let layout = Layout::of(Ty::F32);
    let to = Layout::of(form.target().unwrap_or(Ty::F32));
    let x = at_exponent(layout, rng.between(to.min_exponent() - to.fraction as i32 - 2, to.bias() + 1), rng);
    // For a subnormal, more bits are rounded away.
    let cut = layout.fraction - to.fraction + rng.below(to.fraction.into()) as u32 * u32::from(rng.below(2) == 0);
    let half = 1_u64 << cut.saturating_sub(1);
    let rest = match rng.below(5) {
        0 => 0,
        1 => half,
        2 => half - 1,
        3 => half + 1,
        _ => 2 * half - 1,
    };
    x >> cut << cut | rest & ((1 << cut) - 1)
}

/// The operands of a mixed form: narrow ones, and an f32 that is often near their result.
fn mixed(form: &Form, operands: usize, rng: &mut Rng) -> Vec<u64> {
    let mut all: Vec<u64> = (1..operands).map(|_| operand(form.ty, rng)).collect();
    let product = all.iter().map(|x| magnitude(form.ty, *x)).reduce(|a, b| a.times(&b)).expect("an operand is narrow");
    let product = below(Layout::of(Ty::F32), &product);
    all.push(if rng.below(4) == 0 { operand(Ty::F32, rng) } else { operand_near(Ty::F32, product, rng) });
    all
}

/// The operand registers of a form, each lane by [`lane_operands`].
pub fn registers(form: &Form, operands: usize, rng: &mut Rng) -> Vec<u64> {
    if form.is_mixed() {
        return mixed(form, operands, rng);
    }
    let by_lane: Vec<Vec<u64>> = (0..form.lanes).map(|_| lane_operands(form, operands, rng)).collect();
    (0..operands)
        .map(|i| {
            let lanes: Vec<u64> = by_lane.iter().map(|lane| lane[i]).collect();
            lanes::join(form, &lanes)
        })
        .collect()
}

/// The pattern's magnitude; infinities and NaNs become finite.
fn magnitude(ty: Ty, x: u64) -> Dyadic {
    let layout = Layout::of(ty);
    Dyadic::of(layout, layout.magnitude(x).min(layout.infinity() - 1))
}

/// The pattern of the largest finite magnitude not above `x`.
fn below(layout: &Layout, x: &Dyadic) -> u64 {
    round::largest_not_above(layout, &Exact::dyadic(x.clone()))
}

/// Two positive normal factors whose product is about `target`.
fn factors(layout: &Layout, target: &Dyadic, rng: &mut Rng) -> (u64, u64) {
    let top = target.magnitude.bits() as i32 + target.exponent as i32;
    // Keep both exponents inside the range if the target allows it.
    let (low, high) = (layout.min_exponent(), layout.bias());
    let e =
        rng.between((top - high).clamp(low, high), (top - low - 1).clamp(low, high).max((top - high).clamp(low, high)));
    let a = layout.magnitude(at_exponent(layout, e, rng));
    let quotient = Exact { num: target.clone(), den: Dyadic::of(layout, a), root: 1 };
    (a, round::largest_not_above(layout, &quotient) + rng.below(2))
}

/// A number from a little below the smallest normal to a little above.
fn just_below_normal(layout: &Layout, rng: &mut Rng) -> Dyadic {
    let fine = i64::from(layout.precision()) + 2;
    let least = Dyadic::of(layout, layout.min_normal());
    let mut out = least.scaled(-fine);
    out.magnitude *= (1_u64 << fine) - 8 + rng.below(11);
    out
}

/// `x` moved by a few steps, its sign kept.
fn neighbour(layout: &Layout, x: u64, rng: &mut Rng) -> u64 {
    let m = layout.magnitude(x).saturating_add_signed(rng.between(-4, 4).into());
    (x & layout.sign_bit()) | m.min(layout.sign_bit() - 1)
}

fn exponent(layout: &Layout, x: u64) -> i32 {
    (layout.magnitude(x) >> layout.fraction) as i32 - layout.bias()
}

/// A finite number with exponent `e`, brought into range (below it: a subnormal), and a fraction
/// that is uniform, or has few ones or few zeros.
fn at_exponent(layout: &Layout, e: i32, rng: &mut Rng) -> u64 {
    let field = e.clamp(layout.min_exponent() - 1, layout.bias()) + layout.bias();
    let fraction = match rng.below(4) {
        0 => rng.next() & rng.next() & rng.next() & rng.next(),
        1 => !(rng.next() & rng.next() & rng.next() & rng.next()),
        2 => 1_u64.wrapping_shl(rng.next() as u32).wrapping_sub(rng.below(3)),
        _ => rng.next(),
    };
    let sign = if rng.below(2) == 0 { 0 } else { layout.sign_bit() };
    sign | (field as u64) << layout.fraction | fraction & (layout.min_normal() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of generated triples whose result is inexact but within 1/64 of a unit of a tie.
    #[test]
    fn near_ties_are_near_ties() {
        for ty in [Ty::F16, Ty::Bf16, Ty::F32, Ty::F64] {
            let layout = Layout::of(ty);
            let mut rng = Rng::new(9);
            let mut hits = 0;
            for _ in 0..1000 {
                let [a, b, c] = near_tie(ty, &mut rng);
                let product = magnitude(ty, a).times(&magnitude(ty, b));
                let opposed = layout.is_negative(a ^ b ^ c);
                let c = magnitude(ty, c);
                let exact = if opposed { product.distance(&c) } else { product.plus(&c) };
                let x = below(layout, &exact);
                let (low, high) = (Dyadic::of(layout, x), Dyadic::of(layout, x + 1));
                let off = low.midpoint(&high).distance(&exact);
                hits += u32::from(off.compare(&low.distance(&high).scaled(-6)).is_lt());
            }
            println!("{ty:?}: {hits} of 1000 within ulp/64 of a tie");
            assert!(hits > 300, "{ty:?} {hits}");
        }
    }

    #[test]
    fn products_surround_the_smallest_normal() {
        for ty in [Ty::F16, Ty::F32] {
            let layout = Layout::of(ty);
            let mut rng = Rng::new(10);
            let (mut flushed, mut kept) = (0, 0);
            for _ in 0..2000 {
                let [a, b] = near_min_normal(ty, &mut rng);
                let exact = Exact::dyadic(magnitude(ty, a).times(&magnitude(ty, b)));
                if round::round(layout, &exact, false, crate::Rnd::Rn) == layout.min_normal()
                    && exact.compare(&Dyadic::of(layout, layout.min_normal())).is_lt()
                {
                    let tiny = round::is_tiny(layout, &exact, false, crate::Rnd::Rn);
                    *(if tiny { &mut flushed } else { &mut kept }) += 1;
                }
            }
            println!("{ty:?}: rounded up to the smallest normal, {flushed} flushed and {kept} kept");
            assert!(flushed > 20 && kept > 20, "{ty:?} {flushed} {kept}");
        }
    }
}
