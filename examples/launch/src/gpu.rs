//! Looks for a GPU.
// Invariant: nothing is asked of the driver before it is known to be there.

use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, sys};

/// Returns the first device, or the reason for its absence.
pub(crate) fn open() -> Result<Result<Arc<CudaContext>, String>, DriverError> {
    #[expect(unsafe_code, reason = "a library is loaded, whose initializers are foreign code")]
    // SAFETY: loading libcuda runs its initializers, as any program that uses the driver does.
    let has_driver = unsafe { sys::is_culib_present() };
    // cudarc panics if the library is absent.
    if !has_driver {
        return Ok(Err("libcuda is not here (no NVIDIA driver)".to_owned()));
    }
    match CudaContext::device_count() {
        Err(error) => Ok(Err(format!("the driver does not start: {error}"))),
        Ok(0) => Ok(Err("the driver sees no device".to_owned())),
        Ok(_) => CudaContext::new(0).map(Ok),
    }
}
