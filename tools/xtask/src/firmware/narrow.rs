//! The digits network with weights of 16, 8 and 4 bits on the Cortex-M: bits, flash and RAM, in the
//! second table of `docs/firmware.md`.

use anyhow::{Context as _, Result, ensure};

use super::board::{self, Board, Qemu};
use super::elf::Program;
use super::size::thousands;
use crate::no_std::toolchain::Way;

/// The features of `narrow`, and the names of the weights in the table.
const ROWS: [(&str, &str); 3] = [("", "f16"), ("weights-e4m3", "e4m3"), ("weights-mxfp4", "MXFP4")];

/// The measurements of a board.
#[derive(Debug)]
pub(super) struct Measured {
    board: &'static Board,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    /// Bytes of flash without images and output.
    flash: u64,
    /// Bytes of RAM: variables and the deepest stack.
    ram: u64,
    /// Correctly classified images, and the checksum of all logits.
    result: String,
}

/// Returns `true` for boards that know how deep their stack was.
pub(super) fn is_measured(board: &Board) -> bool {
    board.name.starts_with("Cortex")
}

/// Runs and measures the programs. They compare their results with the pinned ones.
pub(super) fn measure(board: &'static Board, way: &Way, qemu: &Qemu) -> Result<Measured> {
    let mut rows = Vec::new();
    for (features, name) in ROWS {
        board::build(board, way, "narrow", features)?;
        let outcome = qemu.run(board, "narrow", false)?;
        ensure!(outcome.status == Some(0), "{name} on {}: {outcome}", board.name);
        board::build(board, way, "narrow", &format!("{features},weights-alone"))?;
        let program = Program::read(&board::file(board, "narrow"))?;
        let (result, stack) = read(&outcome.text).with_context(|| format!("narrow printed\n{}", outcome.text))?;
        rows.push(Row { flash: program.flash, ram: program.variables + stack, result });
    }
    let flash: Vec<u64> = rows.iter().map(|row| row.flash).collect();
    println!("  narrow:    f16, e4m3 and MXFP4 weights give the pinned bits, {flash:?} bytes");
    Ok(Measured { board, rows })
}

/// Returns the result and the bytes of stack of a program's output.
fn read(text: &str) -> Option<(String, u64)> {
    let (result, rest) = text.trim_end().split_once('\n')?;
    let (right, checksum) = result.split_once(" right, checksum ")?;
    Some((format!("{right} | `{checksum}`"), rest.strip_suffix(" bytes of stack")?.parse().ok()?))
}

/// The table in Markdown.
pub(super) fn table(measured: &[Measured]) -> Result<String> {
    let names = |what: &str| measured.iter().map(|m| format!("{what}, {}", m.board.name)).collect::<Vec<_>>();
    let heads = [names("flash"), names("RAM")].concat();
    let mut table = format!("| weights | {} | right, of 450 | checksum |\n", heads.join(" | "));
    table += &format!("|---|{}---|\n", "---:|".repeat(heads.len() + 1));
    for (i, (_, name)) in ROWS.iter().enumerate() {
        let rows: Vec<&Row> = measured.iter().map(|m| &m.rows[i]).collect();
        let result = &rows.first().context("there are boards")?.result;
        ensure!(rows.iter().all(|row| row.result == *result), "boards differ: {measured:?}");
        let cells = rows.iter().map(|row| row.flash).chain(rows.iter().map(|row| row.ram)).map(thousands);
        table += &format!("| {name} | {} | {result} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::super::board::BOARDS;
    use super::*;

    #[test]
    fn output_becomes_a_row() {
        let (result, stack) = read("416 right, checksum 8e4a\n1040 bytes of stack\n").unwrap();
        assert_eq!((&*result, stack), ("416 | `8e4a`", 1040));
        assert!(read("416 right, checksum 8e4a\n").is_none());
        let rows = |result: &str| (0..3).map(|_| Row { flash: 9000, ram: 40, result: result.to_owned() }).collect();
        let [first, second, _] = &BOARDS;
        let measured = |other: &str| {
            [(first, &*result), (second, other)].map(|(board, result)| Measured { board, rows: rows(result) })
        };
        let table = table(&measured(&result)).unwrap();
        assert!(table.contains("\n| e4m3 | 9,000 | 9,000 | 40 | 40 | 416 | `8e4a` |\n"), "{table}");
        super::table(&measured("415 | `8e4a`")).unwrap_err();
    }
}
