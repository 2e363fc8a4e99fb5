//! Counts and extremes of all phases over all tasks: few collectives for all phases together, for with more tasks than
//! processors each costs milliseconds.

use crate::bench::gather::rate;
use crate::measure::latency::Latency;
use crate::measure::sample::Sample;
use crate::team::clocks::Comparison;
use crate::team::{Team, NOBODY};

/// What a task brings of one phase.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// To be summed.
    counts: [u64; COUNTS],
    /// To be compared: see [`Compared`].
    values: [u64; VALUES],
    /// Of which only the smallest is wanted: see [`Low`]. [`NOBODY`] where the task has none.
    lows: [u64; LOWS],
    /// Of which only the largest is wanted: see [`High`]. 0 where the task has none.
    highs: [u64; HIGHS],
    /// Operations per second to the barrier.
    rate_per_s: f64,
}

/// Places of [`Own::counts`].
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Count {
    Attempted,
    Failed,
    WorkNs,
    PhaseNs,
    WallItems,
    LatencyNs,
    Working,
    /// Requests of the nodes' clients.
    Requests,
    /// Nodes that know of theirs.
    RequestNodes,
}

/// Places of [`Own::values`]. Rates stand there as the bits of the number, which are in the same order as numbers that
/// are not negative.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Compared {
    Work,
    Phase,
    Rate,
    PhaseRate,
    Wall,
    WallTime,
}

/// Places of [`Own::lows`]. Of tasks that had nothing to do, nothing is wanted; times in common are rank 0's.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Low {
    Bucket,
    LatencyNs,
    CommonStart,
    CommonDone,
    Done,
}

/// Places of [`Own::highs`].
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum High {
    Bucket,
    LatencyNs,
    CommonDone,
    Done,
    Doublings,
}

const COUNTS: usize = 9;
const VALUES: usize = 6;
const LOWS: usize = 5;
const HIGHS: usize = 5;

impl Own {
    /// Of a sample, whose node's clock stands as `clocks` says.
    pub fn of(sample: &Sample, clocks: &Comparison) -> Self {
        let wall_items = sample.wall.map_or(0, |w| w.items);
        let rate_per_s = rate(sample.share, sample.work_ns);
        let (lows, highs) = extremes(sample, clocks);
        Own {
            counts: [
                sample.attempted,
                sample.errors.total(),
                sample.work_ns,
                sample.phase_ns,
                wall_items,
                sample.latency.sum_ns,
                u64::from(sample.attempted > 0),
                sample.requests.unwrap_or(0),
                u64::from(sample.requests.is_some()),
            ],
            values: [
                sample.work_ns,
                sample.phase_ns,
                rate_per_s.to_bits(),
                rate(sample.share, sample.phase_ns).to_bits(),
                wall_items,
                sample.wall.map_or(0, |w| w.ns),
            ],
            lows,
            highs,
            rate_per_s,
        }
    }

    /// A value of this task.
    pub fn value(&self, value: Compared) -> u64 {
        self.values[value as usize]
    }
}

fn extremes(sample: &Sample, clocks: &Comparison) -> ([u64; LOWS], [u64; HIGHS]) {
    if sample.attempted == 0 {
        return ([NOBODY; LOWS], [0; HIGHS]);
    }
    let latency: &Latency = &sample.latency;
    let start_ns = clocks.common_ns(sample.start_ns);
    let done_ns = start_ns + sample.done_ns;
    let (first, last) = latency.used().map_or((NOBODY, 0), |(first, last)| (first as u64, last as u64));
    let doublings = u64::from(sample.timeline.doublings());
    (
        [first, latency.min_ns.min(NOBODY), start_ns, done_ns, sample.done_ns],
        [last, latency.slowest.ns, done_ns, sample.done_ns, doublings],
    )
}

/// What all tasks bring of one phase.
#[derive(Clone, Copy, Debug)]
pub struct All {
    sums: [u64; COUNTS],
    smallest: [u64; VALUES],
    largest: [u64; VALUES],
    lows: [u64; LOWS],
    highs: [u64; HIGHS],
    /// Sum of the tasks' rates.
    pub rates_per_s: f64,
    /// Lowest ranks with the largest work time, phase time, latency, and time to the last operation's end.
    pub last: [u64; LAST],
}

/// Places of [`All::last`].
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub enum Last {
    Work,
    Phase,
    Latency,
    Done,
}

const LAST: usize = 4;

impl All {
    /// Reduces what the tasks bring, phase by phase. Collective.
    pub fn of(team: &Team, own: &[Own]) -> Vec<All> {
        const EXTREMES: usize = 2 * VALUES + LOWS + HIGHS;
        let mut sums: Vec<u64> = own.iter().flat_map(|o| o.counts).collect();
        let mut rates: Vec<f64> = own.iter().map(|o| o.rate_per_s).collect();
        // The smallest of x is the complement of the largest of the complement.
        let mut extremes: Vec<u64> = own
            .iter()
            .flat_map(|o| {
                let complements = o.values.into_iter().chain(o.lows).map(|v| !v);
                o.values.into_iter().chain(o.highs).chain(complements)
            })
            .collect();
        if own.is_empty() {
            return Vec::new();
        }
        team.sum(&mut sums);
        team.sum(&mut rates);
        team.max(&mut extremes);
        let found: Vec<All> = (0..own.len())
            .map(|phase| {
                let extremes = &extremes[EXTREMES * phase..];
                let (largest, complements) = extremes.split_at(VALUES + HIGHS);
                All {
                    sums: std::array::from_fn(|i| sums[COUNTS * phase + i]),
                    largest: std::array::from_fn(|i| largest[i]),
                    highs: std::array::from_fn(|i| largest[VALUES + i]),
                    smallest: std::array::from_fn(|i| !complements[i]),
                    lows: std::array::from_fn(|i| !complements[VALUES + i]),
                    rates_per_s: rates[phase],
                    last: [0; LAST],
                }
            })
            .collect();
        All::with_last(team, own, found)
    }

    fn with_last(team: &Team, own: &[Own], mut found: Vec<All>) -> Vec<All> {
        let candidates = own.iter().zip(&found).flat_map(|(own, all)| {
            let is_high = |high: High| own.highs[high as usize] == all.highs[high as usize];
            [
                own.value(Compared::Work) == all.largest(Compared::Work),
                own.value(Compared::Phase) == all.largest(Compared::Phase),
                is_high(High::LatencyNs),
                is_high(High::Done),
            ]
            .map(|is_last| if is_last { team.rank() } else { NOBODY })
        });
        let mut last: Vec<u64> = candidates.collect();
        team.min(&mut last);
        for (all, last) in found.iter_mut().zip(last.chunks_exact(LAST)) {
            all.last = std::array::from_fn(|i| last[i]);
        }
        found
    }

    /// A count over all tasks.
    pub fn sum(&self, count: Count) -> u64 {
        self.sums[count as usize]
    }

    /// The smallest value of all tasks.
    pub fn smallest(&self, value: Compared) -> u64 {
        self.smallest[value as usize]
    }

    /// The largest value of all tasks.
    pub fn largest(&self, value: Compared) -> u64 {
        self.largest[value as usize]
    }

    /// The smallest value of tasks that had something to do; [`NOBODY`] where there is none.
    pub fn low(&self, value: Low) -> u64 {
        self.lows[value as usize]
    }

    /// The largest value of tasks that had something to do; 0 where there is none.
    pub fn high(&self, value: High) -> u64 {
        self.highs[value as usize]
    }
}
