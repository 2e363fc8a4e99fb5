//! Latencies of all tasks together, and what is said of them.

use crate::measure::latency::{bucket_of, config};
use crate::result::compact::compact;
use crate::result::outcome::Task;
use histogram::{Quantile, SparseHistogram};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Counts in the log-linear buckets of [`config`], those that are not empty. As JSON a list of pairs: the smallest
/// latency of the bucket in nanoseconds, and its count. A bucket that begins at v is 2^(⌊log2 v⌋ − 7) wide, 1 below 256.
#[derive(Clone, Debug, PartialEq)]
pub struct Buckets(SparseHistogram);

impl Default for Buckets {
    fn default() -> Self {
        Buckets(SparseHistogram::with_config(&config()))
    }
}

impl Buckets {
    /// From the counts of consecutive buckets, the first of which is number `first`.
    pub fn of(first: usize, counts: &[u64]) -> Self {
        let used = counts.iter().enumerate().filter(|(_, &count)| count > 0);
        let place = |index: usize| u32::try_from(first + index).unwrap_or(u32::MAX);
        let (index, count) = used.map(|(index, &count)| (place(index), count)).unzip();
        SparseHistogram::from_parts(config(), index, count).map_or_else(|_| Buckets::default(), Buckets)
    }

    /// These and those together.
    pub fn merged(&self, other: &Buckets) -> Self {
        // Both have the geometry of `config`; 2^64 operations overflow no count.
        Buckets(self.0.wrapping_add(&other.0).unwrap_or_else(|_| self.0.clone()))
    }

    /// Pairs of a bucket's smallest value and its count.
    pub fn pairs(&self) -> Vec<(u64, u64)> {
        self.0.iter().map(|bucket| (bucket.start(), bucket.count())).collect()
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.0.count().iter().sum()
    }

    /// The value that a share `q` of all is at most as large as (nearest rank): the middle of its bucket, which is at
    /// most 0.4 % from it. `None` where there are none.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        let found = self.0.quantile(q).ok()??;
        let bucket = found.get(&Quantile::new(q).ok()?)?;
        Some(bucket.start() + (bucket.end() - bucket.start()) / 2)
    }

    /// The share of those that lie in buckets wholly below `ns`; 0 where there are none.
    #[allow(clippy::cast_precision_loss)] // a share
    pub fn share_below(&self, ns: u64) -> f64 {
        let below: u64 = self.0.iter().filter(|bucket| bucket.end() < ns).map(|bucket| bucket.count()).sum();
        below as f64 / self.total().max(1) as f64
    }
}

impl Serialize for Buckets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        compact(&self.pairs(), serializer)
    }
}

impl<'de> Deserialize<'de> for Buckets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs = Vec::<(u64, u64)>::deserialize(deserializer)?;
        let mut counts = BTreeMap::new();
        for (value_ns, count) in pairs.into_iter().filter(|&(_, count)| count > 0) {
            let index = u32::try_from(bucket_of(value_ns)).map_err(D::Error::custom)?;
            let sum: &mut u64 = counts.entry(index).or_default();
            *sum = sum.checked_add(count).ok_or_else(|| D::Error::custom("more than 2^64 operations"))?;
        }
        let total = counts.values().try_fold(0u64, |sum, &count| sum.checked_add(count));
        total.ok_or_else(|| D::Error::custom("more than 2^64 operations"))?;
        let (index, count) = counts.into_iter().unzip();
        SparseHistogram::from_parts(config(), index, count).map(Buckets).map_err(D::Error::custom)
    }
}

/// What is said of latencies; nanoseconds. Percentiles are at most 0.4 % off, count, min, mean and max exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyNumbers {
    /// Operations that succeeded.
    pub count: u64,
    /// Smallest.
    pub min_ns: u64,
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// Median.
    pub p50_ns: u64,
    /// 90th percentile.
    pub p90_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    #[serde(rename = "p99.9_ns")]
    pub p99_9_ns: u64,
    /// 99.99th percentile.
    #[serde(rename = "p99.99_ns")]
    pub p99_99_ns: u64,
    /// Largest.
    pub max_ns: u64,
}

impl LatencyNumbers {
    /// The numbers of `buckets`, with what was kept exactly. `None` where there are none.
    pub fn of(buckets: &Buckets, sum_ns: u64, min_ns: u64, max_ns: u64) -> Option<Self> {
        let count = buckets.total();
        let quantile = |q| Some(buckets.quantile(q)?.clamp(min_ns, max_ns.max(min_ns)));
        #[allow(clippy::cast_precision_loss)] // 2^53 ns are 104 days
        let mean_ns = sum_ns as f64 / count.max(1) as f64;
        Some(LatencyNumbers {
            count,
            min_ns,
            mean_ns,
            p50_ns: quantile(0.5)?,
            p90_ns: quantile(0.9)?,
            p99_ns: quantile(0.99)?,
            p99_9_ns: quantile(0.999)?,
            p99_99_ns: quantile(0.9999)?,
            max_ns,
        })
    }
}

/// The latencies of a phase, over all tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latencies {
    /// Count, extremes, mean, percentiles.
    #[serde(flatten)]
    pub numbers: LatencyNumbers,
    /// The slowest operation.
    pub slowest: SlowestOperation,
    /// The counts that percentiles come from.
    pub buckets: Buckets,
}

/// The slowest operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlowestOperation {
    /// The iteration it was in, from 0.
    pub iteration: u64,
    /// Who waited for it.
    pub task: Task,
    /// The item, as a path.
    pub path: String,
    /// When it ended, seconds after the task began the phase.
    pub ended_s: f64,
}

impl Latencies {
    /// Those of several iterations together; `None` where there are none.
    pub fn merged<'a>(all: impl IntoIterator<Item = &'a Latencies>) -> Option<Latencies> {
        all.into_iter().fold(None, |sum: Option<Latencies>, more| {
            Some(match sum {
                None => more.clone(),
                Some(sum) => sum.and(more),
            })
        })
    }

    fn and(self, more: &Latencies) -> Latencies {
        let buckets = self.buckets.merged(&more.buckets);
        let (a, b) = (self.numbers, more.numbers);
        let (min_ns, max_ns) = (a.min_ns.min(b.min_ns), a.max_ns.max(b.max_ns));
        let numbers = LatencyNumbers::of(&buckets, 0, min_ns, max_ns).unwrap_or(a);
        #[allow(clippy::cast_precision_loss)] // exact up to 2^53 operations
        let (n, m) = (a.count as f64, b.count as f64);
        let mean_ns = (a.mean_ns * n + b.mean_ns * m) / (n + m).max(1.0);
        let slowest = if b.max_ns > a.max_ns { more.slowest.clone() } else { self.slowest };
        Latencies { numbers: LatencyNumbers { mean_ns, ..numbers }, slowest, buckets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::latency::Latency;
    use crate::namespace::path::CPathBuf;
    use proptest::prelude::*;

    fn counted(values: &[u64]) -> Latency {
        let path = CPathBuf::new("/d").unwrap();
        let mut latency = Latency::new();
        values.iter().for_each(|&ns| latency.count(ns, ns, path.as_c()));
        latency
    }

    fn buckets(values: &[u64]) -> Buckets {
        Buckets::of(0, counted(values).buckets())
    }

    fn latencies(values: &[u64]) -> Latencies {
        let latency = counted(values);
        let all = buckets(values);
        let slowest = SlowestOperation {
            iteration: 0,
            task: Task { rank: 0, host: String::new() },
            path: format!("/{}", latency.slowest.ns),
            ended_s: 0.0,
        };
        let numbers =
            LatencyNumbers::of(&all, values.iter().sum(), latency.min_ns, latency.slowest.ns).unwrap();
        Latencies { numbers, slowest, buckets: all }
    }

    #[test]
    fn nothing_has_no_numbers() {
        assert_eq!(LatencyNumbers::of(&Buckets::default(), 0, u64::MAX, 0), None);
        assert_eq!(Latencies::merged(&[]), None);
        assert_eq!(Buckets::default().quantile(0.5), None);
    }

    #[test]
    fn buckets_are_pairs_in_the_record() {
        let text = serde_json::to_string_pretty(&buckets(&[3, 3, 300, 1_000_000])).unwrap();
        assert_eq!(text, "[[3,2],[300,1],[999424,1]]");
        assert_eq!(serde_json::from_str::<Buckets>(&text).unwrap(), buckets(&[3, 3, 300, 1_000_000]));
    }

    #[test]
    fn a_share_lies_below_a_limit() {
        let b = buckets(&[100, 200, 5_000, 5_000]);
        assert!((b.share_below(1_000) - 0.5).abs() < 1e-12 && b.share_below(50) == 0.0);
    }

    proptest! {
        #[test]
        fn percentiles_are_within_a_hundredth_of_the_samples(
            mut values in prop::collection::vec(1u64..10_000_000_000, 1..400)
        ) {
            let numbers = latencies(&values).numbers;
            values.sort_unstable();
            for (q, got) in [(0.5, numbers.p50_ns), (0.9, numbers.p90_ns), (0.99, numbers.p99_ns)] {
                #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let rank = ((q * values.len() as f64).ceil() as usize).max(1);
                let exact = values[rank - 1];
                #[allow(clippy::cast_precision_loss)]
                let off = (got as f64 - exact as f64).abs() / exact as f64;
                prop_assert!(off <= 0.01, "{q}: {got} for {exact}");
            }
            prop_assert_eq!((numbers.min_ns, numbers.max_ns), (values[0], values[values.len() - 1]));
        }

        #[test]
        fn merged_is_the_same_as_counted_together(
            one in prop::collection::vec(1u64..10_000_000_000, 1..200),
            other in prop::collection::vec(1u64..10_000_000_000, 1..200),
        ) {
            let both: Vec<u64> = one.iter().chain(&other).copied().collect();
            let merged = Latencies::merged(&[latencies(&one), latencies(&other)]).unwrap();
            let together = latencies(&both);
            prop_assert_eq!(&merged.buckets, &together.buckets);
            prop_assert_eq!(merged.slowest, together.slowest);
            let (a, b) = (merged.numbers, together.numbers);
            prop_assert!((a.mean_ns - b.mean_ns).abs() <= 1e-9 * b.mean_ns);
            prop_assert_eq!(LatencyNumbers { mean_ns: 0.0, ..a }, LatencyNumbers { mean_ns: 0.0, ..b });
        }
    }
}
