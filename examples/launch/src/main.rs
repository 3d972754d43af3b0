//! Runs kernels on the CPU, and on a GPU if there is one, and compares the results bit by bit.
//!
//! `kernels` is compiled twice: as a library of this program, and by the build script to PTX.
//!
//! ```sh
//! cargo run --release --package launch
//! ```
//!
//! The exit status is 1 if the device's results differ. Without a device the program prints that no
//! GPU was used, and exits with 0.
// Invariant: the PTX that is loaded was compiled from the kernels that are launched.

mod bits;
mod gpu;
mod kernels;

use std::process::ExitCode;

use ptxf::F16;
use ptxf_cudarc::Kernels;

use crate::kernels::Input;

/// The constants that the build script wrote.
mod device {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

/// Number of points; odd, so that the last thread has no partner.
const N: usize = 100_001;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let wave = |i: usize, scale: f32| F16::from_f32(scale * (i as f32 * 0.37).sin());
    let x: Vec<F16> = (0..N).map(|i| wave(i, 300.0)).collect();
    let mut y: Vec<F16> = (0..N).map(|i| wave(i + 5, 200.0)).collect();
    // The device returns a NaN too, but its bits may differ.
    y[17] = F16::CANONICAL_NAN;

    let codes = (0..N).map(|i| (i * 37) as i8).collect();
    let scales = (0..N.div_ceil(256)).map(|i| wave(i, 1.5)).collect();
    let input = Input { x, y, codes, scales };

    let on_cpu = kernels::on_cpu(&input);
    let (context, ptx) = match (gpu::open()?, device::PTX) {
        (Ok(context), Ok(ptx)) => (context, ptx),
        (Err(why), _) => {
            no_gpu(&why, &on_cpu);
            return Ok(());
        }
        (_, Err(why)) => {
            no_gpu(&format!("the kernels were not compiled for a device: {why}"), &on_cpu);
            return Ok(());
        }
    };
    println!("{}: {} entries for {} and newer", context.name()?, device::ENTRIES.len(), device::TARGET);
    #[expect(unsafe_code, reason = "a kernel is foreign code")]
    // SAFETY: the build script compiled the PTX from the launched kernels.
    let kernels = unsafe { Kernels::load(&context.default_stream(), ptx) }?;
    let on_device = kernels::on_device(&kernels, &input)?;
    for ((name, device), (_, cpu)) in on_device.iter().zip(&on_cpu) {
        bits::compare(name, device, cpu)?;
        println!("{name}: {} results, the same bits on the device and on the CPU", cpu.len());
    }
    Ok(())
}

/// Prints the CPU's results, and that no GPU was used.
fn no_gpu(why: &str, results: &[(&'static str, Vec<F16>)]) {
    eprintln!("NO GPU WAS USED: {why}");
    for (name, out) in results {
        println!("{name}: {} results from the CPU; the first is {}", out.len(), out[0]);
    }
}
