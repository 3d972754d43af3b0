//! `#[inline_in_release]`: the functions of an `impl` or a trait are always inlined where debug
//! assertions are off.
//!
//! A vector operation has to be inlined into the function that enables the CPU's features, or it is
//! a call with operands in memory. Without optimization inlining only multiplies the code that has
//! to be compiled, so debug builds leave it out.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// Adds the attribute to the item, or to each function with a body in its braces.
pub(crate) fn in_release(item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let names = |name: &str| tokens.iter().any(|t| matches!(t, TokenTree::Ident(i) if i == name));
    if !names("impl") && !names("trait") {
        return function(tokens);
    }
    if let Some(TokenTree::Group(body)) = tokens.pop() {
        let functions = Group::new(Delimiter::Brace, functions(body.stream()));
        tokens.push(TokenTree::Group(functions));
    }
    tokens.into_iter().collect()
}

/// The items of an `impl` or a trait, whose functions with a body have the attribute.
fn functions(body: TokenStream) -> TokenStream {
    let (mut done, mut item) = (TokenStream::new(), Vec::new());
    for token in body {
        let ends_body = matches!(&token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        let ends = ends_body || matches!(&token, TokenTree::Punct(p) if p.as_char() == ';');
        item.push(token);
        if ends {
            let item = std::mem::take(&mut item);
            let is_function = item.iter().any(|t| matches!(t, TokenTree::Ident(i) if i == "fn"));
            done.extend(if ends_body && is_function { function(item) } else { item.into_iter().collect() });
        }
    }
    done.extend(item);
    done
}

/// The function with the attribute, unless it has one about inlining.
fn function(item: Vec<TokenTree>) -> TokenStream {
    let attributes = item.iter().zip(item.iter().skip(1)).map_while(|pair| match pair {
        (TokenTree::Punct(p), TokenTree::Group(g)) if p.as_char() == '#' => Some(Some(g.stream())),
        (TokenTree::Group(g), _) if g.delimiter() == Delimiter::Bracket => Some(None),
        _ => None,
    });
    let mut words = attributes.flatten().flatten();
    let has_own = words.any(|t| matches!(t, TokenTree::Ident(i) if i == "inline" || i == "cold"));
    let attribute =
        if has_own { TokenStream::new() } else { quote!(#[cfg_attr(not(debug_assertions), inline(always))]) };
    attribute.into_iter().chain(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_a_body_get_the_attribute_unless_they_have_their_own() {
        let item = quote! {
            impl A<B> for C {
                const F: fn(u8) = f;
                type T = u8;
                /// Text.
                #[track_caller]
                pub(crate) const fn f<const N: usize>(self) -> [u8; N] { body() }
                #[inline]
                fn g();
                #[cold]
                fn h() {}
                fn i() where T: Copy {}
            }
        };
        let expected = quote! {
            impl A<B> for C {
                const F: fn(u8) = f;
                type T = u8;
                #[cfg_attr(not(debug_assertions), inline(always))]
                /// Text.
                #[track_caller]
                pub(crate) const fn f<const N: usize>(self) -> [u8; N] { body() }
                #[inline]
                fn g();
                #[cold]
                fn h() {}
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn i() where T: Copy {}
            }
        };
        assert_eq!(in_release(item).to_string(), expected.to_string());
        let function = in_release(quote!(
            fn f(x: u8) -> u8 {
                x
            }
        ));
        let expected = quote!(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn f(x: u8) -> u8 {
                x
            }
        );
        assert_eq!(function.to_string(), expected.to_string());
    }
}
