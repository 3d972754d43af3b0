//! Products of whole matrices: PyTorch's on an H100, and every level's against the meaning.

use ptxf::matrix::{Gemm, Mma, Multiplicand, Rounded, Unit, View};
use ptxf::{Bf16, E4m3, E5m2, F16, Level, Tf32};

use crate::operands::mix;

fn words<const N: usize, T>(bytes: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.chunks_exact(N).map(|word| of(word.try_into().unwrap())).collect()
}

/// Compares a 64 × 64 part of a product of 64 × 1024 by 1024 × 64 with PyTorch 2.11's on an H100.
fn pytorch<T: Multiplicand, D: Rounded>(
    unit: Unit,
    of: impl Fn(f32) -> T,
    options: Gemm,
    want: &[u8],
    bits: impl Fn(&D) -> u16,
    zero: D,
) {
    let [a, b] = [&include_bytes!("data/gemm-a.bin")[..], include_bytes!("data/gemm-b.bin")]
        .map(|bytes| words(bytes, f32::from_le_bytes).into_iter().map(&of).collect::<Vec<T>>());
    let mut d = vec![zero; 64 * 64];
    let mma: Mma<T, T, f32> = unit.mma().unwrap();
    mma.gemm(options, View::new(&a, 64, 1024), View::new(&b, 1024, 64), &mut d);
    assert_eq!(d.iter().map(bits).collect::<Vec<_>>(), words(want, u16::from_le_bytes));
}

#[test]
fn pytorch_in_f16() {
    let want = include_bytes!("data/gemm-f16.bin");
    pytorch(Unit::sm_90(), F16::from_f32, Gemm::new(), want, |d: &F16| d.to_bits(), F16::ZERO);
    pytorch(Unit::sm_90a(), F16::from_f32, Gemm::new(), want, |d: &F16| d.to_bits(), F16::ZERO);
}

#[test]
fn pytorch_in_bf16() {
    let want = include_bytes!("data/gemm-bf16.bin");
    pytorch(Unit::sm_90(), Bf16::from_f32, Gemm::new(), want, |d: &Bf16| d.to_bits(), Bf16::ZERO);
}

#[test]
fn pytorch_in_e4m3() {
    let [fast, promoted] =
        [&include_bytes!("data/gemm-e4m3-fast.bin")[..], include_bytes!("data/gemm-e4m3-promoted.bin")];
    let bits = |d: &Bf16| d.to_bits();
    pytorch(Unit::sm_90a(), E4m3::from_f32, Gemm::new(), fast, bits, Bf16::ZERO);
    pytorch(Unit::sm_90a(), E4m3::from_f32, Gemm::new().promote(128), promoted, bits, Bf16::ZERO);
}

/// Compares a product at every level with the meaning, element by element.
fn every_level<A: Multiplicand, B: Multiplicand>(unit: Unit, a: impl Fn(u64) -> A, b: impl Fn(u64) -> B) {
    let mma: Mma<A, B, f32> = unit.mma().unwrap();
    for (m, n, k, promote) in
        [(1, 1, 1, 64), (3, 17, 40, 64), (65, 70, 130, 64), (5, 33, 300, 128), (2, 16, 64, usize::MAX)]
    {
        let (a, b): (Vec<A>, Vec<B>) =
            ((0..m * k).map(|i| a(i as u64)).collect(), (0..k * n).map(|i| b(!(i as u64))).collect());
        // B lies column by column.
        let (a, b) = (View::new(&a, m, k), View::new(&b, n, k).transposed());
        let mut want = vec![0.0; m * n];
        let chains = if promote < k { promote } else { k };
        for (at, want) in want.iter_mut().enumerate() {
            let mut sums = (0..k).step_by(chains).map(|first| {
                let ks = first..k.min(first + chains);
                let row: Vec<A> = ks.clone().map(|k| a.get(at / n, k)).collect();
                let column: Vec<B> = ks.map(|k| b.get(k, at % n)).collect();
                mma.dot(&row, &column, 0.0)
            });
            *want = if promote < k { sums.fold(0.0, ptxf::ptx::add_rn_f32) } else { sums.next_back().unwrap() };
        }
        let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        for level in Level::available() {
            let options = if promote == usize::MAX { Gemm::new() } else { Gemm::new().promote(promote) };
            let mut d = vec![0.0; m * n];
            mma.gemm(options.level(level), a, b, &mut d);
            assert_eq!(bits(&d), bits(&want), "{unit:?}, {level}, {m} × {n} × {k}");
        }
    }
}

/// Bits of a few kinds: usual numbers, zeros, any bits, and the largest ones, by the `seed`.
fn bits(width: u32, exponent: u32, seed: u64, x: u64) -> u64 {
    let (any, all, fraction) = (mix(x ^ seed << 40), (1_u64 << width) - 1, width - 1 - exponent);
    let middle = (1_u64 << (exponent - 1)) - 2 + any / 64 % 3;
    let field = ((1 << exponent) - 1) << fraction;
    let usual = any & all & !field | middle << fraction;
    match (seed, any >> 48) {
        (1, _) => any & all,
        (2, 0..20) => any & all,
        (3, _) => {
            let sign = any >> 20 & 1 & u64::from(x.is_multiple_of(7));
            (field - (1 << fraction)) | any & ((1 << fraction) - 1) | sign << (width - 1)
        }
        (4, _) if any >> 20 & 3 != 0 => 0,
        _ => usual,
    }
}

#[test]
fn every_level_has_the_bits_of_the_meaning() {
    for seed in 0..5 {
        let f16 = |x| F16::from_bits(bits(16, 5, seed, x) as u16);
        let bf16 = |x| Bf16::from_bits(bits(16, 8, seed, x) as u16);
        let tf32 = |x| Tf32::from_bits(bits(32, 8, seed, x) as u32);
        let e4m3 = |x| E4m3::from_bits(bits(8, 4, seed, x) as u8);
        let e5m2 = |x| E5m2::from_bits(bits(8, 5, seed, x) as u8);
        for unit in [Unit::sm_70(), Unit::sm_80(), Unit::sm_90()] {
            every_level(unit, f16, f16);
        }
        for unit in [Unit::sm_80(), Unit::sm_90()] {
            every_level(unit, bf16, bf16);
            every_level(unit, tf32, tf32);
        }
        for unit in [Unit::sm_89(), Unit::sm_90(), Unit::sm_90a(), Unit::sm_120()] {
            every_level(unit, e4m3, e4m3);
            every_level(unit, e5m2, e4m3);
        }
    }
}

#[test]
fn a_factor_is_applied_in_f32() {
    let mma: Mma<F16, F16, f32> = Unit::sm_90().mma().unwrap();
    let (a, b) = ([F16::from_f32(3.0)], [F16::from_f32(0.5)]);
    let mut d = [F16::ZERO];
    mma.gemm(Gemm::new().alpha(0.1), View::new(&a, 1, 1), View::new(&b, 1, 1), &mut d);
    assert_eq!(d[0], F16::from_f32(1.5 * 0.1));
}

#[test]
#[should_panic(expected = "rows of 2 elements cannot be multiplied by columns of 1")]
fn shapes_have_to_fit() {
    let x = [F16::ONE; 2];
    let mma: Mma<F16, F16, f32> = Unit::sm_90().mma().unwrap();
    mma.gemm(Gemm::new(), View::new(&x, 1, 2), View::new(&x, 1, 2), &mut [0.0; 2]);
}
