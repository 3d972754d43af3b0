//! What the grammar cannot say: no form twice, only known meanings with their number of operands.

use std::collections::BTreeMap;

use super::lex::Complaint;
use super::model::Table;

/// The functions of `ptxf_core::sem` that a row may name, with their number of operands.
const MEANINGS: &[(&str, usize)] = &[
    ("abs", 1),
    ("add", 2),
    ("copysign", 2),
    ("cos", 1),
    ("div", 2),
    ("div_approx", 2),
    ("ex2", 1),
    ("fma", 3),
    ("lg2", 1),
    ("mad_sm1x", 3),
    ("max", 2),
    ("max3", 3),
    ("min", 2),
    ("min3", 3),
    ("mul", 2),
    ("neg", 1),
    ("rcp", 1),
    ("rcp_approx_f64", 1),
    ("rsqrt_approx", 1),
    ("rsqrt_approx_f64", 1),
    ("sin", 1),
    ("sqrt", 1),
    ("sub", 2),
    ("tanh", 1),
    ("testp", 1),
];

/// Adds what is wrong with the table to `complaints`.
pub(crate) fn validate(table: &Table, complaints: &mut Vec<Complaint>) {
    let mut seen = BTreeMap::new();
    for form in &table.forms {
        let spelling = form.spelling();
        if let Some(first) = seen.insert((spelling.clone(), form.operands), form.pos) {
            complaints.push(form.pos.error(format!("`{spelling}` stands in the table already, at {first:?}")));
        }
    }
    for section in table.forms.iter().map(|f| &f.section) {
        for row in &section.rows {
            let name = &row.meaning;
            let complaint = match MEANINGS.iter().find(|(m, _)| *m == name.text) {
                None => {
                    let all: Vec<_> = MEANINGS.iter().map(|m| m.0).collect();
                    format!("unknown meaning `{}`; the meanings are {}", name.text, all.join(", "))
                }
                Some((m, n)) if *n != row.operands => {
                    format!("`{m}` takes {n} operands, this row has {}", row.operands)
                }
                Some(_) => continue,
            };
            if !complaints.iter().any(|c| c.message == complaint) {
                complaints.push(name.pos.error(complaint));
            }
        }
    }
}
