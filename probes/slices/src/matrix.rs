//! Checksums of products of matrices.

use ptxf_core::matrix::{Gemm, Mma, Unit, View};
use ptxf_core::{Bf16, E4m3, E5m2, F16, Level, Tf32};

use crate::{Operands, checksum, print};

/// Rows, columns, and products of an element: whole vectors and steps, and rests of both.
const SHAPE: [usize; 3] = [5, 37, 150];

/// Returns numbers of `width` bits. Most exponents are near 0; some numbers have any bits.
fn numbers<T>(operands: &mut Operands, count: usize, width: u32, exponent: u32, of: impl Fn(u64) -> T) -> Vec<T> {
    let (all, fraction) = (u64::MAX >> (64 - width), width - 1 - exponent);
    let field = ((1 << exponent) - 1) << fraction;
    let middle = (1 << (exponent - 1)) - 2;
    let mut one = || {
        let (bits, choice) = (operands.next() >> 7 & all, operands.next() >> 11);
        of(if choice % 512 == 0 { bits } else { bits & !field | (middle + choice / 512 % 3) << fraction })
    };
    (0..count).map(|_| one()).collect()
}

macro_rules! products {
    ($($unit:ident $a:ident $b:ident;)*) => {$({
        fn run(level: Level) -> u64 {
            let (mut operands, [m, n, k]) = (Operands(0x2545_F491_4F6C_DD1D), SHAPE);
            let (a, b) = (products!(@$a operands, m * k), products!(@$b operands, k * n));
            let mma: Mma<$a, $b, f32> = Unit::$unit().mma().expect("the unit has the instruction");
            let mut d = vec![0.0_f32; m * n];
            mma.gemm(Gemm::new().level(level), View::new(&a, m, k), View::new(&b, k, n), &mut d);
            checksum(&d)
        }
        print(concat!("gemm.", stringify!($unit), ".", stringify!($a), ".", stringify!($b)), run);
    })*};
    (@F16 $operands:ident, $count:expr) => {
        numbers(&mut $operands, $count, 16, 5, |x| F16::from_bits(x as u16))
    };
    (@Bf16 $operands:ident, $count:expr) => {
        numbers(&mut $operands, $count, 16, 8, |x| Bf16::from_bits(x as u16))
    };
    (@Tf32 $operands:ident, $count:expr) => {
        numbers(&mut $operands, $count, 32, 8, |x| Tf32::from_bits(x as u32))
    };
    (@E4m3 $operands:ident, $count:expr) => {
        numbers(&mut $operands, $count, 8, 4, |x| E4m3::from_bits(x as u8))
    };
    (@E5m2 $operands:ident, $count:expr) => {
        numbers(&mut $operands, $count, 8, 5, |x| E5m2::from_bits(x as u8))
    };
}

/// Prints the checksums.
pub(crate) fn print_all() {
    products! {
        sm_70 F16 F16;
        sm_80 F16 F16;
        sm_80 Bf16 Bf16;
        sm_80 Tf32 Tf32;
        sm_89 E4m3 E4m3;
        sm_90 F16 F16;
        sm_90 Bf16 Bf16;
        sm_90 Tf32 Tf32;
        sm_90 E4m3 E5m2;
        sm_90a E4m3 E4m3;
        sm_90a E5m2 E4m3;
        sm_120 E4m3 E4m3;
    }
}
