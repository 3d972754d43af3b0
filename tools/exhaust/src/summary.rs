//! The table of results, and reports.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};

use super::check::{Block, Mismatch};
use super::space::Space;

/// The outcome of a form.
pub(super) struct Line {
    /// `add.rn.f16`, or `add.rn.f16@avx2` for slices at a level.
    pub(super) form: String,
    pub(super) space: Space,
    pub(super) oracles: String,
    /// `Some(n)` if only every n-th block was run.
    pub(super) sample: Option<u64>,
    pub(super) total: Block,
    pub(super) first: Vec<Mismatch>,
    pub(super) seconds: f64,
}

impl Line {
    /// Returns `true` if the form was compared as far as requested, without a difference.
    pub(super) fn is_good(&self) -> bool {
        self.is_complete() && self.total.mismatches == 0
    }

    /// Returns `true` if every input was compared. A sample is judged by its mismatches alone.
    fn is_complete(&self) -> bool {
        self.sample.is_some() || self.total.compared == self.space.inputs()
    }

    fn verdict(&self) -> String {
        match (self.sample, self.is_complete()) {
            _ if self.total.mismatches > 0 => "WRONG".to_owned(),
            (Some(n), _) => format!("SAMPLED 1/{n}"),
            (None, true) if self.space.is_all() => "exhaustive".to_owned(),
            (None, true) => "DRAWN".to_owned(),
            (None, false) => format!("INCOMPLETE of {}", self.space.inputs()),
        }
    }

    fn rate(&self) -> f64 {
        self.total.compared as f64 / self.seconds / 1e6
    }

    /// Prints the form's row of the table, and the first mismatches with commands that repeat them.
    pub(super) fn print(&self) {
        let Block { compared, mismatches, checksum } = self.total;
        println!(
            "{:<36} {compared:>13} {mismatches:>10} {:>9.1} {:>7.1}  {checksum:016x}  {} ({})",
            self.form,
            self.seconds,
            self.rate(),
            self.verdict(),
            self.oracles,
        );
        for Mismatch { input, got, want, oracle } in &self.first {
            let digits = self.space.digits();
            let hex = |x: u64| format!("0x{x:0digits$x}");
            let operands: Vec<String> = self.space.operands(*input).into_iter().map(hex).collect();
            let (operands, got, want) = (operands.join(" "), hex(*got), hex(*want));
            let name = self.form.split('@').next().unwrap_or_default();
            println!("  {operands}  got {got}, {oracle} has {want}    ptxf eval '{name}' {operands}");
        }
    }
}

/// Prints the table's head.
pub(super) fn print_head() {
    println!(
        "{:<36} {:>13} {:>10} {:>9} {:>7}  checksum          verdict",
        "form", "compared", "mismatches", "s", "M/s"
    );
}

/// Prints the table's last row.
pub(super) fn print_sum(lines: &[Line]) {
    let sum = |number: fn(&Line) -> u64| lines.iter().map(number).sum::<u64>();
    let seconds: f64 = lines.iter().map(|line| line.seconds).sum();
    let (compared, mismatches) = (sum(|line| line.total.compared), sum(|line| line.total.mismatches));
    println!("{:<36} {compared:>13} {mismatches:>10} {seconds:>9.1}", "together");
}

/// Returns the forms in a report. A missing file has none.
pub(super) fn reported(path: &Path) -> Result<HashSet<String>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        text => text.with_context(|| path.display().to_string())?,
    };
    Ok(text.lines().skip(1).filter_map(|line| line.split('\t').next()).map(str::to_owned).collect())
}

/// Appends a line to a report of tab-separated values.
pub(super) fn append(path: &Path, line: &Line) -> Result<()> {
    let write = || {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        if file.metadata()?.len() == 0 {
            writeln!(file, "form\tverdict\tcompared\tmismatches\tchecksum\tseconds\tM/s\toracles")?;
        }
        let Block { compared, mismatches, checksum } = line.total;
        let (form, verdict, oracles) = (&line.form, line.verdict(), &line.oracles);
        let (seconds, rate) = (line.seconds, line.rate());
        let row = format!(
            "{form}\t{verdict}\t{compared}\t{mismatches}\t{checksum:016x}\t{seconds:.1}\t{rate:.1}\t{oracles}\n"
        );
        file.write_all(row.as_bytes())
    };
    write().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(compared: u64, mismatches: u64, sample: Option<u64>) -> Line {
        let total = Block { compared, mismatches, checksum: 0 };
        let (form, space, oracles) = ("neg.f16".to_owned(), Space::Unary16, String::new());
        Line { form, space, oracles, sample, total, first: Vec::new(), seconds: 1.0 }
    }

    #[test]
    fn only_every_input_is_exhaustive() {
        assert_eq!((line(65_536, 0, None).is_good(), line(65_536, 0, None).verdict()), (true, "exhaustive".to_owned()));
        assert!(!line(65_535, 0, None).is_good());
        assert_eq!(line(65_535, 0, None).verdict(), "INCOMPLETE of 65536");
        assert!(!line(65_536, 1, None).is_good());
        assert_eq!(line(65_536, 0, Some(1)).verdict(), "SAMPLED 1/1");
        assert!(!line(1, 1, Some(64)).is_good());
    }

    #[test]
    fn a_report_has_the_forms_that_were_appended() {
        let path = std::env::temp_dir().join(format!("ptxf-exhaust-{}.tsv", std::process::id()));
        assert!(reported(&path).unwrap().is_empty());
        append(&path, &line(65_536, 0, None)).unwrap();
        append(&path, &Line { form: "abs.f16".to_owned(), ..line(65_536, 0, None) }).unwrap();
        let forms = reported(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(forms, ["neg.f16", "abs.f16"].map(str::to_owned).into());
    }
}
