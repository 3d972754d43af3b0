//! Assignments.
//!
//! As in Rust, the value comes first, then the index of its place, and each is computed once.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::super::ast::{Binary, Block, Expr, ExprKind, Id, Kind, Statement, StatementKind};
use super::super::stored::Stored;
use super::Parser;
use super::arrays::Indexed;
use super::expr::{arithmetic, bare, name_of};
use super::statement::structure;

/// What is assigned to.
struct Place {
    id: Id,
    /// Where it is named.
    span: Span,
    /// Of an element the index, and how it is written.
    index: Option<(Expr, String)>,
}

impl Parser<'_> {
    /// `place = value;` or `place op= value;`
    pub(super) fn assign(&mut self, place: &syn::Expr, op: Option<Binary>, value: &syn::Expr) -> Result<Statement> {
        let value = self.expr(value)?;
        let place = self.place(place)?;
        match op {
            None => self.write(place, value),
            Some(op) => self.update(place, op, value),
        }
    }

    fn place(&mut self, e: &syn::Expr) -> Result<Place> {
        match bare(e) {
            syn::Expr::Path(path) if name_of(path).is_some() => {
                let name = path.path.require_ident()?;
                let id = self.lookup(name)?;
                self.assignable(id, name.span())?;
                if !matches!(self.variables[id].kind, Kind::Local) {
                    return Err(Error::new(name.span(), format!("`{name}` cannot be assigned as a whole: index it")));
                }
                Ok(Place { id, span: name.span(), index: None })
            }
            syn::Expr::Index(index) => {
                let Indexed { id, span, index, text } = self.indexed(index)?;
                let v = &self.variables[id];
                match v.kind {
                    Kind::Out | Kind::Shared(_) => {}
                    Kind::In => {
                        let name = &v.name;
                        let message = match v.stored.and_then(Stored::not_an_output) {
                            Some(why) => format!("`{name}` is an input, and can be no output: {why}"),
                            None => {
                                let of = v.stored.map_or(self.types.get(v.ty).name(), Stored::name);
                                format!("`{name}` is an input: make the parameter an output, `{name}: &mut [{of}]`")
                            }
                        };
                        return Err(Error::new(span, message));
                    }
                    _ => self.assignable(id, span)?,
                }
                Ok(Place { id, span, index: Some((index, text)) })
            }
            syn::Expr::Field(field) => Err(structure(field)),
            other => Err(Error::new(
                other.span(),
                "one assigns to a variable, to an element of a local array or to an output",
            )),
        }
    }

    fn assignable(&self, id: Id, span: Span) -> Result<()> {
        let v = &self.variables[id];
        match v.kind {
            Kind::Local | Kind::Array(_) if v.mutable => Ok(()),
            Kind::Local | Kind::Array(_) => {
                Err(Error::new(span, format!("`{0}` is not mutable: declare it `let mut {0}`", v.name)))
            }
            Kind::Counter => Err(Error::new(span, format!("`{}` counts a loop: write a `while` to change it", v.name))),
            _ => Err(Error::new(span, format!("a parameter stays as it is: write `let mut {0} = {0};`", v.name))),
        }
    }

    fn write(&mut self, place: Place, value: Expr) -> Result<Statement> {
        let Place { id, span, index } = place;
        let v = &self.variables[id];
        self.types.unify(value.span, value.ty, v.ty)?;
        let kind = match (index, &v.kind) {
            (None, _) => StatementKind::Assign { to: id, value, masked: false },
            (Some((index, text)), Kind::Out | Kind::Shared(_)) => {
                StatementKind::Store { slice: id, index, text, value, right: self.right }
            }
            (Some((index, _)), _) => StatementKind::AssignElement { array: id, index, value, masked: false },
        };
        Ok(Statement { kind, span })
    }

    /// `place = place op value`, with all that must not be done twice, or after something else, in front of it.
    fn update(&mut self, mut place: Place, op: Binary, mut value: Expr) -> Result<Statement> {
        let mut first = Vec::new();
        let once = place.index.as_ref().is_some_and(|(index, _)| !index.is_repeatable());
        if once || value.has_statements() {
            let v = &self.variables[place.id];
            let (mut name, kept) = (v.name.clone(), v.kept);
            name.set_span(place.span);
            value = self.remember(&name, kept, value, &mut first);
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
        let value = arithmetic(&mut self.types, value_span, op, old, value)?;
        let last = self.write(place, value)?;
        if first.is_empty() {
            return Ok(last);
        }
        first.push(last);
        Ok(Statement { kind: StatementKind::Block(Block { statements: first, tail: None }), span })
    }

    /// Computes the value here, as precise as what is called `name` is, and names it from then on.
    fn remember(&mut self, name: &Ident, kept: bool, value: Expr, first: &mut Vec<Statement>) -> Expr {
        let (span, ty) = (value.span, value.ty);
        let id = self.temporary(name, ty);
        self.variables[id].kept = kept;
        first.push(Statement { kind: StatementKind::Let(id, value), span });
        self.make(name.span(), ExprKind::Variable(id), ty)
    }
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
