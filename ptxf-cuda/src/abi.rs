//! What callers pass: pointers, as types that read and write through them.
// Invariant: these types are made of what callers pass, and that is what CUDA's documentation asks for: null, or a pointer to as many values as it says.
#![expect(unsafe_code, reason = "the pointers are the callers'")]

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::failure::{Code, Done, Failure};

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

/// Values that are read.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

/// A text that ends with a zero.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

/// Memory of the caller's.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Host(*mut c_void);

/// A function of the caller's, or null.
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
    /// Complains if there is no place for the result, before something is made that nobody would know of.
    pub(crate) fn place(self) -> Result<Self, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("a result has no place: the pointer is null"));
        }
        Ok(self)
    }

    /// Writes the result.
    pub(crate) fn put(self, value: T) -> Done {
        self.place()?.put_if(value);
        Ok(())
    }

    /// Writes the result if it is asked for.
    pub(crate) fn put_if(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller has a place for one value there, of which nothing is known but that it is writable.
            unsafe { self.0.write_unaligned(value) };
        }
    }

    /// Writes one of several results.
    pub(crate) fn put_at(self, index: usize, value: T) -> Done {
        Self(if self.0.is_null() { self.0 } else { self.0.wrapping_add(index) }).put(value)
    }
}

impl<T: Copy> In<T> {
    /// No values.
    pub(crate) const NULL: Self = Self(std::ptr::null());

    /// Values behind a pointer that the caller passes among others.
    pub(crate) const fn behind(pointer: *mut c_void) -> Self {
        Self(pointer.cast_const().cast())
    }

    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The first value.
    pub(crate) fn get(self) -> Result<T, Failure> {
        self.at(0)
    }

    /// One of several values.
    pub(crate) fn at(self, index: usize) -> Result<T, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("a pointer to values is null"));
        }
        // SAFETY: the caller has as many values there as it says, and `index` is below that.
        Ok(unsafe { self.0.wrapping_add(index).read_unaligned() })
    }
}

impl Text {
    pub(crate) fn get(self) -> Result<String, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("a name is null"));
        }
        // SAFETY: the caller's text ends with a zero.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

impl Host {
    pub(crate) const fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The memory at an address of this process that a caller passes as one of a device.
    pub(crate) fn at(address: u64) -> Self {
        Self(std::ptr::with_exposed_provenance_mut(address as usize))
    }

    /// Memory behind a pointer that the caller passes among others.
    pub(crate) const fn behind_pointer(pointer: *mut c_void) -> Self {
        Self(pointer)
    }

    /// Its address.
    pub(crate) fn address(self) -> u64 {
        self.0.expose_provenance() as u64
    }

    /// The bytes from an offset on.
    pub(crate) fn read(self, offset: usize, count: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![0; count];
        if count > 0 {
            let from = self.behind(offset)?.cast_const();
            // SAFETY: the caller has so many bytes there, and the vector, which nobody else knows, as well.
            unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), count) };
        }
        Ok(bytes)
    }

    /// Writes bytes from an offset on.
    pub(crate) fn write(self, offset: usize, bytes: &[u8]) -> Done {
        if !bytes.is_empty() {
            let to = self.behind(offset)?;
            // SAFETY: the caller has a place for so many bytes there, and nothing of this library, of which the slice is, is there.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
        Ok(())
    }

    /// The bytes up to the first zero.
    pub(crate) fn text(self) -> Result<Vec<u8>, Failure> {
        self.behind(0)?;
        // SAFETY: the caller's image is a text, which ends with a zero, if it does not begin as another kind of image does.
        Ok(unsafe { CStr::from_ptr(self.0.cast_const().cast()) }.to_bytes().to_vec())
    }

    fn behind(self, offset: usize) -> Result<*mut u8, Failure> {
        if self.0.is_null() {
            return Err(Code::InvalidValue.because("a pointer to memory is null"));
        }
        Ok(self.0.cast::<u8>().wrapping_add(offset))
    }
}

impl<F: Copy> Callback<F> {
    fn get(self) -> Result<F, Failure> {
        self.0.ok_or_else(|| Code::InvalidValue.because("a function to be called is null"))
    }
}

impl HostFn {
    pub(crate) fn call(self, data: Host) -> Done {
        // SAFETY: the caller wants its function to be called with what it passes beside it.
        unsafe { self.get()?(data.0) };
        Ok(())
    }
}

impl StreamCallback {
    pub(crate) fn call(self, stream: usize, data: Host) -> Done {
        // SAFETY: the caller wants its function to be called with what it passes beside it.
        unsafe { self.get()?(stream, 0, data.0) };
        Ok(())
    }
}

impl SharedOfBlock {
    /// How much shared memory a block of so many threads takes; nothing if the caller has no function for that.
    pub(crate) fn call(self, threads: u32) -> Option<usize> {
        // SAFETY: the caller wants its function to be called with the size of a block.
        self.0.map(|f| unsafe { f(threads as c_int) })
    }
}

/// Copies as much of a text as fits, and a zero.
pub(crate) fn copied(text: &CStr, to: Host, length: c_int) -> Done {
    let bytes = text.to_bytes_with_nul();
    let place = usize::try_from(length).unwrap_or_default();
    if place == 0 {
        return Err(Code::InvalidValue.because("a text has no place: its length is not positive"));
    }
    // As much as fits, and a zero.
    let fits = bytes.len().min(place) - 1;
    to.write(0, &bytes[..fits])?;
    to.write(fits, &[0])
}
