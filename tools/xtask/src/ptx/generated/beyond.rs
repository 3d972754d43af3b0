//! An index that a loop's counter moves out of range. The thread traps in that iteration, after the
//! writes of the iterations before.
//!
//! The expected writes are counted here, iteration by iteration.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use ptxf_vm::{Arg, Machine, Module};

/// Number of iterations of the kernel, `rounds::within` of tests/kernels.
const ROUNDS: usize = 3;

/// Launches a thread or a pair over inputs that are too short for each iteration. Faults are added
/// to the problems.
pub(super) fn check(file: &Path, target: &str, problems: &mut Vec<String>) -> Result<()> {
    let module = Module::parse(&fs::read_to_string(file)?).map_err(|e| anyhow!("{}: {e}", file.display()))?;
    // The value 1, whose product with the zeros of `y` is 0.
    for (sibling, lanes, one) in [
        ("f32", 1, &1_f32.to_le_bytes()[..]),
        ("scalar", 1, &[0, 0x3C]),
        ("pair", 2, &[0, 0x3C]),
        ("pair", 1, &[0, 0x3C]),
    ] {
        for columns in [lanes, lanes + 2] {
            for len in 0..=ROUNDS * columns {
                let found = rounds(&module, sibling, lanes, columns, one, len)?;
                let whole = (0..ROUNDS).take_while(|k| k * columns + lanes <= len).count();
                if found != (whole < ROUNDS, whole) {
                    problems.push(format!(
                        "{target}: rounds::within::{sibling} for {lanes} threads over {len} elements in rows of {columns} has {found:?}, \
                         expected {whole} rounds, and a fault if there are fewer than {ROUNDS}"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Returns `true` for a fault, and the number of iterations that have written.
fn rounds(
    module: &Module,
    sibling: &str,
    lanes: usize,
    columns: usize,
    one: &[u8],
    len: usize,
) -> Result<(bool, usize)> {
    let mut machine = Machine::new();
    let program = machine.load(module).map_err(|e| anyhow!("{e}"))?;
    let entry = program.entry(&format!("rounds_f16_within_{sibling}")).map_err(|e| anyhow!("{e}"))?;
    // The input is longer than the kernel's argument, and `y` has an element for each iteration's
    // `2 * k + 1`.
    let all = (ROUNDS * columns).max(2 * ROUNDS) + 2;
    let filled = |byte: Option<&[u8]>| byte.unwrap_or(&vec![0; one.len()]).repeat(all);
    let (x, y, out) =
        (machine.buffer(&filled(Some(one))), machine.buffer(&filled(None)), machine.buffer(&filled(None)));
    let sums = machine.buffer(&vec![0; 4 * columns]);
    let mut args = vec![Arg::from(lanes as u32)];
    if sibling == "pair" {
        args.push(Arg::from(0_u32));
    }
    // As many threads as lanes, in rows of as many columns: the guard admits all of them.
    args.extend([Arg::from(columns as u64), Arg::from(ROUNDS as u64)]);
    for (buffer, len) in [(x, len), (y, all), (out, all), (sums, columns)] {
        args.push(Arg::Bytes(buffer.address().to_le_bytes().to_vec()));
        args.push(Arg::from(len as u64));
    }
    let faults = machine.launch(&entry, [1; 3], [1; 3], 0, &args).is_err();
    let left = machine.read(out).map_err(|e| anyhow!("{e}"))?;
    let has = |at: usize| &left[at * one.len()..][..one.len()] == one;
    // In a written iteration all threads have written, in later ones none.
    let written = (0..ROUNDS).take_while(|k| (0..lanes).all(|t| has(k * columns + t))).count();
    let others = (0..all).filter(|at| has(*at)).count();
    if others != written * lanes {
        return Err(anyhow!(
            "rounds::within::{sibling}: {others} elements written in {written} rounds of {lanes} threads"
        ));
    }
    Ok((faults, written))
}
