//! The results of the driver's functions.

use std::ffi::{CStr, c_int};

use ptxf_vm::{Fault, FaultKind};

macro_rules! codes {
    ($($variant:ident = $number:literal, $name:literal, $words:literal;)*) => {
        /// A result code of the driver's API.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code {
            $($variant = $number,)*
        }

        impl Code {
            /// Returns the code of this number, if there is one.
            pub(crate) fn of(number: c_int) -> Option<Self> {
                [$(Self::$variant),*].into_iter().find(|code| *code as c_int == number)
            }

            /// Returns CUDA's name of the code.
            pub(crate) const fn name(self) -> &'static CStr {
                match self {
                    $(Self::$variant => $name,)*
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
    Success = 0, c"CUDA_SUCCESS", c"no error";
    InvalidValue = 1, c"CUDA_ERROR_INVALID_VALUE", c"an argument is out of range";
    OutOfMemory = 2, c"CUDA_ERROR_OUT_OF_MEMORY", c"there is not enough memory";
    NotInitialized = 3, c"CUDA_ERROR_NOT_INITIALIZED", c"cuInit was not called";
    NoDevice = 100, c"CUDA_ERROR_NO_DEVICE", c"there is no device";
    InvalidDevice = 101, c"CUDA_ERROR_INVALID_DEVICE", c"there is no device of this number";
    InvalidImage = 200, c"CUDA_ERROR_INVALID_IMAGE", c"the image is not PTX";
    InvalidContext = 201, c"CUDA_ERROR_INVALID_CONTEXT", c"there is no such context, or none is current";
    NoBinaryForGpu = 209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"the image has no PTX that can be executed";
    PeerAccessUnsupported = 217, c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", c"a device cannot access the memory of another";
    InvalidPtx = 218, c"CUDA_ERROR_INVALID_PTX", c"the PTX is wrong";
    UnsupportedPtxVersion = 222, c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", c"the version of the PTX is newer than the driver's";
    FileNotFound = 301, c"CUDA_ERROR_FILE_NOT_FOUND", c"the file cannot be read";
    InvalidHandle = 400, c"CUDA_ERROR_INVALID_HANDLE", c"the handle is invalid, or its object was destroyed";
    NotFound = 500, c"CUDA_ERROR_NOT_FOUND", c"the name was not found";
    IllegalAddress = 700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"a kernel accessed memory out of bounds";
    LaunchTimeout = 702, c"CUDA_ERROR_LAUNCH_TIMEOUT", c"a kernel does not end";
    Assert = 710, c"CUDA_ERROR_ASSERT", c"an assertion of a kernel is false";
    HostMemoryAlreadyRegistered = 712, c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", c"the memory is registered already";
    HostMemoryNotRegistered = 713, c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", c"the memory is not registered";
    HardwareStackError = 714, c"CUDA_ERROR_HARDWARE_STACK_ERROR", c"a kernel ran out of stack";
    MisalignedAddress = 716, c"CUDA_ERROR_MISALIGNED_ADDRESS", c"an address is no multiple of the size of the access";
    InvalidPc = 718, c"CUDA_ERROR_INVALID_PC", c"a kernel called an address that is not a function";
    LaunchFailed = 719, c"CUDA_ERROR_LAUNCH_FAILED", c"a kernel has failed";
    CooperativeLaunchTooLarge = 720, c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", c"the blocks of a cooperative launch do not fit at once";
    NotSupported = 801, c"CUDA_ERROR_NOT_SUPPORTED", c"ptxf-vm does not support it";
    Unknown = 999, c"CUDA_ERROR_UNKNOWN", c"an internal error of ptxf-vm";
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
