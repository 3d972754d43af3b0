//! Loaded kernels and their launches.
// Invariant: a launch's words are addresses of memory of the same context, and lengths, which are valid while the guards are held.

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

/// Kernels that a device's driver has loaded, and the stream of their launches.
///
/// It is the first argument of `k::pair_on` and similar functions. Clones share the loaded module.
#[derive(Clone, Debug)]
pub struct Kernels {
    module: Arc<CudaModule>,
    stream: Arc<CudaStream>,
}

impl Kernels {
    /// Loads PTX, for launches on this stream.
    ///
    /// # Errors
    ///
    /// It returns an error with the log of the driver's compiler if the driver refuses the PTX.
    ///
    /// # Safety
    ///
    /// The entries of the PTX must be compiled from the source of the kernels that are launched, as
    /// by `ptxf-build`. A launch cannot check the code of an entry, and a device can access all of
    /// its memory.
    pub unsafe fn load(stream: &Arc<CudaStream>, ptx: &str) -> Result<Self, Error> {
        // cudarc panics at a zero byte.
        if ptx.contains('\0') {
            let error = DriverError(CUresult::CUDA_ERROR_INVALID_PTX);
            return Err(Error::Ptx { error, log: compiler_log(ptx) });
        }
        let loaded = stream.context().load_module(Ptx::from_src(ptx));
        let module = loaded.map_err(|error| Error::Ptx { error, log: compiler_log(ptx) })?;
        Ok(Self { module, stream: Arc::clone(stream) })
    }

    /// Returns the kernels of a loaded module, for launches on this stream of the same context.
    ///
    /// # Safety
    ///
    /// The requirement is the same as for [`load`](Self::load).
    #[must_use]
    pub unsafe fn of_module(module: Arc<CudaModule>, stream: &Arc<CudaStream>) -> Self {
        Self { module, stream: Arc::clone(stream) }
    }

    /// Returns the same kernels with another stream of the context.
    ///
    /// # Panics
    ///
    /// It panics if the stream belongs to another context, in which the module is not loaded.
    #[must_use]
    pub fn on(&self, stream: &Arc<CudaStream>) -> Self {
        assert!(
            stream.context() == self.stream.context(),
            "the kernels were loaded in another context than the stream's"
        );
        Self { module: Arc::clone(&self.module), stream: Arc::clone(stream) }
    }

    /// Returns the stream.
    #[must_use]
    pub const fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// Allocates device memory and copies elements to it.
    ///
    /// # Errors
    ///
    /// It returns an error if there is not enough memory, or if an earlier launch failed.
    pub fn upload<T: Element>(&self, elements: &[T]) -> Result<CudaSlice<T::Repr>, Error> {
        let there: Vec<_> = elements.iter().map(|x| x.to_repr()).collect();
        self.stream.clone_htod(&there).map_err(Error::at("copying to the device"))
    }

    /// Allocates device memory for `elements` elements whose bits are 0.
    ///
    /// # Errors
    ///
    /// It returns an error if there is not enough memory, or if an earlier launch failed.
    pub fn zeros<T: Element>(&self, elements: usize) -> Result<CudaSlice<T::Repr>, Error> {
        self.stream.alloc_zeros(elements).map_err(Error::at(format!("{elements} elements of device memory")))
    }

    /// Waits for earlier launches on the stream, and copies the elements of device memory.
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

/// Returns the log of the driver's compiler for PTX that it refuses, in this thread's current
/// context.
///
/// `cudarc` does not request the log when it loads a module. The text is empty if the compiler
/// accepts the PTX.
#[must_use]
pub fn compiler_log(ptx: &str) -> String {
    use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    let Ok(image) = CString::new(ptx) else { return "it has a zero byte".to_owned() };
    let mut log = vec![0_u8; 16 << 10];
    let mut options = [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    // The value of the option is the size itself, in the place of a pointer.
    let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), ptr::without_provenance_mut(log.len() - 1)];
    let mut module = MaybeUninit::uninit();
    // SAFETY: the image ends with a zero byte, two options have two values, and the log is one byte
    // longer than its size says.
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
        // SAFETY: the driver wrote the module's handle.
        let module = unsafe { module.assume_init() };
        // SAFETY: the module was loaded above, and its handle is not used elsewhere.
        let _ = unsafe { sys::cuModuleUnload(module) };
    }
    CStr::from_bytes_until_nul(&log).map_or_else(|_| String::new(), |log| log.to_string_lossy().trim().to_owned())
}

impl Device for Kernels {
    type Error = Error;
    type Launch<'a> = Prepared<'a>;

    fn entry<'a>(&'a self, name: &str) -> Result<Prepared<'a>, Error> {
        // cudarc looks up functions in the thread's current context.
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

/// A launch with its arguments so far.
#[derive(Debug)]
pub struct Prepared<'a> {
    stream: &'a Arc<CudaStream>,
    function: CudaFunction,
    name: String,
    words: Vec<u64>,
    /// Guards that let other streams wait for the launch.
    guards: Vec<SyncOnDrop<'a>>,
    /// `true` if an argument is memory of another context.
    elsewhere: bool,
}

impl<'a> Prepared<'a> {
    /// Returns the stream of the launch; `None` if `memory` belongs to another context.
    pub(crate) fn stream_for(&mut self, memory: &CudaStream) -> Option<&'a CudaStream> {
        let same = memory.context() == self.stream.context();
        self.elsewhere |= !same;
        same.then_some(self.stream)
    }

    /// Passes memory, and keeps its guard until the launch.
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
        // Every host of a GPU is little endian. So a narrow argument is at the beginning of its
        // word.
        let words: Vec<u64> = words.into_iter().map(u64::to_le).collect();
        let mut launch = stream.launch_builder(&function);
        words.iter().for_each(|word| {
            launch.arg(word);
        });
        let [blocks, threads] = [extent.blocks, extent.threads].map(|[x, y, z]| (x, y, z));
        let config = LaunchConfig { grid_dim: blocks, block_dim: threads, shared_mem_bytes: 0 };
        // SAFETY: the expansion passes the arguments of the entry, which was compiled from the same
        // kernel. The memory is valid, since the driver frees it in stream order, and the guards
        // keep other streams from using it.
        unsafe { launch.launch(config) }.map_err(Error::at(format!("launching {name}")))?;
        drop(guards);
        Ok(())
    }
}
