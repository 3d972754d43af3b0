//! What a `#[ptx_fn]` takes where it says `&[f32]`.

use super::view::In;

/// An input that a kernel passes to a function, of the elements that the function reads.
///
/// A function cannot know what its callers pass, nor a kernel what a function takes: the compiler compares them by this
/// trait, which [`In`] has and nothing else.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::{In, Input};
///
/// let x: In<'_, f32> = In::from(&[1.0, 2.0]).input();
/// assert_eq!(x.get(1), 2.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "the function takes another input than this",
    label = "this is `{Self}`",
    note = "a `&[f32]` of a `#[ptx_fn]` takes a `&[f32]` parameter of the kernel by its name; either both or none of them are in \
            `keep(…)`"
)]
pub trait Input<'a, T>: Sealed {
    /// The input.
    fn input(self) -> In<'a, T>;
}

#[inline_in_release]
impl<'a, T> Input<'a, T> for In<'a, T> {
    fn input(self) -> Self {
        self
    }
}

mod sealed {
    /// Is an input.
    pub trait Sealed {}
}
use sealed::Sealed;

impl<T> Sealed for In<'_, T> {}
