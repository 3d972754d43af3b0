//! The table of PTX's instructions: read from `spec/*.spec`, validated, expanded.
//!
//! An *instruction* is `fma`. A *row* is one line of the manual's grammar, `fma.rnd{.ftz}.relu.f16x2 d, a, b, c`. A *form* is one
//! legal spelling, `fma.rn.ftz.relu.f16x2`, and a row stands for all forms that its choices allow. A *method* is the Rust spelling of a
//! form, `F16x2::fma_rn_ftz_relu`.
//!
//! ```text
//! text ─ lex ► words with places ─ parse ► sections, rows, examples ─ model ► forms ─ validate ► the table
//! the table ─ expand ► functions, methods, slices, `FORMS`, callbacks, models; `ptx!` checks spellings against it
//!
//! forms(row):
//!     for each choice of the optional parts and of the sets (`.rnd` is one of `.rn`, `.rz`, …):
//!         modifiers := the names chosen, in the manual's order
//!         version and target := the row's, or the highest of the refinements (`.xorsign ptx 7.2 sm 86`) that apply
//!         examples := those `eg` clauses whose names the form has, the most special first
//! ```
//!
//! Every fact stands once: a modifier's sentence in `modifier`, an instruction's in its section, versions and targets in the row.
//!
//! - **The table is text, not Rust tokens** passed to a macro. `ptx!` needs the same table, and tokens that are made of a file have no
//!   place; a lexer of 120 lines keeps places, so that a complaint names file, line and column.
//! - **A spelling without rounding has no function.** `add.f16` is legal PTX and means `add.rn.f16`. It has its entry in `FORMS`, and `ptx!` and
//!   the command accept it, but Rust names always spell the rounding.
//! - **`min` and `max` of three inputs are called `min3` and `max3`.** PTX tells them apart by the number of operands, which Rust's
//!   functions cannot.

mod evidence;
pub(crate) mod expand;
mod lex;
pub(crate) mod model;
pub(crate) mod modifier;
pub(crate) mod parse;
mod validate;
mod value;

use std::sync::OnceLock;

use proc_macro2::Span;

use lex::Source;
use model::Table;

/// The table's files, one a family.
const FILES: &[Source] = &[
    Source { name: "spec/arith.spec", text: include_str!("../spec/arith.spec") },
    Source { name: "spec/fma.spec", text: include_str!("../spec/fma.spec") },
    Source { name: "spec/sign.spec", text: include_str!("../spec/sign.spec") },
    Source { name: "spec/minmax.spec", text: include_str!("../spec/minmax.spec") },
    Source { name: "spec/quotient.spec", text: include_str!("../spec/quotient.spec") },
    Source { name: "spec/elementary.spec", text: include_str!("../spec/elementary.spec") },
];

/// The validated table, read once in the life of the compiler: it takes an unoptimized build 7 ms, and `ptx!` asks at
/// every call.
pub(crate) fn table() -> syn::Result<&'static Table> {
    static TABLE: OnceLock<Result<Table, String>> = OnceLock::new();
    // The table's tokens have no Rust spans; the message names file, line and column instead.
    let load = || {
        let mut table = load(FILES)?;
        evidence::attach(&mut table, evidence::ASSEMBLED, evidence::MEASURED)?;
        Ok(table)
    };
    TABLE.get_or_init(load).as_ref().map_err(|e| syn::Error::new(Span::call_site(), e))
}

/// Reads, expands and validates the given files; the error is every complaint, one a paragraph.
fn load(files: &[Source]) -> Result<Table, String> {
    let mut sections = Vec::new();
    let mut complaints = Vec::new();
    for file in files {
        match parse::parse(*file) {
            Ok(s) => sections.extend(s),
            Err(e) => complaints.push(e),
        }
    }
    let table = Table::from_sections(sections, &mut complaints);
    validate::validate(&table, &mut complaints);
    if complaints.is_empty() {
        Ok(table)
    } else {
        Err(complaints.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }
}

#[cfg(test)]
mod tests;
