//! `ptxf_core::sem` behind every form, one lane at a time.

use ptxf::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use ptxf::int::Int;
use ptxf::spec::{FormInfo, Type};
use ptxf::{Bf16, F16, Round, sem};

use super::{lanes, unary32};
use crate::space::{Fill, Space};

/// The meaning of the form.
pub(super) fn fill(info: &'static FormInfo, space: Space) -> Fill {
    match info.operands[0] {
        Type::F16 | Type::F16x2 => of::<Binary16>(info, space),
        Type::Bf16 | Type::Bf16x2 => of::<BFloat16>(info, space),
        Type::F32 | Type::F32x2 => of::<Binary32>(info, space),
        _ => of::<Binary64>(info, space),
    }
}

fn of<F: Format>(info: &'static FormInfo, space: Space) -> Fill {
    let operands = info.operands.len();
    Box::new(move |first, out: &mut [u64]| {
        lanes::with(space, operands, first, |x| {
            let mut lane = [F::Bits::ZERO; 3];
            for (i, d) in out.iter_mut().enumerate() {
                lane.iter_mut().zip(x).for_each(|(lane, x)| *lane = F::Bits::truncate(x[i].into()));
                let result = info.meaning.lane::<F>(info.effect, &lane[..operands]);
                *d = result.expect("slices have the forms whose result has the operands' format").cast();
            }
        });
    })
}

/// f32 to a 16-bit type.
pub(super) fn narrowing(to: Type, rnd: Round) -> Fill {
    match to {
        Type::F16 => unary32(move |x| sem::convert::<Binary32, Binary16>(rnd, x)),
        _ => unary32(move |x| sem::convert::<Binary32, BFloat16>(rnd, x)),
    }
}

/// A 16-bit type to f32.
pub(super) fn widening(from: Type) -> Fill {
    // Of a NaN the sign and the payload are kept, about which the meaning of arithmetic says nothing.
    let wide = move |x: u16| match from {
        Type::F16 => F16::from_bits(x).to_f32().to_bits(),
        _ => Bf16::from_bits(x).to_f32().to_bits(),
    };
    Box::new(move |first, out| {
        for (i, d) in out.iter_mut().enumerate() {
            *d = wide(first as u16 + i as u16).into();
        }
    })
}
