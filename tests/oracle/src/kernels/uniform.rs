//! Statements of generated kernels that change variables which are uniform over a block.

use super::{Kernel, Type};

impl Kernel {
    /// An assignment where all threads take the same path.
    pub(super) fn assign_uniform(&mut self) {
        let ty = self.pick(&[Type::Int, Type::Float, Type::Kept, Type::Int, Type::Bool, Type::Index]);
        if !self.uniform_arrays.is_empty() && self.once_in(5) {
            let array = self.pick(&self.uniform_arrays.clone());
            let at = match self.of(Type::Index, true, 0) {
                at if at.parse::<u32>().is_ok_and(|at| at < 3) => at,
                at => format!("{at} % 3"),
            };
            return self.say(&format!("{array}[{at}] $(=,+=,^=) $I1;"));
        }
        match self.one_of(|v| v.ty == ty && v.uniform && v.mutable) {
            Some(name) => self.change(&name, ty, true),
            None => self.declare(ty, true, true),
        }
    }

    /// A statement without barriers that changes a uniform variable, once for each thread.
    pub(super) fn compound_uniform(&mut self, depth: u32) {
        let kind = self.pick(&["{", "if", "if", "block_counter", "block_counter", "block_while", "array"]);
        if kind == "array" {
            let name = self.fresh("g");
            self.say(&format!("let mut {name}: [i32; 3] = [$I0, $I0, $I0];"));
            return self.uniform_arrays.push(name);
        }
        self.scoped(|kernel| {
            match kind {
                "{" => kernel.say("{"),
                "if" => kernel.say("if $B1 {"),
                _ => kernel.head(kind, false),
            }
            kernel.list(1, 2, |kernel| {
                kernel.node('u', |kernel| {
                    if depth > 0 && kernel.once_in(3) {
                        kernel.compound_uniform(depth - 1);
                    } else {
                        kernel.assign_uniform();
                    }
                });
            });
        });
        self.say("}");
    }

    /// A value that is uniform over a row but not over a block.
    pub(super) fn row(&mut self) {
        if self.shape.axes == 1 {
            return self.compound_uniform(1);
        }
        let of = if self.shape.axes == 2 { "$(ly,ty)" } else { "$(ly,lz,tz)" };
        let (name, of) = (self.fresh("row"), self.fill(of, Type::Index, 0));
        if self.once_in(3) {
            self.say(&format!("let mut {name} = $(a,x[ty],y[ly + 1]);"));
            self.say(&format!("if {of} > $[0..1] {{\n{name} += x[{of}];\n}}"));
            return self.add(name, Type::Float, true, false);
        }
        self.say(&format!("let mut {name} = $[0..3];"));
        let change = self.pick(&[
            "if OF > $[0..2] {\nNAME = $[4..7];\n}",
            "if (OF + ly) % 2 == 0 {\nNAME = OF % 7;\n}",
            "for q in 0..OF % 5 {\nNAME = NAME % 4 + q % 3;\n}",
        ]);
        self.say(&change.replace("OF", &of).replace("NAME", &name));
        self.add(name, Type::Index, false, false);
    }
}
