//! Blocks of narrow numbers with one scale each: OCP's microscaling formats (MX) and NVIDIA's
//! NVFP4.
//!
//! Blocks are computed by forms of the table alone, so that every target has the same bits.

use core::marker::PhantomData;

use super::LengthError;
use super::error::must;
use super::operand::sealed::Outcome as _;
use super::operand::{Output, Target, View};
use super::reduce::Largest;
use super::run::{assign, cvt, cvt_pack, cvt_pairs, into};
use super::views::cast;
use crate::backend::lanes::op;
use crate::format::{Binary32, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2, Format};
use crate::level::Level;
use crate::modifiers::Modifiers;
use crate::types::{Bf16x2, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};

/// An element type of microscaling blocks: [`E4m3`], [`E5m2`], [`E2m3`], [`E3m2`], or [`E2m1x2`]
/// with two numbers. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of microscaling blocks",
    label = "not `E4m3`, `E5m2`, `E2m3`, `E3m2` or `E2m1x2`",
    note = "the order of arguments is `quantize_mx(x, scales, out)` and `dequantize_mx(x, scales, out)`; scales are `Ue8m0`"
)]
pub trait Microscaled: Narrow {}

mod sealed {
    use super::Level;

    /// An element type of blocks.
    pub trait Narrow: Copy + Send + Sync {
        /// The numbers of an element.
        const NUMBERS: usize;
        /// The exponent of the largest number.
        const EMAX: i32;
        /// Converts at most [`CHUNK`](super::CHUNK) numbers by `cvt.rn.satfinite`.
        fn narrow(level: Level, x: &[f32], out: &mut [Self]);
        /// Converts at most [`CHUNK`](super::CHUNK) numbers to f32.
        fn widen(level: Level, x: &[Self], out: &mut [f32]);
    }
}
use sealed::Narrow;

/// Numbers that are scaled and converted at a time. They fit into the first-level cache, and are
/// whole blocks.
const CHUNK: usize = 512;

const NEAREST: u16 = Modifiers::PLAIN.with_satfinite(true).code();
const PLAIN: u16 = Modifiers::PLAIN.code();

/// Returns a part of an output, at a level.
fn part<T>(level: Level, out: &mut [T]) -> Target<'_, T> {
    Target { out, level, parallel: false }
}

macro_rules! narrow {
    ($($ty:ident $format:ident;)*) => {$(
        impl Microscaled for $ty {}

        impl Narrow for $ty {
            const NUMBERS: usize = 1;
            const EMAX: i32 = $format::EMAX;
            #[inline]
            fn narrow(level: Level, x: &[f32], out: &mut [Self]) {
                must(cvt::<f32, Self, NEAREST>(&[View::Slice(x)], part(level, out)));
            }
            #[inline]
            fn widen(level: Level, x: &[Self], out: &mut [f32]) {
                must(cvt::<Self, f32, PLAIN>(&[View::Slice(x)], part(level, out)));
            }
        }
    )*};
}

narrow! { E4m3 Float8E4M3; E5m2 Float8E5M2; E2m3 Float6E2M3; E3m2 Float6E3M2; }

impl Microscaled for E2m1x2 {}

impl Narrow for E2m1x2 {
    const NUMBERS: usize = 2;
    const EMAX: i32 = Float4E2M1::EMAX;
    #[inline]
    fn narrow(level: Level, x: &[f32], out: &mut [Self]) {
        let (mut high, mut low) = ([0.0; CHUNK / 2], [0.0; CHUNK / 2]);
        for ((x, high), low) in x.chunks_exact(2).zip(&mut high).zip(&mut low) {
            [*low, *high] = [x[0], x[1]];
        }
        let lanes = [View::Slice(&high[..out.len()]), View::Slice(&low[..out.len()])];
        must(cvt_pack::<f32, Self, NEAREST>(&lanes, part(level, out)));
    }
    #[inline]
    fn widen(level: Level, x: &[Self], out: &mut [f32]) {
        // A bf16 is the upper half of the f32 of the same value.
        let mut pairs = [Bf16x2::ZERO; CHUNK / 2];
        must(cvt_pairs::<Self, Bf16x2, PLAIN>(&[View::Slice(x)], part(level, &mut pairs[..x.len()])));
        for (pair, out) in pairs.iter().zip(out.chunks_exact_mut(2)) {
            let bits = pair.to_bits();
            out.copy_from_slice(&[bits << 16, bits & 0xFFFF_0000].map(f32::from_bits));
        }
    }
}

/// A rule for scales: the size of a block, its scale, and the scaling of its numbers.
trait Rule {
    type Scale: Copy + Send + Sync;
    const BLOCK: usize;
    /// Combines numbers and their [`factor`](Self::factor)s, before the numbers are rounded.
    fn scaled(operands: &[View<'_, f32>], target: Target<'_, f32>) -> Result<(), LengthError>;
    /// The scale of a block, of whose magnitudes that is the largest, a NaN if one of them is.
    fn scale(largest: f32) -> Self::Scale;
    fn factor(scale: Self::Scale) -> f32;
    /// Returns the factor that restores a number of a block.
    fn value(scale: Self::Scale) -> f32;
}

/// Scales that are powers of two: a block's largest number gets the exponent of the type's largest
/// one.
struct Mx<E>(PhantomData<E>);

impl<E: Narrow> Rule for Mx<E> {
    type Scale = Ue8m0;
    const BLOCK: usize = 32;
    fn scaled(operands: &[View<'_, f32>], target: Target<'_, f32>) -> Result<(), LengthError> {
        into::<op::Mul, f32, PLAIN>(operands, target)
    }
    fn scale(largest: f32) -> Ue8m0 {
        let scale = Ue8m0::from_f32_rz(largest);
        if scale.is_nan() { scale } else { Ue8m0::from_bits(scale.to_bits().saturating_sub(E::EMAX as u8)) }
    }
    // A product with the inverse power is the quotient.
    fn factor(scale: Ue8m0) -> f32 {
        if scale.is_nan() { scale.to_f32() } else { Ue8m0::from_bits(Ue8m0::MAX.to_bits() - scale.to_bits()).to_f32() }
    }
    fn value(scale: Ue8m0) -> f32 {
        scale.to_f32()
    }
}

/// Scales that turn a block's largest number into 6, up to rounding.
struct Nvfp4;

impl Rule for Nvfp4 {
    type Scale = E4m3;
    const BLOCK: usize = 16;
    fn scaled(operands: &[View<'_, f32>], target: Target<'_, f32>) -> Result<(), LengthError> {
        into::<op::Div, f32, PLAIN>(operands, target)
    }
    fn scale(largest: f32) -> E4m3 {
        E4m3::from_f32(crate::ptx::div_rn_f32(largest, 6.0))
    }
    // A scale of zero turns every number into zero.
    fn factor(scale: E4m3) -> f32 {
        if scale.to_bits() == 0 { f32::INFINITY } else { scale.to_f32() }
    }
    fn value(scale: E4m3) -> f32 {
        scale.to_f32()
    }
}

/// One chunk.
fn quantize<R: Rule, E: Narrow>(level: Level, x: &[f32], scales: &mut [R::Scale], out: &mut [E]) {
    let (mut factors, mut scaled) = ([0.0; CHUNK], [0.0; CHUNK]);
    for ((x, scale), factors) in x.chunks(R::BLOCK).zip(scales).zip(factors.chunks_mut(R::BLOCK)) {
        *scale = R::scale(f32::from_bits(Largest::<Binary32>(cast(x)).of()));
        factors.fill(R::factor(*scale));
    }
    let scaled = &mut scaled[..x.len()];
    let operands = [View::Slice(x), View::Slice(&factors[..x.len()])];
    must(R::scaled(&operands, part(level, scaled)));
    E::narrow(level, scaled, out);
}

/// One chunk.
fn dequantize<R: Rule, E: Narrow>(level: Level, x: &[E], scales: &[R::Scale], out: &mut [f32]) {
    let mut factors = [0.0; CHUNK];
    for (factors, &scale) in factors.chunks_mut(R::BLOCK).zip(scales) {
        factors.fill(R::value(scale));
    }
    E::widen(level, x, out);
    let factors = View::Slice(&factors[..out.len()]);
    must(assign::<op::Mul, f32, PLAIN>(&[factors], part(level, out)));
}

fn quantize_all<R: Rule, E: Narrow>(
    x: &[f32],
    scales: &mut [R::Scale],
    Target { out, level, parallel }: Target<'_, E>,
) -> Result<(), LengthError> {
    LengthError::check_taken("x", x.len(), out.len() * E::NUMBERS, "out", out.len())?;
    LengthError::check_taken("scales", scales.len(), x.len().div_ceil(R::BLOCK), "x", x.len())?;
    let (blocks, elements) = (CHUNK / R::BLOCK, CHUNK / E::NUMBERS);
    #[cfg(feature = "rayon")]
    if parallel {
        use rayon::prelude::*;
        let chunks = x.par_chunks(CHUNK).zip(scales.par_chunks_mut(blocks)).zip(out.par_chunks_mut(elements));
        chunks.for_each(|((x, scales), out)| quantize::<R, E>(level, x, scales, out));
        return Ok(());
    }
    let _ = parallel;
    let chunks = x.chunks(CHUNK).zip(scales.chunks_mut(blocks)).zip(out.chunks_mut(elements));
    chunks.for_each(|((x, scales), out)| quantize::<R, E>(level, x, scales, out));
    Ok(())
}

fn dequantize_all<R: Rule, E: Narrow>(
    x: &[E],
    scales: &[R::Scale],
    Target { out, level, parallel }: Target<'_, f32>,
) -> Result<(), LengthError> {
    LengthError::check_taken("out", out.len(), x.len() * E::NUMBERS, "x", x.len())?;
    LengthError::check_taken("scales", scales.len(), out.len().div_ceil(R::BLOCK), "out", out.len())?;
    let (blocks, elements) = (CHUNK / R::BLOCK, CHUNK / E::NUMBERS);
    #[cfg(feature = "rayon")]
    if parallel {
        use rayon::prelude::*;
        let chunks = x.par_chunks(elements).zip(scales.par_chunks(blocks)).zip(out.par_chunks_mut(CHUNK));
        chunks.for_each(|((x, scales), out)| dequantize::<R, E>(level, x, scales, out));
        return Ok(());
    }
    let _ = parallel;
    let chunks = x.chunks(elements).zip(scales.chunks(blocks)).zip(out.chunks_mut(CHUNK));
    chunks.for_each(|((x, scales), out)| dequantize::<R, E>(level, x, scales, out));
    Ok(())
}

/// Rounds blocks of 32 numbers to a narrow type with a scale each, by OCP's microscaling formats
/// (MX, version 1.0).
///
/// The scale of a block is 2^(⌊log₂ m⌋ − e), but at least 2⁻¹²⁷. m is the block's largest
/// magnitude, and e the exponent of the type's largest number: 8 for [`E4m3`], 15 for [`E5m2`], 2
/// for [`E2m3`] and [`E2m1x2`], 4 for [`E3m2`].
///
/// In forms, the scale is `cvt.rz.satfinite.ue8m0` of m, with e subtracted from its exponent. A
/// number becomes `cvt.rn.satfinite` of its `mul.rn.f32` with the inverse of the scale. A number
/// beyond the type's largest one becomes the largest.
///
/// | block | result |
/// |---|---|
/// | with a NaN | the scale is NaN, and so are all numbers |
/// | with an infinity | the scale is that of 2¹²⁷, and the infinity becomes the largest number |
/// | of zeros | the scale is 2⁻¹²⁷ |
///
/// `x` has as many numbers as `out`. An [`E2m1x2`] has two numbers, the lower lane first. `scales`
/// has one scale for every 32 numbers; the last block may be shorter.
///
/// # Panics
///
/// The function panics if lengths differ. With [`checked`](super::checked) it returns the error
/// instead.
///
/// # Examples
///
/// ```
/// use ptxf::{E2m1x2, E4m3, Ue8m0, slice};
///
/// let x = [0.1, -1.0, 3.0, 1000.0]; // a short block
/// let (mut scale, mut d) = ([Ue8m0::ONE], [E4m3::ZERO; 4]);
/// slice::quantize_mx(&x, &mut scale, &mut d);
/// assert_eq!(scale[0].to_f32(), 2.0); // 1000 is 1.95 · 2⁹, and 448 is 1.75 · 2⁸
/// assert_eq!(d.map(E4m3::to_bits), [0x15, 0xb0, 0x3c, 0x7e]);
///
/// let mut d = [E2m1x2::ZERO; 2];
/// slice::quantize_mx(&x, &mut scale, &mut d);
/// assert_eq!((scale[0].to_f32(), d.map(E2m1x2::to_bits)), (128.0, [0x80, 0x70]));
/// ```
#[inline]
#[track_caller]
pub fn quantize_mx<E: Microscaled, O: Output<E>>(x: &[f32], scales: &mut [Ue8m0], mut out: O) -> O::Outcome {
    O::Outcome::of(quantize_all::<Mx<E>, E>(x, scales, out.target()))
}

/// Converts microscaling blocks to f32: `mul.rn.f32` of each number and the scale of its block.
///
/// Lengths are those of [`quantize_mx`].
///
/// # Panics
///
/// The function panics if lengths differ. With [`checked`](super::checked) it returns the error
/// instead.
///
/// # Examples
///
/// ```
/// use ptxf::{E2m1x2, Ue8m0, slice};
///
/// let mut d = [0.0; 4];
/// slice::dequantize_mx(&[0x80, 0x71].map(E2m1x2::from_bits), &[Ue8m0::from_bits(0x86)], &mut d);
/// // 0, -0, 64, 768
/// assert_eq!(d.map(f32::to_bits), [0x0000_0000, 0x8000_0000, 0x4280_0000, 0x4440_0000]);
/// ```
#[inline]
#[track_caller]
pub fn dequantize_mx<E: Microscaled, O: Output<f32>>(x: &[E], scales: &[Ue8m0], mut out: O) -> O::Outcome {
    O::Outcome::of(dequantize_all::<Mx<E>, E>(x, scales, out.target()))
}

/// Rounds blocks of 16 numbers to four bits with a scale in [`E4m3`] each, by NVIDIA's NVFP4.
///
/// The scale of a block is `cvt.rn.satfinite.e4m3` of `div.rn.f32` of its largest magnitude by 6. A
/// number becomes `cvt.rn.satfinite.e2m1` of its `div.rn.f32` by the scale, or zero if the scale is
/// zero. A tensor with numbers near 6 · 448 = 2688 or below 6 · 2⁻⁶ needs a scale of its own:
/// divide by it before.
///
/// A NaN makes its block's scale and all numbers of the block NaN. An infinity makes the scale 448
/// and becomes 6.
///
/// `x` has twice as many numbers as `out` has elements, the lower lane first. `scales` has one
/// scale for every 16 numbers; the last block may be shorter.
///
/// # Panics
///
/// The function panics if lengths differ. With [`checked`](super::checked) it returns the error
/// instead.
///
/// # Examples
///
/// ```
/// use ptxf::{E2m1x2, E4m3, slice};
///
/// let (mut scale, mut d) = ([E4m3::ZERO], [E2m1x2::ZERO; 2]);
/// slice::quantize_nvfp4(&[0.1, -1.0, 3.0, 9.0], &mut scale, &mut d);
/// assert_eq!((scale[0].to_f32(), d.map(E2m1x2::to_bits)), (1.5, [0x90, 0x74])); // 0, -0.5; 2, 6
/// ```
#[inline]
#[track_caller]
pub fn quantize_nvfp4<O: Output<E2m1x2>>(x: &[f32], scales: &mut [E4m3], mut out: O) -> O::Outcome {
    O::Outcome::of(quantize_all::<Nvfp4, E2m1x2>(x, scales, out.target()))
}

/// Converts NVFP4 blocks to f32: each number times the scale of its block, exactly.
///
/// Lengths are those of [`quantize_nvfp4`].
///
/// # Panics
///
/// The function panics if lengths differ. With [`checked`](super::checked) it returns the error
/// instead.
///
/// # Examples
///
/// ```
/// use ptxf::{E2m1x2, E4m3, slice};
///
/// let mut d = [0.0; 4];
/// slice::dequantize_nvfp4(&[0x90, 0x74].map(E2m1x2::from_bits), &[E4m3::from_f32(1.5)], &mut d);
/// // 0, -0.75, 3, 9
/// assert_eq!(d.map(f32::to_bits), [0x0000_0000, 0xbf40_0000, 0x4040_0000, 0x4110_0000]);
/// ```
#[inline]
#[track_caller]
pub fn dequantize_nvfp4<O: Output<f32>>(x: &[E2m1x2], scales: &[E4m3], mut out: O) -> O::Outcome {
    O::Outcome::of(dequantize_all::<Nvfp4, E2m1x2>(x, scales, out.target()))
}
