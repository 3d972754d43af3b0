//! Faults that leave a kernel without a result.

use std::fmt;

/// A fault that leaves a kernel without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    message: String,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A thread panics.
    Panic,
    /// Two threads access an element, one of them writes it, and no barrier separates them.
    Race,
    /// Threads of a block wait at different barriers, or for a thread that has ended.
    Barrier,
}

impl Fault {
    pub(crate) fn panic(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Panic, message: message.into() }
    }
    pub(crate) fn race(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Race, message: message.into() }
    }
    pub(crate) fn barrier(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Barrier, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Fault {}
