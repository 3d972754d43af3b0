//! Assignments.
//!
//! As in Rust, the value is computed before the index of its place, and each of them once.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::super::ast::{Binary, Block, Expr, ExprKind, Id, Kind, Product, Statement, StatementKind};
use super::super::fuse;
use super::super::memory_format::Stored;
use super::super::parts::{Form, Parts};
use super::arrays::Indexed;
use super::expr::{bare, name_of};
use super::parts::position;
use super::statement::structure;
use super::{Parser, Reference};

/// The place that an assignment writes.
pub(super) struct Place {
    pub(super) id: Id,
    /// The place of the name in the source.
    pub(super) span: Span,
    /// The index of an element, and its text.
    pub(super) index: Option<(Expr, String)>,
}

impl Place {
    fn of(Indexed { id, span, index, text }: Indexed) -> Self {
        Self { id, span, index: Some((index, text)) }
    }
}

impl Parser<'_> {
    /// Parses `place = value;` or `place op= value;`.
    pub(super) fn assign(&mut self, place: &syn::Expr, op: Option<Binary>, value: &syn::Expr) -> Result<Statement> {
        if let syn::Expr::Tuple(places) = bare(place) {
            return self.assign_each(places, op, value);
        }
        if let Some(callee) = op.and_then(|op| self.callee_of_update(place, op, value)) {
            return Ok(Statement { span: callee.span, kind: self.called_for_its_effects(&callee)? });
        }
        if self.is_several(place) {
            return self.assign_parts(place, op, value);
        }
        if let (None, syn::Expr::Index(row)) = (op, bare(place))
            && self.is_row(row)
            && let Some(statement) = self.assign_row(row, value)
        {
            return statement;
        }
        let mut first = Vec::new();
        let product = op.and_then(|op| self.product(op, None, value));
        let value = self.operand(value, &mut first)?;
        let Parts::One(place) = self.place(place, &mut first)? else { unreachable!("asked for above") };
        let statement = match op {
            None => self.write(place, value)?,
            Some(op) => self.update(place, op, product, value)?,
        };
        Ok(after(first, statement))
    }

    /// Parses a single value. Of an inlined function everything except the result goes to `first`.
    pub(super) fn operand(&mut self, e: &syn::Expr, first: &mut Vec<Statement>) -> Result<Expr> {
        let Some(callee) = self.callee(e) else { return self.expr(e) };
        match self.inlined_value(&callee, first)? {
            Parts::One(value) => Ok(value),
            several => Err(self.one_needed(callee.span, &several)),
        }
    }

    /// Parses `p = q;` for several parts.
    fn assign_parts(&mut self, place: &syn::Expr, op: Option<Binary>, value: &syn::Expr) -> Result<Statement> {
        let (span, mut first, mut indices) = (place.span(), Vec::new(), Vec::new());
        let to = self.place(place, &mut indices)?;
        let found = self.value_as(value, &to.map(&mut |_| ()), &mut first)?;
        if let Some(op) = op {
            return Err(self.no_update(place, op, value).unwrap_or_else(|| no_operation(span, op)));
        }
        if !to.is_like(&found) {
            let expected = to.map(&mut |to| self.types.get(self.variables[to.id].ty)).name();
            let message = format!("expected `{expected}`, found `{}`", self.name_of_value(&found));
            return Err(Error::new(value.span(), message));
        }
        self.write_all(span, to.into_leaves(), found.into_leaves(), first, indices)
    }

    /// Parses an assignment to a row, as in `out[t] = [a, b, c];`.
    fn assign_row(&mut self, row: &syn::ExprIndex, value: &syn::Expr) -> Option<Result<Statement>> {
        match bare(value) {
            syn::Expr::Array(values) => Some(self.assign_to_row(row, value, |parser, first| {
                let mut found = Vec::new();
                for value in &values.elems {
                    let before = found.iter_mut().collect();
                    let value = parser.in_order(before, first, |parser, first| parser.operand(value, first))?;
                    found.push(value);
                }
                Ok(found)
            })),
            syn::Expr::Index(other) if self.is_row(other) => Some(self.assign_to_row(row, value, |parser, first| {
                let elements = parser.row_elements(other, first)?;
                Ok(elements.into_iter().map(|at| parser.element(at.id, at.span, at.index, at.text)).collect())
            })),
            syn::Expr::Path(array) => {
                let elements = self.elements_of_array(array)?;
                Some(self.assign_to_row(row, value, |_, _| Ok(elements)))
            }
            _ => None,
        }
    }

    fn assign_to_row(
        &mut self,
        row: &syn::ExprIndex,
        value: &syn::Expr,
        values: impl FnOnce(&mut Self, &mut Vec<Statement>) -> Result<Vec<Expr>>,
    ) -> Result<Statement> {
        let (mut first, mut indices) = (Vec::new(), Vec::new());
        let values = values(self, &mut first)?;
        let elements = self.row_elements(row, &mut indices)?;
        self.not_shared(row)?;
        if elements.len() != values.len() {
            let message = format!(
                "a row has {} elements here, and the value has {}: make them equal",
                elements.len(),
                values.len()
            );
            return Err(Error::new(value.span(), message));
        }
        for (at, value) in elements.iter().zip(&values) {
            self.writable(at.id, at.span)?;
            self.types.unify(value.span, value.ty, self.variables[at.id].ty)?;
        }
        let places = elements.into_iter().map(Place::of).collect();
        self.write_all(row.span(), places, values, first, indices)
    }

    /// Parses `(a, p.x, out[t]) = value;`.
    fn assign_each(&mut self, places: &syn::ExprTuple, op: Option<Binary>, value: &syn::Expr) -> Result<Statement> {
        let (mut first, mut indices, span) = (Vec::new(), Vec::new(), places.span());
        let asked = Parts::Several(Form::Tuple, places.elems.iter().map(|place| self.shape_of(place)).collect());
        let found = self.value_as(value, &asked, &mut first)?;
        if let Some(op) = op {
            return Err(no_operation(span, op));
        }
        let parts = match found {
            Parts::Several(Form::Tuple, parts) if parts.len() == places.elems.len() => parts,
            found => {
                let message = format!(
                    "there are {} places, and the value is `{}`: write a value for each",
                    places.elems.len(),
                    self.name_of_value(&found)
                );
                return Err(Error::new(value.span(), message));
            }
        };
        let (mut to, mut values) = (Vec::new(), Vec::new());
        for (written, part) in places.elems.iter().zip(parts) {
            let place = self.place(written, &mut indices)?;
            if !place.is_like(&part) {
                let message =
                    format!("the value of this place is `{}`, which has other parts", self.name_of_value(&part));
                return Err(Error::new(written.span(), message));
            }
            to.extend(place.into_leaves());
            values.extend(part.into_leaves());
        }
        self.write_all(span, to, values, first, indices)
    }

    /// Computes all values, then the indices of the places, and then writes.
    fn write_all(
        &mut self,
        span: Span,
        places: Vec<Place>,
        values: Vec<Expr>,
        mut first: Vec<Statement>,
        mut indices: Vec<Statement>,
    ) -> Result<Statement> {
        let mut writes = Vec::new();
        for (place, value) in places.into_iter().zip(values) {
            let v = &self.variables[place.id];
            let (mut name, kept) = (v.name.clone(), v.kept);
            name.set_span(place.span);
            let value = self.remember(&name, kept, value, &mut first);
            writes.push(self.write(place, value)?);
        }
        first.append(&mut indices);
        first.append(&mut writes);
        Ok(Statement { kind: StatementKind::Block(Block { statements: first, tail: None }), span })
    }

    /// Parses the place of an assignment. Statements for its indices go to `first`.
    pub(super) fn place(&mut self, e: &syn::Expr, first: &mut Vec<Statement>) -> Result<Parts<Place>> {
        match bare(e) {
            syn::Expr::Path(path) if name_of(path).is_some() => {
                if let Some(e) = self.not_followed(path) {
                    return Err(e);
                }
                self.named_place(path.path.require_ident()?)
            }
            syn::Expr::Unary(unary @ syn::ExprUnary { op: syn::UnOp::Deref(_), .. }) => {
                self.named_place(self.followed(unary)?.path.require_ident()?)
            }
            syn::Expr::Field(field) if self.is_several(&field.base) => {
                let base = match bare(&field.base) {
                    syn::Expr::Path(path) if name_of(path).is_some() => self.named_place(path.path.require_ident()?)?,
                    base => self.place(base, first)?,
                };
                match base {
                    Parts::Several(form, mut parts) => {
                        let i = position(&form, parts.len(), &field.member)?;
                        Ok(parts.swap_remove(i))
                    }
                    Parts::One(_) => Err(structure(field)),
                }
            }
            syn::Expr::Field(field) => Err(structure(field)),
            syn::Expr::Index(index) => {
                let places = match self.structure_element(index, first)? {
                    Some(places) => places,
                    None => Parts::One(self.indexed(index)?),
                };
                self.not_shared(index)?;
                places.leaves().into_iter().try_for_each(|at| self.writable(at.id, at.span))?;
                Ok(places.map(&mut |at| Place::of(at.clone())))
            }
            other => Err(Error::new(
                other.span(),
                "this cannot be assigned: assign to a variable, or to an element of a local array or an output",
            )),
        }
    }

    /// Returns the variable with this name, or the variables of its parts, as a place.
    pub(super) fn named_place(&self, name: &Ident) -> Result<Parts<Place>> {
        let Some(parts) = self.binding(name) else {
            return self.lookup(name).map(|_| unreachable!("it is not bound"));
        };
        for id in parts.leaves() {
            self.assignable(*id, name.span())?;
            if !matches!(self.variables[*id].kind, Kind::Local) {
                let message = format!("`{name}` cannot be assigned as a whole: index it");
                return Err(Error::new(name.span(), message));
            }
        }
        Ok(parts.map(&mut |&id| Place { id, span: name.span(), index: None }))
    }

    /// Refuses an element that is only read.
    fn writable(&self, id: Id, span: Span) -> Result<()> {
        let v = &self.variables[id];
        match v.kind {
            Kind::Out | Kind::Shared(_) => Ok(()),
            Kind::In => {
                let name = &v.name;
                let message = match v.stored.and_then(Stored::not_an_output) {
                    Some(why) => format!("`{name}` is an input, and cannot be an output: {why}"),
                    None => {
                        let of = match &v.structure {
                            Some(of) => of.name(),
                            None => v.rows.of(v.stored.map_or(self.types.get(v.ty).name(), Stored::name)),
                        };
                        format!("`{name}` is an input: make the parameter an output, `{name}: &mut [{of}]`")
                    }
                };
                Err(Error::new(span, message))
            }
            _ => self.assignable(id, span),
        }
    }

    /// Refuses an element behind a `&`.
    fn not_shared(&self, e: &syn::ExprIndex) -> Result<()> {
        let mut of = bare(&e.expr);
        while let syn::Expr::Index(inner) = of {
            of = bare(&inner.expr);
        }
        let syn::Expr::Path(path) = of else { return Ok(()) };
        match name_of(path).filter(|name| self.reference(name) == Some(Reference::Shared)) {
            None => Ok(()),
            Some(name) => Err(Error::new(name.span(), format!("`{name}` is a `&` here: take a `&mut` to change it"))),
        }
    }

    fn assignable(&self, id: Id, span: Span) -> Result<()> {
        let v = &self.variables[id];
        match v.kind {
            Kind::Local | Kind::Array(_) if v.mutable => Ok(()),
            Kind::Local | Kind::Array(_) => {
                Err(Error::new(span, format!("`{0}` is not mutable: declare it `let mut {0}`", v.name)))
            }
            Kind::Scalar => {
                Err(Error::new(span, format!("`{0}` is not mutable: declare the parameter `mut {0}`", v.name)))
            }
            Kind::Counter => Err(Error::new(
                span,
                format!(
                    "`{}` is the counter of a `for`: write a `while` to change \
                 it",
                    v.name
                ),
            )),
            _ => Err(Error::new(span, format!("a parameter cannot be assigned: write `let mut {0} = {0};`", v.name))),
        }
    }

    pub(super) fn write(&mut self, place: Place, value: Expr) -> Result<Statement> {
        let Place { id, span, index } = place;
        let v = &self.variables[id];
        self.types.unify(value.span, value.ty, v.ty)?;
        let kind = match (index, &v.kind) {
            (None, _) => StatementKind::Assign { to: id, value, masked: false },
            (Some((index, text)), Kind::Out | Kind::Shared(_)) => {
                StatementKind::Store { slice: id, index, text, value, right: self.frame.right }
            }
            (Some((index, _)), _) => StatementKind::AssignElement { array: id, index, value, masked: false },
        };
        Ok(Statement { kind, span })
    }

    /// Returns `place = place op value`. Parts that must be computed once and first stand before
    /// it.
    fn update(
        &mut self,
        mut place: Place,
        op: Binary,
        product: Option<Box<Product>>,
        mut value: Expr,
    ) -> Result<Statement> {
        let mut first = Vec::new();
        let once = place.index.as_ref().is_some_and(|(index, _)| !index.is_repeatable());
        if once || value.has_statements() {
            let v = &self.variables[place.id];
            let (mut name, kept) = (v.name.clone(), v.kept);
            name.set_span(place.span);
            match product.is_some() && fuse::is_product(&value) {
                true => self.settle_factors(&mut value, &mut first),
                false => value = self.remember(&name, kept, value, &mut first),
            }
            place.index = place.index.map(|(index, text)| match once {
                true => (self.remember(&name, false, index, &mut first), text),
                false => (index, text),
            });
        }
        let old = match &place.index {
            None => self.make(place.span, ExprKind::Variable(place.id), self.variables[place.id].ty),
            Some((index, text)) => self.element(place.id, place.span, index.clone(), text.clone()),
        };
        let (span, value_span) = (place.span, value.span);
        let value = self.sum(value_span, op, product, old, value)?;
        let last = self.write(place, value)?;
        if first.is_empty() {
            return Ok(last);
        }
        first.push(last);
        Ok(Statement { kind: StatementKind::Block(Block { statements: first, tail: None }), span })
    }

    /// Computes the factors of a product here, so that it is still a product afterwards.
    fn settle_factors(&mut self, e: &mut Expr, first: &mut Vec<Statement>) {
        match &mut e.kind {
            ExprKind::Float1(_, a) => self.settle_factors(a, first),
            ExprKind::Binary(_, a, b) => {
                for factor in [a, b] {
                    let placeholder = factor.placeholder();
                    let value = core::mem::replace(&mut **factor, placeholder);
                    **factor = self.settled("factor", value, first);
                }
            }
            _ => {}
        }
    }

    /// Computes the value here, in f32 if `kept` is set, and returns a variable for it.
    pub(super) fn remember(&mut self, name: &Ident, kept: bool, value: Expr, first: &mut Vec<Statement>) -> Expr {
        let (span, ty) = (value.span, value.ty);
        let id = self.temporary(name, ty);
        self.variables[id].kept = kept;
        first.push(Statement { kind: StatementKind::Let(id, value), span });
        self.make(name.span(), ExprKind::Variable(id), ty)
    }
}

/// Returns a block of the statements in `first` and the statement.
fn after(mut first: Vec<Statement>, statement: Statement) -> Statement {
    if first.is_empty() {
        return statement;
    }
    let span = statement.span;
    first.push(statement);
    Statement { kind: StatementKind::Block(Block { statements: first, tail: None }), span }
}

/// Returns the error about `+=` or another such operator for several parts.
fn no_operation(span: Span, op: Binary) -> Error {
    Error::new(span, format!("`{}=` takes one number, and this has parts: write it for each part", op.symbol()))
}

pub(super) fn compound(op: &syn::BinOp) -> Option<Binary> {
    Some(match op {
        syn::BinOp::AddAssign(_) => Binary::Add,
        syn::BinOp::SubAssign(_) => Binary::Sub,
        syn::BinOp::MulAssign(_) => Binary::Mul,
        syn::BinOp::DivAssign(_) => Binary::Div,
        syn::BinOp::RemAssign(_) => Binary::Rem,
        syn::BinOp::BitAndAssign(_) => Binary::And,
        syn::BinOp::BitOrAssign(_) => Binary::Or,
        syn::BinOp::BitXorAssign(_) => Binary::Xor,
        syn::BinOp::ShlAssign(_) => Binary::Shl,
        syn::BinOp::ShrAssign(_) => Binary::Shr,
        _ => return None,
    })
}
