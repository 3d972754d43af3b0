//! Results of an H100's matrix instructions (sm_90a, driver 580.159.04, 28 November 2026).
//!
//! `data/results.bin` has the first results of each kind of operands, and `data/results.tsv` the
//! hashes of all: 8,650,752 results. With `PTXF_TESTS=long` all of them are compared.

use ptxf::matrix::{self, Accumulator, Element, Fragment, Instruction, Mma, Multiplicand, Operands, Unit};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::operands::{self, Format, KINDS, Place, Role, element, mix};

/// A format of operands.
pub(crate) trait Bits: Copy + Send + Sync {
    const FORMAT: Format;
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($ty:ident $format:ident;)*) => {$(
        impl Bits for $ty {
            const FORMAT: Format = operands::$format;
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as _)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

bits! { F16 F16; Bf16 BF16; Tf32 TF32; E4m3 E4M3; E5m2 E5M2; f32 F32; f64 F64; }

/// A captured instruction: how many products are summed, and its result.
struct Captured<'a> {
    name: &'a str,
    id: u64,
    length: u64,
    /// The result of a product, row by row.
    product: &'a (dyn Fn(Place) -> Vec<u8> + Sync),
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
fn compare(instruction: &Captured<'_>) {
    let Captured { name, id, length, product } = *instruction;
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
            let (kind, index) = (kind as u64, index as u64);
            let bytes = product(Place { instruction: id, kind, index, row: 0, k: 0, length });
            let index = index as usize;
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

/// Compares `wgmma`, whose elements are computed one by one.
macro_rules! wgmma {
    ($($test:ident $id:literal $a:ident $b:ident $c:ident $length:literal;)*) => {$(
        #[test]
        fn $test() {
            let mma = Unit::sm_90a().mma::<$a, $b, $c>().unwrap();
            let places = || (0..64).flat_map(|row| (0..8).map(move |k| (row, k)));
            compare(&Captured {
                name: stringify!($test),
                id: $id,
                length: $length,
                product: &|at| {
                    let element = |(row, k)| sum(mma, Place { row, k, ..at }, |d| d.to_bits().to_le_bytes().to_vec());
                    places().flat_map(element).collect()
                },
            });
        }
    )*};
}

wgmma! {
    wg_f16_f32 18 F16 F16 f32 16;
    wg_f16_f16 19 F16 F16 F16 16;
    wg_bf16_f32 20 Bf16 Bf16 f32 16;
    wg_tf32_f32 21 Tf32 Tf32 f32 8;
    wg_e4m3_f32 22 E4m3 E4m3 f32 32;
    wg_e5m2_f32 23 E5m2 E5m2 f32 32;
    wg_e4m3_f16 24 E4m3 E4m3 F16 32;
    wg_e4m3_e5m2_f32 25 E4m3 E5m2 f32 32;
}

fn format(element: Element) -> Format {
    match element {
        Element::F16 => operands::F16,
        Element::Bf16 => operands::BF16,
        Element::Tf32 => operands::TF32,
        Element::E4m3 => operands::E4M3,
        Element::E5m2 => operands::E5M2,
        Element::F32 => operands::F32,
        Element::F64 => operands::F64,
        other => panic!("no operands of {other:?}"),
    }
}

type Registers = Vec<[u64; 32]>;

/// Returns the registers of a matrix.
fn registers(fragment: Fragment, element: impl Fn(u64, u64) -> u64) -> Registers {
    let mut registers = vec![[0; 32]; fragment.registers()];
    for (row, column) in (0..fragment.rows()).flat_map(|row| (0..fragment.columns()).map(move |column| (row, column))) {
        fragment.set(&mut registers, matrix::Place { row, column, matrix: 0 }, element(row as u64, column as u64));
    }
    registers
}

/// Returns D row by row.
fn bytes(d: Fragment, registers: &Registers) -> Vec<u8> {
    let places =
        (0..d.rows()).flat_map(|row| (0..d.columns()).map(move |column| matrix::Place { row, column, matrix: 0 }));
    places.flat_map(|place| d.get(registers, place).to_le_bytes()[..d.element_bits() / 8].to_vec()).collect()
}

/// Compares an instruction on the registers of a warp.
fn executed(name: &str, id: u64, text: &str) {
    let mma = Instruction::parse(text).unwrap();
    let [a, b, c, _] =
        mma.formats().map(|element| if element == Element::S32 { operands::F32 } else { format(element) });
    // All indices are 0 and 1: elements 4 · (k div 2) + k mod 2 of B take part.
    let metadata = [0x4444_4444; 32];
    compare(&Captured {
        name,
        id,
        length: mma.shape()[2] as u64,
        product: &|at| {
            let across = mma.a().columns() as u64;
            let a = registers(mma.a(), |row, k| element(a, Role::A, Place { row, k, length: across, ..at }));
            let b = registers(mma.b(), |k, row| element(b, Role::B, Place { row, k, ..at }));
            let c = registers(mma.c(), |row, k| element(c, Role::C, Place { row, k, length: 8, ..at }));
            let mut d = vec![[0; 32]; mma.d().registers()];
            let operands = Operands::new(&a, &b, &c).sparse(&metadata, 0);
            mma.execute(Unit::sm_90(), &operands, &mut d).unwrap();
            bytes(mma.d(), &d)
        },
    });
}

macro_rules! mma {
    ($($test:ident $id:literal $text:literal;)*) => {$(
        #[test]
        fn $test() {
            executed(stringify!($test), $id, $text);
        }
    )*};
}

mma! {
    mma_f16_k16_f32 1 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    mma_f16_k16_f16 2 "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16";
    mma_bf16_k16_f32 3 "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
    mma_tf32_k8_f32 4 "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
    mma_e4m3_k32_f32 5 "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    mma_e5m2_k32_f32 6 "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32";
    mma_e4m3_e5m2_k32_f32 7 "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32";
    mma_f16_k8_f32 8 "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
    mma_f16_k8_f16 9 "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
    mma_bf16_k8_f32 10 "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32";
    mma_tf32_k4_f32 11 "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32";
    mma_e4m3_k32_f16 12 "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16";
    mma_e4m3_k16_f32 13 "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32";
    mma_f64_m8k4 14 "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
    mma_f64_k4 15 "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64";
    mma_f64_k8 16 "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64";
    mma_f64_k16 17 "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64";
    mma_sp_f16_k32_f32 26 "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";
}

/// The operands of this instruction were made by register, so that its layouts are compared, too.
#[test]
fn mma_s8_sat() {
    let mma = Instruction::parse("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32").unwrap();
    compare(&Captured {
        name: "mma_s8_sat",
        id: 27,
        length: 32,
        product: &|at| {
            let kind = at.kind;
            let word = |first: u64, register: usize, lane: usize| {
                let place = (kind * 256 + at.index) << 20 | (lane as u64) << 8 | first | register as u64;
                mix(27 << 56 ^ place) & 0xFFFF_FFFF
            };
            let all = |first: u64, count: usize, change: &dyn Fn(u64) -> u64| -> Registers {
                let register = |i| std::array::from_fn(|lane| change(word(first, i, lane)));
                (0..count).map(register).collect()
            };
            let large = |x: u64| (x | 0x4040_4040) & !0x8080_8080;
            let a = all(0, 4, &|x| match kind {
                0..6 => x,
                6..9 => large(x),
                _ => x | 0xC0C0_C0C0,
            });
            let b = all(16, 2, &|x| if kind < 6 { x } else { large(x) });
            let c = all(32, 4, &|x| match (kind % 2, x & 1) {
                (0, _) => x,
                (_, 1) => 0x7FFF_FFFF - (x >> 14),
                _ => 0x8000_0000 + (x >> 14),
            });
            let mut d = vec![[0; 32]; 4];
            mma.execute(Unit::sm_90(), &Operands::new(&a, &b, &c), &mut d).unwrap();
            bytes(mma.d(), &d)
        },
    });
}
