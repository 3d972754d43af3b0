//! Kernels on a device.
// Invariant: a function's module is loaded as long as the function; a launch passes the words that the entry declares.

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::rc::Rc;

use cudarc::driver::{result, sys};

use crate::context::Primary;
use crate::{Buffer, Error, parameters};

/// PTX that the driver has compiled.
#[derive(Clone, Debug)]
pub struct Module(Rc<Loaded>);

#[derive(Debug)]
struct Loaded {
    module: sys::CUmodule,
    ptx: String,
    _of: Rc<Primary>,
}

/// An entry of a module.
#[derive(Clone, Debug)]
pub struct Kernel {
    function: sys::CUfunction,
    name: String,
    /// The widths of its parameters.
    widths: Vec<usize>,
    _of: Module,
}

/// An argument of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// The address of device memory.
    Address(&'a Buffer),
    /// A `u32`.
    U32(u32),
    /// A `u64`, or a `usize` of the device.
    U64(u64),
    /// An `f32`.
    F32(f32),
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
        use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        let image = CString::new(ptx).map_err(|_| Error::new("PTX with a zero byte"))?;
        let mut log = vec![0_u8; 16 << 10];
        let mut options = [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // The size travels in the pointer itself.
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), ptr::without_provenance_mut(log.len() - 1)];
        let mut module = MaybeUninit::uninit();
        // SAFETY: the image ends with a zero; two options with their values; the log is one byte longer than announced.
        let status = unsafe {
            sys::cuModuleLoadDataEx(
                module.as_mut_ptr(),
                image.as_ptr().cast(),
                2,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if let Err(error) = status.result() {
            let log = CStr::from_bytes_until_nul(&log).map_or_else(|_| "".into(), CStr::to_string_lossy);
            return Err(Error::new(format!("the driver does not take the PTX: {error}\n{}", log.trim())));
        }
        // SAFETY: the driver wrote it, or there would have been an error.
        let module = unsafe { module.assume_init() };
        Ok(Self(Rc::new(Loaded { module, ptx: ptx.to_owned(), _of: Rc::clone(primary) })))
    }

    /// Finds an entry by its name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let none = || Error::new(format!("the PTX has no kernel {name}"));
        let widths = parameters(&self.0.ptx, name).ok_or_else(none)?;
        let symbol = CString::new(name).map_err(|_| none())?;
        // SAFETY: the module lives as long as the kernel, which has a share of it.
        let function = unsafe { result::module::get_function(self.0.module, symbol) };
        let function = function.map_err(Error::at(format!("kernel {name}")))?;
        Ok(Kernel { function, name: name.to_owned(), widths, _of: self.clone() })
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // A kernel of it may still run.
        let _ = result::ctx::synchronize();
        // SAFETY: loaded by `load`; nothing of it runs, and no kernel of it is left.
        let _ = unsafe { result::module::unload(self.module) };
    }
}

impl Kernel {
    /// Launches it and does not wait: what reads a buffer does, and [`Context::synchronize`](crate::Context::synchronize).
    ///
    /// # Errors
    ///
    /// If the arguments are not as many or as wide as the entry's parameters, or the driver refuses the launch.
    pub fn launch(&self, extent: Extent, arguments: &[Arg<'_>]) -> Result<(), Error> {
        let widths: Vec<usize> = arguments.iter().map(|a| a.width()).collect();
        if widths != self.widths {
            let Self { name, widths: wanted, .. } = self;
            return Err(Error::new(format!("{name} takes arguments of {wanted:?} bytes, not {widths:?}")));
        }
        // Little endian, as every host of a GPU: a narrow argument is the beginning of its word.
        let mut words: Vec<u64> = arguments.iter().map(|a| a.word().to_le()).collect();
        let mut pointers: Vec<*mut c_void> = words.iter_mut().map(|w| ptr::from_mut(w).cast()).collect();
        let Extent { blocks, threads } = extent;
        let what = Error::at(format!("launching {}", self.name));
        // SAFETY: the function's module lives; `words` outlives the call, which copies as many arguments as the entry has
        // parameters, each as wide as declared and no wider than a word.
        unsafe {
            result::launch_kernel(self.function, blocks.into(), threads.into(), 0, ptr::null_mut(), &mut pointers)
        }
        .map_err(what)
    }
}

impl Arg<'_> {
    const fn word(&self) -> u64 {
        match *self {
            Self::Address(buffer) => buffer.address(),
            Self::U32(x) => x as u64,
            Self::U64(x) => x,
            Self::F32(x) => x.to_bits() as u64,
        }
    }

    /// Bytes.
    const fn width(&self) -> usize {
        match self {
            Self::Address(_) | Self::U64(_) => 8,
            Self::U32(_) | Self::F32(_) => 4,
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
