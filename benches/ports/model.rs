//! Which ports an instruction's micro-operations may go to, on Intel's cores.
//!
//! From the tables of uops.info and Intel's optimization manual (chapter 2). What is not listed goes to any port of its kind.

use std::fmt::Write as _;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, OpKind, Register};

/// A set of ports, a bit for each.
type Ports = u16;

const P0: Ports = 1;
const P1: Ports = 1 << 1;
const P5: Ports = 1 << 5;
const P6: Ports = 1 << 6;
const P10: Ports = 1 << 10;
/// Of the divider, which a division holds for some cycles.
const DIVIDER: Ports = 1 << 12;

/// A core whose ports are known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cpu {
    /// Skylake with AVX-512, Ice Lake: ports 0, 1 and 5 have vectors; of 512 bits 0 (with what is 1's else) and 5.
    SkylakeX,
    /// Golden Cove and those after it: adders at 1 and 5, a third load.
    GoldenCove,
}

impl Cpu {
    /// Of this machine, by what `/proc/cpuinfo` says.
    pub(crate) fn own() -> Result<Self, String> {
        let text = std::fs::read_to_string("/proc/cpuinfo").map_err(|e| format!("/proc/cpuinfo: {e}"))?;
        let has = |word: &str| text.split_whitespace().any(|w| w == word);
        match (has("GenuineIntel"), has("avx512_fp16"), has("avx512bw")) {
            (true, true, _) => Ok(Self::GoldenCove),
            (true, false, true) => Ok(Self::SkylakeX),
            _ => Err("the ports of this CPU are not listed (benches/ports/model.rs)".into()),
        }
    }

    /// The fewest cycles of a round, and the ports that take as many.
    pub(super) fn cycles(self, round: &[Instruction]) -> (f64, String) {
        let uops = self.uops(round);
        let mut used: Vec<Ports> = uops.iter().map(|(ports, _)| *ports).collect();
        used.sort_unstable();
        used.dedup();
        // What has to go to a set of ports takes its share of each at least. The sets that matter are unions of those used.
        let mut sets = vec![0];
        for ports in used {
            for i in 0..sets.len() {
                let set: Ports = sets[i] | ports;
                if !sets.contains(&set) {
                    sets.push(set);
                }
            }
        }
        let bound = |set: Ports| {
            let inside: u32 = uops.iter().filter(|(ports, _)| ports & !set == 0).map(|(_, count)| count).sum();
            f64::from(inside) / f64::from(set.count_ones())
        };
        let bounds = sets.into_iter().filter(|set| *set != 0).map(|set| (bound(set), name(set)));
        let width = match self {
            Self::SkylakeX => 4.0,
            Self::GoldenCove => 6.0,
        };
        let front = (round.len() - fused(round)) as f64 / width;
        bounds.chain([(front, "front end".to_owned())]).max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap_or_default()
    }

    /// The micro-operations of a round: where they may go, and how many there are.
    fn uops(self, round: &[Instruction]) -> Vec<(Ports, u32)> {
        let wide = round.iter().any(|i| registers(i).any(Register::is_zmm));
        let mut info = InstructionInfoFactory::new();
        let mut uops = Vec::new();
        for (i, instruction) in round.iter().enumerate() {
            for memory in info.info(instruction).used_memory() {
                let zmm = memory.memory_size().size() == 64;
                if matches!(memory.access(), OpAccess::Read | OpAccess::ReadWrite | OpAccess::CondRead) {
                    uops.push((self.loads(zmm), loads(instruction)));
                }
                if matches!(memory.access(), OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite) {
                    uops.extend(self.stores(zmm));
                }
            }
            let is_fused = round.get(i + 1).is_some_and(|next| fuses(instruction, next));
            if !is_fused {
                self.compute(instruction, wide, &mut uops);
            }
        }
        uops
    }

    fn loads(self, zmm: bool) -> Ports {
        match self {
            Self::GoldenCove if !zmm => 1 << 2 | 1 << 3 | 1 << 11,
            Self::GoldenCove | Self::SkylakeX => 1 << 2 | 1 << 3,
        }
    }

    fn stores(self, zmm: bool) -> [(Ports, u32); 2] {
        match self {
            Self::SkylakeX => [(1 << 4, 1), (1 << 2 | 1 << 3 | 1 << 7, 1)],
            // Both data ports are one for 512 bits.
            Self::GoldenCove => [(1 << 4 | 1 << 9, if zmm { 2 } else { 1 }), (1 << 7 | 1 << 8, 1)],
        }
    }

    /// What is neither load nor store.
    fn compute(self, i: &Instruction, wide: bool, uops: &mut Vec<(Ports, u32)>) {
        let scalar = match self {
            Self::SkylakeX => P0 | P1 | P5 | P6,
            Self::GoldenCove => P0 | P1 | P5 | P6 | P10,
        };
        let any = if wide { P0 | P5 } else { P0 | P1 | P5 };
        // Multipliers; shifters, of which port 5 has none; shuffles, of which port 1 has those inside of 128 bits.
        let floats = if wide { P0 | P5 } else { P0 | P1 };
        let shifts = if wide { P0 } else { P0 | P1 };
        let inside = if wide || self == Self::SkylakeX { P5 } else { P1 | P5 };
        let adds = match self {
            Self::GoldenCove if !wide => P1 | P5,
            Self::GoldenCove | Self::SkylakeX => floats,
        };
        let text = format!("{:?}", i.mnemonic()).to_lowercase();
        let from_memory = (0..i.op_count()).any(|k| i.op_kind(k) == OpKind::Memory);
        let to_mask = i.op_count() > 0 && i.op_kind(0) == OpKind::Register && i.op0_register().is_k();
        if !registers(i).any(|r| r.is_vector_register() || r.is_k()) {
            let ports = match i.flow_control() {
                FlowControl::ConditionalBranch => P0 | P6,
                FlowControl::UnconditionalBranch => P6,
                _ if text == "nop" || text.starts_with("endbr") => return,
                // A register is renamed, and memory has ports of its own.
                _ if text == "mov" => return,
                _ if text == "imul" => P1,
                _ if ["shl", "shr", "sar", "rol", "ror"].contains(&&*text) => P0 | P6,
                _ => scalar,
            };
            return uops.push((ports, 1));
        }
        let name = text.strip_prefix('v').unwrap_or(&text);
        let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        let is_float = ["ps", "pd", "ph", "ss", "sd", "sh"].iter().any(|end| name.ends_with(end));
        let each: &[(Ports, u32)] = if begins(&["kortest", "ktest", "kand", "kor", "kx", "knot"]) {
            &[(P0, 1)]
        } else if begins(&["kmov"]) {
            if from_memory {
                &[]
            } else if i.op1_register().is_gpr() {
                &[(P5, 1)]
            } else {
                &[(P0, 1)]
            }
        } else if begins(&["k"]) {
            &[(P5, 1)]
        } else if begins(&["movd", "movq"]) && !begins(&["movdq", "movddup"]) && registers(i).any(Register::is_gpr) {
            if i.op0_register().is_gpr() { &[(P0, 1)] } else { &[(P5, 1)] }
        } else if begins(&["movap", "movup", "movdq", "movd", "movq", "movs", "lddqu", "movnt"])
            && !begins(&["movsh", "movsldup"])
        {
            if from_memory || i.op_mask() == Register::None { &[] } else { &[(any, 1)] }
        } else if begins(&["broadcast", "pbroadcast"]) {
            if from_memory { &[] } else { &[(P5, 1)] }
        } else if begins(&["movmsk", "pmovmsk"]) || name.starts_with("pmov") && name.ends_with("2m") {
            &[(P0, 1)]
        } else if begins(&["pmovm2"]) {
            &[(any, 1)]
        } else if begins(&["ptest"]) && !to_mask {
            &[(P0, 1), (P5, 1)]
        } else if to_mask {
            &[(P5, 1)]
        } else if begins(&["fm", "fnm", "mul"]) && is_float {
            &[(floats, 1)]
        } else if begins(&["add", "sub"]) && is_float {
            &[(adds, 1)]
        } else if begins(&["div", "sqrt"]) && (name.ends_with("ps") || name.ends_with("pd")) {
            return uops.extend([(P0, 1), (DIVIDER, divider(name, i))]);
        } else if begins(&["max", "min", "cmp", "rcp", "rsqrt", "get", "scalef", "range", "reduce"]) && is_float {
            &[(floats, 1)]
        } else if begins(&["round", "rndscale"]) && (name.ends_with("ps") || name.ends_with("pd")) {
            &[(floats, 2)]
        } else if begins(&["cvt"]) {
            if widens(i) && !from_memory { &[(floats, 1), (P5, 1)] } else { &[(floats, 1)] }
        } else if begins(&["pblendv", "blendv"]) {
            match self {
                Self::SkylakeX => &[(any, 2)],
                Self::GoldenCove => &[(any, 3)],
            }
        } else if begins(&["pslldq", "psrldq"]) {
            &[(inside, 1)]
        } else if begins(&["psll", "psrl", "psra", "prol", "pror", "pshld", "pshrd"]) {
            &[(shifts, 1)]
        } else if begins(&["pmulld"]) {
            &[(floats, 2)]
        } else if begins(&["pmul", "pmadd", "pcmp"]) {
            &[(floats, 1)]
        } else if begins(&["permi2w", "permt2w", "permi2b", "permt2b"]) {
            &[(any, 1), (P5, 2)]
        } else if begins(&["compress", "expand", "pcompress", "pexpand"])
            || begins(&["pmov"]) && !begins(&["pmovzx", "pmovsx"])
        {
            &[(P5, 2)]
        } else if begins(&[
            "permil", "pshuf", "shufp", "unpck", "punpck", "pack", "palignr", "movsh", "movsl", "movddup",
        ]) {
            &[(inside, 1)]
        } else if begins(&[
            "perm", "insert", "extract", "pinsr", "pextr", "align", "shuff", "shufi", "pmovzx", "pmovsx",
        ]) {
            if from_memory && begins(&["insert", "extract"]) { &[(any, 1)] } else { &[(P5, 1)] }
        } else if begins(&["pgather", "gather", "zeroupper"]) {
            &[]
        } else {
            &[(any, 1)]
        };
        uops.extend_from_slice(each);
    }
}

fn registers(i: &Instruction) -> impl Iterator<Item = Register> {
    (0..i.op_count()).filter(|&k| i.op_kind(k) == OpKind::Register).map(|k| i.op_register(k))
}

/// Whether lanes of the result have another size than the operand's, so that they are moved as well.
fn widens(i: &Instruction) -> bool {
    let sizes: Vec<_> = registers(i).map(|r| r.size()).collect();
    sizes.windows(2).any(|pair| pair[0] != pair[1])
}

/// Cycles for which a division holds the divider.
fn divider(name: &str, i: &Instruction) -> u32 {
    let words = registers(i).map(|r| r.size() as u32).max().unwrap_or(16).div_ceil(16);
    let each = match name {
        "divps" => 5,
        "divpd" => 8,
        "sqrtps" => 6,
        _ => 9,
    };
    // Given for 256 bits.
    (each * words).div_ceil(2)
}

/// Loads of an instruction: one, or one for each lane that is gathered.
fn loads(i: &Instruction) -> u32 {
    if i.is_vsib() {
        let lane = i.memory_size().element_size().max(4);
        let index = i.memory_index().size() / if i.is_vsib64() { 8 } else { 4 };
        index.min(i.op0_register().size() / lane) as u32
    } else {
        1
    }
}

/// Whether a comparison and the jump behind it are one micro-operation.
fn fuses(i: &Instruction, next: &Instruction) -> bool {
    let name = format!("{:?}", i.mnemonic()).to_lowercase();
    next.flow_control() == FlowControl::ConditionalBranch
        && ["cmp", "test", "add", "sub", "inc", "dec", "and"].contains(&&*name)
}

fn fused(round: &[Instruction]) -> usize {
    round.windows(2).filter(|pair| fuses(&pair[0], &pair[1])).count()
}

fn name(set: Ports) -> String {
    let mut text = String::from("ports");
    for port in (0..12).filter(|port| set >> port & 1 != 0) {
        let _ = write!(text, " {port}");
    }
    if set == DIVIDER { "divider".into() } else { text }
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

/// Compares the bounds of a few rounds with those that the tables say.
pub(super) fn check() {
    // vfmadd231ps zmm0, zmm1, zmm2; vmovups zmm0, [rax]; vmovups [rax], zmm0; vaddps ymm0, ymm1, ymm2; cmp rax, rcx; jne
    const FMA: &[u8] = &[0x62, 0xF2, 0x75, 0x48, 0xB8, 0xC2];
    const LOAD: &[u8] = &[0x62, 0xF1, 0x7C, 0x48, 0x10, 0x00];
    const STORE: &[u8] = &[0x62, 0xF1, 0x7C, 0x48, 0x11, 0x00];
    const ADD: &[u8] = &[0xC5, 0xF4, 0x58, 0xC2];
    const END: &[u8] = &[0x48, 0x39, 0xC8, 0x75, 0x00];
    let bound = |cpu: Cpu, parts: &[&[u8]]| {
        let code = parts.concat();
        cpu.cycles(&Decoder::new(64, &code, DecoderOptions::NONE).into_iter().collect::<Vec<_>>())
    };
    let all: [(_, &[&[u8]], _); 5] = [
        (Cpu::GoldenCove, &[FMA, FMA, FMA, LOAD, END], (1.5, "ports 0 5")),
        (Cpu::GoldenCove, &[LOAD, LOAD, LOAD, LOAD, STORE, END], (2.0, "ports 2 3")),
        (Cpu::GoldenCove, &[STORE, STORE, STORE, LOAD, END], (3.0, "ports 4 9")),
        (Cpu::GoldenCove, &[ADD, ADD, ADD, END], (1.5, "ports 1 5")),
        (Cpu::SkylakeX, &[ADD, ADD, ADD, END], (1.5, "ports 0 1")),
    ];
    for (cpu, parts, (cycles, limit)) in all {
        assert_eq!(bound(cpu, parts), (cycles, limit.to_owned()));
    }
}
