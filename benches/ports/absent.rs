//! What says that no ports are known.

/// The bound of a loop, of which there is none.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) cycles: f64,
    pub(crate) stored: usize,
    pub(crate) limit: String,
}

/// Always an error.
///
/// # Errors
///
/// On this system nothing reads a program's own machine code.
pub(crate) fn bound(_: impl FnMut()) -> Result<Bound, String> {
    Err("ports are computed on x86-64 with Linux".into())
}

/// There is nothing to compare.
pub(crate) fn check() {}
