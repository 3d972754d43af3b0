//! The documentation of a form, put together from its section, its modifiers and its example.

use std::fmt::Write;

use super::device::{self, Replacement};
use super::{chosen, operators};
use ptxf_spec::evidence::Evidence;
use ptxf_spec::form::Case;
use ptxf_spec::legal::targets;
use ptxf_spec::meaning::Shape;
use ptxf_spec::modifier::Modifier;
use ptxf_spec::parse::Operand;
use ptxf_spec::types::{Kind, Type};
use ptxf_spec::{Form, Table};

/// Returns summary line and details of the form's section.
pub(super) fn section(form: &Form) -> (String, String) {
    let doc = &form.section.doc;
    let summary = doc.first().cloned().unwrap_or_default();
    let note = form.row().note.iter().flat_map(|note| ["", note]);
    let details: Vec<_> = doc.iter().skip(1).map(String::as_str).chain(note).collect();
    (summary, details.join("\n").trim().to_owned())
}

/// Returns the operators of a spelling as arguments, `Comparison::Lt`.
fn arguments(form: &Form, operators: &[&'static Modifier]) -> impl Iterator<Item = String> {
    chosen(form, operators).into_iter().map(|(ty, variant)| format!("{ty}::{variant}"))
}

/// Returns the PTX line, `fma.rn.f16x2  d, a, b, c;`.
fn ptx_line(form: &Form) -> String {
    let name = |o: &Operand| format!("{}{}", if o.negatable { "{!}" } else { "" }, o.name.text);
    format!("{}  {}, {};", form.spelling(), form.row().destination(), form.line(name))
}

/// Returns the documentation of a function: summary, lanes, special values, modifiers, versions,
/// evidence and an example.
pub(super) fn function(table: &Table, form: &Form) -> String {
    let (summary, details) = section(form);
    let mut s = headline(form, &summary);
    if form.operand().lanes == 2 {
        let _ = writeln!(s, "Each of the two `.{}` lanes is computed on its own.\n", form.operand().lane);
    }
    let _ = writeln!(s, "{details}\n");
    for ((_, ty), list) in operators(form).into_iter().zip(form.operators.lists()) {
        for m in list {
            let _ = writeln!(s, "- `{ty}::{}`, in PTX `.{}`, {}", m.rust, m.ptx, m.sentence);
        }
    }
    for m in &form.modifiers {
        let _ = writeln!(s, "- `.{}` {}", m.ptx, m.sentence);
    }
    let _ = writeln!(s, "\n{}\n", on_device(table, form));
    let until = form.row().until.map(|sm| format!(" up to `sm_{sm}`")).unwrap_or_default();
    let _ = writeln!(
        s,
        "Since {}{until} · manual {} · evidence: {}",
        targets(&form.targets),
        form.section.number,
        evidence(form),
    );
    let other: Vec<_> = table
        .forms
        .iter()
        .filter(|f| f.implicit_rn.is_some() && f.operands() == form.operands() && f.canonical() == form.spelling())
        .map(|f| format!("`{}`", f.spelling()))
        .collect();
    if !other.is_empty() {
        let _ = writeln!(s, " · also spelled {}", other.join(", "));
    }
    if !form.cuda.is_empty() {
        let _ = writeln!(s, " · CUDA `{}`", form.cuda.join("`, `"));
    }
    let _ = writeln!(s, "\n# Examples\n\n```\n{}```", function_example(form));
    s
}

/// Returns the records of a form's evidence, the strongest first; empty if only tests against the
/// reference exist.
pub(super) fn records(form: &Form) -> String {
    let Evidence { assembled, executed, measured } = &form.evidence;
    let mut records: Vec<String> = measured.iter().map(|(sm, by)| format!("measured on {sm}: {by}")).collect();
    records.extend(executed.iter().map(|by| format!("executed: {by}")));
    records.extend(assembled.iter().map(|by| format!("assembled: {by}")));
    records.join("; ")
}

/// Returns the form's evidence for the documentation.
fn evidence(form: &Form) -> String {
    let records = records(form);
    if records.is_empty() { "reference".to_owned() } else { records }
}

/// Returns the sentence on builds for a device: the targets that have the instruction, and the code
/// of those that lack it.
fn on_device(table: &Table, form: &Form) -> String {
    if form.row().until.is_some() {
        return "On `nvptx64` the function is integer code, as on a CPU.".to_owned();
    }
    let way = |t: &ptxf_spec::form::Target| {
        // Compilers emit no code for targets before sm_20.
        let name = if t.sm.number < 20 { "sm_20".to_owned() } else { t.sm.to_string() };
        format!("`{name}` with PTX ISA {}.{}", t.ptx.0, t.ptx.1)
    };
    let ways: Vec<_> = form.targets.iter().map(way).collect();
    let mut s = format!("On `nvptx64` the function is one instruction from {} on", ways.join(" or "));
    let below = match device::replacement(form) {
        Some(Replacement::Lanes(other)) => format!("`{other}` on each lane"),
        Some(Replacement::Through(other)) => {
            let from = table.canonical().find(|f| f.spelling() == other).map(|f| f.targets[0].sm.to_string());
            format!("`{other}` from `{}` on, and integer code before", from.unwrap_or_default())
        }
        None => "integer code".to_owned(),
    };
    // Instructions older than the first target of compilers exist on every target.
    if form.targets.iter().all(|t| t.sm.number > 20 || t.ptx > (3, 2)) {
        let _ = write!(s, ". Earlier targets have the same bits by {below}");
    }
    s.push('.');
    s
}

/// Returns the documentation of a method, which refers to the function's.
pub(super) fn method(form: &Form) -> String {
    let (summary, _) = section(form);
    let mut s = headline(form, &summary);
    let _ = writeln!(
        s,
        "[`ptx::{0}`](crate::ptx::{0}) describes modifiers, special values and versions.\n",
        form.function()
    );
    let own = form.methods_of().expect("a type has it as a method");
    let call = |operators: &[&'static Modifier], operands: &[String]| {
        let (subject, rest) = if form.operand() == own {
            (format!("{}.", operands[0]), &operands[1..])
        } else {
            (format!("{}::", own.rust), operands)
        };
        let all: Vec<_> = arguments(form, operators).chain(rest.iter().cloned()).collect();
        format!("{subject}{}({})", form.method(), all.join(", "))
    };
    let _ = writeln!(s, "# Examples\n\n```\n{}\n{}```", imports(form, ""), example(form, &call));
    s
}

/// Returns the `use` line of an example: the form's types, and `other`.
fn imports(form: &Form, other: &str) -> String {
    let signature = form.signature.operands.iter().chain([&form.signature.result]);
    let types = signature.filter(|t| t.has_methods()).map(|t| t.rust);
    let operators = operators(form).into_iter().map(|(_, ty)| ty);
    let mut names: Vec<&str> = operators.chain(types).chain([other]).filter(|n| !n.is_empty()).collect();
    names.sort_by_key(|n| n.to_lowercase());
    names.dedup();
    match names[..] {
        [one] => format!("use ptxf::{one};\n"),
        _ => format!("use ptxf::{{{}}};\n", names.join(", ")),
    }
}

/// Returns the documentation of a model's function, which refers to the instruction's.
pub(super) fn model(form: &Form) -> String {
    let (summary, _) = section(form);
    let mut s = headline(form, &summary);
    let _ = writeln!(
        s,
        "[`Model::Reference`] calls [`ptx::{0}`](ptxf_core::ptx::{0}), whose page describes modifiers, special values and versions.\n",
        form.function()
    );
    let _ = writeln!(
        s,
        "# Errors\n\nThe function returns `Unmeasured` if the device's results for this form are not known.\n"
    );
    let _ = writeln!(s, "# Examples\n\n```\nuse ptxf::tables::device::Model;");
    if form.operand().has_methods() {
        let _ = writeln!(s, "use ptxf::{};", form.operand().rust);
    }
    let call = |_: &[&'static Modifier], operands: &[String]| {
        format!("Model::Reference.{}({})?", form.function(), operands.join(", "))
    };
    let _ = writeln!(s, "\n{}# Ok::<(), ptxf::tables::device::Unmeasured>(())\n```", example(form, &call));
    s
}

/// Returns the condition under which a function over slices rejects its operands: "`b` or `c` is a
/// slice whose length is not that of `a`".
pub(super) fn lengths(operands: &[proc_macro2::Ident], output: &str) -> String {
    let names: Vec<_> = operands.iter().map(|name| format!("`{name}`")).collect();
    let names = match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    format!("{names} is a slice whose length is not that of `{output}`")
}

/// Returns the section on panics of a function over slices that panics if `differ`.
pub(super) fn panics(differ: &str) -> String {
    format!(
        "# Panics\n\nThe function panics if {differ}. With [`checked`](crate::slice::checked) it returns the error instead."
    )
}

/// Returns a modifier in a few words, for the line that distinguishes the forms of an instruction.
pub(super) fn brief(modifier: &Modifier) -> &'static str {
    match modifier.ptx {
        "rn" => "rounded to nearest",
        "rz" => "rounded toward zero",
        "rm" => "rounded toward −∞",
        "rp" => "rounded toward +∞",
        "rna" => "rounded to nearest, ties away from zero",
        "rs" => "rounded by random bits",
        "rni" => "rounded to the nearest integer",
        "rzi" => "rounded to an integer toward zero",
        "rmi" => "rounded to an integer toward −∞",
        "rpi" => "rounded to an integer toward +∞",
        "approx" => "approximately",
        "full" => "approximately, in the full range",
        "2pi" => "of turns",
        "ftz" => "subnormals flushed to zero",
        "oob" => "+0 for `OOB_NAN`",
        "sat" => "clamped to [0, 1]",
        "relu" => "+0 for negative results",
        "NaN" => "NaN if an operand is one",
        "satfinite" => "the largest number for overflow",
        "xorsign" => "with the XOR of the signs",
        "abs" => "by magnitude",
        "pzo" => "+0 for −0",
        "scaled::n1::ue8m0" => "with a scale for all lanes",
        "scaled::n2::ue8m0" => "with a scale per lane",
        other => panic!("`.{other}` has no words for the documentation of slices"),
    }
}

/// Returns the documentation of a module of functions over slices.
pub(super) fn group(name: &str, forms: &[&Form]) -> String {
    let subject = match name {
        "cvt" => "Conversions between floats".to_owned(),
        "cvt_integer" => "Conversions between floats and integers".to_owned(),
        "cvt_narrow" => "Conversions from and to formats of at most 8 bits".to_owned(),
        instruction => format!("Forms of `{instruction}`"),
    };
    let mut types: Vec<_> = forms.iter().map(|form| form.operand().ptx).collect();
    types.sort_unstable();
    types.dedup();
    let (summary, _) = section(forms[0]);
    format!("{subject} over slices: `.{}`.\n\n{summary}", types.join("`, `."))
}

/// Returns the documentation of a form's function over slices. Lengths of `operands` are compared
/// with that of `output`.
pub(super) fn slice(form: &Form, operands: &[proc_macro2::Ident], output: &str) -> String {
    let (name, spelling) = (form.function(), form.spelling());
    let modifiers: Vec<_> = form.modifiers.iter().map(|m| brief(m)).collect();
    let modifiers = if modifiers.is_empty() { String::new() } else { format!(" ({})", modifiers.join(", ")) };
    let all: Vec<_> = form.operand_names().iter().map(|name| format!("{name}[i]")).collect();
    let place = if output == "a" { "in place of `a`" } else { "in `out`" };
    let mut s = format!(
        "Stores `{spelling}` of each element {place}{modifiers}.\n\n`{output}[i] = `[`{name}`](crate::ptx::{name})`({})`, for every `i`.",
        all.join(", ")
    );
    if !operands.is_empty() {
        let _ = write!(s, "\n\n{}", panics(&lengths(operands, output)));
    }
    s
}

/// Returns the first line with the form's spelling, which distinguishes the instruction's forms,
/// and its PTX.
fn headline(form: &Form, summary: &str) -> String {
    let summary = summary.strip_suffix('.').unwrap_or(summary);
    format!("{summary} (`{}`).\n\n```ptx\n{}\n```\n\n", form.spelling(), ptx_line(form))
}

/// Returns the example of a function, which asserts bits.
pub(super) fn function_example(form: &Form) -> String {
    let call = |operators: &[&'static Modifier], operands: &[String]| {
        let all: Vec<_> = arguments(form, operators).chain(operands.iter().cloned()).collect();
        format!("ptx::{}({})", form.function(), all.join(", "))
    };
    format!("{}\n{}", imports(form, "ptx"), example(form, &call))
}

/// Prints the call with these operators and operands.
type Call<'c> = &'c dyn Fn(&[&'static Modifier], &[String]) -> String;

fn example(form: &Form, call: Call<'_>) -> String {
    let mut s = String::new();
    for cases in form.cases.chunk_by(|a, b| a.operators == b.operators) {
        if form.operand().lanes == 1 {
            cases.iter().for_each(|case| one_example(&mut s, form, &[case], call));
            continue;
        }
        // Each lane has a case of its own; operands that the lanes share are equal in these cases.
        let shared = |case: &Case| {
            let scalars = form.signature.operands.iter().enumerate().filter(|(_, t)| t.lanes == 1);
            scalars.map(|(i, _)| case.operands[i].0).collect::<Vec<_>>()
        };
        let others: Vec<_> = cases.iter().rev().filter(|c| shared(c) == shared(&cases[0])).collect();
        let lanes: Vec<_> = (1..form.operand().lanes as usize).map(|i| others[(i - 1) % others.len()]).collect();
        one_example(&mut s, form, &[&[&cases[0]], &lanes[..]].concat(), call);
    }
    s
}

/// Prints one example: operands, call and assertion. `lanes` holds the case of each lane, the
/// lowest first.
fn one_example(s: &mut String, form: &Form, lanes: &[&Case], call: Call<'_>) {
    let pack = |width: u32, lanes: &[&Case], of: &dyn Fn(&Case) -> (u64, String)| {
        let bits = lanes.iter().enumerate().fold(0, |acc, (i, c)| acc | of(c).0 << (i as u32 * width));
        let values: Vec<_> = lanes.iter().map(|c| of(c).1).collect();
        (bits, if lanes.len() > 1 { format!("({})", values.join(", ")) } else { values.concat() })
    };
    let names = form.operand_names();
    for (i, (name, ty)) in names.iter().zip(&form.signature.operands).enumerate() {
        // A scale has more lanes than there are cases, and repeats them.
        let own: Vec<_> = (0..ty.lanes as usize).map(|lane| lanes[lane % lanes.len()]).collect();
        let (bits, text) = pack(ty.stride, &own, &|c| c.operands[i].clone());
        let _ = match ty.kind {
            Kind::Predicate => writeln!(s, "let {name} = {text};"),
            Kind::Integer { .. } => writeln!(s, "let {name} = {text}_{};", ty.rust),
            Kind::Bits => writeln!(s, "let {name} = {}_{};", hex(bits, ty.bits()), ty.rust),
            Kind::Float(_) | Kind::Power | Kind::Fixed { .. } => {
                writeln!(s, "let {name} = {}::from_bits({}); // {text}", ty.rust, hex(bits, ty.bits()))
            }
        };
    }
    let operands: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    let result = form.signature.result;
    let (bits, text) = pack(form.place_bits(), lanes, &|c| c.result.clone());
    let value = call(&lanes[0].operators, &operands);
    let _ = match result.kind {
        Kind::Predicate => writeln!(s, "assert_eq!({value}, {text});"),
        // A mask of all ones is clearer in hexadecimal digits than as −1.
        Kind::Integer { .. } if form.meaning().shape != Shape::Compare => writeln!(s, "assert_eq!({value}, {text});"),
        Kind::Integer { .. } | Kind::Bits => {
            writeln!(s, "assert_eq!({value}{}, {}); // {text}", unsigned(result), hex(bits, result.bits()))
        }
        Kind::Float(_) | Kind::Power | Kind::Fixed { .. } => {
            writeln!(s, "assert_eq!({value}.to_bits(), {}); // {text}", hex(bits, result.bits()))
        }
    };
}

/// Returns the conversion of a signed integer that is compared with hexadecimal digits.
fn unsigned(ty: &Type) -> &'static str {
    if ty.kind == (Kind::Integer { signed: true }) { ".cast_unsigned()" } else { "" }
}

/// `0x3c00_4000`: digits in groups of four, as wide as the register.
fn hex(bits: u64, width: u32) -> String {
    let digits = format!("{bits:0w$x}", w = width as usize / 4);
    let groups: Vec<_> = digits.as_bytes().chunks(4).map(|g| std::str::from_utf8(g).expect("hex digits")).collect();
    format!("0x{}", groups.join("_"))
}
