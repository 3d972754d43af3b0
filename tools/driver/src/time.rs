//! A device's clock.
// Invariant: an event's handle is the driver's until it is dropped.

use std::ptr;
use std::rc::Rc;

use cudarc::driver::{result, sys};

use crate::Error;
use crate::primary::Primary;

/// How many seconds lie between what is launched before and after `launch`.
pub(crate) fn seconds<E: From<Error>>(
    primary: &Rc<Primary>,
    launch: impl FnOnce() -> Result<(), E>,
    wait: impl FnOnce() -> Result<(), E>,
) -> Result<f64, E> {
    let (start, end) = (Event::new(primary)?, Event::new(primary)?);
    start.record()?;
    launch()?;
    end.record()?;
    wait()?;
    primary.enter()?;
    // SAFETY: both were recorded on the null stream and are alive.
    let milliseconds =
        unsafe { result::event::elapsed(start.event, end.event) }.map_err(Error::at("reading the clock"))?;
    Ok(f64::from(milliseconds) / 1000.0)
}

/// A point in the stream's time.
struct Event {
    event: sys::CUevent,
    of: Rc<Primary>,
}

impl Event {
    fn new(primary: &Rc<Primary>) -> Result<Self, Error> {
        primary.enter()?;
        let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT);
        Ok(Self { event: event.map_err(Error::at("creating an event"))?, of: Rc::clone(primary) })
    }

    fn record(&self) -> Result<(), Error> {
        self.of.enter()?;
        // SAFETY: the event is alive and of the current context, and a null stream is the default one.
        unsafe { result::event::record(self.event, ptr::null_mut()) }.map_err(Error::at("recording an event"))
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.of.enter().is_err() {
            return;
        }
        // SAFETY: created by `new` in the current context, destroyed once.
        let _ = unsafe { result::event::destroy(self.event) };
    }
}
