//! Latency buckets, task times and windows of all phases, summed in one go: within each node, then over the nodes.

use crate::bench::gather::counts::{All, Count, High, Low};
use crate::measure::latency::bucket_of;
use crate::measure::sample::Sample;
use crate::measure::timeline::{WIDTH_MIN_NS, WINDOWS};
use crate::result::latency::Buckets;
use crate::result::timeline::{add_shifted, shift, ALIGNED_BELOW};
use crate::team::clocks::Comparison;
use crate::team::{Team, NOBODY};
use std::ops::Range;

/// Most windows of a phase over all tasks: those of one that began late lie behind those of the first.
const WINDOWS_MAX: u64 = 2 * WINDOWS as u64;

/// What is summed of one phase. Ranges are those that any task uses, so that nothing but counts is sent.
#[derive(Clone, Debug)]
pub struct Shape {
    latencies: Range<usize>,
    times: Range<usize>,
    windows: usize,
    /// Width of a window, nanoseconds.
    pub width_ns: u64,
    /// Whether windows count from the start of the earliest task, and not from each task's own.
    pub aligned: bool,
}

/// The sums of one phase.
#[derive(Clone, Debug, Default)]
pub struct Spectrum {
    /// Latencies.
    pub latencies: Buckets,
    /// Times of tasks to the barrier.
    pub times: Buckets,
    /// Operations per window.
    pub windows: Vec<u64>,
}

impl Shape {
    fn of(all: &All, clocks: &Comparison) -> Self {
        if all.sum(Count::Working) == 0 {
            return Shape { latencies: 0..0, times: 0..0, windows: 0, width_ns: WIDTH_MIN_NS, aligned: true };
        }
        let index = |bucket: u64| usize::try_from(bucket).unwrap_or(0);
        let succeeded = all.low(Low::Bucket) != NOBODY;
        let width_ns = WIDTH_MIN_NS << all.high(High::Doublings);
        let aligned = clocks.error_ns.saturating_mul(ALIGNED_BELOW) <= width_ns;
        let until_ns = if aligned {
            all.high(High::CommonDone) - all.low(Low::CommonStart)
        } else {
            all.high(High::Done)
        };
        Shape {
            latencies: if succeeded {
                index(all.low(Low::Bucket))..index(all.high(High::Bucket)) + 1
            } else {
                0..0
            },
            times: bucket_of(all.low(Low::Done))..bucket_of(all.high(High::Done)) + 1,
            windows: index((until_ns / width_ns + 2).min(WINDOWS_MAX)),
            width_ns,
            aligned,
        }
    }

    /// Numbers that a task brings.
    fn len(&self) -> usize {
        self.latencies.len() + self.times.len() + self.windows
    }

    fn own(&self, sample: &Sample, all: &All, clocks: &Comparison) -> Vec<u64> {
        let mut numbers = sample.latency.buckets()[self.latencies.clone()].to_vec();
        numbers.resize(self.len(), 0);
        if sample.attempted == 0 {
            return numbers;
        }
        numbers[self.latencies.len() + bucket_of(sample.done_ns) - self.times.start] = 1;
        let late_ns =
            if self.aligned { clocks.common_ns(sample.start_ns) - all.low(Low::CommonStart) } else { 0 };
        let doublings = (self.width_ns / WIDTH_MIN_NS).trailing_zeros();
        let windows = &mut numbers[self.latencies.len() + self.times.len()..];
        add_shifted(windows, &sample.timeline.doubled(doublings), shift(late_ns, self.width_ns));
        numbers
    }

    fn read(&self, numbers: &[u64]) -> Spectrum {
        let (latencies, rest) = numbers.split_at(self.latencies.len());
        let (times, windows) = rest.split_at(self.times.len());
        Spectrum {
            latencies: Buckets::of(self.latencies.start, latencies),
            times: Buckets::of(self.times.start, times),
            windows: windows.to_vec(),
        }
    }
}

/// The sums of all phases.
#[derive(Debug, Default)]
pub struct Spectra {
    /// What was summed.
    pub shapes: Vec<Shape>,
    /// Over the tasks of this node: at its first task.
    pub node: Vec<Spectrum>,
    /// Over all tasks: at rank 0.
    pub all: Vec<Spectrum>,
}

impl Spectra {
    /// Sums what the samples hold. Collective.
    pub fn of(team: &Team, samples: &[&Sample], all: &[All], clocks: &Comparison) -> Self {
        let shapes: Vec<Shape> = all.iter().map(|all| Shape::of(all, clocks)).collect();
        let own = shapes.iter().zip(samples.iter().zip(all));
        let mut numbers: Vec<u64> =
            own.flat_map(|(shape, (sample, all))| shape.own(sample, all, clocks)).collect();
        if numbers.is_empty() {
            let none = vec![Spectrum::default(); shapes.len()];
            return Spectra { shapes, node: none.clone(), all: none };
        }
        let read = |numbers: &[u64]| -> Vec<Spectrum> {
            let starts = shapes.iter().scan(0, |at, shape| Some(std::mem::replace(at, *at + shape.len())));
            shapes.iter().zip(starts).map(|(shape, at)| shape.read(&numbers[at..at + shape.len()])).collect()
        };
        team.sum_on_node(&mut numbers);
        let node = if team.leads_node() { read(&numbers) } else { Vec::new() };
        team.sum_over_nodes(&mut numbers);
        let all = if team.is_root() { read(&numbers) } else { Vec::new() };
        Spectra { node, all, shapes }
    }
}
