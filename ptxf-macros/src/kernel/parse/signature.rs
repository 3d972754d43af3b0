//! Parameters and results.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Result, ReturnType};

use super::super::ast::{Id, Kind, Shape, Statement};
use super::super::header;
use super::super::inline_functions::returns_nothing;
use super::super::memory_format::Stored;
use super::super::names::{self, spelled};
use super::super::parts::Parts;
use super::super::scalar_type::{Int, Type};
use super::arrays::number;
use super::references::{Referred, reference};
use super::{Parser, Reference, Role};

/// The names of the scalar types, for messages.
pub(super) const SCALARS: &str = "`f32`, `i8` to `u64`, `usize` or `bool`";

/// Returns the list of possible parameters, for messages.
fn parameters() -> String {
    format!(
        "a parameter is an index (`ThreadX` and so on), a scalar ({SCALARS}) or a tuple or, under `#[ptx_module]`, a \
         structure of \
         scalars, an input (`&[f32]`, of integers, `&[u8]`, or of a narrow format, `&[E4m3]`) or an output (`&mut [f32]` and so on)"
    )
}

impl Parser<'_> {
    /// Parses the signature. Returns the parameters, and the type of a single result. Several
    /// results go to the frame's `results`.
    pub(super) fn signature(&mut self, item: &ItemFn) -> (Vec<Parts<Id>>, Type) {
        let signature = &item.sig;
        self.errors.extend(header::qualifiers(item, self.role));
        self.errors.extend(header::safety(item, self.role));
        if self.role == Role::Function
            && let Err(e) = self.declare_constants(&signature.generics)
        {
            self.errors.push(e);
        }
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            match self.parameter(input) {
                Ok(id) => parameters.push(id),
                Err(e) => {
                    self.errors.push(e);
                    if let FnArg::Typed(input) = input {
                        self.note_refused(&input.pat);
                    }
                }
            }
        }
        let names = parameters.iter().flat_map(|parts| parts.leaves().first().map(|&&id| &self.variables[id].name));
        self.errors.extend(header::distinct(names));
        let result = match &signature.output {
            ReturnType::Default => Type::Unit,
            ReturnType::Type(arrow, _) if self.role == Role::Kernel => {
                let message = "a kernel returns nothing: write to an output, `out: &mut [f32]`";
                self.errors.push(Error::new(arrow.span(), message));
                Type::Unit
            }
            output if returns_nothing(output) => Type::Unit,
            ReturnType::Type(_, ty) => match self.type_of_parts(ty) {
                Ok(Parts::One(ty)) => ty,
                Ok(several) => {
                    let name = Ident::new("result", ty.span());
                    self.frame.results = Some(several.map(&mut |&ty| {
                        let ty = self.types.known(ty);
                        let id = self.temporary(&name, ty);
                        (self.variables[id].mutable, self.variables[id].returned) = (true, true);
                        id
                    }));
                    Type::Unit
                }
                Err(e) => {
                    self.errors.push(e);
                    Type::Float
                }
            },
        };
        (parameters, result)
    }

    /// Declares a variable for each parameter that the body changes.
    pub(super) fn variables_of_parameters(&mut self) -> Vec<Statement> {
        let mut lets = Vec::new();
        for name in core::mem::take(&mut self.changed) {
            let Some(parts) = self.binding(&name).cloned() else { continue };
            let value = parts.map(&mut |&id| self.variable(id, name.span()));
            let declared = self.let_parts(&name, value, true, &mut lets);
            self.errors.extend(declared.err());
        }
        lets
    }

    fn parameter(&mut self, input: &FnArg) -> Result<Parts<Id>> {
        let (name, written) = header::parameter(input, self.role)?;
        let changes = header::constant(input);
        if self.role == Role::Function
            && let Some((of, how)) = reference(input)
            && !matches!(of, Referred::Slice(_))
        {
            self.errors.extend(changes);
            if let (Referred::Value(ty), Reference::Shared) = (&of, how) {
                let message = format!("a number is passed by value: write `{}` without `&`", ty.to_token_stream());
                return Err(Error::new(written.span(), message));
            }
            return self.reference_parameter(name, &of, how);
        }
        if self.role == Role::Function && matches!(header::bare(written), syn::Type::Array(_)) {
            let message = format!("an array is passed by reference: write `&{0}`, or `&mut {0}`", spelled(written));
            return Err(Error::new(written.span(), message));
        }
        if self.is_of_parts(written)
            && let several @ Parts::Several(..) = self.type_of_parts(written)?
        {
            let types = several.map(&mut |&ty| self.types.known(ty));
            self.changed.extend(changes.map(|_| name.clone()));
            return self.declare_parts(name, &Kind::Scalar, &types, false);
        }
        let Slice { kind, ty, stored, rows, structure } = self.parameter_type(written)?;
        match kind {
            Kind::Scalar => self.changed.extend(changes.map(|_| name.clone())),
            Kind::In | Kind::Out => self.errors.extend(
                changes
                    .map(|e| Error::new(e.span(), format!("the slice `{name}` cannot be assigned: leave out `mut`"))),
            ),
            _ => self.errors.extend(changes),
        }
        if self.role == Role::Function && kind.is_supplied() {
            let message = "only a kernel has indices from the launch: take a `usize`, and pass the kernel's index";
            return Err(Error::new(written.span(), message));
        }
        let ty = self.types.known(ty);
        let id = self.declare(name, kind, ty, false);
        let v = &mut self.variables[id];
        (v.stored, v.rows, v.structure) = (stored, rows, structure);
        Ok(Parts::One(id))
    }

    /// Returns `true` for the type of a tuple or of a structure.
    fn is_of_parts(&self, ty: &syn::Type) -> bool {
        match header::bare(ty) {
            syn::Type::Tuple(tuple) => !tuple.elems.is_empty(),
            ty => self.known_path(ty).is_some(),
        }
    }

    fn parameter_type(&self, ty: &syn::Type) -> Result<Slice> {
        let one = |kind, ty| Slice { kind, ty, stored: None, rows: Shape::default(), structure: None };
        if let syn::Type::Reference(reference) = ty
            && let syn::Type::Slice(slice) = header::bare(&reference.elem)
        {
            let kind = if reference.mutability.is_some() { Kind::Out } else { Kind::In };
            return self.elements_of(&slice.elem, kind);
        }
        if let Some(stored) = Stored::of(ty, &spelled(self.krate)) {
            let message = format!("a scalar parameter cannot be `{}`: write `f32`, or a slice", stored.name());
            return Err(Error::new(ty.span(), message));
        }
        if is_warp(ty, self.krate)? {
            let message = "threads in pairs are no warp: a `Warp` is for kernels without `pair`, `#[ptx_kernel]`";
            return Err(Error::new(ty.span(), message));
        }
        match supplied(ty, self.krate)? {
            Some(kind) => Ok(one(kind, Type::USIZE)),
            None => Ok(one(Kind::Scalar, scalar(ty)?)),
        }
    }

    /// Returns a slice with elements of this type.
    pub(super) fn elements_of(&self, element: &syn::Type, kind: Kind) -> Result<Slice> {
        let (mut lengths, mut of) = (Vec::new(), header::bare(element));
        while let syn::Type::Array(array) = of {
            lengths.push(self.constant(array.len.to_token_stream())?);
            of = header::bare(&array.elem);
        }
        if let Some(stored) = Stored::of(of, &spelled(self.krate)) {
            return match stored.not_an_output() {
                Some(why) if kind == Kind::Out => Err(Error::new(of.span(), why)),
                _ if !lengths.is_empty() => {
                    let message = format!(
                        "an array of `{0}` is not possible: pass a slice, `&[{0}]`, and compute the index",
                        stored.name()
                    );
                    Err(Error::new(element.span(), message))
                }
                _ => Ok(Slice { kind, ty: Type::Float, stored: Some(stored), rows: Shape::default(), structure: None }),
            };
        }
        let structure = match self.is_of_parts(of) {
            true => Some(self.type_of_parts(of)?),
            false => None,
        };
        let ty = match &structure {
            None => scalar(of)?,
            Some(parts) => {
                let (leaves, name) = (parts.leaves(), parts.name());
                let first = *leaves[0];
                if let Some(other) = leaves.iter().find(|ty| ***ty != first) {
                    let message = format!(
                        "`{name}` has parts of `{}` and of `{}`, and the elements of a slice have parts of one type: \
                         pass the others in a slice of their own",
                        first.name(),
                        other.name()
                    );
                    return Err(Error::new(of.span(), message));
                }
                if !lengths.is_empty() {
                    let message = format!(
                        "an array of `{name}` is not possible here: make the array a field, or \
                         pass a slice of `{name}`"
                    );
                    return Err(Error::new(element.span(), message));
                }
                lengths.push(number(leaves.len()));
                first
            }
        };
        if !ty.is_element() {
            return Err(Error::new(of.span(), format!("a slice of `{}` is not possible: {}", ty.name(), parameters())));
        }
        Ok(Slice { kind, ty, stored: None, rows: Shape(lengths), structure })
    }
}

/// A parameter without parts.
pub(super) struct Slice {
    kind: Kind,
    pub(super) ty: Type,
    pub(super) stored: Option<Stored>,
    pub(super) rows: Shape,
    pub(super) structure: Option<Parts<Type>>,
}

/// Returns the parameter that the launch supplies for a type such as `ThreadX` or
/// `ptxf::kernel::ThreadX`. `None` for any other type.
pub(crate) fn supplied(ty: &syn::Type, krate: &TokenStream) -> Result<Option<Kind>> {
    of_library(ty, krate, Kind::of_supplied_type)
}

/// Returns `true` for the type `Warp` or `ptxf::kernel::Warp`.
pub(crate) fn is_warp(ty: &syn::Type, krate: &TokenStream) -> Result<bool> {
    Ok(of_library(ty, krate, |name| (name == "Warp").then_some(()))?.is_some())
}

/// Returns the meaning of a type of the library, if its name has one.
fn of_library<T>(ty: &syn::Type, krate: &TokenStream, of: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
    let syn::Type::Path(path) = header::bare(ty) else {
        return Ok(None);
    };
    let Some((last, kind)) = path.path.segments.last().and_then(|last| Some((last, of(&names::text(&last.ident))?)))
    else {
        return Ok(None);
    };
    if !last.arguments.is_none() {
        let message = format!("`{0}` has no arguments: write `{0}`", last.ident);
        return Err(Error::new(last.arguments.span(), message));
    }
    let path = spelled(path);
    let written = path.trim_start_matches("::");
    let library = spelled(krate);
    let known = ["ptxf", "ptxf_core", library.trim_start_matches("::")];
    if last.ident != written && !known.iter().any(|k| written == format!("{k}::kernel::{}", last.ident)) {
        let message = format!(
            "`{0}` is the library's type: write `{0}` or `{library}::kernel::{0}`, and import another type of that \
             name under a new name, `use … as`",
            last.ident
        );
        return Err(Error::new(ty.span(), message));
    }
    Ok(Some(kind))
}

/// Returns `true` for the type of a number, or `bool`.
pub(crate) fn is_scalar(ty: &syn::Type) -> bool {
    scalar(ty).is_ok()
}

/// Returns the type of a scalar.
pub(super) fn scalar(ty: &syn::Type) -> Result<Type> {
    let ty = header::bare(ty);
    let found = spelled(ty);
    match found.as_str() {
        "f32" => Ok(Type::Float),
        "bool" => Ok(Type::Bool),
        "F16" | "Bf16" | "f64" | "f16" => {
            let message = format!(
                "`{found}` is not possible here: write `f32`; `pair = …` names the element type, and `keep(…)` the \
                 variables that stay f32"
            );
            Err(Error::new(ty.span(), message))
        }
        _ => match Int::of(&found) {
            Some(of) => Ok(Type::Int(of)),
            None => Err(Error::new(ty.span(), format!("`{found}` is not possible here: {}", parameters()))),
        },
    }
}
