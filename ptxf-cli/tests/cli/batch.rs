//! `ptxf eval --batch`.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::support::{batch, command};

/// Returns the message about a line, which must be an error.
#[track_caller]
fn error(line: impl AsRef<[u8]>) -> String {
    let ran = batch([line.as_ref(), b"\n"].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    assert!(ran.out.starts_with("error: ") && ran.out.lines().count() == 1, "{}", ran.out);
    ran.out
}

#[test]
fn results_are_bits_as_wide_as_the_register() {
    let ran = batch(
        "fma.rn.f16 0x3c01 0x0ffe 0x3c01\nfma.rn.bf16 0x40e0 0x4214 0x8d80\nabs.f64 0x8000000000000001\n\
         min.f32 0x3f800000 0xc0000000\nmin.f32 0x3f800000 0xc0000000 0xC0400000\nadd.f16x2 0x3c003c00 0x3c_00_bc00\n\
         testp.finite.f32 0x3f800000\ntestp.finite.f64 0x7ff0000000000000\nadd.f32x2 0x3f8000003f800000 0x0000000000000000\n",
    );
    let expected =
        "0x3c01\n0x4381\n0x0000000000000001\n0xc0000000\n0xc0400000\n0x40000000\n0x1\n0x0\n0x3f8000003f800000\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (expected, "", Some(0)));
}

#[test]
fn every_kind_of_bad_line_is_named() {
    for (line, parts) in [
        ("fma.f16 0x3c00 0x3c00 0x3c00", &["unknown form fma.f16", "needs a rounding", "form is fma.rn.f16"][..]),
        ("nonsense", &["unknown form nonsense", "`ptxf forms` lists the forms"]),
        ("add.f16", &["add.f16 takes 2 operands, 0 given"]),
        ("add.f16 0x3c00", &["add.f16 takes 2 operands, 1 given"]),
        ("add.f16 0x3c00 0x3c00 0x3c00", &["add.f16 takes 2 operands, 3 given"]),
        ("add.f16 0x3c00 0x3c00 0x3c00 0x3c00 0x3c00", &["add.f16 takes 2 operands, 5 given"]),
        ("min.f32 0x3f800000", &["min.f32 takes 2 or 3 operands, 1 given"]),
        ("min.xorsign.abs.f32 0x0 0x0 0x0", &["takes 2 operands, 3 given"]),
        ("abs.f16 0x3c", &["0x3c has 2 hex digits, .f16 takes 4: write 0x003c"]),
        ("abs.f32 0x3f80000000", &["0x3f80000000 has 10 hex digits, .f32 takes 8\n"]),
        ("abs.f64 0x0", &["0x0 has 1 hex digit, .f64 takes 16: write 0x0000000000000000"]),
        ("abs.f16 0x3cg0", &["0x3cg0 is not hexadecimal: it has `g`"]),
        ("abs.f16 0x", &["0x has 0 hex digits, .f16 takes 4"]),
        ("abs.f16 zero", &["zero is not hexadecimal"]),
        ("abs.f16 3C00", &["3C00 has no 0x: write 0x3c00\n"]),
        ("abs.f16 1234", &["1234 has no 0x: write 0x1234 for these digits, 0x64d2 for this value"]),
        ("abs.f16 -1.5", &["-1.5 is a value, not bits: write 0xbe00"]),
        ("abs.f16 nan", &["nan is a value, not bits: write 0x7fff"]),
        ("abs.f16 0x1.8p1", &["0x1.8p1 is a value, not bits: write 0x4200"]),
        ("abs.f16x2 1,2", &["1,2 is a value, not bits: write 0x40003c00"]),
        ("abs.f16 -0x3c00", &["-0x3c00 is"]),
        ("abs.f16, 0x3c00", &["unknown form abs.f16,"]),
        ("# abs.f16 0x3c00", &["unknown form #"]),
        ("abs.f16 0x3c00 # comment", &["takes 1 operand, 3 given"]),
        ("", &["empty line"]),
        (" \t ", &["empty line"]),
        ("\r", &["empty line"]),
        ("abs.f16\u{a0}0x3c00", &["unknown form"]),
        ("abs.f16 \u{2028}\u{1b}[31m", &["\\u{2028}\\u{1b}[31m is not hexadecimal"]),
        ("abs.\0f16 0x3c00", &["unknown form"]),
    ] {
        let message = error(line);
        for part in parts {
            assert!(message.contains(part), "{line:?}: {message}");
        }
        assert!(!message.trim_end().contains(char::is_control), "{message:?}");
    }
    assert!(error(b"abs.f16 0x3c\xff0").contains("not UTF-8: byte 0xff in column 13"));
    assert!(error(b"\xc3").contains("not UTF-8: byte 0xc3 in column 1"));
    assert!(error(format!("abs.f16 0x3c00{}", " ".repeat(4096))).contains("longer than 4096 bytes"));
    // Messages about long lines are short.
    assert!(error("x".repeat(4096)).len() < 300);
    assert!(error(format!("abs.f16 0x{}", "1".repeat(4000))).len() < 300);
}

#[test]
fn one_line_out_for_each_line_in() {
    let good = "abs.f16 0xbc00";
    let ran = batch(format!("{good}\n\n{good}\r\nbad\n\t {good}  \t\r\n{good}\u{c}\n\u{e9}\n{good}"));
    let kinds: Vec<&str> = ran.out.lines().map(|l| if l.starts_with("error: ") { "error" } else { l }).collect();
    assert_eq!(kinds, ["0x3c00", "error", "0x3c00", "error", "0x3c00", "0x3c00", "error", "0x3c00"]);
    assert!(ran.out.ends_with('\n'));
    assert_eq!(ran.code, Some(1));
    let ran = batch("");
    assert_eq!((ran.out.as_str(), ran.code), ("", Some(0)));
    let ran = batch(good);
    assert_eq!((ran.out.as_str(), ran.code), ("0x3c00\n", Some(0)));
    assert_eq!(batch("\n\n\n").out.lines().count(), 3);
}

/// Returns line `i` of a stream, and its answer.
fn line(i: u32, input: &mut String, output: &mut String) {
    let bits = i as u16;
    match i % 5 {
        0 => (writeln!(input, "abs.f16 {bits:#06x}"), writeln!(output, "{:#06x}", bits & 0x7fff)),
        1 => (writeln!(input, "neg.f32\t0x{i:08X}\r"), writeln!(output, "{:#010x}", i ^ 0x8000_0000)),
        2 => (writeln!(input, "copysign.f64 0x{:016x} 0x{i:016x}", 1_u64 << 63), writeln!(output, "0x80000000{i:08x}")),
        3 => (
            writeln!(input, "abs.f16 {bits:#07x}"),
            writeln!(output, "error: {bits:#07x} has 5 hex digits, .f16 takes 4: write {bits:#06x}"),
        ),
        _ => (writeln!(input, "testp.infinite.f32 0x7f800000"), writeln!(output, "0x1")),
    }
    .0
    .unwrap();
}

#[test]
fn a_large_stream_keeps_its_order() {
    let (mut input, mut output) = (String::new(), String::new());
    for i in 0..200_000 {
        line(i, &mut input, &mut output);
    }
    assert!(input.len() > 4_000_000);
    let ran = batch(&input);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out.len(), output.len());
    for (i, (got, want)) in ran.out.lines().zip(output.lines()).enumerate() {
        assert_eq!(got, want, "line {i}");
    }
}

#[test]
fn enormous_lines_are_one_error_and_lose_nothing() {
    let mut input = b"abs.f16 0xbc00\n".to_vec();
    input.extend(std::iter::repeat_n(b'x', 5_000_000));
    input.extend(b"\nabs.f16 0xbc01\n");
    input.extend(std::iter::repeat_n(b' ', 300_000));
    let ran = batch(input);
    let long = "error: the line is longer than 4096 bytes";
    assert_eq!(ran.out, format!("0x3c00\n{long}\n0x3c01\n{long}\n"));
}

#[test]
fn an_answer_comes_before_the_next_line_is_asked_for() {
    let mut child = command(&["eval", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        stdin.write_all(b"abs.f16 0xbc00\n").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer, "0x3c00\n");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn new_unknown_names_without_end_cost_little() {
    let stream = |names: u32| -> String { (0..names).map(|i| format!("fma.rn{i}.ftz.f61 0x0\n")).collect() };
    let ran = batch(stream(300));
    let told: Vec<&str> = ran.out.lines().collect();
    assert!(told[..32].iter().all(|line| line.contains("the nearest legal form is")), "{}", ran.out);
    for (i, line) in told.iter().enumerate().skip(32) {
        assert!(line.starts_with(&format!("error: unknown form fma.rn{i}.ftz.f61; after 32 unknown names")), "{line}");
    }
    // The first lines build the table of the search. With advice in every line, 20,000 lines would
    // take 100 times as long.
    let ratio = times_as_long(&stream(20_000), &stream(32), 20.0);
    assert!(ratio < 20.0, "{ratio}");
}

/// Writing all digits of 1e-300 takes 200 µs, ten times as long as such a line may take.
#[test]
fn values_in_place_of_bits_cost_little() {
    let values = |exponent: &str| -> String { (0..20_000).map(|i| format!("abs.f64 1.{i}{exponent}\n")).collect() };
    let ratio = times_as_long(&values("e-300"), &values(""), 5.0);
    assert!(ratio < 5.0, "{ratio}");
}

/// Returns the ratio of the times that two streams take. Other programs run on this machine, too.
/// So both streams run in turn, up to ten times, until the ratio of their best times is below
/// `enough`.
fn times_as_long(first: &str, second: &str, enough: f64) -> f64 {
    let seconds = |stream: &str| {
        let start = std::time::Instant::now();
        let ran = batch(stream);
        assert_eq!((ran.out.lines().count(), ran.code), (stream.lines().count(), Some(1)));
        start.elapsed().as_secs_f64()
    };
    let mut best = [f64::INFINITY; 2];
    for _ in 0..10 {
        best = [best[0].min(seconds(first)), best[1].min(seconds(second))];
        if best[0] < enough * best[1] {
            break;
        }
    }
    best[0] / best[1]
}

/// Measures the memory that a stream needs after its first answers, when the tables of forms and of
/// the search are built.
#[test]
#[cfg(target_os = "linux")]
fn memory_stays_small() {
    let mut child = command(&["eval", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let path = format!("/proc/{}/status", child.id());
    let peak = || -> u32 {
        let status = std::fs::read_to_string(&path).unwrap();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    };
    stdin.write_all(b"abs.f16 0xbc00\nabs.f61 0xbc00\n").unwrap();
    (0..2).for_each(|_| assert_ne!(stdout.read_line(&mut String::new()).unwrap(), 0));
    let first = peak();
    let rest = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap());
    for i in 0..2_000_u32 {
        // Good lines, new unknown names, and a line without an end.
        stdin.write_all(&b"abs.f16 0xbc00\n".repeat(500)).unwrap();
        writeln!(stdin, "name{i} {}", "x".repeat(9000)).unwrap();
    }
    for i in 0..20_000_u32 {
        writeln!(stdin, "name{i}").unwrap();
    }
    stdin.write_all(&vec![b'x'; 20_000_000]).unwrap();
    let kib = peak() - first;
    assert!(kib < 1 << 10, "{kib} KiB beyond {first}");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(rest.join().unwrap() > 7_000_000);
}
