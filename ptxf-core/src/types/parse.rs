//! Parsing of decimal and hexadecimal numbers, rounded once.

use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use super::text::Text;
use super::{
    Bf16, Bf16x2, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4,
    E5m2, E5m2x2, E5m2x4, F16, F16x2, F32x2, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};
use crate::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, Format, Specials, TensorFloat32,
};
use crate::int::Int;
use crate::modifiers::{Modifiers, Round};
use crate::sem;

/// The error of parsing a number: what was expected, what was found, and where.
///
/// # Examples
///
/// ```
/// use ptxf::F16;
///
/// let error = "1.5x".parse::<F16>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a digit, found `x` at byte 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFloatError {
    expected: &'static str,
    /// Position of the fault in bytes, and the character there, which is `None` at the end.
    at: usize,
    found: Option<char>,
}

impl ParseFloatError {
    fn new(expected: &'static str, text: &str, at: usize) -> Self {
        Self { expected, at, found: text.get(at..).and_then(|rest| rest.chars().next()) }
    }

    /// Returns the position of the fault in the text, in bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::F16x2;
    ///
    /// assert_eq!("(1.5, two)".parse::<F16x2>().unwrap_err().position(), 6);
    /// ```
    #[must_use]
    #[inline]
    pub const fn position(self) -> usize {
        self.at
    }
}

impl fmt::Display for ParseFloatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found ", self.expected)?;
        match self.found {
            Some(c) => write!(f, "`{c}` at byte {}", self.at),
            None => f.write_str("the end of the text"),
        }
    }
}

impl core::error::Error for ParseFloatError {}

/// Parses a number, rounded once to nearest, ties to even.
pub(super) fn parse<F: Format>(text: &str) -> Result<F::Bits, ParseFloatError> {
    let (negative, body) = split_sign(text);
    if negative && !F::SIGNED {
        return Err(ParseFloatError::new("a number without a sign, which the type has not", text, 0));
    }
    let at = text.len() - body.len();
    let magnitude = if is_infinity(body) {
        match F::SPECIALS {
            Specials::Ieee => F::infinity(),
            _ => return Err(ParseFloatError::new("a number, as the type has no infinity", text, at)),
        }
    } else if body.eq_ignore_ascii_case("nan") {
        match F::SPECIALS {
            Specials::Absent => return Err(ParseFloatError::new("a number, as the type has no NaN", text, at)),
            _ => F::CANONICAL_NAN,
        }
    } else {
        let (rnd, x) = finite(text, at, is_middle::<F>)?;
        // Conversions to eight bits and fewer saturate, and parsing does, too.
        let m = Modifiers::PLAIN.with_rnd(rnd).with_satfinite(F::Bits::BITS <= 8);
        sem::cvt::<Binary64, F>(m, x.to_bits())
    };
    Ok(F::signed(negative, magnitude))
}

/// Parses a number in units of 1/64, rounded once to nearest, ties to even, and saturated.
fn parse_fixed(text: &str) -> Result<u8, ParseFloatError> {
    let (negative, body) = split_sign(text);
    let at = text.len() - body.len();
    if is_infinity(body) || body.eq_ignore_ascii_case("nan") {
        return Err(ParseFloatError::new("a number, as the type has neither infinity nor NaN", text, at));
    }
    let is_middle = |x: f64| (x * 128.0) % 2.0 == 1.0;
    let (rnd, x) = finite(text, at, is_middle)?;
    let (rnd, x) = match (negative, rnd) {
        (false, rnd) => (rnd, x),
        (true, Round::Rp) => (Round::Rm, -x),
        (true, rnd) => (rnd, -x),
    };
    Ok(sem::convert::<Binary64, Fixed2F6>(rnd, x.to_bits()))
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

fn is_infinity(body: &str) -> bool {
    body.eq_ignore_ascii_case("inf") || body.eq_ignore_ascii_case("infinity")
}

/// Parses the unsigned number from byte `at` on. Returns an f64, and the direction in which it has
/// to be rounded to give the number's rounded value. The direction is not nearest only if the f64
/// is the midpoint of two neighbours and the text differs from it.
fn finite(text: &str, at: usize, is_middle: impl Fn(f64) -> bool) -> Result<(Round, f64), ParseFloatError> {
    if text.as_bytes()[at..].get(..2).is_some_and(|x| x.eq_ignore_ascii_case(b"0x")) {
        Ok((Round::Rn, hexadecimal(Numeral::scan(text, at + 2, 16, b'p')?)))
    } else {
        Ok(decimal(Numeral::scan(text, at, 10, b'e')?, is_middle))
    }
}

/// `whole.part × 10^exponent`, or `× 2^exponent` for hexadecimal digits. One of the parts may be
/// empty.
#[derive(Clone, Copy)]
struct Numeral<'a> {
    whole: &'a [u8],
    part: &'a [u8],
    exponent: i64,
}

impl<'a> Numeral<'a> {
    /// Splits the text from byte `start` to its end.
    fn scan(text: &'a str, start: usize, radix: u32, mark: u8) -> Result<Self, ParseFloatError> {
        let bytes = text.as_bytes();
        let digits = |from: usize, radix: u32| {
            from + bytes[from..].iter().take_while(|&&b| char::from(b).is_digit(radix)).count()
        };
        let whole_end = digits(start, radix);
        let (part_start, part_end) = if bytes.get(whole_end) == Some(&b'.') {
            (whole_end + 1, digits(whole_end + 1, radix))
        } else {
            (whole_end, whole_end)
        };
        let (whole, part) = (&bytes[start..whole_end], &bytes[part_start..part_end]);
        if whole.is_empty() && part.is_empty() {
            let expected = if start == 0 { "a number" } else { "a digit" };
            return Err(ParseFloatError::new(expected, text, part_end));
        }
        let mut end = part_end;
        let mut exponent: i64 = 0;
        if bytes.get(end).is_some_and(|b| b.eq_ignore_ascii_case(&mark)) {
            end += 1;
            let negative = bytes.get(end) == Some(&b'-');
            end += usize::from(matches!(bytes.get(end), Some(b'-' | b'+')));
            let exponent_end = digits(end, 10);
            if exponent_end == end {
                return Err(ParseFloatError::new("a digit of the exponent", text, end));
            }
            for &b in &bytes[end..exponent_end] {
                exponent = exponent.saturating_mul(10).saturating_add(i64::from(b - b'0'));
            }
            exponent = if negative { -exponent } else { exponent };
            end = exponent_end;
        }
        if end < bytes.len() {
            return Err(ParseFloatError::new("a digit", text, end));
        }
        Ok(Self { whole, part, exponent })
    }

    /// Returns the digits from the first that is not 0, and the number of these digits before the
    /// point. A negative number counts the zeros after the point.
    fn significant(self) -> (impl Iterator<Item = u8> + Clone, i64) {
        let digits = self.whole.iter().chain(self.part).copied();
        let zeros = digits.clone().take_while(|&b| b == b'0').count();
        (digits.skip(zeros), self.whole.len() as i64 - zeros as i64)
    }
}

/// Decimal exponents; magnitudes from 10^40 on overflow, and magnitudes below 10^−60 underflow, in
/// every format.
const DECIMAL_RANGE: core::ops::Range<i64> = -60..40;

/// Number of digits, more than enough to distinguish neighbouring `f64`.
const PREFIX: usize = 32;

/// Number of digits that represent the midpoint of two neighbours exactly: it is `m · 2^e` with `m
/// < 2^25` and `e ≥ −150`.
const EXACT: usize = 120;

fn decimal(numeral: Numeral<'_>, is_middle: impl Fn(f64) -> bool) -> (Round, f64) {
    let (digits, point) = numeral.significant();
    if digits.clone().next().is_none() {
        return (Round::Rn, 0.0);
    }
    // d.ddd × 10^exponent
    let exponent = numeral.exponent.saturating_add(point).saturating_sub(1);
    if exponent < DECIMAL_RANGE.start {
        return (Round::Rn, 0.0);
    }
    if exponent >= DECIMAL_RANGE.end {
        return (Round::Rn, f64::INFINITY);
    }
    // `core` rounds a decimal to f64 correctly. A second rounding is wrong only if the first one
    // gave the midpoint of two neighbours: the midpoint is an f64, so no number on one side of it
    // is rounded to the other side. The same holds for truncation to the prefix.
    let mut prefix = Text::new();
    for digit in digits.clone().take(PREFIX) {
        prefix.push(digit);
    }
    let kept = prefix.as_str().len() as i64;
    prefix.append(format_args!("e{}", exponent - (kept - 1)));
    let Ok(near) = prefix.as_str().parse::<f64>() else { unreachable!("digits and a small exponent are a number") };
    let side = if is_middle(near) { compare(digits, exponent, near) } else { Ordering::Equal };
    let rnd = match side {
        Ordering::Less => Round::Rz,
        Ordering::Equal => Round::Rn,
        Ordering::Greater => Round::Rp,
    };
    (rnd, near)
}

/// Returns `true` if `x > 0` is the midpoint of two neighbours in `F`. The largest number's
/// neighbour is the next power of two; from their midpoint on rounding gives infinity.
fn is_middle<F: Format>(x: f64) -> bool {
    let bits = x.to_bits();
    let e = (bits >> Binary64::FRACTION_BITS) as i32 - Binary64::EMAX;
    let significand = bits & u64::mask(Binary64::FRACTION_BITS) | 1 << Binary64::FRACTION_BITS;
    // Below the normal numbers of `F` the unit stays the same and the significand has fewer bits.
    let dropped = (Binary64::PRECISION - F::PRECISION) as i32 + (F::EMIN - e).max(0);
    e <= F::EMAX
        && dropped <= Binary64::PRECISION as i32
        && significand & u64::mask(dropped as u32) == 1 << (dropped - 1)
}

/// Compares `d.ddd × 10^exponent` with `middle`, digit by digit.
fn compare(digits: impl Iterator<Item = u8>, exponent: i64, middle: f64) -> Ordering {
    let mut text = Text::new();
    text.append(format_args!("{middle:.EXACT$e}"));
    let (mantissa, middle_exponent) = text.as_str().split_once('e').unwrap_or_default();
    match exponent.cmp(&middle_exponent.parse().unwrap_or_default()) {
        Ordering::Equal => {}
        unequal => return unequal,
    }
    let mut middle = mantissa.bytes().filter(|&b| b != b'.');
    for digit in digits {
        match digit.cmp(&middle.next().unwrap_or(b'0')) {
            Ordering::Equal => {}
            unequal => return unequal,
        }
    }
    if middle.all(|b| b == b'0') { Ordering::Equal } else { Ordering::Less }
}

/// Returns an f64 that rounds to the same numbers as the digits.
fn hexadecimal(numeral: Numeral<'_>) -> f64 {
    let (digits, point) = numeral.significant();
    // 12 digits, and a bit for any nonzero digit after them, are enough for every format and fit in
    // an f64.
    let mut significand: u64 = 0;
    let mut rest = false;
    let mut taken: i64 = 0;
    for digit in digits {
        if taken < 12 {
            significand = significand << 4 | u64::from(char::from(digit).to_digit(16).unwrap_or_default());
            taken += 1;
        } else {
            rest |= digit != b'0';
        }
    }
    if significand == 0 {
        return 0.0;
    }
    significand |= u64::from(rest);
    // significand · 2^exponent, with the leading one at 2^e
    let exponent = point.saturating_sub(taken).saturating_mul(4).saturating_add(numeral.exponent);
    let length = u64::bit_len(significand);
    let e = exponent.saturating_add(i64::from(length) - 1);
    // Magnitudes beyond the normal f64 overflow or underflow in every format.
    if e > i64::from(Binary64::EMAX) {
        return f64::INFINITY;
    }
    if e < i64::from(Binary64::EMIN) {
        return 0.0;
    }
    let fraction = significand << (Binary64::PRECISION - length) & u64::mask(Binary64::FRACTION_BITS);
    let biased = (e + i64::from(Binary64::EMAX)) as u64;
    f64::from_bits(biased << Binary64::FRACTION_BITS | fraction)
}

/// One row per type: examples of a decimal and a hexadecimal text with their values, a sentence
/// about overflow, and the parser.
macro_rules! scalar {
    ($($ty:ident $tenth:literal $hexadecimal:literal $value:literal $beyond:literal $parse:expr;)*) => {$(
        impl FromStr for $ty {
            type Err = ParseFloatError;

            /// Parses a number, rounded once to nearest, ties to even.
            ///
            /// Accepts the syntax of `f32`, such as `-1.5e-3`, `inf` and `NaN`, and hexadecimal
            /// numbers, `0x1.8p-3`, if the type has such values. The result is the nearest number
            /// for any number of digits.
            #[doc = $beyond]
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(\"0.1\".parse::<", stringify!($ty), ">()?.to_bits(), ", $tenth, ");")]
            #[doc = concat!("assert_eq!(\"", $hexadecimal, "\".parse::<", stringify!($ty), ">()?.to_f32(), ", $value, ");")]
            /// # Ok::<(), ptxf::ParseFloatError>(())
            /// ```
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                $parse(text).map(Self::from_bits)
            }
        }
    )*};
}

scalar! {
    F16 "0x2e66" "-0x1.8p1" "-3.0" "" parse::<Binary16>;
    Bf16 "0x3dcd" "-0x1.8p1" "-3.0" "" parse::<BFloat16>;
    Tf32 "0x3dcc_c000" "-0x1.8p1" "-3.0" "" parse::<TensorFloat32>;
    E4m3 "0x1d" "-0x1.8p1" "-3.0" "A number beyond the largest one gives the largest one." parse::<Float8E4M3>;
    E5m2 "0x2e" "-0x1.8p1" "-3.0" "A finite number beyond the largest one gives the largest one." parse::<Float8E5M2>;
    E2m3 "0x01" "-0x1.8p1" "-3.0" "A number beyond the largest one gives the largest one." parse::<Float6E2M3>;
    E3m2 "0x02" "-0x1.8p1" "-3.0" "A number beyond the largest one gives the largest one." parse::<Float6E3M2>;
    E2m1 "0x0" "-0x1.8p1" "-3.0" "A number beyond the largest one gives the largest one." parse::<Float4E2M1>;
    Ue8m0 "0x7c" "0x1.8p1" "4.0" "A tie gives the greater number, and a number out of range the nearer end of the range." parse::<Exponent8>;
    Ue5m3 "0x5d" "0x1.8p1" "3.0" "A number beyond the largest one gives the largest one." parse::<Float8UE5M3>;
    S2f6 "0x06" "-0x1.8p1" "-2.0" "A number out of range gives the nearer end of the range." parse_fixed;
}

/// Parses the numbers of `lo, hi`, or of more lanes, with or without parentheses and blanks.
fn parse_lanes<T: Copy + Default, const N: usize>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, ParseFloatError>,
) -> Result<[T; N], ParseFloatError> {
    let trimmed = text.trim();
    let mut rest = match trimmed.strip_prefix('(') {
        None => trimmed,
        Some(rest) => {
            rest.strip_suffix(')').ok_or_else(|| ParseFloatError::new("a closing parenthesis", text, text.len()))?
        }
    };
    let mut lanes = [T::default(); N];
    for (i, place) in lanes.iter_mut().enumerate() {
        let lane = if i + 1 == N {
            rest
        } else {
            let Some((lane, behind)) = rest.split_once(',') else {
                let expected = match N {
                    2 => "two numbers with a comma between them",
                    _ => "four numbers with commas between them",
                };
                return Err(ParseFloatError::new(expected, text, text.len()));
            };
            rest = behind;
            lane
        };
        let lane = lane.trim();
        // A lane is a slice of the text, so the difference of the addresses is its offset.
        let offset = lane.as_ptr().addr() - text.as_ptr().addr();
        *place = parse(lane).map_err(|e| ParseFloatError::new(e.expected, text, offset + e.at))?;
    }
    Ok(lanes)
}

/// One row per type: the type of its lanes, a text, and the parser of a lane.
macro_rules! packed {
    ($($ty:ident $lane:ident $text:literal $parse:expr;)*) => {$(
        impl FromStr for $ty {
            type Err = ParseFloatError;

            /// Parses the lanes of `lo, hi` or `(lo, hi)`, or of more lanes, each rounded once to
            /// nearest, ties to even.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x: ", stringify!($ty), " = \"(", $text, ")\".parse()?;")]
            #[doc = concat!("assert_eq!(x.to_string(), \"(", $text, ")\");")]
            #[doc = concat!("assert_eq!(\"", $text, "\".parse::<", stringify!($ty), ">()?, x);")]
            /// # Ok::<(), ptxf::ParseFloatError>(())
            /// ```
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                parse_lanes(text, $parse).map(|lanes| Self::from_array(lanes.map($lane::from_bits)))
            }
        }
    )*};
}

packed! {
    F16x2 F16 "1.5, -2" parse::<Binary16>;
    Bf16x2 Bf16 "1.5, -2" parse::<BFloat16>;
    F32x2 f32 "1.5, -2" parse::<Binary32>;
    E4m3x2 E4m3 "1.5, -2" parse::<Float8E4M3>;
    E5m2x2 E5m2 "1.5, -2" parse::<Float8E5M2>;
    E2m3x2 E2m3 "1.5, -2" parse::<Float6E2M3>;
    E3m2x2 E3m2 "1.5, -2" parse::<Float6E3M2>;
    E2m1x2 E2m1 "1.5, -2" parse::<Float4E2M1>;
    Ue8m0x2 Ue8m0 "0.5, 2" parse::<Exponent8>;
    Ue5m3x2 Ue5m3 "1.5, 2" parse::<Float8UE5M3>;
    S2f6x2 S2f6 "1.5, -2" parse_fixed;
    E4m3x4 E4m3 "1.5, -2, 0, 1" parse::<Float8E4M3>;
    E5m2x4 E5m2 "1.5, -2, 0, 1" parse::<Float8E5M2>;
    E2m3x4 E2m3 "1.5, -2, 0, 1" parse::<Float6E2M3>;
    E3m2x4 E3m2 "1.5, -2, 0, 1" parse::<Float6E3M2>;
    E2m1x4 E2m1 "1.5, -2, 0, 1" parse::<Float4E2M1>;
    E2m1p4x4 E2m1 "1.5, -2, 0, 1" parse::<Float4E2M1>;
    Ue8m0x4 Ue8m0 "0.5, 2, 4, 1" parse::<Exponent8>;
}
