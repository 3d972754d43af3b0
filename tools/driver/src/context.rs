//! A device, opened.
// Invariant: a device's handle is one that the driver gave.

use std::fmt;
use std::rc::Rc;

use cudarc::driver::{result, sys};

use crate::primary::Primary;
use crate::{Buffer, Error, Module, library};

/// Why there is no device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent(pub String);

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a device says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// As sold.
    pub name: String,
    /// (9, 0) for sm_90.
    pub capability: (u32, u32),
    /// The highest CUDA that the driver supports, (12, 8).
    pub cuda: (u32, u32),
    /// Peak memory bandwidth in bytes per second, 0 if the driver does not say.
    pub bandwidth: u64,
}

impl Info {
    /// 90 for sm_90.
    #[must_use]
    pub const fn sm(&self) -> u32 {
        self.capability.0 * 10 + self.capability.1
    }

    /// Whether it is this CPU that executes PTX in the place of a device, so that times tell nothing of one.
    #[must_use]
    pub fn is_this_cpu(&self) -> bool {
        self.name.contains("ptxf-vm")
    }
}

/// A device, opened; what is made with it keeps it open.
///
/// A thread may have several: each call makes its own the current one.
#[derive(Debug)]
pub struct Context {
    pub(crate) primary: Rc<Primary>,
    info: Info,
}

/// Opens the device with this number, or says why there is none.
///
/// # Errors
///
/// It returns an error if there are devices but none of this number, if this one does not open, and if the library lacks a function.
pub fn open(ordinal: u32) -> Result<Result<Context, Absent>, Error> {
    // cudarc panics where the library is absent, so it has to be asked first.
    if !library::is_present()? {
        return Ok(Err(Absent("libcuda.so is not here (no NVIDIA driver)".to_owned())));
    }
    if let Err(error) = result::init() {
        return Ok(Err(Absent(format!("the driver does not start: {error}"))));
    }
    let count = result::device::get_count().map_err(Error::at("counting devices"))?;
    if count == 0 {
        return Ok(Err(Absent("the driver sees no device".to_owned())));
    }
    let ordinal = i32::try_from(ordinal)
        .ok()
        .filter(|n| *n < count)
        .ok_or_else(|| Error::new(format!("there is no device {ordinal}; the driver sees {count}")))?;
    Context::new(ordinal).map(Ok)
}

impl Context {
    fn new(ordinal: i32) -> Result<Self, Error> {
        let device = result::device::get(ordinal).map_err(Error::at("finding the device"))?;
        let info = info(device).map_err(Error::at("asking the device what it is"))?;
        let primary = Rc::new(Primary::retain(device)?);
        Ok(Self { primary, info })
    }

    /// What the device says of itself.
    #[must_use]
    pub const fn info(&self) -> &Info {
        &self.info
    }

    /// Has the driver compile PTX for the device.
    ///
    /// # Errors
    ///
    /// It returns an error with the compiler's words if the driver does not compile the text.
    pub fn load(&self, ptx: &str) -> Result<Module, Error> {
        Module::load(&self.primary, ptx)
    }

    /// Takes memory, its contents unspecified.
    ///
    /// # Errors
    ///
    /// It returns an error if the device does not have as much free memory.
    pub fn alloc(&self, bytes: usize) -> Result<Buffer, Error> {
        Buffer::new(&self.primary, bytes)
    }

    /// Takes memory for these bytes.
    ///
    /// # Errors
    ///
    /// It returns an error if the device does not have as much free memory.
    pub fn upload(&self, bytes: &[u8]) -> Result<Buffer, Error> {
        let mut buffer = self.alloc(bytes.len())?;
        buffer.write(bytes)?;
        Ok(buffer)
    }

    /// Waits for everything that was launched, also for an error of it.
    ///
    /// # Errors
    ///
    /// It returns an error if a kernel that was launched before failed.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.primary.synchronize()
    }

    /// How many seconds the device is at what `launch` launches, by its own clock.
    ///
    /// # Errors
    ///
    /// It returns an error if a launch or a kernel fails, since there is no time to be told then.
    pub fn time<E: From<Error>>(&self, launch: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
        crate::time::seconds(&self.primary, launch, || Ok(self.synchronize()?))
    }
}

fn info(device: sys::CUdevice) -> Result<Info, cudarc::driver::DriverError> {
    use sys::CUdevice_attribute as Attribute;
    // SAFETY: `device` is from `device::get`.
    let ask = |attribute| unsafe { result::device::get_attribute(device, attribute) };
    let major = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    // In kHz and bits, data moving on both edges of the clock; newer drivers may not say.
    let clock = ask(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).unwrap_or(0).max(0) as u64;
    let width = ask(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH).unwrap_or(0).max(0) as u64;
    let mut cuda = 0;
    // SAFETY: writes one integer.
    unsafe { sys::cuDriverGetVersion(&mut cuda) }.result()?;
    let cuda = cuda as u32;
    Ok(Info {
        name: result::device::get_name(device)?,
        capability: (major as u32, minor as u32),
        cuda: (cuda / 1000, cuda % 1000 / 10),
        bandwidth: clock * 1000 * 2 * width / 8,
    })
}
