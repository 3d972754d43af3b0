//! The table of a device.

use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};

use super::measure::{DeviceWay, Outcome, Row};
use crate::report::{duration, ratio};

pub fn print(outcomes: &[Outcome<'_>]) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "benchmark",
        "arithmetic",
        "error",
        "on the CPU",
        "",
        "also",
        "±∞, NaN",
        "other bits",
        "scalar",
        "pair",
        "8 threads",
        "by hand",
        "nvcc",
        "f32 / pair",
        "by hand / pair",
        "nvcc / pair",
    ]);
    for column in table.column_iter_mut().skip(6) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for outcome in outcomes {
        let single = outcome.rows.first().and_then(|row| time(row, DeviceWay::Scalar));
        for (i, row) in outcome.rows.iter().enumerate() {
            let first = |text: &str| if i == 0 { text.to_owned() } else { String::new() };
            let ours = row.results.iter().filter(|r| r.way != DeviceWay::Peer);
            let Some(worst) = ours.clone().max_by(|a, b| a.score.error.total_cmp(&b.score.error)) else {
                continue;
            };
            let [scalar, pair, many, by_hand, nvcc] = DeviceWay::ALL.map(|way| time(row, way));
            let largest = |of: fn(&super::measure::Result) -> usize| ours.clone().map(of).max().unwrap_or(0);
            table.add_row([
                first(outcome.benchmark.name()),
                row.arithmetic.name(),
                format!("{:.2e}", worst.score.error),
                format!("{:.2e}", row.cpu),
                first(outcome.benchmark.metric()),
                worst.score.also.clone(),
                largest(|r| r.non_finite).to_string(),
                largest(|r| r.different).to_string(),
                shown(scalar),
                shown(pair),
                shown(many),
                shown(by_hand),
                shown(nvcc),
                quotient(single, pair),
                quotient(by_hand, pair),
                quotient(nvcc, pair),
            ]);
        }
    }
    println!("{table}");
}

/// Returns the time, or `None` in a rehearsal.
fn time(row: &Row, way: DeviceWay) -> Option<Duration> {
    let time = row.results.iter().find(|r| r.way == way)?.time;
    (!time.is_zero()).then_some(time)
}

fn shown(time: Option<Duration>) -> String {
    time.map_or("–".to_owned(), duration)
}

fn quotient(slow: Option<Duration>, fast: Option<Duration>) -> String {
    slow.zip(fast).map_or("–".to_owned(), |(slow, fast)| ratio(slow, fast))
}
