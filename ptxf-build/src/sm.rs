//! Targets by number.

/// The number in a target's name.
///
/// # Examples
///
/// ```
/// assert_eq!(ptxf_build::sm("sm_90a"), 90);
/// ```
#[must_use]
pub fn sm(target: &str) -> u32 {
    let digits: String = target.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}
