//! Modules of instructions, of which the assembler reports the refused lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::grammar::{Candidate, REGISTERS};

/// Lines of a module.
const LINES: usize = 20_000;

/// The answer to a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accepted,
    /// Known, but not for this target or PTX version.
    Elsewhere,
    Refused,
}

/// NVIDIA's assembler.
pub(super) struct Assembler<'a> {
    ptxas: &'a Path,
    folder: PathBuf,
    /// The newest PTX version that it reads, `9.5`.
    pub(super) version: String,
}

impl<'a> Assembler<'a> {
    /// Finds the newest version, by asking for one after the other.
    pub(super) fn new(ptxas: &'a Path, folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut new = Self { ptxas, folder: folder.to_owned(), version: String::new() };
        let versions = (9..30).flat_map(|major| (0..10).map(move |minor| format!("{major}.{minor}")));
        for version in versions {
            if new.refused("sm_75", &version, "").is_ok_and(|refused| refused.is_empty()) {
                new.version = version;
            }
        }
        ensure!(!new.version.is_empty(), "this assembler reads no PTX 9.0 or newer");
        Ok(new)
    }

    /// Returns the verdict on each candidate.
    pub(super) fn ask(&self, target: &str, candidates: &[Candidate]) -> Result<Vec<Verdict>> {
        let mut verdicts = Vec::with_capacity(candidates.len());
        for candidates in candidates.chunks(LINES) {
            verdicts.extend(self.module(target, &self.version, candidates)?);
        }
        Ok(verdicts)
    }

    /// Returns the oldest PTX version with which the target has each instruction.
    pub(super) fn since(&self, target: &str, candidates: &[Candidate]) -> Vec<String> {
        let mut since = vec![self.version.clone(); candidates.len()];
        let versions = (6..10).flat_map(|major| (0..10).map(move |minor| format!("{major}.{minor}")));
        for version in versions.collect::<Vec<_>>().into_iter().rev() {
            // Versions before the target's are refused as a whole.
            let Ok(verdicts) = self.module(target, &version, candidates) else { continue };
            let accepted = since.iter_mut().zip(verdicts).filter(|(_, verdict)| *verdict == Verdict::Accepted);
            accepted.for_each(|(since, _)| since.clone_from(&version));
        }
        since
    }

    /// A refusal may hide others, so the remaining lines are asked again until nothing is refused.
    fn module(&self, target: &str, version: &str, candidates: &[Candidate]) -> Result<Vec<Verdict>> {
        let mut verdicts = vec![Verdict::Accepted; candidates.len()];
        loop {
            let asked: Vec<usize> = (0..candidates.len()).filter(|i| verdicts[*i] == Verdict::Accepted).collect();
            let mut body = String::new();
            for i in &asked {
                let Candidate { spelling, operands, .. } = &candidates[*i];
                let _ = writeln!(body, "{spelling} {operands};");
            }
            let refused = self.refused(target, version, &body)?;
            if refused.is_empty() {
                return Ok(verdicts);
            }
            for (line, verdict) in refused {
                let i = asked.get(line).context("the assembler refuses a line that was not asked for")?;
                verdicts[*i] = verdict;
            }
        }
    }

    /// Assembles a kernel with these lines. Returns the refused ones.
    fn refused(&self, target: &str, version: &str, body: &str) -> Result<BTreeMap<usize, Verdict>> {
        let head = format!(
            ".version {version}\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred p<9>;\n{REGISTERS}\n"
        );
        let file = self.folder.join("spellings.ptx");
        std::fs::write(&file, format!("{head}{body}ret;\n}}\n"))?;
        let mut command = Command::new(self.ptxas);
        command.args(["-O0", "-arch", target]).arg(&file).arg("-o").arg(file.with_extension("cubin"));
        let output = command.output().with_context(|| format!("starting {command:?}"))?;
        let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        let first = head.lines().count() + 1;
        let mut refused = BTreeMap::new();
        for (line, message) in said.lines().filter_map(message) {
            let verdict = if message.contains("not supported on .target") || message.contains("requires PTX ISA") {
                Verdict::Elsewhere
            } else {
                Verdict::Refused
            };
            refused
                .entry(line.checked_sub(first).context("the assembler refuses the head of a module")?)
                .or_insert(verdict);
        }
        ensure!(output.status.success() || !refused.is_empty(), "ptxas: {said}");
        Ok(refused)
    }
}

/// Returns line number and message of `ptxas x.ptx, line 8; error   : Unknown modifier '.foo'`.
fn message(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.split_once(", line ")?.1.split_once("; ")?;
    let message = rest.strip_prefix("error")?.trim_start().strip_prefix(": ")?;
    Some((number.parse().ok()?, message))
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn reads_what_the_assembler_says() {
        let said = "ptxas a.ptx, line 9; error   : Unknown modifier '.foo'";
        assert_eq!(message(said), Some((9, "Unknown modifier '.foo'")));
        assert_eq!(message("ptxas a.ptx, line 9; warning : unused"), None);
        assert_eq!(message("ptxas fatal   : Ptx assembly aborted due to errors"), None);
    }
}
