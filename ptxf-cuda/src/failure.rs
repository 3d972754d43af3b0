//! The results of the driver's functions.

use std::ffi::{CStr, c_int};

use ptxf_vm::{Fault, FaultKind};

macro_rules! codes {
    ($($variant:ident = $number:literal, $name:literal, $runtime:literal, $words:literal;)*) => {
        /// A result code of the driver's or the runtime's API. A code of the runtime only has an
        /// empty name in the driver.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code {
            $($variant = $number,)*
        }

        impl Code {
            /// Returns the code of this number, if there is one.
            pub(crate) fn of(number: c_int) -> Option<Self> {
                [$(Self::$variant),*].into_iter().find(|code| *code as c_int == number)
            }

            /// Returns the name of the code in CUDA's driver.
            pub(crate) const fn name(self) -> &'static CStr {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the name of the code in CUDA's runtime.
            pub(crate) const fn runtime_name(self) -> &'static CStr {
                match self {
                    $(Self::$variant => $runtime,)*
                }
            }

            /// Returns a description of the code.
            pub(crate) const fn words(self) -> &'static CStr {
                match self {
                    $(Self::$variant => $words,)*
                }
            }
        }
    };
}

codes! {
    Success = 0, c"CUDA_SUCCESS", c"cudaSuccess", c"no error";
    InvalidValue = 1, c"CUDA_ERROR_INVALID_VALUE", c"cudaErrorInvalidValue", c"an argument is out of range";
    OutOfMemory = 2, c"CUDA_ERROR_OUT_OF_MEMORY", c"cudaErrorMemoryAllocation", c"there is not enough memory";
    NotInitialized = 3, c"CUDA_ERROR_NOT_INITIALIZED", c"cudaErrorInitializationError", c"cuInit was not called";
    InvalidConfiguration = 9, c"", c"cudaErrorInvalidConfiguration", c"the grid or the block has a size that no device can launch";
    InvalidPitch = 12, c"", c"cudaErrorInvalidPitchValue", c"a pitch is less than the width of a row";
    InvalidSymbol = 13, c"", c"cudaErrorInvalidSymbol", c"the address is of no variable of the device";
    InvalidChannels = 20, c"", c"cudaErrorInvalidChannelDescriptor", c"the description of a texel's channels is wrong";
    InvalidDirection = 21, c"", c"cudaErrorInvalidMemcpyDirection", c"the kind of a copy is none of cudaMemcpyKind";
    MissingConfiguration = 52, c"", c"cudaErrorMissingConfiguration", c"a kernel was called without a configuration";
    InvalidFunction = 98, c"", c"cudaErrorInvalidDeviceFunction", c"the address is of no kernel";
    NoDevice = 100, c"CUDA_ERROR_NO_DEVICE", c"cudaErrorNoDevice", c"there is no device";
    InvalidDevice = 101, c"CUDA_ERROR_INVALID_DEVICE", c"cudaErrorInvalidDevice", c"there is no device of this number";
    InvalidImage = 200, c"CUDA_ERROR_INVALID_IMAGE", c"cudaErrorInvalidKernelImage", c"the image is not PTX";
    InvalidContext = 201, c"CUDA_ERROR_INVALID_CONTEXT", c"cudaErrorDeviceUninitialized", c"there is no such context, or none is current";
    NoBinaryForGpu = 209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"cudaErrorNoKernelImageForDevice", c"the image has no PTX that can be executed";
    PeerAccessUnsupported = 217, c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", c"cudaErrorPeerAccessUnsupported", c"a device cannot access the memory of another";
    InvalidPtx = 218, c"CUDA_ERROR_INVALID_PTX", c"cudaErrorInvalidPtx", c"the PTX is wrong";
    UnsupportedPtxVersion = 222, c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", c"cudaErrorUnsupportedPtxVersion", c"the version of the PTX is newer than the driver's";
    FileNotFound = 301, c"CUDA_ERROR_FILE_NOT_FOUND", c"cudaErrorFileNotFound", c"the file cannot be read";
    InvalidHandle = 400, c"CUDA_ERROR_INVALID_HANDLE", c"cudaErrorInvalidResourceHandle", c"the handle is invalid, or its object was destroyed";
    IllegalState = 401, c"CUDA_ERROR_ILLEGAL_STATE", c"cudaErrorIllegalState", c"the object is in a state that does not allow the call";
    NotFound = 500, c"CUDA_ERROR_NOT_FOUND", c"cudaErrorSymbolNotFound", c"the name was not found";
    IllegalAddress = 700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"cudaErrorIllegalAddress", c"a kernel accessed memory out of bounds";
    LaunchTimeout = 702, c"CUDA_ERROR_LAUNCH_TIMEOUT", c"cudaErrorLaunchTimeout", c"a kernel does not end";
    Assert = 710, c"CUDA_ERROR_ASSERT", c"cudaErrorAssert", c"an assertion of a kernel is false";
    HostMemoryAlreadyRegistered = 712, c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", c"cudaErrorHostMemoryAlreadyRegistered", c"the memory is registered already";
    HostMemoryNotRegistered = 713, c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", c"cudaErrorHostMemoryNotRegistered", c"the memory is not registered";
    HardwareStackError = 714, c"CUDA_ERROR_HARDWARE_STACK_ERROR", c"cudaErrorHardwareStackError", c"a kernel ran out of stack";
    MisalignedAddress = 716, c"CUDA_ERROR_MISALIGNED_ADDRESS", c"cudaErrorMisalignedAddress", c"an address is no multiple of the size of the access";
    InvalidPc = 718, c"CUDA_ERROR_INVALID_PC", c"cudaErrorInvalidPc", c"a kernel called an address that is not a function";
    LaunchFailed = 719, c"CUDA_ERROR_LAUNCH_FAILED", c"cudaErrorLaunchFailure", c"a kernel has failed";
    CooperativeLaunchTooLarge = 720, c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", c"cudaErrorCooperativeLaunchTooLarge", c"the blocks of a cooperative launch do not fit at once";
    NotSupported = 801, c"CUDA_ERROR_NOT_SUPPORTED", c"cudaErrorNotSupported", c"ptxf-vm does not support it";
    StreamCaptureUnsupported = 900, c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", c"cudaErrorStreamCaptureUnsupported", c"a stream that is capturing does not allow the call";
    StreamCaptureInvalidated = 901, c"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", c"cudaErrorStreamCaptureInvalidated", c"an earlier error has ended the capture";
    StreamCaptureMerge = 902, c"CUDA_ERROR_STREAM_CAPTURE_MERGE", c"cudaErrorStreamCaptureMerge", c"the call would join two captures";
    StreamCaptureUnmatched = 903, c"CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", c"cudaErrorStreamCaptureUnmatched", c"the capture began in another stream";
    StreamCaptureUnjoined = 904, c"CUDA_ERROR_STREAM_CAPTURE_UNJOINED", c"cudaErrorStreamCaptureUnjoined", c"a stream of the capture has not joined the first one again";
    StreamCaptureIsolation = 905, c"CUDA_ERROR_STREAM_CAPTURE_ISOLATION", c"cudaErrorStreamCaptureIsolation", c"a capture would depend on an event outside of it";
    StreamCaptureImplicit = 906, c"CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", c"cudaErrorStreamCaptureImplicit", c"the legacy stream would wait for a stream that is capturing";
    CapturedEvent = 907, c"CUDA_ERROR_CAPTURED_EVENT", c"cudaErrorCapturedEvent", c"the event was recorded in a capture";
    StreamCaptureWrongThread = 908, c"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", c"cudaErrorStreamCaptureWrongThread", c"the capture began in another thread";
    GraphExecUpdateFailure = 910, c"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", c"cudaErrorGraphExecUpdateFailure", c"the graph differs from the one that was instantiated";
    Unknown = 999, c"CUDA_ERROR_UNKNOWN", c"cudaErrorUnknown", c"an internal error of ptxf-vm";
}

/// A code, and a message for standard error.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) what: Option<String>,
}

/// The result of most functions.
pub(crate) type Done = Result<(), Failure>;

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self { code, what: None }
    }
}

impl Code {
    /// Returns the failure with a message for standard error.
    pub(crate) fn because(self, what: impl Into<String>) -> Failure {
        Failure { code: self, what: Some(what.into()) }
    }

    /// Returns the code that a device returns for a kernel's fault.
    pub(crate) const fn of_fault(fault: &Fault) -> Self {
        match fault.kind() {
            FaultKind::Launch => Self::InvalidValue,
            FaultKind::OutOfBounds | FaultKind::Freed | FaultKind::ReadOnly => Self::IllegalAddress,
            FaultKind::Misaligned => Self::MisalignedAddress,
            FaultKind::Assert => Self::Assert,
            FaultKind::Deadlock | FaultKind::Limit => Self::LaunchTimeout,
            FaultKind::StackOverflow => Self::HardwareStackError,
            FaultKind::Call => Self::InvalidPc,
            _ => Self::LaunchFailed,
        }
    }
}
