//! A generator of kernels: source text within the grammar of `#[ptx_kernel]`, the same for the same
//! choices. A seed makes random ones.
//!
//! Every index is in range for a thread below `n`, for all data, and every loop ends. A condition
//! guards each index or divisor that is valid for some threads only: a load or a division by
//! another thread panics. This holds for all choices, so that a kernel can be made smaller by
//! changing them ([`shrink`]).
//!
//! Half of the kernels of a seed have barriers and values that live across them. Some have rows,
//! planes and shared memory. Three of seven read and write slices of narrow formats. Four of eleven
//! fuse products. In one of nine, choices were changed and left out at random. No two threads race;
//! [`crate::kernel`] checks that when it runs them.

mod arguments;
mod barriers;
mod grammar;
mod parts;
mod sample;
pub mod shrink;
mod statement;
mod tape;
mod uniform;

use std::fmt::Write as _;

pub use arguments::{arguments, integer};
use barriers::{Tally, Tile};
pub use sample::{BEND, Generated, Sample, Which, module, of_seed, samples};
use tape::{LIST, Tape};

/// The type of a generated variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Type {
    /// An element.
    #[default]
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
#[derive(Debug, Default)]
struct Kernel {
    tape: Tape,
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
    /// The types of the two values that a statement binds.
    two: [Type; 2],
    names: usize,
    text: String,
    indent: usize,
    /// Number of enclosing loops in which threads diverge.
    loops: usize,
    /// The labels of some of these loops.
    labels: Vec<String>,
}

/// The grid and the blocks of a kernel.
#[derive(Clone, Copy, Debug, Default)]
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

impl Kernel {
    /// Chooses the axes, the grid and the blocks.
    fn choose_shape(&mut self, barriers: bool) {
        let axes = self.pick(&[1, 1, 2, 3]);
        // All choices are made for all axes, so that others do not depend on them.
        let rows = [self.pick(&[1, 2, 3, 5]), self.pick(&[1, 2, 3])];
        let line = self.pick(&[1, 2, 5, 8, 13, 16, 20, 32, 40]);
        let [across, along, deep] = [self.below(4), self.below(3), self.below(2)];
        let block = match axes {
            1 => [line, 1, 1],
            2 => [[3, 4, 8, 17][across], [1, 2, 4][along], 1],
            _ => [[2, 5, 8, 8][across], [1, 2, 3][along], [1, 2][deep]],
        };
        let rows = [if axes > 1 { rows[0] } else { 1 }, if axes > 2 { rows[1] } else { 1 }];
        self.shape = Shape { axes, rows, block, barriers };
    }

    fn body(&mut self) {
        self.places();
        if self.shape.barriers { self.with_barriers() } else { self.without_barriers() }
    }

    /// Declares two variables: the index of the thread's own element, and the number of elements in
    /// a row of them.
    fn places(&mut self) {
        let Shape { axes, rows: [rows, planes], block: [across, along, _], barriers } = self.shape;
        match axes {
            1 => return,
            2 => self.say("let at = ty * n + t;"),
            _ => self.say(&format!("let at = (tz * {rows} + ty) * n + t;")),
        }
        self.say(&format!("let all = n * {};", rows * planes));
        match axes {
            _ if !barriers => {}
            2 => self.say(&format!("let own = ly * {across} + l;")),
            _ => self.say(&format!("let own = (lz * {along} + ly) * {across} + l;")),
        }
    }

    fn without_barriers(&mut self) {
        let around = self.once_in(2);
        self.say(if around { "if t < n {" } else { "if t >= n {\nreturn;\n}" });
        // A variable of each type for the statements.
        self.each(&[Type::Float, Type::Kept, Type::Int, Type::Bool], |kernel, ty| kernel.declare(ty, true, false));
        self.list(4, 7, |kernel| kernel.statement(3));
        self.stores();
        if around {
            self.say("}");
        }
    }

    /// Returns the thread's own index into an output, and the number of threads.
    const fn own(&self) -> [&'static str; 2] {
        if self.shape.axes == 1 { ["t", "n"] } else { ["at", "all"] }
    }

    /// Writes lines of text, after filling in their marks.
    fn say(&mut self, lines: &str) {
        for line in self.fill(lines, Type::Int, 0).replace(r"\n", "\n").lines() {
            self.indent -= usize::from(line.starts_with('}'));
            let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.indent);
            self.indent += usize::from(line.ends_with('{'));
        }
    }

    /// Makes a part of the kernel with choices of its own.
    fn node<T>(&mut self, kind: char, make: impl FnOnce(&mut Self) -> T) -> T {
        self.tape.open(kind);
        let made = make(self);
        self.tape.close();
        made
    }

    /// Makes parts that can be left out.
    fn list(&mut self, least: usize, most: usize, mut make: impl FnMut(&mut Self)) {
        self.node(LIST, |kernel| (0..kernel.tape.count(least, most)).for_each(|_| make(kernel)));
    }

    /// Makes a part for each of the items. Any of them can be left out.
    fn each<T: Copy>(&mut self, items: &[T], mut make: impl FnMut(&mut Self, T)) {
        let mut next = 0..;
        self.list(items.len(), items.len(), |kernel| {
            kernel.node('e', |kernel| {
                let item = items[kernel.tape.choose(items.len(), |_| next.next().unwrap_or(0))];
                make(kernel, item);
            });
        });
    }

    /// Makes what has declarations of its own.
    fn scoped(&mut self, make: impl FnOnce(&mut Self)) {
        let lengths = [
            self.variables.len(),
            self.counters.len(),
            self.arrays.len(),
            self.uniform_arrays.len(),
            self.labels.len(),
        ];
        make(self);
        let [variables, counters, arrays, uniform_arrays, labels] = lengths;
        self.variables.truncate(variables);
        self.counters.truncate(counters);
        self.arrays.truncate(arrays);
        self.uniform_arrays.truncate(uniform_arrays);
        self.labels.truncate(labels);
    }

    fn below(&mut self, n: usize) -> usize {
        self.tape.choose(n, |rng| rng.below(n as u64) as usize)
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Returns `true` once in `n` times, and never without a choice.
    fn once_in(&mut self, n: u64) -> bool {
        self.tape.choose(2, |rng| usize::from(rng.below(n) == 0)) > 0
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

    /// Returns a mutable variable of the type that belongs to its thread alone, if any.
    fn mutable(&mut self, ty: Type) -> Option<String> {
        self.one_of(|v| v.ty == ty && v.mutable && !v.uniform)
    }

    fn one_of(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<String> {
        let fitting: Vec<_> = self.variables.iter().filter(|v| fits(v)).map(|v| v.name.clone()).collect();
        if fitting.is_empty() { None } else { Some(self.pick(&fitting)) }
    }
}

#[cfg(test)]
mod tests;
