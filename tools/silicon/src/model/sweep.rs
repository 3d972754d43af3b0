//! Compares computed results with a device's sweep.

use anyhow::{Result, ensure};
use rayon::prelude::*;

use crate::capture::{BLOCK, BLOCKS, hash, sweep_file as file};
use crate::store::Results;

/// Compares the hash of every block with the device's. `result` appends an operand's result to the
/// block.
///
/// Returns `Ok(Err(reason))` if a hash differs, or if there is no sweep.
pub(super) fn check(
    device: &Results,
    form: &str,
    every: usize,
    result: impl Fn(u32, &mut Vec<u8>) + Sync,
) -> Result<Result<(), String>> {
    let Some(hashes) = device.read(&file(form))? else {
        return Ok(Err("its results for all operands were not captured".to_owned()));
    };
    let expected = 4 * BLOCKS as usize;
    ensure!(hashes.len() == expected, "{} has {} bytes; a whole sweep has {expected}", file(form), hashes.len());
    let blocks: Vec<(usize, &[u8])> = hashes.chunks_exact(4).enumerate().step_by(every).collect();
    let wrong: Vec<usize> = blocks
        .par_iter()
        .filter(|(block, hash)| of_block(*block, &result).to_le_bytes()[..] != **hash)
        .map(|(block, _)| *block)
        .collect();
    Ok(match wrong.first() {
        None => Ok(()),
        Some(first) => Err(format!(
            "the fitted function unit differs in {} of {} blocks of 65,536 operands, first from 0x{:08x} on",
            wrong.len(),
            blocks.len(),
            first * BLOCK as usize
        )),
    })
}

/// Returns the hash of a block's results.
fn of_block(block: usize, result: &impl Fn(u32, &mut Vec<u8>)) -> u32 {
    let first = (block * BLOCK as usize) as u32;
    let mut results = Vec::new();
    (0..BLOCK as u32).for_each(|i| result(first + i, &mut results));
    hash(&results)
}
