//! `ptxf::slice`: conversions of scalars, which PTX has only in packed registers.

use std::fmt::Write as _;

use proc_macro2::{Ident, Literal, TokenStream};
use ptxf_spec::modifier::modifier;
use quote::quote;

use super::{docs, ident};

/// A conversion of the lanes of packed registers.
pub(super) struct Conversion {
    /// Modifiers, `.rn.satfinite`.
    modifiers: String,
    to: &'static str,
    from: &'static str,
    /// Form in packed registers, `cvt.rn.satfinite.e4m3x2.f32`.
    form: String,
    /// Number of lanes that share a word of random bits; `None` if the conversion takes no random
    /// bits.
    random: Option<usize>,
}

/// The formats of at most 8 bits that have a sign and an exponent.
const NARROW: [&str; 5] = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1"];

pub(super) fn conversions() -> Vec<Conversion> {
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

/// Returns the type of a lane: `e4m3` is `E4m3`.
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

    pub(super) fn function(&self) -> TokenStream {
        let (name, effect, form) = (self.name(), self.effect(), &self.form);
        let (to, from) = (lane(self.to), lane(self.from));
        let (rbits, run) = match self.random {
            None => (None, quote!(run::cvt::<#from, #to, #effect>(&[a.view()], out.target()))),
            Some(lanes) => (
                Some(quote!(rbits: &[u32],)),
                quote!(random::cvt_rs::<#to, #effect, #lanes>(a.view(), rbits, out.target())),
            ),
        };
        let doc = self.doc();
        quote! {
            #[doc = #doc]
            #[doc(alias = #form)]
            #[inline]
            #[track_caller]
            pub fn #name<O: Output<#to>>(a: impl Operand<#from>, #rbits mut out: O) -> O::Outcome {
                O::Outcome::of(#run)
            }
        }
    }

    fn doc(&self) -> String {
        let modifiers = self.modifiers.split('.').filter_map(modifier).map(docs::brief);
        let mut s = format!(
            "Converts numbers from `.{}` to `.{}`: {}.\n\n`out[i]` is `a[i]` rounded once, as a lane of `{}` is.",
            self.from,
            self.to,
            modifiers.collect::<Vec<_>>().join(", "),
            self.form
        );
        let mut differ = "`a` is a slice whose length is not that of `out`".to_owned();
        if let Some(lanes) = self.random {
            let _ = write!(
                s,
                " Each word of `rbits` serves {lanes} neighbours, the first of them in the lowest lane: `out[i]` takes its bits \
                 from word `i / {lanes}`."
            );
            let _ = write!(
                differ,
                ", or if `rbits` has not one word for {lanes} elements of `out`, the last ones possibly fewer"
            );
        }
        let _ = write!(s, "\n\n{}", docs::panics(&differ));
        s
    }
}

/// Defines `for_each_slice_lane!`.
pub(crate) fn callback() -> TokenStream {
    let rows = conversions().into_iter().map(|c| {
        let (name, form) = (c.name(), c.form);
        let (to, from) = (lane(c.to), lane(c.from));
        let random = Literal::usize_unsuffixed(c.random.unwrap_or_default());
        quote!(#name #form #from #to #random;)
    });
    quote! {
        /// Calls `callback! { function "form" From To 0; … }` with every conversion of scalars in
        /// `ptxf::slice` whose form PTX has in packed registers alone.
        ///
        /// The number is how many lanes share a word of random bits, 0 if the function takes none.
        ///
        /// # Examples
        ///
        /// ```
        /// macro_rules! count {
        ///     ($($function:ident $form:literal $from:ident $to:ident $random:tt;)*) => {
        ///         [$($form),*].len()
        ///     };
        /// }
        /// assert!(ptxf::for_each_slice_lane!(count) > 80);
        /// ```
        #[macro_export]
        macro_rules! for_each_slice_lane {
            ($callback:ident) => { $callback! { #(#rows)* } };
        }
    }
}
