//! What `#[ptx_module]` tells a function of the module around it: structures, the signatures of functions, the types of constants.
//!
//! It stands in the function's attribute, `#[ptx_fn(module(kernels { … }))]`, as declarations without bodies and values. So the
//! compiler has decided by then which of the module's items there are.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Fields, ItemStruct, Result, Signature, Token, TraitItemConst, TraitItemFn, braced};

use super::parts::Structure;

/// The module's declarations by their names, or nothing.
#[derive(Default)]
pub(crate) struct Known {
    /// The module's name.
    pub(crate) module: Option<Ident>,
    pub(crate) structures: HashMap<String, Rc<Structure>>,
    pub(crate) functions: HashMap<String, Signature>,
    pub(crate) constants: HashMap<String, syn::Type>,
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.module)
    }
}

impl Known {
    pub(crate) fn structure(&self, name: &Ident) -> Option<&Rc<Structure>> {
        self.structures.get(&name.unraw().to_string())
    }

    pub(crate) fn function(&self, name: &Ident) -> Option<&Signature> {
        self.functions.get(&name.unraw().to_string())
    }

    pub(crate) fn constant(&self, name: &Ident) -> Option<&syn::Type> {
        self.constants.get(&name.unraw().to_string())
    }
}

/// `kernels { struct P { x: f32 } fn f(x: f32) -> P; const N: usize; }`
impl Parse for Known {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut known = Self { module: Some(input.parse()?), ..Self::default() };
        let items;
        braced!(items in input);
        while !items.is_empty() {
            if items.peek(Token![struct]) {
                let item: ItemStruct = items.parse()?;
                let Fields::Named(fields) = item.fields else {
                    return Err(Error::new(item.ident.span(), "the module passes structures with named fields only"));
                };
                let fields = fields.named.into_iter().filter_map(|field| Some((field.ident?, field.ty))).collect();
                let structure = Structure { name: item.ident, fields };
                known.structures.insert(structure.name.unraw().to_string(), Rc::new(structure));
            } else if items.peek(Token![const]) && !items.peek2(Token![fn]) {
                let item: TraitItemConst = items.parse()?;
                known.constants.insert(item.ident.unraw().to_string(), item.ty);
            } else {
                let item: TraitItemFn = items.parse()?;
                known.functions.insert(item.sig.ident.unraw().to_string(), item.sig);
            }
        }
        Ok(known)
    }
}
