//! Samples of approximations, to which the function unit's coefficients are fitted.
//!
//! The unit computes `(A·2^k + B·x + C·sq(x) + bias) >> s`. A, B and C come from a table that the
//! top bits of the significand select. Each result confines the sum to one unit of the result, 2^s,
//! where a step of A is 2^13 to 2^15. Some 500 results across a segment leave one A, B and C; the
//! sweeps' hashes then show whether they are right. The `.ftz` forms return the unit's results
//! unchanged. Runs of neighbours show how the square is truncated.
//!
//! `samples.tsv` lists the runs of operands, and `samples/FORM.u32` holds their results
//! (docs/device.md).

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::store::Results;
use crate::table;

/// The file that lists the runs.
pub(crate) const INDEX: &str = "samples.tsv";

/// The first line of the list.
pub(crate) const FORMAT: &str = "Samples: the results of operands first + i*stride + ((i*0x9E3779B1 mod 2^32) >> 16) mod stride, \
     i < count, as u32 LE from `offset` (in results) on; of f64 forms operand and result are the upper words";

/// A row of the list.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    file: String,
    form: String,
    /// Number of results in the file before the run's.
    offset: u32,
    /// First operand, `0x3f800000`.
    first: String,
    stride: u32,
    count: u32,
}

/// Operands at about equal distance in their bit patterns, one in each stride.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Beginning of the first stride.
    pub(crate) first: u32,
    /// Distance of the strides' beginnings, a power of two.
    pub(crate) stride: u32,
    /// Number of operands.
    pub(crate) count: u32,
}

impl Run {
    /// Returns the operands in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = u32> + use<> {
        let Self { first, stride, count } = *self;
        // The offset in each stride varies, since a plain stride would have one value of the low
        // bits.
        let within = move |i: u32| (i.wrapping_mul(0x9e37_79b1) >> 16) % stride;
        (0..count).map(move |i| first.wrapping_add(i.wrapping_mul(stride)).wrapping_add(within(i)))
    }
}

/// The runs of a form.
#[derive(Debug)]
pub(crate) struct Group {
    /// The form's spelling.
    pub(crate) form: &'static str,
    /// The form's operands.
    pub(crate) runs: Vec<Run>,
}

/// Returns the bits of 2^e as f32.
const fn power(e: i32) -> u32 {
    ((127 + e) as u32) << 23
}

/// Returns `2^log2` operands from the binade of 2^e.
fn binade(e: i32, log2: u32) -> Run {
    Run { first: power(e), stride: 1 << (23 - log2), count: 1 << log2 }
}

/// Returns 4096 consecutive operands.
fn neighbours(first: u32) -> Run {
    Run { first, stride: 1, count: 4096 }
}

/// Returns the runs of every form.
pub(crate) fn all() -> Vec<Group> {
    let group = |form, runs| Group { form, runs };
    // rcp has one binade of 128 segments; roots have two of 64, by the exponent's parity.
    let roots = || vec![binade(0, 15), binade(1, 15), neighbours(power(0)), neighbours(power(1) + 0x35_0000)];
    // 64 segments of a quarter turn, 0.0245 wide, then the other quarters.
    let angles = || {
        let mut runs: Vec<Run> = (-8..=-5).map(|e| binade(e, 9)).collect();
        runs.extend([(-4, 10), (-3, 11), (-2, 12), (-1, 13), (0, 14), (1, 12), (2, 12)].map(|(e, n)| binade(e, n)));
        runs.extend([neighbours(power(-1)), neighbours(power(0) + 0x35_0000)]);
        runs
    };
    // Upper words have a sign bit, 11 bits of the exponent and 20 of the fraction.
    let upper = |first, log2: u32, bits: u32| Run { first, stride: 1 << (bits - log2), count: 1 << log2 };
    vec![
        group("rcp.approx.ftz.f32", vec![binade(0, 16), neighbours(power(0)), neighbours(power(0) + 0x35_0000)]),
        group("rsqrt.approx.ftz.f32", roots()),
        group("sqrt.approx.ftz.f32", roots()),
        // In [1, 2) the 7.23 fixed point has the whole significand; negative operands are
        // complemented.
        group(
            "ex2.approx.ftz.f32",
            vec![
                binade(0, 15),
                Run { first: power(0) | 1 << 31, ..binade(0, 15) },
                neighbours(power(0)),
                neighbours(power(0) + 0x35_0000),
            ],
        ),
        // Near 1 the results are small and show more of the sum: from above in one binade, from
        // below in the other.
        group(
            "lg2.approx.ftz.f32",
            vec![binade(-1, 15), binade(0, 15), neighbours(power(0)), neighbours(power(0) + 0x35_0000)],
        ),
        group("sin.approx.ftz.f32", angles()),
        group("cos.approx.ftz.f32", angles()),
        // Segments of unknown width between 2⁻⁸ and 8.
        group(
            "tanh.approx.f32",
            (-9..=3).map(|e| binade(e, 12)).chain([neighbours(power(-2)), neighbours(power(0))]).collect(),
        ),
        group("rcp.approx.ftz.f64", vec![upper(0x3ff0_0000, 15, 20)]),
        group("rsqrt.approx.ftz.f64", vec![upper(0x3ff0_0000, 15, 21)]),
    ]
}

/// Returns the file of a form's results.
pub(crate) fn file(form: &str) -> String {
    format!("samples/{form}.u32")
}

/// Returns the list of every group's runs.
pub(crate) fn index(groups: &[Group]) -> Result<String> {
    table::write(groups.iter().flat_map(|Group { form, runs }| {
        let mut offset = 0;
        runs.iter().map(move |Run { first, stride, count }| {
            let first = format!("0x{first:08x}");
            let row = Row { file: file(form), form: (*form).to_owned(), offset, first, stride: *stride, count: *count };
            offset += count;
            row
        })
    }))
}

/// Reads the operands and results of a form. The list is empty if none were captured.
pub(crate) fn read(device: &Results, form: &str) -> Result<Vec<(u32, u32)>> {
    let (Some(index), Some(bytes)) = (device.read(INDEX)?, device.read(&file(form))?) else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for row in table::read::<Row>(&index).context(INDEX)?.into_iter().filter(|row| row.form == form) {
        let Row { offset, first, stride, count, .. } = row;
        let bits = first.strip_prefix("0x").and_then(|x| u32::from_str_radix(x, 16).ok());
        let first = bits.with_context(|| format!("{INDEX}: `{first}` is not an operand such as 0x3f800000"))?;
        ensure!(stride > 0, "{INDEX}: {form} has a run of stride 0");
        let results = bytes.get(offset as usize * 4..).and_then(|rest| rest.get(..count as usize * 4));
        let results =
            results.with_context(|| format!("{} is too short for {count} results from {offset}", file(form)))?;
        let results = results.chunks_exact(4).map(|d| u32::from_le_bytes([d[0], d[1], d[2], d[3]]));
        out.extend(Run { first, stride, count }.inputs().zip(results));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_segment_has_enough() {
        for Group { form, runs } in all() {
            for run in runs.iter().filter(|run| run.stride > 1) {
                let inputs: Vec<u32> = run.inputs().collect();
                assert!(inputs.is_sorted() && inputs.iter().all(|x| *x < run.first + run.stride * run.count), "{form}");
                let mut low: Vec<u32> = inputs.iter().map(|x| x % run.stride).collect();
                low.sort_unstable();
                low.dedup();
                assert!(
                    low.len() as u32 >= run.stride.min(run.count) / 2,
                    "{form}: {} low parts of {}",
                    low.len(),
                    run.stride
                );
            }
        }
        let per_segment = |form: &str, bits: u32| {
            let runs = all().into_iter().find(|g| g.form == form).unwrap().runs;
            let mut count = BTreeMap::new();
            runs.iter().flat_map(Run::inputs).for_each(|x| *count.entry(x >> (23 - bits)).or_insert(0) += 1);
            count.into_values().min().unwrap()
        };
        assert!(per_segment("rcp.approx.ftz.f32", 7) >= 512);
        for form in ["rsqrt.approx.ftz.f32", "sqrt.approx.ftz.f32", "ex2.approx.ftz.f32", "lg2.approx.ftz.f32"] {
            assert!(per_segment(form, 6) >= 512, "{form}");
        }
        // In turns, the unit's operands.
        let runs = all().into_iter().find(|g| g.form == "sin.approx.ftz.f32").unwrap().runs;
        let turns = runs.iter().flat_map(Run::inputs).map(|x| f64::from(f32::from_bits(x)) / core::f64::consts::TAU);
        let mut count = [0; 64];
        turns.filter(|t| *t < 0.25).for_each(|t| count[(t * 256.0) as usize] += 1);
        assert!(count.iter().all(|n| *n >= 256), "{count:?}");
    }
}
