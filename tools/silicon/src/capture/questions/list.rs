//! The list of questions.

use oracle::layout::Layout;
use oracle::{Rng, Ty, edges, generate};

use super::Question;
use crate::forms::{self, Subject};

/// Returns every question.
pub(super) fn all() -> Vec<Question> {
    let mut list = List::default();
    flushed_results(&mut list);
    oob(&mut list);
    zeros(&mut list);
    nans(&mut list);
    f64_nans(&mut list);
    approximations(&mut list);
    list.0
}

#[derive(Default)]
struct List(Vec<Question>);

impl List {
    fn add(&mut self, question: &'static str, form: &str, operands: &[u64]) {
        let matching = |f: &Subject| f.name == form && f.info.operands.len() == operands.len();
        let form = forms::all().iter().copied().find(matching);
        let form = form.unwrap_or_else(|| panic!("no form of {} operands", operands.len()));
        self.0.push(Question { question, form, operands: operands.to_vec() });
    }

    fn pairs(&mut self, question: &'static str, form: &str, values: &[u64]) {
        for &a in values {
            for &b in values {
                self.add(question, form, &[a, b]);
            }
        }
    }
}

/// Adds products that are subnormal only before rounding, then random results around the smallest
/// normal.
fn flushed_results(list: &mut List) {
    const QUESTION: &str = "ftz-result";
    for (a, b) in [
        (0x2bc5_a94e, 0x1425_c74b),
        (0x2b90_b1b2, 0x1462_76c4),
        (0x2bcd_4d41, 0x141f_9be4),
        (0x2bbc_adca, 0x142d_abb6),
        (0x2ba1_3284, 0x144b_475f),
    ] {
        list.add(QUESTION, "mul.rn.ftz.f32", &[a, b]);
        list.add(QUESTION, "fma.rn.ftz.f32", &[a, b, 0]);
    }
    let mut rng = Rng::new(3);
    for _ in 0..48 {
        let [a, b] = generate::near_min_normal(Ty::F32, &mut rng);
        for form in ["mul.rn.ftz.f32", "mul.rz.ftz.f32", "mul.rp.ftz.f32"] {
            list.add(QUESTION, form, &[a, b]);
        }
        list.add(QUESTION, "fma.rn.ftz.f32", &[a, b, 0]);
        let [a, b] = generate::quotient_near_min_normal(Ty::F32, &mut rng);
        list.add(QUESTION, "div.rn.ftz.f32", &[a, b]);
        let [a, b] = generate::near_min_normal(Ty::F16, &mut rng);
        list.add(QUESTION, "mul.rn.ftz.f16", &[a, b]);
        list.add(QUESTION, "fma.rn.ftz.f16", &[a, b, 0]);
    }
    // Reciprocals of the largest numbers are subnormal: 2^126 is the last that is not.
    for a in [0x7e7f_ffff, 0x7e80_0000, 0x7e80_0001, 0x7e80_0002, 0x7eff_ffff, 0x7f00_0000, 0x7f7f_ffff] {
        for form in ["rcp.rn.ftz.f32", "rcp.rz.ftz.f32", "rcp.rp.ftz.f32", "rcp.rn.f32"] {
            list.add(QUESTION, form, &[a]);
        }
    }
}

/// Adds the OOB NaN beside values that show which test comes first. `oob.tsv` shows which pattern
/// is the OOB NaN.
fn oob(list: &mut List) {
    const QUESTION: &str = "oob";
    for (ty, one, infinity) in [("f16", 0x3c00, 0x7c00), ("bf16", 0x3f80, 0x7f80)] {
        let values = [0x7ff7, 0xfff7, 0x7fff, infinity, infinity | 0x8000, 0, 0x8000, one];
        for a in values {
            for b in values {
                for c in [one, 0x7ff7, 0xfff7, 0x7fff, infinity] {
                    // Without an OOB NaN it is an ordinary fma.
                    if [a, b, c].iter().any(|x| x & 0x7fff == 0x7ff7) {
                        list.add(QUESTION, &format!("fma.rn.oob.{ty}"), &[a, b, c]);
                    }
                }
            }
        }
    }
}

/// Adds zeros: clamped, compared, flushed, cancelled.
fn zeros(list: &mut List) {
    for (ty, one, tiny) in [("f16", 0x3c00, 1), ("bf16", 0x3f80, 1)] {
        let minus = |x: u64| x | 0x8000;
        for operands in [
            [minus(0), one, minus(0)],
            [minus(one), 0, minus(0)],
            [one, minus(0), minus(0)],
            [minus(tiny), tiny, minus(0)],
            [minus(one), one, one],
            [minus(one), one, 0],
            [0x7fff, one, one],
        ] {
            list.add("relu-zero", &format!("fma.rn.relu.{ty}"), &operands);
            list.add("relu-zero", &format!("fma.rn.{ty}"), &operands);
        }
    }
    for (a, b) in
        [(0x8000, 0x8000), (0x8000, 0), (0xbc00, 0x3c00), (0x7fff, 0x3c00), (0x7c00, 0x3c00), (0xfc00, 0x3c00)]
    {
        list.add("sat", "add.rn.sat.f16", &[a, b]);
    }
    for (a, b) in [(0x8000_0000, 0x8000_0000), (0x7fff_ffff, 0), (0xff80_0000, 0), (0x7f80_0000, 0)] {
        list.add("sat", "add.rn.sat.f32", &[a, b]);
    }
    for op in ["min", "max"] {
        for (ty, bits) in [("f16", 16), ("bf16", 16), ("f32", 32), ("f64", 64)] {
            let sign = 1 << (bits - 1);
            list.pairs("zero-order", &format!("{op}.{ty}"), &[0, sign]);
            if ty == "f16" || ty == "f32" {
                // Subnormals are flushed to zeros of their signs before they are compared.
                list.pairs("ftz-order", &format!("{op}.ftz.{ty}"), &[0, sign, 1, sign | 1, 2, sign | 2]);
            }
        }
    }
    for form in ["add.rn.f32", "add.rz.f32", "add.rm.f32", "add.rp.f32"] {
        list.add("cancelled-zero", form, &[0x3f80_0000, 0xbf80_0000]);
    }
}

/// Adds NaNs where the manual calls the result's bits unspecified or does not mention the sign.
fn nans(list: &mut List) {
    let f32s = [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xff80_0001, 0x7fff_ffff, 0xffff_ffff, 0x7fc1_2345, 0xff81_2345];
    let halves = |infinity: u64| {
        let quiet = infinity | (infinity >> 1 & !infinity);
        [quiet, quiet | 0x8000, infinity | 1, infinity | 0x8001, 0x7fff, 0xffff, 0x7ff7, 0xfff7]
    };
    let (f16s, bf16s) = (halves(0x7c00), halves(0x7f80));
    let by_type = [("f16", 0x3c00, f16s), ("bf16", 0x3f80, bf16s), ("f32", 0x3f80_0000, f32s)];
    for (ty, one, nans) in by_type {
        let bits = if ty == "f32" { 32 } else { 16 };
        let minus = one | 1 << (bits - 1);
        for nan in nans {
            for op in ["abs", "neg"] {
                list.add("abs-neg-nan", &format!("{op}.{ty}"), &[nan]);
                if ty != "bf16" {
                    list.add("abs-neg-nan", &format!("{op}.ftz.{ty}"), &[nan]);
                }
            }
            for op in ["add.rn", "mul.rn"] {
                list.add("arithmetic-nan", &format!("{op}.{ty}"), &[nan, one]);
                list.add("arithmetic-nan", &format!("{op}.{ty}"), &[one, nan]);
            }
            list.add("arithmetic-nan", &format!("fma.rn.{ty}"), &[one, one, nan]);
            for op in ["min", "max"] {
                for modifiers in ["", ".NaN"] {
                    for x in [one, minus] {
                        let plain = format!("{op}{modifiers}.{ty}");
                        let signs = format!("{op}{modifiers}.xorsign.abs.{ty}");
                        list.add("minmax-nan", &plain, &[nan, x]);
                        list.add("minmax-nan", &plain, &[x, nan]);
                        list.add("xorsign-nan", &signs, &[nan, x]);
                        list.add("xorsign-nan", &signs, &[x, nan]);
                    }
                    list.add("minmax-two-nans", &format!("{op}{modifiers}.{ty}"), &[nan, nans[2]]);
                    list.add("minmax-two-nans", &format!("{op}{modifiers}.xorsign.abs.{ty}"), &[nan, nans[3]]);
                }
            }
        }
    }
    for form in forms::all().iter().filter(|f| f.info.instruction == "testp") {
        let sign = 1 << (form.info.operands[0].bits() - 1);
        let layout = Layout::of(form.form().ty);
        for x in
            [0, 1, layout.min_normal() - 1, layout.min_normal(), layout.infinity(), layout.infinity() + 1, sign - 1]
        {
            list.add("testp", form.name, &[x]);
            list.add("testp", form.name, &[x | sign]);
        }
    }
    for (ty, sign, values) in
        [("f32", 1 << 31, [0x7fc0_0001_u64, 0x7f80_0001]), ("f64", 1 << 63, [0x7ff8 << 48, 0x7ff0_0000_0000_0001])]
    {
        for nan in values {
            for (a, b) in [(sign, nan), (0, nan | sign), (nan, sign), (nan | sign, 0)] {
                list.add("copysign-nan", &format!("copysign.{ty}"), &[a, b]);
            }
        }
    }
}

/// Adds NaNs of f64: the result may be an operand's, quieted or not, or a generated one.
fn f64_nans(list: &mut List) {
    const QUESTION: &str = "f64-nan";
    let (one, infinity, sign) = (1f64.to_bits(), f64::INFINITY.to_bits(), 1 << 63);
    let (quiet, signalling) = (0x7ff8_0000_0000_0123, 0x7ff0_0000_0000_0456);
    let values = [quiet, quiet | sign, signalling, signalling | sign, 0x7fff_ffff_ffff_ffff, one];
    for form in ["add.rn.f64", "sub.rn.f64", "mul.rn.f64", "div.rn.f64", "min.f64", "max.f64"] {
        list.pairs(QUESTION, form, &values);
    }
    for a in values {
        for b in values {
            for c in [quiet | 7, signalling | 7 | sign, one] {
                list.add(QUESTION, "fma.rn.f64", &[a, b, c]);
            }
        }
        for form in ["rcp.rn.f64", "sqrt.rn.f64", "rsqrt.approx.f64", "abs.f64", "neg.f64"] {
            list.add(QUESTION, form, &[a]);
        }
    }
    const GENERATED: &str = "f64-generated-nan";
    list.add(GENERATED, "add.rn.f64", &[infinity, infinity | sign]);
    list.add(GENERATED, "sub.rn.f64", &[infinity, infinity]);
    list.add(GENERATED, "mul.rn.f64", &[0, infinity]);
    list.add(GENERATED, "mul.rn.f64", &[infinity | sign, 0]);
    list.add(GENERATED, "fma.rn.f64", &[0, infinity, one]);
    list.add(GENERATED, "fma.rn.f64", &[0, infinity, quiet]);
    list.add(GENERATED, "fma.rn.f64", &[infinity, one, infinity | sign]);
    list.add(GENERATED, "div.rn.f64", &[0, 0]);
    list.add(GENERATED, "div.rn.f64", &[infinity, infinity]);
    list.add(GENERATED, "sqrt.rn.f64", &[one | sign]);
    list.add(GENERATED, "rsqrt.approx.f64", &[one | sign]);
}

/// Adds special values and segment ends for approximations; the upper-word forms have operands with
/// and without a lower word.
fn approximations(list: &mut List) {
    for form in forms::all() {
        if !form.info.approximate || form.form().lanes > 1 {
            continue;
        }
        let name = form.name;
        match (form.form().ty, form.info.operands.len()) {
            // Dumps have all their results.
            (Ty::F16 | Ty::Bf16, _) => {}
            (Ty::F64, _) => {
                for &a in edges::of(Ty::F64) {
                    list.add("approx-f64", name, &[a]);
                }
            }
            (_, 1) => {
                for &a in edges::of(Ty::F32) {
                    list.add("approx", name, &[a]);
                }
            }
            _ => {
                // Divisors at which the sequence changes its scaling, and dividends at the ends of
                // the range.
                let divisors = [
                    0,
                    1,
                    0x007f_ffff,
                    0x0080_0000,
                    0x0080_0001,
                    0x3f80_0000,
                    0x4040_0000,
                    0x7e7f_ffff,
                    0x7e80_0000,
                    0x7e80_0001,
                    0x7eff_ffff,
                    0x7f00_0000,
                    0x7f7f_ffff,
                    0x7f80_0000,
                    0x7fff_ffff,
                ];
                let dividends = [0, 0x8000_0001, 0x0080_0000, 0xbf80_0000, 0x3f80_0001, 0x7f7f_ffff, 0xff80_0000];
                for a in dividends {
                    for b in divisors {
                        list.add("approx-div", name, &[a, b]);
                    }
                }
            }
        }
    }
}
