//! Clusters, the heap of kernels, and the report of exactness.

use super::Machine;
use crate::run::argument::Extent;
use crate::run::watch::{Fidelity, Report};

/// The largest size of the heap in bytes.
const MOST_HEAP: u64 = 1 << 36;

impl Machine {
    /// Sets the blocks of a cluster for later launches. An entry with `.reqnctapercluster` has its
    /// own. Blocks of a cluster can access each other's shared memory, and wait for each other at
    /// `barrier.cluster`.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Arg, Machine, Module};
    ///
    /// // Each block writes its number to the shared memory of the next one.
    /// let text = ".version 7.8\n.target sm_90
    /// .shared .u32 s;
    /// .visible .entry k(.param .u64 x) {
    ///     .reg .b32 %r<6>; .reg .b64 %rd<3>;
    ///     mov.u32 %r1, %cluster_ctarank;
    ///     xor.b32 %r2, %r1, 1;
    ///     mov.u32 %r3, s;
    ///     mapa.shared::cluster.u32 %r3, %r3, %r2;
    ///     mov.u32 %r4, %ctaid.x;
    ///     st.shared::cluster.u32 [%r3], %r4;
    ///     barrier.cluster.arrive; barrier.cluster.wait;
    ///     ld.shared.u32 %r5, [s];
    ///     ld.param.u64 %rd1, [x];
    ///     mul.wide.u32 %rd2, %r4, 4;
    ///     add.u64 %rd1, %rd1, %rd2;
    ///     st.global.u32 [%rd1], %r5;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// machine.set_cluster(2);
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// let x = machine.buffer(&[0_u32; 4]);
    /// machine.launch(&entry, 4, 1, 0, &[Arg::from(x)])?;
    /// assert_eq!(machine.values::<u32>(x)?, [1, 0, 3, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_cluster(&mut self, blocks: impl Into<Extent>) {
        self.cluster = blocks.into();
    }

    /// Sets the size in bytes of the heap of `malloc` in kernels, which is at most 2^36. The
    /// default is 8 MiB, as on a device. The heap is made when the first module with a `malloc` is
    /// loaded, and keeps its size from then on.
    ///
    /// Returns `false` if the heap was made before.
    pub const fn set_heap(&mut self, bytes: u64) -> bool {
        if self.memory.has_heap() {
            return false;
        }
        self.heap = if bytes < MOST_HEAP { bytes } else { MOST_HEAP };
        true
    }

    /// Returns a report for each `malloc` whose blocks were not freed, with their number. Later
    /// launches can still free them.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Machine, Module, ReportKind};
    ///
    /// let text = ".version 7.8\n.target sm_90
    /// .extern .func (.param .b64 address) malloc (.param .b64 bytes);
    /// .visible .entry k() {
    ///     .param .b64 bytes; .param .b64 address;
    ///     st.param.b64 [bytes], 24;
    ///     call (address), malloc, (bytes);
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// machine.launch(&entry, 2, 5, 0, &[])?;
    /// let leaks = machine.leaks();
    /// assert_eq!((leaks.len(), leaks[0].kind(), leaks[0].line()), (1, ReportKind::Leak, 7));
    /// assert_eq!((leaks[0].count(), leaks[0].what()), (10, "240 bytes of the heap were not freed"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leaks(&self) -> Vec<Report> {
        let left = self.memory.heap().map_or_else(Vec::new, |(heap, _)| heap.left());
        Report::of_leaks(left)
    }

    /// Makes later launches count their instructions by exactness, which takes several times as
    /// long.
    pub fn count_fidelity(&mut self) {
        self.fidelity.get_or_insert_default();
    }

    /// Returns the instructions of the launches since [`count_fidelity`](Self::count_fidelity), by
    /// exactness and form.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf_vm::{Exactness, Machine, Module};
    ///
    /// let text = ".version 7.8\n.target sm_90\n.visible .entry k() {
    ///     .reg .b32 %f<3>;
    ///     mov.b32 %f1, 0f40000000;
    ///     ex2.approx.f32 %f2, %f1;
    ///     add.rn.f32 %f2, %f2, %f1;
    ///     ret;
    /// }";
    /// let mut machine = Machine::new();
    /// machine.count_fidelity();
    /// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
    /// machine.launch(&entry, 2, 32, 0, &[])?;
    /// let found = machine.fidelity();
    /// assert_eq!((found.lanes(Exactness::Exact), found.lanes(Exactness::Bounded)), (192, 64));
    /// assert_eq!(found.forms().last().unwrap().form, "ex2.approx.f32");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fidelity(&self) -> Fidelity {
        self.fidelity.clone().unwrap_or_default()
    }
}
