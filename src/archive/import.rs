//! From what other programs printed to records: mdtest's text, its per-rank CSV, plain CSV tables. Nothing is guessed:
//! what a file does not tell is absent, and [`Origin::unknown`] names it.

mod lines;
mod rank_csv;
mod table;
mod text;

use crate::archive::{Iteration, Origin, Record, Summary, TaskCount, IMPORTED_SCHEMA};
use crate::error::Error;
use crate::result::outcome::Spread;
use crate::result::statistics;

/// The records in `bytes`, which came from `path`; `name` is what they are called if the file does not say.
///
/// # Errors
/// [`Error::Refused`] where there are none, and for a table with a cell that is no rate.
pub fn records(path: &str, name: &str, bytes: &[u8]) -> Result<Vec<Record>, Error> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut found = match first_cells(bytes) {
        [first, second] if first == "rank" && second == "items" => rank_csv::records(path, bytes)?,
        [first, second] if ["workload", "operation"].contains(&first.as_str()) && !second.is_empty() => {
            table::records(path, bytes)?
        }
        _ => text::records(path, bytes),
    };
    if found.is_empty() {
        return Err(Error::Refused(format!(
            "{path} holds no record: allowed are a file that --json or import wrote, a log of mdtest, its per-rank CSV, \
             and a CSV table that begins with 'workload,operation,', 'operation,<names>' or \
             'operation,clients,processes per client,ops per second'"
        )));
    }
    let several = found.len() > 1;
    for (index, record) in found.iter_mut().enumerate() {
        let own = record.origin.as_ref().and_then(|origin| origin.name.clone());
        record.name = own.unwrap_or_else(|| match several {
            true => format!("{name}-{}", index + 1),
            false => name.to_string(),
        });
        let unknown = unknown(record);
        if let Some(origin) = &mut record.origin {
            origin.unknown = unknown;
        }
    }
    Ok(found)
}

/// The first two cells of the first line that is not blank, if it is one of a CSV file: in lower case, without quotes.
fn first_cells(bytes: &[u8]) -> [String; 2] {
    const LONGEST: usize = 1 << 16; // a heading that is longer is none
    let mut lines = bytes.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let line = lines.find(|line| !line.starts_with(b"#")).unwrap_or_default();
    let line = String::from_utf8_lossy(&line[..line.len().min(LONGEST)]).to_lowercase();
    let mut cells = line.split(',').map(|cell| cell.trim().trim_matches('"').trim().to_string());
    [cells.next().unwrap_or_default(), cells.next().unwrap_or_default()]
}

/// A record of which nothing is known but where it was found.
fn blank(path: &str, line: u64, format: &str) -> Record {
    let origin = Origin { file: path.to_string(), line, format: format.to_string(), ..Origin::default() };
    Record {
        schema: IMPORTED_SCHEMA.to_string(),
        version: Some(env!("CARGO_PKG_VERSION").to_string()),
        origin: Some(origin),
        ..Record::default()
    }
}

/// What is not known of a record that was imported, in words.
fn unknown(record: &Record) -> Vec<String> {
    let placement = record.placement.unwrap_or_default();
    let tasks = placement.tasks.is_some() || record.results.iter().any(|r| r.tasks.is_some());
    let every =
        |known: fn(&TaskCount) -> bool| !record.results.is_empty() && record.results.iter().all(known);
    let rates = every(|r| r.statistics.iter().any(|s| s.rate_per_s.is_some()));
    let seconds = every(|r| r.statistics.iter().any(|s| s.seconds.is_some()));
    let rated = |i: &Iteration| i.phases.iter().any(|p| p.rate_per_s.is_some() || p.rated_seconds.is_some());
    [
        (record.started.is_none(), "start of the run"),
        (record.finished.is_none(), "end of the run"),
        (record.command_line.is_empty(), "command line"),
        (!tasks, "tasks"),
        (placement.nodes.is_none(), "nodes"),
        (record.fs_type().is_none(), "file system type"),
        (!rates, "rates"),
        (!seconds, "seconds"),
        (!every(|r| r.iterations_in_all().is_some()), "number of iterations"),
        (
            record.results.iter().any(|r| r.iterations.is_empty() || !r.iterations.iter().all(rated)),
            "iterations one by one",
        ),
        (!every(|r| r.statistics.iter().any(|s| s.task_rate_per_s.is_some())), "rates of single tasks"),
        (true, "true rates"),
        (true, "latencies"),
        (true, "errors"),
        (true, "course of the phases"),
    ]
    .into_iter()
    .filter(|(absent, _)| *absent)
    .map(|(_, what)| what.to_string())
    .collect()
}

/// A summary that was computed of iterations that are known one by one.
fn of_iterations(s: statistics::Summary) -> Summary {
    Summary {
        max: Some(s.max),
        min: Some(s.min),
        mean: Some(s.mean),
        median: Some(s.median),
        std_dev: s.std_dev,
        interval: s.interval,
        printed: None,
    }
}

/// Smallest, mean, largest of values that are not all zero.
fn spread(values: &[f64]) -> Option<Spread> {
    let s = statistics::Summary::of(values)?;
    (s.max > 0.0).then_some(Spread { min: s.min, mean: s.mean, max: s.max })
}

/// A number that a file may hold: plain, finite, not negative.
fn number(word: &str) -> Option<f64> {
    let plain = word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    word.parse::<f64>().ok().filter(|value| plain && value.is_finite() && *value >= 0.0)
}

#[cfg(test)]
mod tests;
