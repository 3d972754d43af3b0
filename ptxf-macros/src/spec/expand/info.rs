//! The reflection of the table, `spec::FORMS`.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::model::{Form, Table};
use super::{device, docs, ident, operand_names};

/// The value of `FORMS`: an array of `FormInfo`.
pub(crate) fn info(table: &Table) -> TokenStream {
    let forms = table.forms.iter().map(form_info);
    quote!(&[#(#forms),*])
}

fn form_info(form: &Form) -> TokenStream {
    let (name, canonical, function, instruction) =
        (form.spelling(), form.canonical(), form.function(), form.instruction());
    let method = if form.ty.has_methods() {
        let method = format!("{}::{}", form.ty.rust, form.method());
        quote!(Some(#method))
    } else {
        quote!(None)
    };
    let modifiers = form.modifiers.iter().map(|m| {
        let (name, sentence) = (format!(".{}", m.ptx), m.sentence);
        quote!(ModifierInfo { name: #name, sentence: #sentence })
    });
    let ty = ident(form.ty.variant);
    let operands = form.operands();
    let (major, minor) = form.ptx;
    let sm = form.sm;
    let until = match form.row().until {
        Some(sm) => quote!(Some(#sm)),
        None => quote!(None),
    };
    let (section, grammar) = (&form.section.number, &form.row().grammar);
    let (summary, details) = docs::section(form);
    let cuda = &form.cuda;
    let approximate = form.approximate();
    let predicate = form.predicate();
    let example = docs::function_example(form);
    let run = run(form);
    let record = docs::records(form);
    let evidence = if !form.evidence.measured.is_empty() {
        let targets = form.evidence.measured.keys().cloned().collect::<Vec<_>>().join(" ");
        quote!(Measured { targets: #targets })
    } else if form.evidence.assembled.is_some() {
        quote!(Assembled)
    } else {
        quote!(Reference)
    };
    let native = device::native(form);
    quote! {
        FormInfo {
            name: #name,
            canonical: #canonical,
            function: #function,
            method: #method,
            instruction: #instruction,
            modifiers: &[#(#modifiers),*],
            ty: Type::#ty,
            operands: #operands,
            predicate: #predicate,
            approximate: #approximate,
            ptx: Version { major: #major, minor: #minor },
            sm: #sm,
            native: cfg!(#native),
            until: #until,
            section: #section,
            grammar: #grammar,
            summary: #summary,
            details: #details,
            example: #example,
            cuda: &[#(#cuda),*],
            evidence: Evidence::#evidence,
            record: #record,
            run: #run,
        }
    }
}

/// The function on register bits.
fn run(form: &Form) -> TokenStream {
    let function = ident(&form.function());
    let operands = operand_names(form);
    let arity = ident(["Unary", "Binary", "Ternary"][form.operands() - 1]);
    let call = quote!(ptx::#function(#(Register::from_u64(#operands)),*));
    let call = if form.predicate() { quote!(u64::from(#call)) } else { quote!(Register::to_u64(#call)) };
    quote!(Run::#arity(|#(#operands),*| #call))
}
