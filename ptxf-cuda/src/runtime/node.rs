//! Nodes of graphs whose parameters differ from the driver's.

use super::binary::function;
use super::copy::{self, Copy};
use crate::abi::{Host, In, Out};
use crate::capture;
use crate::failure::{Done, Failure};
use crate::graph::{self, Kernel, Work};
use crate::rows::Fill;

/// Returns the launch of a kernel that the program names by an address.
fn launch(kernel: In<Kernel>) -> Result<Work, Failure> {
    let kernel = kernel.get()?;
    kernel.of(function(kernel.function())?).work()
}

pub(super) fn add_kernel(node: Out<usize>, graph: usize, after: In<usize>, count: usize, kernel: In<Kernel>) -> Done {
    graph::add(node, graph, (after, count), || launch(kernel))
}

pub(super) fn add_copy(node: Out<usize>, graph: usize, after: In<usize>, count: usize, copy: In<Copy>) -> Done {
    graph::add(node, graph, (after, count), || copy.get()?.boxes().map(Work::Copy))
}

/// Returns a copy of a row of bytes.
fn row(to: u64, from: u64, bytes: usize, kind: u32) -> Result<Work, Failure> {
    copy::row(to, from, bytes, kind).map(Work::Copy)
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn add_copy_1(
    node: Out<usize>,
    graph: usize,
    after: In<usize>,
    count: usize,
    to: u64,
    from: u64,
    bytes: usize,
    kind: u32,
) -> Done {
    graph::add(node, graph, (after, count), || row(to, from, bytes, kind))
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn add_copy_to_symbol(
    node: Out<usize>,
    graph: usize,
    after: In<usize>,
    count: usize,
    symbol: Host,
    from: u64,
    bytes: usize,
    offset: usize,
    kind: u32,
) -> Done {
    graph::add(node, graph, (after, count), || row(copy::part(symbol, bytes, offset)?, from, bytes, kind))
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn add_copy_from_symbol(
    node: Out<usize>,
    graph: usize,
    after: In<usize>,
    count: usize,
    to: u64,
    symbol: Host,
    bytes: usize,
    offset: usize,
    kind: u32,
) -> Done {
    graph::add(node, graph, (after, count), || row(to, copy::part(symbol, bytes, offset)?, bytes, kind))
}

pub(super) fn add_fill(node: Out<usize>, graph: usize, after: In<usize>, count: usize, fill: In<Fill>) -> Done {
    graph::add_fill(node, graph, after, count, fill, 0)
}

/// Returns the number of nodes, and the argument after it. CUDA 13 passes data of edges, or null,
/// before the number. In CUDA 12 the number is in its place, which is small.
const fn counted(data: usize, count: usize, next: u32) -> (usize, u32) {
    const MOST: usize = 1 << 16;
    if 0 < data && data < MOST { (data, count as u32) } else { (count, next) }
}

pub(super) fn add_dependencies(graph: usize, from: In<usize>, to: In<usize>, data: usize, count: usize) -> Done {
    graph::add_dependencies(graph, from, to, counted(data, count, 0).0)
}

pub(super) fn update_captured(stream: usize, after: In<usize>, data: usize, count: usize, flags: u32) -> Done {
    let (count, flags) = counted(data, count, flags);
    capture::update(stream, after, count, flags)
}

pub(super) fn set_kernel(executable: usize, node: usize, kernel: In<Kernel>) -> Done {
    graph::replace(executable, node, || launch(kernel))
}

pub(super) fn set_copy(executable: usize, node: usize, copy: In<Copy>) -> Done {
    graph::replace(executable, node, || copy.get()?.boxes().map(Work::Copy))
}

pub(super) fn set_copy_1(executable: usize, node: usize, to: u64, from: u64, bytes: usize, kind: u32) -> Done {
    graph::replace(executable, node, || row(to, from, bytes, kind))
}

pub(super) fn set_fill(executable: usize, node: usize, fill: In<Fill>) -> Done {
    graph::set_fill(executable, node, fill, 0)
}
