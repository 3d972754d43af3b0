//! `kernels`: whole kernels on the device, each launch against what the machine on the CPU left.
//!
//! `cargo xtask ptx --generated N --record DIR` writes the launches, when an interpreter of the kernels' source agrees with the machine.

mod launch;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::device::{Device, Module};
use crate::ptx::Ptx;
use crate::store::Store;
use launch::{Difference, Launch};

/// What the launches of an entry came to.
#[derive(Default)]
struct Tally {
    launches: u32,
    /// Elements that are equal, that are NaNs of other bits, and others.
    equal: u64,
    nan: u64,
    different: u64,
    first: Option<String>,
    /// It has instructions whose bits are a device's own.
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

/// Launches what is written down in `directory` beside the PTX, and says how many entries leave something else.
pub(crate) fn run(
    device: &mut Device,
    ptx: &Ptx,
    module: Module,
    directory: &Path,
    store: &mut Store,
) -> Result<usize> {
    let path = directory.join(&ptx.file).with_extension("jsonl");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let launch: Launch = serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), i + 1))?;
        let tally = tallies.entry(launch.entry.clone()).or_default();
        tally.approximate = ptx.mentions(&launch.entry, ".approx");
        let kernel = device.kernel(module, &launch.entry)?;
        // After a trap the device does nothing more, so the error has to name the launch.
        let differences = launch.run(device, kernel).with_context(|| format!("{}, line {}", launch.entry, i + 1))?;
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
