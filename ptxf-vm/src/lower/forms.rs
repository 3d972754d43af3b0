//! Finds forms of the table by their spelling, with modifiers in any order.

use std::collections::HashMap;
use std::sync::LazyLock;

use ptxf::spec::{Spelling, Version, spellings};
use ptxf_text::Target;

/// Spellings by their key. Spellings with different numbers of operands share a key.
static INDEX: LazyLock<HashMap<String, Vec<Spelling>>> = LazyLock::new(|| {
    let mut index: HashMap<String, Vec<Spelling>> = HashMap::new();
    for spelling in spellings() {
        index.entry(key(&spelling.to_string())).or_default().push(spelling);
    }
    index
});

/// Returns the instruction, its modifiers in alphabetical order, and its types in their order.
fn key(spelled: &str) -> String {
    let mut words = spelled.split('.');
    let instruction = words.next().unwrap_or_default();
    let (types, mut modifiers): (Vec<&str>, Vec<&str>) = words.partition(|word| is_type(word));
    modifiers.sort_unstable();
    [instruction].into_iter().chain(modifiers).chain(types).collect::<Vec<_>>().join(".")
}

/// Returns `true` if the word is a type, whose position matters.
fn is_type(word: &str) -> bool {
    let is = |prefixes: &[&str]| {
        prefixes.iter().any(|p| word.strip_prefix(p).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
    };
    word == "pred" || is(&["f", "bf", "tf", "b", "u", "s", "e", "ue"])
}

/// Returns the spellings with the same words in any order of modifiers.
pub(crate) fn find(spelled: &str) -> &'static [Spelling] {
    let index: &'static HashMap<_, _> = &INDEX;
    index.get(&key(spelled)).map_or(&[], Vec::as_slice)
}

/// Returns the spelling of this name.
pub(crate) fn known(name: &str) -> Option<Spelling> {
    find(name).first().copied()
}

/// Returns `true` if a module for this version and target can contain the spelling.
pub(crate) fn is_available(spelling: &Spelling, version: (u8, u8), target: Target) -> bool {
    let form = spelling.form;
    let version = Version { major: version.0, minor: version.1 };
    form.targets.iter().any(|t| t.is_met(target.sm, target.suffix, version))
        && form.until.is_none_or(|until| target.sm <= until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_may_stand_in_any_order_and_types_may_not() {
        for (spelled, name) in [
            ("div.ftz.rn.f32", "div.rn.ftz.f32"),
            ("add.sat.ftz.rn.f32", "add.rn.ftz.sat.f32"),
            ("fma.relu.rn.f16x2", "fma.rn.relu.f16x2"),
            ("cvt.rn.f16.f32", "cvt.rn.f16.f32"),
            ("cvt.f16.rn.f32", "cvt.rn.f16.f32"),
            ("setp.ftz.lt.f32", "setp.lt.ftz.f32"),
        ] {
            let found = find(spelled);
            assert!(found.iter().any(|s| s.is(name)), "{spelled}: {found:?}");
        }
        assert!(find("cvt.rn.f32.f16").is_empty());
        assert!(find("add.f99").is_empty());
        assert_eq!(find("min.f32").iter().map(|s| s.form.operands.len()).collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn every_spelling_is_found_by_its_own_name() {
        for spelling in spellings() {
            let name = spelling.to_string();
            assert!(find(&name).iter().any(|s| s.is(&name)), "{name}");
        }
    }
}
