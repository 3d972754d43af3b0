//! The floating-point instructions of NVIDIA's PTX, with one defined result everywhere.
//!
//! The library computes what the floating-point instructions of the PTX ISA manual compute
//! (chapters 9.7.3 and 9.7.4, conversions and comparisons), bit for bit, on any machine. Its types
//! are [`F16`], [`Bf16`], their pairs [`F16x2`] and [`Bf16x2`], [`F32x2`], Rust's f32 and f64, and
//! [narrow formats](types) such as [`E4m3`]. The following sections show the first five rows.
//!
//! | you have | use |
//! |---|---|
//! | an algorithm in f32, for a GPU, a CPU, or to measure its error in half precision | [`#[ptx_kernel]`](macro@ptx_kernel) |
//! | slices of values | [`slice`](mod@slice) |
//! | an expensive function of one 16-bit value | [`unary_table!`] |
//! | single values to compute with | the types, and the functions in [`ptx`](mod@ptx) |
//! | PTX to port | [`ptx!`] |
//! | a device's bits to reproduce where it approximates | [`tables::device::Model`] |
//! | a question about an instruction | [`spec::FORMS`], or `ptxf explain` on the command line |
//! | a question about a number format | `ptxf format` on the command line, or [`format`](mod@format) |
//! | a format or an instruction of your own | [`sem`], generic over the [`Format`](crate::format::Format) |
//!
//! # Kernels
//!
//! A kernel is a function in f32, written for one thread. The attribute makes versions of it in
//! 16-bit floats: for one thread, for two threads in a register, as a GPU's packed instructions run
//! them, and for this CPU's vectors. All versions leave the same bits.
//!
//! ```
//! use ptxf::{F16, ptx_kernel};
//!
//! #[ptx_kernel(pair = F16x2)]
//! fn axpy(t: ThreadX, n: usize, a: f32, x: &[f32], y: &mut [f32]) {
//!     if t < n {
//!         y[t] = a.mul_add(x[t], y[t]);
//!     }
//! }
//!
//! let (x, mut y) = ([F16::from_f32(0.5); 5], [F16::ONE; 5]);
//! axpy::wide(5, 5, 3.0, &x, &mut y);
//! assert_eq!(y, [F16::from_f32(2.5); 5]);
//! ```
//!
//! The module [`kernel`](mod@kernel) describes the language and how kernels reach a GPU.
//!
//! # Slices
//!
//! Every form works on whole slices too, at the speed of the CPU's vectors, into an output or in
//! place.
//!
//! ```
//! use ptxf::{F16, slice};
//!
//! let mut x = [1.0, -2.0, 3.0].map(F16::from_f32);
//! slice::fma_rn_relu_f16_assign(&mut x, slice::Splat(F16::from_f32(2.0)), slice::Splat(F16::ONE));
//! assert_eq!(x.map(F16::to_f32), [3.0, 0.0, 7.0]);
//! ```
//!
//! # Tables
//!
//! A function of one 16-bit value is a table of 65,536 results. [`unary_table!`] computes it from
//! an expression when the program is compiled, and proves that each result is rounded once.
//!
//! ```
//! use ptxf::{F16, unary_table};
//!
//! unary_table!(static SIGMOID: F16 -> F16 = |x| 1 / (1 + exp(-x)));
//!
//! assert_eq!(SIGMOID.get(F16::from_f32(2.0)).to_bits(), 0x3b0c);
//! ```
//!
//! # Types
//!
//! A *form* is one legal spelling of an instruction, such as `fma.rn.relu.f16x2`. Each form is a
//! function under its full name in [`ptx`](mod@ptx) and, for the types of this crate, a method.
//! Operators are the `.rn` forms.
//!
//! ```
//! use ptxf::{F16x2, ptx};
//!
//! let a = F16x2::from_f32([1.5, -2.0]);
//! let b = F16x2::from_f32([3.0, 3.0]);
//!
//! let d = a.fma_rn_relu(b, F16x2::ZERO);
//! assert_eq!(d.to_f32(), [4.5, 0.0]);
//! assert_eq!(d, ptx::fma_rn_relu_f16x2(a, b, F16x2::ZERO));
//! assert_eq!((a * b).to_f32(), [4.5, -6.0]);
//! ```
//!
//! # `ptx!`
//!
//! The macro takes PTX as the manual prints it, one instruction or a block of them. A spelling that
//! the manual does not allow is an error at the wrong word, which lists the legal ones.
//!
//! ```
//! use ptxf::{F16, ptx};
//!
//! let (a, b) = (F16::from_f32(0.5), F16::ONE);
//! assert_eq!(ptx!(add.rn.sat.f16(a, b)), F16::ONE);
//! ```
//!
//! ```compile_fail
//! # use ptxf::{Bf16, ptx};
//! let sum = ptx!(add.sat.bf16(Bf16::ONE, Bf16::ONE)); // `.sat` does not exist for bf16
//! ```
//!
//! # What the bits are
//!
//! Exact forms are computed exactly and rounded once, in the direction that the form names. NaN
//! results of f16, bf16 and f32 are the canonical NaN. An f64 result keeps the payload of a NaN
//! operand: of `b`, else of `c`, else of `a`. `neg`, `abs` and `copysign` change only the sign bit.
//! Approximate forms (`.approx`, `.full`) follow the *default model*: the correctly rounded result,
//! with the manual's special values, flush rules and documented exceptions, within every bound of
//! the manual. A device may return another result within the bound.
//!
//! Results are the same on every target and at every optimization level. The library uses the CPU's
//! floating-point unit where its results are proven to be these bits, and integers elsewhere:
//! neither an FPU nor a soft-float library is needed. No function of a scalar or a pair panics or
//! allocates.
//!
//! # Features
//!
//! `std` is on by default. Without it the crate is `no_std` and needs no allocator:
//!
//! ```toml
//! ptxf = { version = "0.1", default-features = false }
//! ```
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `std` | yes | the choice of vector instructions at run time |
//! | `half`, `num-traits`, `bytemuck`, `zerocopy-08`, `serde`, `rand-010`, `approx-05`, `arbitrary`, `defmt` | no | the traits of these crates |
//! | `rayon` | no | all cores: `slice::par`, `Grid::parallel` |
//! | `table-ex2-approx-f16`, `table-ex2-approx-ftz-bf16`, `table-tanh-approx-f16`, `table-tanh-approx-bf16` | no | an instruction's table in [`tables`], 128 KiB each |
//! | `kernel-trace` | no | `kernel::trace`, which records what a launch touches, for tests |
//!
//! A feature that has another crate's name implements that crate's traits, or conversions from its
//! types: with `half`, for example, [`F16`](F16#trait-implementations) implements
//! `From<half::f16>`, and `half::f16` implements `From<F16>`. A nightly compiler has these
//! conversions for the language's `f16` with `--cfg ptxf_f16` in `RUSTFLAGS`.

#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod slice;
pub mod tables;

// The names with pages. A glob with pages would overwrite those of the attributes, so that the one
// at the end is hidden: it exports the same names, and private ones of the macros.
#[cfg(feature = "std")]
#[doc(inline)]
pub use ptxf_core::LevelVariableError;
#[doc(inline)]
#[doc = include_str!("attributes/ptx_fn.md")]
pub use ptxf_core::ptx_fn;
#[doc(inline)]
#[doc = include_str!("attributes/ptx_kernel.md")]
pub use ptxf_core::ptx_kernel;
#[doc(inline)]
#[doc = include_str!("attributes/ptx_module.md")]
pub use ptxf_core::ptx_module;
#[cfg(feature = "rand-010")]
#[doc(inline)]
pub use ptxf_core::rand;
#[cfg(feature = "serde")]
#[doc(inline)]
pub use ptxf_core::serde;
#[doc(inline)]
pub use ptxf_core::{
    Bf16, Bf16x2, BitComparison, BoolOp, Comparison, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2,
    E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4, E5m2, E5m2x2, E5m2x4, F16, F16x2, F32x2, Level, Modifiers, ParseFloatError,
    ParseLevelError, Round, S2f6, S2f6x2, SignedComparison, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
    UnsignedComparison, for_each_form, for_each_slice_form, for_each_slice_lane, format, int, kernel, matrix,
    modifiers, ptx, sem, spec, types,
};
#[doc(inline)]
pub use ptxf_tables::unary_table;

#[doc(hidden)]
pub use ptxf_core::*;

/// The names that programs use most: the types, the rounding, and `ptx`, both the module of
/// functions and the macro.
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
    #[doc(no_inline)]
    pub use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2, Round, ptx};
}

/// The README's programs are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The programs of the page on matrix units are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/matrix.md")]
struct Matrix;
