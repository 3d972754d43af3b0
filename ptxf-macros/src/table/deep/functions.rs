//! Enclosures of the functions.

use super::Deep;
use crate::table::constants::{ln_2, pi};
use crate::table::nat::{self, Nat};
use crate::table::number::{Dyadic, End};
use crate::table::program::Function;
use crate::table::value::Arithmetic;

/// Exponent of the magnitude from which on exponentials are not computed.
const HUGE: i64 = 40;

/// Two dyadic ends.
pub(super) type Bounds = (Dyadic, Dyadic);

/// Returns the product of fixed-point numbers.
pub(super) fn fixed_mul(a: &[u64], b: &[u64], words: usize) -> Nat {
    let mut product = nat::mul(a, b);
    product.drain(..words.min(product.len()));
    product
}

/// Returns 1 + z/d₁ + z²/(d₁d₂) + …, or the sum with alternating signs.
pub(super) fn series(z: &[u64], words: usize, alternating: bool, divisor: impl Fn(u64) -> u64) -> Nat {
    let mut term = nat::shl(&[1], 64 * words as i64);
    let (mut plus, mut minus) = (term.clone(), Vec::new());
    let mut k = 1;
    loop {
        term = nat::div_small(&fixed_mul(&term, z, words), divisor(k));
        if term.is_empty() {
            return nat::sub(&plus, &minus);
        }
        if alternating && k & 1 == 1 {
            minus = nat::add(&minus, &term);
        } else {
            plus = nat::add(&plus, &term);
        }
        k += 1;
    }
}

/// Returns 1 ± z/3 + z²/5 ± …
fn odd_series(z: &[u64], words: usize, alternating: bool) -> Nat {
    let mut power = nat::shl(&[1], 64 * words as i64);
    let (mut plus, mut minus) = (power.clone(), Vec::new());
    let mut k = 1;
    loop {
        power = fixed_mul(&power, z, words);
        if power.is_empty() {
            return nat::sub(&plus, &minus);
        }
        let term = nat::div_small(&power, 2 * k + 1);
        if alternating && k & 1 == 1 {
            minus = nat::add(&minus, &term);
        } else {
            plus = nat::add(&plus, &term);
        }
        k += 1;
    }
}

/// Returns the ends around 2^x or e^x for |x| ≥ 2^HUGE.
fn far_exponential(negative: bool) -> (End, End) {
    if negative {
        (End::Finite(Dyadic::ZERO), End::Finite(Dyadic::power_of_two(-1 << HUGE)))
    } else {
        (End::Finite(Dyadic::power_of_two(1 << HUGE)), End::Infinite { negative: false })
    }
}

fn finite((lo, hi): Bounds) -> (End, End) {
    (End::Finite(lo), End::Finite(hi))
}

fn scaled((lo, hi): Bounds, k: i64) -> Bounds {
    (lo.scaled(k), hi.scaled(k))
}

pub(super) fn lesser(a: Dyadic, b: Dyadic) -> Dyadic {
    if a.cmp(&b).is_le() { a } else { b }
}

fn greater(a: Dyadic, b: Dyadic) -> Dyadic {
    if a.cmp(&b).is_ge() { a } else { b }
}

fn mirrored(negative: bool, (lo, hi): Bounds) -> Bounds {
    if negative { (hi.negated(), lo.negated()) } else { (lo, hi) }
}

impl Deep {
    /// Returns the number of words after the point: for the precision and 64 bits more.
    pub(super) fn words(&self) -> usize {
        (self.precision as usize).div_ceil(64) + 1
    }

    /// Returns the ends around `value / 2^(64 words)`, with an absolute and a relative error of
    /// 2^(4 − precision).
    ///
    /// The error covers the truncations of every series here. A series has at least 64 bits more
    /// than the precision, hundreds of terms with an error of a few units of the last place, and at
    /// most eight squarings, each of which doubles the error. The error also covers a series that
    /// was evaluated at one of two ends a few units of the precision apart.
    pub(super) fn around(&self, value: &[u64], words: usize) -> Bounds {
        let exponent = -64 * words as i64;
        let slack = nat::shl(&[1], 64 * words as i64 - self.precision + 4);
        let slack = nat::add(&slack, &nat::shr(value, self.precision - 4));
        let lo = if nat::cmp(value, &slack).is_gt() { nat::sub(value, &slack) } else { Vec::new() };
        let hi = nat::add(value, &slack);
        (Dyadic { negative: false, integer: lo, exponent }, Dyadic { negative: false, integer: hi, exponent })
    }

    fn constant(cache: &mut Vec<(usize, Nat)>, words: usize, compute: fn(usize) -> Nat) -> Nat {
        if let Some((_, n)) = cache.iter().find(|(w, _)| *w == words) {
            return n.clone();
        }
        let n = compute(words);
        cache.push((words, n.clone()));
        n
    }

    fn pi_fixed(&mut self, words: usize) -> Nat {
        Self::constant(&mut self.pi, words, pi)
    }

    fn ln_2_fixed(&mut self, words: usize) -> Nat {
        Self::constant(&mut self.ln_2, words, ln_2)
    }

    pub(super) fn pi_bounds(&mut self) -> Bounds {
        let words = self.words();
        let pi = self.pi_fixed(words);
        let (lo, hi) = self.around(&pi, words);
        (lo.rounded(self.precision, false, false), hi.rounded(self.precision, false, true))
    }

    fn ln_2_bounds(&mut self) -> Bounds {
        let words = self.words();
        let ln_2 = self.ln_2_fixed(words);
        self.around(&ln_2, words)
    }

    fn add(&self, (a, b): &Bounds, (c, d): &Bounds) -> Bounds {
        (a.sum(c, self.precision, false), b.sum(d, self.precision, true))
    }

    /// Returns the ends around a product of numbers that are not negative.
    pub(super) fn mul(&self, (a, b): &Bounds, (c, d): &Bounds) -> Bounds {
        let p = self.precision;
        (a.exact_product(c).rounded(p, false, false), b.exact_product(d).rounded(p, false, true))
    }

    /// Returns the ends around the quotient of a number that is not negative by a positive one.
    pub(super) fn div(&self, (a, b): &Bounds, (c, d): &Bounds) -> Bounds {
        (a.quotient(d, self.precision, false), b.quotient(c, self.precision, true))
    }

    pub(super) fn sqrt(&self, (a, b): &Bounds) -> Bounds {
        (a.sqrt(self.precision, false), b.sqrt(self.precision, true))
    }

    /// Returns the ends around f(x). Only for the logarithm of 1 and for `exp2` of integers may an
    /// end be the result.
    pub(super) fn function(&mut self, f: Function, x: &Dyadic) -> (End, End) {
        let one = (Dyadic::from_i64(1), Dyadic::from_i64(1));
        let m = x.abs();
        let nearer = |(lo, hi): Bounds| (lo, lesser(hi, m.clone()));
        match f {
            Function::Exp => self.exp(x),
            Function::Exp2 => self.exp2(x),
            Function::Ln => finite(self.ln(x)),
            Function::Log2 => {
                let ((lo, hi), ln_2) = (self.ln(x), self.ln_2_bounds());
                let down = |a: &Dyadic, b: &Dyadic| a.quotient(b, self.precision, false);
                let up = |a: &Dyadic, b: &Dyadic| a.quotient(b, self.precision, true);
                // The larger divisor brings the quotient nearer to 0.
                let lo = if lo.negative { down(&lo, &ln_2.0) } else { down(&lo, &ln_2.1) };
                finite((lo, if hi.negative { up(&hi, &ln_2.1) } else { up(&hi, &ln_2.0) }))
            }
            Function::Sin => finite(self.wave(x, 0)),
            Function::Cos => finite(self.wave(&m, 1)),
            Function::Sinh => {
                let (lo, hi) = self.sinh(&m);
                if x.negative { (Self::end_neg(&hi), Self::end_neg(&lo)) } else { (lo, hi) }
            }
            Function::Cosh => match self.exp(&m) {
                (End::Finite(lo), End::Finite(hi)) => {
                    let inverse = self.div(&one, &(lo.clone(), hi.clone()));
                    // e^m + e^−m grows with e^m ≥ 1.
                    let p = self.precision;
                    let lower = lo.sum(&Dyadic::from_i64(1).quotient(&lo, p, false), p, false).scaled(-1);
                    let upper = self.add(&(lo, hi), &inverse).1.scaled(-1);
                    finite((greater(lower, Dyadic::from_i64(1)), upper))
                }
                (lo, hi) => (self.half(&lo), hi),
            },
            Function::Tanh => finite(mirrored(x.negative, nearer(self.tanh(&m)))),
            Function::Sigmoid => finite(match self.exp(&m) {
                (End::Finite(lo), hi) => {
                    let p = self.precision;
                    let least = match hi {
                        End::Finite(hi) => one.0.quotient(&hi, p, false),
                        End::Infinite { .. } => Dyadic::ZERO,
                    };
                    // e^−m
                    let e = (least, one.0.quotient(&lo, p, true));
                    if x.negative {
                        // e^−m / (1 + e^−m) grows with e^−m.
                        let at = |e: &Dyadic, up: bool| e.quotient(&one.0.sum(e, p, !up), p, up);
                        (at(&e.0, false), lesser(at(&e.1, true), Dyadic::power_of_two(-1)))
                    } else {
                        let (lower, upper) = self.div(&one, &self.add(&one, &e));
                        (greater(lower, Dyadic::power_of_two(-1)), lesser(upper, one.0))
                    }
                }
                _ => (Dyadic::ZERO, Dyadic::from_i64(1)),
            }),
            Function::Atan => finite(mirrored(x.negative, nearer(self.atan(&m)))),
            Function::Erf => finite(mirrored(x.negative, self.erf(&m))),
            Function::Sqrt => finite(self.sqrt(&(x.clone(), x.clone()))),
            Function::ExpM1 if x.top() < 0 => {
                let words = self.words();
                let sum = series(&m.fixed(64 * words as i64), words, x.negative, |k| k + 1);
                finite(mirrored(x.negative, self.mul(&(m.clone(), m), &self.around(&sum, words))))
            }
            Function::ExpM1 => {
                let (lo, hi) = self.exp(x);
                let minus_one = Self::end_from(-1);
                (self.end_add(&lo, &minus_one, false), self.end_add(&hi, &minus_one, true))
            }
            Function::Softplus => {
                let (End::Finite(lo), End::Finite(hi)) = self.exp(&m.negated()) else {
                    return (Self::end_infinity(true), Self::end_infinity(false));
                };
                // ln(1 + t) = 2 artanh(t / (2 + t)), which grows with t = e^−m.
                let p = self.precision;
                let at = |t: &Dyadic, up: bool| t.quotient(&t.sum(&Dyadic::from_i64(2), p, !up), p, up);
                let s = (at(&lo, false), at(&hi, true));
                let words = self.words();
                let sum = odd_series(&s.0.exact_product(&s.0).fixed(64 * words as i64), words, false);
                let ln = scaled(self.mul(&s, &self.around(&sum, words)), 1);
                finite(if x.negative { ln } else { self.add(&(m.clone(), m), &ln) })
            }
            Function::Ln1p => {
                // 2 artanh(x / (2 + x)), and less than x.
                let two = Dyadic::from_i64(2);
                let d = (x.sum(&two, self.precision, false), x.sum(&two, self.precision, true));
                let s = self.div(&(m.clone(), m), &d);
                let words = self.words();
                let sum = odd_series(&s.0.exact_product(&s.0).fixed(64 * words as i64), words, false);
                let (lo, hi) = mirrored(x.negative, scaled(self.mul(&s, &self.around(&sum, words)), 1));
                finite((lo, lesser(hi, x.clone())))
            }
            Function::Erfcx => finite(self.erfcx(x)),
        }
    }

    fn half(&self, x: &End) -> End {
        self.end_div(x, &Self::end_from(2), false)
    }

    pub(super) fn exp(&mut self, x: &Dyadic) -> (End, End) {
        if x.top() > HUGE {
            return far_exponential(x.negative);
        }
        // One word more, as the error of ln 2 is multiplied by k.
        let words = self.words();
        let ln_2 = self.ln_2_fixed(words + 1);
        let (k, rest) = nat::div_rem(&x.fixed(64 * (words as i64 + 1)), &ln_2);
        let k = k.first().map_or(0, |&k| k as i64);
        // x = k ln 2 + r or −(k + 1) ln 2 + r with 0 ≤ r ≤ ln 2.
        let (r, k) = if x.negative { (nat::sub(&ln_2, &rest), -k - 1) } else { (rest, k) };
        let r = nat::shr(&r, 64);
        // e^r = (e^(r/256))^256
        let mut power = series(&nat::shr(&r, 8), words, false, |k| k);
        let mut i = 0;
        while i < 8 {
            power = fixed_mul(&power, &power, words);
            i += 1;
        }
        let (lo, hi) = scaled(self.around(&power, words), k);
        let one = Dyadic::from_i64(1);
        finite(if x.negative { (lo, lesser(hi, one)) } else { (greater(lo, one), hi) })
    }

    fn exp2(&mut self, x: &Dyadic) -> (End, End) {
        if x.top() > HUGE {
            return far_exponential(x.negative);
        }
        // x = n + f with f of the sign of x, exactly.
        let n = x.fixed(0).first().map_or(0, |&n| n as i64);
        let n = if x.negative { -n } else { n };
        let f = x.exact_sum(&Dyadic::from_i64(-n));
        if f.is_zero() {
            let power = Dyadic::power_of_two(n);
            return finite((power.clone(), power));
        }
        let ln_2 = self.ln_2_bounds();
        let (lo, hi) = mirrored(f.negative, self.mul(&(f.abs(), f.abs()), &ln_2));
        match (self.exp(&lo), self.exp(&hi)) {
            ((End::Finite(lo), _), (_, End::Finite(hi))) => finite(scaled((lo, hi), n)),
            _ => (Self::end_infinity(true), Self::end_infinity(false)),
        }
    }

    fn ln(&mut self, x: &Dyadic) -> Bounds {
        // x = m · 2^k with ¾ < m ≤ 3/2.
        let k = x.top() - 1;
        let (m, k) = if x.scaled(1 - k).cmp(&Dyadic::from_i64(3)).is_gt() {
            (x.scaled(-k - 1), k + 1)
        } else {
            (x.scaled(-k), k)
        };
        // ln m = 2 artanh s
        let exact = |n| m.exact_sum(&Dyadic::from_i64(n));
        let (n, d) = (exact(-1), exact(1));
        let negative = n.negative;
        let ln_m = if n.is_zero() {
            (Dyadic::ZERO, Dyadic::ZERO)
        } else {
            let (n, d) = ((n.abs(), n.abs()), (d.clone(), d));
            let s = self.div(&n, &d);
            let words = self.words();
            let sum = odd_series(&s.0.exact_product(&s.0).fixed(64 * words as i64), words, false);
            mirrored(negative, scaled(self.mul(&s, &self.around(&sum, words)), 1))
        };
        if k == 0 {
            return ln_m;
        }
        let k_exact = Dyadic::from_i64(k.abs());
        let k_ln_2 = self.ln_2_bounds();
        let k_ln_2 = self.mul(&k_ln_2, &(k_exact.clone(), k_exact));
        self.add(&mirrored(k < 0, k_ln_2), &ln_m)
    }

    /// Returns the ends around sin(|x| + quarters · π/2), with the sign of x.
    fn wave(&mut self, x: &Dyadic, quarters: u64) -> Bounds {
        let one = Dyadic::from_i64(1);
        let words = self.words();
        if x.top() > LARGEST_TURN {
            return (one.negated(), one);
        }
        let m = x.abs();
        if x.top() < 0 && quarters == 0 {
            let z = m.exact_product(&m).fixed(64 * words as i64);
            let sum = series(&z, words, true, |k| 2 * k * (2 * k + 1));
            let (lo, hi) = self.mul(&(m.clone(), m.clone()), &self.around(&sum, words));
            return mirrored(x.negative, (lo, lesser(hi, m)));
        }
        // One word more than x has before the point.
        let more = (x.top().max(0) as usize).div_ceil(64) + 1;
        let half_pi = nat::shr(&self.pi_fixed(words + more), 1);
        let (q, r) = nat::div_rem(&m.fixed(64 * (words + more) as i64), &half_pi);
        let q = q.first().copied().unwrap_or(0).wrapping_add(quarters);
        let r = nat::shr(&r, 64 * more as i64);
        let z = fixed_mul(&r, &r, words);
        let v = if q & 1 == 0 {
            fixed_mul(&series(&z, words, true, |k| 2 * k * (2 * k + 1)), &r, words)
        } else {
            series_from_zero(&z, words)
        };
        // Near π/2 cos r may be slightly below 0, and the series returns 0 for it. The lower end is
        // widened for that.
        let (lo, hi) = self.around(&v, words);
        let lo = if lo.is_zero() { hi.negated() } else { lo };
        let negative = (q & 2 != 0) != (x.negative && quarters == 0);
        mirrored(negative, (lo, lesser(hi, one)))
    }

    /// Returns the ends around sinh m, for m > 0.
    fn sinh(&mut self, m: &Dyadic) -> (End, End) {
        if m.top() <= 0 {
            return finite(self.small_sinh(m));
        }
        match self.exp(m) {
            (End::Finite(lo), End::Finite(hi)) => {
                // e^m − e^−m grows with e^m.
                let p = self.precision;
                let at = |e: Dyadic, up| e.sum(&Dyadic::from_i64(-1).quotient(&e, p, up), p, up).scaled(-1);
                finite((at(lo, false), at(hi, true)))
            }
            // (e^m − 1) / 2 is more than the root of e^m.
            (End::Finite(lo), hi) => (End::Finite(lo.scaled(-2)), hi),
            ends => ends,
        }
    }

    /// Returns the ends around sinh m, for 0 < m < 1.
    fn small_sinh(&mut self, m: &Dyadic) -> Bounds {
        let words = self.words();
        let z = m.exact_product(m).fixed(64 * words as i64);
        let sum = series(&z, words, false, |k| 2 * k * (2 * k + 1));
        let (lo, hi) = self.mul(&(m.clone(), m.clone()), &self.around(&sum, words));
        (greater(lo, m.clone()), hi)
    }

    /// Returns the ends around tanh m, for m > 0.
    fn tanh(&mut self, m: &Dyadic) -> Bounds {
        let one = Dyadic::from_i64(1);
        let p = self.precision;
        if m.top() <= 0 {
            // s / √(1 + s²) grows with s.
            let at = |s: Dyadic, up: bool| {
                let square = s.exact_product(&s).sum(&one, p, !up);
                s.quotient(&square.sqrt(p, !up), p, up)
            };
            let (lo, hi) = self.small_sinh(m);
            return (at(lo, false), at(hi, true));
        }
        // 1 − 2 / (e^2m + 1) grows with e^2m.
        let at = |e: Dyadic, up| {
            let below = Dyadic::from_i64(-2).quotient(&e.sum(&one, p, up), p, up);
            one.sum(&below, p, up)
        };
        match self.exp(&m.scaled(1)) {
            (End::Finite(lo), End::Finite(hi)) => (at(lo, false), lesser(at(hi, true), one.clone())),
            (End::Finite(lo), _) => (at(lo, false), one.clone()),
            _ => (Dyadic::ZERO, one.clone()),
        }
    }

    /// Returns the ends around arctan m, for m > 0.
    fn atan(&mut self, m: &Dyadic) -> Bounds {
        // arctan x = 2 arctan(x / (1 + √(1 + x²))), three times: the remaining angle is at most
        // π/16.
        let one = (Dyadic::from_i64(1), Dyadic::from_i64(1));
        let mut y = (m.clone(), m.clone());
        let mut halvings = 0;
        while y.1.top() > -2 {
            let root = self.sqrt(&self.add(&one, &self.mul(&y, &y)));
            // x / (1 + √(1 + x²)) grows with x, so each end is computed from its own.
            let d = self.add(&one, &root);
            let lower = y.0.quotient(&self.upper_divisor(&y.0), self.precision, false);
            let upper = y.1.quotient(&d.0, self.precision, true);
            y = (lower, upper);
            halvings += 1;
        }
        let words = self.words();
        let sum = odd_series(&y.0.exact_product(&y.0).fixed(64 * words as i64), words, true);
        scaled(self.mul(&y, &self.around(&sum, words)), halvings)
    }

    /// Returns an upper bound of 1 + √(1 + y²).
    fn upper_divisor(&self, y: &Dyadic) -> Dyadic {
        let one = Dyadic::from_i64(1);
        let square = y.exact_product(y).sum(&one, self.precision, true);
        square.sqrt(self.precision, true).sum(&one, self.precision, true)
    }
}

/// Largest exponent of an angle whose turns are counted.
const LARGEST_TURN: i64 = 1 << 13;

/// Returns cos √z, or 0 where that is not positive.
fn series_from_zero(z: &[u64], words: usize) -> Nat {
    let mut term = nat::shl(&[1], 64 * words as i64);
    let (mut plus, mut minus) = (term.clone(), Vec::new());
    let mut k = 1;
    loop {
        term = nat::div_small(&fixed_mul(&term, z, words), 2 * k * (2 * k - 1));
        if term.is_empty() {
            return if nat::cmp(&plus, &minus).is_ge() { nat::sub(&plus, &minus) } else { Vec::new() };
        }
        if k & 1 == 1 {
            minus = nat::add(&minus, &term);
        } else {
            plus = nat::add(&plus, &term);
        }
        k += 1;
    }
}
