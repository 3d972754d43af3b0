//! What the driver's functions return.

use std::ffi::{CStr, c_int};

use ptxf_vm::{Fault, FaultKind};

use crate::report;

macro_rules! codes {
    ($($variant:ident = $number:literal, $name:literal, $words:literal;)*) => {
        /// Why a function did not do what it was asked for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code {
            $($variant = $number,)*
        }

        impl Code {
            /// The code of this number.
            pub(crate) fn of(number: c_int) -> Option<Self> {
                [$(Self::$variant),*].into_iter().find(|code| *code as c_int == number)
            }

            /// What CUDA calls it.
            pub(crate) const fn name(self) -> &'static CStr {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it means.
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
    InvalidValue = 1, c"CUDA_ERROR_INVALID_VALUE", c"an argument cannot be what it is";
    OutOfMemory = 2, c"CUDA_ERROR_OUT_OF_MEMORY", c"there is not as much memory";
    NotInitialized = 3, c"CUDA_ERROR_NOT_INITIALIZED", c"cuInit was not called";
    NoDevice = 100, c"CUDA_ERROR_NO_DEVICE", c"there is no device";
    InvalidDevice = 101, c"CUDA_ERROR_INVALID_DEVICE", c"there is no device of this number";
    InvalidImage = 200, c"CUDA_ERROR_INVALID_IMAGE", c"the image is no PTX";
    InvalidContext = 201, c"CUDA_ERROR_INVALID_CONTEXT", c"there is no such context, or none is current";
    NoBinaryForGpu = 209, c"CUDA_ERROR_NO_BINARY_FOR_GPU", c"the image has no PTX that can be executed";
    PeerAccessUnsupported = 217, c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", c"devices do not reach each other's memory";
    InvalidPtx = 218, c"CUDA_ERROR_INVALID_PTX", c"the PTX is wrong";
    UnsupportedPtxVersion = 222, c"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", c"the PTX is of a newer version than the driver knows";
    FileNotFound = 301, c"CUDA_ERROR_FILE_NOT_FOUND", c"the file cannot be read";
    InvalidHandle = 400, c"CUDA_ERROR_INVALID_HANDLE", c"the handle is none, or of something that is gone";
    NotFound = 500, c"CUDA_ERROR_NOT_FOUND", c"there is nothing of this name";
    IllegalAddress = 700, c"CUDA_ERROR_ILLEGAL_ADDRESS", c"a kernel touched what it must not";
    LaunchTimeout = 702, c"CUDA_ERROR_LAUNCH_TIMEOUT", c"a kernel does not end";
    Assert = 710, c"CUDA_ERROR_ASSERT", c"an assertion of a kernel is false";
    HostMemoryAlreadyRegistered = 712, c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", c"the memory is registered already";
    HostMemoryNotRegistered = 713, c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", c"the memory is not registered";
    HardwareStackError = 714, c"CUDA_ERROR_HARDWARE_STACK_ERROR", c"a kernel has used up its stack";
    MisalignedAddress = 716, c"CUDA_ERROR_MISALIGNED_ADDRESS", c"an address is no multiple of the size of the access";
    InvalidPc = 718, c"CUDA_ERROR_INVALID_PC", c"a kernel has called what is no function";
    LaunchFailed = 719, c"CUDA_ERROR_LAUNCH_FAILED", c"a kernel has failed";
    CooperativeLaunchTooLarge = 720, c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", c"not as many blocks run at once";
    NotSupported = 801, c"CUDA_ERROR_NOT_SUPPORTED", c"ptxf-vm does not support it";
    Unknown = 999, c"CUDA_ERROR_UNKNOWN", c"a fault of ptxf-vm itself";
}

/// A code, and what there is to say beside it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) what: Option<String>,
}

/// What most functions return.
pub(crate) type Done = Result<(), Failure>;

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self { code, what: None }
    }
}

impl Code {
    /// With a sentence for whoever reads the standard error.
    pub(crate) fn because(self, what: impl Into<String>) -> Failure {
        Failure { code: self, what: Some(what.into()) }
    }

    /// What a kernel's fault is on a device.
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

/// Does the work of an exported function: neither a failure nor a panic goes further than to its code.
pub(crate) fn code(function: &str, work: impl FnOnce() -> Done) -> c_int {
    let code = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)) {
        Ok(Ok(())) => Code::Success,
        Ok(Err(Failure { code, what })) => {
            if let Some(what) = what {
                report::say(&format!("{function}: {what}"));
            }
            code
        }
        Err(_) => {
            report::say(&format!("{function} panicked, which is a fault of ptxf-vm"));
            Code::Unknown
        }
    };
    code as c_int
}
