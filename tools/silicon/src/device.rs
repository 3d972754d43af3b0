//! A GPU, opened through cudarc.
// Invariant: an entry is passed what its PTX declares, and accesses no memory but the buffers that it is passed.

use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, ensure};
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr as _, sys};
use ptxf::kernel::{Device as _, Extent, Launch as _};
use ptxf_cudarc::Kernels;

use crate::ptx::{Ptx, Shape};

/// The beginning of a file's name if no GPU computed its content.
pub(crate) const LABEL: &str = "FAKE";

/// Returns `true` if a text names a device that is no GPU.
///
/// [`LABEL`] is in names that this program writes; `ptxf-vm` executes PTX on a CPU.
pub(crate) fn is_fake(text: &str) -> bool {
    [LABEL, "ptxf-vm"].iter().any(|name| text.contains(name))
}

/// Bytes of device memory.
pub(crate) type Buffer = CudaSlice<u8>;

/// The properties of a device that results depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    /// The name under which the device is sold.
    pub(crate) name: String,
    /// Compute capability, (9, 0) for sm_90.
    pub(crate) capability: (u32, u32),
    /// Versions of the driver's kernel module, if it can be read, and of the newest CUDA that the
    /// driver supports.
    pub(crate) driver: String,
    /// `true` if no GPU computed anything. Such results are labelled and never become data of the
    /// project.
    pub(crate) fake: bool,
}

impl Info {
    /// Returns 90 for sm_90.
    pub(crate) const fn sm(&self) -> u32 {
        self.capability.0 * 10 + self.capability.1
    }

    fn of(context: &CudaContext) -> Result<Self> {
        let (name, (major, minor)) = (context.name()?, context.compute_capability()?);
        let mut cuda = 0;
        #[expect(unsafe_code, reason = "cudarc has no safe function for the version")]
        // SAFETY: the driver writes one integer.
        unsafe { sys::cuDriverGetVersion(&mut cuda) }.result()?;
        let cuda = format!("CUDA {}.{}", cuda / 1000, cuda % 1000 / 10);
        Ok(Self {
            capability: (major as u32, minor as u32),
            driver: kernel_driver().map_or_else(|| cuda.clone(), |kernel| format!("{kernel}, {cuda}")),
            fake: is_fake(&name),
            name,
        })
    }
}

/// Returns `570.86.15` of `NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu Jan …`.
fn kernel_driver() -> Option<String> {
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    let is_version = |word: &&str| word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.lines().next()?.split_whitespace().find(is_version).map(str::to_owned)
}

/// PTX that the driver has compiled.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) ptx: Ptx,
    kernels: Kernels,
}

/// An argument of an entry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument<'a> {
    /// The address of a byte of a buffer.
    Address(&'a Buffer, usize),
    /// A number, lowest byte first.
    Number(&'a [u8]),
}

/// A device and its default stream. Every call returns after its work is done.
#[derive(Debug)]
pub(crate) struct Device {
    info: Info,
    stream: Arc<CudaStream>,
}

impl Device {
    /// Opens the device with this number. Returns `Ok(Err(reason))` if there is no driver or no
    /// device.
    pub(crate) fn open(ordinal: u32) -> Result<Result<Self, String>> {
        #[expect(unsafe_code, reason = "the initializers of a library are foreign code")]
        // SAFETY: loading libcuda runs its initializers, as in any program that uses the driver.
        let is_present = unsafe { sys::is_culib_present() };
        // cudarc panics without the library.
        if !is_present {
            return Ok(Err("libcuda.so is not here (no NVIDIA driver)".to_owned()));
        }
        let count = match CudaContext::device_count() {
            Err(error) => return Ok(Err(format!("the driver does not start: {error}"))),
            Ok(0) => return Ok(Err("the driver sees no device".to_owned())),
            Ok(count) => count,
        };
        ensure!(i64::from(ordinal) < i64::from(count), "there is no device {ordinal}; the driver sees {count}");
        let context = CudaContext::new(ordinal as usize).context("opening the device")?;
        let info = Info::of(&context).context("reading the device's properties")?;
        Ok(Ok(Self { info, stream: context.default_stream() }))
    }

    pub(crate) fn info(&self) -> &Info {
        &self.info
    }

    /// Loads the first PTX that the driver compiles, and prints why it refuses those before.
    pub(crate) fn load(&self, candidates: Vec<Ptx>) -> Result<Module> {
        let mut refused = anyhow!("no PTX");
        for ptx in candidates {
            #[expect(unsafe_code, reason = "a kernel is foreign code")]
            // SAFETY: `launch` checks arguments against the declared parameters. The kernels are
            // the project's, and its callers pass buffers that hold every element that a kernel
            // accesses.
            let loaded = unsafe { Kernels::load(&self.stream, ptx.text()) };
            match loaded {
                Ok(kernels) => return Ok(Module { ptx, kernels }),
                Err(error) => {
                    eprintln!("{}: {error}", ptx.describe());
                    refused = error.into();
                }
            }
        }
        Err(refused).context("no PTX that the driver takes")
    }

    /// Returns memory of zeros.
    pub(crate) fn zeros(&self, bytes: usize) -> Result<Buffer> {
        self.stream.alloc_zeros(bytes).with_context(|| format!("allocating {bytes} bytes of device memory"))
    }

    /// Returns memory with these bytes. Since a driver has no empty memory, an empty buffer has one
    /// byte.
    pub(crate) fn upload(&self, bytes: &[u8]) -> Result<Buffer> {
        let bytes = if bytes.is_empty() { &[0] } else { bytes };
        self.stream.clone_htod(bytes).context("copying to the device")
    }

    /// Writes the beginning of a buffer.
    pub(crate) fn write(&self, to: &mut Buffer, bytes: &[u8]) -> Result<()> {
        ensure!(bytes.len() <= to.len(), "{} bytes for a buffer of {}", bytes.len(), to.len());
        self.stream.memcpy_htod(bytes, to).context("copying to the device")
    }

    /// Reads the beginning of a buffer.
    pub(crate) fn read(&self, from: &Buffer, bytes: &mut [u8]) -> Result<()> {
        ensure!(bytes.len() <= from.len(), "{} bytes of a buffer of {}", bytes.len(), from.len());
        self.stream.memcpy_dtoh(&from.slice(..bytes.len()), bytes).context("copying from the device")?;
        self.stream.synchronize().context("copying from the device")
    }

    /// Runs an entry.
    pub(crate) fn launch(
        &self,
        module: &Module,
        entry: &str,
        extent: Extent,
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        module.ptx.check(entry, arguments.iter().map(Argument::shape))?;
        let mut launch = module.kernels.entry(entry)?;
        arguments.iter().for_each(|argument| launch.pass(argument.word(&self.stream)));
        launch.launch(extent)?;
        self.stream.synchronize().context("running a kernel")
    }
}

impl Argument<'_> {
    const fn shape(&self) -> Shape {
        match self {
            Self::Address(..) => Shape::Address,
            Self::Number(bytes) => Shape::Number(bytes.len()),
        }
    }

    fn word(&self, stream: &CudaStream) -> u64 {
        match *self {
            Self::Address(buffer, offset) => buffer.device_ptr(stream).0 + offset as u64,
            Self::Number(bytes) => bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        }
    }
}
