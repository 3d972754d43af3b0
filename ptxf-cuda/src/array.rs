//! Arrays: memory in an order of its own, which textures and surfaces read.

use std::ffi::{c_int, c_uint};

use ptxf_vm::{Channel, Texels};

use crate::abi::{Host, In, Out};
use crate::device;
use crate::failure::{Code, Done, Failure};
use crate::memory::Kind;
use crate::rows::{Copy3, Space};
use crate::state::{self, State};

/// `CUDA_ARRAY_DESCRIPTOR`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Descriptor {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) format: c_uint,
    pub(crate) channels: c_uint,
}

/// `CUDA_ARRAY3D_DESCRIPTOR`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Descriptor3 {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
    pub(crate) format: c_uint,
    pub(crate) channels: c_uint,
    pub(crate) flags: c_uint,
}

/// CUDA_ARRAY3D_LAYERED, _SURFACE_LDST, and those without an effect here: _TEXTURE_GATHER,
/// _DEPTH_TEXTURE, _COLOR_ATTACHMENT.
const LAYERED: c_uint = 1;
const SURFACE: c_uint = 2;
const ACCEPTED: c_uint = LAYERED | SURFACE | 0x08 | 0x10 | 0x20;

/// An array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    pub(crate) texels: Texels,
    descriptor: Descriptor3,
    address: u64,
    /// Bytes of a row and between rows, rows of a slice, and slices or layers.
    width: usize,
    pitch: usize,
    height: usize,
    depth: usize,
}

/// Returns the channel of a `CUarray_format`.
pub(crate) fn channel(format: c_uint) -> Result<Channel, Failure> {
    Ok(match format {
        1 => Channel::U8,
        2 => Channel::U16,
        3 => Channel::U32,
        8 => Channel::S8,
        9 => Channel::S16,
        10 => Channel::S32,
        16 => Channel::F16,
        32 => Channel::F32,
        0 => return Err(Code::InvalidValue.because("0 is no format of texels")),
        _ => {
            let what = format!("the format {format:#x} is not supported: use integers of 8, 16 or 32 bits, or floats");
            return Err(Code::NotSupported.because(what));
        }
    })
}

/// Returns a failure with the reason why texels cannot be.
pub(crate) fn wrong(what: String) -> Failure {
    Code::InvalidValue.because(what)
}

impl Array {
    /// Returns `true` if a surface can access the array.
    pub(crate) const fn is_surface(&self) -> bool {
        self.descriptor.flags & SURFACE != 0
    }

    pub(crate) const fn descriptor(&self) -> Descriptor3 {
        self.descriptor
    }

    /// Returns the address of the first texel.
    pub(crate) const fn address(&self) -> u64 {
        self.address
    }

    /// Returns the size of a texel in bytes.
    pub(crate) fn texel(&self) -> usize {
        (self.texels.channel().bytes() * self.texels.channels()) as usize
    }

    /// Returns the bytes of a row.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Returns the array as a side of a copy of this size, which has to be within it.
    pub(crate) fn side(&self, side: Space, [width, height, depth]: [usize; 3]) -> Result<Space, Failure> {
        let fits = |from: usize, count: usize, of: usize| from.checked_add(count).is_some_and(|end| end <= of);
        let is_inside =
            fits(side.x, width, self.width) && fits(side.y, height, self.height) && fits(side.z, depth, self.depth);
        if !is_inside {
            let what = format!(
                "{width} bytes of {height} rows of {depth} slices from byte {}, row {}, slice {} on, in an array of {} \
                 bytes, {} rows and {} slices",
                side.x, side.y, side.z, self.width, self.height, self.depth
            );
            return Err(Code::InvalidValue.because(what));
        }
        Ok(side.on_device(self.address, self.pitch, self.height))
    }
}

impl State {
    /// Returns the array with this handle.
    pub(crate) fn array(&self, handle: usize) -> Result<&Array, Failure> {
        self.textures.arrays.get(&handle).ok_or_else(|| Code::InvalidHandle.because("the handle is of no array"))
    }

    fn make_array(&mut self, descriptor: Descriptor3) -> Result<usize, Failure> {
        let Descriptor3 { width, height, depth, format, channels, flags } = descriptor;
        if flags & !ACCEPTED != 0 {
            let what = format!(
                "the flags {flags:#x} of an array are not supported: cube maps, sparse and deferred arrays are missing"
            );
            return Err(Code::NotSupported.because(what));
        }
        let sizes = match (flags & LAYERED != 0, height, depth) {
            (_, 0, 0) => vec![width],
            (true, 0, _) => vec![width],
            (false, 0, _) => return Err(Code::InvalidValue.because("an array with a depth needs a height")),
            (true, ..) | (_, _, 0) => vec![width, height],
            _ => vec![width, height, depth],
        };
        let layers = match flags & LAYERED != 0 {
            true => Some(c_uint::try_from(depth).map_err(|_| Code::InvalidValue)?),
            false => None,
        };
        let sizes: Vec<u64> = sizes.into_iter().map(|n| n as u64).collect();
        // An array begins at a multiple of any texel.
        let at = |address| Texels::array(address, channel(format)?, channels, &sizes, layers).map_err(wrong);
        let bytes = at(0)?.padded().bytes();
        let address = self.take(bytes as usize, Kind::Array, 0)?;
        let texels = at(address)?.padded();
        let width = width * (texels.channel().bytes() * texels.channels()) as usize;
        let array = Array {
            texels,
            descriptor,
            address,
            width,
            pitch: width.next_multiple_of(16),
            height: height.max(1),
            depth: depth.max(1),
        };
        let handle = self.handle();
        self.textures.arrays.insert(handle, array);
        Ok(handle)
    }
}

pub(crate) fn create(array: Out<usize>, descriptor: In<Descriptor>) -> Done {
    let Descriptor { width, height, format, channels } = descriptor.get()?;
    make(array, Descriptor3 { width, height, depth: 0, format, channels, flags: 0 })
}

pub(crate) fn create_3(array: Out<usize>, descriptor: In<Descriptor3>) -> Done {
    make(array, descriptor.get()?)
}

/// Creates an array in the current context.
pub(crate) fn make(array: Out<usize>, descriptor: Descriptor3) -> Done {
    let (array, context) = (array.place()?, state::current()?);
    let made = context.enter()?.make_array(descriptor);
    array.put(made?)
}

pub(crate) fn destroy(array: usize) -> Done {
    let context = state::of(array)?;
    let mut state = context.enter()?;
    let address = state.array(array)?.address;
    state.give(address, |kind| kind == Kind::Array)?;
    state.textures.arrays.remove(&array);
    Ok(())
}

/// Returns the array with this handle.
pub(crate) fn known(array: usize) -> Result<Array, Failure> {
    state::of(array)?.enter()?.array(array).copied()
}

pub(crate) fn descriptor(descriptor: Out<Descriptor>, array: usize) -> Done {
    let Descriptor3 { width, height, format, channels, .. } = known(array)?.descriptor;
    descriptor.put(Descriptor { width, height, format, channels })
}

pub(crate) fn descriptor_3(descriptor: Out<Descriptor3>, array: usize) -> Done {
    descriptor.put(known(array)?.descriptor)
}

/// Refuses an array with several levels.
pub(crate) fn create_mipmapped(array: Out<usize>, _descriptor: In<Descriptor3>, _levels: c_uint) -> Done {
    array.place()?;
    let what = "arrays with several levels (mipmaps) are not supported: make an array for each level";
    Err(Code::NotSupported.because(what))
}

/// Returns the most texels of a texture of linear memory.
pub(crate) fn most_linear(most: Out<usize>, format: c_uint, channels: c_uint, device: c_int) -> Done {
    device::known(device)?;
    Texels::linear(0, channel(format)?, channels, 1).map_err(wrong)?;
    most.put(1 << 28)
}

/// Copies bytes of one row between two sides.
fn copy(from: Space, to: Space, bytes: usize, stream: usize) -> Done {
    Copy3::new(from, to, [bytes, 1, 1]).run_in(stream)
}

pub(crate) fn from_host(array: usize, offset: usize, from: Host, bytes: usize, stream: usize) -> Done {
    copy(Space::at_host(from.address()), Space::at_array(array, offset), bytes, stream)
}

pub(crate) fn to_host(to: Host, array: usize, offset: usize, bytes: usize, stream: usize) -> Done {
    copy(Space::at_array(array, offset), Space::at_host(to.address()), bytes, stream)
}

pub(crate) fn from_device(array: usize, offset: usize, from: u64, bytes: usize, stream: usize) -> Done {
    copy(Space::at_device(from), Space::at_array(array, offset), bytes, stream)
}

pub(crate) fn to_device(to: u64, array: usize, offset: usize, bytes: usize, stream: usize) -> Done {
    copy(Space::at_array(array, offset), Space::at_device(to), bytes, stream)
}

pub(crate) fn between(
    to: usize,
    to_offset: usize,
    from: usize,
    from_offset: usize,
    bytes: usize,
    stream: usize,
) -> Done {
    copy(Space::at_array(from, from_offset), Space::at_array(to, to_offset), bytes, stream)
}
