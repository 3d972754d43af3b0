//! Registers, predicates and memory that an instruction reads and writes.

use super::{Address, Callee, Code, Collective, Instruction, Op, Order, Passed, Reduction, Space, Update, Vote, Wide};
use crate::exec::form::{Destination, Source};
use crate::exec::{Mask, Reg};

/// The registers and predicates of an instruction, in the order of its text. Slots of results do
/// not negate.
#[derive(Debug, Default)]
pub(crate) struct Operands {
    pub(crate) results: Vec<Source>,
    pub(crate) operands: Vec<Source>,
    /// `true` if the results are the operands themselves: joined, split, inserted, or chosen by a
    /// predicate.
    pub(crate) hands_on: bool,
    /// The number of operands that become results unchanged, which are the first ones.
    handed: usize,
}

impl Operands {
    /// Returns the operands that become results unchanged.
    pub(crate) fn handed(&self) -> &[Source] {
        &self.operands[..self.handed]
    }

    /// Returns the other operands.
    pub(crate) fn read(&self) -> &[Source] {
        &self.operands[self.handed..]
    }
}

/// An access of memory by an instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched<'a> {
    pub(crate) space: Space,
    pub(crate) address: &'a Address,
    /// Bytes that a lane reads or writes.
    pub(crate) bytes: u64,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) order: Order,
    /// The lanes whose addresses are used.
    pub(crate) lanes: Mask,
    /// A distance of the lanes' bytes, if the lanes have one address: elements, and bits of each.
    pub(crate) stride: Option<(Reg, u32)>,
    /// The product whose factors in shared memory are read, in pieces of `bytes` bytes.
    pub(crate) pieces: Option<&'a Wide>,
}

impl Instruction {
    /// Returns the memory access. Returns `None` if the instruction accesses no memory.
    pub(crate) fn touched(&self) -> Option<Touched<'_>> {
        let (access, writes) = match &self.op {
            Op::Load(access) => (access, false),
            Op::Store(access) => (access, true),
            Op::Atomic(atomic) => {
                let bytes = atomic.ty.bytes().into();
                let (space, address, order) = (atomic.space, &atomic.address, atomic.order);
                return Some(Touched {
                    space,
                    address,
                    bytes,
                    reads: true,
                    writes: true,
                    order,
                    lanes: !0,
                    stride: None,
                    pieces: None,
                });
            }
            // The size of a copy with these operands is known only at run time.
            Op::Copy(copy) if copy.read.is_none() && copy.ignore.is_none() => {
                let (space, order) = (Space::Global, Order::default());
                return Some(Touched {
                    space,
                    address: &copy.from,
                    bytes: copy.bytes,
                    reads: true,
                    writes: false,
                    order,
                    lanes: !0,
                    stride: None,
                    pieces: None,
                });
            }
            Op::Matrix(matrix) => return matrix.touched(),
            _ => return None,
        };
        let (space, address, order) = (access.space, &access.address, access.order);
        Some(Touched {
            space,
            address,
            bytes: access.bytes(),
            reads: !writes,
            writes,
            order,
            lanes: !0,
            stride: None,
            pieces: None,
        })
    }
}

impl Code {
    /// Returns the name of a register or a predicate, or an empty text for a constant.
    pub(crate) fn name_of(&self, source: Source) -> &str {
        let found = match source {
            Source::Register(reg) => self.names.iter().find(|(of, _)| *of == reg).map(|(_, name)| name),
            Source::Predicate(slot) => {
                self.predicate_names.iter().find(|(at, _)| *at == slot >> 1).map(|(_, name)| name)
            }
        };
        found.map_or("", String::as_str)
    }

    /// Returns the operands of the instruction at `pc`.
    pub(crate) fn operands(&self, pc: u32) -> &Operands {
        let all = self.listed.get_or_init(|| self.instructions.iter().map(|i| i.op.operands()).collect());
        &all[pc as usize]
    }
}

impl Op {
    fn operands(&self) -> Operands {
        let predicate = |at: u32| Source::Predicate(at << 1);
        let register = |passed: &Passed| match passed {
            Passed::Register(reg) => Some(Source::Register(*reg)),
            Passed::Predicate(at) => Some(predicate(*at)),
            Passed::Local { .. } | Passed::Nothing => None,
        };
        let (mut results, mut operands) = (Vec::new(), Vec::new());
        match self {
            Self::Lanes { slots, layout, .. } => {
                for (i, (kind, &slot)) in layout.kinds().zip(slots).enumerate() {
                    let is_result = i < layout.results();
                    let place = match kind.bank() {
                        Some(bank) => Source::Register(Reg { bank, at: slot }),
                        None if is_result => predicate(slot),
                        None => Source::Predicate(slot),
                    };
                    if is_result { results.push(place) } else { operands.push(place) }
                }
            }
            Self::Form(form) => {
                operands.extend_from_slice(&form.sources);
                match form.destination {
                    Destination::Register(reg) => results.push(Source::Register(reg)),
                    Destination::Predicates(p, q) => results.extend([predicate(p), predicate(q)]),
                }
            }
            Self::Convert(conversion) => {
                results.push(Source::Register(conversion.result));
                operands.push(Source::Register(conversion.operand));
            }
            Self::OnParts(function) => {
                results.push(Source::Register(function.result));
                operands.extend(function.operands.map(Source::Register));
            }
            Self::Join(parts) => {
                results.push(Source::Register(parts.whole));
                operands.extend(parts.parts.iter().flatten().map(|reg| Source::Register(*reg)));
            }
            Self::Split(parts) => {
                results.extend(parts.parts.iter().flatten().map(|reg| Source::Register(*reg)));
                operands.push(Source::Register(parts.whole));
            }
            Self::Load(access) => {
                results.extend(access.registers.iter().flatten().map(|reg| Source::Register(*reg)));
                operands.extend(access.address.base.map(Source::Register));
            }
            Self::Store(access) => {
                let values = access.registers.iter().copied().flatten();
                operands.extend(access.address.base.into_iter().chain(values).map(Source::Register));
            }
            Self::Atomic(atomic) => {
                results.extend(atomic.result.map(Source::Register));
                let values = atomic.operands.iter().copied();
                operands.extend(atomic.address.base.into_iter().chain(values).map(Source::Register));
                if let Some((result, values)) = &atomic.upper {
                    results.push(Source::Register(*result));
                    operands.extend(values.iter().copied().map(Source::Register));
                }
            }
            Self::Allocate { address, bytes, .. } => {
                results.push(Source::Register(*address));
                operands.push(Source::Register(*bytes));
            }
            Self::SaveStack(reg) => results.push(Source::Register(*reg)),
            Self::RestoreStack(reg) => operands.push(Source::Register(*reg)),
            Self::Copy(copy) => {
                let registers = [copy.to.base, copy.from.base, copy.read].into_iter().flatten();
                operands.extend(registers.map(Source::Register).chain(copy.ignore.map(Source::Predicate)));
            }
            Self::Bulk(bulk) => bulk.operands(&mut operands),
            Self::Take(taken) => {
                results.extend([taken.address, taken.data[0], taken.data[1]].map(Source::Register));
                results.extend(taken.sizes.into_iter().chain([taken.any]).map(predicate));
                operands.push(Source::Register(taken.left));
            }
            Self::Clock(reg) => results.push(Source::Register(*reg)),
            Self::BranchIndex { index, .. } => operands.push(Source::Register(*index)),
            Self::Call(call) => {
                if let Callee::Pointed(reg) = call.callee {
                    operands.push(Source::Register(reg));
                }
                operands.extend(call.arguments.iter().filter_map(register));
                results.extend(call.results.iter().filter_map(register));
            }
            Self::System(call) => {
                operands.extend(call.arguments.iter().filter_map(register));
                results.extend(call.results.iter().filter_map(register));
            }
            Self::Barrier(barrier) => {
                operands.extend([Some(barrier.id), barrier.count].into_iter().flatten().map(Source::Register));
                if let Some((reduction, truth)) = barrier.reduction {
                    operands.push(Source::Predicate(truth));
                    results.push(match reduction {
                        Reduction::Popc(reg) => Source::Register(reg),
                        Reduction::And(p) | Reduction::Or(p) => predicate(p),
                    });
                }
            }
            Self::Warp(warp) => {
                warp.collective.operands(&mut results, &mut operands);
                operands.extend(warp.members.map(Source::Register));
            }
            Self::Matrix(matrix) => matrix.operands(&mut results, &mut operands),
            Self::Texture(texturing) => texturing.operands(&mut results, &mut operands),
            Self::Map { result, address, rank } => {
                results.push(Source::Register(*result));
                operands.extend([*address, *rank].map(Source::Register));
            }
            Self::RankOf { result, address } => {
                results.push(Source::Register(*result));
                operands.push(Source::Register(*address));
            }
            Self::IsSpace { predicate: p, address, .. } => {
                results.push(predicate(*p));
                operands.push(Source::Register(*address));
            }
            Self::ArriveCluster | Self::WaitCluster => {}
            Self::Branch(_) | Self::Return | Self::Exit | Self::Trap | Self::Fence | Self::Commit | Self::Nothing => {}
        }
        let hands_on = match self {
            Self::Lanes { layout, .. } => layout.hands_on(),
            Self::Join(_) | Self::Split(_) => true,
            _ => false,
        };
        // Of the instructions that hand on, `bfi` alone has four operands. It passes on the state
        // of the inserted bits, since compilers join bytes in a register to which nothing was
        // assigned.
        if hands_on && operands.len() == 4 && matches!(self, Self::Lanes { .. }) {
            operands.remove(1);
        }
        let handed = match &operands[..] {
            _ if !hands_on => 0,
            [_, _, Source::Predicate(_)] => 2,
            all => all.len(),
        };
        Operands { results, operands, hands_on, handed }
    }
}

impl Collective {
    fn operands(&self, results: &mut Vec<Source>, operands: &mut Vec<Source>) {
        let register = Source::Register;
        let predicate = |at: u32| Source::Predicate(at << 1);
        match *self {
            Self::Shuffle { result, found, a, b, c, .. } => {
                results.extend([register(result), predicate(found)]);
                operands.extend([a, b, c].map(register));
            }
            Self::Vote { mode, truth, result } => {
                operands.push(Source::Predicate(truth));
                results.push(if let Vote::Ballot(reg) = mode { register(reg) } else { predicate(result) });
            }
            Self::Active(reg) => results.push(register(reg)),
            Self::Sync => {}
            Self::Match { result, all, a } => {
                results.push(register(result));
                results.extend(all.map(predicate));
                operands.push(register(a));
            }
            Self::Reduce { result, a, .. } => {
                results.push(register(result));
                operands.push(register(a));
            }
            Self::Elect { result, predicate: p } => results.extend([register(result), predicate(p)]),
        }
    }
}

impl Update {
    /// Returns the form of a floating-point operation. Returns `None` for another operation.
    pub(crate) const fn form(&self) -> Option<&'static ptxf::spec::FormInfo> {
        match self {
            Self::Form(spelling) => Some(spelling.form),
            _ => None,
        }
    }
}
