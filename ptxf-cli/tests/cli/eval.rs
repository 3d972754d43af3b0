//! `ptxf eval` for one form.

use crate::support::ptxf;

/// Returns the bits of the result.
#[track_caller]
fn result(args: &str) -> String {
    let args: Vec<&str> = ["eval"].into_iter().chain(args.split_whitespace()).collect();
    let ran = ptxf(&args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
    let is_result = |l: &&str| l.starts_with("  d  ") || l.starts_with("  p  ");
    let line = ran.out.lines().find(is_result).unwrap_or_else(|| panic!("no result in {}", ran.out));
    line.split_whitespace().nth(1).unwrap().to_owned()
}

/// Returns the message on stderr.
#[track_caller]
fn error(args: &str) -> String {
    let args: Vec<&str> = ["eval"].into_iter().chain(args.split_whitespace()).collect();
    let ran = ptxf(&args);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}");
    assert!(ran.err.starts_with("error: ") && ran.err.ends_with('\n') && ran.err.lines().count() == 1, "{}", ran.err);
    ran.err
}

#[test]
fn the_detours_through_wider_types_would_be_wrong() {
    assert_eq!(result("fma.rn.f16 0x3c01 0x0ffe 0x3c01"), "0x3c01");
    assert_eq!(result("fma.rn.bf16 0x40e0 0x4214 0x8d80"), "0x4381");
    assert_eq!(result("fma.rn.bf16 7 37 -0x1p-100"), "0x4381");
}

#[test]
fn bits_and_values_mean_the_same() {
    for args in [
        "fma.rn.f16 1.5 -2 0.25",
        "fma.rn.f16 0x3e00 -0x1p1 .25",
        "fma.rn.f16 0X3E00 0xc0_00 25e-2",
        "fma.rn.f16 +1.5 0xc000 0x0.4",
    ] {
        assert_eq!(result(args), "0xc180", "{args}");
    }
    assert_eq!(result("add.f64 0x3ff0_0000_0000_0000 1"), "0x4000000000000000");
    assert_eq!(result("add.f32 -inf 1"), "0xff800000");
    assert_eq!(result("add.f32 nan 1"), "0x7fffffff");
    assert_eq!(result("add.f32 -Infinity -1e39"), "0xff800000");
    assert_eq!(result("sub.bf16 -1 -2"), "0x3f80");
    assert_eq!(result("min.f32 1 -2"), "0xc0000000");
    assert_eq!(result("min.f32 1 -2 -3"), "0xc0400000");
}

#[test]
fn packed_operands_are_the_lower_lane_then_the_upper() {
    assert_eq!(result("add.f16x2 1.5,-2 0,0"), "0xc0003e00");
    assert_eq!(result("add.f16x2 -2,1.5 0x00000000"), "0x3e00c000");
    assert_eq!(result("add.f16x2 0x3c00,-1 0,0x8000"), "0xbc003c00");
    assert_eq!(result("add.f32x2 1,2 0x4000000000000000"), "0x408000003f800000");
}

#[test]
fn a_stranger_can_read_it() {
    let ran = ptxf(&["eval", "fma.rn.f16x2", "1.5,-2", "0x3c003c00", "0,0.1"]);
    assert_eq!(
        ran.out,
        "fma.rn.f16x2  d, a, b, c;\n\n     bits        lower lane  upper lane\n  a  0xc0003e00  1.5         -2\n  \
         b  0x3c003c00  1           1\n  c  0x2e660000  0           0.0999755859375\n  d  0xbf9a3e00  1.5         \
         -1.900390625\n"
    );
    let note = "note: operand c: 0.1 is not a number of .f16: rounded to 0x2e66 = 0.0999755859375\n";
    assert_eq!((ran.err.as_str(), ran.code), (note, Some(0)));
    assert!(ptxf(&["eval", "testp.finite.f32", "1"]).out.ends_with("  p  0x1         true\n"));
    assert!(ptxf(&["eval", "testp.finite.f64", "inf"]).out.ends_with("  p  0x0                 false\n"));
    assert!(ptxf(&["eval", "sin.approx.f32", "1"]).out.contains("a GPU may return other bits"));
    assert!(ptxf(&["eval", "add.f16", "70000", "0"]).err.contains("rounded to 0x7c00 = inf"));
    assert_eq!(ptxf(&["eval", "add.f16", "-2", "0x1.8p-3"]).err, "");
}

#[test]
fn bad_input_is_named() {
    for (args, parts) in [
        ("fma.f16 1 2 3", &["unknown form fma.f16", "needs a rounding", "nearest legal form is fma.rn.f16"][..]),
        ("add.f16 1", &["add.f16 takes 2 operands, 1 given"]),
        ("add.f16 1 2 3", &["add.f16 takes 2 operands, 3 given"]),
        ("abs.f16", &["abs.f16 takes 1 operand, 0 given"]),
        ("min.f32 1", &["min.f32 takes 2 or 3 operands, 1 given"]),
        ("add.f16 0x3c 1", &["operand a: 0x3c has 2 hex digits, .f16 takes 4: write 0x003c"]),
        ("add.f16 1 0x00003C00", &["operand b: 0x00003C00 has 8 hex digits, .f16 takes 4: write 0x3c00"]),
        ("add.f16 1 0x12345", &["0x12345 has 5 hex digits, .f16 takes 4\n"]),
        ("add.f16 1 0x", &["0x has 0 hex digits, .f16 takes 4: write 0x0000"]),
        ("add.f16 1 0x3cg0", &["0x3cg0 is not hexadecimal: it has `g`"]),
        ("add.f16 1 two", &["operand b: two is not a number: write bits such as 0x0000, or a value such as 1.5"]),
        ("add.f16 1 1,2", &["1,2 has 2 lanes, .f16 has one"]),
        ("add.f16x2 1.5 1,2", &["operand a: 1.5 is one value, .f16x2 has two lanes: write 1.5,1.5"]),
        ("add.f16x2 1,2 -1", &["operand b: -1 is one value, .f16x2 has two lanes: write -1,-1"]),
        ("add.f16x2 1,2 1,2,3", &["1,2,3 has 3 lanes, .f16x2 has two"]),
        ("add.f16x2 1,2 1,", &["operand b: upper lane: \"\" is empty: write bits such as 0x00000000, or values"]),
        ("add.f16x2 ,1 1,2", &["operand a: lower lane: \"\" is empty"]),
        ("add.f16x2 1,2 1,0x3c", &["operand b: upper lane: 0x3c has 2 hex digits, .f16 takes 4"]),
        ("add.f16 1 \u{200b}", &["operand b: \\u{200b} is not a number"]),
        ("add.f16 1 2\u{202e}", &["operand b: 2\\u{202e} is not a number"]),
        ("add.f16x2 1,2 0x3c00", &["0x3c00 has 4 hex digits, .f16x2 takes 8"]),
    ] {
        let message = error(args);
        for part in parts {
            assert!(message.contains(part), "{args}: {message}");
        }
    }
}

#[test]
fn an_empty_word_is_shown() {
    for (args, message) in [
        (&["eval", ""][..], "error: unknown form \"\": a spelling starts with an instruction; "),
        (&["eval", "", "1"], "error: unknown form \"\": "),
        (&["eval", " "], "error: unknown form \" \": ` ` is no floating-point instruction of PTX"),
        (
            &["eval", "abs.f16", ""],
            "error: operand a: \"\" is empty: write bits such as 0x0000, or a value such as 1.5",
        ),
        (&["eval", "abs.f16", " "], "error: operand a: \"\" is empty"),
        (&["eval", "abs.f16x2", ""], "error: operand a: \"\" is empty"),
        (&["eval", "--model", "", "abs.f16", "1"], "error: --model \"\": there is no such model"),
        (&["eval", "--model=", "abs.f16", "1"], "error: --model \"\": there is no such model"),
        (&["explain", ""], "error: \"\" is not a legal form\n"),
        (&["forms", " "], "error: no form matches \" \"; `ptxf forms` lists all"),
    ] {
        let ran = ptxf(args);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}");
        assert!(ran.err.starts_with(message), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_written_nan_has_the_sign_that_was_written() {
    for ty in ["f32", "f64"] {
        let [one, minus_one] =
            if ty == "f32" { ["0x3f800000", "0xbf800000"] } else { ["0x3ff0000000000000", "0xbff0000000000000"] };
        for (nan, expected) in [("nan", one), ("+NaN", one), ("-nan", minus_one)] {
            assert_eq!(result(&format!("copysign.{ty} {nan} 1")), expected, "copysign.{ty} {nan}");
        }
    }
    for (ty, positive, negative) in [
        ("f16", "0x7fff", "0xffff"),
        ("bf16", "0x7fff", "0xffff"),
        ("f32", "0x7fffffff", "0xffffffff"),
        ("f64", "0x7ff8000000000000", "0xfff8000000000000"),
    ] {
        assert_eq!([result(&format!("neg.{ty} -nan")), result(&format!("neg.{ty} nan"))], [positive, negative], "{ty}");
    }
    assert_eq!(result("neg.f16x2 nan,-nan"), "0x7fffffff");
    let advice = crate::support::batch("copysign.f64 nan -nan\n").out;
    assert!(advice.contains("nan is a value, not bits: write 0x7ff8000000000000"), "{advice}");
}

#[test]
fn options_stand_before_the_operands() {
    let plain = ptxf(&["eval", "sub.f16", "-1", "-inf"]).out;
    for args in [
        &["eval", "--model", "reference", "sub.f16", "-1", "-inf"][..],
        &["eval", "sub.f16", "--model=reference", "-1", "-inf"],
        &["eval", "sub.f16", "--", "-1", "-inf"],
    ] {
        let ran = ptxf(args);
        assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (Some(0), "", plain.as_str()), "{args:?}");
    }
    assert!(ptxf(&["eval", "abs.f16", "--help"]).out.contains("Examples:"));
    for option in ["--two", "--model", "--help", "-h", "--batch", "--"] {
        let ran = ptxf(&["eval", "add.f16", "1", option]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        assert_eq!(ran.err, format!("error: {option} stands after an operand: write options first\n"));
    }
    assert_eq!(ptxf(&["format", "e4m3", "-0.3", "--help"]).code, Some(2));
    assert!(ptxf(&["eval", "--batch", "add.f16", "1", "2"]).err.contains("cannot be used with"));
}

#[cfg(unix)]
#[test]
fn words_that_are_not_utf_8_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let word = std::ffi::OsStr::from_bytes(b"abs.\xfff16");
    for arguments in [&["eval"][..], &["forms"], &["explain"], &["format"], &["eval", "--model"]] {
        let output = crate::support::command(arguments).arg(word).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(message.starts_with("error: invalid UTF-8"), "{arguments:?}: {message}");
    }
}

#[test]
fn words_of_any_size_are_judged() {
    let long = "9".repeat(100_000);
    assert_eq!(result(&format!("abs.f32 {long}")), "0x7f800000");
    let message = error(&format!("abs.f16 {}", "x".repeat(100_000)));
    assert!(message.len() < 300, "{message}");
    for command in ["explain", "forms", "eval", "format"] {
        let ran = ptxf(&[command, &long]);
        assert!(ran.code == Some(1) && ran.err.len() < 600, "{}", ran.err);
    }
    let many = ["1"; 5000];
    assert!(ptxf(&[&["eval", "add.f16"], &many[..]].concat()).err.contains("takes 2 operands, 5000 given"));
    assert!(ptxf(&["forms", &"*".repeat(100_000)]).code == Some(0));
}

#[test]
fn a_model_is_named_or_refused() {
    let plain = ptxf(&["eval", "ex2.approx.f16", "0.5"]);
    let named = ptxf(&["eval", "--model", "reference", "ex2.approx.f16", "0.5"]);
    assert_eq!((&named.out, named.code), (&plain.out, Some(0)));
    // This target is too old to be measured.
    let measured = "error: --model sm_20: no device of sm_20 has been measured: run `ptxf-gpu capture` on one\n";
    // The name is an error with exact forms, too.
    for args in [&["ex2.approx.f16", "0.5"][..], &["add.f16", "1", "1"], &["--batch"]] {
        let ran = ptxf(&[&["eval", "--model", "sm_20"], args].concat());
        assert_eq!((ran.err.as_str(), ran.out.as_str(), ran.code), (measured, "", Some(1)));
    }
    let unknown = ptxf(&["eval", "--model", "gpu", "add.f16", "1", "1"]).err;
    assert!(unknown.starts_with("error: --model gpu: there is no such model; there is reference"), "{unknown}");
    assert_eq!(ptxf(&["eval", "--model=reference", "--batch"]).code, Some(0));
}

#[test]
fn a_wrong_variable_is_named() {
    let with = |name: &str, value: &str| {
        crate::support::ran(crate::support::command(&["eval", "abs.f16", "-1"]).env(name, value).output().unwrap())
    };
    let ran = with("PTXF_LEVEL", "avx513");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.starts_with("error: PTXF_LEVEL is `avx513`, which is not a level") && ran.err.contains("portable"));
    let ran = with("PTXF_LEVL", "avx2");
    assert_eq!((ran.code, ran.out.is_empty()), (Some(0), false));
    assert_eq!(ran.err, "warning: ptxf has no variable PTXF_LEVL, did you mean PTXF_LEVEL?\n");
    assert_eq!(with("PTXF_LEVEL", "portable").err, "");
}

#[test]
fn wrong_usage_is_another_code() {
    for args in [
        &[][..],
        &["eval"],
        &["eval", "--batch", "add.f16", "1", "2"],
        &["eval", "--nonsense", "add.f16"],
        &["explain"],
        &["nonsense"],
    ] {
        let ran = ptxf(args);
        assert_eq!((ran.code, ran.out.is_empty()), (Some(2), true), "{args:?}");
        assert!(ran.err.contains("Usage: ptxf"), "{}", ran.err);
    }
}

#[test]
fn help_has_examples_and_exit_codes() {
    for args in [&["--help"][..], &["eval", "--help"], &["forms", "--help"], &["explain", "-h"], &["format", "--help"]]
    {
        let ran = ptxf(args);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("Examples:") && ran.out.contains("Exit codes:"), "{}", ran.out);
    }
}

#[test]
fn a_packed_comparison_is_shown_lane_by_lane() {
    let out = ptxf(&["eval", "set.lt.u32.f16x2", "1,2", "2,1"]).out;
    assert!(out.contains("\n  d  0x0000ffff  0xffff      0x0000\n"), "{out}");
    // The first operand becomes the upper lane.
    let out = ptxf(&["eval", "cvt.rn.f16x2.f32", "1.5", "-2"]).out;
    assert!(out.contains("\n  a  0x3fc00000              1.5\n  b  0xc0000000  -2\n"), "{out}");
    assert!(out.contains("\n  d  0x3e00c000  -2          1.5\n"), "{out}");
}

#[test]
fn conversions_of_every_kind() {
    for (args, expected) in [
        // To and from integers: clamped, from a NaN, rounded once.
        ("cvt.rzi.s8.f32 -300", "0x80"),
        ("cvt.rni.u64.f16 nan", "0x8000000000000000"),
        ("cvt.rzi.u32.f64 nan", "0x80000000"),
        ("cvt.rni.s32.f32 nan", "0x00000000"),
        ("cvt.rn.f16.s32 -65520", "0xfc00"),
        ("cvt.rn.bf16.u32 16842753", "0x4b81"),
        // The first operand is the upper lane.
        ("cvt.rn.satfinite.e4m3x2.f32 0.3 1000", "0x2a7e"),
        ("cvt.rn.f16x2.e4m3x2 1.5,nan", "0x7fff3e00"),
        ("cvt.rn.f16x2.e2m3x2 0xc8c8", "0x3c003c00"),
        ("cvt.rn.satfinite.e2m1x2.f16x2 1.25,-9", "0xf2"),
        ("cvt.rn.scaled::n2::ue8m0.bf16x2.e2m1x2 6,-0.5 4,0.25", "0xbe0041c0"),
        ("cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 3 -1 2,2", "0x60e0"),
        ("cvt.rn.bf16x2.s2f6x2 -2,1", "0x3f80c000"),
        ("cvt.rp.ue8m0x2.f32 3 inf", "0x81ff"),
        ("cvt.rn.bf16x2.ue8m0x2 0x1p-127,nan", "0x7fff0040"),
        ("cvt.rna.tf32.f32 0x3f801000", "0x3f802000"),
        // Of PTX 9.4: +0, one scale, magnitudes.
        ("cvt.rn.pzo.f16x2.f32 1.5 -0", "0x3e000000"),
        ("cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 3 -1 2", "0x3cb0"),
        ("cvt.rn.satfinite.pzo.scaled::n1::ue8m0.e2m1x2.bf16x2 -0,12 2", "0x70"),
        ("cvt.rp.ue5m3x2.f32 1.0625 -1", "0x7978"),
        ("cvt.rn.ue5m3x2.f16x2 1.5,-inf", "0xff7c"),
        ("cvt.rn.bf16x2.ue5m3x2 1.5,nan", "0x7fff3fc0"),
        // Results of a device.
        ("cvt.rs.satfinite.e4m3x4.f32 0xC11524CF 0xC12E8581 0xC128149B 0x40E890D4 0xE6EFEB14", "0xd2d3d24f"),
        ("cvt.rs.relu.satfinite.e2m1x4.f32 0x418BC195 0x40454C33 0xC1620DB2 0x4085A86A 0x9D78D8DF", "0x7506"),
    ] {
        assert_eq!(result(args), expected, "{args}");
    }
    for (args, expected) in [
        ("sin.approx.2pi.ftz.f32 0.125", "0x3f3504f3"),
        ("cos.approx.2pi.ftz.f32 -0.5", "0xbf800000"),
        ("fma.rn.f32x2.f16x2.f32x2.f32x2 1.5,1 2,1 0.25,-1", "0x0000000040500000"),
        ("add.rz.ftz.f16x2.f32x2.f32x2 65504,1 1000,-1", "0x00007bff"),
        ("mul.f16x2.f16x2.bf16x2 1.5,-2 3,0.5", "0xbc004480"),
    ] {
        assert_eq!(result(args), expected, "{args}");
    }
    let ran = ptxf(&["eval", "cvt.rs.satfinite.e4m3x4.f32", "-1", "2", "3", "4", "0xe6efeb14"]);
    assert_eq!(
        ran.out,
        "cvt.rs.satfinite.e4m3x4.f32  d, {a, b, e, f}, rbits;\n\n         bits        lane 0  lane 1  lane 2  lane 3\n  \
         a      0xbf800000                          -1\n  b      0x40000000                  2\n  \
         e      0x40400000          3\n  f      0x40800000  4\n  rbits  0xe6efeb14\n  \
         d      0xb8404448  4       3       2       -1\n"
    );
    // −2 is a number of .s2f6, and nothing was rounded.
    assert_eq!(ptxf(&["eval", "cvt.rn.bf16x2.s2f6x2", "-2,1"]).err, "");
    let note = "1.2 is not a number of .e2m1: rounded to 0x2 = 1; see ptxf format e2m1 1.2";
    assert_eq!(ptxf(&["eval", "cvt.rn.f16x2.e2m1x2", "1.2,6"]).err, format!("note: operand a: {note}\n"));
}

#[test]
fn what_a_narrow_format_does_not_have_is_named() {
    for (args, message) in [
        (
            "cvt.rn.f16x2.e2m1x2 nan,1",
            "operand a: lower lane: there is no NaN in .e2m1: write a number, such as 6, the largest",
        ),
        (
            "cvt.rn.bf16x2.ue8m0x2 1,-1",
            "operand a: upper lane: -1 has a sign, .ue8m0 has none: write a number from 0x1p-127 to 0x1p127, or nan",
        ),
        ("cvt.rs.f16x2.f32 1 2 3", "operand rbits: 3 is a value, .b32 takes bits only: write 0x00000003"),
        ("cvt.rs.f16x2.f32 1 2 x", "operand rbits: x is a value, .b32 takes bits only: write bits such as 0x00000000"),
        ("cvt.rn.bf16.u8 300", "operand a: 300 is not a .u8, which goes from 0 to 255"),
    ] {
        assert_eq!(error(args), format!("error: {message}\n"));
    }
}

#[test]
fn a_matrix_instruction_adds_a_row_and_a_column() {
    let eval = |model: &str, words: &[&str]| {
        ptxf(&[&["eval", "--model", model, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"], words].concat())
    };
    // 1 + 2 · 2⁻²⁴: an A100 keeps 24 bits below the largest exponent, and an H100 25.
    let small = ["0x1p-12,0x1p-12", "0x1p-12,0x1p-12", "1"];
    let ran = eval("sm_80", &small);
    assert!(ran.out.starts_with("d = 0x3f800001 = "), "{ran:?}");
    assert!(ran.out.contains("sm_80: 2 steps of 8 products and the addend, cut to 24 bits"), "{ran:?}");
    let row = "0x1p-12,".repeat(2) + "0x1p-13";
    assert!(eval("sm_90", &[&row, &row, "1"]).out.starts_with("d = 0x3f800001 = "));
    // fp8 by its values, and integers.
    let ran = ptxf(&["eval", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "0.5", "0.25", "4096"]);
    assert!(ran.out.starts_with("d = 0x45800100 = 4096.125\n"), "{ran:?}");
    let ran = ptxf(&["eval", "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", "-1,3", "100,100", "7"]);
    assert!(ran.out.starts_with("d = 0x000000cf = 207\n"), "{ran:?}");
    for (model, words, what) in [
        ("sm_80", &["1"][..], "a row of A, a column of B and an element of C are expected, 1 given"),
        ("sm_80", &["1,2", "1", "0"], "2 factors of A cannot be multiplied by 1 of B"),
        ("sm_80", &["x", "1", "0"], "A: x"),
        ("sm_75", &["1", "1", "0"], "sm_75 does not have this instruction of sm_80"),
        ("h100", &["1", "1", "0"], "no target with a known matrix unit"),
    ] {
        let ran = eval(model, words);
        assert!(ran.code == Some(1) && ran.err.contains(what), "{ran:?}");
    }
}

#[test]
fn a_matrix_instruction_is_explained() {
    let ran = ptxf(&["explain", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"]);
    for what in [
        "16 × 8 sums of 16 products",
        "Since         PTX 7.0, sm_80",
        "sm_90   a step of 16 products and the addend, cut to 25 bits below the largest exponent, and rounded to f32 toward zero (measured)",
        "A: 4 of 32 bits; lane | element: c1 c2 r0 r1 r2 | c0 r3 c3",
        "\n 0.0   0.1   1.0   1.1 ",
    ] {
        assert!(ran.out.contains(what), "{what}\n{}", ran.out);
    }
    let ran = ptxf(&["explain", "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32"]);
    assert!(ran.err.contains("`row` cannot follow `mma.sync.aligned.m16n8k16.row`: write `col`"), "{ran:?}");
}
