//! The table of sizes in `docs/firmware.md`, and what its other table shares with it.
//!
//! Sizes depend on a compiler, which the table names. Sizes of another compiler are printed and not
//! compared. The limit of 4 KiB holds for all.

use std::fs;

use anyhow::{Context as _, Result, bail, ensure};

use super::board::{self, Board, Qemu};
use super::elf::Program;
use crate::no_std::toolchain::Way;
use crate::shell;

/// The features of `size`, each with all before it, and their names in the table.
const ROWS: [(&str, &str); 5] = [
    ("", "vectors and start-up code alone"),
    ("size-add", "with `add.rn.f16x2`"),
    ("size-fma", "and `fma.rn.f16x2`"),
    ("size-f32", "and `fma.rn.f32`"),
    ("size-table", "and a table of tanh in f16, 35,330 bytes"),
];

/// Limit of the first rows in a Cortex-M4F's flash, for every compiler.
const AIM: (&str, u64) = ("size-fma", 4096);

/// The sizes of the programs on one board.
#[derive(Debug)]
pub(super) struct Weights {
    board: &'static Board,
    /// Bytes of flash, in the order of [`ROWS`].
    flash: Vec<u64>,
    /// Bytes of RAM: variables and the deepest stack; `None` if the stack is unknown.
    ram: Vec<Option<u64>>,
}

/// Builds and measures the programs, and checks them for foreign functions.
pub(super) fn weigh(board: &'static Board, way: &Way, qemu: &Qemu) -> Result<Weights> {
    let mut weights = Weights { board, flash: Vec::new(), ram: Vec::new() };
    let mut start = None;
    for (features, _) in ROWS {
        board::build(board, way, "size", features)?;
        let program = Program::read(&board::file(board, "size"))?;
        let start: &Program = start.get_or_insert(Program::read(&board::file(board, "size"))?);
        let strangers = program.strangers(start);
        ensure!(strangers.is_empty(), "{features} on {} pulls in {}", board.name, strangers.join(", "));
        ensure!(
            (features, board.name) != (AIM.0, "Cortex-M4F") || program.flash <= AIM.1,
            "{features} takes {} bytes on {}, which shall be {} at most",
            program.flash,
            board.name,
            AIM.1,
        );
        weights.flash.push(program.flash);
        weights.ram.push(stack(board, way, qemu, features)?.map(|stack| program.variables + stack));
    }
    notices(board, way, &start.context("there are rows")?)?;
    println!("  sizes:     {:?} bytes; nothing formatted, no text, no division, no libm", weights.flash);
    Ok(weights)
}

/// Checks that a program which prints is detected.
fn notices(board: &Board, way: &Way, start: &Program) -> Result<()> {
    board::build_part(board, way, "forms", 0)?;
    let strangers = Program::read(&board::file(board, "forms"))?.strangers(start).join(" ");
    for stranger in ["3fmt", "the text"] {
        ensure!(strangers.contains(stranger), "`{stranger}` was not found where it is: the check proves nothing");
    }
    Ok(())
}

/// Returns the bytes of stack of an iteration of the program. `None` on RISC-V.
fn stack(board: &Board, way: &Way, qemu: &Qemu, features: &str) -> Result<Option<u64>> {
    if board.name == "RV32IMC" {
        return Ok(None);
    }
    board::build(board, way, "size", &format!("{features},size-stack"))?;
    let outcome = qemu.run(board, "size", false)?;
    match outcome.status {
        // The status has 8 bits and counts words.
        Some(words @ 1..=254) => Ok(Some(words as u64 * 4)),
        _ => bail!("the stack of {features} on {}: {outcome}", board.name),
    }
}

/// Compares the table with the guide's, or writes it there.
pub(super) fn settle(way: &Way, weights: &[Weights], bless: bool) -> Result<()> {
    settle_table(way, "sizes", &table(weights), bless)
}

/// Compares a table with the guide's of that name, or writes it there.
pub(super) fn settle_table(way: &Way, name: &str, table: &str, bless: bool) -> Result<()> {
    let path = shell::root().join("docs/firmware.md");
    let guide = fs::read_to_string(&path)?;
    let compiler = compiler(way)?;
    let (before, recorded, rest) =
        split(&guide, name).with_context(|| format!("docs/firmware.md has no table of {name}"))?;
    let begin = begin(name);
    if bless {
        fs::write(&path, format!("{before}{begin}{compiler} -->\n{table}{rest}"))?;
        println!("the table of {name} is written, for {compiler}");
        return Ok(());
    }
    let (by, old) = recorded.split_once(" -->\n").context("a table in docs/firmware.md has no compiler")?;
    if old == table {
        println!("{name} are those of docs/firmware.md");
    } else if by == compiler {
        bail!(
            "the table of {name} in docs/firmware.md differs from this one\n\n{table}\n`cargo xtask firmware --size --bless` writes it"
        );
    } else {
        // Another compiler makes other code; its limits were checked while measuring.
        println!("NOTE: docs/firmware.md has the {name} of {by}, these are of {compiler}:\n\n{table}");
    }
    Ok(())
}

/// Returns the first mark of a table in the guide, up to the compiler.
fn begin(name: &str) -> String {
    format!("<!-- {name}: `cargo xtask firmware --size --bless`, ")
}

/// Returns the text before the table of a name, the text between its marks, and the text from the
/// second mark on.
fn split<'a>(guide: &'a str, name: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, rest) = guide.split_once(&begin(name))?;
    let end = rest.find(&format!("<!-- end of {name} -->"))?;
    Some((before, &rest[..end], &rest[end..]))
}

/// Returns `rustc 1.95.0` for the compiler and `core`; Debian's differs from rustup's.
fn compiler(way: &Way) -> Result<String> {
    let rustc = if matches!(way, Way::Debian) { "/usr/bin/rustc" } else { "rustc" };
    let version = shell::output(&mut shell::command(rustc, &["--version"])).context("rustc --version failed")?;
    let number = version.split(' ').nth(1).unwrap_or_default();
    Ok(match way {
        Way::Target => format!("rustc {number}"),
        Way::Source { .. } | Way::Debian => format!("rustc {number} with core from source"),
    })
}

/// The table in Markdown.
fn table(weights: &[Weights]) -> String {
    let names = weights.iter().map(|w| w.board.name);
    let with_ram = || weights.iter().filter(|w| w.ram.iter().all(Option::is_some));
    let heads = names.map(|name| format!("flash, {name}")).chain(with_ram().map(|w| format!("RAM, {}", w.board.name)));
    let heads: Vec<String> = heads.collect();
    let mut table = format!("| bytes | {} |\n|---|{}\n", heads.join(" | "), "---:|".repeat(heads.len()));
    for (i, (_, name)) in ROWS.iter().enumerate() {
        let flash = weights.iter().map(|w| thousands(w.flash[i]));
        let ram = with_ram().filter_map(|w| w.ram[i]).map(thousands);
        let cells: Vec<String> = flash.chain(ram).collect();
        table += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    table
}

/// `1,234`
pub(super) fn thousands(n: u64) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", thousands(n / 1000), n % 1000) }
}

#[cfg(test)]
mod tests {
    use super::super::board::BOARDS;
    use super::*;

    #[test]
    fn the_table_is_markdown() {
        let flash = vec![1156, 1360, 1752, 1820, 1_037_224];
        let [first, _, last] = &BOARDS;
        let weights = [
            Weights { board: first, flash: flash.clone(), ram: vec![Some(8); 5] },
            Weights { board: last, flash, ram: vec![None; 5] },
        ];
        let table = table(&weights);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[0], "| bytes | flash, Cortex-M4F | flash, RV32IMC | RAM, Cortex-M4F |");
        assert_eq!(lines[1], "|---|---:|---:|---:|");
        assert!(lines[6].ends_with("| 1,037,224 | 1,037,224 | 8 |"), "{}", lines[6]);
    }

    #[test]
    fn the_guide_is_split_at_its_marks() {
        let begin = begin("sizes");
        let guide = format!("text\n{begin}rustc 1 -->\n| a |\n<!-- end of sizes -->\nmore");
        let (before, recorded, rest) = split(&guide, "sizes").unwrap();
        assert_eq!((before, recorded), ("text\n", "rustc 1 -->\n| a |\n"));
        assert_eq!(format!("{before}{begin}{recorded}{rest}"), guide);
        assert!(split("no table", "sizes").is_none());
    }
}
