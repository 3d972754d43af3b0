//! A user's crate outside of the workspace, compiled as docs/gpu.md describes, for a target that
//! has every form it uses and for one that does not.

use std::path::Path;

use anyhow::{Context, Result};
use ptxf_build::{Target, Toolchain};

use super::assemble;
use super::report::Report;
use super::text::Module;
use super::tools::CudaTools;

/// A kernel, an instruction, and its number in the kernel.
type Expected = (&'static str, &'static str, usize);

/// Targets with the instructions that a kernel has to contain. The crate's operators and macro
/// become instructions where the target has them, and compile everywhere.
const TARGETS: [(&str, &[Expected]); 2] = [
    (
        "sm_75",
        &[
            ("layer", "mul.rn.f16x2", 1),
            ("layer", "add.rn.f16x2", 1),
            ("layer", "fma.rn.relu.f16x2", 0),
            ("gate", "tanh.approx.bf16x2", 0),
        ],
    ),
    (
        "sm_90",
        &[
            ("layer", "mul.rn.f16x2", 1),
            ("layer", "add.rn.f16x2", 1),
            ("layer", "fma.rn.relu.f16x2", 1),
            ("layer", "tanh.approx.f16x2", 1),
            ("gate", "tanh.approx.bf16x2", 1),
        ],
    ),
];

/// Compiles, looks for the instructions, assembles.
pub(crate) fn check(
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    tools: Option<&CudaTools>,
    report: &mut Report,
) -> Result<()> {
    for (target, expected) in TARGETS {
        let krate = root.join("probes/user");
        let file = toolchain.compile(&krate, &Target::new(target), &[], target_dir)?.file;
        let module = Module::parse(&std::fs::read_to_string(&file)?).with_context(|| file.display().to_string())?;
        let mut problems = Vec::new();
        look(&module, expected, &mut problems);
        let mut assembled = 0;
        if let Some(tools) = tools
            && let Some(done) = assemble::assemble(tools, &file, target)?
        {
            done.check(&module, &mut problems);
            assembled = done.kernels.len();
        }
        println!("a user's crate for {target}: {} kernels, {assembled} assembled", module.kernels.len());
        problems.iter().for_each(|p| println!("    {p}"));
        report.problems.extend(problems.into_iter().map(|p| format!("user-probe for {target}: {p}")));
    }
    Ok(())
}

fn look(module: &Module, expected: &[Expected], problems: &mut Vec<String>) {
    for (kernel, instruction, count) in expected {
        let asm = module.kernels.get(*kernel).map_or(&[][..], |k| &k.asm);
        let found = asm.iter().filter(|i| i.split(' ').next() == Some(instruction)).count();
        if found != *count {
            problems.push(format!("`{instruction}` stands {found} times in `{kernel}`, should {count} times"));
        }
    }
}
