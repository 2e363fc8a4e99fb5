//! From records to points: which clients and tasks a result is of, and which options tell runs apart.

use crate::analysis::scaling::{Cell, Varied};
use crate::archive::{PhaseSummary, Record, Summary, TaskCount};
use crate::namespace::phase::Phase;
use std::collections::{BTreeMap, HashSet};

/// A result, and the point it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured<'a> {
    /// Nodes that took part, where it is known.
    pub clients: Option<u64>,
    /// Tasks in all.
    pub tasks: u64,
    /// What tells it from others with the same clients and tasks.
    pub varied: Vec<Varied>,
    /// What came of it.
    pub result: &'a TaskCount,
}

/// The points of records of any origin: each number of tasks of each record. The nodes of fewer tasks than all
/// (`-f`, `-l`, `-s`) are counted by how ranks lie on them. Records whose workloads or options differ are different
/// combinations; where the record goes (`--json`) is no difference.
pub fn measured<'a>(records: &[&'a Record]) -> Vec<Measured<'a>> {
    let words: Vec<Vec<&str>> = records.iter().copied().map(options).collect();
    let same: HashSet<&str> = words
        .first()
        .into_iter()
        .flatten()
        .copied()
        .filter(|w| words.iter().all(|o| o.contains(w)))
        .collect();
    let mut measured = Vec::new();
    for (record, words) in records.iter().zip(&words) {
        let own: Vec<&str> = words.iter().copied().filter(|word| !same.contains(word)).collect();
        let name =
            |option: &str, value: &str| Varied { option: option.to_string(), value: value.to_string() };
        let workload = record.workload().map(|workload| name("workload", workload));
        let options = (!own.is_empty()).then(|| name("options", &own.join(" ")));
        let varied: Vec<Varied> = workload.into_iter().chain(options).collect();
        for result in &record.results {
            let placement = record.placement.unwrap_or_default();
            let Some(tasks) = result.tasks.or(placement.tasks) else { continue };
            let clients = nodes_of(record, tasks);
            measured.push(Measured { clients, tasks, varied: varied.clone(), result });
        }
    }
    measured
}

/// The options of a run, without where its record goes.
fn options(record: &Record) -> Vec<&str> {
    let mut options = Vec::new();
    let mut words = record.command_line.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--json" => drop(words.next()),
            word if word.starts_with("--json=") => {}
            word => options.push(word),
        }
    }
    options
}

/// Nodes on which the first `tasks` of the run's tasks are.
fn nodes_of(record: &Record, tasks: u64) -> Option<u64> {
    let placement = record.placement?;
    let nodes = placement.nodes?;
    match (placement.tasks, placement.tasks_on_first_node, placement.in_blocks) {
        (Some(all), _, _) if all == tasks => Some(nodes),
        _ if nodes == 1 => Some(1),
        (_, _, Some(false)) => Some(nodes.min(tasks)),
        (_, Some(each), Some(true)) if each > 0 => Some(tasks.div_ceil(each).min(nodes)),
        _ => None,
    }
}

/// The cells of `phase` among the runs with these varied values, by clients and tasks.
pub(super) fn cells(measured: &[Measured], varied: &[Varied], phase: Phase) -> Vec<Cell> {
    let mut runs: BTreeMap<(Option<u64>, u64), Vec<Run>> = BTreeMap::new();
    for point in measured.iter().filter(|point| point.varied == varied) {
        if let Some(run) = Run::of(point.result, phase) {
            runs.entry((point.clients, point.tasks)).or_default().push(run);
        }
    }
    runs.into_iter().map(|((clients, tasks), runs)| cell(clients, tasks, &runs)).collect()
}

/// One operation of one run.
struct Run {
    rate_per_s: f64,
    printed: Option<String>,
    whole_rate_per_s: f64,
    one_tree_only: bool,
}

impl Run {
    fn of(result: &TaskCount, phase: Phase) -> Option<Run> {
        let summary = result.of(phase);
        let mean = |of: fn(&PhaseSummary) -> Option<&Summary>| summary.and_then(of).and_then(|s| s.mean);
        let over_iterations = |rates: Vec<f64>| (!rates.is_empty()).then(|| average(rates.into_iter()));
        let rate = mean(|s| s.rate_per_s.as_ref())
            .or_else(|| over_iterations(result.outcomes(phase).filter_map(|p| p.rate_per_s).collect()));
        let true_rate = mean(|s| s.true_rate_per_s.as_ref())
            .or_else(|| over_iterations(result.outcomes(phase).filter_map(|p| p.true_rate_per_s).collect()));
        let usable = |rate: &f64| rate.is_finite() && *rate >= 0.0;
        let rate_per_s = rate.or(true_rate).filter(usable)?;
        let of_trees = phase.kind().is_none();
        let whole = true_rate.filter(usable).filter(|_| of_trees);
        Some(Run {
            rate_per_s,
            printed: summary.and_then(|s| s.rate_per_s.as_ref()).and_then(|s| s.printed.clone()),
            whole_rate_per_s: whole.unwrap_or(rate_per_s),
            one_tree_only: of_trees && whole.is_none(),
        })
    }
}

fn cell(clients: Option<u64>, tasks: u64, runs: &[Run]) -> Cell {
    let rates = || runs.iter().map(|run| run.rate_per_s);
    Cell {
        clients,
        tasks,
        rate_per_s: average(rates()),
        printed: runs.first().filter(|_| runs.len() == 1).and_then(|run| run.printed.clone()),
        whole_rate_per_s: average(runs.iter().map(|run| run.whole_rate_per_s)),
        one_tree_only: runs.iter().any(|run| run.one_tree_only),
        runs: runs.len() as u64,
        lowest_per_s: rates().fold(f64::INFINITY, f64::min),
        highest_per_s: rates().fold(0.0, f64::max),
    }
}

/// The mean of what is not empty; summed by shares, so that no sum overflows.
#[allow(clippy::cast_precision_loss)] // numbers of runs are small
fn average(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count().max(1) as f64;
    values.map(|value| value / count).sum()
}
