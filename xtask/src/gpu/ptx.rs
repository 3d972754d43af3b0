//! The PTX that is run: which file, what it is, and which of its kernels contain the instruction they are named after.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use sha2::{Digest as _, Sha256};

/// A PTX file.
#[derive(Clone, Debug)]
pub(crate) struct Ptx {
    pub(crate) text: String,
    /// The name of the file.
    pub(crate) file: String,
    /// Of the file, in hexadecimal.
    pub(crate) sha256: String,
    /// `7.8`
    pub(crate) version: String,
    /// 90 in `sm_90`.
    pub(crate) sm: u32,
    /// The body of each kernel by name.
    kernels: BTreeMap<String, String>,
}

impl Ptx {
    /// Reads the file in `directory` that suits a device best: of the highest target not above it.
    pub(crate) fn choose(directory: &Path, sm: u32) -> Result<Self> {
        let mut best = None;
        let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            // Architecture-specific files (`sm_90a.ptx`) have no number here and are left alone: they run nowhere else.
            let target = path.file_name().and_then(|name| name.to_str()).and_then(target_of);
            if let Some(target) = target.filter(|target| *target <= sm)
                && best.as_ref().is_none_or(|(other, _)| target > *other)
            {
                best = Some((target, path));
            }
        }
        let Some((target, path)) = best else {
            bail!("no sm_NN.ptx for sm_{sm} or less in {}; see docs/device.md", directory.display());
        };
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let ptx = Self::parse(format!("sm_{target}.ptx"), text).with_context(|| path.display().to_string())?;
        ensure!(ptx.sm <= sm, "{} is for sm_{}, the device is sm_{sm}", path.display(), ptx.sm);
        Ok(ptx)
    }

    /// Takes a PTX text apart.
    pub(crate) fn parse(file: String, text: String) -> Result<Self> {
        let directive = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).with_context(|| format!("no {name}"))
        };
        let version = directive(".version")?.to_owned();
        let target = directive(".target")?.split(',').next().unwrap_or_default();
        let digits = target.trim().strip_prefix("sm_").context("the target is no sm_NN")?;
        let sm =
            digits.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().context("the target is no sm_NN")?;
        let kernels = kernels(&text);
        ensure!(!kernels.is_empty(), "no .entry in it");
        Ok(Self { sha256: sha256(text.as_bytes()), version, sm, kernels, file, text })
    }

    /// Whether there is a kernel of this name.
    pub(crate) fn has(&self, kernel: &str) -> bool {
        self.kernels.contains_key(kernel)
    }

    /// Whether the kernel computes with the one instruction `form`, rather than with what stands in for it.
    pub(crate) fn is_native(&self, kernel: &str, form: &str) -> bool {
        self.count(kernel, form) == 1
    }

    /// How often the instruction stands in the kernel.
    pub(crate) fn count(&self, kernel: &str, form: &str) -> usize {
        let is_it =
            |line: &&str| line.trim_start().strip_prefix(form).is_some_and(|rest| rest.starts_with([' ', '\t']));
        self.kernels.get(kernel).map_or(0, |body| body.lines().filter(is_it).count())
    }
}

/// 90 of `sm_90.ptx`.
fn target_of(name: &str) -> Option<u32> {
    name.strip_prefix("sm_")?.strip_suffix(".ptx")?.parse().ok()
}

/// The text of each `.entry` up to the brace that closes it in the first column.
fn kernels(text: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once(".entry ") {
            let name = rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
            current = Some((name.to_owned(), String::new()));
        } else if let Some((_, body)) = &mut current {
            body.push_str(line);
            body.push('\n');
            if line.starts_with('}') && is_closed(body) {
                out.extend(current.take());
            }
        }
    }
    out
}

/// Whether every brace is closed: inline assembly has blocks of its own, and their braces stand in the first column too.
fn is_closed(body: &str) -> bool {
    body.matches('{').count() == body.matches('}').count()
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
        assert_eq!((ptx.version.as_str(), ptx.sm), ("7.8", 90));
        assert_eq!(ptx.kernels.keys().collect::<Vec<_>>(), ["fma_rn_f16x2", "min3_f32", "testp_finite_f32"]);
        assert!(ptx.is_native("testp_finite_f32", "testp.finite.f32"));
        assert!(ptx.is_native("fma_rn_f16x2", "fma.rn.f16x2"));
        assert!(!ptx.is_native("fma_rn_f16x2", "fma.rn.f16"), "not a prefix");
        assert!(!ptx.is_native("min3_f32", "min.f32"), "two instructions are not the one");
        assert!(!ptx.is_native("absent", "fma.rn.f16"));
    }

    #[test]
    fn the_best_file_is_the_highest_not_above_the_device() {
        let directory = std::env::temp_dir().join(format!("ptxf-gpu-ptx-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        for target in ["70", "90", "100", "90a"] {
            let text = TEXT.replace("sm_90", &format!("sm_{target}"));
            fs::write(directory.join(format!("sm_{target}.ptx")), text).unwrap();
        }
        let best = |sm| Ptx::choose(&directory, sm).map(|ptx| ptx.sm);
        assert_eq!((best(90).unwrap(), best(89).unwrap(), best(121).unwrap()), (90, 70, 100));
        assert!(best(61).unwrap_err().to_string().contains("docs/device.md"));
        fs::remove_dir_all(&directory).unwrap();
    }
}
