//! The narrow types, on all of their codes, against oracles that share no code with the library.

use core::hash::{Hash, Hasher};
use std::hash::DefaultHasher;

use oracle::Rng;
use oracle::cvt::{Cvt, Extra, apfloat, operands};
use ptxf_core::{
    Bf16, Bf16x2, E2m1, E2m1p4x4, E2m1x2, E2m1x4, E2m3, E2m3x2, E2m3x4, E3m2, E3m2x2, E3m2x4, E4m3, E4m3x2, E4m3x4,
    E5m2, E5m2x2, E5m2x4, F16, F16x2, Round, S2f6, S2f6x2, Tf32, Ue5m3, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};

use super::parse::{around, exact_digits};

/// Computes one lane of a conversion by LLVM's soft float.
fn oracle(spelling: &str, x: u64) -> u64 {
    apfloat::lane(&Cvt::parse(spelling).unwrap(), x, Extra::default()).unwrap()
}

macro_rules! narrow {
    ($($module:ident $ty:ident $codes:literal $name:literal $nan:expr;)*) => {$(
        mod $module {
            use super::*;

            fn all() -> impl Iterator<Item = $ty> {
                (0..=$codes).map($ty::from_bits)
            }

            #[test]
            fn values_are_those_of_the_instruction() {
                for x in all() {
                    let code = x.to_bits().into();
                    let half = concat!("cvt.rn.f16x2.", $name, "x2");
                    if x.is_nan() {
                        assert!(x.to_f32().is_nan() && x.to_f64().is_nan() && F16::from(x).is_nan() && Bf16::from(x).is_nan());
                        assert_eq!(x.to_f32().is_sign_negative(), x.is_sign_negative());
                        continue;
                    }
                    assert_eq!(f64::from(x), f64::from(x.to_f32()), "{x:#?}");
                    assert_eq!(u64::from(F16::from(x).to_bits()), oracle(half, code), "{x:#?}");
                    assert_eq!(F16::from(x).to_f32().to_bits(), x.to_f32().to_bits(), "{x:#?}");
                    assert_eq!(Bf16::from(x).to_f32().to_bits(), x.to_f32().to_bits(), "{x:#?}");
                }
            }

            #[test]
            fn f32_and_f64_are_rounded_once_and_saturated() {
                let form = Cvt::parse(concat!("cvt.rn.satfinite.", $name, "x2.f32")).unwrap();
                let double = Cvt::parse(concat!("cvt.rn.satfinite.", $name, "x2.f64")).unwrap();
                let mut rng = Rng::from_env(3);
                for _ in 0..100_000 {
                    let x = operands::lane(&form, operands::list(&form), &mut rng);
                    let want = apfloat::lane(&form, x, Extra::default()).unwrap();
                    assert_eq!(u64::from($ty::from_f32(f32::from_bits(x as u32)).to_bits()), want, "{x:#x}");
                    let x = operands::lane(&double, operands::list(&double), &mut rng);
                    let want = apfloat::lane(&double, x, Extra::default()).unwrap();
                    assert_eq!(u64::from($ty::from_f64(f64::from_bits(x)).to_bits()), want, "{x:#x}");
                }
                assert_eq!($ty::from_f32(-f32::NAN).to_bits(), $nan);
            }

            #[test]
            fn compares_and_classifies_as_f32_does() {
                for a in all() {
                    let x = a.to_f32();
                    assert_eq!([a.is_nan(), a.is_infinite(), a.is_finite()], [x.is_nan(), x.is_infinite(), x.is_finite()]);
                    assert_eq!(a.is_sign_negative(), x.is_sign_negative());
                    assert_eq!(a.is_subnormal(), !a.is_nan() && a != $ty::ZERO && x.abs() < $ty::MIN_POSITIVE.to_f32());
                    assert_eq!((-a).to_f32().to_bits(), (-x).to_bits());
                    assert_eq!(a.copysign($ty::NEG_ZERO).is_sign_negative(), true);
                    for b in all() {
                        let y = b.to_f32();
                        assert_eq!((a.partial_cmp(&b), a == b), (x.partial_cmp(&y), x == y), "{a:#?} {b:#?}");
                        assert_eq!(a.total_cmp(&b), x.total_cmp(&y), "{a:#?} {b:#?}");
                    }
                }
            }

            #[test]
            fn text_goes_both_ways_and_every_tie_is_decided() {
                for x in all() {
                    let read: $ty = x.to_string().parse().unwrap();
                    assert!(read.to_bits() == x.to_bits() || x.is_nan() && read.is_nan(), "{x:#?} {x}");
                    assert_eq!(format!("{x:.20}").parse::<$ty>().is_ok(), true);
                }
                let last = $ty::MAX.to_bits();
                for code in 0..last {
                    let middle = ($ty::from_bits(code).to_f64() + $ty::from_bits(code + 1).to_f64()) / 2.0;
                    let (digits, exponent) = exact_digits(middle);
                    let parse = |text: &str| text.parse::<$ty>().unwrap().to_bits();
                    assert_eq!(parse(&format!("{digits}e{exponent}")), code + (code & 1), "{middle}");
                    for hair in [3, 20, 300] {
                        let [above, below] = around(&digits, exponent, hair);
                        assert_eq!([parse(&below), parse(&above)], [code, code + 1], "{middle}");
                        assert_eq!((-above.parse::<$ty>().unwrap()).to_bits(), parse(&format!("-{above}")));
                    }
                }
                for beyond in ["1e9", "0x1p99", "1e999999999999999999999", "0x1p99999999999999999999"] {
                    assert_eq!(beyond.parse(), Ok($ty::MAX));
                    assert_eq!(format!("-{beyond}").parse(), Ok($ty::MIN));
                }
            }

            #[test]
            fn bits_that_are_not_used_are_not_seen() {
                for code in 0..=u8::MAX {
                    assert_eq!($ty::from_bits(code).to_bits(), code & $codes);
                }
            }
        }
    )*};
}

narrow! {
    e4m3 E4m3 0xff "e4m3" 0x7f;
    e5m2 E5m2 0xff "e5m2" 0x7f;
    e2m3 E2m3 0x3f "e2m3" 0x1f;
    e3m2 E3m2 0x3f "e3m2" 0x1f;
    e2m1 E2m1 0x0f "e2m1" 0x07;
}

#[test]
fn tf32_is_rounded_as_the_instructions_do() {
    let form = Cvt::parse("cvt.rn.tf32.f32").unwrap();
    let mut rng = Rng::from_env(4);
    for _ in 0..100_000 {
        let x = operands::lane(&form, operands::list(&form), &mut rng);
        let float = f32::from_bits(x as u32);
        assert_eq!(u64::from(Tf32::from_f32(float).to_bits()), oracle("cvt.rn.tf32.f32", x));
        assert_eq!(u64::from(Tf32::from_f32_r(Round::Rz, float).to_bits()), oracle("cvt.rz.tf32.f32", x));
        assert_eq!(u64::from(Tf32::from_f32_rna(float).to_bits()), oracle("cvt.rna.tf32.f32", x));
        let tf32 = Tf32::from_bits(x as u32);
        assert_eq!(tf32.to_f32().to_bits(), x as u32 & !0x1fff);
        let read: Tf32 = tf32.to_string().parse().unwrap();
        assert!(read.to_bits() == tf32.to_bits() || tf32.is_nan() && read.is_nan(), "{tf32:#?}");
        let other = Tf32::from_bits(operands::lane(&form, operands::list(&form), &mut rng) as u32);
        assert_eq!(tf32.partial_cmp(&other), tf32.to_f32().partial_cmp(&other.to_f32()));
        assert_eq!(tf32.total_cmp(&other), tf32.to_f32().total_cmp(&other.to_f32()));
    }
    for bits in 0..=u16::MAX {
        assert_eq!(Tf32::from(F16::from_bits(bits)).to_f32().to_bits(), F16::from_bits(bits).to_f32().to_bits());
        assert_eq!(Tf32::from(Bf16::from_bits(bits)).to_f32().to_bits(), Bf16::from_bits(bits).to_f32().to_bits());
    }
}

#[test]
fn exponents_are_powers_of_two() {
    for code in 0..=u8::MAX {
        let x = Ue8m0::from_bits(code);
        if code == 0xff {
            assert!(x.is_nan() && x.to_f32().is_nan() && Bf16::from(x).is_nan() && x.exponent().is_none());
            assert!(x != x && x.partial_cmp(&x).is_none());
            continue;
        }
        let exponent = i32::from(code) - 127;
        assert_eq!(x.to_f64(), 2f64.powi(exponent));
        assert_eq!(f64::from(x.to_f32()), x.to_f64());
        assert_eq!(Bf16::from(x).to_f64(), x.to_f64());
        assert_eq!((x.exponent(), Ue8m0::from_exponent(exponent)), (Some(exponent), Some(x)));
        assert_eq!(x.to_string().parse(), Ok(x));
        assert_eq!([Ue8m0::from_f32_rz(x.to_f32()), Ue8m0::from_f32_rp(-x.to_f32())], [x, x]);
    }
    let mut rng = Rng::from_env(5);
    for _ in 0..100_000 {
        let x = rng.next() & 0xffff_ffff;
        let float = f32::from_bits(x as u32);
        assert_eq!(u64::from(Ue8m0::from_f32_rz(float).to_bits()), oracle("cvt.rz.satfinite.ue8m0x2.f32", x));
        assert_eq!(u64::from(Ue8m0::from_f32_rp(float).to_bits()), oracle("cvt.rp.satfinite.ue8m0x2.f32", x));
    }
    assert_eq!("1.5".parse(), Ok(Ue8m0::from_bits(0x80)));
    assert_eq!(["0", "1e-99", "1e99"].map(|x| x.parse().map(Ue8m0::to_bits)), [Ok(0), Ok(0), Ok(0xfe)]);
}

#[test]
fn magnitudes_have_five_bits_of_exponent() {
    let value = |code: u8| match (code >> 3, code & 7) {
        (0, fraction) => f64::from(fraction) * 2f64.powi(-17),
        (field, fraction) => f64::from(8 + fraction) * 2f64.powi(i32::from(field) - 18),
    };
    for code in 0..u8::MAX {
        let x = Ue5m3::from_bits(code);
        assert_eq!([x.to_f64(), x.to_f32().into(), Bf16::from(x).to_f64()], [value(code); 3], "{code:#x}");
        assert_eq!([Ue5m3::from_f64(value(code)), Ue5m3::from_f32(-x.to_f32())], [x; 2]);
        assert_eq!(x.to_string().parse(), Ok(x));
        assert!(x.is_finite() && !x.is_nan() && (code == 0 || Ue5m3::from_bits(code - 1) < x));
        if x != Ue5m3::MAX {
            let middle = f64::midpoint(value(code), value(code + 1));
            let above = f64::from_bits(middle.to_bits() + 1);
            let even = Ue5m3::from_bits(code + (code & 1));
            assert_eq!([middle, above].map(Ue5m3::from_f64), [even, Ue5m3::from_bits(code + 1)]);
        }
    }
    let nan = Ue5m3::from_bits(0xff);
    assert!(nan.is_nan() && nan.to_f32().is_nan() && Bf16::from(nan).is_nan() && nan != nan);
    assert_eq!([f32::NAN, -f32::NAN].map(|x| Ue5m3::from_f32(x).to_bits()), [0xff; 2]);
    assert_eq!([f32::INFINITY, f32::NEG_INFINITY, 1e9].map(Ue5m3::from_f32), [Ue5m3::MAX; 3]);
    assert_eq!(["114689", "1e99", "nan"].map(|x| x.parse().map(Ue5m3::to_bits)), [Ok(0xfe), Ok(0xfe), Ok(0xff)]);
    let mut rng = Rng::from_env(9);
    for _ in 0..100_000 {
        let x = rng.next() & 0xffff_ffff;
        let want = oracle("cvt.rn.satfinite.ue5m3x2.f32", x);
        assert_eq!(u64::from(Ue5m3::from_f32(f32::from_bits(x as u32)).to_bits()), want, "{x:#x}");
    }
}

#[test]
fn fixed_point_counts_sixty_fourths() {
    for code in 0..=u8::MAX {
        let x = S2f6::from_bits(code);
        assert_eq!(x.to_f64() * 64.0, f64::from(code as i8));
        assert_eq!([f64::from(x), x.to_f32().into(), F16::from(x).to_f64(), Bf16::from(x).to_f64()], [x.to_f64(); 4]);
        assert_eq!(x.to_string().parse(), Ok(x));
        for other in (0..=u8::MAX).map(S2f6::from_bits) {
            assert_eq!(x.partial_cmp(&other), x.to_f64().partial_cmp(&other.to_f64()));
        }
        if code as i8 != i8::MAX {
            let middle = (f64::from(code as i8) + 0.5) / 64.0;
            let (digits, exponent) = exact_digits(middle.abs());
            let [above, below] = around(&digits, exponent, 30);
            let next = code.wrapping_add(1);
            let (outward, inward) = if middle > 0.0 { (next, code) } else { (code, next) };
            let sign = if middle > 0.0 { "" } else { "-" };
            let parse = |text: &str| format!("{sign}{text}").parse::<S2f6>().unwrap().to_bits();
            assert_eq!([parse(&above), parse(&below)], [outward, inward], "{middle}");
            assert_eq!(parse(&format!("{digits}e{exponent}")), if code & 1 == 0 { code } else { next }, "{middle}");
        }
    }
    let form = Cvt::parse("cvt.rn.satfinite.s2f6x2.f32").unwrap();
    let mut rng = Rng::from_env(6);
    for _ in 0..100_000 {
        let x = operands::lane(&form, operands::list(&form), &mut rng);
        let want = apfloat::lane(&form, x, Extra::default()).unwrap();
        assert_eq!(u64::from(S2f6::from_f32(f32::from_bits(x as u32)).to_bits()), want, "{x:#x}");
    }
}

/// Checks that every number of the first type is a number of the second.
#[test]
fn lossless_conversions_keep_every_number() {
    macro_rules! check {
        ($($from:ident => $($to:ident)*;)*) => {$($(
            for bits in 0..=u8::MAX {
                let x = $from::from_bits(bits);
                assert_eq!($to::from(x).to_f32().to_bits(), x.to_f32().to_bits(), "{x:#?} as {}", stringify!($to));
            }
        )*)*};
    }
    check! {
        E2m3 => E4m3;
        E3m2 => E4m3 E5m2;
        E2m1 => E4m3 E5m2 E2m3 E3m2;
    }
}

fn hash(x: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    x.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn equal_values_have_one_hash() {
    assert_eq!((E2m1::ZERO, hash(E2m1::ZERO)), (E2m1::NEG_ZERO, hash(E2m1::NEG_ZERO)));
    assert_eq!((E2m3::ZERO, hash(E2m3::ZERO)), (E2m3::NEG_ZERO, hash(E2m3::NEG_ZERO)));
    assert_eq!((E3m2::ZERO, hash(E3m2::ZERO)), (E3m2::NEG_ZERO, hash(E3m2::NEG_ZERO)));
    let [a, b] = [0x80, 0x08].map(E2m1x2::from_bits);
    assert_eq!((a, hash(a)), (b, hash(b)));
    assert_ne!(hash(E2m1::ONE), hash(E2m1::MAX));
    assert_eq!(E2m1::MAX.max(E2m1::ONE), E2m1::MAX);
}

/// Checks that the lower lane is in the lower bits, and that bits between lanes are ignored.
#[test]
fn lanes_stand_where_the_register_has_them() {
    macro_rules! check {
        ($($ty:ident $lane:ident $bits:ident $stride:literal $mask:literal;)*) => {$(
            let mut rng = Rng::from_env(8);
            for _ in 0..1000 {
                let bits = rng.next() as $bits;
                let x = $ty::from_bits(bits);
                let lanes = x.to_array();
                for (i, lane) in lanes.iter().enumerate() {
                    assert_eq!(u64::from(lane.to_bits()), (u64::from(bits) >> ($stride * i)) & $mask);
                }
                assert_eq!($ty::from_array(lanes).to_bits(), x.to_bits());
                assert_eq!($ty::from(<[$lane; _]>::from(x)).to_bits(), x.to_bits());
                assert_eq!(x.to_f32().map(f32::to_bits), lanes.map(|x| x.to_f32().to_bits()));
            }
        )*};
    }
    check! {
        E4m3x2 E4m3 u16 8 0xff;
        E5m2x2 E5m2 u16 8 0xff;
        E2m3x2 E2m3 u16 8 0x3f;
        E3m2x2 E3m2 u16 8 0x3f;
        E2m1x2 E2m1 u8 4 0xf;
        Ue8m0x2 Ue8m0 u16 8 0xff;
        Ue5m3x2 Ue5m3 u16 8 0xff;
        S2f6x2 S2f6 u16 8 0xff;
        E4m3x4 E4m3 u32 8 0xff;
        E5m2x4 E5m2 u32 8 0xff;
        E2m3x4 E2m3 u32 8 0x3f;
        E3m2x4 E3m2 u32 8 0x3f;
        E2m1x4 E2m1 u16 4 0xf;
        E2m1p4x4 E2m1 u32 8 0xf;
        Ue8m0x4 Ue8m0 u32 8 0xff;
    }
    assert_eq!(F16x2::from(E4m3x2::from_f32([1.0, -2.0])).to_f32(), [1.0, -2.0]);
    assert_eq!(Bf16x2::from(Ue8m0x2::ONE).to_f32(), [1.0, 1.0]);
    assert_eq!(E2m1x2::from_bits(0x24).swap_lanes().to_bits(), 0x42);
    assert_eq!(E2m3x2::from_bits(0xffff).to_bits(), 0x3f3f);
}

#[test]
fn errors_say_what_a_type_lacks() {
    for (got, want) in [
        (
            "inf".parse::<E4m3>().map(E4m3::to_bits),
            "expected a number, as the type has no infinity, found `i` at byte 0",
        ),
        ("-nan".parse::<E2m1>().map(E2m1::to_bits), "expected a number, as the type has no NaN, found `n` at byte 1"),
        (
            "-1".parse::<Ue8m0>().map(Ue8m0::to_bits),
            "expected a number without a sign, which the type has not, found `-` at byte 0",
        ),
        (
            "-1".parse::<Ue5m3>().map(Ue5m3::to_bits),
            "expected a number without a sign, which the type has not, found `-` at byte 0",
        ),
        (
            "nan".parse::<S2f6>().map(S2f6::to_bits),
            "expected a number, as the type has neither infinity nor NaN, found `n` at byte 0",
        ),
    ] {
        assert_eq!(got.unwrap_err().to_string(), want);
    }
    let error = "1, 2, 3".parse::<E2m1x4>().unwrap_err();
    assert_eq!(error.to_string(), "expected four numbers with commas between them, found the end of the text");
    assert_eq!("(1, 2, 3, x)".parse::<E2m1x4>().unwrap_err().position(), 10);
    assert_eq!("-inf".parse(), Ok(E5m2::NEG_INFINITY));
    assert_eq!("-NaN".parse::<E4m3>().map(E4m3::to_bits), Ok(0xff));
}

#[test]
fn printed_with_a_precision_it_is_exact() {
    assert_eq!(
        format!("{:.3} {:?} {:#?}", E4m3::from_f32(0.1), E4m3::MAX, E2m1::ONE),
        "0.102 E4m3(448.0) E2m1(1.0; 0x2)"
    );
    assert_eq!(format!("{:#?} {:x}", E2m1x4::ONE, E2m3x2::ONE), "E2m1x4(1.0, 1.0, 1.0, 1.0; 0x2222) 808");
}

/// Checks the traits of other crates, each with its feature.
#[cfg(all(
    feature = "arbitrary",
    feature = "bytemuck",
    feature = "num-traits",
    feature = "rand-010",
    feature = "serde"
))]
#[test]
fn other_crates_see_the_bits() {
    use arbitrary::{Arbitrary, Unstructured};
    use num_traits::{AsPrimitive, Bounded, FromPrimitive, ToPrimitive};
    let mut u = Unstructured::new(&[0xfe, 0x12, 0x34]);
    assert_eq!(E4m3::arbitrary(&mut u).unwrap().to_bits(), 0xfe);
    assert_eq!(E2m1x4::arbitrary(&mut u).unwrap().to_bits(), 0x3412);
    assert_eq!(bytemuck::cast_slice::<u8, E2m1>(&[0xf2]), [E2m1::ONE]);
    assert_eq!(E4m3::from_i64(1000), Some(E4m3::MAX));
    assert_eq!((E5m2::max_value(), 3.3_f32.as_(), E3m2::MAX.to_u64()), (E5m2::MAX, E3m2::from_f32(3.5), Some(28)));
    assert_eq!(serde_json::to_string(&E4m3x2::from_bits(0x1234)).unwrap(), "4660");
    assert_eq!(serde_json::from_str::<Ue8m0>("127").unwrap(), Ue8m0::ONE);
}
