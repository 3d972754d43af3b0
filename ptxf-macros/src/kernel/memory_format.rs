//! The formats of slices that kernels do not compute in.
//!
//! An element of such a slice is a float in the body. It is converted where it is read, exactly
//! except for a scale that is out of range in f16, and rounded once where it is written. So the
//! element has no precision of its own. Like a literal it becomes an element, or f32 if the other
//! operand is f32.

use super::header;
use super::names::spelled;

/// The format of a slice's elements in memory, with the name of the Rust type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    E4m3,
    E5m2,
    E2m3,
    E3m2,
    E2m1,
    /// Two numbers in a byte. The slice is indexed by number.
    E2m1x2,
    /// A power of two, which scales other numbers.
    Ue8m0,
}

/// All formats.
const FORMATS: [Stored; 7] =
    [Stored::E4m3, Stored::E5m2, Stored::E2m3, Stored::E3m2, Stored::E2m1, Stored::E2m1x2, Stored::Ue8m0];

impl Stored {
    /// Returns the name in Rust and in kernels.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::E4m3 => "E4m3",
            Self::E5m2 => "E5m2",
            Self::E2m3 => "E2m3",
            Self::E3m2 => "E3m2",
            Self::E2m1 => "E2m1",
            Self::E2m1x2 => "E2m1x2",
            Self::Ue8m0 => "Ue8m0",
        }
    }

    /// Returns the format that a slice's element type names, with the library's path or without.
    pub(super) fn of(ty: &syn::Type, krate: &str) -> Option<Self> {
        let syn::Type::Path(path) = header::bare(ty) else {
            return None;
        };
        let found = spelled(path);
        let found = found.trim_start_matches("::");
        let of = |f: &&Self| {
            let name = f.name();
            found == name
                || ["ptxf", "ptxf_core", krate.trim_start_matches("::")].iter().any(|k| found == format!("{k}::{name}"))
        };
        FORMATS.iter().find(of).copied()
    }

    /// Returns the reason why the format cannot be an output, and what to write. `None` if it can.
    pub(super) const fn not_an_output(self) -> Option<&'static str> {
        match self {
            Self::E2m1x2 => Some(
                "two threads would write to one byte: write to a `&mut [E2m1]`, with one element in \
                                  a byte",
            ),
            Self::Ue8m0 => Some(
                "a scale is rounded down or up to a power of two, and an assignment names neither: compute it in \
                 f32, and convert it outside of the kernel",
            ),
            _ => None,
        }
    }
}
