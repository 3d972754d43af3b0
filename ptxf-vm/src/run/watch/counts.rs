//! Counts for each instruction how often it ran, its lanes, its arithmetic and its memory accesses.

use std::collections::HashMap;
use std::ops::AddAssign;

use ptxf::spec::{FormInfo, Type};

use super::fidelity::Exactness;
use super::moment::{Moment, Touch};
use crate::code::{Instruction, Op, Space, Touched};
use crate::run::program::Loaded;

/// The size of a sector of global memory in bytes, and the number of four-byte banks of shared
/// memory.
const SECTOR: u64 = 32;
const BANKS: usize = 32;

/// The counts of the instructions of a PTX line.
///
/// An instruction counts once for a warp, or once for each diverged group of its threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineCount {
    /// The function, which the entry can call.
    pub function: String,
    /// The line of the PTX text, counted from 1.
    pub line: usize,
    /// The text of the instruction.
    pub text: String,
    /// The source file and line. `None` if the text has no `.loc`.
    pub source: Option<(String, u32)>,
    /// The exactness of its results.
    pub exactness: Exactness,
    /// The number of executions by a warp.
    pub executed: u64,
    /// The number of lanes of all executions whose guard was true.
    pub lanes: u64,
    /// The number of executions in which some threads of the warp were at another place.
    pub divergent: u64,
    /// Floating-point operations by format. An `fma` is two; a comparison, selection or conversion
    /// is none.
    pub flops: Vec<(&'static str, u64)>,
    /// Bytes of global memory that lanes read. An atomic operation reads and writes.
    pub read: u64,
    /// Bytes of global memory that lanes wrote.
    pub written: u64,
    /// The number of accesses of global memory by a warp.
    pub requests: u64,
    /// The number of 32-byte sectors of these accesses.
    pub sectors: u64,
    /// Bytes of shared memory that lanes read or wrote.
    pub shared: u64,
    /// The number of additional passes of shared memory accesses, for lanes that use different
    /// words of a bank.
    pub conflicts: u64,
}

/// The counts of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    lines: Vec<LineCount>,
}

impl Counts {
    /// Returns the counts of every instruction of the functions that ran, in the order of the text.
    /// Instructions that never ran have zeros.
    #[must_use]
    pub fn lines(&self) -> &[LineCount] {
        &self.lines
    }

    /// Returns the sum of all lines.
    #[must_use]
    pub fn total(&self) -> LineCount {
        let mut total = LineCount::default();
        self.lines.iter().for_each(|line| total += line);
        total
    }
}

impl AddAssign<&Self> for LineCount {
    /// Adds counts, and keeps the place.
    fn add_assign(&mut self, other: &Self) {
        for (format, count) in &other.flops {
            match self.flops.iter_mut().find(|(known, _)| known == format) {
                Some((_, known)) => *known += count,
                None => self.flops.push((format, *count)),
            }
        }
        self.executed += other.executed;
        self.lanes += other.lanes;
        self.divergent += other.divergent;
        self.read += other.read;
        self.written += other.written;
        self.requests += other.requests;
        self.sectors += other.sectors;
        self.shared += other.shared;
        self.conflicts += other.conflicts;
    }
}

/// The counts while a launch runs.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Counts by the index of the function.
    functions: HashMap<usize, Vec<LineCount>>,
    /// `true` if threads were at another place when the instruction began, which may have ended
    /// since.
    is_divergent: bool,
}

impl Counters {
    /// Handles an instruction before it runs.
    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>) {
        self.is_divergent = moment.group.mask != moment.warp.live;
    }

    /// Handles an instruction after it has run.
    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>) {
        let (code, instruction) = (moment.code(), moment.instruction());
        // The first of several operations for one instruction stands for it. The last one of all is
        // the end of the text.
        let pc = moment.group.pc as usize;
        let is_first = pc == 0 || code.instructions[pc - 1].at != instruction.at;
        let is_written = is_first && pc + 1 < code.instructions.len();
        let counters =
            self.functions.entry(code.index).or_insert_with(|| vec![LineCount::default(); code.instructions.len()]);
        let counter = &mut counters[moment.group.pc as usize];
        let lanes = u64::from(moment.mask.count_ones());
        counter.executed += u64::from(is_written);
        counter.lanes += if is_written { lanes } else { 0 };
        counter.divergent += u64::from(is_written && self.is_divergent);
        if let Some((format, count)) = flops(instruction) {
            let all = count * lanes;
            match counter.flops.first_mut() {
                Some((_, known)) => *known += all,
                None => counter.flops.push((format, all)),
            }
        }
        if let Some(touched) = instruction.touched() {
            counter.memory(moment, &touched);
        }
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (function, counters) in other.functions {
            match self.functions.entry(function) {
                std::collections::hash_map::Entry::Vacant(place) => _ = place.insert(counters),
                std::collections::hash_map::Entry::Occupied(mut known) => {
                    known.get_mut().iter_mut().zip(&counters).for_each(|(known, counter)| *known += counter);
                }
            }
        }
    }

    /// Returns the counts by line.
    pub(crate) fn by_line(self, loaded: &Loaded) -> Counts {
        let mut functions: Vec<(usize, Vec<LineCount>)> = self.functions.into_iter().collect();
        functions.sort_by_key(|(function, _)| *function);
        let read = &*loaded.read;
        let mut counts = Counts::default();
        for (function, counters) in functions {
            let Ok(code) = loaded.code(function) else { continue };
            let mut by_place: Vec<LineCount> = vec![LineCount::default(); code.places.len()];
            for (instruction, counter) in code.instructions.iter().zip(&counters) {
                if let Some(place) = by_place.get_mut(instruction.at as usize) {
                    *place += counter;
                    place.exactness = place.exactness.max(Exactness::of(&instruction.op));
                }
            }
            for (mut line, place) in by_place.into_iter().zip(&code.places) {
                line.function.clone_from(&code.name);
                line.line = read.line(place.span.start);
                line.text = read.instruction(place);
                line.source = read.source(place);
                counts.lines.push(line);
            }
        }
        counts
    }
}

impl LineCount {
    fn memory(&mut self, moment: &Moment<'_, '_>, touched: &Touched<'_>) {
        let bytes = touched.bytes;
        let (mut global, mut shared) = (Vec::new(), Vec::new());
        for Touch { lane, space, address, .. } in moment.touches(touched) {
            match space {
                Space::Global => global.push(address),
                Space::Shared => shared.push((lane, address)),
                _ => {}
            }
        }
        if !global.is_empty() {
            let all = bytes * global.len() as u64;
            self.read += if touched.reads { all } else { 0 };
            self.written += if touched.writes { all } else { 0 };
            self.requests += 1;
            let mut sectors: Vec<u64> =
                global.into_iter().flat_map(|at| at / SECTOR..(at + bytes).div_ceil(SECTOR)).collect();
            sectors.sort_unstable();
            sectors.dedup();
            self.sectors += sectors.len() as u64;
        }
        if !shared.is_empty() {
            self.shared += bytes * shared.len() as u64;
            self.conflicts += conflicts(&shared, bytes);
        }
    }
}

/// Returns the number of additional passes. Halves of the lanes pass together for accesses of eight
/// bytes, and quarters for larger ones.
fn conflicts(lanes: &[(usize, u64)], bytes: u64) -> u64 {
    let together = (128 / bytes.clamp(4, 16)) as usize;
    let mut more = 0;
    for part in lanes.chunk_by(|(a, _), (b, _)| a / together == b / together) {
        let mut words: Vec<u64> = part.iter().flat_map(|(_, at)| at / 4..(at + bytes).div_ceil(4)).collect();
        words.sort_unstable();
        words.dedup();
        let mut banks = [0_u64; BANKS];
        words.into_iter().for_each(|word| banks[word as usize % BANKS] += 1);
        more += banks.into_iter().max().unwrap_or_default() - 1;
    }
    more
}

/// Returns the format of an instruction's arithmetic, and the operations of a lane.
fn flops(instruction: &Instruction) -> Option<(&'static str, u64)> {
    let form = match &instruction.op {
        Op::Form(form) => form.spelling.form,
        Op::Atomic(atomic) => atomic.update.form()?,
        _ => return None,
    };
    let count = operations(form) * u64::from(form.result.lanes());
    (count > 0).then_some((format(form.result)?, count))
}

fn operations(form: &FormInfo) -> u64 {
    match form.instruction {
        "fma" | "mad" => 2,
        "add" | "sub" | "mul" | "div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => 1,
        _ => 0,
    }
}

/// Returns the name of a type's format. Returns `None` if there is no arithmetic in it.
fn format(ty: Type) -> Option<&'static str> {
    Some(match ty {
        Type::F16 | Type::F16x2 => "f16",
        Type::Bf16 | Type::Bf16x2 => "bf16",
        Type::F32 | Type::F32x2 => "f32",
        Type::F64 => "f64",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_meet_in_a_bank_in_different_words_take_passes() {
        let each = |stride: u64| (0..32).map(|lane| (lane as usize, lane * stride)).collect::<Vec<_>>();
        for (stride, bytes, expected) in [
            (4, 4, 0),
            (0, 4, 0),
            (8, 4, 1),
            (128, 4, 31),
            (132, 4, 0),
            (8, 8, 0),
            (16, 16, 0),
            (2, 2, 0),
            (64, 4, 15),
            (16, 8, 2),
        ] {
            assert_eq!(conflicts(&each(stride), bytes), expected, "{stride} {bytes}");
        }
    }
}
