//! The kernels of `examples/suite` on a device. Every entry is assembled without spills and without
//! local memory. No access is generic, which would find the memory of an address at run time. The
//! pair kernels are no worse than handwritten ones. The same holds for the idioms' kernels, most of
//! which have no handwritten counterpart.

mod access;
mod idioms;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use ptxf_build::{Target, Toolchain, entries, sm};

use super::assemble::{self, Assembled, Resources};
use super::disassemble;
use super::flow::{self, Code, is};
use super::report::Report;
use super::tools::CudaTools;

/// Targets with packed half precision, each with other instructions that help a kernel.
const TARGETS: [&str; 3] = ["sm_75", "sm_90", "sm_100"];

/// Kernels, each of which has three entries in five formats.
const KERNELS: [&str; 16] = [
    "nn",
    "matmul",
    "matmul_tiled",
    "matmul_e4m3",
    "mxfp4",
    "price",
    "price_by_table",
    "assign",
    "step",
    "multipliers",
    "eliminate",
    "forces",
    "gain",
    "adjust",
    "fold",
    "flux",
];
const FORMATS: [&str; 5] = ["in_f32", "in_f16", "in_f16_keep", "in_bf16", "in_bf16_keep"];
const SIBLINGS: [&str; 3] = ["f32", "scalar", "pair"];

/// Kernels that also run eight threads per thread of a device, in f16.
const MANY: [&str; 5] = ["nn", "matmul", "price", "price_by_table", "adjust"];

/// The kernel with a local array, which is in local memory.
const WITH_ARRAY: &str = "fold";

/// Kernels that are also written by hand.
const BY_HAND: [&str; 11] =
    ["nn", "matmul", "price", "assign", "step", "multipliers", "eliminate", "forces", "gain", "adjust", "fold"];

/// Compared kernels: the part that does their work, and the number of instructions that the pair
/// kernel may have more.
///
/// The handwritten rows of hotspot3D's `step` are padded to whole pairs; the pair kernel tests for
/// pairs cell by cell. Handwritten code checks each access, where the pair kernels of `matmul`,
/// `assign` and `gain` check before their loops; the count is an iteration that remains after
/// unrolling. The other handwritten kernels use other algorithms: `forces` takes two particles an
/// iteration, `gaussian` copies the pivot's row.
const COMPARED: [(&str, Work, isize); 6] = [
    ("nn", Work::Way, 0),
    ("matmul", Work::Loop, -8),
    ("price", Work::Way, 0),
    ("assign", Work::Loop, -10),
    ("step", Work::Loop, 35),
    ("gain", Work::Loop, -12),
];

/// Exceptions for one target, whose loops differ more than at `sm_90`, with rustc 1.96 and ptxas
/// 13.5.37. The cause is unknown.
const OF_TARGET: [(&str, &str, isize); 2] = [("step", "sm_75", 49), ("step", "sm_100", 37)];

/// Kernels whose loops run along columns, where pairs are not words if rows have an odd length.
const ALONG_COLUMNS: [&str; 3] = ["matmul", "assign", "gain"];

/// The part of a kernel that does its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// In an inner loop.
    Loop,
    /// The path from beginning to end.
    Way,
}

/// The results for one target.
#[derive(Debug)]
struct Found {
    target: &'static str,
    resources: BTreeMap<String, Resources>,
    pairs: Vec<Pair>,
}

/// A pair kernel beside its handwritten counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pair {
    kernel: &'static str,
    registers: [u32; 2],
    /// The counted part: instructions of the inner loop, or instructions on the path that compute
    /// with loaded values.
    work: Work,
    /// The number of instructions that the pair kernel may have more; negative if it must have
    /// fewer.
    more: isize,
    counts: [usize; 2],
    /// Instructions on the shortest path from the beginning through the store of a pair to the end,
    /// without loops.
    way: [usize; 2],
}

/// Compiles, assembles, disassembles, compares.
pub(crate) fn check(
    root: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    tools: Option<&CudaTools>,
    report: &mut Report,
) -> Result<()> {
    let counts = idioms::check(root, target_dir, toolchain, tools, report)?;
    let krate = root.join("probes/suite");
    let mut files = Vec::new();
    for target in TARGETS {
        files.push(toolchain.compile(&krate, &Target::new(target), &[], target_dir)?.file);
        println!("the suite's kernels for {target}: compiled");
    }
    let Some(tools) = tools else { return Ok(()) };
    // NVIDIA's assembler takes longer than the compiler, and one core.
    let all: Vec<Result<(Found, Vec<String>)>> = thread::scope(|scope| {
        let start = |(target, file): (_, &PathBuf)| {
            let file = file.clone();
            scope.spawn(move || one(target, &file, tools))
        };
        let threads: Vec<_> = TARGETS.into_iter().zip(&files).map(start).collect();
        threads.into_iter().map(|t| t.join().expect("no thread panics")).collect()
    });
    let mut found = Vec::new();
    for one in all {
        let (one, problems) = one?;
        println!("the suite's kernels for {}: {} entries assembled", one.target, one.resources.len());
        one.pairs.iter().for_each(|pair| println!("    {pair}"));
        problems.iter().for_each(|p| println!("    {p}"));
        report.problems.extend(problems.into_iter().map(|p| format!("the suite's kernels for {}: {p}", one.target)));
        found.push(one);
    }
    let directory = crate::shell::target().join("ptx");
    std::fs::create_dir_all(&directory)?;
    std::fs::write(directory.join("kernels.md"), table::text(&found) + &counts)?;
    Ok(())
}

/// Assembles a target's file. Returns the results and the faults.
fn one(target: &'static str, file: &Path, tools: &CudaTools) -> Result<(Found, Vec<String>)> {
    let mut problems = Vec::new();
    let names = entries(&std::fs::read_to_string(file)?).with_context(|| file.display().to_string())?;
    complete(target, &names, &mut problems);
    let assembled = assemble::assemble(tools, file, target)?;
    let assembled = assembled.with_context(|| format!("ptxas {} knows no {target}", tools.release))?;
    memory(&assembled, &names, &mut problems);
    let mut pairs = Vec::new();
    if let Some(nvdisasm) = &tools.nvdisasm {
        let code = flow::disassemble(nvdisasm, &assembled.cubin)?;
        access::judge(&code, &names, &mut problems);
        halves(&code, &mut problems);
        for (kernel, work, more) in COMPARED {
            let of_target = OF_TARGET.iter().find(|(k, t, _)| *k == kernel && *t == target);
            let more = of_target.map_or(more, |(.., more)| *more);
            let pair = compare(kernel, work, more, &code, &assembled.kernels)?;
            pair.judge(&mut problems);
            pairs.push(pair);
        }
    }
    Ok((Found { target, resources: assembled.kernels, pairs }, problems))
}

/// Checks that all expected entries exist, and no others.
fn complete(target: &str, found: &[String], problems: &mut Vec<String>) {
    let mut wanted: Vec<String> = BY_HAND.map(|kernel| format!("hand_{kernel}")).into();
    // Before `sm_80` a device has no bf16.
    for format in FORMATS.iter().filter(|f| !f.contains("bf16") || sm(target) >= 80) {
        wanted.extend(KERNELS.iter().flat_map(|k| SIBLINGS.map(|sibling| format!("{format}_{k}_{sibling}"))));
    }
    wanted.extend(MANY.iter().flat_map(|k| SIBLINGS.map(|sibling| format!("in_f16_many_{k}_{sibling}"))));
    for (these, those, what) in [(&wanted[..], found, "is missing"), (found, &wanted[..], "is unknown")] {
        problems.extend(these.iter().filter(|e| !those.contains(e)).map(|e| format!("the entry {e} {what}")));
    }
}

/// Checks that nothing spills, and that only the array is in local memory.
fn memory(assembled: &Assembled, entries: &[String], problems: &mut Vec<String>) {
    for entry in entries {
        match assembled.kernels.get(entry) {
            None => problems.push(format!("{entry} was not assembled")),
            Some(r) if r.spills > 0 => problems.push(format!("{entry}: {} bytes spilled", r.spills)),
            Some(r) if r.stack > 0 && !entry.contains(&format!("_{WITH_ARRAY}")) => {
                problems.push(format!("{entry}: {} bytes of local memory", r.stack));
            }
            Some(_) => {}
        }
    }
}

/// Compares the counts of both kernels, the pair's first.
fn compare(
    kernel: &'static str,
    work: Work,
    more: isize,
    code: &BTreeMap<String, Code>,
    resources: &BTreeMap<String, Resources>,
) -> Result<Pair> {
    let names = [format!("in_f16_{kernel}_pair"), format!("hand_{kernel}")];
    let mut pair = Pair { kernel, registers: [0; 2], work, more, counts: [0; 2], way: [0; 2] };
    for (i, name) in names.iter().enumerate() {
        let code = code.get(name).with_context(|| format!("{name} is not in the disassembly"))?;
        pair.registers[i] = resources.get(name).map_or(0, |r| r.registers);
        let way = way(code).with_context(|| format!("{name} stores no words"))?;
        pair.way[i] = way.len();
        pair.counts[i] = match work {
            Work::Loop => inner_loop(code),
            Work::Way => {
                let instructions = way.iter().map(|&at| code.instructions[at].as_str());
                Some(disassemble::follow(instructions).arithmetic.len()).filter(|count| *count > 0)
            }
        }
        .with_context(|| format!("{name} loads no pairs as words"))?;
    }
    Ok(pair)
}

/// Returns the number of instructions of the inner loop that loads pairs as words and no single
/// elements.
///
/// The pair kernel also has a loop for unaligned arrays, with more loads.
fn inner_loop(code: &Code) -> Option<usize> {
    let count = |range: &std::ops::Range<usize>, what: fn(&str) -> bool| {
        code.instructions[range.clone()].iter().filter(|i| what(i)).count()
    };
    let words = |i: &str| is(i, "LDG") && !i.contains(".U16") || is(i, "LD") && !i.contains(".U16");
    let halves = |i: &str| is(i, "LDG") && i.contains(".U16");
    let loops = code.inner_loops();
    let aligned = loops.iter().filter(|range| count(range, words) > 0);
    let fewest = aligned.clone().map(|range| count(range, halves)).min()?;
    aligned.filter(|range| count(range, halves) == fewest).map(|range| range.len()).min()
}

/// Checks that each kernel along columns has a loop that loads single elements, checks no bounds,
/// and is unrolled.
fn halves(code: &BTreeMap<String, Code>, problems: &mut Vec<String>) {
    for kernel in ALONG_COLUMNS {
        let name = format!("in_f16_{kernel}_pair");
        let unrolled = |instructions: &[String]| {
            let mut loads = instructions.iter().filter(|i| is(i, "LDG"));
            // An iteration loads two elements, and a number for both threads.
            let several = loads.clone().count() >= 2 * 3;
            several && loads.all(|i| i.contains(".U16")) && instructions.iter().filter(|i| is(i, "BRA")).count() == 1
        };
        let has_one = |code: &Code| code.inner_loops().into_iter().any(|range| unrolled(&code.instructions[range]));
        if !code.get(&name).is_some_and(has_one) {
            problems.push(format!("{name}: no loop loads the halves of several rounds without a question"));
        }
    }
}

/// Returns the path of a thread with both of its elements.
fn way(code: &Code) -> Option<Vec<usize>> {
    code.way(|i| is(i, "STG") && !i.contains(".U16"))
}

impl Pair {
    /// Checks that a loop is no longer than the handwritten one, or that a path computes no more,
    /// except for known differences.
    fn judge(&self, problems: &mut Vec<String>) {
        let [pair, hand] = self.counts;
        if pair.cast_signed() > hand.cast_signed() + self.more {
            let allowed = match self.more {
                0 => String::new(),
                more @ 1.. => format!(", of which {more} more are known"),
                fewer => format!(", and the pair kernel's were {} fewer", -fewer),
            };
            problems.push(format!(
                "{}: {pair} instructions of the pair kernel's {}, {hand} by hand{allowed}",
                self.kernel, self.work
            ));
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loop => "inner loop",
            Self::Way => "computing",
        })
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let against = |[pair, hand]: [usize; 2]| format!("{pair} / {hand}");
        let registers = against(self.registers.map(|r| r as usize));
        let (counts, way) = (against(self.counts), against(self.way));
        write!(f, "{:<8} pair / by hand: {} {counts}, way {way}, registers {registers}", self.kernel, self.work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instruction_more_than_by_hand_is_a_problem() {
        let problems = |work, more, counts| {
            let mut problems = Vec::new();
            Pair { kernel: "matmul", registers: [40, 32], work, more, counts, way: [70, 40] }.judge(&mut problems);
            problems
        };
        assert!(problems(Work::Loop, 0, [29, 29]).is_empty());
        assert_eq!(
            problems(Work::Loop, 0, [30, 29]),
            ["matmul: 30 instructions of the pair kernel's inner loop, 29 by hand"]
        );
        assert_eq!(problems(Work::Way, 0, [10, 9]).len(), 1);
        assert!(problems(Work::Way, 0, [8, 9]).is_empty());
        assert!(problems(Work::Loop, 2, [11, 9]).is_empty());
        assert_eq!(problems(Work::Loop, 2, [12, 9]).len(), 1);
        assert!(problems(Work::Loop, -5, [20, 25]).is_empty());
        assert_eq!(
            problems(Work::Loop, -5, [21, 25]),
            ["matmul: 21 instructions of the pair kernel's inner loop, 25 by hand, and the pair kernel's were 5 fewer"]
        );
    }

    #[test]
    fn loops_that_ask_at_each_half_are_a_problem() {
        let problems = |round: &str, rounds: usize| {
            let body = format!("{}\n@P0 BRA `(.L_x_0) ;", [round].repeat(rounds).join("\n"));
            let text: String = body.lines().enumerate().map(|(at, line)| format!("/*{at:04x}*/ {line}\n")).collect();
            let kernels = ALONG_COLUMNS.map(|kernel| format!(".text.in_f16_{kernel}_pair:\n.L_x_0:\n{text}"));
            let mut problems = Vec::new();
            halves(&flow::read(&kernels.concat()), &mut problems);
            problems.len()
        };
        let round = "LDG.E.U16.CONSTANT R1, desc[UR4][R2.64] ;\nLDG.E.U16.CONSTANT R3, desc[UR4][R2.64+0x2] ;\n\
                     LDG.E.U16.CONSTANT R4, desc[UR4][R6.64] ;";
        assert_eq!(problems(round, 4), 0);
        assert_eq!(problems(round, 1), ALONG_COLUMNS.len());
        assert_eq!(problems(&format!("@P1 BRA `(.L_x_9) ;\n{round}"), 4), ALONG_COLUMNS.len());
        assert_eq!(problems(&round.replacen(".U16", "", 1), 4), ALONG_COLUMNS.len());
    }

    #[test]
    fn entries_that_are_missing_or_new_are_problems() {
        let mut entries = Vec::new();
        let mut problems = Vec::new();
        complete("sm_90", &entries, &mut problems);
        assert_eq!(problems.len(), BY_HAND.len() + (FORMATS.len() * KERNELS.len() + MANY.len()) * SIBLINGS.len());
        entries = problems.iter().filter_map(|p| p.split(' ').nth(2).map(str::to_owned)).collect();
        entries.push("in_f16_new_pair".to_owned());
        problems.clear();
        complete("sm_90", &entries, &mut problems);
        assert_eq!(problems, ["the entry in_f16_new_pair is unknown"]);
        problems.clear();
        complete("sm_75", &[], &mut problems);
        assert!(!problems.iter().any(|p| p.contains("bf16")), "{problems:?}");
    }
}
