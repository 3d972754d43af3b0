//! `capture`: files of what silicon returns where the manual leaves the result open.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use crate::deadline::Deadline;
use crate::forms::{self, Subject};
use crate::probes::{BATCH, Probes};
use crate::samples::{self, Group, Run};
use crate::store::Store;

mod oob;
pub(crate) mod questions;

/// The forms whose 65,536 results are stored.
pub(crate) const DUMPS: [&str; 4] = ["ex2.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.f16", "tanh.approx.bf16"];

/// The forms whose results for all 2³² operands are hashed: those of f32, and the two of f64 that
/// read upper words alone.
pub(crate) const SWEEPS: [&str; 17] = [
    "rcp.approx.ftz.f32",
    "rcp.approx.f32",
    "rsqrt.approx.ftz.f32",
    "rsqrt.approx.f32",
    "sqrt.approx.ftz.f32",
    "sqrt.approx.f32",
    "ex2.approx.ftz.f32",
    "ex2.approx.f32",
    "lg2.approx.ftz.f32",
    "lg2.approx.f32",
    "sin.approx.ftz.f32",
    "sin.approx.f32",
    "cos.approx.ftz.f32",
    "cos.approx.f32",
    "tanh.approx.f32",
    "rcp.approx.ftz.f64",
    "rsqrt.approx.ftz.f64",
];

/// Number of operands that share a hash.
pub(crate) const BLOCK: u64 = 1 << 16;

/// Number of hashes of a whole sweep.
pub(crate) const BLOCKS: u64 = 1 << 16;

/// Counts of the files that a part of `capture` makes.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Number of files that were written, or were complete before.
    pub(crate) done: usize,
    /// Number of files that the time did not suffice for.
    pub(crate) left: usize,
    /// Forms for which the PTX has no instruction.
    pub(crate) missing: Vec<&'static str>,
}

impl Outcome {
    pub(crate) fn add(&mut self, other: Self) {
        self.done += other.done;
        self.left += other.left;
        self.missing.extend(other.missing);
    }
}

/// Returns the form if its kernel is the one instruction, since only then the results are
/// silicon's.
fn native(probes: &dyn Probes, name: &'static str, outcome: &mut Outcome) -> Option<Subject> {
    let form = forms::named(name);
    let native = probes.ptx().is_native(form.identifier, form.name);
    if !native && !outcome.missing.contains(&name) {
        eprintln!("capture: {} has no {name}; left out", probes.ptx().file);
        outcome.missing.push(name);
    }
    native.then_some(form)
}

/// Returns the file of a form's 65,536 results.
pub(crate) fn dump_file(form: &str) -> String {
    format!("dumps/{form}.u16")
}

/// Captures what takes seconds: dumps, questions and samples.
pub(crate) fn quick(probes: &mut dyn Probes, store: &mut Store, deadline: Deadline) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for name in DUMPS {
        let file = dump_file(name);
        let Some(form) = native(probes, name, &mut outcome) else { continue };
        piece(store, &mut outcome, deadline, &file, Some(2 << 16), |store| {
            let operands: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
            let results = probes.run_bytes(&form, &operands)?.to_vec();
            store.put(&file, &results)
        })?;
    }
    piece(store, &mut outcome, deadline, questions::FILE, None, |store| questions::capture(probes, store))?;
    piece(store, &mut outcome, deadline, "oob.tsv", None, |store| oob::capture(probes, store))?;
    let mut groups = samples::all();
    groups.retain(|group| native(probes, group.form, &mut outcome).is_some());
    for Group { form: name, runs } in &groups {
        let (form, file) = (forms::named(name), samples::file(name));
        let count: u64 = runs.iter().map(|run| u64::from(run.count)).sum();
        piece(store, &mut outcome, deadline, &file, Some(count * 4), |store| {
            let inputs: Vec<u32> = runs.iter().flat_map(Run::inputs).collect();
            let bytes = words(probes, &form, &inputs)?;
            store.put(&file, &bytes)
        })?;
    }
    piece(store, &mut outcome, deadline, samples::INDEX, None, |store| {
        store.put_text(samples::INDEX, samples::FORMAT, &samples::index(&groups)?)
    })?;
    Ok(outcome)
}

/// Returns the file of a form's hashes.
pub(crate) fn sweep_file(form: &str) -> String {
    format!("sweeps/{form}.hash32")
}

/// Captures the sweeps. `blocks` is [`BLOCKS`] but in tests.
pub(crate) fn sweeps(probes: &mut dyn Probes, store: &mut Store, blocks: u64, deadline: Deadline) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for name in SWEEPS {
        let file = sweep_file(name);
        let Some(form) = native(probes, name, &mut outcome) else { continue };
        piece(store, &mut outcome, deadline, &file, Some(blocks * 4), |store| {
            match sweep(probes, &form, blocks, deadline)? {
                Some(hashes) => store.put(&file, &hashes.iter().flat_map(|h| h.to_le_bytes()).collect::<Vec<u8>>()),
                None => Err(Late.into()),
            }
        })?;
    }
    Ok(outcome)
}

/// Error of a file that was not complete at the deadline.
#[derive(Debug)]
struct Late;

impl std::fmt::Display for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the time is up")
    }
}

impl std::error::Error for Late {}

/// Makes a file unless it is complete or the time is up.
fn piece(
    store: &mut Store,
    outcome: &mut Outcome,
    deadline: Deadline,
    file: &str,
    bytes: Option<u64>,
    make: impl FnOnce(&mut Store) -> Result<()>,
) -> Result<()> {
    if store.has(file, bytes) {
        outcome.done += 1;
        return Ok(());
    }
    if deadline.is_over() {
        outcome.left += 1;
        return Ok(());
    }
    match make(store) {
        Ok(()) => {
            store.say(&format!("{file}: written"));
            outcome.done += 1;
            Ok(())
        }
        Err(error) if error.is::<Late>() => {
            outcome.left += 1;
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Returns the results for 32-bit operands, 4 bytes each. Operands and results of an f64 form are
/// upper words.
fn words(probes: &mut dyn Probes, form: &Subject, inputs: &[u32]) -> Result<Vec<u8>> {
    if form.width(0) == 4 {
        let operands: Vec<u8> = inputs.iter().flat_map(|x| x.to_le_bytes()).collect();
        return Ok(probes.run_bytes(form, &operands)?.to_vec());
    }
    let operands: Vec<u8> = inputs.iter().flat_map(|x| (u64::from(*x) << 32).to_le_bytes()).collect();
    let results = probes.run_bytes(form, &operands)?;
    let (upper, lower): (Vec<&[u8]>, Vec<&[u8]>) = results.chunks_exact(8).map(|r| (&r[4..], &r[..4])).unzip();
    ensure!(lower.iter().all(|low| *low == [0; 4]), "{} returned something in the lower word", form.name);
    Ok(upper.concat())
}

/// Returns a hash for every block of [`BLOCK`] operands; `None` if the deadline comes first.
fn sweep(probes: &mut dyn Probes, form: &Subject, blocks: u64, deadline: Deadline) -> Result<Option<Vec<u32>>> {
    let width = form.width(0);
    let mut hashes = Vec::new();
    let mut operands = Vec::new();
    for first in (0..blocks * BLOCK).step_by(BATCH as usize) {
        if deadline.is_over() {
            return Ok(None);
        }
        let count = BATCH.min(blocks * BLOCK - first) as usize;
        operands.resize(count * width, 0);
        operands.par_chunks_exact_mut(width).with_min_len(4096).enumerate().for_each(|(i, out)| {
            let x = first as u32 + i as u32;
            // The operand is the upper word of an f64.
            out[width - 4..].copy_from_slice(&x.to_le_bytes());
        });
        let results = probes.run_bytes(form, &operands)?;
        hashes.par_extend(results.par_chunks_exact(BLOCK as usize * width).map(hash));
    }
    Ok(Some(hashes))
}

/// Returns the hash of a block's results.
///
/// From `h = 0`, each little-endian word of 8 bytes gives `h = (h ^ w) · 0x9E3779B97F4A7C15; h ^= h
/// >> 32`. The hash is the low half of the last `h`.
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let step = |h: u64, w: &[u8]| {
        let w = u64::from_le_bytes(w.try_into().expect("chunks of 8"));
        let h = (h ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^ h >> 32
    };
    bytes.chunks_exact(8).fold(0, step) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_documented_one_and_sees_order_and_sign() {
        assert_eq!(hash(&[0; 16]), 0);
        let one = |i: usize, x: u8| {
            let mut bytes = [0; 64];
            bytes[i] = x;
            hash(&bytes)
        };
        let mut all: Vec<u32> = (0..64).flat_map(|i| [1, 0x80].map(|x| one(i, x))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 128);
        assert_eq!(hash(&1_u64.to_le_bytes()), 0x7f4a_7c15 ^ 0x9e37_79b9);
    }

    /// A device's folder in the repository takes less than 8 MiB; some of them are for `compare`.
    #[test]
    fn the_data_stay_small() {
        let sampled: u64 = samples::all().iter().flat_map(|g| &g.runs).map(|run| u64::from(run.count) * 4).sum();
        let sweeps = SWEEPS.len() as u64 * BLOCKS * 4;
        let dumps = DUMPS.len() as u64 * (2 << 16);
        println!("samples {sampled}, sweeps {sweeps}, dumps {dumps}");
        assert!(sampled + sweeps + dumps < 7_800_000, "{}", sampled + sweeps + dumps);
    }
}
