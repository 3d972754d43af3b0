//! The oracles for each form.
//!
//! | name | how | forms |
//! |---|---|---|
//! | `definition` | rounding by definition, with exact comparisons in f64 | `add sub mul rcp sqrt` |
//! | `compare` | the host's comparison of f64 values | `min max` |
//! | `truth table` | a truth table on decoded values | `set setp` |
//! | `bits` | the definition on the bits | `abs neg testp` |
//! | `core-math` | correctly rounded functions | `rsqrt sin cos lg2 ex2 tanh` |
//! | `apfloat` | LLVM's soft float | `cvt` |
//! | `meaning` | the library's integers, where this build runs something faster | `add sub mul rcp sqrt` |
//! | `host` | the host's f32 hardware | `rcp.rn sqrt.rn` |
//! | `apfloat` | LLVM's soft float (five times slower) | `add sub mul rcp min max abs neg testp` |
//! | `root` | big integers (for samples) | `sqrt rsqrt` |
//!
//! All but `meaning` share neither code nor method with the library. Its reference implementation
//! shifts integers and keeps a sticky bit, and its fast route rounds to odd.

use anyhow::{Context as _, Result, ensure};
use oracle::cvt::{self, Cvt};
use oracle::{Form, Op, Rnd, Ty, apfloat, approx, compare, root};

use super::space::{Fill, Space, pairs, unary16, unary32};

mod definition;
mod half;
mod meaning;
mod single;

/// A second opinion.
pub(super) struct Oracle {
    pub(super) name: &'static str,
    pub(super) fill: Fill,
    /// `true` if the oracle is used when none is named.
    pub(super) default: bool,
}

/// Every oracle that knows the form; the first one is independent and fast.
pub(super) fn all(name: &str, space: Space) -> Result<Vec<Oracle>> {
    if let Ok(form) = compare::Form::parse(name) {
        return Ok(vec![Oracle { name: "truth table", default: true, fill: truths(form) }]);
    }
    if let Ok(form) = Cvt::parse(name) {
        return Ok(vec![Oracle { name: "apfloat", default: true, fill: conversion(form, space) }]);
    }
    let form = Form::parse(name).map_err(anyhow::Error::msg)?;
    let mut oracles = Vec::new();
    let mut push = |name, default, fill| oracles.push(Oracle { name, fill, default });
    match (form.op, form.ty) {
        (Op::Add | Op::Sub | Op::Mul, _) => push("definition", true, half::arithmetic(&form)),
        (Op::Min | Op::Max, _) => push("compare", true, half::extreme(&form)),
        (Op::Abs | Op::Neg | Op::Testp, Ty::F32) => push("bits", true, single::bits(&form)),
        (Op::Abs | Op::Neg, _) => push("bits", true, half::sign(&form)),
        (Op::Rcp | Op::Sqrt, Ty::F32) => push("definition", true, single::algebraic(&form)),
        (Op::Rsqrt | Op::Sin | Op::Cos | Op::Lg2 | Op::Ex2 | Op::Tanh, Ty::F32) => {
            push("core-math", true, single::elementary(&form));
        }
        (Op::Ex2 | Op::Tanh, _) => push("core-math", true, slow(form, space, approx::eval)),
        _ => {}
    }
    if let Some(fill) = meaning::fill(&form, space) {
        push("meaning", true, fill);
    }
    if matches!(form.op, Op::Rcp | Op::Sqrt) && form.rounding() == Rnd::Rn && !form.ftz {
        push("host", true, single::host(&form));
    }
    match form.op {
        Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max | Op::Abs | Op::Neg | Op::Testp | Op::Rcp => {
            push("apfloat", false, slow(form, space, apfloat::eval));
        }
        Op::Sqrt | Op::Rsqrt => push("root", false, slow(form, space, root::eval)),
        _ => {}
    }
    ensure!(!oracles.is_empty(), "no oracle knows {name}");
    Ok(oracles)
}

/// The oracles to ask: those that were named, or the usual ones.
pub(super) fn choose(form: &str, space: Space, wishes: &[String]) -> Result<Vec<Oracle>> {
    let mut oracles = all(form, space)?;
    if wishes.is_empty() {
        oracles.retain(|o| o.default);
    } else if !wishes.iter().any(|w| w == "all") {
        let names = oracles.iter().map(|o| o.name).collect::<Vec<_>>().join(", ");
        oracles.retain(|o| wishes.iter().any(|w| w == o.name));
        ensure!(!oracles.is_empty(), "{form} has no oracle `{}`, but {names}", wishes.join(","));
    }
    Ok(oracles)
}

/// The truth about all pairs; of a form that takes a predicate, for both of its values.
fn truths(form: compare::Form) -> Fill {
    pairs(move |a, b| {
        let with = |c| form.eval(&[a.into(), b.into(), c]);
        if form.boolean.is_some() { with(0) | with(1) << 32 } else { with(0) }
    })
}

/// A conversion by LLVM's soft float, of the same operand in every lane.
fn conversion(form: Cvt, space: Space) -> Fill {
    let ask = move |x: u64| {
        let operands = vec![x; form.operands()];
        cvt::eval(cvt::apfloat::lane, &form, &operands).expect("an oracle is only asked for forms it knows")
    };
    match space {
        Space::Unary16 => unary16(move |a| ask(a.into())),
        Space::Unary32 => unary32(move |a| ask(a.into())),
        Space::Pairs | Space::Drawn(_) => unreachable!("a conversion has one operand"),
    }
}

/// An oracle that takes the form apart on every call.
fn slow(form: Form, space: Space, eval: oracle::Oracle) -> Fill {
    let ask = move |operands: &[u64]| {
        let answer = eval(&form, operands).with_context(|| format!("{form} {operands:x?}: no answer"));
        answer.expect("an oracle is only asked for forms it knows")
    };
    match space {
        Space::Pairs => pairs(move |a, b| ask(&[a.into(), b.into()])),
        Space::Unary16 => unary16(move |a| ask(&[a.into()])),
        Space::Unary32 => unary32(move |a| ask(&[a.into()])),
        Space::Drawn(_) => unreachable!("slices alone are drawn for"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CHUNK;
    use crate::subject;

    /// The independent oracles agree among themselves, in chunks all over the operands, and where
    /// subnormal results begin.
    #[test]
    fn oracles_agree() {
        let mut rng = oracle::Rng::from_env(0xe8);
        for subject in subject::all() {
            let mut oracles = all(&subject.name, subject.space).unwrap();
            oracles.retain(|o| o.name != "meaning");
            let chunks = subject.space.inputs() / CHUNK as u64;
            let slow = oracles.iter().any(|o| o.name == "root");
            let sample: Vec<u64> = (0..if slow { 8 } else { 48 }).map(|_| rng.next() % chunks).collect();
            for chunk in sample {
                let first = chunk * CHUNK as u64;
                let [mut want, mut got] = [[0_u64; CHUNK]; 2];
                (oracles[0].fill)(first, &mut want);
                for oracle in &oracles[1..] {
                    (oracle.fill)(first, &mut got);
                    let i = (0..CHUNK).find(|&i| want[i] != got[i]);
                    let i = i.map(|i| (subject.space.operands(first + i as u64), want[i], got[i]));
                    assert_eq!(i, None, "{}: {} and {}", subject.name, oracles[0].name, oracle.name);
                }
            }
        }
    }

    #[test]
    fn every_form_has_an_independent_oracle_by_default() {
        for subject in subject::all() {
            let oracles = choose(&subject.name, subject.space, &[]).unwrap();
            assert_ne!(oracles[0].name, "meaning", "{}", subject.name);
        }
    }

    #[test]
    fn an_unknown_oracle_is_refused() {
        let error = choose("tanh.approx.f32", Space::Unary32, &["apfloat".to_owned()]).err().unwrap();
        assert_eq!(error.to_string(), "tanh.approx.f32 has no oracle `apfloat`, but core-math");
    }
}
