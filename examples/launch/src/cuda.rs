//! A GPU through NVIDIA's driver: `cudarc`'s thin layer, whose errors have the compiler's log with them.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::error;
use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use cudarc::driver::{result, sys};

use crate::entry::Arguments;

pub(crate) type Error = Box<dyn error::Error>;

/// The first device, current on this thread.
#[derive(Debug)]
pub(crate) struct Context {
    device: sys::CUdevice,
    name: String,
}

/// Kernels on the device.
#[derive(Debug)]
pub(crate) struct Module<'a> {
    module: sys::CUmodule,
    /// The context outlives it.
    _of: &'a Context,
}

/// Memory of the device.
#[derive(Debug)]
pub(crate) struct Buffer<'a> {
    address: sys::CUdeviceptr,
    length: usize,
    /// The context outlives it.
    _of: &'a Context,
}

/// Opens the first device, or says why there is none.
pub(crate) fn open() -> Result<Result<Context, String>, Error> {
    // cudarc panics where the library is absent, so it has to be asked first.
    // SAFETY: loading libcuda runs its initializers, as any program that uses the driver does.
    if !unsafe { sys::is_culib_present() } {
        return Ok(Err("libcuda.so is not here (no NVIDIA driver)".to_owned()));
    }
    if let Err(error) = result::init() {
        return Ok(Err(format!("the driver does not start: {error}")));
    }
    if result::device::get_count()? == 0 {
        return Ok(Err("the driver sees no device".to_owned()));
    }
    let device = result::device::get(0)?;
    let name = result::device::get_name(device)?;
    // SAFETY: `device` is from `device::get`; released in `drop`.
    let context = unsafe { result::primary_ctx::retain(device) }?;
    let opened = Context { device, name };
    // SAFETY: the context was just retained. `Context` is used on this thread alone.
    unsafe { result::ctx::set_current(context) }?;
    Ok(Ok(opened))
}

impl Context {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Has the driver compile PTX for the device.
    pub(crate) fn load(&self, ptx: &str) -> Result<Module<'_>, Error> {
        use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        let image = CString::new(ptx)?;
        let mut log = vec![0_u8; 8 << 10];
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
            return Err(format!("the driver does not take the PTX: {error}\n{}", log.trim()).into());
        }
        // SAFETY: the driver wrote it, or there would have been an error.
        Ok(Module { module: unsafe { module.assume_init() }, _of: self })
    }

    /// Takes memory, its contents unspecified.
    pub(crate) fn alloc(&self, length: usize) -> Result<Buffer<'_>, Error> {
        // SAFETY: bytes, which may have any value; freed in `drop`.
        let address = unsafe { result::malloc_sync(length) }?;
        Ok(Buffer { address, length, _of: self })
    }

    /// Takes memory for these bytes.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Buffer<'_>, Error> {
        let buffer = self.alloc(bytes.len())?;
        // SAFETY: the buffer is as long as the bytes; the copy is synchronous.
        unsafe { result::memcpy_htod_sync(buffer.address, bytes) }?;
        Ok(buffer)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: retained by `open`. An error has no one to go to.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

impl Module<'_> {
    /// Runs an entry and waits for it.
    pub(crate) fn launch(&self, entry: &str, arguments: &Arguments) -> Result<(), Error> {
        // SAFETY: the module lives as long as `self`.
        let function = unsafe { result::module::get_function(self.module, CString::new(entry)?) }?;
        let mut words = arguments.words.clone();
        let mut parameters: Vec<*mut c_void> = words.iter_mut().map(|w| ptr::from_mut(w).cast()).collect();
        let (blocks, block) = arguments.grid();
        // SAFETY: `words` outlives the call, which copies as much of each as the parameter is long; the arguments are the
        // entry's, and each slice is as long as it says.
        unsafe { result::launch_kernel(function, (blocks, 1, 1), (block, 1, 1), 0, ptr::null_mut(), &mut parameters) }?;
        // Also where an error of the kernel comes to light.
        Ok(result::ctx::synchronize()?)
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: loaded by `load`; no kernel runs any more.
        let _ = unsafe { result::module::unload(self.module) };
    }
}

impl Buffer<'_> {
    pub(crate) const fn address(&self) -> u64 {
        self.address
    }

    /// What is in it.
    pub(crate) fn download(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; self.length];
        // SAFETY: the buffer is as long as the bytes; the copy is synchronous.
        unsafe { result::memcpy_dtoh_sync(&mut bytes, self.address) }?;
        Ok(bytes)
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: allocated by `alloc`; no kernel runs any more.
        let _ = unsafe { result::free_sync(self.address) };
    }
}
