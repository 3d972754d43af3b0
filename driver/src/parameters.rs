//! What an entry takes, read from its PTX.

/// The bytes of each of an entry's parameters; `None` if there is no such entry.
///
/// # Examples
///
/// ```
/// let ptx = ".visible .entry scale(\n\t.param .u64 .ptr .align 2 x,\n\t.param .u32 n,\n\t.param .f32 by\n)\n{\n\tret;\n}\n";
/// assert_eq!(driver::parameters(ptx, "scale"), Some(vec![8, 4, 4]));
/// assert_eq!(driver::parameters(ptx, "scal"), None);
/// ```
#[must_use]
pub fn parameters(ptx: &str, entry: &str) -> Option<Vec<usize>> {
    let list = ptx.split(".entry ").skip(1).find_map(|after| {
        let rest = after.trim_start().strip_prefix(entry)?.trim_start().strip_prefix('(')?;
        rest.split(')').next()
    })?;
    list.split(',').map(str::trim).filter(|p| !p.is_empty()).map(width).collect()
}

/// The bytes of `.param .align 8 .b8 name[16]`, of `.param .u64 .ptr .align 2 name`.
fn width(parameter: &str) -> Option<usize> {
    let bits = parameter.split_whitespace().find_map(|word| {
        let digits = word.strip_prefix('.')?.strip_prefix(['b', 'u', 's', 'f'])?;
        digits.parse::<usize>().ok()
    })?;
    let elements = match parameter.split_once('[') {
        Some((_, rest)) => rest.trim_end().strip_suffix(']')?.trim().parse().ok()?,
        None => 1,
    };
    Some(bits / 8 * elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_and_entries_without_parameters_are_read() {
        let ptx = "// .entry none\n.visible .entry a()\n{\n}\n.visible .entry ab(\n\t.param .align 8 .b8 p[16],\n\t.param .b16 q\n)";
        assert_eq!(parameters(ptx, "a"), Some(vec![]));
        assert_eq!(parameters(ptx, "ab"), Some(vec![16, 2]));
        assert_eq!(parameters(ptx, "none"), None);
    }
}
