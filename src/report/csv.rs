//! The CSV file with a row per task (`--saveRankPerformanceDetails`).

use crate::measure::operations::scientific;
use crate::namespace::phase::Phase;
use crate::result::outcome::Iteration;
use crate::result::record::TaskCount;
use std::fmt::Write;

/// The rows of one number of tasks, `all` first in each iteration; the header before the first number of tasks. Every
/// row has every cell; a phase that did not run has zeros.
pub fn rank_details(result: &TaskCount, items_per_task: u64, with_header: bool) -> String {
    let mut out = String::new();
    if with_header {
        out += "rank,items";
        for phase in Phase::ALL {
            let _ = write!(out, ",rate-{0},time-{0}", phase.label());
        }
        out += ",iteration,tasks\n";
    }
    for iteration in &result.iterations {
        let all = Phase::ALL.map(|phase| of_all(iteration, phase));
        row(&mut out, "all", items_per_task, &all, iteration, result.tasks);
        let Some(tasks) = &iteration.per_task else { continue };
        for (rank, (values, items)) in
            tasks.rate_and_seconds.chunks(Phase::ALL.len()).zip(&tasks.items).enumerate()
        {
            row(&mut out, &rank.to_string(), *items, values, iteration, result.tasks);
        }
    }
    out
}

fn of_all(iteration: &Iteration, phase: Phase) -> (f64, f64) {
    iteration.phase(phase).map_or((0.0, 0.0), |p| (p.rate_per_s, p.rated_seconds))
}

fn row(out: &mut String, rank: &str, items: u64, values: &[(f64, f64)], iteration: &Iteration, tasks: u64) {
    let _ = write!(out, "{rank},{items}");
    for (rate, seconds) in values {
        let _ = write!(out, ",{},{}", scientific(*rate, 10), scientific(*seconds, 10));
    }
    let _ = writeln!(out, ",{},{tasks}", iteration.iteration);
}
