//! Expressions that differ between threads, as operations of the context.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::ast::{Binary, Block, Class, Do, Expr, Is, Precision, Type};
use super::super::parity::Parity;
use super::super::visit::{self, Nature, Part};
use super::Printer;

impl Printer<'_> {
    /// The expression in the representation of a class, which holds its own.
    pub(super) fn value(&self, e: &Expr, class: Class) -> TokenStream {
        match class {
            Class::Uniform => self.scalar(e),
            Class::Lin => self.lin(e),
            Class::Strided | Class::Varying => self.vector(e),
        }
    }

    /// Consecutive indices.
    fn lin(&self, e: &Expr) -> TokenStream {
        let span = e.span;
        match &e.kind {
            Is::Variable(id) => self.name_at(*id, e.span),
            Is::Binary(op, a, b) => {
                // Only sums and differences are of this class.
                if a.class != Class::Lin {
                    let (uniform, lin) = (self.scalar(a), self.lin(b));
                    return quote_spanned!(span=> { let __first = #uniform; #lin + __first });
                }
                let (lin, uniform) = (self.lin(a), self.scalar(b));
                if *op == Binary::Sub {
                    quote_spanned!(span=> (#lin - #uniform))
                } else {
                    quote_spanned!(span=> (#lin + #uniform))
                }
            }
            Is::Cast(a) => self.lin(a),
            Is::Element(array, index) => {
                let (array, index) = (self.name_at(*array, e.span), self.scalar(index));
                quote_spanned!(span=> #array[#index])
            }
            Is::If(condition, then, otherwise) => {
                let condition = self.scalar(condition);
                let then = self.lanes_block(then, Some(Class::Lin));
                let otherwise = self.lanes_block(otherwise, Some(Class::Lin));
                quote_spanned!(span=> (if #condition { #then } else { #otherwise }))
            }
            Is::Block(block) => {
                let block = self.lanes_block(block, Some(Class::Lin));
                quote_spanned!(span=> { #block })
            }
            _ => unreachable!("nothing else has this class"),
        }
    }

    /// One value per thread.
    pub(super) fn vector(&self, e: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let ty = self.types.get(e.ty);
        let letter = letter(ty, e.precision);
        match e.class {
            Class::Uniform => {
                let scalar = self.scalar(e);
                return match ty {
                    Type::Float => {
                        let splat = format_ident!("splat_{letter}");
                        quote_spanned!(span=> #cx.#splat(#scalar))
                    }
                    Type::Bool => quote_spanned!(span=> #cx.mask(#scalar)),
                    _ => quote_spanned!(span=> #cx.splat_int(#scalar)),
                };
            }
            Class::Lin => {
                let lin = self.lin(e);
                return quote_spanned!(span=> #cx.lanes(#lin));
            }
            Class::Strided | Class::Varying => {}
        }
        let name = self.rust_type(ty);
        match &e.kind {
            Is::Variable(id) => self.name_at(*id, e.span),
            Is::Negate(a) => {
                let a = self.vector(a);
                quote_spanned!(span=>
                    #cx.int2::<#name>(#kernel::IntOp::Sub, #cx.splat_int(0), #a, #cx.mask(true)))
            }
            Is::Not(a) => {
                let a = self.vector(a);
                if ty == Type::Bool {
                    quote_spanned!(span=> #cx.and_not(#cx.mask(true), #a))
                } else {
                    quote_spanned!(span=>
                        #cx.int2::<#name>(#kernel::IntOp::Xor, #a, #cx.splat_int(!0), #cx.mask(true)))
                }
            }
            Is::Float1(op, a) => {
                let (op, function, a) = (format_ident!("{op}"), format_ident!("{letter}1"), self.vector(a));
                quote_spanned!(span=> #cx.#function(#kernel::op1::#op, #a))
            }
            Is::Binary(op, a, b) => {
                let (a, b) = (self.vector(a), self.vector(b));
                let name_of_op = Ident::new(op.name(), span);
                match ty {
                    Type::Float => {
                        let function = format_ident!("{letter}2");
                        quote_spanned!(span=> #cx.#function(#kernel::op2::#name_of_op, #a, #b))
                    }
                    Type::Bool => self.of_masks(*op, &a, &b, span),
                    _ => {
                        let mask = quote!(#kernel::Exec::mask(#x, #cx));
                        quote_spanned!(span=> #cx.int2::<#name>(#kernel::IntOp::#name_of_op, #a, #b, #mask))
                    }
                }
            }
            Is::MulAdd(x) => {
                let (function, x) = (format_ident!("{letter}_fma"), x.iter().map(|x| self.vector(x)));
                quote_spanned!(span=> #cx.#function(#(#x),*))
            }
            Is::Nan(a) => {
                let (function, a) = (format_ident!("{}_cmp", self::letter(Type::Float, a.precision)), self.vector(a));
                quote_spanned!(span=> { let __a = #a; #cx.#function(#kernel::cmp::Ne, __a, __a) })
            }
            Is::Compare(op, a, b) => self.compare(op, a, b, e),
            Is::Logic { and, a, b } => self.logic(*and, a, b, e),
            Is::Cast(a) => self.cast(a, e),
            Is::Narrow(a) => match a.precision {
                Precision::Single => {
                    let a = self.vector(a);
                    quote_spanned!(span=> #cx.cvt_rn(#a))
                }
                _ => self.vector(a),
            },
            Is::Widen(a) => {
                let a = self.vector(a);
                quote_spanned!(span=> #cx.widen(#a))
            }
            Is::Load { slice, index, .. } => {
                let mut from = self.name_at(*slice, e.span);
                if self.kernel.variables[*slice].kind.is_written() {
                    from = quote!(#from.as_in());
                }
                let what = if ty == Type::Float { letter } else { "int" };
                if index.class == Class::Lin {
                    let (function, at, parity) = (format_ident!("load_{what}"), self.lin(index), self.parity(ty, e));
                    quote_spanned!(span=> #cx.#function(#from, #at, #parity #x))
                } else {
                    let (function, at) = (format_ident!("gather_{what}"), self.vector(index));
                    quote_spanned!(span=> #cx.#function(#from, #at, #x))
                }
            }
            Is::Element(array, index) => {
                let (array, index) = (self.name_at(*array, e.span), self.scalar(index));
                quote_spanned!(span=> #array[#index])
            }
            Is::Table(table, a) => {
                let a = self.vector(a);
                quote_spanned!(span=> #cx.table(&#table, #a, #x))
            }
            Is::Call(function, arguments) => {
                let arguments = arguments.iter().map(|a| match a.kind {
                    Is::Slice(id) => self.name_at(id, a.span),
                    _ => self.vector(a),
                });
                quote_spanned!(span=> #function::lanes(#cx, #x #(, #arguments)*))
            }
            Is::If(condition, then, otherwise) => self.select(condition, then, otherwise, e),
            Is::Block(block) => {
                let block = self.lanes_block(block, Some(e.class));
                quote_spanned!(span=> { #block })
            }
            Is::Float(_) | Is::Int(_) | Is::Bool(_) | Is::Constant(_) | Is::Limit(_) | Is::Length(_) | Is::Slice(_) => {
                unreachable!("the same for all threads")
            }
        }
    }

    /// The argument that says how a pair of elements is aligned, with its comma.
    pub(super) fn parity(&self, ty: Type, load: &Expr) -> TokenStream {
        match &load.kind {
            Is::Load { index, .. } if ty == Type::Float && load.precision != Precision::Single => self.parity_of(index),
            _ => TokenStream::new(),
        }
    }

    pub(super) fn parity_of(&self, index: &Expr) -> TokenStream {
        let kernel = &self.path;
        let parity = match self.parities.borrow_mut().of(index) {
            Parity::Even => quote!(Even),
            Parity::Odd => quote!(Odd),
            Parity::Unknown => quote!(Unknown),
        };
        quote!(#kernel::Parity::#parity,)
    }

    fn compare(&self, op: &str, a: &Expr, b: &Expr, e: &Expr) -> TokenStream {
        let (kernel, cx, span) = (&self.path, &self.cx, e.span);
        let of = self.types.get(a.ty);
        let name = self.rust_type(of);
        let op = Ident::new(op, span);
        match of {
            Type::Usize if a.class == Class::Lin && b.class == Class::Uniform => {
                let (a, b) = (self.lin(a), self.scalar(b));
                quote_spanned!(span=> #cx.lin_cmp(#kernel::Cmp::#op, #a, #b))
            }
            Type::Float => {
                let function = format_ident!("{}_cmp", letter(of, a.precision));
                let (a, b) = (self.vector(a), self.vector(b));
                quote_spanned!(span=> #cx.#function(#kernel::cmp::#op, #a, #b))
            }
            Type::Bool => {
                let (a, b) = (self.vector(a), self.vector(b));
                let differ = self.of_masks(Binary::Xor, &a, &b, span);
                if op == "Eq" { quote_spanned!(span=> #cx.and_not(#cx.mask(true), #differ)) } else { differ }
            }
            _ => {
                let (a, b) = (self.vector(a), self.vector(b));
                quote_spanned!(span=> #cx.int_cmp::<#name>(#kernel::Cmp::#op, #a, #b))
            }
        }
    }

    /// `&`, `|` or `^` of truth values, both of which are computed.
    fn of_masks(&self, op: Binary, a: &TokenStream, b: &TokenStream, span: Span) -> TokenStream {
        let cx = &self.cx;
        match op {
            Binary::And => quote_spanned!(span=> #cx.and(#a, #b)),
            Binary::Or => quote_spanned!(span=> #cx.or(#a, #b)),
            _ => quote_spanned!(span=> {
                let (__a, __b) = (#a, #b);
                #cx.or(#cx.and_not(__a, __b), #cx.and_not(__b, __a))
            }),
        }
    }

    /// The second operand is for the threads that the first one leaves open.
    fn logic(&self, and: bool, a: &Expr, b: &Expr, e: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let (left, right) = (self.vector(a), self.vector(b));
        if a.class == Class::Uniform {
            // Decided for all threads alike.
            let scalar = self.scalar(a);
            return if and {
                quote_spanned!(span=> (if #scalar { #right } else { #cx.mask(false) }))
            } else {
                quote_spanned!(span=> (if #scalar { #cx.mask(true) } else { #right }))
            };
        }
        let (open, both) = if and { (quote!(and), quote!(and)) } else { (quote!(and_not), quote!(or)) };
        let run = if is_pure(b) {
            quote!(#cx.#both(__a, #right))
        } else {
            quote! {
                if #cx.any(#x.0) {
                    #cx.#both(__a, #cx.and(#x.0, #right))
                } else {
                    __a
                }
            }
        };
        quote_spanned!(span=> {
            let __a = #left;
            let #x = #kernel::Masked(#cx.#open(#kernel::Exec::mask(#x, #cx), __a));
            #run
        })
    }

    fn cast(&self, a: &Expr, e: &Expr) -> TokenStream {
        let (cx, span) = (&self.cx, e.span);
        let (from, to) = (self.types.get(a.ty), self.types.get(e.ty));
        let (from_name, to_name) = (self.rust_type(from), self.rust_type(to));
        let (precision, a) = (a.precision, self.vector(a));
        match (from, to) {
            (Type::Float, _) => {
                let a = if precision == Precision::Single { a } else { quote!(#cx.widen(#a)) };
                quote_spanned!(span=> #cx.k_to_int::<#to_name>(#a))
            }
            (_, Type::Float) => {
                let function = format_ident!("int_to_{}", letter(to, e.precision));
                quote_spanned!(span=> #cx.#function::<#from_name>(#a))
            }
            (Type::Bool, _) => {
                quote_spanned!(span=> #cx.int_select::<#to_name>(#a, #cx.splat_int(1), #cx.splat_int(0)))
            }
            _ if from == to => a,
            _ => quote_spanned!(span=> #cx.int_as::<#from_name, #to_name>(#a)),
        }
    }

    /// `if` as a value.
    fn select(&self, condition: &Expr, then: &Block, otherwise: &Block, e: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let ty = self.types.get(e.ty);
        if condition.class == Class::Uniform {
            let condition = self.scalar(condition);
            let (then, otherwise) = (self.lanes_block(then, Some(e.class)), self.lanes_block(otherwise, Some(e.class)));
            return quote_spanned!(span=> (if #condition { #then } else { #otherwise }));
        }
        let condition = self.vector(condition);
        let (a, b) = (self.arm_value(then, e), self.arm_value(otherwise, e));
        let select = self.select_of(ty, e.precision, &quote!(__c), &quote!(__a), &quote!(__b));
        quote_spanned!(span=> {
            let __c = #condition;
            let __a = { let #x = #kernel::Masked(#cx.and(#kernel::Exec::mask(#x, #cx), __c)); #a };
            let __b = { let #x = #kernel::Masked(#cx.and_not(#kernel::Exec::mask(#x, #cx), __c)); #b };
            #select
        })
    }

    /// `yes` where `mask` is set.
    pub(super) fn select_of(
        &self,
        ty: Type,
        precision: Precision,
        mask: &TokenStream,
        yes: &TokenStream,
        no: &TokenStream,
    ) -> TokenStream {
        let cx = &self.cx;
        match ty {
            Type::Float => {
                let function = format_ident!("{}_select", letter(ty, precision));
                quote!(#cx.#function(#mask, #yes, #no))
            }
            Type::Bool => quote!(#cx.or(#cx.and(#mask, #yes), #cx.and_not(#no, #mask))),
            _ => {
                let name = self.rust_type(ty);
                quote!(#cx.int_select::<#name>(#mask, #yes, #no))
            }
        }
    }

    /// An arm's value, computed only if a thread takes it, unless it is cheap.
    fn arm_value(&self, arm: &Block, e: &Expr) -> TokenStream {
        let (cx, x) = (&self.cx, &self.exec);
        let block = self.lanes_block(arm, Some(Class::Varying));
        if is_pure_block(arm) {
            return block;
        }
        let nothing = self.nothing(self.types.get(e.ty), e.precision, Class::Varying);
        quote!(if #cx.any(#x.0) { #block } else { #nothing })
    }

    /// What stands in for a value that no thread asks for.
    pub(super) fn nothing(&self, ty: Type, precision: Precision, class: Class) -> TokenStream {
        let (kernel, cx) = (&self.path, &self.cx);
        match (class, ty) {
            (Class::Uniform, _) => quote!(::core::default::Default::default()),
            (Class::Lin, _) => quote!(#kernel::Lin(0)),
            (_, Type::Float) => {
                let splat = format_ident!("splat_{}", letter(ty, precision));
                quote!(#cx.#splat(::core::default::Default::default()))
            }
            (_, Type::Bool) => quote!(#cx.mask(false)),
            (_, Type::Unit) => quote!(()),
            _ => {
                let name = self.rust_type(ty);
                quote!(#cx.splat_int::<#name>(0))
            }
        }
    }
}

/// How the context calls values of the type.
pub(super) fn letter(ty: Type, precision: Precision) -> &'static str {
    match (ty, precision) {
        (Type::Float, Precision::Single) => "k",
        (Type::Float, _) => "e",
        _ => "int",
    }
}

/// Whether it may run for threads that do not ask for it: nothing is read, written, called or divided, and nothing repeated. A
/// division of floats could run; it is not short.
pub(super) fn is_pure(e: &Expr) -> bool {
    visit::all_in_expr(e, is_pure_part)
}

pub(super) fn is_pure_block(block: &Block) -> bool {
    let mut pure = block.tail.as_ref().is_none_or(|tail| is_pure(tail));
    for statement in &block.statements {
        visit::each_in_statement(statement, &mut |part| pure = pure && is_pure_part(part));
    }
    pure
}

fn is_pure_part(part: Part<'_>) -> bool {
    match part {
        Part::Expr(e) => matches!(Nature::of(e), Nature::Value | Nature::Arithmetic | Nature::Compound),
        Part::Statement(s) => matches!(s.kind, Do::Let(..) | Do::Assign { .. } | Do::If(..) | Do::Block(_)),
    }
}
