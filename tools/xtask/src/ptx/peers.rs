//! `cargo xtask peers`: NVIDIA's compiler on the kernels in CUDA C++ of `examples/suite/peers`.

mod machine;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result};
use ptxf_build::{Target, Toolchain};

use super::tools::CudaTools;
use super::{Paths, missing};
use super::{assemble, flow};
use crate::{pypi, shell};

/// The packages of nvcc, without libraries for programs.
const PACKAGES: [&str; 6] = [
    "nvidia-cuda-nvcc~=13.5.0",
    "nvidia-cuda-nvdisasm~=13.5.0",
    "nvidia-nvvm~=13.5.0",
    "nvidia-cuda-crt~=13.5.0",
    "nvidia-cuda-runtime~=13.5.0",
    "nvidia-cuda-cccl~=13.3.0",
];
/// Time limit of a download of some 300 MiB.
const LIMIT: Duration = Duration::from_secs(900);
/// The target of the kernels.
const TARGET: &str = "sm_90";

/// Compile the kernels in CUDA C++ that are the suite's yardstick, for `suite --peers` and
/// `suite --counts`: PTX and machine code for sm_90, and the registers and machine instructions of
/// its entries and the suite's.
///
/// nvcc is searched for in `PTXF_CUDA_TOOLS`, in what `--install` left, in `CUDA_HOME` and in
/// `PATH`. It needs a C++ compiler.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install nvcc from PyPI if it is missing.
    #[arg(long)]
    install: bool,
    /// The folder for the files; otherwise `peers` in Cargo's target directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let paths = Paths::new();
    let mut nvcc = nvcc_of(&paths.tools);
    if args.install && nvcc.is_none() {
        install(&paths.tools)?;
        nvcc = nvcc_of(&paths.tools);
    }
    let Some(nvcc) = nvcc else {
        return Ok(missing("nvcc was not found. This brings it:\n    cargo xtask peers --install"));
    };
    let out = args.out.clone().unwrap_or_else(|| shell::target().join("peers"));
    std::fs::create_dir_all(&out)?;
    let source = paths.root.join("examples/suite/peers/yardstick.cu");
    let ptx = out.join(format!("yardstick-{TARGET}.ptx"));
    let options = ["-O3", "-ptx", &format!("-arch={TARGET}")];
    shell::run(Command::new(&nvcc).args(options).arg(&source).arg("-o").arg(&ptx))?;
    let mut files = vec![ptx];
    if let Ok(toolchain) = Toolchain::find() {
        let target_dir = paths.target.join(toolchain.number());
        files.push(toolchain.compile(&paths.root.join("probes/suite"), &Target::new(TARGET), &[], &target_dir)?.file);
    }
    let tools = CudaTools::find(&paths.tools)?.context("nvcc comes with ptxas, which was not found")?;
    std::fs::write(out.join("machine.txt"), machine_code(&tools, &files)?)?;
    println!("{}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// Returns nvcc if it runs. `cargo xtask ptx --install` leaves a part of it.
fn nvcc_of(tools: &Path) -> Option<PathBuf> {
    let nvcc = CudaTools::program(tools, "nvcc")?;
    shell::output(Command::new(&nvcc).arg("--version")).map(|_| nvcc)
}

/// Assembles the files, beside them. Returns a line for each entry: its name, its registers, and
/// the machine instructions of its hot part, or `-`.
fn machine_code(tools: &CudaTools, files: &[PathBuf]) -> Result<String> {
    let (mut registers, mut code) = (BTreeMap::new(), BTreeMap::new());
    for file in files {
        let assembled = assemble::assemble(tools, file, TARGET)?.with_context(|| format!("ptxas without {TARGET}"))?;
        registers.extend(assembled.kernels);
        match &tools.nvdisasm {
            Some(nvdisasm) => code.extend(flow::disassemble(nvdisasm, &assembled.cubin)?),
            None => eprintln!("LEFT OUT: machine instructions, which need nvdisasm"),
        }
    }
    let instructions = machine::instructions(&code);
    let line = |(name, r): (String, assemble::Resources)| {
        let count = instructions.get(&name).map_or_else(|| "-".to_owned(), |count| format!("{count:.2}"));
        format!("{name} {} {count}\n", r.registers)
    };
    Ok(registers.into_iter().map(line).collect())
}

/// Unpacks NVIDIA's wheels into `tools`.
fn install(tools: &Path) -> Result<()> {
    pypi::unpack(LIMIT, &PACKAGES, tools)?;
    // Python's unpacker drops the permission to execute.
    for program in ["nvcc", "cudafe++", "fatbinary", "nvlink", "ptxas", "nvdisasm", "bin2c", "__nvcc_device_query"] {
        if let Some(program) = CudaTools::program(tools, program) {
            shell::run(Command::new("chmod").arg("755").arg(program))?;
        }
    }
    let cicc = CudaTools::program(tools, "nvcc").and_then(|nvcc| Some(nvcc.parent()?.parent()?.join("nvvm/bin/cicc")));
    let cicc = cicc.filter(|cicc| cicc.is_file()).context("the wheels hold no cicc")?;
    shell::run(Command::new("chmod").arg("755").arg(cicc))
}
