//! The list of a folder's files: read from anywhere, so that nothing in it may lead out of the folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::device::LABEL;
use crate::stamp::Stamp;

pub(crate) const MANIFEST: &str = "MANIFEST.tsv";
const TITLE: &str = "# ptxf device results 1; docs/device.md says what they are";
const COLUMNS: &str = "file\tbytes\tsha256\tdate\tdevice\ttarget\tdriver\tptx\tptx_sha256\tprogram";

/// A file and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name in the folder, folders before `/`.
    pub file: String,
    /// How long it is.
    pub bytes: u64,
    /// Of its contents, in hexadecimal.
    pub sha256: String,
    /// When it was written, `2026-11-20T09:41:00Z`.
    pub date: String,
    /// What it came from.
    pub stamp: Stamp,
}

impl Row {
    fn text(&self) -> String {
        let Self { file, bytes, sha256, date, stamp } = self;
        let Stamp { device, target, driver, ptx, ptx_sha256, program } = stamp;
        format!("{file}\t{bytes}\t{sha256}\t{date}\t{device}\t{target}\t{driver}\t{ptx}\t{ptx_sha256}\t{program}\n")
    }

    fn parse(line: &str) -> Result<Self> {
        let fields: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let count = fields.len();
        let fields = fields.try_into().ok().with_context(|| format!("{count} columns and not 10"))?;
        let [file, bytes, sha256, date, device, target, driver, ptx, ptx_sha256, program] = fields;
        ensure!(
            is_below(&file),
            "`{file}` is no name of a file in this folder: only a-z, 0-9, `.`, `_`, `-`, and folders before `/`"
        );
        ensure!(is_target(&target), "`{target}` is no target such as sm_90");
        let bytes = bytes.parse().with_context(|| format!("`{bytes}` is no number of bytes"))?;
        let stamp = Stamp { device, target, driver, ptx, ptx_sha256, program };
        Ok(Self { file, bytes, sha256, date, stamp })
    }
}

/// Whether a name is that of a file in the folder, or in a folder of it, on every system.
fn is_below(file: &str) -> bool {
    let is_plain = |part: &str| {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        part.bytes().all(allowed) && part.starts_with(|c: char| c.is_ascii_alphanumeric()) && !part.ends_with('.')
    };
    file != MANIFEST && file.split('/').all(is_plain)
}

/// `sm_90`, which becomes the name of a folder.
fn is_target(target: &str) -> bool {
    let digits = target.strip_prefix("sm_").unwrap_or_default();
    (2..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The list's text.
pub(crate) fn text(fake: bool, rows: &[Row]) -> String {
    let mut out = String::new();
    if fake {
        let _ = writeln!(out, "# {LABEL}: a CPU computed all of this; it says nothing about any device");
    }
    let _ = writeln!(out, "{TITLE}\n{COLUMNS}");
    out.extend(rows.iter().map(Row::text));
    out
}

/// What a folder lists; nothing if it has no list.
pub(crate) fn read_manifest(root: &Path) -> Result<Vec<Row>> {
    let path = root.join(MANIFEST);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && *line != COLUMNS);
    let mut names = BTreeSet::new();
    let mut rows = Vec::new();
    for line in lines {
        let row = Row::parse(line).with_context(|| format!("{}: `{}`", path.display(), line.escape_debug()))?;
        // Where case does not count, two spellings are one file.
        ensure!(names.insert(row.file.to_ascii_lowercase()), "{}: {} stands twice", path.display(), row.file);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of a file with this name, of a device with this target.
    fn line(file: &str, target: &str) -> String {
        format!("{file}\t4\t00\t2026-11-20\tSome GPU\t{target}\t1.2\tsm_90.ptx\t00\tptxf 0.1.0")
    }

    #[test]
    fn a_name_stays_in_its_folder() {
        for file in ["x", "dumps/tanh.approx.f16.u16", "FAKE-questions.tsv", "a-b/c_d/e.0"] {
            assert!(Row::parse(&line(file, "sm_90")).is_ok(), "{file}");
        }
        for file in [
            "",
            ".",
            "..",
            "../x",
            "dumps/../../x",
            "dumps/..",
            "/etc/x",
            "//x",
            "dumps//x",
            "dumps/",
            "./x",
            "dumps/./x",
            "C:x",
            "C:/x",
            "..\\x",
            "a\\b",
            "x.",
            "x/. ",
            ".hidden",
            "a b",
            "é",
            "x\u{0}",
            "MANIFEST.tsv",
            "~/x",
            "-x",
            "a/-x",
        ] {
            let error = Row::parse(&line(file, "sm_90")).expect_err(file).to_string();
            assert!(error.contains("is no name of a file in this folder"), "{file}: {error}");
        }
        for target in ["", "sm_", "sm_9", "sm_90/..", "../sm_90", "sm_90a", "sm_9000", "/evil", "SM_90"] {
            let error = Row::parse(&line("x", target)).expect_err(target).to_string();
            assert!(error.ends_with("is no target such as sm_90"), "{target}: {error}");
        }
        assert!(Row::parse("x\t4").unwrap_err().to_string().contains("2 columns and not 10"));
        assert!(Row::parse(&line("x", "sm_90").replace("\t4\t", "\t-4\t")).is_err());
    }
}
