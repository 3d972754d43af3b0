//! A model of the instructions, for tests on other machines.

use crate::format::{Binary16, Binary32};
use crate::modifiers::{Modifiers, Round};
use crate::sem;

pub(super) fn widen(x: u16) -> f32 {
    f32::from_bits(sem::convert::<Binary16, Binary32>(Round::Rn, x))
}

pub(super) fn narrow(x: f32) -> u16 {
    sem::convert::<Binary32, Binary16>(Round::Rn, x.to_bits())
}

pub(super) fn fma(x: f32, y: f32, z: f32) -> f32 {
    f32::from_bits(sem::fma::<Binary32>(Modifiers::PLAIN, x.to_bits(), y.to_bits(), z.to_bits()))
}

pub(super) fn sqrt(x: f32) -> f32 {
    f32::from_bits(sem::sqrt::<Binary32>(Modifiers::PLAIN, x.to_bits()))
}
