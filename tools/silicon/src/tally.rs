//! Counts how results of a device differ from the CPU's.

use std::collections::BTreeMap;

use oracle::bound::{self, Bound};
use oracle::layout::Layout;
use oracle::{Form, Op, approx, lanes};
use ptxf::spec::MOST_OPERANDS;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::forms::Subject;
use crate::operands::Class;

/// Number of differences that are stored with their operands.
const KEPT: usize = 10;

/// A result of the device that differs from the CPU's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) class: Class,
    /// Number of the operands in their list.
    pub(crate) index: u64,
    pub(crate) operands: Vec<u64>,
    pub(crate) device: u64,
    pub(crate) cpu: u64,
}

/// Counts of compared results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Number of registers compared.
    pub(crate) compared: u64,
    /// Number of results that are equal in every bit.
    pub(crate) equal: u64,
    /// Number of results that differ only in the bits of NaNs, where the form leaves them open.
    pub(crate) nan: u64,
    /// Number of all other results.
    pub(crate) different: u64,
    /// The first different results.
    pub(crate) first: Vec<Finding>,
    /// The first results that differ only in the bits of NaNs.
    pub(crate) first_nan: Vec<Finding>,
    /// Distances from the default model; `None` if the form is no approximation.
    pub(crate) distance: Option<Distance>,
}

/// Distances of results from the default model and from the exact value, counted in lanes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Distance {
    /// Lanes by the distance between the device's result and the model's in representable numbers,
    /// see [`bucket`].
    pub(crate) steps: BTreeMap<i32, u64>,
    /// Lanes with a NaN on one side only, or with zeros of different sign.
    pub(crate) special: u64,
    /// Lanes for which the manual documents a largest error.
    pub(crate) bounded: u64,
    /// Lanes whose error is larger.
    pub(crate) outside: u64,
    /// The largest error in units of the documented one.
    pub(crate) worst: f64,
    /// Operands and result of the lane with the largest error.
    pub(crate) worst_at: Vec<u64>,
}

/// Returns a distance up to 8 as it is, and a longer one as ±(100 + ⌊log₂⌋).
fn bucket(steps: i64) -> i32 {
    if steps.abs() <= 8 { steps as i32 } else { (100 + steps.unsigned_abs().ilog2() as i32) * steps.signum() as i32 }
}

/// Returns the text of a bucket, such as `-3` or `>=2^12`.
pub(crate) fn bucket_name(bucket: i32) -> String {
    match bucket {
        100.. => format!(">=2^{}", bucket - 100),
        ..=-100 => format!("<=-2^{}", -bucket - 100),
        _ => format!("{bucket:+}").replace("+0", "0"),
    }
}

impl Tally {
    fn new(form: &Subject) -> Self {
        Self { distance: form.info.approximate.then(Distance::default), ..Self::default() }
    }

    /// Compares the device's results with the CPU's for the same operands. `first` is the number of
    /// the first operands.
    pub(crate) fn of(form: &Subject, class: Class, first: u64, columns: &[Vec<u64>], device: &[u64]) -> Self {
        const PART: usize = 8192;
        let parts = device.par_chunks(PART).enumerate().map(|(part, results)| {
            let mut tally = Self::new(form);
            let mut operands = [0; MOST_OPERANDS];
            for (i, got) in results.iter().enumerate() {
                for (operand, column) in operands.iter_mut().zip(columns) {
                    *operand = column[part * PART + i];
                }
                tally.add(form, class, first + (part * PART + i) as u64, &operands[..columns.len()], *got);
            }
            tally
        });
        parts.reduce(|| Self::new(form), Self::merge)
    }

    fn add(&mut self, form: &Subject, class: Class, index: u64, operands: &[u64], device: u64) {
        let cpu = form.spelling.call(operands).expect("as many operands as the form has");
        self.compared += 1;
        let finding = || Finding { class, index, operands: operands.to_vec(), device, cpu };
        if device == cpu {
            self.equal += 1;
        } else if differ_in_nan_bits_alone(form, device, cpu) || form.may_lose_its_nan(operands) {
            self.nan += 1;
            if self.first_nan.len() < KEPT {
                self.first_nan.push(finding());
            }
        } else {
            self.different += 1;
            if self.first.len() < KEPT {
                self.first.push(finding());
            }
        }
        if let Some(distance) = &mut self.distance {
            for lane in 0..form.form().lanes {
                let mut ops = [0; 3];
                for (to, from) in ops.iter_mut().zip(operands) {
                    *to = lanes::get(&form.form(), *from, lane);
                }
                let get = |register| lanes::get(&form.form(), register, lane);
                distance.add(&form.form().lane(), &ops[..operands.len()], get(device), get(cpu));
            }
        }
    }

    /// Returns the sum of both.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.compared += other.compared;
        self.equal += other.equal;
        self.nan += other.nan;
        self.different += other.different;
        for (list, more) in [(&mut self.first, other.first), (&mut self.first_nan, other.first_nan)] {
            list.extend(more);
            list.sort_unstable();
            list.truncate(KEPT);
        }
        self.distance = match (self.distance, other.distance) {
            (Some(a), Some(b)) => Some(a.merge(b)),
            (a, b) => a.or(b),
        };
        self
    }
}

/// Returns `true` if every lane is equal or a NaN on both sides, and the form leaves the bits of
/// NaNs open.
fn differ_in_nan_bits_alone(form: &Subject, device: u64, cpu: u64) -> bool {
    let Some((ty, lanes)) = form.nan_format().filter(|_| !form.promises_nan()) else { return false };
    let layout = Layout::of(ty);
    (0..lanes).all(|lane| {
        let get = |register: u64| register >> (u32::from(lane) * layout.bits) & layout.mask();
        let (a, b) = (get(device), get(cpu));
        a == b || layout.is_nan(a) && layout.is_nan(b)
    })
}

impl Distance {
    fn add(&mut self, form: &Form, ops: &[u64], device: u64, cpu: u64) {
        let layout = Layout::of(form.ty);
        let (is_nan, was_nan) = (layout.is_nan(device), layout.is_nan(cpu));
        let zeros_differ = layout.is_zero(device) && layout.is_zero(cpu) && device != cpu;
        if is_nan != was_nan || zeros_differ {
            self.special += 1;
        } else if is_nan {
            *self.steps.entry(0).or_default() += 1;
        } else {
            *self.steps.entry(bucket(steps(layout, device, cpu))).or_default() += 1;
        }
        let Some(error) = error(form, ops, device, cpu) else { return };
        self.bounded += 1;
        self.outside += u64::from(error > 1.0);
        if error > self.worst || self.worst_at.is_empty() {
            self.worst = error;
            self.worst_at = [ops, &[device]].concat();
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (bucket, count) in other.steps {
            *self.steps.entry(bucket).or_default() += count;
        }
        self.special += other.special;
        self.bounded += other.bounded;
        self.outside += other.outside;
        if (other.worst, &self.worst_at) > (self.worst, &other.worst_at) || self.worst_at.is_empty() {
            self.worst = other.worst;
            self.worst_at = other.worst_at;
        }
        self
    }
}

/// Returns the distance from `b` up to `a` in representable numbers. An infinity follows the
/// largest number.
fn steps(layout: &Layout, a: u64, b: u64) -> i64 {
    let place = |x| if layout.is_negative(x) { -(layout.magnitude(x) as i64) } else { layout.magnitude(x) as i64 };
    place(a).saturating_sub(place(b))
}

/// Returns the error in units of the documented one.
///
/// Returns `None` if the manual documents no error, or if the exact result is a NaN, an infinity or
/// a zero. An infinite result has an infinite error unless the model's result is infinite, too.
fn error(form: &Form, ops: &[u64], device: u64, cpu: u64) -> Option<f64> {
    let layout = Layout::of(form.ty);
    let bound = bound::documented(form, ops)?;
    if let Bound::Steps(n) = bound {
        let any_nan = layout.is_nan(device) || layout.is_nan(cpu);
        return (!any_nan).then(|| steps(layout, device, cpu).unsigned_abs() as f64 / n as f64);
    }
    let a = layout.to_f64(if form.ftz { layout.flush(ops[0]) } else { ops[0] });
    let exact = match form.op {
        Op::Rcp => 1.0 / a,
        Op::Sqrt => a.sqrt(),
        Op::Rsqrt => 1.0 / a.sqrt(),
        _ => approx::f64_function(form, a)?,
    };
    if !exact.is_finite() || exact == 0.0 || layout.is_nan(device) || device == cpu && layout.is_infinite(device) {
        return None;
    }
    let least = layout.to_f64(layout.min_normal());
    let got = layout.to_f64(device);
    if form.ftz && got == 0.0 && exact.abs() < least {
        return None;
    }
    let unit = match bound {
        Bound::Ulp(n) => {
            let exponent = (exact.abs().to_bits() >> 52) as i32 - 1023;
            n * 2f64.powi(exponent.max(layout.min_exponent()) - layout.fraction as i32)
        }
        Bound::Relative(r) => r * exact.abs().max(least),
        Bound::Absolute(r) => r,
        Bound::Steps(_) => unreachable!("returned above"),
    };
    // JSON has no infinity.
    Some(((got - exact).abs() / unit).min(1e300))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms;

    fn tally(name: &str, columns: &[Vec<u64>], device: &[u64]) -> Tally {
        Tally::of(&forms::named(name), Class::Edges, 0, columns, device)
    }

    #[test]
    fn any_nan_will_do_unless_one_is_promised() {
        let nan = vec![vec![0x7fc0_0000], vec![0x7fc0_0000]];
        let t = tally("add.rn.f32", &nan, &[0x7fc0_0000]);
        assert_eq!((t.equal, t.nan, t.different), (0, 1, 0));
        let t = tally("min.NaN.f32", &nan, &[0x7fc0_0000]);
        assert_eq!((t.equal, t.nan, t.different), (0, 0, 1));
        let t = tally("add.rn.f32", &nan, &[0x7f80_0000]);
        assert_eq!((t.equal, t.nan, t.different), (0, 0, 1), "an infinity is no NaN");
        // One lane a NaN, the other wrong.
        let packed = vec![vec![0x7e00_3c00], vec![0x3c00_3c00]];
        assert_eq!(tally("add.rn.f16x2", &packed, &[0xfe01_4000]).nan, 1);
        assert_eq!(tally("add.rn.f16x2", &packed, &[0xfe01_4001]).different, 1);
    }

    /// Uses numbers that an H100 returned for NaNs, and some that it did not return.
    #[test]
    fn a_device_may_make_numbers_of_the_nans_that_integer_steps_lose() {
        let of = |name, x, device| {
            let t = tally(name, &[vec![x]], &[device]);
            (t.nan, t.different)
        };
        let (away, finite) = ("cvt.rna.tf32.f32", "cvt.rna.satfinite.tf32.f32");
        assert_eq!(of(away, 0xff80_109f, 0xff80_0000), (1, 0));
        assert_eq!(of(away, 0x7faa_0403, 0x7faa_0000), (1, 0), "a NaN for another");
        assert_eq!(of(away, 0x7f80_2000, 0x7f80_0000), (0, 1), "a payload that stays");
        assert_eq!(of(away, 0x7f80_0000, 0x7f7f_e000), (0, 1), "of an infinity");
        assert_eq!(of(finite, 0x7f80_1881, 0x7f7f_e000), (1, 0));
        assert_eq!(of(finite, 0x7f80_248d, 0x7f80_0000), (1, 0));
        assert_eq!(of(finite, 0x7f80_4000, 0x7f80_0000), (0, 1), "a payload that stays");
    }

    #[test]
    fn distances_are_counted_in_lanes_and_the_worst_is_kept() {
        let third = 0x3eaa_aaab;
        let x = vec![vec![0x4040_0000; 3]];
        let t = tally("rcp.approx.f32", &x, &[third, third - 1, third + 40]);
        let d = t.distance.unwrap();
        assert_eq!(d.steps, BTreeMap::from([(0, 1), (-1, 1), (105, 1)]));
        assert_eq!((d.bounded, d.outside, d.worst_at), (3, 1, vec![0x4040_0000, third + 40]));
        assert!((39.0..41.0).contains(&d.worst), "{}", d.worst);
        assert_eq!((t.compared, t.equal, t.different), (3, 1, 2));
        let d = tally("tanh.approx.f16x2", &[vec![0x0000_3c00]], &[0x8000_7e00]).distance.unwrap();
        assert_eq!((d.special, d.bounded), (2, 0), "the sign of a zero, and a NaN");
        assert_eq!(["-8", "0", "+3", ">=2^4"], [-8, 0, 3, 104].map(bucket_name).each_ref().map(String::as_str));
    }

    #[test]
    fn the_first_are_the_first_whatever_the_order() {
        let form = forms::named("neg.f16");
        let wrong = |range: std::ops::Range<u64>| {
            let column: Vec<u64> = range.clone().collect();
            let device: Vec<u64> = column.clone();
            Tally::of(&form, Class::AllInputs, range.start, &[column], &device)
        };
        let (low, high) = (wrong(0..20_000), wrong(20_000..20_100));
        let sum = high.merge(low);
        assert_eq!((sum.compared, sum.different), (20_100, 20_100));
        assert_eq!(sum.first.iter().map(|f| f.index).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        let text = serde_json::to_string(&sum).unwrap();
        assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), sum);
    }
}
