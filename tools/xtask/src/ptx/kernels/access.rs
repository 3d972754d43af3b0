//! The memory that a kernel's machine instructions access.

use std::collections::BTreeMap;
use std::fmt;

use super::super::flow::{Code, is, opcode};

/// Instructions that access memory, loads first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) shared: [usize; 2],
    pub(super) global: [usize; 2],
    /// Global loads through the read-only cache.
    pub(super) constant: usize,
    /// Generic accesses, which find the memory of an address at run time.
    pub(super) generic: [usize; 2],
}

impl Counts {
    pub(super) fn of(code: &Code) -> Self {
        let count = |name| code.instructions.iter().filter(|i| is(i, name)).count();
        let through = |i: &&String| is(i, "LDG") && opcode(i).0.contains(".CONSTANT");
        Self {
            shared: ["LDS", "STS"].map(count),
            global: ["LDG", "STG"].map(count),
            constant: code.instructions.iter().filter(through).count(),
            generic: ["LD", "ST"].map(count),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shared: [lds, sts], global: [ldg, stg], constant, generic: [ld, st] } = self;
        write!(
            f,
            "{lds} LDS and {sts} STS, {ldg} LDG, {constant} of them .CONSTANT, and {stg} STG, {ld} LD and {st} ST"
        )
    }
}

/// Checks that no entry has a generic access, and that entries load their inputs through the
/// read-only cache.
pub(super) fn judge(code: &BTreeMap<String, Code>, entries: &[String], problems: &mut Vec<String>) {
    for entry in entries {
        let Some(counts) = code.get(entry).map(Counts::of) else {
            problems.push(format!("{entry} is not in the disassembly"));
            continue;
        };
        if counts.generic != [0, 0] {
            problems.push(format!("{entry} has generic accesses: {counts}"));
        }
        let reads_more =
            READ_MORE.iter().any(|kernel| entry.contains(&format!("_{kernel}_")) || entry.ends_with(kernel));
        // A handwritten kernel chooses its loads itself.
        if counts.constant < counts.global[0] && !reads_more && !entry.starts_with("hand_") {
            problems.push(format!("{entry} reads inputs as if they could change: {counts}"));
        }
    }
}

/// Kernels that read what they write, which is no input, or a table.
const READ_MORE: [&str; 4] = ["adjust", "eliminate", "gain", "price_by_table"];

#[cfg(test)]
mod tests {
    use super::super::super::flow::read;
    use super::*;

    #[test]
    fn generic_accesses_and_inputs_that_may_change_are_problems() {
        let problems = |entry: &str, text: &str| {
            let code = read(&format!(".text.{entry}:\n{text}"));
            let mut problems = Vec::new();
            judge(&code, &[entry.to_owned()], &mut problems);
            problems
        };
        let fine =
            "/*0*/ LDG.E.U16.CONSTANT R3, desc[UR4][R2.64] ;\n/*1*/ @!P0 STS.U16 [R1], R3 ;\n/*2*/ LDS R1, [R2] ;\n";
        assert!(problems("in_f16_scan_pair", fine).is_empty());
        assert_eq!(
            problems("in_f16_scan_pair", "/*0*/ @P0 LD.E.U16 R3, [R2.64] ;\n"),
            [
                "in_f16_scan_pair has generic accesses: 0 LDS and 0 STS, 0 LDG, 0 of them .CONSTANT, and 0 STG, 1 LD and 0 ST"
            ]
        );
        let plain = "/*0*/ LDG.E R3, desc[UR4][R2.64] ;\n";
        assert!(
            problems("in_f16_nn_pair", plain)[0].starts_with("in_f16_nn_pair reads inputs as if they could change")
        );
        assert!(problems("in_f16_adjust_pair", plain).is_empty());
        assert!(problems("hand_adjust", plain).is_empty());
    }
}
