//! Compiles CUDA C++ at run time and launches it through cudarc's safe API, with or without a GPU.
//!
//! ```sh
//! cargo build --release --package ptxf-cuda --package cuda-cpp
//! cargo run --release --package ptxf-cli -- cuda -- target/release/cuda-cpp
//! ```
//!
//! The first command builds the library that the second one uses as the CUDA driver. NVRTC is a
//! library of CUDA that needs no GPU. Where it is missing, the program launches PTX that NVRTC
//! compiled earlier from the same text. The program adds in the kernel's order, so that results are
//! compared bit by bit.
//!
//! The exit status is 1 if results differ, and 3 if there is no driver.
// Invariant: what is launched is `dot`, with vectors as long as it is told, and a place for the sum of each block.

use std::error::Error;
use std::process::ExitCode;

use cudarc::driver::{CudaContext, LaunchConfig, PushKernelArg as _};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};

const SOURCE: &str = include_str!("dot.cu");
/// The output of NVRTC 13.2 for sm_75, with a lower `.version` for older drivers.
const COMPILED: &str = include_str!("dot.ptx");

/// Length of each vector; not a multiple of the threads.
const N: usize = 100_003;
const BLOCKS: u32 = 24;
const THREADS: u32 = 128;

fn main() -> ExitCode {
    #[expect(unsafe_code, reason = "a library is loaded, whose initializers are foreign code")]
    // SAFETY: loading libcuda runs its initializers, as any program that uses the driver does.
    let has_driver = unsafe { cudarc::driver::sys::is_culib_present() };
    if !has_driver {
        eprintln!("SKIPPED: libcuda is not here; `ptxf cuda -- PROGRAM` runs a program without a GPU");
        return ExitCode::from(3);
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let wave = |i: usize, scale: f32| scale * (i as f32 * 0.37).sin();
    let x: Vec<f32> = (0..N).map(|i| wave(i, 3.0)).collect();
    let y: Vec<f32> = (0..N).map(|i| wave(i + 5, 0.2)).collect();

    let context = CudaContext::new(0)?;
    let dot = context.load_module(compiled()?)?.load_function("dot")?;
    let stream = context.default_stream();
    let (on_x, on_y) = (stream.clone_htod(&x)?, stream.clone_htod(&y)?);
    let mut on_sums = stream.alloc_zeros::<f32>(BLOCKS as usize)?;
    let n = N as i32;
    let shape = LaunchConfig { grid_dim: (BLOCKS, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
    let mut launch = stream.launch_builder(&dot);
    launch.arg(&on_x).arg(&on_y).arg(&mut on_sums).arg(&n);
    #[expect(unsafe_code, reason = "a kernel is foreign code")]
    // SAFETY: both vectors have `n` elements, and each block writes the sum of its place.
    unsafe { launch.launch(shape) }?;
    let sums = stream.clone_dtoh(&on_sums)?;

    println!("{}: {N} products in {BLOCKS} blocks", context.name()?);
    for (block, sum) in sums.iter().enumerate() {
        let wanted = block_sum(&x, &y, block);
        if sum.to_bits() != wanted.to_bits() {
            return Err(format!("block {block}: {sum} on the device, {wanted} on the CPU").into());
        }
    }
    println!("{BLOCKS} sums with the same bits on the device and on the CPU, together {}", sums.iter().sum::<f32>());
    Ok(())
}

/// Returns the kernel as PTX, compiled now if NVRTC is present.
fn compiled() -> Result<Ptx, Box<dyn Error>> {
    #[expect(unsafe_code, reason = "a library is loaded, whose initializers are foreign code")]
    // SAFETY: loading NVRTC runs its initializers, as any program that uses it does.
    let has_nvrtc = unsafe { cudarc::nvrtc::sys::is_culib_present() };
    if !has_nvrtc {
        eprintln!(
            "NVRTC is not here (libnvrtc.so, of CUDA or of `pip install nvidia-cuda-nvrtc`): what it made before is launched"
        );
        return Ok(Ptx::from_src(COMPILED));
    }
    println!("compiled by NVRTC now");
    let options = CompileOptions { arch: Some("compute_75"), ..CompileOptions::default() };
    Ok(compile_ptx_with_opts(SOURCE, options)?)
}

/// Computes a block's sum in the kernel's order.
fn block_sum(x: &[f32], y: &[f32], block: usize) -> f32 {
    let (threads, all) = (THREADS as usize, (BLOCKS * THREADS) as usize);
    let mut sums: Vec<f32> = (0..threads)
        .map(|thread| {
            let places = (block * threads + thread..x.len()).step_by(all);
            places.fold(0.0, |sum, i| x[i].mul_add(y[i], sum))
        })
        .collect();
    for distance in [16, 8, 4, 2, 1] {
        let before = sums.clone();
        for (thread, sum) in sums.iter_mut().enumerate() {
            // Lanes whose partner would be in another warp add themselves. Their sums are not used.
            let partner = if thread % 32 + distance < 32 { thread + distance } else { thread };
            *sum += before[partner];
        }
    }
    sums.iter().step_by(32).copied().reduce(|all, warp| all + warp).unwrap_or_default()
}
