//! The reflection of the table, `spec::FORMS`.

use proc_macro2::TokenStream;
use ptxf_spec::meaning::Shape;
use ptxf_spec::types::Type;
use ptxf_spec::{Form, Table};
use quote::quote;

use super::meanings::variant;
use super::{device, docs, effect, ident, operand_names, operator_value};

/// The value of `FORMS`: an array of `FormInfo`.
pub(crate) fn info(table: &Table) -> TokenStream {
    let forms = table.forms.iter().map(form_info);
    quote!(&[#(#forms),*])
}

fn form_info(form: &Form) -> TokenStream {
    let (name, canonical, function, instruction) =
        (form.spelling(), form.canonical(), form.function(), form.instruction());
    let identifier = form.identifier();
    let method = match form.methods_of() {
        Some(own) => {
            let method = format!("{}::{}", own.rust, form.method());
            quote!(Some(#method))
        }
        None => quote!(None),
    };
    let modifiers = form.modifiers.iter().map(|m| {
        let (name, sentence) = (format!(".{}", m.ptx), m.sentence);
        quote!(ModifierInfo { name: #name, sentence: #sentence })
    });
    let variant = |t: &Type| ident(t.variant);
    let operands = form.signature.operands.iter().map(|t| variant(t));
    let result = variant(form.signature.result);
    let targets = form.targets.iter().map(|t| {
        let ((major, minor), sm, only) = (t.ptx, t.sm.number, ident(&format!("{:?}", t.sm.only)));
        quote!(Target { ptx: Version { major: #major, minor: #minor }, sm: #sm, only: Only::#only })
    });
    let meaning = meaning(form);
    let effect = effect(form);
    let until = match form.row().until {
        Some(sm) => quote!(Some(#sm)),
        None => quote!(None),
    };
    let (section, grammar) = (&form.section.number, &form.row().grammar);
    let (summary, details) = docs::section(form);
    let cuda = &form.cuda;
    let approximate = form.approximate();
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
            identifier: #identifier,
            function: #function,
            method: #method,
            instruction: #instruction,
            modifiers: &[#(#modifiers),*],
            operands: &[#(Type::#operands),*],
            result: Type::#result,
            meaning: Meaning::#meaning,
            effect: #effect,
            approximate: #approximate,
            targets: &[#(#targets),*],
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

/// The value of `Meaning`.
fn meaning(form: &Form) -> TokenStream {
    let variant = variant(form.meaning());
    // A property or a comparison is the first modifier.
    let argument = || ident(form.modifiers[0].rust);
    match form.meaning().shape {
        Shape::Property => {
            let property = argument();
            quote!(#variant(Property::#property))
        }
        Shape::Compare => {
            let comparison = argument();
            quote!(#variant(Comparison::#comparison))
        }
        _ => quote!(#variant),
    }
}

/// The function on register bits.
fn run(form: &Form) -> TokenStream {
    let function = ident(&form.function());
    let operands = operand_names(form);
    let (operators, count) = (form.operators().map(operator_value), operands.len());
    let call = quote!(ptx::#function(#(#operators,)* #(Register::from_u64(#operands)),*));
    quote!(Run { operands: #count, function: |&[#(#operands,)* ..]| Register::to_u64(#call) })
}
