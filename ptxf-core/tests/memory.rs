//! The memory accesses of slices and views, small enough for Miri. Every buffer has the exact
//! length that is needed, and only the alignment of its elements.
//!
//! Miri and guard pages detect an access beyond a buffer. These tests also check the neighbours of
//! each output, in every run.

use ptxf_core::{Bf16, F16, F16x2, F32x2, Level, slice};

/// Lengths around a block, and around the length of vectors.
const LENGTHS: [usize; 8] = [0, 1, 2, 15, 16, 33, 64, 67];

/// Returns different values.
fn values(n: usize, from: usize) -> Vec<F16> {
    (from..from + n).map(|i| F16::from_bits((i * 977) as u16 & 0x7bff)).collect()
}

/// The value of elements that must not be written.
const UNTOUCHED: F16 = F16::from_bits(0x5a5a);

/// Runs an operation on the middle of a buffer, at each level and alignment.
fn in_the_middle(n: usize, operation: impl Fn(Level, &mut [F16])) -> Vec<F16> {
    let mut results: Vec<Vec<F16>> = Vec::new();
    for level in Level::available() {
        for before in [0, 1, 3] {
            let mut buffer = vec![UNTOUCHED; before + n + 1];
            operation(level, &mut buffer[before..before + n]);
            let around = buffer[..before].iter().chain(&buffer[before + n..]);
            assert!(around.into_iter().all(|x| *x == UNTOUCHED), "{level} {before} {n}");
            results.push(buffer[before..before + n].to_vec());
        }
    }
    assert!(results.iter().all(|r| *r == results[0]), "{n}");
    results.swap_remove(0)
}

#[test]
fn operations_stay_inside() {
    for n in LENGTHS {
        let [a, b, c] = [0, 500, 9000].map(|from| values(n, from));
        let fused = in_the_middle(n, |level, out| slice::fma_rn_f16(&a, &b, &c, slice::at(level, out)));
        let want: Vec<F16> = (0..n).map(|i| a[i].fma_rn(b[i], c[i])).collect();
        assert_eq!(fused, want);
        let scaled =
            in_the_middle(n, |level, out| slice::mul_rn_f16(&a, slice::Splat(F16::ONE), slice::at(level, out)));
        assert!(scaled.iter().zip(&a).all(|(s, a)| s.to_bits() == a.to_bits() || a.is_nan()), "{n}");
        let sums = in_the_middle(n, |level, out| {
            out.copy_from_slice(&a);
            slice::add_rn_f16_assign(slice::at(level, out), &b);
        });
        assert_eq!(sums, (0..n).map(|i| a[i].add_rn(b[i])).collect::<Vec<_>>());
        let narrow: Vec<f32> = a.iter().map(|a| a.to_f32()).collect();
        let back = in_the_middle(n, |level, out| slice::cvt_rz_f16_f32(&narrow, slice::at(level, out)));
        assert_eq!(back, a);
        for level in Level::available() {
            let mut wide = vec![0.0; n];
            slice::cvt_f32_f16(&a, slice::at(level, &mut wide));
            assert_eq!(wide, narrow);
            let mut pairs = vec![F16x2::ZERO; n];
            slice::cvt_rz_f16x2_f32(&narrow, slice::Splat(1.0), slice::at(level, &mut pairs));
            assert!(pairs.iter().zip(&a).all(|(d, a)| d.hi() == *a && d.lo() == F16::ONE));
        }
    }
}

#[test]
fn sums_read_what_is_there() {
    for n in LENGTHS {
        let ones = vec![Bf16::ONE; n];
        for level in Level::available() {
            assert_eq!(slice::sum_bf16_at(level, &ones), n as f32);
            assert_eq!(slice::dot_bf16_at(level, &ones, &ones), n as f32);
        }
        let mut y = ones.clone();
        slice::axpy_bf16(Bf16::ONE, &ones, &mut y);
        assert!(y.iter().all(|y| y.to_f32() == 2.0));
    }
}

#[test]
fn views_are_the_same_memory() {
    let mut bits: Vec<u16> = (0..9).collect();
    let halves: &mut [F16] = slice::cast_mut(&mut bits);
    halves[8] = F16::ONE;
    slice::neg_f16_assign(halves);
    assert_eq!((bits[8], bits[3]), (0xbc00, 0x8003));

    let mut words = [F32x2::from_array([1.0, 2.0]); 3];
    slice::lanes_mut(&mut words)[5] = 7.0;
    assert_eq!(words[2].to_array(), [1.0, 7.0]);
    assert_eq!(slice::pairs::<F32x2>(slice::lanes(&words)), Some(&words[..]));

    let mut lanes = [F16::ONE; 8];
    for from in 0..3 {
        // Aligned or not, depending on the allocator.
        if let Some(pairs) = slice::pairs_mut::<F16x2>(&mut lanes[from..from + 4]) {
            pairs[1] = F16x2::from_f32([2.0, 3.0]);
            assert_eq!(lanes[from + 3].to_f32(), 3.0);
        }
    }
    assert!(slice::pairs::<F16x2>(&lanes[..3]).is_none());
}

#[cfg(feature = "rayon")]
#[test]
fn cores_take_parts_of_their_own() {
    // A chunk for one core is 2^15 elements, which take Miri too long.
    let n = if cfg!(miri) { 40 } else { (1 << 16) + 7 };
    let (a, b) = (values(n, 3), values(n, 4000));
    let (mut one, mut many) = (vec![F16::ZERO; n], vec![F16::ZERO; n]);
    slice::add_rn_f16(&a, &b, &mut one);
    slice::add_rn_f16(&a, &b, slice::par(&mut many));
    assert_eq!(one, many);
}

#[test]
fn miri_has_the_portable_level() {
    let levels: Vec<Level> = Level::available().collect();
    assert!(levels.contains(&Level::detect()) && levels[0] == Level::Portable);
    assert!(!cfg!(miri) || levels == [Level::Portable], "{levels:?}");
}
