//! A lowered function: instructions whose operands are places.

mod bulk;
mod matrix;
mod operands;
mod texture;

use std::sync::OnceLock;

use ptxf::spec::Spelling;
use ptxf_text::{Span, Ty};

use crate::exec::convert::Conversion;
use crate::exec::form::Form;
use crate::exec::mbarrier::Arrival;
use crate::exec::moves::Parts;
use crate::exec::video::OnParts;
use crate::exec::{Bank, Layout, Reg, Registers, Run, Slots};

pub(crate) use bulk::{Bulk, Far};
pub(crate) use matrix::{Allowed, Factor, Group, Matrix, Multiply, Rows, Scaled, Tile, Wide};
pub(crate) use operands::{Operands, Touched};
pub(crate) use texture::{Attribute, Beyond, Delivered, Fetch, Plain, Surface, Texturing, Where};

/// A function that is ready to run.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) name: String,
    /// The number of the function in its module.
    pub(crate) index: usize,
    pub(crate) instructions: Vec<Instruction>,
    /// Places of instructions in the text and in their source file, indexed by `Instruction::at`.
    pub(crate) places: Vec<Place>,
    /// The numbers of registers of each width, and of predicates.
    pub(crate) b16: u32,
    pub(crate) b32: u32,
    pub(crate) b64: u32,
    pub(crate) predicates: u32,
    /// The registers at the start of a call. Constants have their values in every lane.
    pub(crate) template: Registers,
    /// Registers with values of a thread or a launch.
    pub(crate) specials: Vec<(Reg, Special)>,
    /// Registers with the address of a variable in the frame.
    pub(crate) locals: Vec<(Reg, u32)>,
    /// Bytes of local memory of a call.
    pub(crate) frame: u32,
    /// Places of arguments and results.
    pub(crate) parameters: Vec<Passed>,
    pub(crate) returns: Vec<Passed>,
    /// Names of registers and predicates, for messages. Constants have no names.
    pub(crate) names: Vec<(Reg, String)>,
    pub(crate) predicate_names: Vec<(u32, String)>,
    /// Functions that are called by name.
    pub(crate) calls: Vec<(usize, Span)>,
    /// Operands of each instruction, for checks and tools.
    pub(crate) listed: OnceLock<Vec<Operands>>,
}

/// A place of an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) span: Span,
    /// The number of a source file and a line in it, or 0 if the text has no `.loc`.
    pub(crate) file: u32,
    pub(crate) line: u32,
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    /// The predicate of the lanes that take part. The lowest bit negates it.
    pub(crate) guard: u32,
    /// The index of the place in `Code::places`.
    pub(crate) at: u32,
    pub(crate) op: Op,
}

/// An operation.
#[derive(Debug)]
pub(crate) enum Op {
    /// An operation on registers only.
    Lanes {
        run: Run,
        slots: Slots,
        layout: Layout,
    },
    Form(Box<Form>),
    Convert(Box<Conversion>),
    OnParts(Box<OnParts>),
    Join(Box<Parts>),
    Split(Box<Parts>),
    Load(Box<Access>),
    Store(Box<Access>),
    Atomic(Box<Atomic>),
    /// `cp.async`, the end of a group of copies, or a wait for copies.
    Copy(Box<CopyAsync>),
    Commit,
    Take(Box<Taken>),
    Bulk(Box<Bulk>),
    /// Memory of the frame for each lane: its address, its size, and its alignment.
    Allocate {
        address: Reg,
        bytes: Reg,
        align: u32,
    },
    /// Reads and writes the end of the frame's memory.
    SaveStack(Reg),
    RestoreStack(Reg),
    /// Reads the number of instructions that a warp has run.
    Clock(Reg),
    Branch(u32),
    /// A branch to one of several targets, by an index.
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
    Matrix(Box<Matrix>),
    Texture(Box<Texturing>),
    /// An arrival at the barrier of the cluster, and a wait for the arrivals of all threads.
    ArriveCluster,
    WaitCluster,
    /// The address of a byte of shared memory in another block of the cluster.
    Map {
        result: Reg,
        address: Reg,
        rank: Reg,
    },
    /// The rank of the block of the cluster whose shared memory has an address.
    RankOf {
        result: Reg,
        address: Reg,
    },
    /// Checks the state space of a generic address.
    IsSpace {
        /// `true` if shared memory of other blocks of the cluster counts.
        of_cluster: bool,
        space: Space,
        predicate: u32,
        address: Reg,
    },
    /// A fence. All accesses are in order, so that only the check of races uses it.
    Fence,
    /// A hint without an effect.
    Nothing,
}

/// A value of a thread or of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    ClusterId(usize),
    ClusterCount(usize),
    /// The index of the block in its cluster, and the size of the cluster.
    ClusterCtaid(usize),
    ClusterNctaid(usize),
    ClusterRank,
    ClusterSize,
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
    /// An offset from the region of shared memory that is reserved for the system, and its size.
    Reserved(u32),
    ReservedSize,
    /// The lower and the upper half of the address of the workspace of a cooperative launch, or 0.
    Workspace,
    UpperWorkspace,
    Zero,
    One,
}

impl Special {
    /// Returns `true` if the lanes of a warp have different values.
    pub(crate) const fn differs(self) -> bool {
        use Special::{LaneId, MaskEq, MaskGe, MaskGt, MaskLe, MaskLt, Tid};
        matches!(self, Tid(_) | LaneId | MaskEq | MaskLt | MaskLe | MaskGt | MaskGe)
    }
}

/// A kind of memory that an access addresses.
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

/// An address: the sum of a register and a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) base: Option<Reg>,
    pub(crate) offset: u64,
    /// `true` if the address is relative to the frame's local memory.
    pub(crate) in_frame: bool,
}

/// The memory order of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// `true` for `.volatile`, `.relaxed`, stronger orders, and atomic operations.
    pub(crate) strong: bool,
    /// `true` for `.release` and `.acq_rel`.
    pub(crate) releases: bool,
}

/// A load or a store of one or several elements.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) address: Address,
    pub(crate) ty: Ty,
    /// Registers of the elements. `None` drops an element.
    pub(crate) registers: Vec<Option<Reg>>,
}

impl Access {
    /// Returns the number of bytes that the access touches in each lane.
    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.ty.bytes()) * self.registers.len() as u64
    }

    /// Returns `true` if 128 bits are accessed at once, as atomic operations on them are.
    pub(crate) fn is_pair(&self) -> bool {
        self.order.strong && self.ty.bits == 64 && self.registers.len() == 2
    }
}

/// An operation of `atom` and `red`.
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
    /// An operation on an `mbarrier` object.
    Arrival(Arrival),
    /// A floating-point operation.
    Form(Spelling),
}

/// `atom`, or `red` if there is no result.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) address: Address,
    pub(crate) ty: Ty,
    /// The operations in global memory and in shared memory.
    pub(crate) update: Update,
    pub(crate) in_shared: Update,
    pub(crate) result: Option<Reg>,
    pub(crate) operands: Vec<Reg>,
    /// The upper halves of the result and the operands, of 128 bits.
    pub(crate) upper: Option<(Reg, Vec<Reg>)>,
    /// The alignment of the lowest element of a vector in bytes. An element of a vector is an
    /// operation of its own.
    pub(crate) align: u32,
}

/// `cp.async`: a copy from global to shared memory. The copy happens when its thread waits for it.
#[derive(Clone, Debug)]
pub(crate) struct CopyAsync {
    pub(crate) from: Address,
    pub(crate) to: Address,
    /// The size in bytes: 4, 8 or 16.
    pub(crate) bytes: u64,
    /// The number of bytes that are read, with zeros for the rest.
    pub(crate) read: Option<Reg>,
    /// A predicate: if it is true, nothing is read.
    pub(crate) ignore: Option<u32>,
}

/// A place for the next copy that has to be done, with a predicate of its size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    /// The number of groups that may stay pending.
    pub(crate) left: Reg,
    pub(crate) address: Reg,
    pub(crate) data: [Reg; 2],
    /// Predicates of copies of 4, 8 and 16 bytes.
    pub(crate) sizes: [u32; 3],
    pub(crate) any: u32,
}

/// A place of a value that a caller and a callee exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Passed {
    /// Bytes of the frame.
    Local {
        offset: u32,
        bytes: u32,
    },
    Register(Reg),
    Predicate(u32),
    /// A result that the caller drops.
    Nothing,
}

impl Passed {
    /// Returns the number of bytes.
    pub(crate) const fn bytes(self) -> u32 {
        match self {
            Self::Local { bytes, .. } => bytes,
            Self::Register(reg) => reg.bank.bits() / 8,
            Self::Predicate(_) | Self::Nothing => 0,
        }
    }
}

/// A target of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    Known(usize),
    /// The function whose address is in a register.
    Pointed(Reg),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    pub(crate) arguments: Vec<Passed>,
    pub(crate) results: Vec<Passed>,
}

/// A function that every device provides to CUDA's compilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum System {
    /// `vprintf(format, values)`, which compilers call for `printf`.
    Print,
    /// `__assertfail(message, file, line, function, size)`, which compilers call for a false
    /// `assert`.
    AssertFail,
    /// `malloc(bytes)`
    Allocate,
    /// `free(address)`
    Free,
}

impl System {
    /// Returns the function of this name, with the sizes in bytes of its parameters and results.
    /// Returns `None` for another name.
    pub(crate) fn named(name: &str) -> Option<(Self, &'static [u64], &'static [u64])> {
        match name {
            "vprintf" => Some((Self::Print, &[8, 8], &[4])),
            "malloc" => Some((Self::Allocate, &[8], &[8])),
            "free" => Some((Self::Free, &[8], &[])),
            "__assertfail" => Some((Self::AssertFail, &[8, 8, 4, 8, 8], &[])),
            _ => None,
        }
    }
}

/// A call of a system function.
#[derive(Clone, Debug)]
pub(crate) struct SystemCall {
    pub(crate) system: System,
    pub(crate) arguments: Vec<Passed>,
    pub(crate) results: Vec<Passed>,
}

/// A reduction at a barrier.
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
    /// The number of threads that the barrier waits for. `None` is the whole block.
    pub(crate) count: Option<Reg>,
    pub(crate) waits: bool,
    /// The reduction, and the predicate that it reduces.
    pub(crate) reduction: Option<(Reduction, u32)>,
}

/// A rule by which `shfl` chooses the lane to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Bfly,
    Idx,
}

/// A kind of `vote`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uni,
    Ballot(Reg),
}

/// An operation among the lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Collective {
    Shuffle {
        mode: Shuffle,
        result: Reg,
        found: u32,
        a: Reg,
        b: Reg,
        c: Reg,
    },
    /// A vote on a predicate.
    Vote {
        mode: Vote,
        truth: u32,
        result: u32,
    },
    /// The active lanes, without waiting.
    Active(Reg),
    /// `bar.warp.sync`
    Sync,
    /// Lanes with the same value. With a predicate: whether all lanes have the same value.
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
    /// An election of one lane.
    Elect {
        result: Reg,
        predicate: u32,
    },
}

/// An instruction among the lanes of a warp, which wait for the lanes of the member mask.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Warp {
    pub(crate) members: Option<Reg>,
    pub(crate) collective: Collective,
}

impl Code {
    /// Returns a new register.
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
