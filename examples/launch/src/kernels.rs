//! The kernels, on both machines.
// Invariant: a launch passes what the entry declares, and buffers as long as it says.

use driver::{Context, Error};
use launch_kernels::{distance, smooth};
use ptxf::F16;

use crate::entry::Arguments;

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
pub(crate) fn on_device(context: &Context, ptx: &str, x: &[F16], y: &[F16]) -> Result<Results, Error> {
    let n = x.len();
    let threads = u32::try_from(n).expect("as many threads as a launch may have");
    let module = context.load(ptx)?;
    let (device_x, device_y) = (context.upload(&bytes(x))?, context.upload(&bytes(y))?);
    let out = context.alloc(n * 2)?;
    let mut results = Vec::new();
    for (name, arguments) in [
        (
            "distance",
            Arguments::pair(threads)
                .size(n)
                .slice(&device_x, n)
                .slice(&device_y, n)
                .float(PLACE.0)
                .float(PLACE.1)
                .slice(&out, n),
        ),
        ("smooth", Arguments::pair(threads).size(n).slice(&device_y, n).slice(&out, n)),
    ] {
        let kernel = module.kernel(&format!("{name}_pair"))?;
        #[expect(unsafe_code, reason = "a kernel is foreign code")]
        // SAFETY: what `#[ptx_kernel]` makes checks each index against the length beside the slice, and each buffer here was made for
        // as many elements as are passed as its length.
        unsafe { kernel.launch(arguments.extent(), &arguments.list) }?;
        results.push((name, halves(&out.download()?)));
    }
    Ok(results)
}

/// The bytes as the device has them, the lower one first.
fn bytes(x: &[F16]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_bits().to_le_bytes()).collect()
}

fn halves(bytes: &[u8]) -> Vec<F16> {
    let (halves, _) = bytes.as_chunks::<2>();
    halves.iter().map(|&h| F16::from_bits(u16::from_le_bytes(h))).collect()
}
