//! `--fill`: the benchmarks at sizes that fill the device and leave its cache.
//!
//! `pair` is compared with `scalar` on the device, all elements, and `scalar` with the CPU on the
//! threads of a smaller grid.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;

use super::device::Device;
use super::measure::{DeviceWay, judge_peer};
use crate::benchmark::{Benchmark, Output};
use crate::benchmarks::{self, Size};
use crate::launch::{Launch, Place, Way};
use crate::measure::Arithmetic;
use crate::report::{duration, ratio};

/// Threads that the CPU computes: whole boxes of lavaMD, and whole blocks.
const SAMPLE: usize = 51_200;

/// A benchmark in one arithmetic.
pub struct Row {
    arithmetic: Arithmetic,
    /// Number of elements in the output buffers, and how many of them the CPU computed too.
    elements: [usize; 2],
    scalar: Duration,
    pair: Duration,
    /// `pair` with 8 threads per thread of the device.
    many: Option<Duration>,
    nvcc: Option<Duration>,
    pub problems: Vec<String>,
}

/// Runs the chosen benchmarks on the first device and prints their times. Returns the reason if
/// there is no device.
pub fn run(
    names: &[String],
    even: bool,
    arithmetics: [Arithmetic; 3],
    [folder, peers]: [Option<&Path>; 2],
    bar: impl Fn(u64) -> ProgressBar,
) -> Result<Option<String>, Box<dyn Error>> {
    let (device, absent) = super::open(folder)?;
    let Some(card) = device.card()? else {
        return Ok(Some(absent.unwrap_or_else(|| "there is no device".to_owned())));
    };
    let device = super::with_peers(device, peers)?;
    println!("{}: {} resident threads, {} KiB of cache", device.describe(), card.threads, card.cache / 1024);
    let size = if even { Size::fill(card).even() } else { Size::fill(card) };
    run_on(&device, size, names, arithmetics, bar)?;
    Ok(None)
}

/// Runs the chosen benchmarks and prints their times.
pub fn run_on(
    device: &Device,
    size: Size,
    names: &[String],
    arithmetics: [Arithmetic; 3],
    bar: impl Fn(u64) -> ProgressBar,
) -> Result<(), Box<dyn Error>> {
    let chosen = crate::choose(benchmarks::all(Size::QUICK), names)?;
    let bar = bar((chosen.len() * arithmetics.len()) as u64);
    let (mut results, mut end) = (Vec::new(), Ok(()));
    // Benchmarks have gigabytes, so there is one at a time.
    for new in benchmarks::ALL {
        let name = new(Size::QUICK).name();
        if benchmarks::OTHER_DATA.contains(&name) || !chosen.iter().any(|b| b.name() == name) {
            continue;
        }
        bar.set_message(name);
        let benchmark = new(size);
        for arithmetic in arithmetics.into_iter().filter(|a| device.has(a.format)) {
            match outcome(&*benchmark, arithmetic, device) {
                Ok(row) => results.push((name, row)),
                Err(failure) => end = Err(failure),
            }
            bar.inc(1);
        }
        if end.is_err() {
            break;
        }
    }
    bar.finish_and_clear();
    print(&results);
    println!("{}", device.done());
    end?;
    let problems: Vec<&String> = results.iter().flat_map(|(_, row)| &row.problems).collect();
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    match problems.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} results are wrong, the first: {first}", problems.len()).into()),
    }
}

/// Runs the versions of a benchmark and compares their results. Returns an error if the device
/// fails.
pub fn outcome(benchmark: &dyn Benchmark, arithmetic: Arithmetic, device: &Device) -> Result<Row, String> {
    let name = |version: &str| format!("{} in {}, {version}", benchmark.name(), arithmetic.name());
    let mut problems = Vec::new();
    let run = |way: DeviceWay| {
        let output = way.run(benchmark, arithmetic, Place::Device(device)).map(Output::with_one_nan);
        device.failure().map_err(|failure| format!("{}: {failure}", name(way.name())))?;
        Ok::<_, String>(output)
    };
    let scalar = run(DeviceWay::Scalar)?.ok_or("each benchmark has a scalar kernel")?;
    let pair = run(DeviceWay::Pair)?.ok_or("each benchmark has a pair kernel")?;
    problems.extend(pair.difference(&scalar).map(|d| format!("{}: {d} from scalar's", name("pair"))));
    let pair = pair.time;
    let many = run(DeviceWay::Many)?;
    let of_many = many.as_ref().and_then(|found| found.difference(&scalar));
    problems.extend(of_many.map(|d| format!("{}: {d} from scalar's", name(DeviceWay::Many.name()))));
    let many = many.map(|output| output.time);

    let on_cpu = |threads| {
        let launch = Launch::new(Way::Scalar, arithmetic.keep).at(Place::Sample(threads));
        benchmark.run(arithmetic.format, launch).with_one_nan()
    };
    let (cpu, untouched) = (on_cpu(SAMPLE), on_cpu(0));
    let (found, want) = (scalar.changed(&cpu, &untouched), cpu.changed(&cpu, &untouched));
    let of_cpu = match found.difference(&want) {
        // Approximate functions differ, and few elements depend on a bit of them.
        Some(_) if benchmark.approximates() => judge_peer(&found, &want),
        difference => difference.map(|d| d.to_string()),
    };
    problems.extend(of_cpu.map(|problem| format!("{}, against the CPU: {problem}", name("scalar"))));

    let peer = run(DeviceWay::Peer)?;
    let of_peer = peer.as_ref().and_then(|found| judge_peer(found, &scalar));
    problems.extend(of_peer.map(|problem| format!("{}: {problem}", name("nvcc"))));
    let elements = [&scalar, &want].map(|output| output.buffers.iter().map(|b| b.bits.len()).sum());
    Ok(Row { arithmetic, elements, scalar: scalar.time, pair, many, nvcc: peer.map(|p| p.time), problems })
}

fn print(results: &[(&str, Row)]) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "benchmark",
        "arithmetic",
        "elements",
        "on the CPU too",
        "scalar",
        "pair",
        "8 threads",
        "nvcc",
        "f32 / pair",
        "nvcc / ours",
    ]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let (mut single, mut last) = (Duration::ZERO, "");
    for (name, row) in results {
        let is_first = last != *name;
        let is_single = row.arithmetic.format == crate::real::Format::F32;
        if is_single {
            single = row.scalar;
        }
        last = name;
        let ours = if is_single { row.scalar } else { row.pair };
        table.add_row([
            if is_first { (*name).to_owned() } else { String::new() },
            row.arithmetic.name(),
            row.elements[0].to_string(),
            row.elements[1].to_string(),
            duration(row.scalar),
            duration(row.pair),
            row.many.map_or("–".to_owned(), duration),
            row.nvcc.map_or("–".to_owned(), duration),
            ratio(single, row.pair),
            row.nvcc.map_or("–".to_owned(), |nvcc| ratio(nvcc, ours)),
        ]);
    }
    println!("{table}");
}
