//! Rates over clients and tasks as texts: a table of long rows for programs, grids for people.

pub mod laws;

use crate::analysis::scaling::{Cell, Grid, SpeedUp, Table, Varied};
use crate::error::Error;
use crate::namespace::phase::Phase;
use crate::report::plain::plain;
use crate::result::units::percent;
use comfy_table::{presets::NOTHING, CellAlignment, ContentArrangement, Table as Grille};

/// Runs of one point that differ by more are worth a sentence, share of their mean.
const SPREAD: f64 = 0.1;

/// The table of long rows, `operation,clients,processes per client,ops per second`, sorted by the operation's name: the
/// form in which sweeps of mdtest are published. Varied options have columns of their own behind the operation. Where a
/// point's clients are not known, or have different numbers of tasks, all points have `processes` in all in place of
/// those on each client. Rates are as they were printed where they were, else with three decimals.
///
/// # Errors
/// [`Error::Environment`] where the writer fails, which it does not in memory.
pub fn csv(grid: &Grid) -> Result<String, Error> {
    let mut options: Vec<&str> = Vec::new();
    for varied in grid.tables.iter().flat_map(|table| &table.varied) {
        if !options.contains(&varied.option.as_str()) {
            options.push(&varied.option);
        }
    }
    let by_clients = grid.tables.iter().all(Table::is_by_clients);
    let processes = if by_clients { "processes per client" } else { "processes" };
    let mut rows: Vec<Vec<String>> = vec![["operation"]
        .iter()
        .chain(&options)
        .chain(&["clients", processes, "ops per second"])
        .map(ToString::to_string)
        .collect()];
    let mut tables: Vec<&Table> = grid.tables.iter().collect();
    tables.sort_by_key(|table| table.phase.label());
    for table in tables {
        for cell in &table.cells {
            let value =
                |option: &&str| table.varied.iter().find(|v| v.option == **option).map(|v| v.value.clone());
            let mut row = vec![table.phase.label().to_string()];
            row.extend(options.iter().map(|option| value(option).unwrap_or_default()));
            row.push(cell.clients.map(|clients| clients.to_string()).unwrap_or_default());
            row.push(cell.tasks_per_client().filter(|_| by_clients).unwrap_or(cell.tasks).to_string());
            row.push(rate(cell));
            rows.push(row);
        }
    }
    written(&rows).map_err(|e| Error::Environment(format!("the table cannot be written: {e}")))
}

fn written(rows: &[Vec<String>]) -> Result<String, Box<dyn std::error::Error>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.write_record(row))?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// For each operation: its rates, its speed-up over clients and over tasks with the efficiency, and what the Universal
/// Scalability Law makes of them.
pub fn tables(grid: &Grid) -> String {
    grid.tables.iter().map(table).collect::<Vec<_>>().join("\n")
}

fn table(table: &Table) -> String {
    let name = heading(table);
    let mut out = format!("{name}, operations per second\n{}", grille(table, |cell| Some(rate(cell))));
    if table.is_by_clients() && table.clients().len() > 1 {
        out += &format!(
            "\n{name}, speed-up over clients (efficiency)\n{}",
            grille(table, |cell| table.over_clients(cell).map(|s| speed_up(&s)))
        );
    }
    if let Some(smallest) = table.smallest().filter(|_| several_tasks(table)) {
        out += &format!(
            "\n{name}, speed-up over tasks, from {} (efficiency)\n{}",
            tasks(smallest.tasks),
            grille(table, |cell| table.over_tasks(cell).map(|s| speed_up(&s)))
        );
    }
    out += &laws::text(&name, table);
    for note in notes(table) {
        out += &format!("{note}\n");
    }
    out
}

fn several_tasks(table: &Table) -> bool {
    table.cells.iter().any(|cell| cell.tasks != table.cells[0].tasks)
}

/// What the table is of: its operation, and what was varied.
pub fn heading(table: &Table) -> String {
    let varied = table.varied.iter().map(|Varied { option, value }| match option.as_str() {
        option if option.starts_with('-') => format!(", {option}={value}"),
        _ => format!(", {value}"),
    });
    std::iter::once(table.phase.label().to_string()).chain(varied).map(|text| plain(&text)).collect()
}

/// What the reader should know of the numbers.
fn notes(table: &Table) -> Vec<String> {
    let mut notes = Vec::new();
    if table.cells.iter().any(|cell| cell.one_tree_only) {
        notes.push(
            "The rate is that of one tree: with a tree for each task it tells nothing of how all scale."
                .to_string(),
        );
    } else if matches!(table.phase, Phase::TreeCreate | Phase::TreeRemove) {
        notes.push(
            "Speed-up is that of all trees together; the rate above is mdtest's, of one tree.".to_string(),
        );
    }
    let widest = table.cells.iter().max_by(|a, b| a.spread().total_cmp(&b.spread()));
    if let Some(cell) = widest.filter(|cell| cell.spread() > SPREAD) {
        notes.push(format!(
            "Runs of the same point are up to {} of their mean apart ({}).",
            percent(cell.spread()),
            point(cell)
        ));
    }
    notes
}

/// `2 clients x 4 tasks`, or what is known of it.
fn point(cell: &Cell) -> String {
    match (cell.clients, cell.tasks_per_client()) {
        (Some(1), Some(each)) => format!("1 client x {}", tasks(each)),
        (Some(clients), Some(each)) => format!("{clients} clients x {}", tasks(each)),
        _ => tasks(cell.tasks),
    }
}

/// `1 task`, `4 tasks`.
fn tasks(number: u64) -> String {
    if number == 1 {
        "1 task".to_string()
    } else {
        format!("{number} tasks")
    }
}

/// A row a number of clients and a column a number of tasks on each; or a row a point where they are no grid.
fn grille(table: &Table, text: impl Fn(&Cell) -> Option<String>) -> String {
    let text = |cell: Option<&Cell>| cell.and_then(&text).unwrap_or_else(|| "-".to_string());
    let mut rows: Vec<Vec<String>> = Vec::new();
    if table.is_by_clients() {
        let columns = table.tasks_per_client();
        rows.push(std::iter::once("clients".to_string()).chain(columns.iter().map(|&n| tasks(n))).collect());
        for clients in table.clients() {
            let cells = columns.iter().map(|&each| text(table.cell(clients, each)));
            rows.push(std::iter::once(clients.to_string()).chain(cells).collect());
        }
    } else {
        rows.push(["tasks", "clients", ""].map(String::from).to_vec());
        for cell in &table.cells {
            let clients = cell.clients.map_or_else(|| "-".to_string(), |clients| clients.to_string());
            rows.push(vec![cell.tasks.to_string(), clients, text(Some(cell))]);
        }
    }
    right(&rows)
}

/// Columns flush right, two blanks between.
fn right(rows: &[Vec<String>]) -> String {
    let mut grille = Grille::new();
    grille.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    for row in rows {
        grille.add_row(row);
    }
    for column in grille.column_iter_mut() {
        column.set_padding((2, 0)).set_cell_alignment(CellAlignment::Right);
    }
    grille.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// As it was printed where it was, else with three decimals.
fn rate(cell: &Cell) -> String {
    match &cell.printed {
        Some(printed) => plain(printed),
        None => format!("{:.3}", cell.rate_per_s),
    }
}

fn speed_up(speed_up: &SpeedUp) -> String {
    format!("{:.2} ({})", speed_up.factor, percent(speed_up.efficiency))
}

#[cfg(test)]
mod tests;
