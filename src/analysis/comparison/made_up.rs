//! Results that never were, for tests.

use crate::archive::{Iteration, PhaseOutcome, PhaseSummary, Record, Summary, TaskCount};
use crate::namespace::phase::Phase;

/// What four tasks came to, with these rates in the iterations of each phase.
pub fn result(rates: &[(Phase, &[f64])]) -> TaskCount {
    let most = rates.iter().map(|(_, list)| list.len()).max().unwrap_or(0);
    let outcome = |phase, rate| PhaseOutcome { rate_per_s: Some(rate), ..PhaseOutcome::unknown(phase) };
    let iterations = (0..most).map(|i| Iteration {
        iteration: i as u64,
        clock_error_s: None,
        phases: rates.iter().filter_map(|(phase, list)| Some(outcome(*phase, *list.get(i)?))).collect(),
    });
    let statistics = rates.iter().map(|(phase, list)| {
        let mean = Some(list.iter().sum::<f64>() / list.len() as f64);
        let summary = Summary { mean, ..Summary::default() };
        PhaseSummary { rate_per_s: Some(summary), ..PhaseSummary::unknown(*phase) }
    });
    TaskCount {
        tasks: Some(4),
        iterations: iterations.collect(),
        statistics: statistics.collect(),
        ..TaskCount::default()
    }
}

/// A record with that one result.
pub fn record(name: &str, rates: &[(Phase, &[f64])]) -> Record {
    Record { name: name.to_string(), results: vec![result(rates)], ..Record::default() }
}
