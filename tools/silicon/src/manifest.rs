//! The list of a folder's files, one JSON object per line.
//!
//! A folder may come from anywhere, so no name in its list may lead out of the folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::device::Info;
use crate::ptx::Ptx;

/// The file that holds the list.
pub(crate) const MANIFEST: &str = "MANIFEST.jsonl";

/// A file and its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Path in the folder, such as `dumps/tanh.approx.f16.u16`.
    pub(crate) file: String,
    /// Length in bytes.
    pub(crate) bytes: u64,
    /// Hash of the content, in hexadecimal.
    pub(crate) sha256: String,
    /// Time of writing, `2026-11-20T09:41:00Z`.
    pub(crate) date: String,
    #[serde(flatten)]
    pub(crate) stamp: Stamp,
}

/// The conditions that a result depends on, beside its operands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// The name under which the device is sold.
    pub(crate) device: String,
    /// The device's target, `sm_90`.
    pub(crate) target: String,
    /// The driver's versions, `580.159.04, CUDA 13.0`.
    pub(crate) driver: String,
    /// The PTX file with its version, `sm_90.ptx (PTX 7.8)`.
    pub(crate) ptx: String,
    /// Hash of the PTX file, in hexadecimal.
    pub(crate) ptx_sha256: String,
    /// The program with its version.
    pub(crate) program: String,
}

impl Stamp {
    pub(crate) fn new(info: &Info, ptx: &Ptx) -> Self {
        Self {
            device: info.name.clone(),
            target: format!("sm_{}", info.sm()),
            driver: info.driver.clone(),
            ptx: ptx.describe(),
            ptx_sha256: ptx.sha256.clone(),
            program: concat!("ptxf ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Returns comment lines for the head of a table.
    pub(crate) fn comment(&self) -> String {
        let Self { device, target, driver, ptx, ptx_sha256, program } = self;
        let date = now();
        format!(
            "# device\t{device}\n# target\t{target}\n# driver\t{driver}\n# ptx\t{ptx}\n# ptx sha256\t{ptx_sha256}\n\
             # date\t{date}\n# program\t{program}\n"
        )
    }
}

/// Returns the time in UTC, `2026-11-20T09:41:00Z`.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

impl Row {
    fn parse(line: &str) -> Result<Self> {
        let row: Self = serde_json::from_str(line)?;
        let Self { file, stamp: Stamp { target, .. }, .. } = &row;
        ensure!(
            is_below(file),
            "`{file}` does not name a file in this folder: use letters, digits, `.`, `_`, `-`, and folders before `/`"
        );
        ensure!(is_target(target), "`{target}` is not a target such as sm_90");
        Ok(row)
    }
}

/// Returns `true` if the name is that of a file in the folder, or below it, on every system.
fn is_below(file: &str) -> bool {
    let is_plain = |part: &str| {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        part.bytes().all(allowed) && part.starts_with(|c: char| c.is_ascii_alphanumeric()) && !part.ends_with('.')
    };
    file != MANIFEST && file.split('/').all(is_plain)
}

/// Returns `true` for `sm_90` and its like, which become names of folders.
fn is_target(target: &str) -> bool {
    let digits = target.strip_prefix("sm_").unwrap_or_default();
    (2..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the text of a list.
pub(crate) fn text(rows: &[Row]) -> Result<String> {
    rows.iter().map(|row| Ok(serde_json::to_string(row)? + "\n")).collect()
}

/// Reads the list of a folder. Returns no rows if there is none.
pub(crate) fn read(root: &Path) -> Result<Vec<Row>> {
    let path = root.join(MANIFEST);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut names = BTreeSet::new();
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let row = Row::parse(line).with_context(|| format!("{}:{}", path.display(), i + 1))?;
        // On systems that ignore case, two spellings are one file.
        ensure!(names.insert(row.file.to_ascii_lowercase()), "{}: {} is listed twice", path.display(), row.file);
        rows.push(row);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the line of a file with this name, of a device with this target.
    fn line(file: &str, target: &str) -> String {
        let stamp = Stamp {
            device: "Some GPU".to_owned(),
            target: target.to_owned(),
            driver: "1.2".to_owned(),
            ptx: "sm_90.ptx".to_owned(),
            ptx_sha256: "00".to_owned(),
            program: "ptxf 0.1.0".to_owned(),
        };
        let (file, sha256, date) = (file.to_owned(), "00".to_owned(), "2026-11-20T09:41:00Z".to_owned());
        text(&[Row { file, bytes: 4, sha256, date, stamp }]).unwrap()
    }

    #[test]
    fn a_name_stays_in_its_folder() {
        for file in ["x", "dumps/tanh.approx.f16.u16", "FAKE-questions.tsv", "a-b/c_d/e.0"] {
            assert_eq!(Row::parse(&line(file, "sm_90")).unwrap().file, file);
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
            MANIFEST,
            "~/x",
            "-x",
            "a/-x",
        ] {
            let error = Row::parse(&line(file, "sm_90")).expect_err(file).to_string();
            assert!(error.contains("does not name a file in this folder"), "{file}: {error}");
        }
        for target in ["", "sm_", "sm_9", "sm_90/..", "../sm_90", "sm_90a", "sm_9000", "/evil", "SM_90"] {
            let error = Row::parse(&line("x", target)).expect_err(target).to_string();
            assert!(error.ends_with("is not a target such as sm_90"), "{target}: {error}");
        }
        assert!(Row::parse("{\"file\":\"x\"}").unwrap_err().to_string().contains("missing field `bytes`"));
        assert!(Row::parse(&line("x", "sm_90").replace(":4,", ":-4,")).is_err());
    }
}
