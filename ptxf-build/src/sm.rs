//! Numbers of targets.

/// Returns the number in a target's name.
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

/// Returns the family of a target with a suffix, by the number of its first chip. Returns `None`
/// for other targets.
///
/// # Examples
///
/// ```
/// use ptxf_build::family;
///
/// assert_eq!(["sm_100f", "sm_103a", "sm_121f"].map(family), [Some(100), Some(100), Some(120)]);
/// assert_eq!(["sm_103", "sm_90a"].map(family), [None, None]);
/// ```
#[must_use]
pub fn family(target: &str) -> Option<u32> {
    if !target.ends_with(['a', 'f']) {
        return None;
    }
    match sm(target) {
        100 | 103 | 107 => Some(100),
        110 => Some(110),
        120 | 121 => Some(120),
        _ => None,
    }
}
