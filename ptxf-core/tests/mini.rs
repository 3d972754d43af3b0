//! The meaning on an 8-bit format, with every operand: all triples of fma, all pairs, all values.

use oracle::mini::Mini;
use oracle::{Form, report};
use ptxf_core::spec::{FORMS, FormInfo, Type};

/// Returns the f32 forms of an instruction. Their modifiers are tested on 8-bit operands.
fn forms(instruction: &str, operands: usize) -> Vec<(&'static FormInfo, Form)> {
    FORMS
        .iter()
        .filter(|f| f.operands[0] == Type::F32 && f.instruction == instruction && f.operands.len() == operands)
        .filter(|f| f.name == f.canonical && f.until.is_none() && !f.approximate)
        .map(|f| (f, Form::parse(&f.name.replace(".f32", ".mini")).expect("the 8-bit spelling")))
        .collect()
}

fn check(oracle: &Mini, (info, form): &(&'static FormInfo, Form), operands: &[u64]) {
    let want = oracle.eval(form, operands).expect("the 8-bit oracle covers it");
    report::check_against("8-bit oracle", want, form, operands, meaning::mini_meaning(info, operands));
}

/// Checks 8 forms × 2²⁴ triples, in a short run 2 forms. The modifier `.sat`, which acts on the
/// rounded result alone, is tested with pairs.
#[test]
fn all_triples_of_fma() {
    let oracle = Mini::new();
    let forms: Vec<_> = forms("fma", 3).into_iter().filter(|(_, f)| !f.sat).collect();
    assert_eq!(forms.len(), 8);
    for form in forms.iter().step_by(if oracle::long() { 1 } else { 5 }) {
        for abc in 0..1u64 << 24 {
            check(&oracle, form, &[abc & 0xFF, abc >> 8 & 0xFF, abc >> 16]);
        }
    }
}

#[test]
fn all_pairs_of_add_sub_mul_div() {
    let oracle = Mini::new();
    for (instruction, count) in [("add", 16), ("sub", 16), ("mul", 16), ("div", 8)] {
        let forms = forms(instruction, 2);
        assert_eq!(forms.len(), count);
        for form in &forms {
            (0..1u64 << 16).for_each(|ab| check(&oracle, form, &[ab & 0xFF, ab >> 8]));
        }
    }
}

#[test]
fn all_values_of_rcp_and_sqrt() {
    let oracle = Mini::new();
    for instruction in ["rcp", "sqrt"] {
        let forms = forms(instruction, 1);
        assert_eq!(forms.len(), 8);
        for form in &forms {
            (0..1 << 8).for_each(|a| check(&oracle, form, &[a]));
        }
    }
}
