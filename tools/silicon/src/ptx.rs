//! PTX files: which one a device takes, and which of its kernels are the one instruction that they
//! are named after.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use ptxf_text::{Class, Function, Unit, Variable};
use sha2::{Digest as _, Sha256};

/// A PTX file.
#[derive(Debug)]
pub(crate) struct Ptx {
    /// The file's name.
    pub(crate) file: String,
    /// Hash of the text, in hexadecimal.
    pub(crate) sha256: String,
    unit: Unit,
    /// Names of the kernels, with their places among the unit's functions.
    kernels: BTreeMap<String, usize>,
    /// `true` if the text declares which parameters are pointers, as compilers do since LLVM 20.
    marks_pointers: bool,
}

/// The purpose of a file's kernels, which the file's name begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One kernel per form: `ptx-sm_90.ptx`, `ptx-sm_90-ptx88.ptx`, `sm_90.ptx`.
    Probes,
    /// Whole kernels, whose launches stand in `kernels-sm_90.jsonl`: `kernels-sm_90.ptx`.
    Kernels,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The address of a buffer.
    Address,
    /// A number of this many bytes.
    Number(usize),
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => f.write_str("a buffer"),
            Self::Number(bytes) => write!(f, "a number of {bytes} bytes"),
        }
    }
}

impl Ptx {
    /// Returns the files in `directory` that a device of `sm` runs, the highest target first. Of
    /// one target the newest PTX version comes first, since a driver may not know it.
    pub(crate) fn candidates(directory: &Path, kind: Kind, sm: u32) -> Result<Vec<Self>> {
        let mut found = Vec::new();
        let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if is_kind(name, kind) {
                let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                found.push(Self::parse(name.to_owned(), &text).with_context(|| path.display().to_string())?);
            }
        }
        found.retain(|ptx| ptx.sm() <= sm);
        found.sort_by_key(|ptx| (ptx.sm(), ptx.unit.version));
        found.reverse();
        let what = match kind {
            Kind::Probes => "sm_NN.ptx",
            Kind::Kernels => "kernels-sm_NN.ptx",
        };
        ensure!(!found.is_empty(), "no {what} for sm_{sm} or less in {}; see docs/device.md", directory.display());
        Ok(found)
    }

    /// Reads a PTX text.
    ///
    /// # Errors
    ///
    /// It returns an error if the text is not understood, or has no entry.
    pub(crate) fn parse(file: String, text: &str) -> Result<Self> {
        let unit = Unit::parse(text)?;
        let entries = unit.functions.iter().enumerate().filter(|(_, function)| function.is_entry);
        let kernels: BTreeMap<_, _> = entries.map(|(i, entry)| (entry.name.of(text).to_owned(), i)).collect();
        ensure!(!kernels.is_empty(), "the PTX has no .entry");
        let marks_pointers = unit.functions.iter().flat_map(|f| &f.parameters).any(|p| p.pointer.is_some());
        Ok(Self { file, sha256: sha256(text.as_bytes()), unit, kernels, marks_pointers })
    }

    pub(crate) fn text(&self) -> &str {
        &self.unit.text
    }

    /// Returns 90 for `sm_90`.
    pub(crate) const fn sm(&self) -> u32 {
        self.unit.target.sm
    }

    /// Returns `ptx-sm_90.ptx (PTX 7.8)`.
    pub(crate) fn describe(&self) -> String {
        let (major, minor) = self.unit.version;
        format!("{} (PTX {major}.{minor})", self.file)
    }

    fn kernel(&self, name: &str) -> Option<&Function> {
        self.kernels.get(name).map(|i| &self.unit.functions[*i])
    }

    /// Returns `true` if there is a kernel of this name.
    pub(crate) fn has(&self, kernel: &str) -> bool {
        self.kernels.contains_key(kernel)
    }

    /// Returns the opcodes of a kernel.
    fn opcodes(&self, kernel: &str) -> impl Iterator<Item = &str> {
        self.kernel(kernel).into_iter().flat_map(Function::instructions).map(|i| i.opcode.of(self.text()))
    }

    /// Returns `true` if the kernel computes with the one instruction `form`, not with a
    /// replacement.
    pub(crate) fn is_native(&self, kernel: &str, form: &str) -> bool {
        self.opcodes(kernel).filter(|opcode| *opcode == form).count() == 1
    }

    /// Returns `true` if an instruction of the kernel has this modifier.
    pub(crate) fn mentions(&self, kernel: &str, modifier: &str) -> bool {
        self.opcodes(kernel).any(|opcode| opcode.contains(modifier))
    }

    /// Checks the arguments of a launch against the parameters that the kernel declares.
    ///
    /// # Errors
    ///
    /// It returns an error if there is no such kernel, or if number or types of the arguments
    /// differ from the parameters'.
    pub(crate) fn check(&self, kernel: &str, arguments: impl ExactSizeIterator<Item = Shape>) -> Result<()> {
        let Some(Function { parameters, .. }) = self.kernel(kernel) else { bail!("the PTX has no kernel {kernel}") };
        let (takes, passed) = (parameters.len(), arguments.len());
        ensure!(takes == passed, "{kernel} takes {takes} arguments, and is passed {passed}");
        for (i, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let (i, declared) = (i + 1, parameter.at.of(self.text()));
            ensure!(
                self.takes(parameter, argument),
                "argument {i} of {kernel} is {argument}, and the PTX declares `{declared}`"
            );
        }
        Ok(())
    }

    /// Returns `true` if a parameter takes an argument. A 64-bit parameter of a text that marks no
    /// pointers may be one.
    fn takes(&self, Variable { ty, lanes, lengths, pointer, .. }: &Variable, argument: Shape) -> bool {
        let fits = match argument {
            Shape::Address => ty.bits == 64 && ty.class != Class::Float && (pointer.is_some() || !self.marks_pointers),
            // An argument is passed in a word of 8 bytes.
            Shape::Number(bytes) => bytes <= 8 && ty.bits as usize == 8 * bytes && pointer.is_none(),
        };
        fits && *lanes == 1 && lengths.is_empty()
    }
}

/// Returns `true` if a file's name is of this kind. Files for architecture-specific targets
/// (`sm_90a`) run nowhere else and are ignored.
fn is_kind(name: &str, kind: Kind) -> bool {
    let rest = match kind {
        Kind::Kernels => name.strip_prefix("kernels-"),
        Kind::Probes => Some(name.strip_prefix("ptx-").unwrap_or(name)),
    };
    let Some(target) = rest.and_then(|r| r.strip_prefix("sm_")).and_then(|r| r.strip_suffix(".ptx")) else {
        return false;
    };
    let digits = target.split_once("-ptx").map_or(target, |(sm, _)| sm);
    digits.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the hash in hexadecimal.
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
        let ptx = Ptx::parse("sm_90.ptx".to_owned(), TEXT).unwrap();
        assert_eq!((ptx.describe().as_str(), ptx.sm()), ("sm_90.ptx (PTX 7.8)", 90));
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
        let ptx = Ptx::parse("sm_90.ptx".to_owned(), &commented).unwrap();
        assert!(ptx.is_native("fma_rn_f16x2", "fma.rn.f16x2"));
        let gone = TEXT.replace("\tfma.rn.f16x2 %r1, %r2, %r3, %r4;", "/*\n\tfma.rn.f16x2 %r1, %r2, %r3, %r4;\n*/");
        assert!(!Ptx::parse("sm_90.ptx".to_owned(), &gone).unwrap().is_native("fma_rn_f16x2", "fma.rn.f16x2"));
        let error = Ptx::parse("sm_90.ptx".to_owned(), "// .version 7.8\n.target sm_90\n").unwrap_err();
        assert!(error.to_string().contains("`.version`, the first directive"), "{error}");
    }

    #[test]
    fn each_parameter_takes_what_it_is_declared_to() {
        use Shape::{Address, Number};
        for (declared, marked, takes) in [
            (".u64 .ptr .align 2 x", true, &[Address][..]),
            (".u32 .ptr x", true, &[]),
            (".u64 x", true, &[Number(8)]),
            (".b64 x", false, &[Address, Number(8)]),
            (".s32 x", false, &[Number(4)]),
            (".f64 x", false, &[Number(8)]),
            (".b16 x", false, &[Number(2)]),
            (".align 8 .b8 x[8]", false, &[]),
            (".u64 x[1]", false, &[]),
        ] {
            let other = if marked { ".entry other(.param .u64 .ptr y) { ret; }" } else { "" };
            let text = format!(".version 7.8 .target sm_80 .entry k(.param {declared}) {{ ret; }} {other}");
            let ptx = Ptx::parse("sm_80.ptx".to_owned(), &text).unwrap();
            let taken = |shape: &Shape| ptx.check("k", [*shape].into_iter()).is_ok();
            let taken: Vec<Shape> = [Address, Number(2), Number(4), Number(8)].into_iter().filter(taken).collect();
            assert_eq!(taken, takes, "{declared}, pointers marked: {marked}");
        }
        let text = ".version 7.8 .target sm_80 .entry k(.param .u32 n, .param .u64 m) { ret; }";
        let ptx = Ptx::parse("sm_80.ptx".to_owned(), text).unwrap();
        let error = |shapes: &[Shape]| ptx.check("k", shapes.iter().copied()).unwrap_err().to_string();
        assert_eq!(error(&[Number(4)]), "k takes 2 arguments, and is passed 1");
        assert_eq!(
            error(&[Number(4), Number(4)]),
            "argument 2 of k is a number of 4 bytes, and the PTX declares `.param .u64 m`"
        );
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
            ("kernels-sm_80.ptx", "80", "7.0"),
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
        assert_eq!(names(Kind::Kernels, 90).unwrap(), ["kernels-sm_80.ptx"]);
        assert!(names(Kind::Kernels, 75).unwrap_err().to_string().contains("docs/device.md"));
        fs::remove_dir_all(&directory).unwrap();
    }
}
