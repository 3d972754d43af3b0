//! PTX of compilers, executed by the machine, against the library's products.

use oracle::rng::Rng;
use ptxf::matrix::{Gemm, Multiplicand, Unit, View};
use ptxf::{Bf16, E4m3, F16, Tf32};
use ptxf_vm::{Arg, Element, Machine, Module};

/// A launch that computes a product.
struct Launch {
    text: &'static str,
    entry: &'static str,
    /// The rows and columns of A, and the columns of B.
    shape: [usize; 3],
    grid: [u32; 3],
    threads: u32,
    shared: u32,
}

/// Compares a product in f32 with that of the library's unit. `of` makes a number and its bits.
fn compare<T: Multiplicand, E: Element>(unit: Unit, launch: &Launch, of: impl Fn(f32) -> (T, E)) {
    let [m, k, n] = launch.shape;
    let mut rng = Rng::new(0x7472_6974);
    let mut numbers = |count: usize| -> (Vec<T>, Vec<E>) {
        // Most numbers are below 1, and some are much smaller.
        let one = |_| {
            let x = (rng.next() >> 40) as f32 / (1 << 23) as f32 - 1.0;
            of(if rng.below(4) == 0 { x / 512.0 } else { x })
        };
        (0..count).map(one).unzip()
    };
    let ((a, a_bits), (b, b_bits)) = (numbers(m * k), numbers(k * n));
    let mut expected = vec![0.0_f32; m * n];
    unit.mma::<T, T, f32>().unwrap().gemm(Gemm::new(), View::new(&a, m, k), View::new(&b, k, n), &mut expected);
    let mut machine = Machine::new();
    let program = machine.load(&Module::parse(launch.text).unwrap()).unwrap();
    let entry = program.entry(launch.entry).unwrap_or_else(|e| panic!("{e}"));
    let [a, b, d] = [machine.buffer(&a_bits), machine.buffer(&b_bits), machine.buffer(&vec![f32::NAN; m * n])];
    // Triton adds two pointers to memory that these kernels do not use.
    let unused = machine.buffer(&[0_u32]);
    let args = [a, b, d, unused, unused].map(Arg::from);
    let count = entry.parameters().len();
    machine
        .launch(&entry, launch.grid, launch.threads, launch.shared, &args[..count])
        .unwrap_or_else(|e| panic!("{e}"));
    let found = machine.values::<f32>(d).unwrap();
    let differences = found.iter().zip(&expected).filter(|(x, y)| x.to_bits() != y.to_bits()).count();
    assert_eq!(differences, 0, "of {}: {:?} {:?}", m * n, &found[..4], &expected[..4]);
}

macro_rules! triton {
    ($($test:ident $unit:expr, $file:literal, $shared:literal, $ty:ty, $word:ty;)*) => {$(
        #[test]
        fn $test() {
            let launch = Launch {
                text: include_str!(concat!("ptx/triton-", $file, ".ptx")),
                entry: "dot",
                shape: [128, 128, 64],
                grid: [2, 1, 1],
                threads: 128,
                shared: $shared,
            };
            compare($unit, &launch, |x| {
                let x = <$ty>::from_f32(x);
                (x, x.to_bits() as $word)
            });
        }
    )*};
}

triton! {
    triton_in_f16_for_sm_80 Unit::sm_80(), "f16-sm_80", 16384, F16, u16;
    triton_in_bf16_for_sm_80 Unit::sm_80(), "bf16-sm_80", 16384, Bf16, u16;
    triton_in_tf32_for_sm_80 Unit::sm_80(), "tf32-sm_80", 32768, Tf32, u32;
    triton_in_e4m3_for_sm_89 Unit::sm_89(), "e4m3-sm_89", 16384, E4m3, u8;
}
