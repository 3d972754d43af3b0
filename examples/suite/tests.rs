//! Every way has the scalar kernel's bits, and errors are what they were measured to be elsewhere.
//!
//! The bounds are those of the numbers known for data of the same nature: the data itself is not the same.

use std::ops::RangeInclusive;

use crate::benchmark::{Benchmark, Output, Run};
use crate::benchmarks::{self, Size};
use crate::choose;
use crate::launch::{Launch, Way};
use crate::measure::{self, Arithmetic};
use crate::real::Format::{self, Bf16, F16, F32};

fn benchmark(size: Size, name: &str) -> Box<dyn Benchmark> {
    let found = benchmarks::all(size).into_iter().find(|b| b.name() == name);
    found.unwrap_or_else(|| panic!("no benchmark is called {name}"))
}

#[test]
fn every_way_has_the_bits_of_the_scalar_kernel() {
    for benchmark in benchmarks::all(Size::Quick) {
        for (format, keep) in [(F32, false), (F16, false), (F16, true), (Bf16, false), (Bf16, true)] {
            let output = measure::check(&*benchmark, Arithmetic { format, keep }).unwrap_or_else(|e| panic!("{e}"));
            assert!(output.buffers.iter().all(|b| b.bits.iter().any(|&x| x != b.bits[0])), "{}", benchmark.name());
        }
    }
}

#[test]
fn a_wrong_bit_is_found_and_named() {
    let nn = benchmark(Size::Quick, "nn");
    let want = nn.run(F16, Launch::new(Way::Scalar, false));
    let mut found = want.clone();
    found.buffers[0].bits[7] ^= 1;
    let (is, was) = (found.buffers[0].bits[7], want.buffers[0].bits[7]);
    let message = format!("out[7] is {is:#06x}, not {was:#06x} (1 of 2001 elements differ)");
    assert_eq!(found.difference(&want), Some(message));
    assert_eq!(want.difference(&want), None);
}

#[test]
fn a_name_finds_its_benchmarks_or_is_refused() {
    let names = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&s| s.to_owned()).collect();
        choose(benchmarks::all(Size::Quick), &names).map(|found| found.iter().map(|b| b.name()).collect::<Vec<_>>())
    };
    assert_eq!(names(&["blackscholes"]).unwrap(), ["BlackScholes", "BlackScholes, table"]);
    assert_eq!(names(&[]).unwrap().len(), benchmarks::all(Size::Quick).len());
    let refused = names(&["nn", "fft"]).unwrap_err();
    assert!(refused.starts_with("no benchmark is called fft: there are nn, matmul"), "{refused}");
}

/// A benchmark of full size, without its times.
struct Measured {
    benchmark: Box<dyn Benchmark>,
    output: Output,
}

impl Measured {
    fn new(name: &str, format: Format, keep: bool) -> Self {
        let benchmark = benchmark(Size::Full, name);
        let output = benchmark.run(format, Launch::new(Way::Wide, keep));
        Self { benchmark, output }
    }

    fn error(&self) -> f64 {
        self.benchmark.score(&self.output).error
    }
}

/// The errors in f32, in the half, and in the half with what is kept.
#[track_caller]
fn errors(name: &str, half: Format, [single, plain, keep]: [RangeInclusive<f64>; 3]) {
    for (format, keep, bounds) in [(F32, false, single), (half, false, plain), (half, true, keep)] {
        let measured = Measured::new(name, format, keep);
        let (error, what) = (measured.error(), Arithmetic { format, keep }.name());
        assert_eq!(measured.output.non_finite(), 0, "{name} in {what}");
        assert!(bounds.contains(&error), "{name} in {what}: {error:e} is not in {bounds:?}");
    }
}

#[test]
fn nn_overflows_f16_and_nothing_else() {
    let n = 42_764;
    let infinite = |format, keep| {
        let measured = Measured::new("nn", format, keep);
        assert_eq!(measured.output.values("out").len(), n);
        measured.output.non_finite()
    };
    // 1,517 in the data that this resembles.
    assert!((1300..=1900).contains(&infinite(F16, false)));
    assert_eq!([(F32, false), (F16, true), (Bf16, false), (Bf16, true)].map(|(f, k)| infinite(f, k)), [0; 4]);
}
