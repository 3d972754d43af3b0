//! The exported functions, by the names under which programs find them.
// Invariant: no other library of the process has functions of these names. Each takes the arguments of CUDA's function.
#![expect(unsafe_code, reason = "C programs call the functions")]
#![allow(non_snake_case, reason = "the names are CUDA's")]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};

use crate::abi::{Address, Host, HostFn, In, Out, Place, SharedOfBlock, StreamCallback, Text};
use crate::failure::Done;
use crate::graph::{Call, Instantiation, Kernel, Kernel2, Updated};
use crate::launch::Configuration;
use crate::pool::{Access, Location, Properties};
use crate::report::code;
use crate::rows::{Copy2, Copy3, Fill};
use crate::stream::LEGACY;
use crate::{
    capture, context, device, graph, launch, library, linker, lookup, memory, missing, module, pool, rows, stream,
    tensor,
};

/// Declares functions under one or several names, and a list of these names. `via` runs a
/// function's body and returns its code. An expression after the body's name is its last argument,
/// which callers do not pass: the stream of a synchronous copy.
macro_rules! exports {
    (
        $(#[$attribute:meta])? $list:ident via $via:path;
        $($($name:ident)|+ ($($takes:tt)*) => $does:path $(, $last:expr)?;)*
    ) => {
        $($crate::exports::exports! { @each $via; [$($name)+] ($($takes)*) [$does $(, $last)?] })*

        /// The functions by their names.
        $(#[$attribute])?
        pub(crate) const $list: &[(&str, $crate::abi::Address)] =
            &[$($((stringify!($name), $crate::abi::Address($name as *const std::ffi::c_void)),)+)*];
    };
    (@each $via:path; [$($name:ident)+] $takes:tt $does:tt) => {
        $($crate::exports::exports! { @one $via; $name $takes $does })+
    };
    (@one $via:path; $name:ident ($($argument:ident: $ty:ty),*) [$does:path $(, $last:expr)?]) => {
        // SAFETY: the name is CUDA's, and a program has one library with this name.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $ty),*) -> std::ffi::c_int {
            $via(stringify!($name), || $does($($argument,)* $($last)?))
        }
    };
}
pub(crate) use exports;

/// The function of gpuocelot's library. It returns nothing, so a failure ends the process: a caller
/// would take what memory contained before for a result.
#[cfg(target_os = "linux")]
#[unsafe(no_mangle)]
unsafe extern "C" fn ptx_run(
    source: Text,
    count: c_int,
    arguments: In<Host>,
    block_x: c_int,
    block_y: c_int,
    block_z: c_int,
    grid_x: c_int,
    grid_y: c_int,
    grid_z: c_int,
    shared: c_int,
) {
    let sizes = [[block_x, block_y, block_z], [grid_x, grid_y, grid_z]];
    if code("ptx_run", || crate::ocelot::run(source, count, arguments, sizes, shared)) != 0 {
        std::process::abort();
    }
}

exports! {
    ALL via code;

    cuInit(flags: c_uint) => device::init;
    cuDriverGetVersion(version: Out<c_int>) => device::driver_version;
    cuGetErrorName(error: c_int, text: Out<*const c_char>) => device::error_name;
    cuGetErrorString(error: c_int, text: Out<*const c_char>) => device::error_string;
    cuGetProcAddress(symbol: Text, function: Out<*const c_void>, version: c_int, flags: u64) => get;
    cuGetProcAddress_v2(
        symbol: Text, function: Out<*const c_void>, version: c_int, flags: u64, status: Out<c_uint>
    ) => get_v2;
    cuGetExportTable(table: Out<*const c_void>, id: Host) => lookup::export_table;

    cuDeviceGet(device: Out<c_int>, ordinal: c_int) => device::get;
    cuDeviceGetCount(count: Out<c_int>) => device::count;
    cuDeviceGetName(name: Host, length: c_int, device: c_int) => device::name;
    cuDeviceGetUuid | cuDeviceGetUuid_v2(uuid: Out<[u8; 16]>, device: c_int) => device::uuid;
    cuDeviceGetPCIBusId(id: Host, length: c_int, device: c_int) => device::bus_id;
    cuDeviceGetByPCIBusId(device: Out<c_int>, id: Text) => device::by_bus_id;
    cuDeviceTotalMem_v2(bytes: Out<usize>, device: c_int) => device::total_memory;
    cuDeviceGetAttribute(value: Out<c_int>, attribute: c_int, device: c_int) => device::attribute;
    cuDeviceComputeCapability(major: Out<c_int>, minor: Out<c_int>, device: c_int) => device::compute_capability;
    cuDeviceCanAccessPeer(can: Out<c_int>, device: c_int, peer: c_int) => device::can_access_peer;

    cuDevicePrimaryCtxRetain(context: Out<usize>, device: c_int) => context::retain;
    cuDevicePrimaryCtxRelease | cuDevicePrimaryCtxRelease_v2(device: c_int) => context::release;
    cuDevicePrimaryCtxReset | cuDevicePrimaryCtxReset_v2(device: c_int) => context::reset;
    cuDevicePrimaryCtxGetState(device: c_int, flags: Out<c_uint>, active: Out<c_int>) => context::primary_state;
    cuDevicePrimaryCtxSetFlags | cuDevicePrimaryCtxSetFlags_v2(device: c_int, flags: c_uint) => context::set_primary_flags;
    cuCtxCreate_v2(context: Out<usize>, flags: c_uint, device: c_int) => context::create;
    cuCtxCreate_v3(context: Out<usize>, affinity: Host, count: c_int, flags: c_uint, device: c_int) => context::create_v3;
    cuCtxCreate_v4(context: Out<usize>, parameters: Host, flags: c_uint, device: c_int) => context::create_v4;
    cuCtxDestroy | cuCtxDestroy_v2(context: usize) => context::destroy;
    cuCtxAttach(context: Out<usize>, flags: c_uint) => context::attach;
    cuCtxDetach(context: usize) => context::detach;
    cuCtxSetCurrent(context: usize) => context::set_current;
    cuCtxGetCurrent(context: Out<usize>) => context::get_current;
    cuCtxPushCurrent | cuCtxPushCurrent_v2(context: usize) => context::push;
    cuCtxPopCurrent | cuCtxPopCurrent_v2(context: Out<usize>) => context::pop;
    cuCtxGetDevice(device: Out<c_int>) => context::device;
    cuCtxSynchronize() => context::synchronize;
    cuCtxGetApiVersion(context: usize, version: Out<c_uint>) => context::api_version;
    cuCtxGetId(context: usize, id: Out<c_ulonglong>) => context::id;
    cuCtxGetFlags(flags: Out<c_uint>) => context::flags;
    cuCtxSetFlags(flags: c_uint) => context::set_flags;
    cuCtxSetLimit(limit: c_uint, value: usize) => context::set_limit;
    cuCtxGetLimit(value: Out<usize>, limit: c_uint) => context::limit;
    cuCtxSetCacheConfig | cuCtxSetSharedMemConfig(configuration: c_uint) => context::configure;
    cuCtxGetCacheConfig | cuCtxGetSharedMemConfig(configuration: Out<c_uint>) => context::configuration;
    cuCtxGetStreamPriorityRange(least: Out<c_int>, greatest: Out<c_int>) => context::priorities;
    cuCtxEnablePeerAccess(peer: usize, flags: c_uint) => context::enable_peer;

    cuModuleLoad(module: Out<usize>, path: Text) => module::load;
    cuModuleLoadData | cuModuleLoadFatBinary(module: Out<usize>, image: Host) => module::load_data;
    cuModuleLoadDataEx(
        module: Out<usize>, image: Host, count: c_uint, options: In<c_uint>, values: In<Host>
    ) => module::load_data_ex;
    cuModuleUnload(module: usize) => module::unload;
    cuModuleGetLoadingMode(mode: Out<c_uint>) => module::loading_mode;
    cuModuleGetFunction(function: Out<usize>, module: usize, name: Text) => module::function;
    cuModuleGetFunctionCount(count: Out<c_uint>, module: usize) => module::function_count;
    cuModuleEnumerateFunctions(functions: Out<usize>, count: c_uint, module: usize) => module::functions;
    cuModuleGetGlobal_v2(address: Out<u64>, bytes: Out<usize>, module: usize, name: Text) => module::variable;
    cuFuncGetAttribute(value: Out<c_int>, attribute: c_uint, function: usize) => module::attribute;
    cuFuncSetAttribute(function: usize, attribute: c_uint, value: c_int) => module::set_attribute;
    cuFuncSetCacheConfig | cuFuncSetSharedMemConfig(function: usize, configuration: c_uint) => module::configure;
    cuFuncGetName(name: Out<*const c_char>, function: usize) => module::function_name;
    cuFuncGetModule(module: Out<usize>, function: usize) => module::function_module;
    cuFuncGetParamInfo(
        function: usize, index: usize, offset: Out<usize>, bytes: Out<usize>
    ) => module::parameter;
    cuFuncIsLoaded(loaded: Out<c_uint>, function: usize) => module::is_loaded;
    cuFuncLoad(function: usize) => module::load_function;
    cuFuncGetParamCount | cuKernelGetParamCount(function: usize, count: Out<usize>) => module::parameter_count;
    cuFuncSetBlockShape(function: usize, x: c_int, y: c_int, z: c_int) => module::block_shape;
    cuFuncSetSharedSize(function: usize, bytes: c_uint) => module::configure;

    cuLinkCreate_v2(count: c_uint, options: In<c_uint>, values: In<Host>, link: Out<usize>) => linker::create;
    cuLinkAddData_v2(
        link: usize, kind: c_uint, data: Host, bytes: usize, name: Host, count: c_uint, options: In<c_uint>,
        values: In<Host>
    ) => linker::add_data;
    cuLinkAddFile_v2(
        link: usize, kind: c_uint, path: Text, count: c_uint, options: In<c_uint>, values: In<Host>
    ) => linker::add_file;
    cuLinkComplete(link: usize, image: Out<*const c_char>, bytes: Out<usize>) => linker::complete;
    cuLinkDestroy(link: usize) => linker::destroy;

    cuLibraryLoadData(
        library: Out<usize>, image: Host, options: In<c_uint>, values: In<Host>, count: c_uint,
        of_library: In<c_uint>, of_library_values: In<Host>, of_library_count: c_uint
    ) => library::load_data;
    cuLibraryLoadFromFile(
        library: Out<usize>, path: Text, options: In<c_uint>, values: In<Host>, count: c_uint,
        of_library: In<c_uint>, of_library_values: In<Host>, of_library_count: c_uint
    ) => library::load_file;
    cuLibraryUnload(library: usize) => module::unload;
    cuLibraryGetModule(module: Out<usize>, library: usize) => library::same;
    cuLibraryGetKernel(kernel: Out<usize>, library: usize, name: Text) => module::function;
    cuLibraryGetKernelCount(count: Out<c_uint>, library: usize) => module::function_count;
    cuLibraryEnumerateKernels(kernels: Out<usize>, count: c_uint, library: usize) => module::functions;
    cuLibraryGetGlobal(address: Out<u64>, bytes: Out<usize>, library: usize, name: Text) => module::variable;
    cuKernelGetFunction(function: Out<usize>, kernel: usize) => library::same;
    cuKernelGetLibrary(library: Out<usize>, kernel: usize) => module::function_module;
    cuKernelGetName(name: Out<*const c_char>, kernel: usize) => module::function_name;
    cuKernelGetParamInfo(kernel: usize, index: usize, offset: Out<usize>, bytes: Out<usize>) => module::parameter;
    cuKernelGetAttribute(
        value: Out<c_int>, attribute: c_uint, kernel: usize, device: c_int
    ) => library::attribute;
    cuKernelSetAttribute(
        attribute: c_uint, value: c_int, kernel: usize, device: c_int
    ) => library::set_attribute;
    cuKernelSetCacheConfig(kernel: usize, configuration: c_uint, device: c_int) => library::configure;

    cuTensorMapEncodeTiled(
        map: Out<[u8; 128]>, ty: c_uint, rank: c_uint, address: u64, lengths: In<u64>, strides: In<u64>,
        extent: In<c_uint>, steps: In<c_uint>, interleave: c_uint, swizzle: c_uint, promotion: c_uint, fill: c_uint
    ) => tensor::encode;

    cuMemAlloc_v2(address: Out<u64>, bytes: usize) => memory::alloc;
    cuMemAllocAsync | cuMemAllocAsync_ptsz(address: Out<u64>, bytes: usize, stream: usize) => pool::alloc;
    cuMemAllocManaged(address: Out<u64>, bytes: usize, flags: c_uint) => memory::alloc_managed;
    cuMemAllocPitch_v2(
        address: Out<u64>, pitch: Out<usize>, width: usize, height: usize, element: c_uint
    ) => memory::alloc_pitch;
    cuMemFree_v2(address: u64) => pool::freed;
    cuMemFreeAsync | cuMemFreeAsync_ptsz(address: u64, stream: usize) => pool::free;
    cuMemPoolCreate(pool: Out<usize>, properties: In<Properties>) => pool::create;
    cuMemPoolDestroy(pool: usize) => pool::destroy;
    cuMemPoolGetAttribute(pool: usize, attribute: c_uint, to: Host) => pool::attribute;
    cuMemPoolSetAttribute(pool: usize, attribute: c_uint, from: Host) => pool::set_attribute;
    cuMemPoolTrimTo(pool: usize, keep: usize) => pool::trim;
    cuMemPoolSetAccess(pool: usize, access: In<Access>, count: usize) => pool::set_access;
    cuMemPoolGetAccess(flags: Out<c_uint>, pool: usize, location: In<Location>) => pool::access;
    cuMemAllocFromPoolAsync | cuMemAllocFromPoolAsync_ptsz(
        address: Out<u64>, bytes: usize, pool: usize, stream: usize
    ) => pool::alloc_from;
    cuDeviceGetDefaultMemPool(pool: Out<usize>, device: c_int) => pool::own;
    cuDeviceGetMemPool(pool: Out<usize>, device: c_int) => pool::current;
    cuDeviceSetMemPool(device: c_int, pool: usize) => pool::set_current;
    cuMemGetDefaultMemPool(pool: Out<usize>, location: In<Location>, kind: c_uint) => pool::own_at;
    cuMemGetMemPool(pool: Out<usize>, location: In<Location>, kind: c_uint) => pool::current_at;
    cuMemSetMemPool(location: In<Location>, kind: c_uint, pool: usize) => pool::set_current_at;
    cuMemHostAlloc(pointer: Out<usize>, bytes: usize, flags: c_uint) => memory::host_alloc;
    cuMemAllocHost_v2(pointer: Out<usize>, bytes: usize) => memory::alloc_host;
    cuMemFreeHost(pointer: Host) => memory::free_host;
    cuMemHostRegister_v2(pointer: Host, bytes: usize, flags: c_uint) => memory::host_register;
    cuMemHostUnregister(pointer: Host) => memory::host_unregister;
    cuMemHostGetDevicePointer_v2(address: Out<u64>, pointer: Host, flags: c_uint) => memory::host_pointer;
    cuMemHostGetFlags(flags: Out<c_uint>, pointer: Host) => memory::host_flags;
    cuMemGetInfo_v2(free: Out<usize>, total: Out<usize>) => memory::info;
    cuMemGetAddressRange_v2(base: Out<u64>, bytes: Out<usize>, address: u64) => memory::range;
    cuMemAdvise(address: u64, bytes: usize, advice: c_uint, device: c_int) => memory::advise;
    cuMemAdvise_v2(address: u64, bytes: usize, advice: c_uint, place: u64) => memory::advise_v2;
    cuMemPrefetchAsync | cuMemPrefetchAsync_ptsz(
        address: u64, bytes: usize, device: c_int, stream: usize
    ) => memory::prefetch;
    cuMemPrefetchAsync_v2 | cuMemPrefetchAsync_v2_ptsz(
        address: u64, bytes: usize, place: u64, flags: c_uint, stream: usize
    ) => memory::prefetch_v2;
    cuMemcpy | cuMemcpy_ptds(to: u64, from: u64, bytes: usize) => memory::any_async, LEGACY;
    cuMemcpyAsync | cuMemcpyAsync_ptsz(to: u64, from: u64, bytes: usize, stream: usize) => memory::any_async;
    cuMemcpyHtoD_v2 | cuMemcpyHtoD_v2_ptds(to: u64, from: Host, bytes: usize) => memory::to_device_async, LEGACY;
    cuMemcpyHtoDAsync_v2 | cuMemcpyHtoDAsync_v2_ptsz(
        to: u64, from: Host, bytes: usize, stream: usize
    ) => memory::to_device_async;
    cuMemcpyDtoH_v2 | cuMemcpyDtoH_v2_ptds(to: Host, from: u64, bytes: usize) => memory::to_host_async, LEGACY;
    cuMemcpyDtoHAsync_v2 | cuMemcpyDtoHAsync_v2_ptsz(
        to: Host, from: u64, bytes: usize, stream: usize
    ) => memory::to_host_async;
    cuMemcpyDtoD_v2 | cuMemcpyDtoD_v2_ptds(to: u64, from: u64, bytes: usize) => memory::within_device_async, LEGACY;
    cuMemcpyDtoDAsync_v2 | cuMemcpyDtoDAsync_v2_ptsz(
        to: u64, from: u64, bytes: usize, stream: usize
    ) => memory::within_device_async;
    cuMemcpyPeer | cuMemcpyPeer_ptds(
        to: u64, to_context: usize, from: u64, from_context: usize, bytes: usize
    ) => memory::peer_async, LEGACY;
    cuMemcpyPeerAsync | cuMemcpyPeerAsync_ptsz(
        to: u64, to_context: usize, from: u64, from_context: usize, bytes: usize, stream: usize
    ) => memory::peer_async;
    cuMemsetD8_v2 | cuMemsetD8_v2_ptds(address: u64, value: c_uchar, count: usize) => memory::set_8_async, LEGACY;
    cuMemsetD16_v2 | cuMemsetD16_v2_ptds(address: u64, value: c_ushort, count: usize) => memory::set_16_async, LEGACY;
    cuMemsetD32_v2 | cuMemsetD32_v2_ptds(address: u64, value: c_uint, count: usize) => memory::set_32_async, LEGACY;
    cuMemsetD8Async | cuMemsetD8Async_ptsz(
        address: u64, value: c_uchar, count: usize, stream: usize
    ) => memory::set_8_async;
    cuMemsetD16Async | cuMemsetD16Async_ptsz(
        address: u64, value: c_ushort, count: usize, stream: usize
    ) => memory::set_16_async;
    cuMemsetD32Async | cuMemsetD32Async_ptsz(
        address: u64, value: c_uint, count: usize, stream: usize
    ) => memory::set_32_async;
    cuMemcpy2D_v2 | cuMemcpy2D_v2_ptds | cuMemcpy2DUnaligned_v2 | cuMemcpy2DUnaligned_v2_ptds(
        copy: In<Copy2>
    ) => rows::copy_2, LEGACY;
    cuMemcpy2DAsync_v2 | cuMemcpy2DAsync_v2_ptsz(copy: In<Copy2>, stream: usize) => rows::copy_2;
    cuMemcpy3D_v2 | cuMemcpy3D_v2_ptds(copy: In<Copy3>) => rows::copy_3, LEGACY;
    cuMemcpy3DAsync_v2 | cuMemcpy3DAsync_v2_ptsz(copy: In<Copy3>, stream: usize) => rows::copy_3;
    cuMemsetD2D8_v2 | cuMemsetD2D8_v2_ptds(
        address: u64, pitch: usize, value: c_uchar, width: usize, height: usize
    ) => rows::fill_8, LEGACY;
    cuMemsetD2D16_v2 | cuMemsetD2D16_v2_ptds(
        address: u64, pitch: usize, value: c_ushort, width: usize, height: usize
    ) => rows::fill_16, LEGACY;
    cuMemsetD2D32_v2 | cuMemsetD2D32_v2_ptds(
        address: u64, pitch: usize, value: c_uint, width: usize, height: usize
    ) => rows::fill_32, LEGACY;
    cuMemsetD2D8Async | cuMemsetD2D8Async_ptsz(
        address: u64, pitch: usize, value: c_uchar, width: usize, height: usize, stream: usize
    ) => rows::fill_8;
    cuMemsetD2D16Async | cuMemsetD2D16Async_ptsz(
        address: u64, pitch: usize, value: c_ushort, width: usize, height: usize, stream: usize
    ) => rows::fill_16;
    cuMemsetD2D32Async | cuMemsetD2D32Async_ptsz(
        address: u64, pitch: usize, value: c_uint, width: usize, height: usize, stream: usize
    ) => rows::fill_32;
    cuPointerGetAttribute(to: Host, attribute: c_uint, address: u64) => memory::pointer_attribute;
    cuPointerGetAttributes(
        count: c_uint, attributes: In<c_uint>, to: In<Host>, address: u64
    ) => memory::pointer_attributes;

    cuStreamCreate(stream: Out<usize>, flags: c_uint) => stream::create;
    cuStreamCreateWithPriority(stream: Out<usize>, flags: c_uint, priority: c_int) => stream::create_with_priority;
    cuStreamDestroy | cuStreamDestroy_v2(stream: usize) => stream::destroy;
    cuStreamSynchronize | cuStreamSynchronize_ptsz | cuStreamQuery | cuStreamQuery_ptsz(
        stream: usize
    ) => stream::synchronize;
    cuStreamWaitEvent | cuStreamWaitEvent_ptsz(stream: usize, event: usize, flags: c_uint) => stream::wait_event;
    cuStreamBeginCapture_v2 | cuStreamBeginCapture_v2_ptsz(stream: usize, mode: c_uint) => capture::begin;
    cuStreamBeginCaptureToGraph | cuStreamBeginCaptureToGraph_ptsz(
        stream: usize, graph: usize, after: In<usize>, data: Host, count: usize, mode: c_uint
    ) => capture::begin_to_graph;
    cuStreamEndCapture | cuStreamEndCapture_ptsz(stream: usize, graph: Out<usize>) => capture::end;
    cuStreamIsCapturing | cuStreamIsCapturing_ptsz(stream: usize, status: Out<c_uint>) => capture::status;
    cuStreamGetCaptureInfo | cuStreamGetCaptureInfo_ptsz(
        stream: usize, status: Out<c_uint>, id: Out<u64>
    ) => capture::info_1;
    cuStreamGetCaptureInfo_v2 | cuStreamGetCaptureInfo_v2_ptsz(
        stream: usize, status: Out<c_uint>, id: Out<u64>, graph: Out<usize>, after: Out<u64>, count: Out<usize>
    ) => capture::info;
    cuStreamGetCaptureInfo_v3 | cuStreamGetCaptureInfo_v3_ptsz(
        stream: usize, status: Out<c_uint>, id: Out<u64>, graph: Out<usize>, after: Out<u64>, data: Out<u64>,
        count: Out<usize>
    ) => capture::info_3;
    cuStreamUpdateCaptureDependencies | cuStreamUpdateCaptureDependencies_ptsz(
        stream: usize, after: In<usize>, count: usize, flags: c_uint
    ) => capture::update;
    cuStreamUpdateCaptureDependencies_v2 | cuStreamUpdateCaptureDependencies_v2_ptsz(
        stream: usize, after: In<usize>, data: Host, count: usize, flags: c_uint
    ) => capture::update_2;
    cuThreadExchangeStreamCaptureMode(mode: Place<c_uint>) => capture::exchange;
    cuStreamGetFlags | cuStreamGetFlags_ptsz(stream: usize, flags: Out<c_uint>) => stream::flags;
    cuStreamGetPriority | cuStreamGetPriority_ptsz(stream: usize, priority: Out<c_int>) => stream::priority;
    cuStreamGetCtx | cuStreamGetCtx_ptsz(stream: usize, context: Out<usize>) => stream::context;
    cuStreamGetId | cuStreamGetId_ptsz(stream: usize, id: Out<c_ulonglong>) => stream::id;
    cuStreamAddCallback | cuStreamAddCallback_ptsz(
        stream: usize, callback: StreamCallback, data: Host, flags: c_uint
    ) => stream::add_callback;
    cuLaunchHostFunc | cuLaunchHostFunc_ptsz(stream: usize, function: HostFn, data: Host) => stream::launch_host;
    cuStreamAttachMemAsync | cuStreamAttachMemAsync_ptsz(
        stream: usize, address: u64, bytes: usize, flags: c_uint
    ) => stream::attach;
    cuEventCreate(event: Out<usize>, flags: c_uint) => stream::create_event;
    cuEventDestroy | cuEventDestroy_v2(event: usize) => stream::destroy_event;
    cuEventRecord | cuEventRecord_ptsz(event: usize, stream: usize) => stream::record;
    cuEventRecordWithFlags | cuEventRecordWithFlags_ptsz(
        event: usize, stream: usize, flags: c_uint
    ) => stream::record_with_flags;
    cuEventQuery | cuEventSynchronize(event: usize) => stream::wait_for_event;
    cuEventElapsedTime | cuEventElapsedTime_v2(
        milliseconds: Out<f32>, start: usize, end: usize
    ) => stream::elapsed;

    cuLaunchKernel | cuLaunchKernel_ptsz(
        function: usize, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: usize, parameters: In<Host>, extra: In<*mut c_void>
    ) => launch::launch;
    cuLaunchKernelEx | cuLaunchKernelEx_ptsz(
        configuration: In<Configuration>, function: usize, parameters: In<Host>, extra: In<*mut c_void>
    ) => launch::configured;
    cuLaunchCooperativeKernel | cuLaunchCooperativeKernel_ptsz(
        function: usize, grid_x: c_uint, grid_y: c_uint, grid_z: c_uint, block_x: c_uint, block_y: c_uint,
        block_z: c_uint, shared: c_uint, stream: usize, parameters: In<Host>
    ) => launch::cooperative;
    cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<c_int>, function: usize, threads: c_int, shared: usize
    ) => launch::active_blocks;
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<c_int>, function: usize, threads: c_int, shared: usize, flags: c_uint
    ) => launch::active_blocks_with_flags;
    cuOccupancyMaxPotentialBlockSize(
        grid: Out<c_int>, block: Out<c_int>, function: usize, shared_of: SharedOfBlock, shared: usize, limit: c_int
    ) => launch::potential_block;
    cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<c_int>, block: Out<c_int>, function: usize, shared_of: SharedOfBlock, shared: usize, limit: c_int,
        flags: c_uint
    ) => launch::potential_block_with_flags;
    cuOccupancyAvailableDynamicSMemPerBlock(
        bytes: Out<usize>, function: usize, blocks: c_int, threads: c_int
    ) => launch::available_shared;

    cuGraphCreate(graph: Out<usize>, flags: c_uint) => graph::create;
    cuGraphDestroy(graph: usize) => graph::destroy;
    cuGraphAddKernelNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, kernel: In<Kernel>
    ) => graph::add_kernel;
    cuGraphAddKernelNode_v2(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, kernel: In<Kernel2>
    ) => graph::add_kernel_2;
    cuGraphAddMemcpyNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, copy: In<Copy3>, context: usize
    ) => graph::add_copy;
    cuGraphAddMemsetNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, fill: In<Fill>, context: usize
    ) => graph::add_fill;
    cuGraphAddHostNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, call: In<Call>
    ) => graph::add_call;
    cuGraphAddEmptyNode(node: Out<usize>, graph: usize, after: In<usize>, count: usize) => graph::add_empty;
    cuGraphAddChildGraphNode(
        node: Out<usize>, graph: usize, after: In<usize>, count: usize, child: usize
    ) => graph::add_graph;
    cuGraphAddDependencies(graph: usize, from: In<usize>, to: In<usize>, count: usize) => graph::add_dependencies;
    cuGraphAddDependencies_v2(
        graph: usize, from: In<usize>, to: In<usize>, data: Host, count: usize
    ) => graph::add_dependencies_2;
    cuGraphGetNodes(graph: usize, nodes: Out<usize>, count: Place<usize>) => graph::nodes;
    cuGraphNodeGetType(node: usize, kind: Out<c_uint>) => graph::kind;
    cuGraphInstantiate_v2(
        executable: Out<usize>, graph: usize, wrong: Out<usize>, log: Out<c_char>, space: usize
    ) => graph::instantiate_2;
    cuGraphInstantiateWithFlags(executable: Out<usize>, graph: usize, flags: c_ulonglong) => graph::instantiate;
    cuGraphInstantiateWithParams | cuGraphInstantiateWithParams_ptsz(
        executable: Out<usize>, graph: usize, with: In<Instantiation>
    ) => graph::instantiate_with;
    cuGraphUpload | cuGraphUpload_ptsz(executable: usize, stream: usize) => graph::upload;
    cuGraphLaunch | cuGraphLaunch_ptsz(executable: usize, stream: usize) => graph::launch;
    cuGraphExecUpdate(executable: usize, graph: usize, node: Out<usize>, result: Out<c_uint>) => graph::update_1;
    cuGraphExecUpdate_v2(executable: usize, graph: usize, updated: Out<Updated>) => graph::update;
    cuGraphExecDestroy(executable: usize) => graph::destroy_executable;
    cuGraphExecKernelNodeSetParams(executable: usize, node: usize, kernel: In<Kernel>) => graph::set_kernel;
    cuGraphExecKernelNodeSetParams_v2(executable: usize, node: usize, kernel: In<Kernel2>) => graph::set_kernel_2;
    cuGraphExecMemcpyNodeSetParams(
        executable: usize, node: usize, copy: In<Copy3>, context: usize
    ) => graph::set_copy;
    cuGraphExecMemsetNodeSetParams(
        executable: usize, node: usize, fill: In<Fill>, context: usize
    ) => graph::set_fill;

    cuProfilerStart | cuProfilerStop() => context::synchronize;
}

mod mapping;
mod texture;

/// Every function that programs can look up. Those that are not implemented come last.
pub(crate) const SYMBOLS: [&[(&str, Address)]; 4] = [ALL, texture::ALL, mapping::ALL, missing::ALL];

fn get(symbol: Text, function: Out<*const c_void>, version: c_int, _flags: u64) -> Done {
    lookup::get(&SYMBOLS, symbol, function, version)
}

pub(crate) fn get_v2(
    symbol: Text,
    function: Out<*const c_void>,
    version: c_int,
    _flags: u64,
    status: Out<c_uint>,
) -> Done {
    lookup::get_v2(&SYMBOLS, symbol, function, version, status)
}

#[cfg(test)]
mod tests;
