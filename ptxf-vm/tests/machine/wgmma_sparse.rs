//! `wgmma.mma_async.sp`: products of four warps, of an A of which half of the elements are there.

use oracle::rng::Rng;
use ptxf::matrix::{Accumulator, Multiplicand, Unit};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use ptxf_vm::{Machine, Module};

use crate::mma::{Number, a_layout, of, pack, random};
use crate::support::{entry, module};
use crate::wgmma::{Tile, element, run, run_with};

/// An A of 64 rows, of which half of the elements are there.
struct Sparse {
    /// The columns of the whole matrix.
    k: usize,
    bits: u32,
    /// The elements that are there.
    elements: Vec<u64>,
    /// The columns of the elements that are there, row by row.
    columns: Vec<usize>,
    /// The register with the metadata, of each thread.
    metadata: [u32; 128],
}

/// The metadata of a pair of which one is there, and the one.
const OF_PAIRS: &[(u32, &[usize])] = &[(0b0100, &[0]), (0b1110, &[1])];
/// The metadata of four elements of which two are there, and the two.
const OF_FOURS: &[(u32, &[usize])] =
    &[(0b0100, &[0, 1]), (0b1000, &[0, 2]), (0b1100, &[0, 3]), (0b1001, &[1, 2]), (0b1101, &[1, 3]), (0b1110, &[2, 3])];

impl Sparse {
    /// Chooses elements: two of each group of four, or one of each pair of 32 bits.
    ///
    /// The metadata are where the manual's pictures have them. Two threads of four have those of
    /// elements of 16 or 32 bits: of row g in the lower half of the register, and of row g + 8 in
    /// the upper half. All four have those of elements of 8 bits, two threads a row.
    fn random(rng: &mut Rng, bits: u32, selector: usize, elements: Vec<u64>) -> Self {
        let k = 512 / bits as usize;
        let (mut columns, mut metadata) = (Vec::new(), [0_u32; 128]);
        let in_group = if bits == 32 { 2 } else { 4 };
        for (row, group) in (0..64).flat_map(|row| (0..k / in_group).map(move |group| (row, group))) {
            let (code, kept) = rng.pick(if bits == 32 { OF_PAIRS } else { OF_FOURS });
            columns.extend(kept.iter().map(|i| in_group * group + i));
            let first = row / 16 * 32 + row % 8 * 4;
            let (thread, shift) = if bits == 8 {
                (first + row % 16 / 8 + 2 * (group / 8), 4 * (group % 8))
            } else {
                (first + 2 * selector + group / 4, row % 16 / 8 * 16 + 4 * (group % 4))
            };
            metadata[thread] |= code << shift;
        }
        assert_eq!(columns.len(), elements.len());
        Self { k, bits, elements, columns, metadata }
    }

    /// Returns the whole matrix, with zeros.
    fn expanded(&self) -> Vec<u64> {
        let mut all = vec![0; 64 * self.k];
        for (i, x) in self.elements.iter().enumerate() {
            all[i / (self.k / 2) * self.k + self.columns[i]] = *x;
        }
        all
    }

    fn tile(&self, width: usize) -> Tile {
        Tile { lines: 64, k: self.k / 2, bits: self.bits, transposed: false, width }
    }
}

fn c_words(rng: &mut Rng, n: usize, bits: u32, base: Option<u64>) -> Vec<u32> {
    random(rng, 64 * n * bits as usize / 32, 32, base).iter().map(|x| *x as u32).collect()
}

/// Compares products of random numbers with the library's sums of the elements that are there.
fn compare<A, B, C>(spelled: &str, n: usize, widths: [usize; 2], turned_b: bool, options: &str)
where
    A: Multiplicand + Number,
    B: Multiplicand + Number,
    C: Accumulator + Number,
{
    let mut rng = Rng::new(0x7767_7370 + n as u64);
    let selectors = if A::BITS == 8 { 0..1 } else { 0..2 };
    for (selector, moderate) in selectors.flat_map(|selector| [(selector, false), (selector, true)]) {
        let base = |bits: u32| moderate.then(|| 1 << (bits - 3));
        let elements = random(&mut rng, 64 * 256 / A::BITS as usize, A::BITS, base(A::BITS));
        let a = Sparse::random(&mut rng, A::BITS, selector, elements);
        let b = random(&mut rng, n * a.k, B::BITS, base(B::BITS));
        let words = c_words(&mut rng, n, C::BITS, base(32));
        let in_b = Tile { lines: n, k: a.k, bits: B::BITS, transposed: turned_b, width: widths[1] };
        let spelled = format!("sp.sync.aligned.{spelled}");
        let tiles = [a.tile(widths[0]), in_b];
        let last = format!("%r20, {selector}, {options}");
        let found = run_with(&spelled, tiles, [&a.elements, &b], &[a.metadata], &words, &last);
        let mma = Unit::sm_90a().mma::<A, B, C>().unwrap();
        let across = a.k / 2;
        for (row, column) in (0..64).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let of_row = row * across..(row + 1) * across;
            let chosen: Vec<u64> = a.columns[of_row.clone()].iter().map(|at| b[column * a.k + at]).collect();
            let c = C::of(element(&words, C::BITS, row, column));
            let sum = mma.dot(&of::<A>(&a.elements[of_row]), &of::<B>(&chosen), c);
            let found = element(&found, C::BITS, row, column);
            assert_eq!(found, Number::bits(sum), "{spelled} {widths:?} {last}, row {row}, column {column}");
        }
    }
}

#[test]
fn sparse_products_of_every_format_have_the_bits_of_hopper() {
    for (n, widths) in [(8, [32, 128]), (24, [16, 16]), (64, [128, 64])] {
        compare::<F16, F16, f32>(&format!("m64n{n}k32.f32.f16.f16"), n, widths, false, "1, 1, 1, 0, 0");
    }
    compare::<F16, F16, f32>("m64n64k32.f32.f16.f16", 64, [32, 128], true, "1, 1, 1, 0, 1");
    compare::<F16, F16, F16>("m64n8k32.f16.f16.f16", 8, [32, 64], false, "1, 1, 1, 0, 0");
    compare::<Bf16, Bf16, f32>("m64n16k32.f32.bf16.bf16", 16, [64, 64], false, "1, 1, 1, 0, 0");
    compare::<Tf32, Tf32, f32>("m64n8k16.f32.tf32.tf32", 8, [32, 64], false, "1, 1, 1");
    compare::<E4m3, E5m2, f32>("m64n8k64.f32.e4m3.e5m2", 8, [32, 64], false, "1, 1, 1");
    compare::<E5m2, E4m3, F16>("m64n40k64.f16.e5m2.e4m3", 40, [128, 128], false, "1, 1, 1");
    compare::<E4m3, E4m3, f32>("m64n8k64.f32.e4m3.e4m3", 8, [16, 16], false, "1, 1, 1");
}

/// Small integers have one sum, so two products of the whole matrix are one of the sparse one.
#[test]
fn a_sparse_product_is_that_of_the_whole_matrix() {
    for (bits, one, of, options) in [
        (16, 0x3C00, "f32.f16.f16", ", 1, 1, 0, 0"),
        (16, 0x3F80, "f32.bf16.bf16", ", 1, 1, 0, 0"),
        (32, 0x3F80_0000, "f32.tf32.tf32", ", 1, 1"),
        (8, 0x38, "f32.e4m3.e4m3", ", 1, 1"),
        (8, 0x3C, "f32.e5m2.e5m2", ", 1, 1"),
        (8, 1, "s32.s8.s8", ""),
        (8, 1, "s32.u8.u8", ""),
    ] {
        let mut rng = Rng::new(0x7767_7370);
        // 1 and 2, also negative.
        let two = if one == 1 { 2 } else { 1 << (bits - 2) };
        let negative = |x: u64| if one == 1 { x.wrapping_neg() & 0xFF } else { x | 1 << (bits - 1) };
        let choices = [one, two, negative(one), negative(two)];
        let across = 256 / bits as usize;
        let elements = (0..64 * across).map(|_| rng.pick(&choices)).collect();
        let a = Sparse::random(&mut rng, bits, 0, elements);
        let b: Vec<u64> = (0..8 * a.k).map(|_| rng.pick(&choices)).collect();
        // 1, -4 and 8 in f32, or any integers.
        let c: Vec<u32> = (0..64 * 8).map(|_| rng.pick(&[0x3F80_0000, 0xC080_0000, 0x4100_0000])).collect();
        let tile = |lines, k| Tile { lines, k, bits, transposed: false, width: 64 };
        let sparse = format!("sp.sync.aligned.m64n8k{}.{of}", a.k);
        let last = format!("%r20, 0, 1{options}");
        let found = run_with(&sparse, [a.tile(64), tile(8, a.k)], [&a.elements, &b], &[a.metadata], &c, &last);
        let (whole, mut d) = (a.expanded(), c);
        for half in 0..2 {
            let part =
                |all: &[u64]| -> Vec<u64> { all.chunks(across).skip(half).step_by(2).flatten().copied().collect() };
            let dense = format!("m64n8k{across}.{of}");
            let tiles = [tile(64, across), tile(8, across)];
            d = run(&dense, tiles, [&part(&whole), &part(&b)], &d, &format!("1{options}"));
        }
        assert_eq!(found, d, "{of}");
    }
}

#[test]
fn a_sparse_factor_is_in_registers_too() {
    let mut rng = Rng::new(0x7767_7372);
    let elements = random(&mut rng, 64 * 16, 16, Some(0x2000));
    let a = Sparse::random(&mut rng, 16, 1, elements);
    let b = random(&mut rng, 8 * 32, 16, Some(0x2000));
    let c = c_words(&mut rng, 8, 32, Some(0x2000_0000));
    let tile = Tile { lines: 8, k: 32, bits: 16, transposed: false, width: 64 };
    let spelled = "sp.sync.aligned.m64n8k32.f32.f16.f16";
    let in_memory =
        run_with(spelled, [a.tile(32), tile], [&a.elements, &b], &[a.metadata], &c, "%r20, 1, 1, 1, 1, 0, 0");
    let mut own = vec![a.metadata; 5];
    for (warp, rows) in a.elements.chunks(16 * 16).enumerate() {
        for (i, word) in pack(rows, 16, [16, 8, 16], 16, a_layout).into_iter().enumerate() {
            own[1 + i % 4][32 * warp + i / 4] = word as u32;
        }
    }
    // The second product has no old value.
    let options = format!(
        "%r20, 1, 1, 1, 1, 0, 0;
        wgmma.mma_async.{spelled} {{%d0, %d1, %d2, %d3}}, {{%r21, %r22, %r23, %r24}}, %rd6, %r20, 1, 0, 1, 1, 0"
    );
    let in_registers = run_with(spelled, [a.tile(32), tile], [&a.elements, &b], &own, &c, &options);
    let alone = run_with(spelled, [a.tile(32), tile], [&a.elements, &b], &[a.metadata], &c, "%r20, 1, 0, 1, 1, 0, 0");
    assert_eq!(in_registers, alone);
    assert_ne!(in_memory, alone);
}

#[test]
fn a_wrong_sparse_product_is_an_error() {
    let error = |body: &str| {
        let text = module("8.8", "sm_90a", &entry("k", "", body));
        Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err().to_string()
    };
    let product =
        |spelled: &str, rest: &str| format!("wgmma.mma_async.{spelled} {{%r1, %r2, %r3, %r4}}, %rd1, %rd2, {rest};");
    for (body, what) in [
        (
            product("sp.sync.aligned.m64n8k32.f32.f16.f16", "%r5, 2, 1, 1, 1, 0, 0"),
            "a number from 0 to 1 is expected, which selects lanes with metadata",
        ),
        (product("sp.sync.aligned.m64n8k64.s32.s8.s8", "%r5, 1, 1"), "a number from 0 to 0 is expected"),
        (product("sp.sync.aligned.m64n8k32.f32.f16.f16", "1, 1, 1, 0, 0"), "takes 10 operands, and has 8"),
        (
            product("sp.sync.aligned.m64n8k16.f32.f16.f16", "%r5, 0, 1, 1, 1, 0, 0"),
            "`f16` cannot follow `wgmma.mma_async.sp.sync.aligned.m64n8k16.f32`: write `tf32`",
        ),
    ] {
        let error = error(&body);
        assert!(error.contains(what), "{error}");
    }
}

/// No source says where the second half of a line of B is.
#[test]
#[should_panic(expected = "a swizzle of 32 bytes, and lines have 64")]
fn lines_of_b_that_are_longer_than_the_swizzle_are_a_fault() {
    compare::<F16, F16, f32>("m64n8k32.f32.f16.f16", 8, [32, 32], false, "1, 1, 1, 0, 0");
}
