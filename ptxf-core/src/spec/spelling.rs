//! Forms with their operators.

use core::fmt;

use super::{FORMS, FormInfo};
use crate::modifiers::{BoolOp, Comparison};

/// A comparison in PTX's spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CmpOp {
    /// Name without the dot, `lt`.
    pub name: &'static str,
    /// The comparison; for unsigned integers `lo` is another name of `lt`.
    pub comparison: Comparison,
    /// Name of the type that functions take, `Comparison`.
    pub ty: &'static str,
    /// Name of the type's variant, `Lt`.
    pub variant: &'static str,
}

macro_rules! operators {
    ($($list:ident $ty:ident: $($name:literal $variant:ident $comparison:ident,)*;)*) => {$(
        pub(super) const $list: &[Self] = &[$(
            Self { name: $name, comparison: Comparison::$comparison, ty: stringify!($ty), variant: stringify!($variant) },
        )*];
    )*};
}

impl CmpOp {
    operators! {
        FLOATS Comparison: "eq" Eq Eq, "ne" Ne Ne, "lt" Lt Lt, "le" Le Le, "gt" Gt Gt, "ge" Ge Ge, "equ" Equ Equ, "neu" Neu Neu,
            "ltu" Ltu Ltu, "leu" Leu Leu, "gtu" Gtu Gtu, "geu" Geu Geu, "num" Num Num, "nan" Nan Nan,;
        UNSIGNED UnsignedComparison: "eq" Eq Eq, "ne" Ne Ne, "lt" Lt Lt, "le" Le Le, "gt" Gt Gt, "ge" Ge Ge,
            "lo" Lo Lt, "ls" Ls Le, "hi" Hi Gt, "hs" Hs Ge,;
        SIGNED SignedComparison: "eq" Eq Eq, "ne" Ne Ne, "lt" Lt Lt, "le" Le Le, "gt" Gt Gt, "ge" Ge Ge,;
        BITS BitComparison: "eq" Eq Eq, "ne" Ne Ne,;
    }
}

/// A form with its operators; displayed as in PTX, `set.lt.u32.f16x2`.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// The form.
    pub form: &'static FormInfo,
    /// The comparison, or `None` if the form has none.
    pub comparison: Option<CmpOp>,
    /// The operator that combines the comparison with the predicate `c`, or `None` if the form has
    /// none.
    pub boolean: Option<BoolOp>,
}

/// Returns every legal spelling: [`FORMS`] with each choice of their operators.
///
/// # Examples
///
/// ```
/// use ptxf::spec;
///
/// let lt = spec::spellings().find(|s| s.is("set.lt.u32.f16x2")).unwrap();
/// assert_eq!(lt.call(&[0x3c00_4000, 0x4000_3c00]), Some(0xffff_0000));
/// ```
pub fn spellings() -> impl Iterator<Item = Spelling> {
    FORMS.iter().flat_map(FormInfo::spellings)
}

impl FormInfo {
    /// Returns the spellings of the form: one, or one for each choice of its operators.
    pub fn spellings(&'static self) -> impl Iterator<Item = Spelling> {
        let comparisons = self.comparisons.iter().map(|c| Some(*c)).chain(self.comparisons.is_empty().then_some(None));
        comparisons.flat_map(move |comparison| {
            let booleans = self.booleans.iter().map(|b| Some(*b)).chain(self.booleans.is_empty().then_some(None));
            booleans.map(move |boolean| Spelling { form: self, comparison, boolean })
        })
    }
}

impl Spelling {
    /// Computes the result on register bits, or returns `None` if the number of operands is not the
    /// form's.
    #[must_use]
    pub fn call(&self, operands: &[u64]) -> Option<u64> {
        let comparison = self.comparison.map(|c| c.comparison);
        self.form.run.with(Operators { comparison, boolean: self.boolean }, operands)
    }

    /// Computes the result by the [meaning](crate::sem) alone, or returns `None` if the number of
    /// operands is not the form's.
    ///
    /// Comparisons have no implementation except the meaning.
    #[must_use]
    pub fn by_meaning(&self, operands: &[u64]) -> Option<u64> {
        if self.comparison.is_some() { self.call(operands) } else { self.form.by_meaning(operands) }
    }

    /// Returns `true` if `name` is this spelling.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        let mut rest = Some(name);
        let mut expected = self.words();
        let all = expected.by_ref().enumerate().all(|(i, word)| {
            let tail = rest.and_then(|r| if i == 0 { Some(r) } else { r.strip_prefix('.') });
            rest = tail.and_then(|r| r.strip_prefix(word));
            rest.is_some()
        });
        all && rest == Some("")
    }

    /// Returns a unique identifier, `set_u32_f16x2_Lt`: the function's name with the variants of
    /// its arguments.
    #[must_use]
    pub fn identifier(&self) -> impl fmt::Display + use<> {
        Identifier(*self)
    }

    /// Returns the words between the dots.
    fn words(&self) -> impl Iterator<Item = &'static str> + use<> {
        let (comparison, boolean) = (self.comparison.map(|c| c.name), self.boolean.map(BoolOp::name));
        self.form.name.split('.').map(move |word| match word {
            "CmpOp" => comparison.unwrap_or(word),
            "BoolOp" => boolean.unwrap_or(word),
            _ => word,
        })
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words().enumerate().try_for_each(|(i, word)| {
            f.write_str(if i == 0 { "" } else { "." })?;
            f.write_str(word)
        })
    }
}

/// The displayed form of [`Spelling::identifier`].
struct Identifier(Spelling);

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.form.function)?;
        if let Some(comparison) = self.0.comparison {
            write!(f, "_{}", comparison.variant)?;
        }
        match self.0.boolean {
            Some(boolean) => write!(f, "_{boolean:?}"),
            None => Ok(()),
        }
    }
}

/// The operators of a spelling; `None` stands for the first operator.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operators {
    comparison: Option<Comparison>,
    boolean: Option<BoolOp>,
}

impl Operators {
    pub(super) fn comparison(self) -> Comparison {
        self.comparison.unwrap_or(Comparison::Eq)
    }

    /// Returns the Boolean operator, with the predicate.
    pub(super) fn combined(self, c: bool) -> Option<(BoolOp, bool)> {
        Some((self.boolean.unwrap_or(BoolOp::And), c))
    }
}

/// Returns `true` if `name` is the form's name, with operators or open. For use in constants.
pub(super) const fn is_of(form: &FormInfo, name: &str) -> bool {
    let (open, name) = (form.name.as_bytes(), name.as_bytes());
    if form.comparisons.is_empty() {
        // A fast path, because this runs at compile time.
        return same(open, name);
    }
    let (mut i, mut k) = (0, 0);
    while i < open.len() && k < name.len() {
        let (expected, found) = (word(open, i), word(name, k));
        if !same(expected, found) && !stands_for(form, expected, found) {
            return false;
        }
        (i, k) = (i + expected.len() + 1, k + found.len() + 1);
    }
    i > open.len() && k > name.len()
}

/// Returns `true` if the word is one of the operators that the form leaves open there.
const fn stands_for(form: &FormInfo, open: &[u8], word: &[u8]) -> bool {
    let mut i = 0;
    while same(open, b"CmpOp") && i < form.comparisons.len() {
        if same(form.comparisons[i].name.as_bytes(), word) {
            return true;
        }
        i += 1;
    }
    while same(open, b"BoolOp") && i < form.booleans.len() {
        if same(form.booleans[i].name().as_bytes(), word) {
            return true;
        }
        i += 1;
    }
    false
}

/// Returns the text from a position to the next dot.
const fn word(text: &[u8], from: usize) -> &[u8] {
    let (_, tail) = text.split_at(from);
    let mut len = 0;
    while len < tail.len() && tail[len] != b'.' {
        len += 1;
    }
    tail.split_at(len).0
}

/// Compares in constants, like `==`.
pub(super) const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while a.len() == b.len() && i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    a.len() == b.len()
}
