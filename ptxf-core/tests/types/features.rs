//! The traits of other crates, each with its feature. `--all-features` runs all tests.

#![allow(unused_imports, reason = "every feature uses some")]

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2};

use super::support::{Random, all_bits};

#[cfg(feature = "half")]
#[test]
fn half_is_the_same_bits() {
    for bits in all_bits() {
        assert_eq!(F16::from(half::f16::from_bits(bits)).to_bits(), bits);
        assert_eq!(half::f16::from(F16::from_bits(bits)).to_bits(), bits);
        assert_eq!(Bf16::from(half::bf16::from_bits(bits)).to_bits(), bits);
        assert_eq!(half::bf16::from(Bf16::from_bits(bits)).to_bits(), bits);
    }
}

#[cfg(feature = "num-traits")]
mod num_traits {
    use super::*;
    use ::num_traits::{
        AsPrimitive, Bounded, ConstOne, ConstZero, FromBytes, FromPrimitive, MulAdd, MulAddAssign, One,
    };
    use ::num_traits::{ToBytes, ToPrimitive, Zero, cast};
    use rustc_apfloat::Float;
    use rustc_apfloat::ieee::{BFloat, Half};

    #[test]
    fn values() {
        fn check<
            T: ConstZero + ConstOne + Zero + One + PartialEq + core::fmt::Debug + core::ops::Neg<Output = T> + Copy,
        >() {
            assert_eq!((T::zero(), T::one()), (T::ZERO, T::ONE));
            assert!(T::ZERO.is_zero() && (-T::ZERO).is_zero() && !T::ONE.is_zero() && T::ONE.is_one());
        }
        check::<F16>();
        check::<Bf16>();
        check::<F16x2>();
        check::<Bf16x2>();
        check::<F32x2>();
        assert!(!F16x2::from_f32([0.0, 1.0]).is_zero());
        assert_eq!((F16::min_value(), F16::max_value()), (F16::MIN, F16::MAX));
        assert_eq!((Bf16::min_value(), Bf16::max_value()), (Bf16::MIN, Bf16::MAX));
        let x = F16::from_bits(0x1234);
        assert_eq!(ToBytes::to_be_bytes(&x), [0x12, 0x34]);
        assert_eq!(<F16 as FromBytes>::from_le_bytes(&[0x34, 0x12]), x);
        assert!(::num_traits::float::TotalOrder::total_cmp(&F16::NEG_ZERO, &F16::ZERO).is_lt());
    }

    #[test]
    fn mul_add_rounds_once() {
        let [a, b] = [0x3c01, 0x0ffe].map(F16::from_bits);
        let mut x = a;
        x.mul_add_assign(b, a);
        assert_eq!([MulAdd::mul_add(a, b, a).to_bits(), x.to_bits()], [0x3c01, 0x3c01]);
        let [a, b] = [F16x2::splat(a), F16x2::splat(b)];
        assert_eq!(MulAdd::mul_add(a, b, a).to_bits(), 0x3c01_3c01);
    }

    macro_rules! casts {
        ($test:ident $ty:ident $apfloat:ident) => {
            #[test]
            fn $test() {
                let oracle = |negative: bool, n: u128| {
                    let x = $apfloat::from_u128_r(n, rustc_apfloat::Round::NearestTiesToEven).value;
                    (if negative { -x } else { x }).to_bits() as u16
                };
                let mut random = Random(7);
                for i in 0..100_000 {
                    let n = u128::from(random.next()) << 64 | u128::from(random.next());
                    let mut n = n >> (random.next() % 128);
                    if i % 2 == 0 && n != 0 {
                        // A tie, or next to one: the bit after the significand, and at most the
                        // last bit.
                        let length: u32 = 128 - n.leading_zeros();
                        let kept = length.saturating_sub($ty::MANTISSA_DIGITS + 1);
                        n = n >> kept << kept | u128::from(random.next() % 2 == 0);
                    }
                    let (long, signed) = (n as u64, n as i128);
                    assert_eq!($ty::from_u128(n).unwrap().to_bits(), oracle(false, n));
                    assert_eq!($ty::from_i128(signed).unwrap().to_bits(), oracle(signed < 0, signed.unsigned_abs()));
                    assert_eq!($ty::from_u64(long).unwrap().to_bits(), oracle(false, long.into()));
                    let negative = (long as i64) < 0;
                    let magnitude = (long as i64).unsigned_abs();
                    assert_eq!($ty::from_i64(long as i64).unwrap().to_bits(), oracle(negative, magnitude.into()));
                    let as_: $ty = n.as_();
                    assert_eq!(as_.to_bits(), oracle(false, n));
                    let as_: $ty = (long as i64).as_();
                    assert_eq!(as_.to_bits(), oracle(negative, magnitude.into()));
                    assert_eq!(cast::<u128, $ty>(n).unwrap().to_bits(), oracle(false, n));
                    assert_eq!(cast::<u64, $ty>(long).unwrap().to_bits(), oracle(false, long.into()));
                    assert_eq!(cast::<i64, $ty>(long as i64).unwrap().to_bits(), oracle(negative, magnitude.into()));
                    let double = f64::from_bits(long);
                    assert_eq!(cast::<f64, $ty>(double).unwrap().to_bits(), $ty::from_f64(double).to_bits());
                    assert_eq!(
                        $ty::from_f64(double).to_bits(),
                        <$ty as FromPrimitive>::from_f64(double).unwrap().to_bits()
                    );
                }
                for bits in all_bits() {
                    let x = $ty::from_bits(bits);
                    let wide = x.to_f64();
                    assert_eq!(ToPrimitive::to_f64(&x).unwrap().to_bits(), wide.to_bits());
                    assert_eq!(ToPrimitive::to_f32(&x).unwrap().to_bits(), x.to_f32().to_bits());
                    assert_eq!(x.to_i32(), wide.to_i32());
                    assert_eq!(x.to_u8(), wide.to_u8());
                    assert_eq!(x.to_u128(), wide.to_u128());
                    assert_eq!(x.to_i128(), wide.to_i128());
                    assert_eq!(AsPrimitive::<i8>::as_(x), wide as i8);
                    assert_eq!(AsPrimitive::<u128>::as_(x), wide as u128);
                    assert_eq!(AsPrimitive::<f32>::as_(x).to_bits(), x.to_f32().to_bits());
                    assert_eq!(
                        <$ty as ::num_traits::NumCast>::from(x).unwrap().to_bits(),
                        if x.is_nan() { 0x7fff } else { bits }
                    );
                }
            }
        };
    }

    #[test]
    fn halves_cast_to_each_other() {
        for bits in all_bits() {
            let (x, y) = (F16::from_bits(bits), Bf16::from_bits(bits));
            assert_eq!(AsPrimitive::<F16>::as_(x).to_bits(), bits);
            assert_eq!(AsPrimitive::<Bf16>::as_(y).to_bits(), bits);
            assert_eq!(AsPrimitive::<Bf16>::as_(x).to_bits(), Bf16::from_f16(x).to_bits());
            assert_eq!(AsPrimitive::<F16>::as_(y).to_bits(), F16::from_bf16(y).to_bits());
        }
    }

    casts!(f16_casts_round_once F16 Half);
    casts!(bf16_casts_round_once Bf16 BFloat);
}

#[cfg(feature = "bytemuck")]
#[test]
fn bytemuck_casts_slices() {
    let bits: Vec<u16> = all_bits().collect();
    let values: &[F16] = bytemuck::cast_slice(&bits);
    assert!(values.iter().zip(&bits).all(|(x, &bits)| x.to_bits() == bits));
    let values: &[Bf16] = bytemuck::cast_slice(&bits);
    assert!(values.iter().zip(&bits).all(|(x, &bits)| x.to_bits() == bits));
    assert_eq!(bytemuck::cast::<F16x2, u32>(F16x2::ONE), 0x3c00_3c00);
    assert_eq!(bytemuck::cast::<u32, Bf16x2>(0x3f80_3f80), Bf16x2::ONE);
    let zero: F32x2 = bytemuck::Zeroable::zeroed();
    assert_eq!(zero.to_bits(), 0);
}

#[cfg(feature = "zerocopy-08")]
#[test]
fn zerocopy_reads_and_writes_bytes() {
    use zerocopy::{FromBytes, IntoBytes};
    let values = [F16x2::ONE, F16x2::from_f32([0.5, 2.0])];
    let back = <[F16x2; 2]>::ref_from_bytes(values.as_bytes()).unwrap();
    assert_eq!(back, &values);
    assert_eq!(F16::read_from_bytes(&0x3c00_u16.to_ne_bytes()).unwrap(), F16::ONE);
    assert_eq!(Bf16::read_from_bytes(Bf16::ONE.as_bytes()).unwrap(), Bf16::ONE);
    assert_eq!(Bf16x2::read_from_bytes(Bf16x2::ONE.as_bytes()).unwrap(), Bf16x2::ONE);
    assert_eq!(F32x2::read_from_bytes(F32x2::ONE.as_bytes()).unwrap(), F32x2::ONE);
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use ptxf_core::serde::lanes;

    #[test]
    fn bits_come_back() {
        for bits in all_bits() {
            let json = serde_json::to_string(&F16::from_bits(bits)).unwrap();
            assert_eq!(json, bits.to_string());
            assert_eq!(serde_json::from_str::<F16>(&json).unwrap().to_bits(), bits);
            assert_eq!(serde_json::from_str::<Bf16>(&json).unwrap().to_bits(), bits);
        }
        let x = F32x2::from_bits(0xffff_ffff_7f80_0001);
        let json = serde_json::to_string(&(x, F16x2::ONE, Bf16x2::ONE)).unwrap();
        assert_eq!(json, "[18446744071553679361,1006648320,1065369472]");
        let back: (F32x2, F16x2, Bf16x2) = serde_json::from_str(&json).unwrap();
        assert_eq!((back.0.to_bits(), back.1, back.2), (x.to_bits(), F16x2::ONE, Bf16x2::ONE));
        assert!(serde_json::from_str::<F16>("65536").is_err());
        assert!(serde_json::from_str::<F16>("1.5").is_err());
    }

    #[test]
    fn values_come_back_as_text() {
        fn round_trip<T: core::fmt::Display + core::str::FromStr<Err = ptxf_core::ParseFloatError>>(
            x: T,
            json: &str,
        ) -> T {
            let mut out = Vec::new();
            lanes::serialize(&x, &mut serde_json::Serializer::new(&mut out)).unwrap();
            assert_eq!(core::str::from_utf8(&out).unwrap(), json);
            lanes::deserialize(&mut serde_json::Deserializer::from_slice(&out)).unwrap()
        }
        assert_eq!(round_trip(F16::from_f32(-1.5), r#""-1.5""#).to_bits(), 0xbe00);
        assert_eq!(round_trip(Bf16::from_bits(0xffff), r#""NaN""#).to_bits(), 0x7fff);
        assert_eq!(round_trip(F16x2::from_f32([0.1, f32::NEG_INFINITY]), r#""(0.1, -inf)""#).to_bits(), 0xfc00_2e66);
        assert_eq!(
            round_trip(F32x2::from_array([-0.0, 1e-45]), r#""(-0, 0.000000000000000000000000000000000000000000001)""#)
                .to_bits(),
            0x0000_0001_8000_0000
        );
        let error = lanes::deserialize::<F16, _>(&mut serde_json::Deserializer::from_str(r#""1.5x""#)).unwrap_err();
        assert!(error.to_string().starts_with("expected a digit, found `x` at byte 3"), "{error}");
        let error = lanes::deserialize::<F16, _>(&mut serde_json::Deserializer::from_str("1.5")).unwrap_err();
        assert!(error.to_string().contains("expected a number, or two or four of them, as text"), "{error}");
    }
}

#[cfg(feature = "rand-010")]
mod rand {
    use super::*;
    use ::rand::TryRng;
    use ::rand::distr::{Distribution, StandardUniform};
    use ptxf_core::rand::AllBits;

    impl TryRng for Random {
        type Error = core::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok((self.next() >> 32) as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.next())
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            unreachable!("no distribution here fills bytes")
        }
    }

    /// Checks that exactly the multiples of half the epsilon in [0, 1) occur, about equally often.
    macro_rules! uniform {
        ($test:ident $ty:ident $pair:ident) => {
            #[test]
            fn $test() {
                let cells = 1_usize << $ty::MANTISSA_DIGITS;
                let mut counts = vec![0_u32; cells];
                let mut random = Random(8);
                for _ in 0..cells * 200 {
                    let x: $ty = StandardUniform.sample(&mut random);
                    let pair: $pair = StandardUniform.sample(&mut random);
                    for x in [x, pair.lo(), pair.hi()] {
                        let cell = x.to_f64() * cells as f64;
                        assert_eq!(cell.fract(), 0.0);
                        counts[cell as usize] += 1;
                    }
                }
                assert!(counts.iter().all(|n| (400..800).contains(n)), "about 600 of each");
            }
        };
    }

    uniform!(uniform_f16 F16 F16x2);
    uniform!(uniform_bf16 Bf16 Bf16x2);

    #[test]
    fn uniform_f32x2() {
        let mut random = Random(9);
        let mut mean = [0.0; 2];
        for _ in 0..10_000 {
            let x: F32x2 = StandardUniform.sample(&mut random);
            for (mean, lane) in mean.iter_mut().zip(x.to_array()) {
                assert!((0.0..1.0).contains(&lane));
                *mean += f64::from(lane) / 10_000.0;
            }
        }
        assert!(mean.iter().all(|m| (0.48..0.52).contains(m)), "{mean:?}");
    }

    #[test]
    fn all_bits_come_up() {
        let mut random = Random(10);
        let mut seen = vec![[false; 2]; 1 << 16];
        let mut ones = [0_u64; 3];
        for _ in 0..1 << 21 {
            let x: F16 = AllBits.sample(&mut random);
            let y: Bf16 = AllBits.sample(&mut random);
            seen[usize::from(x.to_bits())][0] = true;
            seen[usize::from(y.to_bits())][1] = true;
            let pairs: (F16x2, Bf16x2, F32x2) =
                (AllBits.sample(&mut random), AllBits.sample(&mut random), AllBits.sample(&mut random));
            ones = [
                ones[0] | u64::from(pairs.0.to_bits()),
                ones[1] | u64::from(pairs.1.to_bits()),
                ones[2] | pairs.2.to_bits(),
            ];
        }
        assert!(seen.iter().all(|seen| seen == &[true; 2]));
        assert_eq!(ones, [u32::MAX.into(), u32::MAX.into(), u64::MAX]);
    }
}

#[cfg(feature = "approx-05")]
#[test]
fn approx_tolerances() {
    use approx::{
        assert_abs_diff_eq, assert_abs_diff_ne, assert_relative_eq, assert_relative_ne, assert_ulps_eq, assert_ulps_ne,
    };
    let next = |x: F16, n: u16| F16::from_bits(x.to_bits() + n);
    assert_abs_diff_eq!(F16::ONE, next(F16::ONE, 1));
    assert_abs_diff_ne!(F16::ONE, next(F16::ONE, 2));
    assert_relative_eq!(F16::MAX, F16::from_bits(0x7bfe));
    assert_relative_ne!(F16::ONE, F16::from_f32(1.01));
    assert_relative_eq!(F16::ONE, F16::from_f32(1.01), max_relative = F16::from_f32(0.02));
    assert_ulps_eq!(F16::MAX, F16::from_bits(0x7bfb), max_ulps = 4);
    assert_ulps_ne!(F16::MAX, F16::from_bits(0x7bfa), max_ulps = 4);
    assert_ulps_eq!(F16::ZERO, F16::NEG_ZERO);
    assert_ulps_ne!(F16::CANONICAL_NAN, F16::CANONICAL_NAN);
    assert_ulps_ne!(Bf16::MAX, Bf16::INFINITY, max_ulps = 0);
    let [near, far] = [F16x2::from_lo_hi(F16::ONE, next(F16::ONE, 1)), F16x2::from_lo_hi(F16::ONE, next(F16::ONE, 9))];
    assert_abs_diff_eq!(F16x2::ONE, near);
    assert_abs_diff_ne!(F16x2::ONE, far);
    assert_relative_ne!(Bf16x2::ONE, Bf16x2::from_f32([1.0, 2.0]));
    assert_ulps_eq!(F32x2::ONE, F32x2::from_array([1.0, 1.0_f32.next_up()]));
}

#[cfg(feature = "arbitrary")]
#[test]
fn arbitrary_takes_any_bits() {
    use arbitrary::{Arbitrary, Unstructured};
    let bytes: [u8; 32] = core::array::from_fn(|i| 0xf0 | i as u8);
    let mut u = Unstructured::new(&bytes);
    assert_eq!(F16::arbitrary(&mut u).unwrap().to_bits(), 0xf1f0);
    assert_eq!(Bf16::arbitrary(&mut u).unwrap().to_bits(), 0xf3f2);
    assert_eq!(F16x2::arbitrary(&mut u).unwrap().to_bits(), 0xf7f6_f5f4);
    assert_eq!(Bf16x2::arbitrary(&mut u).unwrap().to_bits(), 0xfbfa_f9f8);
    assert_eq!(F32x2::size_hint(0), (8, Some(8)));
}

/// Checks that the impls compile and link. Sending would need a device's logger.
#[cfg(feature = "defmt")]
#[test]
fn defmt_formats() {
    fn check<T: defmt::Format>() {}
    check::<F16>();
    check::<Bf16>();
    check::<F16x2>();
    check::<Bf16x2>();
    check::<F32x2>();
}
