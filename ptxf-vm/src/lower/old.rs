//! Spellings of old PTX, whose modifiers were implied.

use super::forms;

/// Returns today's spelling of an instruction of an old text. Returns `None` if it is the same.
///
/// Before PTX 1.4, modifiers of rounding were missing. Before sm_20, operations on f32 flushed
/// subnormal numbers, with or without `.ftz` (manual 9.7.3).
pub(crate) fn today(spelled: &str, version: (u8, u8), sm: u32) -> Option<String> {
    let (name, ty) = spelled.split_once('.')?;
    if version < (1, 4) {
        let modifiers = match (name, ty) {
            ("div" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2", "f32") => Some("approx.ftz"),
            ("div" | "rcp" | "sqrt" | "mad", "f64") => Some("rn"),
            ("rsqrt", "f64") => Some("approx"),
            _ => None,
        };
        if let Some(modifiers) = modifiers {
            return Some(format!("{name}.{modifiers}.{ty}"));
        }
    }
    let flushes = sm < 20 && !spelled.split('.').any(|word| word == "ftz") && spelled.ends_with(".f32");
    let flushing = flushes.then(|| format!("{name}.ftz.{ty}"))?;
    (!forms::find(&flushing).is_empty()).then_some(flushing)
}

#[cfg(test)]
mod tests {
    use super::today;

    #[test]
    fn modifiers_were_implied() {
        for (spelled, version, sm, now) in [
            ("div.f32", (1, 3), 10, "div.approx.ftz.f32"),
            ("rsqrt.f64", (1, 0), 13, "rsqrt.approx.f64"),
            ("sqrt.f64", (1, 3), 13, "sqrt.rn.f64"),
            ("add.f32", (1, 4), 13, "add.ftz.f32"),
            ("setp.lt.f32", (2, 3), 13, "setp.ftz.lt.f32"),
            ("mad.f32", (1, 0), 10, "mad.ftz.f32"),
        ] {
            assert_eq!(today(spelled, version, sm).as_deref(), Some(now), "{spelled}");
        }
        assert_eq!(today("div.f32", (1, 4), 20), None);
        assert_eq!(today("add.ftz.f32", (1, 4), 13), None);
        assert_eq!(today("selp.f32", (1, 4), 13), None);
    }
}
