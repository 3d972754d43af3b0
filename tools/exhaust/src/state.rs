//! Progress that survives: one text file per form, rewritten as a whole and renamed into place.
//!
//! ```text
//! ptxf exhaust 1
//! form add.rn.f16
//! stamp 91c3f6a1d27e5b08
//! seconds 12.5
//! mismatch 3c003c01 4000 4001 host
//! block 17 2097152 1 8f14e45fceea167a
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, Result};

use super::check::{Block, KEPT, Mismatch};

const HEADER: &str = "ptxf exhaust 1";

/// What is known about a form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    form: String,
    /// Identifies the program and the oracles: results of another build are not continued.
    stamp: u64,
    /// Time spent, of all runs together.
    pub(super) seconds: f64,
    pub(super) blocks: BTreeMap<u64, Block>,
    /// The first ones by input.
    pub(super) first: Vec<Mismatch>,
}

/// What was found where the state of a form belongs.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    Nothing,
    /// Of another build, other oracles, or damaged.
    Stale,
    Continue(State),
}

impl State {
    pub(super) fn new(form: &str, stamp: u64) -> Self {
        Self { form: form.to_owned(), stamp, seconds: 0.0, blocks: BTreeMap::new(), first: Vec::new() }
    }

    pub(super) fn path(directory: &Path, form: &str) -> PathBuf {
        directory.join(format!("{form}.state"))
    }

    /// Adds a finished block.
    pub(super) fn add(&mut self, number: u64, block: Block, mismatches: Vec<Mismatch>) {
        self.blocks.insert(number, block);
        self.first.extend(mismatches);
        self.first.sort_by_key(|m| m.input);
        self.first.truncate(KEPT);
    }

    /// The sum of all blocks.
    pub(super) fn total(&self) -> Block {
        let zero = Block { compared: 0, mismatches: 0, checksum: 0 };
        self.blocks.values().fold(zero, |sum, b| Block {
            compared: sum.compared + b.compared,
            mismatches: sum.mismatches + b.mismatches,
            checksum: sum.checksum.wrapping_add(b.checksum),
        })
    }

    /// Reads the state of `form`, if it is this build's.
    pub(super) fn load(directory: &Path, form: &str, stamp: u64) -> Result<Found> {
        let path = Self::path(directory, form);
        let text = match fs::read_to_string(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(e) => return Err(e).with_context(|| path.display().to_string()),
            Ok(text) => text,
        };
        let state = Self::parse(&text).filter(|s| s.form == form && s.stamp == stamp);
        Ok(state.map_or(Found::Stale, Found::Continue))
    }

    /// Replaces the file; a run killed at any moment leaves the old or the new one.
    pub(super) fn save(&self, directory: &Path) -> Result<()> {
        let path = Self::path(directory, &self.form);
        let new = path.with_extension("state.new");
        let write = || {
            fs::create_dir_all(directory)?;
            fs::write(&new, self.text())?;
            fs::rename(&new, &path)
        };
        write().with_context(|| path.display().to_string())
    }

    fn text(&self) -> String {
        let mut out = format!("{HEADER}\nform {}\nstamp {:016x}\nseconds {}\n", self.form, self.stamp, self.seconds);
        for Mismatch { input, got, want, oracle } in &self.first {
            let _ = writeln!(out, "mismatch {input:x} {got:x} {want:x} {oracle}");
        }
        for (number, b) in &self.blocks {
            let _ = writeln!(out, "block {number} {} {} {:016x}", b.compared, b.mismatches, b.checksum);
        }
        out
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.lines();
        if lines.next()? != HEADER {
            return None;
        }
        let mut field = |name| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let form = field("form")?.to_owned();
        let stamp = u64::from_str_radix(field("stamp")?, 16).ok()?;
        let seconds = field("seconds")?.parse().ok()?;
        let mut state = Self { seconds, ..Self::new(&form, stamp) };
        for line in lines {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["mismatch", input, got, want, oracle] => state.first.push(Mismatch {
                    input: u64::from_str_radix(input, 16).ok()?,
                    got: u64::from_str_radix(got, 16).ok()?,
                    want: u64::from_str_radix(want, 16).ok()?,
                    oracle: oracle.to_owned(),
                }),
                ["block", number, compared, mismatches, checksum] => {
                    let block = Block {
                        compared: compared.parse().ok()?,
                        mismatches: mismatches.parse().ok()?,
                        checksum: u64::from_str_radix(checksum, 16).ok()?,
                    };
                    state.blocks.insert(number.parse().ok()?, block);
                }
                _ => return None,
            }
        }
        Some(state)
    }
}

/// FNV-1a, continued from `hash`.
pub(super) fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// A number that differs between any two builds of this program.
pub(super) fn build() -> Result<u64> {
    let path = std::env::current_exe()?;
    let program = fs::read(&path).with_context(|| path.display().to_string())?;
    Ok(fnv(0xcbf2_9ce4_8422_2325, &program))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> State {
        let mut state = State::new("add.rn.f16", 0x1234);
        state.seconds = 1.5;
        let wrong = |input| Mismatch { input, got: 1, want: 2, oracle: "host".to_owned() };
        state.add(3, Block { compared: 10, mismatches: 12, checksum: u64::MAX }, (30..42).map(wrong).collect());
        state.add(1, Block { compared: 10, mismatches: 1, checksum: 5 }, vec![wrong(11)]);
        state
    }

    #[test]
    fn totals_and_first_mismatches_do_not_depend_on_the_order() {
        let state = example();
        assert_eq!(state.total(), Block { compared: 20, mismatches: 13, checksum: 4 });
        assert_eq!(
            state.first.iter().map(|m| m.input).collect::<Vec<_>>(),
            [&[11][..], &(30..39).collect::<Vec<_>>()].concat()
        );
    }

    #[test]
    fn what_is_saved_is_continued_by_the_same_build_only() -> Result<()> {
        let directory = std::env::temp_dir().join(format!("ptxf-exhaust-{}", std::process::id()));
        let state = example();
        assert_eq!(State::load(&directory, "add.rn.f16", 0x1234)?, Found::Nothing);
        state.save(&directory)?;
        assert_eq!(State::load(&directory, "add.rn.f16", 0x1235)?, Found::Stale);
        assert_eq!(State::load(&directory, "add.rn.f16", 0x1234)?, Found::Continue(state.clone()));
        let damaged = state.text().replace("block 3 10", "block 3 1o");
        fs::write(State::path(&directory, "add.rn.f16"), damaged)?;
        assert_eq!(State::load(&directory, "add.rn.f16", 0x1234)?, Found::Stale);
        fs::remove_dir_all(&directory)?;
        Ok(())
    }

    #[test]
    fn a_file_cut_short_is_no_state() {
        let text = example().text();
        assert_eq!(State::parse(&text[..text.len() - 1]), None);
    }
}
