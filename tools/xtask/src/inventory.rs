//! `cargo xtask inventory`: the files with `unsafe` code, and their invariants.
//!
//! A file with `unsafe` code has one line `// Invariant: …` below its description: a condition that
//! makes its blocks sound. `docs/unsafe.md` consists of these lines and of counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::str::FromStr as _;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::shell;

/// Compare docs/unsafe.md with the files that have `unsafe` code. Each of them has to state its
/// invariant.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write docs/unsafe.md
    #[arg(long)]
    bless: bool,
}

const PAGE: &str = "docs/unsafe.md";
const MARK: &str = "Invariant: ";
const HEAD: &str = "# Inventory of `unsafe`\n\n\
    `cargo xtask inventory --bless` generates this page, and CI checks it. It lists every file outside\n\
    of tests with `unsafe` code, the counts, and the invariant on which the code relies. Each block has\n\
    its own proof beside it. Counts are of the text: code that a macro repeats counts once. *Printed* is\n\
    code that the procedural macros write into their users' programs.\n";

/// Counts of `unsafe` in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    blocks: usize,
    functions: usize,
    impls: usize,
    traits: usize,
    /// `#[unsafe(…)]`
    attributes: usize,
    /// Any of these within `quote!`.
    printed: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let page = page()?;
    let file = shell::root().join(PAGE);
    if args.bless {
        std::fs::write(&file, page)?;
        println!("{PAGE} is written");
        return Ok(ExitCode::SUCCESS);
    }
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let differs =
        |a: &str, b: &str| a.lines().filter(|l| !b.lines().any(|m| m == *l)).map(str::to_owned).collect::<Vec<_>>();
    differs(&old, &page).iter().for_each(|line| println!("- {line}"));
    differs(&page, &old).iter().for_each(|line| println!("+ {line}"));
    ensure!(
        old == page,
        "{PAGE} is not what the files say; after a review of the above\n  cargo xtask inventory --bless"
    );
    println!("{PAGE} is what the files say: {}", page.lines().last().unwrap_or_default());
    Ok(ExitCode::SUCCESS)
}

/// Returns the whole page.
fn page() -> Result<String> {
    let mut names = Vec::new();
    sources("", &mut names)?;
    names.retain(|file| !is_test(file));
    names.sort_unstable();
    let mut crates: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let (mut sum, mut problems, mut files) = (Counts::default(), Vec::new(), 0);
    for file in &names {
        let text = std::fs::read_to_string(shell::root().join(file)).with_context(|| file.clone())?;
        let counts = Counts::of(&text).with_context(|| file.clone())?;
        match (counts == Counts::default(), invariant(&text)) {
            (true, None) => {}
            (true, Some(_)) => problems.push(format!("{file} states an invariant and has no `unsafe` code")),
            (false, None) => problems.push(format!("{file} has `unsafe` code and no line `// {MARK}…`")),
            (false, Some(invariant)) => {
                let (krate, rest) = file.split_once("/src/").or_else(|| file.rsplit_once('/')).unwrap_or(("", file));
                crates.entry(krate).or_default().push(format!("| `{rest}` | {} | {invariant} |", counts.cells()));
                sum.add(counts);
                files += 1;
            }
        }
    }
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    let mut page = HEAD.to_owned();
    for (krate, rows) in crates {
        let _ = writeln!(
            page,
            "\n## {krate}\n\n| file | {} | invariant |\n|---|---|---|---|---|---|---|---|",
            Counts::NAMES.join(" | ")
        );
        rows.iter().for_each(|row| _ = writeln!(page, "{row}"));
    }
    let numbers = Counts::NAMES.iter().zip(sum.numbers()).map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>();
    let _ = writeln!(page, "\n{files} files: {}.", numbers.join(", "));
    Ok(page)
}

/// Collects the Rust files of a directory and below, except for built and hidden ones.
fn sources(directory: &str, names: &mut Vec<String>) -> Result<()> {
    for entry in shell::root().join(directory).read_dir().with_context(|| directory.to_owned())? {
        let (entry, before) = (entry?, if directory.is_empty() { "" } else { "/" });
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{directory}{before}{name}");
        match entry.file_type()?.is_dir() {
            true if name == "target" || name == "wip" || name.starts_with('.') => {}
            true => sources(&path, names)?,
            false if name.ends_with(".rs") => names.push(path),
            false => {}
        }
    }
    Ok(())
}

/// Returns `true` for tests, and for the texts that they compile.
fn is_test(file: &str) -> bool {
    file.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "oracle" | "benches" | "fuzz"))
}

/// Returns the file's invariant.
fn invariant(text: &str) -> Option<&str> {
    let comment = |line: &'_ str| line.strip_prefix("//! ").or_else(|| line.strip_prefix("// ")).map(str::len);
    text.lines().find_map(|line| line[line.len() - comment(line)?..].strip_prefix(MARK))
}

impl Counts {
    const NAMES: [&str; 6] = ["blocks", "functions", "impls", "traits", "attributes", "printed"];

    fn of(text: &str) -> Result<Self> {
        let tokens = TokenStream::from_str(text).map_err(|error| anyhow!("{error}"))?;
        let mut counts = Self::default();
        counts.scan(tokens, false);
        Ok(counts)
    }

    fn scan(&mut self, tokens: TokenStream, printed: bool) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => {
                    let quoted = i >= 2
                        && tokens[i - 1].to_string() == "!"
                        && tokens[i - 2].to_string().trim_start_matches("parse_").starts_with("quote");
                    self.scan(group.stream(), printed || quoted);
                }
                TokenTree::Ident(word) if word == "unsafe" => self.count(tokens.get(i + 1), printed),
                _ => {}
            }
        }
    }

    /// Counts one `unsafe` by the following token.
    fn count(&mut self, next: Option<&TokenTree>, printed: bool) {
        let kind = match next {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => &mut self.blocks,
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => &mut self.attributes,
            Some(TokenTree::Ident(word)) if word == "impl" => &mut self.impls,
            Some(TokenTree::Ident(word)) if word == "trait" => &mut self.traits,
            Some(TokenTree::Ident(word)) if word == "fn" || word == "extern" => &mut self.functions,
            // The word alone, as in `Token![unsafe]`. In `quote!` the block may follow later.
            _ if printed => &mut self.blocks,
            _ => return,
        };
        *(if printed { &mut self.printed } else { kind }) += 1;
    }

    fn numbers(self) -> [usize; 6] {
        [self.blocks, self.functions, self.impls, self.traits, self.attributes, self.printed]
    }

    fn add(&mut self, other: Self) {
        self.blocks += other.blocks;
        self.functions += other.functions;
        self.impls += other.impls;
        self.traits += other.traits;
        self.attributes += other.attributes;
        self.printed += other.printed;
    }

    /// Returns a row's cells; zero is empty.
    fn cells(self) -> String {
        self.numbers().map(|n| if n == 0 { String::new() } else { n.to_string() }).join(" | ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_words() {
        let counts = Counts::of(
            "// unsafe { }\n/// unsafe fn\nconst A: &str = \"unsafe {}\"; const B: &str = r#\"unsafe impl\"#;\n\
             unsafe fn f() {} unsafe extern \"C\" fn g() {} unsafe impl S for T {} unsafe trait U {}\n\
             #[unsafe(no_mangle)] fn h<'a>() { let c = '\\''; unsafe { unsafe { x } } }\n\
             fn i() { peek(Token![unsafe]); quote! { #attr unsafe { #body } unsafe fn k() {} } }",
        );
        let want = Counts { blocks: 2, functions: 2, impls: 1, traits: 1, attributes: 1, printed: 2 };
        assert_eq!(counts.unwrap(), want);
    }

    #[test]
    fn an_invariant_is_a_line_of_its_own() {
        assert_eq!(invariant("//! A file.\n//! Invariant: threads differ.\n"), Some("threads differ."));
        assert_eq!(invariant("// Invariant: a.\nfn f() {}\n"), Some("a."));
        assert_eq!(invariant("//! The Invariant: is not here\nfn f() {} // Invariant: b\n"), None);
    }
}
