//! The types have the size and alignment of their registers, and are `Send` and `Sync`.

use ptxf_core::{Bf16, Bf16x2, E2m1x2, E2m1x4, E2m3x2, E4m3, E5m2x4, F16, F16x2, F32x2, ParseFloatError, Tf32};

const fn assert_layout<T, Register>() {
    assert!(size_of::<T>() == size_of::<Register>());
    assert!(align_of::<T>() == align_of::<Register>());
}

const _: () = {
    assert_layout::<F16, u16>();
    assert_layout::<Bf16, u16>();
    assert_layout::<F16x2, u32>();
    assert_layout::<Bf16x2, u32>();
    assert_layout::<F32x2, u64>();
    assert_layout::<Tf32, u32>();
    assert_layout::<E4m3, u8>();
    assert_layout::<E2m1x2, u8>();
    assert_layout::<E2m3x2, u16>();
    assert_layout::<E2m1x4, u16>();
    assert_layout::<E5m2x4, u32>();
};

fn assert_traits<
    T: Copy + Default + Send + Sync + Unpin + core::panic::UnwindSafe + core::panic::RefUnwindSafe + 'static,
>() {
}

#[test]
fn auto_traits() {
    assert_traits::<F16>();
    assert_traits::<Bf16>();
    assert_traits::<F16x2>();
    assert_traits::<Bf16x2>();
    assert_traits::<F32x2>();
    fn assert_error<T: core::error::Error + Send + Sync + 'static>() {}
    assert_error::<ParseFloatError>();
}

#[test]
fn default_is_positive_zero() {
    assert_eq!(F16::default().to_bits(), 0);
    assert_eq!(Bf16::default().to_bits(), 0);
    assert_eq!(F16x2::default().to_bits(), 0);
    assert_eq!(Bf16x2::default().to_bits(), 0);
    assert_eq!(F32x2::default().to_bits(), 0);
}

#[test]
fn lanes_and_bytes() {
    let (lo, hi) = (F16::from_bits(0x1234), F16::from_bits(0xabcd));
    let x = F16x2::from_lo_hi(lo, hi);
    assert_eq!(x.to_bits(), 0xabcd_1234);
    assert_eq!([x.lo().to_bits(), x.hi().to_bits()], [0x1234, 0xabcd]);
    assert_eq!(x.to_array().map(F16::to_bits), [0x1234, 0xabcd]);
    assert_eq!(x.swap_lanes().to_bits(), 0x1234_abcd);
    assert_eq!(F16x2::splat(hi).to_bits(), 0xabcd_abcd);
    assert_eq!(F16x2::from(<[F16; 2]>::from(x)).to_bits(), x.to_bits());
    assert_eq!(F16x2::from(<(F16, F16)>::from(x)).to_bits(), x.to_bits());
    assert_eq!(x.to_le_bytes(), [0x34, 0x12, 0xcd, 0xab]);
    assert_eq!(F16x2::from_be_bytes(x.to_be_bytes()).to_bits(), x.to_bits());

    let x = F32x2::from_bits(0x7f80_0001_8000_0000);
    assert_eq!([x.lo().to_bits(), x.hi().to_bits()], [0x8000_0000, 0x7f80_0001], "a signalling NaN stays one");
    assert_eq!(x.swap_lanes().swap_lanes().to_bits(), x.to_bits());
    let mut order = Vec::new();
    let doubled = F32x2::from_array([1.0, 2.0]).map(|lane| {
        order.push(lane);
        lane * 2.0
    });
    assert_eq!((doubled.to_array(), order), ([2.0, 4.0], vec![1.0, 2.0]));
}

/// Checks the constants against decimal digits.
#[test]
fn constants_are_rounded_to_nearest() {
    macro_rules! check {
        ($($name:ident $digits:literal)*) => {$(
            assert_eq!(F16::$name, $digits.parse().unwrap(), "F16::{}", stringify!($name));
            assert_eq!(Bf16::$name, $digits.parse().unwrap(), "Bf16::{}", stringify!($name));
        )*};
    }
    check! {
        PI "3.14159265358979323846264338327950288419716939937510"
        TAU "6.28318530717958647692528676655900576839433879875021"
        FRAC_PI_2 "1.57079632679489661923132169163975144209858469968755"
        FRAC_PI_3 "1.04719755119659774615421446109316762806572313312503"
        FRAC_PI_4 "0.78539816339744830961566084581987572104929234984377"
        FRAC_PI_6 "0.52359877559829887307710723054658381403286156656251"
        FRAC_PI_8 "0.39269908169872415480783042290993786052464617492188"
        FRAC_1_PI "0.31830988618379067153776752674502872406891929148091"
        FRAC_2_PI "0.63661977236758134307553505349005744813783858296182"
        FRAC_2_SQRT_PI "1.12837916709551257389615890312154517168810125865799"
        SQRT_2 "1.41421356237309504880168872420969807856967187537694"
        FRAC_1_SQRT_2 "0.70710678118654752440084436210484903928483593768847"
        E "2.71828182845904523536028747135266249775724709369995"
        LN_2 "0.69314718055994530941723212145817656807550013436025"
        LN_10 "2.30258509299404568401799145468436420760110148862877"
        LOG2_E "1.44269504088896340735992468100189213742664595415298"
        LOG2_10 "3.32192809488736234787031942948939017586483139302458"
        LOG10_E "0.43429448190325182765112891891660508229439700580366"
        LOG10_2 "0.30102999566398119521373889472449302676818988146210"
    }
    macro_rules! shape {
        ($ty:ident) => {
            assert_eq!($ty::MIN_POSITIVE.to_f64(), 2f64.powi($ty::MIN_EXP - 1));
            assert_eq!($ty::MIN_POSITIVE_SUBNORMAL.to_bits(), 1);
            assert_eq!(
                $ty::MAX.to_f64(),
                2f64.powi($ty::MAX_EXP) - 2f64.powi($ty::MAX_EXP - $ty::MANTISSA_DIGITS as i32)
            );
            assert_eq!($ty::EPSILON.to_f64(), 2f64.powi(1 - $ty::MANTISSA_DIGITS as i32));
            let ten_to = |n: i32| format!("1e{n}").parse::<$ty>().unwrap();
            assert!(ten_to($ty::MAX_10_EXP).is_finite() && ten_to($ty::MAX_10_EXP + 1).is_infinite());
            assert!(ten_to($ty::MIN_10_EXP).is_normal() && !ten_to($ty::MIN_10_EXP - 1).is_normal());
        };
    }
    shape!(F16);
    shape!(Bf16);
}
