//! Every spelling of the table has the bits of its meaning when it runs as an instruction of an
//! entry.

use std::collections::BTreeMap;

use oracle::probe::{self, Register};
use oracle::rng::Rng;
use ptxf::spec::{Only, Spelling, Type, spellings};
use ptxf_vm::{Arg, Machine, Module, Program};

use crate::support;

/// The number of sets of operands of a spelling, more than a warp has lanes.
const SETS: u32 = 48;

fn register(ty: Type) -> Register {
    match ty {
        Type::Pred => Register::Predicate,
        Type::Preds => Register::Predicates,
        ty => Register::Bits(ty.bits()),
    }
}

/// Returns an entry that computes an instruction with this spelling.
fn probe(name: &str, spelling: &Spelling, spelled: &str) -> String {
    let form = spelling.form;
    let operands: Vec<Register> = form.operands.iter().copied().map(register).collect();
    let result = register(form.result);
    probe::entry(name, &operands, result, &probe::instruction(spelled, operands.len(), result))
}

fn target(spelling: &Spelling) -> (String, String) {
    let target = spelling.form.targets[0];
    let letter = match target.only {
        Only::Later => "",
        Only::Family => "f",
        Only::This => "a",
    };
    // Before sm_20, all operations on f32 flushed subnormal numbers.
    let sm = if spelling.form.until.is_some() { target.sm } else { target.sm.max(20) };
    (format!("{}.{}", target.ptx.major, target.ptx.minor), format!("sm_{sm}{letter}"))
}

/// Returns the spelling that has the results of this one on its target.
fn flushing(spelling: Spelling) -> Spelling {
    let name = spelling.to_string();
    match spelling.form.until {
        Some(..20) if !name.contains("ftz") => spellings().find(|s| s.is(&name.replacen('.', ".ftz.", 1))).unwrap(),
        _ => spelling,
    }
}

/// Returns bits that are special values more often than uniform ones.
fn operand(ty: Type, rng: &mut Rng) -> u64 {
    let lane_bits = ty.lane_bits();
    if lane_bits < 4 {
        return rng.next() & 1;
    }
    let ones = u64::MAX >> (64 - lane_bits);
    let mut bits = 0;
    for lane in 0..ty.lanes() {
        let fraction = match lane_bits {
            16 => 10,
            32 => 23,
            64 => 52,
            bits => bits / 2,
        };
        let uniform = rng.next() & ones;
        let exponent = ones << fraction & ones >> 1;
        let value = match rng.below(8) {
            0 => 0,
            1 => exponent,
            2 => exponent | uniform,
            3 => uniform & ones >> (lane_bits - fraction),
            4 => ones >> 2 ^ uniform >> (lane_bits - 3),
            _ => uniform,
        };
        let value = if rng.below(2) == 0 { value } else { value ^ 1 << (lane_bits - 1) };
        bits |= (value & ones) << (lane * ty.stride());
    }
    bits
}

/// Returns the results of an instruction, and those of the spelling's meaning.
fn results(machine: &mut Machine, entry: &ptxf_vm::Entry, spelling: &Spelling, rng: &mut Rng) -> (Vec<u64>, Vec<u64>) {
    let (operands, result) = (spelling.form.operands, register(spelling.form.result).bytes() as usize);
    // Four of five operands are in one vector of the first array.
    let vector = if operands.len() == 5 { 4 } else { 1 };
    let (mut arrays, mut expected) = ([const { Vec::new() }; 3], Vec::new());
    for _ in 0..SETS {
        let values: Vec<u64> = operands.iter().map(|&ty| operand(ty, rng)).collect();
        for (i, (value, ty)) in values.iter().zip(operands).enumerate() {
            let bytes = &value.to_le_bytes()[..register(*ty).bytes() as usize];
            arrays[(i + 1).saturating_sub(vector)].extend_from_slice(bytes);
        }
        expected.push(spelling.by_meaning(&values).unwrap());
    }
    let output = machine.alloc(SETS as usize * result);
    let [a, b, c] = arrays.map(|array| machine.buffer(&array));
    let args = [output, a, b, c].map(Arg::from);
    machine
        .launch(entry, 1, SETS, 0, &[args.as_slice(), &[Arg::from(SETS)]].concat())
        .unwrap_or_else(|e| panic!("{spelling}: {e}"));
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let found = machine.read(output).unwrap().chunks(result).map(number).collect();
    for buffer in [a, b, c, output] {
        machine.free(buffer).unwrap();
    }
    (found, expected)
}

#[test]
fn every_spelling_has_the_bits_of_its_meaning() {
    let mut rng = Rng::from_env(0x766d_0001);
    let mut by_target: BTreeMap<(String, String), Vec<Spelling>> = BTreeMap::new();
    for spelling in spellings() {
        by_target.entry(target(&spelling)).or_default().push(spelling);
    }
    let mut count = 0;
    // Each result has another lowest bit.
    let changed = || Machine::new().changed(|_| true, |_, _, result| result ^ 1);
    for ((version, target), all) in by_target {
        let entries: String = all.iter().enumerate().map(|(i, s)| probe(&format!("k{i}"), s, &s.to_string())).collect();
        let module = Module::parse(&support::module(&version, &target, &entries)).unwrap_or_else(|e| panic!("{e}"));
        let [(mut machine, program), (mut faulty, changed)] = [Machine::new(), changed()].map(|mut machine| {
            let program = machine.load(&module).unwrap();
            (machine, program)
        });
        for (i, spelling) in all.iter().enumerate() {
            let entry =
                |program: &Program| program.entry(&format!("k{i}")).unwrap_or_else(|e| panic!("{spelling}: {e}"));
            let meaning = flushing(*spelling);
            let (found, expected) = results(&mut machine, &entry(&program), &meaning, &mut rng);
            assert_eq!(found, expected, "{spelling}");
            let (found, expected) = results(&mut faulty, &entry(&changed), &meaning, &mut rng);
            let change = u64::from(spelling.form.instruction != "selp");
            assert!(found.iter().zip(&expected).all(|(found, x)| found ^ x == change), "{spelling}, changed");
            count += 1;
        }
    }
    assert_eq!(count, spellings().count());
}

#[test]
fn the_order_of_modifiers_does_not_matter_and_their_absence_does() {
    let mut rng = Rng::from_env(0x766d_0002);
    for (name, spelled, same) in [
        ("add.rn.ftz.sat.f32", "add.sat.ftz.rn.f32", true),
        ("div.rn.ftz.f32", "div.ftz.rn.f32", true),
        ("fma.rn.relu.f16x2", "fma.relu.rn.f16x2", true),
        // Faults: a modifier is missing or replaced.
        ("add.rn.ftz.sat.f32", "add.rn.ftz.f32", false),
        ("add.rn.ftz.f32", "add.rn.f32", false),
        ("add.rz.f32", "add.rn.f32", false),
        ("fma.rn.relu.f16x2", "fma.rn.f16x2", false),
        ("min.NaN.f16", "min.f16", false),
        ("cvt.rz.f16.f32", "cvt.rn.f16.f32", false),
        ("setp.ltu.f32", "setp.lt.f32", false),
        ("mul.rn.bf16x2", "mul.rn.f16x2", false),
    ] {
        let spelling = spellings().find(|s| s.is(name)).unwrap();
        let text = support::module("8.8", "sm_100", &probe("k", &spelling, spelled));
        let (mut machine, entry) = support::load(&text, "k");
        let (found, expected) = results(&mut machine, &entry, &spelling, &mut rng);
        assert_eq!(found == expected, same, "{name} written {spelled}");
    }
}

#[test]
fn operands_that_are_swapped_are_noticed() {
    let mut rng = Rng::from_env(0x766d_0003);
    for name in ["sub.rn.f32", "fma.rn.f16", "div.rn.f32", "copysign.f32", "cvt.rn.f16x2.f32", "selp.f32"] {
        let spelling = spellings().find(|s| s.is(name)).unwrap();
        let last = spelling.form.operands.len() - if name == "selp.f32" { 2 } else { 1 };
        let text = support::module("8.8", "sm_100", &probe("k", &spelling, name));
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        let faulty = line.replace("%x0", "A").replace(&format!("%x{last}"), "%x0").replace('A', &format!("%x{last}"));
        assert_ne!(faulty, line);
        let (mut machine, entry) = support::load(&text.replace(line, &faulty), "k");
        let (found, expected) = results(&mut machine, &entry, &spelling, &mut rng);
        assert_ne!(found, expected, "{name}");
    }
}

#[test]
fn a_form_that_the_target_lacks_is_refused_with_what_it_needs() {
    for (version, target, instruction, needs) in [
        (
            "7.0",
            "sm_75",
            "fma.rn.bf16 %h1, %h2, %h3, %h4;",
            "`fma.rn.bf16` needs PTX 7.0, sm_80; the module is for PTX 7.0, sm_75",
        ),
        ("6.3", "sm_80", "tanh.approx.f32 %r1, %r2;", "needs PTX 7.0, sm_75; the module is for PTX 6.3, sm_80"),
    ] {
        let text = support::module(version, target, &support::entry("k", "", instruction));
        let mut machine = Machine::new();
        let error = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err();
        assert!(error.what().contains(needs), "{error}");
        assert_eq!(error.line(), 10, "{error}");
    }
}
