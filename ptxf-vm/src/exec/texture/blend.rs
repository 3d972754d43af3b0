//! The sum of weighted texels: exact, and rounded once to f32.

/// The most texels of a sum.
const MOST: usize = 8;

/// Returns the sum of weights times values, divided by the sum of the weights, which is a power of
/// two. The result is exact and then rounded to nearest even.
///
/// A weight has at most 24 bits, so that each product is exact in f64. The sum is kept as f64
/// numbers that do not overlap.
pub(crate) fn blended(terms: impl Iterator<Item = (u32, f32)>) -> f32 {
    let (mut parts, mut count) = ([0.0_f64; MOST], 0);
    let (mut plain, mut whole) = (-0.0_f64, 0_u64);
    for (weight, value) in terms.take(MOST) {
        let mut rest = f64::from(weight) * f64::from(value);
        plain += rest;
        whole += u64::from(weight);
        for part in &mut parts[..count] {
            let sum = *part + rest;
            let of_rest = sum - *part;
            // What the rounding of the sum has lost.
            (*part, rest) = ((*part - (sum - of_rest)) + (rest - of_rest), sum);
        }
        parts[count] = rest;
        count += 1;
    }
    if plain.is_nan() {
        return f32::from_bits(0x7fff_ffff);
    }
    let scale = 1.0 / whole.max(1) as f64;
    let mut left = parts[..count].iter().rev().copied().filter(|part| *part != 0.0);
    let Some(mut sum) = left.next().filter(|_| plain.is_finite()) else { return (plain * scale) as f32 };
    // The parts grow, and each is at most half of the last place of the next one.
    let mut below = 0.0;
    for part in left {
        let next = sum + part;
        below = part - (next - sum);
        sum = next;
        if below != 0.0 {
            break;
        }
    }
    // Of the two neighbours, the odd one keeps that the sum is between them.
    if below != 0.0 && sum.to_bits() & 1 == 0 {
        sum = if below > 0.0 { sum.next_up() } else { sum.next_down() };
    }
    (sum * scale) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_rounded_once() {
        let half = |a, b| blended([(128, a), (128, b)].into_iter());
        assert_eq!((half(1.0, 2.0), half(-0.0, -0.0).to_bits()), (1.5, 0x8000_0000));
        assert_eq!(half(3.0, -3.0).to_bits(), 0);
        assert!(half(f32::INFINITY, f32::NEG_INFINITY).to_bits() == 0x7fff_ffff && half(1.0, f32::INFINITY) > 1e38);
        // A tie, and a tie with a tiny number on one of its sides.
        let tie = 1.0 + f32::EPSILON;
        assert_eq!(half(1.0, tie), 1.0);
        let tiny = f32::from_bits(1);
        let quarter = |a, b, c, d| blended([(64, a), (64, b), (64, c), (64, d)].into_iter());
        assert_eq!(quarter(2.0, 2.0 * tie, tiny, 0.0), 1.0 + f32::EPSILON);
        assert_eq!(quarter(2.0, 2.0 * tie, -tiny, 0.0), 1.0);
        assert_eq!(quarter(f32::MAX, -f32::MAX, 4.0 * tiny, 0.0), tiny);
        assert_eq!(quarter(f32::MAX, f32::MAX, f32::MAX, f32::MAX), f32::MAX);
    }
}
