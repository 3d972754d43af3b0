//! Arguments of callers: pointers, as types that read and write through them.
// Invariant: callers pass what CUDA's documentation requires: null, or a pointer to as many values as it says. These types are made from it.
#![expect(unsafe_code, reason = "callers pass raw pointers")]

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::failure::{Code, Done, Failure};

/// The address of a function of this library.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address(pub(crate) *const c_void);

// SAFETY: every thread may call the code at the address.
unsafe impl Sync for Address {}

/// A place for a result, or null.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

/// A value of the caller that a result replaces, or null.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Place<T>(*mut T);

/// Values of the caller, or null.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

/// A text that ends with a zero byte, or null.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

/// Memory of the caller, or null.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Host(*mut c_void);

// SAFETY: the caller says in which thread its memory is accessed: in any that launches a graph.
unsafe impl Send for Host {}

// SAFETY: the same.
unsafe impl Sync for Host {}

/// A function of the caller, or null.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Callback<F>(Option<F>);

/// `CUhostFn`
pub(crate) type HostFn = Callback<unsafe extern "C" fn(*mut c_void)>;
/// `CUstreamCallback`
pub(crate) type StreamCallback = Callback<unsafe extern "C" fn(usize, c_int, *mut c_void)>;
/// `CUoccupancyB2DSize`
pub(crate) type SharedOfBlock = Callback<unsafe extern "C" fn(c_int) -> usize>;

impl<T: Copy> Out<T> {
    /// The null pointer.
    pub(crate) const NULL: Self = Self(std::ptr::null_mut());

    /// Fails if there is no place for the result. Called before an object is created, which would
    /// otherwise be lost.
    pub(crate) fn place(self) -> Result<Self, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("the pointer to a result is null"));
        }
        Ok(self)
    }

    /// Writes the result.
    pub(crate) fn put(self, value: T) -> Done {
        self.place()?.put_if(value);
        Ok(())
    }

    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Writes the result if there is a place for it.
    pub(crate) fn put_if(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller has writable space for one value there, of any alignment.
            unsafe { self.0.write_unaligned(value) };
        }
    }

    /// Writes the result with this index.
    pub(crate) fn put_at(self, index: usize, value: T) -> Done {
        Self(if self.0.is_null() { self.0 } else { self.0.wrapping_add(index) }).put(value)
    }
}

impl<T: Copy> Place<T> {
    pub(crate) fn get(self) -> Result<T, Failure> {
        In(self.0.cast_const()).get()
    }

    pub(crate) const fn out(self) -> Out<T> {
        Out(self.0)
    }
}

impl<T: Copy> In<T> {
    /// The null pointer.
    pub(crate) const NULL: Self = Self(std::ptr::null());

    /// Converts a pointer that is one of several words of the caller.
    pub(crate) const fn behind(pointer: *mut c_void) -> Self {
        Self(pointer.cast_const().cast())
    }

    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Returns the first value.
    pub(crate) fn get(self) -> Result<T, Failure> {
        self.at(0)
    }

    /// Returns the value with this index.
    pub(crate) fn at(self, index: usize) -> Result<T, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("the pointer to values is null"));
        }
        // SAFETY: the caller has as many values there as it says, and `index` is below that.
        Ok(unsafe { self.0.wrapping_add(index).read_unaligned() })
    }
}

impl Text {
    pub(crate) fn get(self) -> Result<String, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("the pointer to a name is null"));
        }
        // SAFETY: the caller's text ends with a zero byte.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

impl Host {
    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Returns the memory at an address of this process that a caller passes as an address of a
    /// device.
    pub(crate) fn at(address: u64) -> Self {
        Self(std::ptr::with_exposed_provenance_mut(address as usize))
    }

    /// Returns the memory of values of this library.
    pub(crate) const fn of<T>(values: &[T]) -> Self {
        Self(values.as_ptr().cast_mut().cast())
    }

    /// Converts a pointer that is one of several words of the caller.
    pub(crate) const fn behind_pointer(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    /// Returns the address.
    pub(crate) fn address(self) -> u64 {
        self.0.expose_provenance() as u64
    }

    /// Reads bytes from an offset.
    pub(crate) fn read(self, offset: usize, count: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; count];
        if count > 0 {
            let from = self.behind(offset)?.cast_const();
            // SAFETY: the caller has `count` bytes there, and the vector, which is new, has as
            // many.
            unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), count) };
        }
        Ok(bytes)
    }

    /// Writes bytes from an offset.
    pub(crate) fn write(self, offset: usize, bytes: &[u8]) -> Done {
        if !bytes.is_empty() {
            let to = self.behind(offset)?;
            // SAFETY: the caller has space for the bytes there, which does not overlap the slice of
            // this library.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
        Ok(())
    }

    /// Returns the bytes before the first zero byte.
    pub(crate) fn text(self) -> Result<Vec<u8>, Failure> {
        self.behind(0)?;
        // SAFETY: the image is a text, which ends with a zero byte, since it does not begin like
        // another kind of image.
        Ok(unsafe { CStr::from_ptr(self.0.cast_const().cast()) }.to_bytes().to_vec())
    }

    fn behind(self, offset: usize) -> Result<*mut u8, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("the pointer to memory is null"));
        }
        Ok(self.0.cast::<u8>().wrapping_add(offset))
    }
}

impl<F: Copy> Callback<F> {
    fn get(self) -> Result<F, Failure> {
        self.0.ok_or_else(|| Code::InvalidValue.because("the pointer to a function is null"))
    }
}

impl HostFn {
    pub(crate) fn call(self, data: Host) -> Done {
        // SAFETY: the caller passes the function to be called with this data.
        unsafe { self.get()?(data.0) };
        Ok(())
    }
}

impl StreamCallback {
    pub(crate) fn call(self, stream: usize, data: Host) -> Done {
        // SAFETY: the caller passes the function to be called with this data.
        unsafe { self.get()?(stream, 0, data.0) };
        Ok(())
    }
}

impl SharedOfBlock {
    /// Returns the bytes of shared memory that a block of this size takes; `None` if the caller has
    /// no function.
    pub(crate) fn call(self, threads: u32) -> Option<usize> {
        // SAFETY: the caller passes the function to be called with the size of a block.
        self.0.map(|f| unsafe { f(threads as c_int) })
    }
}

/// Copies a text, truncated to the space of the caller, with a zero byte.
pub(crate) fn copied(text: &CStr, to: Host, length: c_int) -> Done {
    let bytes = text.to_bytes_with_nul();
    let place = usize::try_from(length).unwrap_or_default();
    if place == 0 {
        return Err(Code::InvalidValue.because("the length for a text is not positive"));
    }
    let fits = bytes.len().min(place) - 1;
    to.write(0, &bytes[..fits])?;
    to.write(fits, &[0])
}
