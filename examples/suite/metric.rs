//! Errors over the finite results.

/// Returns pairs of a finite result and its expected value.
fn finite<'a>(found: &'a [f64], want: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    assert_eq!(found.len(), want.len());
    found.iter().copied().zip(want.iter().copied()).filter(|(x, _)| x.is_finite())
}

/// Returns the error's Euclidean norm, relative to the reference's.
pub fn relative_l2(found: &[f64], want: &[f64]) -> f64 {
    let (error, norm) = finite(found, want).fold((0.0, 0.0), |(e, n), (x, y)| (e + (x - y).powi(2), n + y * y));
    f64::sqrt(error / norm)
}

/// Returns the sum of the errors, relative to the reference's sum.
pub fn relative_l1(found: &[f64], want: &[f64]) -> f64 {
    let (error, norm) = finite(found, want).fold((0.0, 0.0), |(e, n), (x, y)| (e + (x - y).abs(), n + y.abs()));
    error / norm
}

/// Returns the largest error.
pub fn largest(found: &[f64], want: &[f64]) -> f64 {
    finite(found, want).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Returns the root mean square of the error.
pub fn rms(found: &[f64], want: &[f64]) -> f64 {
    let (error, n) = finite(found, want).fold((0.0, 0), |(e, n), (x, y)| (e + (x - y).powi(2), n + 1));
    f64::sqrt(error / f64::from(n))
}
