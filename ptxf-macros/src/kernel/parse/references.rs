//! References: what a parameter refers to, and what an argument for it is.
//!
//! An array, a slice or a variable is what the parameter names from then on. An element is in a variable for as long as the call takes, and
//! is written back behind it.

use proc_macro2::{Ident, Span};
use quote::ToTokens as _;
use syn::spanned::Spanned as _;
use syn::{Error, Result};

use super::super::ast::{Id, Kind, Shape, Statement, StatementKind, Type};
use super::super::parts::Parts;
use super::super::{header, names};
use super::expr::{bare, name_of};
use super::inline::{Arguments, ONE_NUMBER};
use super::signature::{Slice, scalar};
use super::{Parser, Reference};

/// What a reference among the parameters refers to.
pub(super) enum Referred<'t> {
    /// `&[T]`
    Slice(&'t syn::TypeSlice),
    /// `&[T; N]`
    Array(&'t syn::TypeArray),
    /// `&mut T` of a number, a tuple or a structure.
    Value(&'t syn::Type),
}

impl Parser<'_> {
    /// What an argument refers to: variables, or elements, which are variables for as long as the call takes.
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
                // The parts of an element are one slice's.
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

    /// What stands behind `&mut`, or a name that is a reference itself.
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

    /// Whether the name is a reference without `&`: a slice of the kernel's, or a reference among the parameters of a function.
    fn is_reference(&self, name: &Ident) -> bool {
        let slice = self.find(name).is_some_and(|id| matches!(self.variables[id].kind, Kind::In | Kind::Out));
        slice || self.reference(name).is_some()
    }

    /// The slice or the array of this name.
    fn named_array(&self, e: &syn::Expr, how: Reference) -> Result<(Id, Span)> {
        let path = match e {
            syn::Expr::Path(path) => name_of(path),
            _ => None,
        };
        let name = path.ok_or_else(|| Error::new(e.span(), "a slice or an array is passed by its name"))?;
        let id = self.lookup(name)?;
        let v = &self.variables[id];
        let writes = how == Reference::Mutable;
        let message = match v.kind {
            _ if writes && self.reference(name) == Some(Reference::Shared) => {
                format!("`{name}` is a `&` here, and the function writes to it: take a `&mut`")
            }
            Kind::In if writes => format!("`{name}` is an input, and the function writes to it"),
            Kind::Array(_) if writes && !v.mutable => {
                format!("`{name}` is not mutable: declare it `let mut {name}`")
            }
            Kind::In | Kind::Out | Kind::Shared(_) | Kind::Array(_) => return Ok((id, name.span())),
            _ => format!("`{name}` is no slice and no array"),
        };
        Err(Error::new(name.span(), message))
    }

    /// Refuses what is in f32 in one of the functions only.
    fn same_precision(&self, id: Id, span: Span, parameter: &Ident, kept: bool) -> Result<()> {
        let v = &self.variables[id];
        if v.kept == kept || self.types.get(v.ty) != Type::Float {
            return Ok(());
        }
        let (name, here) = (&v.name, if kept { "an element" } else { "kept in f32" });
        let there = if kept { "keeps it in f32" } else { "takes an element" };
        let message = format!(
            "`{name}` is {here}, and the function {there}: what both name is one or the other, so write `keep({})` in {}",
            if kept { name } else { parameter },
            if kept { "the attribute here, too" } else { "the function's attribute, `#[ptx_fn(keep(…))]`, too" }
        );
        Err(Error::new(span, message))
    }

    /// Refuses what is passed twice, and may be changed by one of the names for it.
    fn refers(&self, id: Id, span: Span, how: Reference, to: &mut Arguments) -> Result<()> {
        let twice =
            |&(other, before): &(Id, Reference)| other == id && (how, before) != (Reference::Shared, Reference::Shared);
        if to.referred.iter().any(twice) {
            let name = self.variables[id].shown();
            return Err(Error::new(span, format!("`{name}` is passed twice, and what is a `&mut` has one name")));
        }
        to.referred.push((id, how));
        Ok(())
    }

    /// Holds a variable against the type of a parameter that is a slice.
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
                format!("the elements of `{name}` are others than those of the function's parameter"),
            ));
        }
        self.expect(span, v.ty, of.ty)
    }

    /// Holds a variable against the type of a parameter that is an array, and finds out the constants in that.
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
            let message =
                format!("`{}` is a slice, and the function takes an array: let it take a slice, `&[f32]`", v.name);
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

    /// A parameter that is a reference, of a function that becomes a part of its callers.
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

/// What a parameter refers to, and how, if it is a reference.
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
        false => Err(Error::new(ty.span(), format!("no references to arrays of `{}`: pass a value", of.name()))),
    }
}

/// The lengths of an array's type along its axes, and the type of its elements.
fn lengths(array: &syn::TypeArray) -> (Vec<&syn::Expr>, &syn::Type) {
    let (mut lengths, mut of) = (vec![&array.len], header::bare(&array.elem));
    while let syn::Type::Array(inner) = of {
        lengths.push(&inner.len);
        of = header::bare(&inner.elem);
    }
    (lengths, of)
}
