//! Unrolled loops of a device.
//!
//! The compiler unrolls short loops only. CUDA's compiler unrolls most loops four times: the tests
//! and the steps of addresses are then executed once for four iterations, and four loads wait for
//! memory at the same time.
//!
//! ```text
//! for k in start..end { body }
//!
//! for group in 0..(end - start) / 4 { for k in 0..4 { let k = start + 4 * group + k; body } }
//! for k in start + (end - start) / 4 * 4..end { body }
//! ```
//!
//! The compiler replaces the inner loop by four copies.

use std::ops::RangeInclusive;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::ast::{Id, Loop, Statement, StatementKind};
use super::super::scalar_type::Type;
use super::super::visit::{self, Part};
use super::Printer;

impl Printer<'_> {
    /// Prints a `for` from `__start` to `__end`, which may be empty: if all accesses were checked
    /// before the body, nothing has compared the bounds. `print` prints it for bounds and the first
    /// statements of the body.
    pub(super) fn unrolled(
        &self,
        counter: Id,
        body: &Loop,
        print: &impl Fn(&TokenStream, &TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        if !is_straight(body) {
            return print(&quote!(__start), &quote!(__end), &TokenStream::new());
        }
        let (name, usize) = (self.name(counter), self.rust_type(Type::USIZE));
        let first = quote!(let #name = #usize::wrapping_add(__start, #usize::wrapping_add(4 * __group, #name)););
        let group = print(&quote!(0), &quote!(4), &first);
        let rest = print(&quote!(__start + 4 * __groups), &quote!(__end), &TokenStream::new());
        quote! {
            let __groups = #usize::saturating_sub(__end, __start) / 4;
            for __group in 0..__groups { #group }
            #rest
        }
    }
}

/// Returns `true` if the body has no loop, jump, barrier or atomic operation, and a size that the
/// compiler does not unroll by itself.
fn is_straight(body: &Loop) -> bool {
    let (mut parts, mut straight) = (0, true);
    let mut see = |part: Part<'_>| {
        parts += 1;
        if let Part::Statement(Statement { kind, .. }) = part {
            straight &= matches!(
                kind,
                StatementKind::Let(..)
                    | StatementKind::LetCall { .. }
                    | StatementKind::LetArray(..)
                    | StatementKind::LetRepeat(..)
                    | StatementKind::Assign { .. }
                    | StatementKind::AssignElement { .. }
                    | StatementKind::Store { .. }
                    | StatementKind::If(..)
                    | StatementKind::Block(_)
            );
        }
    };
    body.body.statements.iter().for_each(|s| visit::each_in_statement(s, &mut see));
    straight && LONG.contains(&parts)
}

/// The number of statements and expressions in a body that is unrolled here. The compiler unrolls
/// shorter ones, and would not copy longer ones.
const LONG: RangeInclusive<usize> = 30..=200;
