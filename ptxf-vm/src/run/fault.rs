//! Faults of a launch and their places.

use std::fmt;

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// Wrong sizes or arguments of the launch.
    Launch,
    /// An address outside of all memory that the thread can access.
    OutOfBounds,
    /// An address that is not a multiple of the access size.
    Misaligned,
    /// An access of a freed buffer.
    Freed,
    /// A write to read-only memory.
    ReadOnly,
    /// `trap`, or a call of a function without a body.
    Trap,
    /// A failed assertion of the program.
    Assert,
    /// Threads that wait for each other forever.
    Deadlock,
    /// A wrong use of a barrier, or of an instruction among lanes.
    Synchronization,
    /// Too many nested calls or too much local memory.
    StackOverflow,
    /// More instructions than [`Machine::set_limit`](crate::Machine::set_limit) allows.
    Limit,
    /// A call through a register that does not contain a function.
    Call,
}

/// A fault that ended a launch.
///
/// `Display` and `Debug` print the PTX line, the thread and its registers.
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
/// let text = "write of 4 bytes at 0x100000000008, 0 bytes past the end of buffer #1 of 8 bytes";
/// assert!(fault.to_string().starts_with(text));
/// assert_eq!(fault.buffer(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) what: String,
    pub(crate) buffer: Option<usize>,
    pub(crate) place: Option<Box<Site>>,
}

/// The place of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) kernel: String,
    pub(crate) block: [u32; 3],
    pub(crate) thread: [u32; 3],
    pub(crate) warp: u32,
    pub(crate) lane: u32,
    pub(crate) line: usize,
    pub(crate) text: String,
    /// Names, values and sizes in bits of registers.
    pub(crate) values: Vec<(String, u64, u32)>,
    pub(crate) source: Option<(String, u32)>,
}

impl Fault {
    /// Makes a fault without a thread.
    pub(crate) fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), buffer: None, place: None }
    }

    /// Returns the kind of fault.
    #[must_use]
    pub const fn kind(&self) -> FaultKind {
        self.kind
    }

    /// Returns the message without the place.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns the number of the buffer of a wrong access, counted from 1 in the order of
    /// allocation. Returns `None` if no buffer is near.
    #[must_use]
    pub const fn buffer(&self) -> Option<usize> {
        self.buffer
    }

    /// Returns the line of the PTX text, counted from 1. It is 0 for [`FaultKind::Launch`].
    #[must_use]
    pub fn line(&self) -> usize {
        self.place.as_ref().map_or(0, |site| site.line)
    }

    /// Returns the index of the block. Returns `None` if no thread caused the fault.
    #[must_use]
    pub fn block(&self) -> Option<[u32; 3]> {
        self.place.as_ref().map(|site| site.block)
    }

    /// Returns the name of the entry. Returns `None` if no thread caused the fault.
    #[must_use]
    pub fn kernel(&self) -> Option<&str> {
        self.place.as_ref().map(|site| &*site.kernel)
    }

    /// Returns the text of the instruction. Returns `None` if no thread caused the fault.
    #[must_use]
    pub fn instruction(&self) -> Option<&str> {
        self.place.as_ref().map(|site| &*site.text)
    }

    /// Returns the source file and line of the instruction. Returns `None` if the text has no
    /// `.loc`.
    #[must_use]
    pub fn source(&self) -> Option<(&str, u32)> {
        self.place.as_ref()?.source.as_ref().map(|(file, line)| (&**file, *line))
    }

    /// Returns the index of the thread in its block. Returns `None` if no thread caused the fault.
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
    /// Prints lines that follow the message.
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

/// Prints what `Display` prints: a test or a `main` that returns the fault shows its `Debug`.
impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Fault {}
