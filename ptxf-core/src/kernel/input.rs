//! The inputs that a kernel passes to a `#[ptx_fn]`.

use super::view::In;

/// An input that a kernel passes to a function.
///
/// The attribute on a function does not see its callers, nor the attribute on a kernel its
/// functions. The compiler compares both through this trait, which only [`In`] implements.
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
    message = "this is not the input that the function takes",
    label = "this is `{Self}`",
    note = "a `&[f32]` of a `#[ptx_fn]` takes a `&[f32]` parameter of the kernel by its name; both or none of them must be in \
            `keep(…)`"
)]
pub trait Input<'a, T>: Sealed {
    /// Returns the input.
    fn input(self) -> In<'a, T>;
}

#[inline_in_release]
impl<'a, T> Input<'a, T> for In<'a, T> {
    fn input(self) -> Self {
        self
    }
}

mod sealed {
    /// Prevents other implementations.
    pub trait Sealed {}
}
use sealed::Sealed;

impl<T> Sealed for In<'_, T> {}
