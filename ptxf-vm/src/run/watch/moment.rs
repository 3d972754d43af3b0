//! An execution of an instruction, as checks and tools see it.

use crate::code::{Address, Code, Instruction, Matrix, Op, Operands, Order, Space, Touched};
use crate::exec::Mask;
use crate::exec::form::Source;
use crate::exec::registers::{LANES, lanes};
use crate::run::access::is_in;
use crate::run::fault::Site;
use crate::run::frame::Frame;
use crate::run::launch::Launch;
use crate::run::memory::Allocation;
use crate::run::warp::{Group, Warp};
use crate::run::{INPUT_WINDOW, LOCAL_WINDOW, SHARED_WINDOW};

/// An instruction and the threads that run it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a, 'l> {
    pub(crate) warp: &'a Warp<'l>,
    pub(crate) group: &'a Group,
    /// The lanes whose guard is true.
    pub(crate) mask: Mask,
    /// The index of the block in the grid.
    pub(crate) block: [u32; 3],
}

/// Bytes that a lane reads or writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<'l> {
    pub(crate) lane: usize,
    /// A state space that is not generic.
    pub(crate) space: Space,
    /// The address within the space.
    pub(crate) address: u64,
    /// The allocation of an address in global or constant memory. `None` if the access is a fault.
    pub(crate) allocation: Option<&'l Allocation>,
}

impl<'a, 'l> Moment<'a, 'l> {
    pub(crate) fn launch(&self) -> &'l Launch<'l> {
        self.warp.launch
    }

    pub(crate) fn frame(&self) -> &'a Frame<'l> {
        &self.warp.frames[self.group.frame]
    }

    pub(crate) fn code(&self) -> &'l Code {
        self.frame().code
    }

    pub(crate) fn instruction(&self) -> &'l Instruction {
        &self.code().instructions[self.group.pc as usize]
    }

    pub(crate) fn operands(&self) -> &'l Operands {
        self.code().operands(self.group.pc)
    }

    /// Returns `true` if the instruction does not read the old value of this operand: D of a
    /// `wgmma` that only writes it.
    pub(crate) fn is_overwritten(&self, source: Source) -> bool {
        let (Op::Matrix(matrix), Source::Register(reg)) = (&self.instruction().op, source) else { return false };
        match &**matrix {
            Matrix::Wide(wide) => wide.d.contains(&reg) && self.frame().registers.truth(wide.keeps) == 0,
            _ => false,
        }
    }

    /// Returns the position of the instruction in the text.
    pub(crate) fn at(&self) -> u32 {
        let place = self.code().places.get(self.instruction().at as usize);
        place.map_or(0, |place| place.span.start)
    }

    pub(crate) fn site(&self, lane: usize) -> Site {
        self.warp.site(self.block, self.group, lane as u32)
    }

    /// Returns the bits of an operand in a lane.
    pub(crate) fn value(&self, source: Source, lane: usize) -> u64 {
        let registers = &self.frame().registers;
        match source {
            Source::Register(reg) => registers.get(reg, lane),
            Source::Predicate(slot) => (registers.truth(slot) >> lane & 1).into(),
        }
    }

    /// Returns the accesses of an instruction on textures or surfaces.
    pub(crate) fn texels(&self) -> Vec<(Touched<'static>, Touch<'l>)> {
        static NOWHERE: Address = Address { base: None, offset: 0, in_frame: false };
        let Op::Texture(op) = &self.instruction().op else { return Vec::new() };
        let (reads, writes) = op.accesses();
        let order = Order { strong: reads && writes, releases: false };
        let memory = self.launch().memory;
        let touch = |(lane, address, bytes)| {
            let touched = Touched {
                space: Space::Global,
                address: &NOWHERE,
                bytes,
                reads,
                writes,
                order,
                lanes: 0,
                stride: None,
                pieces: None,
            };
            let allocation = memory.find(address, bytes).ok();
            (touched, Touch { lane, space: Space::Global, address, allocation })
        };
        self.warp.texels(self.group.frame, op, self.mask).into_iter().map(touch).collect()
    }

    /// Returns the bytes that the lanes read or write.
    pub(crate) fn touches(&self, touched: &Touched<'_>) -> impl Iterator<Item = Touch<'l>> + use<'l> {
        let frame = self.group.frame;
        // Usually an address for each lane, without an allocation.
        let (pieces, mask, addresses) = if let Some(wide) = touched.pieces {
            (self.warp.pieces(frame, wide), 0, [0; LANES])
        } else {
            let mut addresses = self.warp.addresses(frame, touched.address);
            if let Some((stride, bits)) = touched.stride {
                self.warp.spread(frame, &mut addresses, stride, bits);
            }
            (Vec::new(), self.mask & touched.lanes, addresses)
        };
        let places = pieces.into_iter().chain(lanes(mask).map(move |lane| (lane, addresses[lane])));
        let (named, bytes, memory) = (touched.space, touched.bytes, self.launch().memory);
        let mut last: Option<&'l Allocation> = None;
        places.map(move |(lane, address)| {
            let windows = [(Space::Shared, SHARED_WINDOW), (Space::Local, LOCAL_WINDOW), (Space::Input, INPUT_WINDOW)];
            let (space, window) = match named {
                Space::Generic => {
                    let inside = windows.into_iter().find(|(space, _)| is_in(*space, address));
                    inside.unwrap_or((Space::Global, 0))
                }
                Space::Const => (Space::Global, 0),
                space => (space, 0),
            };
            let address = address - window;
            let mut allocation = None;
            if space == Space::Global {
                // Usually the allocation is that of the previous lane.
                allocation = last.filter(|last| last.has(address, bytes)).or_else(|| memory.find(address, bytes).ok());
                last = allocation;
            }
            Touch { lane, space, address, allocation }
        })
    }
}
