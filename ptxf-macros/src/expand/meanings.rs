//! The meanings as an enumeration, `sem::Meaning`.

use proc_macro2::TokenStream;
use ptxf_spec::OPERANDS;
use ptxf_spec::meaning::{MEANINGS, Meaning, Shape};
use quote::quote;

use super::ident;

/// Returns the name of a meaning's variant: `div_approx` is `DivApprox`.
pub(super) fn variant(meaning: &Meaning) -> proc_macro2::Ident {
    let words = meaning.name.split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    ident(&words.collect::<String>())
}

/// Returns the documentation of a meaning's variant: the function that computes it.
fn doc(meaning: &Meaning) -> String {
    match meaning.name {
        "setp" => "[`set`], as predicates.".to_owned(),
        "slct" => "[`slct_f32`] and [`slct_s32`].".to_owned(),
        "cvt_pack" => "[`cvt`] of each operand, for a lane each.".to_owned(),
        name => format!("[`{name}`]"),
    }
}

/// Defines the enumeration and its calls of the functions.
pub(crate) fn meanings() -> TokenStream {
    let variants = MEANINGS.iter().map(|m| {
        let (variant, doc) = (variant(m), doc(m));
        let argument = match m.shape {
            Shape::Property => quote!((Property)),
            _ => quote!(),
        };
        quote!(#[doc = #doc] #variant #argument,)
    });
    let lanes = MEANINGS.iter().filter(|m| m.shape == Shape::Lanes).map(|m| {
        let (variant, function) = (variant(m), ident(m.name));
        let operands: Vec<_> = OPERANDS[..m.operands].iter().map(|o| ident(o)).collect();
        quote!((Self::#variant, &[#(#operands),*]) => #function::<F>(m, #(#operands),*),)
    });
    quote! {
        /// A meaning as a value: the function of this module that computes a form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Meaning {
            #(#variants)*
        }

        impl Meaning {
            /// Returns the bits of one lane of the result.
            ///
            /// `None` if the result has another format than the operands, or the number of operands
            /// is wrong.
            #[must_use]
            #[inline]
            pub fn lane<F: Format>(self, m: Modifiers, operands: &[F::Bits]) -> Option<F::Bits> {
                Some(match (self, operands) {
                    #(#lanes)*
                    _ => return None,
                })
            }

            /// Returns the truth of a property.
            ///
            /// `None` if the meaning is not a property, or the number of operands is wrong.
            #[must_use]
            #[inline]
            pub fn truth<F: Format>(self, operands: &[F::Bits]) -> Option<bool> {
                match (self, operands) {
                    (Self::Testp(property), &[a]) => Some(testp::<F>(property, a)),
                    _ => None,
                }
            }
        }
    }
}
