//! The parser: from Rust's syntax to the tree, with names resolved and types inferred. Anything
//! else is an error.

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
mod parts;
mod references;
mod signature;
mod statement;
mod votes;

pub(super) use expr::bare;
pub(crate) use signature::{is_scalar, is_warp, supplied};

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Error, Result};

use super::ast::{Class, Id, Jump, Kernel, Kind, Right, Shape, TypeVar, Variable};
use super::attributes::Attributes;
use super::header::{self, Role};
use super::hygiene;
use super::inline_functions::InlineFunction;
use super::module_items::ModuleItems;
use super::names::{self, Names};
use super::options::Options;
use super::parts::Parts;
use super::scalar_type::Type;
use super::types::Types;

/// Parses a function. Returns it with the types of its expressions.
pub(crate) fn parse(item: &syn::ItemFn, role: Role, options: &Options) -> Result<(Kernel, Types)> {
    let keep = &options.keep;
    let (attributes, errors) = Attributes::of(item, role);
    let mut parser = Parser {
        role,
        items: &options.items,
        krate: &options.path,
        variables: Vec::new(),
        frame: Frame::new(keep, options.fuse),
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
        let message = "an attribute inside of a kernel is not possible, since its statements are converted: put it \
                       on the function";
        parser.errors.push(Error::new(span, message));
    }
    for name in keep {
        if !parser.frame.kept.contains(&names::text(name)) {
            let error = match parser.is_refused(name) {
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
            let message =
                format!("`{}` is `{}`, and only floats are kept in f32: leave it out of `keep`", v.name, ty.name());
            parser.errors.push(Error::new(v.name.span(), message));
        }
    }
    let kernel = Kernel {
        visibility: item.vis.to_token_stream(),
        attributes,
        name: item.sig.ident.clone(),
        per_thread: options.per_thread,
        variables: parser.variables,
        parameters,
        synchronizes: parser.synchronizes,
        unsafes: parser.unsafes,
        inlined: parser.inlined,
        declared: options.items.function_names(),
        overflows: Vec::new(),
        result,
        results: parser.frame.results,
        body,
    };
    super::all(without_consequences(parser.errors))?;
    Ok((kernel, parser.types))
}

/// The text of an error that only follows from another error, which is dropped if there are others.
const CONSEQUENCE: &str = "the declaration of this name has an error";

fn consequence(span: Span) -> Error {
    Error::new(span, CONSEQUENCE)
}

/// Drops the errors that only follow from others, unless there are no others.
fn without_consequences(errors: Vec<Error>) -> Vec<Error> {
    let (consequences, causes): (Vec<_>, Vec<_>) =
        errors.into_iter().flatten().partition(|e| e.to_string() == CONSEQUENCE);
    if causes.is_empty() { consequences } else { causes }
}

struct Parser<'a> {
    role: Role,
    /// The declarations of the module around the function.
    items: &'a ModuleItems,
    /// The path of the library.
    krate: &'a TokenStream,
    variables: Vec<Variable>,
    frame: Frame<'a>,
    /// The functions whose bodies are parsed at this place.
    inlining: Vec<*const InlineFunction>,
    /// The functions that were inlined, by the names at their calls.
    inlined: Vec<Ident>,
    /// The number of calls so far that may have changed a variable.
    effects: usize,
    names: Names,
    types: Types,
    errors: Vec<Error>,
    /// Parameters that the body changes, `mut x: f32`.
    changed: Vec<Ident>,
    /// The number of loops so far.
    loops: usize,
    unsafes: Vec<Span>,
    synchronizes: bool,
}

/// The names in scope in the body of the converted function or of an inlined one.
struct Frame<'a> {
    keep: &'a [Ident],
    /// `true` if the function has the option `fuse`.
    fuse: bool,
    /// The names in `keep` that were found, by their texts.
    kept: HashSet<String>,
    /// The scopes, the innermost last, by the names' texts.
    scopes: Vec<HashMap<String, Binding>>,
    /// The names in declarations that were refused.
    refused: Vec<Names>,
    /// The function's constant parameters, by their names' texts.
    constants: HashMap<String, (TokenStream, Type)>,
    result: Type,
    /// The variables for the results of an inlined function, or of a function with several.
    results: Option<Parts<Id>>,
    /// The loop around the body of an inlined function, which a `return` leaves.
    returns: Option<Jump>,
    /// The loops around this place, the innermost last.
    around: Vec<loops::Around>,
    /// Inside of a value the number of loops around the value.
    in_value: Option<usize>,
    /// `true` if the function is called inside of a value.
    is_called_in_value: bool,
    /// The right of an access at this place: `Promised` in `unsafe`.
    right: Right,
}

impl<'a> Frame<'a> {
    fn new(keep: &'a [Ident], fuse: bool) -> Self {
        Self {
            keep,
            fuse,
            kept: HashSet::new(),
            scopes: vec![HashMap::new()],
            refused: Vec::new(),
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

/// The meaning of a name.
#[derive(Clone, Debug)]
struct Binding {
    parts: Parts<Id>,
    reference: Option<Reference>,
}

/// The reference type of a parameter that names a variable of the caller.
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

    /// Binds a name in the innermost scope.
    fn name(&mut self, name: &Ident, parts: Parts<Id>, reference: Option<Reference>) {
        let scope = self.frame.scopes.last_mut().expect("one is open");
        scope.insert(names::text(name), Binding { parts, reference });
    }

    /// Returns `true` if `keep` has the name.
    fn is_kept(&mut self, name: &Ident) -> bool {
        let name = names::text(name);
        let kept = self.frame.keep.iter().any(|keep| names::text(keep) == name);
        if kept {
            self.frame.kept.insert(name);
        }
        kept
    }

    /// Adds a variable without binding its name.
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

    /// Adds a variable of the macro, to hold a value of the variable `name`.
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

    /// Returns the variable with this name, if it has no parts.
    fn find(&self, name: &Ident) -> Option<Id> {
        self.binding(name)?.one().copied()
    }

    /// Returns the variables that the name stands for.
    fn binding(&self, name: &Ident) -> Option<&Parts<Id>> {
        Some(&self.stands_for(name)?.parts)
    }

    fn stands_for(&self, name: &Ident) -> Option<&Binding> {
        let name = names::text(name);
        self.frame.scopes.iter().rev().find_map(|scope| scope.get(&name))
    }

    /// Returns the reference type of a parameter that names a variable of the caller.
    fn reference(&self, name: &Ident) -> Option<Reference> {
        self.stands_for(name)?.reference
    }

    /// Returns the variable, or an error if there is none.
    fn lookup(&self, name: &Ident) -> Result<Id> {
        self.find(name).ok_or_else(|| self.nothing(name))
    }

    /// Returns the error about a name that is not bound.
    fn nothing(&self, name: &Ident) -> Error {
        match self.is_refused(name) {
            true => consequence(name.span()),
            false => Error::new(
                name.span(),
                format!(
                    "`{name}` is not declared in this function: write a `let`, or a \
                 parameter"
                ),
            ),
        }
    }

    /// Returns `true` if the declaration of the name was refused.
    fn is_refused(&self, name: &Ident) -> bool {
        self.find(name).is_none() && self.frame.refused.iter().any(|names| names.contains(name))
    }

    /// Notes the names of a declaration that was refused with an error.
    fn note_refused(&mut self, pattern: &syn::Pat) {
        let names = match pattern {
            syn::Pat::Type(typed) => typed.pat.to_token_stream(),
            names => names.to_token_stream(),
        };
        self.frame.refused.push(Names::of(names));
    }

    /// Returns a constant expression, with the values of the function's constant parameters.
    /// Refuses variables in it.
    fn constant(&self, tokens: TokenStream) -> Result<TokenStream> {
        names::constant(tokens.clone(), |name| self.binding(name).is_some())?;
        Ok(names::replace(tokens, &|name| Some(self.frame.constants.get(&names::text(name))?.0.clone())))
    }

    /// Refuses the path of a constant, a table or a function that means something else in the
    /// expansion.
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
    fn a_consequence_is_reported_only_by_itself() {
        let texts = |errors| without_consequences(errors).iter().map(ToString::to_string).collect::<Vec<_>>();
        let (cause, follows) = (|| Error::new(Span::call_site(), "cause"), || consequence(Span::call_site()));
        assert_eq!(texts(vec![follows(), cause(), follows()]), ["cause"]);
        assert_eq!(texts(vec![follows()]), [CONSEQUENCE]);
        assert!(texts(vec![]).is_empty());
        // Errors of several places are combined.
        let mut both = follows();
        both.combine(cause());
        assert_eq!(texts(vec![both]), ["cause"]);
    }
}
