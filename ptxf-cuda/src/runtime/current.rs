//! The device of a thread, its context, and the last error.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::{c_int, c_uint};
use std::sync::{Arc, Mutex, PoisonError};

use crate::abi::Out;
use crate::failure::{Done, Failure};
use crate::state::{self, Context};
use crate::{device, report};

thread_local! {
    /// The device that `cudaSetDevice` has chosen.
    static DEVICE: Cell<usize> = const { Cell::new(0) };
    static LAST_ERROR: Cell<c_int> = const { Cell::new(0) };
}

/// The devices whose primary contexts the runtime uses.
static RETAINED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Returns the primary context of a device, of which the runtime counts as one user.
fn primary(device: usize) -> Result<Arc<Context>, Failure> {
    let mut retained = RETAINED.lock().unwrap_or_else(PoisonError::into_inner);
    let was_used = state::is_active(device) && retained.contains(&device);
    let context = state::retain(device)?;
    if was_used {
        state::release(device, false)?;
    }
    retained.insert(device);
    Ok(context)
}

/// Runs the body of a function in the thread's context, and keeps its error.
pub(super) fn code(function: &str, work: impl FnOnce() -> Done) -> c_int {
    without_context(function, || {
        ready()?;
        work()
    })
}

/// Runs the body of a function that needs no context, and keeps its error.
pub(super) fn without_context(function: &str, work: impl FnOnce() -> Done) -> c_int {
    let code = without_driver(function, || {
        device::init(0)?;
        work()
    });
    if code != 0 {
        LAST_ERROR.set(code);
    }
    code
}

/// Runs the body of a function that works without a device.
pub(super) fn without_driver(function: &str, work: impl FnOnce() -> Done) -> c_int {
    report::code(function, work)
}

/// Makes the primary context of the thread's device current, if no context is.
fn ready() -> Done {
    if state::current_or_none()?.is_none() {
        state::set(Some(&*primary(DEVICE.get())?));
    }
    Ok(())
}

/// Returns the last error of this thread.
pub(super) fn last_error() -> c_int {
    LAST_ERROR.get()
}

/// Returns the last error of this thread and forgets it.
pub(super) fn take_last_error() -> c_int {
    LAST_ERROR.take()
}

pub(super) fn set_device(device: c_int) -> Done {
    let device = device::known(device)?;
    DEVICE.set(device);
    state::set(Some(&*primary(device)?));
    Ok(())
}

pub(super) fn init_device(device: c_int, _device_flags: c_uint, _flags: c_uint) -> Done {
    primary(device::known(device)?).map(drop)
}

fn device() -> Result<usize, Failure> {
    Ok(state::current_or_none()?.map_or(DEVICE.get(), |context| context.device))
}

pub(super) fn get_device(to: Out<c_int>) -> Done {
    to.put(device()? as c_int)
}

pub(super) fn reset() -> Done {
    state::release(device()?, true)
}

/// Returns the flags of the device: kernels can access memory of `cudaHostAlloc`.
pub(super) fn device_flags(flags: Out<c_uint>) -> Done {
    flags.put(8)
}

pub(super) fn enable_peer(_peer: c_int, flags: c_uint) -> Done {
    crate::context::enable_peer(0, flags)
}
