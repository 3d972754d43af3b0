//! Products of whole matrices, in vectors.
//!
//! # A step in vectors
//!
//! The lanes are columns of the result. An element of A is the same for all of them.
//!
//! ```text
//! M := max over k of (exponent of a[k] + exponent of b[k]), and of the addend
//! each product: a · b as f32 (exact: 22 bits), times 2^(F − M), converted to an integer, which cuts
//! sum the integers, convert to f32 toward zero, times 2^(M − F)
//! ```
//!
//! The lanes of a step are *doubtful* if M leaves the range in which all of these numbers are normal
//! f32, or if the integers overflow. Infinities and NaNs have an exponent that makes M leave it. The
//! meaning computes such lanes.
//!
//! # Width
//!
//! A product is below 2^(M + 2), hence the integer below 2^27 for F = 25. The sums of each half of
//! the products, of which there are 16 then, are below 2^30; their own sum may overflow, which is
//! checked.
// Invariant: a float is converted to an integer only if it is below 2^27.
#![expect(unsafe_code, reason = "conversions to integers without saturation, and calls of a level's code")]

use super::mma::{Mma, Way, require_shapes};
use super::operand::{Kind, NONE, Operand, sealed};
use super::view::View;
use crate::backend::lanes::engine::Vectors;
use crate::backend::lanes::levels::{self, Task};
use crate::level::Level;
use crate::ptx;
use crate::sem::matrix::{Rule, Sum, step};
use crate::types::{Bf16, F16};

/// What happens to the sums of a product: options of [`Mma::gemm`].
///
/// # Examples
///
/// ```
/// use ptxf::matrix::Gemm;
///
/// // PyTorch's `_scaled_mm` with `use_fast_accum=False`
/// let options = Gemm::new().promote(128).alpha(0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gemm {
    alpha: f32,
    promote: usize,
    level: Option<Level>,
}

impl Default for Gemm {
    fn default() -> Self {
        Self::new()
    }
}

impl Gemm {
    /// Returns the options of a plain product: one chain, and a factor of 1.
    #[must_use]
    pub const fn new() -> Self {
        Self { alpha: 1.0, promote: usize::MAX, level: None }
    }

    /// Multiplies each sum by `alpha`, in f32 to nearest, before it is rounded to the result.
    #[must_use]
    pub const fn alpha(mut self, alpha: f32) -> Self {
        self.alpha = alpha;
        self
    }

    /// Begins a new chain every `products` products, and adds the chains' results in f32 to nearest,
    /// from +0.
    ///
    /// # Panics
    ///
    /// Panics unless `products` is a multiple of 64.
    #[must_use]
    #[track_caller]
    pub const fn promote(mut self, products: usize) -> Self {
        assert!(products != 0 && products.is_multiple_of(DEPTH), "a chain has a multiple of 64 products");
        self.promote = products;
        self
    }

    /// Selects the instructions. Results are the same at every level.
    ///
    /// # Panics
    ///
    /// Panics if this CPU does not have the level.
    #[must_use]
    #[track_caller]
    pub fn level(mut self, level: Level) -> Self {
        assert!(level.is_available(), "this CPU does not have {level}");
        self.level = Some(level);
        self
    }

    /// Returns an element of the result.
    fn element<D: Rounded>(self, sum: f32) -> D {
        D::round(if self.alpha == 1.0 { sum } else { ptx::mul_rn_f32(sum, self.alpha) })
    }
}

/// The format of a product's elements: f32, [`F16`] or [`Bf16`], to which sums are rounded to
/// nearest even.
pub trait Rounded: Copy + Send + Sync + 'static + sealed::Sealed {
    /// Rounds a sum.
    #[doc(hidden)]
    fn round(sum: f32) -> Self;
}

impl Rounded for f32 {
    fn round(sum: f32) -> Self {
        sum
    }
}

impl Rounded for F16 {
    fn round(sum: f32) -> Self {
        ptx::cvt_rn_f16_f32(sum)
    }
}

impl Rounded for Bf16 {
    fn round(sum: f32) -> Self {
        ptx::cvt_rn_bf16_f32(sum)
    }
}

impl<A: Operand, B: Operand> Mma<A, B, f32> {
    /// Computes the product `a · b` with the bits of the unit, by the vectors of this CPU.
    ///
    /// Each element is one chain of instructions in ascending k, from +0, rounded to the result's
    /// format at the end. `d` is written row by row. With the feature `rayon` all cores work. On an
    /// H100 these are cuBLAS's products in f16 and bf16 for [`Unit::sm_90`](super::Unit::sm_90) or
    /// `sm_90a`, and in e4m3 for `sm_90a`, with or without [`Gemm::promote`].
    ///
    /// # Panics
    ///
    /// Panics if the shapes do not fit.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Bf16;
    /// use ptxf::matrix::{Gemm, Unit, View};
    ///
    /// let a = [1.0, 2.0, 3.0, 4.0].map(Bf16::from_f32);
    /// let b = [5.0, 6.0].map(Bf16::from_f32);
    /// let mut d = [Bf16::ZERO; 2];
    /// let mma = Unit::sm_90().mma::<Bf16, Bf16, f32>()?;
    /// mma.gemm(Gemm::new(), View::new(&a, 2, 2), View::new(&b, 2, 1), &mut d);
    /// assert_eq!(d.map(Bf16::to_f32), [17.0, 39.0]);
    /// # Ok::<(), ptxf::matrix::Absent>(())
    /// ```
    #[track_caller]
    pub fn gemm<D: Rounded>(self, options: Gemm, a: View<'_, A>, b: View<'_, B>, d: &mut [D]) {
        require_shapes(a.rows(), a.columns(), b.rows(), b.columns(), d.len());
        let columns = b.columns();
        if d.is_empty() {
            return;
        }
        let level = options.level.unwrap_or_else(Level::detect);
        let some = |first: usize, d: &mut [D]| match self.way {
            Way::Steps(rule, sum) => {
                let product = Product { rule, sum, options, a, b, first: first / columns, d };
                // SAFETY: `detect` and `Gemm::level` return a level of this CPU alone.
                unsafe { levels::run(level, product) }
            }
            Way::ByF16(..) => {
                for (at, d) in d.iter_mut().enumerate() {
                    let (i, j) = ((first + at) / columns, at % columns);
                    *d = options.element(self.promoted(options, a, b, i, j));
                }
            }
        };
        #[cfg(feature = "rayon")]
        {
            crate::parallel::chunks(d, HEIGHT * columns, &some);
        }
        #[cfg(not(feature = "rayon"))]
        some(0, d);
    }

    /// Returns one sum, by the meaning.
    fn promoted(self, options: Gemm, a: View<'_, A>, b: View<'_, B>, i: usize, j: usize) -> f32 {
        let chain = |first: usize| {
            let count = options.promote.min(a.columns() - first);
            self.chain(count, |k| a.get(i, first + k), |k| b.get(first + k, j), 0.0)
        };
        if a.columns() <= options.promote {
            return chain(0);
        }
        (0..a.columns()).step_by(options.promote).fold(0.0, |sum, first| ptx::add_rn_f32(sum, chain(first)))
    }
}

/// Rows of a part of the result.
const HEIGHT: usize = 64;
/// Columns of a part of the result.
const WIDTH: usize = 64;
/// Products that are decoded at a time, a multiple of the products of a step.
const DEPTH: usize = 64;

/// Some rows of a product.
struct Product<'a, A, B, D> {
    rule: Rule,
    sum: Sum,
    options: Gemm,
    a: View<'a, A>,
    b: View<'a, B>,
    /// The first of the rows.
    first: usize,
    d: &'a mut [D],
}

/// Decoded elements of A, row by row, or of B: significands and exponents.
struct Decoded<const OUTER: usize, const INNER: usize> {
    significands: [[f32; INNER]; OUTER],
    exponents: [[i32; INNER]; OUTER],
}

impl<const OUTER: usize, const INNER: usize> Decoded<OUTER, INNER> {
    const NONE: Self = Self { significands: [[0.0; INNER]; OUTER], exponents: [[NONE; INNER]; OUTER] };

    #[inline(always)]
    fn set(&mut self, outer: usize, inner: usize, (significand, exponent): (f32, i32)) {
        self.significands[outer][inner] = significand;
        self.exponents[outer][inner] = exponent;
    }
}

impl<A: Operand, B: Operand, D: Rounded> Task for Product<'_, A, B, D> {
    type Output = ();
    const IN_F16: bool = false;
    const IN_SIMD128: bool = false;

    #[inline_in_release]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, _: E) {
        match LANES {
            32 => self.run::<16>(),
            16 => self.run::<8>(),
            _ => self.run::<4>(),
        }
    }

    fn portable(self) {
        self.run::<4>();
    }
}

impl<A: Operand, B: Operand, D: Rounded> Product<'_, A, B, D> {
    #[inline_in_release]
    fn run<const L: usize>(self) {
        let wide = matches!(A::KIND, Kind::Bf16 | Kind::Tf32);
        match (self.rule.products, wide) {
            (4, false) => self.parts::<L, 4, false>(),
            (8, false) => self.parts::<L, 8, false>(),
            (16, false) => self.parts::<L, 16, false>(),
            (4, true) => self.parts::<L, 4, true>(),
            (8, true) => self.parts::<L, 8, true>(),
            (16, true) => self.parts::<L, 16, true>(),
            _ => self.parts::<L, 32, false>(),
        }
    }

    #[inline_in_release]
    fn parts<const L: usize, const N: usize, const WIDE: bool>(self) {
        let Self { rule, sum, options, a, b, first, d } = self;
        let (columns, depth) = (b.columns(), a.columns());
        let rows = d.len() / columns;
        let mut decoded_a = Decoded::<HEIGHT, DEPTH>::NONE;
        let mut decoded_b = Decoded::<DEPTH, WIDTH>::NONE;
        for top in (0..rows).step_by(HEIGHT) {
            let height = HEIGHT.min(rows - top);
            for left in (0..columns).step_by(WIDTH) {
                let width = WIDTH.min(columns - left);
                let mut sums = [[0.0_f32; WIDTH]; HEIGHT];
                let mut chains = [[0.0_f32; WIDTH]; HEIGHT];
                for front in (0..depth).step_by(DEPTH) {
                    let here = DEPTH.min(depth - front);
                    for k in 0..DEPTH {
                        for i in 0..height {
                            let x = if k < here { a.get(first + top + i, front + k) } else { A::default() };
                            decoded_a.set(i, k, x.decoded());
                        }
                        for j in 0..WIDTH {
                            let x = if k < here && j < width { b.get(front + k, left + j) } else { B::default() };
                            decoded_b.set(k, j, x.decoded());
                        }
                    }
                    for (i, chains) in chains.iter_mut().enumerate().take(height) {
                        for k in (0..here).step_by(N) {
                            for j in (0..width).step_by(L) {
                                let lanes: &mut [f32; L] = (&mut chains[j..j + L]).try_into().expect("L lanes");
                                let old = *lanes;
                                if step_in_lanes::<L, N, WIDE>(rule, sum, &decoded_a, &decoded_b, [i, k, j], lanes) {
                                    for (l, (lane, old)) in lanes.iter_mut().zip(old).enumerate() {
                                        let (k, j) = (front + k, left + j + l);
                                        if j < columns {
                                            let last = depth.min(k + N);
                                            let product =
                                                |k| a.get(first + top + i, k).factor().times(b.get(k, j).factor());
                                            let terms = || (k..last).map(product).chain([sum.addend(old.to_bits())]);
                                            *lane = f32::from_bits(step(rule, sum, terms));
                                        }
                                    }
                                }
                            }
                        }
                    }
                    if depth > options.promote
                        && ((front + DEPTH).is_multiple_of(options.promote) || front + DEPTH >= depth)
                    {
                        for (sums, chains) in sums.iter_mut().zip(&mut chains).take(height) {
                            for (sum, chain) in sums.iter_mut().zip(chains) {
                                *sum = ptx::add_rn_f32(*sum, *chain);
                                *chain = 0.0;
                            }
                        }
                    }
                }
                let results = if depth > options.promote { &sums } else { &chains };
                for (i, results) in results.iter().enumerate().take(height) {
                    let row = (top + i) * columns + left;
                    for (d, &sum) in d[row..row + width].iter_mut().zip(results) {
                        *d = options.element(sum);
                    }
                }
            }
        }
    }
}

/// Computes a step of row `i` from product `k` on for the columns from `j` on. Returns `true` if a
/// lane is doubtful.
#[inline(always)]
fn step_in_lanes<const L: usize, const N: usize, const WIDE: bool>(
    rule: Rule,
    sum: Sum,
    a: &Decoded<HEIGHT, DEPTH>,
    b: &Decoded<DEPTH, WIDTH>,
    [i, k, j]: [usize; 3],
    lanes: &mut [f32; L],
) -> bool {
    let a_significands: &[f32; N] = a.significands[i][k..k + N].try_into().expect("N products");
    let a_exponents: &[i32; N] = a.exponents[i][k..k + N].try_into().expect("N products");
    let b_significand = |k: usize| -> &[f32; L] { b.significands[k][j..j + L].try_into().expect("L lanes") };
    let b_exponent = |k: usize| -> &[i32; L] { b.exponents[k][j..j + L].try_into().expect("L lanes") };

    let mut largest = [0_i32; L];
    for l in 0..L {
        let code = lanes[l].to_bits() & 0x7FFF_FFFF;
        let exponent = ((code >> 23) as i32).max(1) - 127;
        largest[l] = if code == 0 { NONE } else { exponent };
    }
    for n in 0..N {
        let exponents = b_exponent(k + n);
        for l in 0..L {
            largest[l] = largest[l].max(a_exponents[n] + exponents[l]);
        }
    }
    // The range in which the numbers below are normal; it contains the exponents of most steps.
    let mut doubtful = [0_i32; L];
    let mut to_integer = [0.0_f32; L];
    let mut to_float = [0.0_f32; L];
    for l in 0..L {
        let within = largest[l].clamp(-100, 100);
        doubtful[l] = i32::from(largest[l] != within && largest[l] > 2 * NONE / 5);
        let scale = rule.fraction_bits - within;
        // Numbers above the range are not converted: their scale is 0.
        to_integer[l] = if largest[l] > 100 { 0.0 } else { f32::from_bits(((127 + scale) << 23) as u32) };
        to_float[l] = f32::from_bits(((127 - scale) << 23) as u32);
        largest[l] = within;
    }
    let mut halves = [[0_i32; L]; 2];
    for n in 0..N {
        let (significands, exponents) = (b_significand(k + n), b_exponent(k + n));
        for l in 0..L {
            let product = a_significands[n] * significands[l];
            let scale = if WIDE {
                let scale = rule.fraction_bits + a_exponents[n] + exponents[l] - largest[l];
                let scale = f32::from_bits(((127 + scale.min(30)).max(0) << 23) as u32);
                if to_integer[l] == 0.0 { 0.0 } else { scale }
            } else {
                to_integer[l]
            };
            // SAFETY: the scaled product is below 2^(fraction_bits + 2), at most 2^27.
            halves[n * 2 / N][l] += unsafe { (product * scale).to_int_unchecked::<i32>() };
        }
    }
    let mut any = 0;
    for l in 0..L {
        let addend = if to_integer[l] == 0.0 { 0.0 } else { lanes[l] };
        // SAFETY: an addend whose exponent is at most `largest` is below 2^26 when it is scaled.
        let addend = unsafe { (addend * to_integer[l]).to_int_unchecked::<i32>() };
        let low = halves[0][l] + addend;
        let total = low.wrapping_add(halves[1][l]);
        let overflow = (low ^ total) & (halves[1][l] ^ total);
        let magnitude = total.unsigned_abs();
        // Rounded to nearest first. If that is too large, the number before is the one toward zero.
        let near = magnitude as i32 as f32;
        let back = near as i32;
        let toward_zero = near.to_bits() - u32::from(back > magnitude as i32);
        let kept = if sum == Sum::E8m13 { !0x3FF } else { !0 };
        let result = f32::from_bits(toward_zero & kept) * to_float[l];
        lanes[l] = f32::from_bits(result.to_bits() | (total as u32 & 0x8000_0000));
        any |= doubtful[l] | i32::from(overflow < 0) | i32::from(magnitude >= 0x7FFF_FF80);
    }
    any != 0
}
