//! What a benchmark is.

use std::fmt;
use std::time::Duration;

use crate::launch::Launch;
use crate::metric;
use crate::real::{Format, Real, Word};

/// A benchmark whose kernels can be launched; `kernels!` writes this.
pub trait Run {
    /// One run, with buffers of its own.
    fn run(&self, format: Format, launch: Launch<'_>) -> Output;
}

/// Data, kernels, and a measure of how good the results are.
pub trait Benchmark: Run {
    fn name(&self) -> &'static str;
    /// The measure that [`Score::error`] is in.
    fn metric(&self) -> &'static str;
    /// The error against a computation in f64 of the same input before it was rounded to elements.
    fn score(&self, output: &Output) -> Score;

    /// Whether its kernels have approximate instructions, whose results differ between devices.
    fn approximates(&self) -> bool {
        false
    }

    /// What the kernels compute in f32, by the loops that one writes in Rust who has no kernel: on one core, and timed there.
    fn plain(&self) -> Output;

    /// How far the plain loop's results may be from the f32 kernel's, relative to the largest of a buffer. Both compute the same, and
    /// have the same bits; but the standard library's functions are others than the kernels'.
    fn plain_differs_by(&self) -> f64 {
        if self.approximates() { 1e-5 } else { 0.0 }
    }

    /// A run in f16, with the kernels that were written by hand if there are any.
    fn by_hand(&self, _launch: Launch<'_>) -> Option<Output> {
        None
    }
}

/// The quality of a result.
#[derive(Clone, Debug)]
pub struct Score {
    /// The error of those results that are finite.
    pub error: f64,
    /// The benchmark's other measures.
    pub also: String,
}

impl Score {
    /// The relative error of sums whose terms were rounded, and beside it what the sums have lost themselves.
    pub fn by_the_sums(found: &[f64], reference: &[f64], of_rounded: &[f64]) -> Self {
        let [error, sums] = [reference, of_rounded].map(|want| metric::relative_l2(found, want));
        Self { error, also: format!("by the sums {sums:.2e}") }
    }
}

/// The results of a run, and its time.
#[derive(Clone, Debug)]
pub struct Output {
    /// The time that was spent in kernels.
    pub time: Duration,
    pub buffers: Vec<Buffer>,
}

/// A buffer that kernels have written.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    pub name: &'static str,
    pub bits: Vec<u32>,
    pub values: Vec<f64>,
}

impl Output {
    pub const fn new(time: Duration) -> Self {
        Self { time, buffers: Vec::new() }
    }

    pub fn floats<E: Real>(mut self, name: &'static str, x: &[E]) -> Self {
        let bits = x.iter().map(|x| x.bits()).collect();
        let values = x.iter().map(|x| x.widen().into()).collect();
        self.buffers.push(Buffer { name, bits, values });
        self
    }

    pub fn ints(mut self, name: &'static str, x: &[i32]) -> Self {
        let bits = x.iter().map(|x| x.bits()).collect();
        let values = x.iter().map(|&x| x.into()).collect();
        self.buffers.push(Buffer { name, bits, values });
        self
    }

    /// The values of a buffer.
    pub fn values(&self, name: &str) -> &[f64] {
        let buffer = self.buffers.iter().find(|b| b.name == name);
        &buffer.unwrap_or_else(|| panic!("no buffer is called {name}")).values
    }

    /// Values that are infinite or no number.
    pub fn non_finite(&self) -> usize {
        self.buffers.iter().flat_map(|b| &b.values).filter(|x| !x.is_finite()).count()
    }

    /// With every NaN the same: a device's are NaNs too, but may have other bits.
    pub fn with_one_nan(mut self) -> Self {
        for buffer in &mut self.buffers {
            let nans = buffer.bits.iter_mut().zip(&buffer.values).filter(|(_, x)| x.is_nan());
            nans.for_each(|(bits, _)| *bits = u32::MAX);
        }
        self
    }

    /// The largest difference of two values, each relative to the largest of its buffer in `want`.
    pub fn distance(&self, want: &Self) -> f64 {
        assert_eq!(self.buffers.len(), want.buffers.len(), "one benchmark, the same buffers");
        let of_buffer = |(found, want): (&Buffer, &Buffer)| {
            assert_eq!(
                (found.name, found.values.len()),
                (want.name, want.values.len()),
                "one benchmark, the same buffers"
            );
            let largest = want.values.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
            // What is no number is infinitely far from one that is.
            let of_value = |(x, y): (&f64, &f64)| match (x - y).abs() {
                _ if x == y || x.is_nan() && y.is_nan() => 0.0,
                far if far.is_finite() => far / largest,
                _ => f64::INFINITY,
            };
            found.values.iter().zip(&want.values).map(of_value).fold(0.0, f64::max)
        };
        self.buffers.iter().zip(&want.buffers).map(of_buffer).fold(0.0, f64::max)
    }

    /// Where it differs from `want`, which the scalar sibling left.
    pub fn difference(&self, want: &Self) -> Option<Difference> {
        assert_eq!(self.buffers.len(), want.buffers.len(), "one benchmark, the same buffers");
        let mut difference: Option<Difference> = None;
        for (found, want) in self.buffers.iter().zip(&want.buffers) {
            assert_eq!((found.name, found.bits.len()), (want.name, want.bits.len()), "one benchmark, the same buffers");
            let mut places = found.bits.iter().zip(&want.bits).enumerate().filter(|(_, (a, b))| a != b);
            if let Some((i, (is, was))) = places.next() {
                let first = || format!("{}[{i}] is {is:#06x}, not {was:#06x}", found.name);
                let difference = difference.get_or_insert_with(|| Difference { first: first(), count: 0, of: 0 });
                difference.count += 1 + places.count();
            }
        }
        let of = self.buffers.iter().map(|b| b.bits.len()).sum();
        difference.map(|d| Difference { of, ..d })
    }
}

/// How two outputs of a benchmark differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    first: String,
    /// The number of elements, of all buffers.
    pub count: usize,
    of: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, count, of } = self;
        write!(f, "{first} ({count} of {of} elements differ)")
    }
}
