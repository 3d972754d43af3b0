//! An interpreter of the kernel language: the reference implementation of a kernel, thread by
//! thread.
//!
//! It reads a kernel's source, as `#[ptx_kernel]` does, and runs it one thread at a time. Scopes,
//! evaluation order and integers are Rust's. Floats are rounded as the documentation of
//! `ptxf::kernel` specifies under *Rounding*, by this crate's oracles. `sync_threads()` suspends a
//! thread until all others of its block have reached it. The interpreter has no groups of threads,
//! masks, phases or classes, and shares no code with the macro's expansion.
//!
//! | | |
//! |---|---|
//! | `lower` | syntax to `tree`, names and types |
//! | `precision` | which floats are f32 |
//! | `number` | the operations of floats |
//! | `several` | tuples and structures: their precision, and their evaluation |
//! | `thread` | one thread, which walks the tree |
//! | `memory` | slices and shared arrays, and races |
//! | `launch` | a grid's blocks, a block's threads |
//!
//! ```
//! use oracle::form::Ty;
//! use oracle::interp::{Argument, Grid, Kernel, Order};
//!
//! let kernel = Kernel::parse("k", &["#[ptx_kernel(pair = F16x2)] fn k(t: ThreadX, x: &[f32], out: &mut [f32]) {
//!     let mut tile = shared::<f32, 4>();
//!     tile[t] = x[t] + 1.0;
//!     sync_threads();
//!     out[t] = unsafe { tile[3 - t] };
//! }"]).unwrap();
//! let grid = Grid { threads: [4, 1, 1], block: [4, 1, 1], order: Order::Serial };
//! let mut arguments = [Argument::Slice(vec![0x3C00, 0, 0x4000, 0x7C00]), Argument::Slice(vec![0; 4])];
//! kernel.run(Ty::F16, grid, &mut arguments).unwrap();
//! assert_eq!(arguments[1], Argument::Slice(vec![0x7C00, 0x4200, 0x3C00, 0x4000]));
//! ```

mod composed;
mod integer;
mod launch;
mod lower;
mod memory;
mod number;
mod precision;
mod several;
#[cfg(test)]
mod tests;
mod thread;
mod tree;
mod types;

use std::collections::HashMap;
use std::fmt;

pub use launch::{Argument, Grid, Order, Touched};
pub use tree::{Int, Type};

use crate::form::Ty;
use lower::{Items, Role};
use tree::{Function, Kind};

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
    /// The source is no kernel's, or the arguments do not fit its parameters.
    Source,
    /// A thread panics.
    Panic,
    /// Two threads access an element, one of them writes it, and no barrier separates them.
    Race,
    /// Threads of a block wait at different barriers, or for a thread that has ended.
    Barrier,
}

impl Fault {
    fn source(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Source, message: message.into() }
    }
    fn panic(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Panic, message: message.into() }
    }
    fn race(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Race, message: message.into() }
    }
    fn barrier(message: impl Into<String>) -> Self {
        Self { kind: FaultKind::Barrier, message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

impl std::error::Error for Fault {}

impl From<syn::Error> for Fault {
    fn from(e: syn::Error) -> Self {
        Self::source(e.to_string())
    }
}

/// A parameter of a kernel and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The parameter's name.
    pub name: String,
    /// The parameter's type, or that of a slice's elements.
    pub ty: Type,
    /// `true` if the parameter is kept: f32 for every element type.
    pub kept: bool,
    /// `true` for a slice.
    pub slice: bool,
    /// `true` for a slice to which threads write.
    pub written: bool,
    /// The Rust name of a slice's narrow format.
    pub stored: Option<&'static str>,
    /// For a slice of arrays or structures: the lengths of each of them along its axes.
    pub rows: Vec<usize>,
}

impl Parameter {
    /// Returns the number of bit patterns of the elements' narrow format. Formats of six and four
    /// bits have zeros in the upper bits.
    #[must_use]
    pub fn codes(&self) -> Option<u64> {
        self.stored.map(|format| match format {
            "E2m3" | "E3m2" => 64,
            "E2m1" => 16,
            _ => 256,
        })
    }
}

/// A table: from the bits of an element to those of the result.
pub type Table = Box<dyn Fn(u32) -> u32 + Send + Sync>;

/// A kernel with the functions that it calls.
pub struct Kernel {
    name: String,
    functions: HashMap<String, Function>,
    axes: usize,
    /// The tables by their names, each with its format.
    tables: HashMap<String, (Ty, Table)>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Kernel {
    /// Reads the kernel of this name from the texts, each of which is items of Rust. The functions
    /// and constants that it names may be in any of them.
    ///
    /// # Errors
    ///
    /// Returns a fault if the texts have no kernel of this name, or if the kernel contains a
    /// construct that kernels cannot have.
    pub fn parse(name: &str, texts: &[&str]) -> Result<Self, Fault> {
        let mut items = Items::default();
        for text in texts {
            items.collect(&syn::parse_file(text)?.items)?;
        }
        let kernel = items.functions.get(name).filter(|f| f.role == Role::Kernel);
        let kernel = kernel.ok_or_else(|| Fault::source(format!("there is no kernel `{name}`")))?;
        let axes = kernel.parameters.iter().filter_map(|p| match p.kind {
            Kind::Index(_, axis) => Some(axis + 1),
            _ => None,
        });
        let axes = axes.max().unwrap_or(1);
        let mut functions = HashMap::new();
        let mut lower = |signature: &lower::Signature| {
            let name = &signature.name;
            let function = lower::function(&items, signature);
            let function = function.map_err(|e| Fault { message: format!("{name}: {}", e.message), ..e })?;
            functions.insert(name.clone(), function);
            Ok::<_, Fault>(())
        };
        for signature in items.functions.values() {
            if !signature.is_open && (signature.role == Role::Function || signature.name == kernel.name) {
                lower(signature)?;
            }
        }
        loop {
            let Some(instance) = items.instances.borrow_mut().pop() else { break };
            items.local.borrow_mut().clone_from(&instance.constants);
            items.own_type.borrow_mut().clone_from(&instance.of);
            lower(&instance)?;
        }
        Ok(Self { name: name.to_owned(), functions, axes, tables: HashMap::new() })
    }

    /// Adds a table that the kernel names. The table is of one format, to which an f32 is rounded
    /// before the look-up.
    #[must_use]
    pub fn with_table(mut self, name: &str, of: Ty, table: Table) -> Self {
        self.tables.insert(name.to_owned(), (of, table));
        self
    }

    /// Returns the number of axes along which the kernel takes an index.
    #[must_use]
    pub const fn axes(&self) -> usize {
        self.axes
    }

    /// Returns the parameters that are not indices, in their order.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let function = self.body();
        let variables = function.parameters.iter().map(|&id| &function.variables[id]);
        variables
            .filter(|v| !matches!(v.kind, Kind::Index(..)))
            .map(|v| Parameter {
                name: v.name.clone(),
                ty: function.types[v.ty],
                kept: v.kept,
                slice: matches!(v.kind, Kind::Slice { .. }),
                written: matches!(v.kind, Kind::Slice { mutable: true, .. }),
                stored: v.stored().map(|s| s.name),
                rows: match &v.structure {
                    Some(structure) => vec![structure.leaves()],
                    None => v.axes.iter().skip(1).copied().collect(),
                },
            })
            .collect()
    }

    /// Returns `true` if the kernel has shared memory.
    #[must_use]
    pub fn shares(&self) -> bool {
        self.body().variables.iter().any(|v| matches!(v.kind, Kind::Shared(_)))
    }

    fn body(&self) -> &Function {
        &self.functions[&self.name]
    }

    fn function(&self, name: &str) -> Result<&Function, Fault> {
        self.functions.get(name).ok_or_else(|| Fault::source(format!("there is no function `{name}`")))
    }
}
