//! One matrix instruction.

use core::marker::PhantomData;

use super::operand::{Accumulator, Multiplicand};
use super::view::View;
use crate::sem::matrix::{Factor, Rule, Sum, step};

/// The order and the cuts of an instruction's sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Step after step; the result of each is the addend of the next.
    Steps(Rule, Sum),
    /// Numbers of 8 bits as f16, in two halves of each 32 products; the addend comes last.
    ByF16(Rule, Sum),
}

impl Way {
    /// Returns `c` plus `count` products, which are those of factors in f16 if the second argument
    /// is `true`.
    pub(super) fn chain(self, count: usize, product: impl Fn(usize, bool) -> Factor, c: u32) -> u32 {
        match self {
            Self::Steps(rule, sum) => (0..count).step_by(rule.products).fold(c, |c, first| {
                let products = first..count.min(first + rule.products);
                step(rule, sum, || products.clone().map(|k| product(k, false)).chain([sum.addend(c)]))
            }),
            Self::ByF16(rule, sum) => (0..count).step_by(32).fold(c, |c, first| {
                let half = |upper: bool, d: u32| {
                    let products = (first..count.min(first + 32)).filter(|k| (k & 2 != 0) == upper);
                    step(rule, sum, || products.clone().map(|k| product(k, true)).chain([sum.addend(d)]))
                };
                sum.plus(half(true, half(false, 0)), c)
            }),
        }
    }
}

/// The matrix instruction of a unit for operands of these formats: D = A · B + C.
///
/// [`Unit::mma`](super::Unit::mma) returns it.
///
/// # Examples
///
/// On the same device `mma.sync` keeps a product of numbers in 8 bits that `wgmma` loses:
///
/// ```
/// use ptxf::E4m3;
/// use ptxf::matrix::Unit;
///
/// let (a, b) = ([E4m3::from_f32(0.5)], [E4m3::from_f32(0.25)]);
/// let sum = |unit: Unit| unit.mma::<E4m3, E4m3, f32>().unwrap().dot(&a, &b, 4096.0);
/// assert_eq!(sum(Unit::sm_90()), 4096.125);
/// assert_eq!(sum(Unit::sm_90a()), 4096.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mma<A, B, C> {
    pub(super) way: Way,
    pub(super) formats: PhantomData<(A, B, C)>,
}

impl<A: Multiplicand, B: Multiplicand, C: Accumulator> Mma<A, B, C> {
    /// Returns `c` plus the products of `a` and `b`, in ascending order.
    ///
    /// This is one element of an instruction's result, or of as many instructions as the number of
    /// products takes, each of which adds to the result of the one before. Products of zeros may
    /// follow the last: they change nothing.
    ///
    /// # Panics
    ///
    /// Panics if the slices have different lengths.
    #[must_use]
    #[track_caller]
    pub fn dot(self, a: &[A], b: &[B], c: C) -> C {
        assert!(a.len() == b.len(), "{} factors cannot be multiplied by {}", a.len(), b.len());
        self.chain(a.len(), |k| a[k], |k| b[k], c)
    }

    /// Returns `c` plus `count` products.
    pub(super) fn chain(self, count: usize, a: impl Fn(usize) -> A, b: impl Fn(usize) -> B, c: C) -> C {
        let product = |k, in_f16| {
            if in_f16 { a(k).factor_in_f16().times(b(k).factor_in_f16()) } else { a(k).factor().times(b(k).factor()) }
        };
        C::of_bits(self.way.chain(count, product, c.bits()))
    }

    /// Computes `d = a · b + c` for whole matrices, element by element.
    ///
    /// `a` has m rows of k elements, `b` k rows of n, and `c` m rows of n. `d` is written row by
    /// row. For the shape of an instruction these are its results. [`gemm`](Self::gemm) is faster.
    ///
    /// # Panics
    ///
    /// Panics if the shapes do not fit.
    #[track_caller]
    pub fn tile(self, a: View<'_, A>, b: View<'_, B>, c: View<'_, C>, d: &mut [C]) {
        require_shapes(a.rows(), a.columns(), b.rows(), b.columns(), d.len());
        assert!(
            (c.rows(), c.columns()) == (a.rows(), b.columns()),
            "the addend has {} rows of {}, and the product {} rows of {}",
            c.rows(),
            c.columns(),
            a.rows(),
            b.columns()
        );
        for (at, d) in d.iter_mut().enumerate() {
            let (i, j) = (at / b.columns(), at % b.columns());
            *d = self.chain(a.columns(), |k| a.get(i, k), |k| b.get(k, j), c.get(i, j));
        }
    }
}

/// Checks the shapes of a product.
#[track_caller]
pub(super) fn require_shapes(m: usize, k: usize, rows: usize, n: usize, result: usize) {
    assert!(k == rows, "rows of {k} elements cannot be multiplied by columns of {rows}");
    assert!(m.checked_mul(n) == Some(result), "the product has {m} rows of {n}, and the result {result} elements");
}
