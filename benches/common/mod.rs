//! Random numbers and conversions that the benches share.

#![allow(dead_code, reason = "each bench uses a part")]

use half::{bf16, f16};
use ptxf::{Bf16, F16};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a uniform number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number of mean 0 and deviation 1 (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (core::f64::consts::TAU * self.unit()).cos()
    }
}

// Conversions between equal bits of the two libraries' types.

pub(crate) fn h(x: F16) -> f16 {
    f16::from_bits(x.to_bits())
}

pub(crate) fn f(x: f16) -> F16 {
    F16::from_bits(x.to_bits())
}

pub(crate) fn bh(x: Bf16) -> bf16 {
    bf16::from_bits(x.to_bits())
}

pub(crate) fn bf(x: bf16) -> Bf16 {
    Bf16::from_bits(x.to_bits())
}
