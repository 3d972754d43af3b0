//! The forms over whole slices, at the speed of the CPU's vectors and bit for bit what the functions of one value return.
//!
//! Every elementwise form of the table and every conversion is here under its full name, in one shape:
//!
//! ```
//! use ptxf::{F16, slice};
//!
//! let a = [1.0, 2.0, 3.0].map(F16::from_f32);
//! let b = [0.5, 0.5, -2.0].map(F16::from_f32);
//! let mut d = [F16::ZERO; 3];
//!
//! slice::fma_rn_relu_f16(&a, &b, slice::Splat(F16::ONE), &mut d);
//! assert_eq!(d.map(F16::to_f32), [1.5, 2.0, 0.0]);
//!
//! let mut x = a;
//! slice::mul_rn_f16_assign(&mut x, &b);
//! assert_eq!(x.map(F16::to_f32), [0.5, 1.0, -6.0]);
//!
//! slice::cvt_rn_f16_f32(&[0.1, 1.0, 1e6], &mut d);
//! assert_eq!(d.map(F16::to_bits), [0x2e66, 0x3c00, 0x7c00]);
//! ```
//!
//! | name | results go to | lengths that differ |
//! |---|---|---|
//! | `fma_rn_f16(a, b, c, out)` | `out` | panic |
//! | `fma_rn_f16_assign(a, b, c)` | `a`, whose values are the first operand | panic |
//! | `try_fma_rn_f16`, `try_fma_rn_f16_assign` | the same | return [`LengthError`], and nothing is written |
//!
//! An operand is a slice, an array, or a [`Splat`], which is one value for every element. The output is a mutable slice or array,
//! or what [`at`] makes of one, which chooses the level. Slices may have any length, and any alignment that their type allows.
//! A form of one operand has no `try_…_assign`, because in place there is no second length that could differ. A conversion has
//! neither `_assign`. One whose result is a pair takes its lanes from two slices, the upper ones from the first; for neighbours in
//! one slice there are [`lanes`] and [`pairs`], and the conversion of scalars.
//!
//! Results are stored past the caches where operands and results together are larger than the last-level cache.

mod cast;
mod error;
mod operand;
mod reduce;
mod run;

pub use error::LengthError;
#[cfg(feature = "rayon")]
#[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
pub use operand::par;
pub use operand::{Operand, Output, OutputAt, Splat, at};
pub use reduce::*;

pub use cast::{Cast, cast, cast_mut};
#[cfg(target_endian = "little")]
pub use cast::{Pair, lanes, lanes_mut, pairs, pairs_mut};

use crate::backend::lanes::op;
use crate::modifiers::{Modifiers, Round};
use crate::types::{Bf16, Bf16x2, F16, F16x2, F32x2};
use run::{assign, cvt, cvt_pack, into};

ptxf_macros::slices!();
