//! From Rust's syntax to ours: names resolved, types inferred, and a complaint about everything else.

mod arrays;
mod assign;
mod call;
mod cuda;
mod elements;
mod expr;
mod loops;
mod matches;
mod methods;
mod several;
mod signature;
mod statement;

pub(crate) use signature::supplied;

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Error, Result};

use super::ast::{Class, Id, Kernel, Kind, Right, Shape, Type, TypeVar, Variable};
use super::attributes::Attributes;
use super::header::{self, Role};
use super::hygiene;
use super::known::Known;
use super::names::{self, Names};
use super::options::Options;
use super::parts::Parts;
use super::types::Types;

/// The function as a kernel, with the types of its expressions.
pub(crate) fn parse(item: &syn::ItemFn, role: Role, options: &Options) -> Result<(Kernel, Types)> {
    let keep = &options.keep;
    let (attributes, errors) = Attributes::of(item, role);
    let mut parser = Parser {
        role,
        keep,
        known: &options.known,
        krate: &options.path,
        variables: Vec::new(),
        scopes: vec![HashMap::new()],
        names: Names::of(item.to_token_stream()),
        types: Types::default(),
        errors,
        result: Type::Unit,
        results: None,
        loops: 0,
        around: Vec::new(),
        in_value: None,
        right: Right::None,
        unsafes: Vec::new(),
        synchronizes: false,
    };
    let (parameters, result) = parser.signature(item);
    parser.result = result;
    let body = parser.function_body(&item.block);
    if let Some(span) = header::attribute_in(item.block.to_token_stream(), false) {
        let message = "no attributes inside of a kernel: its statements are converted, and there is nothing to attach this to; \
                       put it on the function";
        parser.errors.push(Error::new(span, message));
    }
    for name in keep {
        if !parser.variables.iter().any(|v| names::text(&v.name) == names::text(name)) {
            let message = format!("`{}` has no variable `{name}` to keep in f32", item.sig.ident);
            parser.errors.push(Error::new(name.span(), message));
        }
    }
    for v in parser.variables.iter().filter(|v| v.kept && !v.temporary) {
        let ty = parser.types.get(v.ty);
        if ty != Type::Float && v.part.is_empty() {
            let message = format!("`{}` is `{}`: only floats are kept in f32", v.name, ty.name());
            parser.errors.push(Error::new(v.name.span(), message));
        }
    }
    let kernel = Kernel {
        visibility: item.vis.to_token_stream(),
        attributes,
        name: item.sig.ident.clone(),
        variables: parser.variables,
        parameters,
        synchronizes: parser.synchronizes,
        unsafes: parser.unsafes,
        lost: Vec::new(),
        result,
        results: parser.results,
        body,
    };
    super::all(parser.errors)?;
    Ok((kernel, parser.types))
}

struct Parser<'a> {
    role: Role,
    keep: &'a [Ident],
    /// What the module around the function says.
    known: &'a Known,
    /// The path of the library.
    krate: &'a TokenStream,
    variables: Vec<Variable>,
    /// By their names' texts.
    scopes: Vec<HashMap<String, Parts<Id>>>,
    names: Names,
    types: Types,
    errors: Vec<Error>,
    result: Type,
    /// Of a function with several results, the variables that hold them.
    results: Option<Parts<Id>>,
    /// Loops so far, which are numbered.
    loops: usize,
    /// Loops around this place, the innermost last.
    around: Vec<loops::Around>,
    /// Inside of a value: how many loops are around that.
    in_value: Option<usize>,
    /// What an access here has a right by.
    right: Right,
    unsafes: Vec<Span>,
    synchronizes: bool,
}

impl Parser<'_> {
    fn declare(&mut self, name: &Ident, kind: Kind, ty: TypeVar, mutable: bool) -> Id {
        let id = self.declare_one(name, kind, ty, mutable);
        self.scopes.last_mut().expect("one is open").insert(names::text(name), Parts::One(id));
        id
    }

    /// Whether `keep` names it.
    fn is_kept(&self, name: &Ident) -> bool {
        self.keep.iter().any(|keep| names::text(keep) == names::text(name))
    }

    /// A variable that no name finds yet.
    fn declare_one(&mut self, name: &Ident, kind: Kind, ty: TypeVar, mutable: bool) -> Id {
        if let Err(e) = hygiene::check(name) {
            self.errors.push(e);
        }
        let kept = self.is_kept(name);
        let class = match kind {
            Kind::Index(index) if index.axis == 0 && index.of != super::ast::IndexOf::Block => Class::Lin,
            _ => Class::Uniform,
        };
        let id = self.add(name, kind, ty);
        let v = &mut self.variables[id];
        (v.kept, v.mutable, v.class) = (kept, mutable, class);
        id
    }

    /// A variable that only the macro knows, to hold a value of what is called `name`.
    fn temporary(&mut self, name: &Ident, ty: TypeVar) -> Id {
        let id = self.add(name, Kind::Local, ty);
        self.variables[id].temporary = true;
        id
    }

    fn add(&mut self, name: &Ident, kind: Kind, ty: TypeVar) -> Id {
        let id = self.variables.len();
        self.variables.push(Variable {
            name: name.clone(),
            part: String::new(),
            unique: self.names.fresh(name, id),
            temporary: false,
            settles: false,
            kind,
            ty,
            stored: None,
            rows: Shape::default(),
            structure: None,
            kept: false,
            mutable: false,
            class: Class::Uniform,
            path: Vec::new(),
            diverges: None,
        });
        id
    }

    /// The variable, if it is one.
    fn find(&self, name: &Ident) -> Option<Id> {
        self.binding(name)?.one().copied()
    }

    /// What the name stands for.
    fn binding(&self, name: &Ident) -> Option<&Parts<Id>> {
        let name = names::text(name);
        self.scopes.iter().rev().find_map(|scope| scope.get(&name))
    }

    /// The variable, or why there is none.
    fn lookup(&self, name: &Ident) -> Result<Id> {
        self.find(name).ok_or_else(|| {
            Error::new(name.span(), format!("`{name}` is no parameter and no variable of this function"))
        })
    }

    /// Refuses variables in what is computed when the kernel is compiled.
    fn constant(&self, tokens: TokenStream) -> Result<()> {
        names::constant(tokens, |name| self.binding(name).is_some())
    }

    /// Refuses the path of a constant, a table or a function that the expansion would read otherwise.
    fn outside(&self, path: &syn::ExprPath) -> Result<()> {
        let first = &path.path.segments[0].ident;
        if path.path.leading_colon.is_none() {
            hygiene::check(first)?;
        }
        names::no_self(first)?;
        if let Some(of) = &path.qself {
            self.constant(of.ty.to_token_stream())?;
        }
        path.path.segments.iter().try_for_each(|segment| self.constant(segment.arguments.to_token_stream()))
    }

    fn expect(&mut self, span: Span, found: TypeVar, expected: Type) -> Result<()> {
        self.types.expect(span, found, expected)
    }
}
