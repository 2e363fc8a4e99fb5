//! Rates over clients and tasks: tables, speed-up, and what the Universal Scalability Law makes of them.

pub mod points;
pub mod usl;

use crate::namespace::phase::Phase;
use points::Measured;
use serde::{Deserialize, Serialize};
use usl::Usl;

/// Rates of each operation over clients and tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grid {
    /// A table an operation and combination of varied values, in the order of [`Phase::ALL`].
    pub tables: Vec<Table>,
}

/// An option of the runs that differs between points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Varied {
    /// The option as typed, `-w`, or what else tells the points apart.
    pub option: String,
    /// Its value.
    pub value: String,
}

/// One operation over clients and tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The operation.
    pub phase: Phase,
    /// What was the same for all cells and is not for those of other tables.
    pub varied: Vec<Varied>,
    /// By clients, then tasks; each pair once.
    pub cells: Vec<Cell>,
}

/// One operation at one point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// Nodes that took part, where it is known.
    pub clients: Option<u64>,
    /// Tasks in all.
    pub tasks: u64,
    /// mdtest's rate, operations per second: the mean over runs of each run's mean over iterations.
    pub rate_per_s: f64,
    /// The rate to the digit as it was printed, where it is of one run.
    pub printed: Option<String>,
    /// The rate by which the point is judged: of trees that of all trees where it is known, else as above.
    pub whole_rate_per_s: f64,
    /// Whether mdtest's rate, of one tree, had to do for that of all trees.
    pub one_tree_only: bool,
    /// Runs.
    pub runs: u64,
    /// The lowest mean of a run, operations per second.
    pub lowest_per_s: f64,
    /// The highest.
    pub highest_per_s: f64,
}

/// How much faster a point is than a smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SpeedUp {
    /// Rate ÷ rate of the smaller point.
    pub factor: f64,
    /// That ÷ how many times as many clients or tasks there are: 1 is ideal.
    pub efficiency: f64,
}

/// Over what the law is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// All cells, over tasks in all.
    Tasks,
    /// The cells with so many tasks a client, over clients.
    Clients {
        /// Tasks on each client.
        tasks_per_client: u64,
    },
}

/// A fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Over what.
    pub over: Over,
    /// Different numbers of tasks or clients there are; [`usl::LEAST_NUMBERS`] are needed.
    pub numbers: usize,
    /// The law; none where there are too few.
    pub law: Option<Usl>,
}

impl Cell {
    /// Tasks on each client, where all have the same number.
    pub fn tasks_per_client(&self) -> Option<u64> {
        let clients = self.clients.filter(|&c| c > 0 && self.tasks.is_multiple_of(c))?;
        Some(self.tasks / clients)
    }

    /// How far its runs are apart: (highest − lowest) ÷ mean; 0 of one run.
    pub fn spread(&self) -> f64 {
        if self.rate_per_s > 0.0 {
            (self.highest_per_s - self.lowest_per_s) / self.rate_per_s
        } else {
            0.0
        }
    }
}

impl Table {
    /// Whether each cell has the same number of tasks on each of its clients: a grid of clients by tasks a client.
    pub fn is_by_clients(&self) -> bool {
        self.cells.iter().all(|cell| cell.tasks_per_client().is_some())
    }

    /// Numbers of clients, ascending.
    pub fn clients(&self) -> Vec<u64> {
        distinct(self.cells.iter().filter_map(|cell| cell.clients))
    }

    /// Numbers of tasks a client, ascending.
    pub fn tasks_per_client(&self) -> Vec<u64> {
        distinct(self.cells.iter().filter_map(Cell::tasks_per_client))
    }

    /// The cell with so many clients and tasks on each.
    pub fn cell(&self, clients: u64, tasks_per_client: u64) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| cell.clients == Some(clients) && cell.tasks_per_client() == Some(tasks_per_client))
    }

    /// The cell with the fewest tasks, on the fewest clients.
    pub fn smallest(&self) -> Option<&Cell> {
        self.cells.iter().min_by_key(|cell| (cell.tasks, cell.clients))
    }

    /// `cell` against the one with as many tasks a client and the fewest clients; none where that has no rate.
    pub fn over_clients(&self, cell: &Cell) -> Option<SpeedUp> {
        let column = cell.tasks_per_client()?;
        let same = self.cells.iter().filter(|c| c.tasks_per_client() == Some(column));
        let base = same.min_by_key(|c| c.clients)?;
        speed_up(cell, base, cell.clients?, base.clients?)
    }

    /// `cell` against the [`Table::smallest`]; none where that has no rate.
    pub fn over_tasks(&self, cell: &Cell) -> Option<SpeedUp> {
        let base = self.smallest()?;
        speed_up(cell, base, cell.tasks, base.tasks)
    }

    /// The law over tasks in all, and over clients for each number of tasks a client where there are enough of them.
    pub fn fits(&self) -> Vec<Fit> {
        let mut fits = vec![fit(Over::Tasks, self.cells.iter().map(|c| (c.tasks, c.whole_rate_per_s)))];
        for tasks_per_client in self.tasks_per_client() {
            let column = self.cells.iter().filter(|c| c.tasks_per_client() == Some(tasks_per_client));
            let points = column.filter_map(|c| Some((c.clients?, c.whole_rate_per_s)));
            let fit = fit(Over::Clients { tasks_per_client }, points);
            fits.extend(Some(fit).filter(|fit| fit.law.is_some()));
        }
        fits
    }
}

#[allow(clippy::cast_precision_loss)] // numbers of tasks are far below 2^53
fn fit(over: Over, points: impl Iterator<Item = (u64, f64)>) -> Fit {
    let points: Vec<(f64, f64)> = points.map(|(n, rate)| (n as f64, rate)).collect();
    let usable = points.iter().filter(|(n, rate)| usl::is_usable(*n, *rate));
    let numbers = distinct(usable.map(|(n, _)| n.to_bits())).len();
    Fit { over, numbers, law: Usl::fit(&points) }
}

#[allow(clippy::cast_precision_loss)] // as above
fn speed_up(cell: &Cell, base: &Cell, number: u64, base_number: u64) -> Option<SpeedUp> {
    let factor = cell.whole_rate_per_s / base.whole_rate_per_s;
    let times = number as f64 / base_number as f64;
    let known = base.whole_rate_per_s > 0.0 && factor.is_finite() && times > 0.0;
    known.then(|| SpeedUp { factor, efficiency: factor / times })
}

fn distinct(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

impl Grid {
    /// The tables of these runs. Runs of the same point are averaged.
    pub fn of(measured: &[Measured]) -> Self {
        let mut combinations: Vec<&[Varied]> = Vec::new();
        for run in measured {
            if !combinations.contains(&run.varied.as_slice()) {
                combinations.push(&run.varied);
            }
        }
        let mut tables = Vec::new();
        for phase in Phase::ALL {
            for &varied in &combinations {
                let cells = points::cells(measured, varied, phase);
                // Programs print zeros for what they did not do.
                if cells.iter().any(|cell| cell.rate_per_s > 0.0) {
                    tables.push(Table { phase, varied: varied.to_vec(), cells });
                }
            }
        }
        Grid { tables }
    }
}

#[cfg(test)]
mod tests;
