//! The traits of a benchmark, and the results of a run.

use std::fmt;
use std::time::Duration;

use crate::launch::Launch;
use crate::metric;
use crate::real::{Format, Real, Word};

/// A benchmark whose kernels can be launched; `kernels!` implements the trait.
pub trait Run {
    /// Runs the kernels once, with their own buffers.
    fn run(&self, format: Format, launch: Launch<'_>) -> Output;
}

/// Data, kernels, and a measure of how good the results are.
pub trait Benchmark: Run {
    fn name(&self) -> &'static str;
    /// Returns the measure of [`Score::error`].
    fn metric(&self) -> &'static str;
    /// Returns the error against a computation in f64, whose input is not rounded to elements.
    fn score(&self, output: &Output) -> Score;

    /// Returns `true` if the kernels have approximate instructions, whose results differ between
    /// devices.
    fn approximates(&self) -> bool {
        false
    }

    /// Computes the kernels' results in f32 by plain Rust loops, timed on one core.
    fn plain(&self) -> Output;

    /// Returns the tolerance between the plain loop's results and those of the f32 kernel without
    /// `fuse`.
    ///
    /// The tolerance is relative to the largest value of a buffer. It is 0 unless the kernel calls
    /// functions that the standard library computes differently.
    fn plain_differs_by(&self) -> f64 {
        if self.approximates() { 1e-5 } else { 0.0 }
    }

    /// Runs the handwritten kernels in f16. Returns `None` if there are none.
    fn by_hand(&self, _launch: Launch<'_>) -> Option<Output> {
        None
    }
}

/// The quality of a result.
#[derive(Clone, Debug)]
pub struct Score {
    /// The error of the finite results.
    pub error: f64,
    /// The benchmark's other measures.
    pub also: String,
}

impl Score {
    /// Returns the relative error of sums with rounded terms, and the part that the sums cause.
    pub fn by_the_sums(found: &[f64], reference: &[f64], of_rounded: &[f64]) -> Self {
        let [error, sums] = [reference, of_rounded].map(|want| metric::relative_l2(found, want));
        Self { error, also: format!("by the sums {sums:.2e}") }
    }
}

/// The results of a run, and its time.
#[derive(Clone, Debug)]
pub struct Output {
    /// The time in kernels.
    pub time: Duration,
    pub buffers: Vec<Buffer>,
}

/// An output buffer of the kernels.
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

    /// Returns the values of a buffer.
    pub fn values(&self, name: &str) -> &[f64] {
        let buffer = self.buffers.iter().find(|b| b.name == name);
        &buffer.unwrap_or_else(|| panic!("no buffer is called {name}")).values
    }

    /// Returns the number of infinities and NaNs.
    pub fn non_finite(&self) -> usize {
        self.buffers.iter().flat_map(|b| &b.values).filter(|x| !x.is_finite()).count()
    }

    /// Replaces every NaN by the same NaN. A device's NaNs may have other bits.
    pub fn with_one_nan(mut self) -> Self {
        for buffer in &mut self.buffers {
            let nans = buffer.bits.iter_mut().zip(&buffer.values).filter(|(_, x)| x.is_nan());
            nans.for_each(|(bits, _)| *bits = u32::MAX);
        }
        self
    }

    /// Returns the elements that `after` and `before` have different bits for.
    pub fn changed(&self, after: &Self, before: &Self) -> Self {
        let of_buffer = |((own, after), before): ((&Buffer, &Buffer), &Buffer)| {
            let at: Vec<usize> = (0..own.bits.len()).filter(|&i| after.bits[i] != before.bits[i]).collect();
            let (bits, values) = at.iter().map(|&i| (own.bits[i], own.values[i])).unzip();
            Buffer { name: own.name, bits, values }
        };
        let buffers = self.buffers.iter().zip(&after.buffers).zip(&before.buffers).map(of_buffer).collect();
        Self { time: self.time, buffers }
    }

    /// Returns the number of values whose difference is larger than a part of the largest finite
    /// value of the buffer in `want`, and the number of all values.
    pub fn far(&self, want: &Self, part: f64) -> (usize, usize) {
        let of_buffer = |(found, want): (&Buffer, &Buffer)| {
            let finite = want.values.iter().filter(|x| x.is_finite());
            let largest = finite.fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
            let is_near = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= part * largest;
            found.values.iter().zip(&want.values).filter(|(x, y)| !is_near(**x, **y)).count()
        };
        let far = self.buffers.iter().zip(&want.buffers).map(of_buffer).sum();
        (far, want.buffers.iter().map(|b| b.values.len()).sum())
    }

    /// Returns the largest difference of two values, relative to the largest of its buffer in
    /// `want`.
    pub fn distance(&self, want: &Self) -> f64 {
        assert_eq!(self.buffers.len(), want.buffers.len(), "one benchmark, the same buffers");
        let of_buffer = |(found, want): (&Buffer, &Buffer)| {
            assert_eq!(
                (found.name, found.values.len()),
                (want.name, want.values.len()),
                "one benchmark, the same buffers"
            );
            let largest = want.values.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
            // The distance between a NaN and a number is infinite.
            let of_value = |(x, y): (&f64, &f64)| match (x - y).abs() {
                _ if x == y || x.is_nan() && y.is_nan() => 0.0,
                far if far.is_finite() => far / largest,
                _ => f64::INFINITY,
            };
            found.values.iter().zip(&want.values).map(of_value).fold(0.0, f64::max)
        };
        self.buffers.iter().zip(&want.buffers).map(of_buffer).fold(0.0, f64::max)
    }

    /// Returns the differences from `want`, the results of `scalar`, or `None` if all bits are
    /// equal.
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

/// The differences between two outputs of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    first: String,
    /// Number of different elements in all buffers.
    pub count: usize,
    of: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, count, of } = self;
        write!(f, "{first} ({count} of {of} elements differ)")
    }
}
