//! The declarations of a module that `#[ptx_module]` passes to a function in it: structures,
//! signatures of functions, and types of constants.
//!
//! They stand in the function's attribute, `#[ptx_fn(module(kernels { … }))]`, without values. Only
//! inlined functions have their bodies. By then the compiler has removed the items under a false
//! `cfg`.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{
    Error, Fields, ImplItem, ImplItemFn, ItemImpl, ItemStruct, PathArguments, Result, Signature, Token, TraitItemConst,
    TraitItemFn, braced,
};

use super::inline_functions::{self, InlineFunction};
use super::names::spelled;
use super::parts::Structure;

/// The module's declarations by their names. Empty for a function outside of a `#[ptx_module]`.
#[derive(Default)]
pub(crate) struct ModuleItems {
    /// The module's name.
    pub(crate) module: Option<Ident>,
    pub(crate) structures: HashMap<String, Rc<Structure>>,
    functions: HashMap<String, Function>,
    /// Methods, by the structure's name and their own.
    methods: HashMap<(String, String), InlineFunction>,
    /// Operators, by the trait's name and the types of the operands.
    operators: HashMap<(String, String, String), InlineFunction>,
    pub(crate) constants: HashMap<String, syn::Type>,
}

enum Function {
    Called(Signature),
    /// An inlined function.
    Inlined(InlineFunction),
}

impl fmt::Debug for ModuleItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.module)
    }
}

impl ModuleItems {
    pub(crate) fn structure(&self, name: &Ident) -> Option<&Rc<Structure>> {
        self.structures.get(&name.unraw().to_string())
    }

    pub(crate) fn function(&self, name: &Ident) -> Option<&Signature> {
        match self.functions.get(&name.unraw().to_string())? {
            Function::Called(signature) | Function::Inlined(InlineFunction { signature, .. }) => Some(signature),
        }
    }

    /// Returns the names of all functions that the module declares.
    pub(crate) fn function_names(&self) -> BTreeSet<String> {
        self.functions.keys().cloned().collect()
    }

    /// Returns the inlined function with this name.
    pub(crate) fn inlined(&self, name: &Ident) -> Option<&InlineFunction> {
        match self.functions.get(&name.unraw().to_string())? {
            Function::Called(_) => None,
            Function::Inlined(function) => Some(function),
        }
    }

    /// Returns `true` if there are methods or operators of structures.
    pub(crate) fn has_methods(&self) -> bool {
        !self.methods.is_empty() || !self.operators.is_empty()
    }

    /// Returns a structure's method or associated function.
    pub(crate) fn method(&self, of: &str, name: &Ident) -> Option<&InlineFunction> {
        self.methods.get(&(of.to_owned(), name.unraw().to_string()))
    }

    /// Returns the operator's function for these operands. `None` in place of a structure is a
    /// number, or no operand.
    pub(crate) fn operator(&self, name: &str, left: Option<&str>, right: Option<&str>) -> Option<&InlineFunction> {
        if left.is_none() && right.is_none() {
            return None;
        }
        let is = |of: &str, wanted: Option<&str>| match wanted {
            Some(wanted) => of == wanted,
            None => !self.structures.contains_key(of),
        };
        let mut found: Vec<_> =
            self.operators.iter().filter(|((of, a, b), _)| of == name && is(a, left) && is(b, right)).collect();
        // Floats go before integers.
        found.sort_by_key(|((_, a, b), _)| (a != "f32" && b != "f32", a, b));
        found.first().map(|(_, function)| *function)
    }

    fn implementation(&mut self, item: ItemImpl) -> Result<()> {
        let of = spelled(&item.self_ty);
        let operator = item.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|of| {
            let right = match &of.arguments {
                PathArguments::AngleBracketed(arguments) => spelled(&arguments.args.first()),
                _ => of.ident.to_string(),
            };
            (of.ident.to_string(), right)
        });
        for part in item.items {
            let ImplItemFn { attrs, mut sig, block, .. } = match part {
                ImplItem::Fn(function) => function,
                ImplItem::Const(constant) => {
                    self.constants.insert(format!("{of}::{}", constant.ident.unraw()), constant.ty);
                    continue;
                }
                _ => continue,
            };
            inline_functions::name_receiver(&mut sig, &item.self_ty)?;
            let name = sig.ident.unraw().to_string();
            let function = InlineFunction::new(&attrs, sig, block)?;
            match &operator {
                None => _ = self.methods.insert((of.clone(), name), function),
                Some((name, right)) => {
                    let right = match name.as_str() {
                        "Neg" | "Not" => "",
                        // By default the other operand has the same type.
                        _ if right == name => &of,
                        _ => right,
                    };
                    self.operators.insert((name.clone(), of.clone(), right.to_owned()), function);
                }
            }
        }
        Ok(())
    }

    /// Returns the type of a constant.
    pub(crate) fn constant(&self, name: &Ident) -> Option<&syn::Type> {
        self.constants.get(&name.unraw().to_string())
    }

    /// Returns the type of a constant, or of a structure's constant such as `Vec3::ZERO`.
    pub(crate) fn constant_at(&self, path: &syn::ExprPath) -> Option<&syn::Type> {
        let segments: Vec<_> = path.path.segments.iter().collect();
        match &segments[..] {
            _ if path.qself.is_some() || segments.iter().any(|segment| !segment.arguments.is_none()) => None,
            [name] => self.constant(&name.ident),
            [of, name] => self.constants.get(&format!("{}::{}", of.ident.unraw(), name.ident.unraw())),
            _ => None,
        }
    }
}

/// Parses `kernels { struct P { x: f32 } fn f(x: f32) -> P; #[ptx_fn] fn g(x: &mut f32) { … } const
/// N: usize; impl P { … } }`.
impl Parse for ModuleItems {
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
            } else if items.peek(Token![impl]) {
                known.implementation(items.parse()?)?;
            } else if items.peek(Token![const]) && !items.peek2(Token![fn]) {
                let item: TraitItemConst = items.parse()?;
                known.constants.insert(item.ident.unraw().to_string(), item.ty);
            } else {
                let TraitItemFn { attrs, sig: signature, default, .. } = items.parse()?;
                let name = signature.ident.unraw().to_string();
                let function = match default {
                    None => Function::Called(signature),
                    Some(body) => Function::Inlined(InlineFunction::new(&attrs, signature, body)?),
                };
                known.functions.insert(name, function);
            }
        }
        Ok(known)
    }
}
