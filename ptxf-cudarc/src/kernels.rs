//! Kernels that are loaded, and their launches.
// Invariant: a launch's words are addresses of memory of the same context, and their lengths, for as long as the guards are held.

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DriverError, LaunchConfig, PushKernelArg as _,
    SyncOnDrop, sys,
};
use cudarc::nvrtc::Ptx;
use ptxf::kernel::{Device, Extent, Launch};

use crate::{Element, Error};

/// The PTX of kernels, loaded by a device's driver, and the stream that they are launched on.
///
/// It is what `k::pair_on` and its like take. Copies share what was loaded.
#[derive(Clone, Debug)]
pub struct Kernels {
    module: Arc<CudaModule>,
    stream: Arc<CudaStream>,
}

impl Kernels {
    /// Loads PTX, to be launched on this stream.
    ///
    /// # Errors
    ///
    /// It returns an error if the driver does not take the PTX, with what its compiler says about it.
    ///
    /// # Safety
    ///
    /// The entries of the PTX are those of the kernels that are launched, compiled from the same source, as `ptxf-build` does it. A launch
    /// cannot see what is behind an entry's name, and a device may reach all memory.
    pub unsafe fn load(stream: &Arc<CudaStream>, ptx: &str) -> Result<Self, Error> {
        // cudarc panics at one.
        if ptx.contains('\0') {
            let error = DriverError(CUresult::CUDA_ERROR_INVALID_PTX);
            return Err(Error::Ptx { error, log: compiler_log(ptx) });
        }
        let loaded = stream.context().load_module(Ptx::from_src(ptx));
        let module = loaded.map_err(|error| Error::Ptx { error, log: compiler_log(ptx) })?;
        Ok(Self { module, stream: Arc::clone(stream) })
    }

    /// Kernels of a module that is loaded, to be launched on this stream of the same context.
    ///
    /// # Safety
    ///
    /// As for [`load`](Self::load).
    #[must_use]
    pub unsafe fn of_module(module: Arc<CudaModule>, stream: &Arc<CudaStream>) -> Self {
        Self { module, stream: Arc::clone(stream) }
    }

    /// The same kernels on another stream of the context.
    ///
    /// # Panics
    ///
    /// It panics if the stream is one of another context, for which nothing was loaded.
    #[must_use]
    pub fn on(&self, stream: &Arc<CudaStream>) -> Self {
        assert!(
            stream.context() == self.stream.context(),
            "the kernels were loaded in another context than the stream's"
        );
        Self { module: Arc::clone(&self.module), stream: Arc::clone(stream) }
    }

    /// The stream.
    #[must_use]
    pub const fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// Memory of the device with these elements.
    ///
    /// # Errors
    ///
    /// It returns an error if the driver does not have so much memory, or an earlier launch failed.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<CudaSlice<T::Repr>, Error> {
        let there: Vec<_> = elements.iter().map(|x| x.to_repr()).collect();
        self.stream.clone_htod(&there).map_err(Error::at("copying to the device"))
    }

    /// Memory of the device with so many elements whose bits are 0.
    ///
    /// # Errors
    ///
    /// It returns an error if the driver does not have so much memory, or an earlier launch failed.
    pub fn zeros<T: Element>(&self, elements: usize) -> Result<CudaSlice<T::Repr>, Error> {
        self.stream.alloc_zeros(elements).map_err(Error::at(format!("{elements} elements of device memory")))
    }

    /// The elements of some memory, when what was launched before has run.
    ///
    /// # Errors
    ///
    /// It returns an error if a launch failed.
    pub fn download<T: Element>(&self, memory: &impl DevicePtr<T::Repr>) -> Result<Vec<T>, Error> {
        let there = self.stream.clone_dtoh(memory).map_err(Error::at("copying from the device"))?;
        self.stream.synchronize().map_err(Error::at("copying from the device"))?;
        Ok(there.into_iter().map(T::from_repr).collect())
    }
}

/// What the driver's compiler says of PTX that it did not take, in the context that is this thread's.
///
/// `cudarc` does not ask for that when it loads a module. The text is empty where the compiler has nothing to say.
#[must_use]
pub fn compiler_log(ptx: &str) -> String {
    use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    let Ok(image) = CString::new(ptx) else { return "it has a zero byte".to_owned() };
    let mut log = vec![0_u8; 16 << 10];
    let mut options = [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // The size travels in the pointer itself.
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), ptr::without_provenance_mut(log.len() - 1)];
    let mut module = MaybeUninit::uninit();
    // SAFETY: the image ends with a zero; two options with their values; the log is one byte longer than announced.
    let status = unsafe {
        sys::cuModuleLoadDataEx(
            module.as_mut_ptr(),
            image.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    if status == CUresult::CUDA_SUCCESS {
        // SAFETY: the driver wrote it.
        let module = unsafe { module.assume_init() };
        // SAFETY: it was just loaded, and nobody has it.
        let _ = unsafe { sys::cuModuleUnload(module) };
    }
    CStr::from_bytes_until_nul(&log).map_or_else(|_| String::new(), |log| log.to_string_lossy().trim().to_owned())
}

impl Device for Kernels {
    type Error = Error;
    type Launch<'a> = Prepared<'a>;

    fn entry<'a>(&'a self, name: &str) -> Result<Prepared<'a>, Error> {
        // cudarc looks for it in whatever context is the thread's.
        self.stream.context().bind_to_thread().map_err(Error::at("the kernels' context"))?;
        let function = self.module.load_function(name).map_err(|error: DriverError| match error.0 {
            CUresult::CUDA_ERROR_NOT_FOUND => Error::NoEntry { name: name.to_owned() },
            _ => Error::at(format!("the entry {name}"))(error),
        })?;
        Ok(Prepared {
            stream: &self.stream,
            function,
            name: name.to_owned(),
            words: Vec::new(),
            guards: Vec::new(),
            elsewhere: false,
        })
    }
}

/// A launch that is made ready.
#[derive(Debug)]
pub struct Prepared<'a> {
    stream: &'a Arc<CudaStream>,
    function: CudaFunction,
    name: String,
    words: Vec<u64>,
    /// Tell other streams when the memory is free again.
    guards: Vec<SyncOnDrop<'a>>,
    /// Whether memory of another context was passed.
    elsewhere: bool,
}

impl<'a> Prepared<'a> {
    /// The stream, if it can use memory of that stream.
    pub(crate) fn stream_for(&mut self, memory: &CudaStream) -> Option<&'a CudaStream> {
        let same = memory.context() == self.stream.context();
        self.elsewhere |= !same;
        same.then_some(self.stream)
    }

    /// Passes memory, and keeps the guard until it is launched.
    pub(crate) fn pass_memory(&mut self, (address, guard): (sys::CUdeviceptr, SyncOnDrop<'a>), length: usize) {
        self.words.extend([address, length as u64]);
        self.guards.push(guard);
    }
}

impl Launch for Prepared<'_> {
    type Error = Error;

    fn pass(&mut self, word: u64) {
        self.words.push(word);
    }

    fn launch(self, extent: Extent) -> Result<(), Error> {
        let Self { stream, function, name, words, guards, elsewhere } = self;
        if elsewhere {
            return Err(Error::OtherContext { name });
        }
        // Little endian, as every host of a GPU: a narrow argument is the beginning of its word.
        let words: Vec<u64> = words.into_iter().map(u64::to_le).collect();
        let mut launch = stream.launch_builder(&function);
        words.iter().for_each(|word| {
            launch.arg(word);
        });
        let [blocks, threads] = [extent.blocks, extent.threads].map(|[x, y, z]| (x, y, z));
        let config = LaunchConfig { grid_dim: blocks, block_dim: threads, shared_mem_bytes: 0 };
        // SAFETY: the expansion passes what the entry takes, whose kernel is the one that was loaded; the memory is there, since the driver frees
        // it in order, and nobody else uses it before the guards say so.
        unsafe { launch.launch(config) }.map_err(Error::at(format!("launching {name}")))?;
        drop(guards);
        Ok(())
    }
}
