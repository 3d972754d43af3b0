//! Expressions that differ between threads, as operations of the context.
//!
//! A value is printed in the representation of its class: a uniform value as one scalar,
//! consecutive indices as the first of them (`Lin`), and any other value as one value per thread.
//! `splat` and `indices` convert to a wider representation.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::ast::{Binary, Block, Class, Expr, ExprKind, Precision, StatementKind};
use super::super::parity::Parity;
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::super::visit::{self, Nature, Part};
use super::{Printer, primitive};

impl Printer<'_> {
    /// Prints the expression in the representation of a class that contains its own.
    pub(super) fn in_class(&self, e: &Expr, class: Class) -> TokenStream {
        match class {
            Class::Uniform => self.scalar(e),
            Class::Lin => self.consecutive(e),
            Class::Strided | Class::Varying => self.per_thread(e),
        }
    }

    /// Prints consecutive indices.
    fn consecutive(&self, e: &Expr) -> TokenStream {
        let span = e.span;
        match &e.kind {
            ExprKind::Variable(id) => self.name_at(*id, e.span),
            ExprKind::Binary(op, a, b) => {
                // Only sums and differences have this class.
                if a.class != Class::Lin {
                    let (uniform, lin) = (self.scalar(a), self.consecutive(b));
                    // In parentheses, since it may be such a block itself.
                    return quote_spanned!(span=> { let __first = #uniform; (#lin) + __first });
                }
                let (lin, uniform) = (self.consecutive(a), self.scalar(b));
                if *op == Binary::Sub {
                    quote_spanned!(span=> (#lin - #uniform))
                } else {
                    quote_spanned!(span=> (#lin + #uniform))
                }
            }
            ExprKind::Cast(a) => self.consecutive(a),
            ExprKind::Row(place) => {
                let (cx, x, rows) = (&self.cx, &self.exec, self.rows(place, e));
                let (row, column) = (self.scalar(&place.row), self.consecutive(&place.column));
                quote_spanned!(span=> #rows.along(#cx, #row, #column, #x))
            }
            ExprKind::Element(array, index) => {
                let (array, index) = (self.name_at(*array, e.span), self.scalar(index));
                quote_spanned!(span=> #array[#index])
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.scalar(condition);
                let then = self.masked_block(then, Some(Class::Lin));
                let otherwise = self.masked_block(otherwise, Some(Class::Lin));
                quote_spanned!(span=> (if #condition { #then } else { #otherwise }))
            }
            ExprKind::Block(block) => {
                let block = self.masked_block(block, Some(Class::Lin));
                quote_spanned!(span=> { #block })
            }
            _ => unreachable!("nothing else has this class"),
        }
    }

    /// Prints indices with a constant stride. `None` if the expression does not show the stride.
    fn strided(&self, e: &Expr) -> Option<TokenStream> {
        let (kernel, span) = (&self.path, e.span);
        if e.class == Class::Lin {
            let lin = self.consecutive(e);
            return Some(quote_spanned!(span=> #kernel::Strided::from(#lin)));
        }
        if e.class != Class::Strided {
            return None;
        }
        match &e.kind {
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    Binary::Add => quote_spanned!(span=> +),
                    Binary::Sub => quote_spanned!(span=> -),
                    Binary::Mul => quote_spanned!(span=> *),
                    _ => return None,
                };
                Some(match (a.class, b.class) {
                    (Class::Uniform, _) => {
                        let (uniform, strided) = (self.scalar(a), self.strided(b)?);
                        let sign =
                            matches!(e.kind, ExprKind::Binary(Binary::Sub, ..)).then(|| quote_spanned!(span=> -));
                        let op = if sign.is_some() { quote_spanned!(span=> +) } else { op };
                        quote_spanned!(span=> { let __first = #uniform; (#sign #strided) #op __first })
                    }
                    (_, Class::Uniform) => {
                        let (strided, uniform) = (self.strided(a)?, self.scalar(b));
                        quote_spanned!(span=> (#strided #op #uniform))
                    }
                    _ => {
                        let (a, b) = (self.strided(a)?, self.strided(b)?);
                        quote_spanned!(span=> (#a #op #b))
                    }
                })
            }
            ExprKind::Cast(a) => self.strided(a),
            _ => None,
        }
    }

    /// Prints one value per thread.
    pub(super) fn per_thread(&self, e: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let ty = self.types.get(e.ty);
        let held = self.held_as(ty, e.precision);
        match e.class {
            Class::Uniform => {
                let scalar = self.scalar(e);
                return match ty {
                    Type::Bool => quote_spanned!(span=> #cx.mask(#scalar)),
                    _ => quote_spanned!(span=> #cx.splat::<#held>(#scalar)),
                };
            }
            Class::Lin => {
                let lin = self.consecutive(e);
                return quote_spanned!(span=> #cx.indices(#lin));
            }
            Class::Strided | Class::Varying => {}
        }
        match &e.kind {
            ExprKind::Variable(id) => self.canonical(*id, e),
            ExprKind::Negate(a) => {
                let a = self.per_thread(a);
                quote_spanned!(span=>
                    #cx.int_op::<#held>(#kernel::IntOp::Sub, #cx.splat::<#held>(0), #a, #cx.mask(true)))
            }
            ExprKind::Not(a) => {
                let a = self.per_thread(a);
                if ty == Type::Bool {
                    quote_spanned!(span=> #cx.and_not(#cx.mask(true), #a))
                } else {
                    quote_spanned!(span=>
                        #cx.int_op::<#held>(#kernel::IntOp::Xor, #a, #cx.splat::<#held>(!0), #cx.mask(true)))
                }
            }
            ExprKind::Float1(op, a) => {
                let (a, op) = (self.operand_of(op, a), format_ident!("{op}"));
                quote_spanned!(span=> #cx.op1::<#held, _>(#kernel::op1::#op, #a))
            }
            ExprKind::Int1(op, a) => {
                let (op, a) = (Ident::new(op, span), self.per_thread(a));
                quote_spanned!(span=> #cx.int_op1::<#held>(#kernel::IntOp1::#op, #a))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = match (ty, op) {
                    // The sign is seen.
                    (Type::Float, Binary::CopySign) => (self.per_thread(a), self.per_thread(b)),
                    _ => (self.with_any_nan(a), self.with_any_nan(b)),
                };
                let name_of_op = Ident::new(op.name(), span);
                match ty {
                    Type::Float => quote_spanned!(span=> #cx.op2::<#held, _>(#kernel::op2::#name_of_op, #a, #b)),
                    Type::Bool => self.combine_masks(*op, &a, &b, span),
                    _ => {
                        let mask = quote!(#kernel::Exec::mask(#x, #cx));
                        quote_spanned!(span=> #cx.int_op::<#held>(#kernel::IntOp::#name_of_op, #a, #b, #mask))
                    }
                }
            }
            ExprKind::MulAdd(x) => {
                let x = x.iter().map(|x| self.with_any_nan(x));
                quote_spanned!(span=> #cx.fma::<#held>(#(#x),*))
            }
            ExprKind::Clamp(x) => {
                let x = x.iter().map(|x| self.per_thread(x));
                quote_spanned!(span=> #cx.clamp::<#held>(#(#x),*))
            }
            ExprKind::Power(a, exponent) => {
                let a = self.with_any_nan(a);
                quote_spanned!(span=> #cx.powi::<#held>(#a, #exponent))
            }
            ExprKind::Test(test, a) => {
                let (held, a) = (self.held_as(Type::Float, a.precision), self.with_any_nan(a));
                let test = Ident::new(test, span);
                quote_spanned!(span=> #cx.#test::<#held>(#a))
            }
            ExprKind::Compare(op, a, b) => self.compare(op, a, b, e),
            ExprKind::Logic { and, a, b } => self.short_circuit(*and, a, b, e),
            ExprKind::Cast(a) if self.is_unknown_outside(a) => {
                self.of_each(a, &held, |outside| self.cast_outside(e, outside))
            }
            ExprKind::Cast(a) => self.cast(a, e),
            ExprKind::ConstantElement(..) if ty == Type::Bool => {
                let number = primitive("u32");
                let set = self.of_each(e, &number, |outside| quote_spanned!(span=> #number::from(#outside)));
                quote_spanned!(span=> #cx.compare::<#number, _>(#kernel::cmp::Ne, #set, #cx.splat::<#number>(0)))
            }
            ExprKind::ConstantElement(..) => self.of_each(e, &held, |outside| self.held_outside(e, outside)),
            ExprKind::Narrow(a) => match a.precision {
                Precision::Single => {
                    let a = self.per_thread(a);
                    quote_spanned!(span=> #cx.cvt_rn(#a))
                }
                _ => self.per_thread(a),
            },
            ExprKind::Widen(a) => {
                let a = self.per_thread(a);
                quote_spanned!(span=> #cx.widen(#a))
            }
            ExprKind::Row(place) => {
                let rows = self.rows(place, e);
                if place.row.class == Class::Lin && place.column.class == Class::Uniform {
                    let (row, column) = (self.consecutive(&place.row), self.scalar(&place.column));
                    return quote_spanned!(span=> #rows.down(#cx, #row, #column, #x));
                }
                let (row, column) = (self.per_thread(&place.row), self.per_thread(&place.column));
                quote_spanned!(span=> #rows.anywhere(#cx, #row, #column, #x))
            }
            ExprKind::Load { slice, index, .. } => {
                if let Some(name) = self.loaded(e) {
                    return quote!(#name);
                }
                let mut from = self.accessed(*slice, index, e.span);
                if self.kernel.variables[*slice].kind.is_written() {
                    from = quote!(#from.as_in());
                }
                let stored = self.kernel.variables[*slice].stored;
                if index.class == Class::Lin {
                    let at = self.consecutive(index);
                    let parity = self.parity(index, stored.is_some() || in_pairs(ty, e.precision));
                    let load = if stored.is_some() {
                        quote_spanned!(span=> load_as::<#held, _, _>)
                    } else {
                        quote_spanned!(span=> load::<#held, _>)
                    };
                    quote_spanned!(span=> #cx.#load(#from, #at, #parity, #x))
                } else if let Some(at) = self.strided(index).filter(|_| stored.is_none()) {
                    quote_spanned!(span=> #cx.load_strided::<#held, _>(#from, #at, #x))
                } else {
                    let at = self.per_thread(index);
                    let gather = if stored.is_some() {
                        quote_spanned!(span=> gather_as::<#held, _, _>)
                    } else {
                        quote_spanned!(span=> gather::<#held, _>)
                    };
                    quote_spanned!(span=> #cx.#gather(#from, #at, #x))
                }
            }
            ExprKind::Element(id, index) => {
                let array = self.name_at(*id, e.span);
                if index.class == Class::Uniform {
                    let index = self.scalar(index);
                    return quote_spanned!(span=> #array[#index]);
                }
                if self.kernel.variables[*id].class == Class::Uniform {
                    return self.at_each(&quote!(#array), &[&**index], &held, span, TokenStream::clone);
                }
                let at = self.per_thread(index);
                quote_spanned!(span=> #cx.array_element::<#held, _>(&#array[..], #at, #x))
            }
            ExprKind::Table(table, a) => {
                let a = self.per_thread(a);
                quote_spanned!(span=> #cx.table(&#table, #a, #x))
            }
            ExprKind::Call(function, arguments) => self.call_lanes(function, arguments, &primitive(ty.name()), span),
            ExprKind::If(condition, then, otherwise) => {
                let choice = self.choice(condition, then, otherwise, e);
                self.chosen_load(e, choice)
            }
            ExprKind::Block(block) => {
                let block = self.masked_block(block, Some(e.class));
                quote_spanned!(span=> { #block })
            }
            ExprKind::Float(_)
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Constant(_)
            | ExprKind::Limit(_)
            | ExprKind::Length(_)
            | ExprKind::Unset
            | ExprKind::Slice(_) => {
                unreachable!("the same for all threads")
            }
        }
    }

    /// Prints `value` for the constant's element at each thread's indices.
    fn of_each(&self, e: &Expr, held: &TokenStream, value: impl Fn(&TokenStream) -> TokenStream) -> TokenStream {
        let ExprKind::ConstantElement(array, indices) = &e.kind else {
            unreachable!("other constants are the same for all threads")
        };
        self.at_each(array, &indices.iter().collect::<Vec<_>>(), held, e.span, value)
    }

    /// Prints `value` for the element at each thread's indices, in an array that is the same for
    /// all threads.
    fn at_each(
        &self,
        array: &TokenStream,
        indices: &[&Expr],
        held: &TokenStream,
        span: Span,
        value: impl Fn(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let (cx, x, axes) = (&self.cx, &self.exec, indices.len());
        let names: Vec<_> = (0..axes).map(|axis| self.internal(&format!("__index_{axis}"))).collect();
        let at = indices.iter().map(|index| self.per_thread(index));
        let value = value(&quote_spanned!(span=> #array #([#names])*));
        quote_spanned!(span=> #cx.constant_element::<#held, _, #axes>([#(#at),*], |[#(#names),*]| #value, #x))
    }

    /// Prints the known alignment of two neighbours, if they are a pair.
    pub(super) fn parity(&self, index: &Expr, in_pairs: bool) -> TokenStream {
        let kernel = &self.path;
        let mut parities = self.parities.borrow_mut();
        let parity = match in_pairs {
            true => parities.of(index),
            false if parities.is_multiple(index) => Parity::Multiple,
            false => Parity::Unknown,
        };
        let in_rows = in_pairs && parities.in_rows(index);
        match parity {
            Parity::Multiple => quote!(#kernel::Parity::Multiple),
            Parity::Even if in_rows => quote!(#kernel::Parity::Row),
            Parity::Even => quote!(#kernel::Parity::Even),
            Parity::Odd => quote!(#kernel::Parity::Odd),
            Parity::Unknown => quote!(#kernel::Parity::Unknown),
        }
    }

    fn compare(&self, op: &str, a: &Expr, b: &Expr, e: &Expr) -> TokenStream {
        let (kernel, cx, span) = (&self.path, &self.cx, e.span);
        let of = self.types.get(a.ty);
        let held = self.held_as(of, a.precision);
        let op = Ident::new(op, span);
        match of {
            Type::USIZE if a.class == Class::Lin && b.class == Class::Uniform => {
                let (a, b) = (self.consecutive(a), self.scalar(b));
                quote_spanned!(span=> #cx.compare_indices(#kernel::Cmp::#op, #a, #b))
            }
            Type::Bool => {
                let (a, b) = (self.per_thread(a), self.per_thread(b));
                let differ = self.combine_masks(Binary::Xor, &a, &b, span);
                if op == "Eq" { quote_spanned!(span=> #cx.and_not(#cx.mask(true), #differ)) } else { differ }
            }
            _ => {
                let (a, b) = (self.with_any_nan(a), self.with_any_nan(b));
                quote_spanned!(span=> #cx.compare::<#held, _>(#kernel::cmp::#op, #a, #b))
            }
        }
    }

    /// Prints `&`, `|` or `^` of two `bool`s, both of which are computed.
    fn combine_masks(&self, op: Binary, a: &TokenStream, b: &TokenStream, span: Span) -> TokenStream {
        let cx = &self.cx;
        match op {
            Binary::And => quote_spanned!(span=> #cx.and(#a, #b)),
            Binary::Or => quote_spanned!(span=> #cx.or(#a, #b)),
            _ => quote_spanned!(span=> {
                let (__left, __right) = (#a, #b);
                #cx.or(#cx.and_not(__left, __right), #cx.and_not(__right, __left))
            }),
        }
    }

    /// Prints `&&` or `||`. The second operand is computed for the threads that the first one does
    /// not decide.
    fn short_circuit(&self, and: bool, a: &Expr, b: &Expr, e: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let (left, right) = (self.per_thread(a), self.per_thread(b));
        if a.class == Class::Uniform {
            // The first operand decides for all threads alike.
            let scalar = self.scalar(a);
            return if and {
                quote_spanned!(span=> (if #scalar { #right } else { #cx.mask(false) }))
            } else {
                quote_spanned!(span=> (if #scalar { #cx.mask(true) } else { #right }))
            };
        }
        let (open, both) = if and { (quote!(and), quote!(and)) } else { (quote!(and_not), quote!(or)) };
        let run = if is_pure(b) {
            quote!(#cx.#both(__left, #right))
        } else {
            quote! {
                if #cx.any(#x.0) {
                    #cx.#both(__left, #cx.and(#x.0, #right))
                } else {
                    __left
                }
            }
        };
        quote_spanned!(span=> {
            let __left = #left;
            let #x = #kernel::Masked(#cx.#open(#kernel::Exec::mask(#x, #cx), __left));
            #run
        })
    }

    fn cast(&self, a: &Expr, e: &Expr) -> TokenStream {
        let (cx, span) = (&self.cx, e.span);
        let (from, to) = (self.types.get(a.ty), self.types.get(e.ty));
        let (from_held, to_held) = (self.held_as(from, a.precision), self.held_as(to, e.precision));
        // A NaN becomes 0.
        let (precision, a) = (a.precision, self.with_any_nan(a));
        match (from, to) {
            (Type::Float, _) => {
                let a = if precision == Precision::Single { a } else { quote!(#cx.widen(#a)) };
                quote_spanned!(span=> #cx.float_to_int::<#to_held>(#a))
            }
            (_, Type::Float) => quote_spanned!(span=> #cx.int_to_float::<#to_held, #from_held>(#a)),
            (Type::Bool, _) => {
                quote_spanned!(span=> #cx.select::<#to_held>(#a, #cx.splat::<#to_held>(1), #cx.splat::<#to_held>(0)))
            }
            _ if from == to => a,
            _ => quote_spanned!(span=> #cx.int_cast::<#from_held, #to_held>(#a)),
        }
    }

    /// Prints an `if` with a value. Short arms that neighbouring threads take in different ways are
    /// computed for all threads, without a branch.
    pub(super) fn either(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) if runs_for_none(then) && runs_for_none(otherwise) => {
                let either = self.with_loaded(condition, &[then, otherwise], true, || {
                    let arms = [then, otherwise].map(|arm| self.masked_block(arm, Some(Class::Varying)));
                    self.either_of(condition, &arms, e)
                });
                self.chosen_load(e, either)
            }
            _ => self.per_thread(e),
        }
    }

    /// Prints an `if` with a value.
    fn choice(&self, condition: &Expr, then: &Block, otherwise: &Block, e: &Expr) -> TokenStream {
        let span = e.span;
        if condition.class == Class::Uniform {
            let condition = self.scalar(condition);
            let (then, otherwise) =
                (self.masked_block(then, Some(e.class)), self.masked_block(otherwise, Some(e.class)));
            return quote_spanned!(span=> (if #condition { #then } else { #otherwise }));
        }
        self.with_loaded(condition, &[then, otherwise], true, || {
            self.either_of(condition, &[self.arm_value(then, e), self.arm_value(otherwise, e)], e)
        })
    }

    /// Prints a choice between two printed arms, each for the threads that take it.
    fn either_of(&self, condition: &Expr, [a, b]: &[TokenStream; 2], e: &Expr) -> TokenStream {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let (ty, condition) = (self.types.get(e.ty), self.per_thread(condition));
        let select = self.select_of(ty, e.precision, &quote!(__condition), &quote!(__then), &quote!(__otherwise));
        quote_spanned!(span=> {
            let __condition = #condition;
            let __then = { let #x = #kernel::Masked(#cx.and(#kernel::Exec::mask(#x, #cx), __condition)); #a };
            let __otherwise = { let #x = #kernel::Masked(#cx.and_not(#kernel::Exec::mask(#x, #cx), __condition)); #b };
            #select
        })
    }

    /// Prints the context's type for values of a type. `bool`s are its masks.
    pub(super) fn held_as(&self, ty: Type, precision: Precision) -> TokenStream {
        let kernel = &self.path;
        match (ty, precision) {
            (Type::Float, Precision::Single) => quote!(#kernel::InF32),
            (Type::Float, _) => quote!(#kernel::InElement),
            _ => self.rust_type(ty),
        }
    }

    /// Prints the call of a function with results of the type `written`, for several threads.
    pub(super) fn call_lanes(
        &self,
        function: &TokenStream,
        arguments: &[Parts<Expr>],
        written: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let mut print = |a: &Expr| match a.kind {
            ExprKind::Slice(id) => self.slice(id, a.span),
            _ => self.per_thread(a),
        };
        let arguments = arguments.iter().map(|a| a.map(&mut print).print());
        let result = quote_spanned!(span=> <#function>::lanes(#cx, #x #(, #arguments)*));
        quote_spanned!(span=> <#function as #kernel::Returns<#written>>::lanes::<__Context>(#result))
    }

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
            Type::Bool => quote!(#cx.or(#cx.and(#mask, #yes), #cx.and_not(#no, #mask))),
            _ => {
                let held = self.held_as(ty, precision);
                quote!(#cx.select::<#held>(#mask, #yes, #no))
            }
        }
    }

    /// Prints an arm's value, computed only if some thread takes the arm, unless it is cheap.
    fn arm_value(&self, arm: &Block, e: &Expr) -> TokenStream {
        let block = self.masked_block(arm, Some(Class::Varying));
        if is_pure_block(arm) {
            return block;
        }
        let nothing = self.placeholder(self.types.get(e.ty), e.precision, Class::Varying);
        self.unless_none(arm, &block, Some(&nothing))
    }

    /// Prints a printed arm for the case that the mask is not empty, and `nothing` otherwise. A
    /// short arm is printed twice: without a mask it accesses memory as a whole, which is the usual
    /// case inside of an image or away from a row's ends.
    pub(super) fn unless_none(&self, arm: &Block, printed: &TokenStream, nothing: Option<&TokenStream>) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let otherwise = nothing.map(|nothing| quote!(else { #nothing }));
        if !is_short(arm) {
            return quote!(if #cx.any(#x.0) { #printed } #otherwise);
        }
        quote! {
            if #cx.is_whole(#x.0) {
                let #x = #kernel::All;
                #printed
            } else if #cx.any(#x.0) {
                #printed
            } #otherwise
        }
    }

    /// Prints a value for threads that do not use it.
    pub(super) fn placeholder(&self, ty: Type, precision: Precision, class: Class) -> TokenStream {
        let (kernel, cx) = (&self.path, &self.cx);
        match (class, ty) {
            (Class::Uniform, _) => quote!(::core::default::Default::default()),
            (Class::Lin, _) => quote!(#kernel::Lin(0)),
            (_, Type::Bool) => quote!(#cx.mask(false)),
            (_, Type::Unit) => quote!(()),
            _ => {
                let held = self.held_as(ty, precision);
                quote!(#cx.splat::<#held>(::core::default::Default::default()))
            }
        }
    }
}

/// Returns `true` if the expression may run for threads that do not need it: nothing is read,
/// written, called or divided, and nothing repeated. A division of floats could run, but is not
/// short.
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

/// Returns `true` if the arm is short and may run for no thread: only arithmetic, and reads at a
/// place per thread, which are then none. A place that is the same for all threads may have no
/// element.
fn runs_for_none(arm: &Block) -> bool {
    let mut runs = is_short(arm);
    let mut see = |part: Part<'_>| {
        runs &= match part {
            Part::Statement(s) => matches!(s.kind, StatementKind::Let(..) | StatementKind::Assign { .. }),
            Part::Expr(e) => match &e.kind {
                ExprKind::Load { index, .. } => index.class != Class::Uniform,
                _ => matches!(Nature::of(e), Nature::Value | Nature::Arithmetic),
            },
        };
    };
    arm.statements.iter().for_each(|s| visit::each_in_statement(s, &mut see));
    arm.tail.iter().for_each(|tail| visit::each_in_expr(tail, &mut see));
    runs
}

/// Returns `true` if the arm is little more than an access, and may be printed twice.
fn is_short(arm: &Block) -> bool {
    let (mut parts, mut straight) = (0, true);
    let mut see = |part: Part<'_>| {
        parts += 1;
        straight &= match part {
            Part::Statement(s) => {
                matches!(s.kind, StatementKind::Let(..) | StatementKind::Assign { .. } | StatementKind::Store { .. })
            }
            Part::Expr(e) => !matches!(Nature::of(e), Nature::Call | Nature::Compound | Nature::Division),
        };
    };
    arm.statements.iter().for_each(|s| visit::each_in_statement(s, &mut see));
    arm.tail.iter().for_each(|tail| visit::each_in_expr(tail, &mut see));
    straight && parts <= SHORT
}

/// The largest number of statements and expressions in an arm that is printed twice.
const SHORT: usize = 24;

fn is_pure_part(part: Part<'_>) -> bool {
    match part {
        Part::Expr(e) => matches!(Nature::of(e), Nature::Value | Nature::Arithmetic | Nature::Compound),
        Part::Statement(s) => matches!(
            s.kind,
            StatementKind::Let(..) | StatementKind::Assign { .. } | StatementKind::If(..) | StatementKind::Block(_)
        ),
    }
}

/// Returns `true` if two neighbouring values in memory are a pair.
pub(super) fn in_pairs(ty: Type, precision: Precision) -> bool {
    ty == Type::Float && precision != Precision::Single
}
