//! Errors of models.

use core::fmt;
use core::str::FromStr;

use ptxf_core::slice::LengthError;

use super::Model;

/// An error of a model that has no results for a form. [`Model::Reference`] has results for every
/// form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmeasured {
    /// The form, `tanh.approx.f32`.
    pub form: &'static str,
    /// The model.
    pub model: Model,
    /// The missing data.
    pub reason: &'static str,
}

impl fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { form, model, reason } = self;
        write!(f, "the model {model} has no results for {form}: {reason}")
    }
}

impl core::error::Error for Unmeasured {}

/// An error of [`Model::call`].
///
/// # Examples
///
/// ```
/// use ptxf::spec::FORMS;
/// use ptxf::tables::device::{CallError, Model};
///
/// let wrong = Model::Reference.call(&FORMS[0], &[0]);
/// assert_eq!(wrong, Err(CallError::Operands { form: FORMS[0].name, takes: 2, given: 1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// The number of operands is not the form's.
    Operands {
        /// The form.
        form: &'static str,
        /// The number of its operands.
        takes: usize,
        /// The number of given operands.
        given: usize,
    },
    /// The model has no results for the form.
    Unmeasured(Unmeasured),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operands { form, takes, given } => {
                write!(f, "{form} takes {takes} operand{}, {given} given", if *takes == 1 { "" } else { "s" })
            }
            Self::Unmeasured(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for CallError {}

impl From<Unmeasured> for CallError {
    fn from(e: Unmeasured) -> Self {
        Self::Unmeasured(e)
    }
}

/// An error of a model's function over slices, which has written nothing.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::Model;
///
/// let mut y = [0.0; 3];
/// let error = Model::Reference.lg2_approx_f32_slice(&[1.0, 2.0], &mut y).unwrap_err();
/// assert_eq!((error.to_string().as_str(), y), ("`a` has 2 elements, `out` has 3", [0.0; 3]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SliceError {
    /// An operand is not as long as the output.
    Length(LengthError),
    /// The model has no results for the form.
    Unmeasured(Unmeasured),
}

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(e) => e.fmt(f),
            Self::Unmeasured(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for SliceError {}

impl From<Unmeasured> for SliceError {
    fn from(e: Unmeasured) -> Self {
        Self::Unmeasured(e)
    }
}

/// An error of a name that is not a model's.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::{Model, ModelError};
///
/// assert_eq!("sm_20".parse::<Model>(), Err(ModelError::NotMeasured { sm: 20, suffix: None }));
/// assert_eq!("gpu".parse::<Model>(), Err(ModelError::Unknown));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// An architecture without data.
    NotMeasured {
        /// 90 in `sm_90a`.
        sm: u16,
        /// `a` in `sm_90a`.
        suffix: Option<char>,
    },
    /// Neither a model nor an architecture.
    Unknown,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotMeasured { sm, suffix } => {
                write!(f, "no device of sm_{sm}")?;
                suffix.iter().try_for_each(|c| write!(f, "{c}"))?;
                f.write_str(" has been measured: run `ptxf-gpu capture` on one")
            }
            Self::Unknown => {
                f.write_str("there is no such model; there is")?;
                Model::available().iter().enumerate().try_for_each(|(i, model)| {
                    let comma = if i == 0 { " " } else { ", " };
                    write!(f, "{comma}{model}")
                })
            }
        }
    }
}

impl core::error::Error for ModelError {}

impl FromStr for Model {
    type Err = ModelError;

    fn from_str(s: &str) -> Result<Self, ModelError> {
        if let Some(model) = Self::available().iter().find(|model| model.name() == s) {
            return Ok(*model);
        }
        let number = s.strip_prefix("sm_").ok_or(ModelError::Unknown)?;
        let suffix = number.chars().next_back().filter(|c| matches!(c, 'a' | 'f'));
        let digits = suffix.map_or(number, |_| &number[..number.len() - 1]);
        // `u16::from_str` accepts `+90` and `0090`.
        let plain =
            (2..=3).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        match digits.parse() {
            Ok(sm) if plain => Err(ModelError::NotMeasured { sm, suffix }),
            _ => Err(ModelError::Unknown),
        }
    }
}
