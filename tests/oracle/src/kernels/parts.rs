//! Several values at once: tuples, choices between them, and functions that return them.

use super::{Kernel, Type};

impl Kernel {
    /// Binds two values, or assigns to two variables.
    pub(super) fn parts(&mut self) {
        let first = self.pick(&[Type::Float, Type::Kept]);
        self.two = [first, self.pick(&[Type::Int, Type::Bool, first])];
        match self.below(4) {
            0 => self.assign_parts(),
            1 => self.name_parts(),
            _ => self.name_whole(),
        }
    }

    fn assign_parts(&mut self) {
        let [Some(a), Some(b)] = self.two.map(|ty| self.mutable(ty)) else { return };
        let value = if self.two[0] == self.two[1] && self.once_in(2) { &format!("({b}, {a})") } else { "$t2" };
        self.say(&format!("({a}, {b}) = {value};"));
    }

    /// `let (mut a, b) = …;`
    fn name_parts(&mut self) {
        let (value, said) = self.said();
        let names = self.two.map(|ty| (self.fresh("e"), ty, self.once_in(2)));
        let [a, b] = names.each_ref().map(|(name, _, mutable)| format!("{}{name}", if *mutable { "mut " } else { "" }));
        self.say(&format!("let ({a}, {b}){said} = {value};"));
        for (name, ty, mutable) in names {
            self.add(name, ty, mutable, false);
        }
    }

    /// `let p = …;`, whose parts are `p.0` and `p.1`.
    fn name_whole(&mut self) {
        let (types, (value, said)) = (self.two, self.said());
        let (name, mutable) = (self.fresh("p"), self.once_in(2));
        if types.contains(&Type::Kept) {
            self.kept.push(name.clone());
        }
        self.say(&format!("let {}{name}{said} = {value};", if mutable { "mut " } else { "" }));
        if mutable && self.once_in(3) {
            self.say(&format!("{name} = $t1;"));
        }
        for (i, ty) in types.into_iter().enumerate() {
            self.add(format!("{name}.{i}"), ty, mutable, false);
        }
    }

    /// Returns two values and their types written out, since a function's result has none here.
    fn said(&mut self) -> (String, String) {
        let value = self.two_values(2);
        let [a, b] = self.two.map(|ty| match ty {
            Type::Int => "i32",
            Type::Bool => "bool",
            _ => "f32",
        });
        let is_said = value.contains("split") || self.once_in(2);
        (value, if is_said { format!(": ({a}, {b})") } else { String::new() })
    }

    /// Two values of the types of `two`.
    pub(super) fn two_values(&mut self, depth: u32) -> String {
        self.node('t', |kernel| {
            let ([a, b], [x, y]) = (kernel.two, kernel.two.map(|ty| ty.letter(false)));
            let rule = match kernel.below(if depth == 0 { 2 } else { 6 }) {
                1 if b == Type::Int => "split($f1, $i1)".to_owned(),
                0 | 1 if a == b && kernel.once_in(3) => "(0.1, 1.7)".to_owned(),
                0 | 1 => format!("(${x}1, ${y}1)"),
                2 => "if $b1 { $t } else { $t }".to_owned(),
                3 => "if $b1 { $t } else if $b1 { $t } else { $t }".to_owned(),
                4 => "match $i1 { 1 => { $t } $(..=-1,0 | 3,2..) => { $t } _ => { $t } }".to_owned(),
                _ => "{ let NAME = $i1; if NAME > 2 { $t } else { $t0 } }".replace("NAME", &kernel.fresh("d")),
            };
            kernel.fill(&rule, a, depth.saturating_sub(1))
        })
    }
}
