//! The arguments of the functions over slices: operands, and outputs with the way in which they are filled.

use crate::level::Level;

/// One value for every element: an operand that is no slice.
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

/// What an operand is: a slice, or one value for every element.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum View<'a, T> {
    Slice(&'a [T]),
    Splat(T),
}

/// What can be an operand: `&[T]`, `&[T; N]`, with `std` `&Vec<T>`, and [`Splat<T>`]. Sealed.
pub trait Operand<T>: sealed::Operand<T> {}
impl<T, O: sealed::Operand<T>> Operand<T> for O {}

/// Where results can go: `&mut [T]`, `&mut [T; N]`, with `std` `&mut Vec<T>`, and what [`at`] returns. Sealed.
pub trait Output<T>: sealed::Output<T> {}
impl<T, O: sealed::Output<T>> Output<T> for O {}

/// Where results go, and how.
#[doc(hidden)]
#[derive(Debug)]
pub struct Target<'a, T> {
    pub(super) out: &'a mut [T],
    pub(super) level: Level,
    pub(super) parallel: bool,
}

/// An output that says how its operation runs: at which level, and whether on all cores. [`at`] and, with the feature `rayon`,
/// `par` make it.
#[derive(Debug)]
pub struct OutputAt<'a, T> {
    out: &'a mut [T],
    level: Level,
    parallel: bool,
}

/// Runs the operation that writes to `out` on all cores, in chunks.
///
/// Worth it from some ten thousand elements on. The results are the same.
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
    /// The same on all cores, in chunks.
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
/// It panics if this CPU does not have `level`, since its instructions would be undefined behaviour here; those of
/// [`Level::available`] are safe to pass.
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

mod sealed {
    use super::{Level, OutputAt, Splat, Target, View};

    pub trait Operand<T> {
        fn view(&self) -> View<'_, T>;
    }

    pub trait Output<T> {
        fn target(&mut self) -> Target<'_, T>;
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
            impl<T, $($n)*> Output<T> for &mut $ty {
                #[inline]
                fn target(&mut self) -> Target<'_, T> {
                    Target { out: &mut self[..], level: Level::detect(), parallel: false }
                }
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
