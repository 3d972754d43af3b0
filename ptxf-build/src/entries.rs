//! The entries of a PTX text.

/// The names of the kernels in a PTX text, in its order.
///
/// # Examples
///
/// ```
/// let ptx = ".version 7.8\n.visible .entry distance_pair(\n\t.param .u32 p0\n)\n{\n\tret;\n}\n";
/// assert_eq!(ptxf_build::entries(ptx), ["distance_pair"]);
/// ```
#[must_use]
pub fn entries(ptx: &str) -> Vec<String> {
    let name = |line: &str| {
        let (before, after) = line.split_once(".entry ")?;
        let directives = before.split_whitespace().all(|word| word.starts_with('.'));
        let name: String =
            after.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || "_$".contains(*c)).collect();
        (directives && !name.is_empty()).then_some(name)
    };
    ptx.lines().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_not_comments() {
        let ptx = "// .entry none(\n.visible .entry a(\n)\n.weak .entry b_1 (\n)\n\t// .globl\tc\n.entry d()\n";
        assert_eq!(entries(ptx), ["a", "b_1", "d"]);
    }
}
