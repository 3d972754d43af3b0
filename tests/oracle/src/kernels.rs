//! A generator of kernels: source text within the grammar of `#[ptx_kernel]`, the same for the same
//! seed.
//!
//! Every index is in range for a thread below `n`, for all data, and every loop ends. A condition
//! guards each index or divisor that is valid for some threads only: a load or a division by
//! another thread panics.
//!
//! Half of them have barriers and values that live across them. Some have rows, planes and shared
//! memory. Three of seven read and write slices of narrow formats. Four of eleven fuse products. No
//! two threads race; [`crate::kernel`] checks that when it runs them.

mod barriers;
mod expr;
mod parts;
mod statement;
mod uniform;

use std::fmt::Write as _;

use crate::Rng;
use crate::edges;
use crate::form::Ty;
use crate::kernel::{Argument, Int, Parameter, Type as Of};
use crate::layout::Layout;
use barriers::{Tally, Tile};

/// The type of a generated variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    /// An element.
    Float,
    /// A float that is kept in f32.
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
    /// Uniform: the same for all threads of a block. Assigned only where all of them take the same
    /// path.
    uniform: bool,
}

/// A kernel under construction.
struct Kernel<'a> {
    rng: &'a mut Rng,
    shape: Shape,
    /// Variables in scope, innermost last.
    variables: Vec<Variable>,
    /// Counters that are the same for all threads and at most 4.
    counters: Vec<String>,
    /// Local arrays of three floats.
    arrays: Vec<String>,
    /// Local arrays of three integers that are the same for all threads of a block.
    uniform_arrays: Vec<String>,
    tiles: Vec<Tile>,
    tally: Option<Tally>,
    kept: Vec<String>,
    names: usize,
    text: String,
    indent: usize,
    /// Number of enclosing loops in which threads diverge.
    loops: usize,
    /// The labels of some of these loops.
    labels: Vec<String>,
}

/// The grid and the blocks of a kernel.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Number of axes along which the kernel takes indices.
    axes: usize,
    /// The threads of the grid along y and z.
    rows: [usize; 2],
    /// Threads of a block.
    block: [usize; 3],
    barriers: bool,
}

impl Shape {
    fn any(rng: &mut Rng, number: usize) -> Self {
        let barriers = number % 2 == 1;
        let axes = [1, 1, 2, 3][rng.below(4) as usize];
        let rows =
            [if axes > 1 { rng.pick(&[1, 2, 3, 5]) } else { 1 }, if axes > 2 { rng.pick(&[1, 2, 3]) } else { 1 }];
        let block = match axes {
            1 => [rng.pick(&[1, 2, 5, 8, 13, 16, 20, 32, 40]), 1, 1],
            2 => [rng.pick(&[3, 4, 8, 17]), rng.pick(&[1, 2, 4]), 1],
            _ => [rng.pick(&[2, 5, 8]), rng.pick(&[1, 2, 3]), rng.pick(&[1, 2])],
        };
        Self { axes, rows, block, barriers }
    }

    /// Threads of a block.
    const fn threads(&self) -> usize {
        self.block[0] * self.block[1] * self.block[2]
    }

    /// The indices among the parameters.
    fn indices(&self) -> String {
        let mut list = "t: ThreadX".to_owned();
        if self.barriers {
            list += ", l: LocalX, b: BlockX";
        }
        for axis in ["y", "z"].iter().take(self.axes - 1) {
            let _ = write!(list, ", t{axis}: Thread{0}, l{axis}: Local{0}, b{axis}: Block{0}", axis.to_uppercase());
        }
        list
    }
}

/// The format of `y` and `out`: elements, or a narrow one.
#[derive(Clone, Copy, Debug)]
struct Stored {
    y: &'static str,
    out: &'static str,
}

impl Stored {
    fn any(rng: &mut Rng, number: usize) -> Self {
        let y = rng.pick(&["E4m3", "E5m2", "E2m3", "E3m2", "E2m1", "E2m1x2", "Ue8m0"]);
        let out = rng.pick(&["E4m3", "E5m2", "E2m3", "E3m2", "E2m1"]);
        match number % 7 {
            2 => Self { y, out },
            4 => Self { y, out: "f32" },
            6 => Self { y: "f32", out },
            _ => Self { y: "f32", out: "f32" },
        }
    }
}

/// The formats of kernels, with the arguments for `wide` and `f32` that go with each.
const FORMATS: [[&str; 4]; 6] = [
    ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"],
    ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"],
    ["bf16", "Bf16x2", "ptxf::Bf16", "Some(wide) None"],
    ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"],
    ["f16", "F16x2", "ptxf::F16", "Some(wide) Some(f32)"],
    ["single", "F32x2", "f32", "Some(wide) None"],
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

/// Returns the items of a module with `count` kernels, numbered from `first` on, and their tests.
#[must_use]
pub fn generate(seed: u64, first: usize, count: usize) -> String {
    let mut text = format!(
        "// Kernels that nobody wrote, from seed {seed:#x}.\n\n\
         use ptxf::{{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0, ptx_fn}};\n\n\
         use crate::harness::{{Shape, check_siblings, formats}};\n\n{BEND}"
    );
    for number in first..first + count {
        let mut rng = kernel_rng(seed, number);
        let [name, pair, element, wide] = FORMATS[number % FORMATS.len()];
        let (shape, Stored { y, out }, keep, body) = kernel(&mut rng, number);
        let fuse = if fuses(number) { "fuse " } else { "" };
        let block = if shape.barriers { format!("Some({:?})", shape.block) } else { "None".to_owned() };
        let _ = write!(
            text,
            "\nmod kernel_{number} {{\n    use super::*;\n\n    formats! {{ @\n        {name} {pair} {element}, {wide},\n        \
             kernel_{number} ({}; n m a x y: {y} z i u out: {out} w v) keep({keep}) {fuse}{{\n{body}        }}\n    }}\n\n    \
             #[test]\n    fn siblings_agree() {{\n        \
             check_siblings({name}(), Shape {{ rows: {:?}, block: {block} }}, {:#x});\n    }}\n}}\n",
            shape.indices(),
            shape.rows,
            rng.next()
        );
    }
    text
}

/// Returns `true` if the kernel of this number has the option `fuse`.
const fn fuses(number: usize) -> bool {
    matches!(number % 11, 1 | 4 | 6 | 9)
}

/// Each kernel has random numbers of its own, so that a single one can be generated.
fn kernel_rng(seed: u64, number: usize) -> Rng {
    let mut rng = Rng::new(seed ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let _ = rng.next();
    rng
}

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

/// The same kernels by themselves.
#[must_use]
pub fn all(seed: u64, count: usize) -> Vec<Generated> {
    let one = |(number, [options, function]): (usize, [String; 2])| {
        let shape = Shape::any(&mut kernel_rng(seed, number), number);
        let element = match FORMATS[number % FORMATS.len()][0] {
            "f16" => Ty::F16,
            "bf16" => Ty::Bf16,
            _ => Ty::F32,
        };
        Generated {
            number,
            function: format!("kernel_{number}"),
            path: format!("kernels::generated::kernel_{number}"),
            entry: format!("kernel_{number}"),
            source: format!("#[ptx_kernel({options})]\n{function}"),
            element,
            rows: shape.rows,
            block: shape.barriers.then_some(shape.block),
            per_thread: per_thread(number),
        }
    };
    functions(seed, 0, count).into_iter().enumerate().map(one).collect()
}

/// Returns the number of threads that a device's thread runs in a kernel's version `pair`.
const fn per_thread(number: usize) -> usize {
    [2, 4, 8, 2, 16][number % 5]
}

/// Returns arguments for a launch of so many threads: numbers of all kinds, and indices in range.
#[must_use]
pub fn arguments(rng: &mut Rng, parameters: &[Parameter], element: Ty, threads: [usize; 3]) -> Vec<Argument> {
    let len = 3 * threads.iter().product::<usize>() + 16;
    let mut scalars = [threads[0] as u64, rng.below(6)].into_iter();
    let argument = |parameter: &Parameter| match (parameter.slice, parameter.ty) {
        (false, Of::Float) => {
            // Exact in every format.
            let x = rng.between(-16, 16) as f32 * 0.25;
            Argument::Scalar(x.to_bits().into())
        }
        (false, Of::Int(int)) if parameter.ty != Of::USIZE => Argument::Scalar(integer(rng, int)),
        (false, _) => Argument::Scalar(scalars.next().expect("`n` and `m`")),
        (true, ty) => {
            let of = if parameter.kept { Ty::F32 } else { element };
            let mut word = || match (parameter.codes(), ty) {
                (Some(codes), _) => rng.below(codes),
                (None, Of::Float) => number(rng, of).into(),
                (None, Of::Int(int)) if int.bits != 32 => integer(rng, int),
                (None, Of::Int(int)) if int.signed => (rng.between(-4, 9) as u32).into(),
                (None, _) => rng.below(len as u64),
            };
            let numbers = len * parameter.rows.iter().product::<usize>();
            Argument::Slice((0..numbers).map(|_| word()).collect())
        }
    };
    parameters.iter().map(argument).collect()
}

/// Returns an integer of any size, often one at the end of the range.
#[must_use]
pub fn integer(rng: &mut Rng, of: Int) -> u64 {
    let x = match rng.below(4) {
        0 => of.range()[rng.below(2) as usize] as u64,
        1 => rng.between(-3, 4) as u64,
        _ => rng.next(),
    };
    x & u64::MAX >> (64 - of.bits)
}

/// Returns an edge case or an ordinary number.
fn number(rng: &mut Rng, ty: Ty) -> u32 {
    if rng.below(4) == 0 {
        let edges = edges::of(ty);
        return edges[rng.below(edges.len() as u64) as usize] as u32;
    }
    let layout = Layout::of(ty);
    let fraction = rng.below(1 << layout.fraction);
    let sign = if rng.below(2) == 0 { layout.sign_bit() } else { 0 };
    (layout.power_of_two(rng.between(-4, 3)) | fraction | sign) as u32
}

/// The kernels that a build of the tests has.
#[derive(Clone, Copy, Debug)]
pub struct Which {
    /// `true` if `PTXF_KERNELS` names the generated ones, and all others are left out.
    pub named: bool,
    /// `true` for all kernels in all formats, `PTXF_TESTS=long`.
    pub long: bool,
    /// The generator's seed.
    pub seed: u64,
    /// The number of the first generated kernel.
    pub first: usize,
    /// The number of generated kernels.
    pub count: usize,
}

impl Which {
    /// Returns those that a build script's environment asks for.
    ///
    /// # Panics
    ///
    /// Panics if `PTXF_KERNELS` is not of the form `seed:first:count`.
    #[must_use]
    pub fn asked() -> Self {
        println!("cargo::rerun-if-env-changed=PTXF_KERNELS");
        println!("cargo::rerun-if-env-changed=PTXF_TESTS");
        let named = std::env::var("PTXF_KERNELS").ok();
        let long = named.is_none() && std::env::var_os("PTXF_TESTS").is_some_and(|tests| tests == "long");
        let kernels = named.as_deref().unwrap_or(if long { "1592590337:0:40" } else { "1592590337:0:8" });
        let numbers: Option<Vec<u64>> = kernels.split(':').map(|number| number.parse().ok()).collect();
        let Some([seed, first, count]) = numbers.as_deref() else {
            panic!("PTXF_KERNELS is `{kernels}`: write a seed, the number of the first kernel and how many, `7:0:40`");
        };
        Self { named: named.is_some(), long, seed: *seed, first: *first as usize, count: *count as usize }
    }
}

/// Returns the same kernels as functions, each with the options of its attribute.
#[must_use]
pub fn functions(seed: u64, first: usize, count: usize) -> Vec<[String; 2]> {
    let function = |number: usize| {
        let (shape, Stored { y, out }, keep, body) = kernel(&mut kernel_rng(seed, number), number);
        let keep = if keep.is_empty() { keep } else { format!(", {keep}") };
        let per_thread = match per_thread(number) {
            2 => String::new(),
            many => format!(", per_thread = {many}"),
        };
        let fuse = if fuses(number) { ", fuse" } else { "" };
        let options = format!("pair = {}{per_thread}, keep(z, w{keep}){fuse}", FORMATS[number % FORMATS.len()][1]);
        // The harness's parameters follow the indices.
        let parameters = format!(
            "n: usize, m: usize, a: f32, x: &[f32], y: &[{y}], z: &[f32], i: &[i32], u: &[u32], out: &mut [{out}], \
             w: &mut [f32], v: &mut [i32]"
        );
        [options, format!("fn kernel_{number}({}, {parameters}) {{\n{body}}}\n", shape.indices())]
    };
    (first..first + count).map(function).collect()
}

/// Returns the launch's shape, the format of its slices, the names that it keeps, and its body.
fn kernel(rng: &mut Rng, number: usize) -> (Shape, Stored, String, String) {
    let (shape, stored) = (Shape::any(rng, number), Stored::any(rng, number));
    let mut kernel = Kernel {
        rng,
        shape,
        variables: Vec::new(),
        counters: Vec::new(),
        arrays: Vec::new(),
        uniform_arrays: Vec::new(),
        tiles: Vec::new(),
        tally: None,
        kept: Vec::new(),
        names: 0,
        text: String::new(),
        indent: 3,
        loops: 0,
        labels: Vec::new(),
    };
    kernel.places();
    if shape.barriers {
        kernel.with_barriers()
    } else {
        kernel.without_barriers()
    }
    (shape, stored, kernel.kept.join(", "), kernel.text)
}

impl Kernel<'_> {
    /// Declares two variables: the index of the thread's own element, and the number of elements in
    /// a row of them.
    fn places(&mut self) {
        let [rows, planes] = self.shape.rows;
        let [across, along, _] = self.shape.block;
        match self.shape.axes {
            1 => {}
            2 => self.line("let at = ty * n + t;"),
            _ => self.line(&format!("let at = (tz * {rows} + ty) * n + t;")),
        }
        if self.shape.axes > 1 {
            self.line(&format!("let all = n * {};", rows * planes));
        }
        if self.shape.barriers {
            match self.shape.axes {
                1 => {}
                2 => self.line(&format!("let own = ly * {across} + l;")),
                _ => self.line(&format!("let own = (lz * {along} + ly) * {across} + l;")),
            }
        }
    }

    fn without_barriers(&mut self) {
        let around = self.rng.below(2) == 0;
        self.line(if around { "if t < n {" } else { "if t >= n {" });
        self.indent += 1;
        if !around {
            self.line("return;");
            self.indent -= 1;
            self.line("}");
        }
        // A variable of each type for the statements.
        for ty in [Type::Float, Type::Kept, Type::Int, Type::Bool] {
            self.declare(ty, true);
        }
        for _ in 0..4 + self.rng.below(4) {
            self.statement(3);
        }
        self.stores();
        if around {
            self.indent -= 1;
            self.line("}");
        }
    }

    /// Returns the thread's own index into an output, and the number of threads.
    const fn own(&self) -> [&'static str; 2] {
        if self.shape.axes == 1 { ["t", "n"] } else { ["at", "all"] }
    }

    fn own_element(&self, slice: &str) -> String {
        format!("{slice}[{}]", self.own()[0])
    }

    /// Writes the thread's own element.
    fn store_own(&mut self, slice: &str, op: &str, value: &str) {
        let own = self.own_element(slice);
        self.line(&format!("{own} {op} {value};"));
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.indent);
    }

    /// Returns `true` once in `n` times.
    fn once_in(&mut self, n: u64) -> bool {
        self.rng.below(n) == 0
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// Calls `make` with the variable in scope.
    fn with<T>(&mut self, variable: Variable, make: impl FnOnce(&mut Self) -> T) -> T {
        self.variables.push(variable);
        let made = make(self);
        self.variables.pop();
        made
    }

    /// Returns a variable of the type, if any. A mutable one belongs to its thread alone.
    fn variable(&mut self, ty: Type, mutable: bool) -> Option<String> {
        self.one_of(|v| v.ty == ty && (!mutable || v.mutable && !v.uniform))
    }

    fn one_of(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<String> {
        let fitting: Vec<_> = self.variables.iter().filter(|v| fits(v)).collect();
        let at = self.rng.below(fitting.len().max(1) as u64) as usize;
        fitting.get(at).map(|v| v.name.clone())
    }
}

#[cfg(test)]
mod tests;
