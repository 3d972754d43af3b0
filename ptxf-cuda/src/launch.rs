//! Launches and occupancy.

use std::ffi::{c_int, c_uint, c_void};

use ptxf_vm::Entry;

use crate::abi::{Host, In, Out, SharedOfBlock};
use crate::device::{MOST_THREADS, WARP, blocks_at_once, processors, shared_of_each};
use crate::failure::{Code, Done, Failure};
use crate::graph::Work;
use crate::module::Function;
use crate::{capture, report, settings, state, stream};

/// `CUlaunchConfig`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Configuration {
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    stream: usize,
    attributes: In<Attribute>,
    count: c_uint,
}

/// `CUlaunchAttribute`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Attribute {
    id: c_uint,
    pad: [u8; 4],
    value: [u32; 16],
}

/// The numbers of CU_LAUNCH_ATTRIBUTE_COOPERATIVE and _CLUSTER_DIMENSION.
const COOPERATIVE: c_uint = 2;
const CLUSTER: c_uint = 4;

/// The two lists of an entry's arguments, of which the caller passes one.
pub(crate) type Arguments = (In<Host>, In<*mut c_void>);

/// The sizes of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) grid: [c_uint; 3],
    pub(crate) block: [c_uint; 3],
    pub(crate) shared: c_uint,
    pub(crate) cooperative: bool,
    /// The blocks of a cluster along each axis.
    pub(crate) cluster: [c_uint; 3],
}

impl Sizes {
    pub(crate) const fn new(grid: [c_uint; 3], block: [c_uint; 3], shared: c_uint) -> Self {
        Self { grid, block, shared, cooperative: false, cluster: [1; 3] }
    }
}

#[expect(clippy::too_many_arguments, reason = "the driver's function has them")]
pub(crate) fn launch(
    function: usize,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: usize,
    parameters: In<Host>,
    extra: In<*mut c_void>,
) -> Done {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    run(function, Sizes::new(grid, block, shared), stream, (parameters, extra))
}

#[expect(clippy::too_many_arguments, reason = "the driver's function has them")]
pub(crate) fn cooperative(
    function: usize,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: usize,
    parameters: In<Host>,
) -> Done {
    let (grid, block) = ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]);
    run(function, Sizes { cooperative: true, ..Sizes::new(grid, block, shared) }, stream, (parameters, In::NULL))
}

pub(crate) fn configured(
    configuration: In<Configuration>,
    function: usize,
    parameters: In<Host>,
    extra: In<*mut c_void>,
) -> Done {
    run_configured(configuration.get()?, function, (parameters, extra))
}

impl Configuration {
    /// Returns the configuration of a launch with attributes.
    pub(crate) const fn new(sizes: Sizes, stream: usize, (attributes, count): (In<Attribute>, c_uint)) -> Self {
        let Sizes { grid, block, shared, .. } = sizes;
        Self { grid, block, shared, stream, attributes, count }
    }
}

/// Launches a function with attributes.
pub(crate) fn run_configured(configuration: Configuration, function: usize, arguments: Arguments) -> Done {
    let Configuration { grid, block, shared, stream, attributes, count } = configuration;
    let mut sizes = Sizes::new(grid, block, shared);
    for i in 0..count as usize {
        let Attribute { id, value, .. } = attributes.at(i)?;
        match id {
            COOPERATIVE => sizes.cooperative = value[0] != 0,
            CLUSTER => sizes.cluster.copy_from_slice(&value[..3]),
            // The other attributes concern time and caches.
            _ => {}
        }
    }
    run(function, sizes, stream, arguments)
}

/// A launch with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    function: usize,
    sizes: Sizes,
    bytes: Vec<u8>,
}

/// Launches a function.
pub(crate) fn run(function: usize, sizes: Sizes, stream: usize, arguments: Arguments) -> Done {
    let context = state::of(function)?;
    if stream::known(stream)?.handle() != context.handle() {
        return Err(Code::InvalidHandle.because("the function and the stream belong to different contexts"));
    }
    capture::submit(stream, Work::Kernel(Launch::new(function, sizes, arguments)?))
}

impl Launch {
    /// Checks the sizes of a launch and reads its arguments.
    pub(crate) fn new(function: usize, sizes: Sizes, arguments: Arguments) -> Result<Self, Failure> {
        let Sizes { grid, block, shared, cooperative, .. } = sizes;
        let context = state::of(function)?;
        let Function { entry, most_shared, .. } = context.enter()?.function(function)?.clone();
        let name = entry.name();
        if shared > most_shared {
            let how = "set CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES for more";
            let what = format!("{name}: {shared} bytes of dynamic shared memory: the maximum is {most_shared}; {how}");
            return Err(Code::InvalidValue.because(what));
        }
        if cooperative {
            let threads = block.iter().copied().fold(1, u32::saturating_mul);
            let (blocks, most) = (grid.iter().copied().fold(1, u32::saturating_mul), at_once(&entry, threads, shared)?);
            if blocks > most {
                return Err(Code::CooperativeLaunchTooLarge
                    .because(format!("{name}: {blocks} blocks, and at most {most} run at once")));
            }
        }
        Ok(Self { function, sizes, bytes: gathered(&entry, arguments)? })
    }

    pub(crate) fn run(&self) -> Done {
        let Sizes { grid, block, shared, cooperative, cluster } = self.sizes;
        let context = state::of(self.function)?;
        let mut state = context.enter()?;
        let entry = state.function(self.function)?.entry.clone();
        state.survives()?;
        state.machine.set_cluster(cluster);
        let done = state.machine.launch_bytes(&entry, grid, block, shared, &self.bytes, cooperative);
        state.machine.reports().iter().for_each(report::found);
        match done {
            Ok(()) => settings::known()?.faults.spoil(&mut state.machine, &entry, &self.bytes),
            Err(fault) => state.ended(fault),
        }
    }
}

/// Returns the number of blocks that run at once, on all processors together.
fn at_once(entry: &Entry, threads: u32, shared: u32) -> Result<u32, Failure> {
    Ok(blocks_at_once(threads, entry.shared_bytes().saturating_add(shared)) * processors()?)
}

/// The words of `extra`.
const END: usize = 0;
const POINTER: usize = 1;
const SIZE: usize = 2;

/// Returns the arguments as one block, from a pointer for each or from the buffer of `extra`.
fn gathered(entry: &Entry, (parameters, extra): Arguments) -> Result<Vec<u8>, Failure> {
    let mut block = vec![0; entry.parameter_bytes()];
    if !parameters.is_null() {
        for (i, (offset, bytes)) in entry.parameters().enumerate() {
            let pointer = parameters.at(i)?;
            if pointer.is_null() {
                let what = format!("{}: the pointer to argument {}, of {bytes} bytes, is null", entry.name(), i + 1);
                return Err(Code::InvalidValue.because(what));
            }
            block[offset..][..bytes].copy_from_slice(&pointer.read(0, bytes)?);
        }
        return Ok(block);
    }
    if extra.is_null() {
        if block.is_empty() {
            return Ok(block);
        }
        let (name, count) = (entry.name(), entry.parameters().len());
        return Err(Code::InvalidValue.because(format!("{name} takes {count} arguments, and none are passed")));
    }
    let (mut buffer, mut size) = (None, None);
    for i in (0..).step_by(2) {
        match extra.at(i)?.addr() {
            END => break,
            POINTER => buffer = Some(extra.at(i + 1)?),
            SIZE => size = Some(extra.at(i + 1)?),
            other => {
                return Err(Code::InvalidValue.because(format!("`extra` has the word {other}: 0, 1 or 2 is expected")));
            }
        }
    }
    let (Some(buffer), Some(size)) = (buffer, size) else {
        return Err(Code::InvalidValue.because("`extra` lacks the buffer or its size"));
    };
    let passed = In::<usize>::behind(size).get()?;
    // Bytes after the last argument are ignored. They are a mistake of the caller.
    if passed < block.len() || passed > block.len() && settings::known()?.strict {
        let what = format!("{} takes {} bytes of arguments, and {passed} are passed", entry.name(), block.len());
        return Err(Code::InvalidValue.because(what));
    }
    block = Host::behind_pointer(buffer).read(0, block.len())?;
    Ok(block)
}

fn threads(count: c_int) -> Result<u32, Failure> {
    let fits = u32::try_from(count).ok().filter(|count| (1..=MOST_THREADS).contains(count));
    fits.ok_or_else(|| {
        Code::InvalidValue.because(format!("a block of {count} threads: 1 to {MOST_THREADS} are possible"))
    })
}

fn entry(function: usize) -> Result<Entry, Failure> {
    let context = state::of(function)?;
    let state = context.enter()?;
    Ok(state.function(function)?.entry.clone())
}

fn narrow(bytes: usize) -> u32 {
    bytes.try_into().unwrap_or(u32::MAX)
}

pub(crate) fn active_blocks(blocks: Out<c_int>, function: usize, of: c_int, shared: usize) -> Done {
    let entry = entry(function)?;
    blocks.put(blocks_at_once(threads(of)?, entry.shared_bytes().saturating_add(narrow(shared))) as c_int)
}

pub(crate) fn active_blocks_with_flags(
    blocks: Out<c_int>,
    function: usize,
    of: c_int,
    shared: usize,
    _flags: c_uint,
) -> Done {
    active_blocks(blocks, function, of, shared)
}

/// Returns the largest block that fits. A smaller one has no advantage.
pub(crate) fn potential_block(
    grid: Out<c_int>,
    block: Out<c_int>,
    function: usize,
    shared_of: SharedOfBlock,
    shared: usize,
    limit: c_int,
) -> Done {
    let entry = entry(function)?;
    let most = entry.most_threads();
    let most = u32::try_from(limit).ok().filter(|limit| (1..most).contains(limit)).unwrap_or(most);
    let mut size = most;
    loop {
        let shared = narrow(shared_of.call(size).unwrap_or(shared));
        let blocks = at_once(&entry, size, shared)?;
        if blocks > 0 {
            grid.put(blocks as c_int)?;
            return block.put(size as c_int);
        }
        if size <= WARP {
            return Err(Code::InvalidValue.because("no block can have so much shared memory"));
        }
        size = (size - 1) / WARP * WARP;
    }
}

pub(crate) fn potential_block_with_flags(
    grid: Out<c_int>,
    block: Out<c_int>,
    function: usize,
    shared_of: SharedOfBlock,
    shared: usize,
    limit: c_int,
    _flags: c_uint,
) -> Done {
    potential_block(grid, block, function, shared_of, shared, limit)
}

pub(crate) fn available_shared(bytes: Out<usize>, function: usize, blocks: c_int, of: c_int) -> Done {
    let entry = entry(function)?;
    threads(of)?;
    let blocks = u32::try_from(blocks).ok().filter(|n| *n > 0).ok_or(Code::InvalidValue)?;
    bytes.put(shared_of_each(blocks, entry.shared_bytes()) as usize)
}
