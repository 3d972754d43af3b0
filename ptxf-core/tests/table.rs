//! The table against an independent reading of the manual, and all expansions against the table.

use std::collections::{BTreeMap, BTreeSet};

use oracle::{Rng, legal};
use ptxf_core::spec::{FORMS, FormInfo, MOST_OPERANDS, Only, Spelling, Target, Type, native, spellings};
use ptxf_core::{
    Bf16, Bf16x2, E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, F16, F16x2,
    F32x2, S2f6x2, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4,
};

/// Compares every spelling, with its operand count, version, target and section, with a second
/// reading of the manual.
#[test]
fn the_table_is_what_a_second_reading_of_the_manual_gives() {
    let facts = |s: Spelling| ((s.to_string(), s.form.operands.len()), (since(s.form), s.form.section));
    let table: BTreeMap<_, _> = spellings().map(facts).collect();
    assert_eq!(table.len(), spellings().count(), "a spelling stands twice");
    let manual: BTreeMap<_, _> =
        legal::all().into_iter().map(|l| ((l.spelling.to_owned(), l.operands), (sorted(l.since), l.section))).collect();
    let missing: Vec<_> = manual.keys().filter(|k| !table.contains_key(*k)).collect();
    let surplus: Vec<_> = table.keys().filter(|k| !manual.contains_key(*k)).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
    for (form, facts) in &manual {
        assert_eq!(&table[form], facts, "{form:?}");
    }
}

#[test]
fn the_readme_says_how_many_spellings_there_are() {
    let count = format!("{} spellings", spellings().count());
    assert!(include_str!("../../README.md").contains(&count), "README.md does not say `{count}`");
}

/// Returns the PTX ISA versions and targets that introduced a form.
fn since(form: &FormInfo) -> Vec<((u8, u8), String)> {
    let way = |t: &Target| {
        let letter = match t.only {
            Only::Later => "",
            Only::Family => "f",
            Only::This => "a",
        };
        ((t.ptx.major, t.ptx.minor), format!("{}{letter}", t.sm))
    };
    sorted(form.targets.iter().map(way).collect())
}

fn sorted<T: ToString>(mut ways: Vec<((u8, u8), T)>) -> Vec<((u8, u8), String)> {
    let mut ways: Vec<_> = ways.drain(..).map(|(ptx, sm)| (ptx, sm.to_string())).collect();
    ways.sort();
    ways
}

/// Checks that the rows of the callback are the canonical forms. Each has its function, its types,
/// and a method if a type has methods. The function returns the result of the form's entry, for
/// each of its operators.
#[test]
fn functions_methods_and_callback_cover_the_table() {
    // One function for each row, because a function with all rows is too large for the compiler.
    macro_rules! rows {
        ($($function:ident $form:literal $comparisons:tt $booleans:tt ($($operand:ty)*) $result:ty;)*) => {
            $(fn $function() -> Row {
                let operands = vec![$(stringify!($operand)),*];
                let mut row = Row { name: $form, operands, result: stringify!($result), calls: 0 };
                calls!(row $function $comparisons $booleans ($($operand)*));
                row
            })*
            const ALL: &[(&str, fn() -> Row)] = &[$((stringify!($function), $function)),*];
        };
    }
    macro_rules! calls {
        ($row:ident $function:ident [] [] $operands:tt) => {
            $row.check(stringify!($function).to_owned(), &|x| call!($function () x $operands));
        };
        ($row:ident $function:ident [$comparison:ident $($c:ident)*] [] $operands:tt) => {
            for (name, c) in [$((stringify!($c), ptxf_core::$comparison::$c)),*] {
                $row.check(format!("{}_{name}", stringify!($function)), &|x| call!($function (c,) x $operands));
            }
        };
        ($row:ident $function:ident [$comparison:ident $($c:ident)*] [$boolean:ident $($b:ident)*] $operands:tt) => {
            for (name, c) in [$((stringify!($c), ptxf_core::$comparison::$c)),*] {
                for (combined, b) in [$((stringify!($b), ptxf_core::$boolean::$b)),*] {
                    let name = format!("{}_{name}_{combined}", stringify!($function));
                    $row.check(name, &|x| call!($function (c, b,) x $operands));
                }
            }
        };
    }
    macro_rules! call {
        ($function:ident ($($operator:ident,)*) $x:ident ($($operand:ty)*)) => {{
            let mut operands = $x.iter();
            Word::bits(ptxf_core::ptx::$function($($operator,)* $(<$operand>::word(operands.next())),*))
        }};
    }
    ptxf_core::for_each_form!(rows);
    let rows: BTreeMap<&str, Row> = ALL.iter().map(|(function, row)| (*function, row())).collect();
    assert_eq!(rows.len(), ALL.len(), "a row stands twice");
    let canonical: BTreeSet<_> = FORMS.iter().filter(|f| f.name == f.canonical).map(|f| f.function).collect();
    assert!(rows.keys().eq(canonical.iter()));
    for f in FORMS {
        let row = &rows[f.function];
        assert_eq!(row.name, f.canonical, "{}", f.name);
        assert!(row.operands.iter().zip(f.operands).all(|(r, t)| of_rust(r).contains(t)), "{}", f.name);
        assert!(of_rust(row.result).contains(&f.result), "{}", f.name);
        assert_eq!((row.operands.len(), row.calls), (f.operands.len(), f.spellings().count()), "{}", f.name);
        let own = |t: &&str| t.starts_with(|c: char| c.is_ascii_uppercase());
        let converted = f.instruction == "cvt" && own(&row.result);
        assert_eq!(f.method.is_some(), own(&row.operands[0]) || converted, "{}", f.name);
        for count in 0..=MOST_OPERANDS + 1 {
            assert_eq!(f.run.call(&vec![0; count]).is_some(), count == f.operands.len(), "{} {count}", f.name);
        }
    }
}

/// A row of the callback.
struct Row {
    name: &'static str,
    operands: Vec<&'static str>,
    result: &'static str,
    /// Number of spellings that were compared.
    calls: usize,
}

impl Row {
    /// Compares the function, with operators, with the spelling of this identifier.
    fn check(&mut self, identifier: String, call: &dyn Fn(&[u64]) -> u64) {
        let form =
            FORMS.iter().find(|f| f.name == self.name && f.operands.len() == self.operands.len()).expect(self.name);
        let spelling = form.spellings().find(|s| s.identifier().to_string() == identifier).expect(&identifier);
        let mut rng = Rng::new(self.calls as u64);
        for i in 0..64 {
            let mut operands: Vec<u64> = form.operands.iter().map(|_| rng.next()).collect();
            if i % 4 == 0 {
                // Equal operands, for comparisons.
                operands = vec![operands[0]; operands.len()];
            }
            assert_eq!(Some(call(&operands)), spelling.call(&operands), "{identifier} {operands:x?}");
        }
        self.calls += 1;
    }
}

/// An operand or a result as bits.
trait Word {
    fn word(bits: Option<&u64>) -> Self;
    fn bits(self) -> u64;
}

macro_rules! words {
    ($($ty:ty: |$x:ident| $from:expr, |$d:ident| $to:expr;)*) => {$(
        impl Word for $ty {
            fn word(bits: Option<&u64>) -> Self {
                let $x = *bits.expect("an operand for each type");
                $from
            }
            fn bits(self) -> u64 {
                let $d = self;
                $to
            }
        }
    )*};
}

words! {
    F16: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Bf16: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    F16x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Bf16x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    F32x2: |x| Self::from_bits(x as _), |d| d.to_bits();
    f32: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Tf32: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E4m3x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E5m2x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E2m3x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E3m2x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E2m1x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Ue8m0x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    S2f6x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Ue8m0: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Ue5m3x2: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E4m3x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E5m2x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E2m3x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E3m2x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E2m1x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    E2m1p4x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    Ue8m0x4: |x| Self::from_bits(x as _), |d| d.to_bits().into();
    u8: |x| x as _, |d| d.into();
    i8: |x| x as _, |d| d.cast_unsigned().into();
    f64: |x| Self::from_bits(x), |d| d.to_bits();
    u16: |x| x as _, |d| d.into();
    u32: |x| x as _, |d| d.into();
    u64: |x| x, |d| d;
    i16: |x| x as _, |d| d.cast_unsigned().into();
    i32: |x| x as _, |d| d.cast_unsigned().into();
    i64: |x| x as _, |d| d.cast_unsigned();
    bool: |x| x & 1 == 1, |d| d.into();
    (bool, bool): |x| (x & 1 == 1, x & 2 == 2), |d| u64::from(d.0) | u64::from(d.1) << 1;
}

/// Returns the PTX types of a Rust type.
fn of_rust(name: &str) -> Vec<Type> {
    match name {
        "F16" => vec![Type::F16],
        "F16x2" => vec![Type::F16x2],
        "Bf16" => vec![Type::Bf16],
        "Bf16x2" => vec![Type::Bf16x2],
        "F32x2" => vec![Type::F32x2],
        "f32" => vec![Type::F32],
        "f64" => vec![Type::F64],
        "Tf32" => vec![Type::Tf32],
        "E4m3x2" => vec![Type::E4m3x2],
        "E5m2x2" => vec![Type::E5m2x2],
        "E2m3x2" => vec![Type::E2m3x2],
        "E3m2x2" => vec![Type::E3m2x2],
        "E2m1x2" => vec![Type::E2m1x2],
        "Ue8m0x2" => vec![Type::Ue8m0x2],
        "S2f6x2" => vec![Type::S2f6x2],
        "Ue8m0" => vec![Type::Ue8m0],
        "Ue5m3x2" => vec![Type::Ue5m3x2],
        "E4m3x4" => vec![Type::E4m3x4],
        "E5m2x4" => vec![Type::E5m2x4],
        "E2m3x4" => vec![Type::E2m3x4],
        "E3m2x4" => vec![Type::E3m2x4],
        "E2m1x4" => vec![Type::E2m1x4],
        "E2m1p4x4" => vec![Type::E2m1p4x4],
        "Ue8m0x4" => vec![Type::Ue8m0x4],
        "u8" => vec![Type::U8],
        "i8" => vec![Type::S8],
        "u16" => vec![Type::U16, Type::B16],
        "u32" => vec![Type::U32, Type::B32],
        "u64" => vec![Type::U64, Type::B64],
        "i16" => vec![Type::S16],
        "i32" => vec![Type::S32],
        "i64" => vec![Type::S64],
        "bool" => vec![Type::Pred],
        "(bool, bool)" => vec![Type::Preds],
        other => panic!("{other} is no type of the table"),
    }
}

/// Checks that a spelling without rounding is its `.rn` form.
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

/// Checks that the documentation of every form has a summary and an example that asserts bits.
#[test]
fn every_form_is_documented_with_an_example() {
    for f in FORMS {
        assert!(f.summary.ends_with('.') && !f.summary.contains('\n'), "{}: {:?}", f.name, f.summary);
        assert!(f.example.contains("assert_eq!") && f.example.contains(f.function), "{}", f.name);
        assert!(f.modifiers.iter().all(|m| !m.sentence.is_empty()), "{}", f.name);
    }
}

/// Checks that names are recognized, with their operators or with open ones, and nothing else.
#[test]
fn names_are_recognized_and_nothing_else() {
    for s in spellings() {
        let name = s.to_string();
        assert_eq!(native(&name), s.form.native, "{name}");
        assert!(s.is(&name) && !s.is(&format!("{name}x")) && !s.is(&name[1..]), "{name}");
    }
    assert!(FORMS.iter().all(|f| native(f.name) == f.native && native(f.function) == f.native));
    assert_eq!(spellings().filter(|s| s.is("set.lo.or.f32.u64")).count(), 1);
    for name in ["set.lt.ftz.u32", "set.lo.ftz.u32.f16", "set.lt.and.ftz.u32.f16.", "set.lt.and", "set", ""] {
        assert!(std::panic::catch_unwind(|| native(name)).is_err(), "{name}");
        assert!(!spellings().any(|s| s.is(name)), "{name}");
    }
}
