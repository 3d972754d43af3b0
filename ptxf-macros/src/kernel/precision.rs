//! The precision of floats: which are elements and which are f32.
//!
//! An operation is f32 if an operand is. The other operand is widened, which is exact. By that rule
//! alone `acc += a * b` would round twice, in the product and in the sum, where the source says one
//! rounding per f32 operation. So a product of elements is not rounded if it is an operand of an
//! f32 operation, or is assigned to a kept variable. Its factors are widened, and their product is
//! exact in f32. An element of a narrow format (`stored`) takes the precision of the other operand.
//! A block and a choice have the precision of the values that they end with. All values of a choice
//! get one precision, together with the other operand.

use std::collections::BTreeMap;

use syn::Error;

use super::ast::{Binary, Expr, ExprKind, Id, Kernel, Precision, Statement, StatementKind, Variable};
use super::parts::Parts;
use super::scalar_type::Type;
use super::types::Types;
use super::visit::{self, VisitMut};

/// Decides the precision of every float. Refuses an f32 value where an element is needed and the
/// kernel does not round.
pub(crate) fn decide(kernel: &mut Kernel, types: &Types) -> syn::Result<()> {
    if kernel.variables.iter().any(|v| v.settles) {
        let mut pass = Pass::new(&kernel.variables, types);
        pass.settling = Some(BTreeMap::new());
        pass.block(&mut kernel.body.clone());
        let settling = pass.settling.unwrap_or_default();
        for (id, settled) in settling {
            kernel.variables[id].kept = settled.precision == Precision::Single || settled.is_wanted_single;
        }
    }
    let mut pass = Pass::new(&kernel.variables, types);
    pass.block(&mut kernel.body);
    if let Some(tail) = &mut kernel.body.tail {
        pass.coerce(tail, Precision::Element, None);
    }
    super::all(pass.errors)
}

struct Pass<'a> {
    variables: &'a [Variable],
    types: &'a Types,
    /// The variables with `settles`, in the pass that finds their precision.
    settling: Option<BTreeMap<Id, Settling>>,
    errors: Vec<Error>,
}

/// A variable that holds one of several values, in their common precision. All assignments come
/// before the only read.
struct Settling {
    precision: Precision,
    /// Other such variables that are assigned to this one, and are f32 if this one is.
    sources: Vec<Id>,
    /// `true` if the read needs f32.
    is_wanted_single: bool,
}

fn of(variable: &Variable) -> Precision {
    match (variable.kept, variable.stored) {
        (true, _) => Precision::Single,
        (false, None) => Precision::Element,
        (false, Some(_)) => Precision::Either,
    }
}

/// Visits parts first.
impl VisitMut for Pass<'_> {
    fn statement(&mut self, statement: &mut Statement) {
        visit::walk_statement_mut(self, statement);
        match &mut statement.kind {
            StatementKind::Let(id, value)
            | StatementKind::Assign { to: id, value, .. }
            | StatementKind::LetRepeat(id, value) => self.goes_into(value, *id),
            StatementKind::LetArray(id, values) => values.iter_mut().for_each(|value| self.goes_into(value, *id)),
            StatementKind::AssignElement { array: id, value, .. } | StatementKind::Store { slice: id, value, .. } => {
                self.goes_into(value, *id)
            }
            StatementKind::LetCall { arguments, .. } => self.arguments(arguments),
            StatementKind::Return(Some(value), _) => self.coerce(value, Precision::Element, None),
            // These are integers and `bool`s.
            StatementKind::Atomic(_) | StatementKind::Vote(..) => {}
            StatementKind::If(..) | StatementKind::For { .. } | StatementKind::While(..) | StatementKind::Block(_) => {}
            StatementKind::Break(_)
            | StatementKind::Continue(_)
            | StatementKind::Return(None, _)
            | StatementKind::Sync => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        visit::walk_expr_mut(self, e);
        e.precision = self.decide(e);
    }
}

impl<'a> Pass<'a> {
    fn new(variables: &'a [Variable], types: &'a Types) -> Self {
        Self { variables, types, settling: None, errors: Vec::new() }
    }

    fn is_float(&self, e: &Expr) -> bool {
        self.types.get(e.ty) == Type::Float
    }

    /// Makes the arguments of a function elements.
    fn arguments(&mut self, arguments: &mut [Parts<Expr>]) {
        for a in arguments.iter_mut().flat_map(Parts::leaves_mut) {
            self.coerce(a, Precision::Element, None);
        }
    }

    /// Gives a value the precision of the variable that it is assigned to.
    fn goes_into(&mut self, value: &mut Expr, id: Id) {
        let variable = &self.variables[id];
        if variable.settles && self.settling.is_some() {
            self.settles_with(value, id);
            return;
        }
        match of(variable) {
            // The value is rounded once to the format in memory. A literal is rounded from f32.
            Precision::Either if value.precision == Precision::Either => self.coerce(value, Precision::Single, None),
            Precision::Either => self.stay(value),
            to => self.coerce(value, to, (!variable.returned).then_some(variable)),
        }
    }

    /// Notes a value of a variable with `settles`.
    fn settles_with(&mut self, value: &Expr, id: Id) {
        let sources = sources(value);
        let Some(settling) = &mut self.settling else { return };
        let none = Settling { precision: Precision::Either, sources: Vec::new(), is_wanted_single: false };
        let settled = settling.entry(id).or_insert(none);
        settled.sources.extend(sources);
        settled.precision = most(&[settled.precision, value.precision]);
        if settled.precision == Precision::Single {
            core::mem::take(&mut settled.sources).into_iter().for_each(|id| self.wants_single(id));
        }
    }

    /// Makes the variable f32, and the variables assigned to it.
    fn wants_single(&mut self, id: Id) {
        let settled = self.settling.as_mut().and_then(|settling| settling.get_mut(&id));
        if let Some(settled) = settled.filter(|settled| !settled.is_wanted_single) {
            settled.is_wanted_single = true;
            core::mem::take(&mut settled.sources).into_iter().for_each(|id| self.wants_single(id));
        }
    }

    /// Returns the precision of an expression whose parts have theirs. Gives operands one
    /// precision.
    fn decide(&mut self, e: &mut Expr) -> Precision {
        let float = self.is_float(e);
        match &mut e.kind {
            ExprKind::Float(_)
            | ExprKind::Limit(_)
            | ExprKind::Unset
            | ExprKind::Constant(_)
            | ExprKind::ConstantElement(..) => Precision::Either,
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Length(_)
            | ExprKind::Row(_)
            | ExprKind::Slice(_)
            | ExprKind::Logic { .. } => Precision::Element,
            ExprKind::Variable(id) | ExprKind::Load { slice: id, .. } | ExprKind::Element(id, _) => {
                match self.settling.as_ref().and_then(|settling| settling.get(id)) {
                    Some(settled) => settled.precision,
                    None => of(&self.variables[*id]),
                }
            }
            ExprKind::Negate(a)
            | ExprKind::Not(a)
            | ExprKind::Float1(_, a)
            | ExprKind::Int1(_, a)
            | ExprKind::Power(a, _) => {
                self.stay(a);
                a.precision
            }
            ExprKind::Binary(_, a, b) if float => self.meet(&mut [a, b]),
            ExprKind::Binary(..) => Precision::Element,
            ExprKind::MulAdd(x) | ExprKind::Clamp(x) if float => {
                let [a, b, c] = &mut **x;
                self.meet(&mut [a, b, c])
            }
            ExprKind::MulAdd(_) | ExprKind::Clamp(_) => Precision::Element,
            ExprKind::Compare(_, a, b) => {
                if self.is_float(a) && self.meet(&mut [a, b]) == Precision::Either {
                    self.coerce(a, Precision::Element, None);
                    self.coerce(b, Precision::Element, None);
                }
                Precision::Element
            }
            ExprKind::Test(_, a) | ExprKind::Narrow(a) => {
                self.settle_as_element(a);
                Precision::Element
            }
            ExprKind::Cast(a) => {
                self.settle_as_element(a);
                // An integer is rounded once, to the precision of the other operand.
                if float { Precision::Either } else { Precision::Element }
            }
            ExprKind::Widen(_) => Precision::Single,
            ExprKind::Table(_, a) => {
                self.coerce(a, Precision::Element, None);
                Precision::Element
            }
            ExprKind::Call(_, arguments) => {
                self.arguments(arguments);
                Precision::Element
            }
            // The values get one precision where the choice is used.
            ExprKind::If(..) | ExprKind::Block(_) if float => {
                most(&ends(e).iter().map(|end| end.precision).collect::<Vec<_>>())
            }
            ExprKind::If(..) | ExprKind::Block(_) => Precision::Element,
        }
    }

    /// Makes a literal an element if nothing else decides.
    fn settle_as_element(&mut self, e: &mut Expr) {
        match e.precision {
            Precision::Either => self.coerce(e, Precision::Element, None),
            _ => self.stay(e),
        }
    }

    /// Gives all values of a choice the precision that the choice has.
    fn stay(&mut self, e: &mut Expr) {
        self.coerce(e, e.precision, None);
    }

    /// Gives operands one precision, and returns it.
    fn meet(&mut self, operands: &mut [&mut Expr]) -> Precision {
        let to = most(&operands.iter().map(|e| e.precision).collect::<Vec<_>>());
        for e in operands {
            self.coerce(e, to, None);
        }
        to
    }

    /// Makes an expression an element or f32. `variable` is the target of an assignment.
    fn coerce(&mut self, e: &mut Expr, to: Precision, variable: Option<&Variable>) {
        if !self.is_float(e) || to == Precision::Either {
            return;
        }
        match (e.precision, to) {
            (Precision::Single, Precision::Element) => self.errors.push(self.demoted(e, variable)),
            (Precision::Element, Precision::Single) if is_choice(e) && !self.gains(e) => {
                self.stay(e);
                self.widen_exactly(e);
            }
            _ if is_choice(e) => {
                e.precision = to;
                ends_mut(e).into_iter().for_each(|end| self.coerce(end, to, variable));
            }
            (Precision::Either, _) => {
                if to == Precision::Single && self.settling.is_some() {
                    either_in(e).into_iter().for_each(|id| self.wants_single(id));
                }
                settle(e, to);
            }
            (Precision::Element, Precision::Single) => self.widen(e),
            _ => {}
        }
    }

    /// Returns `true` if computing an element in f32 gives another number.
    fn gains(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::If(..) | ExprKind::Block(_) => ends(e).into_iter().any(|end| self.gains(end)),
            ExprKind::Binary(Binary::Mul, ..) => true,
            ExprKind::Variable(_) if self.settling.is_some() => true,
            _ => e.precision == Precision::Either,
        }
    }

    fn widen(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Variable(id) if self.settling.is_some() => self.wants_single(*id),
            ExprKind::Binary(Binary::Mul, a, b) => {
                self.widen_exactly(a);
                self.widen_exactly(b);
                e.precision = Precision::Single;
            }
            _ => self.widen_exactly(e),
        }
    }

    /// Widens the rounded element.
    fn widen_exactly(&mut self, e: &mut Expr) {
        let placeholder = Expr { precision: Precision::Single, ..e.placeholder() };
        let inner = core::mem::replace(e, placeholder);
        e.kind = ExprKind::Widen(Box::new(inner));
    }

    fn demoted(&self, e: &Expr, variable: Option<&Variable>) -> Error {
        let because = self.kept_in(e).map(|name| format!(" because `{name}` is kept")).unwrap_or_default();
        let message = match variable {
            Some(v) if !v.kind.is_written() => {
                format!("this is f32{because}, `{0}` is not: round it with `cvt_rn(…)`, or keep `{0}` too", v.name)
            }
            Some(v) => format!(
                "this is f32{because}, the elements of `{0}` are not: round it with `cvt_rn(…)`, or keep `{0}` in f32",
                v.name
            ),
            None => format!("this is f32{because}, and an element is needed: round it with `cvt_rn(…)`"),
        };
        Error::new(e.span, message)
    }

    /// Returns a kept variable that makes the expression f32.
    fn kept_in(&self, e: &Expr) -> Option<String> {
        if let ExprKind::Variable(id) | ExprKind::Load { slice: id, .. } | ExprKind::Element(id, _) = &e.kind {
            let variable = &self.variables[*id];
            return variable.kept.then(|| variable.name.to_string());
        }
        let mut found = None;
        visit::same_float(e, &mut |part| found = found.take().or_else(|| self.kept_in(part)));
        found
    }
}

/// Returns the most precise. `Either` takes the precision of the others.
fn most(of: &[Precision]) -> Precision {
    let has = |precision| of.contains(&precision);
    match (has(Precision::Single), has(Precision::Element)) {
        (true, _) => Precision::Single,
        (false, true) => Precision::Element,
        (false, false) => Precision::Either,
    }
}

fn is_choice(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::If(..) | ExprKind::Block(_))
}

/// Returns the values that a block or a choice may end with.
fn ends(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::If(_, then, otherwise) => [&then.tail, &otherwise.tail].into_iter().flatten().map(|e| &**e).collect(),
        ExprKind::Block(block) => block.tail.iter().map(|e| &**e).collect(),
        _ => Vec::new(),
    }
}

fn ends_mut(e: &mut Expr) -> Vec<&mut Expr> {
    match &mut e.kind {
        ExprKind::If(_, then, otherwise) => {
            [&mut then.tail, &mut otherwise.tail].into_iter().flatten().map(|e| &mut **e).collect()
        }
        ExprKind::Block(block) => block.tail.iter_mut().map(|e| &mut **e).collect(),
        _ => Vec::new(),
    }
}

/// Returns the variables that become f32 if the expression does.
fn sources(e: &Expr) -> Vec<Id> {
    match e.kind {
        ExprKind::Variable(id) => vec![id],
        _ if is_choice(e) => ends(e).into_iter().flat_map(sources).collect(),
        _ => either_in(e),
    }
}

/// Returns the variables in an expression that take its precision.
fn either_in(e: &Expr) -> Vec<Id> {
    let mut found = match e.kind {
        ExprKind::Variable(id) if e.precision == Precision::Either => vec![id],
        _ => Vec::new(),
    };
    visit::same_float(e, &mut |part| found.extend(either_in(part)));
    found
}

/// Gives an expression without a precision of its own the precision `to`.
fn settle(e: &mut Expr, to: Precision) {
    e.precision = to;
    visit::same_float_mut(e, &mut |part| settle(part, to));
}
