//! Prints checksums of each slice function's results, and of products of matrices, at every level,
//! for `cargo xtask wasm` to compare between machines.

mod matrix;

use meaning::Element;
use ptxf_core::{
    Bf16, Bf16x2, E2m1x2, E2m3x2, E3m2x2, E4m3x2, E5m2x2, F16, F16x2, F32x2, Level, S2f6x2, Tf32, Ue5m3x2, Ue8m0,
    Ue8m0x2, slice,
};

/// Elements of a slice: whole vectors of any engine, and a rest.
const ELEMENTS: usize = 4096 + 13;

/// Operands that are the same on every machine.
struct Operands(u64);

impl Operands {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns random bits, and bits with few ones or zeros at an end, which give zeros, subnormal
    /// numbers, infinities, NaNs and ties.
    fn slice<T: Element>(&mut self) -> Vec<T> {
        let bits = 8 * size_of::<T>() as u32;
        let mut one = || {
            let (x, by) = (self.next() >> 7, (self.next() >> 9) as u32 % bits);
            let all = u64::MAX >> (64 - bits);
            T::from_u64(match self.next() >> 11 & 3 {
                0 => x & all >> by,
                1 => x & all << by & all,
                2 => (x | all >> by) & all,
                _ => x & all,
            })
        };
        (0..ELEMENTS).map(|_| one()).collect()
    }
}

/// Returns FNV-1a of the results' bits.
fn checksum<T: Element>(results: &[T]) -> u64 {
    let of = |sum: u64, x: &T| {
        x.to_u64().to_le_bytes().iter().fold(sum, |s, &b| (s ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
    };
    results.iter().fold(0xcbf2_9ce4_8422_2325, of)
}

macro_rules! probe {
    ($($function:ident $($assign:ident)? $form:literal ($($ty:ident)*) $result:ident;)*) => {$({
        // A separate function per form. One function with all forms takes very long to compile.
        #[inline(never)]
        fn run(level: Level) -> u64 {
            let mut operands = Operands(0x2545_F491_4F6C_DD1D);
            let mut results = vec![$result::from_u64(0); ELEMENTS];
            slice::$function($(&operands.slice::<$ty>()[..],)* slice::at(level, &mut results));
            checksum(&results)
        }
        print(stringify!($function), run);
    })*};
}

/// Prints the checksum after a check that every level has the same.
fn print(name: &str, run: fn(Level) -> u64) {
    let sums: Vec<u64> = Level::available().map(run).collect();
    assert!(sums.iter().all(|sum| *sum == sums[0]), "{name}: levels differ: {sums:x?}");
    println!("{name} {:016x}", sums[0]);
}

fn main() {
    ptxf_core::for_each_slice_form!(probe);
    matrix::print_all();
}
