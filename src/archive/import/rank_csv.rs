//! mdtest's CSV file with a row per task (`--saveRankPerformanceDetails`).
//!
//! mdtest-rs begins each iteration with the row `all` and numbers iterations and tasks. mdtest itself has one row `all` a
//! number of tasks, which is that of the first iteration, and rows of tasks without trees; an iteration begins where ranks
//! begin anew.

mod build;

use crate::archive::import::{blank, number};
use crate::archive::{KnownPlacement, Record};
use crate::error::Error;
use crate::namespace::phase::Phase;
use build::Block;
use csv::{ReaderBuilder, StringRecord};

/// Rate and seconds of a row in a phase.
type Cell = (Phase, Option<f64>, Option<f64>);

/// A row of the file.
struct Row {
    /// `None` is `all`.
    rank: Option<u64>,
    items: Option<u64>,
    cells: Vec<Cell>,
    iteration: Option<u64>,
    tasks: Option<u64>,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Rank,
    Items,
    Rate(Phase),
    Seconds(Phase),
    Iteration,
    Tasks,
    Other,
}

/// The records in `bytes`, which came from `path`: one, or several where files were put behind each other.
///
/// # Errors
/// [`Error::Refused`] for a row whose rank is none.
pub fn records(path: &str, bytes: &[u8]) -> Result<Vec<Record>, Error> {
    // mdtest ends every row: the last of a file that was cut off may hold half a number.
    let whole = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    let cut = whole < bytes.len();
    let text = String::from_utf8_lossy(&bytes[..whole]);
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut columns = Vec::new();
    let mut runs: Vec<(u64, Vec<Block>)> = Vec::new();
    for read in reader.records() {
        let cells = read.map_err(|e| Error::Refused(format!("{path} is no per-rank CSV: {e}")))?;
        let line = cells.position().map_or(0, csv::Position::line);
        if cells.get(0).is_some_and(|cell| cell.trim().eq_ignore_ascii_case("rank")) {
            columns = cells.iter().map(column).collect();
            runs.push((line, Vec::new()));
            continue;
        }
        let row = row(&columns, &cells).ok_or_else(|| {
            let rank = cells.get(0).unwrap_or_default();
            Error::Refused(format!("{path}, line {line}: rank '{rank}': allowed are all and whole numbers"))
        })?;
        if let Some((_, blocks)) = runs.last_mut() {
            place(blocks, row);
        }
    }
    if let (true, Some(block)) = (cut, runs.last_mut().and_then(|(_, blocks)| blocks.last_mut())) {
        block.cut();
    }
    Ok(runs
        .into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(line, blocks)| record(path, line, blocks))
        .collect())
}

/// Into the number of tasks that it belongs to.
fn place(blocks: &mut Vec<Block>, row: Row) {
    let goes_on = blocks.last().is_some_and(|block| block.goes_on(&row));
    if !goes_on {
        blocks.push(Block::default());
    }
    if let Some(block) = blocks.last_mut() {
        block.take(row);
    }
}

fn column(cell: &str) -> Column {
    let cell = cell.trim();
    let phase = |label: &str| Phase::ALL.into_iter().find(|phase| phase.label() == label);
    if let Some(phase) = cell.strip_prefix("rate-").and_then(phase) {
        return Column::Rate(phase);
    }
    if let Some(phase) = cell.strip_prefix("time-").and_then(phase) {
        return Column::Seconds(phase);
    }
    match cell {
        "rank" => Column::Rank,
        "items" => Column::Items,
        "iteration" => Column::Iteration,
        "tasks" => Column::Tasks,
        _ => Column::Other,
    }
}

/// A row; `None` where its rank is none.
fn row(columns: &[Column], cells: &StringRecord) -> Option<Row> {
    let of = |wanted: Column| {
        let at = columns.iter().position(|column| *column == wanted)?;
        cells.get(at).map(str::trim)
    };
    let whole = |wanted: Column| of(wanted).and_then(|cell| cell.parse().ok());
    let value = |wanted: Column| of(wanted).and_then(number);
    let rank = match of(Column::Rank)? {
        "all" => None,
        rank => Some(rank.parse().ok()?),
    };
    // Reading directories is a phase without operations: what is timed there is nothing.
    let phases = Phase::ALL.into_iter().filter(|phase| *phase != Phase::DirectoryRead);
    Some(Row {
        rank,
        items: whole(Column::Items),
        cells: phases.map(|p| (p, value(Column::Rate(p)), value(Column::Seconds(p)))).collect(),
        iteration: whole(Column::Iteration),
        tasks: whole(Column::Tasks),
    })
}

fn record(path: &str, line: u64, blocks: Vec<Block>) -> Record {
    let results: Vec<_> = blocks.into_iter().map(Block::result).collect();
    // The largest number of tasks that took part need not be all there were.
    let placement = match &results[..] {
        [one] => one.tasks.map(|tasks| KnownPlacement { tasks: Some(tasks), ..KnownPlacement::default() }),
        _ => None,
    };
    Record { placement, results, ..blank(path, line, "per-rank CSV") }
}
