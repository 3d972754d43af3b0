//! Measures of an error.

/// A measure of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The error's Euclidean norm, relative to the reference's.
    RelativeL2,
    /// The largest relative error of an element.
    LargestRelative,
    /// The idiom computes nothing, so there is no rounding.
    Exact,
}

impl Measure {
    pub const fn name(self) -> &'static str {
        match self {
            Self::RelativeL2 => "relative L2",
            Self::LargestRelative => "largest relative",
            Self::Exact => "",
        }
    }

    /// Returns the error of a result, or infinity if the result has a NaN.
    pub fn error(self, found: &[f32], want: &[f64]) -> f64 {
        assert_eq!(found.len(), want.len(), "an element for each");
        let pairs = found.iter().map(|&x| f64::from(x)).zip(want.iter().copied());
        if found.iter().any(|x| !x.is_finite()) {
            return f64::INFINITY;
        }
        match self {
            Self::RelativeL2 => {
                let (error, norm) = pairs.fold((0.0, 0.0), |(e, n), (x, y)| (e + (x - y).powi(2), n + y * y));
                f64::sqrt(error / norm)
            }
            Self::LargestRelative => pairs.map(|(x, y)| ((x - y) / y).abs()).fold(0.0, f64::max),
            Self::Exact => pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max),
        }
    }
}
