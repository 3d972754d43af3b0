//! The crate for devices that is written for a file of kernels.
//!
//! Cargo leaves a directory with a manifest out of a package. A published package therefore keeps
//! its kernels in a file, and the crate for devices is written to `OUT_DIR`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::source::Source;

/// The contents of the crate.
#[derive(Clone, Debug)]
pub(crate) struct Wrapper<'a> {
    /// The host's package, whose name keeps crates of several hosts apart.
    pub(crate) host: &'a str,
    /// The name of the build script's files.
    pub(crate) name: &'a str,
    /// The file of kernels.
    pub(crate) file: &'a Path,
    pub(crate) edition: &'a str,
    pub(crate) features: &'a [String],
    /// The source of `ptxf`.
    pub(crate) library: Source,
    /// Lines of the manifest.
    pub(crate) dependencies: &'a [String],
}

impl Wrapper<'_> {
    /// Writes the crate's files. `lock` has the versions of the host's dependencies.
    pub(crate) fn write(&self, krate: &Path, lock: Option<&Path>) -> Result<(), Error> {
        let at = |name: &str| krate.join(name);
        std::fs::create_dir_all(krate).map_err(Error::io(krate.display().to_string()))?;
        write(&at("Cargo.toml"), &self.manifest())?;
        write(&at("lib.rs"), &self.source()?)?;
        match lock {
            Some(lock) => write(&at("Cargo.lock"), &read(lock)?),
            None => remove(&at("Cargo.lock")),
        }
    }

    fn manifest(&self) -> String {
        let name = format!("device_{}_{}", self.host, self.name);
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = {:?}\n\n[lib]\ncrate-type = [\"cdylib\"]\npath = \"lib.rs\"\n\n[workspace]\n\n[features]\n",
            self.edition
        );
        self.features.iter().for_each(|feature| _ = writeln!(text, "{feature:?} = []"));
        text.push_str("\n[dependencies]\n");
        let named = |line: &String, name: &str| line.split(['=', '.']).next().is_some_and(|n| n.trim() == name);
        if !self.dependencies.iter().any(|line| named(line, "ptxf")) {
            let _ = writeln!(text, "ptxf = {{ {}, default-features = false }}", self.library);
        }
        self.dependencies.iter().for_each(|line| _ = writeln!(text, "{line}"));
        text
    }

    fn source(&self) -> Result<String, Error> {
        let (folder, module) = self.module().ok_or_else(|| Error::NoKernels(self.file.to_owned()))?;
        Ok(format!(
            "#![no_std]\n#![feature(abi_ptx)]\n\n\
             // A module with a path finds the file and its modules as the host does.\n\
             #[path = {folder:?}]\nmod host {{\n    pub mod {module};\n}}\n\
             #[allow(unused_imports, reason = \"for paths that begin with `crate`\")]\nuse host::{module};\n\n\
             #[panic_handler]\nfn panic(_: &core::panic::PanicInfo) -> ! {{\n    loop {{}}\n}}\n"
        ))
    }

    /// Returns the directory and the name of the module.
    fn module(&self) -> Option<(PathBuf, &str)> {
        let file = if self.file.file_name()? == "mod.rs" { self.file.parent()? } else { self.file };
        let name = file.file_stem()?.to_str()?;
        let identifier = |c: char| c.is_alphanumeric() || c == '_';
        let is_name = name.chars().all(identifier) && !name.starts_with(|c: char| c.is_numeric());
        is_name.then_some((file.parent()?.to_owned(), name))
    }
}

/// Removes a file, which may be absent.
fn remove(file: &Path) -> Result<(), Error> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(file.display().to_string())(error)),
        _ => Ok(()),
    }
}

fn read(file: &Path) -> Result<String, Error> {
    std::fs::read_to_string(file).map_err(Error::io(file.display().to_string()))
}

/// Writes a file if its contents change: Cargo rebuilds whatever depends on a newer file.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), Error> {
    if std::fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(file, text).map_err(Error::io(file.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapper<'a>(file: &'a Path, dependencies: &'a [String]) -> Wrapper<'a> {
        let library = Source::Registry;
        Wrapper { host: "my-program", name: "my kernels", file, edition: "2024", features: &[], library, dependencies }
    }

    #[test]
    fn the_module_is_where_the_host_has_it() {
        let module = |file: &str| wrapper(Path::new(file), &[]).module().map(|(f, m)| (f, m.to_owned()));
        assert_eq!(module("/p/src/kernels.rs"), Some(("/p/src".into(), "kernels".to_owned())));
        assert_eq!(module("/p/src/gpu/mod.rs"), Some(("/p/src".into(), "gpu".to_owned())));
        assert_eq!(module("/p/src/my-kernels.rs"), None);
        assert_eq!(module("/p/src/2d.rs"), None);
    }

    #[test]
    fn the_library_is_a_dependency_unless_it_is_named() {
        let file = Path::new("/p/src/kernels.rs");
        let text = wrapper(file, &[]).manifest();
        assert!(
            text.contains("name = \"device_my_program_my_kernels\"") && text.contains("\nptxf = { version = \"0."),
            "{text}"
        );
        let own = ["ptxf = { path = \"/p\" }".to_owned(), "libm = \"0.2\"".to_owned()];
        let text = wrapper(file, &own).manifest();
        assert!(text.ends_with("[dependencies]\nptxf = { path = \"/p\" }\nlibm = \"0.2\"\n"), "{text}");
    }
}
