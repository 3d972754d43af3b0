//! Tests of the table.

use crate::form::Form;
use crate::lex::Source;
use crate::meaning::MEANINGS;
use crate::modifier::{MODIFIERS, modifier};
use crate::table::Table;
use crate::types::TYPES;
use crate::{load, table};

/// A table without a mistake.
const GOOD: &str = r#"section "9.7" add;
/// The sum.
add{.rnd}{.ftz}{.sat}.f32  d, a, b   where { ptx 1.0, sm 10, .rz sm 20 } => add;
add.f64                    d, a, b   where { ptx 1.0, sm 13 } => add;
.rnd = { .rn, .rz };
eg (1.5, -4.0) -> -2.5;
eg .ftz (0x1p-149, 1.0) -> 1.0;
cuda .rn.f32 "__fadd_rn";

section "9.8" min;
/// The smaller.
min{.NaN}{.xorsign.abs}.f16  d, a, b   where { ptx 7.0, sm 80 } => min;
eg (1.0, nan) -> 1.0;

section "9.9" testp;
/// The property.
testp.op.f32  p, a   where { ptx 2.0, sm 20 } => testp;
.op = { .finite, .number };
eg (1.0) -> true;
"#;

fn load_text(text: String) -> Result<Table, String> {
    load(&[Source { name: "t.spec", text: text.leak() }])
}

/// Returns the complaints about `text`, without the quotations.
fn complaints(text: String) -> Vec<String> {
    let Err(e) = load_text(text) else { panic!("a mistake") };
    e.lines().filter(|l| !l.starts_with("    ")).map(str::to_owned).collect()
}

/// Checks that [`GOOD`] with one replacement has exactly these complaints.
#[track_caller]
fn check(from: &str, to: &str, expected: &[&str]) {
    assert_eq!(GOOD.matches(from).count(), 1, "`{from}` stands once");
    assert_eq!(complaints(GOOD.replace(from, to)), expected, "`{from}` replaced by `{to}`");
}

#[test]
fn good_is_good() {
    let table = load_text(GOOD.to_owned()).unwrap();
    // add: (2 roundings + none) × .ftz or not × .sat or not, and .f64; min: .NaN or not ×
    // .xorsign.abs or not; testp: 2.
    assert_eq!(table.forms.len(), 3 * 2 * 2 + 1 + 2 * 2 + 2);
}

#[test]
fn quotes_the_line() {
    let e = load_text(GOOD.replace("add.f64  ", "add.f65  ")).unwrap_err();
    let line = "    add.f65                    d, a, b   where { ptx 1.0, sm 13 } => add;\n        ^^^";
    assert!(e.ends_with(line), "{e}");
}

#[test]
fn lexer() {
    check("1.5, -4.0", "1.5, §4.0", &["t.spec:6:10: `§` means nothing here"]);
    check("\"__fadd_rn\"", "\"__fadd_rn", &["t.spec:8:14: this string has no end"]);
    check("1.5, -4.0", "1.5 + 4.0", &["t.spec:6:9: `+` means nothing here"]);
}

#[test]
fn grammar() {
    for (from, to, complaint) in [
        ("section \"9.7\"", "sections \"9.7\"", "1:1: expected `section \"9.7.…\" instruction;`, found `sections`"),
        ("section \"9.7\"", "section 9.7", "1:9: expected the manual's section in quotes, found `9.7`"),
        ("\"9.7\" add;", "\"9.7\" ;", "1:15: expected the instruction's name, found `;`"),
        ("\"9.7\" add;", "\"9.7\" add", "2:1: expected `;`, found a doc comment"),
        ("add.f64", "sub.f64", "4:1: expected a row of `add`, a set, `eg`, `cuda` or `section`, found `sub`"),
        ("{.ftz}", "{.ftz", "3:15: expected `}`, found `{`"),
        ("{.ftz}", "{.}", "3:12: expected a name after the dot, found `}`"),
        (
            "add.f64                    d, a, b   where",
            "add.f64 where",
            "4:15: expected `where { ptx …, sm … }`, found `{`",
        ),
        (
            "add.f64                    d, a, b   where",
            "add.f64  d, a,   where",
            "4:24: expected `where { ptx …, sm … }`, found `{`",
        ),
        ("sm 13 } =>", "sm 13 }", "4:63: expected `=>`, found `add`"),
        ("sm 13 }", "sm 13 sm 14 }", "4:61: `sm` stands twice"),
        ("ptx 7.0,", "ptx 7.0 ptx 7.1,", "12:56: `ptx` stands twice"),
        ("ptx 7.0", "ptx 7", "12:52: expected a PTX ISA version such as 7.0, found `7`"),
        ("sm 80", "sm 80x", "12:60: expected a target number such as 80, or 100a, or 100f, found `80x`"),
        ("sm 80", "until 80", "12:63: expected `sm`, found `80`"),
        ("sm 80", "80", "12:57: expected `ptx`, `sm`, `or`, `until`, `note` or a modifier, found `80`"),
        (".op = {", ".op {", "18:5: expected `=`, found `{`"),
        ("{ .finite, .number }", "{ }", "18:9: expected `.`, found `}`"),
        ("-> -2.5", "-2.5", "6:16: expected `->`, found `-2.5`"),
        ("(1.5, -4.0)", "1.5, -4.0", "6:4: expected `(`, found `1.5`"),
        ("(1.5, -4.0)", "(1.5, .4)", "6:10: expected a value, found `.`"),
        ("\"__fadd_rn\"", "fadd", "8:14: expected the CUDA function's name in quotes, found `fadd`"),
        ("eg (1.0) -> true;\n", "eg (1.0) -> true", "19:17: expected `;`, found the end of the file"),
    ] {
        check(from, to, &[&format!("t.spec:{complaint}")]);
    }
}

/// All names of spellings.
const ALL: &str = ".eq .ne .lt .le .gt .ge .equ .neu .ltu .leu .gtu .geu .num .nan .lo .ls .hi .hs .and .or .xor \
    .finite .infinite .number .notanumber .normal .subnormal .rn .rz .rm .rp .rna .rs .rni .rzi .rmi .rpi .approx .full \
    .2pi .ftz .oob .sat .relu .NaN .satfinite .pzo .xorsign .abs .scaled::n1::ue8m0 .scaled::n2::ue8m0 \
    .f16 .bf16 .f32 .f64 .tf32 .ue8m0 .f16x2 .bf16x2 .f32x2 .e4m3x2 .e5m2x2 .e2m3x2 .e3m2x2 .e2m1x2 .ue8m0x2 .s2f6x2 .ue5m3x2 .e4m3x4 .e5m2x4 .e2m3x4 .e3m2x4 .e2m1x4 .e2m1p4x4 .ue8m0x4 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .b16 .b32 .b64";

#[test]
fn names() {
    let unknown = |at, name| format!("t.spec:{at}: unknown modifier or type `.{name}`; there are {ALL}");
    check("{.ftz}", "{.fzt}", &[&unknown("3:12", "fzt")]);
    check(".NaN}", ".nam}", &[&unknown("12:6", "nam")]);
    check(".finite,", ".infinit,", &[&unknown("18:10", "infinit")]);
    check("eg .ftz", "eg .fzt", &[&unknown("7:5", "fzt")]);
    check(".rz sm 20", ".rq sm 20", &[&unknown("3:63", "rq")]);
    // The undefined name of a set is an unknown name, too.
    check(".op = ", ".po = ", &[&unknown("17:7", "op"), "t.spec:18:2: no row of this section has `.po`"]);
}

#[test]
fn modifier_algebra() {
    for (from, to, complaint) in [
        ("{.ftz}{.sat}.f32", "{.ftz}.lt.f32", "3:17: `.lt` is an operator, which stands before `.ftz`"),
        ("{.ftz}{.sat}.f32", "{.sat}{.relu}.f32", "3:18: `.sat` and `.relu` exclude each other"),
        ("{.ftz}{.sat}.f32", "{.ftz}{.oob}.f32", "3:18: `.ftz` and `.oob` exclude each other"),
        ("{.ftz}{.sat}.f32", "{.ftz}{.ftz}.f32", "3:18: `.ftz` stands twice"),
        (".xorsign.abs", ".xorsign", "12:12: `.xorsign` requires `.abs` after it"),
        ("{.ftz}{.sat}.f32", "{.ftz}.and.f32", "3:17: `.and` combines a comparison, which stands before it"),
        ("add.f64", "add.f64.sat", "4:9: `.sat` comes after the type `.f64`, which ends a form"),
        ("add.f64", "add.sat", "4:1: this row has no type: end it with one, such as `.f32`, or with a set of types"),
    ] {
        check(from, to, &[&format!("t.spec:{complaint}")]);
    }
}

#[test]
fn versions() {
    check(
        "{ ptx 7.0, sm 80 }",
        "{ sm 80 }",
        &["t.spec:12:1: this row has no PTX ISA version: write `where { ptx 1.0, … }`"],
    );
    check("{ ptx 7.0, sm 80 }", "{ ptx 7.0 }", &["t.spec:12:1: this row has no target: write `where { …, sm 20 }`"]);
    check(".rz sm 20", ".rp sm 20", &["t.spec:3:63: no form of this row has `.rp`"]);
    check("sm 80", "sm 80, until sm 70", &["t.spec:12:1: this row ends at sm_70, before it begins at sm_80"]);
    let table = load_text(GOOD.replace("sm 80", "sm 80, .NaN ptx 8.0, .abs sm 86")).unwrap();
    let since = |name: &str| {
        table.forms.iter().find(|f| f.spelling() == name).map(|f| (f.targets[0].ptx, f.targets[0].sm.number))
    };
    assert_eq!(since("min.f16"), Some(((7, 0), 80)));
    assert_eq!(since("min.NaN.f16"), Some(((8, 0), 80)));
    assert_eq!(since("min.NaN.xorsign.abs.f16"), Some(((8, 0), 86)));
    assert_eq!(since("add.rz.ftz.f32"), Some(((1, 0), 20)));
}

#[test]
fn nothing_twice() {
    check("add.f64 ", "add.sat.f32 ", &["t.spec:4:1: `add.sat.f32` stands in the table already, at t.spec:3:1"]);
    check("eg (1.5", ".rnd = { .rn };\neg (1.5", &["t.spec:6:2: the set `.rnd` is defined twice in this section"]);
}

/// Rows with three operands have a function of their own. Another row could have its name.
#[test]
fn one_function_each() {
    let text = r#"section "1" min;
/// The smaller.
min.f32   d, a, b     where { ptx 1.0, sm 10 } => min;
min.f32   d, a, b, c  where { ptx 1.0, sm 10 } => min3;
eg (1.0, 2.0) -> 1.0;
eg (1.0, 2.0, 3.0) -> 1.0;
section "2" min3;
/// The smallest.
min3.f32  d, a, b, c  where { ptx 1.0, sm 10 } => min3;
eg (1.0, 2.0, 3.0) -> 1.0;
"#;
    assert_eq!(complaints(text.to_owned()), ["t.spec:9:1: the function `min3_f32` is taken already, at t.spec:4:1"]);
}

#[test]
fn nothing_unused() {
    check("cuda .rn.f32", "cuda .rn", &["t.spec:8:1: no form of this section is meant by \"__fadd_rn\""]);
    check(
        "{.rnd}",
        "{.rn}",
        &["t.spec:3:62: no form of this row has `.rz`", "t.spec:5:2: no row of this section has `.rnd`"],
    );
    check("eg .ftz", "eg .oob", &["t.spec:7:1: no form of this section needs this example"]);
    check(
        "eg (1.5, -4.0) -> -2.5;",
        "eg (1.5, 1.0) -> 2.5; eg (2.0, 1.0) -> 3.0;",
        &["t.spec:6:1: no form of this section needs this example"],
    );
    check(
        "eg (1.0) -> true;\n",
        "eg (1.0) -> true; section \"9\" neg; /// Nothing.",
        &["t.spec:19:31: this section has no row"],
    );
    check("/// The sum.", "", &["t.spec:1:15: this section has no summary: write `/// …` after it"]);
    let no_end = "t.spec:1:15: the summary of this section has no end: write one sentence in one line, and an empty line after it";
    check("/// The sum.", "/// The sum", &[no_end]);
    check(
        ".op = ",
        ".f64 = ",
        &[
            &format!("t.spec:17:7: unknown modifier or type `.op`; there are {ALL}"),
            "t.spec:18:2: `.f64` is a name of PTX itself: call the set something else",
        ],
    );
}

#[test]
fn operands_and_meanings() {
    let all: Vec<_> = MEANINGS.iter().map(|m| m.name).collect();
    let unknown = format!("t.spec:12:68: unknown meaning `minimum`; the meanings are {}", all.join(", "));
    for (from, to, complaints) in [
        ("=> min;", "=> minimum;", vec![unknown.as_str()]),
        ("=> min;", "=> neg;", vec!["t.spec:12:68: `neg` takes 1 operand, this row has 2"]),
        (
            "=> testp;",
            "=> neg;",
            vec![
                "t.spec:17:50: `neg` takes operands and result of one type of float, here it has (.f32) -> .pred",
                "t.spec:17:1: `testp.finite.f32`: `neg` does not know a property such as `.finite`",
            ],
        ),
        (
            "p, a",
            "d, a",
            vec![
                "t.spec:17:50: `testp` takes a scalar float and a predicate `p` as its result, here it has (.f32) -> .f32",
            ],
        ),
        ("p, a", "q, a", vec!["t.spec:17:15: the destination is called `d`, or `p` if it is a predicate, not `q`"]),
        (
            ".f64                    d, a, b",
            ".f64 d, b, a",
            vec![
                "t.spec:4:15: `a` cannot stand here: operands are called `a`, `b`, `c`, `e`, `f`, `rbits`, `scale` and stand in this order",
            ],
        ),
        (
            ".f64                    d, a, b",
            ".f64 d",
            vec!["t.spec:4:1: a row has 1 to 5 operands after its destination"],
        ),
    ] {
        let found = self::complaints(GOOD.replace(from, to));
        for complaint in complaints {
            assert!(found.iter().any(|f| f == complaint), "{complaint} is not in {found:#?}");
        }
    }
    // A predicate without a property, and a property without a predicate.
    check(
        "testp.op",
        "testp",
        &[
            "t.spec:17:1: `testp.f32`: `testp` needs a property such as `.finite` first",
            "t.spec:18:2: no row of this section has `.op`",
        ],
    );
    check(
        "add.f64",
        "add.finite.f64",
        &["t.spec:4:1: `add.finite.f64`: `add` does not know a property such as `.finite`"],
    );
}

#[test]
fn examples() {
    for (from, to, complaint) in [
        ("eg (1.0, nan)", "eg .NaN (1.0, nan)", "12:1: `min.f16` has no example: write `eg (…) -> …;` in this section"),
        ("(1.0, nan)", "(1.0)", "12:1: `min.f16` has no example: write `eg (…) -> …;` in this section"),
        ("nan) -> 1.0", "nan) -> 0.1", "13:18: 0.1 is not exactly representable in .f16"),
        ("nan) -> 1.0", "nan) -> 65536.0", "13:18: 65536.0 is not exactly representable in .f16"),
        ("nan) -> 1.0", "nan) -> one", "13:18: `one` is no number: write 1.5, 0x1.8p0, inf, nan or oob"),
        ("nan) -> 1.0", "nan) -> true", "13:18: `true` is no number: write 1.5, 0x1.8p0, inf, nan or oob"),
        ("(1.0, nan)", "(1.0, -nan)", "13:10: `nan` stands for one NaN, which has no sign here"),
        ("0x1p-149", "oob", "7:10: there is no out-of-bounds NaN in .f32"),
        ("-> true", "-> 1.0", "19:13: the result is true or false, not `1.0`"),
        (
            "-> 1.0;\n\nsection \"9.9\"",
            "-> 1.0, (2.0) -> 2.0; section \"9.9\"",
            "13:24: this case has 1 operands, its first neighbour 2",
        ),
    ] {
        check(from, to, &[&format!("t.spec:{complaint}")]);
    }
}

/// Rows whose operands and result have different types, with a target for each.
#[test]
fn signatures() {
    let text = r#"section "9.7" cvt;
/// Converted.
cvt.rnd.f16.f32    d, a           where { ptx 8.6 sm 100a, or ptx 8.8 sm 100f 120f } => cvt;
cvt.rnd.dtype.f32  d, a, b        where { ptx 7.0, sm 80 } => cvt_pack;
.rnd = { .rn, .rz };
.dtype = { .f16x2, .bf16x2 };
eg (1.5) -> 1.5;
eg (1.5, -2.0) -> (-2.0, 1.5);

section "9.8" set;
/// Compared.
set.op.u32.f16x2  d, a, b.u32    where { ptx 6.5, sm 53 } => set;
.op = { .lt, .num };
eg .lt (1.5, -2.0) -> false, (-2.0, 1.5) -> true;
eg .num (1.5, nan) -> false, (-2.0, 1.5) -> true;
"#;
    let found = complaints(text.to_owned());
    assert_eq!(found, ["t.spec:14:14: `-2.0` is no integer: write 7, or -7 if it is signed"]);
    let table = load_text(text.replace("b.u32", "b")).unwrap();
    let form = |name: &str| table.forms.iter().find(|f| f.spelling() == name).unwrap();
    let cvt = form("cvt.rz.f16.f32");
    assert_eq!(cvt.signature.to_string(), "(.f32) -> .f16");
    assert_eq!(
        cvt.targets.iter().map(|t| t.to_string()).collect::<Vec<_>>(),
        ["PTX 8.6, sm_100a", "PTX 8.8, sm_100f", "PTX 8.8, sm_120f",]
    );
    assert_eq!((cvt.method(), cvt.methods_of().unwrap().rust), ("cvt_rz_f32".to_owned(), "F16"));
    let pack = form("cvt.rn.bf16x2.f32");
    assert_eq!(
        (pack.signature.to_string(), pack.function()),
        ("(.f32, .f32) -> .bf16x2".into(), "cvt_rn_bf16x2_f32".into())
    );
    assert_eq!(pack.cases[0].result, (0x3FC0_C000, "(-2.0, 1.5)".to_owned()));
    let set = form("set.CmpOp.u32.f16x2");
    assert_eq!((set.function(), set.method()), ("set_u32_f16x2".into(), "set_u32".into()));
    assert_eq!((set.place_bits(), set.cases[1].result.0), (16, 0xFFFF));
    let [lt, num] = ["lt", "num"].map(|name| modifier(name).unwrap());
    assert_eq!(
        (set.spellings(), set.operators.choices()),
        (2, vec![vec![lt], vec![num]]),
        "both comparisons are one form"
    );
    assert_eq!((set.spelled(&[num]), set.closed(&[])), ("set.num.u32.f16x2".into(), "set.lt.u32.f16x2".into()));
    assert_eq!(table.forms.len(), 2 + 4 + 1);
}

/// Modifiers in the order of their row, and operands that only some forms of a row have.
#[test]
fn operands_that_a_modifier_brings() {
    let text = r#"section "9.7" cvt;
/// Converted.
cvt.rn{.relu}{.satfinite}{.scaled::n2::ue8m0}.bf16x2.f16x2  d, a{, scale.b16}   where { ptx 9.2, sm 100f } => cvt;
cvt.rn{.satfinite}{.relu}.f16x2.bf16x2                      d, a                where { ptx 9.2, sm 100f } => cvt;
eg (1.5) -> 1.5;
eg (1.5, 0x7f7f) -> 1.5;

section "9.8" set;
/// Compared.
set.op{.bool}.u32.s16  d, a, b{, {!}c}     where { ptx 6.5, sm 53 } => set;
.op = { .lt, .eq };
.bool = { .and, .xor };
eg .lt (-2, 1) -> true;
eg .lt .and (-2, 1, false) -> false;
eg .eq .xor (-2, 1, true) -> true;

section "9.9" cvt;
/// Packed.
cvt.rn.relu.f16x2.f32  d, {a, b}         where { ptx 8.7, sm 100a } => cvt_pack;
eg (1.5, -2.0) -> (-2.0, 1.5);
"#;
    let table = load_text(text.to_owned()).unwrap();
    let form = |name: &str| table.forms.iter().find(|f| f.spelling() == name).expect(name);
    assert_eq!(table.forms.len(), 8 + 4 + 2 + 1);
    let line = |f: &Form| f.line(|o| o.name.text.clone());
    let scaled = form("cvt.rn.relu.satfinite.scaled::n2::ue8m0.bf16x2.f16x2");
    assert_eq!(
        (scaled.function(), line(scaled)),
        ("cvt_rn_relu_satfinite_scaled_n2_ue8m0_bf16x2_f16x2".into(), "a, scale".into())
    );
    assert_eq!(scaled.signature.to_string(), "(.f16x2, .b16) -> .bf16x2");
    assert_eq!(scaled.row().grammar, "cvt.rn{.relu}{.satfinite}{.scaled::n2::ue8m0}.bf16x2.f16x2 d, a{, scale}");
    assert_eq!(line(form("cvt.rn.relu.bf16x2.f16x2")), "a");
    assert_eq!(form("cvt.rn.satfinite.relu.f16x2.bf16x2").canonical(), "cvt.rn.satfinite.relu.f16x2.bf16x2");
    let set = form("set.CmpOp.BoolOp.u32.s16");
    assert_eq!(set.signature.to_string(), "(.s16, .s16, .pred) -> .u32");
    assert_eq!((set.function(), set.spellings()), ("set_bool_u32_s16".into(), 4));
    assert_eq!(
        (set.row().grammar.as_str(), set.cases[0].operands[0].0),
        ("set.op{.bool}.u32.s16 d, a, b{, {!}c}", 0xFFFE)
    );
    assert_eq!(form("set.CmpOp.u32.s16").function(), "set_u32_s16");
    assert_eq!(line(form("cvt.rn.relu.f16x2.f32")), "{a, b}");
    for (from, to, expected) in [
        ("{, scale.b16}", "", "3:28: `.scaled::n2::ue8m0` asks for the operand `scale`: write `{, scale}`"),
        ("{.bool}", ".bool", "10:35: `{, c}` needs a modifier that asks for `c` in braces too"),
        ("{.bool}.u32", ".u32", "10:30: `{, c}` needs a modifier that asks for `c` in braces too"),
        ("(-2, 1, false) -> false", "(-2, 1, 0) -> false", "14:21: a predicate is true or false, not `0`"),
        ("(-2, 1) -> true", "(-2, 32768) -> true", "13:13: 32768 is not in the range of .s16"),
        ("b{, {!}c}", "b{, c", "10:40: expected `}`, found `where`"),
        ("b{, {!}c}", "b, {c", "10:40: expected `}`, found `where`"),
        ("{a, b}", "{a, {b}}", "19:31: expected an element of the vector, found `{`"),
    ] {
        assert_eq!(text.matches(from).count(), 1, "`{from}` stands once");
        let found = complaints(text.replace(from, to));
        assert!(found.contains(&format!("t.spec:{expected}")), "`{from}` replaced by `{to}`: {found:#?}");
    }
}

/// Two predicates, of which the second is optional or required.
#[test]
fn two_predicates() {
    let text = r#"section "9.7" testp;
/// Asked.
testp.number.f32  p{|q}, a   where { ptx 1.0, sm 10 } => testp;
eg (1.5) -> (true, false);
"#;
    // No function has such a result yet. The complaint shows the parsed types.
    let refused = "takes a scalar float and a predicate `p` as its result, here it has (.f32) -> .pred|pred";
    assert_eq!(complaints(text.to_owned()), [format!("t.spec:3:58: `testp` {refused}")]);
    for (to, expected) in [
        ("p|r", "t.spec:3:21: expected `q`, the second predicate, found `r`"),
        ("p{|q", "t.spec:3:23: expected `}`, found `,`"),
    ] {
        assert_eq!(complaints(text.replace("p{|q}", to)), [expected]);
    }
    let found = complaints(text.replace("(true, false)", "(true)"));
    assert_eq!(found[0], "t.spec:4:14: the result has 2 lanes, here are 1: write each, `(…, …)`");
}

/// All mistakes are reported, not only the first.
#[test]
fn all_at_once() {
    let text = GOOD.replace("{.ftz}", "{.fzt}").replace("=> min;", "=> max3;").replace("-> true", "-> 1.0");
    let found = complaints(text);
    let places: Vec<_> = found.iter().map(|c| c.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["t.spec:3:12", "t.spec:19:13", "t.spec:12:68"]);
    // A file that cannot be parsed does not hide the mistakes of another.
    let files = [("a.spec", "section add;"), ("b.spec", "section \"1\" neg;")];
    let e = load(&files.map(|(name, text)| Source { name, text })).unwrap_err();
    assert!(e.contains("a.spec:1:9") && e.contains("b.spec:1:13"), "{e}");
}

/// The numbers of forms equal a count by hand from the manual's grammar lines.
///
/// A spelling that leaves out an optional rounding is a form without a function. With r roundings,
/// `{.rnd}` has r + 1 forms and r functions, and `.rnd` has r of each. Every other optional part
/// doubles both. In 9.7.3 r is 4, and in 9.7.4 it is 1.
#[test]
fn counts() {
    const INTEGERS: usize = 4 * 3 * (10 + 6 + 2);
    let by_hand: &[(&str, usize, usize)] = &[
        // testp.op.type: 6 properties × 2 types; copysign.type: 2 types
        ("9.7.3.1", 12, 12),
        ("9.7.3.2", 2, 2),
        // {.rnd}{.ftz}{.sat}.f32: 5·2·2 | 4·2·2; {.rnd}{.ftz}.f32x2: 5·2 | 4·2; {.rnd}.f64: 5 | 4
        ("9.7.3.3", 20 + 10 + 5, 16 + 8 + 4),
        ("9.7.3.4", 20 + 10 + 5, 16 + 8 + 4),
        ("9.7.3.5", 20 + 10 + 5, 16 + 8 + 4),
        // fma: the same with a required rounding; mad: {.ftz}{.sat}.f32, .rnd{.ftz}{.sat}.f32,
        // .rnd.f64
        ("9.7.3.6", 16 + 8 + 4, 16 + 8 + 4),
        ("9.7.3.7", 4 + 16 + 4, 4 + 16 + 4),
        // div: .approx{.ftz}, .full{.ftz}, .rnd{.ftz} of .f32, .rnd.f64
        ("9.7.3.8", 2 + 2 + 8 + 4, 2 + 2 + 8 + 4),
        // abs, neg: {.ftz}.f32, .f64
        ("9.7.3.9", 3, 3),
        ("9.7.3.10", 3, 3),
        // min, max: {.ftz}{.NaN}{.xorsign.abs}.f32 of two inputs, {.ftz}{.NaN}{.abs}.f32 of three,
        // .f64
        ("9.7.3.11", 8 + 8 + 1, 8 + 8 + 1),
        ("9.7.3.12", 8 + 8 + 1, 8 + 8 + 1),
        // rcp, sqrt: .approx{.ftz}.f32, .rnd{.ftz}.f32, .rnd.f64; rcp.approx.ftz.f64
        ("9.7.3.13", 2 + 8 + 4, 2 + 8 + 4),
        ("9.7.3.14", 1, 1),
        ("9.7.3.15", 2 + 8 + 4, 2 + 8 + 4),
        // rsqrt: .approx{.ftz}.f32, .approx.f64; rsqrt.approx.ftz.f64
        ("9.7.3.16", 3, 3),
        ("9.7.3.17", 1, 1),
        // sin, cos, lg2, ex2: .approx{.ftz}.f32; sin, cos: .approx.2pi.ftz.f32; tanh.approx.f32
        ("9.7.3.18", 3, 3),
        ("9.7.3.19", 3, 3),
        ("9.7.3.20", 2, 2),
        ("9.7.3.21", 2, 2),
        ("9.7.3.22", 1, 1),
        // add, sub, mul: {.rnd}{.ftz}{.sat} of .f16 and .f16x2: 2·2·2 | 2·2; {.rnd} of .bf16 and
        // .bf16x2: 2 | 1
        ("9.7.4.1", 2 * 8 + 2 * 2, 2 * 4 + 2),
        ("9.7.4.2", 2 * 8 + 2 * 2, 2 * 4 + 2),
        ("9.7.4.3", 2 * 8 + 2 * 2, 2 * 4 + 2),
        // fma: .rnd{.ftz}{.sat}, .rnd{.ftz}.relu of .f16 and .f16x2; .rnd{.relu} of .bf16 and
        // .bf16x2; .rnd.oob{.relu} of all four
        ("9.7.4.4", 2 * 4 + 2 * 2 + 2 * 2 + 4 * 2, 24),
        // neg, abs: {.ftz} of .f16 and .f16x2, .bf16, .bf16x2
        ("9.7.4.5", 2 * 2 + 2, 6),
        ("9.7.4.6", 2 * 2 + 2, 6),
        // min, max: {.ftz}{.NaN}{.xorsign.abs} of .f16 and .f16x2, {.NaN}{.xorsign.abs} of .bf16
        // and .bf16x2
        ("9.7.4.7", 2 * 8 + 2 * 4, 24),
        ("9.7.4.8", 2 * 8 + 2 * 4, 24),
        // tanh.approx.type: 4 types; ex2.approx.atype, ex2.approx.ftz.btype: 2 types each
        ("9.7.4.9", 4, 4),
        ("9.7.4.10", 2 + 2, 4),
        // Mixed add, sub: {.rnd}{.sat}.f32 of 2 types; fma with a required rounding
        // Of pairs without .sat; .rz of two f32 to 2 types; mul also of the two 16-bit types
        ("9.7.5.1", 2 * 5 * 2 + 5 * 2 + 2, 2 * 4 * 2 + 4 * 2 + 2),
        ("9.7.5.2", 2 * 5 * 2 + 5 * 2 + 2, 2 * 4 * 2 + 4 * 2 + 2),
        ("9.7.5.3", 2 * 4 * 2 + 4 * 2, 2 * 4 * 2 + 4 * 2),
        ("9.7.5", 2 + 2, 2 + 2),
        // Four lanes, to 2 types, of 7 types or pairs of them
        ("9.7.6", 4 * 2 * (2 * 7 + 2 * 49), 2 * 2 * (2 * 7 + 2 * 49)),
        // set: 14 comparisons, alone or with 3 operators: 56 spellings of 2 functions. To 3 types
        // of {.ftz}.f32 and of .f64; to .f32 of integers: 3 widths of 10 unsigned, 6 signed and 2
        // bits' comparisons
        ("9.7.6.1", 56 * (3 * 2 + 3) + INTEGERS, 2 * (3 * 2 + 3) + 2 * 9),
        // setp: {.ftz}.f32, .f64
        ("9.7.6.2", 56 * (2 + 1), 2 * (2 + 1)),
        // selp.type: 2 types; slct{.ftz} of 11 types by .f32, of 2 types by .s32
        ("9.7.6.3", 2, 2),
        ("9.7.6.4", 2 * 11 + 2, 2 * 11 + 2),
        // set: to .f16 of {.ftz} 2 types, and of .f64; to .bf16 of 4 types; to 4 integers of
        // {.ftz}.f16 and of .bf16; to 3 types of {.ftz}.f16x2 and of .bf16x2; to .f16 and .bf16 of
        // integers
        ("9.7.7.1", 56 * (5 + 4 + 4 * 3 + 3 * 3) + 2 * INTEGERS, 2 * (5 + 4 + 4 * 3 + 3 * 3) + 2 * 2 * 9),
        // setp: {.ftz} of .f16 and .f16x2, .bf16 and .bf16x2
        ("9.7.7.2", 56 * (2 * 2 + 2), 2 * (2 * 2 + 2)),
        // cvt: .irnd to 8 integers of f16 and f64 {.sat}, f32 {.ftz}{.sat}, bf16, and back with
        // .frnd; narrowing with .frnd: f64 to f32 {.ftz}{.sat}, f16 {.sat}, bf16, f32 to f16
        // {.ftz}{.sat}, bf16 {.ftz}, between the halves; widening; one type, alone or with .irnd;
        // .relu, .satfinite or both to halves, {.relu}{.satfinite} to pairs of them; tf32; two fp8,
        // two fp6 and fp4 from f32, f16x2 and bf16x2, to f16x2 and to bf16x2; ue8m0; scales; s2f6;
        // .rs; .rz to the five types from three, and to s2f6 from two with and without a scale;
        // .pzo, with a scale or not, and a scale alone; ue5m3 from three types, scaled or not, and
        // back
        (
            "9.7.9.21",
            2 * 8 * 4 * 9
                + 4 * 15
                + 13
                + 9 * 5
                + 28
                + 10
                + 5 * (6 + 2 + 4)
                + 9
                + 20
                + 16
                + 18
                + 5 * 6
                + 8
                + (2 * 4 * 5 + 4 * 15 * 2 + 4 * 15)
                + (6 * 3 + 4 * 3 + 4 + 1),
            288 + 288 + 82 + 36 + 28 + 10 + 24 + 24 + 12 + 9 + 20 + 16 + 18 + 30 + 8 + 40 + 60 + 120 + 35,
        ),
    ];
    let table = table().unwrap();
    for &(section, spellings, functions) in by_hand {
        let here = || table.forms.iter().filter(|f| f.section.number == section);
        let found: usize = here().map(Form::spellings).sum();
        let own = here().filter(|f| f.implicit_rn.is_none()).count();
        assert_eq!((found, own), (spellings, functions), "{section}");
    }
    assert!(table.sections.iter().all(|s| by_hand.iter().any(|h| h.0 == s.number)));
    let spellings: usize = table.forms.iter().map(Form::spellings).sum();
    // 9.7.3 and 9.7.4, mixed precision, set of floats and of integers, setp, selp, slct, cvt.
    assert_eq!(spellings, 423 + 56 + 36 + 896 + 2184 + 648 + 504 + 2 + 24 + 1148);
    assert_eq!(table.canonical().count(), 372 + 48 + 32 + 448 + 2 * (39 + 27) + 2 * 9 + 2 + 24 + 1148);
    // 9.7.4 and the f32x2 forms: add, sub, mul, fma with 4 roundings × .ftz or not; mixed ones; set
    // and setp of halves; cvt.
    assert_eq!(
        table.canonical().filter(|f| f.methods_of().is_some()).count(),
        122 + 4 * 8 + 48 + 32 + 448 + 2 * (4 + 12 + 9) + 2 * 6 + (1148 - 2 * (128 + 64) - 16 - 4 - 6 * 5)
    );
}

#[test]
fn everything_known_is_used() {
    let table = table().unwrap();
    for meaning in MEANINGS {
        assert!(table.forms.iter().any(|f| f.meaning() == meaning), "{}", meaning.name);
    }
    for modifier in MODIFIERS {
        assert!(table.forms.iter().any(|f| f.allows(modifier)), "{}", modifier.ptx);
    }
    for ty in TYPES {
        let of = |f: &Form| f.types.contains(&ty) || f.signature.result == ty || f.signature.operands.contains(&ty);
        assert!(table.forms.iter().any(of), "{}", ty.ptx);
    }
    assert!(MODIFIERS.is_sorted_by_key(|m| m.group), "the list is one of groups");
}
