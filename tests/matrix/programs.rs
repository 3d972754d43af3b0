//! PTX of compilers, executed by the machine, against the library's products.

use oracle::rng::Rng;
use ptxf::matrix::{Gemm, Multiplicand, Rounded, Unit, View};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use ptxf_vm::{Arg, Element, Machine, Module};

/// A launch that computes a product.
struct Launch {
    text: &'static str,
    entry: &'static str,
    /// The rows and columns of A, and the columns of B.
    shape: [usize; 3],
    /// `true` if B is stored column by column.
    by_columns: bool,
    grid: [u32; 3],
    threads: u32,
    shared: u32,
    device: Option<&'static str>,
}

impl Launch {
    /// Runs the launch on the elements of A and B. Returns D.
    fn run<E: Element, D: Element>(&self, a: &[E], b: &[E], nothing: D) -> Vec<D> {
        let [m, k, n] = self.shape;
        let mut machine = Machine::new();
        if let Some(device) = self.device {
            machine = machine.device(device.parse().unwrap());
        }
        let program = machine.load(&Module::parse(self.text).unwrap()).unwrap();
        let entry = program.entry(self.entry).unwrap_or_else(|e| panic!("{e}"));
        let [a, b, d] = [machine.buffer(a), machine.buffer(b), machine.buffer(&vec![nothing; m * n])];
        let mut args = [a, b, d].map(Arg::from).to_vec();
        if entry.parameters().any(|(_, bytes)| bytes == 4) {
            args.extend([n, k].map(|n| Arg::from(n as u32)));
        } else {
            // Triton adds two pointers to memory that these kernels do not use.
            let unused = machine.buffer(&[0_u32]);
            args.extend([unused; 2].map(Arg::from));
        }
        machine.launch(&entry, self.grid, self.threads, self.shared, &args).unwrap_or_else(|e| panic!("{e}"));
        machine.values(d).unwrap()
    }

    /// Compares D with the library's product. `of` makes a number and its bits.
    fn compare<T, E, D>(&self, unit: Unit, of: impl Fn(f32) -> (T, E), bits: impl Fn(&D) -> u32)
    where
        T: Multiplicand,
        E: Element,
        D: Rounded + Element + Default + std::fmt::Debug,
    {
        let [m, k, n] = self.shape;
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
        let mut found = self.run(&a_bits, &b_bits, D::default());
        if self.entry == "turned" {
            found = (0..m * n).map(|i| found[i % n * m + i / n]).collect();
        }
        let b = if self.by_columns { View::new(&b, n, k).transposed() } else { View::new(&b, k, n) };
        let mut expected = vec![D::default(); m * n];
        unit.mma::<T, T, f32>().unwrap().gemm(Gemm::new(), View::new(&a, m, k), b, &mut expected);
        let differences = found.iter().zip(&expected).filter(|(x, y)| bits(x) != bits(y)).count();
        assert_eq!(differences, 0, "of {} in `{}`: {:?} {:?}", m * n, self.entry, &found[..4], &expected[..4]);
    }
}

macro_rules! triton {
    ($($test:ident $unit:expr, $file:literal, $shared:literal, $ty:ty, $word:ty;)*) => {$(
        #[test]
        fn $test() {
            let launch = Launch {
                text: include_str!(concat!("ptx/triton-", $file, ".ptx")),
                entry: "dot",
                shape: [128, 128, 64],
                by_columns: false,
                grid: [2, 1, 1],
                threads: 128,
                shared: $shared,
                device: None,
            };
            let of = |x| {
                let x = <$ty>::from_f32(x);
                (x, x.to_bits() as $word)
            };
            launch.compare($unit, of, |x: &f32| x.to_bits());
        }
    )*};
}

triton! {
    triton_in_f16_for_sm_80 Unit::sm_80(), "f16-sm_80", 16384, F16, u16;
    triton_in_bf16_for_sm_80 Unit::sm_80(), "bf16-sm_80", 16384, Bf16, u16;
    triton_in_tf32_for_sm_80 Unit::sm_80(), "tf32-sm_80", 32768, Tf32, u32;
    triton_in_e4m3_for_sm_89 Unit::sm_89(), "e4m3-sm_89", 16384, E4m3, u8;
    triton_in_f16_for_sm_90 Unit::sm_90a(), "f16-sm_90", 24576, F16, u16;
    triton_in_bf16_for_sm_90 Unit::sm_90a(), "bf16-sm_90", 24576, Bf16, u16;
    triton_in_tf32_for_sm_90 Unit::sm_90a(), "tf32-sm_90", 49152, Tf32, u32;
    triton_in_e4m3_for_sm_90 Unit::sm_90a(), "e4m3-sm_90", 16384, E4m3, u8;
    triton_in_e5m2_for_sm_90 Unit::sm_90a(), "e5m2-sm_90", 16384, E5m2, u8;
}

/// Returns the launch of a kernel of CUDA C++, whose blocks compute tiles of `m` rows.
fn cuda(entry: &'static str, m: u32, n: u32, device: Option<&'static str>) -> Launch {
    Launch {
        text: include_str!("ptx/products.ptx"),
        entry,
        shape: [64, 48, 32],
        by_columns: true,
        grid: [32 / n, 64 / m, 1],
        threads: if entry == "by_mma" { 128 } else { 32 },
        shared: 0,
        device,
    }
}

#[test]
fn wmma_and_mma_of_cuda() {
    let f16 = |x| (F16::from_f32(x), F16::from_f32(x).to_bits());
    let bf16 = |x| (Bf16::from_f32(x), Bf16::from_f32(x).to_bits());
    let tf32 = |x: f32| (Tf32::from_bits(x.to_bits()), x.to_bits());
    for (device, unit) in [(None, Unit::sm_80()), (Some("sm_90"), Unit::sm_90()), (Some("sm_75"), Unit::sm_75())] {
        for (entry, m, n) in
            [("f16_16", 16, 16), ("f16_8", 8, 32), ("f16_32", 32, 8), ("turned", 16, 16), ("by_mma", 64, 16)]
        {
            // Turing's `mma` is m16n8k8.
            if unit != Unit::sm_75() || entry != "by_mma" {
                cuda(entry, m, n, device).compare(unit, f16, |x: &f32| x.to_bits());
            }
        }
        if unit == Unit::sm_75() {
            continue;
        }
        for (entry, m, n) in [("bf16_16", 16, 16), ("bf16_8", 8, 32), ("bf16_32", 32, 8)] {
            cuda(entry, m, n, device).compare(unit, bf16, |x: &f32| x.to_bits());
        }
        cuda("tf32_16", 16, 16, device).compare(unit, tf32, |x: &f32| x.to_bits());
    }
}

#[test]
fn wmma_of_cuda_in_f16_in_doubles_and_in_bytes() {
    let [m, k, n] = [64, 48, 32];
    let mut rng = Rng::new(0x776d_6d61);
    let mut numbers = |count: usize| -> Vec<f64> {
        (0..count).map(|_| f64::from_bits(rng.next() >> 12 | 1023 << 52) - 1.5).collect()
    };
    let (a, b) = (numbers(m * k), numbers(n * k));
    let found = cuda("f64_8", 8, 8, None).run(&a, &b, 0.0_f64);
    let sum = |i: usize| (0..k).fold(0.0, |sum, kk| ptxf::ptx::fma_rn_f64(a[i / n * k + kk], b[i % n * k + kk], sum));
    assert!(found.iter().enumerate().all(|(i, x)| x.to_bits() == sum(i).to_bits()));

    let half = |all: &[f64]| all.iter().map(|x| F16::from_f32(*x as f32)).collect::<Vec<_>>();
    let bits = |all: &[F16]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let (a, b) = (half(&a), half(&b));
    for (device, unit) in [(None, Unit::sm_80()), (Some("sm_90"), Unit::sm_90())] {
        let found = cuda("f16_f16", 16, 16, device).run(&bits(&a), &bits(&b), 0_u16);
        let mma = unit.mma::<F16, F16, F16>().unwrap();
        let sum = |i: usize| mma.dot(&a[i / n * k..][..k], &b[i % n * k..][..k], F16::ZERO).to_bits();
        assert!(found.iter().enumerate().all(|(i, x)| *x == sum(i)), "{device:?}");
    }

    let (a, b): (Vec<u8>, Vec<u8>) =
        ((0..m * k).map(|_| rng.next() as u8).collect(), (0..n * k).map(|_| rng.next() as u8).collect());
    for (entry, m, n_tile) in [("s8_16", 16, 16), ("s8_8", 8, 32), ("s8_32", 32, 8)] {
        let found = cuda(entry, m, n_tile, None).run(&a, &b, 0_u32);
        let product = |i: usize, kk: usize| i32::from(a[i / n * k + kk] as i8) * i32::from(b[i % n * k + kk] as i8);
        let sum = |i: usize| (0..k).map(|kk| product(i, kk)).sum::<i32>() as u32;
        assert!(found.iter().enumerate().all(|(i, x)| *x == sum(i)), "{entry}");
    }
}
