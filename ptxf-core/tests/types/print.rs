//! Formatting: the shortest decimal that is read back, checked against an oracle's parser.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Half};

use super::support::all_bits;

/// A decimal `digits × 10^exponent`.
#[derive(Clone, Copy, Debug)]
struct Decimal {
    digits: u64,
    exponent: i32,
}

impl Decimal {
    /// Parses the style of `{:e}`.
    fn new(text: &str) -> Self {
        let (mantissa, exponent) = text.trim_start_matches('-').split_once('e').unwrap();
        let behind_point = mantissa.split_once('.').map_or(0, |(_, part)| part.len() as i32);
        Self {
            digits: mantissa.replace('.', "").parse().unwrap(),
            exponent: exponent.parse::<i32>().unwrap() - behind_point,
        }
    }

    fn text(self) -> String {
        format!("{}e{}", self.digits, self.exponent)
    }

    fn distance(self, x: f64) -> f64 {
        (self.text().parse::<f64>().unwrap() - x.abs()).abs()
    }
}

macro_rules! scalar {
    ($module:ident $ty:ident $apfloat:ident) => {
        mod $module {
            use super::*;

            /// Parses a text by the oracle.
            fn read(text: &str) -> u16 {
                $apfloat::from_str_r(text, rustc_apfloat::Round::NearestTiesToEven).unwrap().value.to_bits() as u16
            }

            #[test]
            fn every_value_reads_back() {
                for x in all_bits().map($ty::from_bits) {
                    for text in [format!("{x}"), format!("{x:e}"), format!("{x:E}"), format!("{x:?}")] {
                        let number =
                            text.strip_prefix(concat!(stringify!($ty), "(")).unwrap_or(&text).trim_end_matches(')');
                        let back: $ty = number.parse().unwrap();
                        if x.is_nan() {
                            assert_eq!(number, "NaN");
                            assert_eq!(back.to_bits(), 0x7fff);
                        } else {
                            assert_eq!(back.to_bits(), x.to_bits(), "{text}");
                            if x.is_finite() {
                                assert_eq!(read(number), x.to_bits(), "{text}");
                            }
                        }
                    }
                }
            }

            #[test]
            fn no_shorter_or_nearer_decimal_reads_back() {
                for x in (1..$ty::INFINITY.to_bits()).map($ty::from_bits) {
                    let exact = x.to_f64();
                    let printed = Decimal::new(&format!("{x:e}"));
                    let length = printed.digits.to_string().len();
                    for digits in [printed.digits - 1, printed.digits + 1] {
                        let other = Decimal { digits, ..printed };
                        if other.digits != 0 && read(&other.text()) == x.to_bits() {
                            let (ours, theirs) = (printed.distance(exact), other.distance(exact));
                            assert!(ours <= theirs * (1.0 + 1e-9), "{x} is farther than {other:?} from {exact}");
                        }
                    }
                    for fewer in 1..length {
                        let near = Decimal::new(&format!("{exact:.*e}", fewer - 1));
                        for digits in [near.digits - 1, near.digits, near.digits + 1] {
                            let other = Decimal { digits, ..near };
                            assert!(
                                other.digits == 0 || read(&other.text()) != x.to_bits(),
                                "{other:?} is shorter than {x}"
                            );
                        }
                    }
                }
            }

            #[test]
            fn a_precision_is_rounded_from_the_exact_value() {
                for x in all_bits().step_by(7).map($ty::from_bits) {
                    let exact = x.to_f64();
                    for precision in [0, 1, 2, 5, 30] {
                        assert_eq!(format!("{x:.precision$}"), format!("{exact:.precision$}"));
                        assert_eq!(format!("{x:.precision$e}"), format!("{exact:.precision$e}"));
                        assert_eq!(format!("{x:+12.precision$}"), format!("{exact:+12.precision$}"));
                        assert_eq!(
                            format!("{x:.precision$?}"),
                            format!(concat!(stringify!($ty), "({:.*?})"), precision, exact)
                        );
                    }
                }
            }
        }
    };
}

scalar!(f16 F16 Half);
scalar!(bf16 Bf16 BFloat);

#[test]
fn familiar_values() {
    for (text, bits) in [
        ("0", 0x0000),
        ("-0", 0x8000),
        ("1", 0x3c00),
        ("0.1", 0x2e66),
        ("0.3333", 0x3555),
        ("65500", 0x7bff), // 65504, for which 65500 is enough, as in f32::MAX
        ("0.00000006", 0x0001),
        ("inf", 0x7c00),
        ("-inf", 0xfc00),
        ("NaN", 0x7e00),
        ("NaN", 0xffff),
    ] {
        assert_eq!(F16::from_bits(bits).to_string(), text);
    }
    assert_eq!(format!("{:e}", F16::MIN_POSITIVE_SUBNORMAL), "6e-8");
    assert_eq!(format!("{:E}", Bf16::MAX), "3.39E38");
    assert_eq!(format!("{:?}", Bf16::MIN_POSITIVE_SUBNORMAL), "Bf16(9e-41)");
    assert_eq!(format!("{:?}", F16::from_f32(2.0)), "F16(2.0)");
    assert_eq!(format!("{:#?}", F16::from_f32(1.5)), "F16(1.5; 0x3e00)");
    assert_eq!(format!("{:#?}", F16::CANONICAL_NAN), "F16(NaN; 0x7fff)");
    assert_eq!(
        format!("[{:>8}] [{:<8}] [{:+}] [{:08.3}]", F16::ONE, F16::ONE, F16::ONE, F16::PI),
        "[       1] [1       ] [+1] [0003.141]"
    );
}

#[test]
fn pairs() {
    let x = F16x2::from_f32([1.0, -0.5]);
    assert_eq!(x.to_string(), "(1, -0.5)");
    assert_eq!(format!("{x:.2}"), "(1.00, -0.50)");
    assert_eq!(format!("{x:?}"), "F16x2(1.0, -0.5)");
    assert_eq!(format!("{x:#?}"), "F16x2(1.0, -0.5; 0xb8003c00)");
    assert_eq!(format!("{:?}", Bf16x2::from_f32([0.1, f32::NAN])), "Bf16x2(0.1, NaN)");
    assert_eq!(format!("{:#?}", Bf16x2::ZERO), "Bf16x2(0.0, 0.0; 0x00000000)");
    let x = F32x2::from_array([0.1, -0.0]);
    assert_eq!(format!("{x} {x:?}"), "(0.1, -0) F32x2(0.1, -0.0)");
    assert_eq!(format!("{x:#?}"), "F32x2(0.1, -0.0; 0x800000003dcccccd)");
}

#[test]
fn bits_in_every_radix() {
    let x = F16::from_bits(0xbe0f);
    assert_eq!(format!("{x:x} {x:#06X} {x:b} {x:#o}"), "be0f 0xBE0F 1011111000001111 0o137017");
    let x = F16x2::from_bits(0x0001_be0f);
    assert_eq!(format!("{x:08x} {x:#X} {x:b} {x:o}"), "0001be0f 0x1BE0F 11011111000001111 337017");
    assert_eq!(format!("{:x} {:#b} {:X}", Bf16::ONE, Bf16x2::from_bits(5), F32x2::ONE), "3f80 0b101 3F8000003F800000");
}
