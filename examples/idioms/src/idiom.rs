//! What an idiom is, and how it is run.

use ptxf::kernel::Element;

pub use crate::measure::Measure;

/// What a kernel computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    F32,
    F16,
    /// What `keep` names is f32.
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

    /// Whether something is kept.
    pub const fn keeps(self) -> bool {
        matches!(self, Self::F16Keep | Self::Bf16Keep)
    }
}

/// The sibling of a kernel that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Scalar,
    Pair,
    Wide,
}

impl Way {
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Pair, Self::Wide];
}

/// A launch of an idiom's kernel; `kernels!` writes this.
pub trait Run {
    /// What the kernel left, widened, which loses nothing.
    fn run(&self, arithmetic: Arithmetic, way: Way) -> Vec<f32>;
    /// The names in the kernel's `keep`.
    fn kept(&self) -> &'static [&'static str];
}

/// A kernel, its data, and a plain loop that does the same in f64.
///
/// The data are numbers that f16 and bf16 both have, so that an error is all the kernel's own.
pub trait Idiom: Run {
    fn name(&self) -> &'static str;
    /// What its error is told in.
    fn measure(&self) -> Measure;
    /// What the kernel should leave, from the same data.
    fn reference(&self) -> Vec<f64>;
}

/// What every sibling leaves, if they leave the same bits.
///
/// # Errors
///
/// A sibling that leaves other bits than `scalar`, and where it does.
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

/// The values as elements, which have them.
pub(crate) fn exact<E: Element>(x: &[f32]) -> Vec<E> {
    let element = |&x: &f32| {
        let element = E::cvt_rn(x);
        assert_eq!(element.widen(), x, "data of which no format loses anything");
        element
    };
    x.iter().map(element).collect()
}

/// `n` zeros.
pub(crate) fn zeros<E: Element>(n: usize) -> Vec<E> {
    vec![E::default(); n]
}
