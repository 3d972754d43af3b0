//! The table against an independent reading of the manual, and everything expanded from it against the table.

use std::collections::{BTreeMap, BTreeSet};

use ptxf_core::spec::{FORMS, FormInfo, MOST_OPERANDS, Only, Target, Type};
use testutil::legal;

/// Every spelling with its operand count, version, target and section, as read a second time from the manual.
#[test]
fn the_table_is_what_a_second_reading_of_the_manual_gives() {
    let table: BTreeMap<_, _> = FORMS.iter().map(|f| ((f.name, f.operands.len()), (since(f), f.section))).collect();
    assert_eq!(table.len(), FORMS.len(), "a form stands twice");
    let manual: BTreeMap<_, _> =
        legal::all().into_iter().map(|l| ((l.spelling, l.operands), ((l.ptx, l.sm), l.section))).collect();
    let missing: Vec<_> = manual.keys().filter(|k| !table.contains_key(*k)).collect();
    let surplus: Vec<_> = table.keys().filter(|k| !manual.contains_key(*k)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
    for (form, facts) in &manual {
        assert_eq!(&table[form], facts, "{form:?}");
    }
}

#[test]
fn the_readme_says_how_many_spellings_there_are() {
    let count = format!("{} spellings", FORMS.len());
    assert!(include_str!("../../README.md").contains(&count), "README.md does not say `{count}`");
}

/// The PTX ISA version and the target of a form that has one way to have it.
fn since(form: &FormInfo) -> ((u8, u8), u32) {
    let [Target { ptx, sm, only: Only::Later }] = *form.targets else { panic!("{} has several targets", form.name) };
    ((ptx.major, ptx.minor), sm)
}

/// Canonical spellings = callback rows, each with its function, its types, and a method where one of them has methods.
#[test]
fn functions_methods_and_callback_cover_the_table() {
    macro_rules! rows {
        ($($name:ident $function:ident($($argument:path,)?) $form:literal ($($operand:ident)*) $result:ident;)*) => {
            // Taking each function's path proves that it exists.
            [$((stringify!($name), $form, (vec![$(stringify!($operand)),*], stringify!($result)), {
                let _ = ptxf_core::ptx::$function;
                stringify!($function)
            })),*]
        };
    }
    let rows = ptxf_core::for_each_form!(rows);
    let canonical: BTreeSet<_> = FORMS.iter().filter(|f| f.name == f.canonical).map(|f| f.identifier).collect();
    assert_eq!(rows.iter().map(|r| r.0).collect::<BTreeSet<_>>(), canonical);
    assert_eq!(rows.len(), canonical.len());
    for f in FORMS {
        let row = rows.iter().find(|r| r.0 == f.identifier).expect(f.name);
        assert_eq!((row.1, row.3), (f.canonical, f.function), "{}", f.name);
        let (operands, result) = &row.2;
        assert!(operands.iter().map(|r| of_rust(r)).eq(f.operands.iter().map(|t| vec![*t])), "{}", f.name);
        assert!(of_rust(result).contains(&f.result), "{}", f.name);
        let own = operands.iter().chain([result]).any(|t| t.contains('F') || t.contains('B'));
        assert_eq!(f.method.is_some(), own, "{}", f.name);
        for count in 0..=MOST_OPERANDS + 1 {
            assert_eq!(f.run.call(&vec![0; count]).is_some(), count == f.operands.len(), "{} {count}", f.name);
        }
    }
}

/// The types of PTX that are this type of Rust.
fn of_rust(name: &str) -> Vec<Type> {
    match name {
        "F16" => vec![Type::F16],
        "F16x2" => vec![Type::F16x2],
        "Bf16" => vec![Type::Bf16],
        "Bf16x2" => vec![Type::Bf16x2],
        "F32x2" => vec![Type::F32x2],
        "f32" => vec![Type::F32],
        "f64" => vec![Type::F64],
        "u32" => vec![Type::U32],
        "i32" => vec![Type::S32],
        "bool" => vec![Type::Pred],
        other => panic!("{other} is no type of the table"),
    }
}

/// A spelling without rounding is its `.rn` form.
#[test]
fn spellings_without_rounding_mean_rn() {
    let implicit: Vec<_> = FORMS.iter().filter(|f| f.name != f.canonical).collect();
    assert!(!implicit.is_empty());
    for f in implicit {
        let canonical = FORMS.iter().find(|g| g.name == f.canonical && g.operands == f.operands).expect(f.name);
        assert_eq!(f.function, canonical.function);
        assert!(f.modifiers.iter().all(|m| m.name != ".rn"), "{}", f.name);
        assert!(canonical.modifiers.iter().any(|m| m.name == ".rn"), "{}", f.canonical);
    }
}

/// The documentation of every form says what it computes and asserts bits.
#[test]
fn every_form_is_documented_with_an_example() {
    for f in FORMS {
        assert!(f.summary.ends_with('.') && !f.summary.contains('\n'), "{}: {:?}", f.name, f.summary);
        assert!(f.example.contains("assert_eq!") && f.example.contains(f.function), "{}", f.name);
        assert!(f.modifiers.iter().all(|m| !m.sentence.is_empty()), "{}", f.name);
    }
}
