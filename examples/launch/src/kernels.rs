//! The kernels, on both machines.

use launch_kernels::{distance, smooth};
use ptxf::F16;
use ptxf_cudarc::{Error, Kernels};

/// The place that distances are measured from.
const PLACE: (f32, f32) = (90.0, -120.0);

/// Results by the kernels' names.
type Results = Vec<(&'static str, Vec<F16>)>;

/// All threads, as many at a time as a vector of this CPU has lanes.
pub(crate) fn on_cpu(x: &[F16], y: &[F16]) -> Results {
    let n = x.len();
    let mut distances = vec![F16::ZERO; n];
    distance::wide(n, n, x, y, PLACE.0, PLACE.1, &mut distances);
    let mut smoothed = vec![F16::ZERO; n];
    smooth::wide(n, n, y, &mut smoothed);
    vec![("distance", distances), ("smooth", smoothed)]
}

/// Two threads per thread of the device.
pub(crate) fn on_device(kernels: &Kernels, x: &[F16], y: &[F16]) -> Result<Results, Error> {
    let n = x.len();
    let (x, y) = (kernels.upload(x)?, kernels.upload(y)?);
    let mut distances = kernels.zeros::<F16>(n)?;
    distance::pair_on(kernels, n, n, &x, &y, PLACE.0, PLACE.1, &mut distances)?;
    let mut smoothed = kernels.zeros::<F16>(n)?;
    smooth::pair_on(kernels, n, n, &y, &mut smoothed)?;
    Ok(vec![("distance", kernels.download(&distances)?), ("smooth", kernels.download(&smoothed)?)])
}
