//! Calls: methods of numbers, tables, functions.

use quote::quote;
use syn::spanned::Spanned;
use syn::{Error, Result};

use super::super::ast::{Binary, Expr, ExprKind, Kind, Type};
use super::Parser;
use super::expr::{arithmetic, bare, name_of};

/// Functions of one float, and the variant of `Op1`.
const FUNCTIONS: &[(&str, &str)] = &[
    ("abs", "Abs"),
    ("sqrt", "Sqrt"),
    ("recip", "Recip"),
    ("exp2", "Exp2"),
    ("exp", "Exp"),
    ("log2", "Log2"),
    ("ln", "Ln"),
    ("sin", "Sin"),
    ("cos", "Cos"),
    ("tanh", "Tanh"),
];

/// How shared memory is had.
pub(super) const SHARED: &str = "shared memory stands in a `let` of its own, `let mut tile = shared::<f32, 256>();`";

impl Parser<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Result<Expr> {
        let span = call.span();
        let name = call.method.to_string();
        if let Some(turbofish) = &call.turbofish {
            return Err(Error::new(turbofish.span(), format!("`{name}` has no type arguments here: leave them out")));
        }
        // A table, or the length of a slice.
        if let syn::Expr::Path(path) = &*call.receiver {
            let local = name_of(path).and_then(|name| self.find(name));
            match (local, name.as_str()) {
                (None, "get") => {
                    self.outside(path)?;
                    let [x] = self.arguments::<1>(call)?;
                    self.expect(x.span, x.ty, Type::Float)?;
                    let ty = self.types.known(Type::Float);
                    return Ok(self.make(span, ExprKind::Table(quote!(#path), Box::new(x)), ty));
                }
                (Some(id), "len") if matches!(self.variables[id].kind, Kind::In | Kind::Out | Kind::Shared(_)) => {
                    self.arguments::<0>(call)?;
                    let ty = self.types.known(Type::Usize);
                    return Ok(self.make(path.span(), ExprKind::Length(id), ty));
                }
                _ => {}
            }
        }
        let a = self.expr(&call.receiver)?;
        let ty = a.ty;
        let of = self.types.get(ty);
        if let Some((_, op)) = FUNCTIONS.iter().find(|f| f.0 == name) {
            self.arguments::<0>(call)?;
            self.expect(a.span, ty, Type::Float)?;
            return Ok(self.make(span, ExprKind::Float1(op, Box::new(a)), ty));
        }
        let op = match name.as_str() {
            "min" => Binary::Min,
            "max" => Binary::Max,
            "wrapping_add" if of.is_int() => Binary::Add,
            "wrapping_sub" if of.is_int() => Binary::Sub,
            "wrapping_mul" if of.is_int() => Binary::Mul,
            "mul_add" => {
                let [b, c] = self.arguments::<2>(call)?;
                for x in [&a, &b, &c] {
                    self.expect(x.span, x.ty, Type::Float)?;
                }
                return Ok(self.make(span, ExprKind::MulAdd(Box::new([a, b, c])), ty));
            }
            "is_nan" => {
                self.arguments::<0>(call)?;
                self.expect(a.span, ty, Type::Float)?;
                let ty = self.types.known(Type::Bool);
                return Ok(self.make(span, ExprKind::Nan(Box::new(a)), ty));
            }
            _ => {
                let functions: Vec<_> = FUNCTIONS.iter().map(|f| f.0).collect();
                let message = format!(
                    "there is no `{name}` in a kernel: floats have {}, mul_add, min, max and is_nan; integers min and max; \
                     for another function of one value write a table, `TABLE.get(x)`",
                    functions.join(", ")
                );
                return Err(Error::new(call.method.span(), message));
            }
        };
        let [b] = self.arguments::<1>(call)?;
        arithmetic(&mut self.types, span, op, a, b)
    }

    fn arguments<const N: usize>(&mut self, call: &syn::ExprMethodCall) -> Result<[Expr; N]> {
        let mut found = Vec::new();
        for argument in &call.args {
            found.push(self.expr(argument)?);
        }
        let count = found.len();
        found.try_into().map_err(|_| {
            let table = if call.method == "get" { "; a table is of one variable" } else { "" };
            let plural = if N == 1 { "" } else { "s" };
            let message = format!("`{}` takes {N} argument{plural}, found {count}{table}", call.method);
            Error::new(call.method.span(), message)
        })
    }

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
