//! A folder in which a program finds the library.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io};

mod version;

/// The names under which programs load the driver, the runtime, and gpuocelot.
const NAMES: [&str; 5] = ["libcuda.so.1", "libcuda.so", "libcudart.so", "libptxf_ocelot.so", "libgpuocelot.so"];

/// The names under which linked programs load the runtime. Their functions have a version of this
/// name.
const VERSIONED: [&str; 2] = ["libcudart.so.12", "libcudart.so.13"];

/// Cargo's name of the library.
const FILE: &str = "libptxf_cuda.so";

/// A temporary folder with a library under the names of NVIDIA's driver. It is removed on drop.
///
/// Under Linux, a program loads the library if the folder is the first of its `LD_LIBRARY_PATH`:
///
/// ```no_run
/// # #[cfg(target_os = "linux")] {
/// use std::process::Command;
///
/// let folder = ptxf_cuda::Folder::new(&ptxf_cuda::library()?)?;
/// let status = Command::new("./program").env("LD_LIBRARY_PATH", folder.search_path()?).status()?;
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes a folder with links to a library.
    ///
    /// # Errors
    ///
    /// It returns an error if there is no such file, or if the folder cannot be written.
    pub fn new(library: &Path) -> io::Result<Self> {
        let library = library.canonicalize()?;
        let folder = Self::empty()?;
        folder.link(&library)?;
        Ok(folder)
    }

    /// Makes a folder with a library of these bytes, for a program that contains the library.
    ///
    /// # Errors
    ///
    /// It returns an error if the folder cannot be written.
    pub fn with_library(bytes: &[u8]) -> io::Result<Self> {
        let folder = Self::empty()?;
        let library = folder.0.join(FILE);
        fs::write(&library, bytes)?;
        folder.link(&library)?;
        Ok(folder)
    }

    fn empty() -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("ptxf-cuda-{}-{number}", std::process::id()));
        // An earlier process with the same number may have been killed before it removed its
        // folder.
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir(&path)?,
        }
        Ok(Self(path))
    }

    fn link(&self, library: &Path) -> io::Result<()> {
        for name in NAMES {
            #[cfg(unix)]
            std::os::unix::fs::symlink(library, self.0.join(name))?;
            #[cfg(not(unix))]
            fs::copy(library, self.0.join(name)).map(drop)?;
        }
        // The loader reads as many bytes of the library's header.
        let mut header = Vec::new();
        fs::File::open(library)?.take(version::HEADER as u64).read_to_end(&mut header)?;
        for name in VERSIONED {
            fs::write(self.0.join(name), version::library(&header, name, &self.0.join(NAMES[0])))?;
        }
        Ok(())
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the library's path followed by this process's `LD_PRELOAD`.
    ///
    /// With this value of `LD_PRELOAD`, programs find the library before other copies of a driver,
    /// and its stand-in for nvJitLink before NVIDIA's.
    #[must_use]
    pub fn preload(&self) -> OsString {
        let mut all = self.0.join(NAMES[0]).into_os_string();
        if let Some(old) = env::var_os("LD_PRELOAD").filter(|old| !old.is_empty()) {
            all.push(":");
            all.push(old);
        }
        all
    }

    /// Returns the folder followed by this process's `LD_LIBRARY_PATH`.
    ///
    /// # Errors
    ///
    /// It returns an error if the folder's path has a colon, which separates paths.
    pub fn search_path(&self) -> io::Result<OsString> {
        let old = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let all = std::iter::once(self.0.clone()).chain(env::split_paths(&old).filter(|p| !p.as_os_str().is_empty()));
        env::join_paths(all).map_err(io::Error::other)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the library that Cargo has built or a person has installed: beside this program, or in a
/// folder `deps` or `lib` near it.
///
/// # Errors
///
/// It returns an error with the command that builds the library if it is at none of these places.
pub fn library() -> io::Result<PathBuf> {
    let program = env::current_exe()?;
    let places = ["", "deps", "../deps", "../lib"].map(|folder| program.with_file_name(folder).join(FILE));
    places.iter().find(|place| place.is_file()).cloned().ok_or_else(|| {
        let what = format!(
            "{FILE} is not beside {}: `cargo build --release --package ptxf-cuda` makes it in target/release",
            program.display()
        );
        io::Error::new(io::ErrorKind::NotFound, what)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_the_drivers_names_and_goes() {
        let library = env::current_exe().unwrap();
        let folder = Folder::new(&library).unwrap();
        let path = folder.path().to_owned();
        let carried = Folder::with_library(b"bytes").unwrap();
        assert_eq!(fs::read(carried.path().join(NAMES[0])).unwrap(), b"bytes");
        for name in NAMES {
            assert_eq!(fs::metadata(path.join(name)).unwrap().len(), fs::metadata(&library).unwrap().len());
        }
        assert!(env::split_paths(&folder.search_path().unwrap()).next().is_some_and(|first| first == path));
        assert_ne!(Folder::new(&library).unwrap().path(), path, "each is a folder of its own");
        drop(folder);
        assert!(!path.exists());
        assert!(Folder::new(&path).is_err());
    }
}
