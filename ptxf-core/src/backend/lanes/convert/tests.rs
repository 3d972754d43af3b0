//! Pairs of the narrow formats, at every level, against the meaning. `tests/slices` has all that
//! slices have.

use std::vec;
use std::vec::Vec;

use super::{Pack, Pairs};
use crate::backend::lanes::form_modifiers::form;
use crate::backend::lanes::walk::{Job, Operand, Run};
use crate::format::{BFloat16, Binary16, Binary32, Exponent8, Float4E2M1, Float6E2M3, Float8E5M2};
use crate::int::Int as _;
use crate::level::Level;
use crate::modifiers::{Modifiers, Round};

const PLAIN: Modifiers = Modifiers::PLAIN;
const FINITE: Modifiers = PLAIN.with_satfinite(true);
const FINITE_RELU: Modifiers = FINITE.with_relu(true);
const FINITE_RP: Modifiers = FINITE.with_rnd(Round::Rp);

/// Operands, and others in another order.
fn check<C: Run<To: PartialEq>>(conversion: C, x: &[C::From]) {
    let other: Vec<C::From> = x.iter().rev().copied().collect();
    let want: Vec<C::To> = x.iter().zip(&other).map(|(&a, &b)| conversion.scalar([a, b, b])).collect();
    for level in Level::available() {
        let mut d = vec![C::To::ZERO; x.len()];
        let [a, b] = [x, &other].map(|x| Operand::slice(x.as_ptr()));
        // SAFETY: all of these slices have one length.
        let job = unsafe { Job::new([a, b, b], d.as_mut_ptr(), x.len(), false) };
        // SAFETY: the CPU has the level.
        unsafe { conversion.run(level, job) };
        let wrong = (0..x.len()).find(|&i| d[i] != want[i]);
        assert_eq!(wrong.map(|i| (x[i], other[i], d[i], want[i])), None, "{} at {level}", core::any::type_name::<C>());
    }
}

/// Next to every bf16, which are all numbers of the narrow formats and the middles between them.
fn floats() -> Vec<u32> {
    (0..=u16::MAX).map(|x| u32::from(x) << 16).flat_map(|x| [x.wrapping_sub(1), x, x + 1]).collect()
}

#[test]
fn two_numbers_in_a_register_are_the_meaning() {
    check(Pack::<Binary32, Float8E5M2, _>::new(form::<{ FINITE.code() }>()), &floats());
    check(Pack::<Binary32, Float6E2M3, _>::new(form::<{ FINITE_RELU.code() }>()), &floats());
    check(Pack::<Binary32, Float4E2M1, _>::new(form::<{ FINITE.code() }>()), &floats());
    check(Pack::<Binary32, Exponent8, _>::new(form::<{ FINITE_RP.code() }>()), &floats());
    check(Pack::<Binary32, Binary16, _>::new(form::<{ FINITE_RP.code() }>()), &floats());
}

#[test]
fn pairs_of_lanes_that_are_less_than_a_byte_are_the_meaning() {
    let halves: Vec<u32> = (0..=u16::MAX).map(|x| u32::from(x) << 16 | u32::from(x.wrapping_mul(40_503))).collect();
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    check(Pairs::<Binary16, Float4E2M1, _>::new(form::<{ FINITE.code() }>()), &halves);
    check(Pairs::<BFloat16, Float4E2M1, _>::new(form::<{ FINITE_RELU.code() }>()), &halves);
    check(Pairs::<Float4E2M1, Binary16, _>::new(form::<{ PLAIN.code() }>()), &bytes);
    check(Pairs::<Float4E2M1, BFloat16, _>::new(form::<{ PLAIN.code() }>()), &bytes);
}
