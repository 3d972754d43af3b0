//! Finds races: accesses of the same bytes that nothing orders.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::clocks::{Clocks, Known, merge};
use super::moment::{Moment, Touch};
use super::report::{ReportKind, Reports};
use crate::code::{Op, Space, Touched};
use crate::exec::Mask;
use crate::exec::registers::lanes;
use crate::run::frame::thread;
use crate::run::launch::Launch;
use crate::run::memory::Allocation;

/// The size of a page in bytes, and the number of shards of pages. Shards keep blocks from waiting
/// for each other.
const PAGE: u64 = 1 << 12;
const SHARDS: u64 = 64;

/// An access.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    block: u32,
    thread: u16,
    is_strong: bool,
    writes: bool,
    /// The time of the access, or 0 for no access.
    time: u32,
    /// The position of the instruction in the text.
    at: u32,
    /// The written value, if it is known.
    value: Option<u32>,
}

/// The last write, and two later reads by different threads.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    write: Record,
    reads: [Record; 2],
}

/// Accesses of four bytes: of the whole word and of single bytes.
#[derive(Clone, Debug, Default)]
struct Word {
    whole: Cell,
    parts: Option<Box<[Cell; 4]>>,
}

/// Words of memory, by page.
#[derive(Debug, Default)]
struct Pages {
    pages: Vec<Box<[Word]>>,
    /// The index of each page.
    places: HashMap<u64, usize>,
    /// The last accessed page and its index, which is usually the next one.
    last: Option<(u64, usize)>,
}

impl Pages {
    /// Returns the word of a byte.
    fn word(&mut self, address: u64) -> &mut Word {
        let page = address / PAGE;
        let place = match self.last {
            Some((last, place)) if last == page => place,
            _ => *self.places.entry(page).or_insert_with(|| {
                self.pages.push(vec![Word::default(); PAGE as usize / 4].into());
                self.pages.len() - 1
            }),
        };
        self.last = Some((page, place));
        &mut self.pages[place][(address % PAGE) as usize / 4]
    }
}

/// State of all blocks: accesses of global memory, and rows that strong writes have published.
#[derive(Debug)]
pub(crate) struct Meetings {
    pages: Vec<Mutex<Pages>>,
    published: Mutex<HashMap<u64, Known>>,
}

impl Meetings {
    /// Makes the state, which is empty unless the check of races is on.
    pub(crate) fn new(is_needed: bool) -> Self {
        let shards = if is_needed { SHARDS } else { 0 };
        Self { pages: (0..shards).map(|_| Mutex::default()).collect(), published: Mutex::default() }
    }
}

/// A lock on a shard of global memory's pages, kept while consecutive lanes access the shard.
struct Held<'m> {
    meetings: &'m Meetings,
    shard: Option<(u64, MutexGuard<'m, Pages>)>,
}

impl Held<'_> {
    /// Returns the pages of the shard of an address.
    fn pages(&mut self, address: u64) -> &mut Pages {
        let shard = address / PAGE % SHARDS;
        if self.shard.as_ref().is_none_or(|(held, _)| *held != shard) {
            // A thread locks one shard at a time.
            self.shard = None;
            let pages = self.meetings.pages[shard as usize].lock().unwrap_or_else(PoisonError::into_inner);
            self.shard = Some((shard, pages));
        }
        let (_, pages) = self.shard.as_mut().expect("it was just locked");
        pages
    }
}

/// The check of races for the blocks on one CPU thread.
#[derive(Debug)]
pub(crate) struct Races {
    number: u32,
    clocks: Clocks,
    shared: Pages,
    /// Rows that were published in shared memory.
    published: HashMap<u64, Known>,
    /// Strong reads whose rows are merged after the instruction.
    reading: Vec<(usize, Space, u64)>,
    /// The masks of lanes that an instruction among lanes waits for.
    members: Vec<Mask>,
}

/// A race: its earlier access, and `true` if both wrote the same value.
#[derive(Clone, Copy, Debug)]
struct Conflict {
    with: Record,
    same_value: bool,
}

/// Returns the first race, unless it is a remark and the other one is not.
fn worse(first: Option<Conflict>, other: Option<Conflict>) -> Option<Conflict> {
    let is_more = other.is_some_and(|other| !other.same_value);
    first.filter(|first| !(first.same_value && is_more)).or(other)
}

impl Cell {
    /// Returns the race of an access with this one. Returns `None` if they are ordered.
    fn conflict(&self, with: &Record, ordered: &impl Fn(&Record) -> bool) -> Option<Conflict> {
        let meets = |old: &Record| old.time != 0 && !(old.is_strong && with.is_strong) && !ordered(old);
        let write = meets(&self.write).then(|| {
            let same_value = with.writes && with.value.is_some() && with.value == self.write.value;
            Conflict { with: self.write, same_value }
        });
        let read = self.reads.iter().find(|read| with.writes && meets(read));
        worse(write, read.map(|read| Conflict { with: *read, same_value: false }))
    }

    fn note(&mut self, access: Record, ordered: &impl Fn(&Record) -> bool) {
        if access.writes {
            *self = Self { write: access, reads: [Record::default(); 2] };
            return;
        }
        let is_free =
            |old: &Record| old.time == 0 || (old.block, old.thread) == (access.block, access.thread) || ordered(old);
        if let Some(place) = self.reads.iter_mut().find(|old| is_free(old)) {
            *place = access;
        }
    }
}

/// Returns a byte of a value.
fn byte(value: Option<u32>, i: usize) -> Option<u32> {
    value.map(|value| value >> (8 * i) & 0xff)
}

impl Word {
    /// Notes an access of bytes of a word. The value is that of the whole word.
    fn access(
        &mut self,
        bytes: std::ops::Range<usize>,
        access: Record,
        ordered: impl Fn(&Record) -> bool,
    ) -> Option<Conflict> {
        if bytes == (0..4) {
            let parts = self.parts.iter().flat_map(|parts| parts.iter().enumerate());
            let of_part =
                |(i, part): (usize, &Cell)| part.conflict(&Record { value: byte(access.value, i), ..access }, &ordered);
            let found = parts.map(of_part).fold(self.whole.conflict(&access, &ordered), worse);
            self.whole.note(access, &ordered);
            if access.writes {
                self.parts = None;
            }
            return found;
        }
        let mut found = None;
        for i in bytes {
            let access = Record { value: byte(access.value, i), ..access };
            let write = Record { value: byte(self.whole.write.value, i), ..self.whole.write };
            let whole = Cell { write, ..self.whole };
            let part = &mut self.parts.get_or_insert_default()[i];
            found = worse(worse(found, whole.conflict(&access, &ordered)), part.conflict(&access, &ordered));
            part.note(access, &ordered);
        }
        found
    }
}

impl Races {
    pub(crate) fn new(launch: &Launch<'_>) -> Self {
        Self {
            number: 0,
            clocks: Clocks::new(launch.threads().next_multiple_of(32) as usize),
            shared: Pages::default(),
            published: HashMap::new(),
            reading: Vec::new(),
            members: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self, number: u64) {
        self.number = number as u32;
        self.clocks.begin();
        self.published.clear();
    }

    pub(crate) fn before(&mut self, moment: &Moment<'_, '_>, meetings: &Meetings, reports: &mut Reports) {
        let warp = moment.warp.index as usize;
        let registers = &moment.frame().registers;
        let instruction = moment.instruction();
        self.reading.clear();
        match &instruction.op {
            Op::Fence => return self.clocks.fence(warp, moment.mask),
            Op::Barrier(barrier) if barrier.count.is_some() => {
                for lane in lanes(moment.mask) {
                    let id = registers.get(barrier.id, lane) as usize;
                    self.clocks.arrive(id, 32 * warp + lane, barrier.waits);
                }
            }
            Op::Warp(warp) => {
                self.members.clear();
                for members in warp.members.iter().flat_map(|reg| lanes(moment.mask).map(|l| registers.get(*reg, l))) {
                    let members = members as Mask & moment.warp.live;
                    if !self.members.contains(&members) {
                        self.members.push(members);
                    }
                }
            }
            _ => {}
        }
        let mut held = Held { meetings, shard: None };
        for (touched, touch) in moment.texels() {
            self.touch(moment, &touched, touch, &mut held, reports);
        }
        let Some(touched) = instruction.touched() else { return };
        if touched.order.releases {
            self.clocks.fence(warp, moment.mask);
        }
        for touch in moment.touches(&touched) {
            self.touch(moment, &touched, touch, &mut held, reports);
        }
    }

    fn touch(
        &mut self,
        moment: &Moment<'_, '_>,
        touched: &Touched<'_>,
        touch: Touch<'_>,
        global: &mut Held<'_>,
        reports: &mut Reports,
    ) {
        let Touch { lane, space, address, allocation } = touch;
        let bytes = touched.bytes;
        let number = 32 * moment.warp.index as usize + lane;
        let is_there = match space {
            Space::Shared => address.saturating_add(bytes) <= moment.launch().shared.into(),
            Space::Global => allocation.is_some_and(|found| !found.is_constant()),
            _ => false,
        };
        // An access outside of memory is a fault.
        if !is_there {
            return;
        }
        let mut time = self.clocks.time(number);
        if touched.order.strong {
            if touched.writes
                && let Some(known) = self.clocks.published(self.number, number)
            {
                let publish = |all: &mut HashMap<u64, Known>| {
                    let there = all.entry(address).or_default();
                    known.iter().for_each(|(block, row)| merge(there, *block, row));
                };
                match space {
                    Space::Shared => publish(&mut self.published),
                    _ => publish(&mut global.meetings.published.lock().unwrap_or_else(PoisonError::into_inner)),
                }
                // A thread that has seen the accesses before the fence has also seen this write.
                time = self.clocks.fenced(number) - 1;
            }
            if touched.reads {
                self.reading.push((number, space, address));
            }
        }
        let record = Record {
            block: self.number,
            thread: number as u16,
            is_strong: touched.order.strong,
            writes: touched.writes,
            time,
            at: moment.at(),
            value: None,
        };
        let mut conflict = None;
        let mut at = address;
        while at < address + bytes {
            let end = (address + bytes).min((at | 3) + 1);
            let range = (at % 4) as usize..(end - (at & !3)) as usize;
            let value = stored(moment, lane, at - address).map(|value| value << (8 * range.start));
            let access = Record { value, ..record };
            let clocks = &self.clocks;
            let ordered = |old: &Record| {
                // Accesses of a previous block to shared memory come before all accesses of this
                // block.
                if space == Space::Shared || old.block == record.block {
                    clocks.knows(number, old.thread.into(), old.time)
                } else {
                    clocks.knows_of(old.block, old.thread.into(), old.time)
                }
            };
            let pages = match space {
                Space::Shared => &mut self.shared,
                _ => global.pages(at),
            };
            let found = pages.word(at).access(range, access, ordered);
            conflict = worse(conflict, found);
            at = end;
        }
        if let Some(Conflict { with, same_value }) = conflict {
            let kind = if same_value { ReportKind::SameValue } else { ReportKind::Race };
            reports.add((kind, record.at, with.at), 1, || {
                (text_of(moment, touched, touch, &with, same_value, self.number), moment.site(lane))
            });
        }
    }

    pub(crate) fn after(&mut self, moment: &Moment<'_, '_>, meetings: &Meetings) {
        if let Op::Warp(_) = moment.instruction().op {
            self.members.iter().for_each(|members| self.clocks.meet(moment.warp.index as usize, *members));
        }
        self.members.clear();
        for (thread, space, address) in std::mem::take(&mut self.reading) {
            if space == Space::Shared {
                if let Some(known) = self.published.get(&address) {
                    self.clocks.learn_all(self.number, thread, known);
                }
                continue;
            }
            let all = meetings.published.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = all.get(&address) {
                self.clocks.learn_all(self.number, thread, known);
            }
        }
    }

    pub(crate) fn released(&mut self, barrier: usize, all: bool) {
        self.clocks.released(barrier, all);
    }

    /// Returns the accesses that the block has seen, after a barrier for all of its threads.
    pub(crate) fn known(&self) -> Known {
        self.clocks.known(self.number)
    }

    /// Handles a barrier with another block, which has seen these accesses.
    pub(crate) fn learn(&mut self, known: &Known) {
        self.clocks.learn_of(self.number, known);
    }
}

/// Returns up to four bytes that a lane stores at an offset. Returns `None` if it is not a plain
/// store.
fn stored(moment: &Moment<'_, '_>, lane: usize, offset: u64) -> Option<u32> {
    let Op::Store(access) = &moment.instruction().op else { return None };
    let bytes = u64::from(access.ty.bytes());
    let mut value = 0;
    for i in 0..4 {
        let Some(Some(reg)) = access.registers.get(((offset + i) / bytes) as usize) else { break };
        let byte = moment.frame().registers.get(*reg, lane) >> (8 * ((offset + i) % bytes)) & 0xff;
        value |= (byte as u32) << (8 * i);
    }
    Some(value)
}

fn text_of(
    moment: &Moment<'_, '_>,
    touched: &Touched<'_>,
    touch: Touch<'_>,
    with: &Record,
    same_value: bool,
    number: u32,
) -> String {
    let verb = |reads, writes| match (reads, writes) {
        (true, true) => "atomic access",
        (false, true) => "write",
        _ => "read",
    };
    let launch = moment.launch();
    let (address, bytes) = (touch.address, touched.bytes);
    let of = match touch.space {
        Space::Shared => "shared memory".to_owned(),
        _ => touch.allocation.map_or_else(String::new, Allocation::named),
    };
    let [x, y, z] = thread(launch, 0, with.thread.into());
    let block = if with.block == number {
        "this block".to_owned()
    } else {
        let [x, y, z] = launch.index(with.block.into());
        format!("block ({x}, {y}, {z})")
    };
    let line = launch.program.read.line(with.at);
    let own = verb(touched.reads, touched.writes);
    let other = if with.writes { "write" } else { "read" };
    let value = if same_value { ", of the same value" } else { "" };
    format!(
        "{own} of {bytes} bytes at {address:#x} of {of}, which nothing orders with the {other} by thread ({x}, {y}, {z}) of {block} in \
         line {line}{value}"
    )
}
