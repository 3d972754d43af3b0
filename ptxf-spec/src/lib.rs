//! The table of PTX's floating-point instructions. It is read from `spec/*.spec`, expanded to every
//! legal spelling, and validated.
//!
//! An *instruction* is `fma`. A *row* is one line of the manual's grammar,
//! `fma.rnd{.ftz}.relu.f16x2 d, a, b, c`. A *form* is one legal spelling, `fma.rn.ftz.relu.f16x2`,
//! and a row has all forms that its choices allow. A *method* is the Rust spelling of a
//! form, `F16x2::fma_rn_ftz_relu`.
//!
//! ```text
//! spec/*.spec ─ lex ► tokens ─ parse ► sections, rows, examples ─ table ► forms ─ validate ► table
//! a spelling  ─ spelling::check ► its forms, or a mistake with its position
//!
//! forms(row):
//!     for each choice of the optional parts and of the sets (`.rnd` is one of `.rn`, `.rz`, …):
//!         modifiers := the names chosen, in the manual's order
//!         version and target := the row's, or the highest refinement that applies
//!         examples := the `eg` clauses whose names the form has, those with most names first
//! ```
//!
//! Every fact stands once: a modifier's sentence in `modifier`, a type's facts in `types`, an
//! instruction's sentence in its section, versions and targets in the row.
//!
//! - **The table is text, not Rust tokens** passed to a macro. Macros, command and tests read the
//!   same table, and tokens made from a file have no position. A lexer of 120 lines keeps
//!   positions, so that an error names file, line and column.
//! - **A spelling without rounding has no function.** `add.f16` is legal PTX and means
//!   `add.rn.f16`. It has its entry in `FORMS`, and `ptx!` and the command accept it, but Rust
//!   names always spell the rounding.
//! - **`min` and `max` of three operands are called `min3` and `max3`.** PTX distinguishes them by
//!   the number of operands, and Rust's functions cannot.

#![forbid(unsafe_code)]

pub mod evidence;
pub mod form;
pub mod legal;
mod lex;
pub mod meaning;
pub mod modifier;
pub mod parse;
mod reason;
pub mod spelling;
mod table;
pub mod types;
mod validate;
mod value;

use std::sync::OnceLock;

use lex::Source;

pub use form::{Form, OPERANDS};
pub use lex::{Complaint, Pos};
pub use table::Table;

/// The table's files, one for each family of instructions.
const FILES: &[Source] = &[
    Source { name: "spec/arith.spec", text: include_str!("../spec/arith.spec") },
    Source { name: "spec/fma.spec", text: include_str!("../spec/fma.spec") },
    Source { name: "spec/sign.spec", text: include_str!("../spec/sign.spec") },
    Source { name: "spec/minmax.spec", text: include_str!("../spec/minmax.spec") },
    Source { name: "spec/quotient.spec", text: include_str!("../spec/quotient.spec") },
    Source { name: "spec/elementary.spec", text: include_str!("../spec/elementary.spec") },
    Source { name: "spec/mixed.spec", text: include_str!("../spec/mixed.spec") },
    Source { name: "spec/alternate.spec", text: include_str!("../spec/alternate.spec") },
    Source { name: "spec/compare.spec", text: include_str!("../spec/compare.spec") },
    Source { name: "spec/convert.spec", text: include_str!("../spec/convert.spec") },
    Source { name: "spec/convert_integer.spec", text: include_str!("../spec/convert_integer.spec") },
    Source { name: "spec/convert_narrow.spec", text: include_str!("../spec/convert_narrow.spec") },
];

/// The validated table, read once in the life of the process: it takes an unoptimized build 7 ms,
/// and `ptx!` asks at every call.
///
/// # Errors
///
/// If the table's files contradict themselves or the manual's grammar: every complaint with file,
/// line and column. A released table does not.
pub fn table() -> Result<&'static Table, &'static str> {
    static TABLE: OnceLock<Result<Table, String>> = OnceLock::new();
    let load = || {
        let mut table = load(FILES)?;
        evidence::attach(&mut table, evidence::ASSEMBLED, evidence::EXECUTED, evidence::MEASURED)?;
        Ok(table)
    };
    TABLE.get_or_init(load).as_ref().map_err(String::as_str)
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
