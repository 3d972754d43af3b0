//! The tables of a comparison.

use std::fmt::Write as _;

use anyhow::Result;

use super::{Choice, Line, Part};
use crate::store::Store;
use crate::tally::{Distance, Finding, bucket_name};

/// Writes the tables, and prints a summary.
pub(super) fn write(store: &mut Store, choice: &Choice, lines: &[Line], left: usize) -> Result<()> {
    let sum = |f: fn(&Line) -> u64| lines.iter().map(f).sum::<u64>();
    let (compared, equal) = (sum(|l| l.tally.compared), sum(|l| l.tally.equal));
    let (nan, different) = (sum(|l| l.tally.nan), sum(|l| l.tally.different));
    let wrong: Vec<&Line> = lines.iter().filter(|line| line.is_wrong()).collect();
    let choice = serde_json::to_string(choice)?;
    let mut body = format!("# choice\t{choice}\n# left\t{left}\n");
    body += "form\tfunction\tpart\tkernel\tkind\tcompared\tequal\tnan_bits\tdifferent\tverdict\tseconds\tlists\n";
    for line in lines {
        let Line { form, function, seconds, tally: t, .. } = line;
        let part = if line.part == Part::AllPairs { "all-pairs" } else { "operands" };
        let kernel = if line.native { "native" } else { "fallback" };
        let kind = if line.approximate { "approximate" } else { "exact" };
        let lists: Vec<String> = line.lists.iter().map(|(class, n)| format!("{class:?}:{n}")).collect();
        let (lists, verdict) = (lists.join(" "), line.verdict());
        let _ = writeln!(
            body,
            "{form}\t{function}\t{part}\t{kernel}\t{kind}\t{}\t{}\t{}\t{}\t{verdict}\t{seconds:.2}\t{lists}",
            t.compared, t.equal, t.nan, t.different
        );
    }
    let _ = writeln!(
        body,
        "# together: {compared} compared, {equal} equal, {nan} with other NaN bits, {different} different"
    );
    store.put_text("compare.tsv", "Forms on the device against the CPU", &body)?;
    store.put_text("differences.tsv", "The first results of each form that differ", &differences(lines))?;
    store.put_text(
        "approximate.tsv",
        "Approximate forms: distance from the default model, in lanes",
        &distances(lines),
    )?;

    let native = lines.iter().filter(|line| line.native && line.part == Part::Operands).count();
    let forms = lines.iter().filter(|line| line.part == Part::Operands).count();
    println!("compared {compared} results of {forms} forms, {native} of them native: {equal} equal,");
    println!("{nan} that differ in the bits of a NaN that are not defined, {different} different");
    for line in &wrong {
        println!("{} {}: {} of {}", line.verdict(), line.form, line.tally.different, line.tally.compared);
        for Finding { operands, device, cpu, .. } in &line.tally.first {
            println!("  {} device 0x{device:x}, CPU 0x{cpu:x}", spelled(operands));
        }
    }
    if left > 0 {
        println!("{left} comparisons are left for another run");
    }
    Ok(())
}

fn spelled(operands: &[u64]) -> String {
    operands.iter().map(|x| format!("0x{x:x}")).collect::<Vec<_>>().join(" ")
}

fn differences(lines: &[Line]) -> String {
    let mut out = "form\tkernel\tkind\tclass\tindex\toperands\tdevice\tcpu\twhat\n".to_owned();
    for line in lines {
        let kernel = if line.native { "native" } else { "fallback" };
        let kind = if line.approximate { "approximate" } else { "exact" };
        for (list, what) in [(&line.tally.first, "different"), (&line.tally.first_nan, "NaN bits")] {
            for Finding { class, index, operands, device, cpu } in list {
                let (form, operands) = (&line.form, spelled(operands));
                let _ = writeln!(
                    out,
                    "{form}\t{kernel}\t{kind}\t{class:?}\t{index}\t{operands}\t0x{device:x}\t0x{cpu:x}\t{what}"
                );
            }
        }
    }
    out
}

fn distances(lines: &[Line]) -> String {
    let mut out =
        "form\tkernel\tlanes\tspecial\tsteps\tbounded\toutside\tworst\tworst_operands_and_result\n".to_owned();
    for line in lines {
        let Some(distance) = &line.tally.distance else { continue };
        out += &(distance_line(&line.form, line.native, distance) + "\n");
    }
    out
}

/// Returns a form's line of `approximate.tsv`.
pub(super) fn distance_line(form: &str, native: bool, d: &Distance) -> String {
    let kernel = if native { "native" } else { "fallback" };
    let steps: Vec<String> = d.steps.iter().map(|(b, n)| format!("{}:{n}", bucket_name(*b))).collect();
    let lanes = d.steps.values().sum::<u64>() + d.special;
    let Distance { special, bounded, outside, worst, worst_at, .. } = d;
    let (steps, worst_at) = (steps.join(" "), spelled(worst_at));
    format!("{form}\t{kernel}\t{lanes}\t{special}\t{steps}\t{bounded}\t{outside}\t{worst:.4}\t{worst_at}")
}
