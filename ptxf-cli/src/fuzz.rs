//! Properties that hold for any bytes. `fuzz/` tests them without end, and the tests here on a
//! sample.

use std::io::{self, Read};
use std::sync::LazyLock;

use ptxf::spec::{FORMS, Type};
use ptxf::tables::device::Model;
use ptxf::{Bf16, F16};

use crate::batch;
use crate::lane::Lane;
use crate::{operand, place};

/// An upper bound on the length of a message in bytes, for inputs of any length.
const LONGEST: usize = 600;

/// The types of the operands of all forms.
static OPERANDS: LazyLock<Vec<Type>> = LazyLock::new(|| {
    let mut types = Vec::new();
    for &ty in FORMS.iter().flat_map(|form| form.operands) {
        if !types.contains(&ty) {
            types.push(ty);
        }
    }
    types
});

/// A reader that returns at most a fixed number of bytes at once.
pub(crate) struct Portions<'a>(pub(crate) &'a [u8], pub(crate) usize);

impl Read for Portions<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.1.min(buffer.len()).min(self.0.len());
        buffer[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

/// Checks that the batch answers each line with one line of hex digits or a message, and that the
/// sizes of reads do not matter.
///
/// # Panics
///
/// It panics if a check fails.
pub fn batch(data: &[u8]) {
    let answers = |portion| {
        let mut output = Vec::new();
        let code = batch::run(Model::Reference, &mut Portions(data, portion), &mut output);
        let code = code.unwrap_or_else(|e| panic!("nothing here fails to be read or written: {e:?}"));
        (String::from_utf8(output).expect("answers are text"), code == std::process::ExitCode::SUCCESS)
    };
    let (output, good) = answers(usize::MAX);
    // A newline ends a line. Bytes after the last newline are a line, too.
    let lines = data.iter().filter(|&&b| b == b'\n').count() + usize::from(data.last().is_some_and(|&b| b != b'\n'));
    assert!(output.is_empty() || output.ends_with('\n'));
    assert_eq!(output.matches('\n').count(), lines);
    for answer in output.split_terminator('\n') {
        let digits = answer.strip_prefix("0x");
        let result =
            digits.is_some_and(|d| [1, 2, 4, 8, 16].contains(&d.len()) && d.bytes().all(|b| b.is_ascii_hexdigit()));
        assert!(result || answer.starts_with("error: "), "{answer}");
        message(answer);
    }
    assert_eq!(good, !output.split('\n').any(|answer| answer.starts_with("error: ")));
    let portion = 1 + data.iter().fold(data.len(), |sum, &b| sum + usize::from(b)) % 97;
    assert_eq!(answers(portion), (output, good), "in portions of {portion} bytes");
}

/// Reads the bytes as an operand of a type and as a number of its format. The first byte chooses
/// the type.
///
/// # Panics
///
/// It panics if a number is read with a wrong value, or if another text has no message.
pub fn number(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let ty = OPERANDS[usize::from(choice) % OPERANDS.len()];
    match operand::parse(&text, ty) {
        Ok(operand) => {
            assert!(operand.bits >> (ty.bits() - 1) <= 1, "{text} is a register of .{ty}");
            operand.notes.iter().for_each(|note| message(note));
            let again = operand::argument(operand.bits, ty);
            assert_eq!(operand::parse(&again, ty).map(|o| o.bits), Ok(operand.bits), "{text} is {again}");
        }
        Err(problem) => message(&problem),
    }
    if let Err(problem) = operand::only_bits(&text, ty) {
        message(&problem);
    }
    if matches!(ty, Type::F16 | Type::F16x2 | Type::Bf16 | Type::Bf16x2 | Type::F32 | Type::F32x2 | Type::F64) {
        lane(&text, Lane::of(ty));
    }
    let Some(format) = Lane::find(ty) else { return };
    match operand::value(&text, format) {
        Ok(value) => place(format, &text, &value),
        Err(problem) => message(&problem),
    }
}

/// Compares a number with its negative, and with the results of the parsers of the library and of
/// `std`.
fn lane(text: &str, lane: Lane) {
    let parsed = lane.parse(text);
    // Ue8m0 and ue5m3 have no sign, and s2f6 has two's complement.
    if !text.starts_with(['+', '-']) && !matches!(lane, Lane::Ue8m0 | Lane::Ue5m3 | Lane::S2f6) {
        let negative = lane.parse(&format!("-{text}"));
        assert_eq!(
            negative.map(|r| (r.bits, r.exact)),
            parsed.map(|r| (r.bits | lane.shape().sign, r.exact)),
            "{text}"
        );
        assert_eq!(lane.parse(&format!("+{text}")), parsed, "{text}");
    }
    let is_nan = text.strip_prefix(['+', '-']).unwrap_or(text).eq_ignore_ascii_case("nan");
    let others = match lane {
        Lane::F16 => text.parse::<F16>().ok().map(|x| x.to_bits().into()),
        Lane::Bf16 => text.parse::<Bf16>().ok().map(|x| x.to_bits().into()),
        // The standard library does not read hexadecimal numbers.
        _ if text.contains(['x', 'X']) => return,
        Lane::F32 => text.parse::<f32>().ok().map(|x| x.to_bits().into()),
        Lane::F64 => text.parse::<f64>().ok().map(f64::to_bits),
        _ => return,
    };
    if is_nan {
        assert!(parsed.is_some_and(|r| r.exact) && others.is_some(), "{text}");
    } else {
        assert_eq!(parsed.map(|r| r.bits), others, "{text} in .{lane}");
    }
}

/// Prints the neighbours of a number. Checks that they ascend, and that each conversion gives one
/// of them or no number.
fn place(lane: Lane, text: &str, value: &operand::Value) {
    let mut output = Vec::new();
    place::show(lane, "x", value, &mut output).expect("a vector takes all of it");
    let output = String::from_utf8(output).expect("it is text");
    let mut lines = output.lines();
    assert!(lines.next().is_some_and(|title| title.starts_with("x is ")), "{text}: {output}");
    let mut shown = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let (what, bits) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let bits = u64::from_str_radix(bits.trim_start_matches("0x"), 16).unwrap_or_else(|e| panic!("{line}: {e}"));
        if !what.starts_with('.') {
            shown.push(bits);
        } else if lane.widen(bits).is_finite() && !shown.is_empty() {
            // Zero has two encodings.
            let is = |other: &u64| lane.widen(*other) == lane.widen(bits);
            assert!(shown.iter().any(is), "{text} in {lane}: {output}");
        }
    }
    let neighbours = shown.windows(2).all(|pair| lane.widen(pair[0]) < lane.widen(pair[1]));
    assert!(neighbours && shown.len() <= 3, "{text} in {lane}: {output}");
}

/// Checks that a message is one line of visible characters.
fn message(text: &str) {
    assert!(!text.is_empty() && text.len() < LONGEST && !text.contains(char::is_control), "{text:?}");
}

#[cfg(test)]
mod tests {
    use oracle::mutate::sample;

    #[test]
    fn any_bytes_are_lines() {
        let seeds: [&[u8]; 11] = [
            b"fma.rn.f16 0x3c01 0x0ffe 0x3c01\nabs.f64 0x8000000000000001\r\n",
            b"min.f32 0x3f800000 0xc0000000\nmin.f32 0x3f800000 0xc0000000 0xC0400000\n\n",
            b"testp.finite.f32 0x3f800000",
            b"add.f16x2 0x3c003c00 0x3c_00_bc00\nnonsense\nfma.ftz.rn.f16 0 0 0\n",
            b"add.f16 1.5 -2e-3\nadd.f16 nan 0x1.8p1\nadd.bf16 3C00 inf\n",
            b"abs.f16 \xff\n\0\n \t\x0b\x0c \nabs.f16\xc2\xa00x3c00\n\xe2\x80\x8b",
            b"__hfma2_relu 0x1 0x2 0x3\nF16x2::fma_rn\nptx::fma_rn_f16\n",
            b"copysign.f64 0x7ff8000000000000 0x3ff0000000000000\n",
            b"cvt.rzi.s8.f32 0xc3960000\ncvt.rn.satfinite.e2m1x2.f16x2 0xc8803d00\ncvt.rn.f16.s32 -5\n",
            b"cvt.rs.satfinite.e4m3x4.f32 0xbf800000 0x40000000 0x40400000 0x7fc00000 0xe6efeb14\n",
            b"cvt.rn.scaled::n2::ue8m0.bf16x2.e2m1x2 0x17 0x7d81\ncvt.rn.bf16x2.ue8m0x2 -1,2\n",
        ];
        sample(&seeds, 1_000, 0x6261_7463, super::batch);
        // Lines of a buffer's length, and longer ones.
        for length in [4095, 4096, 4097, 1 << 17, (1 << 20) + 1] {
            super::batch(&[b"abs.f16 0xbc00\nabs.f16 ".as_slice(), &vec![b'1'; length], b"\nabs.f16 0xbc00"].concat());
        }
    }

    #[test]
    fn any_bytes_are_numbers_or_not() {
        let texts = [
            "0x3c00",
            "1.5,-2",
            "-0x1.8p-3",
            "0x.8p+4",
            "inf",
            "-Infinity",
            "nan",
            "-NaN",
            "+0",
            "1e-5",
            "65519.99",
            "65520",
            "1.00048828125000000000000000000000000001",
            "0x1.00200000000000000000000000000000000001p0",
            "9e999999999999999999",
            "4.9e-324",
            "2.4703282292062327208e-324",
            "1.7976931348623158e308",
            "0.1",
            ".5",
            "5.",
            "1_000",
            "0x1p99999999999",
            "0x3f800000,0x3f80",
            "0x1p-1074",
            "33554433",
            "6.1e-5",
            "0x_",
            ",",
            "\u{200b}",
        ];
        let seeds: Vec<Vec<u8>> = (0..super::OPERANDS.len() as u8)
            .flat_map(|ty| texts.iter().map(move |text| [&[ty], text.as_bytes()].concat()))
            .collect();
        let seeds: Vec<&[u8]> = seeds.iter().map(Vec::as_slice).collect();
        sample(&seeds, 50_000, 0x6e75_6d62, super::number);
    }
}
