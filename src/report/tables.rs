//! Tables of records: what is in them. Pages and Markdown show them each in its way.

pub mod comparison;
pub mod errors;
pub mod facts;
pub mod laws;
pub mod rates;
pub mod scaling;
pub mod slow;
pub mod verdicts;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it is.
    pub caption: String,
    /// The heads of the columns; the first names the rows.
    pub columns: Vec<Column>,
    /// The rows, each with a cell a column.
    pub rows: Vec<Vec<Cell>>,
    /// What to know beside it; empty for nothing.
    pub note: String,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its head.
    pub title: String,
    /// Whether it holds numbers.
    pub numeric: bool,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// What it shows.
    pub text: String,
    /// What it is sorted by, where that is a number.
    pub value: Option<f64>,
    /// What distinguishes it.
    pub mark: Mark,
}

/// What distinguishes a cell; said in its text too, since colours alone tell nothing to some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The best of its row.
    Best,
    /// Something is wrong.
    Bad,
}

/// What stands for what is not known.
pub const UNKNOWN: &str = "–";

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, columns: Vec<Column>) -> Self {
        Table { caption: caption.into(), columns, rows: Vec::new(), note: String::new() }
    }

    /// Without the columns, but the first, that have nothing to show in any row.
    pub fn without_empty_columns(mut self) -> Self {
        let used: Vec<bool> = (0..self.columns.len())
            .map(|index| index == 0 || self.rows.iter().any(|row| row.get(index).is_some_and(Cell::says)))
            .collect();
        let keep = |index: &mut usize| {
            *index += 1;
            used[*index - 1]
        };
        let mut index = 0;
        self.columns.retain(|_| keep(&mut index));
        for row in &mut self.rows {
            let mut index = 0;
            row.retain(|_| keep(&mut index));
        }
        self
    }
}

/// Heads of columns of text.
pub fn of_text(title: impl Into<String>) -> Column {
    Column { title: title.into(), numeric: false }
}

/// Heads of columns of numbers.
pub fn of_numbers(title: impl Into<String>) -> Column {
    Column { title: title.into(), numeric: true }
}

impl Cell {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Cell { text: text.into(), ..Cell::default() }
    }

    /// A number, sorted by its value.
    pub fn number(value: f64, text: impl Into<String>) -> Self {
        Cell { text: text.into(), value: Some(value), mark: Mark::None }
    }

    /// A number as `show` has it, or that it is not known.
    pub fn known(value: Option<f64>, show: impl Fn(f64) -> String) -> Self {
        value.map_or_else(Cell::unknown, |value| Cell::number(value, show(value)))
    }

    /// Not known.
    pub fn unknown() -> Self {
        Cell::text(UNKNOWN)
    }

    /// The same with a mark.
    pub fn marked(self, mark: Mark) -> Self {
        Cell { mark, ..self }
    }

    fn says(&self) -> bool {
        !self.text.is_empty() && self.text != UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_columns_go() {
        let mut table = Table::new("t", vec![of_text("a"), of_numbers("b"), of_numbers("c")]);
        table.rows.push(vec![Cell::unknown(), Cell::unknown(), Cell::number(1.0, "1")]);
        let table = table.without_empty_columns();
        assert_eq!(table.columns, [of_text("a"), of_numbers("c")]);
        assert_eq!(table.rows, [[Cell::unknown(), Cell::number(1.0, "1")]]);
    }
}
