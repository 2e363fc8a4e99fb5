//! Records as one CSV table: a row a record, number of tasks and phase. docs/REPORT.md describes the columns.

use crate::archive::{PhaseSummary, Summary};
use crate::namespace::phase::Phase;
use crate::report::entries::{entries, Entry};
use crate::result::latency::LatencyNumbers;
use csv::{QuoteStyle, WriterBuilder};

/// The heads of the columns.
pub const COLUMNS: [&str; 37] = [
    "record",
    "workload",
    "program",
    "started",
    "fs_type",
    "nodes",
    "tasks",
    "items",
    "tree_directories",
    "iterations",
    "phase",
    "rate_max_per_s",
    "rate_min_per_s",
    "rate_mean_per_s",
    "rate_median_per_s",
    "rate_std_dev_per_s",
    "rate_low_per_s",
    "rate_high_per_s",
    "rate_printed",
    "true_rate_mean_per_s",
    "task_rate_min_per_s",
    "task_rate_mean_per_s",
    "task_rate_max_per_s",
    "seconds_mean",
    "latency_count",
    "latency_min_ns",
    "latency_mean_ns",
    "latency_p50_ns",
    "latency_p90_ns",
    "latency_p99_ns",
    "latency_p99.9_ns",
    "latency_p99.99_ns",
    "latency_max_ns",
    "attempted",
    "done",
    "failed",
    "slow_tasks",
];

/// The table of these records. What is not known is empty.
pub fn text(records: &[crate::archive::Record]) -> String {
    let mut writer = WriterBuilder::new().quote_style(QuoteStyle::Necessary).from_writer(Vec::new());
    // Writing into memory does not fail, and all rows are of one length.
    let _ = writer.write_record(COLUMNS);
    for entry in entries(records) {
        for phase in entry.result.phases() {
            let _ = writer.write_record(row(&entry, phase));
        }
    }
    String::from_utf8_lossy(&writer.into_inner().unwrap_or_default()).into_owned()
}

fn row(entry: &Entry, phase: Phase) -> Vec<String> {
    let (record, result) = (entry.record, entry.result);
    let program = record.origin.as_ref().and_then(|o| o.program.clone());
    let program = program.or(record.version.as_ref().map(|v| format!("mdtest-rs {v}")));
    let mut cells = vec![
        safe(&entry.name),
        safe(record.workload().unwrap_or_default()),
        safe(&program.unwrap_or_default()),
        safe(record.started.as_deref().unwrap_or_default()),
        safe(record.fs_type().unwrap_or_default()),
        count(entry.nodes()),
        count(entry.tasks()),
        count(result.items),
        count(result.tree_directories),
        count(result.iterations_in_all()),
        phase.id().to_string(),
    ];
    let summary = result.of(phase);
    let rate = summary.and_then(|s| s.rate_per_s.as_ref());
    let of = |part: fn(&Summary) -> Option<f64>| number(rate.and_then(part));
    cells.extend([of(|s| s.max), of(|s| s.min), of(|s| s.mean), of(|s| s.median), of(|s| s.std_dev)]);
    cells.extend([of(|s| Some(s.interval?.low)), of(|s| Some(s.interval?.high))]);
    cells.push(safe(rate.and_then(|s| s.printed.as_deref()).unwrap_or_default()));
    let other = |which: fn(&PhaseSummary) -> Option<&Summary>, part: fn(&Summary) -> Option<f64>| {
        number(summary.and_then(which).and_then(part))
    };
    cells.push(other(|s| s.true_rate_per_s.as_ref(), |s| s.mean));
    for part in [|s: &Summary| s.min, |s: &Summary| s.mean, |s: &Summary| s.max] {
        cells.push(other(|s| s.task_rate_per_s.as_ref(), part));
    }
    cells.push(other(|s| s.seconds.as_ref(), |s| s.mean));
    cells.extend(latencies(summary.and_then(|s| s.latency.as_ref()).map(|l| l.numbers)));
    cells.extend(counts(entry, phase));
    cells
}

fn latencies(numbers: Option<LatencyNumbers>) -> [String; 9] {
    let Some(n) = numbers else { return Default::default() };
    let times = [n.p50_ns, n.p90_ns, n.p99_ns, n.p99_9_ns, n.p99_99_ns, n.max_ns].map(|ns| ns.to_string());
    let [p50, p90, p99, p99_9, p99_99, max] = times;
    [n.count.to_string(), n.min_ns.to_string(), n.mean_ns.to_string(), p50, p90, p99, p99_9, p99_99, max]
}

/// Attempted, done and failed operations over all iterations, and the slow tasks of the worst.
fn counts(entry: &Entry, phase: Phase) -> [String; 4] {
    let items = || entry.result.outcomes(phase).filter_map(|p| p.items);
    let sum = |of: fn(&crate::result::outcome::Items) -> u64| {
        count(items().next().is_some().then(|| items().fold(0u64, |sum, i| sum.saturating_add(of(&i)))))
    };
    let slow = entry.result.outcomes(phase).filter_map(|p| p.tasks.as_ref()).map(|t| t.slow).max();
    [sum(|i| i.attempted), sum(|i| i.done), sum(|i| i.failed), count(slow)]
}

fn count(n: Option<u64>) -> String {
    n.map_or_else(String::new, |n| n.to_string())
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |v| v.to_string())
}

/// A text of a file; behind an apostrophe where a spreadsheet would take it for a formula.
fn safe(text: &str) -> String {
    let text = crate::report::plain::plain(text);
    if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Record, TaskCount};

    #[test]
    fn rows_have_every_column_and_no_formula() {
        let summary = Summary { mean: Some(5.0), printed: Some("5.000".into()), ..Summary::default() };
        let statistics =
            vec![PhaseSummary { rate_per_s: Some(summary), ..PhaseSummary::unknown(Phase::FileCreate) }];
        let results = vec![TaskCount { tasks: Some(2), statistics, ..TaskCount::default() }];
        let record = Record { name: "=cmd,\"x\"".into(), results, ..Record::default() };
        let text = text(&[record]);
        let expected = "\"'=cmd,\"\"x\"\"\",,,,,,2,,,,file-create,,,5,,,,,5.000,,,,,,,,,,,,,,,,,,\n";
        assert_eq!(text.lines().nth(1), Some(expected.trim_end()));
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn the_columns_are_documented() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/REPORT.md");
        let document = std::fs::read_to_string(path).unwrap();
        let missing: Vec<_> = COLUMNS.iter().filter(|c| !document.contains(&format!("`{c}`"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
