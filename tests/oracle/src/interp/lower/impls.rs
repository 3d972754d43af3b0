//! Methods and operators of structures.

use syn::{BinOp, FnArg, ImplItem, ItemFn, ItemImpl, ReturnType, UnOp};

use super::super::Fault;
use super::super::tree::{Expr, Kind};
use super::items::{Items, Options, Parameter, Role, Signature, role};
use super::several::{Lowered, Shape};
use super::{Lower, text};

impl Items {
    /// Collects the functions of an `impl`, by the structure's name, or by the operator and its
    /// operands.
    pub(super) fn implementation(&mut self, item: &ItemImpl) -> Result<(), Fault> {
        let of = written(&item.self_ty);
        let operator = item.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|segment| {
            let right = match &segment.arguments {
                syn::PathArguments::AngleBracketed(arguments) => written(&arguments.args).replace("Self", &of),
                _ => of.clone(),
            };
            (text(&segment.ident), right)
        });
        self.own_type.replace(Some(of.clone()));
        for part in &item.items {
            if let ImplItem::Const(item) = part {
                let (name, ty) = (&item.ident, &item.ty);
                let value: syn::Expr = syn::parse_str(&written(&item.expr).replace("Self", &of))?;
                match self.shape(ty) {
                    Ok((Shape::Parts(..), _)) => {
                        _ = self.structure_constants.insert(format!("{of}::{}", text(name)), value);
                    }
                    _ => self.collect(&[syn::parse_quote!(const #name: #ty = #value;)])?,
                }
            }
            let ImplItem::Fn(function) = part else { continue };
            let (signature, block) = (&function.sig, &function.block);
            let name = match &operator {
                None => format!("{of}::{}", text(&signature.ident)),
                Some((operator, right)) => format!("{operator} {of} {right}"),
            };
            let plain: ItemFn = syn::parse_quote!(#signature #block);
            let attribute = function.attrs.iter().find(|a| role(a).is_some());
            let of_module = || Ok(Options { fuse: self.fuse, ..Options::default() });
            let options = attribute.map_or_else(of_module, |a| self.options(a))?;
            // Methods that kernels cannot call are skipped.
            if let Ok(Some(method)) = self.declared(&name, Role::Function, &options, &plain) {
                self.has_methods = true;
                self.functions.insert(name, Signature { is_open: true, of: Some(of.clone()), ..method });
            }
        }
        self.own_type.replace(None);
        Ok(())
    }

    /// Returns the name of the function that a path calls. A method's name begins with the
    /// structure's.
    pub(super) fn called(&self, path: &syn::ExprPath) -> String {
        let names: Vec<_> = path.path.segments.iter().map(|s| self.own_name(text(&s.ident))).collect();
        match &names[..] {
            [of, name] if self.structures.contains_key(of) => format!("{of}::{name}"),
            names => names.last().cloned().unwrap_or_default(),
        }
    }

    /// Returns the name, with `Self` replaced.
    pub(super) fn own_name(&self, name: String) -> String {
        match &*self.own_type.borrow() {
            Some(of) if name == "Self" => of.clone(),
            _ => name,
        }
    }

    /// Returns the parameter `self`.
    pub(super) fn receiver(&self, input: &FnArg) -> Result<Parameter, Fault> {
        let FnArg::Receiver(receiver) = input else { return Err(Fault::source("this is no `self`")) };
        let (shape, types) = self.shape(&syn::parse_quote!(Self))?;
        let mutable = matches!(&receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
        Ok(Parameter {
            name: "self".to_owned(),
            // A parameter that is `mut` is the method's own.
            kind: if mutable || receiver.mutability.is_some() { Kind::Local } else { Kind::Scalar },
            ty: *types.first().ok_or_else(|| Fault::source("nothing is in it"))?,
            several: (shape != Shape::One).then_some((shape, types)),
            structure: None,
            rows: Vec::new(),
            reference: mutable.then_some(true),
            array: None,
            axes: None,
        })
    }
}

impl Lower<'_> {
    /// Lowers a method or an operator of a structure to a call.
    pub(super) fn call_of_structure(&mut self, e: &syn::Expr) -> Result<Option<Expr>, Fault> {
        let (name, arguments, constants) = match e {
            syn::Expr::MethodCall(call) => {
                let Some(of) = self.structure_of(&call.receiver) else { return Ok(None) };
                let arguments = [&*call.receiver].into_iter().chain(&call.args).collect::<Vec<_>>();
                (format!("{of}::{}", text(&call.method)), arguments, call.turbofish.as_ref())
            }
            syn::Expr::Binary(e) => {
                let name = match e.op {
                    BinOp::Add(_) => "Add",
                    BinOp::Sub(_) => "Sub",
                    BinOp::Mul(_) => "Mul",
                    BinOp::Div(_) => "Div",
                    BinOp::Rem(_) => "Rem",
                    BinOp::AddAssign(_) => "AddAssign",
                    BinOp::SubAssign(_) => "SubAssign",
                    BinOp::MulAssign(_) => "MulAssign",
                    BinOp::DivAssign(_) => "DivAssign",
                    BinOp::RemAssign(_) => "RemAssign",
                    _ => return Ok(None),
                };
                let operands = [self.structure_of(&e.left), self.structure_of(&e.right)];
                if operands == [None, None] {
                    return Ok(None);
                }
                let [left, right] = operands.map(|of| of.unwrap_or_else(|| "f32".to_owned()));
                (format!("{name} {left} {right}"), vec![&*e.left, &*e.right], None)
            }
            syn::Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) => {
                let Some(of) = self.structure_of(expr) else { return Ok(None) };
                (format!("Neg {of} {of}"), vec![&**expr], None)
            }
            _ => return Ok(None),
        };
        let items = self.items;
        let function = items.functions.get(&name).ok_or_else(|| Fault::source(format!("there is no `{name}`")))?;
        self.open_call(function, &arguments, constants).map(Some)
    }

    /// Returns the name of a value's structure.
    fn structure_of(&mut self, e: &syn::Expr) -> Option<String> {
        if !self.items.has_methods {
            return None;
        }
        match self.value(e) {
            Ok(Lowered::Several(Shape::Parts(name, _), _)) => name,
            _ => None,
        }
    }
}

/// Returns the type of a function's result. `None` for `()`.
pub(super) fn returned(output: &ReturnType) -> Option<&syn::Type> {
    match output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Tuple(of) if of.elems.is_empty() => None,
            ty => Some(ty),
        },
    }
}

fn written(tokens: &impl quote::ToTokens) -> String {
    quote::quote!(#tokens).to_string().replace(' ', "")
}
