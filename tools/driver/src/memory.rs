//! Memory of a device.
// Invariant: a buffer's address and length are those that the driver allocated, until it is dropped; copies end before the call does.

use std::rc::Rc;

use cudarc::driver::{result, sys};

use crate::Error;
use crate::primary::Primary;

/// Memory of the device, freed when it is dropped.
#[derive(Debug)]
pub struct Buffer {
    address: sys::CUdeviceptr,
    bytes: usize,
    of: Rc<Primary>,
}

impl Buffer {
    pub(crate) fn new(primary: &Rc<Primary>, bytes: usize) -> Result<Self, Error> {
        primary.enter()?;
        // The driver has no empty memory.
        // SAFETY: bytes, which may have any value; freed in `drop`.
        let address = unsafe { result::malloc_sync(bytes.max(1)) };
        let address = address.map_err(Error::at(format!("{bytes} bytes of device memory")))?;
        Ok(Self { address, bytes, of: Rc::clone(primary) })
    }

    pub(crate) const fn address(&self) -> u64 {
        self.address
    }

    /// Whether it is memory of this context.
    pub(crate) fn is_of(&self, primary: &Primary) -> bool {
        self.of.is(primary)
    }

    /// Bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Writes its beginning.
    ///
    /// # Errors
    ///
    /// It returns an error if the buffer is shorter than `data`.
    pub fn write(&mut self, data: &[u8]) -> Result<(), Error> {
        self.require(data.len())?;
        self.of.enter()?;
        // SAFETY: inside the buffer; the copy is synchronous.
        unsafe { result::memcpy_htod_sync(self.address, data) }.map_err(Error::at("copying to the device"))
    }

    /// Reads its beginning, when what was launched before is done.
    ///
    /// # Errors
    ///
    /// It returns an error if the buffer is shorter than `data`, or if a kernel that was launched before failed.
    pub fn read(&self, data: &mut [u8]) -> Result<(), Error> {
        self.require(data.len())?;
        self.of.enter()?;
        // SAFETY: inside the buffer; the copy is synchronous.
        unsafe { result::memcpy_dtoh_sync(data, self.address) }.map_err(Error::at("copying from the device"))
    }

    /// Everything in it.
    ///
    /// # Errors
    ///
    /// It returns an error if a kernel that was launched before failed.
    pub fn download(&self) -> Result<Vec<u8>, Error> {
        let mut data = vec![0; self.bytes];
        self.read(&mut data)?;
        Ok(data)
    }

    fn require(&self, bytes: usize) -> Result<(), Error> {
        if bytes <= self.bytes {
            return Ok(());
        }
        Err(Error::new(format!("{bytes} bytes in a buffer of {}", self.bytes)))
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if self.of.enter().is_err() {
            return;
        }
        // SAFETY: allocated by `new` in the current context; the driver waits for the kernels that run.
        let _ = unsafe { result::free_sync(self.address) };
    }
}
