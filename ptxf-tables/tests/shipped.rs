//! The instructions' tables equal the meaning and keep the documented bounds.

use oracle::{Form, bound};
use ptxf_core::format::{BFloat16, Binary16};
use ptxf_core::modifiers::Modifiers;
use ptxf_core::sem;

fn check(spelling: &str, get: impl Fn(u16) -> u16, meaning: impl Fn(u16) -> u16) {
    let form = Form::parse(spelling).unwrap();
    let mut bounded = 0;
    for x in 0..=u16::MAX {
        let d = get(x);
        assert_eq!(d, meaning(x), "{spelling} {x:#06x}");
        let expected = oracle::expect(&form, &[x.into()]);
        assert!(!expected.is_empty());
        for (oracle, e) in expected {
            assert_eq!(u64::from(d), e, "{spelling} {x:#06x}: {oracle}");
        }
        if let Some(inside) = bound::within(&form, &[x.into()], d.into()) {
            assert!(inside, "{spelling} {x:#06x} = {d:#06x}");
            bounded += 1;
        }
    }
    assert_eq!(bounded, 1 << 16);
}

const FTZ: Modifiers = Modifiers::PLAIN.with_ftz(true);

#[test]
fn ex2_approx_f16() {
    check("ex2.approx.f16", |x| ptxf_tables::EX2_APPROX_F16.get_bits(x), |x| sem::ex2::<Binary16>(Modifiers::PLAIN, x));
}

#[test]
fn ex2_approx_ftz_bf16() {
    check("ex2.approx.ftz.bf16", |x| ptxf_tables::EX2_APPROX_FTZ_BF16.get_bits(x), |x| sem::ex2::<BFloat16>(FTZ, x));
}

#[test]
fn tanh_approx_f16() {
    check(
        "tanh.approx.f16",
        |x| ptxf_tables::TANH_APPROX_F16.get_bits(x),
        |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x),
    );
}

#[test]
fn tanh_approx_bf16() {
    check(
        "tanh.approx.bf16",
        |x| ptxf_tables::TANH_APPROX_BF16.get_bits(x),
        |x| sem::tanh::<BFloat16>(Modifiers::PLAIN, x),
    );
}

/// The reference and the macro's proof have the same bits.
#[test]
fn the_macro_agrees() {
    ptxf_tables::unary_table!(static TANH: F16 -> F16 = |x| tanh(x));
    ptxf_tables::unary_table!(static EX2: F16 -> F16 = |x| exp2(x));
    assert_eq!(TANH.as_le_bytes(), ptxf_tables::TANH_APPROX_F16.as_le_bytes());
    assert_eq!(EX2.as_le_bytes(), ptxf_tables::EX2_APPROX_F16.as_le_bytes());
}
