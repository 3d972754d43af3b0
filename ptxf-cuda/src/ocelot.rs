//! `ptx_run`, the one function of gpuocelot's library: it runs a kernel on memory of this process.
//!
//! The caller passes pointers without sizes. So the machine gets copies of what is around them: a
//! window of each mapping of the process, which doubles as long as the kernel accesses memory
//! outside of it. Only bytes that the kernel has changed are written back, because a window may
//! contain objects of other threads, and of this code. For the same reason the system copies.

use std::collections::HashMap;
use std::ffi::c_int;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptxf_vm::{Buffer, Entry, Fault, FaultKind, Machine, Module};

use crate::abi::{Host, In, Text};
use crate::failure::{Code, Done, Failure};
use crate::report;
use crate::settings::{self, Settings};

/// The bytes behind a pointer that a window has at first.
const FIRST: u64 = 1 << 20;
const PAGE: u64 = 4096;

/// A machine with the kernels that ran on it, by their PTX, and what the last one printed.
struct Kernels {
    machine: Machine,
    entries: HashMap<String, Entry>,
    printed: Arc<Mutex<Vec<u8>>>,
}

static KERNELS: Mutex<Option<Kernels>> = Mutex::new(None);

/// A part of a mapping, from `start` to `end`, which a kernel can access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    mapping: [u64; 2],
    start: u64,
    end: u64,
}

impl Window {
    fn of(mapping: [u64; 2], pointer: u64) -> Self {
        let mut window = Self { mapping, start: pointer, end: pointer };
        window.extend(pointer);
        window
    }

    fn extend(&mut self, pointer: u64) {
        let [first, last] = self.mapping;
        self.start = self.start.min(pointer / PAGE * PAGE).max(first);
        self.end = self.end.max(pointer.saturating_add(FIRST)).min(last);
    }

    /// Doubles the window on both sides. Returns `false` if it is the whole mapping.
    fn grow(&mut self) -> bool {
        let (before, bytes) = (*self, self.end - self.start);
        self.start = self.start.saturating_sub(bytes / PAGE * PAGE).max(self.mapping[0]);
        self.end = self.end.saturating_add(bytes).min(self.mapping[1]);
        *self != before
    }
}

/// Runs the kernel of a PTX text. Each argument is a number or a pointer in a word of its own.
pub(crate) fn run(
    source: Text,
    count: c_int,
    arguments: In<Host>,
    [block, grid]: [[c_int; 3]; 2],
    shared: c_int,
) -> Done {
    let (settings, _) = settings::initialize()?;
    let mut kernels = lock(&KERNELS);
    let kernels = kernels.get_or_insert_with(|| Kernels::new(settings));
    let entry = kernels.entry(source.get()?)?;
    let sizes: Vec<usize> = entry.parameters().map(|(_, bytes)| bytes).collect();
    if count as usize != sizes.len() {
        let what = format!("{} takes {} arguments, and {count} are passed", entry.name(), sizes.len());
        return Err(Code::InvalidValue.because(what));
    }
    if let Some(bytes) = sizes.iter().find(|bytes| **bytes > 8) {
        let what = format!("{} has a parameter of {bytes} bytes, and an argument is a word of 8", entry.name());
        return Err(Code::NotSupported.because(what));
    }
    let words = (0..sizes.len()).map(|i| arguments.at(i).map(Host::address)).collect::<Result<Vec<u64>, _>>()?;
    let unsigned = |name: &str, sizes: [c_int; 3]| {
        let [x, y, z] = sizes.map(u32::try_from);
        x.and_then(|x| Ok([x, y?, z?])).map_err(|_| Code::InvalidValue.because(format!("the {name} is {sizes:?}")))
    };
    let (block, grid) = (unsigned("block", block)?, unsigned("grid", grid)?);
    let shared = u32::try_from(shared)
        .map_err(|_| Code::InvalidValue.because(format!("{shared} bytes of dynamic shared memory")))?;

    let memory = File::options().read(true).write(true).open("/proc/self/mem").map_err(unreadable)?;
    let mut windows = windows(&memory, &words, &sizes)?;
    loop {
        let copies = Copies::of(&memory, &mut kernels.machine, &windows);
        let bytes = copies.arguments(&entry, &words);
        let done = kernels.machine.launch_bytes(&entry, grid, block, shared, &bytes, false);
        let printed = std::mem::take(&mut *lock(&kernels.printed));
        let is_outside = done.as_ref().is_err_and(|fault| fault.kind() == FaultKind::OutOfBounds);
        // All windows double, so that few launches end with this fault.
        let again = is_outside && windows.iter_mut().fold(false, |grew, window| window.grow() | grew);
        if !again {
            let _ = io::stdout().write_all(&printed);
            kernels.machine.reports().iter().for_each(report::found);
            copies.write_back(&kernels.machine)?;
        }
        copies.free(&mut kernels.machine)?;
        match done {
            Err(_) if again => {}
            Err(fault) => {
                report::fault(&fault, Code::of_fault(&fault));
                return Err(Code::of_fault(&fault).into());
            }
            Ok(()) => return Ok(()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kernels {
    fn new(settings: &Settings) -> Self {
        let mut machine = Machine::new().threads(settings.threads).check(settings.check).device(settings.model);
        let printed = Arc::new(Mutex::new(Vec::new()));
        let to = printed.clone();
        machine.set_output(move |bytes| lock(&to).extend_from_slice(bytes));
        Self { machine, entries: HashMap::new(), printed }
    }

    /// Returns the only entry of a module.
    fn entry(&mut self, text: String) -> Result<Entry, Failure> {
        if let Some(entry) = self.entries.get(&text) {
            return Ok(entry.clone());
        }
        let wrong = |error: ptxf_vm::Error| Code::InvalidPtx.because(error.to_string());
        let module = Module::parse(&text).map_err(wrong)?;
        let names: Vec<_> = module.entries().collect();
        let [name] = names[..] else {
            return Err(Code::InvalidPtx.because(format!("{} entries, where one is expected: {names:?}", names.len())));
        };
        let entry = self.machine.load(&module).and_then(|program| program.entry(name)).map_err(wrong)?;
        self.entries.insert(text, entry.clone());
        Ok(entry)
    }
}

/// Returns the windows of the words that are pointers.
fn windows(memory: &File, words: &[u64], sizes: &[usize]) -> Result<Vec<Window>, Failure> {
    let mappings = mappings()?;
    let mut windows: Vec<Window> = Vec::new();
    for (&word, _) in words.iter().zip(sizes).filter(|(_, bytes)| **bytes == 8) {
        let Some(&mapping) = mappings.iter().find(|[start, end]| (*start..*end).contains(&word)) else { continue };
        memory.read_exact_at(&mut [0], word).map_err(unreadable)?;
        match windows.iter_mut().find(|window| window.mapping == mapping) {
            Some(window) => window.extend(word),
            None => windows.push(Window::of(mapping, word)),
        }
    }
    Ok(windows)
}

/// Returns the addresses of this process's memory that can be read and written.
fn mappings() -> Result<Vec<[u64; 2]>, Failure> {
    let text = fs::read_to_string("/proc/self/maps").map_err(unreadable)?;
    let mapping = |line: &str| {
        let (addresses, rest) = line.split_once(' ')?;
        let (start, end) = addresses.split_once('-')?;
        let [start, end] = [start, end].map(|text| u64::from_str_radix(text, 16));
        rest.starts_with("rw").then_some([start.ok()?, end.ok()?])
    };
    let mut mappings: Vec<[u64; 2]> = Vec::new();
    for [start, end] in text.lines().filter_map(mapping) {
        // An array may lie in neighbours, of which one has large pages.
        match mappings.last_mut().filter(|[_, last]| *last == start) {
            Some([_, last]) => *last = end,
            None => mappings.push([start, end]),
        }
    }
    Ok(mappings)
}

/// Reads memory from an address on. Pages that cannot be read stay zero: they have no memory, or
/// another thread has unmapped them since. No argument points to them.
fn read(memory: &File, bytes: &mut [u8], start: u64) {
    let mut at = 0;
    while at < bytes.len() {
        let address = start + at as u64;
        at += match memory.read_at(&mut bytes[at..], address) {
            Ok(read @ 1..) => read,
            Ok(0) | Err(_) => (PAGE - address % PAGE) as usize,
        };
    }
}

/// The copies of windows in the machine.
struct Copies<'a> {
    memory: &'a File,
    of: Vec<(Window, Vec<u8>, Buffer)>,
}

impl<'a> Copies<'a> {
    fn of(memory: &'a File, machine: &mut Machine, windows: &[Window]) -> Self {
        let copy = |window: &Window| {
            let mut bytes = vec![0; (window.end - window.start) as usize];
            read(memory, &mut bytes, window.start);
            let buffer = machine.buffer(&bytes);
            (*window, bytes, buffer)
        };
        Self { memory, of: windows.iter().map(copy).collect() }
    }

    /// Returns the block of arguments, in which pointers are those of the copies.
    fn arguments(&self, entry: &Entry, words: &[u64]) -> Vec<u8> {
        let mut block = vec![0; entry.parameter_bytes()];
        for (&word, (offset, bytes)) in words.iter().zip(entry.parameters()) {
            let around = self.of.iter().find(|(window, ..)| bytes == 8 && (window.start..window.end).contains(&word));
            let value = around.map_or(word, |(window, _, buffer)| buffer.address() + (word - window.start));
            block[offset..][..bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        }
        block
    }

    /// Writes the bytes that differ to the memory of the process.
    fn write_back(&self, machine: &Machine) -> Done {
        for (window, old, buffer) in &self.of {
            let new = machine.read(*buffer).map_err(wrong)?;
            let mut at = 0;
            for run in old.iter().zip(&new).collect::<Vec<_>>().chunk_by(|a, b| (a.0 == a.1) == (b.0 == b.1)) {
                if run[0].0 != run[0].1 {
                    let bytes = &new[at..][..run.len()];
                    self.memory.write_all_at(bytes, window.start + at as u64).map_err(unreadable)?;
                }
                at += run.len();
            }
        }
        Ok(())
    }

    fn free(self, machine: &mut Machine) -> Done {
        self.of.into_iter().try_for_each(|(.., buffer)| machine.free(buffer).map_err(wrong))
    }
}

fn wrong(fault: Fault) -> Failure {
    Code::Unknown.because(fault.to_string())
}

fn unreadable(error: io::Error) -> Failure {
    Code::NotSupported.because(format!("the memory of the process, /proc/self/maps and mem: {error}"))
}
