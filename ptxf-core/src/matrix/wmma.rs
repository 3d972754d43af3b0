//! The fragments that `wmma.load` and `wmma.store` access.

use super::element::Element;
use super::instruction::{fragment, words};
use super::layout::Fragment;
use super::table::FORMS;

impl Fragment {
    /// Returns the registers of a matrix of `wmma`: of `a`, `b`, `c` or `d`, for a shape such as
    /// `m16n16k16` and a format such as `f16`. Returns `None` if no `wmma.mma` has it.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::matrix::Fragment;
    ///
    /// let a = Fragment::of_wmma("a", "m32n8k16", "bf16").unwrap();
    /// assert_eq!((a.rows(), a.columns(), a.registers()), (32, 16, 8));
    /// assert_eq!(Fragment::of_wmma("a", "m32n8k16", "f64"), None);
    /// ```
    #[must_use]
    pub fn of_wmma(matrix: &str, shape: &str, format: &str) -> Option<Self> {
        let at = ["d", "a", "b", "c"].iter().position(|of| *of == matrix)?;
        let has = |word: &str, one: &str| word.split('|').any(|of| of == one);
        let is_format = |word: &&str| word.split('|').next().and_then(Element::named).is_some();
        FORMS.lines().find(|form| {
            let mut formats = words(form).filter(is_format);
            // Without formats of A and B these are f16.
            let of = match (formats.clone().count(), at) {
                (2, 1 | 2) => "f16",
                (2, 3) => formats.nth(1).unwrap_or_default(),
                _ => formats.nth(at).unwrap_or_default(),
            };
            words(form).next() == Some("wmma") && words(form).any(|word| has(word, shape)) && has(of, format)
        })?;
        let mut numbers = shape.strip_prefix('m')?.split(['n', 'k']).map(|n| n.parse().unwrap_or(0));
        let (m, n, k) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let bits = Element::named(format)?.bits();
        Some(match (at, format) {
            (1, "f16") => fragment("wmma-a", m, k, bits),
            (2, "f16") => fragment("wmma-b", k, n, bits),
            (1, _) => fragment("a", m, k, bits),
            (2, _) => fragment("b", k, n, bits),
            _ => fragment("c", m, n, bits),
        })
    }
}
