//! Parsing, rounded once for texts of any length.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Half};

use super::support::Random;

/// Returns the exact decimal digits of an `f64`, without trailing zeros, and their exponent of ten.
pub(super) fn exact_digits(x: f64) -> (String, i32) {
    let text = format!("{x:.200e}");
    let (mantissa, exponent) = text.split_once('e').unwrap();
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    (digits.to_owned(), exponent.parse::<i32>().unwrap() - (digits.len() as i32 - 1))
}

/// Returns the texts of numbers slightly above and slightly below `digits × 10^exponent`; `hair` is
/// the number of digits between.
pub(super) fn around(digits: &str, exponent: i32, hair: usize) -> [String; 2] {
    let above = format!("{digits}{}1e{}", "0".repeat(hair), exponent - hair as i32 - 1);
    let (front, last) = digits.split_at(digits.len() - 1);
    let last = last.parse::<u8>().unwrap() - 1; // not 0: there are no trailing zeros
    let below = format!("{front}{last}{}e{}", "9".repeat(hair), exponent - hair as i32);
    [above, below]
}

macro_rules! scalar {
    ($module:ident $ty:ident $apfloat:ident) => {
        mod $module {
            use super::*;

            #[track_caller]
            fn check(text: &str, want: u16) {
                let got = text.parse::<$ty>().unwrap().to_bits();
                assert_eq!(got, want, "{text}: {got:#06x}, want {want:#06x}");
            }

            fn oracle(text: &str) -> u16 {
                $apfloat::from_str_r(text, rustc_apfloat::Round::NearestTiesToEven).unwrap().value.to_bits() as u16
            }

            /// Checks the midpoint of each value and the next, and numbers slightly to either side.
            #[test]
            fn decides_every_tie() {
                for bits in 0..$ty::INFINITY.to_bits() {
                    let here = $ty::from_bits(bits).to_f64();
                    let next = match bits {
                        b if b == $ty::MAX.to_bits() => 2f64.powi($ty::MAX_EXP),
                        b => $ty::from_bits(b + 1).to_f64(),
                    };
                    let middle = here / 2.0 + next / 2.0;
                    let even = bits + (bits & 1);
                    let (digits, exponent) = exact_digits(middle);
                    let tie = format!("{digits}e{exponent}");
                    check(&tie, even);
                    check(&format!("-{tie}"), even | 0x8000);
                    check(&format!("{middle:.150}"), even); // all its digits
                    for hair in if bits % 61 == 0 { [3, 20, 400] } else { [3, 10, 30] } {
                        let [above, below] = around(&digits, exponent, hair);
                        check(&above, bits + 1);
                        check(&below, bits);
                        if bits % 61 == 0 {
                            assert_eq!([oracle(&above), oracle(&below), oracle(&tie)], [bits + 1, bits, even], "{tie}");
                        }
                    }
                    // Digits with a point and without exponent.
                    if exponent < 0 && bits % 61 == 0 {
                        let places = exponent.unsigned_abs() as usize;
                        let padded = format!("{digits:0>width$}", width = places + 1);
                        let (whole, part) = padded.split_at(padded.len() - places);
                        check(&format!("000{whole}.{part}"), even);
                        check(&format!("{whole}.{part}{}", "0".repeat(500)), even);
                        check(&format!("{whole}.{part}{}1", "0".repeat(500)), bits + 1);
                    }
                }
            }

            /// Checks that no number above the largest one and its midpoint rounds back.
            #[test]
            fn nothing_beyond_overflow_rounds_back() {
                for bits in $ty::MAX.to_bits() - 100..=$ty::MAX.to_bits() {
                    let half_unit = 2f64.powi($ty::MAX_EXP - $ty::MANTISSA_DIGITS as i32 - 1);
                    let (digits, exponent) = exact_digits(2.0 * ($ty::from_bits(bits).to_f64() + half_unit));
                    for text in around(&digits, exponent, 50) {
                        check(&text, $ty::INFINITY.to_bits());
                    }
                }
            }

            #[test]
            fn random_decimals() {
                let mut random = Random(4);
                for _ in 0..100_000 {
                    let digits = random.next() >> (random.next() % 64);
                    let range = $ty::MAX_10_EXP - $ty::MIN_10_EXP + 12;
                    let exponent =
                        $ty::MIN_10_EXP - 6 + (random.next() % range as u64) as i32 - digits.to_string().len() as i32;
                    let text = format!("{digits}e{exponent}");
                    check(&text, oracle(&text));
                }
            }

            #[test]
            fn random_hexadecimals() {
                let mut random = Random(5);
                for _ in 0..100_000 {
                    let digits = random.next() >> (random.next() % 64);
                    let range = $ty::MAX_EXP - $ty::MIN_EXP + 40;
                    let exponent = $ty::MIN_EXP - 20 + (random.next() % range as u64) as i32
                        - (64 - digits.leading_zeros() as i32);
                    let tail = if random.next() % 2 == 0 { "" } else { ".000000000000000000000000001" };
                    let text = format!("0x{digits:x}{tail}p{exponent}");
                    check(&text, oracle(&text));
                }
            }

            #[test]
            fn any_length_and_exponent() {
                let zeros = "0".repeat(1_000_000);
                check(&format!("0.{zeros}1e1000001"), $ty::ONE.to_bits());
                check(&format!("1{zeros}e-1000000"), $ty::ONE.to_bits());
                check(&format!("1{zeros}"), $ty::INFINITY.to_bits());
                check(&format!("0.{zeros}1"), 0);
                check(&format!("{zeros}1.{zeros}"), $ty::ONE.to_bits());
                check(&format!("0x0.{zeros}8p4000001"), $ty::ONE.to_bits());
                check(&format!("0x1{zeros}p-4000000"), $ty::ONE.to_bits());
                for digits in ["1", "0x1p0"] {
                    let mark = if digits == "1" { "e" } else { "" };
                    let text = digits.trim_end_matches('0');
                    check(&format!("{text}{mark}99999999999999999999999"), $ty::INFINITY.to_bits());
                    check(&format!("-{text}{mark}99999999999999999999999"), $ty::NEG_INFINITY.to_bits());
                    check(&format!("{text}{mark}-99999999999999999999999"), 0);
                    check(&format!("-{text}{mark}-99999999999999999999999"), 0x8000);
                }
                check("0e99999999999999999999999", 0);
                check("-0.000e99999999999999999999999", 0x8000);
                check("0x0p99999999999999999999999", 0);
                check(&format!("1e{zeros}"), $ty::ONE.to_bits());
            }
        }
    };
}

scalar!(f16 F16 Half);
scalar!(bf16 Bf16 BFloat);

#[test]
fn overflow_begins_half_way_to_the_next_power_of_two() {
    let check = |text: &str, bits| assert_eq!(text.parse::<F16>().unwrap().to_bits(), bits, "{text}");
    check("65504", 0x7bff);
    check("65519", 0x7bff);
    check("65519.99", 0x7bff);
    check(&format!("65519.{}", "9".repeat(1000)), 0x7bff);
    check("65520", 0x7c00);
    check(&format!("65520.{}1", "0".repeat(1000)), 0x7c00);
    check("65536", 0x7c00);
    check("131040", 0x7c00);
    check("-65520", 0xfc00);
    check("0x1.ffdfp15", 0x7bff);
    check("0x1.ffep15", 0x7c00);
}

#[test]
fn spellings() {
    for (text, bits) in [
        ("1", 0x3c00),
        ("+1", 0x3c00),
        ("1.", 0x3c00),
        (".5", 0x3800),
        ("-.5e0", 0xb800),
        ("5E-1", 0x3800),
        ("0.05e+1", 0x3800),
        ("0", 0x0000),
        ("-0", 0x8000),
        ("-0.0e5", 0x8000),
        ("inf", 0x7c00),
        ("-Infinity", 0xfc00),
        ("+INF", 0x7c00),
        ("NaN", 0x7fff),
        ("+nan", 0x7fff),
        ("-nan", 0xffff),
        ("0x1.8p-3", 0x3200),
        ("0X1.8P-3", 0x3200),
        ("-0x.8p1", 0xbc00),
        ("0xff", 0x5bf8),
        ("0x1.p+0", 0x3c00),
        ("0x0", 0x0000),
        ("-0x0.0p0", 0x8000),
    ] {
        assert_eq!(text.parse::<F16>().map(F16::to_bits), Ok(bits), "{text}");
    }
}

#[test]
fn errors_say_what_was_found() {
    for (text, message) in [
        ("", "expected a number, found the end of the text"),
        (".", "expected a number, found the end of the text"),
        ("-", "expected a digit, found the end of the text"),
        ("+-1", "expected a digit, found `-` at byte 1"),
        (" 1", "expected a number, found ` ` at byte 0"),
        ("1 ", "expected a digit, found ` ` at byte 1"),
        ("one", "expected a number, found `o` at byte 0"),
        ("1.5×", "expected a digit, found `×` at byte 3"),
        ("×", "expected a number, found `×` at byte 0"),
        ("1e", "expected a digit of the exponent, found the end of the text"),
        ("1e+x", "expected a digit of the exponent, found `x` at byte 3"),
        ("1.2.3", "expected a digit, found `.` at byte 3"),
        ("0x", "expected a digit, found the end of the text"),
        ("0xp1", "expected a digit, found `p` at byte 2"),
        ("0x1p", "expected a digit of the exponent, found the end of the text"),
        ("0x1.8p0x1", "expected a digit, found `x` at byte 7"),
        ("infinit", "expected a number, found `i` at byte 0"),
        ("nano", "expected a number, found `n` at byte 0"),
        ("1_000", "expected a digit, found `_` at byte 1"),
        ("1p3", "expected a digit, found `p` at byte 1"),
    ] {
        assert_eq!(text.parse::<F16>().unwrap_err().to_string(), message, "{text:?}");
        assert!(text.parse::<Bf16>().is_err());
    }
    for (text, message) in [
        ("", "expected two numbers with a comma between them, found the end of the text"),
        ("1", "expected two numbers with a comma between them, found the end of the text"),
        ("(1, 2", "expected a closing parenthesis, found the end of the text"),
        ("1, 2)", "expected a digit, found `)` at byte 4"),
        ("1,", "expected a number, found the end of the text"),
        ("1, 2, 3", "expected a digit, found `,` at byte 4"),
        (" ( 1 , x ) ", "expected a number, found `x` at byte 7"),
        ("(, 1)", "expected a number, found `,` at byte 1"),
    ] {
        assert_eq!(text.parse::<F16x2>().unwrap_err().to_string(), message, "{text:?}");
        assert!(text.parse::<Bf16x2>().is_err());
        assert!(text.parse::<F32x2>().is_err());
    }
}

#[test]
fn pairs() {
    for text in ["1.5,-2", "(1.5, -2)", " ( 15e-1 ,\t-0x1p1 ) ", "1.5 , -2"] {
        assert_eq!(text.parse::<F16x2>().unwrap().to_bits(), 0xc000_3e00);
        assert_eq!(text.parse::<Bf16x2>().unwrap().to_bits(), 0xc000_3fc0);
        assert_eq!(text.parse::<F32x2>().unwrap().to_bits(), 0xc000_0000_3fc0_0000);
    }
    let x = F16x2::from_f32([f32::NEG_INFINITY, 0.1]);
    assert_eq!(x.to_string().parse::<F16x2>(), Ok(x));
}

/// Checks the lanes of an f32 pair, which use the same algorithm, against core's own parser.
#[test]
fn f32_lanes_against_core() {
    let mut random = Random(6);
    let check = |text: &str| {
        let want = text.parse::<f32>().unwrap();
        let got = format!("{text},-0").parse::<F32x2>().unwrap().lo();
        assert_eq!(got.to_bits(), want.to_bits(), "{text}");
    };
    for i in 0..60_000 {
        let bits = random.next() as u32 & 0x7fff_ffff;
        // Every other number is subnormal, where all steps are equal.
        let x = f64::from(f32::from_bits(if i % 2 == 0 { bits } else { bits & 0x007f_ffff }));
        let next = f64::from((x as f32).next_up());
        if !next.is_finite() {
            continue;
        }
        let (digits, exponent) = exact_digits(x / 2.0 + next / 2.0);
        check(&format!("{digits}e{exponent}"));
        for text in around(&digits, exponent, 30) {
            check(&text);
        }
        check(&format!("{}e{}", random.next(), (random.next() % 100) as i32 - 65));
    }
    let (digits, exponent) = exact_digits(f64::from(f32::MAX) + 2f64.powi(103));
    check(&format!("{digits}e{exponent}"));
    for text in around(&digits, exponent, 100) {
        check(&text);
    }
}
