//! Capture of streams: operations become nodes of a graph instead of running.
//!
//! A capture begins in a stream. Another stream joins it by waiting for an event that was recorded
//! in the capture, and leaves it when the first stream waits for one of its events. Meanwhile
//! operations in the legacy stream are refused, which synchronous copies are.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::c_uint;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use crate::abi::{Host, In, Out, Place};
use crate::failure::{Code, Done, Failure};
use crate::graph::{Graph, Node, Work};
use crate::state::State;
use crate::stream::{self, DEFAULT, NON_BLOCKING};

/// A capture.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    graph: usize,
    /// The stream in which the capture began.
    origin: usize,
    thread: ThreadId,
    mode: c_uint,
    /// `false` after a call that a capture does not allow.
    is_valid: bool,
}

/// The capture of a stream, and the nodes after which its next operation runs.
#[derive(Clone, Debug)]
pub(crate) struct Captured {
    pub(crate) id: usize,
    pub(crate) after: Vec<usize>,
}

/// The number of captures in the process. While there is none, nothing is looked up.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

/// The greatest number of `CUstreamCaptureMode`, which is relaxed: any thread may end the capture.
const RELAXED: c_uint = 2;

thread_local! {
    /// The mode of this thread, which is only kept for the caller.
    static MODE: Cell<c_uint> = const { Cell::new(0) };
}

/// Returns `true` if a stream may be capturing.
pub(crate) fn is_any() -> bool {
    ACTIVE.load(Ordering::Relaxed) > 0
}

impl State {
    /// Returns the nodes on which the next operation of a stream depends. Returns `None` if the
    /// stream does not capture. An operation in the legacy stream would wait for all other streams,
    /// unless they do not block it, which ends their captures.
    pub(crate) fn captured_now(&mut self, stream: usize) -> Result<Option<Captured>, Failure> {
        if stream < DEFAULT {
            let streams = &self.streams;
            let blocks =
                |capture: &Capture| streams.get(&capture.origin).is_some_and(|stream| stream.flags & NON_BLOCKING == 0);
            let mut is_blocked = false;
            for capture in self.captures.values_mut().filter(|capture| blocks(capture)) {
                (capture.is_valid, is_blocked) = (false, true);
            }
            if is_blocked {
                let why = "the legacy stream waits for a stream that is capturing: use another stream";
                return Err(Code::StreamCaptureImplicit.because(why));
            }
        }
        let Some(captured) = self.streams.get(&stream).and_then(|stream| stream.captured.as_ref()) else {
            return Ok(None);
        };
        match self.captures.get(&captured.id) {
            Some(capture) if capture.is_valid => Ok(Some(captured.clone())),
            _ => Err(Code::StreamCaptureInvalidated.because("an earlier call has ended the capture: end it")),
        }
    }

    /// Adds an operation of a capturing stream to the graph.
    fn capture(&mut self, stream: usize, captured: Captured, work: Work) -> Done {
        let node = self.handle();
        let graph = self.captures[&captured.id].graph;
        self.graph(graph)?.0.insert(node, Node { work, after: captured.after });
        self.join(stream, Captured { id: captured.id, after: vec![node] })
    }

    /// Lets a stream's next operation run after these nodes.
    pub(crate) fn join(&mut self, stream: usize, captured: Captured) -> Done {
        let found = self.streams.get_mut(&stream).ok_or_else(|| {
            Code::StreamCaptureUnsupported.because("a default stream cannot capture: create a stream")
        })?;
        found.captured = Some(captured);
        Ok(())
    }

    /// Returns `true` if a capture has not ended.
    pub(crate) fn has_capture(&self, id: usize) -> bool {
        self.captures.contains_key(&id)
    }

    /// Refuses a call in a capture, which is invalid after that.
    pub(crate) fn refuse_in_capture(&mut self, stream: usize) -> Done {
        let id = self.streams.get(&stream).and_then(|stream| stream.captured.as_ref()).map(|captured| captured.id);
        let Some(capture) = id.and_then(|id| self.captures.get_mut(&id)) else { return Ok(()) };
        capture.is_valid = false;
        Err(Code::StreamCaptureUnsupported.because("a stream that is capturing has nothing to wait for"))
    }

    /// Refuses a call while any stream captures.
    pub(crate) fn refuse_while_capturing(&mut self) -> Done {
        let first = self.captures.values().next().map(|capture| capture.origin);
        first.map_or(Ok(()), |stream| self.refuse_in_capture(stream))
    }
}

/// Runs an operation, or captures it.
pub(crate) fn submit(stream: usize, work: Work) -> Done {
    let context = stream::known(stream)?;
    if is_any() {
        let mut state = context.enter()?;
        if let Some(captured) = state.captured_now(stream)? {
            return state.capture(stream, captured, work);
        }
    }
    work.run()
}

/// Runs an operation, or captures it as a node of this kind.
pub(crate) fn run(stream: usize, kind: c_uint, work: impl Fn() -> Done + Send + Sync + 'static) -> Done {
    let context = stream::known(stream)?;
    if is_any() {
        let mut state = context.enter()?;
        if let Some(captured) = state.captured_now(stream)? {
            return state.capture(stream, captured, Work::Other(kind, Arc::new(work)));
        }
    }
    work()
}

/// Returns `true` if a stream captures its operations.
pub(crate) fn is_capturing(stream: usize) -> Result<bool, Failure> {
    let context = stream::known(stream)?;
    Ok(is_any() && context.enter()?.captured_now(stream)?.is_some())
}

pub(crate) fn begin(stream: usize, mode: c_uint) -> Done {
    begin_in(stream, None, Vec::new(), mode)
}

pub(crate) fn begin_to_graph(
    stream: usize,
    graph: usize,
    after: In<usize>,
    _data: Host,
    count: usize,
    mode: c_uint,
) -> Done {
    let after = (0..count).map(|i| after.at(i)).collect::<Result<Vec<_>, _>>()?;
    begin_in(stream, Some(graph), after, mode)
}

fn begin_in(stream: usize, graph: Option<usize>, after: Vec<usize>, mode: c_uint) -> Done {
    if mode > RELAXED {
        return Err(Code::InvalidValue.because(format!("a capture of mode {mode}: 0, 1 and 2 are possible")));
    }
    let context = stream::known(stream)?;
    let mut state = context.enter()?;
    if state.streams.get(&stream).is_some_and(|stream| stream.captured.is_some()) {
        return Err(Code::IllegalState.because("the stream is capturing"));
    }
    let id = state.handle();
    let graph = match graph {
        Some(graph) => {
            let nodes = &state.graph(graph)?.0;
            if after.iter().any(|node| !nodes.contains_key(node)) {
                return Err(Code::InvalidValue.because("a dependency is of no node of this graph"));
            }
            graph
        }
        None => state.handle(),
    };
    state.join(stream, Captured { id, after })?;
    state.graphs.entry(graph).or_insert_with(Graph::default);
    let thread = thread::current().id();
    state.captures.insert(id, Capture { graph, origin: stream, thread, mode, is_valid: true });
    ACTIVE.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Ends a capture. Without a graph as the result, its nodes are lost.
pub(crate) fn end(stream: usize, graph: Out<usize>) -> Done {
    let context = stream::known(stream)?;
    let mut state = context.enter()?;
    let captured = state.streams.get(&stream).and_then(|stream| stream.captured.clone());
    let Captured { id, after } = captured.ok_or_else(|| Code::IllegalState.because("the stream is not capturing"))?;
    let capture = state.captures.get(&id).ok_or(Code::IllegalState)?.clone();
    if capture.origin != stream {
        return Err(Code::StreamCaptureUnmatched.because("the capture began in another stream"));
    }
    if capture.mode != RELAXED && capture.thread != thread::current().id() {
        return Err(Code::StreamCaptureWrongThread.because("the capture began in another thread, and is not relaxed"));
    }
    let joined = state.graph(capture.graph)?.before(after);
    let mut is_joined = true;
    for stream in state.streams.values_mut().filter(|s| s.captured.as_ref().is_some_and(|c| c.id == id)) {
        let left = stream.captured.take();
        is_joined &= left.is_none_or(|left| left.after.iter().all(|node| joined.contains(node)));
    }
    state.captures.remove(&id);
    ACTIVE.fetch_sub(1, Ordering::Relaxed);
    let failure = match (capture.is_valid, is_joined) {
        (true, true) => return graph.put(capture.graph),
        (true, false) => Code::StreamCaptureUnjoined.because(
            "the first stream does not wait for another stream of the capture: record an event there, and wait for it",
        ),
        (false, _) => Code::StreamCaptureInvalidated.into(),
    };
    state.graphs.remove(&capture.graph);
    graph.put_if(0);
    Err(failure)
}

impl Graph {
    /// Returns these nodes, and all on which they depend.
    fn before(&self, nodes: Vec<usize>) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), nodes);
        while let Some(node) = open.pop() {
            if found.insert(node) {
                open.extend(self.0.get(&node).iter().flat_map(|node| &node.after));
            }
        }
        found
    }
}

/// Writes the number of `CUstreamCaptureStatus`: none, active or invalidated.
pub(crate) fn status(stream: usize, status: Out<c_uint>) -> Done {
    info(stream, status, Out::NULL, Out::NULL, Out::NULL, Out::NULL)
}

pub(crate) fn info_1(stream: usize, status: Out<c_uint>, id: Out<u64>) -> Done {
    info(stream, status, id, Out::NULL, Out::NULL, Out::NULL)
}

/// Writes what is known of the capture. The nodes stay where they are until the next operation of
/// the stream.
pub(crate) fn info(
    stream: usize,
    status: Out<c_uint>,
    id: Out<u64>,
    graph: Out<usize>,
    after: Out<u64>,
    count: Out<usize>,
) -> Done {
    let context = stream::known(stream)?;
    let state = context.enter()?;
    let captured = state.streams.get(&stream).and_then(|stream| stream.captured.as_ref());
    let Some((captured, capture)) = captured.and_then(|of| Some((of, state.captures.get(&of.id)?))) else {
        return status.put(0);
    };
    status.put(if capture.is_valid { 1 } else { 2 })?;
    id.put_if(captured.id as u64);
    graph.put_if(capture.graph);
    after.put_if(Host::of(&captured.after).address());
    count.put_if(captured.after.len());
    Ok(())
}

pub(crate) fn info_3(
    stream: usize,
    status: Out<c_uint>,
    id: Out<u64>,
    graph: Out<usize>,
    after: Out<u64>,
    data: Out<u64>,
    count: Out<usize>,
) -> Done {
    data.put_if(0);
    info(stream, status, id, graph, after, count)
}

/// The flag that replaces the nodes instead of adding some.
const SET: c_uint = 1;

pub(crate) fn update(stream: usize, after: In<usize>, count: usize, flags: c_uint) -> Done {
    let new = (0..count).map(|i| after.at(i)).collect::<Result<Vec<_>, _>>()?;
    let context = stream::known(stream)?;
    let mut state = context.enter()?;
    let captured = state.captured_now(stream)?;
    let Captured { id, after } = captured.ok_or_else(|| Code::IllegalState.because("the stream is not capturing"))?;
    let graph = state.captures[&id].graph;
    if new.iter().any(|node| !state.graphs[&graph].0.contains_key(node)) {
        return Err(Code::InvalidValue.because("a dependency is of no node of the captured graph"));
    }
    let old = if flags & SET == 0 { after } else { Vec::new() };
    state.join(stream, Captured { id, after: merged(old, new) })
}

pub(crate) fn update_2(stream: usize, after: In<usize>, _data: Host, count: usize, flags: c_uint) -> Done {
    update(stream, after, count, flags)
}

/// Returns the nodes of both lists.
pub(crate) fn merged(mut first: Vec<usize>, second: Vec<usize>) -> Vec<usize> {
    first.extend(second);
    first.sort_unstable();
    first.dedup();
    first
}

/// Exchanges the mode of this thread.
pub(crate) fn exchange(mode: Place<c_uint>) -> Done {
    let new = mode.get()?;
    if new > RELAXED {
        return Err(Code::InvalidValue.because(format!("a capture of mode {new}: 0, 1 and 2 are possible")));
    }
    mode.out().put(MODE.replace(new))
}
