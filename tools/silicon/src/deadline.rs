//! How long a run may take.

use std::time::{Duration, Instant};

/// When to stop; never, if there is none.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// So many seconds from now.
    #[must_use]
    pub fn in_seconds(seconds: Option<u64>) -> Self {
        Self(seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)))
    }

    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// After a part of the time that is left.
    pub(crate) fn part(self, part: f64) -> Self {
        let now = Instant::now();
        Self(self.0.map(|end| now + end.saturating_duration_since(now).mul_f64(part)))
    }
}
