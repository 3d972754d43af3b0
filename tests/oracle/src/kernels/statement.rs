//! Statements of generated kernels.

use super::{Kernel, Type, Variable};

impl Kernel<'_> {
    /// `let name = …;`
    pub(super) fn declare(&mut self, ty: Type, mutable: bool) {
        let (letter, depth) = match ty {
            Type::Float => ("f", 2),
            Type::Kept => ("k", 2),
            Type::Int => ("c", 2),
            Type::Bool => ("b", 1),
            Type::Index => ("j", 1),
        };
        let (name, value) = (self.fresh(letter), self.of(ty, depth));
        if ty == Type::Kept {
            self.kept.push(name.clone());
        }
        let mutability = if mutable { "mut " } else { "" };
        self.line(&format!("let {mutability}{name} = {value};"));
        self.variables.push(Variable { name, ty, mutable, uniform: false });
    }

    pub(super) fn assign(&mut self) {
        let ty = self.rng.pick(&[Type::Float, Type::Kept, Type::Int, Type::Bool]);
        let Some(name) = self.variable(ty, true) else {
            return;
        };
        let value = self.of(ty, 2);
        let op = match ty {
            Type::Bool | Type::Index => "=",
            Type::Int => self.rng.pick(&["=", "+=", "-=", "^="]),
            _ => self.rng.pick(&["=", "+=", "-=", "*="]),
        };
        self.line(&format!("{name} {op} {value};"));
    }

    /// Writes an element that belongs to the thread: its own, or the one further on by the number
    /// of threads.
    fn store(&mut self) {
        let (ty, slice) = self.rng.pick(&[(Type::Float, "out"), (Type::Kept, "w"), (Type::Int, "v")]);
        let value = self.of(ty, 2);
        match self.rng.below(4) {
            0 => {
                self.line("// SAFETY: each element is written by one thread.");
                let [at, all] = self.own();
                let at = if slice == "v" { format!("2 * {all} - {at}") } else { format!("{all} + {at}") };
                self.line(&format!("unsafe {{ {slice}[{at}] = {value} }};"));
            }
            1 => self.store_own(slice, "+=", &value),
            _ => self.store_own(slice, "=", &value),
        }
    }

    /// Writes a value of each variable at the end, so that a mistake in any of them shows.
    pub(super) fn stores(&mut self) {
        for (ty, slice) in [(Type::Float, "out"), (Type::Kept, "w"), (Type::Int, "v")] {
            if let Some(name) = self.variable(ty, false) {
                self.store_own(slice, "=", &name);
            }
        }
    }

    pub(super) fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 10 } else { 18 }) {
            0..2 => {
                let ty = self.rng.pick(&[Type::Float, Type::Kept, Type::Int, Type::Bool, Type::Index]);
                let mutable = ty != Type::Index && self.once_in(2);
                self.declare(ty, mutable);
            }
            2..5 => self.assign(),
            5..7 => self.store(),
            7 if self.has_tally() && self.once_in(2) => self.tally(),
            7 => self.array(),
            8..10 => self.parts(),
            10..14 => self.if_(depth - 1),
            14..17 => self.loop_(depth - 1),
            _ => self.jump(),
        }
    }

    fn array(&mut self) {
        if self.arrays.is_empty() || self.once_in(3) {
            let (name, a, b) = (self.fresh("q"), self.of(Type::Float, 1), self.of(Type::Float, 1));
            self.line(&format!("let mut {name} = [{a}, {b}, 1.5];"));
            self.arrays.push(name);
        } else {
            let array = self.arrays[self.rng.below(self.arrays.len() as u64) as usize].clone();
            let (at, value, op) = (self.element(), self.of(Type::Float, 2), self.rng.pick(&["=", "+=", "*="]));
            self.line(&format!("{array}[{at}] {op} {value};"));
        }
    }

    /// `{ … }`, with declarations inside.
    fn block(&mut self, depth: u32, count: u64) {
        let (variables, arrays) = (self.variables.len(), self.arrays.len());
        self.indent += 1;
        for _ in 0..=self.rng.below(count) {
            self.statement(depth);
        }
        self.indent -= 1;
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
    }

    fn match_(&mut self, depth: u32) {
        if self.once_in(2) {
            return self.match_asked(depth);
        }
        let of = self.int(1);
        self.line(&format!("match {of} {{"));
        for arms in [self.rng.pick(&["0", "..0", "i32::MIN..=-2"]), self.rng.pick(&["1 | 3", "1..4", "4.."]), "_"] {
            self.line(&format!("    {arms} => {{"));
            self.indent += 1;
            self.block(depth, 2);
            self.line("}");
            self.indent -= 1;
        }
        self.line("}");
    }

    /// A `match` whose arms bind the value and have a guard.
    fn match_asked(&mut self, depth: u32) {
        let (of, arms) = self.asked();
        self.line(&format!("match {of} {{"));
        for (arm, name) in arms {
            self.line(&format!("    {arm} => {{"));
            self.indent += 1;
            self.with(name, |kernel| kernel.block(depth, 2));
            self.line("}");
            self.indent -= 1;
        }
        self.line("    _ => {}");
        self.line("}");
    }

    fn if_(&mut self, depth: u32) {
        if self.once_in(5) {
            return self.match_(depth);
        }
        let condition = self.bool(2);
        self.line(&format!("if {condition} {{"));
        self.block(depth, 3);
        for _ in 0..self.rng.below(2) {
            let condition = self.bool(1);
            self.line(&format!("}} else if {condition} {{"));
            self.block(depth, 2);
        }
        if self.once_in(2) {
            self.line("} else {");
            self.block(depth, 2);
        }
        self.line("}");
    }

    fn loop_(&mut self, depth: u32) {
        if self.loops == 2 {
            return self.if_(depth);
        }
        self.loops += 1;
        let counters = self.counters.len();
        let (variables, name) = (self.variables.len(), self.fresh("r"));
        let label = if self.once_in(2) { format!("'{name}: ") } else { String::new() };
        let int = Variable { name: name.clone(), ty: Type::Int, mutable: false, uniform: false };
        match self.rng.below(6) {
            0 => {
                // Three or four iterations at most.
                let (own, step) =
                    (self.rng.pick(&["t", "t + 1", "t + m"]), self.rng.pick(&["n / 2 + 1", "n / 3 + 64", "n"]));
                self.line(&format!("{label}for {name} in ({own}..n).step_by({step}) {{"));
                self.variables.push(Variable { name, ty: Type::Index, mutable: false, uniform: false });
            }
            1..3 => {
                let bounds = self.rng.pick(&["0..m", "0..3", "1..=2", "m..4", "(0..m).rev()", "(1..=2).rev()"]);
                let bounds = self.stepped(bounds, "2");
                self.line(&format!("{label}for {name} in {bounds} {{"));
                // At most 4, as `m` is at most 5.
                self.counters.push(name);
            }
            3 => {
                let (low, high) = (self.int(1), self.int(1));
                let dots = self.rng.pick(&["..", "..="]);
                let range = format!("(({low}) & 3) - 1{dots}(({high}) & 3)");
                let range = if self.rng.below(3) == 0 { format!("({range}).rev()") } else { range };
                let range = self.stepped(&range, "1 + (u[t] & 1) as usize");
                self.line(&format!("{label}for {name} in {range} {{"));
                self.variables.push(int);
            }
            4 => {
                let (first, step) = (self.int(1), self.rng.between(1, 2));
                self.line(&format!("let mut {name} = ({first}) & 7;"));
                self.line(&format!("{label}while {name} > 0 {{"));
                self.line(&format!("    {name} -= {step};"));
                self.variables.push(int);
            }
            _ => {
                let last = self.int(1);
                self.line(&format!("let mut {name} = 0;"));
                self.line(&format!("{label}loop {{"));
                self.line(&format!("    {name} += 1;"));
                self.line(&format!("    if {name} > ({last}) & 3 || {name} > 5 {{"));
                self.line("        break;");
                self.line("    }");
                self.variables.push(int);
            }
        }
        let labels = self.labels.len();
        if let Some((label, _)) = label.split_once(':') {
            self.labels.push(label.to_owned());
        }
        self.block(depth, 4);
        self.labels.truncate(labels);
        self.line("}");
        self.counters.truncate(counters);
        self.variables.truncate(variables);
        self.loops -= 1;
    }

    /// Returns a range, with or without a step.
    fn stepped(&mut self, range: &str, step: &str) -> String {
        match (self.once_in(4), range.starts_with('(')) {
            (false, _) => range.to_owned(),
            (true, true) if range.ends_with(".rev()") => format!("{range}.step_by({step})"),
            (true, _) => format!("({range}).step_by({step})"),
        }
    }

    /// A jump of some threads or all.
    fn jump(&mut self) {
        let condition = self.bool(1);
        let jump = match (self.loops, self.rng.below(5)) {
            // A thread that has left never reaches a barrier.
            (0, 0) | (_, 4) if !self.shape.barriers => "return",
            (0, _) => return self.assign(),
            (_, 0..2) => "continue",
            _ => "break",
        };
        let to = if jump != "return" && !self.labels.is_empty() && self.once_in(2) {
            format!(" {}", self.labels[self.rng.below(self.labels.len() as u64) as usize])
        } else {
            String::new()
        };
        self.line(&format!("if {condition} {{"));
        self.line(&format!("    {jump}{to};"));
        self.line("}");
    }
}
