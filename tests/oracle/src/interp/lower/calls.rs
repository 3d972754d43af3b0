//! Calls of functions with references or constants of their own, which are lowered for each call's
//! arguments.
//!
//! Nothing else names a referenced variable during the call. So the parameter is a variable of its
//! own: it receives the value at the beginning and returns it at the end. Slices and shared arrays
//! remain the same memory.

use std::collections::HashMap;

use super::super::Fault;
use super::super::tree::{Argument, Expr, Id, Is, Kind, Type};
use super::items::{Parameter, Signature, scalar};
use super::several::Shape;
use super::{Constant, Lower, text};

impl Lower<'_> {
    pub(super) fn open_call(
        &mut self,
        of: &Signature,
        written: &[&syn::Expr],
        constants: Option<&syn::AngleBracketedGenericArguments>,
    ) -> Result<Expr, Fault> {
        let of_types;
        let of = match &of.of_types {
            None => of,
            Some(item) => {
                let types = self.types_of_call(item, written, constants)?;
                of_types = self.items.with_types(of, &types)?;
                &*of_types
            }
        };
        let mut constants = self.written_constants(constants, of)?;
        let (mut arguments, mut given) = (Vec::new(), Vec::new());
        for (parameter, e) in of.parameters.iter().zip(written) {
            let kept = of.keep.contains(&parameter.name);
            let (argument, kind, axes) = self.argument(parameter, e, (kept, &of.own), &mut constants)?;
            arguments.push(argument);
            given.push(Parameter { kind, axes, ..parameter.clone() });
        }
        let name = self.items.instance(of, constants, given);
        let ty = self.types.known(of.result);
        Ok(self.make(Is::Call(name, arguments), ty))
    }

    /// Returns a function's own types in a call: those written, or those of its arguments.
    fn types_of_call(
        &mut self,
        item: &syn::ItemFn,
        written: &[&syn::Expr],
        given: Option<&syn::AngleBracketedGenericArguments>,
    ) -> Result<HashMap<String, Type>, Fault> {
        let mut types = HashMap::new();
        for (parameter, of) in item.sig.generics.params.iter().zip(given.into_iter().flat_map(|given| &given.args)) {
            if let (syn::GenericParam::Type(name), syn::GenericArgument::Type(ty)) = (parameter, of)
                && !matches!(ty, syn::Type::Infer(_))
            {
                types.insert(text(&name.ident), self.types.known(scalar(ty)?));
            }
        }
        for (input, e) in item.sig.inputs.iter().zip(written) {
            let syn::FnArg::Typed(input) = input else { continue };
            let (of, mutable) = match &*input.ty {
                syn::Type::Reference(reference) => (&*reference.elem, reference.mutability.is_some()),
                ty => (ty, false),
            };
            let syn::Type::Path(path) = of else { continue };
            let name = path.path.get_ident().map(text).unwrap_or_default();
            if !item.sig.generics.type_params().any(|of| text(&of.ident) == name) {
                continue;
            }
            let behind = match e {
                syn::Expr::Reference(e) => &*e.expr,
                other => other,
            };
            let found = if mutable {
                let mut places = Vec::new();
                self.targets(behind, &mut places)?;
                self.variables[places[0].to].ty
            } else {
                self.expr(behind)?.ty
            };
            let known = *types.entry(name).or_insert(found);
            self.types.unify(found, known)?;
        }
        Ok(types.into_iter().map(|(name, ty)| (name, self.types.get(ty))).collect())
    }

    fn argument(
        &mut self,
        parameter: &Parameter,
        e: &syn::Expr,
        (kept, own): (bool, &[(String, Type)]),
        constants: &mut HashMap<String, Constant>,
    ) -> Result<(Argument, Kind, Option<Vec<usize>>), Fault> {
        let behind = match e {
            syn::Expr::Reference(e) => &*e.expr,
            other => other,
        };
        let mutable = parameter.reference == Some(true);
        if parameter.array.is_some() || matches!(parameter.kind, Kind::Slice { .. }) {
            let id = self.indexed(behind)?;
            self.same_precision(id, kept)?;
            let v = &self.variables[id];
            let (kind, axes) = (v.kind, v.axes.clone());
            if let Some(array) = &parameter.array {
                array_constants(array, &axes, own, constants);
            }
            return Ok(match kind {
                Kind::Array(_) => (Argument::Array(id, mutable), kind, Some(axes)),
                Kind::Shared(_) => (Argument::Slice(id), Kind::Slice { mutable: true, stored: None }, Some(axes)),
                _ => (Argument::Slice(id), kind, parameter.array.is_some().then_some(axes)),
            });
        }
        if parameter.reference.is_some() {
            let mut places = Vec::new();
            self.targets(behind, &mut places)?;
            let types = match &parameter.several {
                Some((_, types)) => types.clone(),
                None => vec![parameter.ty],
            };
            if places.len() != types.len() {
                return Err(Fault::source("a reference to something else"));
            }
            for (place, ty) in places.iter().zip(types) {
                self.types.expect(self.variables[place.to].ty, ty)?;
                self.same_precision(place.to, kept)?;
            }
            return Ok((Argument::Places(places), Kind::Local, None));
        }
        if let Some(ty) = &parameter.several {
            return Ok((self.several_argument(behind, &ty.clone())?, parameter.kind, None));
        }
        let value = self.expr(behind)?;
        self.types.expect(value.ty, parameter.ty)?;
        Ok((Argument::Value { value, kept }, parameter.kind, None))
    }

    /// Returns the shape and types of several values that the function returns.
    pub(super) fn results_of(&self, name: &str) -> Option<(Shape, Vec<Type>)> {
        match self.items.functions.get(name) {
            Some(function) => function.several.clone(),
            // An instance's name begins with the function's.
            None if name.contains('<') => {
                let end = name.find('>').map_or(name.len(), |at| at + 1);
                self.items.of_types.borrow().get(&name[..end])?.several.clone()
            }
            None => self.items.functions[name.split(['[', '{']).next()?].several.clone(),
        }
    }

    fn same_precision(&self, id: Id, kept: bool) -> Result<(), Fault> {
        let v = &self.variables[id];
        if v.kept != kept && self.types.get(v.ty) == Type::Float {
            return Err(Fault::source(format!("`{}` is f32 in one of two functions that name it", v.name)));
        }
        Ok(())
    }

    /// The constants that the call writes.
    fn written_constants(
        &self,
        written: Option<&syn::AngleBracketedGenericArguments>,
        of: &Signature,
    ) -> Result<HashMap<String, Constant>, Fault> {
        let mut constants = HashMap::new();
        let Some(written) = written else { return Ok(constants) };
        // Types precede the constants.
        let types = written.args.len().saturating_sub(of.own.len());
        for ((name, ty), value) in of.own.iter().zip(written.args.iter().skip(types)) {
            let value = match value {
                syn::GenericArgument::Const(e) => self.items.constant(e)?,
                // A constant's name looks like a type.
                syn::GenericArgument::Type(ty) => self.items.constant(&syn::parse_quote!(#ty))?,
                _ => return Err(Fault::source("a constant is written")),
            };
            constants.insert(name.clone(), value.typed(*ty));
        }
        Ok(constants)
    }
}

/// Returns the constants that are lengths of an array.
fn array_constants(
    array: &syn::TypeArray,
    axes: &[usize],
    own: &[(String, Type)],
    constants: &mut HashMap<String, Constant>,
) {
    if let syn::Expr::Path(path) = &array.len
        && let Some(name) = path.path.get_ident().map(text)
        && own.iter().any(|(own, _)| *own == name)
    {
        constants.entry(name).or_insert(Constant::Int(Some(Type::USIZE), axes[0] as i128));
    }
    if let syn::Type::Array(inner) = &*array.elem {
        array_constants(inner, &axes[1..], own, constants);
    }
}
