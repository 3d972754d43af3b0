//! The report on all forms.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use ptxf_build::{Target, Toolchain, Version};

use super::assemble::Resources;
use super::check::{Kind, Probe, canonical};
use super::disassemble::{Machine, expansion};
use super::text::Module;
use super::tools::CudaTools;
use super::version;

/// All results.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub runs: Vec<Run>,
    pub problems: Vec<String>,
    pub notes: Vec<String>,
}

/// One target with one PTX version.
#[derive(Debug)]
pub(crate) struct Run {
    pub target: String,
    pub version: Version,
    pub probes: usize,
    /// Inline-assembly instructions of native forms, without those that select a predicate.
    pub instructions: usize,
    /// The code of each form that passed.
    pub kinds: BTreeMap<&'static str, Kind>,
    /// Number of dropped modifiers that the check caught.
    pub mutations: usize,
    /// Probes that ran on the CPU with the bits of their forms.
    pub executed: BTreeSet<String>,
    /// `None` if the assembler does not support the target.
    pub assembled: Option<BTreeMap<String, Resources>>,
    pub machine: BTreeMap<String, Machine>,
}

impl Run {
    pub(crate) fn new(target: &Target, module: &Module) -> Self {
        Self {
            target: target.name.clone(),
            version: module.version,
            probes: module.kernels.len(),
            instructions: 0,
            kinds: BTreeMap::new(),
            mutations: 0,
            executed: BTreeSet::new(),
            assembled: None,
            machine: BTreeMap::new(),
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.kinds.values().filter(|k| **k == kind).count()
    }

    /// Returns the numbers of native forms that are one machine instruction, and of those that the
    /// assembler expands.
    fn machine_counts(&self) -> (usize, usize) {
        let native = canonical().filter(|f| self.kinds.get(f.identifier.as_str()) == Some(&Kind::Native));
        let machine = native.filter_map(|f| self.machine.get(&f.identifier));
        let (one, expanded): (Vec<&Machine>, Vec<&Machine>) =
            machine.partition(|m| m.arithmetic.len() == 1 && m.control.is_empty());
        (one.len(), expanded.len())
    }

    fn row(&self) -> String {
        let (one, expanded) = self.machine_counts();
        let assembled = self.assembled.as_ref().map_or("–".to_owned(), |a| a.len().to_string());
        format!(
            "| {} | {} | {} | {} | {} | {} | {assembled} | {one} | {expanded} | {} | {} | {} |",
            self.target,
            self.version,
            canonical().count(),
            self.probes,
            self.count(Kind::Native),
            self.instructions,
            self.count(Kind::Substitute),
            self.count(Kind::Fallback),
            self.mutations,
        )
    }

    pub(crate) fn line(&self) -> String {
        let count = |kind| self.count(kind);
        format!(
            "{:7} PTX {}: {} forms, {} probes, {} native, {} substituted, {} fallbacks, {} mutants caught, {} run on the CPU, {} assembled",
            self.target,
            self.version,
            canonical().count(),
            self.probes,
            count(Kind::Native),
            count(Kind::Substitute),
            count(Kind::Fallback),
            self.mutations,
            self.executed.len(),
            self.assembled.as_ref().map_or("none".to_owned(), |a| a.len().to_string()),
        )
    }
}

impl Report {
    /// Fails if there was a problem.
    pub(crate) fn verdict(&self) -> Result<ExitCode> {
        match &self.problems[..] {
            [] => Ok(ExitCode::SUCCESS),
            [first, ..] => bail!("{} problems, the first: {first}", self.problems.len()),
        }
    }

    /// Writes `report.md` into `directory` and prints its path.
    pub(crate) fn write(&self, directory: &Path, toolchain: &Toolchain, tools: Option<&CudaTools>) -> Result<()> {
        std::fs::create_dir_all(directory)?;
        let path = directory.join("report.md");
        std::fs::write(&path, self.text(toolchain, tools))?;
        for note in &self.notes {
            println!("note: {note}");
        }
        println!("report    {}", path.display());
        Ok(())
    }

    fn text(&self, toolchain: &Toolchain, tools: Option<&CudaTools>) -> String {
        let mut s = format!("# Forms on a device\n\n{}", toolchain.version);
        if let Some(t) = tools {
            let _ = write!(s, ", ptxas {}", t.release);
        }
        s.push_str(
            "\n\n| target | PTX | forms | probes | native | instructions found | assembled | one machine instruction",
        );
        s.push_str(" | expanded | substituted | integer code | mutants caught |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
        for run in &self.runs {
            let _ = writeln!(s, "{}", run.row());
        }
        // The oldest version with which any target has the form.
        let first = |f: &Probe| f.info.targets.iter().map(|t| version(t.ptx)).min().expect("a form has a target");
        let asked = canonical().filter(|f| f.info.until.is_none()).map(&first).max();
        let known = toolchain.ptx.iter().filter(|(_, known)| *known).map(|(v, _)| *v).max();
        if let (Some(asked), Some(known)) = (asked, known)
            && asked > known
        {
            let forms: Vec<_> = canonical().filter(|f| first(f) > known).map(|f| f.identifier.as_str()).collect();
            let _ = writeln!(
                s,
                "\nThis compiler knows target features up to PTX {known}. {} forms need PTX {asked} and fall back unless the build \
                 says `--cfg ptxf_ptx88`: {}.",
                forms.len(),
                forms.join(", ")
            );
        }
        let history: Vec<_> = canonical().filter(|f| f.info.until.is_some()).map(|f| f.name.as_str()).collect();
        let _ = writeln!(s, "\nNever native, for no toolchain emits their targets: {}.", history.join(", "));
        self.expansions(&mut s);
        for (title, lines) in [("Notes", &self.notes), ("Problems", &self.problems)] {
            if !lines.is_empty() {
                let _ = writeln!(s, "\n## {title}\n");
                lines.iter().for_each(|l| s.push_str(&format!("- {l}\n")));
            }
        }
        s
    }

    /// Forms that are more than one machine instruction, with their number in each run.
    fn expansions(&self, s: &mut String) {
        let runs: Vec<&Run> = self.runs.iter().filter(|r| !r.machine.is_empty()).collect();
        if runs.is_empty() {
            return;
        }
        s.push_str(
            "\n## Forms that the assembler expands\n\nNumber of machine instructions that compute with the operands;",
        );
        s.push_str(" `+` where there are branches or calls, of which all paths are counted.\n\n| form |");
        runs.iter().for_each(|r| s.push_str(&format!(" {} PTX {} |", r.target, r.version)));
        s.push_str(" why |\n|---|");
        s.push_str(&"---|".repeat(runs.len() + 1));
        s.push('\n');
        for form in canonical() {
            let Some(why) = runs.iter().rev().find_map(|r| expansion(form.info, &r.target)) else { continue };
            let cells =
                runs.iter().map(|r| match (r.kinds.get(form.identifier.as_str()), r.machine.get(&form.identifier)) {
                    (Some(Kind::Native), Some(m)) => {
                        format!("{}{}", m.arithmetic.len(), if m.control.is_empty() { "" } else { "+" })
                    }
                    _ => "–".to_owned(),
                });
            let _ = writeln!(s, "| `{}` | {} | {why} |", form.name, cells.collect::<Vec<_>>().join(" | "));
        }
    }
}
