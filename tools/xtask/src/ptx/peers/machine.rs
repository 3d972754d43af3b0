//! Machine instructions of the part of a kernel that takes its time.
//!
//! The assembler unrolls loops, so the length of a body alone says nothing. An iteration has a
//! known number of certain instructions, which gives the iterations of a body. Of several loops,
//! such as an unrolled one and its remainder, the one with the fewest instructions per iteration
//! counts. A kernel without a loop has the instructions of the shortest path through a store.

use std::collections::BTreeMap;

use super::super::flow::{Code, is, opcode};

/// A kernel whose time is in a loop.
struct Loop {
    kernel: &'static str,
    /// Instructions by which iterations are counted, in f32 and in f16.
    counted: &'static [&'static str],
    /// Their number in an iteration of one thread in f32, and of a pair in f16.
    per_iteration: [usize; 2],
}

const PRODUCT: &[&str] = &["FFMA", "HFMA2"];
const SUM: &[&str] = &["FADD", "HADD2"];

const LOOPS: [Loop; 7] = [
    Loop { kernel: "matmul", counted: PRODUCT, per_iteration: [1, 1] },
    Loop { kernel: "matmul_tiled", counted: PRODUCT, per_iteration: [1, 1] },
    Loop { kernel: "assign", counted: SUM, per_iteration: [1, 1] },
    Loop { kernel: "gain", counted: SUM, per_iteration: [1, 1] },
    // The assembler writes some products and sums as `HFMA2`, so all count.
    Loop { kernel: "step", counted: &["FADD", "FMUL", "FFMA", "HADD2", "HMUL2", "HFMA2"], per_iteration: [12, 12] },
    Loop { kernel: "forces", counted: &["MUFU.EX2"], per_iteration: [1, 2] },
    Loop { kernel: "fold", counted: &["FMUL", "FFMA", "HMUL2", "HFMA2"], per_iteration: [2, 2] },
];

/// Returns the instructions of the suite's entries and of the kernels in CUDA C++ that have a
/// counterpart, by the names of the entries.
pub(super) fn instructions(all: &BTreeMap<String, Code>) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for (name, nvcc) in all {
        let Some((kernel, is_pair)) = counterpart(name) else { continue };
        let ours = if is_pair { format!("in_f16_{kernel}_pair") } else { format!("in_f32_{kernel}_scalar") };
        let Some(code) = all.get(&ours) else { continue };
        for (name, code) in [(&ours, code), (name, nvcc)] {
            found.extend(count(kernel, is_pair, code).map(|count| (name.clone(), count)));
        }
    }
    found
}

/// Returns the kernel of an entry in CUDA C++, and `true` if the entry runs pairs.
fn counterpart(name: &str) -> Option<(&str, bool)> {
    let of = |suffix, is_pair| name.strip_suffix(suffix).map(|kernel| (kernel, is_pair));
    of("_f32", false).or_else(|| of("_f16x2", true))
}

/// Returns the instructions per iteration, or those of the path. `None` if there is no such loop or
/// path.
fn count(kernel: &str, is_pair: bool, code: &Code) -> Option<f64> {
    let Some(of) = LOOPS.iter().find(|of| of.kernel == kernel) else {
        let way = code.way(|i| is(i, "STG") && !(is_pair && i.contains(".U16")));
        return way.map(|way| way.len() as f64);
    };
    // A conversion is a `HADD2.F32`, and a constant is moved by a product of zeros.
    let computes = |i: &str| !opcode(i).0.contains(".F32") && !i.contains(" -RZ, RZ,");
    let per_iteration = |body: &[String]| {
        let counted = body.iter().filter(|i| of.counted.iter().any(|name| is(i, name)) && computes(i));
        let iterations = counted.count() as f64 / of.per_iteration[usize::from(is_pair)] as f64;
        (iterations > 0.0).then(|| body.len() as f64 / iterations)
    };
    let loops = code.inner_loops().into_iter().filter_map(|range| per_iteration(&code.instructions[range]));
    loops.min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::super::super::flow;
    use super::*;

    /// Returns the code of entries, whose lines are joined by `;`.
    fn code(entries: &[(&str, &str)]) -> BTreeMap<String, Code> {
        let mut text = String::new();
        for (name, lines) in entries {
            text.push_str(&format!(".text.{name}:\n"));
            for line in lines.split(';').map(str::trim) {
                let is_label = line.ends_with(':');
                text.push_str(&if is_label { format!("{line}\n") } else { format!("/*0000*/ {line} ;\n") });
            }
        }
        flow::read(&text)
    }

    #[test]
    fn the_shortest_loop_counts_per_iteration() {
        // Four iterations of 12 instructions, and a remainder of one with five.
        let ours = ".L_0:; FFMA; FFMA; FFMA; FFMA; LDG; LDG; LDG; LDG; IADD3; IADD3; IADD3; @P0 BRA `(.L_0);
                    .L_1:; FFMA; LDG; IADD3; IADD3; @P0 BRA `(.L_1); EXIT";
        let nvcc = ".L_0:; FFMA; LDG; IADD3; @P0 BRA `(.L_0); EXIT";
        let found = instructions(&code(&[("in_f32_matmul_scalar", ours), ("matmul_f32", nvcc)]));
        assert_eq!(found, BTreeMap::from([("in_f32_matmul_scalar".into(), 3.0), ("matmul_f32".into(), 4.0)]));
    }

    #[test]
    fn conversions_and_moves_do_not_count_and_a_pair_has_two_exponentials() {
        let found = |kernel: &str, lines: &str| {
            let [ours, nvcc] = [format!("in_f16_{kernel}_pair"), format!("{kernel}_f16x2")];
            instructions(&code(&[(&ours, lines), (&nvcc, "EXIT")])).remove(&ours)
        };
        assert_eq!(found("gain", ".L_0:; HADD2; HADD2.F32; HADD2; @P0 BRA `(.L_0); EXIT"), Some(2.0));
        assert_eq!(found("gain", ".L_0:; HADD2.F32; @P0 BRA `(.L_0); EXIT"), None);
        let moved = ".L_0:; HFMA2.MMA R1, -RZ, RZ, 0, 0; HFMA2 R1, R2, R3, R1; @P0 BRA `(.L_0); EXIT";
        assert_eq!(found("matmul", moved), Some(3.0));
        assert_eq!(found("forces", ".L_0:; MUFU.EX2; MUFU.EX2; @P0 BRA `(.L_0); EXIT"), Some(3.0));
        // A pair is stored as a word, past the shorter path for one thread.
        assert_eq!(found("nn", "@P0 BRA `(.L_0); STG.E.U16; EXIT; .L_0:; FMUL; FMUL; STG.E; EXIT"), Some(5.0));
    }

    #[test]
    fn entries_without_a_counterpart_are_left_out() {
        let found = instructions(&code(&[("in_f32_nn_scalar", "STG; EXIT"), ("in_bf16_nn_pair", "STG; EXIT")]));
        assert_eq!(found, BTreeMap::new());
    }
}
