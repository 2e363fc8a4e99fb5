//! Records as Markdown that reads as text: tables, findings, errors.

use crate::archive::{Record, TaskCount};
use crate::report::chart::scaling;
use crate::report::entries::{entries, groups, Group};
use crate::report::grid::Grid;
use crate::report::plain::{counted, literal, plain, typed};
use crate::report::tables::{self, facts::Fact, Table};

/// The text of these records.
pub fn text(records: &[Record]) -> String {
    let entries = entries(records);
    let mut out = String::new();
    let groups = groups(&entries);
    for group in &groups {
        out += &several(group);
    }
    for (index, record) in records.iter().enumerate() {
        let name = if record.name.is_empty() { format!("Record {}", index + 1) } else { plain(&record.name) };
        out += &format!("# {}\n\n", literal(&name));
        out += &one(record);
    }
    out.trim_end().to_string() + "\n"
}

fn several(group: &Group) -> String {
    let mut out = String::new();
    if group.is_comparison() {
        out += "# Comparison\n\n";
        out += &table(&tables::comparison::table(group));
        out += &tables::verdicts::tables(group).iter().map(table).collect::<String>();
    }
    if group.is_sweep() {
        out += "# Scaling\n\n";
        for of_sizes in tables::scaling::tables(group, &scaling::phases(group)) {
            out += &table(&of_sizes);
        }
        out += &table(&tables::laws::table(group));
    }
    out
}

fn one(record: &Record) -> String {
    let mut out = String::new();
    if !record.command_line.is_empty() {
        out += &format!("    {}\n\n", typed(&record.command_line));
    }
    let told = |(name, _): &Fact| name != "Command line";
    out += &pairs(tables::facts::run(record).into_iter().filter(told));
    out += &pairs(tables::facts::place(record).into_iter());
    if !record.warnings.is_empty() {
        out += "## Warnings\n\n";
        out += &sentences(record.warnings.iter().map(|w| plain(w)));
    }
    for result in &record.results {
        out += &results(result);
    }
    out
}

fn results(result: &TaskCount) -> String {
    let mut out = format!("## {}\n\n", result.tasks.map_or("Results".to_string(), |n| counted(n, "task")));
    out += &table(&tables::rates::table(result));
    if !result.findings.is_empty() {
        out += "Findings:\n\n";
        out += &sentences(result.findings.iter().map(|f| plain(&f.text) + "."));
    }
    for part in [tables::slow::table(result), tables::slow::spread(result), tables::errors::table(result)] {
        out += &table(&part);
    }
    out
}

fn pairs(facts: impl Iterator<Item = Fact>) -> String {
    let lines: String = facts.map(|(name, text)| format!("- {name}: {}\n", literal(&text))).collect();
    if lines.is_empty() {
        lines
    } else {
        lines + "\n"
    }
}

fn sentences(sentences: impl Iterator<Item = String>) -> String {
    sentences.map(|sentence| format!("- {}\n", literal(&sentence))).collect::<String>() + "\n"
}

/// A table with its caption, nothing where it has no rows.
fn table(table: &Table) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let numeric = |index: &usize| table.columns[*index].numeric;
    let grid = Grid {
        header: table.columns.iter().map(|column| literal(&column.title)).collect(),
        rows: table.rows.iter().map(|row| row.iter().map(|cell| literal(&cell.text)).collect()).collect(),
        words: (0..table.columns.len()).filter(|index| !numeric(index)).collect(),
    };
    let shown = grid.markdown();
    let note = if table.note.is_empty() { String::new() } else { format!("{}\n\n", literal(&table.note)) };
    format!("{}:\n\n{shown}\n{note}", literal(&table.caption))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tables::{of_numbers, of_text, Cell};

    #[test]
    fn a_table_reads_as_text_and_nothing_of_it_is_markup() {
        let mut t = Table::new("Rates", vec![of_text("Phase"), of_numbers("Mean")]);
        t.rows.push(vec![Cell::text("a|b <i> ![x](y)"), Cell::number(1.0, "1.000")]);
        t.note = "Note.".into();
        let expected = r"Rates:

| Phase                |  Mean |
|----------------------|------:|
| a\|b \<i\> !\[x\](y) | 1.000 |

Note.

";
        let got = table(&t);
        assert_eq!(got.lines().nth(2), Some(r"| Phase                |  Mean |"), "{got}");
        assert_eq!(got.lines().last(), Some(""));
        assert!(got.contains(expected.lines().nth(4).unwrap()), "{got}");
    }
}
