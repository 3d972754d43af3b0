//! The error function and its complement.

use super::Deep;
use super::functions::{Bounds, fixed_mul, lesser, series};
use crate::table::nat;
use crate::table::number::{Dyadic, End};

impl Deep {
    /// Returns the ends around erf m, for m > 0.
    ///
    /// erf m = 2/√π · e^−m² · m · (1 + 2m²/3 + (2m²)²/(3·5) + …), in which all terms are positive.
    pub(super) fn erf(&mut self, m: &Dyadic) -> Bounds {
        let one = Dyadic::from_i64(1);
        let square = m.exact_product(m);
        // 1 − erf m < e^−m², which is below the last bit.
        if square.cmp(&Dyadic::from_i64(self.precision + 8)).is_gt() {
            return (one.sum(&Dyadic::power_of_two(-self.precision - 8).negated(), self.precision + 16, false), one);
        }
        let words = self.words();
        let z = square.scaled(1).fixed(64 * words as i64);
        let sum = self.around(&series(&z, words, false, |k| 2 * k + 1), words);
        let pi = self.pi_bounds();
        let factor = self.div(&(Dyadic::from_i64(2), Dyadic::from_i64(2)), &self.sqrt(&pi));
        let (End::Finite(lo), End::Finite(hi)) = self.exp(&square.negated()) else { return (Dyadic::ZERO, one) };
        let product = self.mul(&self.mul(&factor, &(lo, hi)), &self.mul(&(m.clone(), m.clone()), &sum));
        (product.0, lesser(product.1, one))
    }

    /// Returns the ends around e^(m²) (1 − erf m), for m ≥ ½: by this formula, or by the asymptotic
    /// series where its terms become small enough.
    pub(super) fn erfcx(&mut self, m: &Dyadic) -> Bounds {
        let one = Dyadic::from_i64(1);
        let p = self.precision;
        let square = m.exact_product(m);
        let words = self.words();
        // The least term of the asymptotic series is about e^(−m²).
        if square.cmp(&Dyadic::from_i64(64 * words as i64)).is_lt() {
            // 1 − erf m ≥ e^(−m²) / 8m loses this many leading bits.
            let more = square.fixed(0).first().map_or(0, |&n| n as i64) * 3 / 2 + 64;
            self.precision = p + more;
            let (lo, hi) = self.erf(m);
            let complement = (one.sum(&hi.negated(), p + more, false), one.sum(&lo.negated(), p + more, true));
            let e = self.exp(&square);
            self.precision = p;
            let (End::Finite(e_lo), End::Finite(e_hi)) = e else { return (Dyadic::ZERO, one) };
            let (lo, hi) = self.mul(&complement, &(e_lo, e_hi));
            return (lo, lesser(hi, one));
        }
        // 1 − z + 3z² − 15z³ + … with z = 1 / 2m², in fixed point. The error is below the first
        // omitted term.
        let unit = nat::shl(&[1], 64 * words as i64);
        let inverse = one.quotient(&square.scaled(1), p + 64, false).fixed(64 * words as i64);
        let (mut plus, mut minus, mut term, mut k) = (unit.clone(), Vec::new(), unit, 1);
        while !term.is_empty() {
            term = fixed_mul(&nat::mul_small(&term, 2 * k - 1), &inverse, words);
            if k & 1 == 1 {
                minus = nat::add(&minus, &term);
            } else {
                plus = nat::add(&plus, &term);
            }
            k += 1;
        }
        let sum = self.around(&nat::sub(&plus, &minus), words);
        let pi = self.pi_bounds();
        let root = self.sqrt(&pi);
        let below = self.mul(&(m.clone(), m.clone()), &root);
        self.div(&sum, &below)
    }
}
