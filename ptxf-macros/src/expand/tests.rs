//! Tests of the expansion.

use ptxf_spec::Table;
use ptxf_spec::evidence::Evidence;

use super::{callback, functions, info, methods, models};

fn expansions(table: &Table) -> [String; 5] {
    [functions, methods, info, callback, models].map(|f| f(table).to_string())
}

/// Compares the expansion of a few forms with the formatted golden; `PTXF_BLESS=1` rewrites the
/// file.
#[test]
fn golden() {
    let mut table = ptxf_spec::table().unwrap().clone();
    let chosen = [
        "add.ftz.f16",
        "add.rn.ftz.f16",
        "testp.normal.f32",
        "set.CmpOp.u32.f16x2",
        "setp.CmpOp.BoolOp.ftz.f32",
        "slct.b16.f32",
        "add.rn.f32.f16",
        "cvt.rn.f16x2.f32",
    ];
    table.forms.retain(|f| chosen.contains(&f.spelling().as_str()));
    assert_eq!(table.forms.len(), chosen.len());
    // The evidence changes with each run on a device and is not a part of the golden.
    table.forms.iter_mut().for_each(|form| form.evidence = Evidence::default());
    let [functions, methods, forms, callback, _] = expansions(&table);
    let mut table = ptxf_spec::table().unwrap().clone();
    table.forms.retain(|f| f.spelling() == "ex2.approx.ftz.bf16x2");
    table.forms.iter_mut().for_each(|form| form.evidence = Evidence::default());
    let models = models(&table);
    let text = format!("{functions} {methods} pub static FORMS: &[FormInfo] = {forms}; {callback} {models}");
    let found = prettyplease::unparse(&syn::parse_str(&text).unwrap());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/expand/golden.rs.txt");
    if std::env::var_os("PTXF_BLESS").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "the expansion differs from {path} (PTXF_BLESS=1 rewrites it):\n{found}");
}
