//! How far a launch is.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Is told how many blocks have ended, and of how many.
type Told = dyn Fn(u64, u64) + Send + Sync;

/// Who is told of the blocks that have ended.
pub(crate) struct Progress(pub(crate) Box<Told>);

impl Progress {
    /// A block of so many has ended; `ended` has those before it.
    pub(crate) fn of(&self, ended: &AtomicU64, blocks: u64) {
        (self.0)(ended.fetch_add(1, Ordering::Relaxed) + 1, blocks);
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
