//! Launches the kernels on the CPU and on a device.

use launch_kernels::{dequantize, distance, smooth, sums};
use ptxf::F16;
use ptxf::kernel::Grid;
use ptxf_cudarc::{Error, Kernels};

/// The origin of the distances.
const PLACE: (f32, f32) = (90.0, -120.0);

/// The code of zero, the flag for clamping, and its bounds.
const CODES: (i8, bool, (f32, f32)) = (-3, true, (-50.0, 60.0));

/// The kernels' inputs.
pub(crate) struct Input {
    pub(crate) x: Vec<F16>,
    pub(crate) y: Vec<F16>,
    pub(crate) codes: Vec<i8>,
    /// A scale for each block of `dequantize`.
    pub(crate) scales: Vec<F16>,
}

/// Results by kernel name.
type Results = Vec<(&'static str, Vec<F16>)>;

/// Returns a grid of whole blocks of 64 threads, with at least `n` threads.
fn blocks(n: usize) -> Grid {
    Grid::from(n.next_multiple_of(64)).block([64, 1, 1])
}

/// Runs the `wide` versions on this CPU.
pub(crate) fn on_cpu(Input { x, y, codes, scales }: &Input) -> Results {
    let n = x.len();
    let mut distances = vec![F16::ZERO; n];
    distance::wide(n, n, x, y, PLACE.0, PLACE.1, &mut distances);
    let mut smoothed = vec![F16::ZERO; n];
    smooth::wide(n, n, y, &mut smoothed);
    let mut values = vec![F16::ZERO; n];
    let (zero, clamped, range) = CODES;
    dequantize::wide(n, zero, clamped, range, codes, scales, &mut values);
    let mut of_blocks = vec![F16::ZERO; n.div_ceil(64)];
    sums::wide(blocks(n), x, &mut of_blocks);
    vec![("distance", distances), ("smooth", smoothed), ("dequantize", values), ("sums", of_blocks)]
}

/// Runs the `pair` versions on the device.
pub(crate) fn on_device(kernels: &Kernels, input: &Input) -> Result<Results, Error> {
    let n = input.x.len();
    let (x, y) = (kernels.upload(&input.x)?, kernels.upload(&input.y)?);
    let mut distances = kernels.zeros::<F16>(n)?;
    distance::pair_on(kernels, n, n, &x, &y, PLACE.0, PLACE.1, &mut distances)?;
    let mut smoothed = kernels.zeros::<F16>(n)?;
    smooth::pair_on(kernels, n, n, &y, &mut smoothed)?;
    let (codes, scales) = (kernels.upload(&input.codes)?, kernels.upload(&input.scales)?);
    let mut values = kernels.zeros::<F16>(n)?;
    let (zero, clamped, range) = CODES;
    dequantize::pair_on(kernels, n, zero, clamped, range, &codes, &scales, &mut values)?;
    let mut of_blocks = kernels.zeros::<F16>(n.div_ceil(64))?;
    sums::pair_on(kernels, blocks(n), &x, &mut of_blocks)?;
    Ok(vec![
        ("distance", kernels.download(&distances)?),
        ("smooth", kernels.download(&smoothed)?),
        ("dequantize", kernels.download(&values)?),
        ("sums", kernels.download(&of_blocks)?),
    ])
}
