//! Functions of CUDA's runtime that are not implemented.
#![expect(unsafe_code, reason = "C programs call the functions")]
#![allow(non_snake_case, reason = "the names are CUDA's")]

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

use super::current::without_context;
use crate::failure::Code;
use crate::missing::{missing, reason};

/// Prints a message at the first call of a function, and keeps the error.
fn unsupported(name: &str, said: &AtomicBool) -> c_int {
    without_context(name, || {
        if said.swap(true, Ordering::Relaxed) {
            return Err(Code::NotSupported.into());
        }
        Err(Code::NotSupported.because(format!("not supported: {}", reason(name))))
    })
}

missing! {
    #[cfg(test)]
    RUNTIME via unsupported;

    __cudaGetProcAddress __cudaRegisterHostVar __cudaRegisterUnifiedTable cudaArrayGetMemoryRequirements
    cudaArrayGetPlane cudaArrayGetSparseProperties cudaChooseDevice cudaDestroyExternalMemory
    cudaDestroyExternalSemaphore cudaDevResourceGenerateDesc cudaDevSmResourceSplit
    cudaDevSmResourceSplitByCount cudaDeviceDisablePeerAccess cudaDeviceFlushGPUDirectRDMAWrites
    cudaDeviceGetDevResource cudaDeviceGetExecutionCtx cudaDeviceGetGraphMemAttribute
    cudaDeviceGetHostAtomicCapabilities cudaDeviceGetNvSciSyncAttributes cudaDeviceGetP2PAtomicCapabilities
    cudaDeviceGetP2PAttribute cudaDeviceGraphMemTrim cudaDeviceRegisterAsyncNotification
    cudaDeviceSetGraphMemAttribute cudaDeviceUnregisterAsyncNotification cudaEGLStreamConsumerAcquireFrame
    cudaEGLStreamConsumerConnect cudaEGLStreamConsumerConnectWithFlags cudaEGLStreamConsumerDisconnect
    cudaEGLStreamConsumerReleaseFrame cudaEGLStreamProducerConnect cudaEGLStreamProducerDisconnect
    cudaEGLStreamProducerPresentFrame cudaEGLStreamProducerReturnFrame cudaEventCreateFromEGLSync
    cudaExecutionCtxDestroy cudaExecutionCtxGetDevResource cudaExecutionCtxGetDevice cudaExecutionCtxGetId
    cudaExecutionCtxRecordEvent cudaExecutionCtxStreamCreate cudaExecutionCtxSynchronize
    cudaExecutionCtxWaitEvent cudaExternalMemoryGetMappedBuffer cudaExternalMemoryGetMappedMipmappedArray
    cudaFreeMipmappedArray cudaGLGetDevices cudaGLMapBufferObject cudaGLMapBufferObjectAsync
    cudaGLRegisterBufferObject cudaGLSetBufferObjectMapFlags cudaGLSetGLDevice cudaGLUnmapBufferObject
    cudaGLUnmapBufferObjectAsync cudaGLUnregisterBufferObject cudaGetMipmappedArrayLevel
    cudaGraphAddEventRecordNode cudaGraphAddEventWaitNode cudaGraphAddExternalSemaphoresSignalNode
    cudaGraphAddExternalSemaphoresWaitNode cudaGraphAddMemAllocNode cudaGraphAddMemFreeNode cudaGraphAddNode
    cudaGraphAddNode_v2 cudaGraphChildGraphNodeGetGraph cudaGraphClone cudaGraphConditionalHandleCreate
    cudaGraphConditionalHandleCreate_v2 cudaGraphDebugDotPrint cudaGraphDestroyNode
    cudaGraphEventRecordNodeGetEvent cudaGraphEventRecordNodeSetEvent cudaGraphEventWaitNodeGetEvent
    cudaGraphEventWaitNodeSetEvent cudaGraphExecChildGraphNodeSetParams cudaGraphExecEventRecordNodeSetEvent
    cudaGraphExecEventWaitNodeSetEvent cudaGraphExecExternalSemaphoresSignalNodeSetParams
    cudaGraphExecExternalSemaphoresWaitNodeSetParams cudaGraphExecGetFlags cudaGraphExecGetId
    cudaGraphExecHostNodeSetParams cudaGraphExecMemcpyNodeSetParamsFromSymbol
    cudaGraphExecMemcpyNodeSetParamsToSymbol cudaGraphExecNodeSetParams
    cudaGraphExternalSemaphoresSignalNodeGetParams cudaGraphExternalSemaphoresSignalNodeSetParams
    cudaGraphExternalSemaphoresWaitNodeGetParams cudaGraphExternalSemaphoresWaitNodeSetParams
    cudaGraphGetEdges cudaGraphGetEdges_v2 cudaGraphGetId cudaGraphGetRootNodes cudaGraphHostNodeGetParams
    cudaGraphHostNodeSetParams cudaGraphKernelNodeCopyAttributes cudaGraphKernelNodeGetAttribute
    cudaGraphKernelNodeGetParams cudaGraphKernelNodeSetAttribute cudaGraphKernelNodeSetParams
    cudaGraphMemAllocNodeGetParams cudaGraphMemFreeNodeGetParams cudaGraphMemcpyNodeGetParams
    cudaGraphMemcpyNodeSetParams cudaGraphMemcpyNodeSetParams1D cudaGraphMemcpyNodeSetParamsFromSymbol
    cudaGraphMemcpyNodeSetParamsToSymbol cudaGraphMemsetNodeGetParams cudaGraphMemsetNodeSetParams
    cudaGraphNodeFindInClone cudaGraphNodeGetContainingGraph cudaGraphNodeGetDependencies
    cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
    cudaGraphNodeGetEnabled cudaGraphNodeGetLocalId cudaGraphNodeGetParams cudaGraphNodeGetToolsId
    cudaGraphNodeSetEnabled cudaGraphNodeSetParams cudaGraphReleaseUserObject cudaGraphRemoveDependencies
    cudaGraphRemoveDependencies_v2 cudaGraphRetainUserObject cudaGraphicsEGLRegisterImage
    cudaGraphicsGLRegisterBuffer cudaGraphicsGLRegisterImage cudaGraphicsMapResources
    cudaGraphicsResourceGetMappedEglFrame cudaGraphicsResourceGetMappedMipmappedArray
    cudaGraphicsResourceGetMappedPointer cudaGraphicsResourceSetMapFlags
    cudaGraphicsSubResourceGetMappedArray cudaGraphicsUnmapResources cudaGraphicsUnregisterResource
    cudaGraphicsVDPAURegisterOutputSurface cudaGraphicsVDPAURegisterVideoSurface cudaGreenCtxCreate
    cudaImportExternalMemory cudaImportExternalSemaphore cudaIpcCloseMemHandle cudaIpcGetEventHandle
    cudaIpcGetMemHandle cudaIpcOpenEventHandle cudaIpcOpenMemHandle cudaLaunchCooperativeKernelMultiDevice
    cudaLaunchHostFunc_v2 cudaLaunchHostFunc_v2_ptsz cudaLibraryGetManaged cudaLibraryGetUnifiedFunction
    cudaLogsCurrent cudaLogsDumpToFile cudaLogsDumpToMemory cudaLogsRegisterCallback
    cudaLogsUnregisterCallback cudaMallocMipmappedArray cudaMemDiscardAndPrefetchBatchAsync
    cudaMemDiscardAndPrefetchBatchAsync_ptsz cudaMemDiscardBatchAsync cudaMemDiscardBatchAsync_ptsz
    cudaMemGetLocationInfo cudaMemPoolExportPointer cudaMemPoolExportToShareableHandle
    cudaMemPoolImportFromShareableHandle cudaMemPoolImportPointer cudaMemPrefetchBatchAsync
    cudaMemPrefetchBatchAsync_ptsz cudaMemRangeGetAttribute cudaMemRangeGetAttributes cudaMemcpy3DBatchAsync
    cudaMemcpy3DBatchAsync_ptsz cudaMemcpy3DPeer cudaMemcpy3DPeerAsync cudaMemcpy3DPeerAsync_ptsz
    cudaMemcpy3DPeer_ptds cudaMemcpy3DWithAttributesAsync cudaMemcpy3DWithAttributesAsync_ptsz
    cudaMemcpyArrayToArray cudaMemcpyArrayToArray_ptds cudaMemcpyBatchAsync cudaMemcpyBatchAsync_ptsz
    cudaMemcpyWithAttributesAsync cudaMemcpyWithAttributesAsync_ptsz cudaMipmappedArrayGetMemoryRequirements
    cudaMipmappedArrayGetSparseProperties cudaOccupancyMaxActiveClusters
    cudaOccupancyMaxPotentialClusterSize cudaSetDoubleForDevice cudaSetDoubleForHost cudaSetValidDevices
    cudaSignalExternalSemaphoresAsync cudaSignalExternalSemaphoresAsync_ptsz
    cudaSignalExternalSemaphoresAsync_v2 cudaSignalExternalSemaphoresAsync_v2_ptsz
    cudaStreamBeginRecaptureToGraph cudaStreamBeginRecaptureToGraph_ptsz cudaStreamCopyAttributes
    cudaStreamCopyAttributes_ptsz cudaStreamGetAttribute cudaStreamGetAttribute_ptsz
    cudaStreamGetDevResource cudaStreamGetDevResource_ptsz cudaStreamSetAttribute
    cudaStreamSetAttribute_ptsz cudaSubgridCreate cudaSubgridWorkerGridCreate cudaSubgridWorksetCreate
    cudaUserObjectCreate cudaUserObjectRelease cudaUserObjectRetain cudaVDPAUGetDevice
    cudaVDPAUSetVDPAUDevice cudaWaitExternalSemaphoresAsync cudaWaitExternalSemaphoresAsync_ptsz
    cudaWaitExternalSemaphoresAsync_v2 cudaWaitExternalSemaphoresAsync_v2_ptsz
}
