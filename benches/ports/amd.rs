//! The pipes of AMD's Zen 4.
//!
//! The groups of pipes are those of LLVM's scheduling model, which follows AMD's optimization guide (publication 57647); where it
//! says less or something else than the CPU does, they are measured: how fast an instruction runs alone, and beside others whose
//! pipes are known. A 512-bit instruction is one until it is executed, and then holds a pipe for two cycles.

use iced_x86::{FlowControl, Instruction, OpKind, Register};

use super::instruction::{
    is_float, is_to_mask, is_wide, jumps_after, loads, name, registers, uses_memory, uses_vectors, widens,
};
use super::model::{Core, Ports, Uop};

/// Products, comparisons into masks, and whatever of integers is more than a sum.
const FP01: Ports = 0b0011;
/// Sums, comparisons, conversions and shifts.
const FP23: Ports = 0b1100;
/// Shuffles; those that stay within 128 bits and have no indices in a register run in the third pipe, too.
const FP12: Ports = 0b0110;
const FP123: Ports = 0b1110;
/// Bits, and sums of integers.
const FP: Ports = 0b1111;
/// The data of vectors, 256 bits a cycle.
const STORE: Ports = 1 << 4;
/// From vectors to general registers, and back.
const OUT: Ports = 1 << 5;
const IN: Ports = 1 << 6;
/// Two of three loads may be vectors.
const LOADS: Ports = 0b011 << 7;
const MEMORY: Ports = 0b111 << 7;
const ALU: Ports = 0b1111 << 10;
const ALU0: Ports = 1 << 10;
const ALU1: Ports = 1 << 11;
const ALU2: Ports = 1 << 12;
const ALU3: Ports = 1 << 13;
/// Jumps go to ALU 0, or here.
const BRANCH: Ports = 1 << 14;
const DIVIDER: Ports = 1 << 15;

#[derive(Clone, Copy, Debug)]
pub(super) struct Zen4;

impl Zen4 {
    /// If `/proc/cpuinfo` describes one.
    pub(super) fn of(cpuinfo: &str) -> Option<Self> {
        let has = |word: &str| cpuinfo.split_whitespace().any(|w| w == word);
        let family = cpuinfo.lines().find(|line| line.starts_with("cpu family"))?.split_whitespace().last()?;
        // Zen 3 is of the same family, but has no AVX-512.
        (has("AuthenticAMD") && family == "25" && has("avx512bw")).then_some(Self)
    }
}

impl Core for Zen4 {
    fn compute(&self, i: &Instruction, _: bool, uops: &mut Vec<Uop>) {
        let name = &*name(i);
        if is_zeroing(name, i) {
        } else if uses_vectors(i) {
            vector(name, i, uops);
        } else if let Some(ports) = scalar(name, i) {
            uops.push((ports, 1));
        }
    }

    fn load(&self, i: &Instruction, bytes: usize) -> Uop {
        let ports = if uses_vectors(i) { LOADS } else { MEMORY };
        (ports, loads(i) * halves(bytes))
    }

    fn store(&self, i: &Instruction, bytes: usize) -> Vec<Uop> {
        if !uses_vectors(i) {
            return vec![(MEMORY, 1)];
        }
        // Measured: eight halves that are stored as they are converted are two stores.
        let twice = bytes == 16 && name(i) == "cvtps2ph";
        vec![(STORE, if twice { 2 } else { halves(bytes) })]
    }

    fn fuses(&self, i: &Instruction, next: &Instruction) -> bool {
        jumps_after(&["cmp", "test", "add", "sub", "inc", "dec", "and", "or", "xor"], i, next)
    }

    fn width(&self) -> u32 {
        6
    }

    fn slots(&self, i: &Instruction) -> u32 {
        if i.is_vsib() {
            // Measured: from 5.2 up.
            return 5 * loads(i);
        }
        let mut uops = Vec::new();
        self.compute(i, false, &mut uops);
        let vectors = uops.iter().filter(|(ports, _)| ports & FP != 0).count() as u32;
        // Nops are fused with what is beside them.
        if name(i) == "nop" { 0 } else { vectors.max(1) }
    }

    fn name(&self, set: Ports) -> String {
        const NAMES: [(&str, Ports); 8] = [
            ("stores", STORE),
            ("vector to integer", OUT),
            ("integer to vector", IN),
            ("loads", LOADS),
            ("memory", MEMORY),
            ("ALU", ALU),
            ("branches", BRANCH),
            ("divider", DIVIDER),
        ];
        let numbers = |first: u32| (0..4).filter(move |k| set >> (first + k) & 1 != 0).map(|k| format!(" {k}"));
        let mut names = Vec::new();
        if set & FP != 0 {
            names.push(format!("FP{}", numbers(0).collect::<String>()));
        }
        for (name, ports) in NAMES {
            if ports == ALU && set & ALU != 0 {
                names.push(format!("ALU{}", numbers(10).collect::<String>()));
            } else if set & ports == ports && !(ports == LOADS && set & MEMORY == MEMORY) {
                names.push(name.to_owned());
            }
        }
        names.join(", ")
    }
}

/// Of how many 256-bit parts an instruction consists.
fn halves(bytes: usize) -> u32 {
    if bytes == 64 { 2 } else { 1 }
}

/// Whether it only sets a register to zero, which takes renaming alone.
fn is_zeroing(name: &str, i: &Instruction) -> bool {
    let same = |a: u32, b: u32| i.op_kind(b) == OpKind::Register && i.op_register(a) == i.op_register(b);
    match i.op_count() {
        2 => ["xor", "sub"].contains(&name) && same(0, 1),
        3 => ["pxor", "pxord", "pxorq", "xorps", "xorpd", "kxor"].iter().any(|x| name.starts_with(x)) && same(1, 2),
        _ => false,
    }
}

/// Where an instruction goes that has general registers alone.
fn scalar(name: &str, i: &Instruction) -> Option<Ports> {
    match i.flow_control() {
        FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => Some(ALU0 | BRANCH),
        _ if name == "nop" || name.starts_with("endbr") || name == "vzeroupper" => None,
        // A register is renamed, and memory has ports of its own.
        _ if name == "mov" => None,
        _ if name == "imul" => Some(ALU1),
        _ if ["shl", "shr", "sar", "rol", "ror", "shlx", "shrx", "sarx", "rorx"].contains(&name) => Some(ALU1 | ALU2),
        _ if name.starts_with("cmov") || name.starts_with("set") => Some(ALU0 | ALU3),
        _ => Some(ALU),
    }
}

/// The micro-operations of an instruction of vectors or masks.
fn vector(name: &str, i: &Instruction, uops: &mut Vec<Uop>) {
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    let is_float = is_float(name);
    let uses_memory = uses_memory(i);
    let to_memory = i.op_kind(0) == OpKind::Memory;
    let is_masked = i.op_mask() != Register::None;
    // A 512-bit instruction is known by its operands, of which one may be smaller.
    let wide = is_wide(i);
    let n = if wide { 2 } else { 1 };
    let to_general = i.op_kind(0) == OpKind::Register && i.op0_register().is_gpr();
    let from_general = registers(i).skip(1).any(Register::is_gpr);
    let each: &[Uop] = if begins(&["kortest", "ktest"]) {
        &[(FP23, 1), (STORE | OUT, 1)]
    } else if begins(&["kmov"]) {
        match (uses_memory, to_general, from_general) {
            (true, ..) if to_memory => &[],
            (true, ..) => &[(FP01, 1)],
            (_, true, _) => &[(OUT, 1)],
            (.., true) => &[(IN, 1), (FP23, 1)],
            _ => &[(FP23, 1)],
        }
    } else if begins(&["k"]) {
        &[(FP23, 1)]
    } else if begins(&["comis", "ucomis"]) || begins(&["cvt"]) && to_general {
        &[(FP23, 1), (STORE | OUT, 1)]
    } else if begins(&["cvtsi2", "cvtusi2"]) && from_general {
        &[(IN, 1), (FP23, 1)]
    } else if begins(&["pextr", "extractps"]) {
        if to_memory { &[(FP123, 1)] } else { &[(FP123, 1), (OUT, 1)] }
    } else if begins(&["pinsr"]) {
        if uses_memory { &[(FP123, 1)] } else { &[(FP123, 1), (FP23, 1), (IN, 1)] }
    } else if begins(&["movmsk", "pmovmsk"]) || begins(&["movd", "movq"]) && to_general {
        &[(OUT, 1)]
    } else if begins(&["movd", "movq"]) && from_general {
        &[(FP23, 1), (IN, 1)]
    } else if begins(&["ptest", "testp"]) && !is_to_mask(i) {
        &[(FP12, 1), (STORE | OUT, 1)]
    } else if is_to_mask(i) {
        &[(FP01, n)]
    } else if begins(&["movap", "movup", "movdq", "lddqu", "movnt"]) {
        if uses_memory || !is_masked { &[] } else { &[(FP, n)] }
    } else if begins(&["movd", "movq", "movss", "movsd"]) && !begins(&["movddup"]) {
        if uses_memory { &[] } else { &[(FP, 1)] }
    } else if begins(&["broadcast", "pbroadcast"]) {
        match (uses_memory, from_general) {
            // Those of floats and of several lanes are shuffled if the result has 512 bits.
            (true, _) if begins(&["broadcast"]) && wide => &[(FP12, 2)],
            (true, _) => &[],
            (_, true) => &[(FP12, n), (FP23, 1), (IN, 1)],
            _ => &[(FP12, n)],
        }
    } else if begins(&["div", "sqrt"]) && is_float {
        &[(FP01, 2 * n), (DIVIDER, divider(name, wide))]
    } else if begins(&["fm", "fnm", "mul", "rcp", "rsqrt", "fixup", "blendv"]) && is_float {
        &[(FP01, n)]
    } else if begins(&["scalef", "reduce"]) && is_float {
        &[(FP23, n), (FP23, n)]
    } else if begins(&["add", "sub", "max", "min", "cmp", "get", "range", "round", "rndscale"]) && is_float {
        &[(FP23, n)]
    } else if begins(&["cvt"]) {
        // Lanes of another size are shuffled as well; a load does that to 256 bits and fewer.
        let moves = if uses_memory { wide || to_memory } else { true };
        if moves && changes_size(name, i) { &[(FP23, n), (FP12, n)] } else { &[(FP23, n)] }
    } else if begins(&["pslldq", "psrldq", "pblendv"]) {
        &[(FP12, n)]
    } else if begins(&["psll", "psrl", "psra"]) {
        // One count for all lanes.
        let counted = i.op_count() == 3 && i.op2_kind() == OpKind::Register && !name.contains('v');
        if counted { &[(FP01, n)] } else { &[(FP23, n)] }
    } else if begins(&["prol", "pror", "pshld", "pshrd", "pmul", "pmadd", "psad", "plzcnt", "popcnt", "pabs", "psign"])
        || begins(&["padds", "paddus", "psubs", "psubus", "pdp", "gf2p8", "aes"])
        || ["pcmpeqq", "pcmpgtq", "pminsq", "pminuq", "pmaxsq", "pmaxuq"].contains(&name)
    {
        &[(FP01, n)]
    } else if begins(&["compress", "expand", "pcompress", "pexpand"]) {
        &[(FP01, n), (FP12, n)]
    } else if begins(&["pmovm2"]) {
        &[(FP, n)]
    } else if begins(&["pshufb"]) || begins(&["permilp"]) && i.op2_kind() == OpKind::Register {
        &[(FP12, n)]
    } else if begins(&["permilp", "pshuf", "shufp", "unpck", "punpck", "movs", "movddup", "movhl", "movlh", "insertps"])
    {
        &[(FP123, n)]
    } else if begins(&["perm", "insert", "extract", "align", "palign", "shuff", "shufi", "pmov", "pack"]) {
        &[(FP12, n)]
    } else if begins(&["pgather", "gather"]) {
        &[]
    } else {
        &[(FP, n)]
    };
    uops.extend_from_slice(each);
}

/// Whether a conversion's lanes and its results differ in size. Within 128 bits that takes nothing.
fn changes_size(name: &str, i: &Instruction) -> bool {
    if uses_memory(i) {
        return ["ph2ps", "ps2ph", "ps2pd", "pd2ps", "dq2pd", "pd2dq"].iter().any(|x| name.ends_with(x))
            && registers(i).any(|r| !r.is_xmm());
    }
    widens(i)
}

/// Cycles for which a division holds the divider, measured: those of binary64 take half a cycle more for 256 bits.
fn divider(name: &str, wide: bool) -> u32 {
    match (name, wide) {
        ("divps" | "divss", false) => 3,
        ("divps", true) => 6,
        ("divpd" | "divsd", false) => 4,
        ("divpd", true) => 9,
        ("sqrtps" | "sqrtss", false) => 5,
        ("sqrtps", true) => 10,
        (_, false) => 8,
        (_, true) => 16,
    }
}
