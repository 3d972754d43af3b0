//! Solves inequalities in three integers.
//!
//! 1. A result with segment operand `x` confines `A·2^a + B·x + C·g` to an interval; `g` is the
//!    factor of C.
//! 2. For two samples i and j, elimination of A (Fourier and Motzkin) gives
//!    `lo_i − hi_j ≤ B·(x_i − x_j) + C·(g_i − g_j)`. For every C an interval of B remains.
//! 3. Pairs of *some* samples never exclude a solution. [`solve`] adds samples one by one, each
//!    time the sample that a remaining candidate contradicts most, until few candidates are left.
//! 4. Each candidate is then compared with *all* samples, which give the interval of A.
//!
//! The result is every solution within the limits and nothing else, in any order of the samples.

use ptxf_tables::device::unit::Coefficients;

/// The inequality of one result: `lo ≤ A·2^a + B·x + C·g ≤ hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) x: i64,
    pub(crate) g: i64,
    pub(crate) lo: i64,
    pub(crate) hi: i64,
}

/// The largest |B| and |C| of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    b: i64,
    c: i64,
}

impl Limits {
    /// Slightly more than the coefficients of most functions need.
    pub(crate) const USUAL: Self = Self { b: 1 << 18, c: 1 << 12 };

    /// Limits for a function whose segments of several scales share one scale of coefficients.
    pub(crate) const SEVERAL_SCALES: Self = Self { b: 1 << 20, c: 1 << 18 };
}

/// The most candidates that are tried. With more, there are too few samples.
const CANDIDATES: i64 = 1 << 20;

/// The solutions that the samples allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Solutions {
    /// All solutions, in order of C, B and A; none if the samples contradict each other.
    All(Vec<Coefficients>),
    /// There are too many to list.
    TooFewSamples,
}

/// The interval of B that remains for a C.
#[derive(Clone, Copy, Debug)]
struct Row {
    c: i64,
    lo: i64,
    hi: i64,
}

impl Row {
    /// Adds the inequality of a pair. Returns `false` if no B remains.
    fn narrow(&mut self, i: &Sample, j: &Sample) -> bool {
        // lo_i − hi_j ≤ B·dx + C·dg ≤ hi_i − lo_j
        let (dx, dg) = (i.x - j.x, i.g - j.g);
        let (lo, hi) = (i.lo - j.hi - self.c * dg, i.hi - j.lo - self.c * dg);
        if dx == 0 {
            return lo <= 0 && 0 <= hi;
        }
        let (lo, hi) = if dx > 0 { (lo, hi) } else { (-hi, -lo) };
        let dx = dx.abs();
        self.lo = self.lo.max(-(-lo).div_euclid(dx));
        self.hi = self.hi.min(hi.div_euclid(dx));
        self.lo <= self.hi
    }
}

/// Returns the interval of A that all samples allow for a B and a C, empty if `lo > hi`, and the
/// samples that bound it from below and from above.
fn starts(samples: &[Sample], a: u32, b: i64, c: i64) -> (i64, i64, [usize; 2]) {
    let (mut lo, mut hi, mut at) = (-1 << 60, 1 << 60, [0, 0]);
    for (i, s) in samples.iter().enumerate() {
        let rest = b * s.x + c * s.g;
        if s.lo - rest > lo {
            (lo, at[0]) = (s.lo - rest, i);
        }
        if s.hi - rest < hi {
            (hi, at[1]) = (s.hi - rest, i);
        }
    }
    (-(-lo).div_euclid(1 << a), hi.div_euclid(1 << a), at)
}

/// Returns every A, B, C within the limits that no sample contradicts.
pub(crate) fn solve(samples: &[Sample], a: u32, limits: Limits) -> Solutions {
    if samples.is_empty() {
        return Solutions::TooFewSamples;
    }
    let mut rows: Vec<Row> = (-limits.c..=limits.c).map(|c| Row { c, lo: -limits.b, hi: limits.b }).collect();
    let mut taken: Vec<usize> = Vec::new();
    let mut take = |i: usize, rows: &mut Vec<Row>| {
        if taken.contains(&i) {
            return false;
        }
        rows.retain_mut(|row| taken.iter().all(|&j| row.narrow(&samples[i], &samples[j])));
        taken.push(i);
        true
    };
    let by_x = |key: fn(&Sample) -> i64| (0..samples.len()).min_by_key(|&i| key(&samples[i]));
    for i in [by_x(|s| s.x), by_x(|s| -s.x), by_x(|s| (s.x - (1 << 16)).abs())].into_iter().flatten() {
        take(i, &mut rows);
    }
    // Tries the corners and the middle of the remaining candidates, and adds the samples that
    // contradict them most.
    loop {
        let mut more = false;
        for row in
            [rows.first(), rows.get(rows.len() / 2), rows.last()].into_iter().flatten().copied().collect::<Vec<_>>()
        {
            for b in [row.lo, row.lo.midpoint(row.hi), row.hi] {
                let (lo, hi, at) = starts(samples, a, b, row.c);
                if lo > hi {
                    for i in at {
                        more |= take(i, &mut rows);
                    }
                }
            }
        }
        if !more {
            break;
        }
    }
    if rows.iter().map(|row| row.hi - row.lo + 1).sum::<i64>() > CANDIDATES {
        return Solutions::TooFewSamples;
    }
    let mut all = Vec::new();
    for Row { c, lo, hi } in rows {
        for b in lo..=hi {
            let (first, last, _) = starts(samples, a, b, c);
            if last.saturating_sub(first) >= CANDIDATES || all.len() as i64 > CANDIDATES {
                return Solutions::TooFewSamples;
            }
            let starts = (first..=last).filter_map(|a| i32::try_from(a).ok());
            all.extend(starts.map(|a| Coefficients { a, b: b as i32, c: c as i32 }));
        }
    }
    Solutions::All(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with every A, B and C of a small box, for few and many samples, consistent and
    /// contradictory.
    #[test]
    fn all_solutions_and_nothing_else() {
        let mut state = 1_u64;
        let mut random = |n: i64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as i64 % n
        };
        let mut counts = [0; 3];
        for round in 0..150 {
            let (a, b, c) = (random(40) - 20, random(20) - 10, random(10) - 5);
            let width = [3, 10, 60][round % 3];
            let mut samples: Vec<Sample> = (0..3 + random(12))
                .map(|_| {
                    let x = random(64);
                    let g = x * x / 4;
                    let lo = a * 8 + b * x + c * g - random(width);
                    Sample { x, g, lo, hi: lo + width - 1 }
                })
                .collect();
            if round.is_multiple_of(10) {
                samples[0].lo += 3 * width;
                samples[0].hi += 3 * width;
            }
            // Samples at the ends keep the solutions inside the small box.
            for x in [0, 31, 63] {
                let (g, lo) = (x * x / 4, a * 8 + b * x + c * (x * x / 4) - width);
                samples.push(Sample { x, g, lo, hi: lo + 2 * width });
            }
            let mut expected = Vec::new();
            for c in -40..40 {
                for b in -400..400 {
                    for a in -60..60 {
                        let fits = |s: &Sample| (s.lo..=s.hi).contains(&(a * 8 + b * s.x + c * s.g));
                        if samples.iter().all(fits) {
                            expected.push(Coefficients { a: a as i32, b: b as i32, c: c as i32 });
                        }
                    }
                }
            }
            counts[expected.len().min(2)] += 1;
            assert_eq!(solve(&samples, 3, Limits::USUAL), Solutions::All(expected), "{round}");
        }
        assert!(counts.iter().all(|n| *n > 5), "{counts:?}");
    }

    #[test]
    fn little_is_said_to_be_little() {
        assert_eq!(solve(&[], 13, Limits::USUAL), Solutions::TooFewSamples);
        assert_eq!(solve(&[Sample { x: 5, g: 6, lo: 0, hi: 32_767 }], 13, Limits::USUAL), Solutions::TooFewSamples);
    }
}
