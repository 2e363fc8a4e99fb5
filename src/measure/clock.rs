//! The monotonic clock.

use std::time::Instant;

/// Counts nanoseconds from its own start. Readings of different tasks have nothing to do with each other.
#[derive(Clone, Copy, Debug)]
pub struct Clock(Instant);

impl Clock {
    /// Starts counting.
    pub fn start() -> Self {
        Clock(Instant::now())
    }

    /// Nanoseconds since the start; 584 years fit.
    #[inline]
    pub fn elapsed_ns(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// Nanoseconds in a second.
pub const NS_PER_S: f64 = 1e9;

/// Nanoseconds as seconds.
#[allow(clippy::cast_precision_loss)] // 2^53 ns are 104 days
pub fn seconds(ns: u64) -> f64 {
    ns as f64 / NS_PER_S
}
