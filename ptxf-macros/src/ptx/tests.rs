//! Tests of `ptx!` without a compiler; `tests/messages` tests the messages and their places.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use ptxf_spec::legal::instructions;
use ptxf_spec::modifier::MODIFIERS;
use ptxf_spec::parse::Second;
use ptxf_spec::types;
use ptxf_spec::{Form, table};

use super::expand;
use crate::expand::chosen;

/// Returns the expansion of `input` with the path `p`, as text.
fn expansion(input: &str) -> String {
    expand(format!("[p] {input}").parse().unwrap()).to_string()
}

fn is_error(expansion: &str) -> bool {
    expansion.contains("compile_error")
}

/// Returns the tokens of `text`, as text.
fn same(text: &str) -> String {
    text.parse::<TokenStream>().unwrap().to_string()
}

#[test]
fn every_form_calls_its_function() {
    for form in &table().unwrap().forms {
        let operands = form.operand_names().join(", ");
        for choice in form.operators.choices() {
            let operator = |(ty, variant)| format!("p::{ty}::{variant}, ");
            let operators: String = chosen(form, &choice).into_iter().map(operator).collect();
            let (spelling, call) =
                (form.spelled(&choice), format!("p::ptx::{}({operators}{operands})", form.function()));
            assert_eq!(expansion(&format!("{spelling}({operands})")), same(&call), "{spelling}");
            let (line, bound) = match form.row().second {
                Second::None => ("d", "d"),
                Second::Optional => ("d", "(d, _)"),
                Second::Required => ("p|q", "(p, q)"),
            };
            let binding = same(&format!("let {bound} = {call};"));
            assert_eq!(expansion(&format!("{spelling} {line}, {operands};")), binding, "{spelling}");
        }
    }
}

/// Every 256th spelling with at most two names or one edit from a form is accepted if and only if
/// the table has it.
#[test]
fn nothing_else_is_legal() {
    edits_are_legal_if_the_table_has_them(256);
}

/// All of these spellings, about a million, are accepted if and only if the table has them.
#[test]
#[ignore = "takes minutes; run it with `cargo test --release -p ptxf-macros -- --ignored`"]
fn nothing_else_at_all_is_legal() {
    edits_are_legal_if_the_table_has_them(1);
}

fn edits_are_legal_if_the_table_has_them(step: usize) {
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
    let spelled = |form: &Form| form.operators.choices().iter().map(|choice| form.spelled(choice)).collect::<Vec<_>>();
    for form in &table.forms {
        // One choice of operators is enough: other choices differ only in names that the edits do
        // not change.
        let closed = form.closed(&[]);
        let names: Vec<&str> = closed.split('.').skip(1).collect();
        candidates.extend(spelled(form));
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
    let forms: BTreeSet<String> = table.forms.iter().flat_map(spelled).collect();
    assert!(forms.is_subset(&candidates) && candidates.len() > 100 * table.forms.len());
    for candidate in candidates.iter().enumerate().filter(|(i, c)| i % step == 0 || forms.contains(*c)).map(|(_, c)| c)
    {
        let tokens = format!("{candidate} d").parse().unwrap();
        let statement = super::parse::parse(tokens).remove(0).unwrap();
        let legal = super::check::spelling(table, &statement.spelling).is_ok();
        assert_eq!(legal, forms.contains(candidate), "{candidate}");
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

/// Both predicates, or one of them; a predicate that is negated; a name with colons; a vector; a
/// modifier that begins with a digit.
#[test]
fn predicates_and_vectors() {
    for (line, expected) in [
        ("setp.lt.f32 p, a, b;", "let (p, _) = p::ptx::setp_f32(p::Comparison::Lt, a, b);"),
        ("setp.lt.f32 p|q, a, b;", "let (p, q) = p::ptx::setp_f32(p::Comparison::Lt, a, b);"),
        ("setp.lt.f32 _|q, a, b;", "let (_, q) = p::ptx::setp_f32(p::Comparison::Lt, a, b);"),
        (
            "setp.ne.xor.ftz.f16x2 p|_, a, b, !c;",
            "let (p, _) = p::ptx::setp_bool_ftz_f16x2(p::Comparison::Ne, p::BoolOp::Xor, a, b, !c);",
        ),
        ("setp.gt.bf16 p, a, b;", "let p = p::ptx::setp_bf16(p::Comparison::Gt, a, b);"),
        (
            "set.lo.or.f16.u64 d, a, b, c;",
            "let d = p::ptx::set_bool_f16_u64(p::UnsignedComparison::Lo, p::BoolOp::Or, a, b, c);",
        ),
        ("set.eq.f32.b16 d, {a, b};", "let d = p::ptx::set_f32_b16(p::BitComparison::Eq, a, b);"),
        ("sin.approx.2pi.ftz.f32 d, a;", "let d = p::ptx::sin_approx_2pi_ftz_f32(a);"),
    ] {
        assert_eq!(expansion(line), same(expected), "{line}");
    }
    for (line, message) in [
        (
            "setp.lt.f16x2 p, a, b;",
            "writes two predicates, the lower lane's and the upper lane's: write `setp.lt.f16x2 p|q, a, b;`",
        ),
        ("setp.lt.f16 p|q, a, b;", "writes one result and no second predicate: write `setp.lt.f16 d, a, b;`"),
        ("add.f16 d|e, a, b;", "writes one result and no second predicate"),
        ("setp.lt.f32 _|_, a, b;", "the destination has to be a name"),
        ("setp.lt.and.f32 p, a, b;", "takes a destination and 3 operands, found 3 in all"),
        ("setp.f32 p, a, b;", "`setp.f32` needs a comparison: write `setp.eq.f32`"),
        ("set.lt.gt.u32.f32 d, a, b;", "`.gt` and `.lt` exclude each other"),
        ("set.and.lt.u32.f32 d, a, b, c;", "`.lt` stands before `.and`: write `set.lt.and.u32.f32`"),
        ("add.scaled::n3.f16 d, a, b;", "`.scaled::n3` is neither a modifier nor a type of `add`"),
    ] {
        let found = expansion(line);
        assert!(is_error(&found) && found.contains(message), "{line}: {found}");
    }
}

/// Each rejected spelling has a message with the reason and the correct spelling.
#[test]
fn what_is_refused_has_its_reason() {
    for (line, message) in [
        (
            "setp.lo.f32 p, a, b;",
            "it compares unsigned integers: for floats write `.lt`, or `.ltu`, which is true for a NaN",
        ),
        ("setp.hs.f16 p, a, b;", "for floats write `.ge`, or `.geu`"),
        ("set.nan.f32.s32 d, a, b;", "it tests for NaNs, which only floats have"),
        ("set.ltu.f32.u32 d, a, b;", "only floats have: write `.lt`"),
        ("set.hi.f32.s32 d, a, b;", "it compares unsigned integers: for signed integers write `.gt`"),
        ("set.lt.f32.b32 d, a, b;", "`.b32` has no order: write `.eq` or `.ne`, or a type of integers"),
        ("selp.f16 d, a, b, c;", "16-bit floats are selected as bits: write `selp.b16` or `selp.b32`"),
        ("set.lt.f32.f16 d, a, b;", "a comparison of 16-bit floats gives a 16-bit float or an integer"),
        ("set.lt.f64.f64 d, a, b;", "no comparison gives an f64: write `set.lt.f32.f64` or `set.lt.u32.f64`"),
        ("slct.f16.f32 d, a, b, c;", "16-bit floats are selected as bits: write `slct.b16.f32`"),
        ("slct.f32.f64 d, a, b, c;", "the operand that selects is an f32 or an s32"),
        ("mul.f32.f16 d, a, c;", "mixed precision has no `mul`: write `fma.rn.f32.f16 d, a, b, c` with `c` −0"),
        ("setp.lt.ftz.bf16 p, a, b;", "`.ftz` does not exist for setp.bf16"),
        // The assembler and the manual differ here.
        ("cvt.rp.f64.bf16 d, a;", "every number in .bf16 is one in .f64, and nothing is rounded: leave it out"),
        ("cvt.f16.bf16 d, a;", "`cvt.f16.bf16` needs a rounding: write `cvt.rn.f16.bf16`"),
        ("cvt.rn.satfinite.relu.f16.f32 d, a;", "`.relu` stands before `.satfinite`"),
        ("fma.rz.bf16x2 d, a, b, c;", "16-bit floats round to nearest only"),
        ("cvt.rn.ue8m0x2.f32 d, a, b;", "write `.rz` or `.rp`"),
        ("cvt.rs.pzo.f16x2.f32 d, a, b, r;", "`.pzo` and `.rs` exclude each other"),
        ("add.e2m1x4.e4m3x4 d, a, c;", "a result in four lanes is `.e4m3x4` or `.e5m2x4`"),
    ] {
        let found = expansion(line);
        assert!(is_error(&found) && found.contains(message), "{line}: {found}");
    }
}

/// A wrong line binds its destination to the error, so that it costs one error.
#[test]
fn errors_stand_for_values() {
    let wrong = expansion("neg.relu.f16 t, a; add.f16 d, t, t;");
    assert!(wrong.starts_with(&same("let t = ::core::compile_error!")), "{wrong}");
    assert!(wrong.ends_with(&same("let d = p::ptx::add_rn_f16(t, t);")), "{wrong}");
    // Without the semicolon both lines are parsed.
    let wrong = expansion("neg.f16 t, a abs.f16 d, t;");
    assert_eq!(wrong.matches("compile_error").count(), 1, "{wrong}");
    assert!(wrong.ends_with(&same("let d = p::ptx::abs_f16(t);")), "{wrong}");
}

/// No prefix of the tokens, and no input with one token removed at any depth, makes the macro
/// panic.
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
