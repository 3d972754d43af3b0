//! What the commands need of a GPU: the seam between them and the driver.

use anyhow::{Result, ensure};

/// Threads per block of every launch.
pub(crate) const BLOCK: u32 = 256;

/// What a device says of itself; it goes into every file that holds results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) name: String,
    /// (9, 0) for sm_90.
    pub(crate) capability: (u32, u32),
    /// Versions of the driver: of the kernel's part where it can be read, and the highest CUDA it supports.
    pub(crate) driver: String,
    /// Peak memory bandwidth in bytes per second, 0 if the driver does not say.
    pub(crate) bandwidth: u64,
    /// Whether no GPU computed anything. Such results are labelled and never become data of the project.
    pub(crate) fake: bool,
}

impl Info {
    /// 90 for sm_90.
    pub(crate) fn sm(&self) -> u32 {
        self.capability.0 * 10 + self.capability.1
    }
}

/// A module that was loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Module(pub(crate) usize);

/// A kernel of a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel(pub(crate) usize);

/// Device memory; it lives as long as the device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    pub(crate) index: usize,
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

/// A GPU, or what stands in for one. Every call returns when its work is done.
pub(crate) trait Device {
    fn info(&self) -> &Info;

    /// Compiles PTX for the device; an error carries the compiler's words.
    fn load(&mut self, ptx: &str) -> Result<Module>;

    /// Finds a kernel by its name.
    fn kernel(&mut self, module: Module, name: &str) -> Result<Kernel>;

    /// Takes plain device memory, its contents unspecified.
    fn alloc(&mut self, bytes: usize) -> Result<Buffer>;

    /// Writes the beginning of a buffer.
    fn upload(&mut self, to: Buffer, data: &[u8]) -> Result<()>;

    /// Reads the beginning of a buffer.
    fn download(&mut self, from: Buffer, data: &mut [u8]) -> Result<()>;

    /// Runs a kernel on `threads` threads, `launches` times in a row, and says how many seconds the device was at it.
    fn run(&mut self, kernel: Kernel, threads: u32, args: &[Arg], launches: u32) -> Result<f64>;
}

/// Refuses a launch that would leave an array.
pub(crate) fn check_bounds(threads: u32, args: &[Arg]) -> Result<()> {
    for arg in args {
        if let Arg::Array { buffer, stride } = arg {
            let need = threads as usize * stride;
            ensure!(need <= buffer.bytes, "{threads} threads need {need} bytes of a buffer of {}", buffer.bytes);
        }
    }
    Ok(())
}
