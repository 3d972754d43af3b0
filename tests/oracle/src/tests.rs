//! The oracles against each other, over every legal form.

use std::collections::BTreeMap;

use crate::form::{Form, Ty};
use crate::legal;
use crate::{ORACLES, Rng, edges, expect, generate, report};

/// Compares all oracles' answers and returns how many answered.
fn agree(form: &Form, ops: &[u64]) -> usize {
    let answers = expect(form, ops);
    if answers.iter().any(|a| a.1 != answers[0].1) {
        panic!("{}", report::report(form, ops, answers[0].1, &answers));
    }
    answers.len()
}

/// A few hundred tuples of edges: all of them for one operand, all pairs of a short list, random
/// triples.
fn edge_tuples(form: &Form, operands: usize, rng: &mut Rng) -> Vec<Vec<u64>> {
    let ty = form.ty;
    match operands {
        _ if form.is_mixed() => (0..700).map(|_| generate::registers(form, operands, rng)).collect(),
        1 => edges::of(ty).iter().map(|a| vec![*a]).collect(),
        2 => {
            let few = edges::few(ty);
            few.iter().flat_map(|a| few.iter().map(|b| vec![*a, *b])).collect()
        }
        n => (0..2500).map(|_| (0..n).map(|_| rng.pick(edges::of(ty))).collect()).collect(),
    }
}

#[test]
fn every_form_has_an_oracle_and_all_oracles_agree() {
    let mut rng = Rng::from_env(0x7e57);
    let mut compared = BTreeMap::new();
    for (legal, form) in legal::all().into_iter().filter_map(|l| l.form.map(|form| (l, form))) {
        let form = &form;
        let mut answers = 0;
        let tuples = if form.lanes == 1 { edge_tuples(form, legal.operands, &mut rng) } else { vec![] };
        let random = if form.lanes == 1 { 700 } else { 150 };
        let random = (0..random).map(|_| generate::registers(form, legal.operands, &mut rng)).collect::<Vec<_>>();
        for ops in tuples.iter().chain(&random) {
            let n = agree(form, ops);
            assert!(n > 0, "{form} has no oracle");
            answers = answers.max(n);
            let tally: &mut (u64, u64) = compared.entry(format!("{:?}.{:?}", form.op, form.ty)).or_default();
            tally.0 += 1;
            tally.1 += u64::from(n > 1);
        }
        let single = matches!(form.op, crate::Op::Testp);
        assert!(answers >= 2 || single, "{form} has one oracle only");
    }
    let total = compared.values().fold((0, 0), |t, n| (t.0 + n.0, t.1 + n.1));
    println!("{compared:#?}\n{total:?} (tuples, of which two oracles or more answered)");
}

#[test]
fn known_traps() {
    for (spelling, ops, want) in [
        // Detours through f32 and f64 round these incorrectly.
        ("fma.rn.f16", [0x3c01, 0x0ffe, 0x3c01], 0x3c01),
        ("fma.rn.f16", [0x4200, 0x6156, 0x0001], 0x6801),
        ("fma.rn.bf16", [0x40e0, 0x4214, 0x8d80], 0x4381),
        ("fma.rn.bf16", [0x4360, 0x4314, 0xb580], 0x4701),
        ("fma.rn.bf16", [0x5f80, 0x5f80, 0xff40], 0x7e80),
        ("fma.rn.bf16", [0x3f88, 0x3f88, 0x0d80], 0x3f91),
        // Products just below 2⁻¹²⁶ that are flushed or kept, as NVIDIA's assembler folds them.
        ("fma.rn.ftz.f32", [0x2bc5_a94e, 0x1425_c74b, 0], 0x0080_0000),
        ("fma.rn.ftz.f32", [0x2b90_b1b2, 0x1462_76c4, 0], 0x0080_0000),
        ("fma.rn.ftz.f32", [0x2bcd_4d41, 0x141f_9be4, 0], 0x0080_0000),
        ("fma.rn.ftz.f32", [0x2bbc_adca, 0x142d_abb6, 0], 0),
        ("fma.rn.ftz.f32", [0x2ba1_3284, 0x144b_475f, 0], 0),
    ] {
        let form = Form::parse(spelling).unwrap();
        assert_eq!(expect(&form, &ops), [("apfloat", want), ("exact", want)], "{spelling} {ops:x?}");
        if form.ftz {
            let mul = Form::parse("mul.ftz.f32").unwrap();
            assert_eq!(expect(&mul, &ops[..2]), [("apfloat", want), ("exact", want)], "{ops:x?}");
        }
    }
}

#[test]
fn the_flush_boundary_of_products_and_quotients() {
    let mut rng = Rng::new(12);
    for op in ["mul", "div"] {
        for rnd in ["rn", "rz", "rm", "rp"] {
            for ty in [Ty::F32, Ty::F16, Ty::Mini] {
                let mut form = Form::parse(&format!("{op}.{rnd}.ftz.f32")).unwrap();
                form.ty = ty;
                for _ in 0..1000 {
                    let ops = if op == "mul" {
                        generate::near_min_normal(ty, &mut rng)
                    } else {
                        generate::quotient_near_min_normal(ty, &mut rng)
                    };
                    assert_eq!(agree(&form, &ops), 2);
                }
            }
        }
    }
}

#[test]
fn the_names_are_distinct() {
    let mut names: Vec<_> = ORACLES.iter().map(|o| o.0).collect();
    names.dedup();
    assert_eq!(names.len(), ORACLES.len());
}

/// The rate on which exhaustive runs rely; printed, not checked. Run with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn apfloat_rate() {
    for (spelling, n) in [("add.rn.f16", 2), ("fma.rn.f16", 3), ("fma.rn.ftz.relu.f16", 3), ("fma.rn.bf16", 3)] {
        let form = Form::parse(spelling).unwrap();
        let start = std::time::Instant::now();
        let mut sum = 0_u64;
        const COUNT: u64 = 4_000_000;
        for i in 0..COUNT {
            let x = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let ops = [x >> 48, x >> 32 & 0xffff, x >> 16 & 0xffff];
            sum = sum.wrapping_add(crate::apfloat::eval(&form, &ops[..n]).unwrap());
        }
        println!("{spelling}: {:.1} M/s ({sum:#x})", COUNT as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
}
