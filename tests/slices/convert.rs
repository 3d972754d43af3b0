//! Conversions of slices near every value that they may round to, and slices seen as others.

use meaning::meaning;
use ptxf_core::spec::Type;
use ptxf_core::{Bf16, F16, F16x2, slice};
use testutil::{Rng, Ty, edges, generate};

use crate::forms::{self, Call};
use crate::levels;

/// Numbers around every value and every midpoint of the 16-bit types, the edges of f32, and random bits.
fn floats() -> Vec<u64> {
    let mut rng = Rng::from_env(0xC0_117);
    let mut x: Vec<u64> = edges::of(Ty::F32).to_vec();
    for bits in 0..=u16::MAX {
        for value in [F16::from_bits(bits).to_f32(), Bf16::from_bits(bits).to_f32()] {
            for half in [0, 0x1000, 0x8000] {
                let near = value.to_bits() ^ half;
                x.extend([near, near.wrapping_sub(1), near + 1].map(u64::from));
            }
        }
    }
    x.extend((0..100_000).map(|_| generate::operand(Ty::F32, &mut rng)));
    x
}

#[test]
fn narrowing_is_the_meaning_near_every_value() {
    let (levels, x) = (levels(), floats());
    let turned: Vec<u64> = x.iter().skip(7).chain(&x[..7]).copied().collect();
    let narrowing = |f: &&forms::SliceForm| f.info.instruction == "cvt" && f.info.operands[0] == Type::F32;
    let forms: Vec<_> = forms::all();
    for form in forms.iter().filter(narrowing) {
        let operands = [&x[..], &turned[..]];
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
    println!("{} numbers, {} forms, {} levels", x.len(), forms.iter().filter(narrowing).count(), levels.len());
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
