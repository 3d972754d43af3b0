//! Copies and fills of rows: boxes of bytes in two and three dimensions.

use std::ffi::{c_uchar, c_uint, c_ushort};

use crate::abi::{Host, In};
use crate::failure::{Code, Done, Failure};
use crate::graph::Work;
use crate::{capture, memory, state};

/// The numbers of `CUmemorytype`.
const HOST: c_uint = 1;
const DEVICE: c_uint = 2;
const ARRAY: c_uint = 3;
const UNIFIED: c_uint = 4;

/// One side of `CUDA_MEMCPY2D`. Coordinates along x are in bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Plane {
    x: usize,
    y: usize,
    kind: c_uint,
    host: u64,
    device: u64,
    array: usize,
    pitch: usize,
}

/// `CUDA_MEMCPY2D`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Copy2 {
    from: Plane,
    to: Plane,
    width: usize,
    height: usize,
}

/// One side of `CUDA_MEMCPY3D`. Coordinates along x are in bytes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Space {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
    level: usize,
    kind: c_uint,
    host: u64,
    device: u64,
    array: usize,
    reserved: usize,
    pitch: usize,
    height: usize,
}

/// `CUDA_MEMCPY3D`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Copy3 {
    from: Space,
    to: Space,
    width: usize,
    height: usize,
    depth: usize,
}

/// Returns the failure of an address that does not fit in 64 bits.
fn too_far() -> Failure {
    Code::InvalidValue.because("a row of the copy is outside of the address space")
}

impl Space {
    const fn of(plane: Plane) -> Self {
        let Plane { x, y, kind, host, device, array, pitch } = plane;
        Self { x, y, z: 0, level: 0, kind, host, device, array, reserved: 0, pitch, height: 0 }
    }

    const fn zeros(kind: c_uint) -> Self {
        Self::of(Plane { x: 0, y: 0, kind, host: 0, device: 0, array: 0, pitch: 0 })
    }

    /// Returns memory of this process at an address.
    pub(crate) const fn at_host(host: u64) -> Self {
        Self { host, ..Self::zeros(HOST) }
    }

    /// Returns memory of a device at an address.
    pub(crate) const fn at_device(device: u64) -> Self {
        Self { device, ..Self::zeros(DEVICE) }
    }

    /// Returns the first row of an array from a byte on.
    pub(crate) const fn at_array(array: usize, x: usize) -> Self {
        Self { array, x, ..Self::zeros(ARRAY) }
    }

    /// Returns linear memory: rows of `pitch` bytes, of which `height` are a plane. The address
    /// identifies the memory.
    pub(crate) const fn rows(address: u64, pitch: usize, height: usize) -> Self {
        Self { device: address, pitch, height, ..Self::zeros(UNIFIED) }
    }

    /// Returns the same memory from byte `x` of row `y` of plane `z` on.
    pub(crate) const fn from(self, [x, y, z]: [usize; 3]) -> Self {
        Self { x, y, z, ..self }
    }

    /// Returns the same place in linear memory: its address, bytes between rows, and rows of a
    /// plane.
    pub(crate) const fn on_device(self, device: u64, pitch: usize, height: usize) -> Self {
        Self { kind: DEVICE, device, pitch, height, ..self }
    }

    /// Returns the place of a copy of this size in linear memory.
    fn resolved(self, size: [usize; 3]) -> Result<Self, Failure> {
        if self.kind != ARRAY {
            return Ok(self);
        }
        let context = state::of(self.array)?;
        let state = context.enter()?;
        state.array(self.array)?.side(self, size)
    }

    /// Returns the address of a row.
    fn row(&self, y: usize, z: usize) -> Result<u64, Failure> {
        let start = match self.kind {
            HOST => self.host,
            DEVICE | UNIFIED => self.device,
            kind => return Err(Code::InvalidValue.because(format!("{kind} is no kind of memory"))),
        };
        let row = self.z.checked_add(z).and_then(|z| z.checked_mul(self.height));
        let row = row.and_then(|row| row.checked_add(self.y)).and_then(|row| row.checked_add(y));
        let offset = row.and_then(|row| row.checked_mul(self.pitch)).and_then(|row| row.checked_add(self.x));
        offset.and_then(|offset| start.checked_add(offset as u64)).ok_or_else(too_far)
    }

    fn copy(&self, to: &Self, (y, z): (usize, usize), bytes: usize) -> Done {
        let (source, target) = (self.row(y, z)?, to.row(y, z)?);
        match (self.kind, to.kind) {
            (HOST, HOST) => Host::at(target).write(0, &Host::at(source).read(0, bytes)?),
            (HOST, DEVICE) => memory::to_device(target, Host::at(source), bytes),
            (DEVICE, HOST) => memory::to_host(Host::at(target), source, bytes),
            (DEVICE, DEVICE) => memory::within_device(target, source, bytes),
            _ => memory::any(target, source, bytes),
        }
    }
}

impl Copy3 {
    /// Makes a copy of so many bytes, rows and planes.
    pub(crate) const fn new(from: Space, to: Space, [width, height, depth]: [usize; 3]) -> Self {
        Self { from, to, width, height, depth }
    }

    /// Copies in a stream.
    pub(crate) fn run_in(self, stream: usize) -> Done {
        capture::submit(stream, Work::Copy(self))
    }

    /// Copies row by row.
    pub(crate) fn run(&self) -> Done {
        let size = [self.width, self.height, self.depth];
        Self { from: self.from.resolved(size)?, to: self.to.resolved(size)?, ..*self }.run_resolved()
    }

    fn run_resolved(&self) -> Done {
        let (rows, planes) = (self.height, self.depth);
        for (side, name) in [(&self.from, "source"), (&self.to, "destination")] {
            side.row(0, 0)?;
            if rows > 1 && side.pitch < self.width {
                let what = format!("rows of {} bytes overlap: the pitch of the {name} is {}", self.width, side.pitch);
                return Err(Code::InvalidValue.because(what));
            }
            if planes > 1 && side.height < rows {
                let what = format!("planes of {rows} rows overlap: the height of the {name} is {}", side.height);
                return Err(Code::InvalidValue.because(what));
            }
        }
        if self.width == 0 {
            return Ok(());
        }
        for z in 0..planes {
            (0..rows).try_for_each(|y| self.from.copy(&self.to, (y, z), self.width))?;
        }
        Ok(())
    }
}

impl Copy2 {
    const fn boxes(self) -> Copy3 {
        let Self { from, to, width, height } = self;
        Copy3 { from: Space::of(from), to: Space::of(to), width, height, depth: 1 }
    }
}

pub(crate) fn copy_2(copy: In<Copy2>, stream: usize) -> Done {
    copy.get()?.boxes().run_in(stream)
}

pub(crate) fn copy_3(copy: In<Copy3>, stream: usize) -> Done {
    copy.get()?.run_in(stream)
}

/// `CUDA_MEMSET_NODE_PARAMS`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Fill {
    address: u64,
    pitch: usize,
    value: c_uint,
    element: c_uint,
    width: usize,
    height: usize,
}

impl Fill {
    /// Returns a fill with one byte.
    pub(crate) fn bytes(address: u64, pitch: usize, value: u8, width: usize, height: usize) -> Self {
        Self { address, pitch, value: value.into(), element: 1, width, height }
    }

    /// Fills in a stream.
    pub(crate) fn run_in(self, stream: usize) -> Done {
        capture::submit(stream, Work::Fill(self))
    }

    /// Fills row by row.
    pub(crate) fn run(&self) -> Done {
        for y in 0..self.height {
            let offset = y.checked_mul(self.pitch).ok_or_else(too_far)?;
            let row = self.address.checked_add(offset as u64).ok_or_else(too_far)?;
            match self.element {
                1 => memory::set_8(row, self.value as c_uchar, self.width),
                2 => memory::set_16(row, self.value as c_ushort, self.width),
                4 => memory::set_32(row, self.value, self.width),
                other => Err(Code::InvalidValue.because(format!("elements of {other} bytes: 1, 2 or 4 are possible"))),
            }?;
        }
        Ok(())
    }
}

/// Declares fills of rows with elements of one size.
macro_rules! fills {
    ($($name:ident: $ty:ty;)*) => {$(
        pub(crate) fn $name(
            address: u64, pitch: usize, value: $ty, width: usize, height: usize, stream: usize,
        ) -> Done {
            let element = size_of::<$ty>() as c_uint;
            Fill { address, pitch, value: c_uint::from(value), element, width, height }.run_in(stream)
        }
    )*};
}

fills! {
    fill_8: c_uchar;
    fill_16: c_ushort;
    fill_32: c_uint;
}
