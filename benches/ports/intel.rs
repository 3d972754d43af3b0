//! The ports of Intel's cores.
//!
//! From the tables of uops.info and Intel's optimization manual (chapter 2).

use std::fmt::Write as _;

use iced_x86::{FlowControl, Instruction, Register};

use super::instruction::{
    is_float, is_to_mask, jumps_after, loads, name, registers, uses_memory, uses_vectors, widens,
};
use super::model::{Core, Ports, Uop};

const P0: Ports = 1;
const P1: Ports = 1 << 1;
const P5: Ports = 1 << 5;
const P6: Ports = 1 << 6;
const P10: Ports = 1 << 10;
/// Of the divider, which a division holds for some cycles.
const DIVIDER: Ports = 1 << 12;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Intel {
    /// Skylake with AVX-512, Ice Lake: ports 0, 1 and 5 have vectors; of 512 bits 0 (with what is 1's else) and 5.
    SkylakeX,
    /// Golden Cove and those after it: adders at 1 and 5, a third load.
    GoldenCove,
}

impl Intel {
    /// Of the machine that `/proc/cpuinfo` describes.
    pub(super) fn of(cpuinfo: &str) -> Option<Self> {
        let has = |word: &str| cpuinfo.split_whitespace().any(|w| w == word);
        match (has("GenuineIntel"), has("avx512_fp16"), has("avx512bw")) {
            (true, true, _) => Some(Self::GoldenCove),
            (true, false, true) => Some(Self::SkylakeX),
            _ => None,
        }
    }
}

impl Core for Intel {
    fn compute(&self, i: &Instruction, wide: bool, uops: &mut Vec<Uop>) {
        let scalar = match self {
            Self::SkylakeX => P0 | P1 | P5 | P6,
            Self::GoldenCove => P0 | P1 | P5 | P6 | P10,
        };
        let any = if wide { P0 | P5 } else { P0 | P1 | P5 };
        // Multipliers; shifters, of which port 5 has none; shuffles, of which port 1 has those inside of 128 bits.
        let floats = if wide { P0 | P5 } else { P0 | P1 };
        let shifts = if wide { P0 } else { P0 | P1 };
        let inside = if wide || *self == Self::SkylakeX { P5 } else { P1 | P5 };
        let adds = match self {
            Self::GoldenCove if !wide => P1 | P5,
            Self::GoldenCove | Self::SkylakeX => floats,
        };
        let name = &*name(i);
        let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
        if !uses_vectors(i) {
            let ports = match i.flow_control() {
                FlowControl::ConditionalBranch => P0 | P6,
                FlowControl::UnconditionalBranch => P6,
                _ if name == "nop" || begins(&["endbr"]) => return,
                // A register is renamed, and memory has ports of its own.
                _ if name == "mov" => return,
                _ if name == "imul" => P1,
                _ if ["shl", "shr", "sar", "rol", "ror"].contains(&name) => P0 | P6,
                _ => scalar,
            };
            return uops.push((ports, 1));
        }
        let is_float = is_float(name);
        let uses_memory = uses_memory(i);
        let to_mask = is_to_mask(i);
        let each: &[Uop] = if begins(&["kortest", "ktest", "kand", "kor", "kx", "knot"]) {
            &[(P0, 1)]
        } else if begins(&["kmov"]) {
            if uses_memory {
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
            if uses_memory || i.op_mask() == Register::None { &[] } else { &[(any, 1)] }
        } else if begins(&["broadcast", "pbroadcast"]) {
            if uses_memory { &[] } else { &[(P5, 1)] }
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
            if widens(i) && !uses_memory { &[(floats, 1), (P5, 1)] } else { &[(floats, 1)] }
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
            if uses_memory && begins(&["insert", "extract"]) { &[(any, 1)] } else { &[(P5, 1)] }
        } else if begins(&["pgather", "gather", "zeroupper"]) {
            &[]
        } else {
            &[(any, 1)]
        };
        uops.extend_from_slice(each);
    }

    fn load(&self, i: &Instruction, bytes: usize) -> Uop {
        let ports = match self {
            Self::GoldenCove if bytes < 64 => 1 << 2 | 1 << 3 | 1 << 11,
            Self::GoldenCove | Self::SkylakeX => 1 << 2 | 1 << 3,
        };
        (ports, loads(i))
    }

    fn store(&self, _: &Instruction, bytes: usize) -> Vec<Uop> {
        match self {
            Self::SkylakeX => vec![(1 << 4, 1), (1 << 2 | 1 << 3 | 1 << 7, 1)],
            // Both data ports are one for 512 bits.
            Self::GoldenCove => vec![(1 << 4 | 1 << 9, if bytes == 64 { 2 } else { 1 }), (1 << 7 | 1 << 8, 1)],
        }
    }

    fn fuses(&self, i: &Instruction, next: &Instruction) -> bool {
        jumps_after(&["cmp", "test", "add", "sub", "inc", "dec", "and"], i, next)
    }

    fn width(&self) -> u32 {
        match self {
            Self::SkylakeX => 4,
            Self::GoldenCove => 6,
        }
    }

    fn slots(&self, _: &Instruction) -> u32 {
        1
    }

    fn name(&self, set: Ports) -> String {
        let mut text = String::from("ports");
        for port in (0..12).filter(|port| set >> port & 1 != 0) {
            let _ = write!(text, " {port}");
        }
        if set == DIVIDER { "divider".into() } else { text }
    }
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
