//! Items around a kernel: the functions that it calls and the constants that it names.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Block, FnArg, Item, ItemFn, Meta, Pat, Stmt, Token};

use super::super::Fault;
use super::super::tree::{Int, Kind, Stored, Type};
use super::constant::Constant;
use super::impls::returned;
use super::index_type;
use super::several::Shape;
use super::text;
use crate::cvt::Num;

/// The attribute of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Role {
    Kernel,
    Function,
}

pub(in super::super) struct Signature {
    pub(in super::super) name: String,
    pub(in super::super) role: Role,
    pub(in super::super) keep: Vec<String>,
    /// `true` if its text has the option `fuse`, or the module around it.
    pub(in super::super) fuse: bool,
    pub(in super::super) parameters: Vec<Parameter>,
    pub(in super::super) result: Type,
    /// For a function with several results: their shape and types.
    pub(in super::super) several: Option<(Shape, Vec<Type>)>,
    pub(super) body: Block,
    /// For a method: the type that has it.
    pub(in super::super) of: Option<String>,
    /// The names and types of its own constants, and their values in one call.
    pub(super) own: Vec<(String, Type)>,
    pub(in super::super) constants: HashMap<String, Constant>,
    /// `true` if the function is lowered anew for each call, with its arguments.
    pub(in super::super) is_open: bool,
    /// For a function with types of its own: its source.
    pub(super) of_types: Option<ItemFn>,
}

/// A parameter as it is declared.
#[derive(Clone)]
pub(in super::super) struct Parameter {
    pub(in super::super) name: String,
    pub(in super::super) kind: Kind,
    pub(in super::super) ty: Type,
    /// The shape and types of a parameter with several parts.
    pub(in super::super) several: Option<(Shape, Vec<Type>)>,
    /// For a slice of structures: the shape of each.
    pub(in super::super) structure: Option<Shape>,
    /// For a slice of arrays: their lengths along each axis.
    pub(in super::super) rows: Vec<syn::Expr>,
    /// For a reference: `Some(true)` if it is mutable.
    pub(super) reference: Option<bool>,
    /// For an array: its type.
    pub(super) array: Option<syn::TypeArray>,
    /// For an array at the call: its axes.
    pub(super) axes: Option<Vec<usize>>,
}

/// Functions and constants by their names.
#[derive(Default)]
pub(in super::super) struct Items {
    pub(in super::super) functions: HashMap<String, Signature>,
    constants: HashMap<String, Constant>,
    /// Constant arrays: their axes and elements.
    arrays: HashMap<String, (Vec<usize>, Vec<Constant>)>,
    /// The names of structures' fields, and their types.
    pub(super) structures: HashMap<String, Vec<(String, syn::Type)>>,
    /// The values of constants that are structures.
    pub(super) structure_constants: HashMap<String, syn::Expr>,
    /// Functions with types of their own, where these are known, by the names of both.
    pub(super) of_types: RefCell<HashMap<String, Rc<Signature>>>,
    /// Open functions as they are called, until they are lowered.
    pub(in super::super) instances: RefCell<Vec<Signature>>,
    /// Values of the constants of the function that is lowered.
    pub(in super::super) local: RefCell<HashMap<String, Constant>>,
    /// `true` inside of a module with the option `fuse`.
    pub(super) fuse: bool,
    /// `true` if structures have methods or operators.
    pub(super) has_methods: bool,
    /// The type that `Self` denotes.
    pub(in super::super) own_type: RefCell<Option<String>>,
    /// The instances' names.
    instantiated: RefCell<HashSet<String>>,
    /// Barriers so far.
    pub(super) barriers: Cell<usize>,
}

impl Items {
    /// Collects the functions and constants of a text, inside of modules and functions as well.
    pub(in super::super) fn collect(&mut self, items: &[Item]) -> Result<(), Fault> {
        // In the order of the source a constant comes after those that it names.
        for item in items {
            if let Item::Struct(item) = item {
                let fields =
                    item.fields.iter().filter_map(|field| Some((text(field.ident.as_ref()?), field.ty.clone())));
                self.structures.insert(text(&item.ident), fields.collect());
            }
        }
        for item in items {
            match item {
                Item::Fn(item) => self.function(item)?,
                Item::Const(item) if matches!(*item.ty, syn::Type::Array(_)) => {
                    if let Some(elements) = self.elements(&item.ty, &item.expr) {
                        self.arrays.insert(text(&item.ident), elements);
                    }
                }
                Item::Const(item) if matches!(self.shape(&item.ty), Ok((Shape::Parts(..), _))) => {
                    self.structure_constants.insert(text(&item.ident), (*item.expr).clone());
                }
                Item::Const(item) => {
                    // A kernel cannot name a constant of another type.
                    if let (Ok(ty), Ok(value)) = (scalar(&item.ty), self.constant(&item.expr)) {
                        self.constants.insert(text(&item.ident), value.typed(ty));
                    }
                }
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        let outside = std::mem::replace(&mut self.fuse, fuses(item));
                        let collected = self.collect(items);
                        self.fuse = outside;
                        collected?;
                    }
                }
                Item::Impl(item) => self.implementation(item)?,
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn named(&self, name: &str) -> Option<Constant> {
        self.local.borrow().get(name).or_else(|| self.constants.get(name)).copied()
    }

    /// The axes and the elements of a constant array, if a kernel may name it.
    fn elements(&self, ty: &syn::Type, value: &syn::Expr) -> Option<(Vec<usize>, Vec<Constant>)> {
        let syn::Type::Array(of) = ty else {
            return Some((Vec::new(), vec![self.constant(value).ok()?.typed(scalar(ty).ok()?)]));
        };
        let syn::Expr::Array(array) = value else { return None };
        let (mut axes, mut elements) = (Vec::new(), Vec::new());
        for row in &array.elems {
            let (of, row) = self.elements(&of.elem, row)?;
            axes = of;
            elements.extend(row);
        }
        axes.insert(0, array.elems.len());
        Some((axes, elements))
    }

    pub(super) fn array(&self, name: &str) -> Option<&(Vec<usize>, Vec<Constant>)> {
        self.arrays.get(name)
    }

    fn function(&mut self, item: &ItemFn) -> Result<(), Fault> {
        let Some((role, attribute)) = item.attrs.iter().find_map(|a| role(a).map(|role| (role, a))) else {
            // The code of a documentation's example stands inside of `main`.
            let nested = item.block.stmts.iter().filter_map(|s| match s {
                Stmt::Item(item) => Some(item.clone()),
                _ => None,
            });
            return self.collect(&nested.collect::<Vec<_>>());
        };
        let name = text(&item.sig.ident);
        let signature = self.declared(&name, role, &self.options(attribute)?, item)?;
        let Some(signature) = signature else { return Ok(()) };
        if self.functions.insert(name.clone(), signature).is_some() {
            return Err(Fault::source(format!("there are two functions `{name}`")));
        }
        Ok(())
    }

    /// Returns the function's signature. `None` if the interpreter does not run it. A function with
    /// types of its own is read with f32.
    pub(super) fn declared(
        &self,
        name: &str,
        role: Role,
        options: &Options,
        item: &ItemFn,
    ) -> Result<Option<Signature>, Fault> {
        let types: HashMap<_, _> = item.sig.generics.type_params().map(|of| (text(&of.ident), Type::Float)).collect();
        if types.is_empty() {
            return self.signature(name, role, options, item);
        }
        let float = self.signature(name, role, options, &with_types(item, &types)?)?;
        Ok(float.map(|float| Signature { is_open: true, of_types: Some(item.clone()), ..float }))
    }

    /// Returns the signature of a function without types of its own. `None` if the interpreter does
    /// not run it.
    pub(super) fn signature(
        &self,
        name: &str,
        role: Role,
        options: &Options,
        item: &ItemFn,
    ) -> Result<Option<Signature>, Fault> {
        let parameters = item.sig.inputs.iter().map(|input| self.parameter(input)).collect::<Result<Vec<_>, _>>();
        let mut several = None;
        let result = match returned(&item.sig.output) {
            None => Ok(Type::Unit),
            Some(ty) => match self.shape(ty) {
                Ok((Shape::One, types)) => Ok(types[0]),
                Ok(parts) => {
                    several = Some(parts);
                    Ok(Type::Unit)
                }
                Err(e) => Err(e),
            },
        };
        // A kernel without `pair` is ordinary Rust, which the interpreter does not run.
        let (Ok(parameters), Ok(result)) = (parameters, result) else { return Ok(None) };
        let own = item.sig.generics.const_params().map(|of| Ok((text(&of.ident), scalar(&of.ty)?)));
        let own = own.collect::<Result<Vec<_>, Fault>>()?;
        let is_open = parameters.iter().any(|p| p.reference.is_some()) || !own.is_empty();
        Ok(Some(Signature {
            name: name.to_owned(),
            role,
            keep: options.keep.clone(),
            fuse: options.fuse,
            parameters,
            result,
            several,
            body: (*item.block).clone(),
            own,
            of: None,
            constants: HashMap::new(),
            is_open: is_open && role == Role::Function,
            of_types: None,
        }))
    }

    /// Returns a function with its own types replaced by known ones.
    pub(super) fn with_types(&self, of: &Signature, types: &HashMap<String, Type>) -> Result<Rc<Signature>, Fault> {
        let mut sorted: Vec<_> = types.iter().map(|(name, ty)| format!("{name} = {ty}")).collect();
        sorted.sort();
        let name = format!("{}<{}>", of.name, sorted.join(", "));
        if let Some(known) = self.of_types.borrow().get(&name) {
            return Ok(known.clone());
        }
        let item = with_types(of.of_types.as_ref().expect("it has types of its own"), types)?;
        let outside = self.own_type.replace(of.of.clone());
        let signature = self.signature(&name, of.role, &Options { keep: of.keep.clone(), fuse: of.fuse }, &item);
        self.own_type.replace(outside);
        let signature = signature?.expect("it was one of f32, too");
        let signature = Rc::new(Signature { is_open: true, of: of.of.clone(), ..signature });
        self.of_types.borrow_mut().insert(name, signature.clone());
        Ok(signature)
    }

    /// Registers the open function with these constants and parameters, and returns the instance's
    /// name.
    pub(super) fn instance(
        &self,
        of: &Signature,
        constants: HashMap<String, Constant>,
        parameters: Vec<Parameter>,
    ) -> String {
        let mut sorted: Vec<_> = constants.iter().collect();
        sorted.sort_by_key(|(name, _)| *name);
        let given: Vec<_> = parameters.iter().map(|p| (p.kind, &p.axes)).collect();
        let name = format!("{}{sorted:?}{given:?}", of.name);
        if self.instantiated.borrow_mut().insert(name.clone()) {
            let (keep, several, body) = (of.keep.clone(), of.several.clone(), of.body.clone());
            let result = of.result;
            let instance = Signature {
                name: name.clone(),
                role: Role::Function,
                keep,
                fuse: of.fuse,
                parameters,
                result,
                several,
                body,
                own: of.own.clone(),
                of: of.of.clone(),
                constants,
                is_open: false,
                of_types: None,
            };
            self.instances.borrow_mut().push(instance);
        }
        name
    }
}

pub(super) fn role(attribute: &Attribute) -> Option<Role> {
    let last = text(&attribute.path().segments.last()?.ident);
    match last.as_str() {
        "ptx_kernel" => Some(Role::Kernel),
        "ptx_fn" => Some(Role::Function),
        _ => None,
    }
}

/// Returns `true` for `#[ptx_module(fuse)]`.
fn fuses(item: &syn::ItemMod) -> bool {
    item.attrs.iter().any(|a| match &a.meta {
        Meta::List(list) => {
            a.path().segments.last().is_some_and(|s| s.ident == "ptx_module")
                && list.tokens.to_string().contains("fuse")
        }
        _ => false,
    })
}

/// The options of an attribute that change results.
#[derive(Clone, Default)]
pub(super) struct Options {
    /// The names in `keep(…)`.
    pub(super) keep: Vec<String>,
    pub(super) fuse: bool,
}

impl Items {
    /// Returns the options of a function's attribute, and of the module around it.
    pub(super) fn options(&self, attribute: &Attribute) -> Result<Options, Fault> {
        let mut found = Options { fuse: self.fuse, ..Options::default() };
        let Meta::List(list) = &attribute.meta else { return Ok(found) };
        for option in list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)? {
            match option {
                Meta::List(list) if list.path.is_ident("keep") => {
                    let kept = list.parse_args_with(Punctuated::<syn::Ident, Token![,]>::parse_terminated)?;
                    found.keep.extend(kept.iter().map(ToString::to_string));
                }
                Meta::Path(path) => found.fuse |= path.is_ident("fuse"),
                _ => {}
            }
        }
        Ok(found)
    }
}

impl Items {
    fn parameter(&self, input: &FnArg) -> Result<Parameter, Fault> {
        let FnArg::Typed(input) = input else {
            return self.receiver(input);
        };
        let Pat::Ident(pattern) = &*input.pat else {
            return Err(Fault::source("a parameter has a plain name"));
        };
        let name = text(&pattern.ident);
        let plain = |kind, ty| Parameter {
            name: name.clone(),
            kind,
            ty,
            several: None,
            structure: None,
            rows: Vec::new(),
            reference: None,
            array: None,
            axes: None,
        };
        if let syn::Type::Reference(reference) = &*input.ty
            && let syn::Type::Slice(slice) = &*reference.elem
        {
            let stored = last_name(&slice.elem).and_then(|name| STORED.into_iter().find(|s| s.name == name));
            let mutable = reference.mutability.is_some();
            let kind = Kind::Slice { mutable, stored };
            let plain = |kind, ty| Parameter { reference: mutable.then_some(true), ..plain(kind, ty) };
            if stored.is_some() {
                return Ok(plain(kind, Type::Float));
            }
            let (mut of, mut rows) = (&*slice.elem, Vec::new());
            while let syn::Type::Array(array) = of {
                rows.push(array.len.clone());
                of = &array.elem;
            }
            let (shape, types) = self.shape(of)?;
            let structure = (shape != Shape::One).then_some(shape);
            return Ok(Parameter { structure, rows, ..plain(kind, types[0]) });
        }
        if let syn::Type::Reference(reference) = &*input.ty {
            let mutable = Some(reference.mutability.is_some());
            if let syn::Type::Array(array) = &*reference.elem {
                let mut of = &*array.elem;
                while let syn::Type::Array(inner) = of {
                    of = &inner.elem;
                }
                let array = Some(array.clone());
                return Ok(Parameter { array, reference: mutable, ..plain(Kind::Local, scalar(of)?) });
            }
            let (shape, types) = self.shape(&reference.elem)?;
            let several = (shape != Shape::One).then(|| (shape, types.clone()));
            return Ok(match mutable {
                Some(true) => Parameter { several, reference: mutable, ..plain(Kind::Local, types[0]) },
                // The function does not change it.
                _ => Parameter { several, ..plain(Kind::Scalar, types[0]) },
            });
        }
        if let Some((of, axis)) = last_name(&input.ty).as_deref().and_then(index_type) {
            return Ok(plain(Kind::Index(of, axis), Type::USIZE));
        }
        let (shape, types) = self.shape(&input.ty)?;
        let several = (shape != Shape::One).then(|| (shape, types.clone()));
        Ok(Parameter { several, ..plain(Kind::Scalar, types[0]) })
    }
}

/// The formats of slices besides those in which kernels compute.
const STORED: [Stored; 7] = {
    const fn of(name: &'static str, num: Num, in_byte: u64) -> Stored {
        Stored { name, num, in_byte }
    }
    [
        of("E4m3", Num::E4m3, 1),
        of("E5m2", Num::E5m2, 1),
        of("E2m3", Num::E2m3, 1),
        of("E3m2", Num::E3m2, 1),
        of("E2m1", Num::E2m1, 1),
        of("E2m1x2", Num::E2m1, 2),
        of("Ue8m0", Num::Ue8m0, 1),
    ]
};

fn last_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => Some(text(&path.path.segments.last()?.ident)),
        syn::Type::Group(group) => last_name(&group.elem),
        _ => None,
    }
}

/// The function's text with its own types replaced.
fn with_types(item: &ItemFn, types: &HashMap<String, Type>) -> Result<ItemFn, Fault> {
    let mut item = item.clone();
    item.attrs.clear();
    let params = std::mem::take(&mut item.sig.generics.params).into_iter();
    item.sig.generics.params = params.filter(|of| !matches!(of, syn::GenericParam::Type(_))).collect();
    item.sig.generics.where_clause = None;
    let text = item.to_token_stream().to_string();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (mut replaced, mut rest) = (String::new(), &*text);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match types.get(word) {
            Some(ty) => replaced += &ty.to_string(),
            None => replaced += word,
        }
        rest = behind;
    }
    syn::parse_str(&replaced).map_err(|e| Fault::source(e.to_string()))
}

/// The type of a scalar.
pub(super) fn scalar(ty: &syn::Type) -> Result<Type, Fault> {
    let name = last_name(ty).unwrap_or_default();
    Ok(match name.as_str() {
        "f32" => Type::Float,
        "bool" => Type::Bool,
        name => match Int::of(name) {
            Some(int) => Type::Int(int),
            None => return Err(Fault::source(format!("`{name}` is no type of a kernel's values"))),
        },
    })
}
