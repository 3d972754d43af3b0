//! The analysis of divergence: which values differ between threads, and where threads take
//! different branches.
//!
//! A value's [`Class`] describes how its values differ between the threads of a group. They are all
//! the same, or each is one more than the value of the thread before, or a constant more, or they
//! are any. A variable has the join of the classes assigned to it, so the classes are a fixpoint.
//! The pass over the body is repeated until no class and no loop changes. Classes only ever become
//! more different, so the repetition ends.
//!
//! ```text
//! all local variables are Uniform; indices along x are Lin
//! repeat
//!     for each statement in order, under its path
//!         an expression:  its class, from those of its parts
//!                         Lin + Uniform = Lin, Lin * Uniform = Strided, …
//!         v = e:          v joins e's class; if the path is longer than at v's `let`,
//!                         v is Varying, and the assignment masked
//!         if c:           the arms are on a longer path if c is not Uniform
//!         a loop:         divergent if its condition or a masked jump says so;
//!                         then its body is on a longer path
//! until nothing changed
//! once more, with errors
//! ```
//!
//! A *path* is the list of divergent constructs around a place: an `if` whose condition differs
//! between threads, or a loop that threads leave one by one. A return makes no path, because
//! threads that have returned take no further part.
//!
//! A value that is the same for a pair may differ in the block, since the threads of a group share
//! their row. So barriers are checked in a second fixpoint, in which indices along y and z differ,
//! too.

use proc_macro2::Span;
use syn::{Error, Result};

use super::ast::{
    AtomicOp, Binary, Block, Class, Count, Expr, ExprKind, Id, Index, IndexOf, Jump, Kernel, Kind, Loop, Right,
    Statement, StatementKind,
};
use super::options::Options;
use super::parts::Parts;
use super::races;
use super::scalar_type::Type;
use super::types::Types;
use super::visit::{self, Part, VisitMut};

/// Finds the classes, and refuses what the threads of a pair cannot do.
pub(crate) fn classify(kernel: &mut Kernel, types: &Types, options: &Options) -> Result<()> {
    for v in &mut kernel.variables {
        if matches!(v.kind, Kind::Local | Kind::Array(_) | Kind::Counter) {
            v.class = Class::Uniform;
        }
    }
    // A function's arguments may differ between threads.
    if kernel.is_function() {
        for id in kernel.all_parameters().collect::<Vec<_>>() {
            if kernel.variables[id].kind == Kind::Scalar {
                kernel.variables[id].class = Class::Varying;
            }
        }
    }
    find_classes(kernel, types, options);
    let mut pass = Pass::new(kernel, types, options);
    pass.checking = Some(Check::Everything);
    pass.body();
    super::all(pass.errors)?;
    if kernel.synchronizes { check_barriers(kernel, types, options) } else { Ok(()) }
}

/// Refuses barriers that some threads of a block may not reach. The threads of a pair have the same
/// indices along y and z; the threads of a block do not.
fn check_barriers(kernel: &Kernel, types: &Types, options: &Options) -> Result<()> {
    let mut kernel = kernel.clone();
    for v in &mut kernel.variables {
        if matches!(v.kind, Kind::Index(Index { of: IndexOf::Thread | IndexOf::Local, .. })) {
            v.class = Class::Varying;
        }
    }
    find_classes(&mut kernel, types, options);
    let mut pass = Pass::new(&mut kernel, types, options);
    pass.checking = Some(Check::Barriers);
    pass.body();
    super::all(pass.errors)
}

/// Repeats the pass over the body until no class changes.
fn find_classes(kernel: &mut Kernel, types: &Types, options: &Options) {
    loop {
        let mut pass = Pass::new(kernel, types, options);
        pass.body();
        if !pass.changed {
            return;
        }
    }
}

struct Pass<'a> {
    kernel: &'a mut Kernel,
    types: &'a Types,
    strict: bool,
    path: Vec<usize>,
    /// For each variable `true` from its first value on.
    declared: Vec<bool>,
    loops: Vec<Around>,
    ifs: usize,
    changed: bool,
    checking: Option<Check>,
    errors: Vec<Error>,
}

/// The errors that a pass reports.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    Everything,
    /// Only the errors about barriers.
    Barriers,
}

/// A loop around a place.
struct Around {
    id: usize,
    /// The length of the body's path.
    path: usize,
    /// `true` if an earlier pass found the loop to be divergent.
    divergent: bool,
    /// `true` if this pass found it.
    found: bool,
}

/// The first number of a divergent `if`. Loops have lower numbers.
const IFS: usize = 1 << 32;

/// Visits the parts of a value before the value, under the path of its place.
impl VisitMut for Pass<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        let span = statement.span;
        match &mut statement.kind {
            // Their parts are on other paths.
            StatementKind::If(condition, then, otherwise) => self.branch(condition, then, otherwise.as_mut()),
            StatementKind::For { counter, start, end, step, count, body } => {
                self.for_loop(*counter, [Some(start), Some(end), step.as_mut()], *count, body);
            }
            StatementKind::While(condition, body) => self.while_loop(condition.as_mut(), body),
            _ => visit::walk_statement_mut(self, statement),
        }
        self.acts(&mut statement.kind, span);
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Logic { a, b, .. } => {
                self.expr(a);
                let divergent = a.class != Class::Uniform;
                self.on_path(divergent, |pass| pass.expr(b));
            }
            ExprKind::If(condition, then, otherwise) => self.branch(condition, then, Some(otherwise)),
            _ => visit::walk_expr_mut(self, e),
        }
        e.class = self.class_of(e);
    }
}

impl<'a> Pass<'a> {
    fn new(kernel: &'a mut Kernel, types: &'a Types, options: &Options) -> Self {
        let declared = vec![false; kernel.variables.len()];
        Self {
            kernel,
            types,
            strict: options.strict,
            path: Vec::new(),
            declared,
            loops: Vec::new(),
            ifs: IFS,
            changed: false,
            checking: None,
            errors: Vec::new(),
        }
    }

    fn checks_all(&self) -> bool {
        self.checking == Some(Check::Everything)
    }

    fn body(&mut self) {
        let empty = Block { statements: Vec::new(), tail: None };
        let mut body = core::mem::replace(&mut self.kernel.body, empty);
        self.block(&mut body);
        self.kernel.body = body;
    }

    /// Runs a part of the pass on a longer path if the part is divergent.
    fn on_path(&mut self, divergent: bool, run: impl FnOnce(&mut Self)) {
        self.ifs += 1;
        if divergent {
            self.path.push(self.ifs);
        }
        run(self);
        if divergent {
            self.path.pop();
        }
    }

    /// Visits an `if` and its arms.
    fn branch(&mut self, condition: &mut Expr, then: &mut Block, otherwise: Option<&mut Block>) {
        self.expr(condition);
        let divergent = condition.class != Class::Uniform;
        self.on_path(divergent, |pass| pass.block(then));
        if let Some(otherwise) = otherwise {
            self.on_path(divergent, |pass| pass.block(otherwise));
        }
    }

    /// Visits a `for`, with its bounds and its step.
    fn for_loop(&mut self, counter: Id, by: [Option<&mut Expr>; 3], count: Count, body: &mut Loop) {
        let classes = by.map(|e| {
            let e = e?;
            self.expr(e);
            Some(e.class)
        });
        let class = match classes {
            [Some(Class::Lin), Some(Class::Uniform), None | Some(Class::Uniform)]
                if !count.inclusive && !count.reversed =>
            {
                Class::Lin
            }
            classes if classes.iter().flatten().all(|class| *class == Class::Uniform) => Class::Uniform,
            _ => Class::Varying,
        };
        self.loop_body(body, class != Class::Uniform, |pass| pass.declare(counter, class));
    }

    fn while_loop(&mut self, condition: Option<&mut Expr>, body: &mut Loop) {
        // The condition is computed again after the body.
        let around = self.path.len();
        if body.divergent {
            self.path.push(body.id);
        }
        let divergent = condition.is_some_and(|condition| {
            self.expr(condition);
            condition.class != Class::Uniform
        });
        self.path.truncate(around);
        self.loop_body(body, divergent, |_| {});
    }

    /// Applies a statement whose parts have their classes: gives variables their classes, and
    /// checks that all threads may do it here.
    fn acts(&mut self, kind: &mut StatementKind, span: Span) {
        match kind {
            StatementKind::LetRepeat(id, value) | StatementKind::Let(id, value) => self.declare(*id, value.class),
            StatementKind::LetCall { to, arguments, .. } => {
                let class = class_of_all(arguments.iter().flat_map(Parts::leaves));
                to.leaves().into_iter().for_each(|id| self.declare(*id, class));
            }
            StatementKind::LetArray(id, values) => {
                let class = values.iter().map(|value| value.class).reduce(Class::join);
                self.declare(*id, class.unwrap_or(Class::Uniform));
            }
            StatementKind::Assign { to, value, masked } => *masked = self.assign(*to, value.class, span),
            StatementKind::AssignElement { array, index, value, masked } => {
                self.local_index(*array, index);
                let class = if index.class == Class::Uniform { value.class } else { Class::Varying };
                *masked = self.assign(*array, class, span);
            }
            StatementKind::Store { slice, index, right, text, value } => {
                if self.checks_all() {
                    let together = self.together(*slice, text, value);
                    self.store(*slice, index, *right, span, &together);
                }
            }
            // If threads leave one by one, some of them may wait for the next iteration while all
            // others leave.
            StatementKind::Break(jump) => self.jump(jump, |deep, to| deep > to.path || to.divergent),
            StatementKind::Continue(jump) => self.jump(jump, |deep, to| deep > to.path),
            StatementKind::Return(_, masked) => {
                *masked = !self.path.is_empty();
                if self.checking.is_some() && *masked && self.kernel.synchronizes {
                    let message = "a thread that returns here never reaches the barrier: put `if` around the loads \
                                   and stores instead";
                    self.errors.push(Error::new(span, message));
                }
            }
            StatementKind::Sync | StatementKind::Vote(..) => {
                if let StatementKind::Vote(result, ..) = kind {
                    self.declare(*result, Class::Uniform);
                }
                if self.checking.is_some() && !self.path.is_empty() {
                    let message = "threads take different branches here, and some never reach this barrier: move it \
                                   out of the `if` or the loop";
                    self.errors.push(Error::new(span, message));
                }
            }
            StatementKind::Atomic(atomic) => {
                // The threads come one after the other, and each finds another value.
                if let Some(old) = atomic.old {
                    self.declare(old, Class::Varying);
                }
            }
            // Visited with their parts.
            StatementKind::Block(_) | StatementKind::If(..) | StatementKind::For { .. } | StatementKind::While(..) => {}
        }
    }

    /// Visits a jump. `masked` decides from the depth of the path and the loop if only some threads
    /// jump.
    fn jump(&mut self, jump: &mut Jump, masked: impl FnOnce(usize, &Around) -> bool) {
        let to = self.loops.iter().position(|around| around.id == jump.to).expect("checked when it was parsed");
        jump.masked = masked(self.path.len(), &self.loops[to]);
        // The jump also leaves the loops inside of that one.
        self.loops[to..].iter_mut().for_each(|around| around.found |= jump.masked);
    }

    fn loop_body(&mut self, body: &mut Loop, divergent: bool, declare: impl FnOnce(&mut Self)) {
        if divergent && !body.divergent {
            body.divergent = true;
            self.changed = true;
        }
        if body.divergent {
            self.path.push(body.id);
        }
        body.path.clone_from(&self.path);
        self.loops.push(Around { id: body.id, path: self.path.len(), divergent: body.divergent, found: false });
        declare(self);
        self.block(&mut body.body);
        let Around { found, .. } = self.loops.pop().expect("pushed above");
        if body.divergent {
            self.path.pop();
        } else if found {
            body.divergent = true;
            self.changed = true;
        }
    }

    fn declare(&mut self, id: Id, class: Class) {
        let v = &mut self.kernel.variables[id];
        v.path.clone_from(&self.path);
        let first = !core::mem::replace(&mut self.declared[id], true);
        // In the first pass the variable has no class yet.
        let class = if first && v.class == Class::Uniform { class } else { v.class.join(class) };
        if v.class != class {
            v.class = class;
            self.changed = true;
        }
    }

    /// Visits an assignment. Returns `true` if only some threads assign.
    fn assign(&mut self, id: Id, class: Class, span: Span) -> bool {
        // Threads that have returned keep their results.
        let result = self.kernel.is_result(id);
        let v = &mut self.kernel.variables[id];
        let masked = self.path.len() > v.path.len() || result;
        let class = if masked { Class::Varying } else { v.class.join(class) };
        if masked && v.diverges.is_none() {
            v.diverges = Some(span);
        }
        if v.class != class {
            v.class = class;
            self.changed = true;
        }
        masked
    }

    /// Returns the class of an expression whose parts have theirs. Refuses accesses that the
    /// threads of a pair cannot do.
    fn class_of(&mut self, e: &Expr) -> Class {
        let index_type = self.types.get(e.ty) == Type::USIZE;
        match &e.kind {
            ExprKind::Float(_)
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Limit(_)
            | ExprKind::Length(_) => Class::Uniform,
            ExprKind::Slice(_) | ExprKind::Unset => Class::Uniform,
            ExprKind::Variable(id) => self.kernel.variables[*id].class,
            ExprKind::Negate(a) | ExprKind::Not(a) | ExprKind::Float1(_, a) | ExprKind::Int1(_, a) => {
                uniform_or_varying(a.class)
            }
            ExprKind::Power(a, _) | ExprKind::Test(_, a) => uniform_or_varying(a.class),
            ExprKind::Narrow(a) | ExprKind::Widen(a) | ExprKind::Table(_, a) => uniform_or_varying(a.class),
            ExprKind::Cast(a) if index_type && self.types.get(a.ty) == Type::USIZE => a.class,
            ExprKind::Cast(a) => uniform_or_varying(a.class),
            ExprKind::Binary(op, a, b) if index_type => affine(*op, a.class, b.class),
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::Logic { a, b, .. } => {
                uniform_or_varying(a.class.max(b.class))
            }
            ExprKind::MulAdd(operands) | ExprKind::Clamp(operands) => class_of_all(&**operands),
            ExprKind::Call(_, arguments) => class_of_all(arguments.iter().flat_map(Parts::leaves)),
            ExprKind::Row(place) => {
                affine(Binary::Add, affine(Binary::Mul, place.row.class, place.width.class), place.column.class)
            }
            ExprKind::Load { slice, index, right, .. } => {
                if self.checks_all() {
                    self.load(*slice, index, *right, e.span);
                }
                uniform_or_varying(index.class)
            }
            ExprKind::Element(array, index) => {
                self.local_index(*array, index);
                let class = self.kernel.variables[*array].class;
                if index.class == Class::Uniform {
                    return class;
                }
                // An array of class `Lin` holds the first thread's indices only, and here each
                // thread needs its own.
                if class == Class::Lin {
                    self.kernel.variables[*array].class = Class::Varying;
                    self.changed = true;
                }
                Class::Varying
            }
            ExprKind::ConstantElement(_, indices) => class_of_all(indices),
            ExprKind::If(condition, ..) if condition.class != Class::Uniform => Class::Varying,
            ExprKind::If(_, then, otherwise) => tail_class(then).join(tail_class(otherwise)),
            ExprKind::Block(block) => tail_class(block),
        }
    }

    /// Checks an index into a local array. The index may differ between threads, except for
    /// elements of type `bool`, which are masks.
    fn local_index(&mut self, array: Id, index: &Expr) {
        let holds_masks = self.types.get(self.kernel.variables[array].ty) == Type::Bool;
        if !self.checks_all() || index.class == Class::Uniform || !holds_masks {
            return;
        }
        let name = &self.kernel.variables[array].name;
        let because = match &index.kind {
            ExprKind::Variable(id) if self.kernel.variables[*id].diverges.is_some() => {
                ", since it is assigned in a divergent branch"
            }
            _ => "",
        };
        let message = format!(
            "this index into the local array `{name}` of `bool` differs between threads{because}: make the elements \
             `u32`, count with a `for` over uniform bounds, or select with `if`"
        );
        self.errors.push(Error::new(index.span, message));
    }

    /// Returns the atomic operation to suggest for a store that updates its own element, or an
    /// empty string.
    fn together(&self, slice: Id, text: &str, value: &Expr) -> String {
        let of_itself =
            |e: &Expr| matches!(&e.kind, ExprKind::Load { slice: of, text: at, .. } if *of == slice && at == text);
        let op = match &value.kind {
            ExprKind::Binary(op, old, _) if of_itself(old) => AtomicOp::of_binary(*op),
            _ => None,
        };
        match (op, self.types.get(value.ty)) {
            (Some(op), Type::Int(int)) if int.has_atomics() => format!(
                "; if others change it at the same time, write `{}(&mut {}{}, …);`",
                op.called(),
                self.kernel.variables[slice].name,
                races::written(text)
            ),
            _ => String::new(),
        }
    }

    fn store(&mut self, slice: Id, index: &Expr, right: Right, span: Span, together: &str) {
        let name = self.kernel.variables[slice].name.clone();
        let own = match self.kernel.variables[slice].kind {
            Kind::Shared(_) => "LocalX",
            _ => "ThreadX",
        };
        if index.class == Class::Uniform && self.path.is_empty() {
            let message = match self.launch_wide_index(index) {
                Some(t) => format!(
                    "`{t}` is one number for the whole launch, so every thread writes the same element of `{name}`: \
                     declare \
                     the parameter `{t}: {own}`, which is each thread's index"
                ),
                None => format!(
                    "every thread writes this element of `{name}`, and the last one wins by chance: index with the \
                     thread, \
                     `{name}[t]` with `t: {own}`, or let one thread write, `if t == 0 {{ … }}`{together}"
                ),
            };
            self.errors.push(Error::new(span, message));
        } else if right == Right::None {
            let found = self.index_in_block(slice, index).unwrap_or_else(|| {
                format!(
                    "this index may be the same for two threads: a thread writes `{name}` at its own index along \
                         every axis"
                )
            });
            let message = format!(
                "{found}. Write `{name}[t]` with `t: {own}`, `{name}[y * w + x]` or `{name}[t * 4 + k]`. If no other \
                 thread \
                 touches this element, write `unsafe {{ … }}` around the access{together}"
            );
            self.errors.push(Error::new(index.span, message));
        } else {
            self.strict(index);
        }
    }

    /// Returns the name of a scalar parameter that stands where a thread's index belongs.
    fn launch_wide_index(&self, index: &Expr) -> Option<String> {
        let mut found = None;
        visit::each_in_expr(index, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Variable(id), ty, .. }) = part
                && self.kernel.variables[*id].kind == Kind::Scalar
                && self.types.get(*ty) == Type::USIZE
            {
                found.get_or_insert(self.kernel.variables[*id].name.to_string());
            }
        });
        found
    }

    /// Describes an index into an output that only counts within a block, or only the blocks.
    fn index_in_block(&self, slice: Id, index: &Expr) -> Option<String> {
        let ExprKind::Variable(id) = index.kind else { return None };
        let (v, name) = (&self.kernel.variables[id], &self.kernel.variables[slice].name);
        match (&v.kind, &self.kernel.variables[slice].kind) {
            (Kind::Index(Index { of: IndexOf::Local, .. }), Kind::Out) => {
                let t = &v.name;
                Some(format!(
                    "`{t}` is the thread's index in its block, and every block writes the same elements of `{name}`"
                ))
            }
            (Kind::Index(Index { of: IndexOf::Block, .. }), _) => {
                let b = &v.name;
                Some(format!(
                    "`{b}` is the block's index, and all threads of the block write the same element of `{name}`"
                ))
            }
            _ => None,
        }
    }

    fn load(&mut self, slice: Id, index: &Expr, right: Right, span: Span) {
        let v = &self.kernel.variables[slice];
        if v.kind.is_written() && right == Right::None {
            let name = &v.name;
            let message = match v.kind {
                Kind::Shared(_) => format!(
                    "another thread may write this element of `{name}` at the same time, because no barrier stands \
                     between \
                     the two: put `sync_threads();` between this read and each write of `{name}`, before and after it. If no \
                     other thread writes this element meanwhile, write `unsafe {{ … }}` around the read"
                ),
                _ => format!(
                    "another thread may write this element of the output `{name}` at the same time: read the \
                     thread's own \
                     element, or make `{name}` an input. If no other thread writes this element, write `unsafe {{ … }}` \
                     around the read"
                ),
            };
            self.errors.push(Error::new(span, message));
        } else {
            self.strict(index);
        }
    }

    fn strict(&mut self, index: &Expr) {
        if self.strict && index.class == Class::Varying {
            let message = "the threads of a pair access this one by one, which `strict` forbids: index with the \
                           thread plus, minus or times a number that is the same for all, or leave out `strict`";
            self.errors.push(Error::new(index.span, message));
        }
    }
}

/// Returns the class of a value that is no index.
fn uniform_or_varying(class: Class) -> Class {
    if class == Class::Uniform { class } else { Class::Varying }
}

/// Returns the class of a value that is no index and is computed from `parts`.
fn class_of_all<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> Class {
    parts.into_iter().map(|part| uniform_or_varying(part.class)).max().unwrap_or(Class::Uniform)
}

fn tail_class(block: &Block) -> Class {
    block.tail.as_ref().map_or(Class::Uniform, |tail| tail.class)
}

/// Returns the class of an index that is computed from two indices.
fn affine(op: Binary, a: Class, b: Class) -> Class {
    use Class::{Lin, Strided, Uniform, Varying};
    match (op, a, b) {
        (_, Uniform, Uniform) => Uniform,
        (Binary::Add, Lin, Uniform) | (Binary::Add, Uniform, Lin) | (Binary::Sub, Lin, Uniform) => Lin,
        (Binary::Add, Strided, Uniform) | (Binary::Add, Uniform, Strided) | (Binary::Sub, Strided, Uniform) => Strided,
        (Binary::Sub, Uniform, Lin | Strided) => Strided,
        (Binary::Mul, Lin | Strided, Uniform) | (Binary::Mul, Uniform, Lin | Strided) => Strided,
        (Binary::Add, Lin | Strided, Lin | Strided) => Strided,
        _ => Varying,
    }
}
