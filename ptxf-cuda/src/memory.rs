//! Memory of the device, memory of this process that kernels can access, and copies between them.

use std::ffi::{c_int, c_uchar, c_uint, c_ushort};
use std::sync::Arc;

use ptxf_vm::{Buffer, Fault};

use crate::abi::{Host, In, Out};
use crate::device::memory;
use crate::failure::{Code, Done, Failure};
use crate::state::{self, Context, State};
use crate::{capture, stream};

/// The kind of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Device,
    /// Memory of this process that kernels can access.
    Host,
    /// The same, but freed like memory of a device.
    Managed,
    /// Texels, which have no address for programs.
    Array,
}

/// An allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) bytes: u64,
    kind: Kind,
    flags: c_uint,
}

/// The greatest number of bytes that are copied at once.
const PART: usize = 1 << 20;

/// Returns the failure of a wrong copy, which does not end the context.
fn refused(fault: Fault) -> Failure {
    Code::InvalidValue.because(fault.to_string())
}

impl State {
    /// Returns the bytes of all memory of the context.
    pub(crate) fn used(&self) -> u64 {
        self.memory.values().map(|taken| taken.bytes).sum::<u64>() + self.mappings.bytes()
    }

    /// Checks that there is memory for so many bytes.
    pub(crate) fn fits(&self, bytes: usize) -> Done {
        if bytes == 0 {
            return Err(Code::InvalidValue.because("the size is zero"));
        }
        let used = self.used();
        if bytes as u64 > memory().saturating_sub(used) {
            return Err(Code::OutOfMemory.because(format!("{bytes} bytes do not fit: {used} of {} are used", memory())));
        }
        Ok(())
    }

    pub(crate) fn take(&mut self, bytes: usize, kind: Kind, flags: c_uint) -> Result<u64, Failure> {
        self.fits(bytes)?;
        let buffer = match kind {
            Kind::Device | Kind::Array => self.machine.alloc(bytes),
            Kind::Host | Kind::Managed => self.machine.alloc_host(bytes),
        };
        self.memory.insert(buffer.address(), Taken { bytes: buffer.bytes(), kind, flags });
        Ok(buffer.address())
    }

    pub(crate) fn give(&mut self, address: u64, fits: impl Fn(Kind) -> bool) -> Done {
        if !self.memory.get(&address).is_some_and(|taken| fits(taken.kind)) {
            // The fault at this address may name the reason.
            let why = match self.machine.at(address, 1) {
                Err(fault) => fault.to_string(),
                Ok(_) => format!("{address:#x} was not returned by an allocation of this kind"),
            };
            return Err(Code::InvalidValue.because(why));
        }
        let buffer = self.machine.around(address).ok_or(Code::InvalidValue)?;
        self.machine.free(buffer).map_err(refused)?;
        self.memory.remove(&address);
        Ok(())
    }
}

pub(crate) fn alloc(address: Out<u64>, bytes: usize) -> Done {
    let address = address.place()?;
    address.put(take(bytes)?)
}

/// Allocates memory of the current device.
pub(crate) fn take(bytes: usize) -> Result<u64, Failure> {
    state::current()?.enter()?.take(bytes, Kind::Device, 0)
}

pub(crate) fn alloc_managed(address: Out<u64>, bytes: usize, flags: c_uint) -> Done {
    let (address, context) = (address.place()?, state::current()?);
    let taken = context.enter()?.take(bytes, Kind::Managed, flags)?;
    address.put(taken)
}

pub(crate) fn alloc_pitch(address: Out<u64>, pitch: Out<usize>, width: usize, height: usize, _element: c_uint) -> Done {
    let (address, pitch) = (address.place()?, pitch.place()?);
    let (start, row) = pitched(width, height)?;
    pitch.put(row)?;
    address.put(start)
}

/// Allocates rows. Returns the address, and the distance of rows in bytes.
pub(crate) fn pitched(width: usize, height: usize) -> Result<(u64, usize), Failure> {
    let row = width.checked_next_multiple_of(512).ok_or(Code::InvalidValue)?;
    let bytes = row.checked_mul(height).ok_or(Code::OutOfMemory)?;
    Ok((take(bytes)?, row))
}

pub(crate) fn host_alloc(pointer: Out<usize>, bytes: usize, flags: c_uint) -> Done {
    let (pointer, context) = (pointer.place()?, state::current()?);
    let taken = context.enter()?.take(bytes, Kind::Host, flags)?;
    pointer.put(taken as usize)
}

pub(crate) fn alloc_host(pointer: Out<usize>, bytes: usize) -> Done {
    host_alloc(pointer, bytes, 0)
}

pub(crate) fn free(address: u64) -> Done {
    state::current()?;
    if address == 0 {
        return Ok(());
    }
    owned(address)?.enter()?.give(address, |kind| matches!(kind, Kind::Device | Kind::Managed))
}

pub(crate) fn free_host(pointer: Host) -> Done {
    state::current()?;
    owned(pointer.address())?.enter()?.give(pointer.address(), |kind| kind == Kind::Host)
}

/// Returns the context of an address. Without one, it is the current context, whose error message
/// names the reason.
fn owner(address: u64) -> Result<Arc<Context>, Failure> {
    state::owner(address).map_or_else(state::current, Ok)
}

/// Returns the context of an address, if the current context may access it.
pub(crate) fn owned(address: u64) -> Result<Arc<Context>, Failure> {
    owner(address).and_then(state::allowed)
}

/// Registers memory of this process for copies. Kernels can access memory of `cuMemHostAlloc` only.
pub(crate) fn host_register(pointer: Host, bytes: usize, _flags: c_uint) -> Done {
    if pointer.is_null() || bytes == 0 {
        return Err(Code::InvalidValue.into());
    }
    let context = state::current()?;
    let is_new = context.enter()?.registered.insert(pointer.address());
    if is_new { Ok(()) } else { Err(Code::HostMemoryAlreadyRegistered.into()) }
}

pub(crate) fn host_unregister(pointer: Host) -> Done {
    let was_there = state::current()?.enter()?.registered.remove(&pointer.address());
    if was_there { Ok(()) } else { Err(Code::HostMemoryNotRegistered.into()) }
}

pub(crate) fn host_pointer(address: Out<u64>, pointer: Host, _flags: c_uint) -> Done {
    let context = state::current()?;
    let state = context.enter()?;
    if state.machine.around(pointer.address()).is_some() {
        return address.put(pointer.address());
    }
    let why = "kernels can access only memory of this process that cuMemHostAlloc or cuMemAllocManaged returned";
    Err(Code::InvalidValue.because(why))
}

pub(crate) fn host_flags(flags: Out<c_uint>, pointer: Host) -> Done {
    let context = state::current()?;
    let found = context.enter()?.memory.get(&pointer.address()).filter(|taken| taken.kind == Kind::Host).copied();
    flags.put(found.ok_or(Code::InvalidValue)?.flags)
}

pub(crate) fn info(free: Out<usize>, total: Out<usize>) -> Done {
    let context = state::current()?;
    let used = context.enter()?.used();
    free.put((memory().saturating_sub(used)) as usize)?;
    total.put(memory() as usize)
}

pub(crate) fn range(base: Out<u64>, bytes: Out<usize>, address: u64) -> Done {
    let (start, size) = around(address)?;
    base.put_if(start);
    bytes.put_if(size);
    Ok(())
}

/// Returns the address and the size of the allocation around an address.
pub(crate) fn around(address: u64) -> Result<(u64, usize), Failure> {
    let around = owned(address)?.enter()?.machine.around(address).ok_or(Code::NotFound)?;
    Ok((around.address(), around.bytes() as usize))
}

/// Returns the kind of the memory at an address, and its device; `None` for memory that CUDA did
/// not allocate.
pub(crate) fn kind(address: u64) -> Result<Option<(Kind, usize)>, Failure> {
    let Some(context) = state::owner(address) else { return Ok(None) };
    let state = context.enter()?;
    let kind = |around: Buffer| state.memory.get(&around.address()).map_or(Kind::Device, |taken| taken.kind);
    Ok(state.machine.around(address).map(|around| (kind(around), context.device)))
}

/// Accepts advice on the place of memory. It has no effect.
pub(crate) fn advice(address: u64, bytes: usize) -> Done {
    owned(address)?.enter()?.machine.at(address, bytes as u64).map(drop).map_err(refused)
}

pub(crate) fn advise(address: u64, bytes: usize, _advice: c_uint, _device: c_int) -> Done {
    advice(address, bytes)
}

pub(crate) fn prefetch(address: u64, bytes: usize, _device: c_int, stream: usize) -> Done {
    stream::known(stream)?;
    advice(address, bytes)
}

/// Accepts advice. `CUmemLocation` is passed as one word.
pub(crate) fn advise_v2(address: u64, bytes: usize, _advice: c_uint, _place: u64) -> Done {
    advice(address, bytes)
}

pub(crate) fn prefetch_v2(address: u64, bytes: usize, _place: u64, _flags: c_uint, stream: usize) -> Done {
    prefetch(address, bytes, 0, stream)
}

/// Returns the offsets and sizes of the parts of a copy.
fn parts(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bytes).step_by(PART).map(move |offset| (offset, PART.min(bytes - offset)))
}

fn read(context: &Arc<Context>, address: u64, bytes: usize, mut to: impl FnMut(usize, Vec<u8>) -> Done) -> Done {
    // An empty copy may have invalid addresses.
    if bytes == 0 {
        return Ok(());
    }
    let state = context.enter()?;
    // The whole range is checked before the first byte is written.
    state.machine.at(address, bytes as u64).map_err(refused)?;
    parts(bytes).try_for_each(|(offset, count)| {
        let part = state.machine.at(address + offset as u64, count as u64).map_err(refused)?;
        to(offset, state.machine.read(part).map_err(refused)?)
    })
}

fn write(
    context: &Arc<Context>,
    address: u64,
    bytes: usize,
    mut from: impl FnMut(usize, usize) -> Result<Vec<u8>, Failure>,
) -> Done {
    if bytes == 0 {
        return Ok(());
    }
    let mut state = context.enter()?;
    let whole = state.machine.at(address, bytes as u64).map_err(refused)?;
    parts(bytes)
        .try_for_each(|(offset, count)| state.machine.write(whole, offset, &from(offset, count)?).map_err(refused))
}

pub(crate) fn to_device(to: u64, from: Host, bytes: usize) -> Done {
    state::current()?;
    write(&owned(to)?, to, bytes, |offset, count| from.read(offset, count))
}

pub(crate) fn to_host(to: Host, from: u64, bytes: usize) -> Done {
    state::current()?;
    read(&owned(from)?, from, bytes, |offset, part| to.write(offset, &part))
}

pub(crate) fn within_device(to: u64, from: u64, bytes: usize) -> Done {
    state::current()?;
    between((&owned(to)?, to), (&owned(from)?, from), bytes)
}

/// Copies between two contexts, or in one.
fn between((to_context, to): (&Arc<Context>, u64), (from_context, from): (&Arc<Context>, u64), bytes: usize) -> Done {
    let mut all = Vec::new();
    read(from_context, from, bytes, |_, part| {
        all.extend(part);
        Ok(())
    })?;
    write(to_context, to, bytes, |offset, count| Ok(all[offset..][..count].to_vec()))
}

/// Copies between two addresses, each of a device or of this process.
pub(crate) fn any(to: u64, from: u64, bytes: usize) -> Done {
    match (state::owner(to).is_some(), state::owner(from).is_some()) {
        (true, true) => within_device(to, from, bytes),
        (true, false) => to_device(to, Host::at(from), bytes),
        (false, true) => to_host(Host::at(to), from, bytes),
        (false, false) => {
            state::current()?;
            Host::at(to).write(0, &Host::at(from).read(0, bytes)?)
        }
    }
}

/// Copies between two contexts. An address identifies its context, so that the other arguments are
/// only checked.
pub(crate) fn peer(to: u64, to_context: usize, from: u64, from_context: usize, bytes: usize) -> Done {
    state::context(to_context)?;
    state::context(from_context)?;
    state::current()?;
    between((&owner(to)?, to), (&owner(from)?, from), bytes)
}

fn set(address: u64, value: &[u8], count: usize) -> Done {
    state::current()?;
    if !address.is_multiple_of(value.len() as u64) {
        return Err(Code::InvalidValue.because(format!("{address:#x} is not aligned to {} bytes", value.len())));
    }
    let bytes = count.checked_mul(value.len()).ok_or(Code::InvalidValue)?;
    write(&owned(address)?, address, bytes, |_, count| Ok(value.repeat(count / value.len())))
}

pub(crate) fn set_8(address: u64, value: c_uchar, count: usize) -> Done {
    set(address, &[value], count)
}

pub(crate) fn set_16(address: u64, value: c_ushort, count: usize) -> Done {
    set(address, &value.to_le_bytes(), count)
}

pub(crate) fn set_32(address: u64, value: c_uint, count: usize) -> Done {
    set(address, &value.to_le_bytes(), count)
}

/// The numbers of `CUgraphNodeType`.
const COPY: c_uint = 1;
const FILL: c_uint = 2;

/// Declares functions with a stream. They finish before they return, or are captured.
macro_rules! in_a_stream {
    ($($name:ident($($argument:ident: $ty:ty),*) => $does:ident, $kind:ident;)*) => {$(
        pub(crate) fn $name($($argument: $ty,)* stream: usize) -> Done {
            capture::run(stream, $kind, move || $does($($argument),*))
        }
    )*};
}

in_a_stream! {
    to_device_async(to: u64, from: Host, bytes: usize) => to_device, COPY;
    to_host_async(to: Host, from: u64, bytes: usize) => to_host, COPY;
    within_device_async(to: u64, from: u64, bytes: usize) => within_device, COPY;
    any_async(to: u64, from: u64, bytes: usize) => any, COPY;
    peer_async(to: u64, to_context: usize, from: u64, from_context: usize, bytes: usize) => peer, COPY;
    set_8_async(address: u64, value: c_uchar, count: usize) => set_8, FILL;
    set_16_async(address: u64, value: c_ushort, count: usize) => set_16, FILL;
    set_32_async(address: u64, value: c_uint, count: usize) => set_32, FILL;
}

/// Returns the bytes of an attribute of a pointer.
fn pointer(attribute: c_uint, address: u64) -> Result<Vec<u8>, Failure> {
    let context = state::owner(address).ok_or(Code::InvalidValue)?;
    let state = context.enter()?;
    let around = state.machine.around(address).ok_or(Code::InvalidValue)?;
    let kind = state.memory.get(&around.address()).map_or(Kind::Device, |taken| taken.kind);
    let word = |value: u64| Ok(value.to_le_bytes().to_vec());
    let int = |value: u32| Ok(value.to_le_bytes().to_vec());
    // The numbers of CU_POINTER_ATTRIBUTE_….
    match attribute {
        // CONTEXT
        1 => word(context.handle() as u64),
        // MEMORY_TYPE: host or device
        2 => int(if kind == Kind::Host { 1 } else { 2 }),
        // DEVICE_POINTER
        3 => word(address),
        // HOST_POINTER
        4 if kind == Kind::Device => Err(Code::InvalidValue.into()),
        4 => word(address),
        // BUFFER_ID
        7 => word(around.address()),
        // IS_MANAGED
        8 => Ok(vec![(kind == Kind::Managed).into()]),
        // DEVICE_ORDINAL
        9 => int(context.device as u32),
        // RANGE_START_ADDR, RANGE_SIZE
        11 => word(around.address()),
        12 => word(around.bytes()),
        // MAPPED
        13 => Ok(vec![1]),
        _ => Err(Code::InvalidValue.into()),
    }
}

pub(crate) fn pointer_attribute(to: Host, attribute: c_uint, address: u64) -> Done {
    state::current()?;
    to.write(0, &pointer(attribute, address)?)
}

/// Writes several attributes. Those that the pointer does not have are zero.
pub(crate) fn pointer_attributes(count: c_uint, attributes: In<c_uint>, to: In<Host>, address: u64) -> Done {
    state::current()?;
    for i in 0..count as usize {
        let attribute = attributes.at(i)?;
        let zeros = || match attribute {
            2 | 9 => vec![0; 4],
            8 | 13 => vec![0],
            _ => vec![0; 8],
        };
        to.at(i)?.write(0, &pointer(attribute, address).unwrap_or_else(|_| zeros()))?;
    }
    Ok(())
}
