//! Kernels with barriers.
//!
//! Barriers stand where all threads of a block take the same path. From one barrier to the next a
//! shared array is either written, each element by one thread, or read by all.

use super::{Kernel, Type, Variable};

/// A shared array with an element for each thread of a block.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    name: String,
    ty: Type,
    /// `true` if the array has the block's axes.
    axes: bool,
    /// `true` if all threads read the array until the next barrier; else each reads and writes its
    /// own element.
    read: bool,
}

/// A shared array of eight integers, and the operation of all threads on it.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    name: String,
    of: &'static str,
    /// Operations whose result does not depend on the order.
    ops: &'static [&'static str],
}

impl Kernel<'_> {
    pub(super) fn with_barriers(&mut self) {
        let threads = self.shape.threads();
        for k in 0..1 + self.rng.below(2) {
            let (ty, of) = if k == 0 { (Type::Float, "f32") } else { (Type::Int, "i32") };
            let (name, [across, along, deep]) = (self.fresh("s"), self.shape.block);
            let axes = self.shape.axes > 1 && self.once_in(2);
            let lengths = match self.shape.axes {
                2 if axes => format!("{along}, {across}"),
                3 if axes => format!("{deep}, {along}, {across}"),
                _ => threads.to_string(),
            };
            self.line(&format!("let mut {name} = shared::<{of}, {lengths}>();"));
            self.tiles.push(Tile { name, ty, axes, read: false });
        }
        if self.once_in(2) {
            self.begin_tally();
        }
        for ty in [Type::Float, Type::Int] {
            self.declare(ty, true);
        }
        for ty in [Type::Int, Type::Float, Type::Kept, Type::Index] {
            self.declare_uniform(ty);
        }
        for _ in 0..6 + self.rng.below(5) {
            self.of_block(2, None);
        }
        self.leave();
    }

    /// Declares shared memory that all threads change by one operation, in any order.
    fn begin_tally(&mut self) {
        let name = self.fresh("s");
        let of = self.rng.pick(&["u32", "i32", "u64", "i64"]);
        let ops = self.rng.pick(&[&["add", "sub"][..], &["min"], &["max"], &["and"], &["or"], &["xor"]]);
        let (own, first) = (self.own_in_block(), self.rng.pick(&["0", "5", "!0"]));
        self.line(&format!("let mut {name} = shared::<{of}, 8>();"));
        self.line(&format!("if {own} == 0 {{"));
        self.line("    for k in 0..8 {");
        self.line("        // SAFETY: one thread does it, and a barrier comes next.");
        self.line(&format!("        unsafe {{ {name}[k] = {first} }};"));
        self.line("    }");
        self.line("}");
        self.line("sync_threads();");
        self.tally = Some(Tally { name, of, ops });
    }

    /// Returns `true` if the kernel has such memory.
    pub(super) const fn has_tally(&self) -> bool {
        self.tally.is_some()
    }

    /// `atomic_add(&mut s[i], x);`
    pub(super) fn tally(&mut self) {
        let Some(Tally { name, of, ops }) = self.tally.clone() else {
            return self.assign();
        };
        let (op, value) = (self.rng.pick(ops), self.int(2));
        let at = match self.rng.below(3) {
            0 => self.rng.below(8).to_string(),
            1 => format!("{} % 8", self.own_in_block()),
            _ => format!("({}) as usize % 8", self.int(1)),
        };
        let value = if of == "i32" { value } else { format!("({value}) as {of}") };
        self.line(&format!("atomic_{op}(&mut {name}[{at}], {value});"));
    }

    /// Reads the changed memory into an integer that differs between threads.
    fn end_tally(&mut self) {
        let Some(Tally { name: tally, .. }) = self.tally.take() else { return };
        let (name, own) = (self.fresh("c"), self.own_in_block());
        self.line("sync_threads();");
        self.line("// SAFETY: nobody changes it any more.");
        self.line(&format!("let {name} = unsafe {{ {tally}[{own} % 8] }} as i32;"));
        self.variables.push(Variable { name, ty: Type::Int, mutable: false, uniform: false });
    }

    /// Declares `let s = sync_threads_or(b);` and an integer that depends on it, uniform over the
    /// block.
    fn vote(&mut self) {
        let (vote, value) = (self.fresh("e"), if self.once_in(4) { self.uniform(Type::Bool, 1) } else { self.bool(2) });
        let (function, result) = self.rng.pick(&[
            ("or", "if {} { 3_i32 } else { 1 }"),
            ("and", "if {} { -2_i32 } else { 4 }"),
            ("count", "{} as i32"),
        ]);
        self.line(&format!("let {vote} = sync_threads_{function}({value});"));
        let name = self.fresh("d");
        self.line(&format!("let mut {name} = {};", result.replacen("{}", &vote, 1)));
        self.variables.push(Variable { name, ty: Type::Int, mutable: true, uniform: true });
    }

    /// Returns an element of a shared array, if one of the type may be read: the same one for all
    /// threads, or any.
    pub(super) fn shared_element(&mut self, ty: Type, uniform: bool) -> Option<String> {
        let fitting: Vec<_> = self.tiles.iter().filter(|t| t.ty == ty && (t.read || !uniform)).cloned().collect();
        let tile = fitting.get(self.rng.below(fitting.len().max(1) as u64) as usize)?;
        let own = self.own_in_block();
        if !tile.read {
            return Some(self.own_shared(tile));
        }
        let (name, threads) = (&tile.name, self.shape.threads());
        let at = match self.rng.below(if uniform { 3 } else { 6 }) {
            0 => self.rng.below(threads as u64).to_string(),
            1 => format!("{} % {threads}", self.uniform(Type::Index, 0)),
            2 => "0".to_owned(),
            3 => format!("({own} + {}) % {threads}", self.rng.between(1, 9)),
            4 => format!("{} - {own}", threads - 1),
            _ => format!("u[t] as usize % {threads}"),
        };
        let [across, along, _] = self.shape.block;
        Some(match self.shape.axes {
            2 if tile.axes => format!("unsafe {{ {name}[({at}) / {across}][({at}) % {across}] }}"),
            3 if tile.axes => format!(
                "unsafe {{ {name}[({at}) / {}][({at}) / {across} % {along}][({at}) % {across}] }}",
                across * along
            ),
            _ => format!("unsafe {{ {name}[{at}] }}"),
        })
    }

    const fn own_in_block(&self) -> &'static str {
        if self.shape.axes == 1 { "l" } else { "own" }
    }

    fn own_shared(&self, Tile { name, axes, .. }: &Tile) -> String {
        match self.shape.axes {
            2 if *axes => format!("{name}[ly][l]"),
            3 if *axes => format!("{name}[lz][ly][l]"),
            _ => format!("{name}[{}]", self.own_in_block()),
        }
    }

    /// Writes the thread's own element of a shared array.
    fn store_shared(&mut self) {
        let fitting: Vec<_> = self.tiles.iter().filter(|t| !t.read).cloned().collect();
        let Some(tile) = fitting.get(self.rng.below(fitting.len().max(1) as u64) as usize) else {
            return self.assign();
        };
        let (own, value) = (self.own_shared(tile), self.of(tile.ty, 2));
        let store = format!("{own} {} {value}", self.rng.pick(&["=", "=", "+="]));
        if self.once_in(3) {
            let condition = self.bool(1);
            self.line(&format!("if {condition} {{"));
            self.line(&format!("    {store};"));
            self.line("}");
        } else {
            self.line(&format!("{store};"));
        }
    }

    fn modes(&self) -> Vec<bool> {
        self.tiles.iter().map(|t| t.read).collect()
    }

    /// A barrier, after which the shared arrays have these modes, or any.
    fn barrier(&mut self, modes: Option<&[bool]>) {
        self.line("sync_threads();");
        for k in 0..self.tiles.len() {
            self.tiles[k].read = match modes {
                Some(modes) => modes[k],
                None => self.rng.below(3) > 0,
            };
        }
    }

    /// A barrier, if the shared arrays have other modes.
    fn restore(&mut self, modes: &[bool]) {
        if self.modes() != modes {
            self.barrier(Some(modes));
        }
    }

    /// A statement where all threads of the block take the same path. `around` has the modes of the
    /// shared arrays at the beginning of the enclosing loop.
    fn of_block(&mut self, depth: u32, around: Option<&[bool]>) {
        match self.rng.below(if depth == 0 { 12 } else { 16 }) {
            0..2 if self.once_in(4) => self.vote(),
            0..2 => self.barrier(None),
            2 => self.assign_uniform(),
            3 => self.compound_uniform(1),
            4 => self.row(),
            5..8 => self.store_shared(),
            8..11 => self.statement(2),
            11 => self.jump_of_block(around),
            12 => self.if_of_block(depth - 1, around),
            13 => {
                self.line("{");
                self.scope(depth - 1, around);
                self.line("}");
            }
            _ => self.loop_of_block(depth - 1),
        }
    }

    fn scope(&mut self, depth: u32, around: Option<&[bool]>) {
        let (variables, arrays, uniform) = (self.variables.len(), self.arrays.len(), self.uniform_arrays.len());
        self.indent += 1;
        for _ in 0..=self.rng.below(3) {
            self.of_block(depth, around);
        }
        if let Some(name) = self.one_of(|v| v.uniform && v.ty == Type::Int && v.mutable)
            && self.once_in(4)
        {
            // Another variable of the same name, whose scope is the block.
            self.line(&format!("let {name} = {name} + 1;"));
            self.barrier(None);
            let [at, all] = self.own();
            self.line("// SAFETY: each element is written by one thread.");
            self.line(&format!("unsafe {{ v[2 * {all} + 1 + {at}] += {name} }};"));
        }
        self.indent -= 1;
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
        self.uniform_arrays.truncate(uniform);
    }

    fn if_of_block(&mut self, depth: u32, around: Option<&[bool]>) {
        let before = self.modes();
        let condition = self.uniform(Type::Bool, 2);
        self.line(&format!("if {condition} {{"));
        self.scope(depth, around);
        self.indent += 1;
        self.restore(&before);
        self.indent -= 1;
        if self.once_in(2) {
            self.line("} else {");
            self.scope(depth, around);
            self.indent += 1;
            self.restore(&before);
            self.indent -= 1;
        }
        self.line("}");
    }

    fn loop_of_block(&mut self, depth: u32) {
        let before = self.modes();
        let (counters, variables, name) = (self.counters.len(), self.variables.len(), self.fresh("r"));
        match self.rng.below(4) {
            0..2 => {
                let bounds = self.rng.pick(&["0..m", "0..3", "1..=2", "m..4"]);
                self.line(&format!("for {name} in {bounds} {{"));
                self.counters.push(name);
            }
            2 => {
                let first = self.uniform(Type::Int, 1);
                self.line(&format!("let mut {name} = ({first}) & 3;"));
                self.line(&format!("while {name} > 0 {{"));
                self.line(&format!("    {name} -= 1;"));
            }
            _ => {
                let last = self.uniform(Type::Int, 1);
                self.line(&format!("let mut {name} = 0;"));
                self.line("loop {");
                self.line(&format!("    {name} += 1;"));
                self.line(&format!("    if {name} > ({last}) & 3 || {name} > 5 {{"));
                self.line("        break;");
                self.line("    }");
            }
        }
        self.scope(depth, Some(&before));
        self.indent += 1;
        self.restore(&before);
        self.indent -= 1;
        self.line("}");
        self.counters.truncate(counters);
        self.variables.truncate(variables);
    }

    /// A jump of all threads of the block.
    fn jump_of_block(&mut self, around: Option<&[bool]>) {
        let condition = self.uniform(Type::Bool, 1);
        let jump = match around {
            // The shared arrays have their modes at the loop's beginning.
            Some(before) if before == self.modes() => self.rng.pick(&["break;", "continue;"]),
            _ if self.once_in(4) => "return;",
            _ => return self.compound_uniform(1),
        };
        self.line(&format!("if {condition} {{"));
        self.indent += 1;
        if self.once_in(2) {
            self.store_own("v", "+=", "11");
        }
        self.line(jump);
        self.indent -= 1;
        self.line("}");
    }

    /// Writes every live variable to an element of its own.
    fn leave(&mut self) {
        self.end_tally();
        let [at, all] = self.own();
        self.stores();
        let sum = |names: Vec<String>| names.join(" + ");
        let of = |k: &Self, ty| {
            k.variables.iter().filter(|v| v.ty == ty && v.uniform).map(|v| v.name.clone()).collect::<Vec<_>>()
        };
        let ints =
            of(self, Type::Int).into_iter().chain(of(self, Type::Index).into_iter().map(|j| format!("{j} as i32")));
        let (ints, floats, kept) = (sum(ints.collect()), sum(of(self, Type::Float)), sum(of(self, Type::Kept)));
        for (slice, value) in [("v", ints), ("out", floats), ("w", kept)] {
            self.line("// SAFETY: each element is written by one thread.");
            self.line(&format!("unsafe {{ {slice}[2 * {all} + 1 + {at}] = {value} }};"));
        }
    }
}
