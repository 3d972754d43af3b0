//! The forms over whole slices, at the speed of the CPU's vectors, with the bits of the functions
//! of one value.
//!
//! Every elementwise form of the table and every conversion has a function here,
//! `slice::fma_rn_f16`, under its full name. The modules below group the functions: one for each
//! instruction, three for `cvt`, and [`reduce`], [`block`] and [`views`]. Programs name the
//! functions without the module.
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
//! | function | stores results in |
//! |---|---|
//! | `fma_rn_f16(a, b, c, out)` | `out` |
//! | `fma_rn_f16_assign(a, b, c)` | `a`, the first operand; conversions have no such function |
//!
//! An operand is a slice, an array, or a [`Splat`] with one value for every element. The output is
//! a mutable slice or array. Slices have any length, and any alignment that their type allows.
//! Results are stored past the caches where operands and results together are larger than the
//! last-level cache.
//!
//! | output | effect |
//! |---|---|
//! | `&mut d` | the CPU's best level; lengths that differ are a panic |
//! | [`checked`]`(&mut d)` | the function returns a [`LengthError`] if lengths differ, and writes nothing |
//! | [`at`]`(level, &mut d)` | the instructions of this level |
//! | `par(&mut d)`, with the feature `rayon` | all cores |
//!
//! # Conversions
//!
//! Floats become integers and integers floats. A number out of an integer's range becomes the
//! nearest integer of the range. A NaN becomes 0, or the upper bit alone if it is an f64 or the
//! integer has 64 bits.
//!
//! ```
//! use ptxf::slice;
//!
//! let mut d = [0_i8; 4];
//! slice::cvt_rni_s8_f32(&[2.5, -3.5, 1e9, f32::NAN], &mut d);
//! assert_eq!(d, [2, -4, 127, 0]);
//! ```
//!
//! A conversion whose result is a pair takes its lanes from two slices, the upper ones from the
//! first. For neighbours in one slice there are conversions of scalars, which PTX has in packed
//! registers alone: `cvt_rn_satfinite_e4m3_f32(a, out)` is `cvt.rn.satfinite.e4m3x2.f32`, number by
//! number. Conversions that round by random bits take words, which neighbours share. [`lanes`] and
//! [`pairs`] view pairs as scalars and scalars as pairs.
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
//! // 1.0625 is half way from 1 to 1.125. Lanes 0 and 2 read the lower and the upper half of the
//! // word, lanes 1 and 3 the same halves reversed.
//! slice::cvt_rs_satfinite_e4m3_f32(slice::Splat(1.0625), &[0x8000_7fff], &mut d);
//! assert_eq!(d.map(E4m3::to_bits), [0x38, 0x39, 0x39, 0x38]);
//! ```
//!
//! # Blocks with a scale
//!
//! [`quantize_mx`] makes blocks of 32 numbers with a [`Ue8m0`]: of [`E4m3`], [`E5m2`], [`E2m3`],
//! [`E3m2`] or [`E2m1x2`](crate::E2m1x2). [`quantize_nvfp4`] makes blocks of 16 numbers of `E2m1x2`
//! with an [`E4m3`]. For other scales, such as one for a whole tensor, [`amax_f32`] returns the
//! largest magnitude.
//!
//! ```
//! use ptxf::{E4m3, slice};
//!
//! let x = [0.5_f32, -1000.0, 3.0];
//! let scale = 448.0 / slice::amax_f32(&x); // the largest E4m3 by the largest number
//! let mut scaled = [0.0; 3];
//! slice::mul_rn_f32(&x, slice::Splat(scale), &mut scaled);
//! let mut d = [E4m3::ZERO; 3];
//! slice::cvt_rn_satfinite_e4m3_f32(&scaled, &mut d);
//! assert_eq!(d.map(E4m3::to_bits), [0x26, 0xfe, 0x3b]);
//! ```
//!
//! # Why no function has a `try_` twin
//!
//! Lengths that differ are a mistake in the program, as with `copy_from_slice`. Programs that must
//! not panic wrap the output in [`checked`], once for every function.
//!
//! [`E2m3`]: crate::E2m3
//! [`E3m2`]: crate::E3m2
//! [`E4m3`]: crate::E4m3
//! [`E5m2`]: crate::E5m2
//! [`Ue8m0`]: crate::Ue8m0

#[doc(inline)]
pub use ptxf_core::slice::groups::*;
#[cfg(feature = "rayon")]
#[doc(inline)]
#[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
pub use ptxf_core::slice::par;
#[doc(inline)]
pub use ptxf_core::slice::{Checked, LengthError, Operand, Output, OutputAt, Splat, at, checked};

// The functions of all groups: each has its page in its group.
#[doc(hidden)]
pub use ptxf_core::slice::*;
