//! The operands of probes: every combination of edges, and random ones.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use ptxf::spec::Type;

/// Number of random operands besides the grid.
const RANDOM: usize = 100;

/// Returns operands of these types. The form's name is the seed of the random ones.
pub(super) fn of(types: &[Type], name: &str) -> Vec<Vec<u64>> {
    let grid = grid(types);
    let drawn = (0..RANDOM).map(|i| types.iter().enumerate().map(|(place, &ty)| random(ty, name, place, i)).collect());
    grid.into_iter().chain(drawn).collect()
}

/// Returns every combination of the edges of up to three operands. The elements of a vector pass
/// through the edges at different paces.
fn grid(types: &[Type]) -> Vec<Vec<u64>> {
    let wide = types.iter().filter(|ty| **ty != Type::Pred).count();
    let lists: Vec<Vec<u64>> = types.iter().map(|&ty| edges(ty, wide > 2)).collect();
    let count = lists.iter().take(3).map(Vec::len).product();
    let combination = |index: usize| {
        let mut rest = index;
        let each = lists.iter().enumerate().map(|(place, list)| {
            let at = if place < 3 { rest } else { index * (2 * place + 1) };
            rest /= list.len();
            // The other lanes have the same edges at other places.
            (0..types[place].lanes()).fold(0, |register, lane| {
                let value = list[(at + lane as usize * (2 * place + 5)) % list.len()];
                register | value << (lane * types[place].stride())
            })
        });
        each.collect()
    };
    (0..count).map(combination).collect()
}

/// Returns the edge values of a lane, each with both signs; fewer of them for three operands.
fn edges(ty: Type, few: bool) -> Vec<u64> {
    let (width, fraction) = match ty {
        Type::Pred => return vec![0, 1],
        Type::F16 | Type::F16x2 => (16, 10),
        Type::Bf16 | Type::Bf16x2 => (16, 7),
        Type::F32 | Type::F32x2 | Type::Tf32 => (32, 23),
        Type::F64 => (64, 52),
        Type::E4m3x4 if few => (8, 3),
        Type::E5m2x4 if few => (8, 2),
        Type::E2m3x4 if few => (6, 3),
        Type::E3m2x4 if few => (6, 2),
        Type::E2m1x4 | Type::E2m1p4x4 if few => (4, 1),
        Type::Ue8m0x4 if few => (8, 0),
        // Every value of a narrow type.
        _ if ty.lane_bits() <= 8 => return (0..1 << ty.lane_bits()).collect(),
        // The ends of integers, and neighbours of powers of two.
        _ => (ty.lane_bits(), ty.lane_bits() / 2),
    };
    let sign = 1_u64 << (width - 1);
    let (tiny, infinity) = (1 << fraction, (sign - 1) >> fraction << fraction);
    let one = (infinity >> 1) & infinity;
    let mut magnitudes = vec![0, tiny - 1, one, one + 1, infinity - 1, infinity, sign - 1];
    if !few {
        magnitudes.extend([
            1,
            tiny,
            tiny + 1,
            one - 1,
            one | tiny >> 1,
            one + tiny,
            infinity + 1,
            infinity | tiny >> 1,
        ]);
    }
    magnitudes.into_iter().flat_map(|x| [x, x | sign]).collect()
}

/// Returns any bits, sometimes with a subnormal number, an infinity or a NaN in every lane.
fn random(ty: Type, name: &str, place: usize, i: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, place, i).hash(&mut hasher);
    let any = hasher.finish() >> (64 - ty.bits());
    let (fraction, exponent) = match ty.lane_bits() {
        16 => (10, 5),
        32 => (23, 8),
        64 => (52, 11),
        _ => return any,
    };
    let each = |bits: u64| (0..ty.lanes()).fold(0, |all, lane| all | bits << (lane * ty.stride()));
    let ones = |count: u32| (1_u64 << count) - 1;
    match i % 8 {
        0 => each(ones(exponent) << fraction),
        2 | 3 => any & !each(ones(exponent) << fraction),
        4 => any | each(ones(exponent) << fraction),
        _ => any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_edges_meets_in_every_lane() {
        let all = of(&[Type::F16x2, Type::F16x2], "add_rn_f16x2");
        assert_eq!(all.len(), 30 * 30 + RANDOM);
        for lane in [0, 16] {
            let mut pairs: Vec<_> = all[..900].iter().map(|x| (x[0] >> lane & 0xffff, x[1] >> lane & 0xffff)).collect();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), 900);
        }
        assert!(all.iter().any(|x| x[0] & 0xffff == 0x7c00 && x[1] & 0xffff == 0xfbff));
        assert_eq!(of(&[Type::F32; 3], "fma_rn_f32").len(), 14 * 14 * 14 + RANDOM);
        assert_eq!(of(&[Type::F64, Type::F64, Type::Pred], "setp").len(), 30 * 30 * 2 + RANDOM);
    }
}
