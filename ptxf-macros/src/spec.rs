//! The table: read from `spec/*.spec`, validated, expanded.
//!
//! *Instruction* `fma` · *row* one grammar line, `fma.rnd{.ftz}.relu.f16x2 d, a, b, c` · *form* one legal spelling,
//! `fma.rn.ftz.relu.f16x2` · *method* the Rust spelling of a form, `F16x2::fma_rn_ftz_relu`.
//!
//! lex → parse → model (rows to forms, modifier algebra) → validate → expand. The files are text, not Rust tokens passed
//! to a macro, because `ptx!` needs the same table; so the lexer keeps positions and errors carry file, line and column.

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
