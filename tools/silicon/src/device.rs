//! A GPU through NVIDIA's driver, as the commands use it.
// Invariant: a launch passes what the entry declares, and bounds are checked before.

use anyhow::{Context as _, Result, ensure};
use driver::Extent;

/// Begins the names of files with results of no device.
pub(crate) const LABEL: &str = "FAKE";

/// The names of devices that are none have one of these: of the driver's stand-in, and of the machine that executes PTX on a CPU.
const NONE: [&str; 2] = [LABEL, "ptxf-vm"];

/// Whether no GPU computed anything that came from a device of this name, or that has such a name in it.
pub(crate) fn is_fake(text: &str) -> bool {
    NONE.iter().any(|name| text.contains(name))
}

/// Threads per block of every launch.
const BLOCK: u32 = 256;

/// What a device says of itself; it goes into every file that holds results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// As sold.
    pub name: String,
    /// (9, 0) for sm_90.
    pub capability: (u32, u32),
    /// Versions of the driver: of the kernel's part where it can be read, and the highest CUDA it supports.
    pub driver: String,
    /// Peak memory bandwidth in bytes per second, 0 if the driver does not say.
    pub bandwidth: u64,
    /// Whether no GPU computed anything. Such results are labelled and never become data of the project.
    pub fake: bool,
}

impl Info {
    /// 90 for sm_90.
    #[must_use]
    pub const fn sm(&self) -> u32 {
        self.capability.0 * 10 + self.capability.1
    }

    fn of(info: &driver::Info) -> Self {
        let cuda = format!("CUDA {}.{}", info.cuda.0, info.cuda.1);
        Self {
            name: info.name.clone(),
            capability: info.capability,
            driver: kernel_driver().map_or_else(|| cuda.clone(), |kernel| format!("{kernel}, {cuda}")),
            bandwidth: info.bandwidth,
            fake: is_fake(&info.name),
        }
    }
}

/// `570.86.15` from `NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu Jan …`.
fn kernel_driver() -> Option<String> {
    let text = std::fs::read_to_string("/proc/driver/nvidia/version").ok()?;
    let is_version = |word: &&str| word.contains('.') && word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.lines().next()?.split_whitespace().find(is_version).map(str::to_owned)
}

/// A module that was loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module(usize);

/// A kernel of a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel(usize);

/// Device memory; it lives as long as the device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    index: usize,
    pub(crate) bytes: usize,
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg {
    /// An array of which thread `i` touches the bytes `i * stride .. (i + 1) * stride` and no others.
    Array { buffer: Buffer, stride: usize },
    /// A number.
    U32(u32),
}

/// A device and what was made on it, each in the place that its handle says. Every call returns when its work is done.
#[derive(Debug)]
pub(crate) struct Device {
    info: Info,
    modules: Vec<driver::Module>,
    kernels: Vec<driver::Kernel>,
    buffers: Vec<driver::Buffer>,
    context: driver::Context,
}

impl Device {
    /// Opens the device with this number.
    pub(crate) fn open(ordinal: u32) -> Result<Result<Self, driver::Absent>> {
        Ok(driver::open(ordinal)?.map(|context| Self {
            info: Info::of(context.info()),
            modules: Vec::new(),
            kernels: Vec::new(),
            buffers: Vec::new(),
            context,
        }))
    }

    pub(crate) fn info(&self) -> &Info {
        &self.info
    }

    /// Compiles PTX for the device; an error carries the compiler's words.
    pub(crate) fn load(&mut self, ptx: &str) -> Result<Module> {
        self.modules.push(self.context.load(ptx)?);
        Ok(Module(self.modules.len() - 1))
    }

    /// Finds a kernel by its name.
    pub(crate) fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel> {
        self.kernels.push(self.modules[module.0].kernel(name)?);
        Ok(Kernel(self.kernels.len() - 1))
    }

    /// Takes plain device memory, its contents unspecified.
    pub(crate) fn alloc(&mut self, bytes: usize) -> Result<Buffer> {
        self.buffers.push(self.context.alloc(bytes)?);
        Ok(Buffer { index: self.buffers.len() - 1, bytes })
    }

    /// Memory with these bytes, for [`Self::launch`].
    pub(crate) fn buffer(&self, data: &[u8]) -> Result<driver::Buffer> {
        let mut buffer = self.context.alloc(data.len())?;
        buffer.write(data)?;
        Ok(buffer)
    }

    /// Runs a kernel once.
    pub(crate) fn launch(
        &self,
        kernel: Kernel,
        blocks: [u32; 3],
        threads: [u32; 3],
        args: &[driver::Arg<'_>],
    ) -> Result<()> {
        #[expect(unsafe_code, reason = "a kernel is foreign code")]
        // SAFETY: the kernels are the project's, whose every access is inside of the slices that they are passed, and the launches were
        // done before by the machine on the CPU, which says where one is not.
        unsafe { self.kernels[kernel.0].launch(Extent { blocks, threads }, args) }?;
        Ok(self.context.synchronize()?)
    }

    /// Writes the beginning of a buffer.
    pub(crate) fn upload(&mut self, to: Buffer, data: &[u8]) -> Result<()> {
        Ok(self.buffers[to.index].write(data)?)
    }

    /// Reads the beginning of a buffer.
    pub(crate) fn download(&mut self, from: Buffer, data: &mut [u8]) -> Result<()> {
        Ok(self.buffers[from.index].read(data)?)
    }

    /// Runs a kernel on `threads` threads, `launches` times in a row, and says how many seconds the device was at it.
    pub(crate) fn run(&mut self, kernel: Kernel, threads: u32, args: &[Arg], launches: u32) -> Result<f64> {
        check_bounds(threads, args)?;
        let of = |arg: &Arg| match *arg {
            Arg::Array { buffer, .. } => driver::Arg::Address(&self.buffers[buffer.index]),
            Arg::U32(x) => driver::Arg::U32(x),
        };
        let (kernel, args) = (&self.kernels[kernel.0], args.iter().map(of).collect::<Vec<_>>());
        let extent = Extent::line(threads, BLOCK);
        #[expect(unsafe_code, reason = "a kernel is foreign code")]
        // SAFETY: the kernels are the project's probes and benchmarks, whose arrays this is: thread `i` of those below the number
        // that they are passed touches the elements of place `i`. `check_bounds` has compared those of all threads.
        let launch = || (0..launches).try_for_each(|_| unsafe { kernel.launch(extent, &args) });
        self.context.time(launch).context("running a kernel")
    }
}

/// Refuses a launch that would leave an array.
fn check_bounds(threads: u32, args: &[Arg]) -> Result<()> {
    for arg in args {
        if let Arg::Array { buffer, stride } = arg {
            let need = threads as usize * stride;
            ensure!(need <= buffer.bytes, "{threads} threads need {need} bytes of a buffer of {}", buffer.bytes);
        }
    }
    Ok(())
}
