//! `cargo xtask prose`: the form of comments and pages.
//!
//! A doc comment's first line is a sentence with a subject, so it cannot begin with the words in
//! [`CLAUSES`]. Comments and Markdown end at column 100.

use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::shell;

/// Check the first words of doc comments and the width of comments and pages.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only files whose paths begin with one of these
    paths: Vec<String>,
}

/// Words that open a clause without a subject.
const CLAUSES: [&str; 10] = ["What", "Whether", "Whose", "How", "Of", "By", "Which", "Where", "Who", "That"];
/// Width of comments and of Markdown, in characters.
const COLUMNS: usize = 100;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let files = shell::output(&mut shell::command("git", &["ls-files", "*.rs", "*.md"]));
    let files = files.context("`git ls-files` failed: this is no checkout")?;
    let wanted = |file: &&str| args.paths.is_empty() || args.paths.iter().any(|path| file.starts_with(path));
    let mut count = 0;
    for file in files.lines().filter(wanted) {
        // A file that was deleted is listed until that is committed.
        let Ok(text) = std::fs::read_to_string(shell::root().join(file)) else { continue };
        let faults = if file.ends_with(".md") { markdown(&text) } else { rust(&text) };
        faults.iter().for_each(|(line, fault)| println!("{file}:{line}: {fault}"));
        count += faults.len();
    }
    ensure!(count == 0, "{count} comments or lines have to be reworded; CONTRIBUTING.md, Style, has the rules");
    Ok(ExitCode::SUCCESS)
}

/// The number of a line, and its fault.
type Fault = (usize, String);

/// Returns the faults of Rust's comments.
fn rust(text: &str) -> Vec<Fault> {
    let (mut faults, mut fenced, mut documented) = (Vec::new(), false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            (fenced, documented) = (false, false);
            continue;
        };
        let doc = comment.strip_prefix(['/', '!']);
        let words = doc.unwrap_or(comment).trim();
        let is_first = doc.is_some() && !documented;
        documented = doc.is_some() && !words.is_empty();
        fenced ^= words.starts_with("```");
        let word = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if is_first && !fenced && CLAUSES.contains(&word) {
            faults.push((number, format!("a doc comment begins with `{word}`: write a sentence or a noun phrase")));
        }
        if !fenced && !words.starts_with("Invariant:") {
            faults.extend(width(line, words).map(|fault| (number, fault)));
        }
    }
    faults
}

/// Returns the faults of a page.
fn markdown(text: &str) -> Vec<Fault> {
    let (mut faults, mut fenced) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        fenced ^= line.trim_start().starts_with("```");
        if !fenced {
            faults.extend(width(line, line.trim_start()).map(|fault| (number, fault)));
        }
    }
    faults
}

/// Returns a fault if the line is too wide. Rows of tables and addresses cannot be wrapped.
fn width(line: &str, words: &str) -> Option<String> {
    let columns = line.chars().count();
    let is_whole = words.starts_with('|') || line.contains("://");
    (columns > COLUMNS && !is_whole).then(|| format!("{columns} columns: wrap the line at {COLUMNS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(faults: &[Fault]) -> Vec<usize> {
        faults.iter().map(|(line, _)| *line).collect()
    }

    #[test]
    fn a_doc_comment_begins_with_no_clause() {
        for word in CLAUSES {
            let [(1, fault)] = &rust(&format!("    /// {word} it is.\nfn f() {{}}"))[..] else { panic!("{word}") };
            assert!(fault.contains(word), "{fault}");
        }
        let good = "/// Returns it.\n/// What follows is read too.\n// Where it is.\n/// Offset.\n/// However it is.\n";
        assert_eq!(rust(good), []);
        // A paragraph begins anew, and so does a comment of another item.
        assert_eq!(lines(&rust("//! A page.\n//!\n//! Of which.\nfn f() {}\n/// Who.\n")), [3, 5]);
        assert_eq!(rust("let s = \"/// What\";"), []);
    }

    #[test]
    fn comments_and_pages_end_at_a_column() {
        let (ends, beyond) = ("x".repeat(97), "x".repeat(98));
        assert_eq!(rust(&format!("// {ends}\n")), []);
        assert_eq!(lines(&rust(&format!("// {beyond}\n"))), [1]);
        assert_eq!(rust(&format!("fn {beyond}() {{}} // code")), []);
        assert_eq!(lines(&markdown(&format!("{ends}\nabc{beyond}\n"))), [2]);
        // Characters count, and not their bytes.
        assert_eq!(markdown(&"é".repeat(100)), []);
    }

    #[test]
    fn tables_code_addresses_and_invariants_may_be_wider() {
        let wide = "x".repeat(120);
        for line in ["| {}", "[link](https://{})"] {
            let line = line.replace("{}", &wide);
            assert_eq!((markdown(&line), rust(&format!("/// {line}"))), (vec![], vec![]));
        }
        assert_eq!(markdown(&format!("```\n{wide}\n```\n")), []);
        assert_eq!(lines(&markdown(&format!("```\n```\n{wide}\n"))), [3]);
        assert_eq!(rust(&format!("/// A.\n///\n/// ```text\n/// {wide}\n/// ```\n// Invariant: {wide}")), []);
    }
}
