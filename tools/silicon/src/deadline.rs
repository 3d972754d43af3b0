//! The end of the time that a run may take.

use std::time::{Duration, Instant};

/// The instant at which a run stops; `None` if it never does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Returns the instant this many seconds from now.
    pub(crate) fn in_seconds(seconds: Option<u64>) -> Self {
        Self(seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)))
    }

    /// Returns `true` if the instant has passed.
    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns the instant after this share of the remaining time, in 0..=1.
    pub(crate) fn part(self, share: f64) -> Self {
        let now = Instant::now();
        Self(self.0.map(|end| now + end.saturating_duration_since(now).mul_f64(share)))
    }
}
