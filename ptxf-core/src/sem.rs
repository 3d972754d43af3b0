//! The meaning of every instruction, in integers only. It is generic over the [`Format`], and takes
//! the modifiers as an argument.
//!
//! The meaning is the reference that every faster implementation has to equal bit for bit. Each
//! function takes and returns the bits of one lane of a register. There is one file per family of
//! instructions:
//!
//! | file | instructions |
//! |---|---|
//! | `arith` | add, sub, mul, fma, mad |
//! | `quotient` | div, rcp, sqrt, rsqrt |
//! | `minmax` | min, max (two and three inputs) |
//! | `sign` | neg, abs, copysign, testp |
//! | `approx` | the approximate forms under the default model |
//! | `convert` | cvt: rounding from one encoding to another |
//! | `encoding` | the encodings: floating point, integers, fixed point |
//! | `compare` | set, setp, selp, slct |
//! | `mixed` | add, sub, fma of f32 with 16-bit operands |
//! | `across` | add, sub, mul, fma of several formats |
//! | [`matrix`] | one step of a matrix unit |
//!
//! # How an arithmetic function works
//!
//! ```text
//! fma(modifiers, a, b, c):
//!     if .ftz: subnormal operands become zeros of the same sign
//!     if an operand is a NaN or an infinity: result := what IEEE 754 and the manual prescribe
//!     otherwise:
//!         exact := a · b + c                  an integer significand and an exponent
//!         result := round(exact, modifiers)   once: the only place that rounds is `round.rs`
//!     if .sat or .relu: clamp the result
//! ```
//!
//! If the exact value does not fit, as for quotients and roots, it is computed to at least two bits
//! more than the format has. A nonzero remainder sets the last bit (it is "jammed"), because
//! rounding needs to know only that the value is inexact. `round` also decides `.ftz` on a result:
//! a result is flushed if it is tiny after rounding with an *unbounded* exponent.
//!
//! A format is an argument, so tests run the same code on `Mini`, an 8-bit format, with all triples
//! of operands.
//!
//! # The default model
//!
//! The manual does not define the bits of an approximate instruction: it gives an error bound, and
//! each device has its own bits. The *default model* is the correctly rounded result, with the
//! manual's special values, flush rules and documented exceptions. It lies inside every documented
//! bound, which `tests/bounds.rs` checks. For `ex2.approx.f16` the relative bound can apply only to
//! normal results, because no subnormal f16 satisfies it.
//!
//! # What the manual leaves open
//!
//! | topic | here |
//! |---|---|
//! | NaN results of f16, bf16, f32 | canonical: `0x7FFF`, `0x7FFF`, `0x7FFFFFFF` |
//! | NaN results of f64 | a NaN operand, quieted, with its sign: for `add`, `sub`, `mul` and `fma` the first NaN of `b`, `c` and `a`, for `div` that of `a` and `b`, as on an H100; without a NaN operand `0xFFF8000000000000` |
//! | min and max of two f64 NaNs | the second NaN, quieted |
//! | neg, abs, copysign of a NaN | only the sign bit changes |
//! | NaN results of the narrow formats | the positive NaN, `0x7F`; `0x7FFFE000` in tf32, also for `.rna`; the largest number in formats without NaN |
//! | cvt from f32 to f32, and from f64 to f64, without modifiers | the bits of the operand, also of a NaN |
//! | a scale `.ue8m0` that is a NaN | a NaN, or the largest number in formats without NaN |
//! | the unused bits of a register with `.e2m3` and `.e3m2` | ignored in operands |
//! | `.rs` to six-bit formats | the first operand of a pair reads its random bits in reverse, as measured for the other formats |
//! | a number out of the range of `.ue5m3` | the NaN, except by `.rz`, as in NVIDIA's headers |
//! | `.2pi` at half and whole turns | a zero with the operand's sign; +0 for the cosine |
//! | f32 pairs to f16 or bf16, and `mul` of f16 and bf16 | the exact result, rounded once |
//! | `.oob` | a factor is out of bounds if its magnitude is `0x7FF7`, in f16 and in bf16, as on an H100; the addend is not tested |
//! | `.ftz` from f32 to f16 by `.rm` and `.rp` | a subnormal operand is 0, as the manual defines `.ftz`; an H100 rounds it |
//! | `.xorsign.abs` with one NaN | the NaN's sign counts |
//! | f64 forms that read upper words | a NaN whose payload is in the lower word counts as an infinity |
//! | half-precision `fma` without rounding | does not exist: the manual's grammar requires `.rn`, although a note calls it the default |

use crate::format::Format;
use crate::modifiers::{Modifiers, Property};

mod across;
mod approx;
pub(crate) mod arith;
mod compare;
mod convert;
mod elementary;
mod encoding;
pub mod matrix;
mod minmax;
mod mixed;
mod nan;
mod number;
mod quotient;
mod round;
mod sign;

pub use across::{across_add, across_fma, across_mul, across_sub};
pub(crate) use across::{negative, product, sum};
pub use approx::{
    cos, cos_2pi, div_approx, ex2, lg2, rcp_approx_f64, rsqrt_approx, rsqrt_approx_f64, sin, sin_2pi, tanh,
};
pub use arith::{OOB_NAN, add, fma, mad_sm1x, mul, sub};
pub use compare::{selp, set, slct_f32, slct_s32};
pub(crate) use convert::random_bits;
pub use convert::{convert, cvt, cvt_divided, cvt_rna, cvt_rs, cvt_scaled, random_pair, random_quad};
pub(crate) use convert::{prepared, scale_of};
pub use encoding::{Encoding, Value};
pub use minmax::{max, max3, min, min3};
pub use mixed::{mixed_add, mixed_fma, mixed_sub};
pub use number::Finite;
pub use quotient::{div, rcp, sqrt};
pub use round::{Random, Rounding};
pub use sign::{abs, copysign, neg, testp};

ptxf_macros::meanings!();
