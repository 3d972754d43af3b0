//! A device's clock.
// Invariant: an event's handle is the driver's until it is dropped.

use std::ptr;

use cudarc::driver::{result, sys};

use crate::Error;

/// How many seconds lie between what is launched before and after `launch`.
pub(crate) fn seconds<E: From<Error>>(
    launch: impl FnOnce() -> Result<(), E>,
    wait: impl FnOnce() -> Result<(), E>,
) -> Result<f64, E> {
    let (start, end) = (Event::new()?, Event::new()?);
    start.record()?;
    launch()?;
    end.record()?;
    wait()?;
    // SAFETY: both were recorded on the null stream and are alive.
    let milliseconds = unsafe { result::event::elapsed(start.0, end.0) }.map_err(Error::at("reading the clock"))?;
    Ok(f64::from(milliseconds) / 1000.0)
}

/// A point in the stream's time.
struct Event(sys::CUevent);

impl Event {
    fn new() -> Result<Self, Error> {
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT);
        Ok(Self(event.map_err(Error::at("creating an event"))?))
    }

    fn record(&self) -> Result<(), Error> {
        // SAFETY: the event is alive, and a null stream is the default one.
        unsafe { result::event::record(self.0, ptr::null_mut()) }.map_err(Error::at("recording an event"))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}
