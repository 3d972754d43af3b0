//! Names and descriptions of errors, and versions.
// Invariant: a library is looked up by a text that ends with a zero byte, and nothing is loaded.
#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "the system's loader is asked for a library"))]

use std::ffi::{CStr, c_char, c_int};

use crate::abi::Out;
use crate::device::VERSION;
use crate::failure::{Code, Done};

/// The text for numbers of no error.
const UNRECOGNIZED: &CStr = c"unrecognized error code";

/// The version of the runtime for programs of CUDA 12.
const VERSION_12: c_int = 12_090;

pub(super) fn name(error: c_int) -> *const c_char {
    Code::of(error).map_or(UNRECOGNIZED, Code::runtime_name).as_ptr()
}

pub(super) fn words(error: c_int) -> *const c_char {
    Code::of(error).map_or(UNRECOGNIZED, Code::words).as_ptr()
}

/// Returns the version of the library that the program has loaded.
pub(super) fn version(version: Out<c_int>) -> Done {
    version.put(if is_loaded(c"libcudart.so.12") { VERSION_12 } else { VERSION })
}

/// Returns `true` if the process has loaded a library of this name.
#[cfg(target_os = "linux")]
fn is_loaded(name: &CStr) -> bool {
    // SAFETY: the name is a text, and the flags request that nothing is loaded. The library stays
    // loaded, because it is only counted once more.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    !handle.is_null()
}

#[cfg(not(target_os = "linux"))]
fn is_loaded(_name: &CStr) -> bool {
    false
}
