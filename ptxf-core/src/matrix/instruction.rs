//! The matrix instructions of PTX.

use core::fmt;

use super::element::Element;
use super::layout::{Fragment, Layout};
use super::table::{FORMS, LAYOUTS};

/// A matrix instruction of PTX: `mma`, `mma.sp`, `wmma.mma` or `wgmma.mma_async`, with its shape
/// and its formats.
///
/// The operands are registers of a warp's 32 lanes. [`a`](Self::a), [`b`](Self::b),
/// [`c`](Self::c) and [`d`](Self::d) describe them, and [`execute`](Self::execute) computes D = A ·
/// B + C with the bits of a device.
///
/// # Examples
///
/// ```
/// use ptxf::matrix::{Instruction, Operands, Unit};
///
/// let mma = Instruction::parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").unwrap();
/// assert_eq!(mma.shape(), [16, 8, 16]);
/// assert_eq!((mma.a().registers(), mma.b().registers(), mma.d().registers()), (4, 2, 4));
///
/// // All elements of A and B are 1, those of C are 0.5: each sum is 16.5.
/// let (ones, half) = ([[0x3C00_3C00; 32]; 4], [[0x3F00_0000; 32]; 4]);
/// let mut d = [[0; 32]; 4];
/// mma.execute(Unit::sm_90(), &Operands::new(&ones, &ones[..2], &half), &mut d).unwrap();
/// assert_eq!(d, [[0x4184_0000; 32]; 4]);
///
/// let error = Instruction::parse("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32").unwrap_err();
/// assert_eq!(error.to_string(), "`row` cannot follow `mma.sync.aligned.m16n8k16.row`: write `col`");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub(super) family: Family,
    pub(super) shape: [usize; 3],
    pub(super) formats: Formats,
    pub(super) rule: Rule,
    /// `[A, B, C, D]`
    fragments: [Fragment; 4],
    pub(super) metadata: Option<Fragment>,
    version: &'static str,
    target: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Mma,
    Volta,
    Wmma,
    Wgmma,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Formats {
    pub(super) a: Element,
    pub(super) b: Element,
    pub(super) c: Element,
    pub(super) d: Element,
}

/// A rule that words add to the formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Plain,
    /// `.satfinite`
    Saturate,
    /// A rounding of f64.
    Round(crate::modifiers::Round),
    And,
    Xor,
    /// `kind::f8f6f4` and `kind::mxf8f6f4`, whose elements are bytes.
    Bytes,
    /// A scale for each so many products, in a format.
    Scaled {
        products: usize,
        by: Element,
        in_bytes: bool,
    },
}

/// A text that is not a matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoInstruction<'a> {
    text: &'a str,
    /// The number of words that are right.
    right: usize,
}

/// Returns the words of a form without its version and target.
pub(super) fn words(form: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    form.split(' ').skip(2)
}

/// Returns `true` if a word of the table stands for a word.
fn stands_for(of: &str, word: &str) -> bool {
    let Some((before, after)) = of.split_once(['*', '%']) else { return of == word };
    let n = word.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).and_then(|n| n.parse().ok());
    n.is_some_and(|n: usize| {
        (8..=256).contains(&n) && n.is_multiple_of(8) && (of.contains('*') || n.is_multiple_of(16) || n <= 24)
    })
}

/// Returns `true` for a word that the assembler accepts at any place after the first: all but
/// formats, orders of matrices, and operations on bits.
fn is_free(word: &str) -> bool {
    let first = word.trim_start_matches('?').split('|').next().unwrap_or("");
    let is_fixed = matches!(first, "mma" | "wmma" | "wgmma" | "mma_async" | "row" | "col" | "and" | "xor" | "popc");
    !is_fixed && Element::named(first).is_none()
}

/// Returns `true` if a text has the words of a form, the free ones anywhere after the first.
fn fits(form: &'static str, text: &str) -> bool {
    let (free, fixed) = (|word: &&str| is_free(word), |word: &&str| !is_free(word));
    let given = || text.split('.').filter(free);
    let is_given = |of: &str| {
        let (optional, choices) = of.strip_prefix('?').map_or((false, of), |of| (true, of));
        let count = given().filter(|word| choices.split('|').any(|of| stands_for(of, word))).count();
        (count == 1 || optional && count == 0).then_some(count)
    };
    let known = words(form).filter(free).try_fold(0, |known, of| Some(known + is_given(of)?));
    !text.split('.').take(1).any(is_free)
        && known == Some(given().count())
        && compare(words(form).filter(fixed), text.split('.').filter(fixed), usize::MAX, &mut |_| {}).1
}

/// Compares words with those of a form. Returns how many are right, and whether that is all of
/// both. Calls `visit` with the words of the table that can stand in place `at` after right ones.
fn compare<'a>(
    form: impl Iterator<Item = &'static str>,
    given: impl Iterator<Item = &'a str>,
    at: usize,
    visit: &mut dyn FnMut(&'static str),
) -> (usize, bool) {
    let (mut form, mut given, mut right) = (form, given, 0);
    let mut word = given.next();
    loop {
        let Some(of) = form.next() else { return (right, word.is_none()) };
        let (optional, choices) = of.strip_prefix('?').map_or((false, of), |of| (true, of));
        if right == at {
            choices.split('|').for_each(&mut *visit);
        }
        match word {
            Some(given_word) if choices.split('|').any(|of| stands_for(of, given_word)) => {
                right += 1;
                word = given.next();
            }
            _ if optional => {}
            _ => return (right, false),
        }
    }
}

impl fmt::Display for NoInstruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, right) = (self.text, self.right);
        let end = text.split('.').take(right).map(|word| word.len() + 1).sum::<usize>().saturating_sub(1);
        let before = &text[..end];
        match (text.split('.').nth(right), right) {
            (Some(word), 0) => write!(f, "no matrix instruction begins with `{word}`")?,
            (Some(word), _) => write!(f, "`{word}` cannot follow `{before}`")?,
            (None, _) => write!(f, "`{before}` is not complete")?,
        }
        // A word of several forms is written once.
        let choices = |upto: Option<usize>, found: &mut dyn FnMut(usize, &'static str)| {
            let mut number = 0;
            for form in FORMS.lines() {
                compare(words(form), text.split('.'), right, &mut |word| {
                    if upto.is_none_or(|upto| number < upto) {
                        found(number, word);
                    }
                    number += 1;
                });
            }
        };
        let (mut result, mut first) = (Ok(()), true);
        choices(None, &mut |number, word| {
            let mut is_known = false;
            choices(Some(number), &mut |_, other| is_known |= other == word);
            if result.is_ok() && !is_known {
                let between = if first { ": write " } else { ", " };
                first = false;
                result = write!(f, "{between}`{word}`");
            }
        });
        result?;
        if first { f.write_str(": leave it out") } else { Ok(()) }
    }
}

impl core::error::Error for NoInstruction<'_> {}

impl Instruction {
    /// Returns the instruction of a spelling, without operands. As for NVIDIA's assembler, words
    /// that are neither formats nor orders may stand anywhere after the first.
    ///
    /// # Errors
    ///
    /// [`NoInstruction`], which names the first wrong word and those that PTX has there.
    pub fn parse(text: &str) -> Result<Self, NoInstruction<'_>> {
        let mut right = 0;
        for form in FORMS.lines() {
            let (count, complete) = compare(words(form), text.split('.'), usize::MAX, &mut |_| {});
            if complete {
                return Ok(Self::of(form, text));
            }
            right = right.max(count);
        }
        FORMS
            .lines()
            .find(|form| fits(form, text))
            .map(|form| Self::of(form, text))
            .ok_or(NoInstruction { text, right })
    }

    /// Returns all forms, as the table has them: PTX version, target, and words. `|` separates
    /// words of which one is written, and `?` begins words that can be left out. In shapes of
    /// `wgmma`, `*` stands for a multiple of 8 up to 256, and `%` for one of 16, 8 or 24.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        FORMS.lines()
    }

    /// Returns the instruction of a text that fits a form.
    fn of(form: &'static str, text: &str) -> Self {
        let mut since = form.split(' ');
        let (version, target) = (since.next().unwrap_or(""), since.next().unwrap_or(""));
        let has = |word: &str| text.split('.').any(|of| of == word);
        let mut shape = [0; 3];
        let numbers = text.split('.').find_map(|word| word.strip_prefix('m').filter(|rest| rest.contains('k')));
        for (to, number) in shape.iter_mut().zip(numbers.unwrap_or("").split(['n', 'k'])) {
            *to = number.parse().unwrap_or(0);
        }
        let mut named = [Element::F16; 5];
        let mut count = 0;
        for format in text.split('.').filter_map(Element::named).take(5) {
            named[count] = format;
            count += 1;
        }
        let family = match text.split('.').next() {
            Some("wmma") => Family::Wmma,
            Some("wgmma") => Family::Wgmma,
            _ if shape == [8, 8, 4] && named[1] == Element::F16 => Family::Volta,
            _ => Family::Mma,
        };
        let [d, a, b, c] = match count {
            // `wmma` in f16
            2 => [named[0], Element::F16, Element::F16, named[1]],
            // `wgmma`
            3 => [named[0], named[1], named[2], named[0]],
            _ => [named[0], named[1], named[2], named[3]],
        };
        let scale = |products| Rule::Scaled { products, by: named[4], in_bytes: has("kind::mxf8f6f4") };
        let rule = if has("satfinite") {
            Rule::Saturate
        } else if has("and") {
            Rule::And
        } else if has("xor") {
            Rule::Xor
        } else if has("kind::f8f6f4") {
            Rule::Bytes
        } else if has("scale_vec::4X") {
            scale(16)
        } else if has("block_scale") {
            scale(32)
        } else {
            let rounds = [("rz", crate::modifiers::Round::Rz), ("rm", crate::modifiers::Round::Rm)];
            let rounds = rounds.into_iter().chain([("rp", crate::modifiers::Round::Rp)]);
            rounds.into_iter().find(|(word, _)| has(word)).map_or(Rule::Plain, |(_, round)| Rule::Round(round))
        };
        let formats = Formats { a, b, c, d };
        let mut orders = text.split('.').filter(|word| matches!(*word, "row" | "col"));
        let orders = [orders.next() == Some("col"), orders.next() == Some("col")];
        let in_bytes = matches!(rule, Rule::Bytes | Rule::Scaled { in_bytes: true, .. });
        let bits = |format: Element| if in_bytes { 8 } else { format.bits() };
        let [m, n, k] = shape;
        // Each warp of a group has 16 rows of `wgmma`.
        let m = if family == Family::Wgmma { 16 } else { m };
        let roles = match (family, orders) {
            (Family::Volta, [a_col, b_col]) => [
                if a_col { "volta-a-col" } else { "volta-a-row" },
                if b_col { "volta-b-col" } else { "volta-b-row" },
                "volta-c",
            ],
            (Family::Wmma, _) if a == Element::F16 => ["wmma-a", "wmma-b", "c"],
            _ => ["a", "b", "c"],
        };
        let is_sparse = has("sp") || has("sp::ordered_metadata");
        let across = if is_sparse { k / 2 } else { k };
        let fragments = [
            fragment(roles[0], m, across, bits(a)),
            if family == Family::Wgmma { Fragment::absent(k, n, bits(b)) } else { fragment(roles[1], k, n, bits(b)) },
            fragment(roles[2], m, n, c.bits()),
            fragment(roles[2], m, n, d.bits()),
        ];
        // Each 16 bits of A have an index, and so do each 8 bits of shorter elements.
        let indices = match bits(a) {
            32 => 2 * across,
            4 => across / 2,
            _ => across,
        };
        let metadata = is_sparse.then(|| metadata(indices, if bits(a) < 16 { 8 } else { 16 }));
        Self { family, shape, formats, rule, fragments, metadata, version, target }
    }

    /// Returns m, n and k: rows and columns of the result, and the length of its sums.
    #[must_use]
    pub fn shape(&self) -> [usize; 3] {
        self.shape
    }

    /// Returns the formats of A, B, C and D.
    #[must_use]
    pub fn formats(&self) -> [Element; 4] {
        [self.formats.a, self.formats.b, self.formats.c, self.formats.d]
    }

    /// Returns the registers of A. A sparse matrix has half of its columns. `wgmma` may also have
    /// it in shared memory; each warp has 16 of the 64 rows.
    #[must_use]
    pub fn a(&self) -> Fragment {
        self.fragments[0]
    }

    /// Returns the registers of B. `wgmma` has none, and B in shared memory.
    #[must_use]
    pub fn b(&self) -> Fragment {
        self.fragments[1]
    }

    /// Returns the registers of C.
    #[must_use]
    pub fn c(&self) -> Fragment {
        self.fragments[2]
    }

    /// Returns the registers of D. Each warp has 16 of the 64 rows of `wgmma`.
    #[must_use]
    pub fn d(&self) -> Fragment {
        self.fragments[3]
    }

    /// Returns the register with the metadata of a sparse A. Its elements are indices of two bits,
    /// and its matrix is the selector. Returns `None` for another instruction.
    #[must_use]
    pub fn metadata(&self) -> Option<Fragment> {
        self.metadata
    }

    /// Returns the number of products that share a scale of A, and one of B. Those of a sparse A
    /// are of twice as many columns. Returns `None` for an instruction without scales.
    #[must_use]
    pub fn scaled(&self) -> Option<usize> {
        if let Rule::Scaled { products, .. } = self.rule { Some(products) } else { None }
    }

    /// Returns the first PTX version and the first target that have the form, such as 7.0 and
    /// sm_80.
    #[must_use]
    pub fn since(&self) -> (&'static str, &'static str) {
        (self.version, self.target)
    }
}

/// Returns a fragment of the table.
pub(super) fn fragment(role: &str, rows: usize, columns: usize, bits: usize) -> Fragment {
    let layout = found(role, rows, columns, bits).unwrap_or("");
    let layout = Layout::of(layout);
    let matrices = if role.starts_with("volta") { 4 } else { 1 };
    let each = bits.max(32) / bits;
    let elements = (rows * columns * matrices / 32).max(layout.copies() * rows * columns / 32);
    Fragment { rows, columns, matrices, bits, registers: elements.div_ceil(each), layout }
}

/// Returns the metadata of a sparse A with so many indices of two bits in a row.
fn metadata(indices: usize, bits: usize) -> Fragment {
    let layout = Layout::of(found("e", 16, indices, bits).unwrap_or(""));
    Fragment { rows: 16, columns: indices, matrices: 64 / (2 * indices), bits: 2, registers: 1, layout }
}

pub(super) fn found(role: &str, rows: usize, columns: usize, bits: usize) -> Option<&'static str> {
    LAYOUTS.lines().find_map(|line| {
        let (of, rest) = line.split_once(' ')?;
        let (size, rest) = rest.trim_start().split_once(' ')?;
        let (width, layout) = rest.trim_start().split_once(' ')?;
        let (r, c) = size.split_once('x')?;
        let is = |text: &str, number: usize| text.parse() == Ok(number);
        let fits = of == role && is(r, rows) && (c == "*" || is(c, columns)) && (width == "0" || is(width, bits));
        fits.then_some(layout)
    })
}
