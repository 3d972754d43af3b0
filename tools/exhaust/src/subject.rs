//! The library's forms that can be tried on every input, each with its own compiled loop.

use anyhow::Result;
use ptxf::spec::{FORMS, Spelling};
use ptxf::{
    Bf16, Bf16x2, BitComparison, Comparison, E2m1x2, E2m3x2, E3m2x2, E4m3x2, E5m2x2, F16, F16x2, Level, S2f6x2,
    SignedComparison, Tf32, Ue5m3x2, Ue8m0, Ue8m0x2, UnsignedComparison, ptx,
};

use super::oracles::{self, Oracle};
use super::space::{Fill, Space, pairs, unary16, unary32};

/// A form and its results.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) space: Space,
    pub(super) fill: Fill,
    /// Slices at a level are compared with this alone.
    pub(super) at: Option<(Level, Fill)>,
}

impl Subject {
    pub(super) fn new(name: impl Into<String>, space: Space, fill: Fill) -> Self {
        Self { name: name.into(), space, fill, at: None }
    }

    /// `add.rn.f16`, or `add.rn.f16@avx2`.
    pub(super) fn label(&self) -> String {
        self.at.as_ref().map_or(self.name.clone(), |(level, _)| format!("{}@{level}", self.name))
    }

    /// Returns the oracles for the form.
    pub(super) fn oracles(&mut self, wishes: &[String]) -> Result<Vec<Oracle>> {
        match self.at.take() {
            Some((_, fill)) => Ok(vec![Oracle { name: "meaning", default: true, fill }]),
            None => oracles::choose(&self.name, self.space, wishes),
        }
    }
}

/// A result's bits; predicates count as 0 and 1.
trait Word {
    fn word(self) -> u64;
}

macro_rules! word {
    ($($ty:ident)*) => {$(
        impl Word for $ty {
            fn word(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

word!(F16 Bf16 f32 f64 Tf32 F16x2 Bf16x2 E4m3x2 E5m2x2 E2m3x2 E3m2x2 E2m1x2 Ue8m0x2 S2f6x2 Ue8m0 Ue5m3x2);

macro_rules! integers {
    ($($ty:ident $bits:ident;)*) => {$(
        impl Word for $ty {
            fn word(self) -> u64 {
                (self as $bits).into()
            }
        }
    )*};
}

integers! { u8 u8; u16 u16; u32 u32; u64 u64; i8 u8; i16 u16; i32 u32; i64 u64; }

impl Word for bool {
    fn word(self) -> u64 {
        self.into()
    }
}

macro_rules! subject {
    ($function:ident $form:literal [] [] (f32)) => {
        subject!(@ $form, Unary32, unary32(|a| ptx::$function(f32::from_bits(a)).word()))
    };
    ($function:ident $form:literal [] [] (F16)) => {
        subject!(@ $form, Unary16, unary16(|a| ptx::$function(F16::from_bits(a)).word()))
    };
    ($function:ident $form:literal [] [] (Bf16)) => {
        subject!(@ $form, Unary16, unary16(|a| ptx::$function(Bf16::from_bits(a)).word()))
    };
    ($function:ident $form:literal [] [] (F16 F16)) => {
        subject!(@ $form, Pairs, pairs(|a, b| ptx::$function(F16::from_bits(a), F16::from_bits(b)).word()))
    };
    ($function:ident $form:literal [] [] (Bf16 Bf16)) => {
        subject!(@ $form, Pairs, pairs(|a, b| ptx::$function(Bf16::from_bits(a), Bf16::from_bits(b)).word()))
    };
    // A comparison is tried with each of its operators, and with both values of a predicate at
    // once.
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [] (F16 F16)) => {
        compared!($function $form $comparison F16::from_bits)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [] (Bf16 Bf16)) => {
        compared!($function $form $comparison Bf16::from_bits)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [] (u16 u16)) => {
        compared!($function $form $comparison u16::from)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [] (i16 i16)) => {
        compared!($function $form $comparison u16::cast_signed)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [$boolean:ident $($b:ident)*] (F16 F16 bool)) => {
        combined!($function $form $comparison F16::from_bits)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [$boolean:ident $($b:ident)*] (Bf16 Bf16 bool)) => {
        combined!($function $form $comparison Bf16::from_bits)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [$boolean:ident $($b:ident)*] (u16 u16 bool)) => {
        combined!($function $form $comparison u16::from)
    };
    ($function:ident $form:literal [$comparison:ident $($c:ident)*] [$boolean:ident $($b:ident)*] (i16 i16 bool)) => {
        combined!($function $form $comparison u16::cast_signed)
    };
    ($function:ident $form:literal $comparisons:tt $booleans:tt $operands:tt) => {
        Vec::new()
    };
    (@ $form:literal, $space:ident, $fill:expr) => {
        vec![Subject::new($form, Space::$space, $fill)]
    };
}

macro_rules! compared {
    ($function:ident $form:literal $comparison:ident $ty:ident::$from:ident) => {
        spellings($form)
            .map(|spelling| {
                let c = $comparison::of(&spelling);
                let fill = pairs(move |a, b| ptx::$function(c, $ty::$from(a), $ty::$from(b)).word());
                Subject::new(spelling.to_string(), Space::Pairs, fill)
            })
            .collect::<Vec<_>>()
    };
}

macro_rules! combined {
    ($function:ident $form:literal $comparison:ident $ty:ident::$from:ident) => {
        spellings($form)
            .map(|spelling| {
                let (c, boolean) =
                    ($comparison::of(&spelling), spelling.boolean.expect("an operator takes the predicate"));
                let fill = pairs(move |a, b| {
                    let with = |p| ptx::$function(c, boolean, $ty::$from(a), $ty::$from(b), p).word();
                    with(false) | with(true) << 32
                });
                Subject::new(spelling.to_string(), Space::Pairs, fill)
            })
            .collect::<Vec<_>>()
    };
}

/// The spellings of the form.
fn spellings(form: &str) -> impl Iterator<Item = Spelling> {
    let found = FORMS.iter().find(|f| f.name == form);
    found.expect("a form of the table").spellings()
}

/// A comparison as a function takes it.
trait Operator: Sized {
    fn of(spelling: &Spelling) -> Self;
}

macro_rules! operator {
    ($($ty:ident)*) => {$(
        impl Operator for $ty {
            fn of(spelling: &Spelling) -> Self {
                let variant = spelling.comparison.expect("the form compares").variant;
                *Self::ALL.iter().find(|c| format!("{c:?}") == variant).expect("each comparison has its variant")
            }
        }
    )*};
}

operator!(Comparison UnsignedComparison SignedComparison BitComparison);

/// A form that packs two f32, tried on the same operand in both lanes; other forms as they are.
macro_rules! pack {
    ($function:ident $form:literal [] [] (f32 f32) E4m3x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) E5m2x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) E2m3x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) E3m2x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) E2m1x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) Ue8m0x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) S2f6x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal [] [] (f32 f32) Ue5m3x2) => {
        both!($function $form)
    };
    ($function:ident $form:literal $comparisons:tt $booleans:tt $operands:tt $other:tt) => {
        subject!($function $form $comparisons $booleans $operands)
    };
}

macro_rules! both {
    ($function:ident $form:literal) => {
        subject!(@ $form, Unary32, unary32(|a| ptx::$function(f32::from_bits(a), f32::from_bits(a)).word()))
    };
}

macro_rules! subjects {
    ($($function:ident $form:literal $comparisons:tt $booleans:tt $operands:tt $result:tt;)*) => {
        [$(pack!($function $form $comparisons $booleans $operands $result)),*].into_iter().flatten().collect()
    };
}

/// Every form whose inputs can be enumerated, in the table's order.
pub(super) fn all() -> Vec<Subject> {
    ptxf::for_each_form!(subjects)
}
