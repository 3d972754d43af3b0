//! The exported functions of the runtime, by the names under which programs find them.
// Invariant: no other library of the process has functions of these names. Each takes the arguments of CUDA's function.
#![expect(unsafe_code, reason = "C programs call the functions")]
#![allow(non_snake_case, reason = "the names are CUDA's")]

use std::ffi::{c_char, c_int, c_uint, c_ulonglong, c_void};

use super::channels::Channels;
use super::copy::{Copy, Extent, Pitched, Pointer};
use super::current::{self, code, without_context, without_driver};
use super::kernel::{Dim, Launch};
use super::{binary, copy, errors, kernel, node, properties};
use crate::abi::{Host, HostFn, In, Out, Place, StreamCallback, Text};
use crate::exports::exports;
use crate::graph::{Call, Instantiation, Kernel, Updated};
use crate::pool::{Access, Location, Properties};
use crate::rows::Fill;
use crate::stream::LEGACY;
use crate::{capture, context, device, graph, library, lookup, memory, module, pool, stream};

exports! {
    #[cfg(test)]
    PLAIN via without_driver;

    cudaDriverGetVersion(version: Out<c_int>) => device::driver_version;
    cudaRuntimeGetVersion(version: Out<c_int>) => errors::version;
    cudaGetExportTable(table: Out<*const c_void>, id: Host) => lookup::export_table;
    __cudaPushCallConfiguration(grid: Dim, block: Dim, shared: usize, stream: usize) => kernel::push;
    __cudaPopCallConfiguration(
        grid: Out<Dim>, block: Out<Dim>, shared: Out<usize>, stream: Out<usize>
    ) => kernel::pop;
    __cudaGetKernel(kernel: Out<u64>, function: Host) => binary::handle;
}

exports! {
    #[cfg(test)]
    DEVICES via without_context;

    cudaGetDeviceCount(count: Out<c_int>) => device::count;
    cudaGetDevice(device: Out<c_int>) => current::get_device;
    cudaSetDevice(device: c_int) => current::set_device;
    cudaInitDevice(device: c_int, device_flags: c_uint, flags: c_uint) => current::init_device;
    cudaDeviceReset | cudaThreadExit() => current::reset;
    cudaDeviceGetAttribute(value: Out<c_int>, attribute: c_int, device: c_int) => device::attribute;
    cudaGetDeviceProperties(to: Host, device: c_int) => properties::of_13;
    cudaGetDeviceProperties_v2(to: Host, device: c_int) => properties::of_12;
    cudaDeviceGetPCIBusId(id: Host, length: c_int, device: c_int) => device::bus_id;
    cudaDeviceGetByPCIBusId(device: Out<c_int>, id: Text) => device::by_bus_id;
    cudaDeviceCanAccessPeer(can: Out<c_int>, device: c_int, peer: c_int) => device::can_access_peer;
}

exports! {
    #[cfg(test)]
    ALL via code;

    cudaDeviceSynchronize | cudaThreadSynchronize | cudaProfilerStart | cudaProfilerStop
        | cudaCtxResetPersistingL2Cache() => context::synchronize;
    cudaDeviceSetLimit | cudaThreadSetLimit(limit: c_uint, value: usize) => context::set_limit;
    cudaDeviceGetLimit | cudaThreadGetLimit(value: Out<usize>, limit: c_uint) => context::limit;
    cudaDeviceSetCacheConfig | cudaDeviceSetSharedMemConfig | cudaThreadSetCacheConfig(
        configuration: c_uint
    ) => context::configure;
    cudaDeviceGetCacheConfig | cudaDeviceGetSharedMemConfig | cudaThreadGetCacheConfig(
        configuration: Out<c_uint>
    ) => context::configuration;
    cudaDeviceGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) => context::priorities;
    cudaDeviceEnablePeerAccess(peer: c_int, flags: c_uint) => current::enable_peer;
    cudaSetDeviceFlags(flags: c_uint) => context::set_flags;
    cudaGetDeviceFlags(flags: Out<c_uint>) => current::device_flags;

    cudaMalloc(address: Out<u64>, bytes: usize) => copy::alloc;
    cudaMallocAsync | cudaMallocAsync_ptsz(address: Out<u64>, bytes: usize, stream: usize) => copy::alloc_async;
    cudaMallocManaged(address: Out<u64>, bytes: usize, flags: c_uint) => memory::alloc_managed;
    cudaMallocPitch(address: Out<u64>, pitch: Out<usize>, width: usize, height: usize) => copy::alloc_pitch;
    cudaMalloc3D(to: Out<Pitched>, extent: Extent) => copy::alloc_3;
    cudaFree(address: u64) => pool::freed;
    cudaFreeAsync | cudaFreeAsync_ptsz(address: u64, stream: usize) => pool::free;
    cudaMallocFromPoolAsync | cudaMallocFromPoolAsync_ptsz(
        address: Out<u64>, bytes: usize, pool: usize, stream: usize
    ) => pool::alloc_from;
    cudaMemPoolCreate(pool: Out<usize>, properties: In<Properties>) => pool::create;
    cudaMemPoolDestroy(pool: usize) => pool::destroy;
    cudaMemPoolGetAttribute(pool: usize, attribute: c_uint, to: Host) => pool::attribute;
    cudaMemPoolSetAttribute(pool: usize, attribute: c_uint, from: Host) => pool::set_attribute;
    cudaMemPoolTrimTo(pool: usize, keep: usize) => pool::trim;
    cudaMemPoolSetAccess(pool: usize, access: In<Access>, count: usize) => pool::set_access;
    cudaMemPoolGetAccess(flags: Out<c_uint>, pool: usize, location: In<Location>) => pool::access;
    cudaDeviceGetDefaultMemPool(pool: Out<usize>, device: c_int) => pool::own;
    cudaDeviceGetMemPool(pool: Out<usize>, device: c_int) => pool::current;
    cudaDeviceSetMemPool(device: c_int, pool: usize) => pool::set_current;
    cudaMemGetDefaultMemPool(pool: Out<usize>, location: In<Location>, kind: c_uint) => pool::own_at;
    cudaMemGetMemPool(pool: Out<usize>, location: In<Location>, kind: c_uint) => pool::current_at;
    cudaMemSetMemPool(location: In<Location>, kind: c_uint, pool: usize) => pool::set_current_at;
    cudaMallocHost(address: Out<usize>, bytes: usize) => copy::alloc_host;
    cudaHostAlloc(address: Out<usize>, bytes: usize, flags: c_uint) => copy::host_alloc;
    cudaFreeHost(pointer: Host) => copy::free_host;
    cudaHostRegister(pointer: Host, bytes: usize, flags: c_uint) => memory::host_register;
    cudaHostUnregister(pointer: Host) => memory::host_unregister;
    cudaHostGetDevicePointer(address: Out<u64>, pointer: Host, flags: c_uint) => memory::host_pointer;
    cudaHostGetFlags(flags: Out<c_uint>, pointer: Host) => memory::host_flags;
    cudaMemGetInfo(free: Out<usize>, total: Out<usize>) => memory::info;
    cudaPointerGetAttributes(to: Out<Pointer>, address: u64) => copy::pointer;
    cudaMemAdvise | cudaMemAdvise_v2(address: u64, bytes: usize, advice: c_uint, place: u64) => copy::advise;
    cudaMemPrefetchAsync | cudaMemPrefetchAsync_ptsz | cudaMemPrefetchAsync_v2 | cudaMemPrefetchAsync_v2_ptsz(
        address: u64, bytes: usize
    ) => copy::prefetch;

    cudaMemcpy | cudaMemcpy_ptds(to: u64, from: u64, bytes: usize, kind: c_uint) => copy::copy, LEGACY;
    cudaMemcpyAsync | cudaMemcpyAsync_ptsz(
        to: u64, from: u64, bytes: usize, kind: c_uint, stream: usize
    ) => copy::copy;
    cudaMemcpyPeer(to: u64, to_device: c_int, from: u64, from_device: c_int, bytes: usize) => copy::peer, LEGACY;
    cudaMemcpyPeerAsync(
        to: u64, to_device: c_int, from: u64, from_device: c_int, bytes: usize, stream: usize
    ) => copy::peer;
    cudaMemcpy2D | cudaMemcpy2D_ptds(
        to: u64, to_pitch: usize, from: u64, from_pitch: usize, width: usize, height: usize, kind: c_uint
    ) => copy::copy_2, LEGACY;
    cudaMemcpy2DAsync | cudaMemcpy2DAsync_ptsz(
        to: u64, to_pitch: usize, from: u64, from_pitch: usize, width: usize, height: usize, kind: c_uint,
        stream: usize
    ) => copy::copy_2;
    cudaMemcpy3D | cudaMemcpy3D_ptds(copy: In<Copy>) => copy::copy_3, LEGACY;
    cudaMemcpy3DAsync | cudaMemcpy3DAsync_ptsz(copy: In<Copy>, stream: usize) => copy::copy_3;
    cudaMemcpyToSymbol | cudaMemcpyToSymbol_ptds(
        symbol: Host, from: u64, bytes: usize, offset: usize, kind: c_uint
    ) => copy::to_symbol, LEGACY;
    cudaMemcpyToSymbolAsync | cudaMemcpyToSymbolAsync_ptsz(
        symbol: Host, from: u64, bytes: usize, offset: usize, kind: c_uint, stream: usize
    ) => copy::to_symbol;
    cudaMemcpyFromSymbol | cudaMemcpyFromSymbol_ptds(
        to: u64, symbol: Host, bytes: usize, offset: usize, kind: c_uint
    ) => copy::from_symbol, LEGACY;
    cudaMemcpyFromSymbolAsync | cudaMemcpyFromSymbolAsync_ptsz(
        to: u64, symbol: Host, bytes: usize, offset: usize, kind: c_uint, stream: usize
    ) => copy::from_symbol;
    cudaGetSymbolAddress(address: Out<u64>, symbol: Host) => copy::symbol_address;
    cudaGetSymbolSize(bytes: Out<usize>, symbol: Host) => copy::symbol_size;
    cudaMemset | cudaMemset_ptds(address: u64, value: c_int, bytes: usize) => copy::fill, LEGACY;
    cudaMemsetAsync | cudaMemsetAsync_ptsz(address: u64, value: c_int, bytes: usize, stream: usize) => copy::fill;
    cudaMemset2D | cudaMemset2D_ptds(
        address: u64, pitch: usize, value: c_int, width: usize, height: usize
    ) => copy::fill_2, LEGACY;
    cudaMemset2DAsync | cudaMemset2DAsync_ptsz(
        address: u64, pitch: usize, value: c_int, width: usize, height: usize, stream: usize
    ) => copy::fill_2;
    cudaMemset3D | cudaMemset3D_ptds(to: Pitched, value: c_int, extent: Extent) => copy::fill_3, LEGACY;
    cudaMemset3DAsync | cudaMemset3DAsync_ptsz(
        to: Pitched, value: c_int, extent: Extent, stream: usize
    ) => copy::fill_3;

    cudaStreamCreate(stream: Out<usize>) => stream::create_default;
    cudaStreamCreateWithFlags(stream: Out<usize>, flags: c_uint) => stream::create;
    cudaStreamCreateWithPriority(stream: Out<usize>, flags: c_uint, priority: c_int) => stream::create_with_priority;
    cudaStreamDestroy(stream: usize) => stream::destroy;
    cudaStreamSynchronize | cudaStreamSynchronize_ptsz | cudaStreamQuery | cudaStreamQuery_ptsz(
        stream: usize
    ) => stream::synchronize;
    cudaStreamWaitEvent | cudaStreamWaitEvent_ptsz(stream: usize, event: usize, flags: c_uint) => stream::wait_event;
    cudaStreamBeginCapture | cudaStreamBeginCapture_ptsz(stream: usize, mode: c_uint) => capture::begin;
    cudaStreamBeginCaptureToGraph | cudaStreamBeginCaptureToGraph_ptsz(
        stream: usize, graph: usize, after: In<usize>, data: Host, count: usize, mode: c_uint
    ) => capture::begin_to_graph;
    cudaStreamEndCapture | cudaStreamEndCapture_ptsz(stream: usize, graph: Out<usize>) => capture::end;
    cudaStreamIsCapturing | cudaStreamIsCapturing_ptsz(stream: usize, status: Out<c_uint>) => capture::status;
    cudaStreamGetCaptureInfo_v2 | cudaStreamGetCaptureInfo_v2_ptsz(
        stream: usize, status: Out<c_uint>, id: Out<u64>, graph: Out<usize>, after: Out<u64>, count: Out<usize>
    ) => capture::info;
    cudaStreamGetCaptureInfo | cudaStreamGetCaptureInfo_ptsz | cudaStreamGetCaptureInfo_v3
        | cudaStreamGetCaptureInfo_v3_ptsz(
            stream: usize, status: Out<c_uint>, id: Out<u64>, graph: Out<usize>, after: Out<u64>, data: Out<u64>,
            count: Out<usize>
        ) => capture::info_3;
    cudaStreamUpdateCaptureDependencies_v2 | cudaStreamUpdateCaptureDependencies_v2_ptsz(
        stream: usize, after: In<usize>, data: Host, count: usize, flags: c_uint
    ) => capture::update_2;
    cudaStreamUpdateCaptureDependencies | cudaStreamUpdateCaptureDependencies_ptsz(
        stream: usize, after: In<usize>, data: usize, count: usize, flags: c_uint
    ) => node::update_captured;
    cudaThreadExchangeStreamCaptureMode(mode: Place<c_uint>) => capture::exchange;
    cudaStreamGetFlags | cudaStreamGetFlags_ptsz(stream: usize, flags: Out<c_uint>) => stream::flags;
    cudaStreamGetPriority | cudaStreamGetPriority_ptsz(stream: usize, priority: Out<c_int>) => stream::priority;
    cudaStreamGetId | cudaStreamGetId_ptsz(stream: usize, id: Out<c_ulonglong>) => stream::id;
    cudaStreamGetDevice | cudaStreamGetDevice_ptsz(stream: usize, device: Out<c_int>) => stream::device;
    cudaStreamAddCallback | cudaStreamAddCallback_ptsz(
        stream: usize, callback: StreamCallback, data: Host, flags: c_uint
    ) => stream::add_callback;
    cudaStreamAttachMemAsync | cudaStreamAttachMemAsync_ptsz(
        stream: usize, address: u64, bytes: usize, flags: c_uint
    ) => stream::attach;
    cudaLaunchHostFunc | cudaLaunchHostFunc_ptsz(stream: usize, function: HostFn, data: Host) => stream::launch_host;
    cudaEventCreate(event: Out<usize>) => stream::create_default_event;
    cudaEventCreateWithFlags(event: Out<usize>, flags: c_uint) => stream::create_event;
    cudaEventDestroy(event: usize) => stream::destroy_event;
    cudaEventRecord | cudaEventRecord_ptsz(event: usize, stream: usize) => stream::record;
    cudaEventRecordWithFlags | cudaEventRecordWithFlags_ptsz(
        event: usize, stream: usize, flags: c_uint
    ) => stream::record_with_flags;
    cudaEventQuery | cudaEventSynchronize(event: usize) => stream::wait_for_event;
    cudaEventElapsedTime | cudaEventElapsedTime_v2(
        milliseconds: Out<f32>, start: usize, end: usize
    ) => stream::elapsed;

    cudaLaunchKernel | cudaLaunchKernel_ptsz | __cudaLaunchKernel | __cudaLaunchKernel_ptsz(
        kernel: Host, grid: Dim, block: Dim, arguments: In<Host>, shared: usize, stream: usize
    ) => kernel::launch;
    cudaLaunchKernelExC | cudaLaunchKernelExC_ptsz(
        launch: In<Launch>, kernel: Host, arguments: In<Host>
    ) => kernel::configured;
    cudaLaunchCooperativeKernel | cudaLaunchCooperativeKernel_ptsz(
        kernel: Host, grid: Dim, block: Dim, arguments: In<Host>, shared: usize, stream: usize
    ) => kernel::cooperative;
    cudaFuncGetAttributes(to: Host, kernel: Host) => kernel::attributes;
    cudaFuncSetAttribute(kernel: Host, attribute: c_uint, value: c_int) => kernel::set_attribute;
    cudaKernelSetAttributeForDevice(
        kernel: Host, attribute: c_uint, value: c_int, device: c_int
    ) => kernel::set_attribute_for;
    cudaFuncSetCacheConfig | cudaFuncSetSharedMemConfig(kernel: Host, configuration: c_uint) => kernel::configure;
    cudaFuncGetName(name: Out<*const c_char>, kernel: Host) => kernel::name;
    cudaFuncGetParamInfo(
        kernel: Host, index: usize, offset: Out<usize>, bytes: Out<usize>
    ) => kernel::parameter;
    cudaFuncGetParamCount(kernel: Host, count: Out<usize>) => kernel::parameter_count;
    cudaGetFuncBySymbol | cudaGetKernel(function: Out<usize>, kernel: Host) => binary::function_of;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<c_int>, kernel: Host, threads: c_int, shared: usize
    ) => kernel::active_blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<c_int>, kernel: Host, threads: c_int, shared: usize, flags: c_uint
    ) => kernel::active_blocks_with;
    cudaOccupancyAvailableDynamicSMemPerBlock(
        bytes: Out<usize>, kernel: Host, blocks: c_int, threads: c_int
    ) => kernel::available_shared;
    cudaGetDriverEntryPoint | cudaGetDriverEntryPoint_ptsz(
        symbol: Text, function: Out<*const c_void>, flags: u64, status: Out<c_uint>
    ) => kernel::entry_point_now;
    cudaGetDriverEntryPointByVersion | cudaGetDriverEntryPointByVersion_ptsz(
        symbol: Text, function: Out<*const c_void>, version: c_uint, flags: u64, status: Out<c_uint>
    ) => kernel::entry_point;

    cudaLibraryLoadData(
        library: Out<usize>, image: Host, options: In<c_uint>, values: In<Host>, count: c_uint,
        of_library: In<c_uint>, of_library_values: In<Host>, of_library_count: c_uint
    ) => library::load_data;
    cudaLibraryLoadFromFile(
        library: Out<usize>, path: Text, options: In<c_uint>, values: In<Host>, count: c_uint,
        of_library: In<c_uint>, of_library_values: In<Host>, of_library_count: c_uint
    ) => library::load_file;
    cudaLibraryUnload(library: usize) => module::unload;
    cudaLibraryGetKernel(kernel: Out<usize>, library: usize, name: Text) => module::function;
    cudaLibraryGetKernelCount(count: Out<c_uint>, library: usize) => module::function_count;
    cudaLibraryEnumerateKernels(kernels: Out<usize>, count: c_uint, library: usize) => module::functions;
    cudaLibraryGetGlobal(address: Out<u64>, bytes: Out<usize>, library: usize, name: Text) => module::variable;

    cudaGraphCreate(graph: Out<usize>, flags: c_uint) => graph::create;
    cudaGraphDestroy(graph: usize) => graph::destroy;
    cudaGraphAddKernelNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, kernel: In<Kernel>
    ) => node::add_kernel;
    cudaGraphAddMemcpyNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, copy: In<Copy>
    ) => node::add_copy;
    cudaGraphAddMemcpyNode1D(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, to: u64, from: u64, bytes: usize, kind: c_uint
    ) => node::add_copy_1;
    cudaGraphAddMemcpyNodeToSymbol(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, symbol: Host, from: u64, bytes: usize,
        offset: usize, kind: c_uint
    ) => node::add_copy_to_symbol;
    cudaGraphAddMemcpyNodeFromSymbol(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, to: u64, symbol: Host, bytes: usize,
        offset: usize, kind: c_uint
    ) => node::add_copy_from_symbol;
    cudaGraphAddMemsetNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, fill: In<Fill>
    ) => node::add_fill;
    cudaGraphAddHostNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, call: In<Call>
    ) => graph::add_call;
    cudaGraphAddEmptyNode(node: Out<usize>, graph: usize, after: In<usize>, count: usize) => graph::add_empty;
    cudaGraphAddChildGraphNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, child: usize
    ) => graph::add_graph;
    cudaGraphAddDependencies | cudaGraphAddDependencies_v2(
        graph: usize, from: In<usize>, to: In<usize>, data: usize, count: usize
    ) => node::add_dependencies;
    cudaGraphGetNodes(graph: usize, nodes: Out<usize>, count: Place<usize>) => graph::nodes;
    cudaGraphNodeGetType(node: usize, kind: Out<c_uint>) => graph::kind;
    cudaGraphInstantiate | cudaGraphInstantiateWithFlags(
        executable: Out<usize>, graph: usize, flags: c_ulonglong
    ) => graph::instantiate;
    cudaGraphInstantiateWithParams | cudaGraphInstantiateWithParams_ptsz(
        executable: Out<usize>, graph: usize, with: In<Instantiation>
    ) => graph::instantiate_with;
    cudaGraphUpload | cudaGraphUpload_ptsz(executable: usize, stream: usize) => graph::upload;
    cudaGraphLaunch | cudaGraphLaunch_ptsz(executable: usize, stream: usize) => graph::launch;
    cudaGraphExecUpdate(executable: usize, graph: usize, updated: Out<Updated>) => graph::update;
    cudaGraphExecDestroy(executable: usize) => graph::destroy_executable;
    cudaGraphExecKernelNodeSetParams(executable: usize, node: usize, kernel: In<Kernel>) => node::set_kernel;
    cudaGraphExecMemcpyNodeSetParams(executable: usize, node: usize, copy: In<Copy>) => node::set_copy;
    cudaGraphExecMemcpyNodeSetParams1D(
        executable: usize, node: usize, to: u64, from: u64, bytes: usize, kind: c_uint
    ) => node::set_copy_1;
    cudaGraphExecMemsetNodeSetParams(executable: usize, node: usize, fill: In<Fill>) => node::set_fill;
}

mod texture;

/// Returns the lists of functions that return a code and do something.
#[cfg(test)]
pub(super) fn lists() -> Vec<&'static [(&'static str, crate::abi::Address)]> {
    vec![PLAIN, DEVICES, ALL, texture::ALL]
}

#[unsafe(no_mangle)]
extern "C" fn cudaGetErrorName(error: c_int) -> *const c_char {
    errors::name(error)
}

#[unsafe(no_mangle)]
extern "C" fn cudaGetErrorString(error: c_int) -> *const c_char {
    errors::words(error)
}

#[unsafe(no_mangle)]
const extern "C" fn cudaCreateChannelDesc(x: c_int, y: c_int, z: c_int, w: c_int, kind: c_uint) -> Channels {
    Channels::new([x, y, z, w], kind)
}

#[unsafe(no_mangle)]
extern "C" fn cudaGetLastError() -> c_int {
    current::take_last_error()
}

#[unsafe(no_mangle)]
extern "C" fn cudaPeekAtLastError() -> c_int {
    current::last_error()
}
