//! `capture`: what silicon returns where the manual leaves it open, as data files.

use std::fmt::Write as _;

use anyhow::{Result, ensure};
use rayon::prelude::*;

use crate::answers::{Answers, BATCH};
use crate::deadline::Deadline;
use crate::forms::{self, Subject};
use crate::store::Store;

mod oob;
pub mod plan;
mod questions;

use plan::{Group, Run};

/// The forms of which all 65,536 results are kept.
pub const DUMPS: [&str; 4] = ["ex2.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.f16", "tanh.approx.bf16"];

/// The forms that are swept over all 2³² operands: f32, and the upper words of the two f64 forms that see no more.
pub const SWEEPS: [&str; 17] = [
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

/// Operands of a block that has one hash.
pub const BLOCK: u64 = 1 << 16;

/// Blocks of a whole sweep.
pub const BLOCKS: u64 = 1 << 16;

/// What a part of `capture` came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Files written or found whole.
    pub done: usize,
    /// Files that the time did not suffice for.
    pub left: usize,
    /// Forms that the PTX has no instruction for.
    pub missing: Vec<&'static str>,
}

impl Outcome {
    pub(crate) fn add(&mut self, other: Self) {
        self.done += other.done;
        self.left += other.left;
        self.missing.extend(other.missing);
    }
}

/// The form if the kernel is the one instruction; only such results are silicon's.
fn native(probes: &dyn Answers, name: &'static str, outcome: &mut Outcome) -> Option<Subject> {
    let form = forms::named(name);
    let native = probes.ptx().is_native(form.identifier, form.name);
    if !native && !outcome.missing.contains(&name) {
        eprintln!("capture: {} has no {name}; left out", probes.ptx().file);
        outcome.missing.push(name);
    }
    native.then_some(form)
}

/// Everything that takes no time: dumps, questions, samples.
///
/// # Errors
///
/// If what is asked fails, or the folder cannot be written.
pub fn quick(probes: &mut dyn Answers, store: &mut Store, deadline: Deadline) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for name in DUMPS {
        let file = format!("dumps/{name}.u16");
        let Some(form) = native(probes, name, &mut outcome) else { continue };
        piece(store, &mut outcome, deadline, &file, Some(2 << 16), |store| {
            let operands: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
            let results = probes.run_bytes(&form, &operands)?.to_vec();
            store.put(&file, &results)
        })?;
    }
    piece(store, &mut outcome, deadline, "questions.tsv", None, |store| questions::ask(probes, store))?;
    piece(store, &mut outcome, deadline, "oob.tsv", None, |store| oob::ask(probes, store))?;
    let mut index = String::from("file\tform\toffset\tfirst\tstride\tcount\n");
    for Group { form: name, runs } in plan::all() {
        let file = format!("samples/{name}.u32");
        let Some(form) = native(probes, name, &mut outcome) else { continue };
        let mut offset = 0;
        for Run { first, stride, count } in &runs {
            let _ = writeln!(index, "{file}\t{name}\t{offset}\t0x{first:08x}\t{stride}\t{count}");
            offset += count;
        }
        piece(store, &mut outcome, deadline, &file, Some(u64::from(offset) * 4), |store| {
            let inputs: Vec<u32> = runs.iter().flat_map(Run::inputs).collect();
            let bytes = words(probes, &form, &inputs)?;
            store.put(&file, &bytes)
        })?;
    }
    piece(store, &mut outcome, deadline, "samples.tsv", None, |store| {
        store.put_text("samples.tsv", plan::FORMAT, &index)
    })?;
    Ok(outcome)
}

/// The sweeps; `blocks` is less than all of them in tests only.
pub(crate) fn sweeps(probes: &mut dyn Answers, store: &mut Store, blocks: u64, deadline: Deadline) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for name in SWEEPS {
        let file = format!("sweeps/{name}.hash32");
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

/// The deadline came while a file was made.
#[derive(Debug)]
struct Late;

impl std::fmt::Display for Late {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the time is up")
    }
}

impl std::error::Error for Late {}

/// Makes a file unless it is there or the time is up.
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

/// The results for 32-bit operands, 4 bytes each: of an f64 form the operand is the upper word, and so is the result.
fn words(probes: &mut dyn Answers, form: &Subject, inputs: &[u32]) -> Result<Vec<u8>> {
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

/// A hash for every block of [`BLOCK`] operands; `None` if the deadline comes first.
fn sweep(probes: &mut dyn Answers, form: &Subject, blocks: u64, deadline: Deadline) -> Result<Option<Vec<u32>>> {
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

/// Of 8 bytes at a time, little endian: `h = (h ^ w) · 0x9E3779B97F4A7C15; h ^= h >> 32`, from 0; the low half of the last.
#[must_use]
pub fn hash(bytes: &[u8]) -> u32 {
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

    /// The folder of a device in the repository: less than 8 MiB, some of it for `compare`.
    #[test]
    fn the_data_stay_small() {
        let samples: u64 = plan::all().iter().flat_map(|g| &g.runs).map(|run| u64::from(run.count) * 4).sum();
        let sweeps = SWEEPS.len() as u64 * BLOCKS * 4;
        let dumps = DUMPS.len() as u64 * (2 << 16);
        println!("samples {samples}, sweeps {sweeps}, dumps {dumps}");
        assert!(samples + sweeps + dumps < 7_800_000, "{}", samples + sweeps + dumps);
    }
}
