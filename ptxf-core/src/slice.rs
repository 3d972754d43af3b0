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
//! Floats become integers and integers floats in the same way. What is beyond an integer's range becomes its end, and a NaN 0; the upper bit
//! alone if it is an f64 or the integer has 64 bits:
//!
//! ```
//! use ptxf::slice;
//!
//! let mut d = [0_i8; 4];
//! slice::cvt_rni_s8_f32(&[2.5, -3.5, 1e9, f32::NAN], &mut d);
//! assert_eq!(d, [2, -4, 127, 0]);
//! ```
//!
//! What PTX has in packed registers alone, there are functions for the lanes of: `cvt_rn_satfinite_e4m3_f32(a, out)` is
//! `cvt.rn.satfinite.e4m3x2.f32`, number by number. Those that round by random bits take words, of which neighbours share one:
//!
//! ```
//! use ptxf::{E4m3, F16, slice};
//!
//! let mut d = [E4m3::ZERO; 4];
//! slice::cvt_rn_satfinite_e4m3_f32(&[0.1, -1.0, 1e9, f32::NAN], &mut d);
//! assert_eq!(d.map(E4m3::to_bits), [0x1d, 0xb8, 0x7e, 0x7f]);
//! let mut h = [F16::ZERO; 4];
//! slice::cvt_rn_f16_e4m3(&d, &mut h);
//! assert_eq!(h.map(F16::to_bits), [0x2e80, 0xbc00, 0x5f00, 0x7fff]);
//!
//! // 1.0625 is half way from 1 to 1.125: lanes 0 and 2 read the lower and the upper half, 1 and 3 the same from the other end.
//! slice::cvt_rs_satfinite_e4m3_f32(slice::Splat(1.0625), &[0x8000_7fff], &mut d);
//! assert_eq!(d.map(E4m3::to_bits), [0x38, 0x39, 0x39, 0x38]);
//! ```
//!
//! Blocks of narrow numbers that share a scale are made by [`quantize_mx`] (32 of [`E4m3`], [`E5m2`], [`E2m3`], [`E3m2`] or
//! [`E2m1x2`](crate::E2m1x2), with a [`Ue8m0`]) and [`quantize_nvfp4`] (16 of `E2m1x2`, with an [`E4m3`]).
//!
//! Results are stored past the caches where operands and results together are larger than the last-level cache.

mod block;
mod cast;
mod error;
mod integer;
mod operand;
mod random;
mod reduce;
mod run;
mod scaled;

pub use block::{
    Microscaled, dequantize_mx, dequantize_nvfp4, quantize_mx, quantize_nvfp4, try_dequantize_mx, try_dequantize_nvfp4,
    try_quantize_mx, try_quantize_nvfp4,
};
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
use crate::modifiers::{Modifiers, Round, effect};
use crate::types::{Bf16, E2m1, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};
use error::must;
use integer::{cvt_from_integer, cvt_to_integer};
use run::{assign, into};
use scaled::{cvt_pack_scaled, cvt_scaled};

ptxf_macros::slices!();
ptxf_macros::slice_lanes!();
