//! The kernels' PTX, compiled now or read from a file.

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ptxf_build::{NotFound, Target, Toolchain, sm};
use ptxf_text::Unit;

/// Targets of the emitted files. Each has instructions that the previous one lacks.
const TARGETS: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_100"];

/// The target of a rehearsal.
const USUAL: &str = "sm_90";

/// A PTX text.
pub struct Ptx {
    /// A name for messages.
    pub name: String,
    pub text: String,
    /// The declarations in the text.
    pub read: Unit,
    /// The number of the target: 90 for `.target sm_90`.
    pub sm: u32,
}

impl Ptx {
    pub fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(file).map_err(|e| at(file, &e))?;
        Self::parse(file.file_name().unwrap_or_default().to_string_lossy().into_owned(), text)
    }

    pub fn parse(name: String, text: String) -> Result<Self, Box<dyn Error>> {
        let read = Unit::declarations(&text).map_err(|e| format!("{name} is not PTX: {e}"))?;
        Ok(Self { sm: read.target.sm, read, name, text })
    }
}

/// Compiles the kernels for the device, or for a common target. The inner `Err` is a missing
/// compiler.
pub fn compiled(device: Option<u32>) -> Result<Result<Ptx, NotFound>, Box<dyn Error>> {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(missing) => return Ok(Err(missing)),
    };
    let best = |device| TARGETS.into_iter().rfind(|t| sm(t) <= device);
    let target = match device {
        Some(device) => best(device)
            .ok_or_else(|| format!("the device is sm_{device}: the kernels are for {} and later", TARGETS[0]))?,
        None => USUAL,
    };
    Ptx::read(&compile(&toolchain, target)?).map(Ok)
}

/// Writes a file per target to the folder, for a machine without a compiler. Returns their names.
pub fn emit(folder: &Path) -> Result<Result<Vec<PathBuf>, NotFound>, Box<dyn Error>> {
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(missing) => return Ok(Err(missing)),
    };
    fs::create_dir_all(folder).map_err(|e| at(folder, &e))?;
    let write = |target| -> Result<PathBuf, Box<dyn Error>> {
        let file = folder.join(format!("{PREFIX}{target}.ptx"));
        fs::copy(compile(&toolchain, target)?, &file).map_err(|e| at(&file, &e))?;
        Ok(file)
    };
    TARGETS.into_iter().map(write).collect::<Result<_, _>>().map(Ok)
}

/// Returns the message of an error at a path.
fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// First part of the names of [`emit`]'s files.
const PREFIX: &str = "suite-";

/// Returns the files of [`emit`] that the device supports, the newest target first.
pub fn in_folder(folder: &Path, device: Option<u32>) -> Result<Vec<Ptx>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| at(folder, &e))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(".ptx") {
            found.push(Ptx::read(&path)?);
        }
    }
    found.retain(|ptx| device.is_none_or(|device| ptx.sm <= device));
    found.sort_by_key(|ptx| std::cmp::Reverse(ptx.sm));
    if found.is_empty() {
        let runs = device.map_or(String::new(), |sm| format!(" that sm_{sm} runs"));
        return Err(format!("no {PREFIX}sm_NN.ptx{runs} in {}: `--emit-ptx` writes them", folder.display()).into());
    }
    Ok(found)
}

/// Compiles the crate of the kernels, in the folder that `cargo xtask ptx` uses too.
fn compile(toolchain: &Toolchain, target: &str) -> Result<PathBuf, Box<dyn Error>> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR"));
    let krate = suite.join("../../probes/suite");
    if !krate.is_dir() {
        return Err(
            "the sources of the kernels are not on this machine: `--ptx` takes what `--emit-ptx` wrote on theirs"
                .into(),
        );
    }
    let made = env::var_os("CARGO_TARGET_DIR").map_or_else(|| suite.join("../../target"), PathBuf::from);
    let made = made.join("nvptx").join(toolchain.number());
    Ok(toolchain.compile(&krate, &Target::new(target), &[], &made)?.file)
}
