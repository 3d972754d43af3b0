//! What an instruction says of itself: its name, its registers, and what it reads and writes in memory.

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, OpAccess, OpKind, Register};

/// Bytes that an instruction reads or writes at one place in memory.
pub(super) struct Access {
    pub(super) bytes: usize,
    pub(super) reads: bool,
    pub(super) writes: bool,
}

/// The name, of a vector instruction without the `v`.
pub(super) fn name(i: &Instruction) -> String {
    let text = format!("{:?}", i.mnemonic()).to_lowercase();
    if uses_vectors(i) { text.strip_prefix('v').map_or(text.clone(), str::to_owned) } else { text }
}

pub(super) fn registers(i: &Instruction) -> impl Iterator<Item = Register> {
    (0..i.op_count()).filter(|&k| i.op_kind(k) == OpKind::Register).map(|k| i.op_register(k))
}

/// Whether an operand is a vector or a mask.
pub(super) fn uses_vectors(i: &Instruction) -> bool {
    registers(i).any(|r| r.is_vector_register() || r.is_k())
}

pub(super) fn is_wide(i: &Instruction) -> bool {
    registers(i).any(Register::is_zmm)
}

pub(super) fn uses_memory(i: &Instruction) -> bool {
    (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory)
}

/// Whether the result is a mask.
pub(super) fn is_to_mask(i: &Instruction) -> bool {
    i.op_count() > 0 && i.op_kind(0) == OpKind::Register && i.op0_register().is_k()
}

/// Whether the lanes are floats, by how the name ends.
pub(super) fn is_float(name: &str) -> bool {
    ["ps", "pd", "ph", "ss", "sd", "sh"].iter().any(|end| name.ends_with(end))
}

/// Whether lanes of the result have another size than the operand's, so that they are moved as well.
pub(super) fn widens(i: &Instruction) -> bool {
    let sizes: Vec<_> = registers(i).map(|r| r.size()).collect();
    sizes.windows(2).any(|pair| pair[0] != pair[1])
}

/// Loads of an instruction: one, or one for each lane that is gathered.
pub(super) fn loads(i: &Instruction) -> u32 {
    if i.is_vsib() {
        let lane = i.memory_size().element_size().max(4);
        let index = i.memory_index().size() / if i.is_vsib64() { 8 } else { 4 };
        index.min(i.op0_register().size() / lane) as u32
    } else {
        1
    }
}

pub(super) fn accesses(i: &Instruction) -> Vec<Access> {
    let mut info = InstructionInfoFactory::new();
    let memory = info.info(i).used_memory().iter();
    let access = |memory: &iced_x86::UsedMemory| Access {
        bytes: memory.memory_size().size(),
        reads: matches!(memory.access(), OpAccess::Read | OpAccess::ReadWrite | OpAccess::CondRead),
        writes: matches!(memory.access(), OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite),
    };
    memory.map(access).collect()
}

/// Whether a conditional jump follows one of these instructions.
pub(super) fn jumps_after(names: &[&str], i: &Instruction, next: &Instruction) -> bool {
    next.flow_control() == FlowControl::ConditionalBranch && names.contains(&&*name(i))
}

/// Bytes that a round stores elsewhere than on the stack.
pub(super) fn stored(round: &[Instruction]) -> usize {
    let mut info = InstructionInfoFactory::new();
    let mut bytes = 0;
    for instruction in round {
        let info = info.info(instruction);
        let stores = info.used_memory().iter().filter(|m| m.access() == OpAccess::Write && m.base() != Register::RSP);
        bytes += stores.map(|m| m.memory_size().size()).sum::<usize>();
    }
    bytes
}
