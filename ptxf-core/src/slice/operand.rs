//! The arguments of the functions over slices: operands, and outputs with the level and the cores
//! that fill them.

use super::error::LengthError;
use crate::level::Level;

/// An operand with one value for every element.
///
/// # Examples
///
/// ```
/// use ptxf::slice::{self, Splat};
///
/// let mut x = [1.0, 2.0];
/// slice::mul_rn_f32_assign(&mut x, Splat(0.5));
/// assert_eq!(x, [0.5, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Splat<T>(pub T);

/// The values of an operand: a slice, or one value for every element.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum View<'a, T> {
    Slice(&'a [T]),
    Splat(T),
}

/// An operand: `&[T]`, `&[T; N]`, with `std` `&Vec<T>`, or [`Splat<T>`]. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    note = "an operand is a `&[{T}]`, a `&[{T}; N]`, a `&Vec<{T}>` or a `slice::Splat<{T}>`"
)]
pub trait Operand<T>: sealed::Operand<T> {}

/// A place for results: `&mut [T]`, `&mut [T; N]`, with `std` `&mut Vec<T>`, or a value that [`at`]
/// or [`checked`] returns. Sealed.
#[diagnostic::on_unimplemented(
    message = "results of type `{T}` cannot be written to `{Self}`",
    note = "an output is a `&mut [{T}]`, a `&mut [{T}; N]`, a `&mut Vec<{T}>`, or such a one in `slice::at` or `slice::checked`"
)]
pub trait Output<T>: sealed::Output<T> {
    /// The type that a function returns for this output: `()`, or `Result<(), LengthError>` for a
    /// [`Checked`] one.
    type Outcome: sealed::Outcome;
}

/// The memory for results, and how it is filled.
#[doc(hidden)]
#[derive(Debug)]
pub struct Target<'a, T> {
    pub(super) out: &'a mut [T],
    pub(super) level: Level,
    pub(super) parallel: bool,
}

/// An output with a level for its operation, on one core or on all. Made by [`at`] and, with the
/// feature `rayon`, by `par`.
#[derive(Debug)]
pub struct OutputAt<'a, T> {
    out: &'a mut [T],
    level: Level,
    parallel: bool,
}

/// An output whose function returns a [`LengthError`] where it would panic. Made by [`checked`].
#[derive(Debug)]
pub struct Checked<O>(O);

/// Makes the function that writes to `out` return a [`LengthError`] instead of panicking if lengths
/// differ.
///
/// `out` is any output, such as [`at`] returns. Nothing is written if the function returns an
/// error. `checked` is for programs that must not panic, for example on a microcontroller;
/// elsewhere lengths that differ are a mistake of the program.
///
/// # Examples
///
/// ```
/// use ptxf::slice::{self, checked};
///
/// let (x, mut d) = ([1.0_f32; 3], [0.0; 4]);
/// let error = slice::add_rn_f32(&x, &x, checked(&mut d)).unwrap_err();
/// assert_eq!(error.to_string(), "`a` has 3 elements, `out` has 4");
/// slice::add_rn_f32(&x, &x, checked(&mut d[..3]))?;
/// assert_eq!(d, [2.0, 2.0, 2.0, 0.0]);
/// # Ok::<(), slice::LengthError>(())
/// ```
#[must_use]
pub const fn checked<O>(out: O) -> Checked<O> {
    Checked(out)
}

/// Runs the operation that writes to `out` on all cores, in chunks.
///
/// This pays from some ten thousand elements on. The results are the same as on one core.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "rayon")] {
/// use ptxf::slice;
///
/// let x = vec![0.5_f32; 1_000_000];
/// let mut d = vec![0.0; x.len()];
/// slice::add_rn_f32(&x, &x, slice::par(&mut d));
/// assert!(d.iter().all(|d| *d == 1.0));
/// # }
/// ```
#[cfg(feature = "rayon")]
#[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
#[must_use]
pub fn par<T>(out: &mut [T]) -> OutputAt<'_, T> {
    OutputAt { out, level: Level::detect(), parallel: true }
}

impl<T> OutputAt<'_, T> {
    /// Returns the same output, to be filled on all cores in chunks.
    #[cfg(feature = "rayon")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
    #[must_use]
    pub fn par(self) -> Self {
        Self { parallel: true, ..self }
    }
}

/// Runs the operation that writes to `out` at `level` instead of the CPU's best.
///
/// # Panics
///
/// The function panics if this CPU does not have `level`, since its instructions would be undefined
/// behaviour here. The levels of [`Level::available`] never panic.
///
/// # Examples
///
/// ```
/// use ptxf::{Level, slice};
///
/// let x = [0.1_f32, 0.2];
/// for level in Level::available() {
///     let mut d = [0.0; 2];
///     slice::add_rn_f32(&x, &x, slice::at(level, &mut d));
///     assert_eq!(d, [0.2, 0.4]);
/// }
/// ```
#[must_use]
pub fn at<T>(level: Level, out: &mut [T]) -> OutputAt<'_, T> {
    level.require();
    OutputAt { out, level, parallel: false }
}

impl<T: Copy> Operand<T> for Splat<T> {}

impl<T> Output<T> for OutputAt<'_, T> {
    type Outcome = ();
}

impl<T, O: Output<T>> Output<T> for Checked<O> {
    type Outcome = Result<(), LengthError>;
}

pub(super) mod sealed {
    use super::{Checked, LengthError, Level, OutputAt, Splat, Target, View};

    pub trait Operand<T> {
        fn view(&self) -> View<'_, T>;
    }

    pub trait Output<T> {
        fn target(&mut self) -> Target<'_, T>;
    }

    pub trait Outcome {
        /// Returns the result of a comparison of lengths, or panics at the caller's place.
        #[track_caller]
        fn of(result: Result<(), LengthError>) -> Self;
    }

    impl Outcome for () {
        #[inline]
        #[track_caller]
        fn of(result: Result<(), LengthError>) {
            if let Err(e) = result {
                e.panic();
            }
        }
    }

    impl Outcome for Result<(), LengthError> {
        #[inline]
        fn of(result: Self) -> Self {
            result
        }
    }

    impl<T: Copy> Operand<T> for Splat<T> {
        #[inline]
        fn view(&self) -> View<'_, T> {
            View::Splat(self.0)
        }
    }

    impl<T> Output<T> for OutputAt<'_, T> {
        #[inline]
        fn target(&mut self) -> Target<'_, T> {
            Target { out: self.out, level: self.level, parallel: self.parallel }
        }
    }

    impl<T, O: Output<T>> Output<T> for Checked<O> {
        #[inline]
        fn target(&mut self) -> Target<'_, T> {
            self.0.target()
        }
    }

    macro_rules! slices {
        ($($(#[$cfg:meta])* [$($n:tt)*] $ty:ty;)*) => {$(
            $(#[$cfg])*
            impl<T, $($n)*> Operand<T> for &$ty {
                #[inline]
                fn view(&self) -> View<'_, T> {
                    View::Slice(&self[..])
                }
            }
            $(#[$cfg])*
            impl<T, $($n)*> super::Operand<T> for &$ty {}
            $(#[$cfg])*
            impl<T, $($n)*> Output<T> for &mut $ty {
                #[inline]
                fn target(&mut self) -> Target<'_, T> {
                    Target { out: &mut self[..], level: Level::detect(), parallel: false }
                }
            }
            $(#[$cfg])*
            impl<T, $($n)*> super::Output<T> for &mut $ty {
                type Outcome = ();
            }
        )*};
    }

    slices! {
        [] [T];
        [const N: usize] [T; N];
        #[cfg(feature = "std")]
        [] std::vec::Vec<T>;
    }
}
