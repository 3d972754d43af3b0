//! What goes wrong.

use std::fmt;

use cudarc::driver::DriverError;
use ptxf::kernel::GridError;

/// Why kernels were not loaded or launched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The driver's answer, and what it was asked for.
    Driver {
        /// What was tried.
        what: String,
        /// What it said.
        error: DriverError,
    },
    /// The driver's compiler does not take the PTX.
    Ptx {
        /// What the driver said.
        error: DriverError,
        /// What its compiler printed.
        log: String,
    },
    /// The PTX has no such entry.
    NoEntry {
        /// Its name.
        name: String,
    },
    /// A slice is memory of another context than the kernels.
    OtherContext {
        /// The entry.
        name: String,
    },
    /// The grid is none for a device.
    Grid(GridError),
}

impl Error {
    /// What was tried when the driver said that.
    pub(crate) fn at(what: impl Into<String>) -> impl FnOnce(DriverError) -> Self {
        |error| Self::Driver { what: what.into(), error }
    }
}

impl From<GridError> for Error {
    fn from(error: GridError) -> Self {
        Self::Grid(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Driver { what, error } => write!(f, "{what}: {error}"),
            Self::Ptx { error, log } => write!(f, "the driver does not take the PTX: {error}\n{log}"),
            Self::NoEntry { name } => {
                write!(f, "the PTX has no entry `{name}`: it was compiled from other kernels than are launched")
            }
            Self::OtherContext { name } => {
                write!(f, "a slice for `{name}` is memory of another context than the kernels")
            }
            Self::Grid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Driver { error, .. } | Self::Ptx { error, .. } => Some(error),
            Self::Grid(error) => Some(error),
            Self::NoEntry { .. } | Self::OtherContext { .. } => None,
        }
    }
}
