//! Text to numbers: decimal and hexadecimal, rounded once.

use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use super::text::Text;
use super::{Bf16, Bf16x2, F16, F16x2, F32x2};
use crate::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use crate::int::Int;
use crate::modifiers::Round;
use crate::sem;

/// Why a text is not a number.
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
    /// Where the text is at fault, and the character there; `None` at its end.
    at: usize,
    found: Option<char>,
}

impl ParseFloatError {
    fn new(expected: &'static str, text: &str, at: usize) -> Self {
        Self { expected, at, found: text.get(at..).and_then(|rest| rest.chars().next()) }
    }

    /// Where in the text the fault is, in bytes.
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

/// The number that `text` spells, rounded once to nearest, ties to even.
pub(super) fn parse<F: Format>(text: &str) -> Result<F::Bits, ParseFloatError> {
    let bytes = text.as_bytes();
    let (negative, start) = match bytes.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let body = &bytes[start..];
    let magnitude = if body.eq_ignore_ascii_case(b"inf") || body.eq_ignore_ascii_case(b"infinity") {
        F::infinity()
    } else if body.eq_ignore_ascii_case(b"nan") {
        F::CANONICAL_NAN
    } else if body.len() >= 2 && body[..2].eq_ignore_ascii_case(b"0x") {
        hexadecimal::<F>(Numeral::scan(text, start + 2, 16, b'p')?)
    } else {
        decimal::<F>(Numeral::scan(text, start, 10, b'e')?)
    };
    Ok(F::signed(negative, magnitude))
}

/// `whole.part × base^exponent`, or × 2^exponent for hexadecimal digits; a part may be empty, not both.
#[derive(Clone, Copy)]
struct Numeral<'a> {
    whole: &'a [u8],
    part: &'a [u8],
    exponent: i64,
}

impl<'a> Numeral<'a> {
    /// Takes the text apart from the byte `start` to its end.
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

    /// The digits from the first that is not 0, and how many digits stand left of the point (negative: so many zeros
    /// follow it).
    fn significant(self) -> (impl Iterator<Item = u8> + Clone, i64) {
        let digits = self.whole.iter().chain(self.part).copied();
        let zeros = digits.clone().take_while(|&b| b == b'0').count();
        (digits.skip(zeros), self.whole.len() as i64 - zeros as i64)
    }
}

/// Magnitudes at 10^40 or above overflow and those below 10^−60 vanish in every format here.
const DECIMAL_RANGE: core::ops::Range<i64> = -60..40;

/// More digits than it takes to tell neighbouring `f64` apart.
const PREFIX: usize = 32;

/// Digits with which the middle between two neighbours is written out exactly: it is `m · 2^e` with `m < 2^25` and
/// `e ≥ −150`.
const EXACT: usize = 120;

fn decimal<F: Format>(numeral: Numeral<'_>) -> F::Bits {
    let (digits, point) = numeral.significant();
    if digits.clone().next().is_none() {
        return F::Bits::ZERO;
    }
    // d.ddd × 10^exponent
    let exponent = numeral.exponent.saturating_add(point).saturating_sub(1);
    if exponent < DECIMAL_RANGE.start {
        return F::Bits::ZERO;
    }
    if exponent >= DECIMAL_RANGE.end {
        return F::infinity();
    }
    // core rounds a decimal to f64 correctly. Rounding that again is wrong only if the first rounding landed on the
    // middle between two neighbours in F: whatever lies on one side of a middle, itself an f64, never crosses it. The
    // same holds for cutting off the digits behind the prefix.
    let mut prefix = Text::new();
    for digit in digits.clone().take(PREFIX) {
        prefix.push(digit);
    }
    let kept = prefix.as_str().len() as i64;
    prefix.append(format_args!("e{}", exponent - (kept - 1)));
    let Ok(near) = prefix.as_str().parse::<f64>() else { unreachable!("digits and a small exponent are a number") };
    let side = if is_middle::<F>(near) { compare(digits, exponent, near) } else { Ordering::Equal };
    let rnd = match side {
        Ordering::Less => Round::Rz,
        Ordering::Equal => Round::Rn,
        Ordering::Greater => Round::Rp,
    };
    sem::convert::<Binary64, F>(rnd, near.to_bits())
}

/// Whether `x > 0` is half-way between two neighbours in `F`, or between the largest one and the next power of two,
/// where rounding begins to give infinity.
fn is_middle<F: Format>(x: f64) -> bool {
    let bits = x.to_bits();
    let e = (bits >> Binary64::FRACTION_BITS) as i32 - Binary64::EMAX;
    let significand = bits & u64::mask(Binary64::FRACTION_BITS) | 1 << Binary64::FRACTION_BITS;
    // Below the normal numbers of F the unit stays the same while the significand loses bits.
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

fn hexadecimal<F: Format>(numeral: Numeral<'_>) -> F::Bits {
    let (digits, point) = numeral.significant();
    // 12 digits and what follows them, jammed, are more than any format here needs, and fit an f64.
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
        return F::Bits::ZERO;
    }
    significand |= u64::from(rest);
    // significand · 2^exponent, with the leading one at 2^e
    let exponent = point.saturating_sub(taken).saturating_mul(4).saturating_add(numeral.exponent);
    let length = u64::bit_len(significand);
    let e = exponent.saturating_add(i64::from(length) - 1);
    if e > i64::from(F::EMAX) {
        return F::infinity();
    }
    if e < i64::from(F::EMIN) - i64::from(F::PRECISION) {
        return F::Bits::ZERO;
    }
    let fraction = significand << (Binary64::PRECISION - length) & u64::mask(Binary64::FRACTION_BITS);
    let biased = (e + i64::from(Binary64::EMAX)) as u64;
    sem::convert::<Binary64, F>(Round::Rn, biased << Binary64::FRACTION_BITS | fraction)
}

macro_rules! scalar {
    ($($ty:ident $format:ident $tenth:literal;)*) => {$(
        impl FromStr for $ty {
            type Err = ParseFloatError;

            /// The number that the text spells, rounded once to nearest, ties to even.
            ///
            /// Accepts what `f32` accepts, `-1.5e-3`, `inf`, `NaN`, and hexadecimal numbers, `0x1.8p-3`. However
            /// long the digits, the result is the number nearest to them.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("assert_eq!(\"0.1\".parse::<", stringify!($ty), ">()?.to_bits(), ", $tenth, ");")]
            #[doc = concat!("assert_eq!(\"-0x1.8p1\".parse::<", stringify!($ty), ">()?.to_f32(), -3.0);")]
            /// # Ok::<(), ptxf::ParseFloatError>(())
            /// ```
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                parse::<$format>(text).map(Self::from_bits)
            }
        }
    )*};
}

scalar! { F16 Binary16 "0x2e66"; Bf16 BFloat16 "0x3dcd"; }

/// The two numbers of `lo, hi`, with or without parentheses and blanks.
fn parse_pair<F: Format>(text: &str) -> Result<[F::Bits; 2], ParseFloatError> {
    let trimmed = text.trim();
    let inner = match trimmed.strip_prefix('(') {
        None => trimmed,
        Some(rest) => {
            rest.strip_suffix(')').ok_or_else(|| ParseFloatError::new("a closing parenthesis", text, text.len()))?
        }
    };
    let Some((lo, hi)) = inner.split_once(',') else {
        return Err(ParseFloatError::new("two numbers with a comma between them", text, text.len()));
    };
    let lane = |lane: &str| {
        let lane = lane.trim();
        // Lanes are slices of the text, so that their distance is the offset of the fault.
        let offset = lane.as_ptr().addr() - text.as_ptr().addr();
        parse::<F>(lane).map_err(|e| ParseFloatError::new(e.expected, text, offset + e.at))
    };
    Ok([lane(lo)?, lane(hi)?])
}

macro_rules! pair {
    ($($ty:ident $lane:ident $format:ident;)*) => {$(
        impl FromStr for $ty {
            type Err = ParseFloatError;

            /// The pair that `lo, hi` or `(lo, hi)` spells, each lane rounded once to nearest, ties to even.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use ptxf::", stringify!($ty), ";")]
            ///
            #[doc = concat!("let x: ", stringify!($ty), " = \"(1.5, -2)\".parse()?;")]
            /// assert_eq!(x.to_string(), "(1.5, -2)");
            #[doc = concat!("assert_eq!(\"1.5,-2\".parse::<", stringify!($ty), ">()?, x);")]
            /// # Ok::<(), ptxf::ParseFloatError>(())
            /// ```
            fn from_str(text: &str) -> Result<Self, ParseFloatError> {
                parse_pair::<$format>(text).map(|lanes| Self::from_array(lanes.map($lane::from_bits)))
            }
        }
    )*};
}

pair! { F16x2 F16 Binary16; Bf16x2 Bf16 BFloat16; F32x2 f32 Binary32; }
