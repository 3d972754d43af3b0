//! The meaning of a form, called from its table entry.

use ptxf_core::format::{Format, Mini};
use ptxf_core::int::Int;
use ptxf_core::spec::FormInfo;

/// `form` through [`sem`](ptxf_core::sem), lane by lane: what every fast path has to equal.
#[allow(dead_code, reason = "not every test binary uses it")]
pub(crate) fn meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    form.by_meaning(operands).expect("the table's operand count")
}

/// `form`'s instruction and modifiers on the 8-bit format.
#[allow(dead_code, reason = "not every test binary uses it")]
pub(crate) fn mini_meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    let x: Vec<_> = operands.iter().map(|&x| <Mini as Format>::Bits::truncate(x.into())).collect();
    form.meaning.lane::<Mini>(form.effect, &x).expect("a result in the operands' format").into()
}
