//! References as parameters and their arguments.
//!
//! The parameter is another name of an array, a slice or a variable. An element is held in a
//! variable during the call, and is written back afterwards.

use proc_macro2::{Ident, Span};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Error, Result};

use super::super::ast::{Id, Kind, Shape, Statement, StatementKind};
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::super::{header, names};
use super::expr::{bare, name_of};
use super::inline::{Arguments, ONE_NUMBER};
use super::signature::{Slice, scalar};
use super::{Parser, Reference};

/// The type that a reference parameter refers to.
pub(super) enum Referred<'t> {
    /// `&[T]`
    Slice(&'t syn::TypeSlice),
    /// `&[T; N]`
    Array(&'t syn::TypeArray),
    /// `&mut T` of a number, a tuple or a structure.
    Value(&'t syn::Type),
}

impl Parser<'_> {
    /// Parses an argument by reference. Returns the variables that it refers to. An element is held
    /// in a variable during the call.
    #[expect(clippy::too_many_arguments, reason = "the parameter, and what is known of it")]
    pub(super) fn referred_to(
        &mut self,
        (written, sign): (&syn::Expr, bool),
        parameter: &Ident,
        of: &Referred<'_>,
        how: Reference,
        kept: bool,
        to: &mut Arguments,
        first: &mut Vec<Statement>,
    ) -> Result<Parts<Id>> {
        let place = match sign {
            true => self.behind_reference(written, how)?,
            false => bare(written),
        };
        let parts = match of {
            Referred::Value(ty) => {
                let own = to.own_type(ty);
                let ty = match own {
                    Some(_) => Parts::One(Type::Float),
                    None => self.type_of_parts(ty)?,
                };
                let places = match place {
                    syn::Expr::Path(path) if name_of(path).is_some() => self.named_place(path.path.require_ident()?)?,
                    place => self.place(place, first)?,
                };
                if own.is_some() && places.is_several() {
                    return Err(Error::new(place.span(), ONE_NUMBER));
                }
                if !places.is_like(&ty) {
                    let found = places.map(&mut |place| self.types.get(self.variables[place.id].ty)).name();
                    return Err(Error::new(place.span(), format!("expected `{}`, found `{found}`", ty.name())));
                }
                for (place, &&ty) in places.leaves().into_iter().zip(&ty.leaves()) {
                    let found = self.variables[place.id].ty;
                    match own {
                        Some(own) => self.is_own_type(to, own, place.span, found)?,
                        None => self.expect(place.span, found, ty)?,
                    }
                    self.same_precision(place.id, place.span, parameter, kept)?;
                }
                // The parts of an element belong to one slice.
                let mut ids: Vec<_> = places.leaves().into_iter().map(|place| (place.id, place.span)).collect();
                ids.dedup_by_key(|(id, _)| *id);
                ids.into_iter().try_for_each(|(id, span)| self.refers(id, span, how, to))?;
                let mut elements = Vec::new();
                let ids = places.map(&mut |place| match &place.index {
                    None => place.id,
                    Some(_) => {
                        let id = self.temporary(parameter, self.variables[place.id].ty);
                        (self.variables[id].mutable, self.variables[id].kept) = (true, kept);
                        elements.push(id);
                        id
                    }
                });
                let places = places.into_leaves().into_iter().filter(|place| place.index.is_some());
                for (mut place, id) in places.zip(elements) {
                    let (index, text) = place.index.take().expect("only these are left");
                    let index = match index.is_repeatable() {
                        true => index,
                        false => self.remember(parameter, false, index, first),
                    };
                    let value = self.element(place.id, place.span, index.clone(), text.clone());
                    first.push(Statement { span: place.span, kind: StatementKind::Let(id, value) });
                    place.index = Some((index, text));
                    to.elements.push((place, id));
                }
                ids
            }
            Referred::Slice(slice) => {
                let (id, span) = self.named_array(place, how)?;
                let of = self.elements_of(&slice.elem, if how == Reference::Mutable { Kind::Out } else { Kind::In })?;
                self.is_slice_of(id, span, &of)?;
                self.same_precision(id, span, parameter, kept)?;
                self.refers(id, span, how, to)?;
                Parts::One(id)
            }
            Referred::Array(array) => {
                let (id, span) = self.named_array(place, how)?;
                self.is_array_of(id, span, array, to)?;
                self.same_precision(id, span, parameter, kept)?;
                self.refers(id, span, how, to)?;
                Parts::One(id)
            }
        };
        Ok(parts)
    }

    /// Returns the expression after `&mut` or `&`, or the name of a reference.
    fn behind_reference<'e>(&self, e: &'e syn::Expr, how: Reference) -> Result<&'e syn::Expr> {
        let sign = if how == Reference::Mutable { "&mut " } else { "&" };
        match bare(e) {
            syn::Expr::Reference(e) if how == Reference::Shared || e.mutability.is_some() => Ok(bare(&e.expr)),
            syn::Expr::Reference(e) => {
                let message = format!("the function changes this: write `&mut {}`", e.expr.to_token_stream());
                Err(Error::new(e.span(), message))
            }
            syn::Expr::Path(path) if name_of(path).is_some_and(|name| self.is_reference(name)) => Ok(bare(e)),
            other => {
                let message = format!("the function takes a reference: write `{sign}{}`", other.to_token_stream());
                Err(Error::new(other.span(), message))
            }
        }
    }

    /// Returns `true` if the name is a reference without `&`: a slice of the kernel, or a reference
    /// parameter of a function.
    fn is_reference(&self, name: &Ident) -> bool {
        let slice = self.find(name).is_some_and(|id| matches!(self.variables[id].kind, Kind::In | Kind::Out));
        slice || self.reference(name).is_some()
    }

    /// Returns the slice or the array with this name.
    fn named_array(&self, e: &syn::Expr, how: Reference) -> Result<(Id, Span)> {
        let path = match e {
            syn::Expr::Path(path) => name_of(path),
            _ => None,
        };
        let name = path.ok_or_else(|| {
            Error::new(
                e.span(),
                "this is not the name of a slice or an array: pass it by \
             its name",
            )
        })?;
        let id = self.lookup(name)?;
        let v = &self.variables[id];
        let writes = how == Reference::Mutable;
        let message = match v.kind {
            _ if writes && self.reference(name) == Some(Reference::Shared) => {
                format!("`{name}` is a `&` here, and the function writes to it: take a `&mut`")
            }
            Kind::In if writes => format!("`{name}` is an input, and the function writes to it: make it an output"),
            Kind::Array(_) if writes && !v.mutable => {
                format!("`{name}` is not mutable: declare it `let mut {name}`")
            }
            Kind::In | Kind::Out | Kind::Shared(_) | Kind::Array(_) => return Ok((id, name.span())),
            _ => format!("`{name}` is neither a slice nor an array"),
        };
        Err(Error::new(name.span(), message))
    }

    /// Refuses a variable that is kept in f32 in only one of the functions.
    fn same_precision(&self, id: Id, span: Span, parameter: &Ident, kept: bool) -> Result<()> {
        let v = &self.variables[id];
        if v.kept == kept || self.types.get(v.ty) != Type::Float {
            return Ok(());
        }
        let (name, here) = (&v.name, if kept { "an element" } else { "kept in f32" });
        let there = if kept { "keeps it in f32" } else { "takes an element" };
        let message = format!(
            "`{name}` is {here}, and the function {there}: write `keep({})` in {}",
            if kept { name } else { parameter },
            if kept { "the attribute here, too" } else { "the function's attribute, `#[ptx_fn(keep(…))]`, too" }
        );
        Err(Error::new(span, message))
    }

    /// Refuses a variable that is passed twice if one of the references is mutable.
    fn refers(&self, id: Id, span: Span, how: Reference, to: &mut Arguments) -> Result<()> {
        let twice =
            |&(other, before): &(Id, Reference)| other == id && (how, before) != (Reference::Shared, Reference::Shared);
        if to.referred.iter().any(twice) {
            let name = self.variables[id].shown();
            return Err(Error::new(
                span,
                format!(
                    "`{name}` is passed twice, and one of the references is a `&mut`: \
                 pass it once"
                ),
            ));
        }
        to.referred.push((id, how));
        Ok(())
    }

    /// Checks a variable against the type of a slice parameter.
    fn is_slice_of(&mut self, id: Id, span: Span, of: &Slice) -> Result<()> {
        let v = &self.variables[id];
        let rows = match &v.kind {
            Kind::Array(shape) | Kind::Shared(shape) => Shape(shape.0[1..].to_vec()),
            _ => v.rows.clone(),
        };
        let same = match (&v.structure, &of.structure) {
            (None, None) => true,
            (Some(a), Some(b)) => a.is_like(b),
            _ => false,
        };
        if !same || v.stored != of.stored || rows != of.rows {
            let name = v.shown();
            return Err(Error::new(
                span,
                format!("the elements of `{name}` differ from those of the function's parameter"),
            ));
        }
        self.expect(span, v.ty, of.ty)
    }

    /// Checks a variable against the type of an array parameter, and finds the constant parameters
    /// in that type.
    fn is_array_of(
        &mut self,
        id: Id,
        span: Span,
        written: &syn::TypeArray,
        Arguments { own, constants, .. }: &mut Arguments,
    ) -> Result<()> {
        let (lengths, element) = lengths(written);
        let ty = scalar(element)?;
        let v = &self.variables[id];
        let (Kind::Array(shape) | Kind::Shared(shape)) = &v.kind else {
            let message = format!(
                "`{}` is a slice, and the function takes an array: make its parameter a slice, `&[f32]`",
                v.name
            );
            return Err(Error::new(span, message));
        };
        let shape = shape.clone();
        for (found, length) in shape.0.iter().zip(&lengths) {
            if let syn::Expr::Path(path) = length
                && let Some(name) = name_of(path).map(names::text)
                && own.iter().any(|(own, _)| *own == name)
            {
                constants.entry(name).or_insert_with(|| (found.clone(), Type::USIZE));
            }
        }
        let value = |name: &Ident| Some(constants.get(&names::text(name))?.0.clone());
        let expected = Shape(lengths.iter().map(|length| names::replace(length.to_token_stream(), &value)).collect());
        if expected != shape {
            let name = &self.variables[id].name;
            let message = format!("`{name}` is an array of {shape}, and the function takes one of {expected}");
            return Err(Error::new(span, message));
        }
        self.expect(span, self.variables[id].ty, ty)
    }

    /// Declares a reference parameter of an inlined function.
    pub(super) fn reference_parameter(&mut self, name: &Ident, of: &Referred<'_>, how: Reference) -> Result<Parts<Id>> {
        let parts = match of {
            Referred::Slice(_) => unreachable!("slices are parameters of all functions"),
            Referred::Array(array) => {
                let (shape, element) = self.array_type(array)?;
                let ty = self.types.known(element_type(element)?);
                Parts::One(self.declare(name, Kind::Array(shape), ty, how == Reference::Mutable))
            }
            Referred::Value(ty) => {
                let types = self.type_of_parts(ty)?.map(&mut |&ty| self.types.known(ty));
                self.declare_parts(name, &Kind::Local, &types, true)?
            }
        };
        self.name(name, parts.clone(), Some(how));
        Ok(parts)
    }
}

/// Returns the type that a reference parameter refers to, and the kind of reference. `None` for any
/// other parameter.
pub(super) fn reference(input: &syn::FnArg) -> Option<(Referred<'_>, Reference)> {
    let syn::FnArg::Typed(typed) = input else { return None };
    let syn::Type::Reference(reference) = header::bare(&typed.ty) else { return None };
    let of = match header::bare(&reference.elem) {
        syn::Type::Slice(slice) => Referred::Slice(slice),
        syn::Type::Array(array) => Referred::Array(array),
        ty => Referred::Value(ty),
    };
    Some((of, if reference.mutability.is_some() { Reference::Mutable } else { Reference::Shared }))
}

fn element_type(ty: &syn::Type) -> Result<Type> {
    let of = scalar(ty)?;
    match of.is_element() {
        true => Ok(of),
        false => Err(Error::new(
            ty.span(),
            format!("a reference to an array of `{}` is not possible: pass a value", of.name()),
        )),
    }
}

/// Returns the lengths of an array's type along its axes, and the type of its elements.
fn lengths(array: &syn::TypeArray) -> (Vec<&syn::Expr>, &syn::Type) {
    let (mut lengths, mut of) = (vec![&array.len], header::bare(&array.elem));
    while let syn::Type::Array(inner) = of {
        lengths.push(&inner.len);
        of = header::bare(&inner.elem);
    }
    (lengths, of)
}
