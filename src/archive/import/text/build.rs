//! From the lines of one number of tasks to its result.

use crate::archive::import::spread;
use crate::archive::import::text::event::Table;
use crate::archive::import::text::tables::{Column, Over, Value, USUAL};
use crate::archive::{Iteration, PhaseOutcome, PhaseSummary, Summary, TaskCount};
use crate::namespace::phase::Phase;
use crate::result::outcome::Spread;
use std::collections::BTreeMap;

/// One number of tasks, as the text tells it.
#[derive(Default)]
pub struct Count {
    tasks: Option<u64>,
    items: Option<u64>,
    iterations: Option<u64>,
    rates: Option<Rows>,
    times: Option<Rows>,
    open: Option<Table>,
    columns: Vec<Column>,
    /// What is told of iterations one by one.
    each: BTreeMap<u64, BTreeMap<Phase, PhaseOutcome>>,
    /// The iteration that lines are about.
    at: u64,
    each_task: Option<Table>,
}

type Rows = BTreeMap<Phase, Row>;

/// A line of a table: over iterations, and over tasks.
#[derive(Clone, Default)]
struct Row {
    iterations: Summary,
    tasks: Summary,
}

impl Count {
    /// Of `tasks` tasks on `items` items.
    pub fn new(tasks: Option<u64>, items: Option<u64>) -> Self {
        Count { tasks, items, ..Count::default() }
    }

    /// Whether this table was there already.
    pub fn has(&self, table: Table) -> bool {
        match table {
            Table::Rates => self.rates.is_some(),
            Table::Times => self.times.is_some(),
        }
    }

    /// A table begins.
    pub fn open(&mut self, table: Table, iterations: Option<u64>) {
        self.iterations = self.iterations.or(iterations);
        self.columns = USUAL.to_vec();
        self.open = Some(table);
        self.each_task = None;
        self.rows(table);
    }

    fn rows(&mut self, table: Table) -> &mut Rows {
        let rows = match table {
            Table::Rates => &mut self.rates,
            Table::Times => &mut self.times,
        };
        rows.get_or_insert_with(Rows::new)
    }

    /// Its heading.
    pub fn columns(&mut self, columns: Vec<Column>) {
        self.columns = columns;
    }

    /// A line of it; whether it was one.
    pub fn row(&mut self, phase: Phase, cells: &[Option<f64>]) -> bool {
        let Some(table) = self.open.filter(|_| cells.len() == self.columns.len()) else { return false };
        let mut row = Row::default();
        for ((over, value), cell) in self.columns.iter().zip(cells) {
            let summary = match over {
                Over::Tasks => &mut row.tasks,
                Over::Iterations => &mut row.iterations,
            };
            match value {
                Value::Max => summary.max = *cell,
                Value::Min => summary.min = *cell,
                Value::Mean => summary.mean = *cell,
                Value::StdDev => summary.std_dev = *cell,
            }
        }
        self.rows(table).entry(phase).or_insert(row);
        true
    }

    /// What follows is about iteration `index`.
    pub fn iteration(&mut self, index: u64) {
        self.at = index;
    }

    /// Rate and seconds of a phase of the iteration.
    pub fn phase(&mut self, phase: Phase, seconds: Option<f64>, rate: Option<f64>) {
        let outcome = self.outcome(phase);
        (outcome.rated_seconds, outcome.rate_per_s) = (seconds, rate);
    }

    /// Values of every task follow.
    pub fn each_task(&mut self, table: Table) {
        self.each_task = Some(table);
        self.open = None;
    }

    /// Values of every task in one phase of the iteration. Zeros of all say that it did not run; trees are made by some
    /// tasks only, and reading directories is a phase without operations.
    pub fn tasks(&mut self, phase: Phase, values: &[Option<f64>]) {
        let all = self.tasks.is_some_and(|tasks| tasks == values.len() as u64);
        let counts = phase.kind().is_some() && phase != Phase::DirectoryRead;
        if self.each_task == Some(Table::Rates) && all && counts {
            if let Some(spread) =
                values.iter().copied().collect::<Option<Vec<f64>>>().and_then(|all| spread(&all))
            {
                self.outcome(phase).task_rate_per_s = Some(spread);
            }
        }
    }

    fn outcome(&mut self, phase: Phase) -> &mut PhaseOutcome {
        let phases = self.each.entry(self.at).or_default();
        phases.entry(phase).or_insert_with(|| PhaseOutcome::unknown(phase))
    }

    /// The result.
    pub fn result(mut self) -> TaskCount {
        let statistics: Vec<PhaseSummary> =
            Phase::ALL.into_iter().filter_map(|phase| self.summary(phase)).collect();
        if self.iterations == Some(1) {
            self.at = 0;
            statistics.iter().for_each(|s| self.only_iteration(s));
        }
        let known = self.each.len() as u64;
        // With gaps, or fewer or more than there were, it is not clear which is which.
        let clear = self.each.keys().copied().eq(0..known) && self.iterations.is_none_or(|n| n == known);
        let of = |(iteration, phases): (u64, BTreeMap<Phase, PhaseOutcome>)| Iteration {
            iteration,
            clock_error_s: None,
            phases: phases.into_values().collect(),
        };
        let iterations: Vec<Iteration> = self.each.into_iter().filter(|_| clear).map(of).collect();
        TaskCount {
            tasks: self.tasks,
            items: self.items,
            iteration_count: self.iterations.filter(|_| iterations.is_empty()),
            iterations,
            statistics,
            ..TaskCount::default()
        }
    }

    /// What the tables say of `phase`; `None` where zeros say that it did not run.
    fn summary(&self, phase: Phase) -> Option<PhaseSummary> {
        let of = |rows: &Option<Rows>| rows.as_ref().and_then(|rows| rows.get(&phase)).cloned();
        let (rates, times) = (of(&self.rates), of(&self.times));
        let ran = |row: &Row| [&row.iterations, &row.tasks].into_iter().any(any_above_zero);
        if ![&rates, &times].into_iter().flatten().any(ran) {
            return None;
        }
        let iterations = |row: &Option<Row>| {
            row.as_ref().map(|row| over_iterations(&row.iterations, self.iterations)).filter(any)
        };
        let tasks = |row: Option<Row>| row.map(|row| row.tasks).filter(any);
        Some(PhaseSummary {
            rate_per_s: iterations(&rates),
            seconds: iterations(&times),
            task_rate_per_s: tasks(rates),
            task_seconds: tasks(times),
            ..PhaseSummary::unknown(phase)
        })
    }

    /// The statistics of one iteration are the iteration.
    fn only_iteration(&mut self, s: &PhaseSummary) {
        // Some versions print Max and Min over tasks: then the mean is not known to be the iteration's rate.
        let one =
            |summary: &Option<Summary>| summary.as_ref().and_then(|s| s.mean.filter(|_| s.median.is_some()));
        let (rate, seconds) = (one(&s.rate_per_s), one(&s.seconds).filter(|seconds| *seconds > 0.0));
        if rate.is_none() && seconds.is_none() {
            return;
        }
        let of_tasks = s.task_rate_per_s.as_ref().filter(|_| s.phase.kind().is_some());
        let printed = of_tasks.and_then(|t| Some(Spread { min: t.min?, mean: t.mean?, max: t.max? }));
        let outcome = self.outcome(s.phase);
        outcome.rate_per_s = rate.or(outcome.rate_per_s);
        outcome.rated_seconds = seconds.or(outcome.rated_seconds);
        outcome.task_rate_per_s = outcome.task_rate_per_s.or(printed);
    }
}

fn any(s: &Summary) -> bool {
    [s.max, s.min, s.mean, s.std_dev].into_iter().any(|value| value.is_some())
}

fn any_above_zero(s: &Summary) -> bool {
    [s.max, s.min, s.mean, s.std_dev].into_iter().flatten().any(|value| value > 0.0)
}

/// The printed numbers of `iterations` iterations. One has no deviation, though zero is printed; of one or two the median
/// is the mean.
fn over_iterations(printed: &Summary, iterations: Option<u64>) -> Summary {
    let (Some(max), Some(min), Some(mean)) = (printed.max, printed.min, printed.mean) else {
        return Summary { std_dev: printed.std_dev.filter(|_| iterations != Some(1)), ..printed.clone() };
    };
    match iterations {
        Some(1) if max.total_cmp(&min).is_eq() && max.total_cmp(&mean).is_eq() => {
            Summary { median: Some(mean), std_dev: None, ..printed.clone() }
        }
        // Rounded to a thousandth each.
        Some(2) if (f64::midpoint(max, min) - mean).abs() < 0.0011 => {
            Summary { median: Some(mean), ..printed.clone() }
        }
        _ => printed.clone(),
    }
}
