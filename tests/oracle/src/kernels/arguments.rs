//! Arguments for launches of kernels.

use crate::Rng;
use crate::edges;
use crate::form::Ty;
use crate::kernel::{Argument, Int, Parameter, Type};
use crate::layout::Layout;

/// Returns arguments for a launch of so many threads: numbers of all kinds, and indices in range.
#[must_use]
pub fn arguments(rng: &mut Rng, parameters: &[Parameter], element: Ty, threads: [usize; 3]) -> Vec<Argument> {
    let len = 3 * threads.iter().product::<usize>() + 16;
    let mut scalars = [threads[0] as u64, rng.below(6)].into_iter();
    let argument = |parameter: &Parameter| match (parameter.slice, parameter.ty) {
        (false, Type::Float) => {
            // Exact in every format.
            let x = rng.between(-16, 16) as f32 * 0.25;
            Argument::Scalar(x.to_bits().into())
        }
        (false, Type::Int(int)) if parameter.ty != Type::USIZE => Argument::Scalar(integer(rng, int)),
        (false, _) => Argument::Scalar(scalars.next().expect("`n` and `m`")),
        (true, ty) => {
            let of = if parameter.kept { Ty::F32 } else { element };
            let mut word = || match (parameter.codes(), ty) {
                (Some(codes), _) => rng.below(codes),
                (None, Type::Float) => number(rng, of).into(),
                (None, Type::Int(int)) if int.bits != 32 => integer(rng, int),
                (None, Type::Int(int)) if int.signed => (rng.between(-4, 9) as u32).into(),
                (None, _) => rng.below(len as u64),
            };
            let numbers = len * parameter.rows.iter().product::<usize>();
            Argument::Slice((0..numbers).map(|_| word()).collect())
        }
    };
    parameters.iter().map(argument).collect()
}

/// Returns an integer of any size, often one at the end of the range.
#[must_use]
pub fn integer(rng: &mut Rng, of: Int) -> u64 {
    let x = match rng.below(4) {
        0 => of.range()[rng.below(2) as usize] as u64,
        1 => rng.between(-3, 4) as u64,
        _ => rng.next(),
    };
    x & u64::MAX >> (64 - of.bits)
}

/// Returns an edge case or an ordinary number.
fn number(rng: &mut Rng, ty: Ty) -> u32 {
    if rng.below(4) == 0 {
        let edges = edges::of(ty);
        return edges[rng.below(edges.len() as u64) as usize] as u32;
    }
    let layout = Layout::of(ty);
    let fraction = rng.below(1 << layout.fraction);
    let sign = if rng.below(2) == 0 { layout.sign_bit() } else { 0 };
    (layout.power_of_two(rng.between(-4, 3)) | fraction | sign) as u32
}
