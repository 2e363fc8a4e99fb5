//! Entries beside each other: a column each, the ratio to the first, the best of each row marked.

use crate::namespace::phase::Phase;
use crate::report::entries::Group;
use crate::report::plain::{plain, value};
use crate::report::tables::rates::mean;
use crate::report::tables::{of_numbers, of_text, Cell, Mark, Table};

/// A row a phase that some entry has a rate of.
pub fn table(group: &Group) -> Table {
    let mut columns = vec![of_text("Phase")];
    columns.extend(group.entries.iter().map(|entry| of_numbers(entry.name.clone())));
    let first = group.entries.first().map_or("", |entry| entry.name.as_str());
    let caption = match group.workload {
        Some(workload) => format!("Rates in operations per second, workload {}", plain(workload)),
        None => "Rates in operations per second".to_string(),
    };
    let mut table = Table::new(caption, columns);
    table.rows = Phase::ALL.into_iter().filter_map(|phase| row(group, phase)).collect();
    table.note = format!("In brackets: times the rate of {first}. ★ marks the best of a row.");
    table
}

fn row(group: &Group, phase: Phase) -> Option<Vec<Cell>> {
    let summaries: Vec<_> =
        group.entries.iter().map(|e| e.result.of(phase).and_then(|s| s.rate_per_s.as_ref())).collect();
    let rates: Vec<Option<f64>> = summaries.iter().map(|s| s.and_then(|s| s.mean)).collect();
    let known = || rates.iter().flatten().copied();
    let best = known().max_by(f64::total_cmp)?;
    let distinct = known().any(|rate| rate < best);
    let first = rates[0].filter(|rate| *rate > 0.0);
    let mut cells = vec![Cell::text(phase.label())];
    for (index, summary) in summaries.into_iter().enumerate() {
        let mut cell = mean(summary);
        if let (Some(rate), Some(first), true) = (rates[index], first, index > 0) {
            cell.text += &format!(" ({}×)", ratio(rate / first));
        }
        if distinct && rates[index] == Some(best) {
            cell.text = format!("★ {}", cell.text);
            cell.mark = Mark::Best;
        }
        cells.push(cell);
    }
    Some(cells)
}

fn ratio(times: f64) -> String {
    if times >= 999.5 {
        value(times)
    } else if times >= 9.995 {
        format!("{times:.1}")
    } else {
        format!("{times:.2}")
    }
}
