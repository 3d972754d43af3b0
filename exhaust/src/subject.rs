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

/// Predicates count as 0 and 1.
trait Result32 {
    fn bits(self) -> u32;
}

impl Result32 for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

impl Result32 for bool {
    fn bits(self) -> u32 {
        self.into()
    }
}

macro_rules! subject {
    ($function:ident $form:literal F16 1) => {
        subject!(@ $form, Unary16, unary16(|a| ptx::$function(F16::from_bits(a)).to_bits()))
    };
    ($function:ident $form:literal Bf16 1) => {
        subject!(@ $form, Unary16, unary16(|a| ptx::$function(Bf16::from_bits(a)).to_bits()))
    };
    ($function:ident $form:literal F16 2) => {
        subject!(@ $form, Pairs, pairs(|a, b| ptx::$function(F16::from_bits(a), F16::from_bits(b)).to_bits()))
    };
    ($function:ident $form:literal Bf16 2) => {
        subject!(@ $form, Pairs, pairs(|a, b| ptx::$function(Bf16::from_bits(a), Bf16::from_bits(b)).to_bits()))
    };
    ($function:ident $form:literal f32 1) => {
        subject!(@ $form, Unary32, unary32(|a| ptx::$function(f32::from_bits(a)).bits()))
    };
    ($function:ident $form:literal $ty:ident $operands:tt) => {
        None
    };
    (@ $form:literal, $space:ident, $fill:expr) => {
        Some(Subject::new($form, Space::$space, $fill))
    };
}

macro_rules! subjects {
    ($($function:ident $form:literal $ty:ident $operands:tt;)*) => {
        [$(subject!($function $form $ty $operands)),*].into_iter().flatten().collect()
    };
}

/// Every form whose inputs can be enumerated, in the table's order.
pub(super) fn all() -> Vec<Subject> {
    ptxf::for_each_form!(subjects)
}
