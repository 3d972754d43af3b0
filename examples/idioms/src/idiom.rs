//! The traits of an idiom and of its launches.

use ptxf::kernel::Element;

pub use crate::measure::Measure;

/// The arithmetic of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    F32,
    F16,
    /// f16, with the variables of `keep` in f32.
    F16Keep,
    Bf16,
    Bf16Keep,
}

impl Arithmetic {
    pub const ALL: [Self; 5] = [Self::F32, Self::F16, Self::F16Keep, Self::Bf16, Self::Bf16Keep];

    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::F16Keep => "f16, keep",
            Self::Bf16 => "bf16",
            Self::Bf16Keep => "bf16, keep",
        }
    }

    /// Returns `true` if the arithmetic keeps variables in f32.
    pub const fn keeps(self) -> bool {
        matches!(self, Self::F16Keep | Self::Bf16Keep)
    }
}

/// A version of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Scalar,
    Pair,
    Wide,
}

impl Way {
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Pair, Self::Wide];
}

/// A launch of an idiom's kernel; `kernels!` implements the trait.
pub trait Run {
    /// Launches the kernel, and returns its results, widened exactly.
    fn run(&self, arithmetic: Arithmetic, way: Way) -> Vec<f32>;
    /// Returns the names in the kernel's `keep`.
    fn kept(&self) -> &'static [&'static str];
}

/// A kernel, its data, and a plain loop that computes the same in f64.
///
/// The data are exact in f16 and in bf16, so that the kernel alone causes errors.
pub trait Idiom: Run {
    fn name(&self) -> &'static str;
    /// Returns the measure of the error.
    fn measure(&self) -> Measure;
    /// Returns the expected results in f64, from the same data.
    fn reference(&self) -> Vec<f64>;
}

/// Returns the results of all versions, after a check that their bits are equal.
///
/// # Errors
///
/// If a version's bits differ from those of `scalar`. The error names the version and the element.
pub fn check(idiom: &dyn Idiom, arithmetic: Arithmetic) -> Result<Vec<f32>, String> {
    let want = idiom.run(arithmetic, Way::Scalar);
    for way in Way::ALL {
        let found = idiom.run(arithmetic, way);
        let differs = |i: &usize| found[*i].to_bits() != want[*i].to_bits();
        if let Some(i) = (0..want.len()).find(differs) {
            let (name, arithmetic, is, was) = (idiom.name(), arithmetic.name(), found[i], want[i]);
            return Err(format!("{name} in {arithmetic}: {way:?} leaves {is} at {i}, and Scalar {was}"));
        }
    }
    Ok(want)
}

/// Converts values to elements, which represent them exactly.
pub(crate) fn exact<E: Element>(x: &[f32]) -> Vec<E> {
    let element = |&x: &f32| {
        let element = E::cvt_rn(x);
        assert_eq!(element.widen(), x, "data of which no format loses anything");
        element
    };
    x.iter().map(element).collect()
}

/// Returns `n` zeros.
pub(crate) fn zeros<E: Element>(n: usize) -> Vec<E> {
    vec![E::default(); n]
}
