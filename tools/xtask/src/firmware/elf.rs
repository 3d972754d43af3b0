//! The contents of a program: its bytes, functions and texts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use memchr::memmem;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionFlags, SectionKind, SymbolKind, elf};

use crate::no_std::archive::is_helper;

/// A linked program.
#[derive(Debug)]
pub(super) struct Program {
    /// Bytes of flash: code, constants, and initial values of variables.
    pub flash: u64,
    /// Bytes of variables, without the stack.
    pub variables: u64,
    functions: BTreeSet<String>,
    /// Texts of panic messages.
    texts: Vec<&'static str>,
}

/// A panic's location or its formatting contains one of these.
const TEXTS: [&str; 4] = ["src/", "library/core", "panicked", "attempt to"];

impl Program {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let data = fs::read(path).with_context(|| path.display().to_string())?;
        let file = object::File::parse(&*data).with_context(|| path.display().to_string())?;
        let mut program = Self { flash: 0, variables: 0, functions: BTreeSet::new(), texts: Vec::new() };
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags, .. } = section.flags() else { continue };
            // riscv-rt makes sections of the remaining RAM.
            if sh_flags & u64::from(elf::SHF_ALLOC) == 0 || matches!(section.name()?, ".stack" | ".heap") {
                continue;
            }
            if section.kind() == SectionKind::UninitializedData {
                program.variables += section.size();
                continue;
            }
            program.flash += section.size();
            if sh_flags & u64::from(elf::SHF_WRITE) != 0 {
                program.variables += section.size();
            }
            let bytes = section.data()?;
            let holds = |text: &&str| memmem::find(bytes, text.as_bytes()).is_some();
            program.texts.extend(TEXTS.into_iter().filter(holds));
        }
        let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
        program.functions = functions.map(|symbol| symbol.name().map(str::to_owned)).collect::<Result<_, _>>()?;
        Ok(program)
    }

    /// Returns the functions and texts that are missing in `start`, the same program without the
    /// library, and that belong neither to the library nor to the compiler's integer helpers.
    pub(super) fn strangers(&self, start: &Self) -> Vec<String> {
        let functions = self.functions.iter().filter(|name| !start.functions.contains(*name) && !is_expected(name));
        let texts = self.texts.iter().map(|text| format!("the text `{text}`"));
        functions.cloned().chain(texts).collect()
    }
}

/// Returns `true` for functions of `ptxf`, `ptxf-core` and the program `size`, by the crate's name
/// in the mangled name.
fn is_expected(function: &str) -> bool {
    // No measured program divides.
    let divides = ["div", "mod"].iter().any(|word| function.contains(word));
    let own = function.contains("ptxf") || function.contains("4size");
    // Helpers built from source have their paths as names.
    let helper =
        is_helper(function) || ["3int", "3mem"].iter().any(|m| function.contains(&format!("compiler_builtins{m}")));
    // Marks of code and data, and labels, are not functions.
    own || function.starts_with(['$', '.']) || helper && !divides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_known_by_name() {
        for stranger in
            ["__udivti3", "__aeabi_uidiv", "__aeabi_fadd", "fmaf", "_ZN4core9panicking5panic17h0E", "_RNvC4core3fmt"]
        {
            assert!(!is_expected(stranger), "{stranger}");
        }
        for expected in [
            "_RNvNtNtCs4_17compiler_builtins3int13leading_zeros8___clzsi2",
            "__aeabi_lmul",
            "__clzsi2",
            "_ZN9ptxf_core3ptx12add_rn_f16x217h0E",
            "_ZN4size4main17h0E",
            "$t",
        ] {
            assert!(is_expected(expected), "{expected}");
        }
    }
}
