//! Prints the errors of everyday kernels in half precision.
//!
//! Each of the nine idioms in `src/kernels/` is one text. It runs in f32, in f16 and in bf16, the
//! last two also with the variables of `keep` in f32. The data are exact in all formats, and a
//! plain loop in f64 is the reference. All versions of a kernel must have the same bits.
//!
//! ```sh
//! cargo run --release -p idioms
//! ```

use std::process::ExitCode;

use comfy_table::{CellAlignment, Table, presets};
use idioms::idiom::Arithmetic;
use idioms::report;

fn main() -> ExitCode {
    match table() {
        Ok(table) => {
            println!("{table}");
            ExitCode::SUCCESS
        }
        Err(difference) => {
            eprintln!("error: {difference}");
            ExitCode::FAILURE
        }
    }
}

fn table() -> Result<Table, String> {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let arithmetics = Arithmetic::ALL.map(Arithmetic::name);
    table.set_header(["idiom", "error, as"].into_iter().chain(arithmetics).chain(["keep"]));
    for column in table.column_iter_mut().skip(2).take(Arithmetic::ALL.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for idiom in idioms::all() {
        table.add_row(report::row(&*idiom)?);
    }
    Ok(table)
}
