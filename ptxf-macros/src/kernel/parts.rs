//! Values of several parts: tuples and structures.
//!
//! The parser makes a variable of each part, and the passes see parts only. In the parameters and
//! the results of functions the parts are printed as a tuple.

use std::fmt;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;

use super::scalar_type::Type;

/// A value without parts, or the parts of a value.
#[derive(Clone, Debug)]
pub(crate) enum Parts<T> {
    One(T),
    Several(Form, Vec<Self>),
}

/// The type of a value of several parts.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Tuple,
    Structure(Rc<Structure>),
}

/// A structure that the kernel's module declares.
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
    /// Returns the position of the part with this name or number.
    pub(crate) fn position(&self, member: &syn::Member) -> Option<usize> {
        match (self, member) {
            (Self::Tuple, syn::Member::Unnamed(index)) => Some(index.index as usize),
            (Self::Structure(of), syn::Member::Named(name)) => of.position(name),
            _ => None,
        }
    }

    /// Returns the name of a part after a dot.
    pub(crate) fn member(&self, part: usize) -> TokenStream {
        match self {
            Self::Tuple => syn::Index::from(part).to_token_stream(),
            Self::Structure(of) => of.fields[part].0.to_token_stream(),
        }
    }

    /// Returns `true` if both are tuples, or the same structure.
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
    /// Returns the value if it has no parts.
    pub(crate) const fn one(&self) -> Option<&T> {
        match self {
            Self::One(one) => Some(one),
            Self::Several(..) => None,
        }
    }

    pub(crate) const fn is_several(&self) -> bool {
        matches!(self, Self::Several(..))
    }

    /// Returns the parts without parts of their own, in order.
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

    /// Returns the same parts with another value for each.
    pub(crate) fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Parts<U> {
        match self {
            Self::One(one) => Parts::One(f(one)),
            Self::Several(form, parts) => Parts::Several(form.clone(), parts.iter().map(|part| part.map(f)).collect()),
        }
    }

    /// Returns `true` if both have the same parts.
    pub(crate) fn is_like<U>(&self, other: &Parts<U>) -> bool {
        match (self, other) {
            (Self::One(_), Parts::One(_)) => true,
            (Self::Several(a, these), Parts::Several(b, those)) => {
                a.is(b) && these.len() == those.len() && these.iter().zip(those).all(|(a, b)| a.is_like(b))
            }
            _ => false,
        }
    }

    /// Returns the path to each leaf, such as `.x.0`.
    pub(crate) fn accessors(&self) -> Vec<TokenStream> {
        match self {
            Self::One(_) => vec![TokenStream::new()],
            Self::Several(form, parts) => {
                let of_part = |(i, part): (usize, &Self)| {
                    let member = form.member(i);
                    part.accessors().into_iter().map(move |rest| quote!(.#member #rest))
                };
                parts.iter().enumerate().flat_map(of_part).collect()
            }
        }
    }
}

impl Parts<TokenStream> {
    /// Prints a value or a type of the expansion: nested tuples of the leaves.
    pub(crate) fn print(&self) -> TokenStream {
        match self {
            Self::One(one) => one.clone(),
            Self::Several(_, parts) => {
                let parts = parts.iter().map(Self::print);
                quote!((#(#parts,)*))
            }
        }
    }

    /// Prints the user's type, with a structure by its name.
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
    /// Returns the type as it is written in a kernel.
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
