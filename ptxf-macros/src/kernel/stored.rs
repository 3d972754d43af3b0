//! Formats that slices have in memory and nothing computes in.
//!
//! An element of such a slice is a float in the body: it is converted where it is read, exactly but for a scale that f16 has no
//! number for, and rounded once where it is written. So it has no precision of its own. Like a literal it becomes what it meets, an
//! element or, if that is kept, f32; what is written to it may be either.

use super::header;
use super::names::spelled;

/// The format of a slice's elements in memory; its name is that of the Rust type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    E4m3,
    E5m2,
    E2m3,
    E3m2,
    E2m1,
    /// Two of them in a byte; the slice is indexed by element.
    E2m1x2,
    /// A power of two, a scale of others.
    Ue8m0,
}

/// All of them.
const FORMATS: [Stored; 7] =
    [Stored::E4m3, Stored::E5m2, Stored::E2m3, Stored::E3m2, Stored::E2m1, Stored::E2m1x2, Stored::Ue8m0];

impl Stored {
    /// As Rust and a kernel call it.
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

    /// The format that a slice's type names, by itself or as the library's.
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

    /// Why no thread can write to such a slice, and what to do.
    pub(super) const fn not_an_output(self) -> Option<&'static str> {
        match self {
            Self::E2m1x2 => Some("two threads would write to one byte: write to a `&mut [E2m1]`, an element to a byte"),
            Self::Ue8m0 => Some(
                "a scale is rounded down or up to a power of two, which an assignment does not say: compute it in f32, and \
                 convert it outside of the kernel",
            ),
            _ => None,
        }
    }
}
