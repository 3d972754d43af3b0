//! Kernels that nobody wrote: source text within the grammar of `#[ptx_kernel]`, the same for the same seed.
//!
//! Every index is in range for a thread below `n`, whatever the data, and every loop ends. Where an index or a divisor is
//! good for some threads only, a condition in front of it says so: a load or a division for another thread panics.

mod expr;
mod statement;

use std::fmt::Write as _;

use crate::Rng;

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// The element type.
    Float,
    /// Kept in f32.
    Kept,
    Int,
    Bool,
    /// An index in range.
    Index,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    mutable: bool,
}

/// A kernel in the making.
struct Kernel<'a> {
    rng: &'a mut Rng,
    /// In scope, innermost last.
    variables: Vec<Variable>,
    /// Counters that are the same for all threads and at most 4.
    counters: Vec<String>,
    /// Local arrays of three floats.
    arrays: Vec<String>,
    kept: Vec<String>,
    names: usize,
    text: String,
    indent: usize,
    /// Loops around this place.
    loops: usize,
}

/// The formats that kernels come in, with the argument for `wide` that goes with each.
const FORMATS: [[&str; 4]; 4] = [
    ["f16", "F16x2", "ptxf::F16", "Some(wide)"],
    ["bf16", "Bf16x2", "ptxf::Bf16", "None"],
    ["f16", "F16x2", "ptxf::F16", "Some(wide)"],
    ["single", "F32x2", "f32", "None"],
];

/// The items of a module with `count` kernels and their tests.
#[must_use]
pub fn generate(seed: u64, count: usize) -> String {
    let mut text = format!(
        "// Kernels that nobody wrote, from seed {seed:#x}.\n\n\
         use ptxf::ptx_fn;\n\n\
         use crate::harness::{{check_siblings, formats}};\n\n\
         #[ptx_fn]\n\
         fn bend(x: f32, k: i32) -> f32 {{\n    \
             if x < 0.0 || k > 6 {{\n        return x * 0.5;\n    }}\n    \
             let mut s = x;\n    \
             for j in 0..k {{\n        if s > 4.0 {{\n            break;\n        }}\n        s = s + j as f32 * 0.25;\n    }}\n    \
             s\n}}\n"
    );
    let mut rng = Rng::new(seed);
    for number in 0..count {
        let [name, pair, element, wide] = FORMATS[number % FORMATS.len()];
        let (keep, body) = kernel(&mut rng);
        let _ = write!(
            text,
            "\nmod kernel_{number} {{\n    use super::*;\n\n    formats! {{ @\n        {name} {pair} {element}, {wide},\n        \
             kernel_{number} (t: ThreadX; n m a x y z i u out w v) keep({keep}) {{\n{body}        }}\n    }}\n\n    \
             #[test]\n    fn siblings_agree() {{\n        check_siblings({name}(), {:#x});\n    }}\n}}\n",
            rng.next()
        );
    }
    text
}

/// The parameters of a generated kernel, which are those of the harness.
const PARAMETERS: &str = "t: ThreadX, n: usize, m: usize, a: f32, x: &[f32], y: &[f32], z: &[f32], i: &[i32], u: &[u32], \
                          out: &mut [f32], w: &mut [f32], v: &mut [i32]";

/// The same kernels as functions, each with the options of its attribute in front.
#[must_use]
pub fn functions(seed: u64, count: usize) -> Vec<[String; 2]> {
    let mut rng = Rng::new(seed);
    let function = |number: usize| {
        let (keep, body) = kernel(&mut rng);
        let keep = if keep.is_empty() { keep } else { format!(", {keep}") };
        let _ = rng.next();
        let options = format!("pair = {}, keep(z, w{keep})", FORMATS[number % FORMATS.len()][1]);
        [options, format!("fn kernel_{number}({PARAMETERS}) {{\n{body}}}\n")]
    };
    (0..count).map(function).collect()
}

/// The names it keeps, and its body.
fn kernel(rng: &mut Rng) -> (String, String) {
    let mut kernel = Kernel {
        rng,
        variables: Vec::new(),
        counters: Vec::new(),
        arrays: Vec::new(),
        kept: Vec::new(),
        names: 0,
        text: String::new(),
        indent: 3,
        loops: 0,
    };
    let around = kernel.rng.below(2) == 0;
    kernel.line(if around { "if t < n {" } else { "if t >= n {" });
    kernel.indent += 1;
    if !around {
        kernel.line("return;");
        kernel.indent -= 1;
        kernel.line("}");
    }
    // Something of each type to work on.
    for ty in [Type::Float, Type::Kept, Type::Int, Type::Bool] {
        kernel.declare(ty, true);
    }
    for _ in 0..4 + kernel.rng.below(4) {
        kernel.statement(3);
    }
    kernel.stores();
    if around {
        kernel.indent -= 1;
        kernel.line("}");
    }
    (kernel.kept.join(", "), kernel.text)
}

impl Kernel<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.indent);
    }

    /// Yes, once in `n` times.
    fn once_in(&mut self, n: u64) -> bool {
        self.rng.below(n) == 0
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// A variable of the type, if there is one.
    fn variable(&mut self, ty: Type, mutable: bool) -> Option<String> {
        let fitting: Vec<_> = self.variables.iter().filter(|v| v.ty == ty && (v.mutable || !mutable)).collect();
        let at = self.rng.below(fitting.len().max(1) as u64) as usize;
        fitting.get(at).map(|v| v.name.clone())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_seed_decides() {
        assert_eq!(super::generate(1, 5), super::generate(1, 5));
        assert_ne!(super::generate(1, 5), super::generate(2, 5));
    }
}
