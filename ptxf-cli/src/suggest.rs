//! Advice on a spelling that is not legal, in one line: its mistake, and the nearest legal form.

use ptxf_spec::spelling::{Spelling, check, closest};

/// The mistake in an illegal spelling.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    /// The mistake and its correction, in one line.
    pub problem: String,
    /// The nearest legal form; `None` if no instruction resembles the one of the spelling.
    pub nearest: Option<String>,
}

/// The greatest length of a spelling that is examined in full. Every legal one is shorter.
pub(crate) const LONGEST: usize = 64;

/// Diagnoses a name that is not in the table.
pub(crate) fn diagnose(name: &str) -> Diagnosis {
    let table = ptxf_spec::table().expect("the table was valid when the library was built from it");
    if let Some((form, whose)) = table.other_name(name) {
        return Diagnosis { problem: format!("that is {whose}'s name"), nearest: Some(form.closed(&[])) };
    }
    // The rest would change nothing, and would take time.
    if let Some((end, _)) = name.char_indices().nth(LONGEST) {
        let short = name[..end].rsplit_once('.').map_or(&name[..end], |(whole, _)| whole);
        let problem = format!("no form has a name of more than {LONGEST} characters");
        return Diagnosis { problem, nearest: closest(table, &Spelling::of(short)) };
    }
    let spelling = Spelling::of(name);
    let problem = match check(table, &spelling) {
        Ok(_) => "it is legal".to_owned(),
        Err(mistake) => visible(&mistake.problem),
    };
    Diagnosis { problem, nearest: closest(table, &spelling) }
}

/// Returns the text with escapes for invisible characters, which a name may contain.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::diagnose;

    #[test]
    fn every_kind_of_mistake() {
        for (name, nearest, part) in [
            ("fma.f16", "fma.rn.f16", "needs a rounding: write `fma.rn.f16`"),
            ("fma.f64", "fma.rn.f64", "write `fma.rn.f64`, `fma.rz.f64`, `fma.rm.f64`, `fma.rp.f64`"),
            ("fma.ftz.rn.f16", "fma.rn.ftz.f16", "`.rn` stands before `.ftz`: write `fma.rn.ftz.f16`"),
            ("fma.f16.rn", "fma.rn.f16", "`.rn` stands before `.f16`"),
            ("add.sat.bf16", "add.bf16", "`.sat` does not exist for add.bf16"),
            ("fma.rn.sat.relu.f16", "fma.rn.sat.f16", "`.relu` and `.sat` exclude each other"),
            (
                "fma.rn.fzt.f16",
                "fma.rn.ftz.f16",
                "`.fzt` is neither a modifier nor a type of `fma`, did you mean `.ftz`?",
            ),
            ("min.nan.f16", "min.NaN.f16", "upper and lower case: write `.NaN`"),
            ("FMA.rn.f16", "fma.rn.f16", "write `fma`"),
            ("fmaa.rn.f16", "fma.rn.f16", "did you mean `fma`?"),
            ("nosuch", "", "`nosuch` is no floating-point instruction of PTX"),
            ("add.ftz.ftz.f16", "add.ftz.f16", "`.ftz` stands twice"),
            ("sqrt.f32", "sqrt.rn.f32", "needs a rounding or an approximation"),
            ("testp.normal.f16", "testp.normal.f32", "`testp` does not exist for `.f16`"),
            ("testp.f32", "testp.finite.f32", "needs a property"),
            ("max.xorsign.f16", "max.xorsign.abs.f16", "needs `.abs`"),
            ("add.rn", "add.rn.f32", "has no type"),
            ("mul.f32.f32", "mul.f32", "this one has `.f32` already"),
            ("mul.f32.f16", "mul.f32", "mixed precision has no `mul`"),
            ("setp.lo.f32", "setp.eq.f32", "for floats write `.lt`, or `.ltu`"),
            ("add..f16", "add.f16", "a dot has no name after it"),
            ("cvt.rn.f16", "cvt.rn.f16.f32", "one type and needs two"),
            ("cvt.f16.f32", "cvt.rn.f16.f32", "needs a rounding"),
            ("set.u32.f16x2", "set.eq.u32.f16x2", "needs a comparison"),
            (&format!("add.f16.{}", "x".repeat(80)), "add.f16", "no form has a name of more than 64 characters"),
            ("", "", "starts with an instruction"),
            (".f16", "", "starts with an instruction"),
            ("__hfma2_relu", "fma.rn.relu.f16x2", "CUDA's name"),
            ("fma_rn_f16", "fma.rn.f16", "Rust's name"),
            ("F16x2::fma_rn", "fma.rn.f16x2", "Rust's name"),
        ] {
            let d = diagnose(name);
            assert!(d.problem.contains(part), "{name}: {}", d.problem);
            assert_eq!(d.nearest.unwrap_or_default(), nearest, "{name}: {}", d.problem);
        }
    }

    #[test]
    fn any_text_has_a_diagnosis() {
        for name in ["…", "........", "é.é", &"x".repeat(5000), &".ftz".repeat(2000), "\0"] {
            let problem = diagnose(name).problem;
            assert!(!problem.is_empty() && !problem.contains(char::is_control), "{name:?}: {problem}");
        }
    }
}
