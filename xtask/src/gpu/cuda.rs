//! A GPU through NVIDIA's driver.
// Invariant: a launch passes what the entry declares, and bounds are checked before.

use anyhow::{Context as _, Result};
use driver::Extent;

use super::device::{Arg, BLOCK, Buffer, Device, Info, Kernel, Module, check_bounds};

/// A device and what was made on it, each in the place that its handle says.
pub(super) struct Cuda {
    info: Info,
    modules: Vec<driver::Module>,
    kernels: Vec<driver::Kernel>,
    buffers: Vec<driver::Buffer>,
    context: driver::Context,
}

/// Opens the device with this number.
pub(super) fn open(ordinal: u32) -> Result<Result<Cuda, driver::Absent>> {
    Ok(driver::open(ordinal)?.map(|context| Cuda {
        info: info(context.info()),
        modules: Vec::new(),
        kernels: Vec::new(),
        buffers: Vec::new(),
        context,
    }))
}

fn info(info: &driver::Info) -> Info {
    let cuda = format!("CUDA {}.{}", info.cuda.0, info.cuda.1);
    Info {
        name: info.name.clone(),
        capability: info.capability,
        driver: kernel_driver().map_or_else(|| cuda.clone(), |kernel| format!("{kernel}, {cuda}")),
        bandwidth: info.bandwidth,
        // The driver that tests put in NVIDIA's place names its device so.
        fake: info.name.starts_with(super::fake::LABEL),
    }
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
        self.modules.push(self.context.load(ptx)?);
        Ok(Module(self.modules.len() - 1))
    }

    fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel> {
        self.kernels.push(self.modules[module.0].kernel(name)?);
        Ok(Kernel(self.kernels.len() - 1))
    }

    fn alloc(&mut self, bytes: usize) -> Result<Buffer> {
        self.buffers.push(self.context.alloc(bytes)?);
        Ok(Buffer { index: self.buffers.len() - 1, bytes })
    }

    fn upload(&mut self, to: Buffer, data: &[u8]) -> Result<()> {
        Ok(self.buffers[to.index].write(data)?)
    }

    fn download(&mut self, from: Buffer, data: &mut [u8]) -> Result<()> {
        Ok(self.buffers[from.index].read(data)?)
    }

    fn run(&mut self, kernel: Kernel, threads: u32, args: &[Arg], launches: u32) -> Result<f64> {
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
