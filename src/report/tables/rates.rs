//! The table of an entry: mdtest's columns, then intervals, latencies and failures.

use crate::archive::{PhaseSummary, Summary, TaskCount};
use crate::namespace::phase::Phase;
use crate::report::plain::{count, plain, value};
use crate::report::tables::{of_numbers, of_text, Cell, Mark, Table};
use crate::result::interval::{Interval, Method};
use crate::result::latency::LatencyNumbers;
use crate::result::units;

/// A row a phase of which something is known; columns of which nothing is known are left out.
pub fn table(result: &TaskCount) -> Table {
    let mut columns = vec![of_text("Phase")];
    for title in [
        "Max",
        "Min",
        "Mean",
        "Std dev",
        "95 % interval",
        "True rate",
        "Took",
        "p50",
        "p99",
        "Longest",
        "Errors",
    ] {
        columns.push(of_numbers(title));
    }
    let mut table = Table::new("Rates in operations per second, times of single operations", columns);
    table.rows = result.phases().map(|phase| row(result, phase)).collect();
    table.note = note(result);
    table.without_empty_columns()
}

fn row(result: &TaskCount, phase: Phase) -> Vec<Cell> {
    let summary = result.of(phase);
    let rate = summary.and_then(|s| s.rate_per_s.as_ref());
    let part = |of: fn(&Summary) -> Option<f64>| Cell::known(rate.and_then(of), value);
    let mean_of = |of: fn(&PhaseSummary) -> Option<&Summary>| summary.and_then(of).and_then(|s| s.mean);
    let seconds = mean_of(|s| s.seconds.as_ref()).map(|s| Cell::number(s, units::time(s * 1e9)));
    let numbers = latency(result, phase);
    let time = |of: fn(&LatencyNumbers) -> u64| {
        numbers.as_ref().map_or_else(Cell::unknown, |n| Cell::number(of(n) as f64, units::time_ns(of(n))))
    };
    vec![
        Cell::text(phase.label()),
        part(|s| s.max),
        part(|s| s.min),
        mean(rate),
        part(|s| s.std_dev),
        rate.and_then(|s| s.interval).map_or_else(Cell::unknown, |i| interval(&i)),
        Cell::known(mean_of(|s| s.true_rate_per_s.as_ref()), value),
        seconds.unwrap_or_else(Cell::unknown),
        time(|n| n.p50_ns),
        time(|n| n.p99_ns),
        time(|n| n.max_ns),
        failures(result, phase),
    ]
}

/// The mean, as an imported table has it where there is one.
pub fn mean(summary: Option<&Summary>) -> Cell {
    let Some(summary) = summary else { return Cell::unknown() };
    match (&summary.printed, summary.mean) {
        (Some(printed), mean) => Cell { text: plain(printed), value: mean, mark: Mark::None },
        (None, mean) => Cell::known(mean, value),
    }
}

/// Sorted by its width over its centre; with a tilde where it is of windows.
fn interval(interval: &Interval) -> Cell {
    let tilde = if interval.method == Method::BlockBootstrap { "~ " } else { "" };
    let text = format!("{tilde}{} – {}", value(interval.low), value(interval.high));
    Cell::number(interval.relative_half_width().min(f64::MAX), text)
}

/// Latencies of all iterations together, where they are known.
fn latency(result: &TaskCount, phase: Phase) -> Option<LatencyNumbers> {
    result.of(phase)?.latency.as_ref().map(|l| l.numbers)
}

/// Failures; not known where no iteration tells its counts.
fn failures(result: &TaskCount, phase: Phase) -> Cell {
    let known = result.outcomes(phase).any(|p| p.items.is_some());
    match result.failed(phase) {
        _ if !known => Cell::unknown(),
        0 => Cell::number(0.0, "0"),
        failed => Cell::number(failed as f64, format!("{} failed", count(failed))).marked(Mark::Bad),
    }
}

fn note(result: &TaskCount) -> String {
    let intervals = result.statistics.iter().filter_map(|s| s.rate_per_s.as_ref()?.interval);
    let methods: Vec<Method> = intervals.map(|i| i.method).collect();
    let mut notes = Vec::new();
    if methods.contains(&Method::StudentT) {
        notes.push("Intervals are of the mean over iterations (Student's t).");
    }
    if methods.contains(&Method::BlockBootstrap) {
        notes.push("~ marks intervals of the windows of a single iteration (block bootstrap).");
    }
    notes.join(" ")
}
