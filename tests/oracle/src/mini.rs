//! The 8-bit format, fast enough to run all 2²⁴ triples of `fma` through every combination of
//! modifiers.
//!
//! An f64 holds every sum and product of Mini numbers, and every square and cross product that a
//! comparison with a quotient or a root needs. So the exact result is `(num / den)^(1/root)` in
//! plain f64s, compared with a precomputed list of the format's values, as in [`crate::exact`]
//! without its big integers.

use crate::form::{Form, Op, Rnd, Ty};
use crate::layout::Layout;

const SIGN: u64 = 0x80;
const INFINITY: u64 = 0x78;
const NAN: u64 = 0x7f;
const ONE: u64 = 0x38;
const MIN_NORMAL: u64 = 0x08;

/// The values of the patterns, and the means of neighbours.
#[derive(Clone, Debug)]
pub struct Mini {
    /// Values by pattern; NaN and infinity for those patterns.
    value: [f64; 256],
    /// `step[i]` is the value of magnitude `i`, with 256 where infinity stands.
    step: [f64; INFINITY as usize + 1],
}

/// An exact result that is not zero, infinite or NaN.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    num: f64,
    den: f64,
    root: bool,
}

impl Exact {
    /// Returns `true` twice over: if the magnitude is below `v`, and if it is above.
    fn sides(&self, v: f64) -> (bool, bool) {
        let power = if self.root { v * v } else { v } * self.den;
        (self.num < power, self.num > power)
    }
}

impl Default for Mini {
    fn default() -> Self {
        Self::new()
    }
}

impl Mini {
    /// Computes the tables.
    #[must_use]
    pub fn new() -> Self {
        let layout = Layout::of(Ty::Mini);
        let value = core::array::from_fn(|i| layout.to_f64(i as u64));
        let mut step = core::array::from_fn(|i| layout.to_f64(i as u64));
        step[INFINITY as usize] = 256.0;
        Self { value, step }
    }

    /// The result of a rounding instruction: `add sub mul fma mad div rcp sqrt rsqrt` with any of
    /// `.rn .rz .rm .rp .ftz .sat .relu`. `None` for everything else.
    ///
    /// # Panics
    /// Panics if `ops` has fewer operands than the instruction takes.
    #[must_use]
    #[inline]
    pub fn eval(&self, form: &Form, ops: &[u64]) -> Option<u64> {
        if form.ty != Ty::Mini || form.oob {
            return None;
        }
        let mut x = [0.0; 3];
        for (to, from) in x.iter_mut().zip(ops) {
            let flushed = form.ftz && from & !SIGN < MIN_NORMAL;
            *to = self.value[(if flushed { from & SIGN } else { *from }) as usize];
        }
        let [a, b, c] = x;
        let rnd = form.rounding();
        // Away from the ends f64 has Mini's own rules for signs, infinities and NaNs, and is exact.
        // Only the sign of a sum that cancels depends on the rounding.
        let (num, den) = match form.op {
            Op::Add => (sum(a, b, rnd), 1.0),
            Op::Sub => (sum(a, -b, rnd), 1.0),
            Op::Mul => (a * b, 1.0),
            Op::Fma | Op::Mad => (sum(a * b, c, rnd), 1.0),
            Op::Div => (a, b),
            Op::Rcp | Op::Rsqrt => (1.0, a),
            Op::Sqrt => (a, 1.0),
            _ => return None,
        };
        let root = matches!(form.op, Op::Sqrt | Op::Rsqrt);
        Some(clamp(form, self.round(form.ftz, rnd, num, den, root)))
    }

    fn round(&self, ftz: bool, rnd: Rnd, num: f64, den: f64, root: bool) -> u64 {
        let quotient = num / den;
        let negative = quotient.is_sign_negative();
        let sign = if negative { SIGN } else { 0 };
        if quotient.is_nan() || root && (num < 0.0 || den < 0.0) {
            return NAN;
        }
        if quotient == 0.0 {
            return sign;
        }
        if quotient.is_infinite() {
            return sign | INFINITY;
        }
        let exact = Exact { negative, num: num.abs(), den: den.abs(), root };
        if ftz && self.is_tiny(rnd, exact) {
            return sign;
        }
        sign | self.nearest(rnd, exact)
    }

    /// Rounds `exact` to a magnitude.
    fn nearest(&self, rnd: Rnd, exact: Exact) -> u64 {
        let below = self.step[1..INFINITY as usize].partition_point(|v| !exact.sides(*v).0);
        let (low, high) = (self.step[below], self.step[below + 1]);
        if !exact.sides(low).1 {
            return below as u64;
        }
        let (under, over) = exact.sides(f64::midpoint(low, high));
        let up = match rnd {
            Rnd::Rz => false,
            Rnd::Rm => exact.negative,
            Rnd::Rp => !exact.negative,
            Rnd::Rn => over || !under && below % 2 == 1,
        };
        below as u64 + u64::from(up)
    }

    /// See [`crate::round::is_tiny`]; a factor 4 is two binades, and 16 under a root.
    fn is_tiny(&self, rnd: Rnd, exact: Exact) -> bool {
        let least = self.step[MIN_NORMAL as usize];
        if !exact.sides(least).0 {
            return false;
        }
        if !exact.sides(least / 2.0).1 {
            return true;
        }
        let lifted = Exact { num: exact.num * if exact.root { 16.0 } else { 4.0 }, ..exact };
        self.step[self.nearest(rnd, lifted) as usize] < 4.0 * least
    }
}

fn sum(x: f64, y: f64, rnd: Rnd) -> f64 {
    let s = x + y;
    let cancels = s == 0.0 && (x != 0.0 || x.is_sign_negative() != y.is_sign_negative());
    if cancels && rnd == Rnd::Rm { -0.0 } else { s }
}

fn clamp(form: &Form, d: u64) -> u64 {
    let nan = d == NAN;
    let negative = d & SIGN != 0;
    if form.sat {
        if nan || negative { 0 } else { d.min(ONE) }
    } else if form.relu && negative && !nan {
        0
    } else {
        d
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{apfloat, exact};

    fn forms(ops: &[&str]) -> Vec<Form> {
        let mut out = vec![];
        for op in ops {
            for rnd in ["rn", "rz", "rm", "rp"] {
                for tail in ["", ".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"] {
                    out.push(Form::parse(&format!("{op}.{rnd}{tail}.mini")).unwrap());
                }
            }
        }
        out
    }

    #[test]
    fn all_pairs_and_singles_agree_with_apfloat() {
        let mini = Mini::new();
        for form in forms(&["add", "sub", "mul", "div"]) {
            for i in 0..1 << 16 {
                let ops = [i >> 8, i & 0xff];
                assert_eq!(mini.eval(&form, &ops), apfloat::eval(&form, &ops), "{form} {ops:x?}");
            }
        }
        for form in forms(&["rcp", "sqrt", "rsqrt"]) {
            for a in 0..256 {
                assert_eq!(mini.eval(&form, &[a]), exact::eval(&form, &[a]), "{form} {a:#x}");
            }
        }
    }

    #[test]
    fn pairs_agree_with_exact() {
        let mini = Mini::new();
        let mut rng = crate::Rng::new(7);
        for form in forms(&["add", "sub", "mul", "div"]) {
            for _ in 0..400 {
                let ops = [rng.below(256), rng.below(256)];
                assert_eq!(mini.eval(&form, &ops), exact::eval(&form, &ops), "{form} {ops:x?}");
            }
        }
    }

    #[test]
    fn triples_agree() {
        let mini = Mini::new();
        let mut rng = crate::Rng::new(8);
        for form in forms(&["fma"]) {
            for i in 0..40_000 {
                let r = rng.next();
                let ops = [r & 0xff, r >> 8 & 0xff, r >> 16 & 0xff];
                let got = mini.eval(&form, &ops);
                assert_eq!(got, apfloat::eval(&form, &ops), "{form} {ops:x?}");
                if i < 400 {
                    assert_eq!(got, exact::eval(&form, &ops), "{form} {ops:x?}");
                }
            }
        }
    }

    /// Takes minutes in a debug build: run with `--ignored --release`.
    #[test]
    #[ignore = "all 2^24 triples times 8 forms"]
    fn all_triples_agree_with_apfloat() {
        let mini = Mini::new();
        for rnd in ["rn", "rz", "rm", "rp"] {
            for tail in ["", ".ftz"] {
                let form = Form::parse(&format!("fma.{rnd}{tail}.mini")).unwrap();
                for i in 0..1_u64 << 24 {
                    let ops = [i >> 16, i >> 8 & 0xff, i & 0xff];
                    assert_eq!(mini.eval(&form, &ops), apfloat::eval(&form, &ops), "{form} {ops:x?}");
                }
            }
        }
    }
}
