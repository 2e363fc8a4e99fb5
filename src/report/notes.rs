//! What there is to say beside mdtest's text: on standard error, once, by rank 0.

use crate::namespace::phase::Phase;
use crate::plan::{Dialect, Plan};
use crate::result::outcome::{ErrorCount, Iteration};
use crate::result::record::TaskCount;

/// A line for each kind of failure of each phase, over the iterations of one number of tasks.
pub fn errors(result: &TaskCount) -> Vec<String> {
    let mut lines = Vec::new();
    for phase in crate::namespace::phase::Phase::ALL {
        let mut kinds: Vec<(ErrorCount, u64)> = Vec::new();
        let mut attempted = 0;
        for found in result.iterations.iter().filter_map(|i| i.phase(phase)) {
            attempted += found.items.attempted;
            for error in &found.errors {
                match kinds.iter_mut().find(|(first, _)| first.kind == error.kind) {
                    Some((_, count)) => *count += error.count,
                    None => kinds.push((error.clone(), error.count)),
                }
            }
        }
        for (first, count) in kinds {
            lines.push(format!(
                "{}: {count} of {attempted} operations failed with {} ({}), the first: {} of {} on rank {} ({})",
                phase.label(),
                first.kind,
                first.text,
                first.operation,
                first.path,
                first.first.rank,
                first.first.host
            ));
        }
    }
    lines
}

/// What the table of `plan` does not show or calls otherwise.
pub fn dialect(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    if plan.output.dialect < Dialect::V4_0 {
        if plan.does(crate::namespace::phase::Phase::DirectoryRename) {
            lines.push("this dialect has no row for Directory rename; --json records it".to_string());
        }
        if plan.output.rank_statistics {
            lines.push(
                "--showRankStatistics has no columns in this dialect; --json records the tasks' rates"
                    .to_string(),
            );
        }
    }
    lines
}

/// That `--until-ci` did not get what it wants.
pub fn still_wide(phase: Phase, width: f64, percent: f64, iterations: u64) -> String {
    format!(
        "--until-ci {percent}%: after {iterations} iterations (--max-iterations) the interval of {} is still ± {:.1} %",
        phase.label(),
        100.0 * width
    )
}

/// What the limit of levelling up did in an iteration.
pub fn worn_out(plan: &Plan, iteration: &Iteration) -> Vec<String> {
    let limit = plan.wear_out_limit_s.unwrap_or(0);
    let cut =
        iteration.phases.iter().filter_map(|p| p.stonewall.filter(|w| w.worn_out).map(|w| (p.phase, w)));
    cut.map(|(phase, wall)| {
        format!(
            "{}: levelling up ended after {limit} s (--wear-out-limit): all tasks were cut back to {} items, the fastest had {} at the wall",
            phase.label(),
            wall.items_agreed,
            wall.items_max
        )
    })
    .collect()
}
