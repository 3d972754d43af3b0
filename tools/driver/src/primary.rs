//! A device's primary context, which everything that is made with the device has a share of.
// Invariant: a context's handle is retained once, by whoever has a share of it, and outlives all that is made with it.

use cudarc::driver::{result, sys};

use crate::Error;

/// The device's primary context. Its `Rc`s keep it on one thread.
#[derive(Debug)]
pub(crate) struct Primary {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

impl Primary {
    /// Opens the device, and makes its context the thread's current one.
    pub(crate) fn retain(device: sys::CUdevice) -> Result<Self, Error> {
        // SAFETY: the driver gave the handle; released in `drop`.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(Error::at("opening the device"))?;
        let primary = Self { device, context };
        primary.enter()?;
        Ok(primary)
    }

    /// Makes it the thread's current context, which the driver's calls are about.
    pub(crate) fn enter(&self) -> Result<(), Error> {
        // SAFETY: retained by `retain`, and not released before `drop`.
        unsafe { result::ctx::set_current(self.context) }.map_err(Error::at("changing to the device"))
    }

    /// Waits for what was launched.
    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        self.enter()?;
        result::ctx::synchronize().map_err(Error::at("waiting for the kernel"))
    }

    /// Whether the other is the same device's, whose memory is one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.context == other.context
    }
}

impl Drop for Primary {
    fn drop(&mut self) {
        // SAFETY: retained by `retain`; everything made with it is gone. An error has no one to go to.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}
