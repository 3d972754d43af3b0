//! The progress of a launch.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// A function of the number of finished blocks, and of all blocks.
type Told = dyn Fn(u64, u64) + Send + Sync;

/// The function that gets the progress.
pub(crate) struct Progress(pub(crate) Box<Told>);

impl Progress {
    /// Reports the end of a block. `ended` counts the blocks before it.
    pub(crate) fn of(&self, ended: &AtomicU64, blocks: u64) {
        (self.0)(ended.fetch_add(1, Ordering::Relaxed) + 1, blocks);
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
