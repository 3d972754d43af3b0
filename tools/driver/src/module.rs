//! Kernels on a device.
// Invariant: a function's module is loaded as long as the function; a launch passes the words that the entry declares.

use std::ffi::{CString, c_void};
use std::ptr;
use std::rc::Rc;

use cudarc::driver::{result, sys};

use crate::primary::Primary;
use crate::{Buffer, Error, Shape, Signature};
use ptxf_build::ptx::{Ptx, scan};

/// PTX that the driver has compiled.
#[derive(Clone, Debug)]
pub struct Module(Rc<Loaded>);

#[derive(Debug)]
struct Loaded {
    module: sys::CUmodule,
    ptx: Ptx,
    of: Rc<Primary>,
}

/// An entry of a module.
#[derive(Clone, Debug)]
pub struct Kernel {
    function: sys::CUfunction,
    signature: Signature,
    of: Module,
}

/// An argument of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// The address of device memory.
    Address(&'a Buffer),
    /// The address of a byte inside of it.
    Inside(&'a Buffer, usize),
    /// A `u32`.
    U32(u32),
    /// A `u64`, or a `usize` of the device.
    U64(u64),
    /// An `f32`.
    F32(f32),
    /// A number of any type, by its 8 bytes at most, the lowest first.
    Bytes(&'a [u8]),
}

/// How many blocks, of how many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Along x, y and z.
    pub blocks: [u32; 3],
    /// Of each block.
    pub threads: [u32; 3],
}

impl Module {
    pub(crate) fn load(primary: &Rc<Primary>, ptx: &str) -> Result<Self, Error> {
        let read = scan(ptx).map_err(|e| Error::new(format!("the PTX is not understood: {e}")))?;
        primary.enter()?;
        let image = CString::new(ptx).map_err(|_| Error::new("PTX with a zero byte"))?;
        // SAFETY: the image ends with a zero.
        let module = unsafe { result::module::load_data(image.as_ptr().cast()) };
        let module = module.map_err(|error| {
            Error::new(format!("the driver does not take the PTX: {error}\n{}", ptxf_cudarc::compiler_log(ptx)))
        })?;
        Ok(Self(Rc::new(Loaded { module, ptx: read, of: Rc::clone(primary) })))
    }

    /// Finds an entry by its name.
    ///
    /// # Errors
    ///
    /// It returns an error if the PTX has no entry of this name.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let none = || Error::new(format!("the PTX has no kernel {name}"));
        let signature = Signature::of(&self.0.ptx, name).ok_or_else(none)?;
        self.0.of.enter()?;
        let symbol = CString::new(name).map_err(|_| none())?;
        // SAFETY: the module lives as long as the kernel, which has a share of it.
        let function = unsafe { result::module::get_function(self.0.module, symbol) };
        let function = function.map_err(Error::at(format!("kernel {name}")))?;
        Ok(Kernel { function, signature, of: self.clone() })
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // A kernel of it may still run; an error has no one to go to.
        let _ = self.of.synchronize();
        if self.of.enter().is_err() {
            return;
        }
        // SAFETY: loaded by `load`; nothing of it runs, and no kernel of it is left.
        let _ = unsafe { result::module::unload(self.module) };
    }
}

impl Kernel {
    /// Launches it and does not wait: what reads a buffer does, and [`Context::synchronize`](crate::Context::synchronize).
    ///
    /// # Errors
    ///
    /// It returns an error if the arguments are not what the entry's parameters are declared to be, or a buffer is of another context, or the driver
    /// refuses the launch.
    ///
    /// # Safety
    ///
    /// With these arguments and threads the kernel touches no memory but the buffers that it is passed, inside their bounds, and
    /// its own. A device may reach the host's memory through any other address.
    pub unsafe fn launch(&self, extent: Extent, arguments: &[Arg<'_>]) -> Result<(), Error> {
        let primary = &self.of.0.of;
        self.signature.check(arguments.iter().map(Arg::shape))?;
        for (i, argument) in arguments.iter().enumerate() {
            if matches!(argument, Arg::Address(buffer) | Arg::Inside(buffer, _) if !buffer.is_of(primary)) {
                let name = self.signature.name();
                return Err(Error::new(format!("argument {} of {name} is a buffer of another context", i + 1)));
            }
        }
        primary.enter()?;
        // Little endian, as every host of a GPU: a narrow argument is the beginning of its word.
        let mut words: Vec<u64> = arguments.iter().map(|a| a.word().to_le()).collect();
        let mut pointers: Vec<*mut c_void> = words.iter_mut().map(|w| ptr::from_mut(w).cast()).collect();
        let Extent { blocks, threads } = extent;
        let what = Error::at(format!("launching {}", self.signature.name()));
        // SAFETY: the function's module lives; `words` outlives the call, which copies as many arguments as the entry has
        // parameters, each as wide as declared and no wider than a word. What the kernel does is the caller's to know.
        unsafe {
            result::launch_kernel(self.function, blocks.into(), threads.into(), 0, ptr::null_mut(), &mut pointers)
        }
        .map_err(what)
    }
}

impl Arg<'_> {
    fn word(&self) -> u64 {
        match *self {
            Self::Address(buffer) => buffer.address(),
            Self::Inside(buffer, offset) => buffer.address() + offset as u64,
            Self::U32(x) => x as u64,
            Self::U64(x) => x,
            Self::F32(x) => x.to_bits().into(),
            Self::Bytes(bytes) => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        }
    }

    /// What it is.
    const fn shape(&self) -> Shape {
        match self {
            Self::Address(_) | Self::Inside(..) => Shape::Address,
            Self::U32(_) => Shape::U32,
            Self::U64(_) => Shape::U64,
            Self::F32(_) => Shape::F32,
            Self::Bytes(bytes) => Shape::Bytes(bytes.len()),
        }
    }
}

impl Extent {
    /// So many threads or a few more, in blocks of `block` along x.
    #[must_use]
    pub const fn line(threads: u32, block: u32) -> Self {
        Self { blocks: [threads.div_ceil(block), 1, 1], threads: [block, 1, 1] }
    }
}
