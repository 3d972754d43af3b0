//! `ptxf format`.

use crate::support::ptxf;

const FORMATS: [&str; 13] =
    ["f16", "bf16", "f32", "f64", "tf32", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0", "ue5m3", "s2f6"];

/// Returns the output for a format and numbers.
#[track_caller]
fn shown(args: &str) -> String {
    let args: Vec<&str> = ["format"].into_iter().chain(args.split_whitespace()).collect();
    let ran = ptxf(&args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    ran.out
}

/// Returns the rest of the line that begins with these words, with single spaces.
#[track_caller]
fn fact(out: &str, name: &str) -> String {
    let line = out.lines().find_map(|line| line.strip_prefix(&format!("  {name}  ")));
    let line = line.unwrap_or_else(|| panic!("{name} is missing in\n{out}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The manual's limits and special codes, and the codes of NaN that devices returned.
#[test]
fn limits_and_special_codes() {
    for (format, bias, largest, normal, subnormal, ulp, infinity, nan) in [
        (
            "e4m3",
            "7",
            "0x7e = 448",
            "0x08 = 0.015625 = 2^-6",
            "0x01 = 0.001953125 = 2^-9",
            "0.125 = 2^-3",
            "none",
            "0x7f, 0xff; a conversion makes 0x7f of each",
        ),
        (
            "e5m2",
            "15",
            "0x7b = 57344",
            "0x04 = 0.00006103515625 = 2^-14",
            "0x01 = 0.0000152587890625 = 2^-16",
            "0.25 = 2^-2",
            "0x7c, 0xfc",
            "0x7d to 0x7f, 0xfd to 0xff; a conversion makes 0x7f of each",
        ),
        (
            "e2m3",
            "1",
            "0x1f = 7.5",
            "0x08 = 1",
            "0x01 = 0.125",
            "0.125 = 2^-3",
            "none",
            "none; a conversion makes 0x1f of one",
        ),
        (
            "e3m2",
            "3",
            "0x1f = 28",
            "0x04 = 0.25",
            "0x01 = 0.0625 = 2^-4",
            "0.25 = 2^-2",
            "none",
            "none; a conversion makes 0x1f of one",
        ),
        ("e2m1", "1", "0x7 = 6", "0x2 = 1", "0x1 = 0.5", "0.5 = 2^-1", "none", "none; a conversion makes 0x7 of one"),
        ("ue8m0", "127", "0xfe = 2^127", "0x00 = 2^-127", "none", "1", "none", "0xff; a conversion makes 0xff of each"),
        (
            "tf32",
            "127",
            "0x7f7fe000 = ≈3.401e38 (0x1.ffcp127)",
            "0x00800000 = 2^-126 ≈1.175e-38",
            "0x00002000 = 2^-136 ≈1e-41",
            "0.0009765625 = 2^-10",
            "0x7f800000, 0xff800000",
            "0x7f802000 to 0x7fffe000, 0xff802000 to 0xffffe000; a conversion makes 0x7fffe000 of each",
        ),
        (
            "f16",
            "15",
            "0x7bff = 65504",
            "0x0400 = 0.00006103515625 = 2^-14",
            "0x0001 = 2^-24 ≈6e-8",
            "0.0009765625 = 2^-10",
            "0x7c00, 0xfc00",
            "0x7c01 to 0x7fff, 0xfc01 to 0xffff; a conversion makes 0x7fff of each",
        ),
        (
            "bf16",
            "127",
            "0x7f7f = ≈3.39e38 (0x1.fep127)",
            "0x0080 = 2^-126 ≈1.18e-38",
            "0x0001 = 2^-133 ≈9e-41",
            "0.0078125 = 2^-7",
            "0x7f80, 0xff80",
            "0x7f81 to 0x7fff, 0xff81 to 0xffff; a conversion makes 0x7fff of each",
        ),
        (
            "f32",
            "127",
            "0x7f7fffff = ≈3.4028235e38 (0x1.fffffep127)",
            "0x00800000 = 2^-126 ≈1.1754944e-38",
            "0x00000001 = 2^-149 ≈1e-45",
            "2^-23",
            "0x7f800000, 0xff800000",
            "0x7f800001 to 0x7fffffff, 0xff800001 to 0xffffffff; a conversion makes 0x7fffffff of each",
        ),
    ] {
        let out = shown(format);
        let facts = ["bias", "largest", "smallest normal", "smallest subnormal", "ulp at 1", "infinity", "NaN"];
        let expected = [bias, largest, normal, subnormal, ulp, infinity, nan];
        assert_eq!(facts.map(|name| fact(&out, name)), expected, "{format}");
    }
    let out = shown("s2f6");
    let facts = ["value", "largest", "lowest", "smallest", "zero", "NaN"].map(|name| fact(&out, name));
    assert_eq!(
        facts,
        [
            "two's complement in units of 0.015625 = 2^-6",
            "0x7f = 1.984375",
            "0x80 = -2",
            "0x01 = 0.015625 = 2^-6",
            "0x00",
            "none; a conversion makes 0x7f of one"
        ]
    );
    let out = shown("f64");
    assert!(
        fact(&out, "NaN").ends_with("a conversion keeps sign and payload; 0xfff8000000000000 where there was none")
    );
    assert_eq!(fact(&out, "conversions"), "none: f64 has the numbers of all the others");
}

#[test]
fn the_fields_stand_under_their_places() {
    for (format, picture) in [
        ("e4m3", "e4m3: 8 bits, in registers e4m3x2, e4m3x4\n\n  7  6:3   2:0\n  s  eeee  fff\n"),
        ("e3m2", "e3m2: 6 bits in a place of 8, in registers e3m2x2, e3m2x4\n\n  5  4:2  1:0\n  s  eee  ff\n"),
        ("e2m1", "e2m1: 4 bits, in registers e2m1x2, e2m1x4, e2m1p4x4\n\n  3  2:1  0\n  s  ee   f\n"),
        ("ue8m0", "ue8m0: 8 bits, in registers ue8m0x2, ue8m0x4\n\n  7:0\n  eeeeeeee\n"),
        ("ue5m3", "ue5m3: 8 bits, in registers ue5m3x2\n\n  7:3    2:0\n  eeeee  fff\n"),
        ("s2f6", "s2f6: 8 bits, in registers s2f6x2\n\n  7  6  5:0\n  s  i  ffffff\n"),
        ("tf32", "tf32: 32 bits\n\n  31  30:23     22:13       12:0\n  s   eeeeeeee  ffffffffff  0000000000000\n"),
    ] {
        assert!(shown(format).starts_with(picture), "{}", shown(format));
    }
}

/// Each cell is the value of its code, which reads back. The table has every code without a sign
/// bit.
#[test]
fn every_value_of_a_small_format_is_shown() {
    for (format, codes) in [
        ("e4m3", 128),
        ("e5m2", 128),
        ("e2m3", 32),
        ("e3m2", 32),
        ("e2m1", 8),
        ("ue8m0", 256),
        ("ue5m3", 256),
        ("s2f6", 256),
    ] {
        let out = shown(format);
        let mut cells = Vec::new();
        for line in out.lines().filter(|line| line.starts_with("  0x")) {
            let mut words = line.split_whitespace();
            let first = u64::from_str_radix(words.next().unwrap().trim_start_matches("0x"), 16).unwrap();
            assert_eq!(first, cells.len() as u64, "{line}");
            cells.extend(words.map(str::to_owned));
        }
        assert_eq!(cells.len(), codes, "{out}");
        let numbers: Vec<&str> =
            cells.iter().map(String::as_str).filter(|cell| !["NaN", "inf"].contains(cell)).collect();
        let placed = ptxf(&[&["format", format], &numbers[..]].concat()).out;
        let title = format!(" is a number of {format}\n");
        let mut found = placed.split(&title).skip(1);
        for (code, cell) in cells.iter().enumerate().filter(|(_, cell)| numbers.contains(&cell.as_str())) {
            let rows = found.next().unwrap_or_else(|| panic!("{cell} is not a number of {format}"));
            let digits = if format == "e2m1" { 1 } else { 2 };
            assert!(fact(rows, "itself").starts_with(&format!("0x{code:0digits$x} ")), "{format} {cell}: {rows}");
        }
        assert_eq!(found.next(), None);
    }
    assert!(!shown("f16").contains("+7"));
}

#[test]
fn a_number_is_placed_between_its_neighbours() {
    for (args, expected) in [
        (
            "e4m3 0.3",
            "0.3 is between two numbers of e4m3, one unit of 0.03125 = 2^-5 apart
  below          0x29  0 0101 001  0.28125  0.6 units below
  above          0x2a  0 0101 010  0.3125   0.4 units above
  .rn.satfinite  0x2a  0 0101 010  0.3125   cvt.rn.satfinite.e4m3x2.f32
  .rz.satfinite  0x29  0 0101 001  0.28125  cvt.rz.satfinite.e4m3x2.f32
",
        ),
        (
            "e4m3 -1000",
            "-1000 is beyond the lowest number of e4m3, where units are 32 = 2^5
  lowest         0xfe  1 1111 110  -448  17.25 units above
  .rn.satfinite  0xfe  1 1111 110  -448  cvt.rn.satfinite.e4m3x2.f32
  .rz.satfinite  0xfe  1 1111 110  -448  cvt.rz.satfinite.e4m3x2.f32
",
        ),
        (
            "e2m1 0x2",
            "0x2 is 1
  below          0x1  0 00 1  0.5  1 unit below
  itself         0x2  0 01 0  1
  above          0x3  0 01 1  1.5  1 unit above
  .rn.satfinite  0x2  0 01 0  1    cvt.rn.satfinite.e2m1x2.f32
  .rz.satfinite  0x2  0 01 0  1    cvt.rz.satfinite.e2m1x2.f32
",
        ),
        (
            "e2m1 nan",
            "nan is a NaN, which e2m1 does not have
  .rn.satfinite  0x7  0 11 1  6  cvt.rn.satfinite.e2m1x2.f32
  .rz.satfinite  0x7  0 11 1  6  cvt.rz.satfinite.e2m1x2.f32
",
        ),
        (
            "f16 65520",
            "65520 is beyond the largest number of f16, where units are 32 = 2^5
  largest        0x7bff  0 11110 1111111111  65504  0.5 units below
  .rn            0x7c00  0 11111 0000000000  inf    cvt.rn.f16.f32
  .rz            0x7bff  0 11110 1111111111  65504  cvt.rz.f16.f32
  .rm            0x7bff  0 11110 1111111111  65504  cvt.rm.f16.f32
  .rp            0x7c00  0 11111 0000000000  inf    cvt.rp.f16.f32
  .rn.satfinite  0x7bff  0 11110 1111111111  65504  cvt.rn.satfinite.f16.f32
  .rz.satfinite  0x7bff  0 11110 1111111111  65504  cvt.rz.satfinite.f16.f32
",
        ),
        (
            "ue8m0 -3",
            "-3 is between two numbers of ue8m0, one unit of 2 = 2^1 apart; ue8m0 has no sign, and conversions take the magnitude
  below          0x80  10000000  2  0.5 units below
  above          0x81  10000001  4  0.5 units above
  .rz            0x80  10000000  2  cvt.rz.ue8m0x2.f32
  .rz.satfinite  0x80  10000000  2  cvt.rz.satfinite.ue8m0x2.f32
  .rp            0x81  10000001  4  cvt.rp.ue8m0x2.f32
  .rp.satfinite  0x81  10000001  4  cvt.rp.satfinite.ue8m0x2.f32
",
        ),
        (
            "s2f6 -1.999",
            "-1.999 is between two numbers of s2f6, one unit of 0.015625 = 2^-6 apart
  below          0x80  1 0 000000  -2         0.064 units below
  above          0x81  1 0 000001  -1.984375  0.936 units above
  .rn.satfinite  0x80  1 0 000000  -2         cvt.rn.satfinite.s2f6x2.f32
  .rz.satfinite  0x81  1 0 000001  -1.984375  cvt.rz.satfinite.s2f6x2.f32
",
        ),
        (
            "f64 0.1",
            "0.1 is between two numbers of f64, one unit of 2^-56 apart
  below  0x3fb9999999999999  ≈0.09999999999999999 (0x1.9999999999999p-4)  0.6 units below
  above  0x3fb999999999999a  ≈0.1 (0x1.999999999999ap-4)                  0.4 units above
",
        ),
    ] {
        let out = shown(args);
        assert!(out.ends_with(&format!("\n\n{expected}")), "{args}:\n{out}");
    }
    // The written number is rounded once. As an f32 it would be a tie.
    let hair = "0x1.88000000000000000000001p-2";
    assert_eq!(fact(&shown(&format!("e4m3 {hair}")), ".rn.satfinite").split(' ').next(), Some("0x2c"));
    assert_eq!(fact(&shown("tf32 0x1.002p0"), ".rna").split(' ').next(), Some("0x3f802000"));
    assert_eq!(fact(&shown("tf32 0x1.002p0"), ".rn").split(' ').next(), Some("0x3f800000"));
    // Numbers that are out of range for every format.
    for number in ["1e999999999999", "-1e-999999999999", "0x1p999999999999", "0x1p-999999999999"] {
        FORMATS.iter().for_each(|format| assert!(shown(&format!("{format} {number}")).contains(" is ")));
    }
}

/// The conversions that `format` prints have the results of `eval`.
#[test]
fn conversions_agree_with_eval() {
    let numbers = [
        "0x1.99999ap-4",
        "-0x1.4p1",
        "0x1.dp8",
        "-0x1.8p-140",
        "0x1p127",
        "0x1.fffffep127",
        "inf",
        "-inf",
        "nan",
        "-0",
    ];
    for format in FORMATS {
        let out = ptxf(&[&["format", format], &numbers[..]].concat()).out;
        // A paragraph for each number follows the facts and the values.
        let paragraphs: Vec<&str> = out.split("\n\n").collect();
        for (number, rows) in numbers.iter().zip(&paragraphs[paragraphs.len() - numbers.len()..]) {
            let rows =
                rows.lines().filter_map(|row| row.strip_prefix("  .").map(|row| (row, row.split(' ').next_back())));
            for (row, form) in rows.map(|(row, form)| (row, form.unwrap())) {
                let packs = form.contains("x2");
                let operands = if packs { vec!["0"; 2] } else { vec!["0"] };
                let mut args = [&["eval", form], &operands[..]].concat();
                *args.last_mut().unwrap() = number;
                let evaluated = ptxf(&args).out;
                let bits = fact(&evaluated, "d").split(' ').next().unwrap().to_owned();
                let expected = row.split_whitespace().nth(1).unwrap().trim_start_matches("0x");
                let lane = &bits[bits.len() - expected.len()..];
                assert_eq!(lane, expected, "{form} {number}");
            }
        }
    }
}

#[test]
fn wrong_names_and_numbers() {
    let all = FORMATS.join(", ");
    for (args, message) in [
        (&["fp16"][..], format!("fp16 is no format, did you mean f16? The formats are {all}")),
        (&["E4M3"], format!("E4M3 is no format, did you mean e4m3? The formats are {all}")),
        (&["e4m4"], format!("e4m4 is no format, did you mean e4m3? The formats are {all}")),
        (&["float"], format!("float is no format. The formats are {all}")),
        (&[""], format!("\"\" is no format. The formats are {all}")),
        (&["s32"], format!("s32 is no format: integers and bits have no fraction. The formats are {all}")),
        (&["e4m3x2"], "e4m3x2 is a register with lanes of e4m3: write e4m3".to_owned()),
        (&[".bf16x2"], "bf16x2 is a register with lanes of bf16: write bf16".to_owned()),
        (
            &["e4m3", "1", "x"],
            "x is not a number: write bits such as 0x00, or a value such as 1.5, -2e-3, 0x1.8p-3, inf, nan".to_owned(),
        ),
        (&["e4m3", "0x123"], "0x123 has 3 hex digits, .e4m3 takes 2".to_owned()),
        (&["e2m1", "0x07"], "0x07 has 2 hex digits, .e2m1 takes 1: write 0x7".to_owned()),
    ] {
        let ran = ptxf(&[&["format"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}");
        assert_eq!(ran.err, format!("error: {message}\n"));
    }
    assert_eq!(ptxf(&["format"]).code, Some(2));
    assert_eq!(shown(".e4m3"), shown("e4m3"));
    // Numbers may begin with a hyphen.
    assert!(shown("e4m3 -0.3 -inf -nan -1").contains("\n\n-0.3 is between"));
}
