//! Results of an H100's matrix instructions (sm_90a, driver 580.159.04, 28 November 2026).
//!
//! `data/results.bin` has the first results of each kind of operands, and `data/results.tsv` the
//! hashes of all: 8,650,752 results. With `PTXF_TESTS=long` all of them are compared.

use ptxf::matrix::{Accumulator, Mma, Multiplicand, Unit};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::operands::{self, Format, KINDS, Place, Role, element};

/// A format of operands.
trait Bits: Copy + Send + Sync {
    const FORMAT: Format;
    fn of(bits: u64) -> Self;
}

macro_rules! bits {
    ($($ty:ident $format:ident;)*) => {$(
        impl Bits for $ty {
            const FORMAT: Format = operands::$format;
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as _)
            }
        }
    )*};
}

bits! { F16 F16; Bf16 BF16; Tf32 TF32; E4m3 E4M3; E5m2 E5M2; f32 F32; f64 F64; }

/// An instruction: how many products are summed, the rows of its result, and one element of it.
struct Instruction<'a> {
    name: &'a str,
    id: u64,
    length: u64,
    rows: u64,
    element: &'a (dyn Fn(Place) -> Vec<u8> + Sync),
}

/// Returns an element of an instruction's result: its row, and its column in `k`.
fn sum<A: Multiplicand + Bits, B: Multiplicand + Bits, C: Accumulator + Bits>(
    mma: Mma<A, B, C>,
    at: Place,
    bytes: impl Fn(C) -> Vec<u8>,
) -> Vec<u8> {
    let (row, column) = (at.row, at.k);
    let a: Vec<A> = (0..at.length).map(|k| A::of(element(A::FORMAT, Role::A, Place { row, k, ..at }))).collect();
    let b: Vec<B> =
        (0..at.length).map(|k| B::of(element(B::FORMAT, Role::B, Place { row: column, k, ..at }))).collect();
    bytes(mma.dot(&a, &b, C::of(element(C::FORMAT, Role::C, Place { length: 8, ..at }))))
}

/// Compares all results of an instruction: the first ones, and the hash of all.
fn compare(instruction: &Instruction<'_>) {
    let Instruction { name, id, length, rows, element } = *instruction;
    let (table, results) = (include_str!("data/results.tsv"), include_bytes!("data/results.bin"));
    let lines: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let lines: Vec<_> = lines.iter().filter(|line| line[0] == name).collect();
    assert!(lines.len() as u64 >= KINDS - 1, "{} kinds of {name}", lines.len());
    lines.par_iter().for_each(|line| {
        let number = |column: usize| line[column].parse::<usize>().unwrap();
        let (kind, products, size, kept, offset) = (number(1), number(2), number(3), number(4), number(5));
        let mut hash = Sha256::new();
        let compared = if oracle::long() { products } else { kept };
        for index in 0..compared {
            let mut bytes = Vec::with_capacity(size);
            for (row, k) in (0..rows).flat_map(|row| (0..8).map(move |k| (row, k))) {
                bytes.extend(element(Place {
                    instruction: id,
                    kind: kind as u64,
                    index: index as u64,
                    row,
                    k,
                    length,
                }));
            }
            assert_eq!(bytes.len(), size);
            if index < kept {
                let first = offset + index * size;
                assert!(results[first..first + size] == bytes, "{name}, kind {kind}, product {index}");
            }
            hash.update(&bytes);
        }
        let hash: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert!(compared < products || hash == line[6], "{name}, kind {kind}: {hash} for {}", line[6]);
    });
}

macro_rules! captured {
    ($($test:ident $id:literal $unit:ident $a:ident $b:ident $c:ident $length:literal $rows:literal;)*) => {$(
        #[test]
        fn $test() {
            let mma = Unit::$unit().mma::<$a, $b, $c>().unwrap();
            compare(&Instruction {
                name: stringify!($test),
                id: $id,
                length: $length,
                rows: $rows,
                element: &|at| sum(mma, at, |d| d.to_bits().to_le_bytes().to_vec()),
            });
        }
    )*};
}

captured! {
    mma_f16_k16_f32 1 sm_90 F16 F16 f32 16 16;
    mma_f16_k16_f16 2 sm_90 F16 F16 F16 16 16;
    mma_bf16_k16_f32 3 sm_90 Bf16 Bf16 f32 16 16;
    mma_tf32_k8_f32 4 sm_90 Tf32 Tf32 f32 8 16;
    mma_e4m3_k32_f32 5 sm_90 E4m3 E4m3 f32 32 16;
    mma_e5m2_k32_f32 6 sm_90 E5m2 E5m2 f32 32 16;
    mma_e4m3_e5m2_k32_f32 7 sm_90 E4m3 E5m2 f32 32 16;
    mma_f16_k8_f32 8 sm_90 F16 F16 f32 8 16;
    mma_f16_k8_f16 9 sm_90 F16 F16 F16 8 16;
    mma_bf16_k8_f32 10 sm_90 Bf16 Bf16 f32 8 16;
    mma_tf32_k4_f32 11 sm_90 Tf32 Tf32 f32 4 16;
    mma_e4m3_k32_f16 12 sm_90 E4m3 E4m3 F16 32 16;
    mma_e4m3_k16_f32 13 sm_90 E4m3 E4m3 f32 16 16;
    wg_f16_f32 18 sm_90a F16 F16 f32 16 64;
    wg_f16_f16 19 sm_90a F16 F16 F16 16 64;
    wg_bf16_f32 20 sm_90a Bf16 Bf16 f32 16 64;
    wg_tf32_f32 21 sm_90a Tf32 Tf32 f32 8 64;
    wg_e4m3_f32 22 sm_90a E4m3 E4m3 f32 32 64;
    wg_e5m2_f32 23 sm_90a E5m2 E5m2 f32 32 64;
    wg_e4m3_f16 24 sm_90a E4m3 E4m3 F16 32 64;
    wg_e4m3_e5m2_f32 25 sm_90a E4m3 E5m2 f32 32 64;
}

/// Elements 4 · (k div 2) + k mod 2 of B take part.
#[test]
fn mma_sp_f16_k32_f32() {
    let mma = Unit::sm_90().mma::<F16, F16, f32>().unwrap();
    compare(&Instruction {
        name: "mma_sp_f16_k32_f32",
        id: 26,
        length: 32,
        rows: 16,
        element: &|at| {
            let a: Vec<F16> =
                (0..16).map(|k| F16::of(element(operands::F16, Role::A, Place { k, length: 16, ..at }))).collect();
            let b =
                |k: u64| F16::of(element(operands::F16, Role::B, Place { row: at.k, k: 4 * (k / 2) + k % 2, ..at }));
            let c = f32::of(element(operands::F32, Role::C, Place { length: 8, ..at }));
            mma.dot(&a, &(0..16).map(b).collect::<Vec<_>>(), c).to_bits().to_le_bytes().to_vec()
        },
    });
}
