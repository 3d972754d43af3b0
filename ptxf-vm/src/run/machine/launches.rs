//! Launches of entries, with and without tools.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};

use super::Machine;
use crate::run::argument::{Arg, Extent, block};
use crate::run::fault::{Fault, FaultKind};
use crate::run::launch::{Launch, Sizes};
use crate::run::program::Entry;
use crate::run::shared::PEER;
use crate::run::watch::{Counts, Filter, Step, Tool, Tools};
use crate::run::{MOST_THREADS, RESERVED, Recording};

/// The most blocks that run at the same time.
const MOST_AT_ONCE: u64 = 1024;
/// The most blocks of a cluster, as on every device.
const MOST_IN_CLUSTER: u64 = 16;
/// The most dynamic shared memory of a launch, in bytes.
const MOST_SHARED: u32 = 1 << 24;

impl Machine {
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
    /// With `at_once` all blocks start and take turns: they may wait for each other, as the blocks
    /// of a cooperative launch do. The barrier of the grid in CUDA's cooperative groups is then
    /// there.
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
        let Sizes { grid, block, shared: dynamic, at_once } = sizes;
        let tools = Tools::new(self.check, tool.or(self.fidelity.is_some().then_some(Tool::Count)));
        let mut shared = program.read.statics.shared_of(entry.index).with(dynamic);
        let reserved = shared.next_multiple_of(16);
        if program.read.unit.text.contains("%reserved_smem_") {
            shared = reserved + RESERVED;
        }
        let cluster = self.cluster_of(entry);
        let workspace = if at_once { self.memory.workspace() } else { 0 };
        let launch = Launch {
            program,
            memory: &self.memory,
            objects: &self.objects,
            output: &self.output,
            progress: self.progress.as_ref(),
            code,
            input,
            grid: grid.0,
            block: block.0,
            cluster,
            dynamic,
            shared,
            reserved,
            workspace,
            limit: self.limit,
            schedule: self.schedule,
            tools: &tools,
            at_once,
            failed: AtomicU64::new(u64::MAX),
        };
        let done = launch.run(self.threads);
        let (reports, counts) = tools.found(program);
        self.reports = reports;
        if let Some(fidelity) = &mut self.fidelity {
            fidelity.add(&counts);
        }
        done.map(|()| counts)
    }

    /// Returns the blocks of a cluster: those of `.reqnctapercluster`, or of the machine.
    fn cluster_of(&self, entry: &Entry) -> [u32; 3] {
        entry.loaded.read.unit.functions[entry.index].cluster.unwrap_or(self.cluster.0)
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
        let cluster = self.cluster_of(entry);
        if (0..3).any(|axis| cluster[axis] == 0 || !grid.0[axis].is_multiple_of(cluster[axis])) {
            return wrong(format!("a grid of {:?} blocks: whole clusters of {cluster:?} are expected", grid.0));
        }
        let size = cluster.iter().map(|n| u64::from(*n)).product::<u64>();
        if size > MOST_IN_CLUSTER {
            return wrong(format!("clusters of {cluster:?} blocks: at most {MOST_IN_CLUSTER} are expected"));
        }
        if size > 1 && u64::from(entry.loaded.read.statics.shared_of(entry.index).with(shared)) > PEER {
            return wrong(format!("more than {PEER} bytes of shared memory of a block in a cluster"));
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
