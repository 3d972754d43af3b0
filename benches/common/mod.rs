//! Random numbers and conversions that the benches share.

#![allow(dead_code, reason = "each bench uses a part")]

use std::hint::black_box;
use std::time::Instant;

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

/// Returns cycles per nanosecond.
///
/// A chain of multiplications takes three cycles each on today's x86-64 and AArch64 CPUs.
pub(crate) fn clock() -> f64 {
    const STEPS: u32 = 1_000_000;
    let chain = || {
        let start = Instant::now();
        let mut x = black_box(3_u64);
        for _ in 0..STEPS {
            // Compilers find no closed form for repeated squaring.
            x = x.wrapping_mul(x);
        }
        black_box(x);
        f64::from(3 * STEPS) / start.elapsed().as_nanos() as f64
    };
    (0..50).map(|_| chain()).fold(0.0, f64::max)
}
