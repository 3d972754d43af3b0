//! Several values at once: tuples, choices between them, and functions that return them.

use super::{Kernel, Type, Variable};

impl Kernel<'_> {
    /// Binds several values, or assigns to several variables.
    pub(super) fn parts(&mut self) {
        let first = self.rng.pick(&[Type::Float, Type::Kept]);
        let types = [first, self.rng.pick(&[Type::Int, Type::Bool, first])];
        match self.rng.below(4) {
            0 => self.assign_parts(types),
            1 => self.name_parts(types),
            _ => self.name_whole(types),
        }
    }

    /// `let (mut a, b) = …;`
    fn name_parts(&mut self, types: [Type; 2]) {
        let value = self.two(types, 2);
        let names = types.map(|_| (self.fresh("e"), self.once_in(2)));
        let [a, b] = names.each_ref().map(|(name, mutable)| format!("{}{name}", if *mutable { "mut " } else { "" }));
        let said = self.said(&value, types);
        self.line(&format!("let ({a}, {b}){said} = {value};"));
        for ((name, mutable), ty) in names.into_iter().zip(types) {
            if ty == Type::Kept {
                self.kept.push(name.clone());
            }
            self.variables.push(Variable { name, ty, mutable, uniform: false });
        }
    }

    /// `let p = …;`, whose parts are `p.0` and `p.1`.
    fn name_whole(&mut self, types: [Type; 2]) {
        let (value, name, mutable) = (self.two(types, 2), self.fresh("p"), self.once_in(2));
        if types.contains(&Type::Kept) {
            self.kept.push(name.clone());
        }
        let said = self.said(&value, types);
        self.line(&format!("let {}{name}{said} = {value};", if mutable { "mut " } else { "" }));
        if mutable && self.once_in(3) {
            let value = self.two(types, 1);
            self.line(&format!("{name} = {value};"));
        }
        for (i, ty) in types.into_iter().enumerate() {
            self.variables.push(Variable { name: format!("{name}.{i}"), ty, mutable, uniform: false });
        }
    }

    /// Returns the value with its types written out, since a function's result has none here.
    fn said(&mut self, value: &str, types: [Type; 2]) -> String {
        let [a, b] = types.map(|ty| match ty {
            Type::Int => "i32",
            Type::Bool => "bool",
            _ => "f32",
        });
        if value.contains("split") || self.once_in(2) { format!(": ({a}, {b})") } else { String::new() }
    }

    fn assign_parts(&mut self, types: [Type; 2]) {
        let [Some(a), Some(b)] = types.map(|ty| self.variable(ty, true)) else {
            return;
        };
        let value = if types[0] == types[1] && self.once_in(2) { format!("({b}, {a})") } else { self.two(types, 2) };
        self.line(&format!("({a}, {b}) = {value};"));
    }

    /// Two values of these types.
    fn two(&mut self, types: [Type; 2], depth: u32) -> String {
        let [a, b] = types;
        match self.rng.below(if depth == 0 { 2 } else { 6 }) {
            2 => {
                let (condition, then, otherwise) =
                    (self.bool(1), self.two(types, depth - 1), self.two(types, depth - 1));
                format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
            }
            3 => {
                let (first, second) = (self.bool(1), self.bool(1));
                let [x, y, z] = std::array::from_fn(|_| self.two(types, depth - 1));
                format!("if {first} {{ {x} }} else if {second} {{ {y} }} else {{ {z} }}")
            }
            4 => {
                let arms = self.rng.pick(&["..=-1", "0 | 3", "2.."]);
                let (of, [x, y, z]) = (self.int(1), std::array::from_fn(|_| self.two(types, depth - 1)));
                format!("match {of} {{ 1 => {{ {x} }} {arms} => {{ {y} }} _ => {{ {z} }} }}")
            }
            5 => {
                let (name, value) = (self.fresh("d"), self.of(Type::Int, 1));
                let inner = self.two(types, depth - 1);
                format!("{{ let {name} = {value}; if {name} > 2 {{ {inner} }} else {{ {} }} }}", self.two(types, 0))
            }
            1 if b == Type::Int => format!("split({}, {})", self.of(Type::Float, 1), self.of(Type::Int, 1)),
            _ => {
                let literal = a == b && self.once_in(3);
                if literal {
                    return "(0.1, 1.7)".to_owned();
                }
                format!("({}, {})", self.of(a, 1), self.of(b, 1))
            }
        }
    }
}
