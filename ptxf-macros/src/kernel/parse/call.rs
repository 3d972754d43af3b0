//! Calls of functions.

use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::super::ast::{Expr, ExprKind, Kind, Type};
use super::Parser;
use super::cuda;
use super::expr::{bare, name_of};

/// How shared memory is had.
pub(super) const SHARED: &str = "shared memory stands in a `let` of its own, `let mut tile = shared::<f32, 256>();` or, of 16 rows, \
                               `shared::<f32, 16, 16>()`";

impl Parser<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Result<Expr> {
        let span = call.span();
        let syn::Expr::Path(function) = &*call.func else {
            return Err(Error::new(call.func.span(), "one calls a function by its name"));
        };
        if let Some(name) = name_of(function)
            && self.find(name).is_some()
        {
            return Err(Error::new(name.span(), format!("`{name}` is a variable here, and no function")));
        }
        if let Some(message) = cuda::function(function, call) {
            return Err(Error::new(function.span(), message));
        }
        self.outside(function)?;
        let last = function.path.segments.last();
        let name = last.map(|s| s.ident.to_string()).unwrap_or_default();
        if name.starts_with("atomic") || name.starts_with("shfl") || name.starts_with("shuffle") {
            let message = format!(
                "`{name}`: two threads of a pair are one thread of the device, for which atomics and shuffles mean something \
                 else; keep this in an unpaired kernel"
            );
            return Err(Error::new(function.span(), message));
        }
        // Of another module they are the user's.
        let own = function.path.segments.len() == 1 && function.qself.is_none();
        let of_kernels = own && matches!(name.as_str(), "sync_threads" | "shared" | "cvt_rn");
        let argument = |a| if of_kernels { self.expr(a) } else { self.argument(a) };
        let arguments = call.args.iter().map(argument).collect::<Result<Vec<_>>>()?;
        if own && name == "sync_threads" {
            return Err(Error::new(span, "a barrier stands as a statement of its own, `sync_threads();`"));
        }
        if own && name == "shared" {
            return Err(Error::new(span, SHARED));
        }
        if let Some(generic) = function.path.segments.iter().find(|s| !s.arguments.is_none()) {
            let message = format!("`{}` has no type arguments here: leave them out", generic.ident);
            return Err(Error::new(generic.arguments.span(), message));
        }
        if let Some(qself) = &function.qself {
            return Err(Error::new(qself.span(), "one calls a `#[ptx_fn]` by its path, not as one of a type"));
        }
        if own && name == "cvt_rn" {
            let count = arguments.len();
            let Ok([a]) = <[Expr; 1]>::try_from(arguments) else {
                return Err(Error::new(span, format!("`cvt_rn` takes 1 argument, found {count}")));
            };
            self.expect(a.span, a.ty, Type::Float)?;
            let ty = a.ty;
            return Ok(self.make(span, ExprKind::Narrow(Box::new(a)), ty));
        }
        let ty = self.types.unknown();
        Ok(self.make(span, ExprKind::Call(quote!(#function), arguments), ty))
    }

    /// What a function is called with: a value, or an input as a whole.
    fn argument(&mut self, e: &syn::Expr) -> Result<Expr> {
        let slice = match bare(e) {
            syn::Expr::Path(path) => name_of(path).and_then(|name| Some((self.find(name)?, name))),
            _ => None,
        };
        let Some((id, name)) = slice else {
            return self.expr(e);
        };
        let message = match self.variables[id].kind {
            Kind::In => return Ok(self.make(name.span(), ExprKind::Slice(id), self.variables[id].ty)),
            Kind::Out | Kind::Shared(_) => format!(
                "a function reads inputs, and other threads write to `{name}`: pass the element that it needs, `{name}[t]`"
            ),
            Kind::Array(_) => format!(
                "a function reads inputs, and `{name}` is an array of this thread: pass the elements that it needs"
            ),
            _ => return self.expr(e),
        };
        Err(Error::new(name.span(), message))
    }
}
