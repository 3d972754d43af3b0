//! The report on the suite's kernels.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::access::Counts;
use super::{Found, KERNELS, Pair, Work};
use crate::ptx::flow::Code;

/// The file's text.
pub(super) fn text(all: &[Found]) -> String {
    let mut s = String::from(
        "# Kernels on a device\n\n## Pair kernels beside the same by hand\n\n\
         Machine instructions, pair / by hand: of the inner loop, or of what computes with what was loaded in kernels without one; of\n\
         the shortest way from the kernel's beginning through the store of a pair to its end, loops passed.\n\n\
         | target | kernel | inner loop | computing | way | registers |\n|---|---|---|---|---|---|\n",
    );
    for found in all {
        found.pairs.iter().for_each(|pair| row(&mut s, found.target, pair));
    }
    s.push_str("\n## Registers\n\n| target | kernel |");
    COLUMNS.iter().for_each(|(title, ..)| s.push_str(&format!(" {title} |")));
    let _ = writeln!(s, "\n|---|---|{}", "---|".repeat(COLUMNS.len()));
    for found in all {
        for kernel in KERNELS {
            let _ = write!(s, "| {} | {kernel} |", found.target);
            for (_, format, sibling) in COLUMNS {
                let r = found.resources.get(&format!("{format}_{kernel}_{sibling}"));
                let _ = write!(s, " {} |", r.map_or("–".to_owned(), |r| r.registers.to_string()));
            }
            s.push('\n');
        }
    }
    s
}

/// The instructions of the idioms' kernels.
pub(super) fn counts(target: &str, code: &BTreeMap<String, Code>) -> String {
    let mut s = format!(
        "\n## The idioms' kernels for {target}\n\nMachine instructions in all, of the inner loops, and those that access shared memory.\n\n| kernel |"
    );
    let columns = &COLUMNS[..5];
    columns.iter().for_each(|(title, ..)| s.push_str(&format!(" {title} |")));
    let _ = writeln!(s, "\n|---|{}", "---|".repeat(columns.len()));
    let kernels: BTreeSet<&str> =
        code.keys().filter_map(|entry| entry.strip_prefix("in_f32_")?.strip_suffix("_f32")).collect();
    for kernel in kernels {
        let _ = write!(s, "| {kernel} |");
        for (_, format, sibling) in columns {
            let cell = code.get(&format!("{format}_{kernel}_{sibling}")).map(|code| {
                let loops: Vec<String> = code.inner_loops().iter().map(|range| range.len().to_string()).collect();
                let [loads, stores] = Counts::of(code).shared;
                format!("{}; {}; {loads} + {stores}", code.instructions.len(), loops.join(", "))
            });
            let _ = write!(s, " {} |", cell.unwrap_or("–".to_owned()));
        }
        s.push('\n');
    }
    s
}

/// A title, and the kernel whose registers stand below it.
const COLUMNS: [(&str, &str, &str); 7] = [
    ("f32", "in_f32", "f32"),
    ("f16", "in_f16", "scalar"),
    ("f16x2", "in_f16", "pair"),
    ("f16 + keep", "in_f16_keep", "scalar"),
    ("f16x2 + keep", "in_f16_keep", "pair"),
    ("bf16x2", "in_bf16", "pair"),
    ("bf16x2 + keep", "in_bf16_keep", "pair"),
];

fn row(s: &mut String, target: &str, pair: &Pair) {
    let cell = |[pair, hand]: [usize; 2]| format!("{pair} / {hand}");
    let mut cells = ["–".to_owned(), "–".to_owned()];
    cells[usize::from(pair.work == Work::Way)] = cell(pair.counts);
    let (way, registers) = (cell(pair.way), cell(pair.registers.map(|r| r as usize)));
    let _ = writeln!(s, "| {target} | {} | {} | {way} | {registers} |", pair.kernel, cells.join(" | "));
}
