//! Launches of kernels, their attributes, and occupancy.

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_uint, c_void};

use super::binary::function;
use crate::abi::{Host, In, Out};
use crate::device::MOST_THREADS;
use crate::failure::{Code, Done, Failure};
use crate::launch::{self, Attribute, Configuration, Sizes};
use crate::module;

/// `dim3`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Dim {
    x: c_uint,
    y: c_uint,
    z: c_uint,
}

/// The configuration of a call `kernel<<<grid, block, shared, stream>>>(…)`.
#[derive(Clone, Copy, Debug)]
struct Call {
    grid: Dim,
    block: Dim,
    shared: usize,
    stream: usize,
}

thread_local! {
    /// The configurations of calls whose kernels were not launched yet.
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn push(grid: Dim, block: Dim, shared: usize, stream: usize) -> Done {
    CALLS.with_borrow_mut(|calls| calls.push(Call { grid, block, shared, stream }));
    Ok(())
}

pub(super) fn pop(grid: Out<Dim>, block: Out<Dim>, shared: Out<usize>, stream: Out<usize>) -> Done {
    let call = CALLS.with_borrow_mut(Vec::pop).ok_or(Code::MissingConfiguration)?;
    grid.put(call.grid)?;
    block.put(call.block)?;
    shared.put(call.shared)?;
    stream.put(call.stream)
}

/// The largest grid along each axis.
const MOST_BLOCKS: [c_uint; 3] = [c_int::MAX as c_uint, 65_535, 65_535];

/// Returns the sizes of a launch if a device can have them.
fn sizes(grid: Dim, block: Dim, shared: usize) -> Result<Sizes, Failure> {
    let [grid, block] = [grid, block].map(|Dim { x, y, z }| [x, y, z]);
    let threads = block.iter().copied().fold(1, c_uint::saturating_mul);
    let fits = grid.iter().zip(MOST_BLOCKS).all(|(n, most)| (1..=most).contains(n));
    if !fits || !(1..=MOST_THREADS).contains(&threads) {
        let what = format!(
            "a grid of {grid:?} blocks of {block:?} threads: a block has 1 to {MOST_THREADS} threads, and a grid at most {MOST_BLOCKS:?} blocks"
        );
        return Err(Code::InvalidConfiguration.because(what));
    }
    let shared =
        shared.try_into().map_err(|_| Code::InvalidValue.because(format!("{shared} bytes of shared memory")))?;
    Ok(Sizes::new(grid, block, shared))
}

pub(super) fn launch(kernel: Host, grid: Dim, block: Dim, arguments: In<Host>, shared: usize, stream: usize) -> Done {
    launch::run(function(kernel)?, sizes(grid, block, shared)?, stream, (arguments, In::NULL))
}

pub(super) fn cooperative(
    kernel: Host,
    grid: Dim,
    block: Dim,
    arguments: In<Host>,
    shared: usize,
    stream: usize,
) -> Done {
    let sizes = Sizes { cooperative: true, ..sizes(grid, block, shared)? };
    launch::run(function(kernel)?, sizes, stream, (arguments, In::NULL))
}

/// `cudaLaunchConfig_t`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Launch {
    grid: Dim,
    block: Dim,
    shared: usize,
    stream: usize,
    attributes: In<Attribute>,
    count: c_uint,
}

pub(super) fn configured(launch: In<Launch>, kernel: Host, arguments: In<Host>) -> Done {
    let Launch { grid, block, shared, stream, attributes, count } = launch.get()?;
    let configuration = Configuration::new(sizes(grid, block, shared)?, stream, (attributes, count));
    launch::run_configured(configuration, function(kernel)?, (arguments, In::NULL))
}

/// The attributes of `cudaFuncAttributes`, in its order: the number of the driver's attribute, and
/// the size of the field in bytes.
const ATTRIBUTES: [(c_uint, usize); 16] = [
    (1, 8),
    (2, 8),
    (3, 8),
    (0, 4),
    (4, 4),
    (5, 4),
    (6, 4),
    (7, 4),
    (8, 4),
    (9, 4),
    (10, 4),
    (11, 4),
    (12, 4),
    (13, 4),
    (15, 4),
    (14, 4),
];

pub(super) fn attributes(to: Host, kernel: Host) -> Done {
    let (function, mut bytes) = (function(kernel)?, Vec::new());
    for (attribute, size) in ATTRIBUTES {
        let value = u64::from(module::attribute_of(attribute, function)?);
        bytes.extend(&value.to_le_bytes()[..size]);
    }
    to.write(0, &bytes)
}

pub(super) fn set_attribute(kernel: Host, attribute: c_uint, value: c_int) -> Done {
    module::set_attribute(function(kernel)?, attribute, value)
}

pub(super) fn set_attribute_for(kernel: Host, attribute: c_uint, value: c_int, _device: c_int) -> Done {
    set_attribute(kernel, attribute, value)
}

pub(super) fn configure(kernel: Host, configuration: c_uint) -> Done {
    module::configure(function(kernel)?, configuration)
}

pub(super) fn name(to: Out<*const c_char>, kernel: Host) -> Done {
    module::function_name(to, function(kernel)?)
}

pub(super) fn parameter(kernel: Host, index: usize, offset: Out<usize>, bytes: Out<usize>) -> Done {
    module::parameter(function(kernel)?, index, offset, bytes)
}

pub(super) fn parameter_count(kernel: Host, count: Out<usize>) -> Done {
    module::parameter_count(function(kernel)?, count)
}

pub(super) fn active_blocks(blocks: Out<c_int>, kernel: Host, threads: c_int, shared: usize) -> Done {
    launch::active_blocks(blocks, function(kernel)?, threads, shared)
}

pub(super) fn active_blocks_with(
    blocks: Out<c_int>,
    kernel: Host,
    threads: c_int,
    shared: usize,
    _flags: c_uint,
) -> Done {
    active_blocks(blocks, kernel, threads, shared)
}

pub(super) fn available_shared(bytes: Out<usize>, kernel: Host, blocks: c_int, threads: c_int) -> Done {
    launch::available_shared(bytes, function(kernel)?, blocks, threads)
}

/// Looks a function of the driver up.
pub(super) fn entry_point(
    symbol: crate::abi::Text,
    to: Out<*const c_void>,
    version: c_uint,
    flags: u64,
    status: Out<c_uint>,
) -> Done {
    let found = crate::exports::get_v2(symbol, to, version as c_int, flags, status);
    // The status has the result, if there is a place for it.
    found.or_else(|failure| match failure.code {
        Code::NotFound => status.place().map(drop).map_err(|_| failure),
        _ => Err(failure),
    })
}

pub(super) fn entry_point_now(
    symbol: crate::abi::Text,
    to: Out<*const c_void>,
    flags: u64,
    status: Out<c_uint>,
) -> Done {
    entry_point(symbol, to, crate::device::VERSION as c_uint, flags, status)
}
