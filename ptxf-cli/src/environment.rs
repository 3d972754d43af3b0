//! The environment variables of ptxf. Unknown ones are reported, since they may be misspelled.

use ptxf::Level;
use ptxf_spec::legal::nearest;

use crate::operand::excerpt;
use crate::{Failure, say};

/// The variables that users of the published crates may set.
const KNOWN: [&str; 14] = [
    "PTXF_LEVEL",
    "PTXF_REPORT",
    "PTXF_VM_SM",
    "PTXF_VM_THREADS",
    "PTXF_VM_DEVICES",
    "PTXF_VM_LEFT",
    "PTXF_VM_REPORT",
    "PTXF_VM_CHECK",
    "PTXF_VM_MODEL",
    "PTXF_VM_PTX",
    "PTXF_VM_STRICT",
    "PTXF_VM_FAULTS",
    "PTXF_BUILD_DIR",
    "PTXF_RUSTC",
];

/// Refuses a level that this CPU does not have, and warns of unknown variables.
pub(crate) fn check() -> Result<(), Failure> {
    Level::from_env().map_err(|error| Failure::Usage(format!("error: {error}")))?;
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    names.filter_map(|name| unknown(&name)).for_each(|warning| say(&format!("warning: {warning}")));
    Ok(())
}

/// The options that set for `ptxf run` what a variable sets for `ptxf cuda`.
const OPTIONS: [(&str, &str); 3] =
    [("PTXF_VM_THREADS", "--threads"), ("PTXF_VM_CHECK", "ptxf run --check"), ("PTXF_VM_MODEL", "--model")];

/// Warns of variables that have an effect on `ptxf cuda` only.
pub(crate) fn warn_of_ignored() {
    for (name, option) in
        OPTIONS.iter().filter(|(name, _)| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
    {
        say(&format!("warning: {name} has an effect on `ptxf cuda` only: write {option}"));
    }
}

/// Returns a warning if the name begins like a variable of ptxf and is not one.
fn unknown(name: &str) -> Option<String> {
    if !name.starts_with("PTXF_") || KNOWN.contains(&name) {
        return None;
    }
    let advice = match nearest(name, KNOWN) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("the variables are {}", KNOWN.join(", ")),
    };
    Some(format!("ptxf has no variable {}, {advice}", excerpt(name)))
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn a_misspelled_variable_is_named() {
        for (name, part) in
            [("PTXF_LEVL", "did you mean PTXF_LEVEL?"), ("PTXF_NOSUCH", "the variables are PTXF_LEVEL, ")]
        {
            let warning = unknown(name).unwrap();
            assert!(
                warning.starts_with(&format!("ptxf has no variable {name}, ")) && warning.contains(part),
                "{warning}"
            );
        }
        assert_eq!(unknown("PTXF_VM_SM").or(unknown("PATH")), None);
    }
}
