//! What the Universal Scalability Law makes of rates over clients and tasks.

use crate::analysis::scaling::{points, Grid};
use crate::report::entries::Group;
use crate::report::scaling::{heading, laws};
use crate::report::tables::{of_numbers, of_text, Cell, Table};

/// A row an operation and fit; no rows where there are too few points for any.
pub fn table(group: &Group) -> Table {
    let mut columns = vec![of_text("Operation"), of_text("Over")];
    columns.extend(laws::HEADS[1..].iter().map(|head| of_numbers(*head)));
    let mut table = Table::new("Universal Scalability Law", columns);
    for of_phase in &Grid::of(&points::measured(&group.records())).tables {
        for row in laws::rows(of_phase) {
            table.rows.push(std::iter::once(heading(of_phase)).chain(row).map(Cell::text).collect());
        }
    }
    table.note = "X(N) = λN ÷ (1 + σ(N−1) + κN(N−1)): λ is the rate of one, σ contention, κ what agreeing costs; the peak is where more \
        clients or tasks no longer help, with a ~ where it is extrapolated. Where residuals are above 10 % the law does not describe \
        what was measured."
        .to_string();
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::made_up::record;
    use crate::archive::{KnownPlacement, Record};
    use crate::namespace::phase::Phase;
    use crate::report::entries::{entries, groups};

    #[test]
    fn a_law_needs_four_numbers() {
        let of = |numbers: &[u64]| {
            let point = |&n: &u64| {
                let rate = 100.0 * n as f64 / (1.0 + 0.1 * (n as f64 - 1.0));
                let mut record = record("r", &[(Phase::FileCreate, &[rate])]);
                record.results[0].tasks = Some(n);
                record.placement =
                    Some(KnownPlacement { tasks: Some(n), nodes: Some(n), ..KnownPlacement::default() });
                record
            };
            let records: Vec<Record> = numbers.iter().map(point).collect();
            table(&groups(&entries(&records))[0])
        };
        assert!(of(&[1, 2, 4]).rows.is_empty());
        let fitted = of(&[1, 2, 4, 8]);
        let texts: Vec<&str> = fitted.rows[0].iter().map(|cell| cell.text.as_str()).collect();
        assert_eq!(texts[..6], ["File creation", "tasks", "4", "100/s", "0.1000", "0"]);
    }
}
