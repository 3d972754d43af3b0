//! Runs calls and returns.

use super::fault::FaultKind;
use super::frame::Frame;
use super::warp::{Group, Next, Warp, Wrong};
use crate::code::{Call, Callee, Code, Op, Passed};
use crate::exec::registers::lanes;
use crate::exec::{Mask, Registers};
use crate::lower::function_at;

/// The most nested calls.
const DEEPEST: u32 = 4096;
/// The most local memory of a thread, in bytes.
pub(crate) const MOST_LOCAL: u32 = 512 << 10;
/// The alignment of frames in bytes.
const ALIGN: u32 = 16;

impl<'l> Warp<'l> {
    /// Returns a frame for a call. Its local memory follows the memory of its caller.
    pub(crate) fn frame(&mut self, code: &'l Code, caller: Option<(usize, u32)>, depth: u32, mask: Mask) -> usize {
        let base = caller.map_or(0, |(frame, _)| self.frames[frame].top);
        let top = (base + code.frame).next_multiple_of(ALIGN);
        self.local.reserve(base, code.frame, mask);
        let registers = Registers::default();
        self.calls += 1;
        let mut frame = Frame { serial: self.calls, code, registers, base, top, tops: None, caller, mask, depth };
        let at = self.unused.pop().unwrap_or(self.frames.len());
        if let Some(old) = self.frames.get_mut(at) {
            std::mem::swap(&mut frame.registers, &mut old.registers);
        }
        frame.prepare(self.launch, self.identity);
        match self.frames.get_mut(at) {
            Some(old) => *old = frame,
            None => self.frames.push(frame),
        }
        at
    }

    /// Runs a call in every lane.
    pub(crate) fn call(&mut self, group: &Group, call: &Call, mask: Mask) -> Result<Next, Wrong> {
        self.send(group, group.pc + 1, group.frame, group.mask & !mask);
        let mut left = mask;
        while left != 0 {
            let lane = left.trailing_zeros();
            let (index, same) = match call.callee {
                Callee::Known(index) => (index, left),
                Callee::Pointed(reg) => {
                    let registers = &self.frames[group.frame].registers;
                    let address = registers.get(reg, lane as usize);
                    let same = lanes(left).filter(|&l| registers.get(reg, l) == address).fold(0, |m, l| m | 1 << l);
                    let known = function_at(address).filter(|&i| i < self.launch.program.read.unit.functions.len());
                    let index = known.ok_or_else(|| {
                        let what = format!("call of {address:#x}, which is not the address of a function");
                        Wrong { lane, kind: FaultKind::Call, what, buffer: None }
                    })?;
                    (index, same)
                }
            };
            left &= !same;
            self.enter(group, call, index, same)?;
        }
        Ok(Next::Changed)
    }

    fn enter(&mut self, group: &Group, call: &Call, index: usize, mask: Mask) -> Result<(), Wrong> {
        let wrong = |kind, what: String| Wrong { lane: mask.trailing_zeros(), kind, what, buffer: None };
        let read = &*self.launch.program.read;
        let function = &read.unit.functions[index];
        let name = function.name.of(&read.unit.text);
        if function.body.is_none() {
            return Err(wrong(FaultKind::Trap, format!("call of `{name}`, which is declared and has no body")));
        }
        let launch = self.launch;
        let code = launch.program.code(index).map_err(|e| wrong(FaultKind::Call, format!("call of `{name}`: {e}")))?;
        if code.parameters.len() != call.arguments.len() || code.returns.len() != call.results.len() {
            let what =
                format!("call of `{name}` with {} arguments and {} results", call.arguments.len(), call.results.len());
            return Err(wrong(FaultKind::Call, what));
        }
        let (depth, top) = (self.frames[group.frame].depth + 1, self.frames[group.frame].top);
        if depth > DEEPEST || top.saturating_add(code.frame) > MOST_LOCAL {
            let what = format!("call of `{name}` at depth {depth} with {} bytes of local memory in use", top);
            return Err(wrong(FaultKind::StackOverflow, what));
        }
        let frame = self.frame(code, Some((group.frame, group.pc)), depth, mask);
        for (from, to) in call.arguments.iter().zip(&code.parameters) {
            self.pass_value((group.frame, *from), (frame, *to), mask);
        }
        self.send(group, 0, frame, mask);
        Ok(())
    }

    /// Copies a value between frames.
    fn pass_value(&mut self, (from_frame, from): (usize, Passed), (to_frame, to): (usize, Passed), mask: Mask) {
        if let (Passed::Predicate(from), Passed::Predicate(to)) = (from, to) {
            let truth = self.frames[from_frame].registers.truth(from << 1);
            self.frames[to_frame].registers.set_truth(to, truth, mask);
        }
        let bytes = from.bytes().min(to.bytes());
        for lane in lanes(mask) {
            let mut done = 0;
            while done < bytes {
                // A piece is at most the remaining bytes, and never crosses a multiple of its size.
                let left = bytes - done;
                let aligned = |passed: Passed| match passed {
                    Passed::Local { offset, .. } => 1 << (offset + done).trailing_zeros().min(3),
                    _ => 8,
                };
                let piece = aligned(from).min(aligned(to)).min(if left >= 8 { 8 } else { 1 << left.ilog2() });
                let value = match from {
                    Passed::Local { offset, .. } => {
                        self.local.read(lane, self.frames[from_frame].base + offset + done, piece)
                    }
                    Passed::Register(reg) => self.frames[from_frame].registers.get(reg, lane) >> (8 * done),
                    // A predicate has no bytes.
                    Passed::Predicate(_) | Passed::Nothing => 0,
                };
                match to {
                    Passed::Local { offset, .. } => {
                        self.local.write(lane, self.frames[to_frame].base + offset + done, piece, value);
                    }
                    // A register has at most eight bytes, which is one piece.
                    Passed::Register(reg) => self.frames[to_frame].registers.set(reg, lane, value),
                    Passed::Predicate(_) | Passed::Nothing => {}
                }
                done += piece;
            }
        }
    }

    /// Returns from a function. A return from the entry ends the threads.
    pub(crate) fn leave(&mut self, group: &Group, mask: Mask) {
        let Some((caller, at)) = self.frames[group.frame].caller else { return self.exit(group.frame, mask) };
        let caller_code = self.frames[caller].code;
        if let Op::Call(call) = &caller_code.instructions[at as usize].op {
            let code = self.frames[group.frame].code;
            for (from, to) in code.returns.iter().zip(&call.results) {
                self.pass_value((group.frame, *from), (caller, *to), mask);
            }
        }
        self.shrink(group.frame, mask);
        self.send(group, at + 1, caller, mask);
    }

    /// Ends threads with all of their calls.
    pub(crate) fn exit(&mut self, frame: usize, mask: Mask) {
        self.live &= !mask;
        let mut next = Some(frame);
        while let Some(frame) = next {
            next = self.frames[frame].caller.map(|(caller, _)| caller);
            self.shrink(frame, mask);
        }
        self.wake();
    }

    fn shrink(&mut self, frame: usize, mask: Mask) {
        self.frames[frame].mask &= !mask;
        if self.frames[frame].mask == 0 {
            self.unused.push(frame);
        }
    }
}
