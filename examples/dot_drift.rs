//! Shows how far a dot product drifts when its sum is an f16.
//!
//! An f16 has eleven significant bits. A sum that is 2^11 times as large as its terms no longer
//! changes: every further term is rounded away. The example adds the same products in four ways,
//! each with a GPU's bits:
//!
//! - `n`, naive: one `fma.rn.f16` per term.
//! - `2`, packed: `fma.rn.f16x2`, two sums of half the length, added at the end.
//! - `c`, compensated: the error of each product and each sum is computed exactly and summed
//!   separately (Dot2 of Ogita, Rump and Oishi). This helps until the second sum, also an f16,
//!   stops changing.
//! - `w`, widened: f16 in memory, the sum in f32, `fma.rn.f32`.
//!
//! ```sh
//! cargo run --release --example dot_drift
//! ```

use ptxf::{F16, F16x2, ptx};

const LENGTHS: usize = 64;
/// The plot ends at an error of 10^-8.
const ROWS: usize = 8 * PER_DECADE;
const PER_DECADE: usize = 3;

fn main() {
    let (x, y) = (numbers(1), numbers(2));
    let column = |i: usize| {
        let n = length(i);
        let (x, y) = (&x[..n], &y[..n]);
        let exact: f64 = x.iter().zip(y).map(|(x, y)| x.to_f64() * y.to_f64()).sum();
        let mut column = [' '; ROWS];
        for (mark, sum) in [('w', widened(x, y)), ('c', compensated(x, y)), ('2', packed(x, y)), ('n', naive(x, y))] {
            let decades = -((sum - exact) / exact).abs().log10(); // ∞ if there is no error
            column[((decades * PER_DECADE as f64) as usize).min(ROWS - 1)] = mark;
        }
        column
    };
    let plot: Vec<_> = (0..LENGTHS).map(column).collect();

    println!("relative error of a dot product of n terms between 0 and 1\n");
    for row in 0..ROWS {
        let decade = row / PER_DECADE;
        let label = if row % PER_DECADE == 0 { format!("1e-{decade}") } else { String::new() };
        println!("{label:>5} │{}", plot.iter().map(|column| column[row]).collect::<String>().trim_end());
    }
    println!("      └{}", "─".repeat(LENGTHS));
    println!("    n  {:<21}{:<21}{:<20}{}", length(0), length(21), length(42), length(LENGTHS - 1));
    println!("\n  n fma.rn.f16    2 fma.rn.f16x2    c compensated f16    w f16, sum in f32\n");

    let n = length(LENGTHS - 1);
    let (x, y) = (&x[..n], &y[..n]);
    println!("{n} terms: n {}  2 {}  c {}  w {}", naive(x, y), packed(x, y), compensated(x, y), widened(x, y));
    assert_eq!(naive(x, y), 2048.0); // the next f16 is 2050, and no term reaches 1
}

/// Returns the number of terms of a column: from 16 geometrically up to 16384.
fn length(column: usize) -> usize {
    (16.0 * 1024f64.powf(column as f64 / (LENGTHS - 1) as f64)).round() as usize
}

/// Returns numbers between 0 and 1 that are equal on every machine: Weyl's sequence on the golden
/// ratio, scrambled by a square.
fn numbers(seed: u64) -> Vec<F16> {
    (0..length(LENGTHS - 1) as u64)
        .map(|i| {
            let w = (i * 2 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            F16::from_f32((w.wrapping_mul(w | 1) >> 53) as f32 / 2048.0)
        })
        .collect()
}

fn naive(x: &[F16], y: &[F16]) -> f64 {
    let sum = x.iter().zip(y).fold(F16::default(), |sum, (&x, &y)| x.fma_rn(y, sum));
    sum.to_f32().into()
}

fn packed(x: &[F16], y: &[F16]) -> f64 {
    // The last term of an odd number of terms is paired with a zero.
    let pair = |p: &[F16]| F16x2::from_lo_hi(p[0], p.get(1).copied().unwrap_or_default());
    let sum = x.chunks(2).zip(y.chunks(2)).fold(F16x2::default(), |sum, (x, y)| pair(x).fma_rn(pair(y), sum));
    (sum.lo() + sum.hi()).to_f32().into()
}

fn widened(x: &[F16], y: &[F16]) -> f64 {
    x.iter().zip(y).fold(0.0, |sum, (x, y)| ptx::fma_rn_f32(x.to_f32(), y.to_f32(), sum)).into()
}

/// Returns the sum plus its correction.
fn compensated(x: &[F16], y: &[F16]) -> f64 {
    let (mut sum, mut correction) = (F16::default(), F16::default());
    for (&x, &y) in x.iter().zip(y) {
        let product = x * y;
        let lost = x.fma_rn(y, -product); // the rounding error of `product`, exactly
        let next = sum + product;
        let part = next - sum;
        let slip = (sum - (next - part)) + (product - part); // the rounding error of `next`, exactly (Knuth)
        sum = next;
        correction += slip + lost;
    }
    sum.to_f64() + correction.to_f64()
}
