//! PTX versions.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// A PTX ISA version. It displays as `7.8`.
///
/// # Examples
///
/// ```
/// let version: ptxf_build::Version = "7.8".parse()?;
/// assert_eq!(version.feature(), "ptx78");
/// # Ok::<(), ptxf_build::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The major version: 7 of 7.8.
    pub major: u8,
    /// The minor version: 8 of 7.8.
    pub minor: u8,
}

impl Version {
    /// Returns the compiler's target feature, such as `ptx78`.
    #[must_use]
    pub fn feature(self) -> String {
        format!("ptx{}{}", self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let version = text
            .trim()
            .split_once('.')
            .and_then(|(major, minor)| Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? }));
        version.ok_or_else(|| Error::Version(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!("8.10".parse::<Version>().unwrap(), Version { major: 8, minor: 10 });
        for wrong in ["8", "8.", "a.b", "8.8.1"] {
            assert!(wrong.parse::<Version>().unwrap_err().to_string().contains(wrong));
        }
    }
}
