//! Which values differ between threads, and where the threads go different ways.
//!
//! A value's [`Class`] says how the threads of a group have it: all the same, one more than the thread in front, some constant more,
//! or anything. A variable has the join of what is assigned to it, so the classes are a fixpoint: the pass over the body is repeated
//! until no class and no loop changes. They only ever become more different, so that ends.
//!
//! ```text
//! all local variables are Uniform; indices along x are Lin
//! repeat
//!     for each statement in order, under the path that it is on
//!         an expression:  its class, from those of its parts         Lin + Uniform = Lin, Lin * Uniform = Strided, …
//!         v = e:          v joins e's class; v is Varying, and the assignment masked, if the path is longer than at v's `let`
//!         if c:           the arms are on a longer path if c is not Uniform
//!         a loop:         divergent if its condition or a masked jump says so; then its body is on a longer path
//! until nothing changed
//! once more, with complaints
//! ```
//!
//! A *path* is the list of divergent constructs around a place: an `if` whose condition differs between threads, a loop that they
//! leave one by one. Threads that have returned are not asked again, so a return makes no path.
//!
//! What is the same for a pair may differ in the block: the threads of a group share their row. So barriers are checked in a second
//! fixpoint, in which indices along y and z differ, too.

use proc_macro2::Span;
use syn::{Error, Result};

use super::ast::{
    AtomicOp, Binary, Block, Class, Count, Expr, ExprKind, Id, Index, IndexOf, Jump, Kernel, Kind, Loop, Right,
    Statement, StatementKind, Type,
};
use super::atomics;
use super::options::Options;
use super::parts::Parts;
use super::types::Types;
use super::visit::{self, VisitMut};

/// Finds the classes, and refuses what threads of a pair cannot do.
pub(crate) fn classify(kernel: &mut Kernel, types: &Types, options: &Options) -> Result<()> {
    for v in &mut kernel.variables {
        if matches!(v.kind, Kind::Local | Kind::Array(_) | Kind::Counter) {
            v.class = Class::Uniform;
        }
    }
    // A function's parameters are whatever its callers have.
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

/// Refuses barriers that not all threads of a block arrive at. To the threads of a pair their rows and planes are the same; to a
/// block's they are not.
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

/// Passes over the body until nothing becomes more different.
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
    /// Whether some variable has its first value.
    declared: Vec<bool>,
    loops: Vec<Around>,
    ifs: usize,
    changed: bool,
    checking: Option<Check>,
    errors: Vec<Error>,
}

/// What a pass refuses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    Everything,
    /// Only what keeps threads from a barrier.
    Barriers,
}

/// A loop around a place.
struct Around {
    id: usize,
    /// How long the path of its body is.
    path: usize,
    /// Whether it is known to be divergent.
    divergent: bool,
    /// Whether it was found to be.
    found: bool,
}

/// The numbers of divergent `if`s, which the loops' are below.
const IFS: usize = 1 << 32;

/// Each value's class after those of its parts, under the path that its place is on.
impl VisitMut for Pass<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        let span = statement.span;
        match &mut statement.kind {
            // Their parts are on paths of their own.
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

    /// What runs for some threads only.
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

    /// An `if` and its arms.
    fn branch(&mut self, condition: &mut Expr, then: &mut Block, otherwise: Option<&mut Block>) {
        self.expr(condition);
        let divergent = condition.class != Class::Uniform;
        self.on_path(divergent, |pass| pass.block(then));
        if let Some(otherwise) = otherwise {
            self.on_path(divergent, |pass| pass.block(otherwise));
        }
    }

    /// A `for`, with its bounds and its step.
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
        // The condition is asked again, with what the body has done.
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

    /// What a statement does, whose parts have their classes: which class variables get by it, and whether all threads may do it here.
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
            // Where threads leave one by one, some may be waiting for the next round when all others leave.
            StatementKind::Break(jump) => self.jump(jump, |deep, to| deep > to.path || to.divergent),
            StatementKind::Continue(jump) => self.jump(jump, |deep, to| deep > to.path),
            StatementKind::Return(_, masked) => {
                *masked = !self.path.is_empty();
                if self.checking.is_some() && *masked && self.kernel.synchronizes {
                    let message = "a thread that returns here never arrives at the barrier: put `if` around the loads and \
                                   stores instead";
                    self.errors.push(Error::new(span, message));
                }
            }
            StatementKind::Sync | StatementKind::Vote(..) => {
                if let StatementKind::Vote(result, ..) = kind {
                    self.declare(*result, Class::Uniform);
                }
                if self.checking.is_some() && !self.path.is_empty() {
                    let message = "a barrier where threads go different ways: those that went another way would never arrive; \
                                   move it out of the `if` or the loop";
                    self.errors.push(Error::new(span, message));
                }
            }
            StatementKind::Atomic(atomic) => {
                // One thread after the other: what each finds is its own, whatever they have in common.
                if let Some(old) = atomic.old {
                    self.declare(old, Class::Varying);
                }
            }
            // Done with their parts.
            StatementKind::Block(_) | StatementKind::If(..) | StatementKind::For { .. } | StatementKind::While(..) => {}
        }
    }

    /// A jump out of a loop's round; `masked` says whether it is for some threads only, on a path this deep.
    fn jump(&mut self, jump: &mut Jump, masked: impl FnOnce(usize, &Around) -> bool) {
        let to = self.loops.iter().position(|around| around.id == jump.to).expect("checked when it was parsed");
        jump.masked = masked(self.path.len(), &self.loops[to]);
        // The loops in between are left with it.
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
        // In the first pass nothing is known yet.
        let class = if first && v.class == Class::Uniform { class } else { v.class.join(class) };
        if v.class != class {
            v.class = class;
            self.changed = true;
        }
    }

    /// Whether the assignment is for some threads only.
    fn assign(&mut self, id: Id, class: Class, span: Span) -> bool {
        // Threads that have returned have their results.
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

    /// The class of an expression whose parts have theirs; refuses accesses that threads of a pair cannot do.
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
                // An array of consecutive indices holds those of the first thread alone, and here each thread needs its own.
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

    /// An index into a local array, which may differ between threads unless its elements are truth values, which are masks.
    fn local_index(&mut self, array: Id, index: &Expr) {
        let holds_masks = self.types.get(self.kernel.variables[array].ty) == Type::Bool;
        if !self.checks_all() || index.class == Class::Uniform || !holds_masks {
            return;
        }
        let name = &self.kernel.variables[array].name;
        let because = match &index.kind {
            ExprKind::Variable(id) if self.kernel.variables[*id].diverges.is_some() => {
                ": it is assigned where threads go different ways"
            }
            _ => "",
        };
        let message = format!(
            "the index into the local array `{name}` of `bool` has to be the same for all threads, and this differs{because}; let its \
             elements be `u32`, count with a `for` over uniform bounds, or select with `if`"
        );
        self.errors.push(Error::new(index.span, message));
    }

    /// Of an element that becomes something by an operation on it, how several threads would do that.
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
                atomics::written(text)
            ),
            _ => String::new(),
        }
    }

    fn store(&mut self, slice: Id, index: &Expr, right: Right, span: Span, together: &str) {
        let name = self.kernel.variables[slice].name.clone();
        if index.class == Class::Uniform && self.path.is_empty() {
            let message = format!(
                "every thread writes this element of `{name}`, so one of them wins by chance: index with the thread, or let \
                 one thread do it, `if t == 0 {{ … }}`{together}"
            );
            self.errors.push(Error::new(span, message));
        } else if right == Right::None {
            let own = match self.kernel.variables[slice].kind {
                Kind::Shared(_) => "LocalX",
                _ => "ThreadX",
            };
            let message = format!(
                "this index does not say which thread it is: a thread writes `{name}` at its own index along every axis, as \
                 `{name}[t]` with `t: {own}`, `{name}[y * w + x]` or `{name}[t * 4 + k]`; if no other thread touches this \
                 element, say so with `unsafe {{ … }}`{together}"
            );
            self.errors.push(Error::new(index.span, message));
        } else {
            self.strict(index);
        }
    }

    fn load(&mut self, slice: Id, index: &Expr, right: Right, span: Span) {
        let v = &self.kernel.variables[slice];
        if v.kind.is_written() && right == Right::None {
            let message = format!(
                "another thread may be writing this element of the output `{}`: read it at the thread's own index, make it an \
                 input, or say with `unsafe {{ … }}` that none does",
                v.name
            );
            self.errors.push(Error::new(span, message));
        } else {
            self.strict(index);
        }
    }

    fn strict(&mut self, index: &Expr) {
        if self.strict && index.class == Class::Varying {
            let message = "this index is not the thread's plus, minus or times something uniform, so the threads of a pair \
                           read one by one, which `strict` forbids: rearrange the data, or drop `strict`";
            self.errors.push(Error::new(index.span, message));
        }
    }
}

/// Of a value that is no index.
fn uniform_or_varying(class: Class) -> Class {
    if class == Class::Uniform { class } else { Class::Varying }
}

/// Of a value that is no index, and is computed from these.
fn class_of_all<'e>(parts: impl IntoIterator<Item = &'e Expr>) -> Class {
    parts.into_iter().map(|part| uniform_or_varying(part.class)).max().unwrap_or(Class::Uniform)
}

fn tail_class(block: &Block) -> Class {
    block.tail.as_ref().map_or(Class::Uniform, |tail| tail.class)
}

/// Of an index.
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
