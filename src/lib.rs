//! The floating-point instructions of NVIDIA's PTX, with one defined result everywhere.
//!
//! A *form* is one legal spelling of chapters 9.7.3 and 9.7.4 of the PTX ISA manual, such as `fma.rn.relu.f16x2`. Each form is
//! a function under its full name and, for the types of this crate, a method:
//!
//! ```
//! use ptxf::{F16, F16x2, ptx};
//!
//! let a = F16x2::from_f32([1.5, -2.0]);
//! let b = F16x2::splat(F16::from_f32(3.0));
//! let c = F16x2::ZERO;
//!
//! let d = a.fma_rn_relu(b, c);
//! assert_eq!(d.to_f32(), [4.5, 0.0]);
//! assert_eq!(d, ptx::fma_rn_relu_f16x2(a, b, c));
//! assert_eq!(d, ptx!(fma.rn.relu.f16x2(a, b, c)));
//! ```
//!
//! # Which way in
//!
//! | you have | use |
//! |---|---|
//! | values to compute with | [`F16`], [`Bf16`], [`F16x2`], [`Bf16x2`], [`F32x2`]: operators are the `.rn` forms, the rest are methods |
//! | f32 or f64 values, or a form's full name | the functions in [`ptx`](mod@ptx) |
//! | slices of them | the same names in [`slice`](mod@slice), at the speed of the CPU's vectors |
//! | PTX to port | [`ptx!`], which takes the manual's spelling, a line or a block |
//! | an expensive function of one 16-bit value | [`unary_table!`], and [`tables`] |
//! | a device's bits to reproduce where it approximates | [`tables::device::Model`] |
//! | a question about a form | [`spec::FORMS`], or `ptxf explain` on the command line |
//! | a format or an instruction of your own | [`sem`], generic over the [`Format`](crate::format::Format) |
//!
//! # What the bits are
//!
//! Exact forms are computed exactly and rounded once, in the direction the form names. NaN results of f16, bf16 and f32 are the
//! canonical NaN; f64 keeps the payload of the first NaN operand; `neg`, `abs` and `copysign` touch only the sign bit.
//! Approximate forms (`.approx`, `.full`) follow the *default model*: the correctly rounded result with the manual's special
//! values, flush rules and documented exceptions, inside every bound that the manual documents. A device may return something
//! else within the bound.
//!
//! The same bits come out on every target and at every optimization level. Where the CPU's floating-point unit is proven to
//! give them it is used; elsewhere integers are, so that neither an FPU nor a soft-float library is needed. No function of a
//! scalar or a pair panics or allocates.
//!
//! # Features
//!
//! `std` and `half` are on by default; without default features the crate is `no_std` and needs no allocator. Integrations
//! with other crates are features named after them: `num-traits`, `bytemuck`, `zerocopy-08`, `serde`, `rand-010`, `approx-05`,
//! `arbitrary`, `defmt`. Each `table-…` adds a table of an instruction to [`tables`], 128 KiB.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(inline)]
pub use ptxf_core::*;
pub use ptxf_tables as tables;
pub use ptxf_tables::unary_table;

/// The types, the functions' module and the macro: `use ptxf::prelude::*;`.
///
/// # Examples
///
/// ```
/// use ptxf::prelude::*;
///
/// let x = F16::from_f32(0.5) + F16::ONE;
/// assert_eq!(ptx::ex2_approx_f16(F16::ONE), ptx!(add.f16(x, F16::from_f32(0.5))));
/// ```
pub mod prelude {
    pub use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2, Round, ptx};
}

/// The README's program is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
