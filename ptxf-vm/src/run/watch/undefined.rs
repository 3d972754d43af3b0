//! Finds reads of unwritten registers and memory.
//!
//! `mov`, `selp` and `bfi` pass on the state of an unassigned register. An instruction that
//! computes with it is reported. Compilers emit such moves for values that a loop or a branch does
//! not use.

use super::moment::{Moment, Touch};
use super::pending::Pending;
use super::report::{ReportKind, Reports};
use crate::code::{Op, Passed, Space, Touched};
use crate::exec::form::Source;
use crate::exec::registers::{LANES, lanes};
use crate::exec::{Bank, Mask};
use crate::run::frame::Frame;
use crate::run::launch::Launch;
use crate::run::memory::Allocation;

/// The defined lanes of each register of a frame.
#[derive(Debug, Default)]
struct Shadow {
    /// The number of the call.
    serial: u64,
    b16: Vec<Mask>,
    b32: Vec<Mask>,
    b64: Vec<Mask>,
    predicates: Vec<Mask>,
}

/// The writes of a warp.
#[derive(Debug, Default)]
struct OfWarp {
    frames: Vec<Shadow>,
    /// The written bytes of each word of local memory, by lane.
    local: Vec<[u8; LANES]>,
    pending: Pending,
}

/// The writes of a block.
#[derive(Debug)]
pub(crate) struct Undefined {
    warps: Vec<OfWarp>,
    /// `true` for each written byte of shared memory.
    shared: Vec<bool>,
}

impl Shadow {
    /// Starts a call: declared registers are undefined, and arguments keep their state.
    fn begin(&mut self, frame: &Frame<'_>) {
        let code = frame.code;
        self.serial = frame.serial;
        let all = [(&mut self.b16, code.b16), (&mut self.b32, code.b32), (&mut self.b64, code.b64)];
        for (masks, count) in all.into_iter().chain([(&mut self.predicates, code.predicates)]) {
            masks.clear();
            masks.resize(count as usize, !0);
        }
        code.names.iter().for_each(|(reg, _)| *self.of(Source::Register(*reg)) = 0);
        code.predicate_names.iter().for_each(|(at, _)| *self.of(Source::Predicate(at << 1)) = 0);
        for parameter in &code.parameters {
            match parameter {
                Passed::Register(reg) => *self.of(Source::Register(*reg)) = !0,
                Passed::Predicate(at) => *self.of(Source::Predicate(at << 1)) = !0,
                Passed::Local { .. } | Passed::Nothing => {}
            }
        }
    }

    fn of(&mut self, source: Source) -> &mut Mask {
        match source {
            Source::Register(reg) => match reg.bank {
                Bank::B16 => &mut self.b16[reg.at as usize],
                Bank::B32 => &mut self.b32[reg.at as usize],
                Bank::B64 => &mut self.b64[reg.at as usize],
            },
            Source::Predicate(slot) => &mut self.predicates[(slot >> 1) as usize],
        }
    }
}

impl OfWarp {
    /// Returns the state of a frame, which may belong to a new call.
    fn shadow(&mut self, at: usize, frame: &Frame<'_>) -> &mut Shadow {
        if self.frames.len() <= at {
            self.frames.resize_with(at + 1, Shadow::default);
        }
        if self.frames[at].serial != frame.serial {
            self.frames[at].begin(frame);
            self.write_local(frame.mask, frame.base, frame.code.frame, false);
            for parameter in &frame.code.parameters {
                self.passed(frame, frame.mask, parameter);
            }
        }
        &mut self.frames[at]
    }

    /// Handles a value that was passed to a frame.
    fn passed(&mut self, frame: &Frame<'_>, mask: Mask, passed: &Passed) {
        if let Passed::Local { offset, bytes } = *passed {
            self.write_local(mask, frame.base + offset, bytes, true);
        }
    }

    fn write_local(&mut self, mask: Mask, from: u32, bytes: u32, is_written: bool) {
        let end = (from + bytes) as usize;
        if self.local.len() < end.div_ceil(4) {
            self.local.resize(end.div_ceil(4), [0; LANES]);
        }
        for at in from as usize..end {
            for lane in lanes(mask) {
                let bits = &mut self.local[at / 4][lane];
                *bits = *bits & !(1 << (at % 4)) | u8::from(is_written) << (at % 4);
            }
        }
    }

    fn undefined_local(&self, lane: usize, from: u64, bytes: u64) -> u64 {
        let is_written = |at: u64| self.local.get(at as usize / 4).is_some_and(|word| word[lane] >> (at % 4) & 1 != 0);
        (from..from + bytes).filter(|&at| !is_written(at)).count() as u64
    }
}

impl Undefined {
    pub(crate) fn new(launch: &Launch<'_>) -> Self {
        let warps = (0..launch.threads().div_ceil(32)).map(|_| OfWarp::default()).collect();
        Self { warps, shared: vec![false; launch.shared as usize] }
    }

    pub(crate) fn begin(&mut self) {
        self.shared.fill(false);
        self.warps.iter_mut().for_each(|warp| warp.pending.begin());
    }

    /// Handles a copy to these bytes of shared memory.
    pub(crate) fn filled(&mut self, address: u64, bytes: u64) {
        if let Some(written) = self.shared.get_mut(address as usize..address.saturating_add(bytes) as usize) {
            written.fill(true);
        }
    }

    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>, reports: &mut Reports) {
        let warp = &mut self.warps[moment.warp.index as usize];
        warp.pending.before(moment, reports);
        let shadow = warp.shadow(moment.group.frame, moment.frame());
        let mut read = |source, mask: Mask| {
            let defined = shadow.of(source);
            let undefined = mask & !*defined;
            if undefined != 0 && !moment.is_overwritten(source) {
                // A register is reported once: it then counts as defined.
                *defined |= undefined;
                let key = (ReportKind::UndefinedRegister, moment.at(), slot(source));
                reports.add(key, undefined.count_ones().into(), || {
                    let what = format!("`{}` is read, and nothing was assigned to it", moment.code().name_of(source));
                    (what, moment.site(undefined.trailing_zeros() as usize))
                });
            }
        };
        read(Source::Predicate(moment.instruction().guard), moment.group.mask);
        moment.operands().read().iter().for_each(|source| read(*source, moment.mask));
        if let Some(touched) = moment.instruction().touched()
            && moment.mask != 0
            && !self.row(moment, &touched)
        {
            for touch in moment.touches(&touched) {
                self.memory(moment, &touched, touch, reports);
            }
        }
        for (touched, touch) in moment.texels() {
            self.memory(moment, &touched, touch, reports);
        }
    }

    /// Handles an access of consecutive lanes if all bytes that it reads are defined. Otherwise
    /// does nothing.
    fn row(&mut self, moment: &Moment<'_, '_>, touched: &Touched<'_>) -> bool {
        let Touched { space, bytes, reads, writes, lanes, .. } = *touched;
        if moment.mask & lanes != !0 || touched.stride.is_some() || touched.pieces.is_some() || !bytes.is_power_of_two()
        {
            return false;
        }
        let Some(halves) = moment.warp.halves(moment.group.frame, touched.address, bytes, moment.mask) else {
            return false;
        };
        halves.into_iter().all(|half| {
            let length = half.elements as u64 * bytes;
            match space {
                Space::Shared => {
                    let range = half.start as usize..half.start.saturating_add(length) as usize;
                    let Some(written) = self.shared.get_mut(range) else { return false };
                    if reads && !written.iter().fold(true, |all, is_written| all & is_written) {
                        return false;
                    }
                    if writes {
                        written.fill(true);
                    }
                    true
                }
                Space::Global | Space::Const => moment.warp.whole(half, bytes).is_some_and(|found| {
                    let is_defined = !reads || found.undefined(half.start, length) == 0;
                    if is_defined && writes {
                        found.set_written(half.start, length);
                    }
                    is_defined
                }),
                Space::Input => true,
                Space::Local | Space::Generic => false,
            }
        })
    }

    fn memory(&mut self, moment: &Moment<'_, '_>, touched: &Touched<'_>, touch: Touch<'_>, reports: &mut Reports) {
        let Touch { lane, space, address, allocation } = touch;
        let bytes = touched.bytes;
        let warp = &mut self.warps[moment.warp.index as usize];
        let undefined = match space {
            Space::Shared => {
                let range = address as usize..address.saturating_add(bytes) as usize;
                // An access outside of memory is a fault.
                let Some(written) = self.shared.get_mut(range) else { return };
                let undefined = written.iter().filter(|is_written| !**is_written).count() as u64;
                if touched.writes {
                    written.fill(true);
                }
                undefined
            }
            Space::Local => {
                if address.saturating_add(bytes) > moment.frame().top.into() {
                    return;
                }
                let undefined = warp.undefined_local(lane, address, bytes);
                if touched.writes {
                    warp.write_local(1 << lane, address as u32, bytes as u32, true);
                }
                undefined
            }
            Space::Global => {
                let Some(found) = allocation else { return };
                let undefined = if touched.reads { found.undefined(address, bytes) } else { 0 };
                if touched.writes {
                    found.set_written(address, bytes);
                }
                undefined
            }
            Space::Input | Space::Const | Space::Generic => return,
        };
        if touched.reads && undefined > 0 {
            reports.add((ReportKind::UndefinedMemory, moment.at(), 0), 1, || {
                let of = match space {
                    Space::Shared => "shared memory".to_owned(),
                    Space::Local => "local memory".to_owned(),
                    _ => allocation.map_or_else(String::new, Allocation::named),
                };
                let what = format!("read of {bytes} bytes at {address:#x} of {of}, of which nobody wrote {undefined}");
                (what, moment.site(lane))
            });
        }
    }

    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>) {
        let warp = &mut self.warps[moment.warp.index as usize];
        warp.pending.after(moment);
        let shadow = warp.shadow(moment.group.frame, moment.frame());
        let defined = match (moment.operands().handed(), moment.operands().read()) {
            (&[a, b], &[Source::Predicate(slot)]) => {
                let chosen = moment.frame().registers.truth(slot);
                *shadow.of(a) & chosen | *shadow.of(b) & !chosen
            }
            (handed, _) => handed.iter().fold(!0, |all, source| all & *shadow.of(*source)),
        };
        for result in &moment.operands().results {
            let of = shadow.of(*result);
            *of = *of & !moment.mask | defined & moment.mask;
        }
        // The results of a call are defined when it has returned.
        let mut passed = |results: &[Passed]| {
            results.iter().for_each(|result| warp.passed(moment.frame(), moment.mask, result));
        };
        match &moment.instruction().op {
            Op::Call(call) => passed(&call.results),
            Op::System(call) => passed(&call.results),
            Op::Allocate { address, bytes, .. } => {
                let registers = &moment.frame().registers;
                for lane in lanes(moment.mask) {
                    let [at, bytes] = [address, bytes].map(|reg| registers.get(*reg, lane) as u32);
                    warp.write_local(1 << lane, at, bytes, false);
                }
            }
            _ => {}
        }
    }
}

/// Returns a number that is unique among the registers and predicates of a function.
fn slot(source: Source) -> u32 {
    match source {
        Source::Register(reg) => 4 * reg.at + reg.bank.bits() / 32,
        Source::Predicate(slot) => 4 * (slot >> 1) + 3,
    }
}
