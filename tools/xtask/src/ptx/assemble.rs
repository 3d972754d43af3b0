//! NVIDIA's assembler on a PTX file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::text::Module;
use super::tools::CudaTools;

/// The assembler's report on a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resources {
    pub stack: u32,
    pub spills: u32,
    pub registers: u32,
}

/// An assembled file.
#[derive(Debug)]
pub(crate) struct Assembled {
    pub cubin: PathBuf,
    pub kernels: BTreeMap<String, Resources>,
}

/// Assembles `file` for `target`. `None` if this assembler does not support the target.
pub(crate) fn assemble(tools: &CudaTools, file: &Path, target: &str) -> Result<Option<Assembled>> {
    let cubin = file.with_extension("cubin");
    let mut command = Command::new(&tools.ptxas);
    command.arg("-v").arg(format!("-arch={target}")).arg(file).arg("-o").arg(&cubin);
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if said.contains("is not defined for option 'gpu-name'") {
        return Ok(None);
    }
    if !output.status.success() {
        bail!("ptxas: {}", said.lines().filter(|l| !l.starts_with("ptxas info")).collect::<Vec<_>>().join("\n"));
    }
    Ok(Some(Assembled { cubin, kernels: resources(&said)? }))
}

/// Reads `ptxas -v`.
fn resources(said: &str) -> Result<BTreeMap<String, Resources>> {
    let mut kernels = BTreeMap::new();
    let mut current: Option<&mut Resources> = None;
    for line in said.lines() {
        let number_before = |what: &str| -> Result<u32> {
            let before = line.split(what).next().unwrap_or_default();
            let number = before.rsplit(|c: char| !c.is_ascii_digit()).find(|d| !d.is_empty());
            number.and_then(|n| n.parse().ok()).with_context(|| format!("ptxas: {line}"))
        };
        if let Some(name) = line.split("Compiling entry function '").nth(1) {
            let name = name.split('\'').next().unwrap_or(name);
            current = Some(kernels.entry(name.to_owned()).or_default());
        } else if line.contains("bytes stack frame") {
            let kernel = current.as_mut().context("ptxas: properties of no function")?;
            kernel.stack += number_before(" bytes stack frame")?;
            kernel.spills += number_before(" bytes spill stores")? + number_before(" bytes spill loads")?;
        } else if line.contains("Used ") && line.contains(" registers") {
            current.as_mut().context("ptxas: registers of no function")?.registers = number_before(" registers")?;
        }
    }
    Ok(kernels)
}

impl Assembled {
    /// Checks that every kernel is there and that none spills or has a stack.
    pub(crate) fn check(&self, module: &Module, problems: &mut Vec<String>) {
        if !self.kernels.keys().eq(module.kernels.keys()) {
            problems.push(format!("{} kernels, {} of them assembled", module.kernels.len(), self.kernels.len()));
        }
        for (name, r) in self.kernels.iter().filter(|(_, r)| r.stack + r.spills > 0) {
            problems.push(format!("{name}: {} bytes of stack, {} bytes spilled", r.stack, r.spills));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_assembler_says() {
        let said = "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'add_rn_f16' for 'sm_90'
ptxas info    : Function properties for add_rn_f16
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers\n";
        let kernels = resources(said).unwrap();
        assert_eq!(kernels["add_rn_f16"], Resources { stack: 8, spills: 16, registers: 10 });
    }
}
