//! The samples that `cargo xtask gpu capture` writes.
//!
//! `samples.tsv` lists runs of operands, `samples/FORM.u32` has their results (docs/device.md).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

/// The folders of devices in the repository.
pub(crate) fn folders(data: &Path) -> Result<Vec<PathBuf>> {
    if !data.exists() {
        return Ok(Vec::new());
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(data).with_context(|| data.display().to_string())? {
        let path = entry?.path();
        if path.join("samples.tsv").exists() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// Operands and results of a form; none if the folder has none of it.
pub(crate) fn read(folder: &Path, form: &str) -> Result<Vec<(u32, u32)>> {
    let index = folder.join("samples.tsv");
    let text = fs::read_to_string(&index)
        .with_context(|| format!("{}: this is no folder of `cargo xtask gpu capture`", index.display()))?;
    ensure!(!text.starts_with("# FAKE"), "{} was computed by a CPU and is no data", folder.display());
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.starts_with("file\t"));
    let mut out = Vec::new();
    for line in rows {
        let wrong = || format!("{}: `{line}`", index.display());
        let fields: Vec<&str> = line.split('\t').collect();
        let &[file, name, offset, first, stride, count] = &fields[..] else {
            anyhow::bail!("{}", wrong());
        };
        if name != form {
            continue;
        }
        let first = first.strip_prefix("0x").with_context(wrong)?;
        let first = u32::from_str_radix(first, 16).with_context(wrong)?;
        let offset: usize = offset.parse().with_context(wrong)?;
        let [stride, count]: [u32; 2] = [stride.parse().with_context(wrong)?, count.parse().with_context(wrong)?];
        ensure!(stride > 0, wrong());
        let plain = Path::new(file).components().all(|c| matches!(c, std::path::Component::Normal(_)));
        ensure!(plain, wrong());
        let path = folder.join(file);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        let results = offset.checked_mul(4).and_then(|at| bytes.get(at..)?.get(..count as usize * 4));
        let results = results.with_context(|| format!("{}: too short for `{line}`", path.display()))?;
        out.extend((0..count).zip(results.chunks_exact(4)).map(|(i, d)| {
            let within = (i.wrapping_mul(0x9e37_79b1) >> 16) % stride;
            let operand = first.wrapping_add(i.wrapping_mul(stride)).wrapping_add(within);
            (operand, u32::from_le_bytes([d[0], d[1], d[2], d[3]]))
        }));
    }
    Ok(out)
}
