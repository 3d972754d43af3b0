//! `cargo xtask ptx`: the code of the forms on a device, down to NVIDIA's assembler.

mod assemble;
mod check;
mod disassemble;
mod evidence;
mod flow;
#[cfg(feature = "generated")]
mod generated;
mod golden;
mod install;
mod kernels;
pub(crate) mod peers;
mod report;
pub(crate) mod spellings;
mod text;
mod tools;
mod user_crate;
mod vm;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use ptxf::spec::FORMS;
use ptxf_build::{Target, Toolchain, Version, sm};

use crate::shell;
use check::Kind;
use report::{Report, Run};
use text::Module;
use tools::CudaTools;

/// The targets without `--targets`.
const TARGETS: &[&str] = &[
    "sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_100a", "sm_100f", "sm_120", "sm_120a", "sm_121",
];

/// Compile one kernel per form to PTX and check that each is its one instruction, or the fallback
/// where the target is too old. Run each on the CPU, where it has to have the form's bits. Assemble
/// everything with NVIDIA's assembler and count machine instructions.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Targets, `sm_75,sm_90`; otherwise all that matter.
    #[arg(long, value_delimiter = ',', value_name = "TARGETS")]
    targets: Vec<String>,
    /// Two of the targets, chosen by this number.
    #[arg(long, value_name = "N", conflicts_with = "targets")]
    sample: Option<u64>,
    /// Install what is missing: the compiler from Debian or rustup, NVIDIA's assembler and
    /// disassembler from PyPI.
    #[arg(long)]
    install: bool,
    /// Rewrite the goldens and the record of evidence of these targets, if there is no problem with
    /// any.
    #[arg(long)]
    bless: bool,
    /// The compiler to use, with its cargo beside it; otherwise it is searched for.
    #[arg(long, value_name = "PATH")]
    rustc: Option<PathBuf>,
    /// Only compile and assemble the crate of a user, probes/user.
    #[arg(long)]
    user_crate: bool,
    /// Only compile, assemble and compare the kernels of examples/suite.
    #[arg(long, conflicts_with = "user_crate")]
    kernels: bool,
    /// Only compile, assemble and check the probe of each form.
    #[arg(long, conflicts_with_all = ["user_crate", "kernels"])]
    probes: bool,
    /// Only compile that many generated kernels, and compare the machine's results with those of
    /// their text, compiled for one thread.
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["user_crate", "kernels", "probes"])]
    generated: Option<usize>,
    /// Seed of those kernels.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write those kernels and their launches to a folder, for `ptxf-gpu kernels`.
    #[arg(long, value_name = "DIR", requires = "generated")]
    record: Option<PathBuf>,
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
        let target = shell::target();
        Self { tools: target.join("cuda-tools"), target: target.join("nvptx"), root }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let paths = Paths::new();
    if args.install {
        install::install(&paths.tools)?;
    }
    let toolchain = match args.rustc.as_deref().map_or_else(Toolchain::find, Toolchain::beside) {
        Ok(toolchain) => toolchain,
        Err(none) => {
            return Ok(missing(&format!("{none}\nOr all that this command needs:\n    cargo xtask ptx --install")));
        }
    };
    let tools = CudaTools::find(&paths.tools)?;
    println!("compiler  {} in {}", toolchain.version, toolchain.rustc.display());
    match &tools {
        Some(t) => println!("assembler ptxas {} in {}", t.release, t.ptxas.display()),
        None => println!("assembler none"),
    }
    let target_dir = paths.target.join(toolchain.number());
    let mut report = Report::default();
    if let Some(count) = args.generated {
        #[cfg(not(feature = "generated"))]
        anyhow::bail!("{count} kernels, which this build has not: write `cargo xtask ptx --generated {count}`");
        #[cfg(feature = "generated")]
        let which = generated::Which { seed: args.seed, count, record: args.record.as_deref() };
        #[cfg(feature = "generated")]
        generated::check(&paths.root, &target_dir, &toolchain, &args.targets, which, &mut report)?;
        return report.verdict();
    }
    if !args.kernels && !args.probes {
        user_crate::check(&paths.root, &target_dir, &toolchain, tools.as_ref(), &mut report)?;
    }
    if !args.user_crate && !args.probes {
        kernels::check(&paths.root, &target_dir, &toolchain, tools.as_ref(), &mut report)?;
    }
    if !args.user_crate && !args.kernels {
        probes(args, &paths.root, &target_dir, &toolchain, tools.as_ref(), &mut report)?;
        report.write(&shell::target().join("ptx"), &toolchain, tools.as_ref())?;
    }
    report.verdict()?;
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
    let targets: Vec<String> = match &args.targets[..] {
        targets @ [_, ..] => targets.to_vec(),
        [] => {
            // Targets in order: one of the first half and its counterpart in the second.
            let half = TARGETS.len() / 2;
            let is_chosen = |(i, _): &(usize, _)| args.sample.is_none_or(|n| *i % half == (n % half as u64) as usize);
            TARGETS.iter().enumerate().filter(is_chosen).map(|(_, t)| (*t).to_owned()).collect()
        }
    };
    if args.sample.is_some() {
        println!("SAMPLED: of {} targets {}", TARGETS.len(), targets.join(" and "));
    }
    for target in &targets {
        let target = Target::new(target);
        let first = one(&target, args.bless, root, target_dir, toolchain, tools, report)?;
        let newest = newest(&target, toolchain, first.version);
        report.runs.push(first);
        if let Some(newest) = newest {
            let second = one(&newest, args.bless, root, target_dir, toolchain, tools, report)?;
            report.runs.push(second);
        }
    }
    let machine = concat!("ptxf-vm ", env!("CARGO_PKG_VERSION"));
    evidence::settle(&evidence::EXECUTED, root, machine, &targets, args.bless, report)?;
    if let Some(tools) = tools {
        let assembler = format!("ptxas {}", tools.release);
        evidence::settle(&evidence::ASSEMBLED, root, &assembler, &targets, args.bless, report)?;
    }
    Ok(())
}

/// Returns the target with the newest PTX version that the table uses and the compiler offers.
/// `None` if no further form becomes native after `now`.
fn newest(target: &Target, toolchain: &Toolchain, now: Version) -> Option<Target> {
    let asked = FORMS.iter().flat_map(|f| f.targets).map(|t| version(t.ptx)).max()?;
    let (newest, _) = toolchain.ptx.iter().rev().find(|(v, _)| *v <= asked)?;
    let gained = |f: &&ptxf::spec::FormInfo| {
        let gains = |t: &ptxf::spec::Target| {
            let needs = version(t.ptx);
            t.sm <= sm(&target.name) && now < needs && needs <= *newest
        };
        f.until.is_none() && f.targets.iter().any(gains)
    };
    FORMS.iter().find(gained).map(|_| target.clone().ptx(*newest))
}

/// Converts to the compiler's type.
fn version(v: ptxf::spec::Version) -> Version {
    Version { major: v.major, minor: v.minor }
}

/// All forms for one target and PTX version.
fn one(
    target: &Target,
    bless: bool,
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    tools: Option<&CudaTools>,
    report: &mut Report,
) -> Result<Run> {
    let file = toolchain.compile(&root.join("probes/forms"), target, &[], target_dir)?.file;
    let text = std::fs::read_to_string(&file)?;
    let module = Module::parse(&text).with_context(|| file.display().to_string())?;
    let mut run = Run::new(target, &module);
    let mut problems = Vec::new();
    if module.target != target.name {
        problems.push(format!("the file is for {}", module.target));
    }
    run.kinds = check::all(&module, &mut problems);
    let native = run.kinds.iter().filter(|(_, k)| **k == Kind::Native);
    run.instructions = native.flat_map(|(f, _)| &module.kernels[*f].asm).filter(|i| !i.starts_with("selp.")).count();
    run.mutations = check::mutations(&module, &run.kinds, &mut problems);
    golden::compare(root, &module, &run.kinds, bless, &mut problems)?;
    run.executed = vm::check(&text, &mut problems).with_context(|| file.display().to_string())?;
    if let Some(tools) = tools {
        if let Some(assembled) = assemble::assemble(tools, &file, &target.name)? {
            assembled.check(&module, &mut problems);
            if let Some(nvdisasm) = &tools.nvdisasm {
                run.machine = disassemble::disassemble(nvdisasm, &assembled.cubin)?;
                disassemble::check(&run.machine, &run.kinds, &run.target, &mut problems);
            }
            run.assembled = Some(assembled.kernels);
        } else {
            report.notes.push(format!("ptxas {} knows no {}: not assembled", tools.release, target.name));
        }
    }
    println!("{}", run.line());
    for p in &problems {
        println!("    {p}");
    }
    report.problems.extend(problems.into_iter().map(|p| format!("{}: {p}", target)));
    Ok(run)
}

/// Reports a missing tool: exit code 3, or 1 with PTXF_STRICT=1.
fn missing(what: &str) -> ExitCode {
    eprintln!("skipped: {what}");
    ExitCode::from(if shell::is_strict() { 1 } else { 3 })
}

/// Returns a command's output.
fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    if !output.status.success() {
        bail!("{}: {command:?}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
