//! Statements of generated kernels.

use super::grammar::rules;
use super::{Kernel, Type, Variable};

impl Kernel {
    /// `let name = …;`
    pub(super) fn declare(&mut self, ty: Type, mutable: bool, uniform: bool) {
        let (letter, depth) = match ty {
            Type::Float => ("f", 2),
            Type::Kept => ("k", 2),
            Type::Int => ("c", 2),
            Type::Bool => ("b", 1),
            Type::Index => ("j", 1),
        };
        let value = self.of(ty, uniform, if uniform { 1 } else { depth });
        let name = self.fresh(&format!("{}{letter}", if uniform { "u" } else { "" }));
        let said = if uniform && ty == Type::Int { ": i32" } else { "" };
        self.say(&format!("let {}{name}{said} = {value};", if mutable { "mut " } else { "" }));
        self.add(name, ty, mutable, uniform);
    }

    /// Brings a variable into scope.
    pub(super) fn add(&mut self, name: String, ty: Type, mutable: bool, uniform: bool) {
        if ty == Type::Kept && !name.contains('.') {
            self.kept.push(name.clone());
        }
        self.variables.push(Variable { name, ty, mutable, uniform });
    }

    pub(super) fn assign(&mut self) {
        let ty = self.pick(&[Type::Float, Type::Kept, Type::Int, Type::Bool]);
        if let Some(name) = self.mutable(ty) {
            self.change(&name, ty, false);
        }
    }

    /// `name += …;`
    pub(super) fn change(&mut self, name: &str, ty: Type, uniform: bool) {
        let value = self.of(ty, uniform, 2);
        let op = match ty {
            Type::Bool | Type::Index => "=",
            Type::Int => "$(=,+=,-=,^=)",
            _ => "$(=,+=,-=,*=)",
        };
        self.say(&format!("{name} {op} {value};"));
    }

    /// Writes another element than the thread's own.
    pub(super) fn say_unsafe(&mut self, slice: &str, at: &str, value: &str) {
        self.say("// SAFETY: each element is written by one thread.");
        self.say(&format!("unsafe {{ {slice}[{at}] {value} }};"));
    }

    /// Writes a value of each variable at the end, so that a mistake in any of them shows.
    pub(super) fn stores(&mut self) {
        self.each(&[(Type::Float, "out"), (Type::Kept, "w"), (Type::Int, "v")], |kernel, (ty, slice)| {
            if let Some(name) = kernel.one_of(|v| v.ty == ty) {
                kernel.say(&format!("{slice}[$o] = {name};"));
            }
        });
    }

    pub(super) fn statement(&mut self, depth: u32) {
        self.node('s', |kernel| match kernel.below(if depth == 0 { 10 } else { 18 }) {
            0..3 => kernel.assign(),
            3..5 => {
                let ty = kernel.pick(&[Type::Float, Type::Kept, Type::Int, Type::Bool, Type::Index]);
                let mutable = ty != Type::Index && kernel.once_in(2);
                kernel.declare(ty, mutable, false);
            }
            5..7 => {
                let rule = kernel.rule(0, rules("store"));
                kernel.say(rule);
            }
            7 if kernel.tally.is_some() && kernel.once_in(2) => kernel.tally(),
            7 => kernel.array(),
            8..10 => kernel.parts(),
            10..14 => kernel.if_(depth - 1),
            14..17 => kernel.loop_(depth - 1),
            _ => kernel.jump(),
        });
    }

    fn array(&mut self) {
        if self.arrays.is_empty() || self.once_in(3) {
            let name = self.fresh("q");
            self.say(&format!("let mut {name} = [$f1, $f1, 1.5];"));
            self.arrays.push(name);
        } else {
            let array = self.pick(&self.arrays.clone());
            let at = self.place();
            self.say(&format!("{array}[{at}] $(=,+=,*=) $f2;"));
        }
    }

    /// Up to so many statements with declarations of their own.
    fn block(&mut self, depth: u32, most: usize) {
        self.scoped(|kernel| kernel.list(1, most, |kernel| kernel.statement(depth)));
    }

    fn match_(&mut self, depth: u32) {
        if self.once_in(2) {
            let (of, arms) = self.matched();
            self.say(&format!("match {of} {{"));
            for (arm, variable) in arms {
                self.say(&format!("{arm} => {{"));
                self.with(variable, |kernel| kernel.block(depth, 2));
                self.say("}");
            }
            return self.say("_ => {}\n}");
        }
        self.say("match $i1 {");
        for arm in ["$(0,..0,i32::MIN..=-2) => {", "$(1 | 3,1..4,4..) => {", "_ => {"] {
            self.say(arm);
            self.block(depth, 2);
            self.say("}");
        }
        self.say("}");
    }

    fn if_(&mut self, depth: u32) {
        if self.once_in(5) {
            return self.match_(depth);
        }
        self.say("if $b2 {");
        self.block(depth, 3);
        for head in ["} else if $b1 {", "} else {"] {
            if self.once_in(2) {
                self.say(head);
                self.block(depth, 2);
            }
        }
        self.say("}");
    }

    fn loop_(&mut self, depth: u32) {
        if self.loops == 2 {
            return self.if_(depth);
        }
        self.loops += 1;
        self.scoped(|kernel| {
            let kind = kernel.pick(&["counter", "counter", "index", "integer", "integer", "integer"]);
            let is_labelled = kernel.once_in(2);
            kernel.head(kind, is_labelled);
            kernel.block(depth, 4);
        });
        self.say("}");
        self.loops -= 1;
    }

    /// Begins a loop of a kind in the grammar.
    pub(super) fn head(&mut self, kind: &str, is_labelled: bool) {
        let name = self.fresh("r");
        let label = if is_labelled { format!("'{name}: ") } else { String::new() };
        let rule = self.rule(0, rules(kind)).replace("NAME", &name).replace("LABEL", &label);
        self.say(&rule);
        if is_labelled {
            self.labels.push(format!(" '{name}"));
        }
        match kind {
            "counter" | "block_counter" => self.counters.push(name),
            "index" => self.add(name, Type::Index, false, false),
            "integer" => self.add(name, Type::Int, false, false),
            _ => {}
        }
    }

    /// A jump of some threads or all.
    fn jump(&mut self) {
        let jump = match (self.loops, self.below(5)) {
            // A thread that has left never reaches a barrier.
            (0, 0) | (_, 4) if !self.shape.barriers => "return",
            (0, _) => return self.assign(),
            (_, 0..2) => "continue",
            _ => "break",
        };
        let to = if jump != "return" && !self.labels.is_empty() && self.once_in(2) {
            self.pick(&self.labels.clone())
        } else {
            String::new()
        };
        self.say(&format!("if $b1 {{\n{jump}{to};\n}}"));
    }
}
