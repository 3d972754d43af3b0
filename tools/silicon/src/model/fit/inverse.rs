//! Inverts the unit: from a result to the sums that lead to it.

use ptxf_tables::device::unit::{Complement, Evaluation, Finish, Function, Step};

use super::solve::Sample;

/// The condition that a result puts on the coefficients of the operand's segment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Inverse {
    /// No condition: the unit returns this result without interpolation.
    Free,
    /// An inequality for the segment with this number.
    Inequality(usize, Sample),
    /// No coefficients lead to the result.
    Impossible,
}

/// A bound above every sum, which is about 2^26 · 2^14.
const LIMIT: i64 = 1 << 46;

/// Returns the condition of this result of this operand.
pub(crate) fn invert(function: Function, e: Evaluation, complement: Complement, operand: u32, result: u32) -> Inverse {
    let (segment, x, finish) = match function.step(operand, complement) {
        Step::Done(expected) if expected == result => return Inverse::Free,
        Step::Done(_) => return Inverse::Impossible,
        Step::Look { segment, x, finish } => (segment, x, finish),
    };
    // Results grow with the sum. For the negative half of a wave the magnitudes do.
    let key = |bits: u32| match finish {
        Finish::Logarithm { .. } if bits >> 31 == 1 => -i64::from(bits & 0x7fff_ffff) - 1,
        Finish::Logarithm { .. } => i64::from(bits),
        _ => i64::from(bits & 0x7fff_ffff),
    };
    let at = |sum: i64| finish.result(sum >> e.shift);
    let first = |reached: &dyn Fn(i64) -> bool| {
        let (mut below, mut above) = (-LIMIT, LIMIT);
        while above - below > 1 {
            let middle = below.midpoint(above);
            if reached(key(at(middle))) { above = middle } else { below = middle }
        }
        above
    };
    let target = key(result);
    let lo = first(&|k| k >= target);
    let hi = first(&|k| k > target) - 1;
    if lo > hi || at(lo) != result {
        return Inverse::Impossible;
    }
    let sample = Sample { x: x.into(), g: e.square(x), lo: lo - e.bias, hi: hi - e.bias };
    Inverse::Inequality(segment, sample)
}
