//! The instructions of a `Warp` in plain kernels, with random matrices of every format, against
//! the table's instruction on registers and against the library's product.
// Invariant: each warp writes the tile of its own index.
#![expect(unsafe_code, reason = "each warp writes a tile of its own")]

use oracle::rng::Rng;
use ptxf::kernel::{FragmentA, Grid, WarpElement, WarpMma};
use ptxf::matrix::{Accumulator, Fragment, Gemm, Instruction, Multiplicand, Operands, Place, Unit, View};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32, ptx_kernel};

use crate::captured::Bits;

macro_rules! kernels {
    ($($name:ident $a:ident $b:ident $c:ident;)*) => {$(
        /// Computes `a · b + c`. Each warp computes a tile of 16 rows of 8 columns.
        #[ptx_kernel]
        fn $name(w: Warp, m: usize, n: usize, k: usize, a: &[$a], b: &[$b], c: &[$c], d: &mut [$c]) {
            // B lies column by column.
            let (a, b, c) = (a.matrix(m, k), b.matrix(n, k).transposed(), c.matrix(m, n));
            let (row, column) = (16 * w.y(), 8 * w.x());
            let mut sum = w.load_c(c, row, column);
            for step in (0..k).step_by(FragmentA::<$a>::K) {
                sum = w.mma(w.load_a(a, row, step), w.load_b(b, step, column), sum);
            }
            // SAFETY: no other warp has this row and column.
            unsafe { w.store(sum, &mut d.matrix(m, n), row, column) };
        }
    )*};
}

kernels! {
    f16_f32 F16 F16 f32;
    f16_f16 F16 F16 F16;
    bf16_f32 Bf16 Bf16 f32;
    tf32_f32 Tf32 Tf32 f32;
    e4m3_f32 E4m3 E4m3 f32;
    e4m3_e5m2_f32 E4m3 E5m2 f32;
    e5m2_e4m3_f32 E5m2 E4m3 f32;
    e5m2_f32 E5m2 E5m2 f32;
}

/// Returns random numbers: any bits, or exponents near that of 1.
fn numbers<T: Bits>(rng: &mut Rng, count: usize, moderate: bool) -> Vec<T> {
    let bits = 8 * size_of::<T>() as u32;
    let one = |_| {
        let x = rng.next() >> (64 - bits);
        T::of(if moderate { x & !(7 << (bits - 4)) | 3 << (bits - 4) } else { x })
    };
    (0..count).map(one).collect()
}

/// Returns the registers of the part of a matrix that begins at a place. The rest is zeros.
fn part(fragment: Fragment, [row, column]: [usize; 2], element: impl Fn(usize, usize) -> u64) -> Vec<[u64; 32]> {
    let mut registers = vec![[0; 32]; fragment.registers()];
    for (i, j) in (0..fragment.rows()).flat_map(|i| (0..fragment.columns()).map(move |j| (i, j))) {
        fragment.set(&mut registers, Place { row: i, column: j, matrix: 0 }, element(row + i, column + j));
    }
    registers
}

type Launch<A, B, C> = dyn Fn(Grid, [usize; 3], &[A], &[B], &[C], &mut [C]);

/// Compares a kernel with instructions on registers, tile by tile.
fn compare<A, B, C>(launch: &Launch<A, B, C>, units: &[Unit])
where
    A: Multiplicand + Bits + WarpMma<B, C>,
    B: Multiplicand + Bits + WarpElement,
    C: Accumulator + Bits + WarpElement,
{
    let spelled = <A as WarpMma<B, C>>::PTX;
    let mma = Instruction::parse(spelled).unwrap();
    let step = mma.shape()[2];
    let mut rng = Rng::new(0x7761_7270 + step as u64);
    for (unit, [m, n, k]) in units.iter().flat_map(|unit| [[16, 8, step], [33, 21, 70], [5, 3, 7]].map(|s| (*unit, s)))
    {
        for moderate in [false, true] {
            let (a, b): (Vec<A>, Vec<B>) = (numbers(&mut rng, m * k, moderate), numbers(&mut rng, k * n, moderate));
            let c: Vec<C> = numbers(&mut rng, m * n, moderate);
            let grid = Grid::from([n.div_ceil(8), m.div_ceil(16)]).unit(unit);
            let mut found = vec![C::default(); m * n];
            launch(grid, [m, n, k], &a, &b, &c, &mut found);
            for (top, left) in (0..m).step_by(16).flat_map(|top| (0..n).step_by(8).map(move |left| (top, left))) {
                let of_c = |i, j| if i < m && j < n { Bits::bits(c[i * n + j]) } else { 0 };
                let mut sum = part(mma.c(), [top, left], of_c);
                for front in (0..k).step_by(step) {
                    let of_a = |i, kk| if i < m && kk < k { Bits::bits(a[i * k + kk]) } else { 0 };
                    let of_b = |kk, j| if kk < k && j < n { Bits::bits(b[j * k + kk]) } else { 0 };
                    let (of_a, of_b) = (part(mma.a(), [top, front], of_a), part(mma.b(), [front, left], of_b));
                    let c = sum.clone();
                    mma.execute(unit, &Operands::new(&of_a, &of_b, &c), &mut sum).unwrap();
                }
                for (i, j) in (top..m.min(top + 16)).flat_map(|i| (left..n.min(left + 8)).map(move |j| (i, j))) {
                    let want = mma.d().get(&sum, Place { row: i - top, column: j - left, matrix: 0 });
                    assert_eq!(
                        Bits::bits(found[i * n + j]),
                        want,
                        "{spelled} on {unit:?}, {m} {n} {k}, row {i}, column {j}"
                    );
                }
            }
        }
    }
}

/// Compares a kernel without an addend with the library's product of whole matrices.
fn compare_whole<A, B>(launch: &Launch<A, B, f32>, units: &[Unit])
where
    A: Multiplicand + Bits,
    B: Multiplicand + Bits,
{
    let [m, n, k] = [20, 37, 200];
    let mut rng = Rng::new(0x7761_7268);
    for unit in units {
        let (a, b): (Vec<A>, Vec<B>) = (numbers(&mut rng, m * k, true), numbers(&mut rng, k * n, true));
        let (mut found, mut want) = (vec![0.0; m * n], vec![0.0; m * n]);
        let grid = Grid::from([n.div_ceil(8), m.div_ceil(16)]).unit(*unit);
        launch(grid, [m, n, k], &a, &b, &vec![0.0; m * n], &mut found);
        let mma = unit.mma::<A, B, f32>().unwrap();
        mma.gemm(Gemm::new(), View::new(&a, m, k), View::new(&b, n, k).transposed(), &mut want);
        assert!(found.iter().zip(&want).all(|(x, y)| x.to_bits() == y.to_bits()), "{unit:?}");
    }
}

/// The units of the formats of 8 bits, and the others' units before them.
const UNITS: [Unit; 5] = [Unit::sm_80(), Unit::sm_89(), Unit::sm_90(), Unit::sm_100(), Unit::sm_120()];

macro_rules! tests {
    ($($test:ident $kernel:ident $from:literal $whole:ident;)*) => {$(
        #[test]
        fn $test() {
            let launch = |grid: Grid, [m, n, k]: [usize; 3], a: &[_], b: &[_], c: &[_], d: &mut [_]| {
                $kernel::launch(grid, m, n, k, a, b, c, d);
            };
            compare(&launch, &UNITS[$from..]);
            tests!(@$whole &launch, &UNITS[$from..]);
        }
    )*};
    (@gemm $launch:expr, $units:expr) => { compare_whole($launch, $units) };
    (@instruction $launch:expr, $units:expr) => {};
}

tests! {
    warps_in_f16 f16_f32 0 gemm;
    warps_in_f16_into_f16 f16_f16 0 instruction;
    warps_in_bf16 bf16_f32 0 gemm;
    warps_in_tf32 tf32_f32 0 gemm;
    warps_in_e4m3 e4m3_f32 1 gemm;
    warps_in_e4m3_and_e5m2 e4m3_e5m2_f32 1 gemm;
    warps_in_e5m2_and_e4m3 e5m2_e4m3_f32 1 gemm;
    warps_in_e5m2 e5m2_f32 1 gemm;
}
