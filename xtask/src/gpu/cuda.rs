//! A GPU through NVIDIA's driver, which is looked for at run time.
//!
//! The thin layer of `cudarc` is used, not its safe one: that one loads PTX only with its `nvrtc` feature, whose errors lack
//! the compiler's log, and takes memory from pools. Everything runs on the null stream of one thread.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ffi::{CStr, CString, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use anyhow::{Context as _, Result, anyhow, ensure};
use cudarc::driver::{result, sys};

use super::device::{Arg, BLOCK, Buffer, Device, Info, Kernel, Module, check_bounds};

/// Why there is no device.
#[derive(Debug)]
pub(super) struct Absent(pub(super) String);

/// A device and what was made on it.
pub(super) struct Cuda {
    info: Info,
    device: sys::CUdevice,
    modules: Vec<sys::CUmodule>,
    kernels: Vec<sys::CUfunction>,
    buffers: Vec<sys::CUdeviceptr>,
}

/// Opens the device with this number.
pub(super) fn open(ordinal: u32) -> Result<Result<Cuda, Absent>> {
    // cudarc panics where the library is absent, so it has to be asked first.
    // SAFETY: loading libcuda runs its initializers, as any program that uses the driver does.
    if !unsafe { sys::is_culib_present() } {
        return Ok(Err(Absent("libcuda.so is not here (no NVIDIA driver)".to_owned())));
    }
    if let Err(error) = result::init() {
        return Ok(Err(Absent(format!("the driver does not start: {error}"))));
    }
    let count = result::device::get_count().context("counting devices")?;
    if count == 0 {
        return Ok(Err(Absent("the driver sees no device".to_owned())));
    }
    ensure!((ordinal as i32) < count, "there is no device {ordinal}; the driver sees {count}");
    Cuda::new(ordinal as i32).map(Ok)
}

impl Cuda {
    fn new(ordinal: i32) -> Result<Self> {
        let device = result::device::get(ordinal)?;
        let info = info(device)?;
        // SAFETY: `device` is from `device::get`; released in `drop`.
        let context = unsafe { result::primary_ctx::retain(device) }.context("opening the device")?;
        let cuda = Self { info, device, modules: Vec::new(), kernels: Vec::new(), buffers: Vec::new() };
        // SAFETY: the context was just retained. `Cuda` holds pointers, so it stays on this thread, where it is current.
        unsafe { result::ctx::set_current(context) }?;
        Ok(cuda)
    }

    fn pointer(&self, buffer: Buffer) -> sys::CUdeviceptr {
        self.buffers[buffer.index]
    }

    fn launch(&self, kernel: Kernel, threads: u32, args: &[Arg]) -> Result<()> {
        // The driver takes a pointer to each argument's value; device addresses are 8 bytes, numbers 4.
        let mut values: Vec<u64> = args
            .iter()
            .map(|arg| match arg {
                Arg::Array { buffer, .. } => self.pointer(*buffer),
                // Little endian: the low half comes first, where a 4-byte argument is read.
                Arg::U32(x) => u64::from(x.to_le()),
            })
            .collect();
        let mut params: Vec<*mut c_void> = values.iter_mut().map(|v| ptr::from_mut(v).cast()).collect();
        let (grid, block) = ((threads.div_ceil(BLOCK), 1, 1), (BLOCK, 1, 1));
        let function = self.kernels[kernel.0];
        // SAFETY: the function belongs to a module that lives as long as `self`; `values` outlives the call, which copies
        // it. Every kernel of the probes takes pointers and numbers in the order of `args`, and thread `i` touches only
        // its own element of each array, which `check_bounds` showed to be inside.
        unsafe { result::launch_kernel(function, grid, block, 0, ptr::null_mut(), &mut params) }.context("launching")
    }
}

fn info(device: sys::CUdevice) -> Result<Info> {
    use sys::CUdevice_attribute as Attribute;
    // SAFETY: `device` is from `device::get`.
    let ask = |attribute| unsafe { result::device::get_attribute(device, attribute) };
    let major = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    // In kHz and bits, data moving on both edges of the clock; newer drivers may not say.
    let clock = ask(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).unwrap_or(0).max(0) as u64;
    let width = ask(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH).unwrap_or(0).max(0) as u64;
    let name = result::device::get_name(device)?;
    let mut cuda = 0;
    // SAFETY: writes one integer.
    unsafe { sys::cuDriverGetVersion(&mut cuda) }.result()?;
    let cuda = format!("CUDA {}.{}", cuda / 1000, cuda % 1000 / 10);
    let driver = kernel_driver().map_or_else(|| cuda.clone(), |kernel| format!("{kernel}, {cuda}"));
    // The driver that tests put in NVIDIA's place names its device so.
    let fake = name.starts_with(super::fake::LABEL);
    let bandwidth = clock * 1000 * 2 * width / 8;
    Ok(Info { name, capability: (major as u32, minor as u32), driver, bandwidth, fake })
}

/// `570.86.15` from `NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu Jan …`.
fn kernel_driver() -> Option<String> {
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    let is_version = |word: &&str| word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.lines().next()?.split_whitespace().find(is_version).map(str::to_owned)
}

impl Device for Cuda {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, ptx: &str) -> Result<Module> {
        use sys::CUjit_option::{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        let image = CString::new(ptx).context("PTX with a zero byte")?;
        let mut log = vec![0_u8; 16 << 10];
        let mut options = [CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        // The size travels in the pointer itself.
        let size = ptr::without_provenance_mut(log.len() - 1);
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), size];
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
        if let Err(error) = status.result() {
            let log = CStr::from_bytes_until_nul(&log).map_or_else(|_| "".into(), CStr::to_string_lossy);
            return Err(anyhow!("the driver does not take the PTX: {error}\n{}", log.trim()));
        }
        // SAFETY: the driver wrote it, or there would have been an error.
        self.modules.push(unsafe { module.assume_init() });
        Ok(Module(self.modules.len() - 1))
    }

    fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel> {
        let symbol = CString::new(name).context("a name with a zero byte")?;
        // SAFETY: the module is unloaded in `drop` only.
        let function = unsafe { result::module::get_function(self.modules[module.0], symbol) };
        self.kernels.push(function.with_context(|| format!("kernel {name}"))?);
        Ok(Kernel(self.kernels.len() - 1))
    }

    fn alloc(&mut self, bytes: usize) -> Result<Buffer> {
        // SAFETY: what is allocated holds bytes, which may have any value; nothing is read before it was written by the
        // host or a kernel.
        let pointer =
            unsafe { result::malloc_sync(bytes) }.with_context(|| format!("{bytes} bytes of device memory"))?;
        self.buffers.push(pointer);
        Ok(Buffer { index: self.buffers.len() - 1, bytes })
    }

    fn upload(&mut self, to: Buffer, data: &[u8]) -> Result<()> {
        ensure!(data.len() <= to.bytes, "{} bytes into a buffer of {}", data.len(), to.bytes);
        // SAFETY: inside the buffer, which is freed in `drop` only; the copy is synchronous.
        unsafe { result::memcpy_htod_sync(self.pointer(to), data) }.context("copying to the device")
    }

    fn download(&mut self, from: Buffer, data: &mut [u8]) -> Result<()> {
        ensure!(data.len() <= from.bytes, "{} bytes of a buffer of {}", data.len(), from.bytes);
        // SAFETY: as for `upload`.
        unsafe { result::memcpy_dtoh_sync(data, self.pointer(from)) }.context("copying from the device")
    }

    fn run(&mut self, kernel: Kernel, threads: u32, args: &[Arg], launches: u32) -> Result<f64> {
        check_bounds(threads, args)?;
        let (start, end) = (Event::new()?, Event::new()?);
        start.record()?;
        for _ in 0..launches {
            self.launch(kernel, threads, args)?;
        }
        end.record()?;
        // Also where an error of the kernel comes to light.
        result::ctx::synchronize().context("waiting for the kernel")?;
        // SAFETY: both were recorded on the null stream and are alive.
        let milliseconds = unsafe { result::event::elapsed(start.0, end.0) }?;
        Ok(f64::from(milliseconds) / 1000.0)
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // Errors have no one to go to here, and the process ends soon after.
        for pointer in self.buffers.drain(..) {
            // SAFETY: allocated by `alloc`, freed once; no kernel runs any more, for every `run` waits.
            let _ = unsafe { result::free_sync(pointer) };
        }
        for module in self.modules.drain(..) {
            // SAFETY: loaded by `load`, unloaded once.
            let _ = unsafe { result::module::unload(module) };
        }
        // SAFETY: retained by `new`.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

/// A point in the stream's time.
struct Event(sys::CUevent);

impl Event {
    fn new() -> Result<Self> {
        Ok(Self(result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT).context("creating an event")?))
    }

    fn record(&self) -> Result<()> {
        // SAFETY: the event is alive, and a null stream is the default one.
        unsafe { result::event::record(self.0, ptr::null_mut()) }.context("recording an event")
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}
