//! Texts as compilers write them, texts with faults, and texts that nest without end.

use super::*;

const HEAD: &str = ".version 7.8\n.target sm_90\n.address_size 64\n";

fn unit(rest: &str) -> Unit {
    let text = format!("{HEAD}{rest}");
    Unit::parse(&text).unwrap_or_else(|e| panic!("{e}"))
}

fn body(statements: &str) -> (String, Vec<Statement>) {
    let text = format!("{HEAD}.visible .entry k()\n{{\n{statements}\n}}");
    let mut unit = Unit::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    (text, unit.functions.remove(0).body.unwrap().statements)
}

fn one(statement: &str) -> (String, Instruction) {
    let (text, mut all) = body(statement);
    assert_eq!(all.len(), 1, "{statement}");
    match all.remove(0) {
        Statement::Instruction(instruction) => (text, instruction),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_instruction_keeps_the_bytes_of_its_parts() {
    let (text, inst) = one("@!%p1 ld.global.nc.v2.b8 {%r1, _}, [%rd1+-8];");
    assert_eq!(inst.at.of(&text), "@!%p1 ld.global.nc.v2.b8 {%r1, _}, [%rd1+-8]");
    assert_eq!(inst.opcode.of(&text), "ld.global.nc.v2.b8");
    let guard = inst.guard.unwrap();
    assert!(guard.negated && guard.name.of(&text) == "%p1");
    assert_eq!(inst.operands[1].at.of(&text), "[%rd1+-8]");
    let OperandKind::Address { base: Base::Name(name), add: -8, .. } = &inst.operands[1].kind else {
        panic!("{inst:?}")
    };
    assert_eq!(name.of(&text), "%rd1");
    let OperandKind::Vector(two) = &inst.operands[0].kind else { panic!("{inst:?}") };
    assert!(two.len() == 2 && matches!(two[1].kind, OperandKind::Sink));
}

#[test]
fn operands_are_what_compilers_write() {
    for statement in [
        "trap;",
        "call f, ();",
        "call.uni (retval0), f, (param0, 5), proto;",
        "setp.lt.f16x2 p|q, a, b, !c;",
        "setp.eq.s32 p|_, %r1, 0x10;",
        "mov.u32 %r1, %tid.x;",
        "mov.b64 %rd1, local0[16];",
        "mov.b64 %rd1, table+4;",
        "fma.rn.f32 %f1, %f2, 0f3F800000, 0d3FF0000000000000;",
        "add.f64 %fd1, %fd2, -1.5e-3;",
        "tex.2d.v4.f32.f32 {a, b, c, d}, [t, {%f1, %f2}];",
        "st.global.b32 [16], %r1;",
        "mov.b64 {%r1, %r2}, %rd1;",
        "bra.uni $L__BB0_1;",
        "ld.shared::cta.b32 %r1, [buffer+4];",
    ] {
        one(statement);
    }
    let (_, inst) = one("add.s32 a, b, -1;");
    assert!(matches!(inst.operands[2].kind, OperandKind::Number(Number::Int(u64::MAX))));
}

#[test]
fn bodies_have_scopes_labels_and_places() {
    let (_, all) = body(
        ".reg .pred %p<3>; .reg .b32 a, b; { .reg .b16 t; mov.b16 t, 1; }\n.loc 1 41 7\n.loc 1 9 3, function_name $L+4, \
         inlined_at 1 2 3\nL: .pragma \"nounroll\";\n$list: .branchtargets L, M;\nM: brx.idx %r1, $list;\nproto: \
         .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]) .noreturn;\ntrap; exit;",
    );
    let places = all.iter().filter(|s| matches!(s, Statement::Loc { .. })).count();
    let labels = all.iter().filter(|s| matches!(s, Statement::Label(_))).count();
    let variables = all.iter().filter(|s| matches!(s, Statement::Variable(_))).count();
    assert_eq!((places, labels, variables), (2, 2, 4));
    assert!(all.iter().any(|s| matches!(s, Statement::Targets { labels, .. } if labels.len() == 2)));
    let prototype = |s: &Statement| matches!(s, Statement::Prototype { returns, parameters, .. } if returns.len() == 1 && parameters.len() == 2);
    assert!(all.iter().any(prototype));
}

#[test]
fn modules_have_variables_functions_and_debugging_information() {
    let unit = unit(
        ".file 1 \"a b.rs\"\n.file 2 \"c.rs\", 17, 4\n.func f\n()\n.noreturn;\n.global .align 4 .b8 x[5] = {1, 0x2, 0xFF(y), \
         generic(z)+4};\n.const .v2 .f32 c[] = {{1.0, 0f00000000}};\n.extern .shared .align 16 .b8 d[];\n.func (.param .b32 r) g(.param \
         .align 8 .b8 p[40]) .maxnreg 32 { ret; }\n.weak .entry k(.param .u64 .ptr .global .align 4 k_0) .maxntid 128, 1, 1 \
         .minnctapersm 2 { ret; }\n.section .debug_abbrev { .b8 1 L: .b8 2 {} }\n$info: .section .debug_info { }\0 rubbish §",
    );
    assert_eq!((unit.version, unit.target.sm, unit.files.len()), ((7, 8), 90, 2));
    let [x, c, d] = unit.variables.as_slice() else { panic!("{:?}", unit.variables) };
    assert!(matches!(x.init.as_ref().unwrap(), Init::List(all) if all.len() == 4));
    assert_eq!((c.space, c.lanes, c.lengths.as_slice()), (Space::Const, 2, [None].as_slice()));
    assert!(d.is_extern && d.align == Some(16));
    let [f, g, k] = unit.functions.as_slice() else { panic!("{:?}", unit.functions) };
    assert!(f.body.is_none() && g.returns.len() == 1 && k.is_entry && k.parameters[0].pointer == Some(4));
    assert_eq!(k.most, Some([128, 1, 1]));
}

#[test]
fn an_error_names_what_was_found_and_what_is_expected() {
    for (text, line, expected) in [
        ("", 1, "found the end of the text where `.version`"),
        (".version 0.9\n.target sm_20", 1, "PTX 0.9 never was"),
        (".version 7.8\n.target ampere", 2, "found `ampere` where a target such as sm_90 is expected"),
        (".version 7.8\n.target sm_90\n.address_size 32", 3, "64 bits only"),
        (".version 7.8\n.target sm_90\n.entry k( {", 3, "found `{` where a declaration"),
        (".version 7.8\n.target sm_90\n.entry k() { ret }", 3, "found `}` where an operand"),
        (".version 7.8\n.target sm_90\n.entry k() { ret;", 3, "found the end of the text where an instruction"),
        (".version 7.8\n.target sm_90\n.global .b33 x;", 3, "`.b33` is not a type"),
        (".version 7.8\n.target sm_90\n.global .align 3 .b32 x;", 3, "3 is not an alignment"),
        (".version 7.8\n.target sm_90\n.entry k() {\n.reg .b32 %r<99999999>; }", 4, "at most 1048576 registers"),
        (".version 7.8\n.target sm_90\n.entry k() {\nld.b32 a, [b; }", 4, "found `;` where `+`, `-` or `]`"),
        (".version 7.8\n.target sm_90\n.func f() { .texture x; }", 3, "found `.texture` where `.reg`"),
        (".version 7.8\n.target sm_90\nmodule", 3, "found `module` where `.entry`"),
    ] {
        let error = Unit::parse(text).unwrap_err();
        assert_eq!(error.line(), line, "{error}");
        assert!(error.what().contains(expected), "{error}");
    }
}

#[test]
fn declarations_have_parameters_and_the_text_of_bodies() {
    let text = format!(
        "{HEAD}.entry k(\n.param .u32 .ptr .global .align 8 x, .param .align 4 .b8 y[16]) {{ {{ a/*}}*/ }} }}\n.func f;"
    );
    let unit = Unit::declarations(&text).unwrap();
    let [x, y] = unit.entry("k").unwrap().parameters.as_slice() else { panic!("{unit:?}") };
    assert_eq!((x.align, x.pointer, y.align, y.pointer), (None, Some(8), Some(4), None));
    assert_eq!(y.at.of(&text), ".param .align 4 .b8 y[16]");
    let body = unit.entry("k").unwrap().body.as_ref().unwrap();
    assert_eq!((body.at.of(&text), body.statements.len()), (" { a/*}*/ } ", 0));
    assert!(unit.entry("f").is_none() && Unit::parse(&text).is_err());
    assert!(Unit::declarations(&format!("{HEAD}.entry k() {{ {{ }}")).unwrap_err().what().contains("`}` is expected"));
}

#[test]
fn nothing_makes_it_panic_or_nest_without_end() {
    let deep = format!("{HEAD}.global .b8 x = {}", "{".repeat(100_000));
    assert!(Unit::parse(&deep).is_err());
    let deep = format!("{HEAD}.entry k() {{ call {} ", "(".repeat(100_000));
    assert!(Unit::parse(&deep).is_err());
    let deep = format!("{HEAD}.entry k() {{ mov {} ", "!".repeat(100_000));
    assert!(Unit::parse(&deep).is_err());
    let minus = format!("{HEAD}.entry k() {{ mov.b32 a, {}1; }}", "-".repeat(100_000));
    assert!(Unit::parse(&minus).is_err());
    let braces = format!("{HEAD}.entry k() {{ {}", "{".repeat(100_000));
    assert!(Unit::parse(&braces).is_err());
}
