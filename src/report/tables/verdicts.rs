//! What differs between records, and whether it is more than noise.

use crate::analysis::comparison::{compare, Cell as Compared, Comparison, Row, Terms};
use crate::analysis::difference::Difference;
use crate::analysis::shape::Differs;
use crate::analysis::verdict::Verdict;
use crate::report::comparison::{interval, legend, ratio, signed};
use crate::report::entries::Group;
use crate::report::plain::{counted, plain};
use crate::report::tables::{of_numbers, of_text, Cell, Mark, Table};

/// Rates within this share of each other are the same.
const SAME_WITHIN: f64 = 0.05;

/// A table for each number of tasks, with a row a phase; none where nothing can be told of any phase.
pub fn tables(group: &Group) -> Vec<Table> {
    let comparisons =
        compare(&group.records(), &Terms { force: true, same_within: SAME_WITHIN }).unwrap_or_default();
    comparisons.iter().filter(|c| c.columns.len() > 1).filter_map(table).collect()
}

fn table(comparison: &Comparison) -> Option<Table> {
    let told = |cell: &Compared| !matches!(cell.verdict, None | Some(Verdict::Single));
    if !comparison.rows.iter().flat_map(|row| &row.cells).any(told) {
        return None;
    }
    let first = plain(&comparison.columns[0].name);
    let pair = comparison.columns.len() == 2;
    let mut columns = vec![of_text("Phase")];
    for column in &comparison.columns[1..] {
        let name = plain(&column.name);
        columns.extend([of_numbers(format!("{name}: rate")), of_numbers("95 %"), of_text("Verdict")]);
    }
    if pair {
        columns.extend([of_numbers("p50"), of_numbers("p99")]);
    }
    let tasks = comparison.tasks.map_or(String::new(), |n| format!(", {}", counted(n, "task")));
    let mut table = Table::new(format!("Differences to {first}{tasks}"), columns);
    table.rows = comparison.rows.iter().map(|row| cells(row, pair)).collect();
    table.note = note(comparison, &first);
    Some(table)
}

fn cells(row: &Row, pair: bool) -> Vec<Cell> {
    let mut cells = vec![Cell::text(row.phase.label())];
    for cell in &row.cells[1..] {
        let Some(rate) = &cell.rate else {
            cells.extend([Cell::unknown(), Cell::unknown(), Cell::text("not in both")]);
            continue;
        };
        let mark = match cell.verdict {
            Some(Verdict::Faster { .. }) => Mark::Best,
            Some(Verdict::Slower { .. }) => Mark::Bad,
            _ => Mark::None,
        };
        let words = cell.verdict.map_or(String::new(), |v| v.words());
        cells.extend([
            Cell::number(rate.share, signed(rate.share)),
            Cell::text(interval(rate).replace('-', "−")),
            Cell::text(words).marked(mark),
        ]);
    }
    if pair {
        let of = |d: Option<Difference>| d.map_or_else(Cell::unknown, |d| Cell::number(d.ratio, ratio(&d)));
        cells.extend([of(row.cells[1].p50), of(row.cells[1].p99)]);
    }
    cells
}

fn note(comparison: &Comparison, first: &str) -> String {
    let mut sentences: Vec<String> = legend(comparison, true).into_iter().collect();
    for column in &comparison.columns[1..] {
        let list = |what: &[Differs]| {
            let parts = what.iter().map(|d| plain(&format!("{} ({} against {})", d.what, d.base, d.new)));
            parts.collect::<Vec<_>>().join(", ")
        };
        if !column.differs.is_empty() {
            let (name, what) = (plain(&column.name), list(&column.differs));
            sentences.push(format!("{name} is of another shape than {first}: {what}."));
        }
        if !column.notes.is_empty() {
            sentences.push(format!("{} also differs in {}.", plain(&column.name), list(&column.notes)));
        }
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::made_up::record;
    use crate::archive::Record;
    use crate::namespace::phase::Phase;
    use crate::report::entries::{entries, groups};

    #[test]
    fn verdicts_stand_where_something_can_be_told() {
        let of = |records: &[Record]| tables(&groups(&entries(records))[0]);
        let rates = |x: f64| [x, x * 1.01, x * 0.99];
        let (a, b) = (rates(100.0), rates(200.0));
        let both = of(&[record("a", &[(Phase::FileCreate, &a)]), record("b", &[(Phase::FileCreate, &b)])]);
        assert_eq!(both.len(), 1);
        let texts: Vec<&str> = both[0].rows[0].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts[..2], ["File creation", "+100 %"]);
        assert_eq!((texts[3], both[0].rows[0][3].mark), ("faster by 100 %", Mark::Best));
        assert!(both[0].note.contains("Welch"), "{}", both[0].note);
        let single =
            of(&[record("a", &[(Phase::FileCreate, &[1.0])]), record("b", &[(Phase::FileCreate, &[2.0])])]);
        assert_eq!(single, []);
    }
}
