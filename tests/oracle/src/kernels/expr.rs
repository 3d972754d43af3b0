//! Expressions of generated kernels. Each has the requested type for all operands.

use super::{Kernel, Type, Variable};

impl Kernel<'_> {
    pub(super) fn of(&mut self, ty: Type, depth: u32) -> String {
        match ty {
            Type::Float => self.float(depth),
            Type::Kept => self.kept(depth),
            Type::Int => self.int(depth),
            Type::Bool => self.bool(depth),
            Type::Index => self.index(depth),
        }
    }

    fn literal(&mut self) -> String {
        let whole = self.rng.between(0, 7);
        let fraction = ["0", "5", "1", "25", "3333", "0009765625"][self.rng.below(6) as usize];
        format!("{whole}.{fraction}")
    }

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(9) {
                0 => self.literal(),
                1..4 => self.variable(Type::Float, false).unwrap_or_else(|| "a".to_owned()),
                4 if !self.arrays.is_empty() => {
                    let array = self.arrays[self.rng.below(self.arrays.len() as u64) as usize].clone();
                    let at = self.element();
                    format!("{array}[{at}]")
                }
                5 => self.own_element("out"),
                6 => self.shared_element(Type::Float, false).unwrap_or_else(|| "y[t]".to_owned()),
                _ => {
                    let (slice, at) = (self.rng.pick(&["x", "y"]), self.index(0));
                    format!("{slice}[{at}]")
                }
            };
        }
        let d = depth - 1;
        match self.rng.below(18) {
            0..5 => self.arithmetic(Type::Float, d),
            5 => format!("-({})", self.float(d)),
            6 => format!("({}).abs()", self.float(d)),
            7 => format!("({}).min({}).max(-3.0)", self.float(d), self.float(d)),
            8 => format!("({}).mul_add({}, {})", self.float(d), self.float(d), self.float(0)),
            9 => self.choice(Type::Float, d),
            10 => format!("cvt_rn({})", self.kept(d)),
            11 => format!("(({}) as f32)", self.int(d)),
            12 => format!("bend({}, {})", self.float(d), self.int(0)),
            13..15 => self.function(Type::Float, d),
            15 => {
                let function = self.rng.pick(&["copysign", "atan2", "powf", "hypot"]);
                format!("({}).{function}({})", self.float(d), self.float(0))
            }
            16 => format!("({}).powi({})", self.float(d), self.rng.between(-2, 5)),
            _ => format!("(({}) / ({}))", self.float(d), self.float(0)),
        }
    }

    fn kept(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => format!("z[{}]", self.index(0)),
                1 => self.float(0),
                _ => self.variable(Type::Kept, false).unwrap_or_else(|| "z[t]".to_owned()),
            };
        }
        match self.rng.below(7) {
            0 => self.choice(Type::Kept, depth - 1),
            6 => self.function(Type::Kept, depth - 1),
            1 => format!("(({}) * ({}))", self.float(depth - 1), self.float(0)),
            2 => format!("-({})", self.kept(depth - 1)),
            _ => self.arithmetic(Type::Kept, depth - 1),
        }
    }

    fn arithmetic(&mut self, ty: Type, d: u32) -> String {
        let (a, b, op) = (self.of(ty, d), self.of(ty, d), self.rng.pick(&["+", "-", "*"]));
        format!("(({a}) {op} ({b}))")
    }

    /// A function of one number, or its bounds.
    fn function(&mut self, ty: Type, d: u32) -> String {
        const FUNCTIONS: [&str; 14] = [
            "floor",
            "ceil",
            "trunc",
            "round",
            "round_ties_even",
            "signum",
            "fract",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "to_degrees",
            "to_radians",
        ];
        if self.once_in(4) {
            return format!("({}).clamp({}, {})", self.of(ty, d), self.of(ty, 0), self.of(ty, 0));
        }
        format!("({}).{}()", self.of(ty, d), self.rng.pick(&FUNCTIONS))
    }

    /// An element that a condition chooses, and often the element that the neighbours share.
    fn chosen_element(&mut self) -> String {
        let slice = self.rng.pick(&["x", "y"]);
        let (condition, at, other) = match self.rng.below(4) {
            0 => ("t == 0", "t".to_owned(), "t - 1".to_owned()),
            1 => ("t + 1 != n", format!("t + {}", self.rng.between(1, 6)), "t".to_owned()),
            _ => {
                let conditions = ["t & 1 == 0", "t & 3 == 1", "t > 4", "m > 2", "n & 1 == 0 || t == 2"];
                let at = self.rng.pick(&["t + 2", "(t + m) + 1", "t + 5"]);
                let by = self.rng.pick(&["- 1", "+ 1", "+ m"]);
                (self.rng.pick(&conditions), at.to_owned(), format!("({at}) {by}"))
            }
        };
        let here = format!("{slice}[{at}]");
        let mut chosen = match self.rng.below(4) {
            0 => format!("if m > 3 {{ {slice}[t] }} else if {condition} {{ {here} }} else {{ {slice}[{other}] }}"),
            _ => format!("if {condition} {{ {here} }} else {{ {slice}[{other}] }}"),
        };
        if self.once_in(3) {
            chosen = format!("if !({condition}) {{ {slice}[{other}] }} else {{ {here} }}");
        }
        if self.once_in(3) { format!("({chosen})") } else { format!("(({chosen}) - {here})") }
    }

    fn choice(&mut self, ty: Type, d: u32) -> String {
        match self.rng.below(7) {
            6 if ty == Type::Float => self.chosen_element(),
            2 => {
                let arms = self.rng.pick(&["..=-1", "0 | 3", "2.."]);
                let (of, a, b, c) = (self.int(d), self.of(ty, d), self.of(ty, 0), self.of(ty, 0));
                format!("(match {of} {{ 1 => {a}, {arms} => {b}, _ => {c} }})")
            }
            5 => {
                let (of, [first, second]) = self.asked();
                let [a, b] = [first, second]
                    .map(|(arm, name)| self.with(name, |kernel| format!("{arm} => {}", kernel.of(ty, d))));
                format!("(match {of} {{ {a}, {b}, _ => {} }})", self.of(ty, 0))
            }
            // Only some threads may compute the value.
            0 if ty == Type::Float => format!("(if t > 2 {{ x[t - 3] }} else {{ {} }})", self.float(d)),
            1 if ty == Type::Int => {
                let q = self.variable(Type::Int, false).unwrap_or_else(|| "i[t]".to_owned());
                format!("(if {q} != 0 {{ {} / {q} }} else {{ {} }})", self.rng.between(1, 99), self.int(d))
            }
            _ => {
                let (c, a, b) = (self.bool(d), self.of(ty, d), self.of(ty, d));
                format!("(if {c} {{ {a} }} else {{ {b} }})")
            }
        }
    }

    /// The value of a `match`, and two arms that bind it and have a guard, each with the bound
    /// variable.
    pub(super) fn asked(&mut self) -> (String, [(String, Variable); 2]) {
        let ty = self.rng.pick(&[Type::Int, Type::Float]);
        let of = self.of(ty, 1);
        let arms = std::array::from_fn(|_| {
            let variable = Variable { name: self.fresh("w"), ty, mutable: false, uniform: false };
            let pattern = match ty {
                Type::Int => self.rng.pick(&["", " @ ..=-1", " @ (0 | 3)", " @ 2..9"]),
                _ => "",
            };
            let guard = self.with(variable.clone(), |kernel| kernel.bool(1));
            (format!("{}{pattern} if {guard}", variable.name), variable)
        });
        (of, arms)
    }

    pub(super) fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(5) {
                // It may have a method, of which Rust asks of which type.
                0 => format!("{}_i32", self.rng.between(0, 9)),
                1 => format!("i[{}]", self.index(0)),
                2 => self.shared_element(Type::Int, false).unwrap_or_else(|| self.own_element("v")),
                _ => self.variable(Type::Int, false).unwrap_or_else(|| "i[t]".to_owned()),
            };
        }
        let d = depth - 1;
        match self.rng.below(16) {
            0..4 => {
                let (a, b, op) = (self.int(d), self.int(d), self.rng.pick(&["+", "-", "*", "&", "|", "^"]));
                format!("(({a}) {op} ({b}))")
            }
            4 => format!("(({}) {} {})", self.int(d), self.rng.pick(&["<<", ">>"]), self.rng.between(0, 7)),
            5 => match self.rng.pick(&["/", "%", "rem_euclid", "div_euclid"]) {
                op @ ("/" | "%") => format!("(({}) {op} {})", self.int(d), self.rng.between(1, 9)),
                method => format!("(({}).{method}({}))", self.int(d), self.rng.between(1, 9)),
            },
            6 => format!("(({}) as i32)", self.bool(d)),
            7 => format!("(({}) as i32)", self.float(d)),
            8 => format!("({}).min({})", self.int(d), self.int(d)),
            9 => {
                let two = self.rng.pick(&["max", "saturating_add", "saturating_sub", "wrapping_mul"]);
                format!("({}).{two}({})", self.int(d), self.int(0))
            }
            10 => {
                let (by, count) =
                    (self.rng.pick(&["pow", "rotate_left", "rotate_right"]), self.rng.pick(&["u[t]", "3"]));
                format!("({}).{by}({count})", self.int(d))
            }
            11 => {
                let one =
                    self.rng.pick(&["count_ones", "leading_zeros", "trailing_zeros", "reverse_bits", "signum", "abs"]);
                format!("(({}).{one}() as i32)", self.int(d))
            }
            12 => {
                let (distance, op) = (self.rng.pick(&["u[t]", "t", "m"]), self.rng.pick(&["<<", ">>"]));
                format!("((({}).abs_diff({}) {op} {distance}) as i32)", self.int(d), self.int(0))
            }
            13..15 => self.other_int(d),
            _ => self.choice(Type::Int, d),
        }
    }

    /// A value computed in another integer type.
    fn other_int(&mut self, d: u32) -> String {
        let ty = self.rng.pick(&["i8", "u8", "i16", "u16", "u32", "i64", "u64", "usize"]);
        let a = if self.once_in(3) { self.float(d) } else { self.int(d) };
        let a = format!("(({a}) as {ty})");
        let value = match self.rng.below(5) {
            0 => {
                let op = self.rng.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} (({}) as {ty}))", self.int(0))
            }
            1 => format!("({a} {} {})", self.rng.pick(&["<<", ">>"]), self.rng.pick(&["3", "u[t]", "m"])),
            2 => {
                let by = self.rng.pick(&["pow", "rotate_left", "rotate_right"]);
                format!("{a}.{by}({})", self.rng.pick(&["u[t]", "5"]))
            }
            3 => {
                let two = self.rng.pick(&["abs_diff", "max", "saturating_add", "saturating_sub"]);
                format!("{a}.{two}(({}) as {ty})", self.int(0))
            }
            _ => {
                let one = self.rng.pick(&["count_ones", "leading_zeros", "trailing_zeros", "reverse_bits"]);
                format!("{a}.{one}()")
            }
        };
        if self.once_in(3) { format!("(({value} as f32) as i32)") } else { format!("({value} as i32)") }
    }

    pub(super) fn bool(&mut self, depth: u32) -> String {
        let comparison = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let d = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 5 } else { 12 }) {
            0 => format!("({}) {comparison} ({})", self.float(d), self.float(0)),
            1 => format!("({}) {comparison} ({})", self.int(d), self.int(0)),
            2 => format!("({}) {comparison} ({})", self.kept(d), self.float(0)),
            3 => self.variable(Type::Bool, false).unwrap_or_else(|| "m > 2".to_owned()),
            4 => format!("({}) {comparison} ({})", self.index(0), self.index(0)),
            5 => format!("!({})", self.bool(d)),
            // Only some threads may compute the second operand.
            6 => format!("(t > 0 && x[t - 1] {comparison} {})", self.float(0)),
            7 => format!("(i[t] < 0 || y[i[t] as usize] {comparison} {})", self.float(0)),
            9 => format!("({}).{}()", self.float(d), self.rng.pick(&["is_nan", "is_finite", "is_infinite"])),
            8 => format!("(i[t] != 0 && {} % i[t] {comparison} {})", self.int(0), self.int(0)),
            _ => format!("(({}) {} ({}))", self.bool(d), self.rng.pick(&["&&", "||"]), self.bool(d)),
        }
    }

    /// An index in range for every thread below `n`.
    pub(super) fn index(&mut self, depth: u32) -> String {
        let counter = |k: &mut Self| {
            let count = k.counters.len() as u64;
            (count > 0).then(|| k.counters[k.rng.below(count) as usize].clone())
        };
        match self.rng.below(if depth == 0 { 10 } else { 13 }) {
            0..3 => "t".to_owned(),
            3 => format!("t + {}", self.rng.between(1, 7)),
            4 => counter(self).map_or("t + m".to_owned(), |c| format!("t + {c}")),
            5 => counter(self).unwrap_or_else(|| "m".to_owned()),
            6 => format!("2 * t + {}", self.rng.between(0, 3)),
            7 => "u[t] as usize".to_owned(),
            8 => self.variable(Type::Index, false).unwrap_or_else(|| "n - 1 - t".to_owned()),
            9 => "m + 1".to_owned(),
            10 => format!("(({}) & 7) as usize", self.int(depth - 1)),
            11 => format!("t + (({}) & 3) as usize", self.int(depth - 1)),
            _ => {
                let (c, a, b) = (self.bool(depth - 1), self.index(depth - 1), self.index(depth - 1));
                format!("(if {c} {{ {a} }} else {{ {b} }})")
            }
        }
    }

    /// An index into a local array of three elements: a thread's own, or the same for all threads.
    pub(super) fn element(&mut self) -> String {
        if self.once_in(4) {
            return format!("({}) as usize % 3", self.int(0));
        }
        if self.counters.is_empty() || self.once_in(2) {
            return self.rng.between(0, 2).to_string();
        }
        let count = self.counters.len() as u64;
        format!("{} % 3", self.counters[self.rng.below(count) as usize])
    }
}
