//! The program's own machine code: its functions, and the loops in them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

/// A loop that has less of the time is not what the time is spent in.
const MOST: f64 = 0.5;
/// A loop inside of it that has more runs more than once in a while.
const INNER: f64 = 0.1;

/// What has less than this part of the time that its instructions would have if all took as long is not executed in every round.
const RARE: f64 = 0.1;

/// A program in memory.
pub(super) struct Program {
    file: Vec<u8>,
    /// Where the file's address 0 is.
    base: u64,
}

impl Program {
    pub(super) fn own() -> Result<Self, String> {
        let path = std::env::current_exe().map_err(|e| format!("the program has no path: {e}"))?;
        let file = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let maps = std::fs::read_to_string("/proc/self/maps").map_err(|e| format!("/proc/self/maps: {e}"))?;
        // The first line of the program's is where its file begins.
        let line = maps.lines().find(|line| line.ends_with(&*path.to_string_lossy()));
        let first = line.and_then(|line| line.split('-').next()).and_then(|start| u64::from_str_radix(start, 16).ok());
        let base = first.ok_or("the program is not in /proc/self/maps")?;
        Ok(Self { file, base })
    }

    /// A round of the smallest loop that has most of the places.
    pub(super) fn hottest(&self, places: &[u64]) -> Result<Vec<Instruction>, String> {
        let object = object::File::parse(&*self.file).map_err(|e| format!("the program's file: {e}"))?;
        let base = if object.kind() == object::ObjectKind::Dynamic { self.base } else { 0 };
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for place in places {
            *counts.entry(place.wrapping_sub(base)).or_default() += 1;
        }
        let within =
            |range: &Range<u64>| -> usize { counts.iter().filter(|(at, _)| range.contains(at)).map(|(_, n)| n).sum() };
        let functions = object.symbols().filter(|s| s.kind() == SymbolKind::Text && s.size() > 0);
        let (share, function) = functions
            .map(|s| s.address()..s.address() + s.size())
            .map(|range| (within(&range) as f64 / places.len() as f64, range))
            .max_by(|(a, _), (b, _)| a.total_cmp(b))
            .ok_or("the program has no symbols")?;
        if share < MOST {
            return Err(format!("no function has most of the time: one has {:.0} %", 100.0 * share));
        }
        let code = object
            .sections()
            .find_map(|s| s.data_range(function.start, function.end - function.start).ok().flatten())
            .ok_or("the function's code is not in the file")?;
        let instructions: Vec<_> =
            Decoder::with_ip(64, code, function.start, DecoderOptions::NONE).into_iter().collect();
        let share = |range: &Range<u64>| within(range) as f64 / places.len() as f64;
        let round = loops(&instructions)
            .filter(|range| share(range) >= MOST)
            .min_by_key(|range| range.end - range.start)
            .ok_or("no loop has most of the time")?;
        let inside = |other: &Range<u64>| round.contains(&other.start) && other.end <= round.end && *other != round;
        if loops(&instructions).any(|other| inside(&other) && share(&other) >= INNER) {
            return Err("a loop inside of the loop runs, nobody knows how often".into());
        }
        let body: Vec<_> = instructions.into_iter().filter(|i| round.contains(&i.ip())).collect();
        let round = executed(&body, within);
        if round.iter().any(|i| i.flow_control() == FlowControl::IndirectBranch) {
            return Err("a jump of the loop leads to one of several places".into());
        }
        Ok(round)
    }
}

/// From where jumps lead back to, up to the end of the last of them.
fn loops(instructions: &[Instruction]) -> impl Iterator<Item = Range<u64>> {
    let start = instructions.first().map_or(0, Instruction::ip);
    let mut ends = BTreeMap::new();
    for i in instructions {
        let is_jump = matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch);
        if is_jump && (start..=i.ip()).contains(&i.near_branch_target()) {
            ends.insert(i.near_branch_target(), i.next_ip());
        }
    }
    ends.into_iter().map(|(start, end)| start..end).filter(|range| comes_back(instructions, range))
}

/// Whether the jump back is executed without leaving. Compilers place the end of a loop before its beginning, too: then a loop
/// outside of it seems to end in the middle of the inner one.
fn comes_back(instructions: &[Instruction], range: &Range<u64>) -> bool {
    let place = |ip: u64| instructions.partition_point(|i| i.ip() < ip);
    let body = &instructions[place(range.start)..place(range.end)];
    let mut reached = vec![false; body.len()];
    let mut next = vec![0];
    while let Some(k) = next.pop() {
        let Some(i) = body.get(k).filter(|_| !std::mem::replace(&mut reached[k], true)) else {
            continue;
        };
        if matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch)
            && range.contains(&i.near_branch_target())
        {
            next.push(place(i.near_branch_target()) - place(range.start));
        }
        if !matches!(i.flow_control(), FlowControl::UnconditionalBranch | FlowControl::Return) {
            next.push(k + 1);
        }
    }
    reached.last() == Some(&true)
}

/// The instructions of a round, without those that a jump leads past and at which the program hardly ever was.
fn executed(body: &[Instruction], within: impl Fn(&Range<u64>) -> usize) -> Vec<Instruction> {
    let (start, end) = (body.first().map_or(0, Instruction::ip), body.last().map_or(0, Instruction::next_ip));
    let targets: Vec<u64> = body.iter().map(Instruction::near_branch_target).collect();
    let total = within(&(start..end));
    let is_rare = |range: &Range<u64>| {
        let instructions = body.iter().filter(|i| range.contains(&i.ip())).count();
        (within(range) * body.len()) as f64 <= RARE * (total * instructions) as f64
    };
    let (mut round, mut next) = (Vec::new(), 0);
    for instruction in body {
        if instruction.ip() < next {
            continue;
        }
        round.push(*instruction);
        let past = instruction.next_ip();
        let target = match instruction.near_branch_target() {
            // What is behind a jump back is another end of the round.
            target if target == start => end,
            target => target,
        };
        let leads_past = (past + 1..=end).contains(&target) && is_rare(&(past..target));
        match instruction.flow_control() {
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch if leads_past => next = target,
            // Nothing leads behind it but another jump.
            FlowControl::UnconditionalBranch => {
                next = targets.iter().copied().filter(|target| (past..end).contains(target)).min().unwrap_or(next);
            }
            _ => {}
        }
    }
    round
}
