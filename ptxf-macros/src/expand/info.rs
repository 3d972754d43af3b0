//! The reflection of the table, `spec::FORMS`.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use ptxf_spec::form::Target;
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::{Group, Modifier};
use ptxf_spec::types::{Kind, Type};
use ptxf_spec::{Form, Table};
use quote::{format_ident, quote};

use super::effects::effect;
use super::meanings::variant;
use super::{device, docs, functions, ident, operand_names, rust};

/// Returns the value of `FORMS`: an array of `FormInfo`.
///
/// All forms of a meaning on the same types share one function, which takes their modifiers as an
/// argument.
pub(crate) fn info(table: &Table) -> TokenStream {
    // One constant for each form: a single body with all of them takes the compiler longer.
    let names: Vec<_> = (0..table.forms.len()).map(|i| format_ident!("FORM_{i}")).collect();
    let forms = table.forms.iter().map(form_info);
    let mut computed = BTreeMap::new();
    for form in &table.forms {
        computed.entry(computed_by(form)).or_insert_with(|| compute(form));
    }
    let functions = computed.values();
    let modifiers = table.forms.iter().flat_map(|form| &form.modifiers).map(|m| (modifier(m), m));
    let modifiers = modifiers.collect::<BTreeMap<_, _>>().into_iter().map(|(constant, m)| {
        let (name, sentence) = (format!(".{}", m.ptx), m.sentence);
        quote!(const #constant: ModifierInfo = ModifierInfo { name: #name, sentence: #sentence };)
    });
    let ways = table.forms.iter().map(|form| (ways(form), form)).collect::<BTreeMap<_, _>>();
    let ways = ways.into_iter().map(|(constant, form)| {
        let targets = form.targets.iter().map(target);
        quote!(const #constant: &[Target] = &[#(#targets),*];)
    });
    quote!({ #(#functions)* #(#modifiers)* #(#ways)* #(const #names: FormInfo = #forms;)* &[#(#names),*] })
}

/// Returns the name of a modifier's constant.
fn modifier(modifier: &Modifier) -> Ident {
    // `.2pi` is no name of Rust's.
    let before = if modifier.ptx.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    format_ident!("{before}{}", modifier.ptx.replace("::", "_").to_uppercase())
}

/// Returns the name of the constant of the form's targets: `SM_80_PTX_70`.
fn ways(form: &Form) -> Ident {
    let way = |t: &Target| format!("{}_PTX_{}{}", t.sm, t.ptx.0, t.ptx.1).to_uppercase();
    ident(&form.targets.iter().map(way).collect::<Vec<_>>().join("_"))
}

fn target(target: &Target) -> TokenStream {
    let ((major, minor), sm, only) = (target.ptx, target.sm.number, ident(&format!("{:?}", target.sm.only)));
    quote!(Target { ptx: Version { major: #major, minor: #minor }, sm: #sm, only: Only::#only })
}

/// Returns the name of the function that computes the form.
fn computed_by(form: &Form) -> String {
    // A property of `testp` is a part of the meaning and no modifier.
    let property = form.modifiers.iter().filter(|m| m.group == Group::Property).map(|m| m.ptx);
    let types = form.signature.operands.iter().map(|t| t.variant).chain([form.signature.result.variant]);
    let words: Vec<_> = [form.meaning().name].into_iter().chain(property).chain(types).collect();
    words.join("_").to_lowercase()
}

/// Defines the function that computes the form.
fn compute(form: &Form) -> TokenStream {
    let (name, operands) = (ident(&computed_by(form)), operand_names(form));
    let (types, result) = (form.signature.operands.iter().map(|t| rust(t)), rust(form.signature.result));
    let combined = if form.operators.booleans.is_empty() { quote!(None) } else { quote!(o.combined(c)) };
    let meaning = functions::meaning(form, &quote!(m), &quote!(o.comparison()), &combined);
    quote! {
        fn #name(m: Modifiers, o: Operators, &[#(#operands,)* ..]: &Operands) -> u64 {
            #(let #operands: #types = Register::from_u64(#operands);)*
            let d: #result = #meaning;
            Register::to_u64(d)
        }
    }
}

fn form_info(form: &Form) -> TokenStream {
    let (name, canonical, function, instruction) =
        (form.spelling(), form.canonical(), form.function(), form.instruction());
    let method = match form.methods_of() {
        Some(own) => {
            let method = format!("{}::{}", own.rust, form.method());
            quote!(Some(#method))
        }
        None => quote!(None),
    };
    let modifiers = form.modifiers.iter().map(|m| modifier(m));
    let comparisons = match (form.operators.comparisons.is_empty(), form.operand().kind) {
        (true, _) => quote!(&[]),
        (false, Kind::Integer { signed: false }) => quote!(CmpOp::UNSIGNED),
        (false, Kind::Integer { signed: true }) => quote!(CmpOp::SIGNED),
        (false, Kind::Bits) => quote!(CmpOp::BITS),
        (false, _) => quote!(CmpOp::FLOATS),
    };
    let booleans = if form.operators.booleans.is_empty() { quote!(&[]) } else { quote!(BoolOp::ALL) };
    let variant = |t: &Type| ident(t.variant);
    let operands = form.signature.operands.iter().map(|t| variant(t));
    let result = variant(form.signature.result);
    let targets = ways(form);
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
    } else {
        match (&form.evidence.assembled, &form.evidence.executed) {
            (Some(_), Some(_)) => quote!(Executed),
            (Some(_), None) => quote!(Assembled),
            (None, _) => quote!(Reference),
        }
    };
    let native = device::native(form);
    quote! {
        FormInfo {
            name: #name,
            canonical: #canonical,
            function: #function,
            method: #method,
            instruction: #instruction,
            comparisons: #comparisons,
            booleans: #booleans,
            modifiers: &[#(#modifiers),*],
            operands: &[#(Type::#operands),*],
            result: Type::#result,
            meaning: Meaning::#meaning,
            effect: #effect,
            approximate: #approximate,
            targets: #targets,
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

/// Returns the form's value of `Meaning`.
fn meaning(form: &Form) -> TokenStream {
    let variant = variant(form.meaning());
    match form.meaning().shape {
        Shape::Property => {
            let property = ident(form.modifiers[0].rust);
            quote!(#variant(Property::#property))
        }
        _ => quote!(#variant),
    }
}

/// Returns the form's value of `Run`: its function on register bits.
fn run(form: &Form) -> TokenStream {
    let (function, count, effect) = (ident(&computed_by(form)), form.operands(), effect(form));
    quote!(Run { operands: #count, effect: #effect, function: #function })
}
