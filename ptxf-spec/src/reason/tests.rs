//! Spellings on which the manual and NVIDIA's assembler disagree: accepted, or refused with the
//! reason.

use crate::form::Form;
use crate::spelling::{Spelling, check};
use crate::table;
use crate::types::{Kind, Type};

/// Returns the message about a spelling, which must be refused.
#[track_caller]
fn refusal(spelling: &str) -> String {
    match check(table().unwrap(), &Spelling::of(spelling)) {
        Ok(_) => panic!("{spelling} is accepted"),
        Err(mistake) => mistake.problem,
    }
}

/// Returns every concatenation of one choice per part.
fn products(parts: &[&[&str]]) -> Vec<String> {
    let start = vec![String::new()];
    parts.iter().fold(start, |all, part| all.iter().flat_map(|a| part.iter().map(move |p| format!("{a}{p}"))).collect())
}

const ROUNDINGS: &[&str] = &[".rn", ".rz", ".rm", ".rp"];

/// The spellings of the two chapters on arithmetic, and the rows of the later chapters, are
/// accepted, and no others are.
#[test]
fn the_table_has_what_was_counted_and_nothing_else() {
    let table = table().unwrap();
    let count = |of: &dyn Fn(&Form) -> bool| table.forms.iter().filter(|f| of(f)).map(Form::spellings).sum::<usize>();
    let cvt = |f: &Form| f.instruction() == "cvt";
    let integer = |t: &Type| matches!(t.kind, Kind::Integer { .. });
    let wide = |t: &Type| matches!(t.kind, Kind::Float(_)) && t.lanes == 1 && t.lane_bits >= 16 && t.ptx != "tf32";
    let packed = |t: &Type| t.lanes > 1;
    let eight = |t: &Type| t.lane_bits <= 8 && !integer(t) && t.lane != "s2f6";
    let narrow = |f: &Form| f.types.iter().any(|t| eight(t));
    let scaled = |f: &Form| f.has("scaled::n2::ue8m0");
    let scaled_down = |f: &Form| f.has("scaled::n1::ue8m0");
    let ue5m3 = |f: &Form| f.types.iter().any(|t| t.lane == "ue5m3");
    let s2f6 = |f: &Form| f.types.iter().any(|t| t.lane == "s2f6");
    let plain = |f: &Form| cvt(f) && f.types.iter().all(|t| wide(t));
    let integral = |f: &Form| ["rni", "rzi", "rmi", "rpi"].iter().any(|m| f.has(m));
    let modern = |f: &Form| f.has("relu") || f.has("satfinite");
    let set = |f: &Form| f.instruction() == "set";
    let rows: [(&str, usize, usize); 21] = [
        ("mixed precision", 56 + 36, count(&|f| f.section.number.starts_with("9.7.5"))),
        ("arithmetic on four lanes", 896, count(&|f| f.section.number == "9.7.6")),
        ("set of floats", 2184, count(&|f| set(f) && matches!(f.types[1].kind, Kind::Float(_)))),
        ("set of integers and bits", 648, count(&|f| set(f) && !matches!(f.types[1].kind, Kind::Float(_)))),
        ("setp", 504, count(&|f| f.instruction() == "setp")),
        ("selp", 2, count(&|f| f.instruction() == "selp")),
        ("slct", 24, count(&|f| f.instruction() == "slct")),
        ("float to integer", 288, count(&|f| cvt(f) && integer(f.types[0]))),
        ("integer to float", 288, count(&|f| cvt(f) && integer(f.types[1]))),
        ("float to float", 82, count(&|f| plain(f) && !integral(f) && !modern(f) && !f.has("pzo"))),
        ("float to integral float", 36, count(&|f| plain(f) && integral(f))),
        (
            "halves with .relu or .satfinite, and pairs of them",
            28,
            count(&|f| {
                let pair = cvt(f) && packed(f.types[0]) && f.types[1].ptx == "f32" && f.types[0].lane_bits == 16;
                (plain(f) && modern(f) || pair && !f.has("rs")) && !f.has("pzo")
            }),
        ),
        ("tf32", 10, count(&|f| f.types[0].ptx == "tf32" && !f.has("pzo"))),
        ("fp8, fp6, fp4", 24 + 24 + 12 + 30, {
            let others = |f: &Form| scaled(f) || scaled_down(f) || f.has("rs") || f.has("pzo") || ue5m3(f);
            count(&|f| cvt(f) && narrow(f) && !others(f) && f.types.iter().all(|t| t.lane != "ue8m0"))
        }),
        (".pzo", 40 + 60, count(&|f| f.has("pzo") && !scaled_down(f))),
        ("scaled from f32 or halves", 120, count(&|f| scaled_down(f) && !ue5m3(f))),
        ("ue5m3", 12 + 18 + 5, count(&ue5m3)),
        ("ue8m0", 9, count(&|f| cvt(f) && f.types.iter().any(|t| t.lane == "ue8m0"))),
        ("scaled to bf16x2", 20, count(&|f| scaled(f) && !s2f6(f) && !ue5m3(f))),
        ("s2f6", 16 + 8, count(&s2f6)),
        (".rs", 18, count(&|f| f.has("rs"))),
    ];
    for (what, counted, found) in rows {
        assert_eq!(found, counted, "{what}");
    }
    let later: usize = rows.iter().map(|row| row.1).sum();
    let arithmetic = count(&|f| f.section.number.starts_with("9.7.3.") || f.section.number.starts_with("9.7.4."));
    assert_eq!((arithmetic, later, count(&|_| true)), (423, 5498, 423 + 5498));
}

/// The manual's list of types lacks this type, but the assembler and NVIDIA's headers have it. It
/// is accepted, with a note in the documentation.
#[test]
fn comparisons_of_bf16_to_bf16_are_accepted() {
    let table = table().unwrap();
    let forms: Vec<&Form> = table
        .forms
        .iter()
        .filter(|f| f.instruction() == "set" && f.types.iter().all(|t| t.ptx == "bf16") && f.types.len() == 2)
        .collect();
    assert_eq!(forms.iter().map(|f| f.spellings()).sum::<usize>(), 56);
    assert!(
        forms.iter().all(|f| f
            .row()
            .note
            .as_deref()
            .is_some_and(|note| note.contains("which NVIDIA's assembler accepts")))
    );
    assert!(check(table, &Spelling::of("set.gtu.xor.bf16.bf16")).is_ok());
}

/// The fourteen conversions of bf16 that the assembler accepts against the manual's rule. One is an
/// example of the manual.
#[test]
fn roundings_of_bf16_are_as_the_rule_has_them() {
    let exact = products(&[&["cvt"], ROUNDINGS, &["", ".ftz"], &[".f32.bf16"]]);
    let exact = exact.into_iter().chain(products(&[&["cvt"], ROUNDINGS, &[".f64.bf16"]]));
    let mut refused = 0;
    for spelling in exact {
        let problem = refusal(&spelling);
        assert!(problem.contains("every number in .bf16 is one in .f"), "{spelling}: {problem}");
        assert!(problem.ends_with("and nothing is rounded: leave it out"), "{spelling}: {problem}");
        refused += 1;
    }
    for [to, from] in [["f16", "bf16"], ["bf16", "f16"]] {
        let ways =
            ROUNDINGS.iter().map(|rounding| format!("`cvt{rounding}.{to}.{from}`")).collect::<Vec<_>>().join(", ");
        assert_eq!(refusal(&format!("cvt.{to}.{from}")), format!("`cvt.{to}.{from}` needs a rounding: write {ways}"));
        refused += 1;
    }
    assert_eq!(refused, 14);
    // The manual's example, with its order of modifiers.
    assert!(refusal("cvt.f64.bf16.rp").contains("`.rp` does not exist for cvt.f64.bf16: every number in .bf16"));
}

/// The assembler compiles these spellings to other instructions.
#[test]
fn halves_round_to_nearest() {
    let all = products(&[&["fma"], &ROUNDINGS[1..], &["", ".relu", ".oob", ".oob.relu"], &[".bf16", ".bf16x2"]]);
    assert_eq!(all.len(), 24);
    for spelling in all {
        let problem = refusal(&spelling);
        assert!(
            problem.ends_with("and NVIDIA's assembler compiles other roundings to something else: write `.rn`"),
            "{spelling}: {problem}"
        );
    }
}

/// The assembler accepts modifiers in any order, and some examples of the manual have them after
/// the types. The manual's grammar has one order.
#[test]
fn the_order_is_that_of_the_grammar() {
    for (spelling, right) in [
        ("add.rz.f32.bf16.sat", "add.rz.sat.f32.bf16"),
        ("cvt.rn.satfinite.relu.f16.f32", "cvt.rn.relu.satfinite.f16.f32"),
        ("cvt.rn.relu.satfinite.tf32.f32", "cvt.rn.satfinite.relu.tf32.f32"),
        ("cvt.rn.relu.satfinite.e4m3x2.f32", "cvt.rn.satfinite.relu.e4m3x2.f32"),
        ("cvt.rn.satfinite.relu.bf16x2.e4m3x2", "cvt.rn.relu.satfinite.bf16x2.e4m3x2"),
        ("cvt.rn.relu.satfinite.bf16x2.s2f6x2", "cvt.rn.satfinite.relu.bf16x2.s2f6x2"),
        ("cvt.rs.satfinite.relu.e4m3x4.f32", "cvt.rs.relu.satfinite.e4m3x4.f32"),
    ] {
        let problem = refusal(spelling);
        assert!(problem.ends_with(&format!(": write `{right}`")), "{spelling}: {problem}");
        assert!(check(table().unwrap(), &Spelling::of(right)).is_ok());
    }
}

/// Spellings that the manual's text mentions and its grammar lacks.
#[test]
fn what_is_only_mentioned_is_refused() {
    for (spelling, reason) in [
        // Version notes of ue8m0.
        (
            "cvt.rn.satfinite.ue8m0x2.f32",
            "`.rn` does not exist for cvt.ue8m0x2.f32: the power of two is below or above the magnitude: write `.rz` or `.rp`",
        ),
        (
            "cvt.rp.relu.ue8m0x2.bf16x2",
            "`.relu` does not exist for cvt.ue8m0x2.bf16x2: no number of the type is negative: leave it out",
        ),
        // A note calls this rounding the default, and a later manual has it in brackets.
        ("fma.f16", "`fma.f16` needs a rounding: write `fma.rn.f16`"),
        (
            "fma.f32.bf16",
            "`fma.f32.bf16` needs a rounding: write `fma.rn.f32.bf16`, `fma.rz.f32.bf16`, `fma.rm.f32.bf16`, `fma.rp.f32.bf16`",
        ),
    ] {
        assert_eq!(refusal(spelling), reason);
    }
    assert!(refusal("setp.lo.f32").contains("it compares unsigned integers: for floats write `.lt`"));
}

/// The assembler refuses them, too.
#[test]
fn pzo_has_no_random_bits() {
    let random =
        products(&[&["cvt.rs"], &["", ".relu"], &["", ".satfinite"], &[".pzo"], &[".f16x2", ".bf16x2"], &[".f32"]]);
    let four = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"].map(|t| format!(".{t}x4.f32"));
    let four: Vec<&str> = four.iter().map(String::as_str).collect();
    let random: Vec<_> =
        random.into_iter().chain(products(&[&["cvt.rs"], &["", ".relu"], &[".satfinite.pzo"], &four])).collect();
    assert_eq!(random.len(), 18);
    for spelling in random {
        let problem = refusal(&spelling);
        assert!(problem.contains("`.pzo`"), "{spelling}: {problem}");
    }
}

/// Conversions that do not exist, with advice on how to get their result.
#[test]
fn ways_around_are_told() {
    for (spelling, way) in [
        ("cvt.rn.f32.f16", "every number in .f16 is one in .f32, and nothing is rounded: leave it out"),
        ("cvt.rz.f16x2.e4m3x2", "every number in .e4m3 is one in .f16, and nothing is rounded: write `.rn`"),
        ("cvt.rm.satfinite.e4m3x2.f32", ".e4m3 is rounded to nearest or toward zero: write `.rn` or `.rz`"),
        ("add.rz.f16x2", "`.rz` does not exist for add.f16x2: 16-bit floats round to nearest only: write `.rn`"),
        ("cvt.rm.pzo.f16.f32", "`.pzo` and `.rm` exclude each other"),
        ("cvt.rn.pzo.f32.f64", "`.pzo` does not exist for cvt.f32.f64: a zero keeps its sign: leave it out"),
        ("cvt.rn.s32.f32", "an integer has its own roundings: write `.rni`"),
        ("cvt.rpi.f32.s32", "it rounds to an integer: write `.rp`"),
        ("cvt.rzi.f16.f32", "it rounds to an integer: write `.rz`"),
        ("cvt.rs.satfinite.e4m3x2.f32", "random bits round four lanes at once: write `.e4m3x4`, or `.rn`"),
        ("cvt.rn.satfinite.e2m1x4.f32", "only random bits round four lanes: write `.rs`, or `.rn` with `.e2m1x2`"),
        ("cvt.rn.e4m3x2.f32", "needs `.satfinite`: write `cvt.rn.satfinite.e4m3x2.f32`"),
        ("cvt.f32.e4m3x2", "lanes become a pair: write `cvt.rn.f16x2.e4m3x2`, and `cvt.f32.f16` of each"),
        ("cvt.rn.satfinite.e5m2x2.f64", "write `cvt.rn.f32.f64`, and `cvt` to `.e5m2x2`, which round twice"),
        ("cvt.rn.satfinite.e5m2x2.f16", "16-bit floats are converted in pairs: write `.e5m2x2.f16x2`"),
        ("cvt.u32.s32", "a conversion between integers is not a floating-point instruction: write Rust's `as`"),
        ("fma.rn.e2m1x4.e2m1x4.e2m1x4", "write `fma.rn.e4m3x4.e4m3x4.e4m3x4`"),
        ("add.e4m3x2", "there is no arithmetic on it: convert to 16-bit floats first, `cvt.rn.f16x2.e4m3x2`"),
    ] {
        let problem = refusal(spelling);
        assert!(problem.ends_with(way), "{spelling}: {problem}");
    }
}
