//! Control flow of a kernel's machine code: its loops, and the shortest path that does its work.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::output;

/// A kernel's machine instructions in order, without padding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    pub instructions: Vec<String>,
    /// The instruction after each label.
    labels: BTreeMap<String, usize>,
}

/// Disassembles a cubin.
pub(crate) fn disassemble(nvdisasm: &Path, cubin: &Path) -> Result<BTreeMap<String, Code>> {
    Ok(read(&output(Command::new(nvdisasm).arg("-c").arg(cubin))?))
}

/// The kernels of a disassembly.
pub(crate) fn read(text: &str) -> BTreeMap<String, Code> {
    let mut kernels: BTreeMap<String, Code> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix(".text.").and_then(|n| n.strip_suffix(':')) {
            current = Some(kernels.entry(name.to_owned()).or_default());
        } else if let Some(code) = &mut current {
            if let Some(label) = line.strip_suffix(':').filter(|l| l.starts_with(['.', '$'])) {
                code.labels.insert(label.to_owned(), code.instructions.len());
            } else if let Some((_, text)) = line.strip_prefix("/*").and_then(|t| t.split_once("*/"))
                && let Some((instruction, _)) = text.split_once(';')
            {
                code.instructions.push(instruction.trim().to_owned());
            }
        }
    }
    kernels
}

/// Returns the opcode with its modifiers, and `true` if a predicate guards it.
pub(crate) fn opcode(instruction: &str) -> (&str, bool) {
    let (guarded, rest) = match instruction.strip_prefix('@').and_then(|i| i.split_once(' ')) {
        Some((_, rest)) => (true, rest.trim_start()),
        None => (false, instruction),
    };
    (rest.split(' ').next().unwrap_or(rest), guarded)
}

/// Returns `true` for this instruction with any modifiers.
pub(crate) fn is(instruction: &str, name: &str) -> bool {
    opcode(instruction).0.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The cost of a call on a path: more than any path around it.
const CALL: usize = 10_000;

impl Code {
    /// Returns the target of a branch.
    fn goal(&self, at: usize) -> Option<usize> {
        let instruction = &self.instructions[at];
        let label = instruction.split_once("`(")?.1.split_once(')')?.0;
        is(instruction, "BRA").then(|| self.labels.get(label).copied()).flatten()
    }

    /// Returns loops without a loop in them. The assembler's branch to itself after a kernel's end
    /// does not count.
    pub(crate) fn inner_loops(&self) -> Vec<Range<usize>> {
        let back = |end: usize| self.goal(end).filter(|start| *start < end).map(|start| start..end + 1);
        let loops: Vec<Range<usize>> = (0..self.instructions.len()).filter_map(back).collect();
        let within = |a: &Range<usize>, b: &Range<usize>| a != b && b.start <= a.start && a.end <= b.end;
        loops.iter().filter(|outer| !loops.iter().any(|inner| within(inner, outer))).cloned().collect()
    }

    /// Returns the successors of an instruction. The number of instructions stands for the thread's
    /// end.
    fn next(&self, at: usize) -> Vec<usize> {
        let (instruction, end) = (&self.instructions[at], self.instructions.len());
        let (name, guarded) = opcode(instruction);
        // Branches also have a predicate as an operand, or depend on the threads' convergence.
        let conditional = guarded || name.contains(".DIV") || instruction.contains(", `(") && is(instruction, "BRA");
        let behind = conditional.then_some(at + 1);
        if let Some(goal) = self.goal(at) {
            behind.into_iter().chain([goal]).collect()
        } else if is(instruction, "EXIT") {
            behind.into_iter().chain([end]).collect()
        } else if is(instruction, "RET") {
            Vec::new()
        } else {
            vec![at + 1]
        }
    }

    /// Returns the shortest path from the beginning to the end through an instruction that
    /// `through` accepts.
    ///
    /// Loops are skipped where possible, and calls are taken where no path leads around them.
    pub(crate) fn way(&self, through: impl Fn(&str) -> bool) -> Option<Vec<usize>> {
        let end = self.instructions.len();
        let ahead: Vec<Vec<usize>> = (0..end).map(|i| self.next(i)).collect();
        let mut back = vec![Vec::new(); end + 1];
        for (i, next) in ahead.iter().enumerate() {
            next.iter().for_each(|&n| back[n].push(i));
        }
        let cost = |i: usize| if i < end && is(&self.instructions[i], "CALL") { CALL } else { 1 };
        let (from, before) = distances(0, end + 1, |i| ahead.get(i).map_or(&[], Vec::as_slice), cost);
        let (to, after) = distances(end, end + 1, |i| &back[i], cost);
        let middle = (0..end).filter(|&i| through(&self.instructions[i])).filter(|&i| from[i].max(to[i]) < usize::MAX);
        let middle = middle.min_by_key(|&i| from[i] + to[i])?;
        let mut way = vec![middle];
        while let Some(i) = before[way[way.len() - 1]] {
            way.push(i);
        }
        way.reverse();
        while let Some(i) = after[way[way.len() - 1]].filter(|i| *i < end) {
            way.push(i);
        }
        Some(way)
    }
}

/// Returns the distance of every instruction from the first, and its predecessor on that path.
fn distances<'a>(
    first: usize,
    count: usize,
    next: impl Fn(usize) -> &'a [usize],
    cost: impl Fn(usize) -> usize,
) -> (Vec<usize>, Vec<Option<usize>>) {
    let (mut distance, mut by) = (vec![usize::MAX; count], vec![None; count]);
    let mut queue = BinaryHeap::from([Reverse((0, first))]);
    distance[first] = 0;
    while let Some(Reverse((so_far, i))) = queue.pop() {
        if so_far > distance[i] {
            continue;
        }
        for &n in next(i).iter().filter(|n| **n < count) {
            let there = so_far + cost(n);
            if there < distance[n] {
                (distance[n], by[n]) = (there, Some(i));
                queue.push(Reverse((there, n)));
            }
        }
    }
    (distance, by)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A guard, a nested loop, a slow path, padding.
    const TEXT: &str = ".text.k:
.L_x_0:
        /*0000*/                   ISETP.GE.AND P0, PT, R0, R1, PT ;
        /*0010*/               @P0 EXIT ;
.L_x_1:
        /*0020*/                   MOV R2, RZ ;
.L_x_2:
        /*0030*/                   LDG.E.U16 R3, desc[UR4][R2.64] ;
        /*0040*/               @P1 BRA `(.L_x_2) ;
        /*0050*/               @P2 BRA `(.L_x_1) ;
        /*0060*/               @P3 BRA `(.L_x_4) ;
        /*0070*/                   CALL.REL.NOINC `($__internal_0_$slow) ;
        /*0080*/                   BRA `(.L_x_5) ;
.L_x_4:
        /*0090*/                   MUFU.RSQ R3, R0 ;
        /*00a0*/                   FMUL R3, R3, R3 ;
.L_x_5:
        /*00b0*/                   STG.E desc[UR4][R2.64], R3 ;
        /*00c0*/                   EXIT ;
.L_x_6:
        /*00d0*/                   BRA `(.L_x_6);
        /*00e0*/                   NOP;
";

    #[test]
    fn finds_the_inner_loop() {
        let code = &read(TEXT)["k"];
        assert_eq!(code.inner_loops(), vec![Range { start: 3, end: 5 }]);
    }

    #[test]
    fn goes_around_calls_and_past_the_guard() {
        let code = &read(TEXT)["k"];
        let way = code.way(|i| is(i, "STG")).unwrap();
        assert_eq!(way, [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12]);
        assert_eq!(code.way(|i| is(i, "ATOM")), None);
    }
}
