//! The driver's library, before anything of it is called.
// Invariant: a function of the library is called only after it was found by its name.

use std::ffi::{c_int, c_void};

use cudarc::driver::sys;

use crate::Error;

/// What the system calls it.
const NAME: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so" };

/// Every function of it that this crate calls, for cudarc panics in the middle of a call if one is not there.
const FUNCTIONS: [&str; 24] = [
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuDriverGetVersion",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventRecord",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemFree_v2",
    "cuMemcpyDtoH_v2",
    "cuMemcpyHtoD_v2",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleLoadDataEx",
    "cuModuleUnload",
];

/// Whether the library is here; an error if it is, and is not whole.
pub(crate) fn is_present() -> Result<bool, Error> {
    // SAFETY: loading libcuda runs its initializers, as any program that uses the driver does.
    if !unsafe { sys::is_culib_present() } {
        return Ok(false);
    }
    // SAFETY: the library was found and loaded above, so that cudarc finds it and runs no initializer again.
    let library = unsafe { sys::culib() };
    let is_missing = |name: &&str| {
        // SAFETY: the symbol is not used, so that its type says nothing.
        let found = unsafe { library.get::<unsafe extern "C" fn(*mut c_void) -> c_int>(name.as_bytes()) };
        found.is_err()
    };
    let missing: Vec<&str> = FUNCTIONS.into_iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Ok(true);
    }
    Err(Error::new(format!(
        "{NAME} has no {}: it is too old, or not NVIDIA's driver; install one of CUDA 12 or newer",
        missing.join(", ")
    )))
}
