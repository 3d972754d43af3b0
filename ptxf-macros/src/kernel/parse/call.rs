//! Calls of functions.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::spanned::Spanned;
use syn::{Error, Result, ReturnType};

use super::super::ast::{AtomicOp, Expr, ExprKind, Kind, Statement, Vote};
use super::super::header;
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::Parser;
use super::cuda;
use super::expr::{bare, called, name_of};
use super::signature::scalar;

/// The message about a declaration of shared memory.
pub(super) const SHARED: &str = "shared memory is declared in a `let` of its own: write `let mut tile = \
                                 shared::<f32, 256>();` or, for 16 rows, `shared::<f32, 16, 16>()`";

impl Parser<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Result<Expr> {
        let span = call.span();
        // A function of this name in another module is the user's.
        let word = match &*call.func {
            syn::Expr::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
                path.path.segments.first().map(|s| &s.ident).filter(|name| self.binding(name).is_none())
            }
            _ => None,
        };
        match word.map(ToString::to_string).as_deref() {
            Some("cvt_rn") => return self.narrow(call),
            Some("sync_threads") => {
                return Err(Error::new(
                    span,
                    "a barrier has no value: make it a statement of its own, \
                     `sync_threads();`",
                ));
            }
            Some("shared") => return Err(Error::new(span, SHARED)),
            _ => {}
        }
        if let Some(vote) = word.and_then(|name| Vote::of(&name.to_string())) {
            return Err(Self::vote_in_value(span, vote));
        }
        if let Some(op) = self.atomic_op(call) {
            return self.atomic_value(op, call);
        }
        let mut first = Vec::new();
        if let Some(results) = self.results_of(call) {
            let (results, name) = (results.name(), call.func.to_token_stream());
            let message = format!(
                "`{name}` returns `{results}`, and one value is needed here: give the parts names in a `let`, or \
                 name one, `{name}(…).0`"
            );
            return Err(Error::new(span, message));
        }
        let ty = match called(call).and_then(|name| self.items.function(name)) {
            Some(syn::Signature { output: ReturnType::Type(_, ty), .. }) => self.types.known(scalar(ty)?),
            _ => self.types.unknown(),
        };
        let (function, arguments) = self.called_with(call, &mut first)?;
        let value = self.make(span, ExprKind::Call(function, arguments), ty);
        self.after(first, value)
    }

    /// Parses `cvt_rn(a)`.
    fn narrow(&mut self, call: &syn::ExprCall) -> Result<Expr> {
        let span = call.span();
        let function = self.function(call)?;
        let arguments = call.args.iter().map(|a| self.expr(a)).collect::<Result<Vec<_>>>()?;
        plain_function(function)?;
        let count = arguments.len();
        let Ok([a]) = <[Expr; 1]>::try_from(arguments) else {
            return Err(Error::new(span, format!("`cvt_rn` takes 1 argument, found {count}")));
        };
        self.expect(a.span, a.ty, Type::Float)?;
        let ty = a.ty;
        Ok(self.make(span, ExprKind::Narrow(Box::new(a)), ty))
    }

    /// Returns the path of the called function. Refuses functions that no kernel may call.
    fn function<'e>(&self, call: &'e syn::ExprCall) -> Result<&'e syn::ExprPath> {
        let syn::Expr::Path(function) = &*call.func else {
            return Err(Error::new(call.func.span(), "this call is not possible: call a function by its name, `f(x)`"));
        };
        if let Some(name) = name_of(function)
            && self.binding(name).is_some()
        {
            return Err(Error::new(
                name.span(),
                format!("`{name}` is a variable here: rename it to call the function"),
            ));
        }
        if let Some(message) = cuda::function(function, call) {
            return Err(Error::new(function.span(), message));
        }
        self.outside(function)?;
        let last = function.path.segments.last();
        let name = last.map(|s| s.ident.to_string()).unwrap_or_default();
        let message = if name.starts_with("atomic") {
            format!("`{name}` does not exist: write one of {}", AtomicOp::all_called())
        } else if name.starts_with("shfl") || name.starts_with("shuffle") {
            format!("`{name}` does not exist: write {}", cuda::OTHER_THREADS)
        } else {
            return Ok(function);
        };
        Err(Error::new(function.span(), message))
    }

    /// Parses a call. Returns the function and its arguments. Statements before them go to `first`.
    pub(super) fn called_with(
        &mut self,
        call: &syn::ExprCall,
        first: &mut Vec<Statement>,
    ) -> Result<(TokenStream, Vec<Parts<Expr>>)> {
        let function = self.function(call)?;
        let known = name_of(function).and_then(|name| self.items.function(name));
        let mut arguments = Vec::new();
        for (i, a) in call.args.iter().enumerate() {
            let asked = match known.and_then(|signature| signature.inputs.get(i)) {
                Some(syn::FnArg::Typed(typed)) => self.shape_of_type(&typed.ty),
                _ => Parts::One(()),
            };
            let before = arguments.iter_mut().flat_map(Parts::leaves_mut).collect();
            let argument = self.in_order(before, first, |parser, first| parser.argument(a, &asked, first))?;
            arguments.push(argument);
        }
        plain_function(function)?;
        if let Some(signature) = name_of(function).and_then(|name| self.items.function(name)) {
            self.check_arguments(call, signature, &arguments)?;
        }
        Ok((quote!(#function), arguments))
    }

    /// Checks the arguments against the function's signature, if the module declares it.
    fn check_arguments(
        &mut self,
        call: &syn::ExprCall,
        signature: &syn::Signature,
        arguments: &[Parts<Expr>],
    ) -> Result<()> {
        let (name, takes) = (&signature.ident, signature.inputs.len());
        if takes != arguments.len() {
            let plural = if takes == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {takes} argument{plural}, found {}", arguments.len());
            return Err(Error::new(call.span(), message));
        }
        for ((input, argument), written) in signature.inputs.iter().zip(arguments).zip(&call.args) {
            let syn::FnArg::Typed(typed) = input else { continue };
            // The compiler checks slices.
            if matches!(header::bare(&typed.ty), syn::Type::Reference(_)) {
                continue;
            }
            let ty = self.type_of_parts(&typed.ty)?;
            self.expect_parts(written.span(), argument, &ty)?;
        }
        Ok(())
    }

    /// Parses an argument: a value, or a whole input.
    fn argument(&mut self, e: &syn::Expr, asked: &Parts<()>, first: &mut Vec<Statement>) -> Result<Parts<Expr>> {
        let (named, referred) = match bare(e) {
            syn::Expr::Reference(reference) => (bare(&reference.expr), true),
            named => (named, false),
        };
        let slice = match named {
            syn::Expr::Path(path) => name_of(path).and_then(|name| Some((self.find(name)?, name))),
            _ => None,
        };
        let Some((id, name)) = slice else {
            return self.value_as(e, asked, first);
        };
        let message = match self.variables[id].kind {
            Kind::In if !referred => {
                return Ok(Parts::One(self.make(name.span(), ExprKind::Slice(id), self.variables[id].ty)));
            }
            Kind::Out | Kind::Shared(_) => format!(
                "a function that takes `&[f32]` reads inputs, and other threads write to `{name}`: pass the element \
                 that it needs, \
                 `{name}[t]`, or let it take `&mut [f32]`, in a `#[ptx_module]`"
            ),
            Kind::Array(_) => format!(
                "a function that takes `&[f32]` reads inputs, and `{name}` is an array of this thread: let it take \
                 `&[f32; N]`, in a \
                 `#[ptx_module]`, or pass the elements that it needs"
            ),
            _ => return self.value_as(e, asked, first),
        };
        Err(Error::new(name.span(), message))
    }
}

/// Refuses type arguments and `<T as …>` in the path of a function.
fn plain_function(function: &syn::ExprPath) -> Result<()> {
    if let Some(generic) = function.path.segments.iter().find(|s| !s.arguments.is_none()) {
        let message = format!("`{}` has no type arguments here: leave them out", generic.ident);
        return Err(Error::new(generic.arguments.span(), message));
    }
    if let Some(qself) = &function.qself {
        return Err(Error::new(qself.span(), "a `#[ptx_fn]` is called by its path: write `f(x)`"));
    }
    Ok(())
}
