//! Launches kernels on a GPU through its driver, or in `ptxf-vm` on this CPU.
// Invariant: a launch passes what the entry declares, and buffers as long as it says.

use std::cell::RefCell;
use std::time::Instant;

use driver::{Context, Extent, Module};
use ptxf_vm::{Check, Machine, Program};

/// A GPU or `ptxf-vm`, with the kernels.
pub enum Target {
    Driver(Context, Module),
    Machine(Box<RefCell<Machine>>, Program),
}

/// The checks of `ptxf-vm`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    pub check: Check,
    /// Seed of the order of blocks and warps. Without a seed they take turns.
    pub schedule: Option<u64>,
}

/// A loaded kernel.
pub enum Kernel {
    Driver(driver::Kernel),
    Machine(ptxf_vm::Entry),
}

/// A buffer.
pub enum Memory {
    Driver(driver::Buffer),
    Machine(ptxf_vm::Buffer),
}

/// An argument of an entry.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Address(&'a Memory),
    U32(u32),
    U64(u64),
    F32(f32),
}

impl Target {
    /// Returns `ptxf-vm` with the text.
    pub fn machine(ptx: &str, checks: Checks) -> Result<Self, String> {
        let module = ptxf_vm::Module::parse(ptx).map_err(|e| e.to_string())?;
        let mut machine = Machine::new().check(checks.check);
        machine.set_schedule(checks.schedule);
        let program = machine.load(&module).map_err(|e| e.to_string())?;
        Ok(Self::Machine(Box::new(RefCell::new(machine)), program))
    }

    /// Returns the processor's name.
    pub fn describe(&self) -> String {
        match self {
            Self::Driver(context, _) => format!("{}, sm_{}", context.info().name, context.info().sm()),
            Self::Machine(..) => "no device: ptxf-vm executes the PTX on this CPU".to_owned(),
        }
    }

    /// Returns `true` if times are a device's.
    pub fn is_timed(&self) -> bool {
        matches!(self, Self::Driver(context, _) if !context.info().is_this_cpu())
    }

    pub fn kernel(&self, name: &str) -> Result<Kernel, String> {
        match self {
            Self::Driver(_, module) => module.kernel(name).map(Kernel::Driver).map_err(|e| e.to_string()),
            Self::Machine(_, program) => program.entry(name).map(Kernel::Machine).map_err(|e| e.to_string()),
        }
    }

    pub fn upload(&self, bytes: &[u8]) -> Result<Memory, String> {
        match self {
            Self::Driver(context, _) => context.upload(bytes).map(Memory::Driver).map_err(|e| e.to_string()),
            Self::Machine(machine, _) => Ok(Memory::Machine(machine.borrow_mut().buffer(bytes))),
        }
    }

    pub fn download(&self, memory: &Memory) -> Result<Vec<u8>, String> {
        match (self, memory) {
            (_, Memory::Driver(buffer)) => buffer.download().map_err(|e| e.to_string()),
            (Self::Machine(machine, _), Memory::Machine(buffer)) => {
                machine.borrow().read(*buffer).map_err(|e| e.to_string())
            }
            (Self::Driver(..), Memory::Machine(_)) => Err("memory of the machine on a device".to_owned()),
        }
    }

    /// Frees memory that has no destructor.
    pub fn free(&self, memory: &Memory) -> Result<(), String> {
        match (self, memory) {
            (Self::Machine(machine, _), Memory::Machine(buffer)) => {
                machine.borrow_mut().free(*buffer).map_err(|e| e.to_string())
            }
            _ => Ok(()),
        }
    }

    pub fn launch(&self, kernel: &Kernel, extent: Extent, values: &[Value<'_>]) -> Result<(), String> {
        match (self, kernel) {
            (Self::Driver(..), Kernel::Driver(kernel)) => {
                let args: Option<Vec<driver::Arg<'_>>> = values.iter().map(Value::for_driver).collect();
                let args = args.ok_or("memory of the machine on a device")?;
                // SAFETY: entries of `#[ptx_kernel]` check each index against the slice's length,
                // and each slice was uploaded with its length. Handwritten kernels get arrays of
                // the sizes that they require.
                #[expect(unsafe_code, reason = "a kernel is foreign code")]
                let launched = unsafe { kernel.launch(extent, &args) };
                launched.map_err(|e| e.to_string())
            }
            (Self::Machine(machine, _), Kernel::Machine(entry)) => {
                let args: Option<Vec<ptxf_vm::Arg>> = values.iter().map(Value::for_machine).collect();
                let args = args.ok_or("memory of a device in the machine")?;
                let mut machine = machine.borrow_mut();
                machine.launch(entry, extent.blocks, extent.threads, 0, &args).map_err(|e| e.to_string())?;
                // A report does not change the result, but these kernels must have none.
                machine.reports().first().map_or(Ok(()), |report| Err(report.to_string()))
            }
            _ => Err("a kernel of another device".to_owned()),
        }
    }

    /// Returns the seconds of the launches, by the device's clock or by the CPU's.
    pub fn seconds(&self, launch: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
        match self {
            Self::Driver(context, _) => context.time(|| launch().map_err(Failed)).map_err(|Failed(e)| e),
            Self::Machine(..) => {
                let begin = Instant::now();
                launch()?;
                Ok(begin.elapsed().as_secs_f64())
            }
        }
    }
}

/// A failure during a measurement.
struct Failed(String);

impl From<driver::Error> for Failed {
    fn from(error: driver::Error) -> Self {
        Self(error.to_string())
    }
}

impl<'a> Value<'a> {
    fn for_driver(&self) -> Option<driver::Arg<'a>> {
        Some(match *self {
            Self::Address(Memory::Driver(buffer)) => driver::Arg::Address(buffer),
            Self::Address(Memory::Machine(_)) => return None,
            Self::U32(x) => driver::Arg::U32(x),
            Self::U64(x) => driver::Arg::U64(x),
            Self::F32(x) => driver::Arg::F32(x),
        })
    }

    fn for_machine(&self) -> Option<ptxf_vm::Arg> {
        Some(match *self {
            Self::Address(Memory::Machine(buffer)) => ptxf_vm::Arg::from(*buffer),
            Self::Address(Memory::Driver(_)) => return None,
            Self::U32(x) => ptxf_vm::Arg::from(x),
            Self::U64(x) => ptxf_vm::Arg::from(x),
            Self::F32(x) => ptxf_vm::Arg::from(x),
        })
    }
}
