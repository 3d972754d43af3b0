//! Values of several parts: tuples and structures.
//!
//! There is a variable for each part, and to all that comes after the parser there are only parts. Where one has to stand for all of
//! them, in the parameters and the results of functions, they are printed as a tuple.

use std::fmt;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;

use super::ast::Type;

/// One of something, or the parts that it consists of.
#[derive(Clone, Debug)]
pub(crate) enum Parts<T> {
    One(T),
    Several(Form, Vec<Self>),
}

/// What several parts are.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Tuple,
    Structure(Rc<Structure>),
}

/// A structure that a kernel's module declares.
pub(crate) struct Structure {
    pub(crate) name: Ident,
    pub(crate) fields: Vec<(Ident, syn::Type)>,
}

impl fmt::Debug for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl Form {
    /// The part of this name or number.
    pub(crate) fn position(&self, member: &syn::Member) -> Option<usize> {
        match (self, member) {
            (Self::Tuple, syn::Member::Unnamed(index)) => Some(index.index as usize),
            (Self::Structure(of), syn::Member::Named(name)) => of.position(name),
            _ => None,
        }
    }

    /// What a part is called after a dot.
    pub(crate) fn member(&self, part: usize) -> TokenStream {
        match self {
            Self::Tuple => syn::Index::from(part).to_token_stream(),
            Self::Structure(of) => of.fields[part].0.to_token_stream(),
        }
    }

    /// Whether it is the same type, as far as the form says.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tuple, Self::Tuple) => true,
            (Self::Structure(a), Self::Structure(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Structure {
    pub(crate) fn position(&self, name: &Ident) -> Option<usize> {
        self.fields.iter().position(|(field, _)| field.unraw() == name.unraw())
    }
}

impl<T> Parts<T> {
    /// The one, if it is one.
    pub(crate) const fn one(&self) -> Option<&T> {
        match self {
            Self::One(one) => Some(one),
            Self::Several(..) => None,
        }
    }

    pub(crate) const fn is_several(&self) -> bool {
        matches!(self, Self::Several(..))
    }

    /// Those that have no parts, in order.
    pub(crate) fn leaves(&self) -> Vec<&T> {
        match self {
            Self::One(one) => vec![one],
            Self::Several(_, parts) => parts.iter().flat_map(Self::leaves).collect(),
        }
    }

    pub(crate) fn leaves_mut(&mut self) -> Vec<&mut T> {
        match self {
            Self::One(one) => vec![one],
            Self::Several(_, parts) => parts.iter_mut().flat_map(Self::leaves_mut).collect(),
        }
    }

    pub(crate) fn into_leaves(self) -> Vec<T> {
        match self {
            Self::One(one) => vec![one],
            Self::Several(_, parts) => parts.into_iter().flat_map(Self::into_leaves).collect(),
        }
    }

    /// The same of something else.
    pub(crate) fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Parts<U> {
        match self {
            Self::One(one) => Parts::One(f(one)),
            Self::Several(form, parts) => Parts::Several(form.clone(), parts.iter().map(|part| part.map(f)).collect()),
        }
    }

    /// Whether it has the same parts as the other.
    pub(crate) fn is_like<U>(&self, other: &Parts<U>) -> bool {
        match (self, other) {
            (Self::One(_), Parts::One(_)) => true,
            (Self::Several(a, these), Parts::Several(b, those)) => {
                a.is(b) && these.len() == those.len() && these.iter().zip(those).all(|(a, b)| a.is_like(b))
            }
            _ => false,
        }
    }

    /// How each leaf is reached, as `.x.0`.
    pub(crate) fn ways(&self) -> Vec<TokenStream> {
        match self {
            Self::One(_) => vec![TokenStream::new()],
            Self::Several(form, parts) => {
                let way = |(i, part): (usize, &Self)| {
                    let member = form.member(i);
                    part.ways().into_iter().map(move |rest| quote!(.#member #rest))
                };
                parts.iter().enumerate().flat_map(way).collect()
            }
        }
    }
}

impl Parts<TokenStream> {
    /// As a value or a type of the expansion's: a tuple, in a tuple, of the leaves.
    pub(crate) fn print(&self) -> TokenStream {
        match self {
            Self::One(one) => one.clone(),
            Self::Several(_, parts) => {
                let parts = parts.iter().map(Self::print);
                quote!((#(#parts,)*))
            }
        }
    }

    /// As a type of the user's: a structure by its name.
    pub(crate) fn print_type(&self) -> TokenStream {
        match self {
            Self::One(one) => one.clone(),
            Self::Several(Form::Structure(of), _) => of.name.to_token_stream(),
            Self::Several(Form::Tuple, parts) => {
                let parts = parts.iter().map(Self::print_type);
                quote!((#(#parts,)*))
            }
        }
    }
}

impl Parts<Type> {
    /// As it is written in a kernel.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::One(ty) => ty.name().to_owned(),
            Self::Several(Form::Structure(of), _) => of.name.to_string(),
            Self::Several(Form::Tuple, parts) => {
                let parts: Vec<_> = parts.iter().map(Self::name).collect();
                format!("({})", parts.join(", "))
            }
        }
    }
}
