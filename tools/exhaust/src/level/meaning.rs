//! The reference implementation of every form, one lane at a time.

use ptxf::format::{BFloat16, Binary16, Binary32, Binary64, Format};
use ptxf::int::Int;
use ptxf::spec::{FormInfo, Type};

use super::{lanes, packs};
use crate::space::{Fill, Space};

/// Returns the reference implementation of the form.
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
    // Lanes of fewer bits than an input of the space take the lower ones.
    let bits = |ty: &Type| u64::MAX >> (64 - if packs(info) { ty.bits() } else { ty.lane_bits() });
    let bits: Vec<u64> = info.operands.iter().map(bits).collect();
    Box::new(move |first, out: &mut [u64]| {
        lanes::with(space, operands, first, |x| {
            let mut lane = [F::Bits::ZERO; 3];
            for (i, d) in out.iter_mut().enumerate() {
                for ((lane, x), bits) in lane.iter_mut().zip(x).zip(&bits) {
                    *lane = F::Bits::of_low_bits((x[i] & bits).into());
                }
                let operands = &lane[..operands];
                *d = match info.meaning.lane::<F>(info.effect, operands) {
                    Some(d) => d.cast(),
                    None => converted(info, operands),
                };
            }
        });
    })
}

/// Returns a result in another format: that of one lane, or of operands that become lanes of it.
fn converted<B: Int>(info: &FormInfo, operands: &[B]) -> u64 {
    let mut registers = [0; 3];
    registers.iter_mut().zip(operands).for_each(|(register, x)| *register = x.cast());
    let result = info.by_meaning(&registers[..operands.len()]).expect("slices have the forms whose result is a number");
    if packs(info) { result } else { result & (u64::MAX >> (64 - info.result.lane_bits())) }
}
