//! The first GPU, through cudarc.
// Invariant: an entry is passed what its PTX declares, and buffers as long as it says.

use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg as _, sys,
};
use ptxf::kernel::Extent;

use crate::benchmarks::Card;

/// A device, and its default stream.
pub struct Gpu {
    /// The name under which the device is sold.
    pub name: String,
    /// 90 for sm_90.
    pub sm: u32,
    stream: Arc<CudaStream>,
}

/// Opens the first device. Returns `Ok(Err(reason))` if there is no driver or no device.
pub fn open() -> Result<Result<Gpu, String>, DriverError> {
    #[expect(unsafe_code, reason = "the initializers of a library are foreign code")]
    // SAFETY: loading libcuda runs its initializers, as in any program that uses the driver.
    let is_present = unsafe { sys::is_culib_present() };
    // cudarc panics without the library.
    if !is_present {
        return Ok(Err("libcuda.so is not here (no NVIDIA driver)".to_owned()));
    }
    match CudaContext::device_count() {
        Err(error) => Ok(Err(format!("the driver does not start: {error}"))),
        Ok(0) => Ok(Err("the driver sees no device".to_owned())),
        Ok(_) => {
            let context = CudaContext::new(0)?;
            let (major, minor) = context.compute_capability()?;
            let sm = (10 * major + minor) as u32;
            Ok(Ok(Gpu { name: context.name()?, sm, stream: context.default_stream() }))
        }
    }
}

impl Gpu {
    /// Returns `true` if this CPU executes the PTX, so that times are not a device's.
    pub fn is_this_cpu(&self) -> bool {
        self.name.contains("ptxf-vm")
    }

    /// Returns the number of threads that the device holds, and the size of its L2 cache.
    pub fn card(&self) -> Result<Card, String> {
        use sys::CUdevice_attribute::{
            CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE as CACHE, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR as THREADS,
            CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as MULTIPROCESSORS,
        };
        let attribute = |which| {
            let value =
                self.stream.context().attribute(which).map_err(|e| format!("an attribute of the device: {e}"))?;
            usize::try_from(value).map_err(|_| format!("an attribute of the device is {value}"))
        };
        Ok(Card { threads: attribute(MULTIPROCESSORS)? * attribute(THREADS)?, cache: attribute(CACHE)? })
    }

    pub fn load(&self, ptx: &str) -> Result<Arc<CudaModule>, String> {
        // cudarc panics at a zero byte.
        if ptx.contains('\0') {
            return Err("PTX with a zero byte".to_owned());
        }
        let loaded = self.stream.context().load_module(cudarc::nvrtc::Ptx::from_src(ptx));
        loaded.map_err(|e| format!("the driver does not take the PTX: {e}\n{}", ptxf_cudarc::compiler_log(ptx)))
    }

    /// Loads machine code of this device.
    pub fn load_binary(&self, cubin: Vec<u8>) -> Result<Arc<CudaModule>, String> {
        let loaded = self.stream.context().load_module(cudarc::nvrtc::Ptx::from_binary(cubin));
        loaded.map_err(|e| format!("the driver does not take the machine code: {e}"))
    }

    pub fn upload(&self, bytes: &[u8]) -> Result<CudaSlice<u8>, String> {
        self.stream.clone_htod(bytes).map_err(|e| format!("copying to the device: {e}"))
    }

    pub fn download(&self, memory: &CudaSlice<u8>) -> Result<Vec<u8>, String> {
        let bytes = self.stream.clone_dtoh(memory).and_then(|bytes| self.stream.synchronize().map(|()| bytes));
        bytes.map_err(|e| format!("copying from the device: {e}"))
    }

    /// Launches an entry without waiting for it. Each argument is the beginning of a word.
    pub fn launch(&self, function: &CudaFunction, extent: Extent, words: &[u64]) -> Result<(), String> {
        let mut launch = self.stream.launch_builder(function);
        words.iter().for_each(|word| {
            launch.arg(word);
        });
        let [grid_dim, block_dim] = [extent.blocks, extent.threads].map(|[x, y, z]| (x, y, z));
        let config = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
        // SAFETY: `Device` has checked the arguments against the declared parameters. A kernel of
        // `#[ptx_kernel]` checks each index against the length beside the slice, and each slice was
        // uploaded with its length. Kernels by hand and those in CUDA C++ are passed arrays of the
        // sizes that they are written for.
        #[expect(unsafe_code, reason = "a kernel is foreign code")]
        let launched = unsafe { launch.launch(config) };
        launched.map(drop).map_err(|e| format!("launching a kernel: {e}"))
    }

    /// Returns the seconds that the launches take by the device's clock.
    pub fn seconds(&self, launch: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
        let record = || self.stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
        let clock = |e: DriverError| format!("reading the device's clock: {e}");
        let start = record().map_err(clock)?;
        launch()?;
        let milliseconds = record().and_then(|end| start.elapsed_ms(&end)).map_err(clock)?;
        Ok(f64::from(milliseconds) / 1000.0)
    }
}
