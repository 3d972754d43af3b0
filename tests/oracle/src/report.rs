//! A comparison of an answer with the oracles', with a full report of a difference.

use core::fmt::Write as _;

use crate::form::{Form, Op, Ty};
use crate::lanes;
use crate::layout::Layout;

/// Checks `got` against every oracle.
///
/// # Panics
///
/// Panics with a report if an oracle has another result, or if no oracle has an answer.
#[track_caller]
pub fn check(form: &Form, ops: &[u64], got: u64) {
    if let Some(report) = difference(form, ops, got) {
        panic!("{report}");
    }
}

/// The report with which [`check`] panics.
#[must_use]
pub fn difference(form: &Form, ops: &[u64], got: u64) -> Option<String> {
    let wants = crate::expect(form, ops);
    let differs = wants.is_empty() || wants.iter().any(|(_, want)| *want != got);
    differs.then(|| report(form, ops, got, &wants))
}

/// Checks `got` against one known answer, such as a level's against the scalar one.
///
/// # Panics
///
/// Panics if the two results differ.
#[track_caller]
pub fn check_against(name: &'static str, want: u64, form: &Form, ops: &[u64], got: u64) {
    assert!(got == want, "{}", report(form, ops, got, &[(name, want)]));
}

/// The form, each operand and answer as bits and as values, and the command that repeats the
/// computation.
#[must_use]
pub fn report(form: &Form, ops: &[u64], got: u64, wants: &[(&str, u64)]) -> String {
    let mut out = format!("\n{form}\n");
    for (i, x) in ops.iter().enumerate() {
        line(&mut out, &operand(form, i, ops), ["a", "b", "c"][i], *x);
    }
    let mut result_line = |name: &str, x: u64| {
        if form.op == Op::Testp {
            let _ = writeln!(out, "  {name:<15}{x}");
        } else if form.to.is_some() {
            let _ = writeln!(out, "  {name:<15}{x:#x}");
        } else {
            line(&mut out, form, name, x);
        }
    };
    result_line("got", got);
    for (name, want) in wants {
        result_line(name, *want);
    }
    if wants.is_empty() {
        out.push_str("  no oracle covers this form\n");
    }
    let _ = writeln!(out, "  repeat:        {}", command(form, ops));
    out
}

/// Returns the `ptxf eval` command line that computes this result.
#[must_use]
pub fn command(form: &Form, ops: &[u64]) -> String {
    let mut out = format!("ptxf eval '{form}'");
    for (i, x) in ops.iter().enumerate() {
        let _ = write!(out, " {}", hex(&operand(form, i, ops), *x));
    }
    out
}

/// A form of the operand's type.
fn operand(form: &Form, i: usize, ops: &[u64]) -> Form {
    let last = i + 1 == ops.len();
    if form.is_mixed() && last { Form { ty: Ty::F32, to: None, ..*form } } else { *form }
}

fn hex(form: &Form, x: u64) -> String {
    let digits = (Layout::of(form.ty).bits * u32::from(form.lanes) / 4) as usize;
    format!("0x{x:0digits$x}")
}

fn line(out: &mut String, form: &Form, name: &str, x: u64) {
    let _ = write!(out, "  {name:<15}{}", hex(form, x));
    for i in 0..form.lanes {
        let lane = lanes::get(form, x, i);
        let _ = write!(out, "{}{}", if i == 0 { "  " } else { "  |  " }, describe(form, lane));
    }
    out.push('\n');
}

/// One lane's value, in decimal and in hexadecimal.
#[must_use]
pub fn describe(form: &Form, lane: u64) -> String {
    let layout = Layout::of(form.ty);
    let value = layout.to_f64(lane);
    let sign = if layout.is_negative(lane) { "-" } else { "" };
    if layout.is_nan(lane) {
        let kind = if lane & layout.quiet_bit() == 0 { "sNaN" } else { "NaN" };
        return format!("{sign}{kind}({:#x})", lane & (layout.min_normal() - 1));
    }
    if layout.is_infinite(lane) || layout.is_zero(lane) {
        return format!("{value:?}");
    }
    let (m, e) = layout.decompose(lane);
    let exponent = e + layout.fraction as i32;
    let leading = m >> layout.fraction;
    // The fraction, padded on the right to whole hexadecimal digits.
    let digits = layout.fraction.div_ceil(4);
    let tail = (m & (layout.min_normal() - 1)) << (4 * digits - layout.fraction);
    let tail = format!("{tail:0width$x}", width = digits as usize);
    let tail = tail.trim_end_matches('0');
    let point = if tail.is_empty() { "" } else { "." };
    format!("{value:?} ({sign}0x{leading}{point}{tail}p{exponent})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_everything() {
        let form = Form::parse("fma.rn.f16x2").unwrap();
        let report = difference(&form, &[0x7e01_4200, 0xfbff_6156, 0x0000_0001], 0x7fff_6800).unwrap();
        println!("{report}");
        for part in [
            "fma.rn.f16x2",
            "0x7e014200  3.0 (0x1.8p1)  |  NaN(0x201)",
            "683.0 (0x1.558p9)  |  -65504.0 (-0x1.ffcp15)",
            "5.960464477539063e-8 (0x0.004p-14)  |  0.0",
            "got            0x7fff6800  2048.0 (0x1p11)",
            "exact          0x7fff6801  2050.0 (0x1.004p11)  |  NaN(0x3ff)",
            "ptxf eval 'fma.rn.f16x2' 0x7e014200 0xfbff6156 0x00000001",
        ] {
            assert!(report.contains(part), "{part} is missing from {report}");
        }
        assert_eq!(difference(&form, &[0x7e01_4200, 0xfbff_6156, 0x0000_0001], 0x7fff_6801), None);
    }

    #[test]
    fn an_uncovered_form_is_no_success() {
        let form = Form::parse("sin.approx.f64").unwrap();
        assert!(difference(&form, &[0], 0).unwrap().contains("no oracle"));
    }
}
