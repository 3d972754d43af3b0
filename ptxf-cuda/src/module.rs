//! Modules: loaded PTX, its entries and its variables.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_uint};

use ptxf_vm::{Buffer, Entry, Program};

use crate::abi::{Host, In, Out, Text};
use crate::device::{SHARED, SHARED_OPT_IN};
use crate::failure::{Code, Done, Failure};
use crate::state::{self, State};
use crate::{image, settings};

/// A loaded module.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) program: Program,
    entries: Vec<String>,
    version: (u8, u8),
    /// Handles of entries by their names.
    functions: BTreeMap<String, usize>,
}

/// An entry of a module.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) entry: Entry,
    module: usize,
    name: CString,
    version: (u8, u8),
    /// The greatest number of bytes of dynamic shared memory of a launch.
    pub(crate) most_shared: u32,
}

impl State {
    /// Returns the function with this handle.
    pub(crate) fn function(&self, handle: usize) -> Result<&Function, Failure> {
        self.functions
            .get(&handle)
            .ok_or_else(|| Code::InvalidHandle.because("the handle is of no function of a loaded module"))
    }

    pub(crate) fn module(&mut self, handle: usize) -> Result<&mut Module, Failure> {
        self.modules.get_mut(&handle).ok_or_else(|| Code::InvalidHandle.because("the handle is of no loaded module"))
    }
}

/// The functions of CUDA's device runtime, which is a library of machine code, that have PTX here.
const DEVICE_RUNTIME: &str = include_str!("grid.ptx");

/// Returns a text with the functions of the device runtime that it declares.
fn with_device_runtime(text: &str) -> Cow<'_, str> {
    let is_declared = |line: &str| line.contains("cudaCG");
    let defines = |line: &str| is_declared(line) && line.trim_start().starts_with(".visible");
    if !text.contains("cudaCG") || text.lines().any(defines) {
        text.into()
    } else {
        [text, DEVICE_RUNTIME].concat().into()
    }
}

/// Loads PTX and allocates its variables.
pub(crate) fn load_text(text: &str) -> Result<usize, Failure> {
    let text = &*with_device_runtime(text);
    let context = state::current()?;
    let mut state = context.enter()?;
    let module = ptxf_vm::Module::parse(text).map_err(|e| Code::InvalidPtx.because(e.to_string()))?;
    let ((major, minor), settings) = (module.version(), settings::known()?);
    if let Some(newest) = settings.ptx.filter(|newest| *newest < (major, minor)) {
        let what = format!(
            "`.version {major}.{minor}`, and PTXF_VM_PTX={}.{} is the newest that is accepted",
            newest.0, newest.1
        );
        return Err(Code::UnsupportedPtxVersion.because(what));
    }
    let (device, target) = (settings.sm, module.sm());
    let fits = match module.suffix() {
        Some('a') => target == device,
        // Targets of a family have the same tens.
        Some(_) => target <= device && target / 10 == device / 10,
        None => target <= device,
    };
    if !fits {
        let suffix = module.suffix().map(String::from).unwrap_or_default();
        let what = format!("`.target sm_{target}{suffix}` on a device of sm_{device}: set PTXF_VM_SM={target}");
        return Err(Code::InvalidPtx.because(what));
    }
    let wrong = |e: ptxf_vm::Error| Code::InvalidPtx.because(e.to_string());
    let program = state.machine.load(&module).map_err(wrong)?;
    if let Err(error) = program.check() {
        state.machine.unload(&program).map_err(|fault| Code::Unknown.because(fault.to_string()))?;
        return Err(wrong(error));
    }
    let entries = module.entries().map(str::to_owned).collect();
    let handle = state.handle();
    let module = Module { program, entries, version: module.version(), functions: BTreeMap::new() };
    state.modules.insert(handle, module);
    Ok(handle)
}

pub(crate) fn load(module: Out<usize>, path: Text) -> Done {
    let (module, path) = (module.place()?, path.get()?);
    let bytes = std::fs::read(&path).map_err(|e| Code::FileNotFound.because(format!("{path}: {e}")))?;
    module.put(load_text(&image::of_file(bytes)?)?)
}

pub(crate) fn load_data(module: Out<usize>, image: Host) -> Done {
    module.place()?.put(load_text(&image::text(image)?)?)
}

/// The numbers of CU_JIT_ERROR_LOG_BUFFER and of its size.
const ERROR_LOG: c_uint = 5;
const ERROR_LOG_BYTES: c_uint = 6;

/// Loads a module. An error in the PTX is also written to the caller's buffer, if there is one.
pub(crate) fn load_data_ex(
    module: Out<usize>,
    image: Host,
    count: c_uint,
    options: In<c_uint>,
    values: In<Host>,
) -> Done {
    let module = module.place()?;
    let failure = match image::text(image).and_then(|text| load_text(&text)) {
        Ok(handle) => return module.put(handle),
        Err(failure) => failure,
    };
    let option = |wanted| {
        let place = (0..count as usize).find(|&i| options.at(i).is_ok_and(|option| option == wanted));
        place.and_then(|i| values.at(i).ok())
    };
    let (Some(buffer), Some(bytes), Some(what)) = (option(ERROR_LOG), option(ERROR_LOG_BYTES), &failure.what) else {
        return Err(failure);
    };
    // The value of the option is the size itself.
    let bytes = c_int::try_from(bytes.address()).unwrap_or(c_int::MAX);
    let text = CString::new(what.replace('\0', " ")).unwrap_or_default();
    crate::abi::copied(&text, buffer, bytes)?;
    Err(failure.code.into())
}

pub(crate) fn unload(module: usize) -> Done {
    let context = state::of(module)?;
    let mut state = context.enter()?;
    let gone = state.modules.remove(&module).ok_or(Code::InvalidHandle)?;
    state.functions.retain(|_, function| function.module != module);
    state.forget_references(module);
    state.machine.unload(&gone.program).map_err(|fault| Code::Unknown.because(fault.to_string()))
}

pub(crate) fn function(function: Out<usize>, module: usize, name: Text) -> Done {
    function.put(function_named(module, &name.get()?)?)
}

/// Returns the function of a name.
pub(crate) fn function_named(module: usize, name: &str) -> Result<usize, Failure> {
    let context = state::of(module)?;
    let mut state = context.enter()?;
    state.function_named(module, name)
}

impl State {
    fn function_named(&mut self, handle: usize, name: &str) -> Result<usize, Failure> {
        let module = self.module(handle)?;
        if let Some(known) = module.functions.get(name) {
            return Ok(*known);
        }
        if !module.entries.iter().any(|entry| entry == name) {
            // Programs look up names that a module may not have. This is no reason for a message.
            return Err(Code::NotFound.into());
        }
        let entry = module.program.entry(name).map_err(|e| Code::NotSupported.because(format!("{name}: {e}")))?;
        let version = module.version;
        let most_shared = SHARED.saturating_sub(entry.shared_bytes());
        let c_name = CString::new(name).unwrap_or_default();
        let function = self.handle();
        self.functions.insert(function, Function { entry, module: handle, name: c_name, version, most_shared });
        self.module(handle)?.functions.insert(name.to_owned(), function);
        Ok(function)
    }
}

pub(crate) fn function_count(count: Out<c_uint>, module: usize) -> Done {
    let context = state::of(module)?;
    let entries = context.enter()?.module(module)?.entries.len();
    count.put(entries as c_uint)
}

pub(crate) fn functions(functions: Out<usize>, count: c_uint, module: usize) -> Done {
    let context = state::of(module)?;
    let mut state = context.enter()?;
    let names: Vec<String> = state.module(module)?.entries.iter().take(count as usize).cloned().collect();
    for (i, name) in names.iter().enumerate() {
        functions.put_at(i, state.function_named(module, name)?)?;
    }
    Ok(())
}

/// Returns the variable of a name.
pub(crate) fn variable_named(module: usize, name: &str) -> Result<Buffer, Failure> {
    let context = state::of(module)?;
    let mut state = context.enter()?;
    state.module(module)?.program.variable(name).ok_or_else(|| Code::NotFound.into())
}

pub(crate) fn variable(address: Out<u64>, bytes: Out<usize>, module: usize, name: Text) -> Done {
    let found = variable_named(module, &name.get()?)?;
    address.put_if(found.address());
    bytes.put_if(found.bytes() as usize);
    Ok(())
}

/// Returns the loading mode. Modules are loaded eagerly.
pub(crate) fn loading_mode(mode: Out<c_uint>) -> Done {
    mode.put(1)
}

pub(crate) fn is_loaded(loaded: Out<c_uint>, function: usize) -> Done {
    load_function(function)?;
    loaded.put(1)
}

pub(crate) fn load_function(function: usize) -> Done {
    let context = state::of(function)?;
    let state = context.enter()?;
    state.function(function).map(drop)
}

pub(crate) fn function_name(name: Out<*const c_char>, function: usize) -> Done {
    let context = state::of(function)?;
    let state = context.enter()?;
    name.put(state.function(function)?.name.as_ptr())
}

pub(crate) fn function_module(module: Out<usize>, function: usize) -> Done {
    let context = state::of(function)?;
    let state = context.enter()?;
    module.put(state.function(function)?.module)
}

pub(crate) fn parameter(function: usize, index: usize, offset: Out<usize>, bytes: Out<usize>) -> Done {
    let context = state::of(function)?;
    let state = context.enter()?;
    let (at, size) = state.function(function)?.entry.parameters().nth(index).ok_or(Code::InvalidValue)?;
    offset.put(at)?;
    bytes.put_if(size);
    Ok(())
}

pub(crate) fn parameter_count(function: usize, count: Out<usize>) -> Done {
    let context = state::of(function)?;
    let parameters = context.enter()?.function(function)?.entry.parameters().len();
    count.put(parameters)
}

/// Does nothing: the old functions set the size of a block before a launch, and programs that use
/// them pass it to the launch as well.
pub(crate) fn block_shape(function: usize, _x: c_int, _y: c_int, _z: c_int) -> Done {
    load_function(function)
}

/// The number of CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
const MOST_DYNAMIC: c_uint = 8;

pub(crate) fn attribute(value: Out<c_int>, attribute: c_uint, function: usize) -> Done {
    value.put(attribute_of(attribute, function)? as c_int)
}

/// Returns the attribute of a function with a number of `CU_FUNC_ATTRIBUTE_…`.
pub(crate) fn attribute_of(attribute: c_uint, function: usize) -> Result<u32, Failure> {
    let context = state::of(function)?;
    let state = context.enter()?;
    let function = state.function(function)?;
    let entry = &function.entry;
    Ok(match attribute {
        // MAX_THREADS_PER_BLOCK, SHARED_SIZE_BYTES, CONST_SIZE_BYTES, LOCAL_SIZE_BYTES, NUM_REGS
        0 => entry.most_threads(),
        1 => entry.shared_bytes(),
        2 => 0,
        3 => entry.local_bytes(),
        4 => 32,
        // PTX_VERSION, BINARY_VERSION
        5 => u32::from(function.version.0) * 10 + u32::from(function.version.1),
        6 => settings::known()?.sm,
        MOST_DYNAMIC => function.most_shared,
        // Caches and clusters.
        7 | 9..=16 => 0,
        _ => return Err(Code::InvalidValue.into()),
    })
}

pub(crate) fn set_attribute(function: usize, attribute: c_uint, value: c_int) -> Done {
    let context = state::of(function)?;
    let mut state = context.enter()?;
    let function = state.functions.get_mut(&function).ok_or(Code::InvalidHandle)?;
    match attribute {
        MOST_DYNAMIC => {
            let most = SHARED_OPT_IN.saturating_sub(function.entry.shared_bytes());
            let asked = u32::try_from(value).ok().filter(|bytes| *bytes <= most);
            function.most_shared = asked.ok_or_else(|| {
                Code::InvalidValue.because(format!("{value} bytes of dynamic shared memory: the maximum is {most}"))
            })?;
            Ok(())
        }
        9..=16 => Ok(()),
        _ => Err(Code::InvalidValue.into()),
    }
}

pub(crate) fn configure(function: usize, _configuration: c_uint) -> Done {
    load_function(function)
}
