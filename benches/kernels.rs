//! Times kernels on one core beside the f32 loop that one would write in Rust without them.
//!
//! In each round every contender runs once, and its best round counts, so that other work on the
//! CPU disturbs all contenders alike. Results are compared before anything is timed: the kernel in
//! f32 with the loop, `wide` in f32 with `f32`, and `wide` in f16 with `scalar`, bit by bit. Data
//! are in L1 or L2.
//!
//! ```sh
//! cargo bench -p benches --bench kernels              # all; -- horner conv: some
//! PTXF_LEVEL=avx2 cargo bench -p benches --bench kernels
//! ```

mod common;
#[path = "kernels/texts.rs"]
mod texts;

use std::time::{Duration, Instant};

use comfy_table::{CellAlignment, Table, presets};
use ptxf::Level;

/// The time that the rounds of a kernel take together.
const TIME: Duration = Duration::from_millis(1000);

/// A run, which stores its results as bits.
pub(crate) type Run = Box<dyn FnMut()>;

/// A contender.
pub(crate) struct Contender {
    pub(crate) name: &'static str,
    pub(crate) run: Run,
    /// The bits of its results.
    pub(crate) bits: Box<dyn Fn() -> Vec<u32>>,
}

/// A kernel, its contenders, and the number of elements that a run computes.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) elements: usize,
    /// The tolerance between the loop's results and the kernel's, relative to the largest.
    pub(crate) tolerance: f32,
    /// The loop, `k::f32`, `wide` in f32, `scalar` in f16, and `wide` in f16.
    pub(crate) contenders: [Contender; 5],
}

fn main() {
    let level = Level::from_env().unwrap_or_else(|e| panic!("{e}")).unwrap_or_else(Level::detect);
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!("level {}, one core; ns per element, and in brackets how many times as fast as the loop", level.name());
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let mut names = vec!["kernel"];
    let cases = texts::all();
    names.extend(cases[0].contenders.iter().map(|c| c.name));
    table.set_header(names);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for mut case in cases.into_iter().filter(|c| asked.is_empty() || asked.iter().any(|a| c.name.contains(&**a))) {
        case.check();
        table.add_row(case.row());
    }
    println!("{table}");
}

impl Case {
    fn check(&mut self) {
        self.contenders.iter_mut().for_each(|c| (c.run)());
        let [plain, single, wide_single, scalar, wide] = self.contenders.each_ref().map(|c| (c.bits)());
        assert!(single == wide_single, "{}: f32 and wide of F32x2 differ", self.name);
        assert!(scalar == wide, "{}: wide and scalar differ in f16", self.name);
        let values = |bits: &[u32]| bits.iter().map(|&b| f32::from_bits(b)).collect::<Vec<_>>();
        let (plain, single) = (values(&plain), values(&single));
        let largest = single.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
        for (i, (x, y)) in plain.iter().zip(&single).enumerate() {
            assert!((x - y).abs() <= self.tolerance * largest, "{}: {x} at {i} by the loop, and {y}", self.name);
        }
    }

    fn row(&mut self) -> Vec<String> {
        let mut best = [Duration::MAX; 5];
        let start = Instant::now();
        while start.elapsed() < TIME {
            for (best, contender) in best.iter_mut().zip(&mut self.contenders) {
                // Enough runs for some microseconds.
                let turns = if *best < Duration::from_micros(20) { 10 } else { 1 };
                let start = Instant::now();
                (0..turns).for_each(|_| (contender.run)());
                *best = (*best).min(start.elapsed() / turns);
            }
        }
        let ns = |time: Duration| time.as_secs_f64() * 1e9 / self.elements as f64;
        let mut row = vec![self.name.to_owned(), format!("{:.3}", ns(best[0]))];
        row.extend(
            best[1..]
                .iter()
                .map(|&time| format!("{:.3} ({:.2})", ns(time), best[0].as_secs_f64() / time.as_secs_f64())),
        );
        row
    }
}
