//! `cargo xtask ptx`: what the forms become on a device, down to NVIDIA's assembler.

mod assemble;
mod check;
mod disassemble;
mod evidence;
mod golden;
mod install;
mod probe;
mod report;
mod text;
mod toolchain;
mod user_crate;

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::str::FromStr;

use anyhow::{Context, Result, bail};

use crate::shell;
use check::Kind;
use probe::Configuration;
use report::{Report, Run};
use text::Module;
use toolchain::{CudaTools, Toolchain};

/// What is compiled for unless `--targets` says otherwise.
const TARGETS: &[&str] = &["sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"];

/// Compile one kernel per form to PTX and check that each is its one instruction, or the fallback where the target is too
/// old; assemble everything with NVIDIA's assembler and count machine instructions.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Targets, `sm_75,sm_90`; all that matter if left out.
    #[arg(long, value_delimiter = ',', value_name = "TARGETS")]
    targets: Vec<String>,
    /// Install what is missing: the compiler from Debian or rustup, NVIDIA's assembler and disassembler from PyPI.
    #[arg(long)]
    install: bool,
    /// Rewrite the goldens and, after a run over all targets, the record of evidence.
    #[arg(long)]
    bless: bool,
    /// The compiler to use, with its cargo beside it; searched for if left out.
    #[arg(long, value_name = "PATH")]
    rustc: Option<PathBuf>,
    /// Only compile and assemble the crate of a user, tests/crates/gpu-kernel.
    #[arg(long)]
    user_crate: bool,
}

/// A PTX ISA version; displays as `7.8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version {
    pub major: u8,
    pub minor: u8,
}

impl Version {
    pub(crate) fn of(v: ptxf::spec::Version) -> Self {
        Self { major: v.major, minor: v.minor }
    }

    /// `ptx78`
    pub(crate) fn feature(self) -> String {
        format!("ptx{}{}", self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = anyhow::Error;

    fn from_str(s: &str) -> Result<Self> {
        let (major, minor) = s.trim().split_once('.').with_context(|| format!("`{s}` is no PTX version"))?;
        Ok(Self { major: major.parse()?, minor: minor.parse()? })
    }
}

/// Directories of the project.
struct Paths {
    root: PathBuf,
    tools: PathBuf,
    /// For compiled kernels.
    target: PathBuf,
}

impl Paths {
    fn new() -> Self {
        let root = shell::root().to_owned();
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Self { tools: target.join("cuda-tools"), target: target.join("nvptx"), root }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let paths = Paths::new();
    if args.install {
        install::install(&paths.tools)?;
    }
    let Some(toolchain) = args.rustc.as_deref().map_or_else(Toolchain::find, Toolchain::beside) else {
        return Ok(missing(Toolchain::advice()));
    };
    let tools = CudaTools::find(&paths.tools)?;
    println!("compiler  {} in {}", toolchain.version, toolchain.rustc.display());
    match &tools {
        Some(t) => println!("assembler ptxas {} in {}", t.release, t.ptxas.display()),
        None => println!("assembler none"),
    }
    // What one compiler left there is not fresh for another.
    let number = toolchain.version.split(' ').nth(1).unwrap_or("unknown");
    let target_dir = paths.target.join(number);
    let mut report = Report::default();
    user_crate::check(&paths.root, &target_dir, &toolchain, tools.as_ref(), &mut report)?;
    if !args.user_crate {
        probes(args, &paths.root, &target_dir, &toolchain, tools.as_ref(), &mut report)?;
        report.write(&paths.root.join("target").join("ptx"), &toolchain, tools.as_ref())?;
    }
    if !report.problems.is_empty() {
        bail!("{} problems, the first: {}", report.problems.len(), report.problems[0]);
    }
    if tools.as_ref().is_none_or(|t| t.nvdisasm.is_none()) {
        return Ok(missing(
            "ptxas and nvdisasm were not found, so nothing was assembled. This brings them:\n    cargo xtask ptx --install",
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// All forms for all targets.
fn probes(
    args: &Args,
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    tools: Option<&CudaTools>,
    report: &mut Report,
) -> Result<()> {
    let all = args.targets.is_empty();
    let targets: Vec<String> =
        if all { TARGETS.iter().map(|t| (*t).to_owned()).collect() } else { args.targets.clone() };
    for target in &targets {
        if !toolchain.targets.contains(target) {
            bail!("{} offers no target `{target}`; it offers {}", toolchain.version, toolchain.targets.join(" "));
        }
        let configuration = Configuration::of(target);
        let first = one(&configuration, args.bless, root, target_dir, toolchain, tools, report)?;
        let newest = configuration.newest(toolchain, first.version);
        report.runs.push(first);
        if let Some(newest) = newest {
            let second = one(&newest, args.bless, root, target_dir, toolchain, tools, report)?;
            report.runs.push(second);
        }
    }
    if let Some(tools) = tools {
        evidence::settle(root, &tools.release, &targets, args.bless && all, report)?;
    }
    Ok(())
}

/// All forms for one target and PTX version.
fn one(
    configuration: &Configuration,
    bless: bool,
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    tools: Option<&CudaTools>,
    report: &mut Report,
) -> Result<Run> {
    let file = configuration.compile(toolchain, &root.join("xtask/probes/ptx"), target_dir)?;
    let module = Module::parse(&std::fs::read_to_string(&file)?).with_context(|| file.display().to_string())?;
    let mut run = Run::new(configuration, &module);
    let mut problems = Vec::new();
    if module.target != configuration.target {
        problems.push(format!("the file is for {}", module.target));
    }
    run.kinds = check::all(&module, &mut problems);
    let native = run.kinds.iter().filter(|(_, k)| **k == Kind::Native);
    run.instructions = native.flat_map(|(f, _)| &module.kernels[*f].asm).filter(|i| !i.starts_with("selp.")).count();
    run.mutations = check::mutations(&module, &run.kinds, &mut problems);
    golden::compare(root, &module, &run.kinds, bless, &mut problems)?;
    if let Some(tools) = tools {
        if let Some(assembled) = assemble::assemble(tools, &file, &configuration.target)? {
            assembled.check(&module, &mut problems);
            if let Some(nvdisasm) = &tools.nvdisasm {
                run.machine = disassemble::disassemble(nvdisasm, &assembled.cubin)?;
                disassemble::check(&run.machine, &run.kinds, &run.target, &mut problems);
            }
            run.assembled = Some(assembled.kernels);
        } else {
            report.notes.push(format!("ptxas {} knows no {}: not assembled", tools.release, configuration.target));
        }
    }
    println!("{}", run.line());
    for p in &problems {
        println!("    {p}");
    }
    report.problems.extend(problems.into_iter().map(|p| format!("{}: {p}", configuration.file_name())));
    Ok(run)
}

/// Says what is missing; a skip is exit code 3, or a failure if skips are not allowed.
fn missing(what: &str) -> ExitCode {
    eprintln!("skipped: {what}");
    ExitCode::from(if shell::is_strict() { 1 } else { 3 })
}

/// Runs a command for what it prints.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    if !output.status.success() {
        bail!("{}: {command:?}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
