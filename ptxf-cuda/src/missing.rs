//! Functions of CUDA's driver that are not implemented. A program that looks them up starts, and a
//! call prints a message.
// Invariant: no other library of the process has functions of these names. A function that reads no argument may be called with any.
#![expect(unsafe_code, reason = "C programs call the functions")]
#![allow(non_snake_case, reason = "the names are CUDA's")]

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::Code;
use crate::report;

/// Declares functions that are not supported, and a list of their names. `via` returns their code.
macro_rules! missing {
    ($(#[$attribute:meta])? $list:ident via $via:path; $($name:ident)*) => {
        $(
            // SAFETY: the name is CUDA's, and a program has one library with this name.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name() -> std::ffi::c_int {
                static SAID: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);
                $via(stringify!($name), &SAID)
            }
        )*

        /// The functions by their names.
        $(#[$attribute])?
        pub(crate) const $list: &[(&str, $crate::abi::Address)] =
            &[$((stringify!($name), $crate::abi::Address($name as *const std::ffi::c_void)),)*];
    };
}
pub(crate) use missing;

/// Reasons, by a part of the names of functions. The first part that a name has counts.
const REASONS: &[(&str, &str)] = &[
    ("External", "there are no memory and no semaphores of other interfaces"),
    ("NvSci", "there are no memory and no semaphores of other interfaces"),
    ("GL", "there is no graphics device"),
    ("EGL", "there is no graphics device"),
    ("VDPAU", "there is no graphics device"),
    ("Graphics", "there is no graphics device"),
    ("Cig", "there is no graphics device"),
    ("Ipc", "memory and events belong to one process"),
    ("Export", "memory and events belong to one process"),
    ("Import", "memory and events belong to one process"),
    ("HandleForAddressRange", "memory and events belong to one process"),
    ("Mipmap", "textures with several levels are missing"),
    ("Sparse", "an array has one plane, and all of its memory from the start"),
    ("ArrayGet", "an array has one plane, and all of its memory from the start"),
    ("cuMemMapArray", "an array has one plane, and all of its memory from the start"),
    ("Multicast", "a device cannot access the memory of another"),
    ("Peer", "a device cannot access the memory of another"),
    ("P2P", "a device cannot access the memory of another"),
    ("Clique", "a device cannot access the memory of another"),
    ("LogicalEndpoint", "a device cannot access the memory of another"),
    ("Green", "a device cannot be divided"),
    ("DevResource", "a device cannot be divided"),
    ("DevSm", "a device cannot be divided"),
    ("ExecutionCtx", "a device cannot be divided"),
    ("ExecAffinity", "a device cannot be divided"),
    ("StreamWaitValue", "an operation is finished when its function returns: nothing can change the value later"),
    ("BatchMemOp", "an operation is finished when its function returns: nothing can change the value later"),
    ("Batch", "copies are made one by one: use cuMemcpyAsync"),
    ("Coredump", "faults are printed, and PTXF_REPORT names a file for them"),
    ("Logs", "messages are printed to standard error"),
    ("AsyncNotification", "there is nothing to notify of"),
    ("cuParam", "the driver's calls of CUDA 3 are missing: use cuLaunchKernel"),
    ("LaunchGrid", "the driver's calls of CUDA 3 are missing: use cuLaunchKernel"),
    ("KernelMultiDevice", "a kernel runs on one device"),
    ("GPUDirect", "a device cannot access the memory of another"),
    ("Fabric", "a device cannot access the memory of another"),
    ("Conditional", "a graph runs all of its nodes"),
    ("UserObject", "graphs do not own objects of the program"),
    ("Graph", "a graph has kernels, copies, fills, calls and graphs, which are replaced and not examined"),
    ("Im2col", "tensor maps describe boxes: use cuTensorMapEncodeTiled"),
];

/// Returns the reason for which a function is missing.
pub(crate) fn reason(name: &str) -> &'static str {
    let found = REASONS.iter().find(|(part, _)| name.contains(part));
    found.map_or("no program has needed it yet", |(_, reason)| reason)
}

/// Prints a message at the first call of a function.
fn unsupported(name: &str, said: &AtomicBool) -> c_int {
    if !said.swap(true, Ordering::Relaxed) {
        report::say(&format!("{name} is not supported: {}; it returns CUDA_ERROR_NOT_SUPPORTED", reason(name)));
    }
    Code::NotSupported as c_int
}

missing! {
    ALL via unsupported;

    cuArrayGetMemoryRequirements cuArrayGetPlane cuArrayGetSparseProperties cuCoredumpDeregisterCompleteCallback
    cuCoredumpDeregisterStartCallback cuCoredumpGetAttribute cuCoredumpGetAttributeGlobal
    cuCoredumpRegisterCompleteCallback cuCoredumpRegisterStartCallback cuCoredumpSetAttribute
    cuCoredumpSetAttributeGlobal cuCtxDisablePeerAccess cuCtxFromGreenCtx cuCtxGetDevResource cuCtxGetDevice_v2
    cuCtxGetExecAffinity cuCtxRecordEvent cuCtxResetPersistingL2Cache cuCtxSynchronize_v2 cuCtxWaitEvent
    cuDestroyExternalMemory cuDestroyExternalSemaphore cuDevResourceGenerateDesc cuDevSmResourceSplit
    cuDevSmResourceSplitByCount cuDeviceGetCliqueCount cuDeviceGetCliqueInfo cuDeviceGetDevResource
    cuDeviceGetExecAffinitySupport cuDeviceGetFabricClusterUuid cuDeviceGetGraphMemAttribute
    cuDeviceGetHostAtomicCapabilities cuDeviceGetLuid cuDeviceGetNvSciSyncAttributes
    cuDeviceGetP2PAtomicCapabilities cuDeviceGetP2PAttribute cuDeviceGetProperties cuDeviceGraphMemTrim
    cuDeviceRegisterAsyncNotification cuDeviceSetGraphMemAttribute cuDeviceUnregisterAsyncNotification
    cuEGLStreamConsumerAcquireFrame cuEGLStreamConsumerConnect cuEGLStreamConsumerConnectWithFlags
    cuEGLStreamConsumerDisconnect cuEGLStreamConsumerReleaseFrame cuEGLStreamProducerConnect
    cuEGLStreamProducerDisconnect cuEGLStreamProducerPresentFrame cuEGLStreamProducerReturnFrame
    cuEventCreateFromEGLSync cuExternalMemoryGetMappedBuffer cuExternalMemoryGetMappedMipmappedArray
    cuFlushGPUDirectRDMAWrites cuGLCtxCreate_v2 cuGLGetDevices_v2 cuGLInit cuGLMapBufferObjectAsync_v2
    cuGLMapBufferObject_v2 cuGLRegisterBufferObject cuGLSetBufferObjectMapFlags cuGLUnmapBufferObject
    cuGLUnmapBufferObjectAsync cuGLUnregisterBufferObject cuGraphAddBatchMemOpNode cuGraphAddEventRecordNode
    cuGraphAddEventWaitNode cuGraphAddExternalSemaphoresSignalNode cuGraphAddExternalSemaphoresWaitNode
    cuGraphAddMemAllocNode cuGraphAddMemFreeNode cuGraphAddNode cuGraphAddNode_v2 cuGraphAddNode_v3
    cuGraphBatchMemOpNodeGetParams cuGraphBatchMemOpNodeSetParams cuGraphChildGraphNodeGetGraph cuGraphClone
    cuGraphConditionalHandleCreate cuGraphDebugDotPrint cuGraphDestroyNode cuGraphEventRecordNodeGetEvent
    cuGraphEventRecordNodeSetEvent cuGraphEventWaitNodeGetEvent cuGraphEventWaitNodeSetEvent
    cuGraphExecBatchMemOpNodeSetParams cuGraphExecChildGraphNodeSetParams cuGraphExecEventRecordNodeSetEvent
    cuGraphExecEventWaitNodeSetEvent cuGraphExecExternalSemaphoresSignalNodeSetParams
    cuGraphExecExternalSemaphoresWaitNodeSetParams cuGraphExecGetFlags cuGraphExecGetId
    cuGraphExecHostNodeSetParams cuGraphExecNodeSetParams cuGraphExternalSemaphoresSignalNodeGetParams
    cuGraphExternalSemaphoresSignalNodeSetParams cuGraphExternalSemaphoresWaitNodeGetParams
    cuGraphExternalSemaphoresWaitNodeSetParams cuGraphGetEdges cuGraphGetEdges_v2 cuGraphGetId
    cuGraphGetRootNodes cuGraphHostNodeGetParams cuGraphHostNodeSetParams cuGraphKernelNodeCopyAttributes
    cuGraphKernelNodeGetAttribute cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
    cuGraphKernelNodeSetAttribute cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
    cuGraphMemAllocNodeGetParams cuGraphMemFreeNodeGetParams cuGraphMemcpyNodeGetParams
    cuGraphMemcpyNodeSetParams cuGraphMemsetNodeGetParams cuGraphMemsetNodeSetParams cuGraphNodeFindInClone
    cuGraphNodeGetContainingGraph cuGraphNodeGetDependencies cuGraphNodeGetDependencies_v2
    cuGraphNodeGetDependentNodes cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetEnabled cuGraphNodeGetLocalId
    cuGraphNodeGetParams cuGraphNodeGetToolsId cuGraphNodeSetEnabled cuGraphNodeSetParams
    cuGraphNodeSetParams_v2 cuGraphReleaseUserObject cuGraphRemoveDependencies cuGraphRemoveDependencies_v2
    cuGraphRetainUserObject cuGraphicsEGLRegisterImage cuGraphicsGLRegisterBuffer cuGraphicsGLRegisterImage
    cuGraphicsMapResources cuGraphicsResourceGetMappedEglFrame cuGraphicsResourceGetMappedMipmappedArray
    cuGraphicsResourceGetMappedPointer cuGraphicsResourceGetMappedPointer_v2 cuGraphicsResourceSetMapFlags
    cuGraphicsResourceSetMapFlags_v2 cuGraphicsSubResourceGetMappedArray cuGraphicsUnmapResources
    cuGraphicsUnregisterResource cuGraphicsVDPAURegisterOutputSurface cuGraphicsVDPAURegisterVideoSurface
    cuGreenCtxCreate cuGreenCtxDestroy cuGreenCtxGetDevResource cuGreenCtxGetId cuGreenCtxRecordEvent
    cuGreenCtxStreamCreate cuGreenCtxWaitEvent cuImportExternalMemory cuImportExternalSemaphore
    cuIpcCloseMemHandle cuIpcGetEventHandle cuIpcGetMemHandle cuIpcOpenEventHandle cuIpcOpenMemHandle_v2
    cuLaunch cuLaunchCooperativeKernelMultiDevice cuLaunchGrid cuLaunchGridAsync cuLaunchHostFunc_v2
    cuLibraryGetManaged cuLibraryGetUnifiedFunction cuLogicalEndpointAddDevice cuLogicalEndpointBindAddr
    cuLogicalEndpointBindMem cuLogicalEndpointCreate cuLogicalEndpointDestroy cuLogicalEndpointExport
    cuLogicalEndpointGetLimits cuLogicalEndpointIdRelease cuLogicalEndpointIdReserve cuLogicalEndpointImport
    cuLogicalEndpointQuery cuLogicalEndpointUnbind cuLogsCurrent cuLogsDumpToFile cuLogsDumpToMemory
    cuLogsRegisterCallback cuLogsUnregisterCallback cuMemBatchDecompressAsync cuMemDiscardAndPrefetchBatchAsync
    cuMemDiscardBatchAsync cuMemExportToShareableHandle cuMemGetHandleForAddressRange cuMemGetLocationInfo
    cuMemImportFromShareableHandle cuMemMapArrayAsync cuMemPoolExportPointer cuMemPoolExportToShareableHandle
    cuMemPoolImportFromShareableHandle cuMemPoolImportPointer cuMemPrefetchBatchAsync cuMemRangeGetAttribute
    cuMemRangeGetAttributes cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_v2 cuMemcpy3DPeer cuMemcpy3DPeerAsync
    cuMemcpy3DWithAttributesAsync cuMemcpyBatchAsync cuMemcpyBatchAsync_v2 cuMemcpyWithAttributesAsync
    cuMipmappedArrayDestroy cuMipmappedArrayGetLevel cuMipmappedArrayGetMemoryRequirements
    cuMipmappedArrayGetSparseProperties cuMulticastAddDevice cuMulticastBindAddr cuMulticastBindAddr_v2
    cuMulticastBindMem cuMulticastBindMem_v2 cuMulticastCreate cuMulticastGetGranularity cuMulticastUnbind
    cuOccupancyMaxActiveClusters cuOccupancyMaxPotentialClusterSize cuParamSetSize cuParamSetf cuParamSeti
    cuParamSetv cuPointerSetAttribute cuProfilerInitialize cuSignalExternalSemaphoresAsync cuStreamBatchMemOp
    cuStreamBatchMemOp_v2 cuStreamBeginCaptureToCig cuStreamBeginRecaptureToGraph cuStreamCopyAttributes
    cuStreamEndCaptureToCig cuStreamGetAttribute cuStreamGetCtx_v2 cuStreamGetDevResource cuStreamGetDevice
    cuStreamGetGreenCtx cuStreamSetAttribute cuStreamWaitValue32 cuStreamWaitValue32_v2 cuStreamWaitValue64
    cuStreamWaitValue64_v2 cuStreamWriteValue32 cuStreamWriteValue32_v2 cuStreamWriteValue64
    cuStreamWriteValue64_v2 cuTensorMapEncodeIm2col cuTensorMapEncodeIm2colWide cuTensorMapReplaceAddress
    cuTexRefGetMipmapFilterMode cuTexRefGetMipmapLevelBias cuTexRefGetMipmapLevelClamp cuTexRefGetMipmappedArray
    cuTexRefSetMipmapFilterMode cuTexRefSetMipmapLevelBias cuTexRefSetMipmapLevelClamp cuTexRefSetMipmappedArray
    cuUserObjectCreate cuUserObjectRelease cuUserObjectRetain cuVDPAUCtxCreate_v2 cuVDPAUGetDevice
    cuWaitExternalSemaphoresAsync
}
