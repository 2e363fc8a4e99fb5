//! Statistics over iterations.

use crate::namespace::phase::Phase;
use crate::result::interval::Interval;
use crate::result::latency::Latencies;
use crate::result::outcome::{Iteration, PhaseOutcome};
use serde::Serialize;
use statrs::statistics::Statistics;

/// Largest, smallest, mean, median, deviation and interval of a value over iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Largest.
    pub max: f64,
    /// Smallest.
    pub min: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Median: of an even number the mean of the two in the middle.
    pub median: f64,
    /// Standard deviation of the sample (n − 1); none where there is one value.
    pub std_dev: Option<f64>,
    /// 95 % confidence interval of the mean: by Student's t over iterations. Where there is one iteration, that of a rate
    /// over the windows of the phase by block bootstrap, if there are windows enough.
    pub interval: Option<Interval>,
}

impl Summary {
    /// The summary of `values`, or `None` where there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        (!values.is_empty()).then(|| Summary {
            max: Statistics::max(values),
            min: Statistics::min(values),
            mean: Statistics::mean(values),
            median: median(values),
            std_dev: (values.len() > 1).then(|| Statistics::std_dev(values)),
            interval: Interval::of_iterations(values),
        })
    }

    /// With the interval of the one iteration there is, from the windows of its phase, as wide in proportion.
    fn or_of_windows(self, one: &PhaseOutcome) -> Self {
        let timeline = one.timeline.as_ref();
        let of_windows = timeline.and_then(|t| Some((t.interval?, t.rate_while_all_worked_per_s?)));
        let scaled = of_windows.filter(|(_, mean)| *mean > 0.0).map(|(interval, mean)| Interval {
            low: interval.low / mean * self.mean,
            high: interval.high / mean * self.mean,
            method: interval.method,
        });
        Summary { interval: self.interval.or(scaled), ..self }
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

/// A phase over all iterations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseSummary {
    /// Which phase.
    pub phase: Phase,
    /// The rate as mdtest counts it, operations per second.
    pub rate_per_s: Summary,
    /// The true rate, operations per second.
    pub true_rate_per_s: Summary,
    /// Seconds that the rates are counted over.
    pub seconds: Summary,
    /// Rates of single tasks: the largest and smallest of all iterations, the mean over both.
    pub task_rate_per_s: Summary,
    /// Latencies of all iterations together.
    pub latency: Option<Latencies>,
}

/// The phase on items whose rate is known least over iterations, and half the width of its 95 % interval as a share of
/// the mean; `None` where no interval is known.
pub fn widest(iterations: &[Iteration]) -> Option<(Phase, f64)> {
    let phases = Phase::ALL.into_iter().filter(|phase| phase.kind().is_some());
    let widths = phases.filter_map(|phase| {
        let ran = iterations.iter().filter_map(|i| i.phase(phase));
        let rates: Vec<f64> = ran.filter(|p| p.items.done > 0).map(|p| p.rate_per_s).collect();
        Some((phase, Interval::of_iterations(&rates)?.relative_half_width()))
    });
    widths.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The summary of `phase`, or `None` where it never ran.
pub fn summarize(phase: Phase, iterations: &[Iteration]) -> Option<PhaseSummary> {
    let ran: Vec<&PhaseOutcome> = iterations.iter().filter_map(|i| i.phase(phase)).collect();
    let of = |value: fn(&PhaseOutcome) -> f64| Summary::of(&ran.iter().map(|p| value(p)).collect::<Vec<_>>());
    let means = of(|p| p.task_rate_per_s.mean)?;
    let one = ran.first()?;
    Some(PhaseSummary {
        phase,
        rate_per_s: of(|p| p.rate_per_s)?.or_of_windows(one),
        true_rate_per_s: of(|p| p.true_rate_per_s)?.or_of_windows(one),
        seconds: of(|p| p.rated_seconds)?,
        task_rate_per_s: Summary {
            max: of(|p| p.task_rate_per_s.max)?.max,
            min: of(|p| p.task_rate_per_s.min)?.min,
            mean: means.mean,
            median: means.median,
            std_dev: None,
            interval: None,
        },
        latency: Latencies::merged(ran.iter().filter_map(|p| p.latency.as_ref())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_the_samples() {
        let s = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((s.max, s.min, s.mean, s.median), (9.0, 2.0, 5.0, 4.5));
        assert!((s.std_dev.unwrap() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_value_has_no_deviation_and_none_no_summary() {
        let one = Summary::of(&[3.0]).unwrap();
        assert_eq!((one.std_dev, one.interval, one.median), (None, None, 3.0));
        assert_eq!(Summary::of(&[]), None);
    }
}
