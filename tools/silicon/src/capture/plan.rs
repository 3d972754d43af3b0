//! Which operands are sampled for a fit of the function unit's coefficients.
//!
//! The unit computes `(A·2^k + B·x + C·sq(x) + bias) >> s` with A, B and C from a table that the top bits of the significand
//! select. Every result confines that sum to one unit of the result, 2^s of 2^13 to 2^15 for a step of A: some 500 results
//! across a segment leave one A, B and C, and the sweeps' hashes tell whether they are right. The bare unit is what the
//! `.ftz` forms show. Runs of neighbours let the truncation of the square be seen.

/// What `samples.tsv` begins with.
pub(super) const FORMAT: &str = "Samples: the results of operands first + i*stride + ((i*0x9E3779B1 mod 2^32) >> 16) mod stride, \
     i < count, as u32 LE from `offset` (in results) on; of f64 forms operand and result are the upper words";

/// Operands at about equal distance in their bit patterns, one in each stride.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The first one.
    pub first: u32,
    /// A power of two.
    pub stride: u32,
    /// How many.
    pub count: u32,
}

impl Run {
    /// All of them, in order.
    pub fn inputs(&self) -> impl Iterator<Item = u32> + use<> {
        let Self { first, stride, count } = *self;
        // All low bits take part, where a plain stride would show one value of them.
        let within = move |i: u32| (i.wrapping_mul(0x9e37_79b1) >> 16) % stride;
        (0..count).map(move |i| first.wrapping_add(i.wrapping_mul(stride)).wrapping_add(within(i)))
    }
}

/// The runs of a form.
#[derive(Debug)]
pub struct Group {
    /// Its spelling.
    pub form: &'static str,
    /// Its operands.
    pub runs: Vec<Run>,
}

/// The pattern of 2^e as f32.
const fn power(e: i32) -> u32 {
    ((127 + e) as u32) << 23
}

/// `2^log2` operands out of the binade of 2^e.
fn binade(e: i32, log2: u32) -> Run {
    Run { first: power(e), stride: 1 << (23 - log2), count: 1 << log2 }
}

/// All operands from here on for a while.
fn neighbours(first: u32) -> Run {
    Run { first, stride: 1, count: 4096 }
}

/// Every form's runs.
#[must_use]
pub fn all() -> Vec<Group> {
    let group = |form, runs| Group { form, runs };
    // One binade of 128 segments; two of 64 by the exponent's parity.
    let roots = || vec![binade(0, 15), binade(1, 15), neighbours(power(0)), neighbours(power(1) + 0x35_0000)];
    // 64 segments of a quarter turn, 0.0245 wide, then the other quarters.
    let angles = || {
        let mut runs: Vec<Run> = (-8..=-5).map(|e| binade(e, 9)).collect();
        runs.extend([(-4, 10), (-3, 11), (-2, 12), (-1, 13), (0, 14), (1, 12), (2, 12)].map(|(e, n)| binade(e, n)));
        runs.extend([neighbours(power(-1)), neighbours(power(0) + 0x35_0000)]);
        runs
    };
    // Upper words: 1.11.20.
    let upper = |first, log2: u32, bits: u32| Run { first, stride: 1 << (bits - log2), count: 1 << log2 };
    vec![
        group("rcp.approx.ftz.f32", vec![binade(0, 16), neighbours(power(0)), neighbours(power(0) + 0x35_0000)]),
        group("rsqrt.approx.ftz.f32", roots()),
        group("sqrt.approx.ftz.f32", roots()),
        // In [1, 2) the 7.23 fixed point has the whole significand; negative operands are complemented.
        group(
            "ex2.approx.ftz.f32",
            vec![
                binade(0, 15),
                Run { first: power(0) | 1 << 31, ..binade(0, 15) },
                neighbours(power(0)),
                neighbours(power(0) + 0x35_0000),
            ],
        ),
        // Near 1 the results are small and show more of the sum: from above in one binade, from below in the other.
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
        // In turns, as the unit sees them.
        let runs = all().into_iter().find(|g| g.form == "sin.approx.ftz.f32").unwrap().runs;
        let turns = runs.iter().flat_map(Run::inputs).map(|x| f64::from(f32::from_bits(x)) / core::f64::consts::TAU);
        let mut count = [0; 64];
        turns.filter(|t| *t < 0.25).for_each(|t| count[(t * 256.0) as usize] += 1);
        assert!(count.iter().all(|n| *n >= 256), "{count:?}");
    }
}
