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
//! The lanes of a step are *doubtful* if M leaves the range in which all of these numbers are
//! normal f32, or if the integers overflow. Infinities and NaNs have an exponent that makes M leave
//! it. [`step`] computes vectors with such a lane.
//!
//! # Width
//!
//! A product is below 2^(M + 2), hence the integer below 2^27 for F = 25. The sums of each half of
//! the products, of which there are 16 then, are below 2^30; their own sum may overflow, which is
//! checked.
// Invariant: a level is one of this CPU's.
#![expect(unsafe_code, reason = "the code of a level runs if the CPU has it")]

use super::mma::{Mma, Way, require_shapes};
use super::operand::{Kind, Multiplicand, NONE, sealed};
use super::view::View;
use crate::backend::lanes::engine::{Floats as _, Ints as _, M32, Memory, V32, Vectors, Words as _};
use crate::backend::lanes::levels::{self, Task};
use crate::level::Level;
use crate::modifiers::Round;
use crate::ptx;
use crate::sem::matrix::{Rule, Sum, step};
use crate::types::{Bf16, F16};

/// Options of [`Mma::gemm`]: the chains of a sum, its factor, and the instructions.
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

    /// Begins a new chain every `products` products, and adds the chains' results in f32 to
    /// nearest, from +0.
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

impl<A: Multiplicand, B: Multiplicand> Mma<A, B, f32> {
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
                let product = Product { mma: self, rule, sum, options, a, b, first: first / columns, d };
                // SAFETY: `detect` and `Gemm::level` return a level of this CPU alone.
                unsafe { levels::run(level, product) }
            }
            Way::ByF16(..) => self.elements(options, a, b, first / columns, d),
        };
        #[cfg(feature = "rayon")]
        {
            crate::parallel::chunks(d, HEIGHT * columns, &some);
        }
        #[cfg(not(feature = "rayon"))]
        some(0, d);
    }

    /// Computes the rows from `first` on by the definition of a step.
    fn elements<D: Rounded>(self, options: Gemm, a: View<'_, A>, b: View<'_, B>, first: usize, d: &mut [D]) {
        for (at, d) in d.iter_mut().enumerate() {
            let (i, j) = (first + at / b.columns(), at % b.columns());
            *d = options.element(self.promoted(options, a, b, i, j));
        }
    }

    /// Returns one sum, by the definition of a step.
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
    mma: Mma<A, B, f32>,
    rule: Rule,
    sum: Sum,
    options: Gemm,
    a: View<'a, A>,
    b: View<'a, B>,
    /// The first of the rows.
    first: usize,
    d: &'a mut [D],
}

/// Decoded elements of A, row by row, or of B: bits of significands in f32, and exponents.
struct Decoded<const OUTER: usize, const INNER: usize> {
    significands: [[u32; INNER]; OUTER],
    exponents: [[u32; INNER]; OUTER],
}

impl<const OUTER: usize, const INNER: usize> Decoded<OUTER, INNER> {
    const NONE: Self = Self { significands: [[0; INNER]; OUTER], exponents: [[NONE as u32; INNER]; OUTER] };

    #[inline(always)]
    fn set<T: Multiplicand>(&mut self, outer: usize, elements: [T; INNER]) {
        let (significands, exponents) = (&mut self.significands[outer], &mut self.exponents[outer]);
        for (i, x) in elements.into_iter().enumerate() {
            let (significand, exponent) = x.decoded();
            (significands[i], exponents[i]) = (significand.to_bits(), exponent as u32);
        }
    }
}

impl<A: Multiplicand, B: Multiplicand, D: Rounded> Task for Product<'_, A, B, D> {
    type Output = ();
    const IN_F16: bool = false;
    const IN_SIMD128: bool = true;

    #[inline_in_release]
    fn vectors<E: Vectors, const LANES: usize, const VECTORS: usize>(self, e: E) {
        let wide = matches!(A::KIND, Kind::Bf16 | Kind::Tf32);
        match (self.rule.products, wide) {
            (4, false) => self.parts::<E, 4, false>(e),
            (8, false) => self.parts::<E, 8, false>(e),
            (16, false) => self.parts::<E, 16, false>(e),
            (4, true) => self.parts::<E, 4, true>(e),
            (8, true) => self.parts::<E, 8, true>(e),
            (16, true) => self.parts::<E, 16, true>(e),
            _ => self.parts::<E, 32, false>(e),
        }
    }

    fn portable(self) {
        let Self { mma, options, a, b, first, d, .. } = self;
        mma.elements(options, a, b, first, d);
    }
}

impl<A: Multiplicand, B: Multiplicand, D: Rounded> Product<'_, A, B, D> {
    #[inline_in_release]
    fn parts<E: Vectors, const N: usize, const WIDE: bool>(self, e: E) {
        let Self { rule, sum, options, a, b, first, d, .. } = self;
        let (columns, depth) = (b.columns(), a.columns());
        let rows = d.len() / columns;
        let lanes = <E::U32 as Memory<u32>>::N;
        let mut decoded_a = Decoded::<HEIGHT, DEPTH>::NONE;
        let mut decoded_b = Decoded::<DEPTH, WIDTH>::NONE;
        for top in (0..rows).step_by(HEIGHT) {
            let height = HEIGHT.min(rows - top);
            for left in (0..columns).step_by(WIDTH) {
                let width = WIDTH.min(columns - left);
                // Bits of the chains' results, and of the sums of ended chains.
                let (mut chains, mut sums) = ([[0_u32; WIDTH]; HEIGHT], [[0_u32; WIDTH]; HEIGHT]);
                for front in (0..depth).step_by(DEPTH) {
                    let here = DEPTH.min(depth - front);
                    // Elements beyond the matrices are zeros.
                    for i in 0..height {
                        let row = |k| if k < here { a.get(first + top + i, front + k) } else { A::default() };
                        decoded_a.set(i, core::array::from_fn(row));
                    }
                    for k in 0..here.next_multiple_of(N) {
                        let within = if k < here { width } else { 0 };
                        let row = |j| if j < within { b.get(front + k, left + j) } else { B::default() };
                        decoded_b.set(k, core::array::from_fn(row));
                    }
                    for (i, chains) in chains.iter_mut().enumerate().take(height) {
                        for j in (0..width).step_by(lanes) {
                            let mut chain = e.u32().read(&chains[j..]);
                            for k in (0..here).step_by(N) {
                                let step =
                                    InLanes::<N, WIDE> { rule, sum, a: &decoded_a, b: &decoded_b, at: [i, k, j] };
                                let (next, doubtful) = step.compute(e, chain);
                                if e.u32().any(doubtful) {
                                    let at = [first + top + i, front + k, left + j];
                                    chain = by_meaning(e, rule, sum, a, b, at, chain);
                                } else {
                                    chain = next;
                                }
                            }
                            e.u32().write(&mut chains[j..], chain);
                        }
                    }
                    if depth > options.promote && (front + here == depth || (front + here) % options.promote == 0) {
                        for (sum, chain) in sums.iter_mut().flatten().zip(chains.iter_mut().flatten()) {
                            *sum = ptx::add_rn_f32(f32::from_bits(*sum), f32::from_bits(*chain)).to_bits();
                            *chain = 0;
                        }
                    }
                }
                let results = if depth > options.promote { &sums } else { &chains };
                for (i, results) in results.iter().enumerate().take(height) {
                    let row = (top + i) * columns + left;
                    for (d, &sum) in d[row..row + width].iter_mut().zip(results) {
                        *d = options.element(f32::from_bits(sum));
                    }
                }
            }
        }
    }
}

/// Computes a step of a row in the columns of a vector by its definition.
#[cold]
#[inline(never)]
fn by_meaning<E: Vectors, A: Multiplicand, B: Multiplicand>(
    e: E,
    rule: Rule,
    sum: Sum,
    a: View<'_, A>,
    b: View<'_, B>,
    [i, k, j]: [usize; 3],
    chain: V32<E>,
) -> V32<E> {
    let mut lanes = [0; WIDTH];
    e.u32().write(&mut lanes, chain);
    for (lane, j) in lanes.iter_mut().take(<E::U32 as Memory<u32>>::N).zip(j..b.columns()) {
        let products = k..a.columns().min(k + rule.products);
        let product = |k| a.get(i, k).factor().times(b.get(k, j).factor());
        *lane = step(rule, sum, || products.clone().map(product).chain([sum.addend(*lane)]));
    }
    e.u32().read(&lanes)
}

/// A step of row i from product k on, in the columns from j on.
struct InLanes<'a, const N: usize, const WIDE: bool> {
    rule: Rule,
    sum: Sum,
    a: &'a Decoded<HEIGHT, DEPTH>,
    b: &'a Decoded<DEPTH, WIDTH>,
    at: [usize; 3],
}

#[inline_in_release]
impl<const N: usize, const WIDE: bool> InLanes<'_, N, WIDE> {
    /// Returns the bits of the sums, and a mask of the lanes that are doubtful.
    // No closures: see `backend::lanes::engine`.
    fn compute<E: Vectors>(&self, e: E, chain: V32<E>) -> (V32<E>, M32<E>) {
        let (int, float, [i, k, j]) = (e.u32(), e.f32(), self.at);
        let a_exponents = &self.a.exponents[i][k..k + N];
        let (zero, ones) = (int.splat(0), int.splat(!0));

        let magnitude = int.and(chain, int.splat(0x7FFF_FFFF));
        let exponent = int.add(int.max(int.shr(magnitude, 23), int.splat(1)), int.splat(-127_i32 as u32));
        let of_chain = int.select(int.eq(magnitude, zero), int.splat(NONE as u32), exponent);
        // The addend comes last: it is the result of the step before, the others are known sooner.
        let mut largest = int.splat(NONE as u32);
        for (n, &a_exponent) in a_exponents.iter().enumerate() {
            let exponents = int.read(&self.b.exponents[k + n][j..]);
            largest = int.max(largest, int.add(int.splat(a_exponent), exponents));
        }
        let largest = int.max(largest, of_chain);
        // The range in which the numbers below are normal; it contains the exponents of most steps.
        let within = int.max(int.min(largest, int.splat(100)), int.splat(-100_i32 as u32));
        let is_zero = int.gt(int.splat(-800_i32 as u32), largest);
        let outside = int.select(int.eq(largest, within), zero, int.select(is_zero, zero, ones));
        // 127 - within, from which the fields of both scales follow.
        let negated = int.add(int.xor(within, ones), int.splat(128));
        let fraction_bits = self.rule.fraction_bits as u32;
        let to_integer = int.shl(int.add(negated, int.splat(fraction_bits)), 23);
        let to_float = int.shl(int.add(within, int.splat(127 - fraction_bits)), 23);
        // Lanes above the range are doubtful, and could not be converted.
        let to_integer = int.select(int.gt(largest, int.splat(100)), zero, to_integer);

        let low = self.products(e, 0, to_integer, negated);
        let high = self.products(e, N / 2, to_integer, negated);
        let low = int.add(low, float.to_i32(Round::Rz, float.mul(chain, to_integer)));
        let total = int.add(low, high);
        let overflow = int.and(int.xor(low, total), int.xor(high, total));
        let sign = int.broadcast_sign(total);
        let magnitude = int.add(int.xor(total, sign), int.and(sign, int.splat(1)));
        let large = int.select(int.gt(magnitude, int.splat(0x7FFF_FF7F)), ones, zero);
        // Rounded to nearest first. If that is too large, the number before is the one toward zero.
        let near = float.of_i32(magnitude);
        let back = float.to_i32(Round::Rz, near);
        let toward_zero = int.add(near, int.select(int.gt(back, magnitude), ones, zero));
        let kept = if self.sum == Sum::E8m13 { int.and(toward_zero, int.splat(!0x3FF)) } else { toward_zero };
        let result = int.or(float.mul(kept, to_float), int.and(sign, int.splat(1 << 31)));
        let doubtful = int.or(int.or(outside, overflow), int.or(magnitude, large));
        (result, int.gt(zero, doubtful))
    }

    /// Returns the sum of half of the products, cut to integers.
    fn products<E: Vectors>(&self, e: E, first: usize, to_integer: V32<E>, negated: V32<E>) -> V32<E> {
        let (int, float, [i, k, j]) = (e.u32(), e.f32(), self.at);
        let significands = &self.a.significands[i][k + first..k + first + N / 2];
        let exponents = &self.a.exponents[i][k + first..k + first + N / 2];
        let mut sum = int.splat(0);
        for n in 0..N / 2 {
            let b = k + first + n;
            let product = float.mul(int.splat(significands[n]), int.read(&self.b.significands[b][j..]));
            let scale = if WIDE {
                // The field of 2^(F + exponents - M), which is at most 2^F; 0 if that is too small.
                let fraction_bits = self.rule.fraction_bits as u32;
                let exponent =
                    int.add(int.splat(exponents[n].wrapping_add(fraction_bits)), int.read(&self.b.exponents[b][j..]));
                let field = int.max(int.min(int.add(exponent, negated), int.splat(127 + 30)), int.splat(0));
                int.and(int.shl(field, 23), int.select(int.eq(to_integer, int.splat(0)), int.splat(0), int.splat(!0)))
            } else {
                to_integer
            };
            sum = int.add(sum, float.to_i32(Round::Rz, float.mul(product, scale)));
        }
        sum
    }
}
