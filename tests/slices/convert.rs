//! Conversions of slices, and slices seen as others.

use ptxf_core::{Bf16, Bf16x2, F16, F16x2, F32x2, Level, Round, slice};
use testutil::{Rng, Ty, edges, generate};

use crate::levels;

const ROUNDINGS: [Round; 4] = [Round::Rn, Round::Rz, Round::Rm, Round::Rp];

/// Numbers around every value and every midpoint of the 16-bit types, the edges of f32, and random bits.
fn floats() -> Vec<f32> {
    let mut rng = Rng::from_env(0xC0_117);
    let mut x: Vec<f32> = edges::of(Ty::F32).iter().map(|&x| f32::from_bits(x as u32)).collect();
    for bits in 0..=u16::MAX {
        for value in [F16::from_bits(bits).to_f32(), Bf16::from_bits(bits).to_f32()] {
            for half in [0, 0x1000, 0x8000] {
                let near = value.to_bits() ^ half;
                x.extend([near, near.wrapping_sub(1), near + 1].map(f32::from_bits));
            }
        }
    }
    x.extend((0..100_000).map(|_| f32::from_bits(generate::operand(Ty::F32, &mut rng) as u32)));
    x
}

macro_rules! narrowing {
    ($x:ident $level:ident $rnd:ident $ty:ident) => {
        let mut d = vec![$ty::ZERO; $x.len()];
        slice::convert_r($rnd, &$x, slice::at($level, &mut d));
        for (x, d) in $x.iter().zip(d) {
            let want = $ty::from_f32_r($rnd, *x);
            assert_eq!(
                d.to_bits(),
                want.to_bits(),
                "{} of {:#x} {:?} at {}",
                stringify!($ty),
                x.to_bits(),
                $rnd,
                $level
            );
        }
    };
}

#[test]
fn narrowing_is_that_of_one_value() {
    let x = floats();
    for level in levels() {
        for rnd in ROUNDINGS {
            narrowing!(x level rnd F16);
            narrowing!(x level rnd Bf16);
        }
    }
    println!("{} numbers, each 8 times per level", x.len());
}

#[test]
fn widening_is_that_of_one_value() {
    let f16: Vec<_> = (0..=u16::MAX).map(F16::from_bits).collect();
    let bf16: Vec<_> = (0..=u16::MAX).map(Bf16::from_bits).collect();
    for level in levels() {
        let mut d = vec![0_f32; f16.len()];
        slice::convert(&f16, slice::at(level, &mut d));
        assert!(f16.iter().zip(&d).all(|(x, d)| x.to_f32().to_bits() == d.to_bits()), "f16 at {level}");
        slice::convert(&bf16, slice::at(level, &mut d));
        assert!(bf16.iter().zip(&d).all(|(x, d)| x.to_f32().to_bits() == d.to_bits()), "bf16 at {level}");
    }
}

/// Every length at some alignments; the guards stay whole.
#[test]
fn every_length() {
    fn verify(level: Level, len: usize, offset: usize) {
        let x: Vec<f32> = (0..200).map(|i| 0.37 * i as f32 - 20.0).collect();
        let mut d = vec![F16::MAX; 200];
        slice::convert(&x[offset..][..len], slice::at(level, &mut d[offset / 2..][..len]));
        let mut back = vec![f32::MAX; 200];
        slice::convert(&d[offset / 2..][..len], slice::at(level, &mut back[offset..][..len]));
        for (i, d) in d.iter().enumerate() {
            let inside = (offset / 2..offset / 2 + len).contains(&i);
            let want = if inside { F16::from_f32(x[i + offset - offset / 2]) } else { F16::MAX };
            assert_eq!(d.to_bits(), want.to_bits(), "{level} {len} {offset} {i}");
        }
        for (i, d) in back.iter().enumerate() {
            let inside = (offset..offset + len).contains(&i);
            let want = if inside { F16::from_f32(x[i]).to_f32() } else { f32::MAX };
            assert_eq!(d.to_bits(), want.to_bits(), "{level} {len} {offset} {i}");
        }
    }
    for level in levels() {
        (0..=130).for_each(|len| (0..32).for_each(|offset| verify(level, len, offset)));
    }
}

#[test]
fn pairs_convert_lane_by_lane() {
    let x = [F32x2::from_array([1.0, -2.5]), F32x2::from_array([0.1, 70_000.0])];
    for level in levels() {
        let (mut h, mut b, mut back) = ([F16x2::ZERO; 2], [Bf16x2::ZERO; 2], [F32x2::from_bits(0); 2]);
        slice::convert(&x, slice::at(level, &mut h));
        slice::convert(&x, slice::at(level, &mut b));
        for i in 0..2 {
            assert_eq!(h[i].to_bits(), F16x2::from_f32(x[i].to_array()).to_bits());
            assert_eq!(b[i].to_bits(), Bf16x2::from_f32(x[i].to_array()).to_bits());
        }
        slice::convert(&h, slice::at(level, &mut back));
        assert_eq!(back[0].to_array(), [1.0, -2.5]);
    }
    let e = slice::try_convert_r(Round::Rn, &[1.0; 3], &mut [F16::ZERO; 2]).unwrap_err();
    assert_eq!(e.to_string(), "`x` has 3 elements, `out` has 2");
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
