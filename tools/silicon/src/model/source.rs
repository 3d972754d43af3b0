//! Writes the Rust that `ptxf_tables::device` is built from.

use std::fmt::Write as _;

use ptxf_tables::device::unit::{Coefficients, Function};

use super::contents::{Contents, Fitted, Form};
use crate::manifest::Row;

/// Returns the file of a form's differences.
pub(super) fn file(form: &str) -> String {
    format!("{form}.delta")
}

/// Returns `measured.rs`, the list of devices.
pub(super) fn list(models: &[Contents]) -> String {
    let mut out = String::from("//! Written by `cargo gpu model`, never by hand: the devices that were measured.\n\n");
    for Contents { target, .. } in models {
        let _ = write!(out, "#[rustfmt::skip]\npub(super) mod {target};\n\n");
    }
    out += "/// Calls `callback! { Variant = \"name\" in module; … }` with every one.\n\
            macro_rules! for_each_device {\n    ($callback:ident) => {\n        ";
    if models.is_empty() {
        out += "$callback! {}\n";
    } else {
        out += "$callback! {\n";
        for model in models {
            for line in description(model) {
                let _ = writeln!(out, "            ///{}{line}", if line.is_empty() { "" } else { " " });
            }
            let target = &model.target;
            let _ = writeln!(out, "            {} = \"{target}\" in {target};", variant(target));
        }
        out += "        }\n";
    }
    out += "    };\n}\npub(super) use for_each_device;\n";
    out
}

/// Returns the documentation of a model.
fn description(model: &Contents) -> Vec<String> {
    let Row { date, stamp, .. } = &model.files[0];
    let day = date.split('T').next().unwrap_or_default();
    let mut lines =
        vec![format!("`{}`: what {}, driver {}, returned on {day}.", model.target, stamp.device, stamp.driver)];
    let missing: Vec<_> = model.verdicts().filter_map(|(form, why)| Some((form, why?))).collect();
    if !missing.is_empty() {
        lines.extend([String::new(), "It has no results for".to_owned(), String::new()]);
        lines.extend(missing.into_iter().map(|(form, why)| format!("- `{form}`: {why}")));
    }
    lines
}

/// Returns `Sm90` for `sm_90`.
fn variant(target: &str) -> String {
    let name = target.replace('_', "");
    name[..1].to_uppercase() + &name[1..]
}

/// Returns `measured/sm_90.rs`, the model of a device.
pub(super) fn device(model: &Contents) -> String {
    let target = &model.target;
    let mut out = format!("//! Written by `cargo gpu model`, never by hand: {}.\n\n", model.files[0].stamp.device);
    out += "use crate::device::Provenance;\nuse crate::device::data::Device;\n";
    if model.dumps.iter().any(|dump| dump.deltas.is_ok()) {
        out += "use crate::device::delta::Deltas;\n";
    }
    if !model.tables.is_empty() {
        out += "use crate::device::unit::{Coefficients, Complement, Evaluation, Function, Table};\n";
    }
    out += "\npub(in crate::device) static DEVICE: Device = Device {\n    provenance: &[\n";
    for Row { file, sha256, date, stamp, .. } in &model.files {
        let (device, driver, ptx) = (&stamp.device, &stamp.driver, &stamp.ptx);
        let _ = writeln!(out, "        Provenance {{\n            file: {file:?},\n            sha256: {sha256:?},");
        let _ = writeln!(out, "            date: {date:?},\n            device: {device:?},");
        let _ = writeln!(out, "            driver: {driver:?},\n            ptx: {ptx:?},\n        }},");
    }
    out += "    ],\n";
    for dump in &model.dumps {
        let value = match &dump.deltas {
            Ok(_) => format!("Ok(Deltas::written(include_bytes!(\"{target}/{}\")))", file(dump.form)),
            Err(why) => format!("Err({why:?})"),
        };
        let (instruction, ty) = ends(dump.form);
        let _ = writeln!(out, "    {instruction}_{ty}: {value},");
    }
    for forms in model.forms.chunk_by(|a, b| field(&a.name) == field(&b.name)) {
        let value = |form: &Form| match &form.verdict {
            Ok(()) => format!("Ok({})", name(form.function)),
            Err(why) => format!("Err({why:?})"),
        };
        let name = field(&forms[0].name);
        let _ = match forms {
            [one] => writeln!(out, "    {name}: {},", value(one)),
            // The form without `.ftz`, and the form with it.
            _ => writeln!(out, "    {name}: [\n        {},\n        {},\n    ],", value(&forms[0]), value(&forms[1])),
        };
    }
    out += "};\n";
    for fitted in &model.tables {
        let users = model.forms.iter().filter(|form| form.verdict.is_ok()).map(|form| form.function);
        let mut users: Vec<Function> = users.filter(|user| shares(*user, fitted.function)).collect();
        users.dedup();
        out += &table(fitted, &users);
    }
    if !model.tables.is_empty() {
        out += "\nconst fn c(a: i32, b: i32, c: i32) -> Coefficients {\n    Coefficients { a, b, c }\n}\n";
    }
    out
}

/// Returns `true` if a function uses the table of another.
fn shares(user: Function, owner: Function) -> bool {
    user == owner || (user, owner) == (Function::Cos, Function::Sin)
}

/// Returns the coefficients, and a table of them for each function that uses them.
fn table(fitted: &Fitted, users: &[Function]) -> String {
    let Fitted { function, evaluation: e, complement, segments } = fitted;
    let (list, count) = (format!("{}_SEGMENTS", name(*function)), segments.len());
    let bias = if e.bias < 0 { e.bias.to_string() } else { format!("{:#x}", e.bias) };
    let mut out = String::new();
    for user in users {
        let _ = write!(
            out,
            "\nconst {}: Table<'static> = Table::new(\n    Function::{user:?},\n    Evaluation {{ a: {}, c: {}, x_square: {}, \
             bias: {bias}, shift: {} }},\n    Complement::{complement:?},\n    &{list},\n)\n.expect(\"as many as the function \
             has\");\n",
            name(*user),
            e.a,
            e.c,
            e.x_square,
            e.shift
        );
    }
    let _ = writeln!(out, "\nstatic {list}: [Coefficients; {count}] = [");
    for some in segments.chunks(4) {
        let some: Vec<_> = some.iter().map(|Coefficients { a, b, c }| format!("c({a}, {b}, {c}),")).collect();
        let _ = writeln!(out, "    {}", some.join(" "));
    }
    out + "];\n"
}

/// Returns the name of a function's table.
fn name(function: Function) -> String {
    format!("{function:?}").to_uppercase()
}

/// Returns the device's field of a form of f32 or f64: the instruction, for divisions with the
/// kind.
fn field(form: &str) -> String {
    match form.split('.').collect::<Vec<_>>()[..] {
        ["div", kind, ..] => format!("div_{kind}"),
        [instruction, .., "f64"] => format!("{instruction}_f64"),
        _ => ends(form).0.to_owned(),
    }
}

/// Returns instruction and type.
fn ends(form: &str) -> (&str, &str) {
    let instruction = form.split('.').next().unwrap_or_default();
    (instruction, form.rsplit('.').next().unwrap_or_default())
}
