//! Errors about calls: of a kernel, of a `#[ptx_fn]` outside of kernels, and of a function without
//! `#[ptx_fn]` in a kernel.

/// The first argument of a kernel that is called like a function. No type implements the trait, and
/// the error says what to write.
#[diagnostic::on_unimplemented(
    message = "`{Kernel}` is a kernel, and a launch names one of its versions",
    label = "write `{Kernel}::f32(grid, …)`, `{Kernel}::scalar(grid, …)`, `{Kernel}::pair(grid, …)` or `{Kernel}::wide(grid, …)`"
)]
pub trait CallsKernel<Kernel> {}

/// The first argument of such a call of a kernel without `pair`.
#[diagnostic::on_unimplemented(
    message = "`{Kernel}` is a kernel, which is launched and not called",
    label = "write `{Kernel}::launch(grid, …)`"
)]
pub trait CallsPlainKernel<Kernel> {}

/// The parameters and the result of a `#[ptx_fn]` that is called outside of kernels: the error
/// "expected `OnlyInKernels`" says that kernels call it. The type has no values.
#[derive(Clone, Copy, Debug)]
pub enum OnlyInKernels {}

/// The result of a function with `#[ptx_fn]`, as the check of a kernel's calls sees it.
#[diagnostic::on_unimplemented(
    message = "this function lacks `#[ptx_fn]`",
    label = "write `#[ptx_fn]` above the function that is called here"
)]
pub trait OfPtxFn {}

impl OfPtxFn for OnlyInKernels {}

/// Accepts what a function with `#[ptx_fn]` returns.
pub fn is_ptx_fn<R: OfPtxFn>(_: R) {}

/// An argument for the check of a kernel's calls, which is compiled and never run.
///
/// # Panics
///
/// Always.
#[must_use]
pub fn argument<T>() -> T {
    unreachable!("the check of a kernel's calls is never run")
}
