//! `kernels`: launches whole kernels and compares the memory with what `ptxf-vm` left.
//!
//! `cargo xtask ptx --generated N --record DIR` writes the launches on which `ptxf-vm` and the
//! kernel's text for one thread agree.

mod launch;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::device::{Device, Module};
use crate::store::Store;
use launch::{Difference, Launch};

/// Counts of the launches of an entry.
#[derive(Default)]
struct Tally {
    launches: u32,
    /// Number of equal elements.
    equal: u64,
    /// Number of elements that are NaNs on both sides, with other bits.
    nan: u64,
    /// Number of all other elements.
    different: u64,
    /// The first of these.
    first: Option<String>,
    /// `true` if the entry has instructions whose bits differ between devices.
    approximate: bool,
}

impl Tally {
    const fn verdict(&self) -> &'static str {
        match (self.different, self.approximate, self.nan) {
            (1.., false, _) => "DIFFERENT",
            (1.., true, _) => "approximate",
            (0, _, 1..) => "equal but for NaN bits",
            (0, _, 0) => "equal",
        }
    }
}

/// Runs the launches of the PTX's `.jsonl` file in `directory`. Returns the number of entries with
/// wrong results.
pub(crate) fn run(device: &Device, module: &Module, directory: &Path, store: &mut Store) -> Result<usize> {
    let path = directory.join(&module.ptx.file).with_extension("jsonl");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let launch: Launch = serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), i + 1))?;
        let tally = tallies.entry(launch.entry.clone()).or_default();
        tally.approximate = module.ptx.mentions(&launch.entry, ".approx");
        // After a trap the device does nothing more, so the error has to name the launch.
        let differences = launch.run(device, module).with_context(|| format!("{}, line {}", launch.entry, i + 1))?;
        tally.launches += 1;
        tally.equal += launch.elements() - differences.len() as u64;
        for difference in differences {
            let Difference { nan, .. } = difference;
            *(if nan { &mut tally.nan } else { &mut tally.different }) += 1;
            if !nan && tally.first.is_none() {
                tally.first = Some(format!("line {}, {difference}", i + 1));
            }
        }
    }
    ensure!(!tallies.is_empty(), "{} has no launch", path.display());
    report(store, &tallies)
}

fn report(store: &mut Store, tallies: &BTreeMap<String, Tally>) -> Result<usize> {
    let mut body = "entry\tlaunches\tequal\tnan_bits\tdifferent\tkind\tverdict\tfirst\n".to_owned();
    for (entry, tally) in tallies {
        let Tally { launches, equal, nan, different, approximate, .. } = tally;
        let kind = if *approximate { "approximate" } else { "exact" };
        let (verdict, first) = (tally.verdict(), tally.first.as_deref().unwrap_or(""));
        let _ = writeln!(body, "{entry}\t{launches}\t{equal}\t{nan}\t{different}\t{kind}\t{verdict}\t{first}");
    }
    store.put_text("kernels.tsv", "Whole kernels on the device against the machine on the CPU", &body)?;
    let sum = |f: fn(&Tally) -> u64| tallies.values().map(f).sum::<u64>();
    println!(
        "{} launches of {} entries: {} elements equal, {} NaNs of other bits, {} different",
        sum(|t| t.launches.into()),
        tallies.len(),
        sum(|t| t.equal),
        sum(|t| t.nan),
        sum(|t| t.different)
    );
    let wrong: Vec<_> = tallies.iter().filter(|(_, t)| t.different > 0 && !t.approximate).collect();
    for (entry, tally) in &wrong {
        println!("DIFFERENT {entry}: {}", tally.first.as_deref().unwrap_or(""));
    }
    Ok(wrong.len())
}
