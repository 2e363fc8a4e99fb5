//! Latencies of single operations, counted in log-linear buckets.

use crate::namespace::path::CPath;
use histogram::{Config, Histogram};

/// Each power of two is divided into 2^7 buckets: no value is further than 1/128 = 0.78 % from the ends of its bucket.
pub const GROUPING_POWER: u8 = 7;
/// Every u64 has a bucket.
const VALUE_POWER: u8 = 64;
/// Longest part of a path that is kept of the slowest operation, bytes: the longest path of Linux.
const PATH_BYTES: usize = 4096;

/// The buckets of every latency histogram.
#[allow(clippy::expect_used)] // two constants that fit each other
pub fn config() -> Config {
    Config::new(GROUPING_POWER, VALUE_POWER).expect("7 bits of 64")
}

/// The number of the bucket that holds `ns`.
pub fn bucket_of(ns: u64) -> usize {
    let shift = (u64::BITS - (ns | 1).leading_zeros()).saturating_sub(u32::from(GROUPING_POWER) + 1);
    usize::try_from((u64::from(shift) << GROUPING_POWER) + (ns >> shift)).unwrap_or(usize::MAX)
}

/// The latencies of one task in one phase, in 60 kB whatever their number.
#[derive(Clone, Debug)]
#[repr(C)] // what each operation touches first
pub struct Latency {
    /// The smallest, nanoseconds; `u64::MAX` where there is none.
    pub min_ns: u64,
    /// The largest less the smallest: one comparison finds a new one of either.
    span_ns: u64,
    /// Sum, nanoseconds; told by who knows the time that they took together.
    pub sum_ns: u64,
    /// The slowest.
    pub slowest: Slowest,
    histogram: Histogram,
}

/// The slowest operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Slowest {
    /// Its latency, nanoseconds.
    pub ns: u64,
    /// When it ended, nanoseconds after the start of the task's phase.
    pub ended_ns: u64,
    /// Its path.
    pub path: Vec<u8>,
}

impl Latency {
    /// No latencies yet. Its memory is touched here, so that no page is fetched while a phase runs.
    pub fn new() -> Self {
        let mut histogram = Histogram::with_config(&config());
        histogram.reset();
        let slowest = Slowest { path: Vec::with_capacity(PATH_BYTES), ..Slowest::default() };
        Latency { min_ns: u64::MAX, span_ns: 0, sum_ns: 0, slowest, histogram }
    }

    /// Counts an operation of `ns` on `path` that ended `ended_ns` after the start.
    #[inline]
    pub fn count(&mut self, ns: u64, ended_ns: u64, path: CPath) {
        let _ = self.histogram.increment(ns); // every u64 has a bucket
        if ns.wrapping_sub(self.min_ns) > self.span_ns {
            self.keep_extreme(ns, ended_ns, path);
        }
    }

    /// Happens about 2 ln n times in a phase of n operations.
    #[cold]
    fn keep_extreme(&mut self, ns: u64, ended_ns: u64, path: CPath) {
        let first = self.min_ns == u64::MAX;
        self.min_ns = self.min_ns.min(ns);
        self.span_ns = self.slowest.ns.max(ns) - self.min_ns;
        if ns <= self.slowest.ns && !first {
            return;
        }
        let bytes = path.bytes();
        self.slowest.ns = ns;
        self.slowest.ended_ns = ended_ns;
        self.slowest.path.clear();
        self.slowest.path.extend_from_slice(&bytes[..bytes.len().min(PATH_BYTES)]);
    }

    /// Counts in each bucket of [`config`].
    pub fn buckets(&self) -> &[u64] {
        self.histogram.as_slice()
    }

    /// How many latencies there are.
    pub fn total(&self) -> u64 {
        self.buckets().iter().sum()
    }

    /// The first and the last bucket that is not empty.
    pub fn used(&self) -> Option<(usize, usize)> {
        let used = |count: &u64| *count > 0;
        Some((self.buckets().iter().position(used)?, self.buckets().iter().rposition(used)?))
    }
}

impl Default for Latency {
    fn default() -> Self {
        Latency::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::namespace::path::CPathBuf;
    use proptest::prelude::*;

    #[test]
    fn the_slowest_is_named_and_the_smallest_exact() {
        let (a, b) = (CPathBuf::new("/d/a").unwrap(), CPathBuf::new("/d/b").unwrap());
        let mut latency = Latency::new();
        for (ns, path) in [(700, &a), (90_000, &b), (650, &a)] {
            latency.count(ns, 2 * ns, path.as_c());
        }
        assert_eq!((latency.total(), latency.min_ns), (3, 650));
        assert_eq!(latency.slowest, Slowest { ns: 90_000, ended_ns: 180_000, path: b"/d/b".to_vec() });
    }

    #[test]
    fn nothing_counted_nothing_used() {
        let latency = Latency::new();
        assert_eq!((latency.total(), latency.used()), (0, None));
    }

    proptest! {
        #[test]
        fn every_value_has_a_bucket_within_a_hundredth(ns in any::<u64>()) {
            let path = CPathBuf::new("/d").unwrap();
            let mut latency = Latency::new();
            latency.count(ns, ns, path.as_c());
            let (first, last) = latency.used().unwrap();
            prop_assert!(first == last && latency.total() == 1);
            prop_assert_eq!(first, bucket_of(ns));
            let range = latency.histogram.iter().nth(first).unwrap().range();
            prop_assert!(range.contains(&ns));
            #[allow(clippy::cast_precision_loss)]
            let width = (range.end() - range.start()) as f64 / (*range.start()).max(1) as f64;
            prop_assert!(width <= 0.01, "{range:?}");
        }
    }
}
