//! The text of `k::PLAN`, which `explain` prints: each variable's class and precision, each
//! access's class and alignment, each product that `fuse` takes into a sum.

use core::fmt::Write as _;

use syn::ext::IdentExt as _;

use super::ast::{Class, Expr, ExprKind, Kernel, Kind, Precision, Statement, StatementKind};
use super::expand::class_name;
use super::options::Pair;
use super::parity::{Parities, Parity};
use super::scalar_type::Type;
use super::types::Types;
use super::visit::{Visit, walk_expr, walk_statement};

/// Returns the plan of a paired kernel.
pub(crate) fn plan(kernel: &Kernel, types: &Types, pair: Pair) -> String {
    let mut accesses = Accesses { kernel, types, pair, parities: Parities::new(kernel), lines: Vec::new() };
    accesses.block(&kernel.body);
    let mut text = format!("{}: two threads per {}", kernel.name.unraw(), pair.name());
    if kernel.per_thread > 2 {
        let _ = write!(text, ", {} per thread of a device", kernel.per_thread);
    }
    text.push('\n');
    let shown = || kernel.variables.iter().filter(|v| !v.temporary);
    let width = shown().map(|v| v.shown().chars().count()).max().unwrap_or(0).max(12);
    for v in shown() {
        let held = match (v.stored, types.get(v.ty)) {
            (Some(stored), _) => stored.name().to_lowercase(),
            (None, Type::Float) if v.kept => "f32 (kept)".to_owned(),
            (None, Type::Float) => pair.element().to_lowercase(),
            (None, other) => other.name().to_owned(),
        };
        let what = match &v.kind {
            Kind::Index(_) if v.class == Class::Lin => "thread index".to_owned(),
            Kind::Index(_) => "index, the same for a pair".to_owned(),
            Kind::Dim(_) => "threads, the same for all".to_owned(),
            Kind::Scalar => "parameter".to_owned(),
            Kind::In => "input".to_owned(),
            Kind::Out => "output".to_owned(),
            Kind::Shared(length) => format!("array of {length}, shared by the block"),
            Kind::Array(length) => format!("array of {length}, {}", class_name(v.class)),
            Kind::Counter | Kind::Local => class_name(v.class).to_owned(),
        };
        let _ = writeln!(text, "  {:<width$} {held:<10} {what}", v.shown());
    }
    for line in accesses.lines {
        let _ = writeln!(text, "  {line}");
    }
    for overflow in &kernel.overflows {
        let _ = writeln!(text, "  {}", overflow.what);
    }
    let even: Vec<_> = accesses.parities.even.iter().map(|&id| kernel.variables[id].shown()).collect();
    if !even.is_empty() {
        let _ = writeln!(text, "  aligned as listed if {} even, and checked at run time otherwise", is_or_are(&even));
    }
    let multiples: Vec<_> = accesses.parities.multiples.iter().map(|&id| kernel.variables[id].shown()).collect();
    if !multiples.is_empty() {
        let (are, of) = (is_or_are(&multiples), kernel.per_thread);
        let multiple = if multiples.len() == 1 { "a multiple" } else { "multiples" };
        let _ = writeln!(text, "  {of} aligned neighbours if {are} {multiple} of {of}, and pair by pair otherwise");
    }
    text
}

fn is_or_are(names: &[String]) -> String {
    match names {
        [one] => format!("{one} is"),
        several => format!("{} are", several.join(", ")),
    }
}

struct Accesses<'a> {
    kernel: &'a Kernel,
    types: &'a Types,
    pair: Pair,
    parities: Parities<'a>,
    lines: Vec<String>,
}

impl Accesses<'_> {
    fn access(&mut self, what: &str, slice: usize, index: &Expr, text: &str) {
        let v = &self.kernel.variables[slice];
        let (access, per_thread) = (format!("{}{text}", v.name), self.kernel.per_thread);
        let pairs = v.stored.is_some() || self.types.get(v.ty) == Type::Float && !v.kept;
        let how = match index.class {
            Class::Uniform => "one element for both",
            Class::Lin if !pairs => "two neighbours",
            Class::Lin => match self.parities.of(index) {
                Parity::Multiple => {
                    return self.line(format!("{what:<5} {access:<24} {per_thread} aligned neighbours"));
                }
                Parity::Even => "one aligned pair",
                Parity::Odd => "between two pairs",
                Parity::Unknown => "a pair, aligned or not",
            },
            Class::Strided => "two elements, strided",
            Class::Varying => "two elements, anywhere",
        };
        self.line(format!("{what:<5} {access:<24} {how}"));
    }

    /// Adds a line if it is not there yet.
    fn line(&mut self, line: String) {
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }
}

impl<'a> Visit<'a> for Accesses<'a> {
    fn statement(&mut self, statement: &'a Statement) {
        walk_statement(self, statement);
        match &statement.kind {
            StatementKind::Store { slice, index, text, .. } => self.access("store", *slice, index, text),
            StatementKind::Atomic(atomic) => {
                let access = format!("{}{}", self.kernel.variables[atomic.slice].name, atomic.text);
                self.line(format!("atom  {access:<24} one thread after the other"));
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        walk_expr(self, e);
        if let ExprKind::Load { slice, index, text, .. } = &e.kind {
            self.access("load", *slice, index, text);
        }
        if let (ExprKind::MulAdd(_), Some(product)) = (&e.kind, &e.fused) {
            let format =
                if e.precision == Precision::Single { "f32".to_owned() } else { self.pair.element().to_lowercase() };
            self.line(format!("fma   {:<24} rounded with its sum, in {format}", product.text));
        }
    }
}
