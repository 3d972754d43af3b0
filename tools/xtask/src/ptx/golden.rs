//! Goldens of the inline assembly, one file per target and PTX version.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use super::check::Kind;
use super::text::Module;
use crate::shell;

/// Compares with the golden, or rewrites it.
pub(crate) fn compare(
    root: &Path,
    module: &Module,
    kinds: &BTreeMap<&'static str, Kind>,
    bless: bool,
    problems: &mut Vec<String>,
) -> Result<()> {
    let name = format!("{}-{}.tsv", module.target, module.version.feature());
    let path = root.join("tools/xtask/goldens/ptx").join(&name);
    let now = text(module, kinds);
    if bless && problems.is_empty() {
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        std::fs::write(&path, now)?;
        return Ok(());
    }
    let Ok(golden) = std::fs::read_to_string(&path) else {
        // A compiler with another default PTX version has no golden. The check against the table
        // does not need it.
        if shell::is_strict() {
            problems.push(format!("no golden {name}"));
        } else {
            println!("    no golden {name}: `cargo xtask ptx --bless` writes it");
        }
        return Ok(());
    };
    let mut differences = golden.lines().zip(now.lines()).filter(|(g, n)| g != n);
    if let Some((g, n)) = differences.next() {
        problems.push(format!("{name}: golden `{g}`, now `{n}`, and {} more lines", differences.count()));
    } else if golden.lines().count() != now.lines().count() {
        problems.push(format!("{name}: {} lines, now {}", golden.lines().count(), now.lines().count()));
    }
    Ok(())
}

fn text(module: &Module, kinds: &BTreeMap<&'static str, Kind>) -> String {
    let mut text = "# Written by `cargo xtask ptx --bless`.\n# form\tkind\tinline assembly\n".to_owned();
    for (name, kernel) in &module.kernels {
        let kind = kinds.get(name.as_str()).map_or("wrong", |k| k.name());
        let _ = writeln!(text, "{name}\t{kind}\t{}", kernel.asm.join("; "));
    }
    text
}
