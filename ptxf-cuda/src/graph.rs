//! Graphs: lists of operations that are launched together.
//!
//! A launch runs the operations one after the other, in the order in which they were added, except
//! that an operation runs after those on which it depends.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_uint, c_ulonglong};
use std::fmt;
use std::sync::Arc;

use crate::abi::{Host, HostFn, In, Out, Place};
use crate::failure::{Code, Done, Failure};
use crate::launch::{Launch, Sizes};
use crate::mapping::OfGraph;
use crate::rows::{Copy3, Fill};
use crate::state::{self, State};
use crate::{capture, stream};

/// `CUDA_KERNEL_NODE_PARAMS`, the first version
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Kernel {
    function: usize,
    grid: [c_uint; 3],
    block: [c_uint; 3],
    shared: c_uint,
    parameters: In<Host>,
    extra: In<*mut std::ffi::c_void>,
}

/// `CUDA_KERNEL_NODE_PARAMS`, the second and third version
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Kernel2 {
    first: Kernel,
    kernel: usize,
    context: usize,
}

/// `CUDA_HOST_NODE_PARAMS`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Call {
    function: HostFn,
    data: u64,
}

/// `CUDA_GRAPH_INSTANTIATE_PARAMS`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Instantiation {
    flags: c_ulonglong,
    stream: usize,
    wrong: usize,
    result: c_uint,
}

/// An operation.
#[derive(Clone)]
pub(crate) enum Work {
    Kernel(Launch),
    Copy(Copy3),
    Fill(Fill),
    Call(Call),
    Graph(Graph),
    Alloc(OfGraph),
    Free(OfGraph),
    /// An operation of a captured stream, with the number of its `CUgraphNodeType`.
    Other(c_uint, Arc<dyn Fn() -> Done + Send + Sync>),
    Empty,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) work: Work,
    pub(crate) after: Vec<usize>,
}

/// Operations by their handles. A later handle is greater. The flag is set if a launch first frees
/// the memory that an earlier launch has allocated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph(pub(crate) BTreeMap<usize, Node>, bool);

/// The numbers of `CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH` and `…_DEVICE_LAUNCH`, which
/// exclude each other, and all of them.
const FREES: c_ulonglong = 1;
const BY_DEVICE: c_ulonglong = 4;
const FLAGS: c_ulonglong = 15;

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a node of type {}", self.kind())
    }
}

impl Call {
    pub(crate) fn new(function: HostFn, data: Host) -> Self {
        Self { function, data: data.address() }
    }
}

impl Work {
    pub(crate) fn run(&self) -> Done {
        match self {
            Self::Kernel(launch) => launch.run(),
            Self::Copy(copy) => copy.run(),
            Self::Fill(fill) => fill.run(),
            Self::Call(call) => call.function.call(Host::at(call.data)),
            Self::Graph(graph) => graph.run(),
            Self::Alloc(memory) => memory.alloc(),
            Self::Free(memory) => memory.free(),
            Self::Other(_, work) => work(),
            Self::Empty => Ok(()),
        }
    }

    /// Returns the number of `CUgraphNodeType`.
    const fn kind(&self) -> c_uint {
        match self {
            Self::Kernel(_) => 0,
            Self::Copy(_) => 1,
            Self::Fill(_) => 2,
            Self::Call(_) => 3,
            Self::Graph(_) => 4,
            Self::Alloc(_) => 10,
            Self::Free(_) => 11,
            Self::Other(kind, _) => *kind,
            Self::Empty => 5,
        }
    }
}

impl Graph {
    fn run(&self) -> Done {
        let order = self.order()?;
        if self.1 {
            for node in self.0.values() {
                if let Work::Alloc(memory) = node.work {
                    // The program, or the graph itself, has freed it otherwise.
                    let _ = memory.free();
                }
            }
        }
        order.into_iter().try_for_each(|node| self.0[&node].work.run())
    }

    /// Returns the nodes in an order in which each one comes after those on which it depends.
    fn order(&self) -> Result<Vec<usize>, Failure> {
        let mut left: Vec<usize> = self.0.keys().copied().collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let is_ready = |node: &usize| self.0[node].after.iter().all(|before| !left.contains(before));
            let Some(at) = left.iter().position(is_ready) else {
                return Err(Code::InvalidValue.because("the nodes of the graph depend on each other in a circle"));
            };
            order.push(left.remove(at));
        }
        Ok(order)
    }
}

impl State {
    pub(crate) fn graph(&mut self, handle: usize) -> Result<&mut Graph, Failure> {
        self.graphs.get_mut(&handle).ok_or_else(|| Code::InvalidHandle.because("the handle is of no graph"))
    }

    fn executable(&mut self, handle: usize) -> Result<&mut Graph, Failure> {
        let found = self.executables.get_mut(&handle);
        found.ok_or_else(|| Code::InvalidHandle.because("the handle is of no executable graph"))
    }
}

pub(crate) fn create(graph: Out<usize>, _flags: c_uint) -> Done {
    let (graph, context) = (graph.place()?, state::current()?);
    let mut state = context.enter()?;
    let handle = state.handle();
    state.graphs.insert(handle, Graph::default());
    graph.put(handle)
}

pub(crate) fn destroy(graph: usize) -> Done {
    let was_there = state::of(graph)?.enter()?.graphs.remove(&graph);
    was_there.map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

/// The handles of nodes on which a new node depends.
pub(crate) type After = (In<usize>, usize);

/// Adds a node with an operation.
pub(crate) fn add(
    node: Out<usize>,
    graph: usize,
    (after, count): After,
    work: impl FnOnce() -> Result<Work, Failure>,
) -> Done {
    let node = node.place()?;
    let after = (0..count).map(|i| after.at(i)).collect::<Result<Vec<_>, _>>()?;
    let work = work()?;
    let context = state::of(graph)?;
    let mut state = context.enter()?;
    let handle = state.handle();
    let nodes = &mut state.graph(graph)?.0;
    if after.iter().any(|before| !nodes.contains_key(before)) {
        return Err(Code::InvalidValue.because("a dependency is of no node of this graph"));
    }
    nodes.insert(handle, Node { work, after });
    node.put(handle)
}

impl Kernel {
    /// Returns the pointer to the function.
    pub(crate) fn function(&self) -> Host {
        Host::at(self.function as u64)
    }

    /// Returns the same launch of another function.
    pub(crate) const fn of(self, function: usize) -> Self {
        Self { function, ..self }
    }

    /// Reads the arguments, which the caller may change afterwards.
    pub(crate) fn work(self) -> Result<Work, Failure> {
        let Self { function, grid, block, shared, parameters, extra } = self;
        let sizes = Sizes::new(grid, block, shared);
        Ok(Work::Kernel(Launch::new(function, sizes, (parameters, extra))?))
    }
}

impl Kernel2 {
    /// A kernel of a library has the handle of its function.
    const fn one(self) -> Kernel {
        let function = if self.first.function == 0 { self.kernel } else { self.first.function };
        Kernel { function, ..self.first }
    }
}

pub(crate) fn add_kernel(node: Out<usize>, graph: usize, after: In<usize>, count: usize, kernel: In<Kernel>) -> Done {
    add(node, graph, (after, count), || kernel.get()?.work())
}

pub(crate) fn add_kernel_2(
    node: Out<usize>,
    graph: usize,
    after: In<usize>,
    count: usize,
    kernel: In<Kernel2>,
) -> Done {
    add(node, graph, (after, count), || kernel.get()?.one().work())
}

pub(crate) fn add_copy(
    node: Out<usize>,
    graph: usize,
    after: In<usize>,
    count: usize,
    copy: In<Copy3>,
    _context: usize,
) -> Done {
    add(node, graph, (after, count), || copy.get().map(Work::Copy))
}

pub(crate) fn add_fill(
    node: Out<usize>,
    graph: usize,
    after: In<usize>,
    count: usize,
    fill: In<Fill>,
    _context: usize,
) -> Done {
    add(node, graph, (after, count), || fill.get().map(Work::Fill))
}

pub(crate) fn add_call(node: Out<usize>, graph: usize, after: In<usize>, count: usize, call: In<Call>) -> Done {
    add(node, graph, (after, count), || call.get().map(Work::Call))
}

pub(crate) fn add_empty(node: Out<usize>, graph: usize, after: In<usize>, count: usize) -> Done {
    add(node, graph, (after, count), || Ok(Work::Empty))
}

/// Adds a graph as a node. Later changes of the graph do not change the node.
pub(crate) fn add_graph(node: Out<usize>, graph: usize, after: In<usize>, count: usize, child: usize) -> Done {
    add(node, graph, (after, count), || {
        let context = state::of(child)?;
        let child = context.enter()?.graph(child)?.clone();
        child.order()?;
        Ok(Work::Graph(child))
    })
}

pub(crate) fn add_dependencies(graph: usize, from: In<usize>, to: In<usize>, count: usize) -> Done {
    let context = state::of(graph)?;
    let mut state = context.enter()?;
    let nodes = &mut state.graph(graph)?.0;
    for i in 0..count {
        let (before, node) = (from.at(i)?, to.at(i)?);
        if !nodes.contains_key(&before) {
            return Err(Code::InvalidValue.because("a dependency is of no node of this graph"));
        }
        nodes.get_mut(&node).ok_or(Code::InvalidValue)?.after.push(before);
    }
    Ok(())
}

/// Adds dependencies. The data of edges concern the time of a launch.
pub(crate) fn add_dependencies_2(graph: usize, from: In<usize>, to: In<usize>, _data: Host, count: usize) -> Done {
    add_dependencies(graph, from, to, count)
}

/// Writes the nodes, or their number if there is no place for nodes.
pub(crate) fn nodes(graph: usize, nodes: Out<usize>, count: Place<usize>) -> Done {
    let context = state::of(graph)?;
    let all: Vec<usize> = context.enter()?.graph(graph)?.0.keys().copied().collect();
    let (space, count) = (count.get()?, count.out());
    if nodes.place().is_err() {
        return count.put(all.len());
    }
    for i in 0..space {
        nodes.put_at(i, all.get(i).copied().unwrap_or_default())?;
    }
    count.put(all.len().min(space))
}

pub(crate) fn kind(node: usize, kind: Out<c_uint>) -> Done {
    let context = state::of(node)?;
    let state = context.enter()?;
    let found = state.graphs.values().find_map(|graph| graph.0.get(&node));
    kind.put(found.ok_or(Code::InvalidHandle)?.work.kind())
}

pub(crate) fn instantiate(executable: Out<usize>, graph: usize, flags: c_ulonglong) -> Done {
    let executable = executable.place()?;
    if flags & !FLAGS != 0 || flags & (FREES | BY_DEVICE) == FREES | BY_DEVICE {
        return Err(Code::InvalidValue.because(format!("{flags:#x} are no flags of an executable graph")));
    }
    let context = state::of(graph)?;
    let mut state = context.enter()?;
    let graph = Graph(state.graph(graph)?.0.clone(), flags & FREES != 0);
    graph.order()?;
    let handle = state.handle();
    state.executables.insert(handle, graph);
    executable.put(handle)
}

pub(crate) fn instantiate_2(
    executable: Out<usize>,
    graph: usize,
    _wrong: Out<usize>,
    _log: Out<c_char>,
    _space: usize,
) -> Done {
    instantiate(executable, graph, 0)
}

pub(crate) fn instantiate_with(executable: Out<usize>, graph: usize, with: In<Instantiation>) -> Done {
    let Instantiation { flags, .. } = with.get()?;
    instantiate(executable, graph, flags)
}

pub(crate) fn launch(executable: usize, stream: usize) -> Done {
    stream::known(stream)?;
    let context = state::of(executable)?;
    // The operations enter the context themselves.
    let graph = context.enter()?.executable(executable)?.clone();
    capture::submit(stream, Work::Graph(graph))
}

/// `CUgraphExecUpdateResultInfo`
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Updated {
    result: c_uint,
    node: usize,
    from: usize,
}

/// The numbers of `CUgraphExecUpdateResult`: the numbers of nodes, or their kinds, differ.
const OTHER_NODES: c_uint = 2;
const OTHER_KIND: c_uint = 3;

/// Replaces all nodes of an executable graph by those of a graph with the same kinds of nodes.
pub(crate) fn update(executable: usize, graph: usize, updated: Out<Updated>) -> Done {
    let context = state::of(executable)?;
    let mut state = context.enter()?;
    let new = state.graph(graph)?.clone();
    new.order()?;
    let old = state.executable(executable)?;
    let differing = old.0.iter().zip(&new.0).find(|((_, a), (_, b))| a.work.kind() != b.work.kind());
    let (result, node, from) = match differing {
        _ if old.0.len() != new.0.len() => (OTHER_NODES, 0, 0),
        Some(((from, _), (node, _))) => (OTHER_KIND, *node, *from),
        None => (0, 0, 0),
    };
    updated.put_if(Updated { result, node, from });
    if result != 0 {
        return Err(Code::GraphExecUpdateFailure.because("the graph has nodes of other kinds: instantiate it"));
    }
    old.0 = new.0;
    Ok(())
}

pub(crate) fn update_1(executable: usize, graph: usize, node: Out<usize>, result: Out<c_uint>) -> Done {
    let done = update(executable, graph, Out::NULL);
    node.put_if(0);
    result.put_if(if done.is_ok() { 0 } else { OTHER_NODES });
    done
}

pub(crate) fn upload(executable: usize, stream: usize) -> Done {
    stream::known(stream)?;
    state::of(executable)?.enter()?.executable(executable).map(drop)
}

pub(crate) fn destroy_executable(executable: usize) -> Done {
    let was_there = state::of(executable)?.enter()?.executables.remove(&executable);
    was_there.map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

/// Replaces the operation of a node in an executable graph. Its kind stays the same.
pub(crate) fn replace(executable: usize, node: usize, work: impl FnOnce() -> Result<Work, Failure>) -> Done {
    let work = work()?;
    let context = state::of(executable)?;
    let mut state = context.enter()?;
    let node = state.executable(executable)?.0.get_mut(&node).ok_or(Code::InvalidHandle)?;
    if node.work.kind() != work.kind() {
        return Err(Code::InvalidValue.because("the node is of another kind"));
    }
    node.work = work;
    Ok(())
}

pub(crate) fn set_kernel(executable: usize, node: usize, kernel: In<Kernel>) -> Done {
    replace(executable, node, || kernel.get()?.work())
}

pub(crate) fn set_kernel_2(executable: usize, node: usize, kernel: In<Kernel2>) -> Done {
    replace(executable, node, || kernel.get()?.one().work())
}

pub(crate) fn set_copy(executable: usize, node: usize, copy: In<Copy3>, _context: usize) -> Done {
    replace(executable, node, || copy.get().map(Work::Copy))
}

pub(crate) fn set_fill(executable: usize, node: usize, fill: In<Fill>, _context: usize) -> Done {
    replace(executable, node, || fill.get().map(Work::Fill))
}
