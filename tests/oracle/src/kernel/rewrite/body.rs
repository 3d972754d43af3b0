//! The statements and expressions of a function.

use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Pat, Stmt, UnOp, parse_quote};

use super::quotient::quotient;
use super::{Module, Options, last, text};

pub(super) struct Body<'a> {
    pub(super) module: &'a mut Module,
    pub(super) options: Options,
    /// The modes of names that are not of the element type.
    pub(super) modes: HashMap<String, TokenStream>,
    /// Memory in scope that a thread holds while it runs; `true` for a shared array, `false` for a
    /// parameter.
    pub(super) held: Vec<(String, bool)>,
    /// Inside of `unsafe`.
    pub(super) promised: bool,
}

/// Returns `true` for an element of a slice or an array, or a part of one.
pub(super) fn is_element(e: &Expr) -> bool {
    match e {
        Expr::Index(_) => true,
        Expr::Field(e) => is_element(&e.base),
        Expr::Paren(e) => is_element(&e.expr),
        _ => false,
    }
}

/// Returns `true` for a product as it is written, in parentheses and with signs before it.
pub(super) fn is_product(e: &Expr) -> bool {
    match e {
        Expr::Paren(e) => is_product(&e.expr),
        Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) => is_product(expr),
        Expr::Binary(e) => matches!(e.op, BinOp::Mul(_)),
        _ => false,
    }
}

pub(super) fn mark_product(e: &mut Expr) {
    match e {
        Expr::Paren(e) => mark_product(&mut e.expr),
        Expr::Unary(e) => mark_product(&mut e.expr),
        _ => *e = parse_quote!(Value::written(#e)),
    }
}

/// The name of the variable to which a place belongs.
pub(super) fn root(e: &Expr) -> Option<String> {
    match e {
        Expr::Path(path) => path.path.get_ident().map(text),
        Expr::Index(e) => root(&e.expr),
        Expr::Field(e) => root(&e.base),
        Expr::Paren(e) => root(&e.expr),
        Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr, .. }) => root(expr),
        Expr::MethodCall(e) => root(&e.receiver),
        Expr::Call(e) => e.args.first().and_then(root),
        Expr::Reference(e) => root(&e.expr),
        _ => None,
    }
}

impl Body<'_> {
    pub(super) fn mode(&self, name: Option<&str>) -> TokenStream {
        match name {
            Some(name) if self.modes.contains_key(name) => self.modes[name].clone(),
            Some(name) if self.options.keep.contains(name) => quote!(Mode::Single),
            _ => quote!(Mode::Element),
        }
    }

    /// `let x = x, rounded;`
    pub(super) fn settled(&self, name: &Ident, mutable: bool) -> Stmt {
        let mode = self.mode(Some(&text(name)));
        let mutable = mutable.then(|| quote!(mut));
        parse_quote!(let #mutable #name = Value::settle(#name, #mode);)
    }

    /// Rounds the names that a pattern binds, and makes them mutable where it says so.
    pub(super) fn bound(&self, pattern: &mut Pat) -> Vec<Stmt> {
        struct Bound(Vec<(Ident, bool)>);
        impl VisitMut for Bound {
            fn visit_pat_ident_mut(&mut self, name: &mut syn::PatIdent) {
                // Upper case is a constant.
                if !text(&name.ident).starts_with(char::is_uppercase) {
                    self.0.push((name.ident.clone(), name.mutability.take().is_some()));
                }
                visit_mut::visit_pat_ident_mut(self, name);
            }
        }
        let mut bound = Bound(Vec::new());
        bound.visit_pat_mut(pattern);
        bound.0.iter().map(|(name, mutable)| self.settled(name, *mutable)).collect()
    }

    pub(super) fn settle_tail(&self, block: &mut syn::Block) {
        if let Some(Stmt::Expr(e, None)) = block.stmts.last_mut()
            && !matches!(e, Expr::Return(_))
        {
            *e = parse_quote!(Value::settle(#e, Mode::Element));
        }
    }

    pub(super) fn site(&mut self) -> usize {
        self.module.sites += 1;
        self.module.sites
    }

    /// Rewrites the indices of a place that is not read here.
    pub(super) fn place(&mut self, e: &mut Expr) {
        match e {
            Expr::Index(e) => {
                self.place(&mut e.expr);
                self.visit_expr_mut(&mut e.index);
            }
            Expr::Field(e) => self.place(&mut e.base),
            Expr::Paren(e) => self.place(&mut e.expr),
            Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr, .. }) => self.place(expr),
            Expr::Path(_) => {}
            other => self.visit_expr_mut(other),
        }
    }

    /// Computes the indices of a place before the place is borrowed.
    fn hoisted(&mut self, e: &mut Expr) -> Vec<Stmt> {
        match e {
            Expr::Index(e) => {
                let mut indices = self.hoisted(&mut e.expr);
                if !matches!(&*e.index, Expr::Path(_) | Expr::Lit(_)) {
                    let (name, index) = (format_ident!("i{}", self.site()), &e.index);
                    indices.push(parse_quote!(let #name = #index;));
                    *e.index = parse_quote!(#name);
                }
                indices
            }
            Expr::Field(e) => self.hoisted(&mut e.base),
            Expr::Paren(e) => self.hoisted(&mut e.expr),
            _ => Vec::new(),
        }
    }

    /// Leaves the memory to other threads while the thread is suspended, except `passed`.
    fn suspended(&self, suspended: &Expr, passed: &[String]) -> Expr {
        let held = self.held.iter().map(|(name, _)| name).filter(|name| !passed.contains(name));
        let held: Vec<_> = held.map(|name| format_ident!("{name}")).collect();
        parse_quote!({ #(#held.rest();)* let result = #suspended.await; #(#held.resume();)* result })
    }

    /// Returns the name of memory that is held: of a shared array, or of a parameter.
    pub(super) fn is_held(&self, e: &Expr, shared: bool) -> Option<String> {
        let Expr::Path(path) = e else { return None };
        let name = text(path.path.get_ident()?);
        let (_, is_shared) = self.held.iter().rev().find(|(held, _)| *held == name)?;
        (*is_shared == shared).then_some(name)
    }

    /// Returns `true` if the value is f32, by the names that are kept.
    pub(super) fn is_single(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(_) | Expr::Index(_) | Expr::Field(_) => {
                root(e).is_some_and(|name| self.options.keep.contains(&name) && !self.modes.contains_key(&name))
            }
            Expr::Paren(e) => self.is_single(&e.expr),
            Expr::Unary(e) => self.is_single(&e.expr),
            Expr::Binary(e) => match e.op {
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => {
                    self.is_single(&e.left) || self.is_single(&e.right)
                }
                _ => false,
            },
            Expr::MethodCall(e) => self.is_single(&e.receiver) || e.args.iter().any(|e| self.is_single(e)),
            Expr::Block(e) => self.ends_single(&e.block),
            Expr::Unsafe(e) => self.ends_single(&e.block),
            Expr::If(e) => {
                self.ends_single(&e.then_branch) || e.else_branch.as_ref().is_some_and(|(_, e)| self.is_single(e))
            }
            Expr::Match(e) => e.arms.iter().any(|arm| self.is_single(&arm.body)),
            _ => false,
        }
    }

    pub(super) fn ends_single(&self, block: &syn::Block) -> bool {
        matches!(block.stmts.last(), Some(Stmt::Expr(e, None)) if self.is_single(e))
    }

    /// `place = value`, each of several.
    pub(super) fn assign(&mut self, to: &mut Expr, value: &TokenStream) -> TokenStream {
        match to {
            Expr::Paren(e) => self.assign(&mut e.expr, value),
            Expr::Infer(_) => quote!(let _ = #value;),
            Expr::Tuple(tuple) => {
                let names: Vec<_> = (0..tuple.elems.len()).map(|_| format_ident!("v{}", self.site())).collect();
                let each: Vec<_> =
                    tuple.elems.iter_mut().zip(&names).map(|(e, name)| self.assign(e, &quote!(#name))).collect();
                quote!(let (#(#names),*) = #value; #(#each)*)
            }
            place => {
                let mode = self.mode(root(place).as_deref());
                let element = is_element(place);
                self.place(place);
                if element {
                    let indices = self.hoisted(place);
                    quote!({
                        let value = Value::settle(#value, #mode);
                        #(#indices)*
                        let place = &mut #place;
                        *place = value;
                        rt::note_write(place);
                    })
                } else {
                    quote!(#place = Value::settle(#value, #mode);)
                }
            }
        }
    }

    /// `place op= value`: for primitive types the right operand is evaluated first.
    pub(super) fn compound(&mut self, e: &mut syn::ExprBinary) -> Expr {
        let sum = matches!(e.op, BinOp::AddAssign(_) | BinOp::SubAssign(_));
        let written = self.options.fuse && sum && is_product(&e.right);
        self.visit_expr_mut(&mut e.right);
        if written {
            mark_product(&mut e.right);
        }
        let mode = self.mode(root(&e.left).as_deref());
        let element = is_element(&e.left);
        self.place(&mut e.left);
        let indices = self.hoisted(&mut e.left);
        let (place, op, value) = (&e.left, &e.op, &e.right);
        let change = match quotient(op) {
            Some((of, _, name)) => quote!(rt::#of::#name(place, value);),
            None => quote!(*place #op value;),
        };
        let [before, after] =
            if element { [quote!(rt::note(place);), quote!(rt::note_write(place);)] } else { [quote!(), quote!()] };
        parse_quote!(match #value { value => {
            #(#indices)*
            let place = &mut #place;
            #before
            #change
            *place = Value::settle(*place, #mode);
            #after
        } })
    }

    pub(super) fn call(&mut self, e: &mut syn::ExprCall) -> Expr {
        let Expr::Path(path) = &*e.func else { return Expr::Call(e.clone()) };
        let (name, arguments) = (last(&path.path), path.path.segments.last().map(|s| s.arguments.clone()));
        if name.starts_with("atomic_") {
            let promised = self.promised;
            for (i, e) in e.args.iter_mut().enumerate() {
                match e {
                    Expr::Reference(e) if i == 0 => self.place(&mut e.expr),
                    e => self.visit_expr_mut(e),
                }
            }
            let (module, name) =
                (if promised { quote!(rt::promised) } else { quote!(rt::atomic) }, format_ident!("{name}"));
            let args = &e.args;
            return parse_quote!(#module::#name(#args));
        }
        if self.module.names.suspended.contains(&name) {
            return self.suspended_call(e);
        }
        e.args.iter_mut().for_each(|e| self.visit_expr_mut(e));
        if name == "shared" {
            let Some(syn::PathArguments::AngleBracketed(of)) = arguments else { return Expr::Call(e.clone()) };
            let mut of = of.args.iter();
            let first = of.next().to_token_stream();
            let lengths: Vec<_> = of.collect();
            let ty = lengths.iter().rev().fold(first, |ty, length| quote!([#ty; #length]));
            let site = self.site();
            return parse_quote!(rt::shared::<#ty>(#site, Mode::Element));
        }
        let vote = match &*name {
            "sync_threads" => "barrier",
            "sync_threads_or" => "any",
            "sync_threads_and" => "every",
            "sync_threads_count" => "count",
            _ => return Expr::Call(e.clone()),
        };
        let (site, vote) = (self.site(), format_ident!("{vote}"));
        let waits = match e.args.first() {
            Some(yes) => {
                let waits = self.suspended(&parse_quote!(rt::#vote(#site, yes)), &[]);
                return parse_quote!({ let yes = #yes; #waits });
            }
            None => parse_quote!(rt::#vote(#site)),
        };
        self.suspended(&waits, &[])
    }

    /// A call of a function with barriers: memory that is not passed is left to other threads.
    fn suspended_call(&mut self, e: &mut syn::ExprCall) -> Expr {
        let (mut passed, mut first) = (Vec::new(), Vec::<Stmt>::new());
        for e in &mut e.args {
            let shared = match &*e {
                Expr::Reference(of) => self.is_held(&of.expr, true),
                e => self.is_held(e, false),
            };
            if let Some(name) = shared {
                passed.push(name);
                continue;
            }
            self.visit_expr_mut(e);
            if !matches!(e, Expr::Path(_) | Expr::Reference(_)) {
                let name = format_ident!("v{}", self.site());
                first.push(parse_quote!(let #name = #e;));
                *e = parse_quote!(#name);
            }
        }
        let call = self.suspended(&Expr::Call(e.clone()), &passed);
        parse_quote!({ #(#first)* #call })
    }

    pub(super) fn method(&mut self, e: &mut syn::ExprMethodCall) -> Option<Expr> {
        let name = text(&e.method);
        e.args.iter_mut().for_each(|e| self.visit_expr_mut(e));
        if name == "get"
            && let Expr::Path(path) = &*e.receiver
        {
            let (table, args) = (last(&path.path), &e.args);
            return Some(parse_quote!(rt::table(#table, #args)));
        }
        // Those of integers panic where they have to wrap, and for bounds in the other order.
        let other = match &*name {
            "div_euclid" | "rem_euclid" => format_ident!("wrapping_{name}"),
            "clamp" => format_ident!("bounded"),
            _ => e.method.clone(),
        };
        e.method = other;
        let receiver = &mut e.receiver;
        if self.module.names.changing.contains(&name) {
            let element = is_element(receiver);
            self.place(receiver);
            if element {
                **receiver = parse_quote!(rt::lent(&mut #receiver));
            }
        } else if matches!(&*name, "len" | "iter") {
            self.place(receiver);
        } else {
            self.visit_expr_mut(receiver);
        }
        None
    }
}
