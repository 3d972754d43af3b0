//! Values of generated kernels that are uniform over a block.

use super::{Kernel, Type, Variable};

impl Kernel<'_> {
    /// A variable that is uniform over the block.
    fn uniform_variable(&mut self, ty: Type) -> Option<String> {
        self.one_of(|v| v.ty == ty && v.uniform)
    }

    pub(super) fn uniform(&mut self, ty: Type, depth: u32) -> String {
        let d = depth.saturating_sub(1);
        match ty {
            Type::Float | Type::Kept => self.uniform_float(ty, depth),
            Type::Int => match self.rng.below(if depth == 0 { 7 } else { 10 }) {
                0 => self.rng.between(0, 9).to_string(),
                1 => "m as i32".to_owned(),
                2 => format!("i[{}]", self.uniform(Type::Index, 0)),
                3 => self.rng.pick(&["b as i32", "n as i32"]).to_owned(),
                4 => self.shared_element(Type::Int, true).unwrap_or_else(|| "3".to_owned()),
                5 if !self.uniform_arrays.is_empty() => {
                    let array = self.uniform_array();
                    let at = self.rng.between(0, 2);
                    format!("{array}[{at}]")
                }
                7..9 => {
                    let (a, b) = (self.uniform(Type::Int, d), self.uniform(Type::Int, d));
                    format!("(({a}) {} ({b}))", self.rng.pick(&["+", "-", "*", "&", "|", "^"]))
                }
                9 => {
                    let (c, a, b) =
                        (self.uniform(Type::Bool, d), self.uniform(Type::Int, d), self.uniform(Type::Int, d));
                    format!("(if {c} {{ {a} }} else {{ {b} }})")
                }
                _ => self.uniform_variable(Type::Int).unwrap_or_else(|| "7".to_owned()),
            },
            Type::Bool => match self.rng.below(if depth == 0 { 4 } else { 6 }) {
                0 => self.rng.pick(&["m > 2", "n % 2 == 1", "b == 1", "i[3] > 2"]).to_owned(),
                1 => self.uniform_variable(Type::Bool).unwrap_or_else(|| "m < 4".to_owned()),
                2 => format!("({}) & 1 == 0", self.uniform(Type::Int, d)),
                3 => {
                    let (a, b) = (self.uniform(Type::Int, d), self.uniform(Type::Int, 0));
                    format!("({a}) {} ({b})", self.rng.pick(&["<", ">=", "!="]))
                }
                4 => format!("({}) < ({})", self.uniform(Type::Float, d), self.uniform(Type::Float, 0)),
                _ => {
                    let (a, b) = (self.uniform(Type::Bool, d), self.uniform(Type::Bool, d));
                    format!("(({a}) {} !({b}))", self.rng.pick(&["&&", "||"]))
                }
            },
            // At most 7.
            Type::Index => match self.rng.below(5) {
                0 => "m".to_owned(),
                1 => self.uniform_variable(Type::Index).unwrap_or_else(|| "2".to_owned()),
                2 if !self.counters.is_empty() => {
                    self.counters[self.rng.below(self.counters.len() as u64) as usize].clone()
                }
                3 if depth > 0 => format!("(({}) & 7) as usize", self.uniform(Type::Int, d)),
                _ => self.rng.between(0, 7).to_string(),
            },
        }
    }

    fn uniform_float(&mut self, ty: Type, depth: u32) -> String {
        if depth > 0 && self.once_in(2) {
            let (a, b) = (self.uniform_float(ty, depth - 1), self.uniform_float(Type::Float, depth - 1));
            return format!("(({a}) {} ({b}))", self.rng.pick(&["+", "-", "*"]));
        }
        match self.rng.below(6) {
            0 => "a".to_owned(),
            1 => format!("{}[{}]", self.rng.pick(&["x", "y"]), self.uniform(Type::Index, 1)),
            2 if ty == Type::Kept => format!("z[{}]", self.uniform(Type::Index, 0)),
            3 => self.shared_element(Type::Float, true).unwrap_or_else(|| "0.5".to_owned()),
            4 => format!("{}.25", self.rng.between(0, 4)),
            _ => self.uniform_variable(ty).unwrap_or_else(|| "1.5".to_owned()),
        }
    }

    fn uniform_array(&mut self) -> String {
        self.uniform_arrays[self.rng.below(self.uniform_arrays.len() as u64) as usize].clone()
    }

    pub(super) fn declare_uniform(&mut self, ty: Type) {
        let (letter, value) = match ty {
            Type::Float => ("uf", self.uniform(ty, 1)),
            Type::Kept => ("uk", self.uniform(ty, 1)),
            Type::Int => ("uc", self.uniform(ty, 1)),
            Type::Bool => ("ub", self.uniform(ty, 1)),
            Type::Index => ("uj", self.uniform(ty, 1)),
        };
        let name = self.fresh(letter);
        if ty == Type::Kept {
            self.kept.push(name.clone());
        }
        let suffix = if ty == Type::Int { ": i32" } else { "" };
        self.line(&format!("let mut {name}{suffix} = {value};"));
        self.variables.push(Variable { name, ty, mutable: true, uniform: true });
    }

    /// An assignment where all threads take the same path.
    pub(super) fn assign_uniform(&mut self) {
        if !self.uniform_arrays.is_empty() && self.once_in(5) {
            let (array, value) = (self.uniform_array(), self.uniform(Type::Int, 1));
            let at = match self.uniform(Type::Index, 0) {
                at if at.parse::<u32>().is_ok_and(|at| at < 3) => at,
                at => format!("{at} % 3"),
            };
            let line = format!("{array}[{at}] {} {value};", self.rng.pick(&["=", "+=", "^="]));
            return self.line(&line);
        }
        let ty = self.rng.pick(&[Type::Float, Type::Kept, Type::Int, Type::Int, Type::Bool, Type::Index]);
        let Some(name) = self.one_of(|v| v.ty == ty && v.uniform && v.mutable) else {
            return self.declare_uniform(ty);
        };
        let value = self.uniform(ty, 2);
        let op = match ty {
            Type::Bool | Type::Index => "=",
            Type::Int => self.rng.pick(&["=", "+=", "+=", "-=", "^="]),
            _ => self.rng.pick(&["=", "+=", "+=", "-=", "*="]),
        };
        self.line(&format!("{name} {op} {value};"));
    }

    /// A statement without barriers that changes a uniform variable, once for each thread.
    pub(super) fn compound_uniform(&mut self, depth: u32) {
        let (variables, arrays, counters) = (self.variables.len(), self.uniform_arrays.len(), self.counters.len());
        match self.rng.below(7) {
            0 => {
                let name = self.fresh("g");
                let values: Vec<_> = (0..3).map(|_| self.uniform(Type::Int, 0)).collect();
                self.line(&format!("let mut {name}: [i32; 3] = [{}];", values.join(", ")));
                return self.uniform_arrays.push(name);
            }
            1 => self.line("{"),
            2 | 3 => {
                let condition = self.uniform(Type::Bool, 1);
                self.line(&format!("if {condition} {{"));
            }
            4 => {
                let name = self.fresh("r");
                let last = self.uniform(Type::Int, 1);
                self.line(&format!("let mut {name} = ({last}) & 3;"));
                self.line(&format!("while {name} > 0 {{"));
                self.line(&format!("    {name} -= 1;"));
            }
            _ => {
                let name = self.fresh("r");
                let bounds = self.rng.pick(&["0..m", "0..3", "1..=2", "m..4", "0..n % 4"]);
                self.line(&format!("for {name} in {bounds} {{"));
                self.counters.push(name);
            }
        }
        self.indent += 1;
        for _ in 0..=self.rng.below(2) {
            if depth > 0 && self.once_in(3) { self.compound_uniform(depth - 1) } else { self.assign_uniform() }
        }
        self.indent -= 1;
        self.variables.truncate(variables);
        self.uniform_arrays.truncate(arrays);
        self.counters.truncate(counters);
        self.line("}");
    }

    /// A value that is uniform over a row but not over a block.
    pub(super) fn row(&mut self) {
        if self.shape.axes == 1 {
            return self.compound_uniform(1);
        }
        let of = if self.shape.axes == 2 { ["ly", "ty", "ly"] } else { ["ly", "lz", "tz"] };
        let (a, b) = (self.rng.pick(&of), self.rng.pick(&of));
        if self.once_in(3) {
            let name = self.fresh("f");
            let line = format!("let mut {name} = {};", self.rng.pick(&["x[ty]", "y[ly + 1]", "a"]));
            self.line(&line);
            let line = format!("if {a} > {} {{", self.rng.between(0, 1));
            self.line(&line);
            self.line(&format!("    {name} += x[{b}];"));
            self.line("}");
            return self.variables.push(Variable { name, ty: Type::Float, mutable: true, uniform: false });
        }
        let name = self.fresh("row");
        let first = self.rng.between(0, 3);
        self.line(&format!("let mut {name} = {first};"));
        match self.rng.below(3) {
            0 => {
                let line = format!("if {a} > {} {{", self.rng.between(0, 2));
                self.line(&line);
                let line = format!("    {name} = {};", self.rng.between(4, 7));
                self.line(&line);
            }
            1 => {
                self.line(&format!("if ({a} + {b}) % 2 == 0 {{"));
                self.line(&format!("    {name} = {a} % 7;"));
            }
            _ => {
                self.line(&format!("for q in 0..{a} % 5 {{"));
                self.line(&format!("    {name} = {name} % 4 + q % 3;"));
            }
        }
        self.line("}");
        self.variables.push(Variable { name, ty: Type::Index, mutable: false, uniform: false });
    }
}
