//! Plain CSV tables of rates, as people publish them.

use crate::archive::import::{blank, number};
use crate::archive::{KnownPlacement, PhaseSummary, Record, Summary, TaskCount};
use crate::error::Error;
use crate::namespace::phase::Phase;
use csv::{ReaderBuilder, StringRecord};

/// The heading of a table with a row a point of a sweep.
const LONG: [&str; 4] = ["operation", "clients", "processes per client", "ops per second"];

/// A table of which some lines were read.
struct Table<'a> {
    path: &'a str,
    records: Vec<Record>,
}

/// The records in `bytes`, which came from `path`: one for each column and workload, or for each number of clients and of
/// processes.
///
/// # Errors
/// [`Error::Refused`] with the line for an operation that is none of mdtest's, for a cell that is no rate, and for a
/// rate that stands twice.
pub fn records(path: &str, bytes: &[u8]) -> Result<Vec<Record>, Error> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for read in reader.records() {
        rows.push(read.map_err(|e| Error::Refused(format!("{path} is no CSV table: {e}")))?);
    }
    let Some((heading, rows)) = rows.split_first() else { return Ok(Vec::new()) };
    let mut table = Table { path, records: Vec::new() };
    let names: Vec<String> = heading.iter().map(str::to_lowercase).collect();
    if names == LONG {
        rows.iter().try_for_each(|row| table.point(row))?;
        return Ok(table.records);
    }
    let first = usize::from(names.first().is_some_and(|name| name == "workload")) + 1;
    table.check_heading(heading, first)?;
    rows.iter().try_for_each(|row| table.columns(heading, first, row))?;
    // In the order of workloads, then of columns.
    let place = |record: &Record| {
        let name = record.origin.as_ref().and_then(|origin| origin.name.as_deref());
        heading.iter().position(|cell| Some(cell) == name)
    };
    let mut workloads: Vec<Option<String>> = Vec::new();
    for record in &table.records {
        let workload = record.workload().map(str::to_string);
        if !workloads.contains(&workload) {
            workloads.push(workload);
        }
    }
    let workload = |r: &Record| workloads.iter().position(|known| known.as_deref() == r.workload());
    table.records.sort_by_key(|record| (workload(record), place(record)));
    Ok(table.records)
}

impl Table<'_> {
    fn refuse<T>(&self, row: &StringRecord, why: &str) -> Result<T, Error> {
        let line = row.position().map_or(0, csv::Position::line);
        Err(Error::Refused(format!("{}, line {line}: {why}", self.path)))
    }

    /// Every column has a name of its own.
    fn check_heading(&self, heading: &StringRecord, first: usize) -> Result<(), Error> {
        if first == 2 && heading.get(1).is_none_or(|name| !name.eq_ignore_ascii_case("operation")) {
            return self.refuse(heading, "the second column: allowed is operation");
        }
        let names: Vec<&str> = heading.iter().skip(first).collect();
        if names.is_empty() {
            return self.refuse(heading, "no column of rates: allowed is one or more behind operation");
        }
        for (index, name) in names.iter().enumerate() {
            if name.is_empty() || names[..index].contains(name) {
                return self.refuse(heading, &format!("column '{name}': allowed are names, each once"));
            }
        }
        Ok(())
    }

    /// A row with a rate in each column.
    fn columns(&mut self, heading: &StringRecord, first: usize, row: &StringRecord) -> Result<(), Error> {
        if row.len() > heading.len() {
            return self.refuse(row, &format!("{} cells: allowed are {}", row.len(), heading.len()));
        }
        let phase = self.phase(row, first - 1)?;
        let workload = (first == 2).then(|| row.get(0).unwrap_or_default());
        for (name, cell) in heading.iter().zip(row).skip(first) {
            let Some(rate) = self.rate(row, name, cell)? else { continue };
            let record = self.record(row, name, workload);
            add(record, None, phase, rate).or_else(|()| {
                self.refuse(row, &format!("{} stands twice: allowed is once", phase.label()))
            })?;
        }
        Ok(())
    }

    /// A row of one point of a sweep.
    fn point(&mut self, row: &StringRecord) -> Result<(), Error> {
        let phase = self.phase(row, 0)?;
        let clients = self.count(row, 1)?;
        let processes = self.count(row, 2)?;
        let Some(tasks) = clients.checked_mul(processes) else {
            return self.refuse(row, &format!("{clients} clients x {processes}: allowed are fewer"));
        };
        let Some(rate) = self.rate(row, LONG[3], row.get(3).unwrap_or_default())? else { return Ok(()) };
        let plural = if clients == 1 { "" } else { "s" };
        let record = self.record(row, &format!("{clients} client{plural} x {processes}"), None);
        record.placement =
            Some(KnownPlacement { tasks: Some(tasks), nodes: Some(clients), ..KnownPlacement::default() });
        add(record, Some(tasks), phase, rate)
            .or_else(|()| self.refuse(row, &format!("{} stands twice: allowed is once", phase.label())))
    }

    fn phase(&self, row: &StringRecord, column: usize) -> Result<Phase, Error> {
        let cell = row.get(column).unwrap_or_default();
        let found = Phase::ALL
            .into_iter()
            .find(|phase| phase.label().eq_ignore_ascii_case(cell) || phase.id().eq_ignore_ascii_case(cell));
        let labels = || Phase::ALL.map(Phase::label).join(", ");
        found.map_or_else(|| self.refuse(row, &format!("operation '{cell}': allowed are {}", labels())), Ok)
    }

    fn count(&self, row: &StringRecord, column: usize) -> Result<u64, Error> {
        let cell = row.get(column).unwrap_or_default();
        match cell.parse() {
            Ok(count) if count > 0 => Ok(count),
            _ => self.refuse(row, &format!("{} '{cell}': allowed is a whole number from 1", LONG[column])),
        }
    }

    /// A rate and how it is printed; `None` where the cell says that there is none. mdtest prints zero for a phase that
    /// did not run.
    fn rate<'c>(
        &self,
        row: &StringRecord,
        name: &str,
        cell: &'c str,
    ) -> Result<Option<(f64, &'c str)>, Error> {
        if cell.is_empty() || cell == "-" {
            return Ok(None);
        }
        match number(cell) {
            Some(rate) => Ok(Some((rate, cell)).filter(|_| rate > 0.0)),
            None => self.refuse(row, &format!("{name} '{cell}': allowed are a rate, '-' and an empty cell")),
        }
    }

    /// The record of that name and workload, made where it is not there yet.
    fn record(&mut self, row: &StringRecord, name: &str, workload: Option<&str>) -> &mut Record {
        let is_it = |record: &Record| {
            record.origin.as_ref().and_then(|o| o.name.as_deref()) == Some(name)
                && record.workload() == workload
        };
        let at = self.records.iter().position(is_it).unwrap_or_else(|| {
            let line = row.position().map_or(0, csv::Position::line);
            let mut record = blank(self.path, line, "CSV table");
            if let Some(origin) = &mut record.origin {
                origin.name = Some(name.to_string());
                origin.workload = workload.map(str::to_string);
            }
            self.records.push(record);
            self.records.len() - 1
        });
        &mut self.records[at]
    }
}

/// Adds a rate; that of a phase stands once.
fn add(
    record: &mut Record,
    tasks: Option<u64>,
    phase: Phase,
    (rate, printed): (f64, &str),
) -> Result<(), ()> {
    if record.results.is_empty() {
        record.results.push(TaskCount { tasks, ..TaskCount::default() });
    }
    let Some(result) = record.results.first_mut() else { return Ok(()) };
    if result.of(phase).is_some() {
        return Err(());
    }
    let rate = Summary { mean: Some(rate), printed: Some(printed.to_string()), ..Summary::default() };
    result.statistics.push(PhaseSummary { rate_per_s: Some(rate), ..PhaseSummary::unknown(phase) });
    result.statistics.sort_by_key(|s| s.phase);
    Ok(())
}
