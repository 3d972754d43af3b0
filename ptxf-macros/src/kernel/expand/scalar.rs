//! Expressions for one thread, as plain Rust: all of them in the scalar body, and in the masked
//! body those that are the same for all threads. Code that runs, runs for some thread, so a value
//! that is the same for all may be read and computed once.
// Invariant: the place of an unchecked row was checked before the loop or before the body.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::super::ast::{Binary, Count, Expr, ExprKind, Id, Loop, Precision, Row};
use super::super::literal;
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::{Printer, primitive};

/// Prints the range of a `for`, as Rust writes it.
pub(super) fn range(count: Count, start: &TokenStream, end: &TokenStream, step: Option<&TokenStream>) -> TokenStream {
    let range = if count.inclusive { quote!(#start..=#end) } else { quote!(#start..#end) };
    let range = if count.reversed { quote!(::core::iter::Iterator::rev(#range)) } else { range };
    match step {
        Some(step) => quote!(::core::iter::Iterator::step_by(#range, #step)),
        None => range,
    }
}

/// Prints the label of a loop that has one.
pub(super) fn label(body: &Loop) -> Option<TokenStream> {
    body.label.as_ref().map(|label| quote!(#label:))
}

impl Printer<'_> {
    /// Prints the float type of a precision.
    pub(super) fn float(&self, precision: Precision) -> TokenStream {
        match precision {
            Precision::Single => primitive("f32"),
            _ => self.element.clone(),
        }
    }

    /// Prints a literal, or its negation.
    fn literal(&self, e: &Expr, text: &str, is_negated: bool) -> TokenStream {
        let (kernel, span) = (&self.path, e.span);
        let (single, half, bfloat) = literal::bits(text).expect("checked when it was parsed");
        let sign = u16::from(is_negated) << 15;
        let (single, half, bfloat) = (single | u32::from(sign) << 16, half | sign, bfloat | sign);
        match e.precision {
            Precision::Single => quote_spanned!(span=> ::core::primitive::f32::from_bits(#single)),
            _ => {
                let element = &self.element;
                quote_spanned!(span=> <#element as #kernel::Element>::literal(#single, #half, #bfloat))
            }
        }
    }

    /// Prints the expression as a scalar.
    pub(super) fn scalar(&self, e: &Expr) -> TokenStream {
        let (kernel, span) = (&self.path, e.span);
        let ty = self.types.get(e.ty);
        let name = self.rust_type(ty);
        match &e.kind {
            ExprKind::Variable(id) => self.name_at(*id, e.span),
            ExprKind::Slice(id) => self.slice(*id, e.span),
            ExprKind::Float(text) => self.literal(e, text, false),
            ExprKind::Int(text) => {
                let digits = text.trim_start_matches('-');
                let mut literal: Literal =
                    format!("{digits}{}", ty.name()).parse().expect("digits and the name of a type");
                literal.set_span(span);
                if digits == text { quote!(#literal) } else { quote_spanned!(span=> (-#literal)) }
            }
            ExprKind::Bool(value) => quote_spanned!(span=> #value),
            ExprKind::Constant(_) | ExprKind::ConstantElement(..) => self.held_outside(e, &self.outside(e)),
            ExprKind::Limit(limit) => {
                let float = self.float(e.precision);
                quote_spanned!(span=> <#float as #kernel::Element>::#limit)
            }
            ExprKind::Negate(a) => {
                let a = self.scalar(a);
                quote_spanned!(span=> <#name as #kernel::LaneInt>::op2(#kernel::IntOp::Sub, 0, #a))
            }
            ExprKind::Not(a) => {
                let a = self.scalar(a);
                quote_spanned!(span=> !#a)
            }
            ExprKind::Float1(op, a) => {
                if let ("Neg", ExprKind::Float(text)) = (*op, &a.kind) {
                    return self.literal(e, text, true);
                }
                let (float, op, a) = (self.float(e.precision), format_ident!("{op}"), self.scalar(a));
                quote_spanned!(span=> <#float as #kernel::Element>::op1(#kernel::Op1::#op, #a))
            }
            ExprKind::Int1(op, a) => {
                let (op, a) = (Ident::new(op, span), self.scalar(a));
                quote_spanned!(span=> <#name as #kernel::LaneInt>::op1(#kernel::IntOp1::#op, #a))
            }
            ExprKind::Binary(op, a, b) => {
                let (op, symbol, a, b) = (Ident::new(op.name(), span), *op, self.scalar(a), self.scalar(b));
                match ty {
                    Type::Float => {
                        let float = self.float(e.precision);
                        quote_spanned!(span=> <#float as #kernel::Element>::op2(#kernel::Op2::#op, #a, #b))
                    }
                    Type::Bool => match symbol {
                        Binary::And => quote_spanned!(span=> (#a & #b)),
                        Binary::Or => quote_spanned!(span=> (#a | #b)),
                        _ => quote_spanned!(span=> (#a ^ #b)),
                    },
                    _ => quote_spanned!(span=> <#name as #kernel::LaneInt>::op2(#kernel::IntOp::#op, #a, #b)),
                }
            }
            ExprKind::MulAdd(x) => {
                let (float, x) = (self.float(e.precision), x.iter().map(|x| self.scalar(x)));
                quote_spanned!(span=> <#float as #kernel::Element>::fma(#(#x),*))
            }
            ExprKind::Compare(op, a, b) => {
                let of = self.types.get(a.ty);
                let name = if of == Type::Float { self.float(a.precision) } else { self.rust_type(of) };
                let (op, a, b) = (Ident::new(op, span), self.scalar(a), self.scalar(b));
                match of {
                    Type::Bool if op == "Eq" => quote_spanned!(span=> (#a == #b)),
                    Type::Bool => quote_spanned!(span=> (#a != #b)),
                    _ => quote_spanned!(span=> <#name as #kernel::Scalar>::cmp(#kernel::Cmp::#op, #a, #b)),
                }
            }
            ExprKind::Clamp(x) => {
                let of = if ty == Type::Float { self.float(e.precision) } else { name };
                let x = x.iter().map(|x| self.scalar(x));
                quote_spanned!(span=> <#of as #kernel::Scalar>::clamp(#(#x),*))
            }
            ExprKind::Power(a, exponent) => {
                let (float, a) = (self.float(e.precision), self.scalar(a));
                quote_spanned!(span=> <#float as #kernel::Element>::powi(#a, #exponent))
            }
            ExprKind::Test(test, a) => {
                let (float, test, a) = (self.float(a.precision), Ident::new(test, span), self.scalar(a));
                quote_spanned!(span=> <#float as #kernel::Element>::#test(#a))
            }
            ExprKind::Logic { and, a, b } => {
                let (a, b) = (self.scalar(a), self.scalar(b));
                if *and { quote_spanned!(span=> (#a && #b)) } else { quote_spanned!(span=> (#a || #b)) }
            }
            ExprKind::Cast(a) => {
                let from = self.types.get(a.ty);
                let precision = a.precision;
                if self.is_unknown_outside(a) {
                    return self.cast_outside(e, &self.outside(a));
                }
                let a = self.scalar(a);
                match (from, ty) {
                    (Type::Float, _) => {
                        let float = self.float(precision);
                        quote_spanned!(span=> <#float as #kernel::Element>::to_int::<#name>(#a))
                    }
                    (_, Type::Float) => {
                        let (float, from) = (self.float(e.precision), self.rust_type(from));
                        quote_spanned!(span=> <#float as #kernel::Element>::from_int::<#from>(#a))
                    }
                    _ => quote_spanned!(span=> (#a as #name)),
                }
            }
            ExprKind::Narrow(a) => match a.precision {
                Precision::Single => {
                    let (element, a) = (&self.element, self.scalar(a));
                    quote_spanned!(span=> <#element as #kernel::Element>::cvt_rn(#a))
                }
                _ => self.scalar(a),
            },
            ExprKind::Widen(a) => {
                let (element, a) = (&self.element, self.scalar(a));
                quote_spanned!(span=> <#element as #kernel::Element>::widen(#a))
            }
            ExprKind::Row(place) => {
                let (rows, row, column) = (self.rows(place, e), self.scalar(&place.row), self.scalar(&place.column));
                quote_spanned!(span=> #rows.place(#row, #column))
            }
            ExprKind::Load { slice, index, .. } => {
                let (name, index) = (self.accessed(*slice, index, e.span), self.scalar(index));
                if self.kernel.variables[*slice].stored.is_some() {
                    let float = self.float(e.precision);
                    return quote_spanned!(span=> #name.get_as::<#float>(#index));
                }
                quote_spanned!(span=> #name.get(#index))
            }
            ExprKind::Length(slice) => {
                let name = self.name_at(*slice, e.span);
                if self.kernel.variables[*slice].stored.is_some() {
                    return quote_spanned!(span=> #name.elements());
                }
                match &self.kernel.variables[*slice].rows.0[..] {
                    [] => quote_spanned!(span=> #name.len()),
                    _ => {
                        let row = self.kernel.variables[*slice].rows.elements();
                        quote_spanned!(span=> #name.rows({ #row }))
                    }
                }
            }
            ExprKind::Element(array, index) => {
                let (array, index) = (self.name_at(*array, e.span), self.scalar(index));
                quote_spanned!(span=> #array[#index])
            }
            ExprKind::Table(table, a) => {
                let (element, a) = (&self.element, self.scalar(a));
                quote_spanned!(span=> #kernel::look_up::<#element, _>(&#table, #a))
            }
            ExprKind::Call(function, arguments) => self.call_one(function, arguments, &primitive(ty.name()), span),
            ExprKind::Unset => quote_spanned!(span=> ::core::default::Default::default()),
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.scalar(condition);
                let (then, otherwise) = (self.block_as(then, e.class), self.block_as(otherwise, e.class));
                let either = quote_spanned!(span=> (if #condition { #then } else { #otherwise }));
                self.chosen_load_of_one(e, either)
            }
            ExprKind::Block(block) => {
                let block = self.block_as(block, e.class);
                quote_spanned!(span=> { #block })
            }
        }
    }

    /// Prints a whole slice, as an argument of a function.
    pub(super) fn slice(&self, id: Id, span: Span) -> TokenStream {
        let name = self.name_at(id, span);
        let rows = self.kernel.variables[id].rows.0.iter().rev();
        rows.fold(name, |of, length| quote_spanned!(span=> #of.in_rows::<{ #length }>()))
    }

    /// Prints the call of a function with results of the type `written`, for one thread.
    pub(super) fn call_one(
        &self,
        function: &TokenStream,
        arguments: &[Parts<Expr>],
        written: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let (kernel, element) = (&self.path, &self.element);
        let arguments = arguments.iter().map(|a| a.map(&mut |a| self.scalar(a)).print());
        let result = quote_spanned!(span=> <#function>::one::<#element>(#(#arguments),*));
        quote_spanned!(span=> <#function as #kernel::Returns<#written>>::one::<#element>(#result))
    }

    /// Prints a constant that the macro does not see, as it is written.
    fn outside(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Constant(tokens) => tokens.clone(),
            ExprKind::ConstantElement(array, indices) => {
                let (span, indices) = (e.span, indices.iter().map(|index| self.scalar(index)));
                quote_spanned!(span=> #array #([#indices])*)
            }
            _ => unreachable!("nothing else is outside"),
        }
    }

    /// Prints a constant from outside of the kernel, in the type and the precision of the
    /// expression.
    pub(super) fn held_outside(&self, e: &Expr, outside: &TokenStream) -> TokenStream {
        let (kernel, element, span) = (&self.path, &self.element, e.span);
        match (self.types.get(e.ty), e.precision) {
            (Type::Float, Precision::Element | Precision::Either) => {
                quote_spanned!(span=> <#element as #kernel::Element>::cvt_rn(#outside))
            }
            _ => quote_spanned!(span=> (#outside)),
        }
    }

    /// Returns `true` for a constant from outside of the kernel whose type only the compiler knows.
    pub(super) fn is_unknown_outside(&self, e: &Expr) -> bool {
        e.is_outside() && self.types.is_unknown(e.ty)
    }

    /// Prints a constant whose type only the compiler knows, cast to the type of the expression.
    pub(super) fn cast_outside(&self, e: &Expr, outside: &TokenStream) -> TokenStream {
        let (kernel, element, span) = (&self.path, &self.element, e.span);
        let (ty, float) = (self.types.get(e.ty), self.float(e.precision));
        let name = self.rust_type(ty);
        match ty {
            Type::Float => quote_spanned!(span=> #kernel::Constant::as_float::<#float>(#outside)),
            _ => quote_spanned!(span=> #kernel::Constant::as_int::<#element, #name>(#outside)),
        }
    }

    /// Prints the number of numbers in a slice.
    pub(super) fn numbers(&self, slice: Id) -> TokenStream {
        let name = self.name(slice);
        if self.kernel.variables[slice].stored.is_some() { quote!(#name.elements()) } else { quote!(#name.len()) }
    }

    /// Prints the rows that contain the place.
    pub(super) fn rows(&self, place: &Row, e: &Expr) -> TokenStream {
        let rows = self.checked_rows(place);
        if !self.is_unchecked(e) {
            return rows;
        }
        quote! {{
            let __rows = #rows;
            #[cfg(target_arch = "nvptx64")]
            let __rows = unsafe { __rows.unchecked_if(__known) };
            __rows
        }}
    }

    /// Prints the rows, for checks at each access.
    pub(super) fn checked_rows(&self, place: &Row) -> TokenStream {
        let (kernel, width) = (&self.path, self.scalar(&place.width));
        let rows = match &place.rows {
            Some(rows) => {
                let rows = self.scalar(rows);
                quote!(::core::option::Option::Some(#rows))
            }
            None => quote!(::core::option::Option::None),
        };
        quote!(#kernel::Rows::new(#rows, #width))
    }

    /// Prints the type of an integer or a `bool`, or the element type for a float.
    pub(super) fn rust_type(&self, ty: Type) -> TokenStream {
        match ty {
            Type::Float => self.element.clone(),
            Type::Unit => quote!(()),
            other => primitive(other.name()),
        }
    }
}
