//! The one error of functions over slices.

use core::fmt;

/// An error: the length of one argument does not fit the length of another.
///
/// The other argument is the output, the first vector of a dot product, or the numbers of blocks,
/// `x`. It requires as many elements as it has, or as many words of random bits, scales or numbers
/// as its elements take. [`checked`](super::checked) makes a function return this error, which
/// otherwise panics with the same message. Nothing has been written then.
///
/// # Examples
///
/// ```
/// use ptxf::slice::{self, checked};
///
/// let e = slice::add_rn_f32(&[1.0; 3], &[1.0; 4], checked(&mut [0.0; 3])).unwrap_err();
/// assert_eq!((e.argument(), e.len(), e.expected()), ("b", 4, 3));
/// assert_eq!(e.to_string(), "`b` has 4 elements, `out` has 3");
///
/// // A word has the random numbers of four results.
/// let mut d = [ptxf::E4m3::ZERO; 8];
/// let e = slice::cvt_rs_satfinite_e4m3_f32(&[1.0; 8], &[0; 8], checked(&mut d)).unwrap_err();
/// assert_eq!((e.argument(), e.len(), e.expected()), ("rbits", 8, 2));
/// assert_eq!(e.to_string(), "`rbits` has 8 elements, `out` with 8 takes 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError {
    argument: &'static str,
    len: usize,
    other: &'static str,
    /// Number of elements of the other argument.
    of: usize,
    expected: usize,
}

impl LengthError {
    /// Compares the length of `argument` with the length of `other`, which is `expected`.
    #[doc(hidden)]
    #[inline]
    pub const fn check(argument: &'static str, len: usize, other: &'static str, expected: usize) -> Result<(), Self> {
        Self::check_taken(argument, len, expected, other, expected)
    }

    /// Compares the length of `argument` with `expected`, the length that the `of` elements of
    /// `other` take.
    #[inline]
    pub(super) const fn check_taken(
        argument: &'static str,
        len: usize,
        expected: usize,
        other: &'static str,
        of: usize,
    ) -> Result<(), Self> {
        if len == expected { Ok(()) } else { Err(Self { argument, len, other, of, expected }) }
    }

    /// Returns the name of the first argument whose length is wrong, as in the function's
    /// signature.
    #[must_use]
    pub const fn argument(&self) -> &'static str {
        self.argument
    }

    /// Returns the number of elements of that argument.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an error is no collection; it reports the length of one")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of elements that the argument should have.
    #[must_use]
    pub const fn expected(&self) -> usize {
        self.expected
    }

    /// Panics with the error's message at the caller's place.
    #[doc(hidden)]
    #[cold]
    #[track_caller]
    pub fn panic(self) -> ! {
        panic!("{self}")
    }
}

/// Panics with the message of an error at the caller's place.
#[inline]
#[track_caller]
pub(super) fn must(result: Result<(), LengthError>) {
    if let Err(e) = result {
        e.panic();
    }
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { argument, len, other, of, expected } = self;
        let elements = if *len == 1 { "element" } else { "elements" };
        write!(f, "`{argument}` has {len} {elements}, `{other}` ")?;
        if of == expected { write!(f, "has {expected}") } else { write!(f, "with {of} takes {expected}") }
    }
}

impl core::error::Error for LengthError {}
