//! Tests of `ptx!` without a compiler; `tests/messages` has the messages and where they point.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use ptxf_spec::legal::instructions;
use ptxf_spec::modifier::MODIFIERS;
use ptxf_spec::types;
use ptxf_spec::{Form, table};

use super::expand;
use crate::expand::operator;

/// The expansion of `input` with the path `p`, as text.
fn expansion(input: &str) -> String {
    expand(format!("[p] {input}").parse().unwrap()).to_string()
}

fn is_error(expansion: &str) -> bool {
    expansion.contains("compile_error")
}

/// The tokens of `text`, as text.
fn same(text: &str) -> String {
    text.parse::<TokenStream>().unwrap().to_string()
}

#[test]
fn every_form_calls_its_function() {
    for form in &table().unwrap().forms {
        let operands = form.operand_names().join(", ");
        let operator = |m| {
            let (ty, variant) = operator(m);
            format!("p::{ty}::{variant}, ")
        };
        let operators: String = form.operators().map(operator).collect();
        let (spelling, call) = (form.spelling(), format!("p::ptx::{}({operators}{operands})", form.function()));
        assert_eq!(expansion(&format!("{spelling}({operands})")), same(&call), "{spelling}");
        assert_eq!(expansion(&format!("{spelling} d, {operands};")), same(&format!("let d = {call};")), "{spelling}");
    }
}

/// Whatever is one edit away from a form, or has at most two names: legal if and only if the table has it.
#[test]
fn nothing_else_is_legal() {
    let table = table().unwrap();
    let all: Vec<&str> = MODIFIERS.iter().map(|m| m.ptx).chain(types::names()).collect();
    let mut candidates = BTreeSet::new();
    for instruction in instructions(table) {
        candidates.insert(instruction.to_owned());
        for a in &all {
            candidates.insert(format!("{instruction}.{a}"));
            candidates.extend(all.iter().map(|b| format!("{instruction}.{a}.{b}")));
        }
    }
    for form in &table.forms {
        let names = form.names();
        let mut add = |names: &[&str]| candidates.insert(format!("{}.{}", form.instruction(), names.join(".")));
        for i in 0..=names.len() {
            let (before, after) = names.split_at(i);
            for name in &all {
                add(&[before, &[name], after].concat());
            }
            if let [first, after @ ..] = after {
                add(&[before, after].concat());
                for name in &all {
                    add(&[before, &[name], after].concat());
                }
                if let [second, after @ ..] = after {
                    add(&[before, &[second, first], after].concat());
                }
            }
        }
    }
    let forms: BTreeSet<String> = table.forms.iter().map(Form::spelling).collect();
    assert!(forms.is_subset(&candidates) && candidates.len() > 100 * forms.len());
    for candidate in candidates {
        let tokens = format!("{candidate} d").parse().unwrap();
        let statement = super::parse::parse(tokens).remove(0).unwrap();
        let legal = super::check::spelling(table, &statement.spelling).is_ok();
        assert_eq!(legal, forms.contains(&candidate), "{candidate}");
    }
}

#[test]
fn number_of_operands_selects_the_function() {
    assert_eq!(expansion("min.f32(a, b)"), same("p::ptx::min_f32(a, b)"));
    assert_eq!(expansion("min.f32(a, b, c)"), same("p::ptx::min3_f32(a, b, c)"));
    assert!(is_error(&expansion("min.f64(a, b, c)")));
}

#[test]
fn lines_bind_and_a_call_is_the_value() {
    assert_eq!(
        expansion("mul.rn.f16x2 t, a + 1, f(|b, c| b); ex2.approx.f16x2 d, t;"),
        same("let t = p::ptx::mul_rn_f16x2(a + 1, f(|b, c| b)); let d = p::ptx::ex2_approx_f16x2(t);"),
    );
    assert_eq!(
        expansion("neg.f16 t, a; add.f16(t, a,)"),
        same("{ let t = p::ptx::neg_f16(a); p::ptx::add_rn_f16(t, a) }"),
    );
    assert_eq!(expansion("neg.f16 t, a;;"), same("let t = p::ptx::neg_f16(a);"));
}

/// A wrong line binds its destination to the error, so that it costs one error.
#[test]
fn errors_stand_for_values() {
    let wrong = expansion("neg.relu.f16 t, a; add.f16 d, t, t;");
    assert!(wrong.starts_with(&same("let t = ::core::compile_error!")), "{wrong}");
    assert!(wrong.ends_with(&same("let d = p::ptx::add_rn_f16(t, t);")), "{wrong}");
    // Without the semicolon both lines are read.
    let wrong = expansion("neg.f16 t, a abs.f16 d, t;");
    assert_eq!(wrong.matches("compile_error").count(), 1, "{wrong}");
    assert!(wrong.ends_with(&same("let d = p::ptx::abs_f16(t);")), "{wrong}");
}

/// Every beginning of the tokens, and the tokens without any one of them, at every depth.
#[test]
fn nothing_panics() {
    fn damaged(tokens: &[TokenTree]) -> Vec<TokenStream> {
        let mut all = Vec::new();
        for i in 0..tokens.len() {
            let (before, after) = (&tokens[..i], &tokens[i + 1..]);
            all.push(before.iter().cloned().collect());
            all.push(before.iter().chain(after).cloned().collect());
            if let TokenTree::Group(g) = &tokens[i] {
                for inner in damaged(&g.stream().into_iter().collect::<Vec<_>>()) {
                    for delimiter in [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None] {
                        let group = TokenTree::from(Group::new(delimiter, inner.clone()));
                        all.push(before.iter().cloned().chain([group]).chain(after.iter().cloned()).collect());
                    }
                }
            }
        }
        all
    }
    for input in [
        "[p] mul.rn.ftz.f16x2 t, a[0], f(b, { c; d }); ex2.approx.f16x2 d, -t; fma.rn.f16x2(t, d, x.y)",
        "[p] @!p add.rn.f16 d, 0f3F800000, \"text\", '%', %r1; .reg .f16 x; L: {} _ = ::; add_rn_f16(1.0)",
        "p",
        "",
    ] {
        let tokens: Vec<TokenTree> = input.parse::<TokenStream>().unwrap().into_iter().collect();
        expand(tokens.iter().cloned().collect());
        for damaged in damaged(&tokens) {
            expand(damaged);
        }
    }
}
