//! `ptxf::slice`: conversions of scalars that PTX has in packed registers alone, one function for the lanes of each.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::ident;

/// A conversion of the lanes of packed registers.
struct Conversion {
    /// Its modifiers, `.rn.satfinite`.
    modifiers: String,
    to: &'static str,
    from: &'static str,
    /// Its form in the packed registers, `cvt.rn.satfinite.e4m3x2.f32`.
    form: String,
    /// Lanes that share a word of random bits, if it takes any.
    random: Option<usize>,
}

/// The formats of at most 8 bits that have a sign and an exponent.
const NARROW: [&str; 5] = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"];

fn conversions() -> Vec<Conversion> {
    let mut all = Vec::new();
    let mut push = |modifiers: String, to, from, form, random| {
        all.push(Conversion { form: format!("cvt{modifiers}{form}"), modifiers, to, from, random });
    };
    for narrow in NARROW {
        for relu in ["", ".relu"] {
            let modifiers = format!(".rn.satfinite{relu}");
            push(modifiers.clone(), narrow, "f32", format!(".{narrow}x2.f32"), None);
            push(modifiers.clone(), narrow, "f16", format!(".{narrow}x2.f16x2"), None);
            push(modifiers, narrow, "bf16", format!(".{narrow}x2.bf16x2"), None);
            push(format!(".rn{relu}"), "f16", narrow, format!(".f16x2.{narrow}x2"), None);
            for finite in ["", ".satfinite"] {
                push(format!(".rn{relu}{finite}"), "bf16", narrow, format!(".bf16x2.{narrow}x2"), None);
            }
            push(format!(".rs{relu}.satfinite"), narrow, "f32", format!(".{narrow}x4.f32"), Some(4));
        }
    }
    for finite in ["", ".satfinite"] {
        for rounding in [".rz", ".rp"] {
            push(format!("{rounding}{finite}"), "ue8m0", "f32", ".ue8m0x2.f32".to_owned(), None);
            push(format!("{rounding}{finite}"), "ue8m0", "bf16", ".ue8m0x2.bf16x2".to_owned(), None);
        }
        for relu in ["", ".relu"] {
            for half in ["f16", "bf16"] {
                push(format!(".rs{relu}{finite}"), half, "f32", format!(".{half}x2.f32"), Some(2));
            }
        }
    }
    push(".rn".to_owned(), "bf16", "ue8m0", ".bf16x2.ue8m0x2".to_owned(), None);
    all
}

/// The type of a lane: `e4m3` is `E4m3`.
fn lane(name: &str) -> Ident {
    if name == "f32" { ident(name) } else { ident(&(name[..1].to_uppercase() + &name[1..])) }
}

impl Conversion {
    fn name(&self) -> Ident {
        ident(&format!("cvt{}_{}_{}", self.modifiers.replace('.', "_"), self.to, self.from))
    }

    fn effect(&self) -> TokenStream {
        let set = self.modifiers.split('.').filter_map(|m| match m {
            "rz" => Some(quote!(.with_rnd(Round::Rz))),
            "rp" => Some(quote!(.with_rnd(Round::Rp))),
            "relu" => Some(quote!(.with_relu(true))),
            "satfinite" => Some(quote!(.with_satfinite(true))),
            _ => None,
        });
        quote!({ Modifiers::PLAIN #(#set)* .code() })
    }

    fn functions(&self) -> TokenStream {
        let (name, effect, form) = (self.name(), self.effect(), &self.form);
        let try_name = format_ident!("try_{name}");
        let (to, from) = (lane(self.to), lane(self.from));
        let (rbits, argument, run, words) = match self.random {
            None => (None, None, quote!(run::cvt::<#from, #to, #effect>(&[a.view()], out.target())), String::new()),
            Some(lanes) => (
                Some(quote!(rbits: &[u32],)),
                Some(quote!(rbits,)),
                quote!(random::cvt_rs::<#to, #effect, #lanes>(a.view(), rbits, out.target())),
                format!(
                    " Each word of `rbits` serves {lanes} neighbours, the first of them in the lowest lane: element `i` of `out` \
                     takes its bits from word `i / {lanes}`."
                ),
            ),
        };
        let summary =
            format!("The lanes of `{form}`: `out[i]` is the value of `a[i]` in `.{}`, rounded once.{words}", self.to);
        let differ = match self.random {
            None => "`a` is a slice whose length is not that of `out`".to_owned(),
            Some(lanes) => format!(
                "`a` is a slice whose length is not that of `out`, or `rbits` has not one word for {lanes} of them, the last \
                 ones possibly fewer"
            ),
        };
        let doc = format!("{summary}\n\n# Panics\n\nIt panics if {differ}. [`{try_name}`] returns an error instead.");
        let try_doc = format!(
            "[`{name}`], with an error instead of a panic where lengths differ.\n\n# Errors\n\nIt returns [`LengthError`] if {differ}. \
             The error names the argument and both lengths, and nothing is written to `out`."
        );
        quote! {
            #[doc = #doc]
            #[doc(alias = #form)]
            #[inline]
            #[track_caller]
            pub fn #name(a: impl Operand<#from>, #rbits out: impl Output<#to>) {
                must(#try_name(a, #argument out));
            }
            #[doc = #try_doc]
            #[inline]
            pub fn #try_name(a: impl Operand<#from>, #rbits mut out: impl Output<#to>) -> Result<(), LengthError> {
                #run
            }
        }
    }
}

/// The functions.
pub(crate) fn lanes() -> TokenStream {
    conversions().iter().map(Conversion::functions).collect()
}

/// The definition of `for_each_slice_lane!`.
pub(crate) fn callback() -> TokenStream {
    let rows = conversions().into_iter().map(|c| {
        let (name, form) = (c.name(), c.form);
        let (to, from) = (lane(c.to), lane(c.from));
        let random = Literal::usize_unsuffixed(c.random.unwrap_or_default());
        quote!(#name #form #from #to #random;)
    });
    quote! {
        /// Calls `callback! { function "form" From To 0; … }` with every conversion that [`slice`](mod@slice) has of the lanes of
        /// a form in packed registers.
        ///
        /// The number is that of lanes that share a word of random bits, 0 if the function takes none.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($function:ident $form:literal $from:ident $to:ident $random:tt;)*) => { [$($form),*].len() };
        /// }
        /// assert!(ptxf::for_each_slice_lane!(count) > 80);
        /// ```
        #[macro_export]
        macro_rules! for_each_slice_lane {
            ($callback:ident) => { $callback! { #(#rows)* } };
        }
    }
}
