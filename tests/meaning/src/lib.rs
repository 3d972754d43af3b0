//! The reference implementation of a form, called from its table entry. Every fast path is compared
//! with it.
//!
//! It is a library so that unoptimized tests call optimized code.

mod element;

pub use element::Element;

use ptxf_core::format::{Format, Mini};
use ptxf_core::int::Int;
use ptxf_core::spec::FormInfo;

/// Computes `form` through [`sem`](ptxf_core::sem), lane by lane.
///
/// # Panics
///
/// Panics if the number of operands is not the form's.
#[must_use]
pub fn meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    form.by_meaning(operands).expect("the table's operand count")
}

/// Computes `form`'s instruction and modifiers on the 8-bit format.
///
/// # Panics
///
/// Panics if the number of operands is not the form's.
#[must_use]
pub fn mini_meaning(form: &FormInfo, operands: &[u64]) -> u64 {
    let x: Vec<_> = operands.iter().map(|&x| <Mini as Format>::Bits::of_low_bits(x.into())).collect();
    form.meaning.lane::<Mini>(form.effect, &x).expect("a result in the operands' format").into()
}
