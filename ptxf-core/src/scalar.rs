//! One lane on the CPU: the floating-point unit where it is proven to give the same bits, else the
//! meaning.
//!
//! ```text
//! fma(modifiers, a, b, c):
//!     match float::fma(modifiers, a, b, c):       the `float`, `vfp` or `no_float` of the target
//!         Some(result) => result                  proven to be the meaning's
//!         None => sem::fma(modifiers, a, b, c)    directed rounding, a NaN the unit may change
//! ```
//!
//! The unit depends on the target alone, never on an optimization level or a flag: `float` if the
//! target's baseline has IEEE 754 hardware with binary64, `vfp` on a Cortex-M4F and its successors,
//! `no_float` elsewhere.

use core::any::TypeId;

use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};
use crate::sem::{self, Encoding};

/// Calls `callback!` with the operations that have a route besides the meaning.
macro_rules! each_route {
    ($callback:ident) => {
        $callback! {
            add(a, b);
            sub(a, b);
            mul(a, b);
            fma(a, b, c);
            div(a, b);
            rcp(a);
            sqrt(a);
        }
    };
}

// The targets whose baseline has IEEE 754 binary32 and binary64 in hardware.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod float;
// Those with binary32 and conversion from and to binary16: thumbv7em-none-eabihf and
// thumbv8m.main-none-eabihf. Stable compilers do not tell the unit's features. Of bare ARM with an
// FPU only the M profile lacks 64-bit atomics.
#[cfg(all(target_arch = "arm", target_os = "none", target_abi = "eabihf", not(target_has_atomic = "64")))]
use vfp as float;
// Everywhere else a float operation may be a call into a soft-float library, slower than the
// integer meaning.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "arm", target_os = "none", target_abi = "eabihf", not(target_has_atomic = "64"))
)))]
#[path = "scalar/no_float.rs"]
mod float;

// Tests try its arithmetic on other machines.
#[cfg(any(test, all(target_arch = "arm", target_os = "none", target_abi = "eabihf", not(target_has_atomic = "64"))))]
mod vfp;

pub(crate) use sem::{
    abs, copysign, cos, cos_2pi, div_approx, ex2, lg2, mad_sm1x, max, max3, min, min3, neg, rcp_approx_f64,
    rsqrt_approx, rsqrt_approx_f64, sin, sin_2pi, tanh,
};

macro_rules! proven_or_meaning {
    ($($name:ident($($operand:ident),*);)*) => {$(
        #[inline(always)]
        pub(crate) fn $name<F: Format>(m: Modifiers, $($operand: F::Bits),*) -> F::Bits {
            match float::$name::<F>(m, $($operand),*) {
                Some(d) => d,
                None => sem::$name::<F>(m, $($operand),*),
            }
        }
    )*};
}

each_route!(proven_or_meaning);

/// `x` rounded once to the encoding `To`.
#[inline_in_release]
pub(crate) fn convert<From: Encoding, To: Encoding>(rnd: Round, x: From::Bits) -> To::Bits {
    /// The pairs of formats that have a route.
    macro_rules! routes {
        ($($from:ident => $($to:ident)*;)*) => {$($(
            if is::<From, $from>() && is::<To, $to>() && let Some(d) = float::convert::<$from, $to>(rnd, x.cast()) {
                return d.cast();
            }
        )*)*};
    }
    routes! {
        Binary16 => BFloat16 Binary32;
        BFloat16 => Binary16 Binary32;
        Binary32 => Binary16 BFloat16;
        Binary64 => Binary16 BFloat16 Binary32;
    }
    sem::convert::<From, To>(rnd, x)
}

/// Returns `true` if the types are the same, a constant to the compiler.
#[inline_in_release]
fn is<A: 'static, B: 'static>() -> bool {
    TypeId::of::<A>() == TypeId::of::<B>()
}

/// [`convert`] with all modifiers.
#[inline_in_release]
pub(crate) fn cvt<From: Encoding, To: Encoding>(m: Modifiers, x: From::Bits) -> To::Bits {
    if m.only_rounds() && !is::<From, To>() { convert::<From, To>(m.rnd(), x) } else { sem::cvt::<From, To>(m, x) }
}
