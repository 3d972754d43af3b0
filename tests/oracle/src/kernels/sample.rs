//! Generated kernels with their launches, by seeds and by tapes.

use super::Kernel;
use super::tape::{Node, Tape};
use crate::Rng;
use crate::form::Ty;

/// The formats of kernels, with the arguments for `wide` and `f32` that go with each.
const FORMATS: [(Ty, [&str; 4]); 6] = [
    (Ty::F16, ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"]),
    (Ty::F16, ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"]),
    (Ty::Bf16, ["bf16", "Bf16x2", "ptxf::Bf16", "Some(wide) None"]),
    (Ty::F16, ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"]),
    (Ty::F16, ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"]),
    (Ty::F32, ["single", "F32x2", "f32", "Some(wide) None"]),
];

/// The functions that the kernels call.
pub const BEND: &str = "#[ptx_fn]
fn bend(x: f32, k: i32) -> f32 {
    if x < 0.0 || k > 6 {
        return x * 0.5;
    }
    let mut s = x;
    for j in 0..k {
        if s > 4.0 {
            break;
        }
        s = s + j as f32 * 0.25;
    }
    s
}

#[ptx_fn]
fn split(x: f32, k: i32) -> (f32, i32) {
    for j in 0..k.min(6) {
        if x < j as f32 {
            return (x - j as f32, j);
        }
    }
    if k == 5 {
        return (0.1, k);
    }
    match k {
        2 => (x * 0.5, -1),
        _ => {
            let half = x * 0.25;
            if half > 1.0 { (half, 7) } else { (x, 0) }
        }
    }
}
";

/// A kernel and the parameters of its launch.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Its number among those of the seed.
    pub number: usize,
    /// The kernel's name in the source.
    pub function: String,
    /// The kernel's path in `threads`.
    pub path: String,
    /// The prefix of its entries' names.
    pub entry: String,
    /// The kernel with its attribute.
    pub source: String,
    /// The type that `f32` denotes.
    pub element: Ty,
    /// The threads of the grid along y and z.
    pub rows: [usize; 2],
    /// The threads of a block, if it has barriers.
    pub block: Option<[usize; 3]>,
    /// Number of threads that a device's thread runs in the version `pair`.
    pub per_thread: usize,
}

/// A generated kernel and the choices that made it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The kernel.
    pub kernel: Generated,
    /// The arguments of its attribute.
    pub options: String,
    /// The function without its attribute.
    pub item: String,
    /// A module with the kernel and its test.
    module: String,
    /// The seed of the data.
    data: u64,
    pub(super) tape: Node,
}

impl Sample {
    /// Returns the kernel of this number of a seed. Each has random numbers of its own, so that a
    /// single one can be generated.
    #[must_use]
    pub fn of_seed(seed: u64, number: usize) -> Self {
        let mut rng = Rng::new(seed ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (data, mut changes) = (rng.next(), rng.clone());
        let sample = Self::of(number, data, Tape::random(rng));
        // Some kernels are what shrinking makes of one.
        if number % 9 != 5 {
            return sample;
        }
        let mut tape = sample.tape.clone();
        tape.change(&mut changes);
        sample.with(number, tape)
    }

    /// Returns the line that [`samples`] reads.
    #[must_use]
    pub fn tape(&self) -> String {
        format!("{} {:#x} {}", self.kernel.number, self.data, self.tape)
    }

    /// Reads such a line.
    fn of_tape(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut word = |what: &str| words.next().ok_or_else(|| format!("`{line}` has no {what}"));
        let number = word("number")?.parse().map_err(|e| format!("the kernel's number: {e}"))?;
        let data = u64::from_str_radix(word("seed of the data")?.trim_start_matches("0x"), 16);
        let data = data.map_err(|e| format!("the data's seed: {e}"))?;
        Ok(Self::of(number, data, Tape::given(word("tape")?.parse()?)))
    }

    /// Returns the kernel of other choices, under another number.
    pub(super) fn with(&self, number: usize, tape: Node) -> Self {
        Self::of(number, self.data, Tape::given(tape))
    }

    pub(super) fn numbered(&self, number: usize) -> Self {
        self.with(number, self.tape.clone())
    }

    /// Makes a kernel. The number decides about the options and the barriers of a random one.
    fn of(number: usize, data: u64, tape: Tape) -> Self {
        let mut kernel = Kernel { tape, indent: 3, ..Kernel::default() };
        let mut cycle = |n, of: usize| kernel.tape.choose(n, |_| of % n);
        let (barriers, fuse) = (cycle(2, number) > 0, cycle(2, [1, 4, 6, 9].contains(&(number % 11)).into()) > 0);
        let (element, [name, pair, rust, wide]) = FORMATS[cycle(FORMATS.len(), number)];
        let (stored, per_thread) = (cycle(7, number), [2, 4, 8, 2, 16][cycle(5, number)]);
        let [y, out] = [
            kernel.pick(&["E4m3", "E5m2", "E2m3", "E3m2", "E2m1", "E2m1x2", "Ue8m0"]),
            kernel.pick(&["E4m3", "E5m2", "E2m3", "E3m2", "E2m1"]),
        ];
        let y = if [2, 4].contains(&stored) { y } else { "f32" };
        let out = if [2, 6].contains(&stored) { out } else { "f32" };
        kernel.choose_shape(barriers);
        kernel.body();
        let (shape, keep, body) = (kernel.shape, kernel.kept.join(", "), kernel.text);
        let (indices, rows, block) = (shape.indices(), shape.rows, barriers.then_some(shape.block));
        let fused = if fuse { "fuse " } else { "" };
        let module = format!(
            "\nmod kernel_{number} {{\n    use super::*;\n\n    formats! {{ @\n        {name} {pair} {rust}, {wide},\n        \
             kernel_{number} ({indices}; n m a x y: {y} z i u out: {out} w v) keep({keep}) {fused}{{\n{body}        }}\n    }}\n\n    \
             #[test]\n    fn siblings_agree() {{\n        \
             check_siblings({name}(), Shape {{ rows: {rows:?}, block: {block:?} }}, {data:#x});\n    }}\n}}\n",
        );
        let keep = if keep.is_empty() { keep } else { format!(", {keep}") };
        let many = if per_thread == 2 { String::new() } else { format!(", per_thread = {per_thread}") };
        let options = format!("pair = {pair}{many}, keep(z, w{keep}){}", if fuse { ", fuse" } else { "" });
        // The harness's parameters follow the indices.
        let item = format!(
            "fn kernel_{number}({indices}, n: usize, m: usize, a: f32, x: &[f32], y: &[{y}], z: &[f32], i: &[i32], \
             u: &[u32], out: &mut [{out}], w: &mut [f32], v: &mut [i32]) {{\n{body}}}\n"
        );
        let function = format!("kernel_{number}");
        let path = format!("kernels::generated::{function}");
        let (entry, source) = (function.clone(), format!("#[ptx_kernel({options})]\n{item}"));
        let generated = Generated { number, function, path, entry, source, element, rows, block, per_thread };
        Self { kernel: generated, options, item, module, data, tape: kernel.tape.finish() }
    }
}

/// Returns the kernels of a text: `seed:first:count`, or a tape a line.
///
/// # Errors
///
/// Returns a message if the text is neither.
pub fn samples(text: &str) -> Result<Vec<Sample>, String> {
    let numbers: Option<Vec<u64>> = text.split(':').map(|number| number.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[seed, first, count]) => Ok((first..first + count).map(|n| Sample::of_seed(seed, n as usize)).collect()),
        _ => text.lines().filter(|line| !line.starts_with('#')).map(Sample::of_tape).collect(),
    }
}

/// Returns the first kernels of a seed.
#[must_use]
pub fn of_seed(seed: u64, count: usize) -> Vec<Sample> {
    (0..count).map(|number| Sample::of_seed(seed, number)).collect()
}

/// Returns the items of a module with these kernels, and their tests.
#[must_use]
pub fn module(samples: &[Sample]) -> String {
    let head = format!(
        "// Kernels that nobody wrote.\n\n\
         use ptxf::{{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0, ptx_fn}};\n\n\
         use crate::harness::{{Shape, check_siblings, formats}};\n\n{BEND}"
    );
    samples.iter().fold(head, |text, sample| text + &sample.module)
}

/// The kernels that a build of the tests has.
#[derive(Clone, Debug)]
pub struct Which {
    /// `true` if `PTXF_KERNELS` names the generated ones, and all others are left out.
    pub named: bool,
    /// `true` for all kernels in all formats, `PTXF_TESTS=long`.
    pub long: bool,
    /// The generated ones, as [`samples`] reads them.
    pub text: String,
    /// The same.
    pub samples: Vec<Sample>,
}

impl Which {
    /// Returns those that a build script's environment asks for.
    ///
    /// # Panics
    ///
    /// Panics if `PTXF_KERNELS` is neither of the form `seed:first:count` nor a file of tapes.
    #[must_use]
    pub fn asked() -> Self {
        println!("cargo::rerun-if-env-changed=PTXF_KERNELS");
        println!("cargo::rerun-if-env-changed=PTXF_TESTS");
        let named = std::env::var("PTXF_KERNELS").ok();
        let long = named.is_none() && std::env::var_os("PTXF_TESTS").is_some_and(|tests| tests == "long");
        let mut text = named.clone().unwrap_or_else(|| format!("1592590337:0:{}", if long { 40 } else { 8 }));
        if let Ok(tapes) = std::fs::read_to_string(&text) {
            println!("cargo::rerun-if-changed={text}");
            text = tapes;
        }
        let samples = samples(&text).unwrap_or_else(|e| {
            panic!(
                "{e}\nPTXF_KERNELS is a seed, the number of the first kernel and how many, `7:0:40`, or a file of tapes"
            )
        });
        Self { named: named.is_some(), long, text, samples }
    }
}
