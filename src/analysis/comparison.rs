//! Records beside each other, phase by phase.

#[cfg(test)]
pub mod made_up;

use crate::analysis::difference::{correct, iterations_needed, Difference};
use crate::analysis::metric::{Known, Metric};
use crate::analysis::shape::{self, Differs};
use crate::analysis::verdict::Verdict;
use crate::archive::{Record, TaskCount};
use crate::namespace::phase::Phase;
use serde::Serialize;

/// How records are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// Runs of different shape are compared.
    pub force: bool,
    /// Rates are the same whose difference lies within this share of the base.
    pub same_within: f64,
}

/// Records beside each other for one workload and one number of tasks. The first column is what the others are compared to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The workload, where imported records name one.
    pub workload: Option<String>,
    /// Tasks, where the first record knows.
    pub tasks: Option<u64>,
    /// The records.
    pub columns: Vec<Column>,
    /// The phases that any of them did, in mdtest's order.
    pub rows: Vec<Row>,
}

/// A record of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its iterations, where they are known.
    pub iterations: Option<u64>,
    /// In what it differs from the first that makes numbers incomparable; not empty only where it was forced.
    pub differs: Vec<Differs>,
    /// In what else.
    pub notes: Vec<Differs>,
}

/// A phase of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The phase.
    pub phase: Phase,
    /// A cell a column.
    pub cells: Vec<Cell>,
}

/// A phase of a record.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// Mean rate as mdtest counts it, operations per second.
    pub rate_per_s: Option<f64>,
    /// The same to the digit, where an imported table has it.
    pub printed: Option<String>,
    /// Failed operations.
    pub failed: u64,
    /// Median latency, nanoseconds.
    pub p50_ns: Option<f64>,
    /// 99th percentile, nanoseconds.
    pub p99_ns: Option<f64>,
    /// Whether no other column has a higher rate.
    pub best: bool,
    /// The rate's difference to the first column.
    pub rate: Option<Difference>,
    /// The true rate's.
    pub true_rate: Option<Difference>,
    /// The median latency's.
    pub p50: Option<Difference>,
    /// The 99th percentile's.
    pub p99: Option<Difference>,
    /// On the rate.
    pub verdict: Option<Verdict>,
}

/// A record that differs from the first in what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Incomparable {
    /// Name of the first.
    pub base: String,
    /// Name of the record.
    pub new: String,
    /// In what.
    pub differs: Vec<Differs>,
}

/// The records, grouped by workload and number of tasks, each group a comparison.
///
/// # Errors
/// The first record that differs in shape from the first of its workload, unless it was forced.
pub fn compare(records: &[&Record], terms: &Terms) -> Result<Vec<Comparison>, Incomparable> {
    let mut workloads: Vec<Option<&str>> = Vec::new();
    for record in records {
        if !workloads.contains(&record.workload()) {
            workloads.push(record.workload());
        }
    }
    let mut comparisons = Vec::new();
    for workload in workloads {
        let group: Vec<&Record> = records.iter().copied().filter(|r| r.workload() == workload).collect();
        let columns = columns(&group, terms)?;
        let most = group.iter().map(|r| r.results.len()).max().unwrap_or(0);
        for place in 0..most {
            comparisons.push(comparison(workload, &group, &columns, place, terms));
        }
    }
    Ok(comparisons)
}

fn columns(group: &[&Record], terms: &Terms) -> Result<Vec<Column>, Incomparable> {
    let mut columns = Vec::new();
    for &record in group {
        let differs = shape::differences(group[0], record);
        if !differs.is_empty() && !terms.force {
            return Err(Incomparable { base: group[0].name.clone(), new: record.name.clone(), differs });
        }
        let notes = shape::notes(group[0], record);
        columns.push(Column { name: record.name.clone(), iterations: None, differs, notes });
    }
    Ok(distinct(columns))
}

/// Numbers names that are there more than once.
fn distinct(columns: Vec<Column>) -> Vec<Column> {
    let names: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
    let numbered = columns.into_iter().enumerate().map(|(place, column)| {
        let same = |list: &[String]| list.iter().filter(|name| **name == column.name).count();
        let name = match same(&names) {
            0 | 1 => column.name.clone(),
            _ => format!("{} ({})", column.name, same(&names[..=place])),
        };
        Column { name, ..column }
    });
    numbered.collect()
}

/// The results at `place` in each record.
fn comparison(
    workload: Option<&str>,
    group: &[&Record],
    columns: &[Column],
    place: usize,
    terms: &Terms,
) -> Comparison {
    let results: Vec<Option<&TaskCount>> = group.iter().map(|r| r.results.get(place)).collect();
    let columns = columns.iter().zip(&results).map(|(column, result)| Column {
        iterations: result.and_then(TaskCount::iterations_in_all),
        ..column.clone()
    });
    let ran = |phase: Phase| results.iter().flatten().any(|r| r.phases().any(|p| p == phase));
    let phases: Vec<Phase> = Phase::ALL.into_iter().filter(|&phase| ran(phase)).collect();
    let mut rows: Vec<Row> = phases.iter().map(|&phase| row(phase, &results, phases.len())).collect();
    for column in 1..results.len() {
        // Each record's comparison to the first is a family of its own: one for each phase.
        let mut family: Vec<&mut Difference> =
            rows.iter_mut().filter_map(|row| row.cells[column].rate.as_mut()).collect();
        correct(&mut family);
    }
    for row in &mut rows {
        for cell in &mut row.cells {
            cell.verdict = cell.rate.as_ref().map(|rate| Verdict::of(rate, terms.same_within));
        }
        needs(row, &results, phases.len(), terms);
    }
    Comparison {
        workload: workload.map(str::to_string),
        tasks: results.iter().flatten().next().and_then(|r| r.tasks),
        columns: columns.collect(),
        rows,
    }
}

fn row(phase: Phase, results: &[Option<&TaskCount>], phases: usize) -> Row {
    let known = |metric: Metric, column: usize| metric.of(results[column]?, phase);
    let rates: Vec<Option<Known>> = (0..results.len()).map(|column| known(Metric::Rate, column)).collect();
    let best = rates.iter().flatten().map(|k| k.value).fold(0.0, f64::max);
    let several = rates.iter().flatten().count() > 1;
    let difference = |metric: Metric, column: usize| {
        let (base, new) = (known(metric, 0)?, known(metric, column)?);
        (column > 0).then(|| Difference::of(&base, &new, phases)).flatten()
    };
    let cell = |column: usize| {
        let rate = rates[column].as_ref().map(|k| k.value);
        let summary = results[column].and_then(|r| r.of(phase)?.rate_per_s.as_ref());
        Cell {
            rate_per_s: rate,
            printed: summary.and_then(|s| s.printed.clone()),
            failed: results[column].map_or(0, |r| r.failed(phase)),
            p50_ns: known(Metric::P50, column).map(|k| k.value),
            p99_ns: known(Metric::P99, column).map(|k| k.value),
            best: several && rate.is_some_and(|rate| rate >= best),
            rate: difference(Metric::Rate, column),
            true_rate: difference(Metric::TrueRate, column),
            p50: difference(Metric::P50, column),
            p99: difference(Metric::P99, column),
            verdict: None,
        }
    };
    Row { phase, cells: (0..results.len()).map(cell).collect() }
}

/// Where it is too noisy to tell, how many iterations would tell.
fn needs(row: &mut Row, results: &[Option<&TaskCount>], phases: usize, terms: &Terms) {
    let known = |column: usize| Metric::Rate.of(results[column]?, row.phase);
    #[allow(clippy::cast_possible_truncation)] // fewer than 2^32 iterations
    let iterations =
        |column: usize| results[column].and_then(TaskCount::iterations_in_all).map_or(1, |n| n as usize);
    let Some(base) = known(0) else { return };
    for column in 1..row.cells.len() {
        let Some(new) = known(column) else { continue };
        let cell = &mut row.cells[column];
        if let (Some(Verdict::Noisy { .. }), Some(rate)) = (cell.verdict, cell.rate.as_mut()) {
            let now = (iterations(0), iterations(column));
            // What is there now does not tell: more than that.
            let needed = iterations_needed((&base, &new), now, phases, terms.same_within);
            rate.iterations_needed = needed.map(|n| n.max(now.0.min(now.1) as u64 + 1));
            cell.verdict = Some(Verdict::of(rate, terms.same_within));
        }
    }
}

#[cfg(test)]
mod tests;
