//! The PTX that is run: which file, what it is, and which of its kernels contain the instruction they are named after.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

/// A PTX file.
#[derive(Clone, Debug)]
pub struct Ptx {
    pub(crate) text: String,
    /// The name of the file.
    pub(crate) file: String,
    /// Of the file, in hexadecimal.
    pub(crate) sha256: String,
    /// (7, 8) for PTX 7.8.
    version: (u32, u32),
    /// 90 in `sm_90`.
    pub(crate) sm: u32,
    /// The body of each kernel by name.
    kernels: BTreeMap<String, String>,
}

/// What a file's kernels are for, which its name begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One kernel per form: `ptx-sm_90.ptx`, `ptx-sm_90-ptx88.ptx`, `sm_90.ptx`.
    Probes,
    /// Those that are timed: `bench-sm_90.ptx`.
    Bench,
    /// Whole ones, with their launches beside them: `kernels-sm_90.ptx`.
    Kernels,
}

impl Ptx {
    /// The files in `directory` that a device may run, those of the highest target and PTX version first: a driver does not
    /// know every version.
    pub(crate) fn candidates(directory: &Path, kind: Kind, sm: u32) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if is_kind(name, kind) {
                let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                found.push(Self::parse(name.to_owned(), text).with_context(|| path.display().to_string())?);
            }
        }
        found.retain(|ptx| ptx.sm <= sm);
        found.sort_by_key(|ptx| (ptx.sm, ptx.version));
        found.reverse();
        let what = match kind {
            Kind::Probes => "sm_NN.ptx",
            Kind::Bench => "bench-sm_NN.ptx",
            Kind::Kernels => "kernels-sm_NN.ptx",
        };
        ensure!(!found.is_empty(), "no {what} for sm_{sm} or less in {}; see docs/device.md", directory.display());
        Ok(found)
    }

    /// Takes a PTX text apart.
    ///
    /// # Errors
    ///
    /// If it is not understood, or has no entry.
    pub fn parse(file: String, text: String) -> Result<Self> {
        let ptxf_build::ptx::Ptx { version, target, entries } = ptxf_build::ptx::scan(&text)?;
        let digits = target.strip_prefix("sm_").context("the target is no sm_NN")?;
        let sm =
            digits.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().context("the target is no sm_NN")?;
        let kernels: BTreeMap<String, String> = entries.into_iter().map(|entry| (entry.name, entry.body)).collect();
        ensure!(!kernels.is_empty(), "no .entry in it");
        Ok(Self { sha256: sha256(text.as_bytes()), version, sm, kernels, file, text })
    }

    /// `ptx-sm_90.ptx (PTX 7.8)`
    pub(crate) fn describe(&self) -> String {
        format!("{} (PTX {}.{})", self.file, self.version.0, self.version.1)
    }

    /// Whether there is a kernel of this name.
    pub(crate) fn has(&self, kernel: &str) -> bool {
        self.kernels.contains_key(kernel)
    }

    /// Whether the kernel computes with the one instruction `form`, rather than with what stands in for it.
    pub(crate) fn is_native(&self, kernel: &str, form: &str) -> bool {
        self.count(kernel, form) == 1
    }

    /// Whether the kernel has this in its text.
    pub(crate) fn mentions(&self, kernel: &str, text: &str) -> bool {
        self.kernels.get(kernel).is_some_and(|body| body.contains(text))
    }

    /// How often the instruction stands in the kernel.
    pub(crate) fn count(&self, kernel: &str, form: &str) -> usize {
        let is_it =
            |line: &&str| line.trim_start().strip_prefix(form).is_some_and(|rest| rest.starts_with([' ', '\t']));
        self.kernels.get(kernel).map_or(0, |body| body.lines().filter(is_it).count())
    }
}

/// Architecture-specific targets (`sm_90a`) run nowhere else and are left alone.
fn is_kind(name: &str, kind: Kind) -> bool {
    let rest = match kind {
        Kind::Bench => name.strip_prefix("bench-"),
        Kind::Kernels => name.strip_prefix("kernels-"),
        Kind::Probes => Some(name.strip_prefix("ptx-").unwrap_or(name)),
    };
    let Some(target) = rest.and_then(|r| r.strip_prefix("sm_")).and_then(|r| r.strip_suffix(".ptx")) else {
        return false;
    };
    let digits = target.split_once("-ptx").map_or(target, |(sm, _)| sm);
    digits.bytes().all(|b| b.is_ascii_digit())
}

/// In hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//\n.version 7.8\n.target sm_90\n.address_size 64\n
.visible .entry testp_finite_f32(\n\t.param .u64 p0\n)\n{\n\t.reg .pred %p<3>;\n\t// begin inline asm
\t{\n.reg .pred p;\ntestp.finite.f32 p, %r7;\n}\n\t// end inline asm\n\tret;\n\n}
.visible .entry fma_rn_f16x2(\n)\n{\n\tfma.rn.f16x2 %r1, %r2, %r3, %r4;\n}
.visible .entry min3_f32(\n)\n{\n\tmin.f32 %r1, %r2, %r3;\n\tmin.f32 %r1, %r1, %r4;\n}\n";

    #[test]
    fn kernels_and_their_instructions_are_found() {
        let ptx = Ptx::parse("sm_90.ptx".to_owned(), TEXT.to_owned()).unwrap();
        assert_eq!((ptx.describe().as_str(), ptx.sm), ("sm_90.ptx (PTX 7.8)", 90));
        assert_eq!(ptx.kernels.keys().collect::<Vec<_>>(), ["fma_rn_f16x2", "min3_f32", "testp_finite_f32"]);
        assert!(ptx.is_native("testp_finite_f32", "testp.finite.f32"));
        assert!(ptx.is_native("fma_rn_f16x2", "fma.rn.f16x2"));
        assert!(!ptx.is_native("fma_rn_f16x2", "fma.rn.f16"), "not a prefix");
        assert!(!ptx.is_native("min3_f32", "min.f32"), "two instructions are not the one");
        assert!(!ptx.is_native("absent", "fma.rn.f16"));
    }

    #[test]
    fn instructions_in_comments_do_not_count() {
        let commented = TEXT.replace("\tfma.rn.f16x2 ", "\t/* the form:\nfma.rn.f16x2 %r1 */\n//\nfma.rn.f16x2 ");
        let ptx = Ptx::parse("sm_90.ptx".to_owned(), commented).unwrap();
        assert!(ptx.is_native("fma_rn_f16x2", "fma.rn.f16x2"));
        let gone = TEXT.replace("\tfma.rn.f16x2 %r1, %r2, %r3, %r4;", "/*\n\tfma.rn.f16x2 %r1, %r2, %r3, %r4;\n*/");
        assert_eq!(Ptx::parse("sm_90.ptx".to_owned(), gone).unwrap().count("fma_rn_f16x2", "fma.rn.f16x2"), 0);
        let error = Ptx::parse("sm_90.ptx".to_owned(), "// .version 7.8\n.target sm_90\n".to_owned()).unwrap_err();
        assert!(error.to_string().contains("has had no `.version`"), "{error}");
    }

    #[test]
    fn the_best_file_comes_first_and_none_is_for_a_newer_device() {
        let directory = std::env::temp_dir().join(format!("ptxf-gpu-ptx-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        for (name, sm, version) in [
            ("sm_70.ptx", "70", "6.0"),
            ("ptx-sm_90.ptx", "90", "7.8"),
            ("ptx-sm_90-ptx88.ptx", "90", "8.8"),
            ("ptx-sm_100.ptx", "100", "8.6"),
            ("ptx-sm_90a.ptx", "90a", "8.0"),
            ("bench-sm_80.ptx", "80", "7.0"),
            ("user-probe-sm_90.ptx", "90", "9.0"),
        ] {
            let text = TEXT.replace("sm_90", &format!("sm_{sm}")).replace("7.8", version);
            fs::write(directory.join(name), text).unwrap();
        }
        let names = |kind, sm| {
            let found = Ptx::candidates(&directory, kind, sm)?;
            anyhow::Ok(found.into_iter().map(|ptx| ptx.file).collect::<Vec<_>>())
        };
        assert_eq!(names(Kind::Probes, 90).unwrap(), ["ptx-sm_90-ptx88.ptx", "ptx-sm_90.ptx", "sm_70.ptx"]);
        assert_eq!(names(Kind::Probes, 121).unwrap()[0], "ptx-sm_100.ptx");
        assert_eq!(names(Kind::Bench, 90).unwrap(), ["bench-sm_80.ptx"]);
        assert!(names(Kind::Bench, 75).unwrap_err().to_string().contains("docs/device.md"));
        fs::remove_dir_all(&directory).unwrap();
    }
}
