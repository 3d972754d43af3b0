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

use super::super::ast::{Block, Expr, ExprKind, Id, Jump, Kind, Loop, Statement, StatementKind, Type};
use super::super::inlined::{Inlined, returns_nothing};
use super::super::parts::Parts;
use super::super::{header, names};
use super::assign::Place;
use super::expr::called;
use super::references::reference;
use super::several::Value;
use super::signature::scalar;
use super::statement::DROPPED;
use super::{Frame, Parser, Reference};

/// How many calls of such functions a kernel may have, those in the functions included.
const MOST: usize = 500;

/// What a parameter is in a call.
enum Given {
    Value(Value),
    Reference(Parts<Id>, Reference),
}

/// What a call's arguments tell besides.
#[derive(Default)]
pub(super) struct Arguments {
    /// Elements that are passed by reference, and the variables that they are in meanwhile.
    pub(super) elements: Vec<(Place, Id)>,
    /// What is referred to, and how.
    pub(super) referred: Vec<(Id, Reference)>,
    /// The function's own constants, and those that are known.
    pub(super) own: Vec<(String, Type)>,
    pub(super) constants: HashMap<String, (TokenStream, Type)>,
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
        let changes = |f: &Inlined| {
            f.signature.inputs.iter().any(|input| matches!(reference(input), Some((_, Reference::Mutable))))
        };
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
            return Err(Error::new(
                call.span(),
                format!("`{name}` calls itself, and on a device nothing ends that: write a loop"),
            ));
        }
        if self.inlined.len() >= MOST {
            let message =
                format!("these are more than {MOST} calls of functions that become a part of the kernel: write a loop");
            return Err(Error::new(call.span(), message));
        }
        let takes = function.signature.inputs.len();
        if takes != call.args.len() {
            let plural = if takes == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {takes} argument{plural}, found {}", call.args.len());
            return Err(Error::new(call.span(), message));
        }
        let (given, Arguments { elements, constants, .. }) = self.arguments_of(call, function, first)?;
        self.inlined.push(name.clone());
        self.effects += 1;
        let mut frame = Frame::new(&function.keep);
        frame.constants = constants;
        frame.is_called_in_value = self.frame.is_in_value();
        let outer = core::mem::replace(&mut self.frame, frame);
        self.inlining.push(text);
        let errors = self.errors.len();
        let result = self.body_of_call(call.span(), function, given, first);
        self.inlining.pop();
        self.frame = outer;
        let found = self.errors.split_off(errors).into_iter().next();
        match (found, result) {
            (Some(e), _) | (None, Err(e)) => {
                Err(Error::new(call.span(), format!("`{name}`, as it is called here: {e}")))
            }
            (None, Ok(result)) => {
                for (place, id) in elements {
                    let value = self.variable(id, place.span);
                    first.push(self.write(place, value)?);
                }
                Ok(result)
            }
        }
    }

    fn arguments_of(
        &mut self,
        call: &syn::ExprCall,
        function: &Inlined,
        first: &mut Vec<Statement>,
    ) -> Result<(Vec<Given>, Arguments)> {
        let signature = &function.signature;
        let own = own_constants(&signature.generics)?;
        let mut to = Arguments { constants: self.written_constants(call, &own)?, own, ..Arguments::default() };
        let mut all = Vec::new();
        for (input, written) in signature.inputs.iter().zip(&call.args) {
            let (name, ty) = header::parameter(input, super::Role::Function)?;
            let before = all.iter_mut().filter_map(|given| match given {
                Given::Value(value) => Some(value.leaves_mut()),
                Given::Reference(..) => None,
            });
            let before = before.flatten().collect();
            let given = self.in_order(before, first, |parser, first| match reference(input) {
                Some((of, how)) => {
                    let kept = function.keep.iter().any(|keep| names::text(keep) == names::text(name));
                    let parts = parser.referred_to(written, name, &of, how, kept, &mut to, first)?;
                    Ok(Given::Reference(parts, how))
                }
                None => {
                    let ty = parser.type_of_parts(ty)?;
                    let value = parser.value_as(written, &ty.map(&mut |_| ()), first)?;
                    parser.expect_parts(written.span(), &value, &ty)?;
                    Ok(Given::Value(value))
                }
            })?;
            all.push(given);
        }
        if let Some((name, _)) = to.own.iter().find(|(name, _)| !to.constants.contains_key(name)) {
            let message = format!("no argument says what `{name}` is: write `{}::<…>(…)`", signature.ident);
            return Err(Error::new(call.span(), message));
        }
        Ok((all, to))
    }

    /// The function's parameters and its body, and what it returns.
    fn body_of_call(
        &mut self,
        span: Span,
        function: &Inlined,
        given: Vec<Given>,
        first: &mut Vec<Statement>,
    ) -> Result<Option<Value>> {
        let mut lets = Vec::new();
        for (input, given) in function.signature.inputs.iter().zip(given) {
            let (name, _) = header::parameter(input, super::Role::Function)?;
            match given {
                Given::Reference(parts, how) => self.name(name, parts, Some(how)),
                Given::Value(value) => {
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
        Ok(value)
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

    /// Makes the function's own constants known, which by itself have no value.
    pub(super) fn declare_constants(&mut self, generics: &syn::Generics) -> Result<()> {
        for (name, ty) in own_constants(generics)? {
            let value = Ident::new(&name, Span::call_site()).to_token_stream();
            self.frame.constants.insert(name, (value, ty));
        }
        Ok(())
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
            Type::Float => {
                Err(Error::new(constant.ty.span(), "a constant of a function's own is an integer or a `bool`"))
            }
            ty => Ok((names::text(&constant.ident), ty)),
        })
        .collect()
}
