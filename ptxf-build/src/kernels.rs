//! What a build script says.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::toolchain::{OVERRIDE, Toolchain};
use crate::{Error, Target, Version, entries};

/// A crate of kernels that a build script wants compiled.
///
/// # Examples
///
/// ```no_run
/// // Writes $OUT_DIR/kernels.rs, with `PTX`, `TARGET` and `ENTRIES`.
/// ptxf_build::Kernels::new("kernels").target("sm_80").build()?;
/// # Ok::<(), ptxf_build::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kernels {
    krate: PathBuf,
    target: Target,
    features: Vec<String>,
    name: String,
    compiler: Option<PathBuf>,
    required: bool,
}

/// What was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// The file to `include!`.
    pub constants: PathBuf,
    /// The PTX, or why there is no compiler.
    pub ptx: Result<PathBuf, String>,
    /// The names of its kernels.
    pub entries: Vec<String>,
}

impl Kernels {
    /// The crate in this directory, relative to that of the build script's package.
    #[must_use]
    pub fn new(krate: impl Into<PathBuf>) -> Self {
        Self {
            krate: krate.into(),
            target: Target::new("sm_75"),
            features: Vec::new(),
            name: "kernels".to_owned(),
            compiler: None,
            required: false,
        }
    }

    /// The oldest GPU that the kernels shall run on; `sm_75` if left out.
    #[must_use]
    pub fn target(mut self, name: impl Into<String>) -> Self {
        self.target.name = name.into();
        self
    }

    /// A PTX version above the target's own.
    #[must_use]
    pub fn ptx(mut self, version: Version) -> Self {
        self.target.ptx = Some(version);
        self
    }

    /// Features of the kernel crate.
    #[must_use]
    pub fn features<S: Into<String>>(mut self, features: impl IntoIterator<Item = S>) -> Self {
        self.features.extend(features.into_iter().map(Into::into));
        self
    }

    /// The name of the files in `$OUT_DIR`, for the second crate of a build script; `kernels` if left out.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// This compiler and no other.
    #[must_use]
    pub fn compiler(mut self, rustc: impl Into<PathBuf>) -> Self {
        self.compiler = Some(rustc.into());
        self
    }

    /// Without a compiler the build stops, instead of going on without kernels.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Compiles, writes the constants, and tells Cargo when to do it again.
    ///
    /// # Errors
    ///
    /// If the kernels do not compile; where there is no compiler, only if they are [`required`](Self::required).
    pub fn build(self) -> Result<Built, Error> {
        let variable = |name: &'static str| std::env::var_os(name).map(PathBuf::from).ok_or(Error::NoBuildScript(name));
        let (package, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
        let mut orders = Vec::new();
        let built = self.build_in(&package, &out, &mut orders);
        orders.iter().for_each(|order| println!("cargo::{order}"));
        built
    }

    /// The same for a package and a place for what is made; `orders` is for Cargo.
    fn build_in(&self, package: &Path, out: &Path, orders: &mut Vec<String>) -> Result<Built, Error> {
        let krate = package.join(&self.krate);
        orders.push(format!("rerun-if-env-changed={OVERRIDE}"));
        orders.extend(watched(&krate).map(|file| format!("rerun-if-changed={}", file.display())));
        let constants = out.join(format!("{}.rs", self.name));
        let toolchain = match self.compiler.as_deref().map_or_else(Toolchain::find, Toolchain::beside) {
            Ok(toolchain) => toolchain,
            Err(missing) if self.required => return Err(Error::Compiler(missing)),
            Err(missing) => {
                // Cargo looks again at the next build, as long as there is none: a file that is not there is always new.
                orders.extend(
                    missing.tried.iter().map(|(bin, _)| format!("rerun-if-changed={}", bin.join("rustc").display())),
                );
                let why = missing.to_string();
                orders.extend(why.lines().map(|line| format!("warning={line}")));
                write(&constants, &text(&self.target, Err(&why), &[]))?;
                return Ok(Built { constants, ptx: Err(why), entries: Vec::new() });
            }
        };
        let compiled = toolchain.compile(
            &krate,
            &self.target,
            &self.features,
            &out.join("ptxf-build").join(toolchain.number()),
        )?;
        orders.extend(compiled.sources.iter().map(|file| format!("rerun-if-changed={}", file.display())));
        let ptx = std::fs::read_to_string(&compiled.file).map_err(Error::io(compiled.file.display().to_string()))?;
        let names = entries(&ptx).map_err(|error| Error::Ptx { file: compiled.file.clone(), error })?;
        if names.is_empty() {
            return Err(Error::NoEntry(krate));
        }
        let file = format!("{}.ptx", self.name);
        write(&out.join(&file), &ptx)?;
        write(&constants, &text(&self.target, Ok(&file), &names))?;
        Ok(Built { constants, ptx: Ok(out.join(file)), entries: names })
    }
}

/// What of the crate is watched even if it does not compile.
fn watched(krate: &Path) -> impl Iterator<Item = PathBuf> {
    ["Cargo.toml", "Cargo.lock", "build.rs", "src"]
        .map(|name| krate.join(name))
        .into_iter()
        .filter(|file| file.exists())
}

/// The constants; the PTX file is beside them.
fn text(target: &Target, ptx: Result<&str, &str>, names: &[String]) -> String {
    let mut text = String::new();
    let value = match ptx {
        Ok(file) => format!("Ok(include_str!({file:?}))"),
        Err(why) => format!("Err({why:?})"),
    };
    let items = [
        ("The kernels' PTX, or why there is none.", format!("PTX: Result<&str, &str> = {value}")),
        ("The oldest GPU that it runs on.", format!("TARGET: &str = {:?}", target.name)),
        ("The names of its kernels.", format!("ENTRIES: &[&str] = &{names:?}")),
    ];
    for (doc, item) in items {
        // Whoever includes them may be private, and need not want all of them.
        let _ = writeln!(
            text,
            "/// {doc}\n#[allow(dead_code, unreachable_pub, reason = \"for whoever includes it\")]\npub static {item};"
        );
    }
    text
}

/// Leaves a file alone that is as it should be, so that nothing is built again for its time.
fn write(file: &Path, text: &str) -> Result<(), Error> {
    if std::fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(file, text).map_err(Error::io(file.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of its own, removed in the end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let directory = std::env::temp_dir().join(format!("ptxf-build-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&directory).unwrap();
            Self(directory)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn without_a_compiler_the_constant_says_so() {
        let out = Scratch::new("none");
        let kernels = Kernels::new("kernels").compiler("/nowhere/bin/rustc");
        let mut orders = Vec::new();
        let built = kernels.build_in(Path::new("/package"), &out.0, &mut orders).unwrap();
        let text = std::fs::read_to_string(built.constants).unwrap();
        assert!(text.contains("PTX: Result<&str, &str> = Err(\"no compiler for nvptx64-nvidia-cuda"), "{text}");
        assert!(text.contains("ENTRIES: &[&str] = &[];"), "{text}");
        assert!(
            orders.iter().any(|o| o.starts_with("warning=") && o.contains("rustup toolchain install")),
            "{orders:?}"
        );
        assert!(orders.contains(&"rerun-if-changed=/nowhere/bin/rustc".to_owned()), "{orders:?}");

        let error = kernels.required().build_in(Path::new("/package"), &out.0, &mut orders).unwrap_err();
        assert!(format!("{error:?}").contains("apt-get install rustc-web"), "{error}");
    }
}
