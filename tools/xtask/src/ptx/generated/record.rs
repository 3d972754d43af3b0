//! A record of the compared launches for a device: their arguments and their results.
//!
//! `tools/silicon` reads it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use oracle::form::Ty;
use serde_json::{Value, json};

/// An argument of an entry.
pub(super) enum Passed {
    Number(Vec<u8>),
    /// The address of a byte of the memory with this number.
    Inside {
        memory: usize,
        offset: usize,
    },
}

impl Passed {
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Number(bytes) => json!({ "bytes": hex(bytes) }),
            Self::Inside { memory, offset } => json!({ "memory": memory, "offset": offset }),
        }
    }
}

/// Returns a slice's memory before and after the launch. `format` is set if one NaN may stand for
/// another.
pub(super) fn memory(before: &[u8], after: &[u8], format: Option<Ty>) -> Value {
    let format = format.map(|format| format!("{format:?}").to_lowercase());
    json!({ "before": hex(before), "after": hex(after), "format": format })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The compiled text and its launches, as `kernels-sm_NN.ptx` and `kernels-sm_NN.jsonl`.
pub(super) fn write(directory: &Path, ptx: &Path, target: &str, launches: &str) -> Result<()> {
    let to = |extension| directory.join(format!("kernels-{target}")).with_extension(extension);
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    fs::copy(ptx, to("ptx")).with_context(|| ptx.display().to_string())?;
    fs::write(to("jsonl"), launches).with_context(|| directory.display().to_string())
}
