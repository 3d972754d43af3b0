//! The kernels in CUDA C++ of `peers/yardstick.cu`, compiled by `cargo xtask peers`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cudarc::driver::CudaModule;

use super::driver::Gpu;
use super::ptx::Ptx;

/// The file with their PTX.
pub const PTX: &str = "yardstick-sm_90.ptx";

/// The compiled kernels.
pub struct Peers {
    pub ptx: Ptx,
    folder: PathBuf,
}

impl Peers {
    /// Reads the files of `cargo xtask peers`.
    pub fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        Ok(Self { ptx: Ptx::read(&folder.join(PTX))?, folder: folder.to_owned() })
    }

    /// Loads the machine code of nvcc. Without machine code for the device, the driver compiles the
    /// PTX.
    pub fn load(&self, gpu: &Gpu) -> Result<Arc<CudaModule>, String> {
        match fs::read(self.folder.join(format!("yardstick-sm_{}.cubin", gpu.sm))) {
            Ok(cubin) if !gpu.is_this_cpu() => gpu.load_binary(cubin),
            _ => gpu.load(&self.ptx.text),
        }
    }

    /// Returns the compiler's version, from the PTX's first lines.
    pub fn nvcc(&self) -> String {
        let release = self.ptx.text.lines().take(20).find_map(|line| line.split_once("release "));
        release.map_or("an unknown version", |(_, release)| release.trim()).to_owned()
    }
}

/// The machine code of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Registers per thread.
    pub registers: u32,
    /// Instructions of an iteration of its loop, or of its path. `None` for an entry without a
    /// counterpart.
    pub instructions: Option<f64>,
}

/// Returns the machine code that `cargo xtask peers` noted for each entry, of the suite and of the
/// kernels in CUDA C++.
pub fn machine(folder: &Path) -> BTreeMap<String, Machine> {
    let text = fs::read_to_string(folder.join("machine.txt")).unwrap_or_default();
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let [name, registers, instructions] = std::array::from_fn(|_| words.next());
        let registers = registers?.parse().ok()?;
        Some((name?.to_owned(), Machine { registers, instructions: instructions?.parse().ok() }))
    };
    text.lines().filter_map(entry).collect()
}
