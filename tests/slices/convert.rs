//! Conversions of slices near every value to which they may round, and slices viewed as other
//! types.

use meaning::meaning;
use oracle::{Ty, edges, long};
use ptxf_core::spec::Type;
use ptxf_core::{F16, F16x2, slice};

use crate::forms::{self, Call};
use crate::levels;

/// Numbers around every value of a 16-bit type, which `values` lists in f32, and every middle
/// between two.
fn floats(values: impl Iterator<Item = u32>, middle: u32) -> Vec<u64> {
    let near = |x: u32| [x.wrapping_sub(1), x, x + 1].map(u64::from);
    values.flat_map(|x| near(x).into_iter().chain(near(x ^ middle))).collect()
}

/// Numbers around integers, the middles between them, and the ends of integers' types.
fn around_integers() -> Vec<u64> {
    let near_ends =
        [7, 8, 15, 16].into_iter().flat_map(|bits| (1_u32 << (bits + 1)).saturating_sub(600)..(1 << (bits + 1)) + 600);
    let halves = (0..4096).chain(near_ends).map(|twice| (twice as f32 / 2.0).to_bits());
    let powers = (0..=66).map(|exponent| (127 + exponent) << 23);
    let near = |x: u32| (x.saturating_sub(3)..=x + 3).flat_map(|x| [x, x | 1 << 31]).map(u64::from);
    halves.chain(powers).flat_map(near).collect()
}

#[test]
fn narrowing_is_the_meaning_near_every_value() {
    let levels = levels();
    let f16 = floats((0..=u16::MAX).map(|x| F16::from_bits(x).to_f32().to_bits()), 0x1000);
    let bf16 = floats((0..=u16::MAX).map(|x| u32::from(x) << 16), 0x8000);
    let integers = around_integers();
    // Each form takes the numbers near every so many values; consecutive forms take different ones.
    let step = if long() { 4 } else { 24 };
    let narrowing = |f: &&forms::SliceForm| f.info.instruction == "cvt" && f.info.operands[0] == Type::F32;
    for (i, form) in forms::all().iter().filter(narrowing).enumerate() {
        let all = match form.info.result {
            Type::F16 | Type::F16x2 => &f16,
            Type::U8 | Type::U16 | Type::U32 | Type::U64 | Type::S8 | Type::S16 | Type::S32 | Type::S64 => &integers,
            _ => &bf16,
        };
        // Whole neighbourhoods of each kind: 6 floats, 14 integers.
        let mut x: Vec<u64> = all.chunks(42).skip(i % step).step_by(step).flatten().copied().collect();
        x.extend(edges::of(Ty::F32));
        let turned = |by: usize| -> Vec<u64> { x.iter().skip(by).chain(&x[..by]).copied().collect() };
        // The lower 16 bits of a 32-bit number are the scale.
        let (b, scale) = (turned(7), turned(11));
        let operands = [&x[..], &b[..], &scale[..]];
        let operands = &operands[..form.info.operands.len()];
        let want: Vec<u64> =
            (0..x.len()).map(|i| meaning(form.info, &forms::operands_of(Call::Into, operands, i))).collect();
        for &level in &levels {
            let got = (form.run)(level, Call::Into, operands, [0; 4]);
            let wrong = got.iter().zip(&want).position(|(got, want)| got != want);
            if let Some(i) = wrong {
                let (name, of) = (form.info.name, forms::operands_of(Call::Into, operands, i));
                panic!("{name} at {level} of {of:#x?}: {:#x}, not {:#x}", got[i], want[i]);
            }
        }
    }
    println!("{} numbers, {} levels", f16.len() + bf16.len() + integers.len(), levels.len());
}

#[test]
fn views_are_the_same_memory() {
    let mut bits = [0x3c00_u16, 0x4000, 0x4200, 0x4400];
    let first = bits.as_ptr();
    let x: &mut [F16] = slice::cast_mut(&mut bits);
    assert_eq!(x.as_ptr().cast(), first);
    x[1] = F16::ONE;
    assert_eq!(bits[1], 0x3c00);
    let pair = [F16x2::from_f32([1.0, 2.0]); 3];
    let lanes = slice::lanes(&pair);
    assert_eq!((lanes.len(), lanes[0].to_f32(), lanes[5].to_f32()), (6, 1.0, 2.0));
    assert_eq!(slice::pairs::<F16x2>(lanes).map(<[_]>::len), Some(3));
    assert!(slice::pairs::<F16x2>(&lanes[..5]).is_none(), "odd");
    assert!(slice::pairs::<F16x2>(&lanes[1..5]).is_none(), "misaligned");
    assert!(slice::pairs::<F16x2>(&[]).is_none_or(<[_]>::is_empty));
}
