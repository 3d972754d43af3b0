//! The documentation of a form, put together from its section, its modifiers and its example.

use std::fmt::Write;

use super::super::evidence::Evidence;
use super::super::model::{Case, Form, OPERANDS, Table};
use super::device;

/// Summary line and details of the form's section.
pub(super) fn section(form: &Form) -> (String, String) {
    let doc = &form.section.doc;
    let summary = doc.first().cloned().unwrap_or_default();
    (summary, doc.get(1..).unwrap_or_default().join("\n").trim().to_owned())
}

/// The PTX line, `fma.rn.f16x2  d, a, b, c;`.
fn ptx_line(form: &Form) -> String {
    format!("{}  {}, {};", form.spelling(), form.row().destination.text, OPERANDS[..form.operands()].join(", "))
}

/// `# ` of lanes, modifiers, versions, source: the documentation of a function.
pub(super) fn function(table: &Table, form: &Form) -> String {
    let (summary, details) = section(form);
    let mut s = headline(form, &summary);
    if form.ty.lanes == 2 {
        let _ = writeln!(s, "Each of the two `.{}` lanes is computed on its own.\n", form.ty.lane);
    }
    let _ = writeln!(s, "{details}\n");
    if !form.modifiers.is_empty() {
        for m in &form.modifiers {
            let _ = writeln!(s, "- `.{}` {}", m.ptx, m.sentence);
        }
        s.push('\n');
    }
    let _ = writeln!(s, "{}\n", on_device(table, form));
    let until = form.row().until.map(|sm| format!(" up to `sm_{sm}`")).unwrap_or_default();
    let _ = writeln!(
        s,
        "Since PTX ISA {}.{}, target `sm_{}`{until} · manual {} · evidence: {}",
        form.ptx.0,
        form.ptx.1,
        form.sm,
        form.section.number,
        evidence(form),
    );
    let other: Vec<_> = table
        .forms
        .iter()
        .filter(|f| f.implicit_rn && f.operands() == form.operands() && f.canonical() == form.spelling())
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
    let Evidence { assembled, measured } = &form.evidence;
    let mut records: Vec<String> = measured.iter().map(|(sm, by)| format!("measured on {sm}: {by}")).collect();
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
    let (major, minor) = form.ptx;
    let mut s =
        format!("On `nvptx64` it is one instruction from `sm_{}` with PTX ISA {major}.{minor}", form.sm.max(20));
    let below = match device::replacement(form) {
        Some(other) if form.ty.lanes == 2 && other.ends_with(".f32") => format!("`{other}` on each lane"),
        Some(other) => {
            let sm = table.canonical().find(|f| f.spelling() == other).map_or(0, |f| f.sm);
            format!("the same bits through `{other}` from `sm_{sm}`, in integers before")
        }
        None => "the CPU's result in integers".to_owned(),
    };
    // Every target that compilers emit has what came before the first of them.
    if form.sm > 20 || form.ptx > (3, 2) {
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
    let call = |operands: &[String]| format!("{}.{}({})", operands[0], form.method(), operands[1..].join(", "));
    let _ = writeln!(s, "# Examples\n\n```\nuse ptxf::{};\n\n{}```", form.ty.rust, example(form, call));
    s
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
    if form.ty.has_methods() {
        let _ = writeln!(s, "use ptxf::{};", form.ty.rust);
    }
    let call = |operands: &[String]| format!("Model::Reference.{}({})?", form.function(), operands.join(", "));
    let _ = writeln!(s, "\n{}# Ok::<(), ptxf::tables::device::Unmeasured>(())\n```", example(form, call));
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
    let call = |operands: &[String]| format!("ptx::{}({})", form.function(), operands.join(", "));
    let imports = if form.ty.has_methods() { format!("{{{}, ptx}}", form.ty.rust) } else { "ptx".to_owned() };
    format!("use ptxf::{imports};\n\n{}", example(form, call))
}

fn example(form: &Form, call: impl Fn(&[String]) -> String) -> String {
    let mut s = String::new();
    let second = form.cases.last().expect("a form has an example");
    if form.ty.lanes == 2 {
        one_example(&mut s, form, &[&form.cases[0], second], &call);
    } else {
        for case in &form.cases {
            one_example(&mut s, form, &[case], &call);
        }
    }
    s
}

/// Assigns the operands, calls, asserts; `lanes` holds the example of each lane, the lower one first.
fn one_example(s: &mut String, form: &Form, lanes: &[&Case], call: &impl Fn(&[String]) -> String) {
    let ty = form.ty;
    let pack = |of: &dyn Fn(&Case) -> (u64, String)| {
        let bits = lanes.iter().enumerate().fold(0, |acc, (i, c)| acc | of(c).0 << (i as u32 * ty.lane_bits()));
        let values: Vec<_> = lanes.iter().map(|c| of(c).1).collect();
        let text = if lanes.len() == 2 { format!("({})", values.join(", ")) } else { values.concat() };
        (bits, text)
    };
    let names = &OPERANDS[..form.operands()];
    for (i, name) in names.iter().enumerate() {
        let (bits, text) = pack(&|c| c.operands[i].clone());
        let _ = writeln!(s, "let {name} = {}::from_bits({}); // {text}", ty.rust, hex(bits, ty.bits()));
    }
    let operands: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    let (bits, text) = pack(&|c| c.result.clone());
    let _ = if form.predicate() {
        writeln!(s, "assert_eq!({}, {text});", call(&operands))
    } else {
        writeln!(s, "assert_eq!({}.to_bits(), {}); // {text}", call(&operands), hex(bits, ty.bits()))
    };
}

/// `0x3c00_4000`: digits in groups of four, as wide as the register.
fn hex(bits: u64, width: u32) -> String {
    let digits = format!("{bits:0w$x}", w = width as usize / 4);
    let groups: Vec<_> = digits.as_bytes().chunks(4).map(|g| std::str::from_utf8(g).expect("hex digits")).collect();
    format!("0x{}", groups.join("_"))
}
