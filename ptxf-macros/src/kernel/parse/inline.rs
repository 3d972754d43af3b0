//! Calls of inlined functions (`inline_functions`): the body stands in place of the call, and its
//! parameters name variables of the caller.
//!
//! ```text
//! let s = push(&mut sum, 2.0 * x[t]);
//!
//! let x' = 2.0 * x[t];      an argument by value is a variable of the body
//! let result;               the result is another variable
//! 'return: loop { … }       the body, in a loop if it has a `return`, which leaves the loop
//! let s = result;           the body's `sum` is the caller's `sum`
//! ```

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Error, GenericParam, Result, ReturnType, Token};

use super::super::ast::{Block, Expr, ExprKind, Id, Jump, Loop, Statement, StatementKind, TypeVar};
use super::super::inline_functions::{InlineFunction, returns_nothing};
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::super::{header, names};
use super::assign::Place;
use super::callee::Callee;
use super::expr::bare;
use super::parts::Value;
use super::references::{Referred, reference};
use super::signature::scalar;
use super::statement::{DROPPED, unwanted};
use super::{Frame, Parser, Reference, without_consequences};

/// The largest number of inlined calls in a kernel, including those in inlined functions.
const MOST: usize = 500;

/// An argument of a call.
enum Given {
    /// A value. The body may have a `&` parameter for it.
    Value(Value, Option<Reference>),
    Reference(Parts<Id>, Reference),
}

/// The facts that the arguments of a call determine.
#[derive(Default)]
pub(super) struct Arguments {
    /// Elements that are passed by reference, and the variables that hold them during the call.
    pub(super) elements: Vec<(Place, Id)>,
    /// The variables that references refer to, and the types of the references.
    pub(super) referred: Vec<(Id, Reference)>,
    /// The function's constant parameters, and their values.
    pub(super) own: Vec<(String, Type)>,
    pub(super) constants: HashMap<String, (TokenStream, Type)>,
    /// The function's type parameters, and their types.
    pub(super) types: Vec<(String, Option<TypeVar>)>,
}

impl Arguments {
    /// Returns the number of the type parameter that a type is.
    pub(super) fn own_type(&self, ty: &syn::Type) -> Option<usize> {
        let syn::Type::Path(path) = header::bare(ty) else { return None };
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        self.types.iter().position(|(own, _)| *own == names::text(name))
    }
}

impl<'a> Parser<'a> {
    /// Parses the call as a statement.
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

    /// Parses the call as a value.
    pub(super) fn inlined_value(&mut self, callee: &Callee<'a, '_>, first: &mut Vec<Statement>) -> Result<Value> {
        let value = self.inline(callee, first)?;
        value.ok_or_else(|| Error::new(callee.span, "this returns nothing, and a value is needed here"))
    }

    /// Puts the body in place of the call, into `first`. Returns the result.
    fn inline(&mut self, callee: &Callee<'a, '_>, first: &mut Vec<Statement>) -> Result<Option<Value>> {
        let Callee { function, name, span, .. } = callee;
        let refuse = |message: String| Err(Error::new(*span, message));
        let address = core::ptr::from_ref::<InlineFunction>(function);
        if self.inlining.contains(&address) {
            return refuse(format!("`{name}` calls itself, which a device cannot do: write a loop"));
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
        let mut frame = Frame::new(&function.keep, function.fuse);
        frame.constants = constants;
        frame.is_called_in_value = self.frame.is_in_value();
        let outer = core::mem::replace(&mut self.frame, frame);
        self.inlining.push(address);
        let errors = self.errors.len();
        let result = self.body_of_call(*span, (&function.signature.inputs, given), output, body, first);
        self.inlining.pop();
        self.frame = outer;
        let found = without_consequences(self.errors.split_off(errors)).into_iter().next();
        match (found, result) {
            (Some(e), _) | (None, Err(e)) => refuse(format!("in `{name}`, which is called here: {e}")),
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
            // A receiver is a reference without `&`.
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
            let message = format!("no argument determines `{name}`: write `{}::<…>(…)`", signature.ident);
            return Err(Error::new(callee.span, message));
        }
        Ok((all, to))
    }

    /// Parses an argument by value or by `&`. A receiver may be the name of a reference.
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

    /// Parses the parameters and the body. Returns the result.
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

    /// Makes a `return` leave a loop of one iteration. Returns the number of the loop.
    fn body_as_a_loop(&mut self, span: Span) -> usize {
        self.loops += 1;
        let label = syn::Lifetime::new(&format!("'__return_{}", self.loops), span).to_token_stream();
        self.frame.returns = Some(Jump { to: self.loops, label: Some(label), masked: false });
        self.loops
    }

    /// Parses the generic arguments of a call, as in `f::<4>(x)`.
    fn written_generics(&mut self, callee: &Callee<'a, '_>, to: &mut Arguments) -> Result<()> {
        let Some(written) = callee.constants.map(|written| &written.args) else { return Ok(()) };
        let generics = &callee.function.signature.generics;
        if written.len() != generics.params.len() {
            let what = if to.types.is_empty() { "constants" } else { "types and constants" };
            let message =
                format!("{} {what} are written, and the function has {}", written.len(), generics.params.len());
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

    /// Gives a type parameter the type of an argument.
    pub(super) fn is_own_type(&mut self, to: &mut Arguments, own: usize, span: Span, ty: TypeVar) -> Result<()> {
        match to.types[own].1 {
            Some(known) => self.types.unify(span, ty, known),
            None => {
                to.types[own].1 = Some(ty);
                Ok(())
            }
        }
    }

    /// Returns the types of the type parameters. An undecided literal is `i32` or f32.
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

    /// Returns a constant parameter as a value.
    pub(super) fn own_constant(&mut self, span: Span, value: TokenStream, ty: Type) -> Expr {
        let kind = match syn::parse2::<syn::Lit>(value.clone()) {
            Ok(syn::Lit::Int(lit)) => ExprKind::Int(lit.base10_digits().to_owned()),
            Ok(syn::Lit::Bool(lit)) => ExprKind::Bool(lit.value),
            _ => ExprKind::Constant(quote!({ #value })),
        };
        let ty = self.types.known(ty);
        self.make(span, kind, ty)
    }

    /// Binds the constant parameters, which have no values in the function by itself.
    pub(super) fn declare_constants(&mut self, generics: &syn::Generics) -> Result<()> {
        for (name, ty) in own_constants(generics)? {
            let value = Ident::new(&name, Span::call_site()).to_token_stream();
            self.frame.constants.insert(name, (value, ty));
        }
        Ok(())
    }
}

/// The message about an argument with several parts for a type parameter.
pub(super) const ONE_NUMBER: &str = "a type parameter is the type of a number or `bool`, and this has parts: pass a \
                                     part, as `.x`, or write a function for this type";

/// Returns the names and the types of constant parameters.
fn own_constants(generics: &syn::Generics) -> Result<Vec<(String, Type)>> {
    let constants = generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Const(constant) => Some(constant),
        _ => None,
    });
    constants
        .map(|constant| match scalar(&constant.ty)? {
            Type::Float => Err(Error::new(
                constant.ty.span(),
                "a constant parameter is an integer or a `bool`: write `const N: \
                     usize`",
            )),
            ty => Ok((names::text(&constant.ident), ty)),
        })
        .collect()
}
