//! Numbers that registers contain, in the types of the table.

use ptxf::Round;
use ptxf::format::{
    BFloat16, Binary16, Binary32, Binary64, Exponent8, Float4E2M1, Float6E2M3, Float6E3M2, Float8E4M3, Float8E5M2,
    Float8UE5M3, Format, TensorFloat32,
};
use ptxf::int::Int as _;
use ptxf::sem::convert;
use ptxf::spec::Type;
use ptxf_text::Class;

use crate::exec::convert::extended;
use crate::exec::form::integer;

/// A lane of a register as a floating-point number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Float {
    pub(crate) value: f64,
    /// Significant bits of the format.
    pub(crate) precision: u32,
    /// The magnitude from which on a conversion overflows: half a unit above the largest number.
    pub(crate) limit: f64,
    smallest_normal: f64,
}

impl Float {
    /// Reads a lane of a register. Returns `None` if the type is not floating-point.
    pub(crate) fn new(ty: Type, bits: u64, lane: u32) -> Option<Self> {
        let bits = bits >> (lane * ty.stride()) & u64::MAX >> (64 - ty.lane_bits());
        Some(match ty {
            Type::F16 | Type::F16x2 => Self::of::<Binary16>(bits),
            Type::Bf16 | Type::Bf16x2 => Self::of::<BFloat16>(bits),
            Type::F32 | Type::F32x2 => Self::of::<Binary32>(bits),
            Type::F64 => Self::of::<Binary64>(bits),
            Type::Tf32 => Self::of::<TensorFloat32>(bits),
            Type::E4m3x2 | Type::E4m3x4 => Self::of::<Float8E4M3>(bits),
            Type::E5m2x2 | Type::E5m2x4 => Self::of::<Float8E5M2>(bits),
            Type::E2m3x2 | Type::E2m3x4 => Self::of::<Float6E2M3>(bits),
            Type::E3m2x2 | Type::E3m2x4 => Self::of::<Float6E3M2>(bits),
            Type::E2m1x2 | Type::E2m1x4 | Type::E2m1p4x4 => Self::of::<Float4E2M1>(bits),
            Type::Ue8m0 | Type::Ue8m0x2 | Type::Ue8m0x4 => Self::of::<Exponent8>(bits),
            Type::Ue5m3x2 => Self::of::<Float8UE5M3>(bits),
            _ => return None,
        })
    }

    fn of<F: Format>(bits: u64) -> Self {
        let value = |bits: F::Bits| f64::from_bits(convert::<F, Binary64>(Round::Rn, bits));
        let half_unit = f64::from(F::EMAX - F::FRACTION_BITS.cast_signed() - 1).exp2();
        Self {
            value: value(bits.cast()),
            precision: F::PRECISION,
            limit: value(F::max()) + half_unit,
            smallest_normal: if F::ZERO { value(F::min_normal()) } else { 0.0 },
        }
    }

    pub(crate) fn is_subnormal(&self) -> bool {
        self.value != 0.0 && self.value.abs() < self.smallest_normal
    }
}

/// Formats a register, the lower lane first. A type without numbers is shown as bits.
pub(crate) fn shown(ty: Type, bits: u64) -> String {
    let text = |x: f64| match ty {
        // The shortest text that denotes this number in the format.
        Type::F32 | Type::F32x2 => format!("{:?}", x as f32),
        _ => format!("{x:?}"),
    };
    let lane = |lane| Float::new(ty, bits, lane).map(|x| text(x.value));
    if let Some(lanes) = (0..ty.lanes()).map(lane).collect::<Option<Vec<String>>>() {
        return if lanes.len() == 1 { lanes.concat() } else { format!("({})", lanes.join(", ")) };
    }
    match integer(ty) {
        Some(ty) if ty.class == Class::Signed => extended(bits, ty).cast_signed().to_string(),
        Some(ty) => extended(bits, ty).to_string(),
        None if ty == Type::Pred => (bits & 1 != 0).to_string(),
        None => format!("{:#x}", bits & u64::MAX >> (64 - ty.bits())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_have_the_values_of_their_formats() {
        let of = |ty, bits, lane| Float::new(ty, bits, lane).map(|x| (x.value, x.precision, x.is_subnormal()));
        assert_eq!(of(Type::F16x2, 0x0001_3e00, 0), Some((1.5, 11, false)));
        assert_eq!(of(Type::F16x2, 0x0001_3e00, 1), Some((2_f64.powi(-24), 11, true)));
        assert_eq!(of(Type::F32, 0x8000_0000, 0).map(|x| x.0.to_bits()), Some((-0.0_f64).to_bits()));
        assert_eq!(of(Type::U32, 1, 0), None);
        assert_eq!(Float::new(Type::F16, 0, 0).map(|x| x.limit), Some(65520.0));
        assert_eq!(Float::new(Type::E4m3x2, 0, 0).map(|x| x.limit), Some(464.0));
        for (ty, bits, text) in [
            (Type::F32, 0x7f80_0000, "inf"),
            (Type::F32, 0x3dcc_cccd, "0.1"),
            (Type::F16x2, 0x3c00_7fff, "(NaN, 1.0)"),
            (Type::S32, 0xffff_ffff, "-1"),
            (Type::B16, 0xffff, "0xffff"),
            (Type::Pred, 1, "true"),
        ] {
            assert_eq!(shown(ty, bits), text);
        }
    }
}
