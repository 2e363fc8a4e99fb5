//! Statistics over iterations.

use crate::namespace::phase::Phase;
use crate::result::outcome::{Iteration, PhaseOutcome};
use serde::Serialize;
use statrs::statistics::Statistics;

/// Largest, smallest, mean and deviation of a value over iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Largest.
    pub max: f64,
    /// Smallest.
    pub min: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample (n − 1); none where there is one value.
    pub std_dev: Option<f64>,
}

impl Summary {
    /// The summary of `values`, or `None` where there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        (!values.is_empty()).then(|| Summary {
            max: Statistics::max(values),
            min: Statistics::min(values),
            mean: Statistics::mean(values),
            std_dev: (values.len() > 1).then(|| Statistics::std_dev(values)),
        })
    }
}

/// A phase over all iterations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
}

/// The summary of `phase`, or `None` where it never ran.
pub fn summarize(phase: Phase, iterations: &[Iteration]) -> Option<PhaseSummary> {
    let ran: Vec<&PhaseOutcome> = iterations.iter().filter_map(|i| i.phase(phase)).collect();
    let of = |value: fn(&PhaseOutcome) -> f64| Summary::of(&ran.iter().map(|p| value(p)).collect::<Vec<_>>());
    let means = of(|p| p.task_rate_per_s.mean)?;
    Some(PhaseSummary {
        phase,
        rate_per_s: of(|p| p.rate_per_s)?,
        true_rate_per_s: of(|p| p.true_rate_per_s)?,
        seconds: of(|p| p.rated_seconds)?,
        task_rate_per_s: Summary {
            max: of(|p| p.task_rate_per_s.max)?.max,
            min: of(|p| p.task_rate_per_s.min)?.min,
            mean: means.mean,
            std_dev: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deviation_is_the_samples() {
        let s = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((s.max, s.min, s.mean), (9.0, 2.0, 5.0));
        assert!((s.std_dev.unwrap() - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn one_value_has_no_deviation_and_none_no_summary() {
        assert_eq!(Summary::of(&[3.0]).unwrap().std_dev, None);
        assert_eq!(Summary::of(&[]), None);
    }
}
