//! The coefficients, and how good they are.

use testutil::real::{Number, Real};

use super::*;

/// Chebyshev's points of the interval, as many as asked for.
fn points(from: &str, to: &str, n: usize) -> Vec<Real> {
    let (a, b, two) = (Real::dec(from), Real::dec(to), Real::dec("2"));
    let (middle, half) = ((a.clone() + b.clone()) / two.clone(), (b - a) / two);
    let angle = |j: usize| Real::pi() * Real::dec(&(2 * j + 1).to_string()) / Real::dec(&(2 * n).to_string());
    (0..n).map(|j| middle.clone() + half.clone() * angle(j).cos()).collect()
}

/// The polynomial through the function's values at some points, that of the highest power first: Newton's divided
/// differences, multiplied out.
fn interpolate(f: impl Fn(Real) -> Real, x: &[Real]) -> Vec<f64> {
    let mut differences: Vec<Real> = x.iter().cloned().map(f).collect();
    for k in 1..x.len() {
        for j in (k..x.len()).rev() {
            let rise = differences[j].clone() - differences[j - 1].clone();
            differences[j] = rise / (x[j].clone() - x[j - k].clone());
        }
    }
    let mut sum: Vec<Real> = Vec::new();
    for (x, difference) in x.iter().zip(differences).rev() {
        // sum · (t − x) + difference
        let mut next = vec![Real::dec("0"); sum.len() + 1];
        for (i, c) in sum.into_iter().enumerate() {
            next[i] = next[i].clone() + c.clone();
            next[i + 1] = next[i + 1].clone() - c * x.clone();
        }
        let last = next.len() - 1;
        next[last] = next[last].clone() + difference;
        sum = next;
    }
    sum.iter().map(Real::to_f64).collect()
}

/// That the coefficients are those, and that the polynomial's relative error, in real numbers, stays below 2^-`bits`.
fn verify(name: &str, coefficients: &[f64], [from, to]: [&str; 2], bits: f64, f: impl Fn(Real) -> Real) {
    let got = interpolate(&f, &points(from, to, coefficients.len()));
    assert_eq!(got, coefficients, "{name}");
    let (a, b) = (Real::dec(from), Real::dec(to));
    let steps = 2000;
    let worst = (1..steps).map(|i| {
        let x = a.clone() + (b.clone() - a.clone()) * Real::dec(&i.to_string()) / Real::dec(&steps.to_string());
        let value = coefficients.iter().fold(Real::dec("0"), |sum, c| sum * x.clone() + Real::from_f64(*c));
        (value / f(x) - Real::dec("1")).abs().to_f64()
    });
    let worst = worst.fold(0.0, f64::max).log2();
    println!("{name}: 2^{worst:.2}");
    assert!(worst < bits, "{name}: 2^{worst}");
}

#[test]
fn polynomials() {
    let one = || Real::dec("1");
    verify("2^r", &EXP2, ["-0.5", "0.5"], -45.6, Real::exp2);
}
