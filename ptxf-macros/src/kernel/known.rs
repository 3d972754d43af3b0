//! What `#[ptx_module]` tells a function of the module around it: structures, the signatures of functions, the types of constants.
//!
//! It stands in the function's attribute, `#[ptx_fn(module(kernels { … }))]`, as declarations without values, and without bodies but for
//! functions that are `inlined`. So the compiler has decided by then which of the module's items there are.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Fields, ItemStruct, Result, Signature, Token, TraitItemConst, TraitItemFn, braced};

use super::inlined::Inlined;
use super::parts::Structure;

/// The module's declarations by their names, or nothing.
#[derive(Default)]
pub(crate) struct Known {
    /// The module's name.
    pub(crate) module: Option<Ident>,
    pub(crate) structures: HashMap<String, Rc<Structure>>,
    functions: HashMap<String, Function>,
    pub(crate) constants: HashMap<String, syn::Type>,
}

enum Function {
    Called(Signature),
    /// It becomes a part of its callers.
    Inlined(Inlined),
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
        match self.functions.get(&name.unraw().to_string())? {
            Function::Called(signature) | Function::Inlined(Inlined { signature, .. }) => Some(signature),
        }
    }

    /// The function of this name, if it becomes a part of its callers.
    pub(crate) fn inlined(&self, name: &Ident) -> Option<&Inlined> {
        match self.functions.get(&name.unraw().to_string())? {
            Function::Called(_) => None,
            Function::Inlined(function) => Some(function),
        }
    }

    pub(crate) fn constant(&self, name: &Ident) -> Option<&syn::Type> {
        self.constants.get(&name.unraw().to_string())
    }
}

/// `kernels { struct P { x: f32 } fn f(x: f32) -> P; #[ptx_fn] fn g(x: &mut f32) { … } const N: usize; }`
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
                let TraitItemFn { attrs, sig: signature, default, .. } = items.parse()?;
                let name = signature.ident.unraw().to_string();
                let function = match default {
                    None => Function::Called(signature),
                    Some(body) => Function::Inlined(Inlined::new(&attrs, signature, body)?),
                };
                known.functions.insert(name, function);
            }
        }
        Ok(known)
    }
}
