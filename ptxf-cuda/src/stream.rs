//! Streams and events. An operation on a stream is finished when the function returns.

use std::ffi::{c_int, c_uint, c_ulonglong};
use std::sync::Arc;
use std::time::Instant;

use crate::abi::{Host, HostFn, Out, StreamCallback};
use crate::failure::{Code, Done, Failure};
use crate::state::{self, Context, Event, Stream};

/// The greatest handle of a default stream: the null stream, and two other handles for it.
const DEFAULT: usize = 2;

/// Returns the context of a stream.
pub(crate) fn known(stream: usize) -> Result<Arc<Context>, Failure> {
    if stream <= DEFAULT {
        return state::current();
    }
    let context = state::of(stream)?;
    let is_there = context.enter()?.streams.contains_key(&stream);
    if is_there { Ok(context) } else { Err(Code::InvalidHandle.into()) }
}

pub(crate) fn create(stream: Out<usize>, flags: c_uint) -> Done {
    let (stream, context) = (stream.place()?, state::current()?);
    let mut state = context.enter()?;
    let handle = state.handle();
    state.streams.insert(handle, Stream { flags });
    stream.put(handle)
}

pub(crate) fn create_default(stream: Out<usize>) -> Done {
    create(stream, 0)
}

/// Creates a stream. There is only one priority.
pub(crate) fn create_with_priority(stream: Out<usize>, flags: c_uint, _priority: c_int) -> Done {
    create(stream, flags)
}

pub(crate) fn destroy(stream: usize) -> Done {
    let was_there = state::of(stream)?.enter()?.streams.remove(&stream);
    was_there.map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

/// Returns at once. The result may be the fault of an earlier launch.
pub(crate) fn synchronize(stream: usize) -> Done {
    known(stream)?.enter().map(drop)
}

pub(crate) fn wait_event(stream: usize, event: usize, _flags: c_uint) -> Done {
    known(stream)?;
    recorded(event).map(drop)
}

pub(crate) fn is_capturing(stream: usize, status: Out<c_uint>) -> Done {
    known(stream)?;
    status.put(0)
}

pub(crate) fn flags(stream: usize, flags: Out<c_uint>) -> Done {
    let found = known(stream)?.enter()?.streams.get(&stream).map_or(0, |stream| stream.flags);
    flags.put(found)
}

pub(crate) fn priority(stream: usize, priority: Out<c_int>) -> Done {
    known(stream)?;
    priority.put(0)
}

pub(crate) fn context(stream: usize, context: Out<usize>) -> Done {
    context.put(known(stream)?.handle())
}

pub(crate) fn device(stream: usize, device: Out<c_int>) -> Done {
    device.put(known(stream)?.device as c_int)
}

pub(crate) fn id(stream: usize, id: Out<c_ulonglong>) -> Done {
    known(stream)?;
    id.put(stream as c_ulonglong)
}

pub(crate) fn add_callback(stream: usize, callback: StreamCallback, data: Host, _flags: c_uint) -> Done {
    synchronize(stream)?;
    callback.call(stream, data)
}

pub(crate) fn launch_host(stream: usize, function: HostFn, data: Host) -> Done {
    synchronize(stream)?;
    function.call(data)
}

pub(crate) fn attach(stream: usize, address: u64, _bytes: usize, _flags: c_uint) -> Done {
    known(stream)?;
    crate::memory::advice(address, 0)
}

/// The flag of an event without a time.
const DISABLE_TIMING: c_uint = 2;

pub(crate) fn create_event(event: Out<usize>, flags: c_uint) -> Done {
    let (event, context) = (event.place()?, state::current()?);
    let mut state = context.enter()?;
    let handle = state.handle();
    state.events.insert(handle, Event { flags, recorded: None });
    event.put(handle)
}

pub(crate) fn create_default_event(event: Out<usize>) -> Done {
    create_event(event, 0)
}

pub(crate) fn destroy_event(event: usize) -> Done {
    let was_there = state::of(event)?.enter()?.events.remove(&event);
    was_there.map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

pub(crate) fn record(event: usize, stream: usize) -> Done {
    known(stream)?;
    let context = state::of(event)?;
    let mut state = context.enter()?;
    state.events.get_mut(&event).ok_or(Code::InvalidHandle)?.recorded = Some(Instant::now());
    Ok(())
}

pub(crate) fn record_with_flags(event: usize, stream: usize, _flags: c_uint) -> Done {
    record(event, stream)
}

fn recorded(event: usize) -> Result<Event, Failure> {
    let context = state::of(event)?;
    let event = context.enter()?.events.get(&event).copied();
    event.ok_or_else(|| Code::InvalidHandle.into())
}

pub(crate) fn wait_for_event(event: usize) -> Done {
    recorded(event).map(drop)
}

/// Returns the time that this CPU took, in milliseconds.
pub(crate) fn elapsed(milliseconds: Out<f32>, start: usize, end: usize) -> Done {
    let at = |event| {
        let event = recorded(event)?;
        let has_time = event.flags & DISABLE_TIMING == 0;
        event.recorded.filter(|_| has_time).ok_or_else(|| Code::InvalidHandle.because("the event has no time"))
    };
    let (start, end) = (at(start)?, at(end)?);
    let seconds = match end.checked_duration_since(start) {
        Some(time) => time.as_secs_f32(),
        None => -(start - end).as_secs_f32(),
    };
    milliseconds.put(seconds * 1e3)
}
