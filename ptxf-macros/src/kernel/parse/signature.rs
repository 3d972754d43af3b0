//! Parameters and result.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result, ReturnType};

use super::super::ast::{Id, Index, IndexOf, Kind, Type};
use super::super::header;
use super::super::stored::Stored;
use super::{Parser, Role};

/// What a parameter may be.
const PARAMETERS: &str = "a parameter is an index (`ThreadX` and so on), a scalar (`f32`, `i32`, `u32`, `usize`, \
                          `bool`), an input (`&[f32]`, `&[i32]`, `&[u32]`, or of a narrow format, `&[E4m3]`) or an output \
                          (`&mut [f32]` and so on)";

impl Parser<'_> {
    pub(super) fn signature(&mut self, item: &ItemFn) -> (Vec<Id>, Type) {
        let signature = &item.sig;
        self.errors.extend(header::qualifiers(item, self.role));
        self.errors.extend(header::safety(item, self.role));
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            match self.parameter(input) {
                Ok(id) => parameters.push(id),
                Err(e) => self.errors.push(e),
            }
        }
        self.errors.extend(header::distinct(parameters.iter().map(|&id| &self.variables[id].name)));
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
        let (name, written) = header::parameter(input, self.role)?;
        self.errors.extend(header::constant(input));
        let (kind, ty, stored) = parameter_type(written, self.krate)?;
        if let (Kind::Index(_) | Kind::Out, Role::Function) = (&kind, self.role) {
            let message = "a `#[ptx_fn]` takes scalars and inputs; it returns its result";
            return Err(Error::new(written.span(), message));
        }
        let ty = self.types.known(ty);
        let id = self.declare(name, kind, ty, false);
        self.variables[id].stored = stored;
        Ok(id)
    }
}

fn parameter_type(ty: &syn::Type, krate: &TokenStream) -> Result<(Kind, Type, Option<Stored>)> {
    if let syn::Type::Reference(reference) = ty
        && let syn::Type::Slice(slice) = header::bare(&reference.elem)
    {
        let output = reference.mutability.is_some();
        let kind = if output { Kind::Out } else { Kind::In };
        if let Some(stored) = Stored::of(&slice.elem, &text(krate)) {
            return match stored.not_an_output() {
                Some(why) if output => Err(Error::new(slice.elem.span(), why)),
                _ => Ok((kind, Type::Float, Some(stored))),
            };
        }
        let of = scalar(&slice.elem)?;
        if !matches!(of, Type::Float | Type::I32 | Type::U32) {
            return Err(Error::new(slice.elem.span(), format!("no slices of `{}`: {PARAMETERS}", of.name())));
        }
        return Ok((kind, of, None));
    }
    if let Some(stored) = Stored::of(ty, &text(krate)) {
        let message = format!("only slices are of `{}`: a number that all threads share is an `f32`", stored.name());
        return Err(Error::new(ty.span(), message));
    }
    match index_type(ty, krate)? {
        Some(index) => Ok((Kind::Index(index), Type::Usize, None)),
        None => Ok((Kind::Scalar, scalar(ty)?, None)),
    }
}

/// `ThreadX` and its like, alone or as `ptxf::kernel::ThreadX`.
pub(crate) fn index_type(ty: &syn::Type, krate: &TokenStream) -> Result<Option<Index>> {
    let syn::Type::Path(path) = header::bare(ty) else {
        return Ok(None);
    };
    let Some((last, index)) = path.path.segments.last().and_then(|last| Some((last, index(&last.ident)?))) else {
        return Ok(None);
    };
    if !last.arguments.is_none() {
        let message = format!("`{0}` has no arguments: write `{0}`", last.ident);
        return Err(Error::new(last.arguments.span(), message));
    }
    let written = text(path);
    let written = written.trim_start_matches("::");
    let library = text(krate);
    let known = ["ptxf", "ptxf_core", library.trim_start_matches("::")];
    if last.ident != written && !known.iter().any(|k| written == format!("{k}::kernel::{}", last.ident)) {
        let message = format!(
            "indices are `{0}` or `{library}::kernel::{0}`; a type of that name from elsewhere takes another one, \
             `use … as`, to be here",
            last.ident
        );
        return Err(Error::new(ty.span(), message));
    }
    Ok(Some(index))
}

fn index(name: &Ident) -> Option<Index> {
    let name = name.unraw().to_string();
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

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// The type of a scalar.
pub(super) fn scalar(ty: &syn::Type) -> Result<Type> {
    let ty = header::bare(ty);
    let found = text(ty);
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
