//! What is compared and judged of a phase, and how well it is known.

use crate::archive::{PhaseOutcome, Summary, TaskCount};
use crate::namespace::phase::Phase;
use crate::result::interval::Estimate;
use crate::result::latency::LatencyNumbers;

/// A number of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The rate as mdtest counts it, operations per second.
    Rate,
    /// Items done by all tasks over the seconds of the slowest, operations per second.
    TrueRate,
    /// Median latency, nanoseconds.
    P50,
    /// 90th percentile, nanoseconds.
    P90,
    /// 99th percentile, nanoseconds.
    P99,
    /// 99.9th percentile, nanoseconds.
    P99_9,
    /// Largest latency, nanoseconds.
    Max,
}

/// A number over the iterations of a phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The mean over iterations; of latencies the percentile of all iterations together.
    pub value: f64,
    /// Its values in single iterations, where they are known.
    pub values: Vec<f64>,
    /// How well the mean is known, where it can be told: from the values of iterations, from their number and deviation,
    /// of one iteration's rate from its windows.
    pub estimate: Option<Estimate>,
}

impl Metric {
    /// All of them by the names that conditions and criteria use.
    pub const NAMES: [(&'static str, Metric); 7] = [
        ("rate", Metric::Rate),
        ("true-rate", Metric::TrueRate),
        ("p50", Metric::P50),
        ("p90", Metric::P90),
        ("p99", Metric::P99),
        ("p99.9", Metric::P99_9),
        ("max", Metric::Max),
    ];

    /// Whether it is a rate; else it is a latency.
    pub fn is_rate(self) -> bool {
        matches!(self, Metric::Rate | Metric::TrueRate)
    }

    /// Its value in `phase`, where it is known.
    pub fn of(self, result: &TaskCount, phase: Phase) -> Option<Known> {
        let outcomes: Vec<&PhaseOutcome> = result.outcomes(phase).collect();
        let values: Vec<f64> = outcomes.iter().filter_map(|p| self.of_iteration(p)).collect();
        let mean = || (!values.is_empty()).then(|| values.iter().sum::<f64>() / count(values.len()));
        let value = self.over_iterations(result, phase).or_else(mean).filter(|value| value.is_finite())?;
        let estimate = Estimate::of_iterations(&values)
            .or_else(|| self.of_statistics(result, phase))
            .or_else(|| self.of_windows(&outcomes, value));
        Some(Known { value, values, estimate: estimate.filter(|e| e.variance.is_finite()) })
    }

    fn over_iterations(self, result: &TaskCount, phase: Phase) -> Option<f64> {
        let summary = result.of(phase)?;
        match self {
            Metric::Rate => summary.rate_per_s.as_ref()?.mean,
            Metric::TrueRate => summary.true_rate_per_s.as_ref()?.mean,
            latency => Some(latency.of_latencies(&summary.latency.as_ref()?.numbers)),
        }
    }

    fn of_iteration(self, p: &PhaseOutcome) -> Option<f64> {
        match self {
            Metric::Rate => p.rate_per_s,
            Metric::TrueRate => p.true_rate_per_s,
            latency => Some(latency.of_latencies(&p.latency.as_ref()?.numbers)),
        }
    }

    #[allow(clippy::cast_precision_loss)] // 2^53 ns are 104 days
    fn of_latencies(self, numbers: &LatencyNumbers) -> f64 {
        let ns = match self {
            Metric::P90 => numbers.p90_ns,
            Metric::P99 => numbers.p99_ns,
            Metric::P99_9 => numbers.p99_9_ns,
            Metric::Max => numbers.max_ns,
            Metric::P50 | Metric::Rate | Metric::TrueRate => numbers.p50_ns,
        };
        ns as f64
    }

    /// From the number of iterations, their mean and deviation, as a table prints them.
    fn of_statistics(self, result: &TaskCount, phase: Phase) -> Option<Estimate> {
        let summary = result.of(phase)?;
        let Summary { mean, std_dev, .. } = match self {
            Metric::Rate => summary.rate_per_s.as_ref()?,
            Metric::TrueRate => summary.true_rate_per_s.as_ref()?,
            _ => return None,
        };
        let n = result.iterations_in_all().filter(|&n| n > 1)?;
        Some(Estimate::of_moments(count(usize::try_from(n).ok()?), (*mean)?, (*std_dev)?))
    }

    /// Of the one iteration's rate: as well known in proportion as the mean over its windows.
    fn of_windows(self, outcomes: &[&PhaseOutcome], value: f64) -> Option<Estimate> {
        match outcomes {
            [one] if self.is_rate() => {
                let rates = one.timeline.as_ref()?.rates_while_all_worked();
                Estimate::of_windows(&rates).filter(|e| e.mean > 0.0).map(|e| e.scaled_to(value))
            }
            _ => None,
        }
    }
}

#[allow(clippy::cast_precision_loss)] // iterations
fn count(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::made_up::result;
    use crate::archive::{Iteration, PhaseSummary};
    use crate::result::interval::Method;
    use crate::result::timeline::PhaseTimeline;

    const PHASE: Phase = Phase::FileCreate;

    #[test]
    fn iterations_say_more_than_a_table_and_that_more_than_windows() {
        let of_iterations = Metric::Rate.of(&result(&[(PHASE, &[9.0, 11.0])]), PHASE).unwrap();
        assert_eq!((of_iterations.value, of_iterations.values.len()), (10.0, 2));
        assert_eq!(of_iterations.estimate.unwrap().method, Method::StudentT);

        let summary = Summary { mean: Some(10.0), std_dev: Some(2.0), ..Summary::default() };
        let statistics = vec![PhaseSummary { rate_per_s: Some(summary), ..PhaseSummary::unknown(PHASE) }];
        let table = TaskCount { iteration_count: Some(4), statistics, ..TaskCount::default() };
        let of_table = Metric::Rate.of(&table, PHASE).unwrap().estimate.unwrap();
        assert_eq!((of_table.mean, of_table.variance, of_table.freedom), (10.0, 1.0, 3.0));

        let mut one = result(&[(PHASE, &[1000.0])]);
        assert_eq!(Metric::Rate.of(&one, PHASE).unwrap().estimate, None);
        let timeline = PhaseTimeline::of(0.1, true, (0..40).map(|i| 90 + i % 7).collect(), (4.0, 4.0));
        one.iterations[0].phases[0].timeline = Some(timeline);
        let of_windows = Metric::Rate.of(&one, PHASE).unwrap().estimate.unwrap();
        assert_eq!((of_windows.method, of_windows.mean), (Method::BlockBootstrap, 1000.0));
    }

    #[test]
    fn what_is_not_known_is_absent() {
        let empty = TaskCount { iterations: vec![Iteration::default()], ..TaskCount::default() };
        assert_eq!(Metric::Rate.of(&empty, PHASE), None);
        assert_eq!(Metric::P99.of(&result(&[(PHASE, &[1.0])]), PHASE), None);
        assert_eq!(Metric::Rate.of(&result(&[(PHASE, &[f64::NAN])]), PHASE), None);
    }
}
