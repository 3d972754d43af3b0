//! A `libcuda` that is none: the driver's functions as `cargo xtask gpu` and the examples call them, on the CPU and its memory.
//!
//! What it is for: the program's calls of the driver are tested with it, their order and arguments too, where there is no
//! GPU. It is strict where the driver is: a thread without a context, an address outside every allocation of the current context,
//! a launch with the wrong number of arguments, memory left over in the end. `STUB_DEVICES=0` is a driver without a device,
//! `STUB_DEVICES=2` one with two, `STUB_REFUSES_PTX=8.8` one that does not compile that version, `STUB_FLIPS=smooth` one whose device returns a wrong bit of that kernel.
// Invariant: callers pass what the driver's own functions ask for: C strings, handles from here, as many values as they say.
#![allow(non_snake_case, missing_docs, reason = "the names are the driver's, and so is what they mean")]
#![expect(unsafe_code, reason = "the functions are called from C's point of view")]
#![expect(clippy::missing_safety_doc, reason = "each is as safe as the driver's function of its name")]

mod kernels;
mod suite;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{LazyLock, Mutex};
use std::time::Instant;

use ptxf::spec::{FORMS, FormInfo};

const SUCCESS: c_int = 0;
const INVALID_VALUE: c_int = 1;
const NO_DEVICE: c_int = 100;
const INVALID_CONTEXT: c_int = 201;
const INVALID_PTX: c_int = 218;
const NOT_FOUND: c_int = 500;

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
        let arrays = [0, 1, 2, 3].map(|k| param(k, 8));
        let n = param(4, 4) as usize;
        let threads = grid_x as usize * block_x as usize;
        let rounds = || param(5, 4) as usize;
        let done = if let Some(stream) = name.strip_prefix("stream_") {
            let form = form(&stream.replace("fma_", "fma_rn_"));
            run(s, arrays, n * 4, [4; 4], |x| form.map_or(x[0], |form| call(form, x)))
        } else if let Some((kind, form)) = chain(&name) {
            let (steps, chains) = (rounds() * 16, if kind == "wide" { 8 } else { 1 });
            let width = form.ty.bits() as usize / 8;
            let mask = u64::MAX >> (64 - form.ty.bits());
            run(s, arrays, n, [width; 4], |[a, b, c]| {
                let chain = |k| (0..steps).fold((a + k) & mask, |x, _| call(form, [x, b, c]));
                (0..chains).fold(0, |all, k| all ^ chain(k))
            })
        } else if let Some(form) = form(&name) {
            let width = form.ty.bits() as usize / 8;
            let of = |k| if k < form.operands { width } else { 0 };
            run(s, arrays, n, [if form.predicate { 1 } else { width }, of(0), of(1), of(2)], |x| call(form, x))
        } else {
            None
        };
        if threads < n || done.is_none() { INVALID_VALUE } else { SUCCESS }
    })
}

fn form(function: &str) -> Option<&'static FormInfo> {
    FORMS.iter().find(|form| form.function == function)
}

fn chain(kernel: &str) -> Option<(&str, &'static FormInfo)> {
    let (kind, function) = kernel.split_once('_')?;
    Some((kind, form(function).filter(|_| ["wide", "deep"].contains(&kind))?))
}

fn call(form: &FormInfo, operands: [u64; 3]) -> u64 {
    form.run.call(&operands[..form.operands]).expect("as many operands as the form has")
}

/// Element by element: result and operands with these widths.
fn run(s: &mut State, arrays: [u64; 4], n: usize, widths: [usize; 4], f: impl Fn([u64; 3]) -> u64) -> Option<()> {
    let mut inputs = Vec::new();
    for k in 1..4 {
        inputs.push(s.bytes(arrays[k], n * widths[k])?.to_vec());
    }
    let out = s.bytes(arrays[0], n * widths[0])?;
    for (i, out) in out.chunks_exact_mut(widths[0]).enumerate() {
        let read = |k: usize| {
            let bytes = &inputs[k][i * widths[k + 1]..(i + 1) * widths[k + 1]];
            bytes.iter().rev().fold(0, |x, b| x << 8 | u64::from(*b))
        };
        out.copy_from_slice(&f([read(0), read(1), read(2)]).to_le_bytes()[..widths[0]]);
    }
    Some(())
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
    let words = if error == NO_DEVICE { c"no CUDA-capable device is detected" } else { c"an error of the stub" };
    // SAFETY: the caller's.
    unsafe { write(text, words.as_ptr()) }
}
