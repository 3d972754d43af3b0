//! The library's side: the forms small enough to try on every input, each with its own compiled loop.

use anyhow::Result;
use ptxf::{Bf16, F16, Level, ptx};

use super::oracle::{self, Oracle};
use super::space::{Fill, Space, pairs, unary16, unary32};

/// A form and its results.
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) space: Space,
    pub(super) fill: Fill,
    /// Slices at a level are compared with this alone.
    pub(super) at: Option<(Level, Fill)>,
}

impl Subject {
    pub(super) fn new(name: &'static str, space: Space, fill: Fill) -> Self {
        Self { name, space, fill, at: None }
    }

    /// `add.rn.f16`, or `add.rn.f16@avx2`.
    pub(super) fn label(&self) -> String {
        self.at.as_ref().map_or(self.name.to_owned(), |(level, _)| format!("{}@{level}", self.name))
    }

    /// What to compare with.
    pub(super) fn oracles(&mut self, wishes: &[String]) -> Result<Vec<Oracle>> {
        match self.at.take() {
            Some((_, fill)) => Ok(vec![Oracle { name: "meaning", default: true, fill }]),
            None => oracle::choose(self.name, self.space, wishes),
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

word!(F16 Bf16 f32);

impl Word for bool {
    fn word(self) -> u64 {
        self.into()
    }
}

macro_rules! subject {
    ($function:ident $form:literal (f32)) => {
        subject!(@ $form, Unary32, unary32(|a| ptx::$function(f32::from_bits(a)).word()))
    };
    ($function:ident $form:literal (F16)) => {
        subject!(@ $form, Unary16, unary16(|a| ptx::$function(F16::from_bits(a)).word()))
    };
    ($function:ident $form:literal (Bf16)) => {
        subject!(@ $form, Unary16, unary16(|a| ptx::$function(Bf16::from_bits(a)).word()))
    };
    ($function:ident $form:literal (F16 F16)) => {
        subject!(@ $form, Pairs, pairs(|a, b| ptx::$function(F16::from_bits(a), F16::from_bits(b)).word()))
    };
    ($function:ident $form:literal (Bf16 Bf16)) => {
        subject!(@ $form, Pairs, pairs(|a, b| ptx::$function(Bf16::from_bits(a), Bf16::from_bits(b)).word()))
    };
    ($function:ident $form:literal $operands:tt) => {
        None
    };
    (@ $form:literal, $space:ident, $fill:expr) => {
        Some(Subject::new($form, Space::$space, $fill))
    };
}

macro_rules! subjects {
    ($($name:ident $function:ident($($argument:path,)?) $form:literal $operands:tt $result:ident;)*) => {
        [$(subject!($function $form $operands)),*].into_iter().flatten().collect()
    };
}

/// Every form whose inputs can be enumerated, in the table's order.
pub(super) fn all() -> Vec<Subject> {
    ptxf::for_each_form!(subjects)
}
