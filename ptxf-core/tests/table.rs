//! The table against an independent reading of the manual, and everything expanded from it against the table.

use std::collections::{BTreeMap, BTreeSet};

use ptxf_core::spec::{FORMS, Run};
use testutil::legal;

/// Every spelling with its operand count, version, target and section, as read a second time from the manual.
#[test]
fn the_table_is_what_a_second_reading_of_the_manual_gives() {
    let table: BTreeMap<_, _> =
        FORMS.iter().map(|f| ((f.name, f.operands), ((f.ptx.major, f.ptx.minor), f.sm, f.section))).collect();
    assert_eq!(table.len(), FORMS.len(), "a form stands twice");
    let manual: BTreeMap<_, _> =
        legal::all().into_iter().map(|l| ((l.spelling, l.operands), (l.ptx, l.sm, l.section))).collect();
    let missing: Vec<_> = manual.keys().filter(|k| !table.contains_key(*k)).collect();
    let surplus: Vec<_> = table.keys().filter(|k| !manual.contains_key(*k)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
    for (form, facts) in &manual {
        assert_eq!(&table[form], facts, "{form:?}");
    }
}

/// Functions = canonical spellings = callback rows, each with its operand count and a method where its type has methods.
#[test]
fn functions_methods_and_callback_cover_the_table() {
    macro_rules! rows {
        ($($function:ident $form:literal $ty:ident $operands:literal;)*) => {
            // Taking each function's path proves that it exists.
            [$((stringify!($function), $form, stringify!($ty), $operands, { let _ = ptxf_core::ptx::$function; })),*]
        };
    }
    let rows = ptxf_core::for_each_form!(rows);
    let canonical: BTreeSet<_> = FORMS.iter().filter(|f| f.name == f.canonical).map(|f| f.function).collect();
    assert_eq!(rows.iter().map(|r| r.0).collect::<BTreeSet<_>>(), canonical);
    assert_eq!(rows.len(), canonical.len());
    for f in FORMS {
        let row = rows.iter().find(|r| r.0 == f.function).expect(f.name);
        assert_eq!((row.1, row.3), (f.canonical, f.operands), "{}", f.name);
        assert_eq!(f.method.is_some(), !matches!(row.2, "f32" | "f64"), "{}", f.name);
        let arity = match f.run {
            Run::Unary(_) => 1,
            Run::Binary(_) => 2,
            Run::Ternary(_) => 3,
        };
        assert_eq!(arity, f.operands, "{}", f.name);
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
