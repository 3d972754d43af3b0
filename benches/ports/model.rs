//! The fewest cycles in which a core's ports can execute a round's micro-operations.

use iced_x86::{Decoder, DecoderOptions, Instruction};

use super::amd::Zen4;
use super::instruction::{accesses, is_wide};
use super::intel::Intel;

/// A set of ports, a bit for each.
pub(super) type Ports = u16;

/// Where micro-operations may go, and how many of them there are.
pub(super) type Uop = (Ports, u32);

/// A core whose ports are known. What is not listed goes to any port of its kind.
pub(super) trait Core {
    /// Adds the micro-operations of an instruction that are neither loads nor stores. Some ports differ if the round is `wide`: if it
    /// has an instruction of 512 bits.
    fn compute(&self, i: &Instruction, wide: bool, uops: &mut Vec<Uop>);
    fn load(&self, i: &Instruction, bytes: usize) -> Uop;
    fn store(&self, i: &Instruction, bytes: usize) -> Vec<Uop>;
    /// Whether an instruction and the jump behind it are one.
    fn fuses(&self, i: &Instruction, next: &Instruction) -> bool;
    /// What the front end hands on in a cycle.
    fn width(&self) -> u32;
    /// What an instruction takes of that.
    fn slots(&self, i: &Instruction) -> u32;
    fn name(&self, set: Ports) -> String;
}

/// The core of this machine, by what `/proc/cpuinfo` says.
pub(super) fn own() -> Result<Box<dyn Core>, String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").map_err(|e| format!("/proc/cpuinfo: {e}"))?;
    if let Some(core) = Intel::of(&text) {
        Ok(Box::new(core))
    } else if let Some(core) = Zen4::of(&text) {
        Ok(Box::new(core))
    } else {
        Err("the ports of this CPU are not listed (benches/ports)".into())
    }
}

/// The fewest cycles of a round, and the ports that take as many.
pub(super) fn cycles(core: &dyn Core, round: &[Instruction]) -> (f64, String) {
    let uops = uops(core, round);
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
    let bounds = sets.into_iter().filter(|set| *set != 0).map(|set| (bound(set), core.name(set)));
    let slots: u32 = unfused(core, round).map(|i| core.slots(i)).sum();
    let front = f64::from(slots) / f64::from(core.width());
    bounds.chain([(front, "front end".to_owned())]).max_by(|(a, _), (b, _)| a.total_cmp(b)).unwrap_or_default()
}

fn uops(core: &dyn Core, round: &[Instruction]) -> Vec<Uop> {
    let wide = round.iter().any(is_wide);
    let mut uops = Vec::new();
    for i in round {
        for access in accesses(i) {
            if access.reads {
                uops.push(core.load(i, access.bytes));
            }
            if access.writes {
                uops.extend(core.store(i, access.bytes));
            }
        }
    }
    for i in unfused(core, round) {
        core.compute(i, wide, &mut uops);
    }
    uops
}

/// The instructions without those that are one with the jump behind them.
fn unfused<'a>(core: &dyn Core, round: &'a [Instruction]) -> impl Iterator<Item = &'a Instruction> {
    round.iter().enumerate().filter(|(k, i)| !round.get(k + 1).is_some_and(|next| core.fuses(i, next))).map(|(_, i)| i)
}

/// Compares the bounds of a few rounds with those that the tables say.
pub(super) fn check() {
    // vfmadd231ps zmm0, zmm1, zmm2; vmovups zmm0, [rax]; vmovups [rax], zmm0; vaddps ymm0, ymm1, ymm2; vcvtph2ps ymm0, xmm1;
    // vdivps zmm0, zmm1, zmm2; cmp rax, rcx; jne
    const FMA: &[u8] = &[0x62, 0xF2, 0x75, 0x48, 0xB8, 0xC2];
    const LOAD: &[u8] = &[0x62, 0xF1, 0x7C, 0x48, 0x10, 0x00];
    const STORE: &[u8] = &[0x62, 0xF1, 0x7C, 0x48, 0x11, 0x00];
    const ADD: &[u8] = &[0xC5, 0xF4, 0x58, 0xC2];
    const FROM_F16: &[u8] = &[0xC4, 0xE2, 0x7D, 0x13, 0xC1];
    const DIVIDE: &[u8] = &[0x62, 0xF1, 0x74, 0x48, 0x5E, 0xC2];
    const END: &[u8] = &[0x48, 0x39, 0xC8, 0x75, 0x00];
    let all: [(&dyn Core, &[&[u8]], _); 11] = [
        (&Intel::GoldenCove, &[FMA, FMA, FMA, LOAD, END], (1.5, "ports 0 5")),
        (&Intel::GoldenCove, &[LOAD, LOAD, LOAD, LOAD, STORE, END], (2.0, "ports 2 3")),
        (&Intel::GoldenCove, &[STORE, STORE, STORE, LOAD, END], (3.0, "ports 4 9")),
        (&Intel::GoldenCove, &[ADD, ADD, ADD, END], (1.5, "ports 1 5")),
        (&Intel::SkylakeX, &[ADD, ADD, ADD, END], (1.5, "ports 0 1")),
        (&Zen4, &[FMA, FMA, FMA, LOAD, END], (3.0, "FP 0 1")),
        (&Zen4, &[LOAD, LOAD, LOAD, STORE, END], (3.0, "loads")),
        (&Zen4, &[STORE, STORE, LOAD, END], (4.0, "stores")),
        (&Zen4, &[ADD, ADD, FROM_F16, END], (1.5, "FP 2 3")),
        (&Zen4, &[FROM_F16, FROM_F16, FROM_F16, END], (2.0, "FP 1 2 3")),
        (&Zen4, &[DIVIDE, FMA, FMA, END], (6.0, "divider")),
    ];
    for (core, parts, (cycles, limit)) in all {
        let code = parts.concat();
        let round: Vec<_> = Decoder::new(64, &code, DecoderOptions::NONE).into_iter().collect();
        assert_eq!(self::cycles(core, &round), (cycles, limit.to_owned()));
    }
}
