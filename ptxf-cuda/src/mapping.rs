//! Virtual memory: reserved addresses, memory without an address, and mappings of one to the other.
//!
//! Memory and addresses belong to the context that was current when they were made, and so to its
//! device.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_uint, c_ulonglong};

use ptxf_vm::{Permission, Storage};

use crate::abi::{In, Out};
use crate::array::wrong;
use crate::device::known;
use crate::failure::{Code, Done, Failure};
use crate::memory::owned;
use crate::pool::{Access, DEVICE, Location, PINNED, READ_WRITE};
use crate::state::{self, State};
use crate::stream;

/// `CUmemAllocationProp`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Properties {
    kind: c_uint,
    /// Handles for other processes, which are accepted here and refused when one is exported.
    handles: c_uint,
    location: Location,
    security: usize,
    flags: [u8; 8],
}

/// Memory of `cuMemCreate`.
#[derive(Clone, Debug)]
struct Made {
    storage: Storage,
    properties: Properties,
    /// The number of uses of the handle.
    users: usize,
}

/// The virtual memory of a context.
#[derive(Debug, Default)]
pub(crate) struct Mappings {
    /// Sizes of reservations by their addresses.
    reserved: BTreeMap<u64, usize>,
    /// Memory by its handle, as long as the handle or a mapping uses it.
    made: BTreeMap<u64, Made>,
    /// The handle and the size of each mapping, by its address.
    mapped: BTreeMap<u64, (u64, usize)>,
    /// Sizes of the memory of graphs, by its address.
    of_graphs: BTreeMap<u64, usize>,
}

/// Memory that the launch of a graph allocates, at an address that its capture has reserved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfGraph {
    address: u64,
    bytes: usize,
}

/// The granularity of sizes and addresses in bytes.
const PAGE: usize = 2 << 20;
/// The number of `CU_MEM_ACCESS_FLAGS_PROT_READ`.
const READ: c_uint = 1;

impl Mappings {
    /// Returns the bytes of all memory.
    pub(crate) fn bytes(&self) -> u64 {
        self.made.values().map(|made| made.storage.bytes()).sum()
    }

    /// Returns the number of memories that something uses.
    pub(crate) fn count(&self) -> usize {
        self.made.len()
    }

    fn made(&mut self, handle: u64) -> Result<&mut Made, Failure> {
        let found = self.made.get_mut(&handle).filter(|made| made.users > 0);
        found.ok_or_else(|| Code::InvalidValue.because(format!("{handle:#x} is no handle of cuMemCreate")))
    }

    /// Frees memory that neither a handle nor a mapping uses.
    fn sweep(&mut self) {
        let mapped = &self.mapped;
        self.made.retain(|handle, made| made.users > 0 || mapped.values().any(|(of, _)| of == handle));
    }
}

impl State {
    fn unmap(&mut self, address: u64, bytes: usize) -> Done {
        self.machine.unmap(address, bytes as u64).map_err(wrong)?;
        self.mappings.mapped.retain(|at, _| !(address..address + bytes as u64).contains(at));
        self.mappings.sweep();
        Ok(())
    }
}

impl OfGraph {
    /// Reserves an address in the context of a stream.
    pub(crate) fn new(stream: usize, bytes: usize) -> Result<Self, Failure> {
        let context = stream::known(stream)?;
        let mut state = context.enter()?;
        state.fits(bytes)?;
        let address = state.machine.reserve(bytes as u64, 1).ok_or(Code::OutOfMemory)?;
        state.mappings.of_graphs.insert(address, bytes);
        Ok(Self { address, bytes })
    }

    /// Returns the memory of a graph at an address, if it is one's.
    pub(crate) fn at(address: u64) -> Result<Option<Self>, Failure> {
        let Some(context) = state::owner(address) else { return Ok(None) };
        let bytes = context.enter()?.mappings.of_graphs.get(&address).copied();
        Ok(bytes.map(|bytes| Self { address, bytes }))
    }

    pub(crate) const fn address(self) -> u64 {
        self.address
    }

    pub(crate) fn alloc(self) -> Done {
        let context = owned(self.address)?;
        let mut state = context.enter()?;
        if state.mappings.mapped.contains_key(&self.address) {
            let what = format!(
                "the memory of an earlier launch at {:#x} is not freed: free it, or instantiate the graph with \
                 CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH",
                self.address
            );
            return Err(Code::InvalidValue.because(what));
        }
        state.fits(self.bytes)?;
        let storage = state.machine.storage(self.bytes as u64);
        state.machine.map(self.address, self.bytes as u64, &storage).map_err(wrong)?;
        state.machine.permit(self.address, self.bytes as u64, Permission::ReadWrite).map_err(wrong)?;
        let location = Location { kind: DEVICE, id: context.device as c_int };
        let properties = Properties { kind: PINNED, handles: 0, location, security: 0, flags: [0; 8] };
        let handle = state.handle() as u64;
        state.mappings.made.insert(handle, Made { storage, properties, users: 0 });
        state.mappings.mapped.insert(self.address, (handle, self.bytes));
        Ok(())
    }

    pub(crate) fn free(self) -> Done {
        let context = owned(self.address)?;
        let mut state = context.enter()?;
        state.unmap(self.address, self.bytes).map_err(|_| {
            Code::InvalidValue.because(format!("the graph's memory at {:#x} is not allocated now", self.address))
        })
    }
}

/// Checks that a number of bytes or an address is a multiple of the granularity.
fn whole(what: &str, value: u64) -> Done {
    if value.is_multiple_of(PAGE as u64) {
        return Ok(());
    }
    let why = format!("the {what} {value:#x} is no multiple of {PAGE} (cuMemGetAllocationGranularity)");
    Err(Code::InvalidValue.because(why))
}

/// Checks a size, which has to be a positive multiple of the granularity.
fn size(bytes: usize) -> Done {
    if bytes == 0 {
        return Err(Code::InvalidValue.because("the size is zero"));
    }
    whole("size", bytes as u64)
}

fn no_flags(flags: c_ulonglong) -> Done {
    if flags == 0 { Ok(()) } else { Err(Code::InvalidValue.because(format!("the flags {flags:#x} have to be 0"))) }
}

/// Returns the device of memory with these properties.
fn device(properties: &Properties) -> Result<usize, Failure> {
    let Properties { kind, location, .. } = *properties;
    if kind != PINNED || location.kind != DEVICE {
        let what = format!(
            "memory of type {kind} at a location of type {}: CU_MEM_ALLOCATION_TYPE_PINNED (1) on \
             CU_MEM_LOCATION_TYPE_DEVICE (1) is supported",
            location.kind
        );
        return Err(Code::NotSupported.because(what));
    }
    known(location.id)
}

/// Reserves addresses. The program's wish for an address is not followed, as on a device whose
/// addresses are in use.
pub(crate) fn reserve(address: Out<u64>, bytes: usize, align: usize, _hint: u64, flags: c_ulonglong) -> Done {
    let address = address.place()?;
    size(bytes)?;
    no_flags(flags)?;
    if align != 0 && !align.is_power_of_two() {
        return Err(Code::InvalidValue.because(format!("the alignment {align} is no power of two")));
    }
    let context = state::current()?;
    let mut state = context.enter()?;
    let start = state.machine.reserve(bytes as u64, align as u64);
    let start = start.ok_or_else(|| Code::OutOfMemory.because(format!("no {bytes} addresses are left")))?;
    state.mappings.reserved.insert(start, bytes);
    address.put(start)
}

pub(crate) fn unreserve(address: u64, bytes: usize) -> Done {
    let context = owned(address)?;
    let mut state = context.enter()?;
    match state.mappings.reserved.get(&address) {
        Some(reserved) if *reserved == bytes => {}
        Some(reserved) => {
            let what = format!("{bytes} bytes at {address:#x}, where {reserved} are reserved: free them together");
            return Err(Code::InvalidValue.because(what));
        }
        None => return Err(Code::InvalidValue.because(format!("no reserved addresses begin at {address:#x}"))),
    }
    state.machine.unreserve(address).map_err(wrong)?;
    state.mappings.reserved.remove(&address);
    Ok(())
}

pub(crate) fn create(handle: Out<u64>, bytes: usize, properties: In<Properties>, flags: c_ulonglong) -> Done {
    let (handle, properties, context) = (handle.place()?, properties.get()?, state::current()?);
    size(bytes)?;
    no_flags(flags)?;
    if device(&properties)? != context.device {
        let what = format!("memory of device {}: make its context current first", properties.location.id);
        return Err(Code::NotSupported.because(what));
    }
    let mut state = context.enter()?;
    state.fits(bytes)?;
    let storage = state.machine.storage(bytes as u64);
    let new = state.handle() as u64;
    state.mappings.made.insert(new, Made { storage, properties, users: 1 });
    handle.put(new)
}

pub(crate) fn release(handle: u64) -> Done {
    let context = state::of(handle as usize)?;
    let mut state = context.enter()?;
    state.mappings.made(handle)?.users -= 1;
    state.mappings.sweep();
    Ok(())
}

pub(crate) fn map(address: u64, bytes: usize, offset: usize, handle: u64, flags: c_ulonglong) -> Done {
    size(bytes)?;
    whole("address", address)?;
    no_flags(flags)?;
    if offset != 0 {
        return Err(Code::InvalidValue.because(format!("a mapping from byte {offset} of memory on: it has to be 0")));
    }
    let context = owned(address)?;
    let mut state = context.enter()?;
    let storage = state.mappings.made(handle)?.storage.clone();
    state.machine.map(address, bytes as u64, &storage).map_err(wrong)?;
    state.mappings.mapped.insert(address, (handle, bytes));
    Ok(())
}

pub(crate) fn unmap(address: u64, bytes: usize) -> Done {
    size(bytes)?;
    let context = owned(address)?;
    context.enter()?.unmap(address, bytes)
}

pub(crate) fn set_access(address: u64, bytes: usize, access: In<Access>, count: usize) -> Done {
    size(bytes)?;
    let context = owned(address)?;
    let mut permission = None;
    for i in 0..count {
        let Access { location: Location { kind, id }, flags } = access.at(i)?;
        let wanted = match flags {
            0 => Permission::None,
            READ => Permission::Read,
            READ_WRITE => Permission::ReadWrite,
            _ => return Err(Code::InvalidValue.because(format!("{flags} is no access: 0, 1 and 3 are possible"))),
        };
        match known(id) {
            Ok(device) if kind == DEVICE && device == context.device => permission = Some(wanted),
            // Another device has no access anyway.
            Ok(_) if kind == DEVICE && wanted == Permission::None => {}
            Ok(_) if kind == DEVICE => {
                let what = format!("device {id} cannot access the memory of device {}", context.device);
                return Err(Code::NotSupported.because(what));
            }
            Err(failure) if kind == DEVICE => return Err(failure),
            _ => return Err(Code::NotSupported.because("the process cannot access memory of a device: copy it")),
        }
    }
    let permission = permission.ok_or_else(|| Code::InvalidValue.because("no access of the device is given"))?;
    let mut state = context.enter()?;
    state.machine.permit(address, bytes as u64, permission).map_err(wrong)
}

pub(crate) fn access(flags: Out<c_ulonglong>, location: In<Location>, address: u64) -> Done {
    let (flags, location, context) = (flags.place()?, location.get()?, owned(address)?);
    let found = context.enter()?.machine.permission(address);
    let found = found.ok_or_else(|| Code::InvalidValue.because(format!("no memory is mapped at {address:#x}")))?;
    let is_own = location.kind == DEVICE && location.id == context.device as c_int;
    flags.put(
        match found {
            Permission::Read if is_own => READ,
            Permission::ReadWrite if is_own => READ_WRITE,
            _ => 0,
        }
        .into(),
    )
}

/// Returns the granularity, which is the same for any memory and both options.
pub(crate) fn granularity(bytes: Out<usize>, properties: In<Properties>, option: c_uint) -> Done {
    device(&properties.get()?)?;
    if option > 1 {
        return Err(Code::InvalidValue.because(format!("{option} is no option: 0 and 1 are possible")));
    }
    bytes.put(PAGE)
}

pub(crate) fn properties(properties: Out<Properties>, handle: u64) -> Done {
    let context = state::of(handle as usize)?;
    let found = context.enter()?.mappings.made(handle)?.properties;
    properties.put(found)
}

/// Returns the handle of mapped memory, and counts a user.
pub(crate) fn retain(handle: Out<u64>, address: u64) -> Done {
    let (handle, context) = (handle.place()?, owned(address)?);
    let mut state = context.enter()?;
    let mappings = &mut state.mappings;
    let around = mappings.mapped.range(..=address).next_back();
    let found = around.filter(|(at, (_, bytes))| address - **at < *bytes as u64).map(|(_, (of, _))| *of);
    let found = found.ok_or_else(|| Code::InvalidValue.because(format!("no memory is mapped at {address:#x}")))?;
    mappings.made.get_mut(&found).ok_or(Code::InvalidValue)?.users += 1;
    handle.put(found)
}
