//! Capture of streams into graphs.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use cudarc::driver::sys::{self, CUresult};

use crate::kernels::SCALE;
use crate::raw::{INVALID_VALUE, SUCCESS, alloc, context, cu, function, load};
use crate::support::with_library;

const GLOBAL: sys::CUstreamCaptureMode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;
const RELAXED: sys::CUstreamCaptureMode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
/// CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH
const AUTO_FREE_ON_LAUNCH: u64 = 1;

fn stream(flags: u32) -> sys::CUstream {
    let mut stream = null_mut();
    assert_eq!(cu!(cuStreamCreate(&mut stream, flags)), SUCCESS);
    stream
}

fn event() -> sys::CUevent {
    let mut event = null_mut();
    assert_eq!(cu!(cuEventCreate(&mut event, 0)), SUCCESS);
    event
}

fn begin(stream: sys::CUstream) {
    assert_eq!(cu!(cuStreamBeginCapture_v2(stream, GLOBAL)), SUCCESS);
}

fn end(stream: sys::CUstream) -> Result<sys::CUgraph, CUresult> {
    let mut graph = null_mut();
    match cu!(cuStreamEndCapture(stream, &mut graph)) {
        SUCCESS => Ok(graph),
        error => Err(error),
    }
}

fn status(stream: sys::CUstream) -> u32 {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    assert_eq!(cu!(cuStreamIsCapturing(stream, &mut status)), SUCCESS);
    status as u32
}

fn instance(graph: sys::CUgraph) -> sys::CUgraphExec {
    let mut executable = null_mut();
    assert_eq!(cu!(cuGraphInstantiateWithFlags(&mut executable, graph, 0)), SUCCESS);
    executable
}

fn kinds(graph: sys::CUgraph) -> Vec<u32> {
    let mut count = 0;
    assert_eq!(cu!(cuGraphGetNodes(graph, null_mut(), &mut count)), SUCCESS);
    let mut nodes = vec![null_mut(); count];
    assert_eq!(cu!(cuGraphGetNodes(graph, nodes.as_mut_ptr(), &mut count)), SUCCESS);
    let kind = |node: &sys::CUgraphNode| {
        let mut kind = sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY;
        assert_eq!(cu!(cuGraphNodeGetType(*node, &mut kind)), SUCCESS);
        kind as u32
    };
    nodes.iter().map(kind).collect()
}

/// Multiplies four numbers at an address.
fn scale(kernel: sys::CUfunction, stream: sys::CUstream, address: u64, by: f32) -> CUresult {
    let (mut x, mut n, mut a) = (address, 4_u32, by);
    let mut arguments: [*mut c_void; 3] = [(&raw mut x).cast(), (&raw mut n).cast(), (&raw mut a).cast()];
    cu!(cuLaunchKernel(kernel, 1, 1, 1, 4, 1, 1, 0, stream, arguments.as_mut_ptr(), null_mut()))
}

fn numbers(address: u64) -> [f32; 4] {
    let mut found = [0.0; 4];
    assert_eq!(cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), address, 16)), SUCCESS);
    found
}

extern "C" fn count(data: *mut c_void) {
    // SAFETY: the argument is the address of a live number.
    unsafe { *data.cast::<u32>() += 1 };
}

#[test]
#[ignore = "has no driver by itself"]
fn in_captures() {
    context();
    let kernel = function(load(SCALE), c"scale").unwrap();
    let (x, y) = (alloc(16), alloc(16));
    let (first, second, fork, join) = (stream(0), stream(0), event(), event());
    let mut called = 0_u32;
    let source = [1.0_f32, 2.0, 3.0, 4.0];
    begin(first);
    assert_eq!([status(first), status(second)], [1, 0]);
    assert_eq!(cu!(cuMemcpyHtoDAsync_v2(x, source.as_ptr().cast(), 16, first)), SUCCESS);
    assert_eq!(cu!(cuEventRecord(fork, first)), SUCCESS);
    assert_eq!(cu!(cuStreamWaitEvent(second, fork, 0)), SUCCESS);
    assert_eq!(status(second), 1);
    // The copy depends on the other one, and the launch in the first stream on both streams.
    assert_eq!(cu!(cuMemcpyDtoDAsync_v2(y, x, 16, second)), SUCCESS);
    assert_eq!(cu!(cuEventRecord(join, second)), SUCCESS);
    assert_eq!(scale(kernel, first, x, 3.0), SUCCESS);
    assert_eq!(cu!(cuStreamWaitEvent(first, join, 0)), SUCCESS);
    assert_eq!(scale(kernel, first, y, 0.5), SUCCESS);
    assert_eq!(cu!(cuLaunchHostFunc(first, Some(count), (&raw mut called).cast())), SUCCESS);
    // The nodes of the next operation.
    let (mut id, mut found, mut after, mut after_count) = (0, null_mut(), null::<sys::CUgraphNode>(), 0);
    let mut is = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    assert_eq!(
        cu!(cuStreamGetCaptureInfo_v2(first, &mut is, &mut id, &mut found, &mut after, &mut after_count)),
        SUCCESS
    );
    assert!(id != 0 && after_count == 1);
    let graph = end(first).unwrap();
    assert_eq!((found, status(first), status(second), called), (graph, 0, 0, 0));
    assert_eq!(kinds(graph), [1, 1, 0, 0, 3]);
    let executable = instance(graph);
    for runs in 1..=2 {
        assert_eq!(cu!(cuMemsetD8_v2(y, 0, 16)), SUCCESS);
        assert_eq!(cu!(cuGraphLaunch(executable, second)), SUCCESS);
        assert_eq!((numbers(x), numbers(y), called), ([3.0, 6.0, 9.0, 12.0], [0.5, 1.0, 1.5, 2.0], runs));
    }

    // A graph in a graph; the same kinds with other arguments replace the nodes.
    let capture_one = |by| {
        begin(first);
        assert_eq!(scale(kernel, first, x, by), SUCCESS);
        end(first).unwrap()
    };
    let (twice, thrice) = (capture_one(2.0), capture_one(3.0));
    let inner = instance(twice);
    begin(second);
    assert_eq!(cu!(cuGraphLaunch(inner, second)), SUCCESS);
    assert_eq!(cu!(cuMemsetD32Async(y, 0, 4, second)), SUCCESS);
    let outer = end(second).unwrap();
    assert_eq!(kinds(outer), [4, 2]);
    let outer = instance(outer);
    let mut info = sys::CUgraphExecUpdateResultInfo {
        result: sys::CUgraphExecUpdateResult::CU_GRAPH_EXEC_UPDATE_ERROR,
        errorNode: null_mut(),
        errorFromNode: null_mut(),
    };
    assert_eq!(cu!(cuGraphExecUpdate_v2(inner, thrice, &mut info)), SUCCESS);
    assert_eq!([cu!(cuGraphLaunch(outer, null_mut())), cu!(cuGraphLaunch(inner, null_mut()))], [SUCCESS; 2]);
    assert_eq!((numbers(x)[0], numbers(y)), (18.0, [0.0; 4]));
    assert_eq!(cu!(cuGraphExecUpdate_v2(inner, graph, &mut info)), CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);

    // A relaxed capture may end in another thread.
    assert_eq!(cu!(cuStreamBeginCapture_v2(first, RELAXED)), SUCCESS);
    let handle = first as usize;
    let ended = std::thread::spawn(move || end(std::ptr::without_provenance_mut::<c_void>(handle).cast()).is_ok());
    assert!(ended.join().unwrap());
    let mut mode = RELAXED;
    assert_eq!((cu!(cuThreadExchangeStreamCaptureMode(&mut mode)), mode), (SUCCESS, GLOBAL));
    assert_eq!((cu!(cuThreadExchangeStreamCaptureMode(&mut mode)), mode), (SUCCESS, RELAXED));
}

#[test]
fn operations_of_a_captured_stream_are_a_graph() {
    with_library("capture::in_captures", &[]);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_captures_with_memory() {
    let context = context();
    let kernel = function(load(SCALE), c"scale").unwrap();
    let (first, x) = (stream(0), alloc(16));
    let source = [1.0_f32, 2.0, 3.0, 4.0];
    let free_bytes = || {
        let (mut free, mut total) = (0, 0);
        assert_eq!(cu!(cuMemGetInfo_v2(&mut free, &mut total)), SUCCESS);
        free
    };
    let free = free_bytes();
    // Memory that the graph frees, and memory that it leaves.
    let capture = |frees: bool| {
        begin(first);
        let mut memory = 0;
        assert_eq!(cu!(cuMemAllocAsync(&mut memory, 16, first)), SUCCESS);
        assert_eq!(cu!(cuMemcpyHtoDAsync_v2(memory, source.as_ptr().cast(), 16, first)), SUCCESS);
        assert_eq!(scale(kernel, first, memory, 3.0), SUCCESS);
        assert_eq!(cu!(cuMemcpyDtoDAsync_v2(x, memory, 16, first)), SUCCESS);
        if frees {
            assert_eq!(cu!(cuMemFreeAsync(memory, first)), SUCCESS);
        }
        (memory, end(first).unwrap())
    };
    let ((used, frees), (kept, keeps)) = (capture(true), capture(false));
    assert_eq!((kinds(frees), kinds(keeps)), (vec![10, 1, 0, 1, 11], vec![10, 1, 0, 1]));
    assert_eq!((free_bytes(), cu!(cuMemFree_v2(used)), cu!(cuMemFree_v2(kept))), (free, INVALID_VALUE, INVALID_VALUE));
    let (frees, keeps_once) = (instance(frees), instance(keeps));
    let launch = |graph| cu!(cuGraphLaunch(graph, first));
    for _ in 0..2 {
        assert_eq!(cu!(cuMemsetD8_v2(x, 0, 16)), SUCCESS);
        assert_eq!((launch(frees), numbers(x), free_bytes()), (SUCCESS, [3.0, 6.0, 9.0, 12.0], free));
    }
    assert_eq!((launch(keeps_once), numbers(kept), free_bytes()), (SUCCESS, [3.0, 6.0, 9.0, 12.0], free - 16));
    assert_eq!(launch(keeps_once), INVALID_VALUE, "its memory is there");
    assert_eq!((cu!(cuMemFreeAsync(kept, first)), free_bytes(), launch(keeps_once)), (SUCCESS, free, SUCCESS));
    let mut keeps_always = null_mut();
    assert_eq!(cu!(cuGraphInstantiateWithFlags(&mut keeps_always, keeps, AUTO_FREE_ON_LAUNCH)), SUCCESS);
    for wrong in [AUTO_FREE_ON_LAUNCH | 4, 16] {
        assert_eq!(cu!(cuGraphInstantiateWithFlags(&mut null_mut(), keeps, wrong)), INVALID_VALUE, "{wrong}");
    }
    assert_eq!([launch(keeps_always), launch(keeps_always)], [SUCCESS; 2]);
    assert_eq!((numbers(kept), free_bytes(), cu!(cuMemFree_v2(kept))), ([3.0, 6.0, 9.0, 12.0], free - 16, SUCCESS));
    assert_eq!(free_bytes(), free);
    // An access after the graph has freed the memory.
    assert_eq!(scale(kernel, first, used, 1.0), SUCCESS);
    assert_eq!(cu!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(cu!(cuCtxDestroy_v2(context)), SUCCESS);
}

#[test]
fn a_graph_allocates_and_frees_memory() {
    let ran = with_library("capture::in_captures_with_memory", &[]);
    for text in [
        "cuMemFree_v2: the graph's memory at 0x",
        "is not freed: free it, or instantiate the graph with CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH",
        "0 bytes into 16 reserved bytes, where no memory is mapped: call cuMemMap, or launch the graph",
    ] {
        assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
    }
}

#[test]
#[ignore = "has no driver by itself"]
fn in_wrong_captures() {
    use CUresult as E;
    context();
    let kernel = function(load(SCALE), c"scale").unwrap();
    let (x, first, second, apart) = (alloc(16), stream(0), stream(0), stream(1));
    let (inside, outside, elsewhere) = (event(), event(), event());
    let unsupported = E::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;

    assert_eq!(end(first), Err(E::CUDA_ERROR_ILLEGAL_STATE));
    assert_eq!(cu!(cuStreamBeginCapture_v2(null_mut(), GLOBAL)), unsupported);
    // A stream that waits for the capturing one has nothing to wait for, and ends the capture.
    for wait in [&|| cu!(cuStreamSynchronize(first)), &|| cu!(cuCtxSynchronize()), &|| cu!(cuStreamQuery(first))]
        as [&dyn Fn() -> CUresult; 3]
    {
        begin(first);
        assert_eq!((wait(), status(first)), (unsupported, 2));
        assert_eq!(scale(kernel, first, x, 1.0), E::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        assert_eq!((end(first), status(first)), (Err(E::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED), 0));
    }
    assert_eq!(scale(kernel, first, x, 1.0), SUCCESS);

    // The legacy stream waits for the first stream, and not for one that does not block.
    begin(first);
    assert_eq!(cu!(cuStreamBeginCapture_v2(first, GLOBAL)), E::CUDA_ERROR_ILLEGAL_STATE);
    assert_eq!(end(first).map(kinds), Ok(vec![]));
    let mut word = 7_u32;
    let mut array = null_mut();
    let format = sys::CUarray_format_enum::CU_AD_FORMAT_UNSIGNED_INT32;
    let descriptor = sys::CUDA_ARRAY_DESCRIPTOR { Width: 1, Height: 0, Format: format, NumChannels: 1 };
    assert_eq!(cu!(cuArrayCreate_v2(&mut array, &descriptor)), SUCCESS);
    let in_legacy_stream: [&dyn Fn(*mut c_void) -> CUresult; 6] = [
        &|word| cu!(cuMemcpyHtoA_v2(array, 0, word, 4)),
        &|_| scale(kernel, null_mut(), x, 1.0),
        &|word| cu!(cuMemcpyHtoD_v2(x, word, 4)),
        &|word| cu!(cuMemcpyDtoH_v2(word, x, 4)),
        &|_| cu!(cuMemsetD32_v2(x, 0, 1)),
        &|_| cu!(cuStreamWaitEvent(null_mut(), outside, 0)),
    ];
    for call in in_legacy_stream {
        begin(first);
        assert_eq!(call((&raw mut word).cast()), E::CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
        assert_eq!((status(first), end(first)), (2, Err(E::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)));
        begin(apart);
        assert_eq!((call((&raw mut word).cast()), end(apart).map(kinds)), (SUCCESS, Ok(vec![])));
    }
    begin(first);
    let mut none = 0;
    assert_eq!(cu!(cuMemAllocAsync(&mut none, 0, first)), INVALID_VALUE);
    assert_eq!(cu!(cuMemFreeAsync(x, first)), INVALID_VALUE);
    // Events of other streams and captures.
    assert_eq!(cu!(cuStreamWaitEvent(first, outside, 0)), SUCCESS, "it was not recorded");
    assert_eq!([cu!(cuEventRecord(outside, second)), cu!(cuEventRecord(inside, first))], [SUCCESS; 2]);
    assert_eq!(cu!(cuStreamWaitEvent(first, outside, 0)), E::CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
    assert_eq!(cu!(cuEventSynchronize(inside)), E::CUDA_ERROR_CAPTURED_EVENT);
    begin(apart);
    assert_eq!(cu!(cuEventRecord(elsewhere, apart)), SUCCESS);
    assert_eq!(cu!(cuStreamWaitEvent(first, elsewhere, 0)), E::CUDA_ERROR_STREAM_CAPTURE_MERGE);
    assert!(end(apart).is_ok());
    assert_eq!(cu!(cuStreamWaitEvent(second, elsewhere, 0)), E::CUDA_ERROR_CAPTURED_EVENT, "its capture has ended");
    // A stream that joins and never comes back.
    assert_eq!(cu!(cuStreamWaitEvent(second, inside, 0)), SUCCESS);
    assert_eq!(scale(kernel, second, x, 1.0), SUCCESS);
    assert_eq!(end(second), Err(E::CUDA_ERROR_STREAM_CAPTURE_UNMATCHED));
    assert_eq!((end(first), status(second)), (Err(E::CUDA_ERROR_STREAM_CAPTURE_UNJOINED), 0));
    begin(apart);
    assert_eq!(scale(kernel, null_mut(), x, 1.0), SUCCESS);
    let handle = apart as usize;
    let other = std::thread::spawn(move || end(std::ptr::without_provenance_mut::<c_void>(handle).cast()).err());
    assert_eq!(other.join().unwrap(), Some(E::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD));
    assert_eq!(cu!(cuStreamUpdateCaptureDependencies(apart, [null_mut()].as_mut_ptr(), 1, 0)), INVALID_VALUE);
    let graph = end(apart).unwrap();
    assert_eq!(kinds(graph), [0_u32; 0]);
    // A stream that ends takes its capture along.
    begin(first);
    assert_eq!([cu!(cuEventRecord(inside, first)), cu!(cuStreamWaitEvent(second, inside, 0))], [SUCCESS; 2]);
    assert_eq!((cu!(cuStreamDestroy_v2(second)), status(first)), (SUCCESS, 2));
    assert_eq!(end(first), Err(E::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED));
}

#[test]
fn what_a_capture_does_not_allow_is_refused() {
    let ran = with_library("capture::in_wrong_captures", &[]);
    for text in [
        "cuStreamBeginCapture_v2: a default stream cannot capture: create a stream",
        "cuStreamSynchronize: a stream that is capturing has nothing to wait for",
        "cuLaunchKernel: the legacy stream waits for a stream that is capturing: use another stream",
        "cuMemcpyHtoD_v2: the legacy stream waits for a stream that is capturing: use another stream",
        "cuMemFreeAsync: a capture frees only memory that was allocated in a capture",
        "cuStreamEndCapture: the first stream does not wait for another stream of the capture",
    ] {
        assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
    }
}
