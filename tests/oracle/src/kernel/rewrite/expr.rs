//! The walk through a function: what each expression and each statement becomes.

use quote::{ToTokens as _, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Item, Lit, Pat, Stmt, Token, Type, UnOp, parse_quote};

use super::super::number;
use super::body::{Body, is_element, is_product, mark_product};
use super::constant::{constant, float, float_of_core};
use super::quotient::{is_literal, quotient};
use super::{last, text};

impl VisitMut for Body<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if is_element(e) {
            self.place(e);
            *e = parse_quote!((*rt::note(&#e)));
            return;
        }
        match e {
            Expr::Lit(lit) => {
                if let Some(digits) = float(&lit.lit) {
                    let [a, b, c] = number::literal(digits).expect("a number");
                    *e = parse_quote!(Soft::Literal([#a, #b, #c]));
                }
            }
            Expr::Path(path) if path.path.segments.len() == 2 && path.path.segments[0].ident == "f32" => {
                if let Some([a, b, c]) = number::limit(&last(&path.path)) {
                    *e = parse_quote!(Soft::Literal([#a, #b, #c]));
                }
            }
            Expr::Path(path) if path.path.segments.iter().any(|s| s.ident == "consts") => {
                let core = float_of_core(&path.path);
                *e = parse_quote!(Soft::Constant(#core));
            }
            Expr::Reference(reference) => {
                let element = is_element(&reference.expr);
                if self.is_held(&reference.expr, true).is_some() {
                    let name = &reference.expr;
                    reference.expr = parse_quote!(*#name);
                }
                self.place(&mut reference.expr);
                if element {
                    let lent = if reference.mutability.is_some() { quote!(rt::lent) } else { quote!(rt::note) };
                    *e = parse_quote!(#lent(#reference));
                }
            }
            Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr, .. }) => self.place(expr),
            Expr::Assign(assign) => {
                self.visit_expr_mut(&mut assign.right);
                let value = assign.right.to_token_stream();
                let assigned = self.assign(&mut assign.left, &value);
                *e = parse_quote!({ #assigned });
            }
            Expr::Binary(binary) => {
                if matches!(
                    binary.op,
                    BinOp::AddAssign(_)
                        | BinOp::SubAssign(_)
                        | BinOp::MulAssign(_)
                        | BinOp::DivAssign(_)
                        | BinOp::RemAssign(_)
                        | BinOp::BitXorAssign(_)
                        | BinOp::BitAndAssign(_)
                        | BinOp::BitOrAssign(_)
                        | BinOp::ShlAssign(_)
                        | BinOp::ShrAssign(_)
                ) {
                    *e = self.compound(binary);
                    return;
                }
                let sum = self.options.fuse && matches!(binary.op, BinOp::Add(_) | BinOp::Sub(_));
                for side in [&mut binary.left, &mut binary.right] {
                    let written = sum && is_product(side);
                    self.visit_expr_mut(side);
                    if written {
                        mark_product(side);
                    }
                }
                if let Some((of, name, _)) = quotient(&binary.op).filter(|_| !is_literal(&binary.right)) {
                    let (a, b) = (&binary.left, &binary.right);
                    *e = parse_quote!(rt::#of::#name(#a, #b));
                }
            }
            Expr::Cast(cast) => {
                let ty = cast.ty.clone();
                if matches!((&*cast.expr, &*ty), (Expr::Lit(syn::ExprLit { lit: Lit::Int(_), .. }), Type::Path(path)) if !path.path.is_ident("f32"))
                {
                    return;
                }
                self.visit_expr_mut(&mut cast.expr);
                let of = &cast.expr;
                *e = parse_quote!(Cast::<#ty>::cast(#of));
            }
            Expr::Call(call) => *e = self.call(call),
            Expr::MethodCall(call) => {
                if let Some(other) = self.method(call) {
                    *e = other;
                }
            }
            Expr::If(_) | Expr::Match(_) => {
                let single = self.is_single(e);
                visit_mut::visit_expr_mut(self, e);
                if single {
                    *e = parse_quote!(Value::settle(#e, Mode::Single));
                }
            }
            Expr::Unsafe(block) => {
                let outside = std::mem::replace(&mut self.promised, true);
                self.visit_block_mut(&mut block.block);
                self.promised = outside;
                let block = &block.block;
                *e = parse_quote!(#block);
            }
            Expr::Return(returned) => {
                if let Some(value) = &mut returned.expr {
                    self.visit_expr_mut(value);
                    **value = parse_quote!(Value::settle(#value, Mode::Element));
                }
            }
            Expr::While(syn::ExprWhile { body, .. }) | Expr::Loop(syn::ExprLoop { body, .. }) => {
                body.stmts.insert(0, parse_quote!(rt::turn();));
                visit_mut::visit_expr_mut(self, e);
            }
            Expr::ForLoop(e) => {
                self.visit_expr_mut(&mut e.expr);
                self.visit_block_mut(&mut e.body);
                if matches!(&*e.pat, Pat::Wild(_)) {
                    return;
                }
                let noted: Expr = match &*e.pat {
                    Pat::Reference(_) => parse_quote!(rt::note(item)),
                    Pat::Tuple(tuple) if matches!(tuple.elems.last(), Some(Pat::Reference(_))) => {
                        parse_quote!((item.0, rt::note(item.1)))
                    }
                    _ => parse_quote!(item),
                };
                let mut pattern = (*e.pat).clone();
                let settled = self.bound(&mut pattern);
                e.pat = parse_quote!(item);
                let first: Stmt = parse_quote!(let #pattern = #noted;);
                e.body.stmts.splice(0..0, std::iter::once(first).chain(settled));
            }
            Expr::Repeat(e) => self.visit_expr_mut(&mut e.expr),
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        let settled = self.bound(&mut arm.pat);
        if let Pat::Guard(guarded) = &mut arm.pat {
            let guard = &mut guarded.guard;
            self.visit_expr_mut(guard);
            **guard = parse_quote!({ #(#settled)* #guard });
        }
        self.visit_expr_mut(&mut arm.body);
        if !settled.is_empty() {
            let body = &arm.body;
            arm.body = parse_quote!({ #(#settled)* #body });
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let (mut stmts, outside) = (Vec::new(), self.held.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            let mut settled = Vec::new();
            match &mut stmt {
                Stmt::Local(local) => {
                    let mut shared = false;
                    if let Some(init) = &mut local.init {
                        shared = matches!(&*init.expr, Expr::Call(e) if matches!(&*e.func, Expr::Path(p) if last(&p.path) == "shared"));
                        self.visit_expr_mut(&mut init.expr);
                        if !shared {
                            settled = self.bound(&mut local.pat);
                        }
                    }
                    if shared && let Pat::Ident(name) = &mut local.pat {
                        name.mutability = Some(Token![mut](name.ident.span()));
                        self.held.push((text(&name.ident), true));
                        let mode = self.mode(Some(&text(&name.ident)));
                        let init = local.init.as_mut().expect("it is shared memory");
                        if let Expr::Call(call) = &mut *init.expr {
                            call.args[1] = parse_quote!(#mode);
                        }
                    }
                }
                Stmt::Expr(e, _) => self.visit_expr_mut(e),
                Stmt::Item(Item::Const(item)) => {
                    stmt = Stmt::Item(
                        syn::parse2(constant(&item.ident, &item.ty, &item.expr, &quote!())).expect("a constant"),
                    )
                }
                _ => {}
            }
            stmts.push(stmt);
            stmts.extend(settled);
        }
        self.held.truncate(outside);
        block.stmts = stmts;
    }

    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
}
