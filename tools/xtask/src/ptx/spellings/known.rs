//! The spellings that the assembler accepts and the table lacks, with the reasons.

use std::collections::BTreeSet;

use super::key_of;

/// Patterns, in which `{a|b}` stands for each of its alternatives. They have a reason in common.
struct Outside {
    #[expect(dead_code, reason = "for the reader")]
    reason: &'static str,
    patterns: &'static [&'static str],
}

const OUTSIDE: &[Outside] = &[
    Outside {
        reason: "no manual has it, and it is compiled to wrong code: bf16 operands are read as f16, pairs are rounded to nearest",
        patterns: &["fma.{rz|rm|rp}{|.oob}{|.relu}{.bf16|.bf16x2}"],
    },
    Outside {
        reason: "no manual has it: a modifier without a documented effect there",
        patterns: &[
            "rcp.{rn|rz|rm|rp}.ftz.f64",
            "fma.rn.oob.sat{.f16|.f16x2}",
            "testp{.f32|.f64}",
            "cvt.{rm|rp}.pzo{.f16.f32|.bf16.f32}",
            "cvt.{rn|rz|rm|rp}.ftz.pzo.bf16.f32",
            "{add|sub}.ftz.f16x2.f32x2.f32x2",
            "{add|sub}.bf16x2.f32x2.f32x2",
        ],
    },
    Outside {
        reason: "against the manual's rule: a conversion without loss has no rounding, others have one",
        patterns: &["cvt{.f16.bf16|.bf16.f16}", "cvt.{rn|rz|rm|rp}{.f32.bf16|.ftz.f32.bf16|.f64.bf16}"],
    },
];

/// Returns the spellings, as the words of their keys.
pub(super) fn outside() -> BTreeSet<Vec<String>> {
    OUTSIDE.iter().flat_map(|o| o.patterns).flat_map(|pattern| spelled(pattern)).map(|s| key_of(&s, 0).0).collect()
}

/// Returns the spellings of a pattern.
fn spelled(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let (choices, after) = rest.split_once('}').expect("a brace that ends the alternatives");
    let after = spelled(after);
    choices.split('|').flat_map(|choice| after.iter().map(move |after| format!("{before}{choice}{after}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn a_pattern_has_all_its_alternatives() {
        assert_eq!(spelled("a{.b|}{.c|.d}"), ["a.b.c", "a.b.d", "a.c", "a.d"]);
    }
}
