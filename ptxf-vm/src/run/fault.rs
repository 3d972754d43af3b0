//! What a thread did wrong, and where.

use std::fmt;

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The launch itself is wrong: its sizes or its arguments.
    Launch,
    /// An address outside of everything that the thread may touch.
    OutOfBounds,
    /// An address that is no multiple of the size of the access.
    Misaligned,
    /// A buffer that was freed.
    Freed,
    /// A write to memory that is read only.
    ReadOnly,
    /// `trap`, or the call of a function without a body.
    Trap,
    /// An assertion of the program that is false.
    Assert,
    /// Threads that wait, and nobody who could end that.
    Deadlock,
    /// A wrong use of a barrier or of an instruction among lanes.
    Synchronization,
    /// More calls or local memory than there are.
    StackOverflow,
    /// More instructions than [`Machine::set_limit`](crate::Machine::set_limit) allows.
    Limit,
    /// What is called through a register is no function, or cannot run.
    Call,
}

/// What stopped a launch; displays with the line of PTX, the thread and its registers.
///
/// # Examples
///
/// ```
/// use ptxf_vm::{Arg, FaultKind, Machine, Module};
///
/// let text = ".version 7.8\n.target sm_90\n.visible .entry k(.param .u64 x) {
///     .reg .b64 %rd1;
///     ld.param.u64 %rd1, [x];
///     st.global.b32 [%rd1+8], 7;
///     ret;
/// }";
/// let mut machine = Machine::new();
/// let entry = machine.load(&Module::parse(text)?)?.entry("k")?;
/// let x = machine.buffer(&[0_u32; 2]);
/// let fault = machine.launch(&entry, 1, 1, 0, &[Arg::from(x)]).unwrap_err();
/// assert_eq!((fault.kind(), fault.line()), (FaultKind::OutOfBounds, 6));
/// assert!(fault.to_string().contains("write of 4 bytes at 0x100000000008, 0 bytes past the end of buffer #1 of 8 bytes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) what: String,
    pub(crate) place: Option<Box<Site>>,
}

/// Where a fault was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) kernel: String,
    pub(crate) block: [u32; 3],
    pub(crate) thread: [u32; 3],
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Names and values of registers, and how many bits they have.
    pub(crate) values: Vec<(String, u64, u32)>,
    pub(crate) source: Option<(String, u32)>,
}

impl Fault {
    /// A fault of no thread.
    pub(crate) fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), place: None }
    }

    /// What kind of fault it is.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    /// What happened, without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The line of the PTX text, counted from 1; 0 if the launch itself is wrong.
    #[must_use]
    pub fn line(&self) -> usize {
        self.place.as_ref().map_or(0, |site| site.line)
    }

    /// The block, if a thread is at fault.
    #[must_use]
    pub fn block(&self) -> Option<[u32; 3]> {
        self.place.as_ref().map(|site| site.block)
    }

    /// The name of the entry.
    #[must_use]
    pub fn kernel(&self) -> Option<&str> {
        self.place.as_ref().map(|site| &*site.kernel)
    }

    /// The instruction as the text has it.
    #[must_use]
    pub fn instruction(&self) -> Option<&str> {
        self.place.as_ref().map(|site| &*site.text)
    }

    /// The source file and the line in it that the instruction was compiled from, if the text says so.
    #[must_use]
    pub fn source(&self) -> Option<(&str, u32)> {
        self.place.as_ref()?.source.as_ref().map(|(file, line)| (&**file, *line))
    }

    /// The thread in its block.
    #[must_use]
    pub fn thread(&self) -> Option<[u32; 3]> {
        self.place.as_ref().map(|site| site.thread)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.place.as_ref().map_or(Ok(()), |site| site.fmt(f))
    }
}

impl fmt::Display for Site {
    /// Lines of their own, below what happened.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        let Self { kernel, warp, lane, line, text, .. } = self;
        write!(
            f,
            "\n  kernel   {kernel}, block ({bx}, {by}, {bz}), thread ({tx}, {ty}, {tz}), warp {warp}, lane {lane}"
        )?;
        write!(f, "\n  PTX      {line}:  {text}")?;
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(name, value, bits)| format!("{name} = {value:#0width$x}", width = *bits as usize / 4 + 2))
            .collect();
        if !values.is_empty() {
            write!(f, "      {}", values.join(", "))?;
        }
        if let Some((file, line)) = &self.source {
            write!(f, "\n  source   {file}:{line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
