//! What was found of the suite's kernels, for people.

use std::fmt::Write;

use super::{Found, KERNELS, Pair, Work};

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

/// A title, and whose registers stand below it.
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
