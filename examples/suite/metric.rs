//! Errors of results, over what is finite.

/// The pairs of a result and what it should be, where the result is finite.
fn finite<'a>(found: &'a [f64], want: &'a [f64]) -> impl Iterator<Item = (f64, f64)> + 'a {
    assert_eq!(found.len(), want.len());
    found.iter().copied().zip(want.iter().copied()).filter(|(x, _)| x.is_finite())
}

/// The error's Euclidean norm as a part of the reference's.
pub fn relative_l2(found: &[f64], want: &[f64]) -> f64 {
    let (error, norm) = finite(found, want).fold((0.0, 0.0), |(e, n), (x, y)| (e + (x - y).powi(2), n + y * y));
    f64::sqrt(error / norm)
}

/// The error's sum as a part of the reference's.
pub fn relative_l1(found: &[f64], want: &[f64]) -> f64 {
    let (error, norm) = finite(found, want).fold((0.0, 0.0), |(e, n), (x, y)| (e + (x - y).abs(), n + y.abs()));
    error / norm
}

/// The largest error.
pub fn largest(found: &[f64], want: &[f64]) -> f64 {
    finite(found, want).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// The root of the mean square of the error.
pub fn rms(found: &[f64], want: &[f64]) -> f64 {
    let (error, n) = finite(found, want).fold((0.0, 0), |(e, n), (x, y)| (e + (x - y).powi(2), n + 1));
    f64::sqrt(error / f64::from(n))
}
