//! The builder of kernels for a build script.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::compile::Place;
use crate::source::Source;
use crate::toolchain::{OVERRIDE, Toolchain};
use crate::wrapper::{Wrapper, write};
use crate::{Error, Target, Version, entries};

/// The variable that names a shared directory for compiled code.
const SHARED: &str = "PTXF_BUILD_DIR";

/// Kernels to compile: a file of the host's package, or a crate.
///
/// # Examples
///
/// ```no_run
/// // Writes $OUT_DIR/kernels.rs, with `PTX`, `TARGET` and `ENTRIES`.
/// ptxf_build::Kernels::new("src/kernels.rs").target("sm_80").build()?;
/// # Ok::<(), ptxf_build::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kernels {
    kernels: PathBuf,
    target: Target,
    features: Vec<String>,
    dependencies: Vec<String>,
    edition: String,
    name: String,
    compiler: Option<PathBuf>,
    required: bool,
}

/// The result of a build.
#[derive(Clone, Debug)]
pub struct Built {
    /// The file to `include!`.
    pub constants: PathBuf,
    /// The PTX file. An error says why there is no compiler.
    pub ptx: Result<PathBuf, String>,
    /// The names of the kernels.
    pub entries: Vec<String>,
}

impl Kernels {
    /// Selects a file of kernels or a crate of kernels, relative to the build script's package.
    ///
    /// A file such as `src/kernels.rs` is also a module of the host. For devices it is compiled in
    /// a crate of its own below `OUT_DIR`, so that it can use only itself and its own modules. A
    /// crate is for programs that are not published: Cargo leaves a directory with a manifest out
    /// of a package.
    #[must_use]
    pub fn new(kernels: impl Into<PathBuf>) -> Self {
        Self {
            kernels: kernels.into(),
            target: Target::new("sm_75"),
            features: Vec::new(),
            dependencies: Vec::new(),
            edition: "2024".to_owned(),
            name: "kernels".to_owned(),
            compiler: None,
            required: false,
        }
    }

    /// Sets the oldest GPU that can run the kernels. The default is `sm_75`.
    #[must_use]
    pub fn target(mut self, name: impl Into<String>) -> Self {
        self.target.name = name.into();
        self
    }

    /// Sets a PTX version above the target's own.
    #[must_use]
    pub fn ptx(mut self, version: Version) -> Self {
        self.target.ptx = Some(version);
        self
    }

    /// Adds a dependency of a file of kernels, as a line of a manifest: `libm = "0.2"`. `ptxf` is
    /// always a dependency, without default features, unless a line names it. It comes from the
    /// same registry, path or git repository as the host's `ptxf`.
    ///
    /// Dependencies that the host has as well have the host's version, and are not downloaded.
    /// Paths have to be absolute.
    #[must_use]
    pub fn dependency(mut self, line: impl Into<String>) -> Self {
        self.dependencies.push(line.into());
        self
    }

    /// Sets the edition of a file of kernels. The default is `2024`.
    #[must_use]
    pub fn edition(mut self, edition: impl Into<String>) -> Self {
        self.edition = edition.into();
        self
    }

    /// Enables features of the kernel crate, which `cfg(feature = …)` in a file of kernels tests.
    #[must_use]
    pub fn features<S: Into<String>>(mut self, features: impl IntoIterator<Item = S>) -> Self {
        self.features.extend(features.into_iter().map(Into::into));
        self
    }

    /// Sets the name of the files in `$OUT_DIR`, for the second crate of a build script. The
    /// default is `kernels`.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the only compiler to use.
    #[must_use]
    pub fn compiler(mut self, rustc: impl Into<PathBuf>) -> Self {
        self.compiler = Some(rustc.into());
        self
    }

    /// Makes a missing compiler for devices an error. By default the build goes on without kernels.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Compiles the kernels, writes the constants, and lists for Cargo the files to watch.
    ///
    /// The first build compiles `core` and `ptxf` for the device, which takes minutes. `cargo build
    /// -vv` shows each step and its time.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernels do not compile, or are neither a file nor a crate. A missing
    /// compiler is an error only if the kernels are [`required`](Self::required).
    pub fn build(self) -> Result<Built, Error> {
        let variable = |name: &'static str| std::env::var_os(name).map(PathBuf::from).ok_or(Error::NoBuildScript(name));
        let (package, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
        let mut orders = Vec::new();
        let made = build_dir(&out, std::env::var_os(SHARED).map(PathBuf::from));
        let built = self.build_in(&package, &out, &made, &mut orders);
        orders.iter().for_each(|order| println!("cargo::{order}"));
        built
    }

    /// Builds the kernels of a package into `out`, with compiled code in `made`. `orders` gets
    /// lines for Cargo.
    fn build_in(&self, package: &Path, out: &Path, made: &Path, orders: &mut Vec<String>) -> Result<Built, Error> {
        let kernels = package.join(&self.kernels);
        orders.extend([OVERRIDE, SHARED].map(|variable| format!("rerun-if-env-changed={variable}")));
        orders.extend(watched(&kernels).map(|file| format!("rerun-if-changed={}", file.display())));
        let is_file = kernels.extension().is_some_and(|e| e == "rs") && kernels.is_file();
        if !is_file && !kernels.join("Cargo.toml").is_file() {
            return Err(Error::NoKernels(kernels));
        }
        let constants = out.join(format!("{}.rs", self.name));
        let toolchain = match self.compiler.as_deref().map_or_else(Toolchain::find, Toolchain::beside) {
            Ok(toolchain) => toolchain,
            Err(missing) if self.required => return Err(Error::Compiler(missing)),
            Err(missing) => {
                // Cargo looks for a compiler again at each build, since a missing file counts as
                // changed.
                orders.extend(
                    missing.tried.iter().map(|(bin, _)| format!("rerun-if-changed={}", bin.join("rustc").display())),
                );
                let why = missing.to_string();
                orders.extend(why.lines().map(|line| format!("warning={line}")));
                write(&constants, &text(&self.target, Err(&why), &[]))?;
                return Ok(Built { constants, ptx: Err(why), entries: Vec::new() });
            }
        };
        let (place, lock) = if is_file {
            let (krate, lock) = (out.join("ptxf-build").join(&self.name), toolchain.lock_of(package));
            let host = std::env::var("CARGO_PKG_NAME").map_err(|_| Error::NoBuildScript("CARGO_PKG_NAME"))?;
            let library = toolchain.source_of(package);
            self.wrapper(&host, &kernels, library).write(&krate, lock.as_deref())?;
            (Place::Written { krate, host: package.to_owned() }, lock)
        } else {
            let lock = toolchain.lock_of(&kernels);
            (Place::Found(kernels.clone()), lock)
        };
        orders.extend(lock.map(|lock| format!("rerun-if-changed={}", lock.display())));
        // The PTX is not shared: the same package can be built with other features at the same
        // time.
        let (made, ptx) = (made.join(toolchain.number()), out.join("ptxf-build"));
        let (start, shown) = (Instant::now(), kernels.display());
        eprintln!(
            "ptxf-build: compiling {shown} for {} with {}, in {}. The first build takes minutes: it compiles `core` and `ptxf`.",
            self.target,
            toolchain.version,
            made.display()
        );
        let compiled = toolchain.compile_at(&place, &self.target, &self.features, &made, &ptx)?;
        eprintln!("ptxf-build: compiled {shown} in {:.1} s", start.elapsed().as_secs_f64());
        orders.extend(compiled.sources.iter().map(|file| format!("rerun-if-changed={}", file.display())));
        let ptx = std::fs::read_to_string(&compiled.file).map_err(Error::io(compiled.file.display().to_string()))?;
        let names = entries(&ptx).map_err(|error| Error::Ptx { file: compiled.file.clone(), error })?;
        if names.is_empty() {
            return Err(Error::NoEntry(kernels));
        }
        let file = format!("{}.ptx", self.name);
        write(&out.join(&file), &ptx)?;
        write(&constants, &text(&self.target, Ok(&file), &names))?;
        Ok(Built { constants, ptx: Ok(out.join(file)), entries: names })
    }

    fn wrapper<'a>(&'a self, host: &'a str, file: &'a Path, library: Source) -> Wrapper<'a> {
        Wrapper {
            host,
            name: &self.name,
            file,
            edition: &self.edition,
            features: &self.features,
            library,
            dependencies: &self.dependencies,
        }
    }
}

/// Returns the directory for compiled code: `shared`, which is relative to Cargo's target
/// directory, else one of the package.
fn build_dir(out: &Path, shared: Option<PathBuf>) -> PathBuf {
    // Cargo marks its target directory by this file.
    let target = || out.ancestors().find(|directory| directory.join("CACHEDIR.TAG").is_file());
    match shared {
        Some(shared) if shared.is_absolute() => Some(shared),
        Some(shared) => target().map(|target| target.join(shared)),
        None => None,
    }
    .unwrap_or_else(|| out.join("ptxf-build"))
}

/// Returns the sources that Cargo watches even if the kernels do not compile.
fn watched(kernels: &Path) -> impl Iterator<Item = PathBuf> {
    let of_crate = ["Cargo.toml", "build.rs", "src"].map(|name| kernels.join(name));
    let of_file = [kernels.to_owned(), kernels.with_extension("")];
    let files = if kernels.is_dir() { of_crate.to_vec() } else { of_file.to_vec() };
    files.into_iter().filter(|file| file.exists())
}

/// Returns the text of the constants. The PTX file is in the same directory.
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
        // The module with the constants can be private, and need not use all of them.
        let _ = writeln!(
            text,
            "/// {doc}\n#[allow(dead_code, unreachable_pub, reason = \"for whoever includes it\")]\npub static {item};"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of a test, removed at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let directory = std::env::temp_dir().join(format!("ptxf-build-{name}-{}", std::process::id()));
            std::fs::create_dir_all(directory.join("out")).unwrap();
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
        std::fs::write(out.0.join("kernels.rs"), "").unwrap();
        let kernels = Kernels::new("kernels.rs").compiler("/nowhere/bin/rustc");
        let mut orders = Vec::new();
        let built = kernels.build_in(&out.0, &out.0.join("out"), &out.0.join("made"), &mut orders).unwrap();
        let text = std::fs::read_to_string(built.constants).unwrap();
        assert!(text.contains("PTX: Result<&str, &str> = Err(\"no compiler for nvptx64-nvidia-cuda"), "{text}");
        assert!(text.contains("ENTRIES: &[&str] = &[];"), "{text}");
        assert!(
            orders.iter().any(|o| o.starts_with("warning=") && o.contains("rustup toolchain install")),
            "{orders:?}"
        );
        assert!(orders.contains(&"rerun-if-changed=/nowhere/bin/rustc".to_owned()), "{orders:?}");

        let error = kernels.required().build_in(&out.0, &out.0, &out.0, &mut orders).unwrap_err();
        assert!(format!("{error:?}").contains("apt-get install rustc-web"), "{error}");
    }

    #[test]
    fn shared_code_is_in_the_target_directory() {
        let target = Scratch::new("shared");
        let out = target.0.join("out");
        assert_eq!(build_dir(&out, Some("nvptx".into())), out.join("ptxf-build"));
        std::fs::write(target.0.join("CACHEDIR.TAG"), "").unwrap();
        assert_eq!(build_dir(&out, Some("nvptx".into())), target.0.join("nvptx"));
        assert_eq!(build_dir(&out, Some("/elsewhere".into())), Path::new("/elsewhere"));
        assert_eq!(build_dir(&out, None), out.join("ptxf-build"));
    }

    #[test]
    fn a_folder_that_cargo_left_out_of_the_package_is_missed() {
        let out = Scratch::new("missing");
        for missing in ["kernels", "kernels.rs", "out"] {
            let error =
                Kernels::new(missing).build_in(&out.0, &out.0, &out.0, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(missing) && error.contains("out of a package"), "{error}");
        }
    }
}
