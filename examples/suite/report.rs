//! Prints the table.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};

use crate::benchmark::Benchmark;
use crate::measure::Measured;

/// A benchmark with its results in each arithmetic.
pub struct Outcome<'a> {
    pub benchmark: &'a dyn Benchmark,
    pub measured: Measured,
}

pub fn print(outcomes: &[Outcome<'_>]) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let mut header = vec![
        "benchmark",
        "arithmetic",
        "error",
        "",
        "also",
        "±∞, NaN",
        "scalar",
        "pair",
        "wide",
        "/ scalar",
        "plain f32",
        "wide / plain",
        "error, unfused",
        "scalar, unfused",
    ];
    if cfg!(feature = "rayon") {
        header.extend(["all cores", "/ one"]);
    }
    table.set_header(header);
    for column in table.column_iter_mut().skip(5) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for outcome in outcomes {
        for (i, row) in outcome.measured.rows.iter().enumerate() {
            let first = |text: &str| if i == 0 { text.to_owned() } else { String::new() };
            let [scalar, pair, wide] = row.times;
            let mut cells = vec![
                first(outcome.benchmark.name()),
                row.arithmetic.name(),
                format!("{:.2e}", row.score.error),
                first(outcome.benchmark.metric()),
                row.score.also.clone(),
                row.non_finite.to_string(),
                duration(scalar),
                duration(pair),
                duration(wide),
                ratio(scalar, wide),
                first(&duration(outcome.measured.plain)),
                ratio(outcome.measured.plain, wide),
            ];
            cells.extend(match row.unfused {
                Some((error, time)) => [format!("{error:.2e}"), duration(time)],
                None => [String::new(), String::new()],
            });
            if let Some(time) = row.all_cores {
                cells.extend([duration(time), ratio(wide, time)]);
            }
            table.add_row(cells);
        }
    }
    println!("{table}");
}

/// Returns a ratio of times as text.
pub fn ratio(slow: Duration, fast: Duration) -> String {
    format!("{:.2}×", slow.as_secs_f64() / fast.as_secs_f64())
}

/// Returns a time as text of about three digits.
pub fn duration(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1e3 { format!("{micros:.1} µs") } else { format!("{:.2} ms", micros / 1e3) }
}
