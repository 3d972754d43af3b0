//! Where a program finds it.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The names by which the driver is looked for.
const NAMES: [&str; 2] = ["libcuda.so", "libcuda.so.1"];

/// A folder of its own below the system's for temporary files, with a library as `libcuda`, removed in the end. A program of which
/// it is the `LD_LIBRARY_PATH` takes the library for NVIDIA's driver.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// With the stand-in. `name` tells it from the other folders of this process.
    ///
    /// # Errors
    ///
    /// If the library is not where Cargo leaves those that a test depends on, or the folder cannot be written.
    pub fn new(name: &str) -> io::Result<Self> {
        Self::with(name, &library()?)
    }

    /// With this library.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn with(name: &str, library: &[u8]) -> io::Result<Self> {
        let path = env::temp_dir().join(format!("ptxf-stub-driver-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path)?;
        for name in NAMES {
            fs::write(path.join(name), library)?;
        }
        Ok(Self(path))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The stand-in as Cargo built it for the test that asks.
///
/// # Errors
///
/// If it is not there.
pub fn library() -> io::Result<Vec<u8>> {
    let program = env::current_exe()?;
    // Beside a test; examples lie in a folder beside that of the libraries.
    let beside = program.with_file_name("libstub_driver.so");
    let deps = program.with_file_name("../deps/libstub_driver.so");
    fs::read(if beside.exists() { beside } else { deps })
}
