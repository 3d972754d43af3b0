//! Memory, copies and fills.

use std::ffi::{c_int, c_uint};

use super::binary::variable;
use crate::abi::{Host, In, Out};
use crate::array::{self, Array};
use crate::failure::{Code, Done, Failure};
use crate::rows::{Copy3, Fill, Space};
use crate::{device, memory, pool, state};

/// The numbers of `cudaMemcpyKind`.
const TO_DEVICE: c_uint = 1;
const TO_HOST: c_uint = 2;
const IN_DEVICE: c_uint = 3;
const BY_ADDRESS: c_uint = 4;

/// `cudaExtent`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Extent {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) depth: usize,
}

/// `cudaPitchedPtr`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Pitched {
    address: u64,
    pitch: usize,
    width: usize,
    height: usize,
}

/// One side of `cudaMemcpy3DParms`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Side {
    array: usize,
    at: [usize; 3],
    memory: Pitched,
}

/// `cudaMemcpy3DParms`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Copy {
    from: Side,
    to: Side,
    extent: Extent,
    kind: c_uint,
}

/// Allocates with a function of the driver. Zero bytes are a null pointer.
fn sized<T: std::marker::Copy + Default>(address: Out<T>, bytes: usize, alloc: impl FnOnce() -> Done) -> Done {
    if bytes == 0 { address.put(T::default()) } else { alloc() }
}

pub(super) fn alloc(address: Out<u64>, bytes: usize) -> Done {
    sized(address, bytes, || memory::alloc(address, bytes))
}

pub(super) fn alloc_async(address: Out<u64>, bytes: usize, stream: usize) -> Done {
    sized(address, bytes, || pool::alloc(address, bytes, stream))
}

pub(super) fn host_alloc(address: Out<usize>, bytes: usize, flags: c_uint) -> Done {
    sized(address, bytes, || memory::host_alloc(address, bytes, flags))
}

pub(super) fn alloc_host(address: Out<usize>, bytes: usize) -> Done {
    host_alloc(address, bytes, 0)
}

pub(super) fn free_host(pointer: Host) -> Done {
    if pointer.is_null() { Ok(()) } else { memory::free_host(pointer) }
}

pub(super) fn alloc_pitch(address: Out<u64>, pitch: Out<usize>, width: usize, height: usize) -> Done {
    memory::alloc_pitch(address, pitch, width, height, 1)
}

pub(super) fn alloc_3(to: Out<Pitched>, extent: Extent) -> Done {
    let Extent { width, height, depth } = extent;
    let to = to.place()?;
    let rows = height.checked_mul(depth).ok_or(Code::OutOfMemory)?;
    let (address, pitch) = memory::pitched(width, rows)?;
    to.put(Pitched { address, pitch, width, height })
}

/// `cudaPointerAttributes`, as far as all versions have it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Pointer {
    kind: c_uint,
    device: c_int,
    for_device: u64,
    for_host: u64,
}

pub(super) fn pointer(to: Out<Pointer>, address: u64) -> Done {
    let Some((kind, device)) = memory::kind(address)? else {
        return to.put(Pointer { kind: 0, device: -2, for_device: 0, for_host: address });
    };
    let for_host = if kind == memory::Kind::Device { 0 } else { address };
    // Host, device, managed.
    let kind = match kind {
        memory::Kind::Host => 1,
        memory::Kind::Device | memory::Kind::Array => 2,
        memory::Kind::Managed => 3,
    };
    to.put(Pointer { kind, device: device as c_int, for_device: address, for_host })
}

/// Checks that the memory of a copy is where its kind says.
pub(super) fn direction(to: u64, from: u64, bytes: usize, kind: c_uint) -> Done {
    if kind > BY_ADDRESS {
        return Err(Code::InvalidDirection.because(format!("a copy of kind {kind}: 0 to 4 are possible")));
    }
    if bytes == 0 || kind == BY_ADDRESS {
        return Ok(());
    }
    let sides = [
        ("destination", to, matches!(kind, TO_DEVICE | IN_DEVICE)),
        ("source", from, matches!(kind, TO_HOST | IN_DEVICE)),
    ];
    for (side, address, is_of_device) in sides {
        // Memory of `cudaHostAlloc` is both.
        let fits = if is_of_device { state::owner(address).is_some() } else { !state::is_of_device(address) };
        if !fits {
            let place = if is_of_device { "the host" } else { "a device" };
            let what = format!("a copy of kind {kind}, whose {side} {address:#x} is in memory of {place}");
            return Err(Code::InvalidValue.because(what));
        }
    }
    Ok(())
}

/// Copies a row of bytes.
pub(super) fn copy(to: u64, from: u64, bytes: usize, kind: c_uint, stream: usize) -> Done {
    row(to, from, bytes, kind)?.run_in(stream)
}

pub(super) fn row(to: u64, from: u64, bytes: usize, kind: c_uint) -> Result<Copy3, Failure> {
    plane((to, bytes), (from, bytes), bytes, 1, kind)
}

/// Copies between devices. An address identifies its device, so that the numbers are only checked.
pub(super) fn peer(to: u64, to_device: c_int, from: u64, from_device: c_int, bytes: usize, stream: usize) -> Done {
    device::known(to_device)?;
    device::known(from_device)?;
    copy(to, from, bytes, IN_DEVICE, stream)
}

fn plane(
    (to, to_pitch): (u64, usize),
    (from, from_pitch): (u64, usize),
    width: usize,
    height: usize,
    kind: c_uint,
) -> Result<Copy3, Failure> {
    direction(to, from, width.saturating_mul(height), kind)?;
    if height > 1 && (to_pitch < width || from_pitch < width) {
        let what = format!("rows of {width} bytes overlap: the pitches are {to_pitch} and {from_pitch}");
        return Err(Code::InvalidPitch.because(what));
    }
    let (from, to) = (Space::rows(from, from_pitch, height), Space::rows(to, to_pitch, height));
    Ok(Copy3::new(from, to, [width, height, 1]))
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn copy_2(
    to: u64,
    to_pitch: usize,
    from: u64,
    from_pitch: usize,
    width: usize,
    height: usize,
    kind: c_uint,
    stream: usize,
) -> Done {
    plane((to, to_pitch), (from, from_pitch), width, height, kind)?.run_in(stream)
}

impl Side {
    /// Returns the array, if this side has one.
    fn array(&self) -> Result<Option<Array>, Failure> {
        match (self.array, self.memory.address) {
            (0, _) => Ok(None),
            (array, 0) => array::known(array).map(Some),
            _ => Err(Code::InvalidValue.because("one side of a copy has an array and a pointer: pass one of them")),
        }
    }

    /// Returns the driver's side, and an address in it. Positions in an array are in its elements.
    fn space(&self, array: Option<&Array>) -> Result<(Space, u64), Failure> {
        let (Pitched { address, pitch, height, .. }, [x, y, z]) = (self.memory, self.at);
        let Some(array) = array else { return Ok((Space::rows(address, pitch, height).from(self.at), address)) };
        let x = x.checked_mul(array.texel()).ok_or(Code::InvalidValue)?;
        Ok((Space::at_array(self.array, 0).from([x, y, z]), array.address()))
    }
}

impl Copy {
    /// Returns the driver's copy. With an array, the width is in its elements, else in bytes.
    pub(super) fn boxes(self) -> Result<Copy3, Failure> {
        let Self { from, to, extent: Extent { width, height, depth }, kind } = self;
        let arrays = [from.array()?, to.array()?];
        let texels: Vec<usize> = arrays.iter().flatten().map(Array::texel).collect();
        if let [from, to] = texels[..]
            && from != to
        {
            let what = format!("a copy between arrays with elements of {from} and of {to} bytes");
            return Err(Code::InvalidValue.because(what));
        }
        let width = width.checked_mul(texels.first().copied().unwrap_or(1)).ok_or(Code::InvalidValue)?;
        let [of_from, of_to] = &arrays;
        let ((from, source), (to, target)) = (from.space(of_from.as_ref())?, to.space(of_to.as_ref())?);
        direction(target, source, width.saturating_mul(height).saturating_mul(depth), kind)?;
        Ok(Copy3::new(from, to, [width, height, depth]))
    }
}

pub(super) fn copy_3(copy: In<Copy>, stream: usize) -> Done {
    copy.get()?.boxes()?.run_in(stream)
}

/// Returns the address of some bytes of a variable.
pub(super) fn part(symbol: Host, bytes: usize, offset: usize) -> Result<u64, Failure> {
    let (address, size) = variable(symbol)?;
    if offset.checked_add(bytes).is_none_or(|end| end > size) {
        let what = format!("{bytes} bytes at offset {offset} of a variable of {size} bytes");
        return Err(Code::InvalidValue.because(what));
    }
    Ok(address + offset as u64)
}

pub(super) fn symbol_address(address: Out<u64>, symbol: Host) -> Done {
    address.put(variable(symbol)?.0)
}

pub(super) fn symbol_size(bytes: Out<usize>, symbol: Host) -> Done {
    bytes.put(variable(symbol)?.1)
}

pub(super) fn to_symbol(symbol: Host, from: u64, bytes: usize, offset: usize, kind: c_uint, stream: usize) -> Done {
    copy(part(symbol, bytes, offset)?, from, bytes, kind, stream)
}

pub(super) fn from_symbol(to: u64, symbol: Host, bytes: usize, offset: usize, kind: c_uint, stream: usize) -> Done {
    copy(to, part(symbol, bytes, offset)?, bytes, kind, stream)
}

pub(super) fn fill(address: u64, value: c_int, bytes: usize, stream: usize) -> Done {
    fill_2(address, bytes, value, bytes, 1, stream)
}

pub(super) fn fill_2(address: u64, pitch: usize, value: c_int, width: usize, height: usize, stream: usize) -> Done {
    Fill::bytes(address, pitch, value as u8, width, height).run_in(stream)
}

/// Fills each plane.
pub(super) fn fill_3(to: Pitched, value: c_int, extent: Extent, stream: usize) -> Done {
    let plane = to.pitch.checked_mul(to.height).ok_or(Code::InvalidValue)?;
    (0..extent.depth).try_for_each(|z| {
        let offset = plane.checked_mul(z).and_then(|offset| to.address.checked_add(offset as u64));
        fill_2(offset.ok_or(Code::InvalidValue)?, to.pitch, value, extent.width, extent.height, stream)
    })
}

/// Accepts advice on the place of memory. CUDA 12 passes a device, and CUDA 13 a location.
pub(super) fn advise(address: u64, bytes: usize, _advice: c_uint, _place: u64) -> Done {
    memory::advice(address, bytes)
}

/// Accepts advice. The arguments after the size differ between CUDA 12 and 13, and have no effect.
pub(super) fn prefetch(address: u64, bytes: usize) -> Done {
    memory::advice(address, bytes)
}
