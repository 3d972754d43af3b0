//! The machine: its settings and its programs.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ptxf::spec::{FormInfo, Spelling};
use ptxf::tables::device::Model;
use ptxf_text::Error;

use super::argument::Extent;
use super::fault::{Fault, FaultKind};
use super::memory::Memory;
use super::objects::Objects;
use super::output::Output;
use super::program::{Loaded, Module, Program};
use super::progress::Progress;
use super::watch::{Check, Fidelity, Report};
use crate::exec::replacement::Replacement;

mod buffers;
mod launches;
mod mappings;
mod system;
mod textures;

/// The number of machines so far, which distinguishes their entries.
static MACHINES: AtomicU64 = AtomicU64::new(0);

/// The default limit of instructions of a block.
const LIMIT: u64 = 1 << 32;
/// The default size of the heap in bytes.
const HEAP: u64 = 8 << 20;

/// A simulated device: global memory, and all cores of this CPU.
#[derive(Debug)]
pub struct Machine {
    memory: Memory,
    objects: Objects,
    number: u64,
    threads: usize,
    limit: u64,
    output: Output,
    progress: Option<Progress>,
    check: Check,
    schedule: Option<u64>,
    replacement: Replacement,
    reports: Vec<Report>,
    /// The executed instructions of all launches, if they are counted.
    fidelity: Option<Fidelity>,
    /// The size of the heap in bytes.
    heap: u64,
    cluster: Extent,
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
            objects: Objects::new(number),
            number,
            threads,
            limit: LIMIT,
            output: Output::default(),
            progress: None,
            check: Check::default(),
            schedule: None,
            replacement: Replacement::default(),
            reports: Vec::new(),
            fidelity: None,
            heap: HEAP,
            cluster: Extent::from(1),
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

    /// Sets the number of the target whose matrix unit multiplies. `None` is the module's target.
    pub(crate) const fn set_matrix(&mut self, sm: Option<u32>) {
        self.replacement.matrix = sm;
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
        if module.read.allocates() {
            self.memory.add_heap(self.heap);
        }
        Ok(Program { loaded: Loaded::new(module, &mut self.memory, self.number, self.replacement.clone())?.into() })
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
}
