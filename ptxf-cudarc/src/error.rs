//! Errors of loads and launches.

use std::fmt;

use cudarc::driver::DriverError;
use ptxf::kernel::GridError;

/// An error of a load or a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The driver returned an error.
    Driver {
        /// The operation, such as `launching saxpy_pair`.
        what: String,
        /// The driver's error.
        error: DriverError,
    },
    /// The driver's compiler refused the PTX.
    Ptx {
        /// The driver's error.
        error: DriverError,
        /// The log of the driver's compiler.
        log: String,
    },
    /// The PTX has no such entry.
    NoEntry {
        /// The name of the entry.
        name: String,
    },
    /// An argument is memory of another context than the kernels.
    OtherContext {
        /// The name of the entry.
        name: String,
    },
    /// A device cannot launch the grid.
    Grid(GridError),
}

impl Error {
    /// Returns a conversion of the driver's error during an operation.
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
