//! `for` loops with steps whose bounds or step differ between threads, or that begin at consecutive
//! indices.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

use super::super::ast::{Class, Count, Expr, Id, Loop};
use super::super::scalar_type::{Int, Type};
use super::scalar::label;
use super::{Printer, jumps, primitive};

impl Printer<'_> {
    /// Prints a `for` with steps whose bounds or step differ between threads.
    ///
    /// The number of iterations of each thread is computed before the loop, and counted down. The
    /// counter itself may wrap around on its way to a bound that it steps over. A step of 0 divides
    /// by zero, which is a panic as in Rust.
    pub(super) fn varying_steps(
        &self,
        counter: Id,
        [start, end, step]: [&Expr; 3],
        Count { inclusive, reversed }: Count,
        body: &Loop,
        span: Span,
    ) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let of = self.types.get(start.ty);
        let Type::Int(int) = of else { unreachable!("a loop counts") };
        // The type of the count is as long as the counter and as the step.
        let of_rounds = if matches!(int.unsigned(), Int::U64) { Int::U64 } else { Int::Usize };
        let (name, ty, rounds) = (self.name(counter), self.rust_type(of), primitive(of_rounds.name()));
        let cast = |from: Int, to: Int, x: TokenStream| {
            let (from_type, to_type) = (primitive(from.name()), primitive(to.name()));
            if from == to { x } else { quote!(#cx.int_cast::<#from_type, #to_type>(#x)) }
        };
        let (start, end, given) = (self.per_thread(start), self.per_thread(end), self.per_thread(step));
        let found = jumps::in_loop(body);
        let (broken, skipped, gone) = (self.broken(body.id), self.skipped(body.id), self.masks_of(&found.outer));
        let less = if inclusive { quote!(Le) } else { quote!(Lt) };
        // The last integer of the range. From here on bounds are inclusive.
        let last = if inclusive {
            quote!(__end)
        } else {
            quote!(#cx.int_op::<#ty>(#kernel::IntOp::Sub, __end, #cx.splat::<#ty>(1), #cx.mask(true)))
        };
        let distance = quote!(#cx.int_op::<#ty>(#kernel::IntOp::Sub, __last, __start, #cx.mask(true)));
        let distance = cast(int.unsigned(), of_rounds, cast(int, int.unsigned(), distance));
        let step_as_counter = cast(Int::Usize, int, quote!(__step));
        let step = cast(Int::Usize, of_rounds, quote!(__step));
        let (first, direction) = if reversed { (quote!(__last), quote!(Sub)) } else { (quote!(__start), quote!(Add)) };
        let reset = found.continues.then(|| quote!(let mut #skipped = #cx.mask(false);));
        let (label, inside) = (label(body), self.masked_block(&body.body, None));
        quote_spanned!(span=> {
            let (__start, __end, __step) = (#start, #end, #given);
            let mut #broken = #cx.and_not(#cx.mask(true), #cx.compare::<#ty, _>(#kernel::cmp::#less, __start, __end));
            let __last = #last;
            let mut __left =
                #cx.int_op::<#rounds>(#kernel::IntOp::Div, #distance, #step, #kernel::Exec::mask(#x, #cx));
            let __step = #step_as_counter;
            let mut __next = #first;
            let mut __over = #cx.mask(false);
            #label loop {
                let #name = __next;
                // A thread is in its last iteration until the next one begins.
                #broken = #cx.or(#broken, __over);
                let #x = #kernel::Masked(#cx.and_not(#kernel::Exec::mask(#x, #cx), #broken));
                #(let #x = #kernel::Masked(#cx.and_not(#x.0, #gone));)*
                if !#cx.any(#x.0) { break; }
                __over = #cx.compare::<#rounds, _>(#kernel::cmp::Eq, __left, #cx.splat::<#rounds>(0));
                __left = #cx.int_op::<#rounds>(#kernel::IntOp::Sub, __left, #cx.splat::<#rounds>(1), #cx.mask(true));
                __next = #cx.int_op::<#ty>(#kernel::IntOp::#direction, #name, __step, #cx.mask(true));
                #reset
                #inside
            }
        })
    }

    /// Prints `for i in (l..n).step_by(64)`. The counters of a group stay consecutive, and so do
    /// the elements that they index. A thread is in its last iteration if another step would reach
    /// the end. After it the counter may wrap around.
    pub(super) fn steps_along(
        &self,
        counter: Id,
        [start, end, step]: [Option<&Expr>; 3],
        body: &Loop,
        span: Span,
    ) -> TokenStream {
        let (kernel, cx, x) = (&self.path, &self.cx, &self.exec);
        let name = self.name(counter);
        let start = start.map(|start| self.in_class(start, Class::Lin));
        let end = end.map(|end| self.scalar(end));
        let (step, some) = match step {
            Some(step) => (self.scalar(step), quote!(::core::assert!(__step != 0, "a loop in steps of 0");)),
            None => (quote!(1), TokenStream::new()),
        };
        let found = jumps::in_loop(body);
        let (broken, skipped, gone) = (self.broken(body.id), self.skipped(body.id), self.masks_of(&found.outer));
        let reset = found.continues.then(|| quote!(let mut #skipped = #cx.mask(false);));
        let (label, inside) = (label(body), self.masked_block(&body.body, None));
        let from =
            |bound: TokenStream, index: &TokenStream| quote!(#cx.compare_indices(#kernel::Cmp::Ge, #index, #bound));
        let (ended, last) = (
            from(quote!(__end), &quote!(__next)),
            from(quote!(::core::primitive::usize::saturating_sub(__end, __step)), &name),
        );
        quote_spanned!(span=> {
            let (mut __next, __end, __step) = (#start, #end, #step);
            #some
            let mut #broken = #ended;
            let mut __over = #cx.mask(false);
            #label loop {
                let #name = __next;
                #broken = #cx.or(#broken, __over);
                let #x = #kernel::Masked(#cx.and_not(#kernel::Exec::mask(#x, #cx), #broken));
                #(let #x = #kernel::Masked(#cx.and_not(#x.0, #gone));)*
                if !#cx.any(#x.0) { break; }
                __over = #last;
                __next = #name + __step;
                #reset
                #inside
            }
        })
    }
}
