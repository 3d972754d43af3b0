//! Streams and events. An operation on a stream is finished when the function returns, unless the
//! stream captures it.

use std::ffi::{c_int, c_uint, c_ulonglong};
use std::sync::Arc;
use std::time::Instant;

use crate::abi::{Host, HostFn, Out, StreamCallback};
use crate::capture::{self, Captured};
use crate::failure::{Code, Done, Failure};
use crate::graph::{Call, Work};
use crate::state::{self, Context};

/// A stream. Its operations are finished when a function returns, or become nodes of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    pub(crate) flags: c_uint,
    pub(crate) captured: Option<Captured>,
}

/// An event, the time of its recording, and the nodes that it stands for in a capture.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    flags: c_uint,
    recorded: Option<Instant>,
    captured: Option<Captured>,
}

/// The handle of the null stream. It is the legacy stream, in which synchronous copies run.
pub(crate) const LEGACY: usize = 0;

/// The greatest handle of a default stream: the null stream, the legacy stream, and that of the
/// thread.
pub(crate) const DEFAULT: usize = 2;

/// The flag of a stream for which the legacy stream does not wait.
pub(crate) const NON_BLOCKING: c_uint = 1;

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
    state.streams.insert(handle, Stream { flags, captured: None });
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
    let context = state::of(stream)?;
    let mut state = context.enter()?;
    // A capture is invalid without one of its streams.
    let _ = state.refuse_in_capture(stream);
    let was_there = state.streams.remove(&stream);
    was_there.map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

/// Returns at once. The result may be the fault of an earlier launch.
pub(crate) fn synchronize(stream: usize) -> Done {
    let context = known(stream)?;
    let mut state = context.enter()?;
    if capture::is_any() { state.refuse_in_capture(stream) } else { Ok(()) }
}

/// The flag of an event in a capture that is a node of its own, and concerns no other stream of it.
const EXTERNAL: c_uint = 1;

/// Lets a stream wait for an event: in a capture, its next operation depends on the event's nodes.
pub(crate) fn wait_event(stream: usize, event: usize, flags: c_uint) -> Done {
    let context = known(stream)?;
    let of = recorded(event)?;
    if !capture::is_any() && of.captured.is_none() {
        return Ok(());
    }
    let mut state = context.enter()?;
    let captured = state.captured_now(stream)?;
    if flags & EXTERNAL != 0 {
        drop(state);
        return capture::run(stream, WAIT_NODE, move || recorded(event).map(drop));
    }
    match (captured, of.captured) {
        (None, None) => Ok(()),
        (_, Some(of)) if !state.has_capture(of.id) => {
            Err(Code::CapturedEvent.because("the event was recorded in a capture that has ended: record it again"))
        }
        (None, Some(of)) => state.join(stream, of),
        (Some(this), Some(of)) if this.id == of.id => {
            state.join(stream, Captured { id: this.id, after: capture::merged(this.after, of.after) })
        }
        (Some(_), Some(_)) => Err(Code::StreamCaptureMerge.because("the event belongs to another capture")),
        (Some(_), None) if of.recorded.is_none() => Ok(()),
        (Some(_), None) => Err(Code::StreamCaptureIsolation
            .because("the event was recorded outside of the capture: record it in a stream that captures")),
    }
}

/// The numbers of `CUgraphNodeType` for events.
const WAIT_NODE: c_uint = 6;
const RECORD_NODE: c_uint = 7;

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
    // A fault of an earlier kernel comes first.
    known(stream)?.enter().map(drop)?;
    capture::submit(stream, Work::Call(Call::new(function, data)))
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
    state.events.insert(handle, Event { flags, recorded: None, captured: None });
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
    let captured =
        if capture::is_any() { known(stream)?.enter()?.captured_now(stream)? } else { known(stream).map(|_| None)? };
    with_event(event, |event| {
        event.recorded = captured.is_none().then(Instant::now);
        event.captured = captured;
    })
}

fn with_event(event: usize, work: impl FnOnce(&mut Event)) -> Done {
    let context = state::of(event)?;
    let mut state = context.enter()?;
    work(state.events.get_mut(&event).ok_or(Code::InvalidHandle)?);
    Ok(())
}

pub(crate) fn record_with_flags(event: usize, stream: usize, flags: c_uint) -> Done {
    if flags & EXTERNAL == 0 {
        return record(event, stream);
    }
    capture::run(stream, RECORD_NODE, move || {
        with_event(event, |event| (event.recorded, event.captured) = (Some(Instant::now()), None))
    })
}

fn recorded(event: usize) -> Result<Event, Failure> {
    let context = state::of(event)?;
    let event = context.enter()?.events.get(&event).cloned();
    event.ok_or_else(|| Code::InvalidHandle.into())
}

pub(crate) fn wait_for_event(event: usize) -> Done {
    if recorded(event)?.captured.is_some() {
        return Err(Code::CapturedEvent.because("the event was recorded in a capture, in which nothing has run"));
    }
    Ok(())
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
