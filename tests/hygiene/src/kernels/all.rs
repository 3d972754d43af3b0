//! Constructs that expand.

#![deny(clippy::restriction)]
#![allow(
    clippy::blanket_clippy_restriction_lints,
    clippy::wildcard_imports,
    reason = "all of them have to be content with the expansions"
)]

/// A function with a type of its own.
#[::px::ptx_module]
pub mod generic {
    use ::px::{ptx_fn, ptx_kernel};

    use super::super::named::*;

    #[ptx_fn(crate = ::px)]
    fn larger<T: ::core::cmp::PartialOrd>(a: T, b: T) -> T {
        if a < b { b } else { a }
    }

    /// A function of floats and of integers.
    #[ptx_kernel(pair = F16x2, crate = ::px)]
    pub fn largest(t: ThreadX, x: &[f32], i: &[u32], out: &mut [f32], most: &mut [u32]) {
        if t < out.len() {
            out[t] = larger(x[t], 0.5);
            most[t] = larger(i[t], 7);
        }
    }
}

use ::core::primitive::u64;
use ::px::{ptx_fn, ptx_kernel};

use super::named::*;
#[expect(unused_imports, reason = "an expansion must not see them")]
use super::shadows::*;

/// Between 0 and `most`.
#[ptx_fn(crate = ::px)]
#[must_use]
#[inline]
pub fn clipped(x: f32, most: f32) -> f32 {
    if x < 0.0 {
        return 0.0;
    }
    x.min(most)
}

/// Every type, and functions.
#[ptx_kernel(pair = F16x2, keep(sum), crate = ::px, prefix = r#fn)]
pub fn r#type(t: ThreadX, n: usize, scale: f32, yes: bool, x: &[f32], x_len: &[i32], out: &mut [f32]) {
    if t >= n {
        return;
    }
    let mut sum = 0.5;
    let mut count: i32 = x_len[t] + 1;
    let r#loop = x[t].is_nan();
    for i in 0..3_usize {
        sum += clipped(x[(t + i) % n] * scale, f32::MAX);
        count = count.max(i as i32);
    }
    if yes && !r#loop && sum > 1.0 {
        sum *= 2.0;
    }
    out[t] = cvt_rn(sum + count as f32);
}

/// Shared memory and barriers.
#[ptx_kernel(pair = Bf16x2, crate = ::px)]
pub fn turned(t: ThreadX, l: LocalX, x: &[f32], out: &mut [f32]) {
    let mut tile = shared::<f32, 8>();
    let kept = x[t];
    tile[l] = kept + kept;
    sync_threads();
    let at = tile[l];
    out[t] = at - kept;
}

/// A kernel of f32 pairs.
#[deprecated = "to see that its own parts may use it"]
#[ptx_kernel(pair = F32x2, crate = ::px)]
pub fn old(t: ThreadX, x: &[f32], x_len: f32, out: &mut [f32]) {
    out[t] = x[t].sqrt() * x_len;
}

/// A kernel that stays as it is, with variables called like the expansion's.
#[deprecated = "to see that its own parts may use it"]
#[ptx_kernel(crate = ::px)]
pub fn plain(thread: ThreadX, by: u64, input: &[u64], out: &mut [u64]) {
    let __at = input[thread];
    let __grid = by;
    out[thread] = __at.wrapping_mul(__grid);
}

/// A function that nobody calls.
#[deprecated = "to see that its own parts may use it"]
#[ptx_fn(crate = ::px)]
pub fn never_called(x: f32) -> f32 {
    x
}

/// Nowhere.
#[cfg(any())]
#[ptx_kernel(pair = F16x2, crate = ::px)]
pub fn never(t: ThreadX, out: &mut [f32]) {
    out[t] = 1.0;
}

/// Nowhere either, found out after the expansion.
#[ptx_kernel(pair = F16x2, crate = ::px)]
#[cfg(any())]
pub fn nor(t: ThreadX, out: &mut [f32]) {
    out[t] = 1.0;
}

/// Nowhere either, found out after the expansion.
#[ptx_kernel(crate = ::px)]
#[cfg(any())]
pub fn neither(t: ThreadX, out: &mut [f32]) {
    out[t] = 1.0;
}

/// Nowhere either, found out after the expansion.
#[ptx_fn(crate = ::px)]
#[cfg(any())]
pub fn nobody(x: f32) -> f32 {
    x
}

::px::unary_table! {
    /// Twice.
    pub static TWICE: F16 -> F16 = |x| 2.0 * x;
}

::px::unary_table! {
    /// Up to one.
    pub static UP_TO_ONE: Bf16 -> Bf16 = |x| if x > 1.0 { 1.0 } else { x }, range = 0.0..=1.0, below = x, above = 1.0;
}

/// Tables.
#[ptx_kernel(pair = F16x2, crate = ::px)]
pub fn looked_up(t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = TWICE.get(x[t]);
}
