//! From a result back to the sums that lead to it.

use ptxf_tables::device::unit::{Complement, Evaluation, Finish, Function, Step};

use super::solve::Sample;

/// What a result says about the operand's segment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// Nothing: the unit does not interpolate here, and returns this.
    Nothing,
    /// An inequality.
    About(usize, Sample),
    /// The unit as described never returns it.
    Never,
}

/// Beyond every sum: 2^26 · 2^14 and what is added to it.
const LIMIT: i64 = 1 << 46;

/// What this result of this operand says.
pub(crate) fn says(function: Function, e: Evaluation, complement: Complement, operand: u32, result: u32) -> Says {
    let (segment, x, finish) = match function.step(operand, complement) {
        Step::Done(expected) if expected == result => return Says::Nothing,
        Step::Done(_) => return Says::Never,
        Step::Look { segment, x, finish } => (segment, x, finish),
    };
    // Results grow with the sum, but for the ones of a negative wave: count magnitudes there.
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
        return Says::Never;
    }
    let sample = Sample { x: x.into(), g: e.square(x), lo: lo - e.bias, hi: hi - e.bias };
    Says::About(segment, sample)
}
