//! Multiplies matrices in f16 and in e4m3 by warp kernels, on the CPU with an H100's bits, and on a
//! GPU if there is one.
//!
//! ```sh
//! cargo run --release --package matmul
//! ```
//!
//! The kernels' results are compared with [`Mma::gemm`](ptxf::matrix::Mma::gemm), which computes
//! the same chains in vectors. The exit status is 1 if a bit differs. Without a device the program
//! prints that no GPU was used.
// Invariant: the PTX that is loaded was compiled from the kernels that are launched.

#[path = "../../launch/src/gpu.rs"]
mod gpu;

use std::process::ExitCode;
use std::time::Instant;

use matmul_kernels::{TILE, matmul_e4m3, matmul_f16};
use ptxf::matrix::{Gemm, Multiplicand, Unit, View};
use ptxf::{E4m3, F16};
use ptxf_cudarc::Kernels;

/// The constants that the build script wrote.
mod device {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// Rows and columns of the result, and products of each element. Tiles at the edges are partial.
const SHAPE: (usize, usize, usize) = (120, 100, 200);

/// The scale of the product in e4m3.
const SCALE: f32 = 0.25;

type Error = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let (m, n, k) = SHAPE;
    let wave = |i: usize, scale: f32| scale * (i as f32 * 0.37 + (i / 7) as f32).sin();
    let (x, y): (Vec<f32>, Vec<f32>) =
        ((0..m * k).map(|i| wave(i, 3.0)).collect(), (0..n * k).map(|i| wave(i + 5, 2.0)).collect());
    let [a, b] = [&x, &y].map(|v| v.iter().map(|&v| F16::from_f32(v)).collect::<Vec<_>>());
    let [a8, b8] = [&x, &y].map(|v| v.iter().map(|&v| E4m3::from_f32(v)).collect::<Vec<_>>());
    let grid = [n.div_ceil(TILE), m.div_ceil(TILE)];

    let mut in_f16 = vec![0.0; m * n];
    timed("matmul_f16", || matmul_f16::launch(grid, m, n, k, &a, &b, &mut in_f16));
    check("matmul_f16", &in_f16, &gemm(&a, &b, 1.0), &exact(&a, &b, F16::to_f32, 1.0))?;
    let mut in_e4m3 = vec![0.0; m * n];
    timed("matmul_e4m3", || matmul_e4m3::launch(grid, m, n, k, SCALE, &a8, &b8, &mut in_e4m3));
    check("matmul_e4m3", &in_e4m3, &gemm(&a8, &b8, SCALE), &exact(&a8, &b8, E4m3::to_f32, SCALE))?;

    let (context, ptx) = match (gpu::open()?, device::PTX) {
        (Ok(context), Ok(ptx)) => (context, ptx),
        (Err(why), _) => return no_gpu(&why),
        (_, Err(why)) => return no_gpu(&format!("the kernels were not compiled for a device: {why}")),
    };
    println!("{}: {} entries for {} and newer", context.name()?, device::ENTRIES.len(), device::TARGET);
    #[expect(unsafe_code, reason = "a kernel is foreign code")]
    // SAFETY: the build script compiled the PTX from the launched kernels.
    let kernels = unsafe { Kernels::load(&context.default_stream(), ptx) }?;
    let (a, b, mut d) = (kernels.upload(&a)?, kernels.upload(&b)?, kernels.zeros::<f32>(m * n)?);
    matmul_f16::launch_on(&kernels, grid, m, n, k, &a, &b, &mut d)?;
    compare("matmul_f16", "device", &kernels.download(&d)?, &in_f16)?;
    let (a, b, mut d) = (kernels.upload(&a8)?, kernels.upload(&b8)?, kernels.zeros::<f32>(m * n)?);
    matmul_e4m3::launch_on(&kernels, grid, m, n, k, SCALE, &a, &b, &mut d)?;
    compare("matmul_e4m3", "device", &kernels.download(&d)?, &in_e4m3)
}

/// Returns the product by [`gemm`](ptxf::matrix::Mma::gemm).
fn gemm<T: Multiplicand>(a: &[T], b: &[T], alpha: f32) -> Vec<f32> {
    let (m, n, k) = SHAPE;
    let mut d = vec![0.0; m * n];
    let mma = Unit::sm_90().mma::<T, T, f32>().expect("an H100 multiplies both formats");
    mma.gemm(Gemm::new().alpha(alpha), View::new(a, m, k), View::new(b, n, k).transposed(), &mut d);
    d
}

/// Returns the product in f64.
fn exact<T: Copy>(a: &[T], b: &[T], value: fn(T) -> f32, scale: f32) -> Vec<f64> {
    let (m, n, k) = SHAPE;
    let dot = |i: usize, j: usize| -> f64 {
        (0..k).map(|l| f64::from(value(a[i * k + l])) * f64::from(value(b[j * k + l]))).sum()
    };
    (0..m * n).map(|at| dot(at / n, at % n) * f64::from(scale)).collect()
}

/// Runs a launch, and prints its products per second.
fn timed(name: &str, launch: impl FnOnce()) {
    let (m, n, k) = SHAPE;
    let start = Instant::now();
    launch();
    let rate = (m * n * k) as f64 / start.elapsed().as_secs_f64();
    println!("{name}: {m} × {n} by chains of {k}, {:.0} million products a second on this CPU", rate / 1e6);
}

/// Compares a kernel's result with `gemm`'s, and prints its distance from the exact product.
fn check(name: &str, d: &[f32], gemm: &[f32], exact: &[f64]) -> Result<(), Error> {
    compare(name, "kernel", d, gemm)?;
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let error = norm(&mut d.iter().zip(exact).map(|(d, e)| f64::from(*d) - e)) / norm(&mut exact.iter().copied());
    println!("{name}: relative error {error:.1e} of the products' sums");
    Ok(())
}

/// Compares two results bit by bit.
fn compare(name: &str, who: &str, d: &[f32], expected: &[f32]) -> Result<(), Error> {
    let differs = |(d, e): (&f32, &f32)| d.to_bits() != e.to_bits();
    let count = d.iter().zip(expected).filter(|pair| differs(*pair)).count();
    match d.iter().zip(expected).position(differs) {
        _ if d.len() != expected.len() => Err(format!("{name}: {} results, not {}", d.len(), expected.len()).into()),
        None => {
            println!("{name}: {} results of the {who}, the same bits", d.len());
            Ok(())
        }
        Some(i) => {
            let (d, e) = (d[i], expected[i]);
            Err(format!("{name}: {count} results of the {who} differ; the first, {i}, is {d:e} and not {e:e}").into())
        }
    }
}

/// Prints that no GPU was used.
fn no_gpu(why: &str) -> Result<(), Error> {
    eprintln!("NO GPU WAS USED: {why}");
    Ok(())
}
