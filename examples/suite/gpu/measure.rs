//! Runs every version of a benchmark on the device, and compares the results with the CPU's.

use std::time::Duration;

use indicatif::ProgressBar;

use super::device::Device;
use crate::benchmark::{Benchmark, Output, Score};
use crate::launch::{Launch, Place, Way};
use crate::measure::Arithmetic;
use crate::real::Format;

/// A benchmark with its results on the device.
pub struct Outcome<'a> {
    pub benchmark: &'a dyn Benchmark,
    pub rows: Vec<Row>,
    pub problems: Vec<String>,
}

/// A benchmark in one arithmetic.
pub struct Row {
    pub arithmetic: Arithmetic,
    /// The CPU's error.
    pub cpu: f64,
    /// Results of the kernels in the PTX.
    pub results: Vec<Result>,
}

/// A result in one arithmetic, by one kind of kernel.
pub struct Result {
    pub way: DeviceWay,
    pub score: Score,
    pub non_finite: usize,
    /// Number of elements whose bits differ from the CPU's.
    pub different: usize,
    pub time: Duration,
}

/// The benchmarks whose f16 kernels also run 8 threads per thread of the device.
const MANY: [&str; 6] = ["nn", "matmul [0, 1)", "matmul 0.1", "backprop", "BlackScholes", "BlackScholes, table"];

/// The kernel that runs: `scalar`, `pair`, `pair` with 8 threads per thread, handwritten, or in
/// CUDA C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceWay {
    Scalar,
    Pair,
    Many,
    ByHand,
    Peer,
}

impl DeviceWay {
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Pair, Self::Many, Self::ByHand, Self::Peer];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => Way::Scalar.name(),
            Self::Pair => Way::Pair.name(),
            Self::Many => Way::Many.name(),
            Self::ByHand => "by hand",
            Self::Peer => "nvcc",
        }
    }

    /// Returns the results, or `None` if there is no such kernel. Handwritten kernels and those for
    /// 8 threads are in f16, and kernels in CUDA C++ in f32 and in pairs of f16.
    pub fn run(self, benchmark: &dyn Benchmark, arithmetic: Arithmetic, place: Place<'_>) -> Option<Output> {
        let Arithmetic { format, keep } = arithmetic;
        let run = |way| Some(benchmark.run(format, Launch::new(way, keep).at(place)));
        match self {
            Self::Scalar => run(Way::Scalar),
            Self::Pair => run(Way::Pair),
            Self::Many if format == Format::F16 && !keep && MANY.contains(&benchmark.name()) => run(Way::Many),
            Self::ByHand if format == Format::F16 && !keep => benchmark.by_hand(Launch::new(Way::Pair, keep).at(place)),
            Self::Peer if format != Format::Bf16 && !keep => {
                let Place::Device(device) = place else { return None };
                let way = if format == Format::F32 { Way::Scalar } else { Way::Pair };
                let output =
                    device.has_peers().then(|| benchmark.run(format, Launch::new(way, keep).of_peers().at(place)));
                output.filter(|_| !device.lacked_peer())
            }
            Self::Many | Self::ByHand | Self::Peer => None,
        }
    }
}

/// Returns the ticks of the progress bar.
pub fn steps(chosen: &[Box<dyn Benchmark>], arithmetics: [Arithmetic; 3]) -> u64 {
    (chosen.len() * arithmetics.len() * DeviceWay::ALL.len()) as u64
}

/// Runs a benchmark in all arithmetics. Returns an error if the device fails.
pub fn outcome<'a>(
    benchmark: &'a dyn Benchmark,
    arithmetics: [Arithmetic; 3],
    device: &Device,
    bar: &ProgressBar,
) -> std::result::Result<Outcome<'a>, String> {
    let mut outcome = Outcome { benchmark, rows: Vec::new(), problems: Vec::new() };
    for arithmetic in arithmetics.into_iter().filter(|a| device.has(a.format)) {
        let scalar = Launch::new(Way::Scalar, arithmetic.keep).at(Place::AllCores);
        let want = benchmark.run(arithmetic.format, scalar).with_one_nan();
        let cpu = benchmark.score(&want).error;
        let mut results = Vec::new();
        for way in DeviceWay::ALL {
            let what = format!("{} in {}, {}", benchmark.name(), arithmetic.name(), way.name());
            bar.set_message(what.clone());
            if let Some(found) = way.run(benchmark, arithmetic, Place::Device(device)) {
                device.failure().map_err(|failure| format!("{what}: {failure}"))?;
                let found = found.with_one_nan();
                let score = benchmark.score(&found);
                let problem = match way {
                    DeviceWay::Peer => judge_peer(&found, &want),
                    _ => judge(benchmark, &found, &want, score.error, cpu),
                };
                outcome.problems.extend(problem.map(|p| format!("{what}: {p}")));
                let different = found.difference(&want).map_or(0, |d| d.count);
                results.push(Result { way, score, non_finite: found.non_finite(), different, time: found.time });
            }
            bar.inc(1);
        }
        outcome.rows.push(Row { arithmetic, cpu, results });
    }
    Ok(outcome)
}

/// Returns the error of a result, or `None` if the result is right.
///
/// All bits must equal the CPU's. Kernels with approximate instructions are excepted: their results
/// differ between devices, within bounds below the rounding of a 16-bit float.
pub fn judge(benchmark: &dyn Benchmark, found: &Output, want: &Output, error: f64, cpu: f64) -> Option<String> {
    let difference = found.difference(want)?;
    if !benchmark.approximates() {
        return Some(format!("{difference} on the device"));
    }
    // f32 functions may differ by a few units in the last place, which may change a 16-bit result.
    let allowed = 2.0 * cpu + 1e-5;
    let is_good = error <= allowed && found.non_finite() == want.non_finite();
    (!is_good).then(|| format!("an error of {error:e} on the device, {cpu:e} on the CPU; {difference}"))
}

/// Returns the error of a kernel in CUDA C++, which rounds elsewhere, or `None` if it computes the
/// same.
///
/// Few results may be far from the suite's: decisions between nearly equal numbers differ.
pub fn judge_peer(found: &Output, want: &Output) -> Option<String> {
    let (far, of) = found.far(want, 0.05);
    (far * 50 > of).then(|| format!("{far} of {of} elements are far from the suite's"))
}
