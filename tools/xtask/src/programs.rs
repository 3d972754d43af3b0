//! `cargo xtask programs`: programs of packages from PyPI, without a change, under `ptxf cuda`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::{pypi, shell};

/// A program of `examples/programs`.
struct Program {
    name: &'static str,
    /// The packages with their versions, as pip reads them.
    packages: &'static [&'static str],
    /// Python's test that the packages are there.
    import: &'static str,
    /// Variables that a user of the package sets.
    variables: &'static [(&'static str, &'static str)],
    /// `true` if pip builds the package with the CUDA toolkit. Then the program runs only by name.
    built: bool,
}

const PROGRAMS: [Program; 10] = [
    Program {
        name: "numba_kernels",
        packages: &["numba-cuda[cu12]==0.30.4", "cuda-core==1.2.2", "numpy"],
        import: "numba.cuda, cuda.core",
        variables: &[],
        built: false,
    },
    Program {
        name: "cuda_core",
        packages: &["cuda-core[cu12]==1.2.2", "nvidia-cuda-nvrtc-cu12", "numpy"],
        import: "cuda.core, numpy",
        variables: &[],
        built: false,
    },
    Program {
        name: "cuda_textures",
        packages: &["cuda-core[cu12]==1.2.2", "nvidia-cuda-nvrtc-cu12", "numpy"],
        import: "cuda.core, numpy",
        variables: &[],
        built: false,
    },
    Program {
        name: "tinygrad_tensors",
        packages: &["tinygrad==0.14.0", "nvidia-cuda-nvrtc-cu12", "numpy"],
        import: "tinygrad, numpy",
        variables: &[("DEV", "CUDA")],
        built: false,
    },
    Program {
        name: "triton_kernels",
        packages: &["triton==3.9.0", "cuda-bindings~=12.9.0", "numpy"],
        import: "triton, cuda.bindings, numpy",
        variables: &[],
        built: false,
    },
    Program { name: "taichi_fields", packages: &["taichi==1.7.4"], import: "taichi", variables: &[], built: false },
    Program {
        name: "halide_pipelines",
        packages: &["halide==21.0.0", "numpy"],
        import: "halide, numpy",
        variables: &[],
        built: false,
    },
    Program { name: "drjit_arrays", packages: &["drjit==1.5.0"], import: "drjit", variables: &[], built: false },
    Program {
        name: "runtime_api",
        packages: &[
            "nvidia-cuda-nvcc==13.5.37",
            "nvidia-cuda-crt==13.5.37",
            "nvidia-nvvm==13.5.37",
            "nvidia-cuda-runtime==13.5.37",
            "nvidia-cuda-cccl~=13.3.5",
        ],
        import: "nvidia.cu13.bin, nvidia.cu13.nvvm, nvidia.cu13.include.cccl, shutil; assert shutil.which('g++'), 'no g++'",
        variables: &[],
        built: false,
    },
    Program { name: "pycuda_module", packages: &["pycuda==2026.1"], import: "pycuda", variables: &[], built: true },
];

/// Time limits of a download and of a program.
const LIMIT: Duration = Duration::from_secs(1800);
const RUN: Duration = Duration::from_secs(600);

/// Run programs of numba, tinygrad, Triton, Taichi, Halide, Dr.Jit, nvcc under `ptxf cuda`.
///
/// Exits with status 3 if their packages are missing; with PTXF_STRICT=1 with status 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install missing packages from PyPI into target/programs, up to 2 GiB for all of them
    #[arg(long)]
    install: bool,
    /// Run one program, which differs between seeds
    #[arg(long, value_name = "N", conflicts_with = "names")]
    seed: Option<u64>,
    /// The programs, such as `numba_kernels`; default: all but `pycuda_module`, which needs the
    /// CUDA toolkit
    names: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(wrong) = args.names.iter().find(|name| !PROGRAMS.iter().any(|program| program.name == **name)) {
        let known: Vec<_> = PROGRAMS.iter().map(|program| program.name).collect();
        bail!("there is no program `{wrong}`: write one of {}", known.join(", "));
    }
    let chosen: Vec<&Program> = match args.seed {
        Some(seed) => {
            let all: Vec<_> = PROGRAMS.iter().filter(|program| !program.built).collect();
            println!("SAMPLED: one of {} programs; without --seed all run", all.len());
            vec![all[(seed % all.len() as u64) as usize]]
        }
        None if args.names.is_empty() => PROGRAMS.iter().filter(|program| !program.built).collect(),
        None => PROGRAMS.iter().filter(|program| args.names.iter().any(|name| name == program.name)).collect(),
    };
    let folder = shell::target().join("programs");
    let mut skipped = 0;
    for program in chosen {
        if let Err(why) = packages(program, &folder, args.install) {
            let how = format!("cargo xtask programs --install {}", program.name);
            let why =
                format!("{}: {} missing: {why}\nGet them with\n  {how}", program.name, program.packages.join(", "));
            if shell::is_strict() {
                bail!(why);
            }
            println!("SKIPPED: {why}");
            skipped += 1;
            continue;
        }
        println!("{} with {}", program.name, program.packages.join(", "));
        let words = ["run", "--release", "--quiet", "--package", "ptxf-cli", "--", "cuda", "--"];
        let mut command = shell::command("cargo", &words);
        command.arg(python(&folder)).arg(format!("examples/programs/{}.py", program.name));
        shell::run_for(RUN, command.envs(program.variables.iter().copied()))?;
    }
    Ok(if skipped > 0 { ExitCode::from(3) } else { ExitCode::SUCCESS })
}

/// Returns Python of the virtual environment, or the system's if there is none.
fn python(folder: &Path) -> PathBuf {
    let own = folder.join("bin/python");
    if own.exists() { own } else { "python3".into() }
}

/// Returns `Ok` if the packages are there. The error is the last line of Python's or pip's message.
fn packages(program: &Program, folder: &Path, install: bool) -> Result<(), String> {
    let find = || {
        let python = python(folder);
        let mut command = shell::command(&python.to_string_lossy(), &["-c", &format!("import {}", program.import)]);
        let output = command.output().map_err(|error| format!("{}: {error}", python.display()))?;
        let error = String::from_utf8_lossy(&output.stderr).trim().lines().next_back().unwrap_or_default().to_owned();
        if output.status.success() { Ok(()) } else { Err(error) }
    };
    let found = find();
    if !install || found.is_ok() {
        return found;
    }
    pypi::environment(LIMIT, program.packages, folder).map_err(|error| format!("{error:#}"))?;
    find()
}
