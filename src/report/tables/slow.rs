//! The slow nodes and tasks of each phase, by name, in the iteration that is shown.

use crate::archive::{PhaseOutcome, TaskCount};
use crate::namespace::phase::Phase;
use crate::report::plain::{count, shortened, value};
use crate::report::tables::{of_numbers, of_text, Cell, Mark, Table};
use crate::result::units;

/// Slow ones of a kind that are listed for a phase.
const MOST: usize = 8;
/// Phases that are over sooner, seconds, say nothing of nodes and tasks.
const LASTING_S: f64 = 0.001;

/// What came of a phase in the iteration that is shown: the last that did it.
pub fn shown(result: &TaskCount, phase: Phase) -> Option<&PhaseOutcome> {
    result.outcomes(phase).last()
}

/// How the tasks of each phase compare, a row a phase.
pub fn spread(result: &TaskCount) -> Table {
    let titles = [
        "Tasks",
        "Shortest",
        "Median",
        "Longest",
        "Longest ÷ median",
        "Slow tasks",
        "Rate without them",
        "Spread by node",
    ];
    let mut columns = vec![of_text("Phase")];
    columns.extend(titles.map(of_numbers));
    columns.push(of_text("Slowest task"));
    let mut table = Table::new("How the tasks compare, by the time of their own work", columns);
    for phase in result.phases() {
        let Some(tasks) = shown(result, phase).and_then(|p| p.tasks.as_ref()) else { continue };
        let seconds = |s: f64| Cell::number(s, units::time(s * 1e9));
        let slow = Cell::number(tasks.slow as f64, count(tasks.slow));
        table.rows.push(vec![
            Cell::text(phase.label()),
            Cell::number(tasks.working as f64, count(tasks.working)),
            seconds(tasks.min_s),
            seconds(tasks.median_s),
            seconds(tasks.max_s),
            Cell::number(tasks.max_over_median, format!("{:.2}", tasks.max_over_median)),
            if tasks.slow > 0 { slow.marked(Mark::Bad) } else { slow },
            Cell::known(tasks.rate_without_slow_per_s, value),
            Cell::known(tasks.node_share, units::percent),
            Cell::text(format!("rank {} on {}", tasks.slowest.rank, shortened(&tasks.slowest.host, 60))),
        ]);
    }
    table.without_empty_columns()
}

/// The slow ones, the slowest of a phase first; no rows where none is slow.
pub fn table(result: &TaskCount) -> Table {
    let mut columns = vec![of_text("Phase"), of_text("Slow")];
    columns.extend(["Time", "÷ median", "Items", "Mean latency", "p99", "Rate without it"].map(of_numbers));
    let mut table = Table::new("Slow nodes and tasks", columns);
    let mut left_out = 0;
    for outcome in result.phases().filter_map(|phase| shown(result, phase)) {
        let mut rows = nodes(outcome);
        left_out += rows.len().saturating_sub(MOST);
        rows.truncate(MOST);
        let tasks = tasks(outcome);
        left_out += tasks.len().saturating_sub(MOST);
        rows.extend(tasks.into_iter().take(MOST));
        table.rows.extend(rows);
    }
    if left_out > 0 {
        table.note = format!("{} more are in the record.", count(left_out as u64));
    }
    table.without_empty_columns()
}

fn nodes(outcome: &PhaseOutcome) -> Vec<Vec<Cell>> {
    let Some(tasks) = outcome.tasks.as_ref().filter(|t| t.max_s >= LASTING_S) else { return Vec::new() };
    let mut slow: Vec<_> = outcome.nodes.iter().filter(|n| n.rate_without_per_s.is_some()).collect();
    slow.sort_by(|a, b| b.mean_s.total_cmp(&a.mean_s));
    let row = |n: &&crate::result::tasks::NodeOutcome| {
        vec![
            Cell::text(outcome.phase.label()),
            Cell::text(format!("node {}", shortened(&n.host, 60))),
            Cell::number(n.mean_s, units::time(n.mean_s * 1e9)),
            over(n.mean_s, tasks.median_s),
            Cell::number(n.items as f64, count(n.items)),
            Cell::number(n.latency.mean_ns, units::time(n.latency.mean_ns)),
            Cell::number(n.latency.p99_ns as f64, units::time_ns(n.latency.p99_ns)),
            Cell::known(n.rate_without_per_s, value),
        ]
    };
    slow.iter().map(row).collect()
}

fn tasks(outcome: &PhaseOutcome) -> Vec<Vec<Cell>> {
    let Some(tasks) = outcome.tasks.as_ref().filter(|t| t.max_s >= LASTING_S) else { return Vec::new() };
    let mut slow: Vec<_> = tasks.details.iter().filter(|t| t.done_s > tasks.slow_above_s).collect();
    slow.sort_by(|a, b| b.done_s.total_cmp(&a.done_s));
    let row = |t: &&crate::result::tasks::TaskDetail| {
        vec![
            Cell::text(outcome.phase.label()),
            Cell::text(format!("rank {} on {}", t.task.rank, shortened(&t.task.host, 60))),
            Cell::number(t.done_s, units::time(t.done_s * 1e9)),
            over(t.done_s, tasks.median_s),
            Cell::number(t.items as f64, count(t.items)),
            Cell::number(t.mean_ns, units::time(t.mean_ns)),
            Cell::number(t.p99_ns as f64, units::time_ns(t.p99_ns)),
            Cell::unknown(),
        ]
    };
    slow.iter().map(row).collect()
}

fn over(time_s: f64, median_s: f64) -> Cell {
    Cell::known((median_s > 0.0).then(|| time_s / median_s), |ratio| format!("{ratio:.2}"))
}
