//! One benchmark of examples/suite as a device would run it, nn, in f32 and f16.

use ptxf::kernel::{Element, Grid};
use ptxf::{F16, F16x2};

use super::State;
use super::kernels::{Parameters, Stored, store};

macro_rules! kernels {
    ($of:ty: $($kernels:tt)*) => {
        $crate::kernels::modules! { $($kernels)* }
    };
}

include!("../../../examples/suite/kernels/nn.rs");

/// A sibling of the CPU's.
type Sibling<E> = fn(Grid, usize, &[E], &[E], f32, f32, &mut [E]);

/// What an entry runs.
pub(crate) enum Entry {
    /// Of so many threads at once.
    Single(Sibling<f32>, usize),
    Half(Sibling<F16>, usize),
    ByHand,
}

/// What the entry of this name runs.
pub(crate) fn entry(name: &str) -> Option<Entry> {
    Some(match name {
        "in_f32_nn_scalar" => Entry::Single(in_f32::nn::scalar, 1),
        "in_f32_nn_pair" => Entry::Single(in_f32::nn::pair, 2),
        "in_f16_nn_scalar" => Entry::Half(in_f16::nn::scalar, 1),
        "in_f16_nn_pair" => Entry::Half(in_f16::nn::pair, 2),
        "in_f16_keep_nn_scalar" => Entry::Half(in_f16_keep::nn::scalar, 1),
        "in_f16_keep_nn_pair" => Entry::Half(in_f16_keep::nn::pair, 2),
        "hand_nn" => Entry::ByHand,
        _ => return None,
    })
}

/// Runs it on so many threads of the device.
pub(crate) fn run<P: Fn(usize, usize) -> u64>(
    entry: Entry,
    name: &str,
    parameters: Parameters<P>,
    threads: usize,
    s: &mut State,
) -> Option<()> {
    match entry {
        Entry::Single(sibling, lanes) => distances(name, sibling, lanes, parameters, threads, s),
        Entry::Half(sibling, lanes) => distances(name, sibling, lanes, parameters, threads, s),
        Entry::ByHand => by_hand(name, parameters, threads, s),
    }
}

fn distances<E: Stored + Element, P: Fn(usize, usize) -> u64>(
    name: &str,
    sibling: Sibling<E>,
    lanes: usize,
    mut parameters: Parameters<P>,
    threads: usize,
    s: &mut State,
) -> Option<()> {
    let wanted = parameters.read(4) as usize;
    let head = if lanes == 2 { parameters.read(4) } else { 0 };
    if head != 0 || threads * lanes < wanted {
        return None;
    }
    let n = parameters.size();
    let (_, lat) = parameters.slice(s)?;
    let (_, lng) = parameters.slice(s)?;
    let (lat0, lng0) = (parameters.float(), parameters.float());
    let (address, mut out) = parameters.slice(s)?;
    sibling(wanted.into(), n, &lat, &lng, lat0, lng0, &mut out);
    store(name, address, &out, s)
}

/// Both lanes of every pair, by the scalar kernel.
fn by_hand<P: Fn(usize, usize) -> u64>(
    name: &str,
    mut parameters: Parameters<P>,
    threads: usize,
    s: &mut State,
) -> Option<()> {
    let lanes = |pairs: Vec<F16x2>| pairs.into_iter().flat_map(F16x2::to_array).collect::<Vec<_>>();
    let n = parameters.size();
    let (_, lat) = parameters.slice(s)?;
    let (_, lng) = parameters.slice(s)?;
    let (lat0, lng0) = (parameters.float(), parameters.float());
    let (address, out) = parameters.slice(s)?;
    if threads < n {
        return None;
    }
    let mut out = lanes(out);
    in_f16::nn::scalar(2 * n, 2 * n, &lanes(lat), &lanes(lng), lat0, lng0, &mut out);
    let pairs: Vec<_> = out.chunks(2).map(|pair| F16x2::from_lo_hi(pair[0], pair[1])).collect();
    store(name, address, &pairs, s)
}
