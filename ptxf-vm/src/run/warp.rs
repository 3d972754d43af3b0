//! Runs a warp: 32 threads, in groups of threads at one place.
//!
//! The group with the most nested calls runs first, and of several the one at the lowest place. It
//! runs until it reaches another group and joins it, splits, or waits. A group that has jumped
//! backwards often lets others run first.

use super::copies::Copies;
use super::fault::{Fault, FaultKind, Site};
use super::frame::{Frame, Identity, thread};
use super::launch::Launch;
use super::local::Local;
use super::row::Recent;
use super::shared::Shared;
use super::watch::Moment;
use crate::code::{Instruction, Op, Reduction};
use crate::exec::form::Source;
use crate::exec::{Mask, Reg, Registers};

/// The number of backward jumps after which a group lets others run.
const PATIENCE: u32 = 1000;

/// A state of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ready,
    AtBarrier {
        id: usize,
        reduction: Option<Reduction>,
    },
    /// The group waits for these lanes.
    ForLanes(Mask),
    /// The group waits for all lanes of the warp.
    ForWarp,
}

/// Threads at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) pc: u32,
    pub(crate) frame: usize,
    pub(crate) mask: Mask,
    pub(crate) state: State,
    jumps: u32,
    /// Groups with a lower number run first.
    turn: u32,
    /// `true` if other lanes have run the group's instruction among lanes for it.
    pub(crate) is_answered: bool,
}

/// The continuation of a group after an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// The next instruction.
    On,
    /// Another instruction.
    To(u32),
    /// The groups have changed.
    Changed,
    /// The instruction has not run: its threads wait for lanes and run it later.
    Waits,
}

/// A reason why a lane cannot run an instruction.
#[derive(Debug)]
pub(crate) struct Wrong {
    pub(crate) lane: u32,
    pub(crate) kind: FaultKind,
    pub(crate) what: String,
    /// The number of the buffer at fault.
    pub(crate) buffer: Option<usize>,
}

/// Up to 32 threads.
#[derive(Debug)]
pub(crate) struct Warp<'l> {
    pub(crate) launch: &'l Launch<'l>,
    pub(crate) index: u32,
    pub(crate) identity: Identity,
    groups: Vec<Group>,
    pub(crate) frames: Vec<Frame<'l>>,
    /// Unused frames.
    pub(crate) unused: Vec<usize>,
    pub(crate) local: Local,
    pub(crate) copies: Copies,
    /// The threads that have not exited.
    pub(crate) live: Mask,
    /// The threads that have arrived at the barrier of the cluster in its phase, and those that
    /// have not waited since they arrived in any.
    pub(crate) arrived: Mask,
    pub(crate) unwaited: Mask,
    /// The number of instructions that the warp has run.
    pub(crate) clock: u64,
    /// The number of calls, including the entry.
    pub(crate) calls: u64,
    pub(crate) recent: Recent<'l>,
}

impl<'l> Warp<'l> {
    pub(crate) fn new(launch: &'l Launch<'l>, index: u32) -> Self {
        Self {
            launch,
            index,
            identity: Identity { warp: index, block: [0; 3] },
            groups: Vec::new(),
            frames: Vec::new(),
            unused: Vec::new(),
            local: Local::default(),
            copies: Copies::default(),
            live: 0,
            arrived: 0,
            unwaited: 0,
            clock: 0,
            calls: 0,
            recent: Recent::default(),
        }
    }

    /// Starts a block.
    pub(crate) fn begin(&mut self, block: [u32; 3]) {
        let left = self.launch.threads() - 32 * self.index;
        self.live = if left >= 32 { !0 } else { (1 << left) - 1 };
        self.identity.block = block;
        (self.arrived, self.unwaited) = (0, 0);
        self.clock = 0;
        self.groups.clear();
        self.copies.begin();
        self.unused.clear();
        self.unused.extend(0..self.frames.len());
        let frame = self.frame(self.launch.code, None, 0, self.live);
        self.groups.push(Group {
            pc: 0,
            frame,
            mask: self.live,
            state: State::Ready,
            jumps: 0,
            turn: 0,
            is_answered: false,
        });
    }

    pub(crate) fn is_done(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the number of threads that have not exited.
    pub(crate) fn live(&self) -> u32 {
        self.live.count_ones()
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub(crate) fn group_mut(&mut self, index: usize) -> &mut Group {
        &mut self.groups[index]
    }

    /// Runs until no group is ready, or for about `turn` instructions. Returns `true` if an
    /// instruction ran.
    pub(crate) fn run(&mut self, shared: &mut Shared, turn: u64) -> Result<bool, Fault> {
        let end = self.clock + turn;
        let mut ran = false;
        while self.clock < end {
            let Some(chosen) = self.choose(shared) else { break };
            ran = true;
            if shared.watch.is_some() {
                self.group::<true>(chosen, shared, end)?;
            } else {
                self.group::<false>(chosen, shared, end)?;
            }
        }
        Ok(ran)
    }

    /// Returns the group that runs next.
    fn choose(&self, shared: &mut Shared) -> Option<usize> {
        let mut ready = self.groups.iter().enumerate().filter(|(_, g)| g.state == State::Ready);
        if let Some(dice) = &mut shared.dice {
            let count = ready.clone().count() as u64;
            return (count > 0).then(|| ready.nth(dice.below(count) as usize).map(|(i, _)| i))?;
        }
        let order = |g: &Group| (g.turn, std::cmp::Reverse(self.frames[g.frame].depth), g.pc);
        ready.min_by_key(|(_, g)| order(g)).map(|(i, _)| i)
    }

    /// Runs a group until another one has to run. Without checks and tools, `WATCHED` removes their
    /// code.
    fn group<const WATCHED: bool>(&mut self, chosen: usize, shared: &mut Shared, end: u64) -> Result<(), Fault> {
        let mut group = self.groups.swap_remove(chosen);
        loop {
            let alone = self.groups.is_empty();
            let code = self.frames[group.frame].code;
            // The places of groups that it could join.
            let here = self.groups.iter().filter(|g| g.frame == group.frame && g.pc > group.pc);
            let stop = here.map(|g| g.pc).min().unwrap_or(u32::MAX);
            let next = loop {
                let instruction = &code.instructions[group.pc as usize];
                self.clock += 1;
                shared.steps += 1;
                if shared.steps > self.launch.limit {
                    let what = format!("more than {} instructions in a block", self.launch.limit);
                    return Err(self.fault(shared, &group, group.mask.trailing_zeros(), FaultKind::Limit, what));
                }
                let mask = if WATCHED { self.before(&group, shared) } else { 0 };
                let next = match &instruction.op {
                    Op::Lanes { run, slots, .. } => {
                        let registers = &mut self.frames[group.frame].registers;
                        let mask = group.mask & registers.truth(instruction.guard);
                        if mask != 0 {
                            run(registers, slots, mask);
                        }
                        Next::On
                    }
                    Op::Form(form) => {
                        let registers = &mut self.frames[group.frame].registers;
                        let mask = group.mask & registers.truth(instruction.guard);
                        if mask != 0 {
                            form.run(registers, mask);
                        }
                        Next::On
                    }
                    _ => self.step(&group, instruction, shared).map_err(|Wrong { lane, kind, what, buffer }| {
                        Fault { buffer, ..self.fault(shared, &group, lane, kind, what) }
                    })?,
                };
                if WATCHED {
                    self.after(&group, mask, next, shared);
                }
                match next {
                    Next::On if group.pc + 1 < stop => group.pc += 1,
                    next => break next,
                }
            };
            match next {
                Next::Changed | Next::Waits => return Ok(()),
                Next::On => group.pc += 1,
                Next::To(target) => {
                    if target <= group.pc && !alone {
                        group.jumps += 1;
                        if group.jumps > PATIENCE {
                            group.jumps = 0;
                            group.turn = self.groups.iter().map(|g| g.turn).max().unwrap_or_default() + 1;
                        }
                    }
                    group.pc = target;
                }
            }
            if !alone || self.clock >= end {
                self.join(group);
                return Ok(());
            }
        }
    }

    /// Reports an instruction before it runs to checks and tools. Returns the lanes whose guard is
    /// true.
    fn before(&self, group: &Group, shared: &mut Shared) -> Mask {
        let frame = &self.frames[group.frame];
        let mask = group.mask & frame.registers.truth(frame.code.instructions[group.pc as usize].guard);
        let block = shared.index;
        if let Some(watch) = &mut shared.watch {
            watch.before(&Moment { warp: self, group, mask, block });
        }
        mask
    }

    /// Reports an instruction that has run to checks and tools.
    fn after(&self, group: &Group, mask: Mask, next: Next, shared: &mut Shared) {
        let block = shared.index;
        if let Some(watch) = &mut shared.watch {
            watch.after(&Moment { warp: self, group, mask, block }, next);
        }
    }

    /// Adds a group, or joins it with the group at the same place.
    pub(crate) fn join(&mut self, group: Group) {
        let same = |g: &&mut Group| {
            let is_open = !matches!(g.state, State::AtBarrier { .. }) && !g.is_answered;
            g.frame == group.frame && g.pc == group.pc && is_open && !group.is_answered
        };
        match self.groups.iter_mut().find(same) {
            Some(other) => {
                other.mask |= group.mask;
                // The threads that it waits for can be there now.
                other.state = State::Ready;
                other.turn = other.turn.min(group.turn);
            }
            None => self.groups.push(group),
        }
    }

    /// Moves threads of a group to another place.
    pub(crate) fn send(&mut self, from: &Group, pc: u32, frame: usize, mask: Mask) {
        if mask != 0 {
            self.join(Group { pc, frame, mask, state: State::Ready, jumps: 0, turn: from.turn, is_answered: false });
        }
    }

    /// Makes threads of a group wait at their place.
    pub(crate) fn wait(&mut self, from: &Group, mask: Mask, state: State) {
        self.groups.push(Group { mask, state, ..*from });
    }

    /// Makes threads that wait for lanes check again.
    pub(crate) fn wake(&mut self) {
        for group in &mut self.groups {
            if let State::ForLanes(_) | State::ForWarp = group.state {
                group.state = State::Ready;
            }
        }
    }

    /// Moves the threads that wait at a barrier to their next instruction.
    pub(crate) fn release(&mut self, id: usize, answer: impl Fn(Reduction, &mut Registers, Mask)) {
        let here = |g: &Group| matches!(g.state, State::AtBarrier { id: at, .. } if at == id);
        if !self.groups.iter().any(here) {
            return;
        }
        let (waiting, others) = self.groups.drain(..).partition::<Vec<Group>, _>(here);
        self.groups = others;
        for group in waiting {
            if let State::AtBarrier { reduction: Some(reduction), .. } = group.state {
                answer(reduction, &mut self.frames[group.frame].registers, group.mask);
            }
            self.send(&group, group.pc + 1, group.frame, group.mask);
        }
    }

    /// Runs an instruction that is not only on registers.
    fn step(&mut self, group: &Group, instruction: &'l Instruction, shared: &mut Shared) -> Result<Next, Wrong> {
        if group.is_answered {
            self.send(group, group.pc + 1, group.frame, group.mask);
            return Ok(Next::Changed);
        }
        let frame = &mut self.frames[group.frame];
        let mask = group.mask & frame.registers.truth(instruction.guard);
        let rest = group.mask & !mask;
        if mask == 0 {
            return Ok(Next::On);
        }
        let registers = &mut frame.registers;
        match &instruction.op {
            Op::Lanes { run, slots, .. } => run(registers, slots, mask),
            Op::Form(form) => form.run(registers, mask),
            Op::Convert(conversion) => conversion.run(registers, mask),
            Op::OnParts(function) => function.run(registers, mask),
            Op::Join(parts) => parts.join(registers, mask),
            Op::Split(parts) => parts.split(registers, mask),
            Op::Load(access) => self.load(group.frame, access, mask, shared)?,
            Op::Store(access) => self.store(group.frame, access, mask, shared)?,
            Op::Atomic(atomic) => self.atomic(group.frame, atomic, mask, shared)?,
            Op::Copy(copy) => self.copy(group.frame, copy, mask, shared)?,
            Op::Commit => self.copies.commit(mask),
            Op::Bulk(bulk) => self.bulk(group.frame, bulk, mask, shared)?,
            Op::Take(taken) => self.take(group.frame, taken, mask),
            Op::Clock(reg) => {
                for lane in crate::exec::registers::lanes(mask) {
                    registers.set(*reg, lane, self.clock);
                }
            }
            Op::Allocate { address, bytes, align } => self.allocate(group.frame, *address, *bytes, *align, mask)?,
            Op::SaveStack(reg) => self.save_stack(group.frame, *reg, mask),
            Op::RestoreStack(reg) => self.restore_stack(group.frame, *reg, mask)?,
            Op::Branch(target) => {
                if rest == 0 {
                    return Ok(Next::To(*target));
                }
                self.send(group, *target, group.frame, mask);
                self.send(group, group.pc + 1, group.frame, rest);
                return Ok(Next::Changed);
            }
            Op::BranchIndex { index, targets } => return self.branch_index(group, *index, targets, mask),
            Op::Call(call) => return self.call(group, call, mask),
            Op::System(call) => self.system(group, call, mask, shared)?,
            Op::Return => {
                self.leave(group, mask);
                self.send(group, group.pc + 1, group.frame, rest);
                return Ok(Next::Changed);
            }
            Op::Exit => {
                self.exit(group.frame, mask);
                self.send(group, group.pc + 1, group.frame, rest);
                return Ok(Next::Changed);
            }
            Op::Trap => {
                let what = "`trap`: the program stopped itself".to_owned();
                return Err(Wrong { lane: mask.trailing_zeros(), kind: FaultKind::Trap, what, buffer: None });
            }
            Op::Barrier(barrier) => {
                let lane = mask.trailing_zeros();
                let id = shared.arrive(registers, barrier, lane as usize, mask);
                let id = id.map_err(|what| Wrong { lane, kind: FaultKind::Synchronization, what, buffer: None })?;
                if barrier.waits {
                    let reduction = barrier.reduction.map(|(reduction, _)| reduction);
                    self.wait(group, mask, State::AtBarrier { id, reduction });
                    self.send(group, group.pc + 1, group.frame, rest);
                    return Ok(Next::Changed);
                }
            }
            Op::Warp(warp) => return self.collective(group, warp, mask),
            Op::Texture(texturing) => self.texturing(group.frame, texturing, mask)?,
            Op::Matrix(matrix) => return self.matrix(group, matrix, mask, shared),
            Op::ArriveCluster | Op::WaitCluster => return self.at_cluster(group, &instruction.op, mask),
            Op::Map { .. } | Op::RankOf { .. } | Op::IsSpace { .. } => {
                self.address_in_cluster(group.frame, &instruction.op, mask, shared)?;
            }
            Op::Fence | Op::Nothing => {}
        }
        Ok(Next::On)
    }

    fn branch_index(&mut self, group: &Group, index: Reg, targets: &[u32], mask: Mask) -> Result<Next, Wrong> {
        let mut to: Vec<(u32, Mask)> = Vec::new();
        for lane in crate::exec::registers::lanes(mask) {
            let i = self.frames[group.frame].registers.get(index, lane);
            let Some(&target) = targets.get(i as usize) else {
                let what = format!("index {i} of {} targets", targets.len());
                return Err(Wrong { lane: lane as u32, kind: FaultKind::OutOfBounds, what, buffer: None });
            };
            match to.iter_mut().find(|(at, _)| *at == target) {
                Some((_, mask)) => *mask |= 1 << lane,
                None => to.push((target, 1 << lane)),
            }
        }
        to.into_iter().for_each(|(target, mask)| self.send(group, target, group.frame, mask));
        self.send(group, group.pc + 1, group.frame, group.mask & !mask);
        Ok(Next::Changed)
    }

    /// Returns the line of a group.
    pub(crate) fn line(&self, group: &Group) -> usize {
        let code = self.frames[group.frame].code;
        let at = code.instructions[group.pc as usize].at as usize;
        let span = code.places.get(at).map_or_else(Default::default, |place| place.span);
        self.launch.program.read.line(span.start)
    }

    /// Makes the fault of a lane of a group.
    pub(crate) fn fault(&self, shared: &Shared, group: &Group, lane: u32, kind: FaultKind, what: String) -> Fault {
        Fault { kind, what, buffer: None, place: Some(Box::new(self.site(shared.index, group, lane))) }
    }

    /// Returns the place and the registers of a lane of a group.
    pub(crate) fn site(&self, block: [u32; 3], group: &Group, lane: u32) -> Site {
        let frame = &self.frames[group.frame];
        let read = &*self.launch.program.read;
        let instruction = &frame.code.instructions[group.pc as usize];
        let place = frame.code.places.get(instruction.at as usize).copied().unwrap_or_default();
        let mut values: Vec<(String, u64, u32)> = Vec::new();
        for source in &frame.code.operands(group.pc).operands {
            let Source::Register(reg) = source else { continue };
            let name = frame.code.name_of(*source);
            if name.is_empty() {
                continue;
            }
            let value = (name.to_owned(), frame.registers.get(*reg, lane as usize), reg.bank.bits());
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Site {
            kernel: self.launch.code.name.clone(),
            block,
            thread: thread(self.launch, self.index, lane),
            warp: self.index,
            lane,
            line: read.line(place.span.start),
            text: read.instruction(&place),
            values,
            source: read.source(&place),
        }
    }
}
