//! The probe, linked into one object, and the symbols that the object needs.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use memchr::memmem;
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

use super::toolchain::Way;
use crate::shell;

/// The allowed symbols: memory, and integers wider than a register. All are in `compiler_builtins`,
/// and none computes with floats.
const HELPERS: &[&str] = &[
    // Memory, with the names that ARM's ABI gives them.
    "memcpy memmove memset memcmp bcmp",
    "__aeabi_memcpy __aeabi_memcpy4 __aeabi_memcpy8 __aeabi_memmove __aeabi_memmove4 __aeabi_memmove8",
    "__aeabi_memset __aeabi_memset4 __aeabi_memset8 __aeabi_memclr __aeabi_memclr4 __aeabi_memclr8",
    // Shifts, products, quotients.
    "__aeabi_llsl __aeabi_llsr __aeabi_lasr __aeabi_lmul __aeabi_lcmp __aeabi_ulcmp",
    "__aeabi_idiv __aeabi_uidiv __aeabi_idivmod __aeabi_uidivmod __aeabi_ldivmod __aeabi_uldivmod",
    "__ashlsi3 __ashldi3 __ashlti3 __ashrsi3 __ashrdi3 __ashrti3 __lshrsi3 __lshrdi3 __lshrti3",
    "__mulsi3 __muldi3 __multi3 __udivsi3 __udivdi3 __udivti3 __divsi3 __divdi3 __divti3",
    "__umodsi3 __umoddi3 __umodti3 __modsi3 __moddi3 __modti3 __udivmodsi4 __udivmoddi4 __udivmodti4",
    // Counting bits.
    "__clzsi2 __clzdi2 __clzti2 __ctzsi2 __ctzdi2 __ctzti2 __popcountsi2 __popcountdi2 __bswapsi2 __bswapdi2",
    // The data of position-independent code.
    "_GLOBAL_OFFSET_TABLE_",
];

/// The symbol that the probe's panic handler calls.
const PANICKED: &str = "ptxf_panicked";

/// The whole library as one object.
#[derive(Debug)]
pub(super) struct Report {
    /// Bytes of code and of constants.
    code: u64,
    constants: u64,
    /// The symbols that the object does not define.
    wants: BTreeSet<String>,
    /// `true` if the optimizer left a panic in the object.
    panics: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, constants, wants, panics } = self;
        let wants: Vec<&str> = wants.iter().map(String::as_str).collect();
        writeln!(f, "  every form: {} KiB code, {} KiB constants", code / 1024, constants / 1024)?;
        writeln!(f, "  asks for:   {}", if wants.is_empty() { "nothing".to_owned() } else { wants.join(" ") })?;
        writeln!(f, "  panics:     {}", if *panics { "possible" } else { "impossible" })?;
        writeln!(f, "  no std, no alloc, no libm, no soft float")
    }
}

/// Builds the probe and fails if it needs other symbols than [`HELPERS`].
pub(super) fn inspect(way: &Way, target: &str) -> Result<Report> {
    let mut cargo = way.cargo(target, "rustc");
    cargo.args(["--package", "bare-probe", "--crate-type", "staticlib"]);
    profile(&mut cargo);
    shell::run(cargo.args(["--", "--cfg", "archive"]))?;
    let path = shell::target().join("no-std").join(target).join("release/libbare_probe.a");
    let archive = fs::read(&path).with_context(|| path.display().to_string())?;
    let report = read(&archive).with_context(|| path.display().to_string())?;
    let strangers: Vec<&str> = report.wants.iter().map(String::as_str).filter(|s| !is_helper(s)).collect();
    if !strangers.is_empty() {
        bail!("the library asks for {}, which are neither memory nor integer helpers", strangers.join(", "));
    }
    Ok(report)
}

/// Sets the archive's profile: for release, as one object. The check of features uses the same
/// profile, or Cargo would compile the macros once more.
pub(super) fn profile(cargo: &mut Command) -> &mut Command {
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "fat").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    cargo.env("CARGO_PROFILE_RELEASE_PANIC", "abort").env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    cargo.arg("--release")
}

/// Reads the probe's object; the others are `compiler_builtins`, compiled Rust and C.
fn read(archive: &[u8]) -> Result<Report> {
    let mut report = Report { code: 0, constants: 0, wants: BTreeSet::new(), panics: false };
    let mut objects = 0;
    for member in ArchiveFile::parse(archive)?.members() {
        let member = member?;
        if !member.name().starts_with(b"bare_probe") {
            continue;
        }
        objects += 1;
        let data = member.data(archive)?;
        let object = object::File::parse(data)?;
        let absent = ptxf::spec::FORMS.iter().find(|form| memmem::find(data, form.name.as_bytes()).is_none());
        ensure!(absent.is_none(), "the optimizer took {} out of the probe", absent.map_or("", |form| form.name));
        for section in object.sections() {
            match section.kind() {
                SectionKind::Text => report.code += section.size(),
                SectionKind::ReadOnlyData | SectionKind::ReadOnlyDataWithRel | SectionKind::ReadOnlyString => {
                    report.constants += section.size();
                }
                _ => {}
            }
        }
        for symbol in object.symbols() {
            let name = symbol.name()?;
            if symbol.is_undefined() && !name.is_empty() {
                report.wants.insert(name.to_owned());
            }
        }
    }
    report.panics = report.wants.remove(PANICKED);
    ensure!(objects == 1, "the probe was linked into {objects} objects instead of one");
    Ok(report)
}

/// Returns `true` for one of [`HELPERS`].
pub(crate) fn is_helper(symbol: &str) -> bool {
    HELPERS.iter().any(|line| line.split(' ').any(|helper| helper == symbol))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_no_helpers() {
        for symbol in "fma fmaf exp2 sqrtf floor __aeabi_fadd __aeabi_dmul __aeabi_f2d __addsf3 __mulsf3 __muldf3 \
                       __floatsidf __fixdfsi __extendhfsf2 __truncsfhf2 __gnu_h2f_ieee __rust_alloc malloc abort"
            .split(' ')
        {
            assert!(!is_helper(symbol), "{symbol}");
        }
        assert!(is_helper("memcpy") && is_helper("__aeabi_lmul") && !is_helper(""));
    }
}
