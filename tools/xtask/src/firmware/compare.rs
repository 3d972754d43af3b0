//! Comparison of a board's output with this machine's results.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use anyhow::{Context as _, Result};
use ptxf::spec::FORMS;

/// The firmware's own files compute the same operands on this machine.
#[allow(unreachable_pub, reason = "the file belongs to the firmware")]
#[path = "../../../../examples/firmware/src/grid.rs"]
mod grid;
#[allow(unreachable_pub, reason = "the file belongs to the firmware")]
#[path = "../../../../examples/firmware/src/part.rs"]
mod part;

/// A line about the number of instructions.
const SCALE: &str = " instructions of a loop";

/// Returns a summary of `digits`' output. The program itself compares its checksums with the
/// desktop's.
pub(super) fn digits(text: &str) -> Result<String> {
    let line = |what: &str| {
        let found = text.lines().find(|line| line.contains(what));
        found.with_context(|| format!("no line with `{what}` in\n{text}"))
    };
    let number = |line: &str| -> Result<f64> {
        let word = line.split(' ').next().unwrap_or_default();
        word.parse().with_context(|| format!("`{line}` does not begin with a number"))
    };
    let ticks = number(line("per image")?)?;
    let scale = line(SCALE)?;
    let instructions: f64 = scale.trim_end_matches(SCALE).rsplit(' ').next().unwrap_or_default().parse()?;
    let per_image = ticks * instructions / number(scale)?;
    let stack = text.lines().find(|line| line.ends_with("bytes of stack")).map(|line| format!(", {line}"));
    let sums: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("f16x2")).collect();
    Ok(format!(
        "{}, checksums{}; {per_image:.0} instructions per image{}",
        line("right")?,
        sums.concat(),
        stack.unwrap_or_default(),
    ))
}

/// Returns the faults in the checksums that `forms` prints, built as these of `parts` parts.
pub(super) fn forms(text: &str, printed: &Range<u8>, parts: u8) -> Vec<String> {
    let (mut names, mut expected) = (BTreeSet::new(), BTreeMap::new());
    let wanted = |name| {
        names.insert(name);
        printed.contains(&part::part(name, parts))
    };
    grid::each(wanted, |name, checksum| drop(expected.insert(name.to_owned(), format!("{checksum:016x}"))));
    let mut problems: Vec<String> = FORMS
        .iter()
        .filter(|form| !names.contains(form.function))
        .map(|form| format!("{} is not in the grid", form.name))
        .collect();
    // Conversions are in the first part.
    expected.retain(|name, _| names.contains(name.as_str()) || printed.contains(&0));
    problems.extend(differences(&expected, text));
    problems
}

/// Compares lines of `name checksum`, each name once.
fn differences(expected: &BTreeMap<String, String>, text: &str) -> Vec<String> {
    let mut open = expected.clone();
    let mut problems = Vec::new();
    for line in text.lines() {
        let (name, found) = line.split_once(' ').unwrap_or((line, ""));
        match open.remove(name) {
            Some(checksum) if checksum == found => {}
            Some(checksum) => problems.push(format!("{name}: {found} there, {checksum} here")),
            None => problems.push(format!("`{line}` was not expected")),
        }
    }
    problems.extend(open.into_keys().map(|name| format!("{name}: nothing there")));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_counts() {
        let expected: BTreeMap<_, _> = [("a", "01"), ("b", "02")].map(|(n, c)| (n.to_owned(), c.to_owned())).into();
        assert!(differences(&expected, "b 02\na 01\n").is_empty());
        assert_eq!(differences(&expected, "a 01\nb 03\n"), ["b: 03 there, 02 here"]);
        assert_eq!(differences(&expected, "a 01\n"), ["b: nothing there"]);
        assert_eq!(differences(&expected, "a 01\nb 02\nb 02\nc"), ["`b 02` was not expected", "`c` was not expected"]);
    }

    #[test]
    fn ticks_become_instructions() {
        let text = "450 digits, 416 right\nf16x2 8e\nf16x2, tanh 2f\n100 ticks of SysTick per image, 120 at most\n\
                    25000 ticks of SysTick per 1000000 instructions of a loop\n8 bytes of stack\n";
        let line = "450 digits, 416 right, checksums 8e, tanh 2f; 4000 instructions per image, 8 bytes of stack";
        assert_eq!(digits(text).unwrap(), line);
        assert!(digits("450 digits, 416 right\n").is_err());
    }
}
