//! Memory pools. A pool counts its memory, and has no memory of its own: an allocation is the same
//! with any pool.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uchar, c_uint, c_ushort};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::abi::{Host, In, Out};
use crate::device::known;
use crate::failure::{Code, Done, Failure};
use crate::graph::Work;
use crate::mapping::OfGraph;
use crate::{capture, memory, state};

/// `CUmemLocation`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Location {
    pub(crate) kind: c_uint,
    pub(crate) id: c_int,
}

/// `CUmemPoolProps`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Properties {
    allocation: c_uint,
    handle: c_uint,
    location: Location,
    security: usize,
    most: usize,
    usage: c_ushort,
    direct: c_uchar,
}

/// `CUmemAccessDesc`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Access {
    pub(crate) location: Location,
    pub(crate) flags: c_uint,
}

/// The numbers of `CU_MEM_LOCATION_TYPE_DEVICE`, `CU_MEM_ALLOCATION_TYPE_PINNED` and
/// `CU_MEM_ACCESS_FLAGS_PROT_READWRITE`.
pub(crate) const DEVICE: c_uint = 1;
pub(crate) const PINNED: c_uint = 1;
pub(crate) const READ_WRITE: c_uint = 3;

/// A pool.
#[derive(Clone, Debug)]
struct Pool {
    device: usize,
    /// The first four attributes: three flags of reuse, and the bytes that are kept. They have no
    /// effect.
    set: [u64; 4],
    /// Bytes that are allocated, and the most that were.
    used: u64,
    high: u64,
    /// The greatest number of bytes.
    most: u64,
}

/// The pools of a process.
#[derive(Debug)]
struct Pools {
    made: usize,
    /// Pools by their handles. Those of `cuMemPoolCreate` follow the devices' own.
    all: BTreeMap<usize, Pool>,
    /// The pools that devices use, if they are not their own.
    current: BTreeMap<usize, usize>,
    /// The pool and the size of an allocation, by its address.
    of: BTreeMap<u64, (usize, u64)>,
}

static POOLS: Mutex<Pools> =
    Mutex::new(Pools { made: 0, all: BTreeMap::new(), current: BTreeMap::new(), of: BTreeMap::new() });

/// The handle of the first device's own pool, the distance of handles, and the first handle of
/// another pool.
const FIRST: usize = 0x1000;
const STEP: usize = 16;
const CREATED: usize = 0x2000;

fn pools() -> MutexGuard<'static, Pools> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

const fn own_pool(device: usize) -> usize {
    FIRST + STEP * device
}

impl Pool {
    const fn new(device: usize, most: u64) -> Self {
        Self { device, set: [1, 1, 1, 0], used: 0, high: 0, most }
    }
}

impl Pools {
    fn pool(&mut self, handle: usize) -> Result<&mut Pool, Failure> {
        let device = handle.checked_sub(FIRST).filter(|at| at % STEP == 0).map(|at| at / STEP);
        if let Some(device) = device
            && known(c_int::try_from(device).unwrap_or(c_int::MAX)).is_ok()
        {
            return Ok(self.all.entry(handle).or_insert(Pool::new(device, u64::MAX)));
        }
        self.all.get_mut(&handle).ok_or_else(|| Code::InvalidValue.because("the handle is of no memory pool"))
    }

    fn current(&self, device: usize) -> usize {
        self.current.get(&device).copied().unwrap_or(own_pool(device))
    }
}

/// Returns the device of a location.
fn device(location: Location) -> Result<usize, Failure> {
    if location.kind != DEVICE {
        return Err(Code::NotSupported.because("a memory pool belongs to a device: memory of the host has none"));
    }
    known(location.id)
}

pub(crate) fn create(pool: Out<usize>, properties: In<Properties>) -> Done {
    let (pool, Properties { allocation, handle, location, most, .. }) = (pool.place()?, properties.get()?);
    if allocation != PINNED || handle != 0 {
        return Err(Code::NotSupported.because("a memory pool has pinned memory, and no handle for other processes"));
    }
    let device = device(location)?;
    let mut pools = pools();
    pools.made += 1;
    let new = CREATED + STEP * pools.made;
    pools.all.insert(new, Pool::new(device, if most == 0 { u64::MAX } else { most as u64 }));
    pool.put(new)
}

/// Destroys a pool. Its memory stays until it is freed.
pub(crate) fn destroy(pool: usize) -> Done {
    let mut pools = pools();
    pools.pool(pool)?;
    if pool < CREATED {
        return Err(Code::InvalidValue.because("the pool belongs to a device, and ends with it"));
    }
    pools.all.remove(&pool);
    pools.current.retain(|_, current| *current != pool);
    Ok(())
}

/// Writes the handle of a device's own pool.
pub(crate) fn own(pool: Out<usize>, device: c_int) -> Done {
    pool.put(own_pool(known(device)?))
}

pub(crate) fn current(pool: Out<usize>, device: c_int) -> Done {
    pool.put(pools().current(known(device)?))
}

pub(crate) fn set_current(device: c_int, pool: usize) -> Done {
    let device = known(device)?;
    let mut pools = pools();
    if pools.pool(pool)?.device != device {
        return Err(Code::InvalidValue.because("the pool belongs to another device"));
    }
    pools.current.insert(device, pool);
    Ok(())
}

pub(crate) fn own_at(pool: Out<usize>, location: In<Location>, _kind: c_uint) -> Done {
    pool.put(own_pool(device(location.get()?)?))
}

pub(crate) fn current_at(pool: Out<usize>, location: In<Location>, _kind: c_uint) -> Done {
    pool.put(pools().current(device(location.get()?)?))
}

pub(crate) fn set_current_at(location: In<Location>, _kind: c_uint, pool: usize) -> Done {
    set_current(device(location.get()?)? as c_int, pool)
}

/// Returns the attribute of `CUmemPool_attribute`, and its size in bytes.
pub(crate) fn attribute(pool: usize, attribute: c_uint, to: Host) -> Done {
    let mut pools = pools();
    let pool = pools.pool(pool)?;
    let (value, bytes) = match attribute {
        1..=3 => (pool.set[attribute as usize - 1], 4),
        4 => (pool.set[3], 8),
        // Reserved memory is what is used.
        5 | 7 => (pool.used, 8),
        6 | 8 => (pool.high, 8),
        _ => return Err(Code::InvalidValue.because(format!("a memory pool has no attribute {attribute}"))),
    };
    to.write(0, &value.to_le_bytes()[..bytes])
}

pub(crate) fn set_attribute(pool: usize, attribute: c_uint, from: Host) -> Done {
    let bytes = from.read(0, if attribute < 4 { 4 } else { 8 })?;
    let value = bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let mut pools = pools();
    let pool = pools.pool(pool)?;
    match attribute {
        1..=4 => pool.set[attribute as usize - 1] = value,
        6 | 8 if value == 0 => pool.high = pool.used,
        6 | 8 => return Err(Code::InvalidValue.because("the most memory so far can be set to 0 only")),
        _ => return Err(Code::InvalidValue.because(format!("the attribute {attribute} cannot be set"))),
    }
    Ok(())
}

/// Does nothing: a pool keeps no memory that is free.
pub(crate) fn trim(pool: usize, _keep: usize) -> Done {
    pools().pool(pool).map(drop)
}

pub(crate) fn set_access(pool: usize, access: In<Access>, count: usize) -> Done {
    let own = pools().pool(pool)?.device;
    for i in 0..count {
        let Access { location, flags } = access.at(i)?;
        let fits = device(location)? == own;
        if !fits && flags != 0 {
            return Err(Code::PeerAccessUnsupported.into());
        }
        if fits && flags != READ_WRITE {
            return Err(Code::InvalidValue.because("a device reads and writes its own memory"));
        }
    }
    Ok(())
}

pub(crate) fn access(flags: Out<c_uint>, pool: usize, location: In<Location>) -> Done {
    let is_own = device(location.get()?)? == pools().pool(pool)?.device;
    flags.put(if is_own { READ_WRITE } else { 0 })
}

/// Allocates from a device's current pool.
pub(crate) fn alloc(address: Out<u64>, bytes: usize, stream: usize) -> Done {
    let device = crate::stream::known(stream)?.device;
    let current = pools().current(device);
    alloc_from(address, bytes, current, stream)
}

/// Allocates from a pool. In a capture, the memory is at the address while the graph's launch uses
/// it, and counts in no pool.
pub(crate) fn alloc_from(address: Out<u64>, bytes: usize, pool: usize, stream: usize) -> Done {
    let address = address.place()?;
    if capture::is_capturing(stream)? {
        let memory = OfGraph::new(stream, bytes)?;
        capture::submit(stream, Work::Alloc(memory))?;
        return address.put(memory.address());
    }
    let mut pools = pools();
    let used = pools.pool(pool)?;
    if bytes as u64 > used.most.saturating_sub(used.used) {
        let what = format!("{bytes} bytes do not fit: the pool has at most {}, and {} are used", used.most, used.used);
        return Err(Code::OutOfMemory.because(what));
    }
    let start = memory::take(bytes)?;
    used.used += bytes as u64;
    used.high = used.high.max(used.used);
    pools.of.insert(start, (pool, bytes as u64));
    address.put(start)
}

/// Frees memory of any pool, or of none. In a capture, it is memory that a graph has allocated.
pub(crate) fn free(address: u64, stream: usize) -> Done {
    if !capture::is_capturing(stream)? {
        return freed(address);
    }
    let memory = OfGraph::at(address)?.ok_or_else(|| {
        let what = "a capture frees only memory that was allocated in a capture: free it before or after";
        Code::InvalidValue.because(what)
    })?;
    capture::submit(stream, Work::Free(memory))
}

/// Frees memory, and counts it as free in its pool.
pub(crate) fn freed(address: u64) -> Done {
    if let Some(memory) = OfGraph::at(address)? {
        return memory.free();
    }
    memory::free(address)?;
    let mut pools = pools();
    if let Some((pool, bytes)) = pools.of.remove(&address)
        && let Some(pool) = pools.all.get_mut(&pool)
    {
        pool.used -= bytes;
    }
    Ok(())
}

/// Forgets the memory of a context that has ended.
pub(crate) fn ended(context: &state::Context) {
    let mut pools = pools();
    let gone: Vec<u64> = pools.of.keys().copied().filter(|address| context.has(*address)).collect();
    for address in gone {
        if let Some((pool, bytes)) = pools.of.remove(&address)
            && let Some(pool) = pools.all.get_mut(&pool)
        {
            pool.used -= bytes;
        }
    }
}
