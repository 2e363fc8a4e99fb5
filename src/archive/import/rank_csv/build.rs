//! From the rows of one number of tasks to its result.

use super::{Cell, Row};
use crate::archive::import::{of_iterations, spread};
use crate::archive::{Iteration, PhaseOutcome, PhaseSummary, Summary, TaskCount};
use crate::namespace::phase::Phase;
use crate::result::outcome::Spread;
use crate::result::statistics;

/// The rows of one number of tasks.
#[derive(Default)]
pub struct Block {
    /// As the rows have it.
    tasks: Option<u64>,
    /// Whether the rows tell iteration and tasks.
    numbered: bool,
    /// Items of each task.
    items: Option<u64>,
    rounds: Vec<Round>,
    cut: bool,
}

/// The rows of an iteration.
#[derive(Default)]
struct Round {
    /// As the rows have it.
    iteration: Option<u64>,
    all: Option<Vec<Cell>>,
    tasks: Vec<Vec<Cell>>,
}

impl Block {
    /// Whether `row` belongs here.
    pub fn goes_on(&self, row: &Row) -> bool {
        match (row.tasks, row.iteration, self.rounds.last()) {
            (Some(_), Some(iteration), Some(last)) => {
                row.tasks == self.tasks && last.iteration.is_some_and(|known| iteration >= known)
            }
            _ => row.rank.is_some(),
        }
    }

    /// Takes the next row.
    pub fn take(&mut self, row: Row) {
        if self.rounds.is_empty() {
            self.tasks = row.tasks;
            self.numbered = row.tasks.is_some() && row.iteration.is_some();
        }
        let anew = match (self.rounds.last(), row.rank) {
            (None, _) => true,
            (Some(last), _) if self.numbered => last.iteration != row.iteration,
            (Some(last), Some(rank)) => rank < last.tasks.len() as u64,
            (Some(_), None) => true,
        };
        if anew {
            self.rounds.push(Round { iteration: row.iteration, ..Round::default() });
        }
        let Some(round) = self.rounds.last_mut() else { return };
        match row.rank {
            None => {
                self.items = row.items;
                round.all = Some(row.cells);
            }
            // A row that is not there leaves all that follow without a place.
            Some(rank) if rank == round.tasks.len() as u64 => round.tasks.push(row.cells),
            Some(_) => {}
        }
    }

    /// The last row is lost.
    pub fn cut(&mut self) {
        self.cut = true;
    }

    /// The result.
    pub fn result(self) -> TaskCount {
        let tasks = self.how_many();
        let outcomes = |round: &Round| -> Vec<PhaseOutcome> {
            Phase::ALL.into_iter().filter_map(|phase| round.outcome(phase, tasks, self.numbered)).collect()
        };
        let iterations: Vec<Iteration> = (0..)
            .zip(&self.rounds)
            .map(|(index, round)| Iteration {
                iteration: round.iteration.unwrap_or(index),
                clock_error_s: None,
                phases: outcomes(round),
            })
            .collect();
        TaskCount {
            tasks,
            items: tasks.zip(self.items).and_then(|(tasks, items)| tasks.checked_mul(items)),
            statistics: Phase::ALL.into_iter().filter_map(|phase| summary(phase, &iterations)).collect(),
            iterations,
            ..TaskCount::default()
        }
    }

    /// How many tasks: as the rows say, else as many as there are rows of tasks, if all of them are there.
    fn how_many(&self) -> Option<u64> {
        let rows = self.rounds.first().map(|round| round.tasks.len() as u64).filter(|rows| *rows > 0);
        let certain = !self.cut || self.rounds.len() > 1;
        self.tasks.or(rows.filter(|_| certain))
    }
}

impl Round {
    /// What the rows say of `phase`. mdtest's own rate of trees in the row `all` is none that its table has: it is let be.
    fn outcome(&self, phase: Phase, tasks: Option<u64>, numbered: bool) -> Option<PhaseOutcome> {
        let all = self.all.as_ref().filter(|_| numbered || phase.kind().is_some());
        let of = |cells: &Vec<Cell>| cells.iter().find(|cell| cell.0 == phase).copied();
        let above = |value: Option<f64>| value.filter(|v| *v > 0.0);
        let (rate, seconds) = all.and_then(of).map_or((None, None), |(_, rate, s)| (above(rate), above(s)));
        let complete = tasks == Some(self.tasks.len() as u64) && phase.kind().is_some();
        let each = self.tasks.iter().map(|cells| of(cells)?.1).collect::<Option<Vec<f64>>>();
        let task_rate_per_s = each.filter(|_| complete).and_then(|values| spread(&values));
        (rate.is_some() || seconds.is_some() || task_rate_per_s.is_some()).then(|| PhaseOutcome {
            rate_per_s: rate,
            rated_seconds: seconds,
            task_rate_per_s,
            ..PhaseOutcome::unknown(phase)
        })
    }
}

/// Statistics of what is known of every iteration.
fn summary(phase: Phase, iterations: &[Iteration]) -> Option<PhaseSummary> {
    let each = |value: fn(&PhaseOutcome) -> Option<f64>| -> Option<statistics::Summary> {
        let outcome = |i: &Iteration| i.phases.iter().find(|p| p.phase == phase).and_then(value);
        statistics::Summary::of(&iterations.iter().map(outcome).collect::<Option<Vec<f64>>>()?)
    };
    let of_tasks = |value: fn(&Spread) -> f64| -> Option<statistics::Summary> {
        let spread =
            |i: &Iteration| i.phases.iter().find(|p| p.phase == phase)?.task_rate_per_s.as_ref().map(value);
        statistics::Summary::of(&iterations.iter().map(spread).collect::<Option<Vec<f64>>>()?)
    };
    let task_rate_per_s = of_tasks(|s| s.mean).map(|means| Summary {
        max: of_tasks(|s| s.max).map(|s| s.max),
        min: of_tasks(|s| s.min).map(|s| s.min),
        mean: Some(means.mean),
        median: Some(means.median),
        ..Summary::default()
    });
    let (rate_per_s, seconds) =
        (each(|p| p.rate_per_s).map(of_iterations), each(|p| p.rated_seconds).map(of_iterations));
    (rate_per_s.is_some() || seconds.is_some() || task_rate_per_s.is_some()).then(|| PhaseSummary {
        rate_per_s,
        seconds,
        task_rate_per_s,
        ..PhaseSummary::unknown(phase)
    })
}
