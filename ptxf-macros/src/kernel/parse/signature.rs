//! Parameters and result.

use syn::spanned::Spanned;
use syn::{Error, FnArg, Pat, Result, ReturnType, Signature};

use super::super::ast::{Id, Index, IndexOf, Kind, Type};
use super::{Parser, Role};

/// What a parameter may be.
const PARAMETERS: &str = "a parameter is an index (`ThreadX` and so on), a scalar (`f32`, `i32`, `u32`, `usize`, \
                          `bool`), an input (`&[f32]`, `&[i32]`, `&[u32]`) or an output (`&mut [f32]` and so on)";

impl Parser<'_> {
    pub(super) fn signature(&mut self, signature: &Signature) -> (Vec<Id>, Type) {
        for (what, found) in [
            ("const", signature.constness.as_ref().map(Spanned::span)),
            ("async", signature.asyncness.as_ref().map(Spanned::span)),
            ("extern", signature.abi.as_ref().map(Spanned::span)),
            ("variadic", signature.variadic.as_ref().map(Spanned::span)),
        ] {
            if let Some(span) = found {
                let message =
                    format!("a kernel cannot be `{what}`: the launch calls it, on a device and on a CPU; leave it out");
                self.errors.push(Error::new(span, message));
            }
        }
        if let syn::Safety::Unsafe(token) = &signature.safety {
            let message =
                "a kernel is not unsafe as a whole: say `unsafe { … }` around the access that the compiler asks about";
            self.errors.push(Error::new(token.span(), message));
        }
        if let Some(clause) = &signature.generics.where_clause {
            self.errors.push(Error::new(clause.span(), "a kernel has no `where`: its types are given"));
        }
        if let Some(parameter) = signature.generics.params.first() {
            let message = "a kernel cannot be generic: write `f32`, which stands for every element type";
            self.errors.push(Error::new(parameter.span(), message));
        }
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            match self.parameter(input) {
                Ok(id) => parameters.push(id),
                Err(e) => self.errors.push(e),
            }
        }
        let result = match &signature.output {
            ReturnType::Default => Type::Unit,
            ReturnType::Type(arrow, _) if self.role == Role::Kernel => {
                let message = "a kernel returns nothing: write to an output, `out: &mut [f32]`";
                self.errors.push(Error::new(arrow.span(), message));
                Type::Unit
            }
            ReturnType::Type(_, ty) => scalar(ty).unwrap_or_else(|e| {
                self.errors.push(e);
                Type::Float
            }),
        };
        (parameters, result)
    }

    fn parameter(&mut self, input: &FnArg) -> Result<Id> {
        let FnArg::Typed(input) = input else {
            return Err(Error::new(input.span(), "a kernel has no `self`"));
        };
        let Pat::Ident(pattern) = &*input.pat else {
            return Err(Error::new(input.pat.span(), "give the parameter a plain name"));
        };
        if let Some(mutability) = &pattern.mutability {
            let message = format!("a parameter stays as it is: write `let mut {0} = {0};`", pattern.ident);
            return Err(Error::new(mutability.span(), message));
        }
        let (kind, ty) = parameter_type(&input.ty)?;
        if let (Kind::Index(_) | Kind::Out, Role::Function) = (&kind, self.role) {
            let message = "a `#[ptx_fn]` takes scalars and inputs; it returns its result";
            return Err(Error::new(input.ty.span(), message));
        }
        let ty = self.types.known(ty);
        Ok(self.declare(&pattern.ident, kind, ty, false))
    }
}

fn parameter_type(ty: &syn::Type) -> Result<(Kind, Type)> {
    if let syn::Type::Reference(reference) = ty
        && let syn::Type::Slice(slice) = &*reference.elem
    {
        let of = scalar(&slice.elem)?;
        if !matches!(of, Type::Float | Type::I32 | Type::U32) {
            return Err(Error::new(slice.elem.span(), format!("no slices of `{}`: {PARAMETERS}", of.name())));
        }
        return Ok((if reference.mutability.is_some() { Kind::Out } else { Kind::In }, of));
    }
    match index_type(ty) {
        Some(index) => Ok((Kind::Index(index), Type::Usize)),
        None => Ok((Kind::Scalar, scalar(ty)?)),
    }
}

/// `ThreadX` and its like.
pub(crate) fn index_type(ty: &syn::Type) -> Option<Index> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    let (of, axis) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let of = match of {
        "Thread" => IndexOf::Thread,
        "Local" => IndexOf::Local,
        "Block" => IndexOf::Block,
        _ => return None,
    };
    let axis = ["X", "Y", "Z"].iter().position(|&a| a == axis)?;
    Some(Index { of, axis })
}

/// The type of a scalar.
pub(super) fn scalar(ty: &syn::Type) -> Result<Type> {
    let found = quote::quote!(#ty).to_string().replace(' ', "");
    match found.as_str() {
        "f32" => Ok(Type::Float),
        "i32" => Ok(Type::I32),
        "u32" => Ok(Type::U32),
        "usize" => Ok(Type::Usize),
        "bool" => Ok(Type::Bool),
        "F16" | "Bf16" | "f64" | "f16" => {
            let message = format!(
                "`{found}`: floats are written `f32` here, and `pair = …` says what they become (`keep(…)` what stays)"
            );
            Err(Error::new(ty.span(), message))
        }
        _ => Err(Error::new(ty.span(), format!("`{found}` cannot be here: {PARAMETERS}"))),
    }
}
