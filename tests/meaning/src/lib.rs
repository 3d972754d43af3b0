//! The meaning of a form, called from its table entry: what every fast way to its result is compared with.
//!
//! A library, so that tests which are not optimized themselves call it optimized.

mod element;

pub use element::Element;

use ptxf_core::format::{Format, Mini};
use ptxf_core::int::Int;
use ptxf_core::spec::FormInfo;

/// `form` through [`sem`](ptxf_core::sem), lane by lane: what every fast path has to equal.
///
/// # Panics
///
/// If the number of operands is not the form's.
#[must_use]
pub fn meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    form.by_meaning(operands).expect("the table's operand count")
}

/// `form`'s instruction and modifiers on the 8-bit format.
///
/// # Panics
///
/// If the number of operands is not the form's.
#[must_use]
pub fn mini_meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    let x: Vec<_> = operands.iter().map(|&x| <Mini as Format>::Bits::of_low_bits(x.into())).collect();
    form.meaning.lane::<Mini>(form.effect, &x).expect("a result in the operands' format").into()
}
