//! Launches kernels on a GPU through its driver, or in `ptxf-vm` on this CPU.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::{CudaFunction, CudaModule, CudaSlice, DevicePtr as _};
use ptxf::kernel::Extent;
use ptxf_vm::{Check, Machine, Program};

use super::driver::Gpu;
use super::peers::Peers;

/// A GPU or `ptxf-vm`, with the kernels: the suite's, then those in CUDA C++ if there are any.
pub enum Target {
    Driver(Gpu, Vec<Arc<CudaModule>>),
    Machine(Box<RefCell<Machine>>, Vec<Program>),
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
    Driver(CudaFunction),
    Machine(ptxf_vm::Entry),
}

/// A buffer.
pub enum Memory {
    Driver(CudaSlice<u8>),
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
        Ok(Self::Machine(Box::new(RefCell::new(machine)), vec![program]))
    }

    /// Loads kernels in CUDA C++, whose names differ from the suite's.
    pub fn add(&mut self, peers: &Peers) -> Result<(), String> {
        match self {
            Self::Driver(gpu, modules) => modules.push(peers.load(gpu)?),
            Self::Machine(machine, programs) => {
                let module = ptxf_vm::Module::parse(&peers.ptx.text).map_err(|e| e.to_string())?;
                programs.push(machine.get_mut().load(&module).map_err(|e| e.to_string())?);
            }
        }
        Ok(())
    }

    /// Returns the processor's name.
    pub fn describe(&self) -> String {
        match self {
            Self::Driver(gpu, _) => format!("{}, sm_{}", gpu.name, gpu.sm),
            Self::Machine(..) => "no device: ptxf-vm executes the PTX on this CPU".to_owned(),
        }
    }

    /// Returns `true` if times are a device's.
    pub fn is_timed(&self) -> bool {
        matches!(self, Self::Driver(gpu, _) if !gpu.is_this_cpu())
    }

    pub fn kernel(&self, name: &str) -> Result<Kernel, String> {
        match self {
            Self::Driver(_, modules) => {
                let found = modules.iter().map(|module| module.load_function(name));
                found
                    .reduce(Result::or)
                    .expect("there is a module")
                    .map(Kernel::Driver)
                    .map_err(|e| format!("the entry {name}: {e}"))
            }
            Self::Machine(_, programs) => {
                let found = programs.iter().map(|program| program.entry(name));
                found.reduce(Result::or).expect("there is a program").map(Kernel::Machine).map_err(|e| e.to_string())
            }
        }
    }

    pub fn upload(&self, bytes: &[u8]) -> Result<Memory, String> {
        match self {
            Self::Driver(gpu, _) => gpu.upload(bytes).map(Memory::Driver),
            Self::Machine(machine, _) => Ok(Memory::Machine(machine.borrow_mut().buffer(bytes))),
        }
    }

    pub fn download(&self, memory: &Memory) -> Result<Vec<u8>, String> {
        match (self, memory) {
            (Self::Driver(gpu, _), Memory::Driver(buffer)) => gpu.download(buffer),
            (Self::Machine(machine, _), Memory::Machine(buffer)) => {
                machine.borrow().read(*buffer).map_err(|e| e.to_string())
            }
            _ => Err("memory of another device".to_owned()),
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
            (Self::Driver(gpu, _), Kernel::Driver(function)) => {
                let words: Option<Vec<u64>> = values.iter().map(Value::for_driver).collect();
                gpu.launch(function, extent, &words.ok_or("memory of the machine on a device")?)
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

    /// Launches as [`launch`](Self::launch) does. Returns the number of instructions that warps
    /// execute.
    pub fn count(&self, kernel: &Kernel, extent: Extent, values: &[Value<'_>]) -> Result<u64, String> {
        let (Self::Machine(machine, _), Kernel::Machine(entry)) = (self, kernel) else {
            return Err("a device counts no instructions".to_owned());
        };
        let args: Option<Vec<ptxf_vm::Arg>> = values.iter().map(Value::for_machine).collect();
        let args = args.ok_or("memory of a device in the machine")?;
        let counts = machine.borrow_mut().count(entry, extent.blocks, extent.threads, 0, &args);
        counts.map(|counts| counts.total().executed).map_err(|e| e.to_string())
    }

    /// Returns the seconds of the launches, by the device's clock or by the CPU's.
    pub fn seconds(&self, launch: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
        match self {
            Self::Driver(gpu, _) => gpu.seconds(launch),
            Self::Machine(..) => {
                let begin = Instant::now();
                launch()?;
                Ok(begin.elapsed().as_secs_f64())
            }
        }
    }
}

impl Value<'_> {
    /// Returns the argument's bits, or `None` for memory of the machine.
    fn for_driver(&self) -> Option<u64> {
        Some(match *self {
            Self::Address(Memory::Driver(buffer)) => buffer.device_ptr(buffer.stream()).0,
            Self::Address(Memory::Machine(_)) => return None,
            Self::U32(x) => x.into(),
            Self::U64(x) => x,
            Self::F32(x) => x.to_bits().into(),
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
