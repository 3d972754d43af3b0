//! A `libcuda` that is none: the driver's functions as `ptxf-gpu` and the examples call them, on the CPU and its memory.
//!
//! It is what stands in for NVIDIA's driver where there is no GPU, and nothing else does: every program that launches kernels is
//! tested through its own calls of the driver, their order and arguments too. It is strict where the driver is: a thread without a
//! context, an address outside every allocation of the current context, a launch with the wrong number of arguments, memory left
//! over in the end. A program takes it for the driver that finds it first under the driver's name, as in a [`Folder`].
//!
//! | variable | the driver |
//! |---|---|
//! | `STUB_DEVICES=0`, `=2` | has no device, or two |
//! | `STUB_REFUSES_PTX=8.8` | does not compile that version |
//! | `STUB_FLIPS=smooth` | has a device that returns a wrong bit of that kernel of the examples |
//! | `STUB_FAULTS=flip:add_rn_f16:3c00,bc00:8000;dies:60` | has a device with these faults in the probes: see `faults.rs` |
//!
//! Its device's name begins with `FAKE`, by which `ptxf-gpu` knows that no results of it are data.
// Invariant: callers pass what the driver's own functions ask for: C strings, handles from here, as many values as they say.
#![allow(non_snake_case, missing_docs, reason = "the names are the driver's, and so is what they mean")]
#![expect(unsafe_code, reason = "the functions are called from C's point of view")]
#![expect(clippy::missing_safety_doc, reason = "each is as safe as the driver's function of its name")]

mod faults;
mod folder;
mod kernels;
mod probes;
pub mod ptx;
mod suite;

pub use folder::{Folder, library};

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{LazyLock, Mutex};
use std::time::Instant;

use faults::Faults;

const SUCCESS: c_int = 0;
const INVALID_VALUE: c_int = 1;
const NO_DEVICE: c_int = 100;
const INVALID_CONTEXT: c_int = 201;
const INVALID_PTX: c_int = 218;
const NOT_FOUND: c_int = 500;
const LAUNCH_FAILED: c_int = 719;

/// The devices, by what the driver calls them; the context of each has this number and 0xb9.
const DEVICES: [c_int; 2] = [7, 8];
const CONTEXT_OF: usize = 0xb9;

/// Of a context: addresses and lengths of what was allocated; kernels by their handles; events.
#[derive(Default)]
struct State {
    memory: BTreeMap<u64, Box<[u8]>>,
    ptx: String,
    kernels: Vec<String>,
    events: Vec<Option<Instant>>,
    faults: Faults,
}

static STATES: LazyLock<Mutex<[State; 2]>> = LazyLock::new(Mutex::default);

thread_local! {
    /// The place of the current context's device.
    static CONTEXT: Cell<Option<usize>> = const { Cell::new(None) };
}

fn state<T>(device: usize, f: impl FnOnce(&mut State) -> T) -> T {
    f(&mut STATES.lock().expect("no call panics while it holds the lock")[device])
}

fn place(device: c_int) -> Option<usize> {
    DEVICES.iter().position(|known| *known == device)
}

fn set(name: &str, value: &str) -> bool {
    std::env::var(name).is_ok_and(|v| v == value)
}

/// Writes a result.
///
/// # Safety
///
/// `to` is writable.
unsafe fn write<T>(to: *mut T, value: T) -> c_int {
    // SAFETY: the caller's.
    unsafe { to.write(value) };
    SUCCESS
}

impl State {
    /// The bytes from an address on.
    fn bytes(&mut self, address: u64, count: usize) -> Option<&mut [u8]> {
        let (start, memory) = self.memory.range_mut(..=address).next_back()?;
        let offset = (address - start) as usize;
        memory.get_mut(offset..offset + count)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(flags: c_uint) -> c_int {
    if flags != 0 {
        INVALID_VALUE
    } else if set("STUB_DEVICES", "0") {
        NO_DEVICE
    } else {
        SUCCESS
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    // SAFETY: the caller's.
    unsafe { write(count, if set("STUB_DEVICES", "2") { 2 } else { 1 }) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int {
    // SAFETY: the caller's.
    DEVICES.get(ordinal as usize).map_or(INVALID_VALUE, |known| unsafe { write(device, *known) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> c_int {
    // CU_DEVICE_ATTRIBUTE_…: COMPUTE_CAPABILITY_MAJOR, _MINOR, MEMORY_CLOCK_RATE; what is not known is an error.
    let answer = match attribute {
        75 => 9,
        76 => 0,
        36 => 1_000_000,
        _ => return INVALID_VALUE,
    };
    // SAFETY: the caller's.
    if place(device).is_some() { unsafe { write(value, answer) } } else { INVALID_VALUE }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, _device: c_int) -> c_int {
    let text = c"FAKE (stub driver: this CPU computed it)";
    if text.count_bytes() >= length as usize {
        return INVALID_VALUE;
    }
    // SAFETY: the text and its zero fit.
    unsafe { name.copy_from_nonoverlapping(text.as_ptr(), text.count_bytes() + 1) };
    SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    // SAFETY: the caller's.
    unsafe { write(version, 12_080) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> c_int {
    let Some(_) = place(device) else { return INVALID_VALUE };
    // SAFETY: the caller's.
    unsafe { write(context, std::ptr::without_provenance_mut(CONTEXT_OF + device as usize)) }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> c_int {
    let Some(place) = place(device) else { return INVALID_VALUE };
    let left = state(place, |s| s.memory.len() + s.events.iter().flatten().count());
    println!("stub driver: released, {left} allocations and events left");
    SUCCESS
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(context: *mut c_void) -> c_int {
    let place = context.addr().checked_sub(CONTEXT_OF).and_then(|device| place(device as c_int));
    CONTEXT.set(place);
    if place.is_some() || context.is_null() { SUCCESS } else { INVALID_CONTEXT }
}

fn in_context(work: impl FnOnce(&mut State) -> c_int) -> c_int {
    CONTEXT.get().map_or(INVALID_CONTEXT, |device| state(device, work))
}

/// A handle of the current context's; such handles count from 1.
fn handle(count: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(CONTEXT.get().unwrap_or(0) << 32 | count)
}

/// The place that a handle stands for, if it is the current context's.
fn handled(handle: *mut c_void) -> usize {
    (handle.addr() ^ CONTEXT.get().unwrap_or(0) << 32).wrapping_sub(1)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut *mut c_void,
    image: *const c_void,
    count: c_uint,
    options: *const c_int,
    values: *const *mut c_void,
) -> c_int {
    // CU_JIT_ERROR_LOG_BUFFER and its size, which travels in the pointer.
    // SAFETY: the caller passes `count` options.
    let options = unsafe { std::slice::from_raw_parts(options, count as usize) };
    // SAFETY: and as many values.
    let values = unsafe { std::slice::from_raw_parts(values, count as usize) };
    if options != [5, 6] || values[1].addr() < 1024 {
        return INVALID_VALUE;
    }
    // SAFETY: PTX ends with a zero.
    let text = unsafe { CStr::from_ptr(image.cast()) }.to_string_lossy().into_owned();
    if std::env::var("STUB_REFUSES_PTX").is_ok_and(|version| text.contains(&format!(".version {version}"))) {
        let log = c"ptxas stub, line 7; error : Unexpected instruction";
        // SAFETY: the log's buffer has at least 1024 bytes.
        unsafe { values[0].cast::<c_char>().copy_from_nonoverlapping(log.as_ptr(), log.count_bytes() + 1) };
        return INVALID_PTX;
    }
    // SAFETY: the caller's.
    unsafe { write(module, std::ptr::without_provenance_mut(0x30d)) };
    in_context(|s| {
        s.ptx += &text;
        SUCCESS
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(_module: *mut c_void) -> c_int {
    in_context(|_| SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut *mut c_void,
    _module: *mut c_void,
    name: *const c_char,
) -> c_int {
    // SAFETY: a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    in_context(|s| {
        if !s.ptx.contains(&format!(".entry {name}(")) {
            return NOT_FOUND;
        }
        s.kernels.push(name);
        // SAFETY: the caller's.
        unsafe { write(function, handle(s.kernels.len())) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int {
    in_context(|s| {
        let memory = vec![0xa5; bytes].into_boxed_slice();
        let start = memory.as_ptr().addr() as u64;
        s.memory.insert(start, memory);
        // SAFETY: the caller's.
        unsafe { write(address, start) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> c_int {
    in_context(|s| if s.memory.remove(&address).is_some() { SUCCESS } else { INVALID_VALUE })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> c_int {
    // SAFETY: the caller's.
    let from = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) };
    in_context(|s| {
        s.bytes(to, bytes).map_or(INVALID_VALUE, |to| {
            to.copy_from_slice(from);
            SUCCESS
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> c_int {
    // SAFETY: the caller's.
    let to = unsafe { std::slice::from_raw_parts_mut(to.cast::<u8>(), bytes) };
    in_context(|s| {
        s.bytes(from, bytes).map_or(INVALID_VALUE, |from| {
            to.copy_from_slice(from);
            SUCCESS
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuLaunchKernel(
    function: *mut c_void,
    grid_x: c_uint,
    grid_y: c_uint,
    grid_z: c_uint,
    block_x: c_uint,
    block_y: c_uint,
    block_z: c_uint,
    shared: c_uint,
    stream: *mut c_void,
    params: *const *mut c_void,
    extra: *mut *mut c_void,
) -> c_int {
    if [grid_y, grid_z, block_y, block_z] != [1; 4] || shared != 0 || !stream.is_null() || !extra.is_null() {
        return INVALID_VALUE;
    }
    let param = |k: usize, bytes: usize| {
        let mut value = [0; 8];
        // SAFETY: every kernel here has this parameter.
        let pointer = unsafe { params.wrapping_add(k).read() };
        // SAFETY: of so many bytes.
        unsafe { pointer.cast::<u8>().copy_to_nonoverlapping(value.as_mut_ptr(), bytes) };
        u64::from_le_bytes(value)
    };
    in_context(|s| {
        let Some(name) = s.kernels.get(handled(function)).cloned() else { return INVALID_VALUE };
        let launched = || (kernels::Parameters::new(param), grid_x as usize * block_x as usize);
        let of_examples = if let Some(entry) = suite::entry(&name) {
            let (parameters, threads) = launched();
            Some(suite::run(entry, &name, parameters, threads, s))
        } else if let Some(kernel) = name.strip_suffix("_pair") {
            let (parameters, threads) = launched();
            Some(parameters.pair(kernel, threads, s))
        } else {
            None
        };
        if let Some(done) = of_examples {
            return if done.is_some() { SUCCESS } else { INVALID_VALUE };
        }
        if !s.faults.survives() {
            return LAUNCH_FAILED;
        }
        let threads = grid_x as usize * block_x as usize;
        if probes::run(&name, param, threads, s).is_some() { SUCCESS } else { INVALID_VALUE }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSynchronize() -> c_int {
    in_context(|_| SUCCESS)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventCreate(event: *mut *mut c_void, flags: c_uint) -> c_int {
    in_context(|s| {
        s.events.push(Some(Instant::now()));
        if flags != 0 {
            return INVALID_VALUE;
        }
        // SAFETY: the caller's.
        unsafe { write(event, handle(s.events.len())) }
    })
}

fn event(s: &mut State, handle: *mut c_void) -> Option<&mut Option<Instant>> {
    s.events.get_mut(handled(handle)).filter(|event| event.is_some())
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventRecord(handle: *mut c_void, stream: *mut c_void) -> c_int {
    in_context(|s| match event(s, handle) {
        Some(event) if stream.is_null() => {
            *event = Some(Instant::now());
            SUCCESS
        }
        _ => INVALID_VALUE,
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuEventElapsedTime(milliseconds: *mut f32, start: *mut c_void, end: *mut c_void) -> c_int {
    in_context(|s| match (event(s, start).copied().flatten(), event(s, end).copied().flatten()) {
        // SAFETY: the caller's.
        (Some(start), Some(end)) => unsafe { write(milliseconds, (end - start).as_secs_f32() * 1e3) },
        _ => INVALID_VALUE,
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuEventDestroy_v2(handle: *mut c_void) -> c_int {
    in_context(|s| {
        event(s, handle).map_or(INVALID_VALUE, |event| {
            *event = None;
            SUCCESS
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: c_int, text: *mut *const c_char) -> c_int {
    let words = match error {
        NO_DEVICE => c"no CUDA-capable device is detected",
        LAUNCH_FAILED => c"the device of the stub died, as it was asked to",
        _ => c"an error of the stub",
    };
    // SAFETY: the caller's.
    unsafe { write(text, words.as_ptr()) }
}
