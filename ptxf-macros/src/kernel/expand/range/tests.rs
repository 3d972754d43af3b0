//! Runs of small kernels, all of whose covered accesses are in the shortest slices that the check
//! accepts.

use std::collections::BTreeMap;

use super::super::super::ast::Kernel;
use super::super::super::header::Role;
use super::super::super::options::Options;
use super::super::super::{classes, ownership, parse, precision, races};
use super::*;

/// Kernels of parameters `n`, `m` and `k`, and threads along two axes.
const KERNELS: [&str; 12] = [
    "fn neighbours(i: ThreadX, j: ThreadY, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        if i < n && j < m {
            let layer = n * m;
            for l in 0..k {
                let c = i + j * n + l * layer;
                let west = if i == 0 { x[c] } else { x[c - 1] };
                let east = if i == n - 1 { x[c] } else { x[c + 1] };
                let north = if j == 0 { x[c] } else { x[c - n] };
                let south = if j == m - 1 { x[c] } else { x[c + n] };
                let below = if l == 0 { x[c] } else { x[c - layer] };
                let above = if l == k - 1 { x[c] } else { x[c + layer] };
                unsafe { out[c] = west + east + north + south + below + above };
            }
        }
    }",
    "fn eliminate(x: ThreadX, y: ThreadY, n: usize, k: usize, m: usize, f: &[f32], a: &mut [f32]) {
        if x < n - 1 - k && y < n - k {
            let row = x + 1 + k;
            for l in 0..m { a[row + n * (y + k)] = f[row + n * k] * unsafe { a[k + n * (y + k)] }; }
        }
    }",
    "fn pivots(x: ThreadX, y: ThreadY, n: usize, k: usize, m: usize, f: &[f32], a: &mut [f32], b: &mut [f32]) {
        if x < n - 1 - k && y < n - k {
            let row = x + 1 + k;
            a[row + n * (y + k)] = f[row + n * k] * unsafe { a[k + n * (y + k)] };
            if y == 0 { b[row] = f[row + n * k] * unsafe { b[m] }; }
        }
    }",
    "fn adjust(x: ThreadX, y: ThreadY, n: usize, m: usize, k: usize, f: &[f32], g: &[f32], a: &mut [f32]) {
        if x >= n || y >= m { return; }
        let before = if x + 1 < k { f[x + 1] } else { g[y] };
        a[y * n + x] = f[x] * g[y] + before;
    }",
    "fn product(c: ThreadX, r: ThreadY, n: usize, m: usize, k: usize, a: &[f32], b: &[f32], out: &mut [f32]) {
        if c < n && r < m {
            let mut s = 0.0;
            for l in 0..k { s += a[r * k + l] * b[l * n + c]; }
            out[r * n + c] = s;
        }
    }",
    "fn returns(i: ThreadX, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        if i >= n - m { return; }
        let mut s = 0.0;
        for l in m..=k {
            if l > n { break; }
            if l + i >= k { continue; }
            s += x[l + i] + x[n - l] + x[l - m];
        }
        out[i] = s;
    }",
    "fn triangle(i: ThreadX, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        if i < n {
            let mut s = 0.0;
            for l in 1..=m { for j in 0..l { s += x[l - j - 1] * x[l * j + i] + x[m - l]; } }
            out[i] = s;
        }
    }",
    "fn own(i: ThreadX, j: ThreadY, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        let mut s = 0.0;
        for l in 0..k { s += x[i * n + l] + x[j + m] + x[n - 1 - i]; }
        out[(j) * n + i] = s;
    }",
    "fn ordered(i: ThreadX, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        if i < n && !(i == 0 || i + 1 == n) && i >= m && m != 0 {
            let mut s = x[i - m];
            for l in 0..k { if l < m && l != i { s += x[i - 1] + x[i + 1] + x[m - l]; } }
            out[i] = s;
        }
    }",
    "fn steps(i: ThreadX, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        let mut s = 0.0;
        for l in (i..n).step_by(2) { s += x[l] + x[l - i] + x[n + m - l]; }
        for l in (m..k).rev() { s += x[l] + x[k - l - 1]; }
        out[i] = s;
    }",
    "fn wraps(i: ThreadX, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        if i < n * m - k {
            let mut s = 0.0;
            for l in k - m..n { s += x[l * m] + x[i + k - 1]; }
            out[i] = s;
        }
    }",
    "fn equal(i: ThreadX, n: usize, m: usize, k: usize, x: &[f32], out: &mut [f32]) {
        let mut s = 0.0;
        for l in 0..n {
            if i == m { s += x[l * i]; } else if l == m - 1 { s += x[l + 1]; } else if i != k && l <= i { s += x[i - l]; }
        }
        out[i] = s;
    }",
];

#[test]
fn covered_accesses_are_in_the_shortest_slices_that_the_check_accepts() {
    for text in KERNELS {
        let (covered, accepted) = check(text);
        assert!(covered > 0 && accepted > 100, "{covered} accesses are covered, {accepted} runs are accepted: {text}");
    }
}

/// Runs a kernel with all small parameters, and with large ones. Returns the numbers of covered
/// accesses and of accepted runs.
fn check(text: &str) -> (usize, usize) {
    let options: Options = syn::parse_str("pair = F16x2").expect("options");
    let item = syn::parse_str(text).expect("a function");
    let (mut kernel, mut types) = parse::parse(&item, Role::Kernel, &options).unwrap_or_else(|e| panic!("{e}: {text}"));
    precision::decide(&mut kernel, &types).expect("it is right");
    ownership::find(&mut kernel, &mut types).expect("it is right");
    races::check(&mut kernel).expect("it is right");
    classes::classify(&mut kernel, &types, &options).expect("it is right");
    let printer = Printer::new(&kernel, &types, &quote!(::ptxf), true);
    let walk = Walk::of(&printer);
    let (covered, all) = walk.covered();
    let implied = implied(&all);
    let sizes = [0, 1, 2, 3, 5, (1 << 31) + 1, u64::MAX - 1, u64::MAX];
    let mut accepted = 0;
    for code in 0..sizes.len().pow(3) {
        let of = |name: &str| match ["n", "m", "k"].iter().position(|of| *of == name) {
            Some(i) => sizes[code / sizes.len().pow(i as u32) % sizes.len()],
            None => 0,
        };
        for thread in 0..20 {
            let mut values: BTreeMap<Id, u64> = BTreeMap::new();
            for id in kernel.all_parameters() {
                let v = &kernel.variables[id];
                let value = match v.kind {
                    Kind::Index(index) => [thread % 5, thread / 5][index.axis],
                    _ => of(&v.name.to_string()),
                };
                values.insert(id, value);
            }
            let Some(lengths) = lengths(&all, &implied, &values) else { continue };
            accepted += 1;
            let mut run = Run { kernel: &kernel, values, covered: &covered, lengths, text, left: false };
            run.block(&kernel.body);
        }
    }
    (covered.len(), accepted)
}

/// Returns the least lengths that the check accepts. Returns `None` if it accepts none.
fn lengths(all: &[(Id, &Bounds)], implied: &[bool], values: &BTreeMap<Id, u64>) -> Option<BTreeMap<Id, i128>> {
    let atom = |atom: Atom| match atom {
        Atom::Variable(id) | Atom::Own(id) => i128::from(values[&id]),
        Atom::Lanes => 0,
        Atom::Fixed(_) => unreachable!("the kernels have none"),
    };
    let mut noted = false;
    let (mut multiplies, mut largest) = (false, 0);
    let mut value = |of: &Polynomial| {
        for sum in of.signs() {
            for (product, _) in sum.products() {
                multiplies |= product.len() > 1;
                for n in 1..=product.len() {
                    let own = matches!(product[..], [Atom::Own(_)]);
                    // The last product is not multiplied again.
                    if !is_one(&sum) && !own && (n < product.len() || n == 1) {
                        noted = true;
                        if is_scaled(product) {
                            largest = largest.max(atom(product[0]));
                            continue;
                        }
                        let prefix = product[..n].iter().try_fold(1_i128, |all, &a| all.checked_mul(atom(a)));
                        largest = prefix.map_or(i128::MAX, |prefix| prefix.max(largest));
                        largest = product.iter().map(|a| atom(*a)).fold(largest, i128::max);
                    }
                }
            }
        }
        let terms = of.products().map(|(product, n)| product.iter().try_fold(n, |all, &a| all.checked_mul(atom(a))));
        terms.sum::<Option<i128>>()
    };
    let mut lengths = BTreeMap::new();
    let mut holds = true;
    for (&(slice, bounds), implied) in all.iter().zip(implied) {
        for of in bounds.needed.iter().chain(&bounds.scope.needed) {
            holds &= value(of).is_none_or(|x| x >= 0);
        }
        for of in &bounds.scope.exact {
            let _ = value(&of.signs()[0]);
        }
        if !implied {
            let count = value(&bounds.count).unwrap_or(0).max(0);
            let length = lengths.entry(slice).or_insert(0);
            *length = count.max(*length);
        }
    }
    let bits = if multiplies { 30 } else { 48 };
    (holds && (!noted || largest < 1 << bits)).then_some(lengths)
}

/// A run of one thread, without floats.
struct Run<'a> {
    kernel: &'a Kernel,
    values: BTreeMap<Id, u64>,
    covered: &'a BTreeSet<*const Expr>,
    lengths: BTreeMap<Id, i128>,
    text: &'a str,
    /// `true` after a jump.
    left: bool,
}

impl<'a> Run<'a> {
    /// Returns an integer, or a `bool` as 0 or 1. `None` for a float.
    fn value(&self, e: &Expr) -> Option<u64> {
        Some(match &e.kind {
            ExprKind::Int(digits) => digits.parse().ok()?,
            ExprKind::Variable(id) => *self.values.get(id)?,
            ExprKind::Cast(a) => self.value(a)?,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match op {
                    Binary::Add => a.wrapping_add(b),
                    Binary::Sub => a.wrapping_sub(b),
                    Binary::Mul => a.wrapping_mul(b),
                    _ => return None,
                }
            }
            ExprKind::Row(place) => {
                let [row, width, column] = [&place.row, &place.width, &place.column].map(|e| self.value(e));
                row?.wrapping_mul(width?).wrapping_add(column?)
            }
            ExprKind::Not(a) => 1 - self.value(a)?,
            ExprKind::Logic { and: true, a, b } => u64::from(self.value(a)? == 1 && self.value(b)? == 1),
            ExprKind::Logic { and: false, a, b } => u64::from(self.value(a)? == 1 || self.value(b)? == 1),
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                u64::from(match *op {
                    "Lt" => a < b,
                    "Le" => a <= b,
                    "Gt" => a > b,
                    "Ge" => a >= b,
                    "Eq" => a == b,
                    _ => a != b,
                })
            }
            _ => return None,
        })
    }

    fn access(&self, slice: Id, index: &Expr) {
        if !self.covered.contains(&std::ptr::from_ref(index)) {
            return;
        }
        let (at, name) = (self.value(index).expect("an index"), &self.kernel.variables[slice].name);
        let length = self.lengths[&slice];
        let values: Vec<_> =
            self.values.iter().map(|(id, x)| format!("{} = {x}", self.kernel.variables[*id].name)).collect();
        assert!(i128::from(at) < length, "{name}[{at}] of {length}: {values:?} in {}", self.text);
        if let ExprKind::Row(place) = &index.kind {
            assert!(self.value(&place.column) < self.value(&place.width), "{name}[{at}]: {values:?} in {}", self.text);
        }
    }
}

impl<'a> Visit<'a> for Run<'a> {
    fn statement(&mut self, statement: &'a Statement) {
        if self.left {
            return;
        }
        match &statement.kind {
            StatementKind::Let(id, value) => {
                self.expr(value);
                if let Some(value) = self.value(value) {
                    self.values.insert(*id, value);
                }
            }
            StatementKind::Store { slice, index, value, .. } => {
                self.expr(value);
                self.access(*slice, index);
            }
            StatementKind::If(condition, then, otherwise) => match self.value(condition).expect("integers") {
                0 => otherwise.iter().for_each(|block| self.block(block)),
                _ => self.block(then),
            },
            StatementKind::For { counter, start, end, step, count, body } => {
                let [start, end] = [start, end].map(|bound| i128::from(self.value(bound).expect("integers")));
                let end = end + i128::from(count.inclusive);
                let step = step.as_ref().map_or(1, |step| self.value(step).expect("integers")) as usize;
                // The first and the last iterations of a long loop.
                let all = (start..end.min(start + 6)).chain((end - 3).max(start + 6)..end).step_by(step);
                for i in all {
                    self.values.insert(*counter, i as u64);
                    self.block(&body.body);
                    self.left = false;
                }
            }
            StatementKind::Break(_) | StatementKind::Continue(_) | StatementKind::Return(..) => self.left = true,
            _ => walk_statement(self, statement),
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => match self.value(condition).expect("integers") {
                0 => self.block(otherwise),
                _ => self.block(then),
            },
            ExprKind::Load { slice, index, .. } => self.access(*slice, index),
            _ => walk_expr(self, e),
        }
    }
}
