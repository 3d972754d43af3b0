//! The kernels of `examples/idioms` on a device, and one by tiles: shared memory is accessed as
//! such, and inputs go through the read-only cache.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use ptxf_build::{Target, Toolchain, entries};

use super::super::assemble::assemble;
use super::super::flow::{self, Code, is};
use super::super::report::Report;
use super::super::tools::CudaTools;
use super::{access, table};

/// The target; the checked properties are the same for all targets that have the instructions.
const TARGET: &str = "sm_90";

/// The kernels with arrays in shared memory, whose threads read and write them.
const SHARED: [&str; 7] = ["softmax", "accelerate", "scan", "reduction", "transposition", "sort", "tiles"];

/// Kernels that are also written by hand, the instruction whose inner loop is compared, and the
/// number of instructions that the pair kernel may have more.
///
/// The handwritten kernels do not check a thread's place in a tile. The handwritten `layernorm`
/// checks each access, where the pair kernel checks before the loop, which is then unrolled twice.
const COMPARED: [(&str, &str, isize); 3] = [("layernorm", "STG", -7), ("accelerate", "LDS", 0), ("tiles", "LDS", 2)];

/// Compiles, assembles, and counts. Returns the table of counts.
pub(super) fn check(
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    tools: Option<&CudaTools>,
    report: &mut Report,
) -> Result<String> {
    let (written, text) = (root.join("target/kernels/idioms.rs"), source(&root.join("examples/idioms/src/kernels"))?);
    fs::create_dir_all(root.join("target/kernels"))?;
    // An unchanged file is not compiled again.
    if fs::read_to_string(&written).ok().as_ref() != Some(&text) {
        fs::write(&written, text).with_context(|| written.display().to_string())?;
    }
    let file = toolchain.compile(&root.join("probes/idioms"), &Target::new(TARGET), &[], target_dir)?.file;
    let Some((tools, nvdisasm)) = tools.and_then(|tools| Some((tools, tools.nvdisasm.as_ref()?))) else {
        return Ok(String::new());
    };
    let names = entries(&fs::read_to_string(&file)?).with_context(|| file.display().to_string())?;
    let assembled = assemble(tools, &file, TARGET)?;
    let assembled = assembled.with_context(|| format!("ptxas {} knows no {TARGET}", tools.release))?;
    let code = flow::disassemble(nvdisasm, &assembled.cubin)?;
    let mut problems = Vec::new();
    super::memory(&assembled, &names, &mut problems);
    access::judge(&code, &names, &mut problems);
    shared(&code, &names, &mut problems);
    println!("the idioms' kernels for {TARGET}: {} entries assembled", names.len());
    for (kernel, instruction, more) in COMPARED {
        let counts = [format!("in_f16_{kernel}_pair"), format!("hand_{kernel}")].map(|name| {
            let found = code.get(&name).and_then(|code| inner_loop(code, instruction));
            found.with_context(|| format!("{name} has no inner loop with {instruction} of pairs"))
        });
        let [pair, hand] = counts;
        let (pair, hand) = (pair?, hand?);
        println!("    {kernel:<10} pair / by hand: inner loop {pair} / {hand}");
        if pair.cast_signed() > hand.cast_signed() + more {
            problems.push(format!(
                "{kernel}: {pair} instructions of the pair kernel's inner loop, {hand} by hand, {more} more are known"
            ));
        }
    }
    problems.iter().for_each(|p| println!("    {p}"));
    report.problems.extend(problems.into_iter().map(|p| format!("the idioms' kernels for {TARGET}: {p}")));
    Ok(table::counts(TARGET, &code))
}

/// Returns the number of instructions of the shortest inner loop with this instruction, in which
/// every pair is stored as a word.
fn inner_loop(code: &Code, instruction: &str) -> Option<usize> {
    let has =
        |range: &Range<usize>, what: &dyn Fn(&str) -> bool| code.instructions[range.clone()].iter().any(|i| what(i));
    let loops = code.inner_loops().into_iter().filter(|range| has(range, &|i| is(i, instruction)));
    loops.filter(|range| !has(range, &|i| is(i, "STG") && i.contains(".U16"))).map(|range| range.len()).min()
}

/// The kernels of all files, a module for each.
fn source(folder: &Path) -> Result<String> {
    let files = folder.read_dir().with_context(|| folder.display().to_string())?;
    let mut files = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    files.sort();
    let mut source = String::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let module = module(&name, &text).with_context(|| file.display().to_string())?;
        source += &module;
    }
    ensure!(!source.is_empty(), "{} has no kernels", folder.display());
    Ok(source)
}

/// Returns the text in `kernels! { IDIOM: … launch … }`.
fn module(name: &str, text: &str) -> Result<String> {
    let (_, rest) = text.split_once("super::kernels! {").context("no `super::kernels! {`")?;
    let (kernels, _) = rest.split_once("launch |").context("no launch")?;
    let (_, kernels) = kernels.split_once(':').context("no name of an idiom")?;
    Ok(format!("mod {name} {{\n    kernels! {{{kernels}}}\n}}\n"))
}

/// Checks that each kernel with shared memory reads and writes it, in every version.
fn shared(code: &BTreeMap<String, Code>, names: &[String], problems: &mut Vec<String>) {
    for kernel in SHARED {
        let entries = names.iter().filter(|name| name.contains(&format!("_{kernel}_"))).collect::<Vec<_>>();
        if entries.is_empty() {
            problems.push(format!("there is no {kernel}"));
        }
        for entry in entries {
            let counts = code.get(entry).map(access::Counts::of).unwrap_or_default();
            if counts.shared.contains(&0) {
                problems.push(format!("{entry} has {counts}, and should read and write shared memory"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_taken_out_of_its_file() {
        let text = "//! One.\nuse ptxf::kernel::Grid;\n\nsuper::kernels! { One:\n    const N: usize = 2;\n    \
                    kernel keep(s) fn one(t: ThreadX) {}\n    launch |data| { data }\n}\n";
        let found = module("one", text).unwrap();
        let found: Vec<&str> = found.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let wanted =
            ["mod one {", "kernels! {", "const N: usize = 2;", "kernel keep(s) fn one(t: ThreadX) {}", "}", "}"];
        assert_eq!(found, wanted);
        assert!(module("one", "super::kernels! { One: kernel }").is_err());
    }

    #[test]
    fn the_inner_loop_is_that_of_aligned_pairs() {
        let text = ".text.k:
.L_1:
/*0*/ STG.E.U16 [R1], R2 ;
/*1*/ @P0 BRA `(.L_1) ;
.L_2:
/*2*/ STG.E [R1], R2 ;
/*3*/ IADD3 R1, R1, 0x4, RZ ;
/*4*/ @P0 BRA `(.L_2) ;
";
        let code = &flow::read(text)["k"];
        assert_eq!((inner_loop(code, "STG"), inner_loop(code, "LDS")), (Some(3), None));
    }

    #[test]
    fn shared_memory_that_nobody_accesses_is_a_problem() {
        let code = flow::read(".text.in_f16_scan_pair:\n/*0*/ STS [R1], R2 ;\n/*1*/ LD.E.U16 R3, [R4.64] ;\n");
        let names = ["in_f16_scan_pair".to_owned()];
        let mut problems = Vec::new();
        shared(&code, &names, &mut problems);
        assert!(problems.iter().any(|p| p.starts_with("in_f16_scan_pair has 0 LDS and 1 STS")), "{problems:?}");
        assert!(problems.contains(&"there is no softmax".to_owned()), "{problems:?}");
    }
}
