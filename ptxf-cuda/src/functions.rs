//! The lists of functions in `docs/driver.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::{exports, lookup, missing, runtime};

/// The functions of CUDA 13.5's headers `cuda.h` and `cuda_runtime_api.h`, and of those for
/// graphics.
const DRIVER: &str = include_str!("functions/driver.txt");
const RUNTIME: &str = include_str!("functions/runtime.txt");

/// The columns of a line of the page.
const COLUMNS: usize = 100;

/// Returns lines of names.
fn wrapped<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let (mut all, mut column) = (String::new(), 0);
    for name in names {
        let word = format!("`{name}`");
        if column > 0 && column + 1 + word.len() > COLUMNS {
            (all, column) = (all + "\n", 0);
        }
        if column > 0 {
            (all, column) = (all + " ", column + 1);
        }
        column += word.len();
        all += &word;
    }
    all
}

/// Returns the lists of functions with these names.
fn lists(names: &str, works: impl Fn(&str) -> bool, refuses: impl Fn(&str) -> bool) -> String {
    let (good, rest): (Vec<&str>, Vec<&str>) = names.lines().partition(|name| works(name));
    let (refused, absent): (Vec<&str>, Vec<&str>) = rest.into_iter().partition(|name| refuses(name));
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in &refused {
        reasons.entry(missing::reason(name)).or_default().push(name);
    }
    let mut page = format!("\n**{} work:**\n\n{}\n", good.len(), wrapped(good));
    write!(page, "\n**{} are not supported:**\n", refused.len()).expect("a string takes everything");
    for (reason, names) in reasons {
        write!(page, "\n{}{}:\n{}\n", reason[..1].to_uppercase(), &reason[1..], wrapped(names))
            .expect("a string takes everything");
    }
    if !absent.is_empty() {
        write!(page, "\n**{} are absent:**\n\n{}\n", absent.len(), wrapped(absent)).expect("a string takes everything");
    }
    page + "\n"
}

fn driver() -> String {
    let is_in = |lists: &[_], name: &str| lookup::find(lists, name, i32::MAX).is_some();
    let [functions @ .., missing] = exports::SYMBOLS;
    lists(DRIVER, |name| is_in(&functions, name), |name| is_in(&[missing], name))
}

fn of_runtime() -> String {
    let all: BTreeSet<&str> = runtime::all().map(|(name, _)| *name).collect();
    let refused: BTreeSet<&str> = runtime::missing().map(|(name, _)| *name).collect();
    // These return no code.
    let works = |name: &str| {
        let others = ["cudaGetErrorName", "cudaGetErrorString", "cudaCreateChannelDesc"];
        let errors = ["cudaGetLastError", "cudaPeekAtLastError"];
        (all.contains(name) && !refused.contains(name)) || others.contains(&name) || errors.contains(&name)
    };
    lists(RUNTIME, works, |name| refused.contains(name))
}

/// `PTXF_BLESS=1` writes the lists.
#[test]
fn the_guide_has_the_lists_of_functions() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/driver.md");
    let mut guide = std::fs::read_to_string(file).expect("docs/driver.md is there");
    for (name, wanted) in [("driver", driver()), ("runtime", of_runtime())] {
        let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->\n"));
        let (before, rest) = guide.split_once(&begin).expect("the guide has the lists' beginning");
        let (found, after) = rest.split_once(&end).expect("the guide has the lists' end");
        if std::env::var_os("PTXF_BLESS").is_none() {
            assert!(found == wanted, "docs/driver.md differs: run with PTXF_BLESS=1");
        }
        guide = format!("{before}{begin}{wanted}{end}{after}");
    }
    if std::env::var_os("PTXF_BLESS").is_some() {
        std::fs::write(file, guide).expect("docs/driver.md can be written");
    }
}
