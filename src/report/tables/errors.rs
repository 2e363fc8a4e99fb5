//! Failed operations by phase and kind, over all iterations.

use crate::archive::TaskCount;
use crate::namespace::phase::Phase;
use crate::report::plain::{count, plain, shortened};
use crate::report::tables::{of_numbers, of_text, Cell, Mark, Table};
use crate::result::outcome::ErrorCount;

/// Characters of a path that are shown.
const PATH: usize = 200;

/// A row a phase and kind; no rows where nothing failed.
pub fn table(result: &TaskCount) -> Table {
    let columns = vec![
        of_text("Phase"),
        of_text("Kind"),
        of_numbers("Count"),
        of_text("What it means"),
        of_text("First call"),
        of_text("First path"),
        of_text("First task"),
    ];
    let mut table = Table::new("Failed operations over all iterations", columns);
    for phase in result.phases() {
        table.rows.extend(kinds(result, phase).into_iter().map(|(first, count)| row(phase, first, count)));
    }
    table
}

/// The first of each kind, and how many there are in all.
fn kinds(result: &TaskCount, phase: Phase) -> Vec<(&ErrorCount, u64)> {
    let mut kinds: Vec<(&ErrorCount, u64)> = Vec::new();
    for error in result.outcomes(phase).flat_map(|p| &p.errors) {
        match kinds.iter_mut().find(|(first, _)| first.kind == error.kind) {
            Some((_, count)) => *count = count.saturating_add(error.count),
            None => kinds.push((error, error.count)),
        }
    }
    kinds
}

fn row(phase: Phase, first: &ErrorCount, all: u64) -> Vec<Cell> {
    vec![
        Cell::text(phase.label()),
        Cell::text(plain(&first.kind)).marked(Mark::Bad),
        Cell::number(all as f64, count(all)),
        Cell::text(plain(&first.text)),
        Cell::text(plain(&first.operation)),
        Cell::text(shortened(&first.path, PATH)),
        Cell::text(format!("rank {} on {}", first.first.rank, shortened(&first.first.host, 60))),
    ]
}
