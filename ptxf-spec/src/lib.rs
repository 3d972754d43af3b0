//! The table of PTX's floating-point instructions: read from `spec/*.spec`, expanded to every legal spelling, validated.
//!
//! *Instruction* `fma` · *row* one grammar line, `fma.rnd{.ftz}.relu.f16x2 d, a, b, c` · *form* one legal spelling,
//! `fma.rn.ftz.relu.f16x2` · *method* the Rust spelling of a form, `F16x2::fma_rn_ftz_relu`.
//!
//! ```text
//! spec/*.spec ─ lex ► parse ► table (rows to forms, modifier algebra, types) ► validate ► Table
//!                                         a spelling ─ spelling::check ────────────┴► forms, or a mistake with its place
//! ```
//!
//! The files are text, not Rust tokens passed to a macro, because macros, command and tests read the same table; so the lexer
//! keeps positions, and complaints carry file, line and column.

#![forbid(unsafe_code)]

pub mod evidence;
pub mod form;
pub mod legal;
mod lex;
pub mod meaning;
pub mod modifier;
pub mod parse;
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

/// The table's files, one a family.
const FILES: &[Source] = &[
    Source { name: "spec/arith.spec", text: include_str!("../spec/arith.spec") },
    Source { name: "spec/fma.spec", text: include_str!("../spec/fma.spec") },
    Source { name: "spec/sign.spec", text: include_str!("../spec/sign.spec") },
    Source { name: "spec/minmax.spec", text: include_str!("../spec/minmax.spec") },
    Source { name: "spec/quotient.spec", text: include_str!("../spec/quotient.spec") },
    Source { name: "spec/elementary.spec", text: include_str!("../spec/elementary.spec") },
    Source { name: "spec/compare.spec", text: include_str!("../spec/compare.spec") },
    Source { name: "spec/convert.spec", text: include_str!("../spec/convert.spec") },
];

/// The validated table, read once in the life of the process: it takes an unoptimized build 7 ms, and `ptx!` asks at every
/// call.
///
/// # Errors
///
/// If the table's files contradict themselves or the manual's grammar: every complaint with file, line and column. A released
/// table does not.
pub fn table() -> Result<&'static Table, &'static str> {
    static TABLE: OnceLock<Result<Table, String>> = OnceLock::new();
    let load = || {
        let mut table = load(FILES)?;
        evidence::attach(&mut table, evidence::ASSEMBLED, evidence::MEASURED)?;
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
