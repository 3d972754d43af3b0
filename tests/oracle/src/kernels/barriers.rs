//! Kernels with barriers.
//!
//! Barriers stand where all threads of a block take the same path. From one barrier to the next a
//! shared array is either written, each element by one thread, or read by all.

use super::{Kernel, Type};

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
    ops: &'static str,
}

impl Kernel {
    pub(super) fn with_barriers(&mut self) {
        self.list(1, 2, |kernel| kernel.node('e', Self::tile));
        if self.once_in(2) {
            self.begin_tally();
        }
        self.each(&[Type::Float, Type::Int], |kernel, ty| kernel.declare(ty, true, false));
        let uniform = [Type::Int, Type::Float, Type::Kept, Type::Index];
        self.each(&uniform, |kernel, ty| kernel.declare(ty, true, true));
        self.list(6, 10, |kernel| kernel.of_block(2, None));
        self.leave();
    }

    /// Declares a shared array.
    fn tile(&mut self) {
        let [across, along, deep] = self.shape.block;
        let first = self.tiles.len();
        let (ty, of) = [(Type::Float, "f32"), (Type::Int, "i32")][self.tape.choose(2, |_| first)];
        let (name, axes) = (self.fresh("s"), self.once_in(2) && self.shape.axes > 1);
        let lengths = match self.shape.axes {
            2 if axes => format!("{along}, {across}"),
            3 if axes => format!("{deep}, {along}, {across}"),
            _ => self.shape.threads().to_string(),
        };
        self.say(&format!("let mut {name} = shared::<{of}, {lengths}>();"));
        self.tiles.push(Tile { name, ty, axes, read: false });
    }

    /// Declares shared memory that all threads change by one operation, in any order.
    fn begin_tally(&mut self) {
        let name = self.fresh("s");
        let of = self.pick(&["u32", "i32", "u64", "i64"]);
        let ops = self.pick(&["$(add,sub)", "min", "max", "and", "or", "xor"]);
        self.say(&format!(
            "let mut {name} = shared::<{of}, 8>();\nif {} == 0 {{\nfor k in 0..8 {{",
            self.own_in_block()
        ));
        self.say("// SAFETY: one thread does it, and a barrier comes next.");
        self.say(&format!("unsafe {{ {name}[k] = $(0,5,!0) }};\n}}\n}}\nsync_threads();"));
        self.tally = Some(Tally { name, of, ops });
    }

    /// `atomic_add(&mut s[i], x);`
    pub(super) fn tally(&mut self) {
        let Some(Tally { name, of, ops }) = self.tally.clone() else {
            return self.assign();
        };
        let at = self.pick(&["$[0..7]", "OWN % 8", "($i1) as usize % 8"]).replace("OWN", self.own_in_block());
        let value = if of == "i32" { "$i2" } else { &format!("($i2) as {of}") };
        self.say(&format!("atomic_{ops}(&mut {name}[{at}], {value});"));
    }

    /// Reads the changed memory into an integer that differs between threads.
    fn end_tally(&mut self) {
        let Some(Tally { name: tally, .. }) = self.tally.take() else { return };
        let name = self.fresh("c");
        self.say("sync_threads();\n// SAFETY: nobody changes it any more.");
        self.say(&format!("let {name} = unsafe {{ {tally}[{} % 8] }} as i32;", self.own_in_block()));
        self.add(name, Type::Int, false, false);
    }

    /// Declares `let s = sync_threads_or(b);` and an integer that depends on it, uniform over the
    /// block.
    fn vote(&mut self) {
        let (vote, name) = (self.fresh("e"), self.fresh("d"));
        let value = if self.once_in(4) { "$B1" } else { "$b2" };
        let (function, result) = self.pick(&[
            ("count", "VOTE as i32"),
            ("or", "if VOTE { 3_i32 } else { 1 }"),
            ("and", "if VOTE { -2_i32 } else { 4 }"),
        ]);
        self.say(&format!("let {vote} = sync_threads_{function}({value});"));
        self.say(&format!("let mut {name} = {};", result.replace("VOTE", &vote)));
        self.add(name, Type::Int, true, true);
    }

    /// Returns an element of a shared array that may be read, the same one for all threads or any.
    /// If there is none of the type, it returns another expression.
    pub(super) fn shared_element(&mut self, ty: Type, uniform: bool) -> String {
        let tiles: Vec<_> = self.tiles.iter().filter(|t| t.ty == ty && (t.read || !uniform)).cloned().collect();
        if tiles.is_empty() {
            return match (ty, uniform) {
                (Type::Int, true) => "3".to_owned(),
                (_, true) => "0.5".to_owned(),
                (Type::Int, false) => self.fill("v[$o]", ty, 0),
                (_, false) => "y[t]".to_owned(),
            };
        }
        let tile = self.pick(&tiles);
        if !tile.read {
            return self.own_shared(&tile);
        }
        let (name, [across, along, _]) = (&tile.name, self.shape.block);
        let at = match self.below(if uniform { 3 } else { 6 }) {
            0 => "0",
            1 => &format!("$[0..{}]", self.shape.threads() - 1),
            2 => "$X0 % ALL",
            3 => "(OWN + $[1..9]) % ALL",
            4 => "ALL - 1 - OWN",
            _ => "u[t] as usize % ALL",
        };
        let at = at.replace("ALL", &self.shape.threads().to_string()).replace("OWN", self.own_in_block());
        let at = self.fill(&at, ty, 0);
        match self.shape.axes {
            2 if tile.axes => format!("unsafe {{ {name}[({at}) / {across}][({at}) % {across}] }}"),
            3 if tile.axes => format!(
                "unsafe {{ {name}[({at}) / {}][({at}) / {across} % {along}][({at}) % {across}] }}",
                across * along
            ),
            _ => format!("unsafe {{ {name}[{at}] }}"),
        }
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
        let tiles: Vec<_> = self.tiles.iter().filter(|t| !t.read).cloned().collect();
        if tiles.is_empty() {
            return self.assign();
        }
        let tile = self.pick(&tiles);
        let (own, value) = (self.own_shared(&tile), self.any(tile.ty, 2));
        let store = format!("{own} $(=,=,+=) {value};");
        let store = if self.once_in(3) { format!("if $b1 {{\n{store}\n}}") } else { store };
        self.say(&store);
    }

    fn modes(&self) -> Vec<bool> {
        self.tiles.iter().map(|t| t.read).collect()
    }

    /// A barrier, after which the shared arrays have these modes, or any.
    fn barrier(&mut self, modes: Option<&[bool]>) {
        self.say("sync_threads();");
        for k in 0..self.tiles.len() {
            self.tiles[k].read = modes.map_or_else(|| self.below(3) > 0, |modes| modes[k]);
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
        self.node('g', |kernel| match kernel.below(if depth == 0 { 12 } else { 16 }) {
            0..3 => kernel.statement(2),
            3 => kernel.assign_uniform(),
            4..7 => kernel.store_shared(),
            7..9 if kernel.once_in(4) => kernel.vote(),
            7..9 => kernel.barrier(None),
            9 => kernel.compound_uniform(1),
            10 => kernel.row(),
            11 => kernel.jump_of_block(around),
            12 => kernel.if_of_block(depth - 1, around),
            13 => {
                kernel.say("{");
                kernel.scope(depth - 1, around);
                kernel.say("}");
            }
            _ => kernel.loop_of_block(depth - 1),
        });
    }

    fn scope(&mut self, depth: u32, around: Option<&[bool]>) {
        self.scoped(|kernel| {
            kernel.list(1, 3, |kernel| kernel.of_block(depth, around));
            let name = kernel.one_of(|v| v.uniform && v.ty == Type::Int && v.mutable);
            if let Some(name) = name.filter(|_| kernel.once_in(4)) {
                // Another variable of the same name, whose scope is the block.
                kernel.say(&format!("let {name} = {name} + 1;"));
                kernel.barrier(None);
                kernel.say_unsafe("v", "2 * $n + 1 + $o", &format!("+= {name}"));
            }
        });
    }

    fn if_of_block(&mut self, depth: u32, around: Option<&[bool]>) {
        let before = self.modes();
        self.say("if $B2 {");
        self.scope(depth, around);
        self.restore(&before);
        if self.once_in(2) {
            self.say("} else {");
            self.scope(depth, around);
            self.restore(&before);
        }
        self.say("}");
    }

    fn loop_of_block(&mut self, depth: u32) {
        let before = self.modes();
        self.scoped(|kernel| {
            let kind = kernel.pick(&["block_counter", "block_counter", "block_while", "block_loop"]);
            kernel.head(kind, false);
            kernel.scope(depth, Some(&before));
        });
        self.restore(&before);
        self.say("}");
    }

    /// A jump of all threads of the block.
    fn jump_of_block(&mut self, around: Option<&[bool]>) {
        let jump = match around {
            // The shared arrays have their modes at the loop's beginning.
            Some(before) if before == self.modes() => "$(break,continue);",
            _ if self.once_in(4) => "return;",
            _ => return self.compound_uniform(1),
        };
        let counted = if self.once_in(2) { "v[$o] += 11;\n" } else { "" };
        self.say(&format!("if $B1 {{\n{counted}{jump}\n}}"));
    }

    /// Writes every live variable to an element of its own.
    fn leave(&mut self) {
        self.end_tally();
        self.stores();
        self.each(&[(Type::Int, "v"), (Type::Float, "out"), (Type::Kept, "w")], |kernel, (ty, slice)| {
            let uniform = |ty, suffix: &str| {
                let variables = kernel.variables.iter().filter(|v| v.ty == ty && v.uniform);
                variables.map(|v| format!("{}{suffix}", v.name)).collect::<Vec<_>>()
            };
            let indices = if ty == Type::Int { uniform(Type::Index, " as i32") } else { Vec::new() };
            let values = [uniform(ty, ""), indices].concat();
            if !values.is_empty() {
                kernel.say_unsafe(slice, "2 * $n + 1 + $o", &format!("= {}", values.join(" + ")));
            }
        });
    }
}
