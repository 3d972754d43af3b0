//! What a benchmark is.

use std::time::Duration;

use crate::launch::Launch;
use crate::real::{Format, Real};

/// A benchmark whose kernels can be launched; `kernels!` writes this.
pub trait Run {
    /// One run, with buffers of its own.
    fn run(&self, format: Format, launch: Launch) -> Output;
}

/// Data, kernels, and a measure of how good the results are.
pub trait Benchmark: Run {
    fn name(&self) -> &'static str;
    /// What [`Score::error`] is.
    fn metric(&self) -> &'static str;
    /// The error against a computation in f64 of the same input before it was rounded to elements.
    fn score(&self, output: &Output) -> Score;
}

/// How good a result is.
#[derive(Clone, Debug)]
pub struct Score {
    /// Of what is finite.
    pub error: f64,
    /// The benchmark's other measures.
    pub also: String,
}

/// What a run leaves.
#[derive(Clone, Debug)]
pub struct Output {
    /// In kernels.
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
        let bits = x.iter().map(|&x| x as u32).collect();
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

    /// Where it differs from `want`, which the scalar sibling left.
    pub fn difference(&self, want: &Self) -> Option<String> {
        assert_eq!(self.buffers.len(), want.buffers.len(), "one benchmark, the same buffers");
        self.buffers.iter().zip(&want.buffers).find_map(|(found, want)| {
            assert_eq!((found.name, found.bits.len()), (want.name, want.bits.len()), "one benchmark, the same buffers");
            let i = found.bits.iter().zip(&want.bits).position(|(a, b)| a != b)?;
            let count = found.bits.iter().zip(&want.bits).filter(|(a, b)| a != b).count();
            Some(format!(
                "{}[{i}] is {:#06x}, not {:#06x} ({count} of {} elements differ)",
                found.name,
                found.bits[i],
                want.bits[i],
                found.bits.len()
            ))
        })
    }
}
