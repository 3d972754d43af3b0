//! Calls of functions that become a part of their callers (`inlined`): the body stands in place of the call, and its parameters name what
//! is the caller's.
//!
//! ```text
//! let s = push(&mut sum, 2.0 * x[t]);        let x' = 2.0 * x[t];      what is passed by value is a variable of the body
//!                                            let result;               what is returned another one
//!                                            'return: loop { … }       the body, in a loop if it has a `return`, which leaves it
//!                                            let s = result;           `sum` is the caller's `sum`, wherever the body names it
//! ```

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned as _;
use syn::{Error, GenericParam, Result};

use super::super::ast::{
    Block, Expr, ExprKind, Id, Jump, Kind, Loop, Shape, Statement, StatementKind, Type,
};
use super::super::inlined::{Inlined, returns_nothing};
use super::super::parts::Parts;
use super::super::{header, names};
use super::assign::Place;
use super::expr::{bare, called, name_of};
use super::several::Value;
use super::signature::{Slice, scalar};
use super::statement::DROPPED;
use super::{Frame, Parser, Reference};

/// How many calls of such functions a kernel may have, those in the functions included.
const MOST: usize = 500;

/// What a reference among the parameters refers to.
pub(super) enum Referred<'t> {
    /// `&[T]`
    Slice(&'t syn::TypeSlice),
    /// `&[T; N]`
    Array(&'t syn::TypeArray),
    /// `&mut T` of a number, a tuple or a structure.
    Value(&'t syn::Type),
}

/// What a parameter has from its call.
enum Given {
    /// So many values came before.
    Value(usize),
    Reference(Parts<Id>, Reference),
}

/// The arguments of a call.
#[derive(Default)]
struct Arguments {
    values: Vec<Value>,
    given: Vec<Given>,
    /// Elements that are passed by reference, and the variables that they are in meanwhile.
    elements: Vec<(Place, Id)>,
    /// What is referred to, and how.
    referred: Vec<(Id, Reference)>,
    /// The function's own constants, and those that are known.
    own: Vec<(String, Type)>,
    constants: HashMap<String, (TokenStream, Type)>,
}

impl Parser<'_> {
    /// Whether the function that is called becomes a part of this one.
    pub(super) fn becomes_a_part(&self, call: &syn::ExprCall) -> bool {
        called(call).is_some_and(|name| self.binding(name).is_none() && self.known.inlined(name).is_some())
    }

    /// Whether it is a function of this module without a result.
    pub(super) fn returns_nothing(&self, call: &syn::ExprCall) -> bool {
        called(call).and_then(|name| self.known.function(name)).is_some_and(|f| returns_nothing(&f.output))
    }

    /// The call as a statement.
    pub(super) fn called_for_its_effects(&mut self, call: &syn::ExprCall) -> Result<StatementKind> {
        let function = called(call).and_then(|name| self.known.inlined(name));
        let changes = |f: &Inlined| f.signature.inputs.iter().any(|input| matches!(reference(input), Some((_, Reference::Mutable))));
        if function.is_some_and(|f| f.must_use || !returns_nothing(&f.signature.output) && !changes(f)) {
            return Err(Error::new(call.span(), DROPPED));
        }
        let mut statements = Vec::new();
        self.inline(call, &mut statements)?;
        Ok(StatementKind::Block(Block { statements, tail: None }))
    }

    /// The call as a value.
    pub(super) fn inlined_value(&mut self, call: &syn::ExprCall, first: &mut Vec<Statement>) -> Result<Value> {
        let value = self.inline(call, first)?;
        value.ok_or_else(|| Error::new(call.span(), "this returns nothing, and a value is needed here"))
    }

    /// The body in place of the call, which comes `first`, and what it returns.
    pub(super) fn inline(&mut self, call: &syn::ExprCall, first: &mut Vec<Statement>) -> Result<Option<Value>> {
        let known = self.known;
        let Some((name, function)) = called(call).and_then(|name| Some((name, known.inlined(name)?))) else {
            unreachable!("only such functions come here");
        };
        let text = names::text(name);
        if self.inlining.contains(&text) {
            let message = format!("`{name}` calls itself, by `{}`, and on a device nothing ends that", self.inlining.join("`, `"));
            return Err(Error::new(call.span(), message));
        }
        if self.inlined.len() >= MOST {
            let message = format!("these are more than {MOST} calls of functions that become a part of the kernel: write a loop");
            return Err(Error::new(call.span(), message));
        }
        let takes = function.signature.inputs.len();
        if takes != call.args.len() {
            let plural = if takes == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {takes} argument{plural}, found {}", call.args.len());
            return Err(Error::new(call.span(), message));
        }
        let arguments = self.all_arguments(call, function, first)?;
        self.inlined.push(name.clone());
        self.effects += 1;
        let mut frame = Frame::new(&function.keep);
        frame.constants.clone_from(&arguments.constants);
        frame.is_called_in_value = self.frame.is_in_value();
        let outer = core::mem::replace(&mut self.frame, frame);
        self.inlining.push(text);
        let errors = self.errors.len();
        let result = self.body_of_call(call.span(), function, arguments, first);
        self.inlining.pop();
        self.frame = outer;
        let found = self.errors.split_off(errors).into_iter().next();
        match (found, result) {
            (Some(e), _) | (None, Err(e)) => Err(Error::new(call.span(), format!("`{name}`, as it is called here: {e}"))),
            (None, Ok((result, elements))) => {
                for (place, id) in elements {
                    let value = self.variable(id, place.span);
                    first.push(self.write(place, value)?);
                }
                Ok(result)
            }
        }
    }

    fn all_arguments(&mut self, call: &syn::ExprCall, function: &Inlined, first: &mut Vec<Statement>) -> Result<Arguments> {
        let signature = &function.signature;
        let own = own_constants(&signature.generics)?;
        let mut to = Arguments { constants: self.written_constants(call, &own)?, own, ..Arguments::default() };
        for (input, written) in signature.inputs.iter().zip(&call.args) {
            let (name, ty) = header::parameter(input, super::Role::Function)?;
            let mut values = core::mem::take(&mut to.values);
            let given = self.in_order(&mut values, first, |parser, first| match reference(input) {
                Some((of, how)) => {
                    let kept = function.keep.iter().any(|keep| names::text(keep) == names::text(name));
                    parser.referred_to(written, name, &of, how, kept, &mut to, first).map(|parts| Err((parts, how)))
                }
                None => {
                    let ty = parser.type_of_parts(ty)?;
                    let value = parser.value_as(written, &ty.map(&mut |_| ()), first)?;
                    parser.expect_parts(written.span(), &value, &ty)?;
                    Ok(Ok(value))
                }
            })?;
            to.values = values;
            to.given.push(match given {
                Ok(value) => {
                    to.values.push(value);
                    Given::Value(to.values.len() - 1)
                }
                Err((parts, how)) => Given::Reference(parts, how),
            });
        }
        if let Some((name, _)) = to.own.iter().find(|(name, _)| !to.constants.contains_key(name)) {
            let message = format!("no argument says what `{name}` is: write `{}::<…>(…)`", signature.ident);
            return Err(Error::new(call.span(), message));
        }
        Ok(to)
    }

    /// The function's parameters and its body; the result, and the elements that are to be written back.
    fn body_of_call(
        &mut self,
        span: Span,
        function: &Inlined,
        arguments: Arguments,
        first: &mut Vec<Statement>,
    ) -> Result<(Option<Value>, Vec<(Place, Id)>)> {
        let mut values: Vec<_> = arguments.values.into_iter().map(Some).collect();
        let mut lets = Vec::new();
        for (input, given) in function.signature.inputs.iter().zip(arguments.given) {
            let (name, _) = header::parameter(input, super::Role::Function)?;
            match given {
                Given::Reference(parts, how) => self.name(name, parts, Some(how)),
                Given::Value(i) => {
                    let value = values[i].take().expect("each is given once");
                    let ids = self.declare_parts(name, &Kind::Local, &value.map(&mut |part| part.ty), false)?;
                    for (&id, part) in ids.leaves().into_iter().zip(value.into_leaves()) {
                        lets.push(Statement { span: part.span, kind: StatementKind::Let(id, part) });
                    }
                }
            }
        }
        let results = match &function.signature.output {
            output if returns_nothing(output) => None,
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.type_of_parts(ty)?.map(&mut |&ty| {
                let ty = self.types.known(ty);
                let id = self.temporary(&Ident::new("result", span), ty);
                (self.variables[id].mutable, self.variables[id].returned) = (true, true);
                first.push(Statement { kind: StatementKind::Let(id, self.make(span, ExprKind::Unset, ty)), span });
                id
            })),
        };
        self.frame.results.clone_from(&results);
        let value = results.as_ref().map(|ids| ids.map(&mut |&id| self.variable(id, span)));
        let returns = names::position(function.body.to_token_stream(), "return").is_some();
        let number = returns.then(|| self.body_as_a_loop(span));
        let mut body = match &results {
            Some(results) => self.block_into(&function.body, results),
            None => self.block(&function.body),
        };
        if let Some(tail) = body.tail {
            return Err(Error::new(tail.span, DROPPED));
        }
        lets.append(&mut body.statements);
        let kind = match (number, self.frame.returns.take()) {
            (Some(id), Some(jump)) => {
                let label = jump.label.clone();
                lets.push(Statement { kind: StatementKind::Break(jump), span });
                let body = Block { statements: lets, tail: None };
                StatementKind::While(None, Loop { label, body, id, divergent: false, path: Vec::new() })
            }
            _ => StatementKind::Block(Block { statements: lets, tail: None }),
        };
        first.push(Statement { kind, span });
        Ok((value, arguments.elements))
    }

    /// Lets a `return` leave a loop of one round, which has the number that is returned.
    fn body_as_a_loop(&mut self, span: Span) -> usize {
        self.loops += 1;
        let label = syn::Lifetime::new(&format!("'__return_{}", self.loops), span).to_token_stream();
        self.frame.returns = Some(Jump { to: self.loops, label: Some(label), masked: false });
        self.loops
    }

    /// The function's own constants that the call writes, as in `f::<4>(x)`.
    fn written_constants(
        &mut self,
        call: &syn::ExprCall,
        own: &[(String, Type)],
    ) -> Result<HashMap<String, (TokenStream, Type)>> {
        let syn::Expr::Path(path) = &*call.func else { return Ok(HashMap::new()) };
        let written = match path.path.segments.last().map(|segment| &segment.arguments) {
            Some(syn::PathArguments::AngleBracketed(written)) => &written.args,
            _ => return Ok(HashMap::new()),
        };
        if written.len() != own.len() {
            let message = format!("{} constants, and the function has {}", written.len(), own.len());
            return Err(Error::new(written.span(), message));
        }
        let constants = own.iter().zip(written).map(|((name, ty), value)| {
            let value = match value {
                // A block of one number is that number.
                syn::GenericArgument::Const(syn::Expr::Block(block)) => match &block.block.stmts[..] {
                    [syn::Stmt::Expr(e, None)] => e.to_token_stream(),
                    _ => block.to_token_stream(),
                },
                value => value.to_token_stream(),
            };
            Ok((name.clone(), (self.constant(value)?, *ty)))
        });
        constants.collect()
    }

    /// What an argument refers to: variables, or elements, which are variables for as long as the call takes.
    #[expect(clippy::too_many_arguments, reason = "the parameter, and what is known of it")]
    fn referred_to(
        &mut self,
        written: &syn::Expr,
        parameter: &Ident,
        of: &Referred<'_>,
        how: Reference,
        kept: bool,
        to: &mut Arguments,
        first: &mut Vec<Statement>,
    ) -> Result<Parts<Id>> {
        let place = self.behind_reference(written, how)?;
        let parts = match of {
            Referred::Value(ty) => {
                let ty = self.type_of_parts(ty)?;
                let places = self.place(place, first)?;
                if !places.is_like(&ty) {
                    let found = places.map(&mut |place| self.types.get(self.variables[place.id].ty)).name();
                    return Err(Error::new(place.span(), format!("expected `{}`, found `{found}`", ty.name())));
                }
                for (place, &&ty) in places.leaves().into_iter().zip(&ty.leaves()) {
                    self.expect(place.span, self.variables[place.id].ty, ty)?;
                    self.same_precision(place.id, place.span, parameter, kept)?;
                    self.refers(place.id, place.span, how, to)?;
                }
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
        let message = match v.kind {
            Kind::In if how == Reference::Mutable => format!("`{name}` is an input, and the function writes to it"),
            Kind::Array(_) if how == Reference::Mutable && !v.mutable => {
                format!("`{name}` is not mutable: declare it `let mut {name}`")
            }
            Kind::In | Kind::Out | Kind::Shared(_) | Kind::Array(_) => match (how, self.reference(name)) {
                (Reference::Mutable, Some(Reference::Shared)) => {
                    format!("`{name}` is a `&` here, and the function writes to it: take a `&mut`")
                }
                _ => return Ok((id, name.span())),
            },
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
        let twice = |&(other, before): &(Id, Reference)| other == id && (how, before) != (Reference::Shared, Reference::Shared);
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
            return Err(Error::new(span, format!("the elements of `{name}` are others than those of the function's parameter")));
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
            let message = format!("`{}` is a slice, and the function takes an array: let it take a slice, `&[f32]`", v.name);
            return Err(Error::new(span, message));
        };
        let shape = shape.clone();
        let mut same = shape.0.len() == lengths.len();
        for (found, length) in shape.0.iter().zip(&lengths) {
            let own = match length {
                syn::Expr::Path(path) => name_of(path).filter(|name| own.iter().any(|(own, _)| *own == names::text(name))),
                _ => None,
            };
            let expected = match own {
                Some(name) => constants.entry(names::text(name)).or_insert_with(|| (found.clone(), Type::USIZE)).0.clone(),
                None => length.to_token_stream(),
            };
            let expected = names::replace(expected, &|name| Some(constants.get(&names::text(name))?.0.clone()));
            same &= expected.to_string() == found.to_string();
        }
        if !same {
            let expected = Shape(lengths.iter().map(|length| length.to_token_stream()).collect());
            let message = format!("`{}` is an array of {shape}, and the function takes one of {expected}", self.variables[id].name);
            return Err(Error::new(span, message));
        }
        self.expect(span, self.variables[id].ty, ty)
    }

    /// A constant of the function's own, as a value.
    pub(super) fn own_constant(&mut self, span: Span, value: TokenStream, ty: Type) -> Expr {
        let kind = match syn::parse2::<syn::Lit>(value.clone()) {
            Ok(syn::Lit::Int(lit)) => ExprKind::Int(lit.base10_digits().to_owned()),
            Ok(syn::Lit::Bool(lit)) => ExprKind::Bool(lit.value),
            _ => ExprKind::Constant(quote!({ #value })),
        };
        let ty = self.types.known(ty);
        self.make(span, kind, ty)
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

    /// Makes the function's own constants known, which by itself have no value.
    pub(super) fn declare_constants(&mut self, generics: &syn::Generics) -> Result<()> {
        for (name, ty) in own_constants(generics)? {
            let value = Ident::new(&name, Span::call_site()).to_token_stream();
            self.frame.constants.insert(name, (value, ty));
        }
        Ok(())
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

/// The names and the types of a function's own constants.
fn own_constants(generics: &syn::Generics) -> Result<Vec<(String, Type)>> {
    let constants = generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Const(constant) => Some(constant),
        _ => None,
    });
    constants
        .map(|constant| match scalar(&constant.ty)? {
            Type::Float => Err(Error::new(constant.ty.span(), "a constant of a function's own is an integer or a `bool`")),
            ty => Ok((names::text(&constant.ident), ty)),
        })
        .collect()
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
