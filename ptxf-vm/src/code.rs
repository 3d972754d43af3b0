//! What lowering makes of a function: instructions whose operands are places.

mod operands;

use std::sync::OnceLock;

use ptxf::spec::Spelling;
use ptxf_text::{Span, Ty};

use crate::exec::convert::Conversion;
use crate::exec::form::Form;
use crate::exec::mbarrier::Arrival;
use crate::exec::moves::Parts;
use crate::exec::{Bank, Layout, Reg, Registers, Run, Slots};

pub(crate) use operands::{Operands, Touched};

/// A function, ready to run.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) name: String,
    /// The number of the function in its module.
    pub(crate) index: usize,
    pub(crate) instructions: Vec<Instruction>,
    /// Where instructions stand in the text and in their source, by their `at`.
    pub(crate) places: Vec<Place>,
    /// How many registers of each width there are, and predicates.
    pub(crate) b16: u32,
    pub(crate) b32: u32,
    pub(crate) b64: u32,
    pub(crate) predicates: u32,
    /// The registers as a call finds them, with numbers in those that hold one in every lane.
    pub(crate) template: Registers,
    /// Registers that hold what a thread knows of itself.
    pub(crate) specials: Vec<(Reg, Special)>,
    /// Registers that hold the address of something in the frame.
    pub(crate) locals: Vec<(Reg, u32)>,
    /// Bytes of local memory that a call takes.
    pub(crate) frame: u32,
    /// Where arguments are to be put, and results found.
    pub(crate) parameters: Vec<Passed>,
    pub(crate) returns: Vec<Passed>,
    /// Names of registers and of predicates, for messages. What has none was not declared: numbers, and what is always defined.
    pub(crate) names: Vec<(Reg, String)>,
    pub(crate) predicate_names: Vec<(u32, String)>,
    /// Which functions are called by name.
    pub(crate) calls: Vec<(usize, Span)>,
    /// What instructions read and write, for whoever watches them.
    pub(crate) listed: OnceLock<Vec<Operands>>,
}

/// Where an instruction comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) span: Span,
    /// The number of a source file and a line in it; 0 if nothing is known.
    pub(crate) file: u32,
    pub(crate) line: u32,
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    /// The predicate without which a lane does not take part; the lowest bit negates it.
    pub(crate) guard: u32,
    /// The place of its place.
    pub(crate) at: u32,
    pub(crate) op: Op,
}

/// What an instruction does.
#[derive(Debug)]
pub(crate) enum Op {
    /// Something on registers alone.
    Lanes {
        run: Run,
        slots: Slots,
        layout: Layout,
    },
    Form(Box<Form>),
    Convert(Box<Conversion>),
    Join(Box<Parts>),
    Split(Box<Parts>),
    Load(Box<Access>),
    Store(Box<Access>),
    Atomic(Box<Atomic>),
    /// `cp.async`, the end of a group of them, and what a wait takes.
    Copy(Box<CopyAsync>),
    Commit,
    Take(Box<Taken>),
    /// The number of instructions that a warp has run.
    Clock(Reg),
    Branch(u32),
    /// One of several targets, by an index.
    BranchIndex {
        index: Reg,
        targets: Box<[u32]>,
    },
    Call(Box<Call>),
    System(Box<SystemCall>),
    Return,
    Exit,
    Trap,
    Barrier(Box<Barrier>),
    Warp(Box<Warp>),
    /// Which space a generic address is in.
    IsSpace {
        space: Space,
        predicate: u32,
        address: Reg,
    },
    /// What orders memory: here all accesses are in order, and only who looks for races asks for it.
    Fence,
    /// What only advises.
    Nothing,
}

/// What a thread knows of itself and of its launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    LaneId,
    WarpId,
    WarpCount,
    MaskEq,
    MaskLt,
    MaskLe,
    MaskGt,
    MaskGe,
    DynamicShared,
    TotalShared,
    Zero,
    One,
}

impl Special {
    /// Whether the lanes of a warp know different things.
    pub(crate) const fn differs(self) -> bool {
        use Special::{LaneId, MaskEq, MaskGe, MaskGt, MaskLe, MaskLt, Tid};
        matches!(self, Tid(_) | LaneId | MaskEq | MaskLt | MaskLe | MaskGt | MaskGe)
    }
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Generic,
    Global,
    Const,
    Shared,
    Local,
    /// The arguments of the launch.
    Input,
}

/// An address: a register and a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) base: Option<Reg>,
    pub(crate) offset: u64,
    /// Whether it counts from where the frame's local memory begins.
    pub(crate) in_frame: bool,
}

/// Whether an access may meet others at its place, and orders what is around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// `.volatile`, `.relaxed` and stronger ones, and atomic operations.
    pub(crate) strong: bool,
    /// `.release`, `.acq_rel`
    pub(crate) releases: bool,
}

/// A load or a store of one or several elements.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) address: Address,
    pub(crate) ty: Ty,
    /// Where elements come from or go to; `None` for one that is dropped.
    pub(crate) registers: Vec<Option<Reg>>,
}

impl Access {
    /// How many bytes of a lane it touches.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.ty.bytes()) * self.registers.len() as u64
    }
}

/// What an atomic operation leaves in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Update {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareAndSwap,
    Increment,
    Decrement,
    /// Of an object of `mbarrier`.
    Arrival(Arrival),
    /// In floating point.
    Form(Spelling),
}

/// `atom` or, without a result, `red`.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) address: Address,
    pub(crate) ty: Ty,
    /// In global memory, and in shared memory where it differs.
    pub(crate) update: Update,
    pub(crate) in_shared: Update,
    pub(crate) result: Option<Reg>,
    pub(crate) operands: Vec<Reg>,
}

/// A copy from global to shared memory that is done where its thread waits for it.
#[derive(Clone, Debug)]
pub(crate) struct CopyAsync {
    pub(crate) from: Address,
    pub(crate) to: Address,
    /// 4, 8 or 16.
    pub(crate) bytes: u64,
    /// How many of them are read; the others are zeros.
    pub(crate) read: Option<Reg>,
    /// A predicate with which none is read.
    pub(crate) ignore: Option<u32>,
}

/// Where a copy goes that has to be done: the predicate of its size is true, and one of any.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// How many groups may be left.
    pub(crate) left: Reg,
    pub(crate) address: Reg,
    pub(crate) data: [Reg; 2],
    /// Of 4, 8 and 16 bytes.
    pub(crate) sizes: [u32; 3],
    pub(crate) any: u32,
}

/// A value that goes from a caller to what it calls, or back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Passed {
    /// Bytes of the frame.
    Local {
        offset: u32,
        bytes: u32,
    },
    Register(Reg),
    /// Nobody asks for it.
    Nothing,
}

impl Passed {
    /// How many bytes are passed.
    pub(crate) const fn bytes(self) -> u32 {
        match self {
            Self::Local { bytes, .. } => bytes,
            Self::Register(reg) => reg.bank.bits() / 8,
            Self::Nothing => 0,
        }
    }
}

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    Known(usize),
    /// The function whose address a register has.
    Pointed(Reg),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<Passed>,
    pub(crate) results: Vec<Passed>,
}

/// What CUDA's compilers call and every device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// `vprintf(format, values)`, which `printf` becomes.
    Print,
    /// `__assertfail(message, file, line, function, size)`, which a false `assert` becomes.
    AssertFail,
}

impl System {
    /// The function of this name, with the sizes of what it takes and returns in bytes.
    pub(crate) fn named(name: &str) -> Option<(Self, &'static [u64], &'static [u64])> {
        match name {
            "vprintf" => Some((Self::Print, &[8, 8], &[4])),
            "__assertfail" => Some((Self::AssertFail, &[8, 8, 4, 8, 8], &[])),
            _ => None,
        }
    }
}

/// A call of such a function.
#[derive(Clone, Debug)]
pub(crate) struct SystemCall {
    pub(crate) system: System,
    pub(crate) arguments: Vec<Passed>,
    pub(crate) results: Vec<Passed>,
}

/// What a barrier does beside counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Popc(Reg),
    And(u32),
    Or(u32),
}

/// `bar` or `barrier`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Barrier {
    pub(crate) id: Reg,
    /// How many threads it waits for; all of the block without one.
    pub(crate) count: Option<Reg>,
    pub(crate) waits: bool,
    /// What is counted, and where the answer goes.
    pub(crate) reduction: Option<(Reduction, u32)>,
}

/// How `shfl` finds the lane that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

/// How `vote` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uni,
    Ballot(Reg),
}

/// What happens among the lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Among {
    Shuffle {
        mode: Shuffle,
        result: Reg,
        found: u32,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    /// The predicate that is voted on, and the one that gets the answer.
    Vote {
        mode: Vote,
        truth: u32,
        result: u32,
    },
    /// Lanes that are there, without waiting.
    Active(Reg),
    /// `bar.warp.sync`
    Sync,
    /// Lanes with the same value; with a predicate, whether all have it.
    Match {
        result: Reg,
        all: Option<u32>,
        a: Reg,
    },
    /// A reduction of values.
    Reduce {
        update: Update,
        ty: Ty,
        result: Reg,
        a: Reg,
    },
    /// One lane is true.
    Elect {
        result: Reg,
        predicate: u32,
    },
}

/// An instruction among the lanes of a warp, which wait for those of the member mask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Warp {
    pub(crate) members: Option<Reg>,
    pub(crate) among: Among,
}

impl Code {
    /// A register that did not exist.
    pub(crate) fn fresh(&mut self, bank: Bank) -> Reg {
        let count = match bank {
            Bank::B16 => &mut self.b16,
            Bank::B32 => &mut self.b32,
            Bank::B64 => &mut self.b64,
        };
        let at = *count;
        *count += 1;
        Reg { bank, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_small() {
        assert!(size_of::<Instruction>() <= 40, "{}", size_of::<Instruction>());
    }
}
