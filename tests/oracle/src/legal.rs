//! The legal spellings of PTX ISA 9.7.3 to 9.7.7 that take or return a float, and the library's
//! spellings of `cvt`, read from the manual by hand (`forms.tsv`).
//!
//! The library derives its own list from its table. A comparison of the two lists shows a missing
//! row, a superfluous modifier or a wrong version. A mistake here is corrected from the manual,
//! never by copying.

use crate::across::Across;
use crate::compare;
use crate::cvt::Cvt;
use crate::form::Form;

/// One legal spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legal {
    /// The manual's spelling.
    pub spelling: &'static str,
    /// The parsed spelling. `None` for comparison and selection, which [`compare`] parses, and for
    /// conversions, which have [`Cvt`], and for arithmetic of several types, which has [`Across`].
    pub form: Option<Form>,
    /// Number of input operands. `min` and `max` of f32 have spellings that exist with two and with
    /// three.
    pub operands: usize,
    /// Alternatives of a PTX ISA version and a target that introduced the spelling: `90` or `100a`;
    /// 10 where the manual has "all".
    pub since: Vec<((u8, u8), &'static str)>,
    /// The manual's section.
    pub section: &'static str,
}

const TSV: &str = include_str!("../forms.tsv");

/// Every legal spelling, in the manual's order.
///
/// # Panics
/// Panics if a line of `forms.tsv` is malformed, and names the line.
#[must_use]
pub fn all() -> Vec<Legal> {
    TSV.lines().skip(1).map(|line| read(line).unwrap_or_else(|| panic!("forms.tsv: `{line}`"))).collect()
}

fn read(line: &'static str) -> Option<Legal> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let spelling = next()?;
    let operands = next()?.parse().ok()?;
    let versions = next()?.split('|').map(|version| {
        let (major, minor) = version.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    let targets = next()?.split('|');
    let since: Option<Vec<_>> = versions.zip(targets).map(|(ptx, sm)| Some((ptx?, sm))).collect();
    let is_elsewhere =
        compare::Form::parse(spelling).is_ok() || Cvt::parse(spelling).is_ok() || Across::parse(spelling).is_some();
    let form = if is_elsewhere { None } else { Some(Form::parse(spelling).ok()?) };
    let legal = Legal { spelling, form, operands, since: since?, section: next()? };
    fields.next().is_none().then_some(legal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Op, Ty};

    /// Spellings per section, counted from the grammar lines: a product of the choices of each
    /// bracket, per line.
    const COUNTS: [(&str, usize); 44] = [
        ("9.7.3.1", 6 * 2),
        ("9.7.3.2", 2),
        ("9.7.3.3", 5 * 2 * 2 + 5 * 2 + 5),
        ("9.7.3.4", 5 * 2 * 2 + 5 * 2 + 5),
        ("9.7.3.5", 5 * 2 * 2 + 5 * 2 + 5),
        ("9.7.3.6", 4 * 2 * 2 + 4 * 2 + 4),
        ("9.7.3.7", 2 * 2 + 4 * 2 * 2 + 4),
        ("9.7.3.8", 2 + 2 + 4 * 2 + 4),
        ("9.7.3.9", 2 + 1),
        ("9.7.3.10", 2 + 1),
        ("9.7.3.11", 2 * 2 * 2 + 2 * 2 * 2 + 1),
        ("9.7.3.12", 2 * 2 * 2 + 2 * 2 * 2 + 1),
        ("9.7.3.13", 2 + 4 * 2 + 4),
        ("9.7.3.14", 1),
        ("9.7.3.15", 2 + 4 * 2 + 4),
        ("9.7.3.16", 2 + 1),
        ("9.7.3.17", 1),
        ("9.7.3.18", 3),
        ("9.7.3.19", 3),
        ("9.7.3.20", 2),
        ("9.7.3.21", 2),
        ("9.7.3.22", 1),
        ("9.7.4.1", 2 * (2 * 2 * 2 + 2)),
        ("9.7.4.2", 2 * (2 * 2 * 2 + 2)),
        ("9.7.4.3", 2 * (2 * 2 * 2 + 2)),
        ("9.7.4.4", 2 * (2 * 2 + 2 + 2) + 4 * 2),
        ("9.7.4.5", 2 * (2 + 1)),
        ("9.7.4.6", 2 * (2 + 1)),
        ("9.7.4.7", 2 * (2 * 2 * 2 + 2 * 2)),
        ("9.7.4.8", 2 * (2 * 2 * 2 + 2 * 2)),
        ("9.7.4.9", 4),
        ("9.7.4.10", 4),
        // Of scalars, of pairs, and of two f32.
        ("9.7.5.1", 5 * 2 * 2 + 5 * 2 + 2),
        ("9.7.5.2", 5 * 2 * 2 + 5 * 2 + 2),
        ("9.7.5.3", 4 * 2 * 2 + 4 * 2),
        ("9.7.5", 2 + 2),
        // To two types of four lanes, .rn or not, .satfinite or not: of seven types, or of two.
        ("9.7.6", 2 * 4 * (7 + 7) + 2 * 4 * 7 * (7 + 7)),
        // Comparisons × (none or an operator). For integers: unsigned, signed, bits, in three
        // widths.
        ("9.7.6.1", 14 * 4 * (3 * 2 + 3) + (10 + 6 + 2) * 3 * 4),
        ("9.7.6.2", 14 * 4 * (2 + 1)),
        ("9.7.6.3", 2),
        ("9.7.6.4", 11 * 2 + 2),
        ("9.7.7.1", 14 * 4 * (2 * 2 + 1 + 4 + 4 * (2 + 1) + 3 * (2 + 1)) + 2 * (10 + 6 + 2) * 3 * 4),
        ("9.7.7.2", 14 * 4 * 2 * (2 + 1)),
        // Integers and back; narrowing, widening, one type; integral; .relu and .satfinite; tf32;
        // e4m3 and e5m2, e2m3 and e3m2, e2m1; ue8m0; with a scale; s2f6; .rs; .rz to the types of
        // eight, six and four bits, and to s2f6; .pzo to f16, bf16, their pairs and tf32, .pzo to
        // the narrow types, and with one scale; ue5m3 from three types, with a scale, and back.
        (
            "9.7.9.21",
            2 * 8 * 4 * (2 + 2 * 2 + 2 + 1)
                + 4 * (4 + 2 + 1 + 4 + 2 + 1 + 1)
                + (4 + 2 + 4 + 2 + 1)
                + (2 + 4 + 2 + 1) * (1 + 4)
                + 2 * 2 * 3
                + 2 * 2 * 4
                + (2 + 8)
                + (2 + 2 + 1) * (2 + 2 + 2 + 2 + 4)
                + (2 * 2 * 2 + 1)
                + 5 * 4
                + (2 * 2 * 2 + 2 * 2 * 2)
                + (2 * 4 + 5 * 2)
                + (5 * 3 * 2 + 2 * 2 * 2)
                + (2 * 2 * 2 * 5 + 2 * 2 * 5 * 3 + 2 * 2 * 2 * 5 * 3)
                + (3 * 2 * 3 + 2 * 2 * 3 + 2 * 2 + 1),
        ),
    ];

    #[test]
    fn every_section_has_as_many_spellings_as_its_grammar() {
        let all = all();
        for (section, count) in COUNTS {
            assert_eq!(all.iter().filter(|l| l.section == section).count(), count, "{section}");
        }
        assert_eq!(all.len(), COUNTS.iter().map(|c| c.1).sum::<usize>());
        assert_eq!(all.len(), 423 + 56 + 36 + 896 + 2184 + 648 + 504 + 2 + 24 + 1148);
    }

    #[test]
    fn no_line_twice_and_operands_fit_the_instruction() {
        let all = all();
        let mut keys: Vec<_> = all.iter().map(|l| (l.spelling, l.operands)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all.len());
        for (l, form) in all.iter().filter_map(|l| l.form.map(|form| (l, form))) {
            let want: &[usize] = match form.op {
                Op::Fma | Op::Mad => &[3],
                Op::Min | Op::Max if form.ty == Ty::F32 && form.xorsign => &[2],
                Op::Min | Op::Max if form.ty == Ty::F32 && form.abs => &[3],
                Op::Min | Op::Max if form.ty == Ty::F32 => &[2, 3],
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Min | Op::Max | Op::Copysign => &[2],
                _ => &[1],
            };
            assert!(want.contains(&l.operands), "{} {}", l.spelling, l.operands);
            assert_eq!(form.to_string(), l.spelling);
        }
        for l in all.iter().filter(|l| l.form.is_none()) {
            let operands = match (Cvt::parse(l.spelling), Across::parse(l.spelling)) {
                (Ok(cvt), _) => cvt.operands(),
                (_, Some(form)) => form.from().len(),
                _ => compare::Form::parse(l.spelling).unwrap().operands(),
            };
            assert_eq!(operands, l.operands, "{}", l.spelling);
        }
    }

    #[test]
    fn what_is_never_legal_is_absent() {
        for (l, f) in all().into_iter().filter_map(|l| l.form.map(|form| (l, form))) {
            let half = matches!(f.ty, Ty::F16 | Ty::Bf16);
            assert!(!(f.sat && f.relu), "{}", l.spelling);
            assert!(!(f.ftz && f.oob), "{}", l.spelling);
            assert!(!(f.ty == Ty::Bf16 && !f.is_mixed() && (f.sat || f.ftz && f.op != Op::Ex2)), "{}", l.spelling);
            assert!(!(half && !f.is_mixed() && f.rounding() != crate::Rnd::Rn), "{}", l.spelling);
            assert!(!(f.ty == Ty::F64 && (f.nan || f.sat)), "{}", l.spelling);
            assert_ne!(l.spelling, "sqrt.approx.f64");
            assert_ne!(l.spelling, "rcp.approx.f64");
        }
    }

    #[test]
    fn spot_checks_of_versions_and_targets() {
        let all = all();
        let one = |ptx, sm| vec![(ptx, sm)];
        for (spelling, operands, since) in [
            ("add.rn.f32", 2, one((1, 0), "10")),
            ("add.rm.f32", 2, one((1, 0), "20")),
            ("sub.rp.f64", 2, one((1, 0), "13")),
            ("fma.rn.f32", 3, one((2, 0), "20")),
            ("mad.f32", 3, one((1, 0), "10")),
            ("div.rz.f64", 2, one((1, 4), "20")),
            ("rcp.rn.f64", 1, one((1, 4), "13")),
            ("sqrt.rp.f64", 1, one((2, 0), "20")),
            ("rcp.approx.ftz.f64", 1, one((2, 1), "20")),
            ("rsqrt.approx.ftz.f64", 1, one((4, 0), "20")),
            ("min.NaN.f32", 2, one((7, 0), "80")),
            ("min.NaN.f32", 3, one((8, 8), "100")),
            ("max.ftz.xorsign.abs.f16x2", 2, one((7, 2), "86")),
            ("fma.rn.oob.relu.bf16x2", 3, one((8, 1), "90")),
            ("fma.rn.relu.bf16", 3, one((7, 0), "80")),
            ("mul.rn.bf16", 2, one((7, 8), "90")),
            ("neg.ftz.f16", 1, one((6, 0), "53")),
            ("abs.f16x2", 1, one((6, 5), "53")),
            ("ex2.approx.ftz.bf16", 1, one((7, 8), "90")),
            ("fma.rz.ftz.f32x2", 3, one((8, 6), "100")),
            ("cvt.rn.satfinite.e4m3x2.f32", 2, vec![((8, 1), "89"), ((7, 8), "90")]),
            ("cvt.rs.satfinite.e2m1x4.f32", 5, vec![((8, 7), "100a"), ((8, 8), "103a")]),
        ] {
            let l = all.iter().find(|l| l.spelling == spelling && l.operands == operands);
            let l = l.unwrap_or_else(|| panic!("{spelling} is missing"));
            assert_eq!(l.since, since, "{spelling}");
        }
    }
}
