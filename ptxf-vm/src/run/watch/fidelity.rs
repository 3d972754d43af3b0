//! The exactness of the instructions that a launch has executed.

use std::collections::BTreeMap;
use std::fmt;

use super::counts::Counts;
use crate::code::{Matrix, Op, Texturing};

/// The relation of an instruction's results to those of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Exactness {
    /// PTX defines every bit of the results.
    #[default]
    Exact,
    /// PTX leaves bits open, and these are the bits of a measured or known device.
    Modelled,
    /// PTX leaves bits open. The results are correctly rounded, which is within the bound that the
    /// manual documents; a device's may differ.
    Bounded,
}

impl Exactness {
    /// Returns a short name: `exact`, `modelled` or `bounded`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Modelled => "modelled",
            Self::Bounded => "bounded",
        }
    }

    /// Returns the exactness of an operation.
    pub(crate) fn of(op: &Op) -> Self {
        let matrix = match op {
            Op::Form(form) if !form.spelling.form.approximate => return Self::Exact,
            Op::Form(form) => return if form.is_modelled() { Self::Modelled } else { Self::Bounded },
            // The manual leaves open how coordinates and weights are rounded.
            Op::Texture(texturing) => match &**texturing {
                Texturing::Fetch(fetch) if !fetch.by_integers => return Self::Bounded,
                _ => return Self::Exact,
            },
            Op::Matrix(matrix) => matrix,
            _ => return Self::Exact,
        };
        let instruction = match &**matrix {
            Matrix::Multiply(multiply) => &multiply.instruction,
            Matrix::Wide(wide) => &wide.instruction,
            _ => return Self::Exact,
        };
        // Sums of integers and bits are exact; sums of floats are those of a unit.
        if instruction.formats()[3].name() == "s32" { Self::Exact } else { Self::Modelled }
    }
}

/// The executions of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormCount {
    /// The opcode with its modifiers, as the text has it: `ex2.approx.f32`.
    pub form: String,
    /// The exactness of its results.
    pub exactness: Exactness,
    /// The executions by threads.
    pub lanes: u64,
}

/// The executed instructions by exactness and form.
///
/// `Display` prints a line for the sum, and one for each form that is not exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fidelity {
    lanes: BTreeMap<(Exactness, String), u64>,
}

impl Fidelity {
    /// Returns the forms: exact, modelled, bounded, and each by name.
    pub fn forms(&self) -> impl Iterator<Item = FormCount> {
        self.lanes.iter().map(|((exactness, form), lanes)| FormCount {
            form: form.clone(),
            exactness: *exactness,
            lanes: *lanes,
        })
    }

    /// Returns the executions by threads of all instructions with this exactness.
    #[must_use]
    pub fn lanes(&self, exactness: Exactness) -> u64 {
        self.lanes.iter().filter(|((of, _), _)| *of == exactness).map(|(_, lanes)| lanes).sum()
    }

    /// Adds the instructions of a launch.
    pub(crate) fn add(&mut self, counts: &Counts) {
        for line in counts.lines().iter().filter(|line| line.lanes > 0) {
            let without_guard =
                if line.text.starts_with('@') { line.text.split_once(' ').map(|(_, rest)| rest) } else { None };
            let form = without_guard.unwrap_or(&line.text).split([' ', ';']).next().unwrap_or_default();
            *self.lanes.entry((line.exactness, form.to_owned())).or_default() += line.lanes;
        }
    }

    /// Adds the instructions of other launches.
    pub fn merge(&mut self, other: &Self) {
        for (key, lanes) in &other.lanes {
            *self.lanes.entry(key.clone()).or_default() += lanes;
        }
    }
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [exact, modelled, bounded] =
            [Exactness::Exact, Exactness::Modelled, Exactness::Bounded].map(|exactness| self.lanes(exactness));
        write!(
            f,
            "{} instructions of threads: {exact} exact, {modelled} with the bits of a device, {bounded} within the documented bound only",
            exact + modelled + bounded
        )?;
        for FormCount { form, exactness, lanes } in self.forms().filter(|form| form.exactness != Exactness::Exact) {
            write!(f, "\n  {:<9}{lanes:>12}  {form}", exactness.name())?;
        }
        Ok(())
    }
}
