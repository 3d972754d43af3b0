//! How far does a dot product drift when its sum is a half?
//!
//! A half has eleven bits. Once a sum has outgrown its terms by that much it stands still: every further term is
//! rounded away. Four ways to add up the same products, all of them what a GPU would compute to the bit:
//!
//! - `n` naive: one `fma.rn.f16` per term;
//! - `2` packed: `fma.rn.f16x2`, which is two sums of half the length, joined at the end;
//! - `c` compensated: what each product and each sum rounds away is recovered exactly and summed apart (Dot2 of Ogita,
//!   Rump and Oishi), which helps until that second sum, a half as well, stands still itself;
//! - `w` widened: halves in memory, the sum in f32, `fma.rn.f32`.
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
    assert_eq!(naive(x, y), 2048.0); // where the next half is 2 away, and no term reaches 1
}

/// 16, then geometrically up to 16384.
fn length(column: usize) -> usize {
    (16.0 * 1024f64.powf(column as f64 / (LENGTHS - 1) as f64)).round() as usize
}

/// The same halves between 0 and 1 on every machine: Weyl's sequence on the golden ratio, scrambled by a square.
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
    // An odd last term is joined by a zero.
    let pair = |p: &[F16]| F16x2::from_lo_hi(p[0], p.get(1).copied().unwrap_or_default());
    let sum = x.chunks(2).zip(y.chunks(2)).fold(F16x2::default(), |sum, (x, y)| pair(x).fma_rn(pair(y), sum));
    (sum.lo() + sum.hi()).to_f32().into()
}

fn widened(x: &[F16], y: &[F16]) -> f64 {
    x.iter().zip(y).fold(0.0, |sum, (x, y)| ptx::fma_rn_f32(x.to_f32(), y.to_f32(), sum)).into()
}

/// The sum and its correction, added at the very end.
fn compensated(x: &[F16], y: &[F16]) -> f64 {
    let (mut sum, mut correction) = (F16::default(), F16::default());
    for (&x, &y) in x.iter().zip(y) {
        let product = x * y;
        let lost = x.fma_rn(y, -product); // exact: what `product` rounded away
        let next = sum + product;
        let part = next - sum;
        let slip = (sum - (next - part)) + (product - part); // exact: what `next` rounded away (Knuth)
        sum = next;
        correction += slip + lost;
    }
    sum.to_f64() + correction.to_f64()
}
