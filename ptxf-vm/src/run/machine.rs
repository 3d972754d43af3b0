//! The machine: its memory and its settings.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ptxf::spec::{FormInfo, Spelling};
use ptxf::tables::device::Model;
use ptxf_text::Error;

use super::argument::{Arg, Extent, block};
use super::buffer::{Buffer, Element};
use super::fault::{Fault, FaultKind};
use super::launch::{Launch, Sizes};
use super::memory::Memory;
use super::output::Output;
use super::program::{Entry, Loaded, Module, Program};
use super::progress::Progress;
use super::watch::{Check, Counts, Filter, Report, Step, Tool, Tools};
use super::{DYNAMIC_ALIGN, MOST_THREADS, Recording};
use crate::exec::replacement::Replacement;

/// The number of machines so far, which distinguishes their entries.
static MACHINES: AtomicU64 = AtomicU64::new(0);

/// The default limit of instructions of a block.
const LIMIT: u64 = 1 << 32;
/// The most blocks that run at the same time.
const MOST_AT_ONCE: u64 = 1024;
/// The most dynamic shared memory of a launch, in bytes.
const MOST_SHARED: u32 = 1 << 24;

/// A simulated device: global memory, and all cores of this CPU.
#[derive(Debug)]
pub struct Machine {
    memory: Memory,
    number: u64,
    threads: usize,
    limit: u64,
    output: Output,
    progress: Option<Progress>,
    check: Check,
    schedule: Option<u64>,
    replacement: Replacement,
    reports: Vec<Report>,
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// Makes a machine with empty memory.
    #[must_use]
    pub fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let number = MACHINES.fetch_add(1, Ordering::Relaxed);
        Self {
            memory: Memory::default(),
            number,
            threads,
            limit: LIMIT,
            output: Output::default(),
            progress: None,
            check: Check::default(),
            schedule: None,
            replacement: Replacement::default(),
            reports: Vec::new(),
        }
    }

    /// Sets the first address of memory, if nothing was allocated. The default is 2^44.
    ///
    /// Two machines with distant addresses share no address.
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new().addresses_from(1 << 50);
    /// assert_eq!(machine.alloc(1).address(), 1 << 50);
    /// ```
    #[must_use]
    pub fn addresses_from(mut self, address: u64) -> Self {
        if self.memory.is_empty() {
            let notes_writes = self.memory.notes_writes;
            self.memory = Memory::starting_at(address);
            self.memory.notes_writes = notes_writes;
        }
        self
    }

    /// Sets the number of CPU threads of a launch. With one thread, blocks run one after the other.
    #[must_use]
    pub const fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads.get();
        self
    }

    /// Sets the checks of every launch. Memory that was allocated before counts as written.
    #[must_use]
    pub fn check(mut self, check: Check) -> Self {
        self.check = check;
        self.memory.notes_writes = check >= Check::Init;
        self
    }

    /// Sets the model of approximate forms, for modules that are loaded later.
    ///
    /// An entry with a form that the model has no results for is refused with an error.
    /// [`Model`](ptxf::tables::device::Model) lists the measured devices. Operations of `atom` and
    /// `red` are exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Machine, Model, Module};
    ///
    /// let machine = Machine::new().model(Model::Reference);
    /// let error = "sm_20".parse::<Model>().unwrap_err().to_string();
    /// assert!(error.starts_with("no device of sm_20 has been measured"));
    /// ```
    #[must_use]
    pub fn model(mut self, model: Model) -> Self {
        if model == Model::Reference {
            self.replacement.set_approximate(None);
            return self;
        }
        self.approximate(move |form, operands| model.call(form, operands).map_err(|e| e.to_string()))
    }

    /// Sets a function that computes approximate forms, for modules that are loaded later. Use it
    /// for the bits of a device that you have measured.
    ///
    /// The function gets the form and the bits of its operands. It has results for all operands of
    /// a form, or returns an error for each, which names the form. An entry with an unsupported
    /// form is refused: the machine calls the function with operands of zero to find out. A launch
    /// panics if the function has a result for zeros and none for other operands.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module};
    ///
    /// let text = |form: &str| format!(".version 7.8
    /// .target sm_90
    /// .visible .entry k(.param .u64 x) {{
    ///     .reg .b32 %f<2>; .reg .b64 %rd<2>;
    ///     ld.param.u64 %rd1, [x];
    ///     {form} %f1, 0f40000000;
    ///     st.global.b32 [%rd1], %f1;
    ///     ret;
    /// }}");
    /// // A device whose square roots are one too large in their last place.
    /// let mut machine = Machine::new().approximate(|form, operands| match form.name {
    ///     "sqrt.approx.f32" => Ok(form.run.call(operands).unwrap() + 1),
    ///     name => Err(format!("nobody has measured {name}")),
    /// });
    /// let x = machine.buffer(&[0.0_f32]);
    /// let entry = machine.load(&Module::parse(&text("sqrt.approx.f32"))?)?.entry("k")?;
    /// machine.launch(&entry, 1, 1, 0, &[Arg::from(x)])?;
    /// assert_eq!(machine.values::<f32>(x)?[0].to_bits(), 0x3fb5_04f4);
    /// let error = machine.load(&Module::parse(&text("rcp.approx.f32"))?)?.entry("k").unwrap_err();
    /// assert_eq!((error.line(), error.what()), (6, "nobody has measured rcp.approx.f32"));
    /// // Exact forms are the table's.
    /// let entry = machine.load(&Module::parse(&text("sqrt.rn.f32"))?)?.entry("k")?;
    /// machine.launch(&entry, 1, 1, 0, &[Arg::from(x)])?;
    /// assert_eq!(machine.values::<f32>(x)?[0].to_bits(), 0x3fb5_04f3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn approximate(
        mut self,
        results: impl Fn(&FormInfo, &[u64]) -> Result<u64, String> + Send + Sync + 'static,
    ) -> Self {
        self.replacement.set_approximate(Some(Arc::new(results)));
        self
    }

    /// Sets a function that changes the results of forms, for modules that are loaded later. Such a
    /// machine is wrong on purpose: a good test of kernels fails on it.
    ///
    /// `change` gets the spelling, the bits of the operands and the result, and returns the new
    /// result. The machine calls it for spellings for which `concerns` returns `true`. `selp`,
    /// `atom` and `red` never change.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x) {
    ///     .reg .b32 %f<2>; .reg .b64 %rd<2>;
    ///     ld.param.u64 %rd1, [x];
    ///     ld.global.b32 %f1, [%rd1];
    ///     add.rn.f32 %f1, %f1, %f1;
    ///     st.global.b32 [%rd1], %f1;
    ///     ret;
    /// }";
    /// // A device that computes 1 + 1 = 3.
    /// let wrong = |_: &_, operands: &[u64], result| {
    ///     if operands == [0x3f80_0000; 2] { 0x4040_0000 } else { result }
    /// };
    /// let mut machine = Machine::new().changed(|form| form.is("add.rn.f32"), wrong);
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// for (x, sum) in [(1.0_f32, 3.0), (2.0, 4.0)] {
    ///     let x = machine.buffer(&[x]);
    ///     machine.launch(&entry, 1, 1, 0, &[Arg::from(x)])?;
    ///     assert_eq!(machine.values::<f32>(x)?[0].to_bits(), f32::to_bits(sum));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn changed(
        mut self,
        concerns: impl Fn(&Spelling) -> bool + Send + Sync + 'static,
        change: impl Fn(&Spelling, &[u64], u64) -> u64 + Send + Sync + 'static,
    ) -> Self {
        self.replacement.set_changes(Arc::new(concerns), Arc::new(change));
        self
    }

    /// Returns the reports of the last launch, in the order of the blocks. Checks and
    /// [`births`](Self::births) make reports.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Sets the order of blocks, warps and groups of a warp by a seed, with short turns. Without a
    /// seed they run in the order of their numbers. A program without races has the same result in
    /// every order.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module};
    ///
    /// // All threads write to one word: which one is the last depends on the order.
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x) {
    ///     .reg .b32 %r<2>; .reg .b64 %rd<2>;
    ///     ld.param.u64 %rd1, [x];
    ///     mov.u32 %r1, %ctaid.x;
    ///     st.global.u32 [%rd1], %r1;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new().threads(std::num::NonZeroUsize::MIN);
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// let x = machine.buffer(&[0_u32]);
    /// let mut last = |seed| {
    ///     machine.set_schedule(seed);
    ///     machine.launch(&entry, 64, 1, 0, &[Arg::from(x)])?;
    ///     Ok::<u32, ptxf_vm::Fault>(machine.values(x)?[0])
    /// };
    /// assert_eq!(last(None)?, 63);
    /// assert_eq!(last(Some(1))?, last(Some(1))?);
    /// assert_ne!(last(Some(1))?, last(Some(2))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn set_schedule(&mut self, seed: Option<u64>) {
        self.schedule = seed;
    }

    /// Sets the most instructions of all warps of a block. A launch that runs more is a fault. The
    /// default is 2^32.
    pub const fn set_limit(&mut self, instructions: u64) {
        self.limit = instructions;
    }

    /// Sets a function that gets the output of each `printf`. The default is the standard output.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use ptxf_vm::{Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90
    /// .global .align 1 .b8 words[] = {111, 110, 101, 10, 0};
    /// .extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 values);
    /// .visible .entry k() {
    ///     .param .b64 format; .param .b64 values; .param .b32 count; .reg .b64 %rd<2>;
    ///     mov.u64 %rd0, words;
    ///     cvta.global.u64 %rd0, %rd0;
    ///     st.param.b64 [format], %rd0;
    ///     st.param.b64 [values], 0;
    ///     call.uni (count), vprintf, (format, values);
    ///     ret;
    /// }";
    /// let printed = Arc::new(Mutex::new(Vec::new()));
    /// let mut machine = Machine::new();
    /// machine.set_output({
    ///     let printed = printed.clone();
    ///     move |text| printed.lock().unwrap().extend_from_slice(text)
    /// });
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// machine.launch(&entry, 1, 2, 0, &[])?;
    /// assert_eq!(*printed.lock().unwrap(), b"one\none\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_output(&mut self, output: impl Fn(&[u8]) + Send + Sync + 'static) {
        self.output = Output(Box::new(output));
    }

    /// Sets a function that gets the number of finished blocks, and of all blocks, when a block
    /// ends. Several threads can call it at once.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use ptxf_vm::{Machine, Module};
    ///
    /// static ENDED: AtomicU64 = AtomicU64::new(0);
    /// let mut machine = Machine::new();
    /// machine.set_progress(|ended, blocks| {
    ///     assert!(ended <= blocks && blocks == 6);
    ///     ENDED.fetch_max(ended, Ordering::Relaxed);
    /// });
    /// let module = Module::parse(".version 7.8\n.target sm_90\n.entry k() { ret; }")?;
    /// let entry = machine.load(&module)?.entry("k")?;
    /// machine.launch(&entry, (3, 2), 1, 0, &[])?;
    /// assert_eq!(ENDED.load(Ordering::Relaxed), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_progress(&mut self, progress: impl Fn(u64, u64) + Send + Sync + 'static) {
        self.progress = Some(Progress(Box::new(progress)));
    }

    /// Loads a module: allocates and initializes its variables.
    ///
    /// # Errors
    ///
    /// Returns an error if an initial value is the address of an undefined name.
    pub fn load(&mut self, module: &Module) -> Result<Program, Error> {
        Ok(Program { loaded: Loaded::new(module, &mut self.memory, self.number, self.replacement.clone())?.into() })
    }

    /// Allocates memory with undefined contents.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.alloc(3);
    /// machine.write(x, 1, &[7, 8])?;
    /// assert_eq!(machine.read(x)?[1..], [7, 8]);
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn alloc(&mut self, bytes: usize) -> Buffer {
        let bytes = bytes as u64;
        Buffer { address: self.memory.allocate(bytes, 1, None), bytes }
    }

    /// Frees the variables of a program. Its entries fault if they use one.
    ///
    /// # Errors
    ///
    /// Returns a fault if another machine loaded the program, or if the program was unloaded before
    /// and had variables.
    pub fn unload(&mut self, program: &Program) -> Result<(), Fault> {
        if program.loaded.machine != self.number {
            return Err(Fault::new(FaultKind::Launch, "a program that was loaded into another machine"));
        }
        for (name, address) in program.loaded.variables() {
            if !self.memory.free(address) {
                return Err(Fault::new(FaultKind::Freed, format!("the variable `{name}` was freed before")));
            }
        }
        Ok(())
    }

    /// Allocates memory of this process that kernels access at its own address, which CUDA calls
    /// pinned memory. Its contents are undefined.
    ///
    /// The machine accesses the memory as atomic words. Accesses of the process must not race with
    /// a launch.
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.alloc_host(3);
    /// machine.write(x, 0, &[1, 2, 3])?;
    /// assert_eq!((machine.read(x)?, x.address() % 256), (vec![1, 2, 3], 0));
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn alloc_host(&mut self, bytes: usize) -> Buffer {
        let bytes = bytes as u64;
        Buffer { address: self.memory.allocate_host(bytes), bytes }
    }

    /// Returns the memory of `bytes` bytes at a device address.
    ///
    /// # Errors
    ///
    /// Returns a fault if no allocation has all of these bytes, or if it was freed.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.buffer(&[1_u8, 2, 3, 4]);
    /// let inside = machine.at(x.address() + 1, 2)?;
    /// machine.write(inside, 1, &[9])?;
    /// assert_eq!((machine.read(inside)?, machine.read(x)?), (vec![2, 9], vec![1, 2, 9, 4]));
    /// let fault = machine.at(x.address() + 1, 4).unwrap_err();
    /// assert!(fault.what().ends_with("3 bytes before the end of buffer #1 of 4 bytes"));
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn at(&self, address: u64, bytes: u64) -> Result<Buffer, Fault> {
        let buffer = Buffer { address, bytes };
        self.accessible(buffer)?;
        Ok(buffer)
    }

    /// Returns the buffer or variable that has the byte at this address. Returns `None` if there is
    /// none.
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.alloc(8);
    /// assert_eq!(machine.around(x.address() + 7), Some(x));
    /// assert_eq!(machine.around(x.address() + 8), None);
    /// ```
    #[must_use]
    pub fn around(&self, address: u64) -> Option<Buffer> {
        self.memory.around(address).map(|(address, bytes)| Buffer { address, bytes })
    }

    /// Allocates memory with these values.
    pub fn buffer<T: Element>(&mut self, values: &[T]) -> Buffer {
        let mut bytes = Vec::with_capacity(values.len() * T::BYTES);
        values.iter().for_each(|value| value.put(&mut bytes));
        let buffer = self.alloc(bytes.len());
        if let Ok(allocation) = self.memory.find(buffer.address, buffer.bytes) {
            allocation.fill(0, &bytes);
        }
        buffer
    }

    /// Frees memory. Its address is never used again, so that later accesses are faults.
    ///
    /// # Errors
    ///
    /// Returns a fault if the buffer belongs to another machine, or was freed.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.buffer(&[1_u8]);
    /// machine.free(x)?;
    /// assert_eq!(machine.read(x).unwrap_err().kind(), ptxf_vm::FaultKind::Freed);
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn free(&mut self, buffer: Buffer) -> Result<(), Fault> {
        if self.memory.free(buffer.address) {
            return Ok(());
        }
        Err(self
            .accessible(buffer)
            .err()
            .unwrap_or_else(|| Fault::new(FaultKind::Freed, "a buffer that cannot be freed")))
    }

    /// Writes bytes to a buffer at an offset.
    ///
    /// # Errors
    ///
    /// Returns a fault if the bytes do not fit into the buffer, or if it was freed.
    pub fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Fault> {
        let (offset, count) = (offset as u64, bytes.len() as u64);
        if offset > buffer.bytes || count > buffer.bytes - offset {
            let what = format!("write of {count} bytes at offset {offset} of a buffer of {} bytes", buffer.bytes);
            return Err(Fault::new(FaultKind::OutOfBounds, what));
        }
        let allocation = self.accessible(buffer)?;
        allocation.fill(allocation.offset(buffer.address) + offset, bytes);
        Ok(())
    }

    /// Returns the bytes of a buffer.
    ///
    /// # Errors
    ///
    /// Returns a fault if the buffer was freed.
    pub fn read(&self, buffer: Buffer) -> Result<Vec<u8>, Fault> {
        let allocation = self.accessible(buffer)?;
        Ok(allocation.bytes(allocation.offset(buffer.address), buffer.bytes))
    }

    /// Returns the values of a buffer, without an incomplete value at its end.
    ///
    /// # Errors
    ///
    /// Returns a fault if the buffer was freed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::F16;
    ///
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.buffer(&[F16::ONE, F16::from_f32(-2.0)]);
    /// assert_eq!(machine.values::<u16>(x)?, [0x3c00, 0xc000]);
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn values<T: Element>(&self, buffer: Buffer) -> Result<Vec<T>, Fault> {
        Ok(self.read(buffer)?.chunks_exact(T::BYTES).map(T::get).collect())
    }

    fn accessible(&self, buffer: Buffer) -> Result<&super::memory::Allocation, Fault> {
        self.memory.find(buffer.address, buffer.bytes).map_err(|refused| {
            let what = format!("{} bytes at {:#x}, {}", buffer.bytes, buffer.address, refused.what);
            Fault { buffer: refused.buffer, ..Fault::new(refused.kind, what) }
        })
    }

    /// Runs an entry on a grid of blocks.
    ///
    /// `block_of` is the number of threads of a block, and `shared` the dynamic shared memory of a
    /// block in bytes.
    ///
    /// # Errors
    ///
    /// Returns a fault if the entry cannot take the sizes or arguments, or if a thread does
    /// something wrong. The fault is that of the block with the lowest index. Buffers keep the
    /// values that were written before it.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x, .param .f32 f) {
    ///     .reg .b32 %r<3>; .reg .b64 %rd<4>;
    ///     ld.param.u64 %rd1, [x];
    ///     ld.param.f32 %r1, [f];
    ///     mov.u32 %r2, %ctaid.x;
    ///     mul.wide.u32 %rd2, %r2, 4;
    ///     add.u64 %rd3, %rd1, %rd2;
    ///     st.global.f32 [%rd3], %r1;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// let x = machine.buffer(&[0_u32; 3]);
    /// machine.launch(&entry, 2, 1, 0, &[Arg::from(x), Arg::from(0.5_f32)])?;
    /// assert_eq!(machine.values::<u32>(x)?, [0x3f00_0000, 0x3f00_0000, 0]);
    ///
    /// let fault = machine.launch(&entry, 2, 1, 0, &[Arg::from(x), Arg::from(1_u32)]).unwrap_err();
    /// let what = "argument 2 of `k` is an integer of 32 bits; line 3 declares `f`";
    /// assert!(fault.what().starts_with(what));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn launch(
        &mut self,
        entry: &Entry,
        grid: impl Into<Extent>,
        block_of: impl Into<Extent>,
        shared: u32,
        args: &[Arg],
    ) -> Result<(), Fault> {
        self.run(entry, sizes(grid, block_of, shared, false), args, None).map(|_| ())
    }

    /// Runs an entry as [`launch`](Self::launch) does. The arguments are one block of bytes, with
    /// each argument at the offset that [`Entry::parameters`] returns.
    ///
    /// With `at_once` all blocks run at the same time, each on a thread of this process. They may
    /// wait for each other, as the blocks of a cooperative launch do.
    ///
    /// # Errors
    ///
    /// Returns a fault as [`launch`](Self::launch) does, and if the number of bytes is not the
    /// entry's.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u16 a, .param .u64 x) {
    ///     .reg .b16 %h1; .reg .b64 %rd1;
    ///     ld.param.u16 %h1, [a];
    ///     ld.param.u64 %rd1, [x];
    ///     st.global.u16 [%rd1], %h1;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// assert_eq!(entry.parameters().collect::<Vec<_>>(), [(0, 2), (8, 8)]);
    /// let x = machine.alloc(2);
    /// let mut block = [0; 16];
    /// block[..2].copy_from_slice(&[7, 8]);
    /// block[8..].copy_from_slice(&x.address().to_le_bytes());
    /// machine.launch_bytes(&entry, 1, 1, 0, &block, false)?;
    /// assert_eq!(machine.read(x)?, [7, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn launch_bytes(
        &mut self,
        entry: &Entry,
        grid: impl Into<Extent>,
        block_of: impl Into<Extent>,
        shared: u32,
        arguments: &[u8],
        at_once: bool,
    ) -> Result<(), Fault> {
        let sizes = sizes(grid, block_of, shared, at_once);
        self.fits(entry, sizes)?;
        if arguments.len() != entry.size as usize {
            let (name, passed) = (entry.name(), arguments.len());
            let what = format!("`{name}` takes {} bytes of arguments, and {passed} are passed", entry.size);
            return Err(Fault::new(FaultKind::Launch, what));
        }
        self.execute(entry, sizes, arguments.to_vec(), None).map(|_| ())
    }

    /// Runs an entry as [`launch`](Self::launch) does, and counts the executed instructions. The
    /// counts do not depend on the number of cores.
    ///
    /// # Errors
    ///
    /// Returns the faults of [`launch`](Self::launch).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x) {
    ///     .reg .b32 %r<3>; .reg .b64 %rd<4>;
    ///     ld.param.u64 %rd1, [x];
    ///     mov.u32 %r1, %tid.x;
    ///     mul.wide.u32 %rd2, %r1, 8;
    ///     add.u64 %rd3, %rd1, %rd2;
    ///     ld.global.f32 %r2, [%rd3];
    ///     fma.rn.f32 %r2, %r2, %r2, %r2;
    ///     st.global.f32 [%rd3], %r2;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// let x = machine.buffer(&[1.0_f32; 64]);
    /// let counts = machine.count(&entry, 1, 32, 0, &[Arg::from(x)])?;
    /// let load = &counts.lines()[4];
    /// // Every second word: of each sector of 32 bytes one half is read.
    /// assert_eq!((load.line, load.read, load.sectors), (9, 128, 8));
    /// assert_eq!((counts.total().executed, counts.total().flops), (8, vec![("f32", 64)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(
        &mut self,
        entry: &Entry,
        grid: impl Into<Extent>,
        block_of: impl Into<Extent>,
        shared: u32,
        args: &[Arg],
    ) -> Result<Counts, Fault> {
        self.run(entry, sizes(grid, block_of, shared, false), args, Some(Tool::Count))
    }

    /// Runs an entry as [`launch`](Self::launch) does, and reports where numbers are lost. These
    /// are NaN and infinity out of other operands, flushes of `.ftz`, overflows of `cvt`, and sums
    /// of which more than `bits` leading bits cancel. The default for `bits` is half of the
    /// format's precision. [`reports`](Self::reports) returns each line with its first thread.
    ///
    /// # Errors
    ///
    /// Returns the faults of [`launch`](Self::launch).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module, ReportKind};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .f32 x) {
    ///     .reg .b32 %r<3>;
    ///     ld.param.f32 %r1, [x];
    ///     sqrt.rn.f32 %r1, %r1;
    ///     add.rn.f32 %r2, %r1, 0f3F800000;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// machine.births(&entry, 1, 32, 0, &[Arg::from(-1.0_f32)], None)?;
    /// let [born] = machine.reports() else { panic!("one report is expected") };
    /// assert_eq!((born.kind(), born.line(), born.count()), (ReportKind::NaN, 6, 32));
    /// assert_eq!(born.what(), "`sqrt.rn.f32` of -1.0 is NaN");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn births(
        &mut self,
        entry: &Entry,
        grid: impl Into<Extent>,
        block_of: impl Into<Extent>,
        shared: u32,
        args: &[Arg],
        bits: Option<u32>,
    ) -> Result<(), Fault> {
        self.run(entry, sizes(grid, block_of, shared, false), args, Some(Tool::Births(bits))).map(|_| ())
    }

    /// Runs an entry as [`launch`](Self::launch) does, and passes the steps of each thread to
    /// `sink`, in their order.
    ///
    /// # Errors
    ///
    /// Returns the faults of [`launch`](Self::launch). `sink` has got the steps before the fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use ptxf_vm::{Arg, Filter, Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .f32 x) {
    ///     .reg .b32 %f<3>;
    ///     ld.param.f32 %f1, [x];
    ///     add.rn.f32 %f2, %f1, 0f3F800000;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// let register = Some("%f2".to_owned());
    /// let filter = Filter { thread: Some(5), register, ..Filter::default() };
    /// let steps = Mutex::new(Vec::new());
    /// let sink = |step: &ptxf_vm::Step| steps.lock().unwrap().push(step.clone());
    /// machine.trace(&entry, 1, 32, 0, &[Arg::from(0.5_f32)], &filter, &sink)?;
    /// let steps = steps.into_inner()?;
    /// assert_eq!(steps[0].line, 6);
    /// assert_eq!(steps[0].results[0].to_string(), "%f2 = 0x3fc00000 (1.5)");
    /// assert_eq!(steps.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[expect(clippy::too_many_arguments, reason = "a launch's own, and what is asked for")]
    pub fn trace(
        &mut self,
        entry: &Entry,
        grid: impl Into<Extent>,
        block_of: impl Into<Extent>,
        shared: u32,
        args: &[Arg],
        filter: &Filter,
        sink: &(dyn Fn(&Step) + Sync),
    ) -> Result<(), Fault> {
        let tool = Tool::Trace(filter, sink);
        self.run(entry, sizes(grid, block_of, shared, false), args, Some(tool)).map(|_| ())
    }

    /// Runs an entry as [`launch`](Self::launch) does, and records the floating-point results of
    /// its threads, to be compared with another launch. A value takes about 50 bytes: filter the
    /// threads of large launches.
    ///
    /// # Errors
    ///
    /// Returns the faults of [`launch`](Self::launch).
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Filter, Machine, Module};
    ///
    /// let text = |add: &str| format!(".version 7.8
    /// .target sm_90
    /// .visible .entry k(.param .f32 x) {{
    ///     .reg .b32 %f<3>;
    ///     ld.param.f32 %f1, [x];
    ///     add.{add}.f32 %f2, %f1, 0f3F800000;
    ///     ret;
    /// }}");
    /// let mut machine = Machine::new();
    /// let mut record = |add| {
    ///     let entry = machine.load(&Module::parse(&text(add))?)?.entry("k")?;
    ///     let args = [Arg::from(1e-9_f32)];
    ///     let recording = machine.record(&entry, 1, 1, 0, &args, &Filter::default())?;
    ///     Ok::<_, Box<dyn std::error::Error>>(recording)
    /// };
    /// let comparison = record("rn")?.compare(&record("rp")?, 0.0);
    /// let first = comparison.first.unwrap();
    /// let values = [1.0, 1.0 + f64::from(f32::EPSILON)].map(Some);
    /// assert_eq!((first.source.1, first.values), (6, values));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record(
        &mut self,
        entry: &Entry,
        grid: impl Into<Extent>,
        block_of: impl Into<Extent>,
        shared: u32,
        args: &[Arg],
        filter: &Filter,
    ) -> Result<Recording, Fault> {
        let recording = Mutex::new(Recording::default());
        let sink = |step: &Step| recording.lock().unwrap_or_else(PoisonError::into_inner).add(step);
        self.trace(entry, grid, block_of, shared, args, filter, &sink)?;
        Ok(recording.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn run(&mut self, entry: &Entry, sizes: Sizes, args: &[Arg], tool: Option<Tool<'_>>) -> Result<Counts, Fault> {
        self.fits(entry, sizes)?;
        let read = &*entry.loaded.read;
        let input = block(&read.unit.text, &read.unit.functions[entry.index], &entry.places, entry.size, args)?;
        self.execute(entry, sizes, input, tool)
    }

    fn execute(
        &mut self,
        entry: &Entry,
        sizes: Sizes,
        input: Vec<u8>,
        tool: Option<Tool<'_>>,
    ) -> Result<Counts, Fault> {
        let program = &*entry.loaded;
        let code = program.code(entry.index).map_err(|e| Fault::new(FaultKind::Launch, e.to_string()))?;
        let fixed = u64::from(program.read.statics.shared).next_multiple_of(DYNAMIC_ALIGN) as u32;
        let Sizes { grid, block, shared: dynamic, at_once } = sizes;
        let tools = Tools::new(self.check, tool);
        let launch = Launch {
            program,
            memory: &self.memory,
            output: &self.output,
            progress: self.progress.as_ref(),
            code,
            input,
            grid: grid.0,
            block: block.0,
            dynamic,
            shared: fixed + dynamic,
            limit: self.limit,
            schedule: self.schedule,
            tools: &tools,
            at_once,
            is_over: AtomicBool::new(false),
        };
        let done = launch.run(self.threads);
        let (reports, counts) = tools.found(program);
        self.reports = reports;
        done.map(|()| counts)
    }

    /// Checks that the entry can be launched with these sizes.
    fn fits(&self, entry: &Entry, Sizes { grid, block, shared, at_once }: Sizes) -> Result<(), Fault> {
        let wrong = |what: String| Err(Fault::new(FaultKind::Launch, what));
        if entry.loaded.machine != self.number {
            return wrong(format!("`{}` was loaded into another machine", entry.name()));
        }
        if grid.count() == 0 || grid.count() > 1 << 40 {
            return wrong(format!("a grid of {:?} blocks: 1 to 2^40 are expected", grid.0));
        }
        if at_once && grid.count() > MOST_AT_ONCE {
            return wrong(format!(
                "a grid of {:?} blocks that run at once: at most {MOST_AT_ONCE} are expected",
                grid.0
            ));
        }
        if block.count() == 0 || block.count() > MOST_THREADS {
            return wrong(format!("blocks of {:?} threads: 1 to {MOST_THREADS} are expected", block.0));
        }
        if shared > MOST_SHARED {
            return wrong(format!("{shared} bytes of dynamic shared memory: at most {MOST_SHARED} are expected"));
        }
        let function = &entry.loaded.read.unit.functions[entry.index];
        if let Some(required) = function.required.filter(|required| *required != block.0) {
            return wrong(format!("`{}` asks for blocks of {required:?} threads, not {:?}", entry.name(), block.0));
        }
        let most = entry.most_threads();
        if block.count() > u64::from(most) {
            return wrong(format!("`{}` takes blocks of at most {most} threads, not {:?}", entry.name(), block.0));
        }
        Ok(())
    }
}

fn sizes(grid: impl Into<Extent>, block: impl Into<Extent>, shared: u32, at_once: bool) -> Sizes {
    Sizes { grid: grid.into(), block: block.into(), shared, at_once }
}
