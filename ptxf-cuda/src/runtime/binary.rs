//! Kernels and variables of a program, which it registers before `main`.
//!
//! A program has a container of PTX per translation unit. A container is loaded into a context when
//! something of it is used there.
// Invariant: no other library of the process has functions of these names. A program passes texts and images that live until it unregisters them.
#![expect(unsafe_code, reason = "programs of nvcc call the functions")]
#![allow(non_snake_case, reason = "the names are CUDA's")]

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::current;
use crate::abi::{Host, Out, Text};
use crate::failure::{Code, Done, Failure};
use crate::{image, memory, module, report, state};

/// A name in a container.
#[derive(Clone, Debug)]
struct Named {
    binary: usize,
    name: String,
}

/// The registered containers and names. Names are found by addresses in the program.
#[derive(Debug)]
struct Program {
    made: usize,
    /// Addresses of images by their handles.
    binaries: BTreeMap<usize, u64>,
    functions: BTreeMap<u64, Named>,
    variables: BTreeMap<u64, Named>,
    /// Addresses of the program's pointers to managed variables.
    managed: Vec<(u64, Named)>,
    /// Modules by context and container.
    modules: BTreeMap<(u64, usize), usize>,
    /// Handles of functions by context and address.
    found: BTreeMap<(u64, u64), usize>,
}

static PROGRAM: Mutex<Program> = Mutex::new(Program {
    made: 0,
    binaries: BTreeMap::new(),
    functions: BTreeMap::new(),
    variables: BTreeMap::new(),
    managed: Vec::new(),
    modules: BTreeMap::new(),
    found: BTreeMap::new(),
});

fn program() -> MutexGuard<'static, Program> {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Program {
    /// Returns the module of a container in the current context, of this number.
    fn module(&mut self, context: u64, binary: usize) -> Result<usize, Failure> {
        if let Some(&module) = self.modules.get(&(context, binary)) {
            return Ok(module);
        }
        let image = *self.binaries.get(&binary).ok_or(Code::InvalidFunction)?;
        let module = module::load_text(&image::text(Host::at(image))?)?;
        self.modules.insert((context, binary), module);
        for (place, named) in self.managed.iter().filter(|(_, named)| named.binary == binary) {
            let address = module::variable_named(module, &named.name)?.address();
            Host::at(*place).write(0, &address.to_le_bytes())?;
        }
        Ok(module)
    }
}

/// Returns the function of a kernel: that of an address of the program, or of a handle.
pub(super) fn function(kernel: Host) -> Result<usize, Failure> {
    let (context, address) = (state::current()?.id(), kernel.address());
    let mut program = program();
    if let Some(&function) = program.found.get(&(context, address)) {
        return Ok(function);
    }
    let Some(Named { binary, name }) = program.functions.get(&address).cloned() else {
        let handle = address as usize;
        let what = || Code::InvalidFunction.because(format!("the program has no kernel at {address:#x}"));
        return module::load_function(handle).map(|()| handle).map_err(|_| what());
    };
    let module = program.module(context, binary)?;
    let function = module::function_named(module, &name).map_err(|failure| match failure.code {
        Code::NotFound => Code::InvalidFunction.because(format!("the PTX has no kernel `{name}`")),
        _ => failure,
    })?;
    program.found.insert((context, address), function);
    Ok(function)
}

/// Returns the address and the size of a variable of the device.
pub(super) fn variable(symbol: Host) -> Result<(u64, usize), Failure> {
    let (context, address) = (state::current()?.id(), symbol.address());
    let mut program = program();
    if let Some(Named { binary, name }) = program.variables.get(&address).cloned() {
        let module = program.module(context, binary)?;
        let found = module::variable_named(module, &name).map_err(|_| Code::InvalidSymbol)?;
        return Ok((found.address(), found.bytes() as usize));
    }
    // A managed variable has the same address for the host.
    let managed = memory::around(address);
    managed
        .map_err(|_| Code::InvalidSymbol.because(format!("the program has no variable of the device at {address:#x}")))
}

/// Returns the address of a registered kernel as its handle, which is valid in all contexts.
pub(super) fn handle(kernel: Out<u64>, function: Host) -> Done {
    kernel.put(function.address())
}

/// Writes the function of a kernel.
pub(super) fn function_of(to: Out<usize>, kernel: Host) -> Done {
    to.put(function(kernel)?)
}

fn register(of: fn(&mut Program) -> &mut BTreeMap<u64, Named>, binary: usize, address: Host, name: Text) -> Done {
    let named = Named { binary, name: name.get()? };
    of(&mut program()).insert(address.address(), named);
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn __cudaRegisterFatBinary(image: Host) -> usize {
    let mut program = program();
    program.made += 1;
    let binary = program.made;
    program.binaries.insert(binary, image.address());
    binary
}

#[unsafe(no_mangle)]
const extern "C" fn __cudaRegisterFatBinaryEnd(_binary: usize) {}

#[unsafe(no_mangle)]
extern "C" fn __cudaUnregisterFatBinary(binary: usize) {
    let mut program = program();
    program.binaries.remove(&binary);
    program.functions.retain(|_, named| named.binary != binary);
    program.variables.retain(|_, named| named.binary != binary);
    program.managed.retain(|(_, named)| named.binary != binary);
    let (gone, kept) = std::mem::take(&mut program.modules).into_iter().partition(|((_, of), _)| *of == binary);
    program.modules = kept;
    program.found.clear();
    drop(program);
    let gone: BTreeMap<_, usize> = gone;
    for module in gone.into_values() {
        // The context may have ended.
        let _ = module::unload(module);
    }
}

#[unsafe(no_mangle)]
extern "C" fn __cudaRegisterFunction(
    binary: usize,
    address: Host,
    _device: Host,
    name: Text,
    _limit: c_int,
    _thread: Host,
    _block: Host,
    _block_size: Host,
    _grid_size: Host,
    _warp: Host,
) {
    report::code("__cudaRegisterFunction", || register(|program| &mut program.functions, binary, address, name));
}

#[unsafe(no_mangle)]
extern "C" fn __cudaRegisterVar(
    binary: usize,
    address: Host,
    _device: Host,
    name: Text,
    _is_external: c_int,
    _bytes: usize,
    _is_constant: c_int,
    _is_global: c_int,
) {
    report::code("__cudaRegisterVar", || register(|program| &mut program.variables, binary, address, name));
}

#[unsafe(no_mangle)]
extern "C" fn __cudaRegisterManagedVar(
    binary: usize,
    pointer: Host,
    _device: Host,
    name: Text,
    _is_external: c_int,
    _bytes: usize,
    _is_constant: c_int,
    _is_global: c_int,
) {
    report::code("__cudaRegisterManagedVar", || {
        let named = Named { binary, name: name.get()? };
        program().managed.push((pointer.address(), named));
        Ok(())
    });
}

/// Loads a container with managed variables, and writes the program's pointers to them.
#[unsafe(no_mangle)]
extern "C" fn __cudaInitModule(binary: usize) -> c_char {
    let load = || program().module(state::current()?.id(), binary).map(drop);
    (current::code("__cudaInitModule", load) == 0).into()
}
