//! What a launch executes: for each instruction how often, in how many lanes, with how much arithmetic and memory.

use std::collections::HashMap;
use std::ops::AddAssign;

use ptxf::spec::{FormInfo, Type};

use super::moment::{Moment, Touch};
use crate::code::{Instruction, Op, Space, Touched};
use crate::run::program::Loaded;

/// How many bytes of global memory are fetched together, and how many banks of four bytes shared memory has.
const SECTOR: u64 = 32;
const BANKS: usize = 32;

/// What the instructions of a line of PTX executed.
///
/// An instruction is counted once for a warp, or for each of the groups of its threads that come there apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineCount {
    /// The function, which may be one that the entry calls.
    pub function: String,
    /// The line of the PTX text, counted from 1.
    pub line: usize,
    /// The instruction.
    pub text: String,
    /// The file and the line of the source, if the text says them.
    pub source: Option<(String, u32)>,
    /// How many times a warp executed it.
    pub executed: u64,
    /// In how many lanes, all times together: those whose guard was true.
    pub lanes: u64,
    /// How many times other threads of the warp were elsewhere.
    pub divergent: u64,
    /// Operations in floating point, by their format: two of `fma`, none of what only compares, selects or converts.
    pub flops: Vec<(&'static str, u64)>,
    /// Bytes of global memory that lanes read, and that they wrote; an atomic operation does both.
    pub read: u64,
    /// Bytes of global memory that lanes wrote.
    pub written: u64,
    /// How many times a warp accessed global memory.
    pub requests: u64,
    /// How many sectors of 32 bytes these requests touched, each anew.
    pub sectors: u64,
    /// Bytes of shared memory that lanes read or wrote.
    pub shared: u64,
    /// How many passes accesses of shared memory took beyond the least, for lanes that met in a bank in different words.
    pub conflicts: u64,
}

/// What a launch executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    lines: Vec<LineCount>,
}

impl Counts {
    /// Every instruction of the functions that ran, in the order of the text; those that never ran have zeros.
    #[must_use]
    pub fn lines(&self) -> &[LineCount] {
        &self.lines
    }

    /// All lines together, without a line of its own.
    #[must_use]
    pub fn total(&self) -> LineCount {
        let mut total = LineCount::default();
        self.lines.iter().for_each(|line| total += line);
        total
    }
}

impl AddAssign<&Self> for LineCount {
    /// Adds the counts, and keeps the place.
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

/// What the instructions of functions executed.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// By the functions' numbers.
    functions: HashMap<usize, Vec<LineCount>>,
    /// Whether threads were elsewhere when the instruction began, which may have ended some.
    is_divergent: bool,
}

impl Counters {
    /// An instruction is about to run.
    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>) {
        self.is_divergent = moment.group.mask != moment.warp.live;
    }

    /// An instruction has run.
    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>) {
        let (code, instruction) = (moment.code(), moment.instruction());
        // Of what one instruction of the text became, the first stands for it; the last of all stands for the end of the text.
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

    /// The counts with their lines.
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

/// How many passes more than one each part of the lanes takes; of accesses of eight bytes halves pass together, of larger ones quarters.
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

/// The format of an instruction's arithmetic, and how many operations a lane does.
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

/// The name of the format of the type's lanes, if arithmetic is done in it.
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
