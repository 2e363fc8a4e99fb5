//! Rows and columns as text: on a terminal, in Markdown.

use comfy_table::{presets, CellAlignment, ContentArrangement, Table};

/// A table of texts. A cell of several lines stays one on a terminal; in Markdown its lines follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The heads of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Columns of words, which stand on the left; numbers stand on the right.
    pub words: Vec<usize>,
}

impl Grid {
    /// For a terminal, two blanks between columns, none at the ends of lines.
    pub fn text(&self) -> String {
        let mut table = self.table(self.header.clone(), self.rows.clone());
        table.load_style(presets::NOTHING);
        let last = self.header.len().saturating_sub(1);
        for (index, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, if index < last { 2 } else { 0 }));
        }
        lines(&table.to_string())
    }

    /// For Markdown. Cells must have been escaped.
    pub fn markdown(&self) -> String {
        let one_line = |row: &Vec<String>| row.iter().map(|cell| cell.replace('\n', " ")).collect::<Vec<_>>();
        let mut table = self.table(one_line(&self.header), self.rows.iter().map(one_line).collect());
        table.load_style(presets::ASCII_MARKDOWN);
        lines(&self.aligned(&table.to_string()))
    }

    fn table(&self, header: Vec<String>, rows: Vec<Vec<String>>) -> Table {
        let mut table = Table::new();
        table.set_content_arrangement(ContentArrangement::Disabled).set_header(header).add_rows(rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            if !self.words.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// The rule under the head says which columns stand on the right.
    fn aligned(&self, text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        if let Some(rule) = lines.get_mut(1) {
            let mut cells: Vec<String> = rule.split('|').map(str::to_string).collect();
            for index in (0..self.header.len()).filter(|index| !self.words.contains(index)) {
                if let Some(cell) = cells.get_mut(index + 1) {
                    cell.pop();
                    cell.push(':');
                }
            }
            *rule = cells.join("|");
        }
        lines.join("\n")
    }
}

fn lines(text: &str) -> String {
    text.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_text_and_markdown() {
        let row = |cells: [&str; 2]| cells.map(String::from).to_vec();
        let grid = Grid {
            header: row(["what", "n"]),
            rows: vec![row(["x", "12\n×2"]), row(["longer", "3"])],
            words: vec![0],
        };
        assert_eq!(grid.text(), "what     n\nx       12\n        ×2\nlonger   3\n");
        assert_eq!(
            grid.markdown(),
            "| what   |     n |\n|--------|------:|\n| x      | 12 ×2 |\n| longer |     3 |\n"
        );
    }
}
