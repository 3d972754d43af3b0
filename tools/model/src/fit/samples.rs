//! The samples that `ptxf-gpu capture` writes.
//!
//! `samples.tsv` lists runs of operands, `samples/FORM.u32` has their results (docs/device.md).

use anyhow::{Context as _, Result, bail, ensure};

use ptxf_gpu::capture::plan::Run;
use ptxf_gpu::store::Results;

/// What lists the runs.
pub(crate) const INDEX: &str = "samples.tsv";

/// The file of a form's results.
pub(crate) fn file(form: &str) -> String {
    format!("samples/{form}.u32")
}

/// Operands and results of a form; none if there are none of it.
pub(crate) fn read(device: &Results, form: &str) -> Result<Vec<(u32, u32)>> {
    let (Some(rows), Some(bytes)) = (device.lines(INDEX)?, device.read(&file(form))?) else { return Ok(Vec::new()) };
    let index = device.root.join(INDEX);
    let mut out = Vec::new();
    for line in rows.iter().skip(1) {
        let wrong = || format!("{}: `{line}`", index.display());
        let fields: Vec<&str> = line.split('\t').collect();
        let &[_, name, offset, first, stride, count] = &fields[..] else { bail!(wrong()) };
        if name != form {
            continue;
        }
        let first = first.strip_prefix("0x").with_context(wrong)?;
        let first = u32::from_str_radix(first, 16).with_context(wrong)?;
        let offset: usize = offset.parse().with_context(wrong)?;
        let [stride, count]: [u32; 2] = [stride.parse().with_context(wrong)?, count.parse().with_context(wrong)?];
        ensure!(stride > 0, wrong());
        let results = offset.checked_mul(4).and_then(|at| bytes.get(at..)?.get(..count as usize * 4));
        let results = results.with_context(|| format!("{} is too short for `{line}`", file(form)))?;
        let results = results.chunks_exact(4).map(|d| u32::from_le_bytes([d[0], d[1], d[2], d[3]]));
        out.extend(Run { first, stride, count }.inputs().zip(results));
    }
    Ok(out)
}
