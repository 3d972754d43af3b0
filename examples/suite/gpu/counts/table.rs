//! The table of counts, as text and in comparisons.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::gpu::peers::Machine;

/// A change of a count that is ignored, in percent.
const TOLERANCE: u64 = 3;

/// Counts by kernel, and the compilers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The version of rustc, such as `1.96.0`.
    pub rustc: String,
    /// The version of nvcc. `None` if its kernels were not counted.
    pub nvcc: Option<String>,
    pub rows: BTreeMap<Key, Row>,
}

/// A version of a kernel, and `even` or `odd` rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub kernel: String,
    pub rows: String,
    pub format: String,
    pub version: String,
}

/// Warp instructions of all launches, and the machine code of the suite's entry and of nvcc's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row {
    pub ours: u64,
    pub nvcc: Option<u64>,
    /// Registers per thread.
    pub registers: [Option<u32>; 2],
    /// Machine instructions of an iteration or of the path, with one decimal place.
    pub machine: [Option<f64>; 2],
}

impl Row {
    fn ratio(&self) -> Option<f64> {
        Some(self.ours as f64 / self.nvcc? as f64)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, rows, format, version } = self;
        write!(f, "{kernel}, {rows} rows, {format} {version}")
    }
}

impl Table {
    /// Adds the registers and machine instructions of entries.
    pub fn add_machine(&mut self, entries: &BTreeMap<String, Machine>) {
        for (Key { kernel, format, version, .. }, row) in &mut self.rows {
            let lanes = if version == "pair" { "x2" } else { "" };
            let ours = match &**version {
                "many" => entries.get(&format!("in_{format}_many_{kernel}_pair")),
                _ => entries.get(&format!("in_{format}_{kernel}_{version}")),
            };
            let plain = format.split('_').next().unwrap_or_default();
            let nvcc = row.nvcc.and_then(|_| entries.get(&format!("{kernel}_{plain}{lanes}")));
            row.registers = [ours, nvcc].map(|entry| entry.map(|entry| entry.registers));
            // As the table has them.
            let rounded = |count: f64| (count * 10.0).round() / 10.0;
            row.machine = [ours, nvcc].map(|entry| entry.and_then(|entry| entry.instructions).map(rounded));
        }
    }

    /// Returns this table with the rows of `found`. What `found` has not counted remains.
    pub fn updated(mut self, found: Self) -> Self {
        for (key, row) in found.rows {
            let old = self.rows.remove(&key).unwrap_or_default();
            let registers = std::array::from_fn(|i| row.registers[i].or(old.registers[i]));
            let machine = std::array::from_fn(|i| row.machine[i].or(old.machine[i]));
            self.rows.insert(key, Row { nvcc: row.nvcc.or(old.nvcc), registers, machine, ..row });
        }
        Self { rustc: found.rustc, nvcc: found.nvcc.or(self.nvcc), rows: self.rows }
    }

    /// Compares counts with this table. Returns the differences, and what was not compared.
    pub fn compare(&self, found: &Self) -> (Vec<String>, Vec<String>) {
        let (mut problems, mut left_out) = (Vec::new(), Vec::new());
        let is_ours = self.rustc == found.rustc;
        if !is_ours {
            left_out.push(format!("the table has counts of rustc {}, and this is {}", self.rustc, found.rustc));
        }
        let is_nvccs = found.nvcc.is_some() && self.nvcc == found.nvcc;
        if let (false, Some(nvcc)) = (is_nvccs, &found.nvcc) {
            let of = self.nvcc.as_deref().unwrap_or("no");
            left_out.push(format!("the table has counts of nvcc {of}, and this is {nvcc}"));
        }
        for (key, row) in &found.rows {
            let Some(wanted) = self.rows.get(key) else {
                problems.push(format!("{key} is not in the table: `--counts --bless` adds it"));
                continue;
            };
            if is_ours {
                problems.extend(change(wanted.ours, row.ours).map(|what| format!("{key} {what}")));
            }
            if let (true, Some(nvcc)) = (is_nvccs, row.nvcc) {
                let what = change(wanted.nvcc.unwrap_or_default(), nvcc);
                problems.extend(what.map(|what| format!("{key} by nvcc {what}")));
            }
        }
        (problems, left_out)
    }

    /// Returns the largest ratios: to nvcc's counts, of odd rows to even ones, and to nvcc's
    /// registers and machine instructions.
    pub fn summary(&self) -> String {
        let to_nvcc = self.rows.iter().filter_map(|(key, row)| Some((key, row.ratio()?)));
        let to_even = self.rows.iter().filter(|(key, _)| key.rows == "odd").filter_map(|(key, row)| {
            let even = self.rows.get(&Key { rows: "even".to_owned(), ..key.clone() })?;
            Some((key, row.ours as f64 / even.ours as f64))
        });
        let of_registers = self.rows.iter().filter_map(|(key, row)| {
            let [ours, nvcc] = row.registers;
            Some((key, f64::from(ours?) / f64::from(nvcc?)))
        });
        let of_machine = self.rows.iter().filter_map(|(key, row)| {
            let [ours, nvcc] = row.machine;
            Some((key, ours? / nvcc?))
        });
        let largest = |ratios: Vec<(&Key, f64)>, to: &str| {
            let largest = ratios.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
            largest.map(|(key, ratio)| format!("largest ratio to {to}: {ratio:.2}, {key}"))
        };
        let all = [
            largest(to_nvcc.collect(), "nvcc"),
            largest(to_even.collect(), "even rows"),
            largest(of_registers.collect(), "nvcc's registers"),
            largest(of_machine.collect(), "nvcc's machine instructions"),
        ];
        all.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }
}

/// Returns the words for a count that is not as in the table.
fn change(wanted: u64, found: u64) -> Option<String> {
    let percent = (found as f64 / wanted as f64 - 1.0).abs() * 100.0;
    if found * 100 > wanted * (100 + TOLERANCE) {
        Some(format!("executes {found} instructions, {percent:.1} % more than the table's {wanted}"))
    } else if found * 100 < wanted * (100 - TOLERANCE) {
        Some(format!(
            "executes {found} instructions, {percent:.1} % fewer than the table's {wanted}: `--counts --bless` keeps the gain"
        ))
    } else {
        None
    }
}

/// Marks of the lines with the compilers.
const RUSTC: &str = "# ours: rustc ";
const NVCC: &str = "# nvcc: release ";
/// The text after nvcc's version.
const COMMAND: &str = ": nvcc -O3 -ptx -arch=sm_90 yardstick.cu";

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Instructions that warps execute on ptxf-vm; by ptxas, registers per thread, and machine")?;
        writeln!(f, "# instructions of an iteration of the loop or, without a loop, of the path through a store.")?;
        writeln!(f, "# `cargo run --release -p suite -- --counts` compares, `--counts --bless` rewrites.")?;
        writeln!(f, "{RUSTC}{}, -Ctarget-cpu=sm_90", self.rustc)?;
        if let Some(nvcc) = &self.nvcc {
            writeln!(f, "{NVCC}{nvcc}{COMMAND}")?;
        }
        let head = ["ours", "nvcc", "ratio", "registers", "nvcc's", "machine", "nvcc's"]
            .map(|name| format!("{name:>9}"))
            .join(" ");
        writeln!(f, "# {:<13} {:<4} {:<8} {:<6} {head}", "kernel", "rows", "format", "version")?;
        for (key, row) in &self.rows {
            let number = |n: Option<String>| n.unwrap_or_else(|| "-".to_owned());
            let cells = [
                row.ours.to_string(),
                number(row.nvcc.map(|n| n.to_string())),
                number(row.ratio().map(|r| format!("{r:.2}"))),
                number(row.registers[0].map(|r| r.to_string())),
                number(row.registers[1].map(|r| r.to_string())),
                number(row.machine[0].map(|n| format!("{n:.1}"))),
                number(row.machine[1].map(|n| format!("{n:.1}"))),
            ];
            let Key { kernel, rows, format, version } = key;
            let cells = cells.map(|cell| format!("{cell:>9}")).join(" ");
            writeln!(f, "{kernel:<15} {rows:<4} {format:<8} {version:<6} {cells}")?;
        }
        Ok(())
    }
}

impl FromStr for Table {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut table = Self::default();
        for line in text.lines() {
            if let Some(rustc) = line.strip_prefix(RUSTC) {
                table.rustc = rustc.split(',').next().unwrap_or_default().to_owned();
            } else if let Some(nvcc) = line.strip_prefix(NVCC) {
                table.nvcc = Some(nvcc.split(": ").next().unwrap_or_default().to_owned());
            } else if !line.starts_with('#') && !line.is_empty() {
                let (key, row) = row(line).ok_or_else(|| format!("this line has other columns: {line}"))?;
                table.rows.insert(key, row);
            }
        }
        Ok(table)
    }
}

fn row(line: &str) -> Option<(Key, Row)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [kernel, rows, format, version, ours, nvcc, _, registers, of_nvcc, machine, by_nvcc] = words[..] else {
        return None;
    };
    let [kernel, rows, format, version] = [kernel, rows, format, version].map(str::to_owned);
    let registers = [registers, of_nvcc].map(|word| word.parse().ok());
    let machine = [machine, by_nvcc].map(|word| word.parse().ok());
    let row = Row { ours: ours.parse().ok()?, nvcc: nvcc.parse().ok(), registers, machine };
    Some((Key { kernel, rows, format, version }, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(ours: u64, nvcc: Option<u64>) -> Table {
        let [kernel, rows, format, version] = ["nn", "even", "f16", "pair"].map(str::to_owned);
        let row = Row { ours, nvcc, registers: [Some(40), None], machine: [Some(7.5), None] };
        let of = nvcc.map(|_| "13.5, V13.5.37".to_owned());
        Table { rustc: "1.96.0".to_owned(), nvcc: of, rows: [(Key { kernel, rows, format, version }, row)].into() }
    }

    #[test]
    fn the_text_is_the_table() {
        for table in [table(1000, Some(640)), table(7, None)] {
            assert_eq!(table.to_string().parse(), Ok(table));
        }
        assert!("nn even f16".parse::<Table>().is_err());
    }

    #[test]
    fn a_change_beyond_the_tolerance_is_a_problem() {
        let wanted = table(1000, Some(640));
        let problems = |found: &Table| wanted.compare(found).0;
        for (ours, words) in [(1030, None), (1031, Some("3.1 % more")), (970, None), (969, Some("bless"))] {
            let problems = problems(&table(ours, None));
            assert_eq!(problems.len(), usize::from(words.is_some()), "{problems:?}");
            assert!(words.is_none_or(|words| problems[0].contains(words)), "{problems:?}");
        }
        assert!(problems(&table(1000, Some(700)))[0].contains("by nvcc"));
        assert!(Table { rows: BTreeMap::new(), ..wanted.clone() }.compare(&wanted).0[0].contains("not in the table"));
        // Another compiler's counts are not compared.
        let other = Table { rustc: "1.97.0".to_owned(), nvcc: Some("14.0".to_owned()), ..table(2000, Some(1)) };
        let (problems, left_out) = wanted.compare(&other);
        assert_eq!((problems.len(), left_out.len()), (0, 2));
    }

    #[test]
    fn counts_that_were_not_taken_remain() {
        let updated = table(1000, Some(640)).updated(table(900, None));
        assert_eq!(updated, Table { nvcc: Some("13.5, V13.5.37".to_owned()), ..table(900, Some(640)) });
        assert!(updated.summary().starts_with("largest ratio to nvcc: 1.41, nn"));
    }
}
