//! The text of a `printf`: C's conversions, with the sizes of CUDA's argument list.

/// The widest field and the most digits, which keep a mistake from filling memory.
const WIDEST: usize = 1 << 16;

/// A source of a format's values.
pub(crate) trait Values {
    /// The error of a missing value.
    type Error;
    /// Returns the next value, of four or eight bytes.
    fn value(&mut self, bytes: u32) -> Result<u64, Self::Error>;
    /// Returns the text at the next address.
    fn text(&mut self) -> Result<Vec<u8>, Self::Error>;
}

/// A conversion between `%` and its letter.
#[derive(Clone, Copy, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an integer in bytes.
    bytes: u32,
}

/// Returns the text, and the number of values that it took.
pub(crate) fn printed<V: Values>(format: &[u8], mut values: V) -> Result<(Vec<u8>, u32), V::Error> {
    let (mut out, mut count, mut rest) = (Vec::new(), 0, format);
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        out.extend_from_slice(&rest[..at]);
        let whole = &rest[at..];
        rest = &whole[1..];
        let mut spec = Spec { bytes: 4, ..Spec::default() };
        while let Some((&flag @ (b'-' | b'+' | b' ' | b'#' | b'0'), after)) = rest.split_first() {
            *match flag {
                b'-' => &mut spec.left,
                b'+' => &mut spec.plus,
                b' ' => &mut spec.space,
                b'#' => &mut spec.alternate,
                _ => &mut spec.zero,
            } = true;
            rest = after;
        }
        if let Some(width) = number(&mut rest, &mut values)? {
            spec.left |= width < 0;
            spec.width = (width.unsigned_abs() as usize).min(WIDEST);
        }
        if let Some((b'.', after)) = rest.split_first() {
            rest = after;
            // A negative precision counts as absent.
            let digits = number(&mut rest, &mut values)?.unwrap_or(0);
            spec.precision = usize::try_from(digits).ok().map(|digits| digits.min(WIDEST));
        }
        while let Some((&length @ (b'h' | b'l' | b'j' | b'z' | b't'), after)) = rest.split_first() {
            spec.bytes = if length == b'h' { spec.bytes / 2 } else { 8 };
            rest = after;
        }
        let Some((&letter, after)) = rest.split_first() else {
            out.extend_from_slice(whole);
            return Ok((out, count));
        };
        rest = after;
        if letter == b'%' {
            out.push(b'%');
            continue;
        }
        match spec.one(letter, &mut values)? {
            Some(field) => {
                out.extend(field);
                count += 1;
            }
            // An unknown conversion is copied.
            None => out.extend_from_slice(&whole[..whole.len() - rest.len()]),
        }
    }
    out.extend_from_slice(rest);
    Ok((out, count))
}

/// Reads a width or a precision: digits, or the next value.
fn number<V: Values>(rest: &mut &[u8], values: &mut V) -> Result<Option<i32>, V::Error> {
    if let Some((b'*', after)) = rest.split_first() {
        *rest = after;
        return Ok(Some(values.value(4)? as u32 as i32));
    }
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (text, after) = rest.split_at(digits);
    *rest = after;
    let digit = |all: i32, &b: &u8| all.saturating_mul(10).saturating_add((b - b'0').into());
    Ok((digits > 0).then(|| text.iter().fold(0, digit)))
}

impl Spec {
    /// Returns the field of a conversion. Returns `None` for an unknown one.
    fn one<V: Values>(self, letter: u8, values: &mut V) -> Result<Option<Vec<u8>>, V::Error> {
        let upper = letter.is_ascii_uppercase();
        let mut integer = || values.value(self.bytes.max(4));
        let field = match letter {
            b'd' | b'i' => {
                let value = match (integer()?, self.bytes) {
                    (x, 1) => (x as i8).into(),
                    (x, 2) => (x as i16).into(),
                    (x, 4) => (x as i32).into(),
                    (x, _) => x.cast_signed(),
                };
                self.digits(self.sign(value < 0), value.unsigned_abs().to_string())
            }
            b'u' | b'x' | b'X' => {
                let value = integer()? & self.mask();
                let (prefix, digits) = match letter {
                    b'u' => ("", value.to_string()),
                    b'x' => ("0x", format!("{value:x}")),
                    _ => ("0X", format!("{value:X}")),
                };
                self.digits(if self.alternate && value != 0 { prefix } else { "" }, digits)
            }
            b'o' => {
                let digits = format!("{:o}", integer()? & self.mask());
                if !self.alternate {
                    return Ok(Some(self.digits("", digits)));
                }
                // The first digit is 0, which the number or the precision can provide.
                let is_there = digits == "0" || self.precision.is_some_and(|least| least > digits.len());
                let precision = self.precision.map(|least| least.max(1));
                Self { precision, ..self }.digits(if is_there { "" } else { "0" }, digits)
            }
            b'c' => self.padded("", vec![values.value(4)? as u8], false),
            b's' => {
                let mut text = values.text()?;
                text.truncate(self.precision.unwrap_or(usize::MAX));
                self.padded("", text, false)
            }
            b'p' => self.padded("", format!("{:#x}", values.value(8)?).into_bytes(), false),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(values.value(8)?);
                let text = match letter.to_ascii_lowercase() {
                    _ if value.is_nan() => "nan".to_owned(),
                    _ if value.is_infinite() => "inf".to_owned(),
                    b'f' => fixed(value.abs(), self.precision.unwrap_or(6), self.alternate),
                    b'e' => scientific(value.abs(), self.precision.unwrap_or(6), self.alternate),
                    b'g' => general(value.abs(), self.precision.unwrap_or(6), self.alternate),
                    _ => hexadecimal(value.abs(), self.precision, self.alternate),
                };
                let (sign, finite) = (self.sign(value.is_sign_negative()), value.is_finite());
                let (prefix, text) = match text.strip_prefix("0x") {
                    Some(digits) => (format!("{sign}0x"), digits.to_owned()),
                    None => (sign.to_owned(), text),
                };
                let (prefix, text) = if upper { (prefix.to_uppercase(), text.to_uppercase()) } else { (prefix, text) };
                self.padded(&prefix, text.into_bytes(), finite)
            }
            _ => return Ok(None),
        };
        Ok(Some(field))
    }

    /// Returns the mask of an integer of this size.
    fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes.max(1))
    }

    const fn sign(self, negative: bool) -> &'static str {
        match self {
            _ if negative => "-",
            Self { plus: true, .. } => "+",
            Self { space: true, .. } => " ",
            _ => "",
        }
    }

    /// Formats an integer with the digits that the precision requires.
    fn digits(self, prefix: &str, digits: String) -> Vec<u8> {
        let least = self.precision.unwrap_or(1);
        let digits = if least == 0 && digits == "0" { String::new() } else { digits };
        let digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
        self.padded(prefix, digits.into_bytes(), self.precision.is_none())
    }

    /// Pads to the width, with zeros after the prefix or with spaces.
    fn padded(self, prefix: &str, text: Vec<u8>, zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + text.len());
        let (before, zeros, after) = match (self.left, self.zero && zeros) {
            (true, _) => (0, 0, missing),
            (false, true) => (0, missing, 0),
            (false, false) => (missing, 0, 0),
        };
        let mut out = vec![b' '; before];
        out.extend_from_slice(prefix.as_bytes());
        out.extend(std::iter::repeat_n(b'0', zeros));
        out.extend(text);
        out.extend(std::iter::repeat_n(b' ', after));
        out
    }
}

fn fixed(x: f64, digits: usize, point: bool) -> String {
    format!("{x:.digits$}{}", if point && digits == 0 { "." } else { "" })
}

/// Returns the digits of `1.5e3` and its exponent.
fn decimal(x: f64, digits: usize) -> (String, i32) {
    let text = format!("{x:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.to_owned(), exponent.parse().unwrap_or_default())
}

fn scientific(x: f64, digits: usize, point: bool) -> String {
    let (mantissa, exponent) = decimal(x, digits);
    let (point, sign) = (if point && digits == 0 { "." } else { "" }, if exponent < 0 { '-' } else { '+' });
    format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
}

/// Returns the shorter of two notations, without trailing zeros.
fn general(x: f64, digits: usize, zeros: bool) -> String {
    let digits = digits.max(1);
    let (_, exponent) = decimal(x, digits - 1);
    let in_range = exponent >= -4 && exponent < digits as i32;
    let text = if in_range {
        fixed(x, (digits as i32 - 1 - exponent) as usize, zeros)
    } else {
        scientific(x, digits - 1, zeros)
    };
    let (number, exponent) = text.find('e').map_or((&*text, ""), |at| text.split_at(at));
    if zeros || !number.contains('.') {
        return text;
    }
    format!("{}{exponent}", number.trim_end_matches('0').trim_end_matches('.'))
}

fn hexadecimal(x: f64, digits: Option<usize>, point: bool) -> String {
    let bits = x.to_bits();
    let (mut mantissa, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let exponent = match (exponent, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => {
            mantissa |= 1 << 52;
            exponent - 1023
        }
    };
    if let Some(digits @ 0..13) = digits {
        // Rounds to nearest, ties to even.
        let drop = 52 - 4 * digits as u32;
        let (kept, rest, half) = (mantissa >> drop, mantissa & ((1 << drop) - 1), 1 << (drop - 1));
        mantissa = (kept + u64::from(rest > half || rest == half && kept & 1 == 1)) << drop;
    }
    let fraction = format!("{:013x}", mantissa & ((1 << 52) - 1));
    let fraction = match digits {
        Some(digits) => format!("{fraction:0<digits$}")[..digits].to_owned(),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let dot = if fraction.is_empty() && !point { "" } else { "." };
    format!("0x{}{dot}{fraction}p{exponent:+}", mantissa >> 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct List<'a>(&'a [u64], &'a str);

    impl Values for List<'_> {
        type Error = String;

        fn value(&mut self, bytes: u32) -> Result<u64, String> {
            let (&first, rest) = self.0.split_first().ok_or("no value is left")?;
            self.0 = rest;
            Ok(first & u64::MAX >> (64 - 8 * bytes))
        }

        fn text(&mut self) -> Result<Vec<u8>, String> {
            Ok(self.1.into())
        }
    }

    #[track_caller]
    fn check(format: &str, values: &[u64], wanted: &str) {
        let (text, _) = printed(format.as_bytes(), List(values, "words")).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), wanted, "{format}");
    }

    #[test]
    fn integers_are_those_of_c() {
        let minus = (-7_i64).cast_unsigned();
        check("%d|%5d|%-5d|%05d|%+d|% d", &[minus, minus, minus, minus, 7, 7], "-7|   -7|-7   |-0007|+7| 7");
        check(
            "%i %u %ld %llu %hhd %hd",
            &[minus, minus, minus, minus, 0x1ff, 0x1_8000],
            "-7 4294967289 -7 18446744073709551609 -1 -32768",
        );
        check(
            "%x %X %#x %#o %#x %lx %hx",
            &[255, 255, 255, 8, 0, 1 << 40, 0x1_2345],
            "ff FF 0xff 010 0 10000000000 2345",
        );
        check("%#.3o|%#.2o|%#.0o|%#o|%#6o|%#06o", &[8, 8, 0, 0, 8, 8], "010|010|0|0|   010|000010");
        check("%.3d|%5.3d|%05.3d|%.0d|", &[7, 7, 7, 0], "007|  007|  007||");
        check("%*d|%-*d|%*d", &[4, 7, 4, 7, (-4_i64).cast_unsigned(), 7], "   7|7   |7   ");
        check("%c%c%3c", &[b'a'.into(), b'b'.into(), b'c'.into()], "ab  c");
        check("%s|%7s|%-7s|%.2s|%p", &[0x10], "words|  words|words  |wo|0x10");
        check("100%% %y %", &[], "100% %y %");
    }

    #[test]
    fn floats_are_those_of_c() {
        let f = f64::to_bits;
        check(
            "%f %.0f %#.0f %.2f %8.2f|%-8.2f|%08.2f",
            &[f(1.5), f(2.5), f(2.5), f(0.005), f(-1.5), f(-1.5), f(-1.5)],
            "1.500000 2 2. 0.01    -1.50|-1.50   |-0001.50",
        );
        check(
            "%e %.2E %.0e %e",
            &[f(12345.678), f(-1.5e-300), f(0.0), f(1e100)],
            "1.234568e+04 -1.50E-300 0e+00 1.000000e+100",
        );
        check(
            "%g %g %g %g %g %g %#g %.3g",
            &[f(0.0), f(100000.0), f(1e6), f(0.0001), f(0.00001), f(0.5), f(0.5), f(999.9)],
            "0 100000 1e+06 0.0001 1e-05 0.5 0.500000 1e+03",
        );
        check(
            "%f %F %5e %05f %g",
            &[f(f64::INFINITY), f(f64::NEG_INFINITY), f(f64::NAN), f(f64::INFINITY), f(-f64::NAN)],
            "inf -INF   nan   inf -nan",
        );
        check(
            "%a %A %a %.1a %.0a %a %.14a",
            &[f(1.5), f(-255.0), f(0.0), f(1.96875), f(1.5), f(5e-324), f(1.0)],
            "0x1.8p+0 -0X1.FEP+7 0x0p+0 0x2.0p+0 0x2p+0 0x0.0000000000001p-1022 0x1.00000000000000p+0",
        );
        check("%010a|%10a", &[f(1.5), f(1.5)], "0x001.8p+0|  0x1.8p+0");
    }

    #[test]
    fn values_are_counted_and_missing_ones_are_an_error() {
        let run =
            |format: &[u8], values: &[u64]| printed(format, List(values, "")).map(|(text, count)| (text.len(), count));
        assert_eq!(run(b"%d %% %5s", &[1]), Ok((9, 2)));
        assert_eq!(run(b"%d %d", &[1]), Err("no value is left".to_owned()));
        assert_eq!(run(b"%999999999d", &[1]), Ok((WIDEST, 1)));
    }
}
