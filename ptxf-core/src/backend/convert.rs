//! Conversions of registers, on the CPU.

use super::register::Bits;
use crate::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Fixed2F6, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3,
    Float8E5M2, Float8UE5M3, Format, TensorFloat32,
};
use crate::int::Int;
use crate::modifiers::Modifiers;
use crate::scalar;
use crate::sem::{self, Encoding, random_pair, random_quad};
use crate::types::{
    Bf16, Bf16x2, E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, F16, F16x2,
    F32x2, S2f6x2, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};

/// A register of numbers.
pub(crate) trait Numbers: Bits {
    /// The format of a lane.
    type Encoding: Encoding;
    /// Number of lanes.
    const LANES: u32;
    /// Distance between lanes in bits.
    const STRIDE: u32 = Self::BITS / Self::LANES;
    /// Width of a lane in bits.
    const WIDTH: u32 = Self::STRIDE;
}

type Lane<T> = <<T as Numbers>::Encoding as Encoding>::Bits;

macro_rules! numbers {
    ($($ty:ident $encoding:ident $lanes:literal $($width:literal)?;)*) => {$(
        impl Numbers for $ty {
            type Encoding = $encoding;
            const LANES: u32 = $lanes;
            $(const WIDTH: u32 = $width;)?
        }
    )*};
}

numbers! {
    F16 Binary16 1;
    Bf16 BFloat16 1;
    f32 Binary32 1;
    f64 Binary64 1;
    Tf32 TensorFloat32 1;
    u8 u8 1;
    u16 u16 1;
    u32 u32 1;
    u64 u64 1;
    i8 i8 1;
    i16 i16 1;
    i32 i32 1;
    i64 i64 1;
    F16x2 Binary16 2;
    Bf16x2 BFloat16 2;
    F32x2 Binary32 2;
    E4m3x2 Float8E4M3 2;
    E5m2x2 Float8E5M2 2;
    E2m3x2 Float6E2M3 2 6;
    E3m2x2 Float6E3M2 2 6;
    E2m1x2 Float4E2M1 2;
    Ue8m0x2 Exponent8 2;
    S2f6x2 Fixed2F6 2;
    Ue5m3x2 Float8UE5M3 2;
    E4m3x4 Float8E4M3 4;
    E5m2x4 Float8E5M2 4;
    E2m3x4 Float6E2M3 4 6;
    E3m2x4 Float6E3M2 4 6;
    E2m1x4 Float4E2M1 4;
    E2m1p4x4 Float4E2M1 4 4;
    Ue8m0x4 Exponent8 4;
}

/// The lane of a register at that place.
#[inline_in_release]
pub(super) fn get<A: Numbers>(a: A, i: u32) -> Lane<A> {
    let lane = (a.to_u64() >> (i * A::STRIDE)) & u64::mask(A::WIDTH);
    Lane::<A>::of_low_bits(lane.into())
}

/// The register of these lanes, the lowest one first.
#[inline_in_release]
pub(super) fn join<D: Numbers>(lane: impl Fn(u32) -> Lane<D>) -> D {
    let mut d = 0;
    for i in 0..D::LANES {
        d |= lane(i).cast::<u64>() << (i * D::STRIDE);
    }
    D::from_u64(d)
}

/// Each lane of `a`.
#[inline_in_release]
pub(crate) fn cvt<A: Numbers, D: Numbers>(m: Modifiers, a: A) -> D {
    join(|i| scalar::cvt::<A::Encoding, D::Encoding>(m, get(a, i)))
}

/// The scale of a conversion.
pub(crate) trait Scale: Copy {
    /// Converts the value of the lane at that place.
    fn cvt<A: Encoding, D: Encoding>(self, m: Modifiers, x: A::Bits, i: u32) -> D::Bits;
}

/// `.scaled::n2::ue8m0`: a scale for each lane.
#[inline_in_release]
impl Scale for Ue8m0x2 {
    fn cvt<A: Encoding, D: Encoding>(self, m: Modifiers, x: A::Bits, i: u32) -> D::Bits {
        sem::cvt_scaled::<A, D>(m, x, get(self, i))
    }
}

/// `.scaled::n1::ue8m0`: one scale for all lanes.
#[inline_in_release]
impl Scale for Ue8m0 {
    fn cvt<A: Encoding, D: Encoding>(self, m: Modifiers, x: A::Bits, _: u32) -> D::Bits {
        sem::cvt_divided::<A, D>(m, x, self.to_bits())
    }
}

/// Each lane of `a`, with its scale.
#[inline_in_release]
pub(crate) fn cvt_scaled<A: Numbers, D: Numbers>(m: Modifiers, a: A, scale: impl Scale) -> D {
    join(|i| scale.cvt::<A::Encoding, D::Encoding>(m, get(a, i), i))
}

/// `a` and `b`, the first of them in the upper lane.
#[inline_in_release]
pub(crate) fn cvt_pack<A: Numbers, D: Numbers>(m: Modifiers, a: A, b: A) -> D {
    join(|i| scalar::cvt::<A::Encoding, D::Encoding>(m, get([b, a][i as usize], 0)))
}

/// [`cvt_pack`], with the scale of each lane.
#[inline_in_release]
pub(crate) fn cvt_pack_scaled<A: Numbers, D: Numbers>(m: Modifiers, a: A, b: A, scale: impl Scale) -> D {
    join(|i| scale.cvt::<A::Encoding, D::Encoding>(m, get([b, a][i as usize], 0), i))
}

/// `a`, to nearest and away from zero in a tie.
#[inline_in_release]
pub(crate) fn cvt_rna<A: Numbers, D: Numbers>(m: Modifiers, a: A) -> D {
    join(|i| sem::cvt_rna::<A::Encoding, D::Encoding>(m, get(a, i)))
}

/// [`cvt_pack`] by random bits.
#[inline_in_release]
pub(crate) fn cvt_rs<A: Numbers, D: Numbers<Encoding: Format>>(m: Modifiers, a: A, b: A, rbits: u32) -> D {
    let [upper, lower] = random_pair::<D::Encoding>(rbits);
    let lanes = [(b, lower), (a, upper)];
    join(|i| {
        let (x, random) = lanes[i as usize];
        sem::cvt_rs::<A::Encoding, D::Encoding>(m, random, get(x, 0))
    })
}

/// `a`, `b`, `e` and `f` by random bits, the first of them in the uppermost lane.
#[inline_in_release]
pub(crate) fn cvt_rs4<A: Numbers, D: Numbers<Encoding: Format>>(m: Modifiers, a: A, b: A, e: A, f: A, rbits: u32) -> D {
    let (lanes, random) = ([f, e, b, a], random_quad::<D::Encoding>(rbits));
    join(|i| {
        let i = i as usize;
        sem::cvt_rs::<A::Encoding, D::Encoding>(m, random[3 - i], get(lanes[i], 0))
    })
}
