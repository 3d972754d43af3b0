//! The output of kernels.

use std::fmt;
use std::io::Write as _;

/// A function of the bytes of a `printf`.
type Write = dyn Fn(&[u8]) + Send + Sync;

/// The function that gets the bytes of each `printf`.
pub(crate) struct Output(pub(crate) Box<Write>);

impl Default for Output {
    fn default() -> Self {
        // Nobody could handle an error of a closed output.
        Self(Box::new(|text| {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(text).and_then(|()| out.flush());
        }))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}
