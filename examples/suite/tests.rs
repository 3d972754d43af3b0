//! Checks that every version has the scalar kernel's bits, and that errors are as known.
//!
//! The bounds come from published results for similar data.

use std::ops::RangeInclusive;

use clap::Parser as _;

use crate::benchmark::{Benchmark, Output};
use crate::benchmarks::{self, Card, Size};
use crate::launch::{Launch, Place, Way};
use crate::measure::{self, Arithmetic};
use crate::real::Format::{self, Bf16, F16, F32};
use crate::{Ended, Options, choose, status};

fn benchmark(size: Size, name: &str) -> Box<dyn Benchmark> {
    let found = benchmarks::all(size).into_iter().find(|b| b.name() == name);
    found.unwrap_or_else(|| panic!("no benchmark is called {name}"))
}

#[test]
fn every_way_has_the_bits_of_the_scalar_kernel() {
    for benchmark in benchmarks::all(Size::QUICK) {
        for (format, keep) in [(F32, false), (F16, false), (F16, true), (Bf16, false), (Bf16, true)] {
            let output = measure::check(&*benchmark, Arithmetic { format, keep }).unwrap_or_else(|e| panic!("{e}"));
            assert!(output.buffers.iter().all(|b| b.bits.iter().any(|&x| x != 0)), "{}", benchmark.name());
        }
    }
}

#[test]
fn rows_of_an_even_length_have_them_too() {
    assert_eq!([36, 37].map(|n| Size::QUICK.even().pick(0, 0, n)), [36, 38]);
    for benchmark in benchmarks::all(Size::QUICK.even()) {
        measure::check(&*benchmark, Arithmetic { format: F16, keep: true }).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn the_plain_loop_has_the_results_of_the_f32_kernel() {
    for benchmark in benchmarks::all(Size::QUICK) {
        measure::check_plain(&*benchmark).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn a_sample_has_the_results_of_the_first_threads() {
    let card = Card { threads: 128, cache: 0 };
    for size in [Size::fill(card), Size::fill(card).even()] {
        for benchmark in benchmarks::all(size) {
            if benchmarks::OTHER_DATA.contains(&benchmark.name()) {
                continue;
            }
            let run = |place| benchmark.run(F16, Launch::new(Way::Scalar, false).at(place));
            let [all, none, some] = [Place::OneCore, Place::Sample(0), Place::Sample(400)].map(run);
            let [found, want] = [&all, &some].map(|output| output.changed(&some, &none));
            assert_eq!(found.difference(&want), None, "{}", benchmark.name());
            let count = want.buffers.iter().map(|b| b.bits.len()).max().unwrap_or(0);
            assert!(count > 200, "{}: {count} elements", benchmark.name());
        }
    }
}

#[test]
fn a_card_is_filled_in_pairs() {
    // An H100.
    let card = Card { threads: 132 * 2048, cache: 50 << 20 };
    let (odd, even) = (Size::fill(card), Size::fill(card).even());
    assert_eq!([odd, even].map(|size| size.elements(0, 7)), [2_162_687, 2_162_688]);
    assert_eq!(even.elements(6, 7), 26_214_400);
    assert_eq!([odd, even].map(|size| size.rows(0, 2048, [3, 5])), [[2047, 1056], [2048, 1056]]);
    assert_eq!((even.square(4, 7), even.cube(100, [1, 2, 3])), (6270, 28));
    assert_eq!(
        (Size::QUICK.elements(6, 7), Size::QUICK.rows(0, 2048, [3, 5]), Size::QUICK.launches(4)),
        (7, [3, 5], 4)
    );
}

#[test]
fn values_far_from_the_others_are_counted() {
    let nn = benchmark(Size::QUICK, "nn");
    let want = nn.run(F32, Launch::new(Way::Scalar, false));
    let mut found = want.clone();
    let values = &mut found.buffers[0].values;
    (values[1], values[2], values[3]) = (f64::NAN, f64::INFINITY, values[3] + 1.0);
    assert_eq!([found.far(&want, 0.05), want.far(&want, 0.0)], [(2, 2001), (0, 2001)]);
}

#[test]
fn how_far_a_plain_loop_is_off_is_told() {
    let nn = benchmark(Size::QUICK, "nn");
    let want = nn.run(F32, Launch::unfused());
    assert_eq!(nn.plain().distance(&want), 0.0);
    let largest = want.buffers[0].values.iter().copied().fold(0.0, f64::max);
    for (wrong, distance) in [(want.buffers[0].values[7] + largest / 8.0, 0.125), (f64::NAN, f64::INFINITY)] {
        let mut found = want.clone();
        found.buffers[0].values[7] = wrong;
        assert!((found.distance(&want) - distance).abs() < 1e-9 || found.distance(&want) == distance);
    }
}

#[test]
fn the_program_prints_its_table_and_draws_it() {
    let file = std::env::temp_dir().join(format!("ptxf-suite-{}.svg", std::process::id()));
    let words = ["suite", "--quick", "nn", "matmul", "--plot", &file.to_string_lossy()].map(str::to_owned);
    assert!(matches!(crate::run(&Options::parse_from(words)), Ok(Ended::Done)));
    let drawing = std::fs::read_to_string(&file).expect("what was drawn");
    assert!(drawing.starts_with("<svg") && drawing.contains("matmul"), "{drawing}");
    std::fs::remove_file(file).expect("it is there");
}

#[test]
fn a_wrong_bit_is_found_and_named() {
    let nn = benchmark(Size::QUICK, "nn");
    let want = nn.run(F16, Launch::new(Way::Scalar, false));
    let mut found = want.clone();
    found.buffers[0].bits[7] ^= 1;
    let (is, was) = (found.buffers[0].bits[7], want.buffers[0].bits[7]);
    let message = format!("out[7] is {is:#06x}, not {was:#06x} (1 of 2001 elements differ)");
    assert_eq!(found.difference(&want).map(|d| d.to_string()), Some(message));
    assert_eq!(want.difference(&want), None);
}

#[test]
fn what_is_written_by_hand_has_the_bits_of_the_pair_kernel() {
    let launch = Launch::new(Way::Pair, false);
    let mut without = Vec::new();
    for benchmark in benchmarks::all(Size::QUICK) {
        let Some(found) = benchmark.by_hand(launch) else {
            without.push(benchmark.name());
            continue;
        };
        let difference = found.difference(&benchmark.run(F16, launch));
        assert_eq!(difference.map(|d| d.to_string()), None, "{}", benchmark.name());
    }
    assert_eq!(without, ["matmul, tiles", "matmul e4m3", "matmul MXFP4", "BlackScholes, table", "cfd"]);
}

#[test]
fn even_sizes_by_hand_as_well() {
    // These benchmarks have rows of even length at full size. At the small size all rows are odd.
    for name in ["nn", "gaussian"] {
        let (benchmark, launch) = (benchmark(Size::FULL, name), Launch::new(Way::Pair, false));
        let difference = benchmark.by_hand(launch).unwrap().difference(&benchmark.run(F16, launch));
        assert_eq!(difference.map(|d| d.to_string()), None, "{name}");
    }
}

#[test]
fn a_machine_that_cannot_is_told_from_a_failure() {
    let ended = |ended| status(&ended, false);
    let cannot = || Ok(Ended::Cannot("no device".to_owned()));
    assert_eq!([ended(Ok(Ended::Done)), ended(cannot()), ended(Err("a bit".into()))], [0, 3, 1]);
    assert_eq!(status(&cannot(), true), 1);
}

#[test]
fn a_name_finds_its_benchmarks_or_is_refused() {
    let names = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&s| s.to_owned()).collect();
        choose(benchmarks::all(Size::QUICK), &names).map(|found| found.iter().map(|b| b.name()).collect::<Vec<_>>())
    };
    assert_eq!(names(&["blackscholes"]).unwrap(), ["BlackScholes", "BlackScholes, table"]);
    assert_eq!(names(&[]).unwrap().len(), benchmarks::all(Size::QUICK).len());
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
        let benchmark = benchmark(Size::FULL, name);
        let output = benchmark.run(format, Launch::new(Way::Wide, keep));
        Self { benchmark, output }
    }

    fn error(&self) -> f64 {
        self.benchmark.score(&self.output).error
    }
}

/// Checks the errors in f32, and in a 16-bit format without and with kept variables.
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
    // The number depends on the random records, so there is a tolerance.
    assert!((1300..=1900).contains(&infinite(F16, false)));
    assert_eq!([(F32, false), (F16, true), (Bf16, false), (Bf16, true)].map(|(f, k)| infinite(f, k)), [0; 4]);
}

#[test]
fn nn_finds_the_neighbours_all_the_same() {
    for (format, keep) in [(F16, false), (F16, true)] {
        let nn = Measured::new("nn", format, keep);
        assert!((0.05..0.5).contains(&nn.error()), "{}", nn.error());
        assert_eq!(nn.benchmark.score(&nn.output).also, "10 of 10 nearest");
    }
}

#[test]
fn sums_stick_in_a_half() {
    errors("matmul [0, 1)", F16, [1e-8..=1e-6, 2e-3..=5e-3, 1e-4..=4e-4]);
    errors("matmul 0.1", F16, [1e-6..=1e-4, 0.1999..=0.2001, 7e-4..=9e-4]);
    let sticks = Measured::new("matmul 0.1", F16, false);
    assert!(sticks.output.values("c").iter().all(|&c| c == 32.0));
    // In bf16 a tenth is 0.1001, and 40.08 happens to round to 40.
    errors("matmul 0.1", Bf16, [1e-6..=1e-4, 0.8999..=0.9001, 0.0..=1e-6]);
}

#[test]
fn tiles_add_the_same_terms() {
    for (format, keep) in [(F32, false), (F16, false), (F16, true), (Bf16, false), (Bf16, true)] {
        let [tiles, rows] = ["matmul, tiles", "matmul [0, 1)"].map(|name| Measured::new(name, format, keep).output);
        assert_eq!(tiles.difference(&rows).map(|d| d.to_string()), None, "{}", format.name());
    }
}

#[test]
fn options_are_priced() {
    // The errors with `keep` would be smaller if the argument of the distribution were kept too.
    // Here a function takes the argument as an element.
    errors("BlackScholes", F16, [1e-8..=2e-6, 1e-3..=2e-3, 3e-4..=8e-4]);
    errors("BlackScholes", Bf16, [1e-8..=2e-6, 8e-3..=2e-2, 3e-3..=8e-3]);
    errors("BlackScholes, table", F16, [2e-4..=8e-4, 5e-4..=1.2e-3, 3e-4..=8e-4]);
    errors("binomialOptions", F16, [1e-7..=1e-4, 1e-3..=0.5, 1e-4..=1e-3]);
}

#[test]
fn digits_find_their_clusters() {
    errors("kmeans", F16, [0.0..=0.0, 0.0..=0.02, 0.0..=0.01]);
}

#[test]
fn increments_of_hundreds_of_kelvin_are_lost() {
    // Temperatures end about 2 K above 334 K, so an error of 0.7 K is a third of the change.
    errors("hotspot3D", F16, [1e-6..=1e-3, 0.3..=1.5, 0.1..=0.8]);
    errors("hotspot3D − 334 K", F16, [1e-8..=1e-5, 2e-3..=1e-2, 4e-4..=2e-3]);
}

#[test]
fn systems_are_solved() {
    errors("gaussian", F16, [1e-9..=1e-6, 1e-4..=2e-3, 1e-4..=2e-3]);
}

#[test]
fn forces_add_up() {
    errors("lavaMD", F16, [1e-8..=2e-6, 4e-3..=3e-2, 2e-4..=6e-4]);
}

#[test]
fn the_rest_is_accurate_to_a_few_roundings() {
    errors("streamcluster", F16, [1e-9..=1e-6, 1e-3..=4e-3, 5e-4..=2e-3]);
    // Inflow and outflow of a cell cancel, so every format loses digits.
    errors("cfd", F16, [5e-7..=3e-6, 5e-3..=2e-2, 4e-3..=2e-2]);
    errors("backprop", F16, [1e-9..=1e-6, 2e-4..=8e-4, 2e-4..=8e-4]);
}
