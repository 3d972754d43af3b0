//! From Rust's syntax to ours: names resolved, types inferred, and a complaint about everything else.

mod arrays;
mod assign;
mod atomics;
mod call;
mod callee;
mod cuda;
mod elements;
mod expr;
mod inline;
mod loops;
mod matches;
mod methods;
mod references;
mod several;
mod signature;
mod statement;
mod votes;

pub(crate) use signature::{is_scalar, supplied};

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Error, Result};

use super::ast::{Class, Id, Jump, Kernel, Kind, Right, Shape, Type, TypeVar, Variable};
use super::attributes::Attributes;
use super::header::{self, Role};
use super::hygiene;
use super::inlined::Inlined;
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
        known: &options.known,
        krate: &options.path,
        variables: Vec::new(),
        frame: Frame::new(keep),
        inlining: Vec::new(),
        inlined: Vec::new(),
        effects: 0,
        names: Names::of(item.to_token_stream()),
        types: Types::default(),
        errors,
        changed: Vec::new(),
        loops: 0,
        unsafes: Vec::new(),
        synchronizes: false,
    };
    let (parameters, result) = parser.signature(item);
    parser.frame.result = result;
    let variables = parser.variables_of_parameters();
    let mut body = parser.function_body(&item.block);
    body.statements.splice(..0, variables);
    if let Some(span) = header::attribute_in(item.block.to_token_stream(), false) {
        let message = "no attributes inside of a kernel: its statements are converted, and there is nothing to attach this to; \
                       put it on the function";
        parser.errors.push(Error::new(span, message));
    }
    for name in keep {
        if !parser.frame.kept.contains(&names::text(name)) {
            let error = match parser.is_lost(name) {
                true => consequence(name.span()),
                false => {
                    Error::new(name.span(), format!("`{}` has no variable `{name}` to keep in f32", item.sig.ident))
                }
            };
            parser.errors.push(error);
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
        inlined: parser.inlined,
        lost: Vec::new(),
        result,
        results: parser.frame.results,
        body,
    };
    super::all(told(parser.errors))?;
    Ok((kernel, parser.types))
}

/// The text, by which it is known, of an error that only follows from another one.
const CONSEQUENCE: &str = "what this names was refused where it is declared";

fn consequence(span: Span) -> Error {
    Error::new(span, CONSEQUENCE)
}

/// Drops the errors that only follow from others, unless nothing would be told then.
fn told(errors: Vec<Error>) -> Vec<Error> {
    let (consequences, causes): (Vec<_>, Vec<_>) =
        errors.into_iter().flatten().partition(|e| e.to_string() == CONSEQUENCE);
    if causes.is_empty() { consequences } else { causes }
}

struct Parser<'a> {
    role: Role,
    /// What the module around the function says.
    known: &'a Known,
    /// The path of the library.
    krate: &'a TokenStream,
    variables: Vec<Variable>,
    frame: Frame<'a>,
    /// The functions whose bodies are parsed here, in place of calls.
    inlining: Vec<*const Inlined>,
    /// Those that were, and where they were called.
    inlined: Vec<Ident>,
    /// How many calls so far may have changed a variable.
    effects: usize,
    names: Names,
    types: Types,
    errors: Vec<Error>,
    /// Parameters that the body changes, `mut x: f32`.
    changed: Vec<Ident>,
    /// Loops so far, which are numbered.
    loops: usize,
    unsafes: Vec<Span>,
    synchronizes: bool,
}

/// What a body sees, of the function that is converted or of one that becomes a part of it, and of nothing around that.
struct Frame<'a> {
    keep: &'a [Ident],
    /// What `keep` names and was found, by the names' texts.
    kept: HashSet<String>,
    /// By their names' texts.
    scopes: Vec<HashMap<String, Binding>>,
    /// The names in declarations that were refused.
    lost: Vec<Names>,
    /// The function's own constants, by their names' texts.
    constants: HashMap<String, (TokenStream, Type)>,
    result: Type,
    /// Of a function with several results, or of one that becomes a part of its caller, the variables that hold them.
    results: Option<Parts<Id>>,
    /// Of a function that becomes a part of its caller, the loop that stands for its body, which a return leaves.
    returns: Option<Jump>,
    /// Loops around this place, the innermost last.
    around: Vec<loops::Around>,
    /// Inside of a value: how many loops are around that.
    in_value: Option<usize>,
    /// Whether the function is called inside of a value.
    is_called_in_value: bool,
    /// What an access here has a right by.
    right: Right,
}

impl<'a> Frame<'a> {
    fn new(keep: &'a [Ident]) -> Self {
        Self {
            keep,
            kept: HashSet::new(),
            scopes: vec![HashMap::new()],
            lost: Vec::new(),
            constants: HashMap::new(),
            result: Type::Unit,
            results: None,
            returns: None,
            around: Vec::new(),
            in_value: None,
            is_called_in_value: false,
            right: Right::None,
        }
    }

    fn is_in_value(&self) -> bool {
        self.in_value.is_some() || self.is_called_in_value
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
struct Binding {
    parts: Parts<Id>,
    reference: Option<Reference>,
}

/// Of a parameter that names what is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reference {
    /// `&T`
    Shared,
    /// `&mut T`
    Mutable,
}

impl Parser<'_> {
    fn declare(&mut self, name: &Ident, kind: Kind, ty: TypeVar, mutable: bool) -> Id {
        let id = self.declare_one(name, kind, ty, mutable);
        self.name(name, Parts::One(id), None);
        id
    }

    /// Lets a name stand for something.
    fn name(&mut self, name: &Ident, parts: Parts<Id>, reference: Option<Reference>) {
        let scope = self.frame.scopes.last_mut().expect("one is open");
        scope.insert(names::text(name), Binding { parts, reference });
    }

    /// Whether `keep` names it.
    fn is_kept(&mut self, name: &Ident) -> bool {
        let name = names::text(name);
        let kept = self.frame.keep.iter().any(|keep| names::text(keep) == name);
        if kept {
            self.frame.kept.insert(name);
        }
        kept
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
            returned: false,
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
        Some(&self.stands_for(name)?.parts)
    }

    fn stands_for(&self, name: &Ident) -> Option<&Binding> {
        let name = names::text(name);
        self.frame.scopes.iter().rev().find_map(|scope| scope.get(&name))
    }

    /// Whether the name is a parameter that names what is the caller's, and how.
    fn reference(&self, name: &Ident) -> Option<Reference> {
        self.stands_for(name)?.reference
    }

    /// The variable, or why there is none.
    fn lookup(&self, name: &Ident) -> Result<Id> {
        self.find(name).ok_or_else(|| self.nothing(name))
    }

    /// Why the name stands for nothing.
    fn nothing(&self, name: &Ident) -> Error {
        match self.is_lost(name) {
            true => consequence(name.span()),
            false => Error::new(name.span(), format!("`{name}` is no parameter and no variable of this function")),
        }
    }

    /// Whether the name would stand for something if that had not been refused.
    fn is_lost(&self, name: &Ident) -> bool {
        self.find(name).is_none() && self.frame.lost.iter().any(|names| names.contains(name))
    }

    /// Notes the names of a declaration that was refused, of which that has been told.
    fn lose(&mut self, pattern: &syn::Pat) {
        let names = match pattern {
            syn::Pat::Type(typed) => typed.pat.to_token_stream(),
            names => names.to_token_stream(),
        };
        self.frame.lost.push(Names::of(names));
    }

    /// What is computed when the kernel is compiled, with the values of the function's own constants; refuses variables in it.
    fn constant(&self, tokens: TokenStream) -> Result<TokenStream> {
        names::constant(tokens.clone(), |name| self.binding(name).is_some())?;
        Ok(names::replace(tokens, &|name| Some(self.frame.constants.get(&names::text(name))?.0.clone())))
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
        path.path.segments.iter().try_for_each(|segment| self.constant(segment.arguments.to_token_stream()).map(drop))
    }

    fn expect(&mut self, span: Span, found: TypeVar, expected: Type) -> Result<()> {
        self.types.expect(span, found, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_follows_is_told_where_nothing_else_is() {
        let texts = |errors| told(errors).iter().map(ToString::to_string).collect::<Vec<_>>();
        let (cause, follows) = (|| Error::new(Span::call_site(), "cause"), || consequence(Span::call_site()));
        assert_eq!(texts(vec![follows(), cause(), follows()]), ["cause"]);
        assert_eq!(texts(vec![follows()]), [CONSEQUENCE]);
        assert!(texts(vec![]).is_empty());
        // As errors of several places are told at once.
        let mut both = follows();
        both.combine(cause());
        assert_eq!(texts(vec![both]), ["cause"]);
    }
}
