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

/// Summary line and details of the form's section.
pub(super) fn section(form: &Form) -> (String, String) {
    let doc = &form.section.doc;
    let summary = doc.first().cloned().unwrap_or_default();
    let note = form.row().note.iter().flat_map(|note| ["", note]);
    let details: Vec<_> = doc.iter().skip(1).map(String::as_str).chain(note).collect();
    (summary, details.join("\n").trim().to_owned())
}

/// The operators of a spelling as arguments, `Comparison::Lt`.
fn arguments(form: &Form, operators: &[&'static Modifier]) -> impl Iterator<Item = String> {
    chosen(form, operators).into_iter().map(|(ty, variant)| format!("{ty}::{variant}"))
}

/// The PTX line, `fma.rn.f16x2  d, a, b, c;`.
fn ptx_line(form: &Form) -> String {
    let name = |o: &Operand| format!("{}{}", if o.negatable { "{!}" } else { "" }, o.name.text);
    format!("{}  {}, {};", form.spelling(), form.row().destination(), form.line(name))
}

/// Summary, lanes, special values, modifiers, versions, source: the documentation of a function.
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

/// The records that a form's evidence rests on, the strongest first; none for a form that only the tests stand behind.
pub(super) fn records(form: &Form) -> String {
    let Evidence { assembled, executed, measured } = &form.evidence;
    let mut records: Vec<String> = measured.iter().map(|(sm, by)| format!("measured on {sm}: {by}")).collect();
    records.extend(executed.iter().map(|by| format!("executed: {by}")));
    records.extend(assembled.iter().map(|by| format!("assembled: {by}")));
    records.join("; ")
}

/// What the documentation says of the evidence.
fn evidence(form: &Form) -> String {
    let records = records(form);
    if records.is_empty() { "reference".to_owned() } else { records }
}

/// From which target a build for a device has the instruction, and what it has below.
fn on_device(table: &Table, form: &Form) -> String {
    if form.row().until.is_some() {
        return "On `nvptx64` it is integer code, as on a CPU.".to_owned();
    }
    let way = |t: &ptxf_spec::form::Target| {
        // No compiler emits what came before sm_20.
        let name = if t.sm.number < 20 { "sm_20".to_owned() } else { t.sm.to_string() };
        format!("`{name}` with PTX ISA {}.{}", t.ptx.0, t.ptx.1)
    };
    let ways: Vec<_> = form.targets.iter().map(way).collect();
    let mut s = format!("On `nvptx64` it is one instruction from {}", ways.join(" or "));
    let below = match device::replacement(form) {
        Some(Replacement::Lanes(other)) => format!("`{other}` on each lane"),
        Some(Replacement::Through(other)) => {
            let from = table.canonical().find(|f| f.spelling() == other).map(|f| f.targets[0].sm.to_string());
            format!("the same bits through `{other}` from `{}`, in integers before", from.unwrap_or_default())
        }
        None => "the CPU's result in integers".to_owned(),
    };
    // Every target that compilers emit has what came before the first of them.
    if form.targets.iter().all(|t| t.sm.number > 20 || t.ptx > (3, 2)) {
        let _ = write!(s, "; below, {below}");
    }
    s.push('.');
    s
}

/// The documentation of a method: the function's has the rest.
pub(super) fn method(form: &Form) -> String {
    let (summary, _) = section(form);
    let mut s = headline(form, &summary);
    let _ = writeln!(s, "Modifiers, special values and versions: [`ptx::{0}`](crate::ptx::{0}).\n", form.function());
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

/// The line that brings the form's types and what else it needs.
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

/// The documentation of a model's function: the instruction's has the rest.
pub(super) fn model(form: &Form) -> String {
    let (summary, _) = section(form);
    let mut s = headline(form, &summary);
    let _ = writeln!(
        s,
        "[`Model::Reference`] is [`ptx::{0}`](ptxf_core::ptx::{0}), which has modifiers, special values and versions.\n",
        form.function()
    );
    let _ = writeln!(s, "# Errors\n\nIt returns `Unmeasured` if the device's results for this form are not known.\n");
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

/// "`b` or `c` is a slice whose length is not that of `a`": when a function over slices refuses its operands.
pub(super) fn lengths(operands: &[proc_macro2::Ident], output: &str) -> String {
    let names: Vec<_> = operands.iter().map(|name| format!("`{name}`")).collect();
    let names = match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    format!("{names} is a slice whose length is not that of `{output}`")
}

fn headline(form: &Form, summary: &str) -> String {
    format!("{summary}\n\n```ptx\n{}\n```\n\n", ptx_line(form))
}

/// The example of a function, asserting bits.
pub(super) fn function_example(form: &Form) -> String {
    let call = |operators: &[&'static Modifier], operands: &[String]| {
        let all: Vec<_> = arguments(form, operators).chain(operands.iter().cloned()).collect();
        format!("ptx::{}({})", form.function(), all.join(", "))
    };
    format!("{}\n{}", imports(form, "ptx"), example(form, &call))
}

/// Calls with operators and operands, of each example.
type Call<'c> = &'c dyn Fn(&[&'static Modifier], &[String]) -> String;

fn example(form: &Form, call: Call<'_>) -> String {
    let mut s = String::new();
    for cases in form.cases.chunk_by(|a, b| a.operators == b.operators) {
        if form.operand().lanes == 1 {
            cases.iter().for_each(|case| one_example(&mut s, form, &[case], call));
            continue;
        }
        // The lanes have cases of their own, the last one the last; what they share is the same in all of them.
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

/// Assigns the operands, calls, asserts; `lanes` holds the example of each lane, the lowest first.
fn one_example(s: &mut String, form: &Form, lanes: &[&Case], call: Call<'_>) {
    let pack = |width: u32, lanes: &[&Case], of: &dyn Fn(&Case) -> (u64, String)| {
        let bits = lanes.iter().enumerate().fold(0, |acc, (i, c)| acc | of(c).0 << (i as u32 * width));
        let values: Vec<_> = lanes.iter().map(|c| of(c).1).collect();
        (bits, if lanes.len() > 1 { format!("({})", values.join(", ")) } else { values.concat() })
    };
    let names = form.operand_names();
    for (i, (name, ty)) in names.iter().zip(&form.signature.operands).enumerate() {
        // An operand with more lanes than there are cases, a scale, has one value in all of them.
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
        // All ones say more than −1.
        Kind::Integer { .. } if form.meaning().shape != Shape::Compare => writeln!(s, "assert_eq!({value}, {text});"),
        Kind::Integer { .. } | Kind::Bits => {
            writeln!(s, "assert_eq!({value}{}, {}); // {text}", unsigned(result), hex(bits, result.bits()))
        }
        Kind::Float(_) | Kind::Power | Kind::Fixed { .. } => {
            writeln!(s, "assert_eq!({value}.to_bits(), {}); // {text}", hex(bits, result.bits()))
        }
    };
}

/// What makes a value of the type fit for hexadecimal digits.
fn unsigned(ty: &Type) -> &'static str {
    if ty.kind == (Kind::Integer { signed: true }) { ".cast_unsigned()" } else { "" }
}

/// `0x3c00_4000`: digits in groups of four, as wide as the register.
fn hex(bits: u64, width: u32) -> String {
    let digits = format!("{bits:0w$x}", w = width as usize / 4);
    let groups: Vec<_> = digits.as_bytes().chunks(4).map(|g| std::str::from_utf8(g).expect("hex digits")).collect();
    format!("0x{}", groups.join("_"))
}
