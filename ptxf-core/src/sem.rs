//! The meaning of every instruction: integers only, generic over the [`Format`], with the modifiers as an
//! argument.
//!
//! This is the reference that every faster way has to equal bit for bit. Each function takes and returns the bits of a register's
//! lane. There is one file per family:
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
//!
//! # How an arithmetic function works
//!
//! ```text
//! fma(modifiers, a, b, c):
//!     if .ftz: subnormal operands become zeros of the same sign
//!     if an operand is a NaN or an infinity: result := what IEEE 754 and the manual say of it
//!     otherwise:
//!         exact := a · b + c                  an integer significand and an exponent
//!         result := round(exact, modifiers)   once: the only place that rounds is `round.rs`
//!     if .sat or .relu: clamp the result
//! ```
//!
//! Where the exact value does not fit, as those of quotients and roots never do, it is computed to at least two bits more than the
//! format has, and everything below is jammed into the last bit. That bit says "not exact", which is all that rounding asks. `.ftz` on a result
//! is decided in `round` too: a result is flushed if it is tiny after rounding with an *unbounded* exponent.
//!
//! A format is an argument, so tests run the same code on `Mini`, an 8-bit format whose operands can all be tried in threes.
//!
//! # The default model
//!
//! An approximate instruction has no one result: the manual gives a bound, and each device its own bits. Its *default model* is the
//! correctly rounded result with the manual's special values, flush rules and documented exceptions. It lies inside every documented
//! bound, which `tests/bounds.rs` checks. For `ex2.approx.f16` the relative bound can only be meant for normal results, since no
//! subnormal f16 keeps it.
//!
//! # What the manual leaves open
//!
//! | topic | here |
//! |---|---|
//! | NaN results of f16, bf16, f32 | canonical: `0x7FFF`, `0x7FFF`, `0x7FFFFFFF` |
//! | NaN results of f64 | a NaN operand, quieted, with its sign: of `add`, `sub`, `mul` and `fma` the first NaN of `b`, `c` and `a`, of `div` that of `a` and `b`, as on an H100; a NaN of no NaN operand is `0xFFF8000000000000` |
//! | min and max of two f64 NaNs | the second one, quieted |
//! | neg, abs, copysign of a NaN | only the sign bit changes |
//! | NaN results of the narrow formats | the positive one, `0x7F`; `0x7FFFE000` in tf32, of `.rna` too; the largest number where there is no NaN |
//! | cvt from f32 to f32, and from f64 to f64, without modifiers | the bits of the operand, of a NaN too |
//! | a scale `.ue8m0` that is a NaN | a NaN, or the largest number where there is none |
//! | the unused bits of a register with `.e2m3` and `.e3m2` | are not looked at in an operand |
//! | `.rs` to six-bit formats | the first operand of a pair reads its random bits from the other end, as measured for the others |
//! | `.oob` | a factor counts if it is `0x7FF7` but for its sign, in f16 and in bf16, as on an H100; the addend does not |
//! | `.ftz` from f32 to f16 by `.rm` and `.rp` | a subnormal operand is 0, as the manual says of `.ftz`; an H100 rounds it |
//! | `.xorsign.abs` with one NaN | the NaN's sign takes part |
//! | f64 forms that read upper words | a NaN whose payload is in the lower word is an infinity to them |
//! | half `fma` without rounding | does not exist: the manual's grammar requires `.rn`, though a note calls it the default |

use crate::format::Format;
use crate::modifiers::Modifiers;
use crate::spec::Property;

mod approx;
pub(crate) mod arith;
mod compare;
mod convert;
mod elementary;
mod encoding;
mod minmax;
mod mixed;
mod nan;
mod number;
mod quotient;
mod round;
mod sign;

pub use approx::{cos, div_approx, ex2, lg2, rcp_approx_f64, rsqrt_approx, rsqrt_approx_f64, sin, tanh};
pub use arith::{OOB_NAN, add, fma, mad_sm1x, mul, sub};
pub use compare::{selp, set, slct_f32, slct_s32};
pub(crate) use convert::random_bits;
pub use convert::{convert, cvt, cvt_rna, cvt_rs, cvt_scaled, random_pair, random_quad};
pub(crate) use convert::{prepared, scale_of};
pub use encoding::{Encoding, Value};
pub use minmax::{max, max3, min, min3};
pub use mixed::{mixed_add, mixed_fma, mixed_sub};
pub use number::Finite;
pub use quotient::{div, rcp, sqrt};
pub use round::{Random, Rounding};
pub use sign::{abs, copysign, neg, testp};

ptxf_macros::meanings!();
