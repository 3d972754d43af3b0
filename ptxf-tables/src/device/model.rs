//! Which model.

use core::fmt;
use core::str::FromStr;

use ptxf_core::spec::FormInfo;

/// Whose bits an approximate instruction returns.
///
/// Forms that are not approximate return the same in every model.
///
/// # Examples
///
/// ```
/// use ptxf::tables::device::Model;
///
/// assert_eq!("reference".parse(), Ok(Model::Reference));
/// let message = "sm_90".parse::<Model>().unwrap_err().to_string();
/// assert_eq!(message, "no device of sm_90 has been measured: run `cargo xtask gpu capture` on one");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// The default model: the correctly rounded result, with the manual's special values and flush rules.
    #[default]
    Reference,
}

impl Model {
    /// The models that exist. A device's is among them from the day its data is committed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::tables::device::Model;
    ///
    /// assert!(Model::available().contains(&Model::default()));
    /// ```
    #[must_use]
    pub const fn available() -> &'static [Self] {
        &[Self::Reference]
    }

    /// The name that [`FromStr`] reads.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(ptxf::tables::device::Model::Reference.name(), "reference");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
        }
    }

    /// The form's result in this model; `None` if the number of operands is not the form's.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::spec::FORMS;
    /// use ptxf::tables::device::Model;
    ///
    /// let ex2 = FORMS.iter().find(|form| form.name == "ex2.approx.f16").unwrap();
    /// assert_eq!(Model::Reference.call(ex2, &[0x3c00]), Some(0x4000));
    /// assert_eq!(Model::Reference.call(ex2, &[]), None);
    /// ```
    #[must_use]
    pub fn call(self, form: &FormInfo, operands: &[u64]) -> Option<u64> {
        match self {
            Self::Reference => form.run.call(operands),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a name is no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// An architecture of which no data exists.
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
                f.write_str(" has been measured: run `cargo xtask gpu capture` on one")
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
        // `u16` would read `+90` and `0090`.
        let plain =
            (2..=3).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        match digits.parse() {
            Ok(sm) if plain => Err(ModelError::NotMeasured { sm, suffix }),
            _ => Err(ModelError::Unknown),
        }
    }
}
