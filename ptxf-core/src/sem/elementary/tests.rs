//! Special points. The expected significands are the first 64 bits from mpmath at 2,000 bits.

use super::{ONE, Real, cos, cos_2pi, exp2, log2, sin, sin_2pi, tanh};

/// Returns the finite nonzero binary32 number with these bits.
fn binary32(bits: u32) -> Real {
    let (field, fraction) = (bits >> 23 & 0xFF, bits & 0x7F_FFFF);
    let integer = if field == 0 { fraction } else { fraction | 0x80_0000 };
    let shift = u64::from(integer).leading_zeros();
    Real {
        negative: bits >> 31 == 1,
        sig: u64::from(integer) << shift,
        exp: field.max(1).cast_signed() - 150 - shift.cast_signed(),
        inexact: false,
    }
}

fn inexact(negative: bool, sig: u64, exp: i32) -> Real {
    Real { negative, sig, exp, inexact: true }
}

fn power_of_two(k: i32) -> Real {
    Real { exp: k - 63, ..ONE }
}

#[test]
fn powers_and_logarithms_are_exact_where_they_can_be() {
    assert_eq!(exp2(binary32(0x3F80_0000)), power_of_two(1));
    assert_eq!(exp2(binary32(0xC315_0000)), power_of_two(-149));
    assert_eq!(log2(binary32(0x4100_0000)), Some(binary32(0x4040_0000)));
    assert_eq!(log2(binary32(0x0000_0001)), Some(binary32(0xC315_0000)));
    assert_eq!(log2(ONE), None);
}

#[test]
fn powers() {
    assert_eq!(exp2(binary32(0x3F00_0000)), inexact(false, 0xB504_F333_F9DE_6484, -63));
    assert_eq!(exp2(binary32(0xBF00_0000)), inexact(false, 0xB504_F333_F9DE_6484, -64));
    assert_eq!(exp2(binary32(0x0000_0001)), inexact(false, 1 << 63, -63));
    assert_eq!(exp2(binary32(0x8000_0001)), inexact(false, u64::MAX, -64));
    assert_eq!(exp2(binary32(0x7F7F_FFFF)), inexact(false, 1 << 63, 1 << 20));
    assert_eq!(exp2(binary32(0xFF7F_FFFF)), inexact(false, 1 << 63, -1 << 20));
}

#[test]
fn logarithms() {
    assert_eq!(log2(binary32(0x4040_0000)), Some(inexact(false, 0xCAE0_0D1C_FDEB_43CF, -63)));
    assert_eq!(log2(binary32(0x3F7F_FFFF)), Some(inexact(true, 0xB8AA_3B85_B135_C2F7, -87)));
    assert_eq!(log2(binary32(0x0000_0003)), Some(inexact(true, 0x936A_3FE5_C604_2978, -56)));
}

#[test]
fn sines_and_cosines() {
    assert_eq!(sin(binary32(0x3F80_0000)), inexact(false, 0xD76A_A478_4867_7020, -64));
    // The binary32 number nearest π.
    assert_eq!(sin(binary32(0x4049_0FDB)), inexact(true, 0xBBBD_2E7B_9676_2FEB, -87));
    assert_eq!(cos(binary32(0x4049_0FDB)), inexact(true, 0xFFFF_FFFF_FFFE_ECA4, -64));
    // 16,367,173 · 2⁷², the binary32 number nearest to an odd multiple of π/2.
    assert_eq!(cos(binary32(0x6F79_BE45)), inexact(true, 0xDDEE_A952_C757_DACC, -93));
    assert_eq!(sin(binary32(0x7F7F_FFFF)), inexact(true, 0x8599_B328_44AB_A906, -64));
    assert_eq!(cos(binary32(0xFF7F_FFFF)), inexact(false, 0xDA5F_963C_DEFE_6D52, -64));
}

#[test]
fn sines_and_cosines_of_turns() {
    assert_eq!(sin_2pi(binary32(0x3DCC_CCCD)), Some(inexact(false, 0x9679_1844_3325_1601, -64)));
    assert_eq!(sin_2pi(binary32(0xBF7F_FFFF)), Some(inexact(false, 0xC90F_DAA2_2163_9745, -85)));
    assert_eq!(sin_2pi(binary32(0x49FF_FFFF)), Some(inexact(true, 0xB504_F333_F9DE_6484, -64)));
    assert_eq!(sin_2pi(binary32(0x2B80_0001)), Some(inexact(false, 0xC90F_DC34_411E_0677, -101)));
    assert_eq!(sin_2pi(binary32(0x0080_0001)), Some(inexact(false, 0xC90F_DC34_411E_0677, -187)));
    assert_eq!(cos_2pi(binary32(0x3DCC_CCCD)), Some(inexact(false, 0xCF1B_BCC5_1CC4_1EEB, -64)));
    assert_eq!(cos_2pi(binary32(0xBF3F_FFFF)), Some(inexact(true, 0xC90F_DAA2_2163_9745, -85)));
    assert_eq!(cos_2pi(binary32(0x49FF_FFFF)), Some(inexact(false, 0xB504_F333_F9DE_6484, -64)));
    assert_eq!(cos_2pi(binary32(0x2B80_0001)), Some(inexact(false, 0xFFFF_FFFF_FFFF_FFFF, -64)));
    assert_eq!(cos_2pi(binary32(0x3A00_0001)), Some(inexact(false, 0xFFFF_B10B_0FAC_3AE7, -64)));
    // Eighths of a turn in every quarter, and multiples of a quarter.
    assert_eq!(cos_2pi(binary32(0xBEC0_0000)), Some(inexact(true, 0xB504_F333_F9DE_6484, -64)));
    assert_eq!(sin_2pi(binary32(0xBE80_0000)), Some(Real { negative: true, ..ONE }));
    assert_eq!(sin_2pi(binary32(0x3F40_0000)), Some(Real { negative: true, ..ONE }));
    assert_eq!(cos_2pi(binary32(0xBF00_0000)), Some(Real { negative: true, ..ONE }));
    assert_eq!([0x3F00_0000, 0xBF80_0000, 0x7F7F_FFFF].map(|half| sin_2pi(binary32(half))), [None; 3]);
    assert_eq!(cos_2pi(binary32(0x7F7F_FFFF)), Some(ONE));
    assert_eq!([0x3E80_0000, 0xBF40_0000].map(|quarter| cos_2pi(binary32(quarter))), [None; 2]);
}

#[test]
fn hyperbolic_tangents() {
    assert_eq!(tanh(binary32(0x3F80_0000)), inexact(false, 0xC2F7_D5A8_A79C_A2AC, -64));
    assert_eq!(tanh(binary32(0xC110_21CA)), inexact(true, 0xFFFF_FF7F_50F1_4211, -64));
    assert_eq!(tanh(binary32(0x7F7F_FFFF)), inexact(false, u64::MAX, -64));
}

#[test]
fn tiny_arguments_stay_below_themselves() {
    let below = inexact(true, u64::MAX, -149 - 64);
    assert_eq!(sin(binary32(0x8000_0001)), below);
    assert_eq!(tanh(binary32(0x8000_0001)), below);
    assert_eq!(cos(binary32(0x8000_0001)), inexact(false, u64::MAX, -64));
}
