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
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, GenericParam, Result, ReturnType, Token};

use super::super::ast::{Block, Expr, ExprKind, Id, Jump, Loop, Statement, StatementKind, Type, TypeVar};
use super::super::inlined::{Inlined, returns_nothing};
use super::super::parts::Parts;
use super::super::{header, names};
use super::assign::Place;
use super::callee::Callee;
use super::expr::bare;
use super::references::{Referred, reference};
use super::several::Value;
use super::signature::scalar;
use super::statement::{DROPPED, unwanted};
use super::{Frame, Parser, Reference, told};

/// How many calls of such functions a kernel may have, those in the functions included.
const MOST: usize = 500;

/// What a parameter is in a call.
enum Given {
    /// A value, which the body may call a reference.
    Value(Value, Option<Reference>),
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
    /// The function's own types, and what they are.
    pub(super) types: Vec<(String, Option<TypeVar>)>,
}

impl Arguments {
    /// Which of the function's own types this is.
    pub(super) fn own_type(&self, ty: &syn::Type) -> Option<usize> {
        let syn::Type::Path(path) = header::bare(ty) else { return None };
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        self.types.iter().position(|(own, _)| *own == names::text(name))
    }
}

impl<'a> Parser<'a> {
    /// The call as a statement.
    pub(super) fn called_for_its_effects(&mut self, callee: &Callee<'a, '_>) -> Result<StatementKind> {
        let function = callee.function;
        let mut inputs = function.signature.inputs.iter();
        let changes = inputs.any(|input| matches!(reference(input), Some((_, Reference::Mutable))));
        if function.must_use || !callee.returns_nothing() && !changes {
            return Err(Error::new(callee.span, DROPPED));
        }
        let mut statements = Vec::new();
        self.inline(callee, &mut statements)?;
        Ok(StatementKind::Block(Block { statements, tail: None }))
    }

    /// The call as a value.
    pub(super) fn inlined_value(&mut self, callee: &Callee<'a, '_>, first: &mut Vec<Statement>) -> Result<Value> {
        let value = self.inline(callee, first)?;
        value.ok_or_else(|| Error::new(callee.span, "this returns nothing, and a value is needed here"))
    }

    /// The body in place of the call, which comes `first`, and what it returns.
    fn inline(&mut self, callee: &Callee<'a, '_>, first: &mut Vec<Statement>) -> Result<Option<Value>> {
        let Callee { function, name, span, .. } = callee;
        let refuse = |message: String| Err(Error::new(*span, message));
        let address = core::ptr::from_ref::<Inlined>(function);
        if self.inlining.contains(&address) {
            return refuse(format!("`{name}` calls itself, and on a device nothing ends that: write a loop"));
        }
        if self.effects >= MOST {
            let message = "calls of functions that become a part of the kernel: write a loop";
            return refuse(format!("these are more than {MOST} {message}"));
        }
        let receiver = usize::from(callee.is_method);
        let [takes, found] =
            [function.signature.inputs.len(), callee.arguments.len()].map(|n| n.saturating_sub(receiver));
        if takes != found {
            let plural = if takes == 1 { "" } else { "s" };
            return refuse(format!("`{name}` takes {takes} argument{plural}, found {found}"));
        }
        let (given, Arguments { elements, constants, types, .. }) = self.arguments_of(callee, first)?;
        let with_types: (ReturnType, syn::Block);
        let (output, body) = match types.is_empty() {
            true => (&function.signature.output, &function.body),
            false => {
                let types = self.decided_types(types, *span)?;
                let known = |name: &Ident| types.get(&names::text(name)).cloned();
                let output = function.with(&function.signature.output, &known)?;
                with_types = (output, function.with(&function.body, &known)?);
                (&with_types.0, &with_types.1)
            }
        };
        self.inlined.extend(callee.witness.cloned());
        self.effects += 1;
        let mut frame = Frame::new(&function.keep);
        frame.constants = constants;
        frame.is_called_in_value = self.frame.is_in_value();
        let outer = core::mem::replace(&mut self.frame, frame);
        self.inlining.push(address);
        let errors = self.errors.len();
        let result = self.body_of_call(*span, (&function.signature.inputs, given), output, body, first);
        self.inlining.pop();
        self.frame = outer;
        let found = told(self.errors.split_off(errors)).into_iter().next();
        match (found, result) {
            (Some(e), _) | (None, Err(e)) => refuse(format!("`{name}`, as it is called here: {e}")),
            (None, Ok(result)) => {
                for (place, id) in elements {
                    let value = self.variable(id, place.span);
                    first.push(self.write(place, value)?);
                }
                Ok(result)
            }
        }
    }

    fn arguments_of(&mut self, callee: &Callee<'a, '_>, first: &mut Vec<Statement>) -> Result<(Vec<Given>, Arguments)> {
        let function = callee.function;
        let signature = &function.signature;
        let own = own_constants(&signature.generics)?;
        let mut to = Arguments { own, ..Arguments::default() };
        to.types.extend(function.types.iter().map(|name| (names::text(name), None)));
        self.written_generics(callee, &mut to)?;
        let mut all = Vec::new();
        for (i, (input, written)) in signature.inputs.iter().zip(&callee.arguments).enumerate() {
            // A receiver is a reference by itself.
            let sign = !(callee.is_method && i == 0);
            let (name, ty) = header::parameter(input, super::Role::Function)?;
            let before = all.iter_mut().filter_map(|given| match given {
                Given::Value(value, _) => Some(value.leaves_mut()),
                Given::Reference(..) => None,
            });
            let before = before.flatten().collect();
            let given = self.in_order(before, first, |parser, first| match reference(input) {
                Some((Referred::Value(ty), Reference::Shared)) => {
                    let value = parser.copied(written, ty, sign, &mut to, first)?;
                    Ok(Given::Value(value, Some(Reference::Shared)))
                }
                Some((of, how)) => {
                    let kept = function.keep.iter().any(|keep| names::text(keep) == names::text(name));
                    let parts = parser.referred_to((written, sign), name, &of, how, kept, &mut to, first)?;
                    Ok(Given::Reference(parts, how))
                }
                None => Ok(Given::Value(parser.copied(written, ty, sign, &mut to, first)?, None)),
            })?;
            all.push(given);
        }
        let constant = to.own.iter().map(|(name, _)| name).find(|name| !to.constants.contains_key(*name));
        let ty = to.types.iter().find(|(_, ty)| ty.is_none()).map(|(name, _)| name);
        if let Some(name) = constant.or(ty) {
            let message = format!("no argument says what `{name}` is: write `{}::<…>(…)`", signature.ident);
            return Err(Error::new(callee.span, message));
        }
        Ok((all, to))
    }

    /// A value that is passed, behind a `&` or not; a receiver may be the name of a reference.
    fn copied(
        &mut self,
        written: &syn::Expr,
        ty: &syn::Type,
        sign: bool,
        to: &mut Arguments,
        first: &mut Vec<Statement>,
    ) -> Result<Value> {
        let ty = match header::bare(ty) {
            syn::Type::Reference(reference) => &*reference.elem,
            ty => ty,
        };
        if let Some(own) = to.own_type(ty) {
            let value = self.value_as(written, &Parts::One(()), first)?;
            let Parts::One(one) = &value else { return Err(Error::new(written.span(), ONE_NUMBER)) };
            self.is_own_type(to, own, written.span(), one.ty)?;
            return Ok(value);
        }
        let ty = self.type_of_parts(ty)?;
        let value = match bare(written) {
            syn::Expr::Path(path) if !sign && ty.is_several() => self.named_parts(path)?,
            syn::Expr::Reference(e) if sign && e.mutability.is_none() => {
                self.value_as(&e.expr, &ty.map(&mut |_| ()), first)?
            }
            e => self.value_as(e, &ty.map(&mut |_| ()), first)?,
        };
        self.expect_parts(written.span(), &value, &ty)?;
        Ok(value)
    }

    /// The function's parameters and its body, and what it returns.
    fn body_of_call(
        &mut self,
        span: Span,
        (inputs, given): (&Punctuated<syn::FnArg, Token![,]>, Vec<Given>),
        output: &ReturnType,
        body: &syn::Block,
        first: &mut Vec<Statement>,
    ) -> Result<Option<Value>> {
        let mut lets = Vec::new();
        for (input, given) in inputs.iter().zip(given) {
            let (name, _) = header::parameter(input, super::Role::Function)?;
            let mutable = header::constant(input).is_some();
            match given {
                Given::Reference(parts, how) => self.name(name, parts, Some(how)),
                Given::Value(value, how) => {
                    let ids = self.let_parts(name, value, mutable, &mut lets)?;
                    self.name(name, ids, how);
                }
            }
        }
        let results = match output {
            output if returns_nothing(output) => None,
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(self.type_of_parts(ty)?.map(&mut |&ty| {
                let ty = self.types.known(ty);
                let id = self.temporary(&Ident::new("result", span), ty);
                (self.variables[id].mutable, self.variables[id].returned) = (true, true);
                first.push(Statement { kind: StatementKind::Let(id, self.make(span, ExprKind::Unset, ty)), span });
                id
            })),
        };
        self.frame.results.clone_from(&results);
        let value = results.as_ref().map(|ids| ids.map(&mut |&id| self.variable(id, span)));
        let returns = names::position(body.to_token_stream(), "return").is_some();
        let number = returns.then(|| self.body_as_a_loop(span));
        let mut block = match &results {
            Some(results) => self.block_into(body, results),
            None => self.block(body),
        };
        if let Some(tail) = block.tail {
            return Err(unwanted(&tail, DROPPED));
        }
        lets.append(&mut block.statements);
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

    /// The function's own constants and types that the call writes, as in `f::<4>(x)`.
    fn written_generics(&mut self, callee: &Callee<'a, '_>, to: &mut Arguments) -> Result<()> {
        let Some(written) = callee.constants.map(|written| &written.args) else { return Ok(()) };
        let generics = &callee.function.signature.generics;
        if written.len() != generics.params.len() {
            let what = if to.types.is_empty() { "constants" } else { "types and constants" };
            let message = format!("{} {what}, and the function has {}", written.len(), generics.params.len());
            return Err(Error::new(written.span(), message));
        }
        for (parameter, value) in generics.params.iter().zip(written) {
            let value = match (parameter, value) {
                (GenericParam::Type(_), syn::GenericArgument::Type(syn::Type::Infer(_))) => continue,
                (GenericParam::Type(of), syn::GenericArgument::Type(ty)) => {
                    let ty = self.types.known(scalar(ty)?);
                    let own = to.types.iter_mut().find(|(name, _)| *name == names::text(&of.ident));
                    own.expect("all of them are there").1 = Some(ty);
                    continue;
                }
                // A block of one number is that number.
                (_, syn::GenericArgument::Const(syn::Expr::Block(block))) => match &block.block.stmts[..] {
                    [syn::Stmt::Expr(e, None)] => e.to_token_stream(),
                    _ => block.to_token_stream(),
                },
                (_, value) => value.to_token_stream(),
            };
            let value = self.constant(value)?;
            if let GenericParam::Const(of) = parameter
                && let Some((name, ty)) = to.own.iter().find(|(name, _)| *name == names::text(&of.ident))
            {
                to.constants.insert(name.clone(), (value, *ty));
            }
        }
        Ok(())
    }

    /// Says that a value, or what is referred to, has this of the function's own types.
    pub(super) fn is_own_type(&mut self, to: &mut Arguments, own: usize, span: Span, ty: TypeVar) -> Result<()> {
        match to.types[own].1 {
            Some(known) => self.types.unify(span, ty, known),
            None => {
                to.types[own].1 = Some(ty);
                Ok(())
            }
        }
    }

    /// What the function's own types are; a literal that nothing tells more about is an `i32`, or f32.
    fn decided_types(
        &mut self,
        types: Vec<(String, Option<TypeVar>)>,
        span: Span,
    ) -> Result<HashMap<String, TokenStream>> {
        let decided = types.into_iter().filter_map(|(name, ty)| Some((name, ty?))).map(|(name, ty)| {
            let found = self.types.get(ty);
            self.expect(span, ty, found)?;
            Ok((name, Ident::new(found.name(), span).into_token_stream()))
        });
        decided.collect()
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

/// What a function's own type cannot be.
pub(super) const ONE_NUMBER: &str = "a type of a function's own is that of a number or a truth value: write a function of this type, or pass parts, as `.x`";

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
