//! Tables, pictures, pairs and headings as HTML.

use crate::report::chart::picture::Picture;
use crate::report::tables::facts::Fact;
use crate::report::tables::{Cell, Column, Mark, Table};
use maud::{html, Markup, PreEscaped};

/// Wider pictures scroll on a narrow page, half pixels; others shrink to it.
const WIDE: u32 = 1040;

/// A heading of a level from 2 to 4.
pub fn heading(level: u8, text: &str) -> Markup {
    html! {
        @match level {
            2 => h2 { (text) },
            3 => h3 { (text) },
            _ => h4 { (text) },
        }
    }
}

/// A table, in a container that scrolls where the table is wider than the page; nothing where it has no rows.
pub fn table(table: &Table) -> Markup {
    html! {
        @if !table.rows.is_empty() {
            div.scroll role="region" aria-label=(table.caption) tabindex="0" {
                table {
                    caption { (table.caption) }
                    thead { tr { @for column in &table.columns { (head(column)) } } }
                    tbody { @for row in &table.rows { tr { (cells(row, &table.columns)) } } }
                }
            }
            @if !table.note.is_empty() { p.note { (table.note) } }
        }
    }
}

fn head(column: &Column) -> Markup {
    html! { th scope="col" class=[column.numeric.then_some("n")] { (column.title) } }
}

fn cells(row: &[Cell], columns: &[Column]) -> Markup {
    html! {
        @for (index, (cell, column)) in row.iter().zip(columns).enumerate() {
            @if index == 0 {
                th scope="row" data-v=[value(cell)] { (cell.text) }
            } @else {
                td class=[class(cell, column)] data-v=[value(cell)] { (cell.text) }
            }
        }
    }
}

fn value(cell: &Cell) -> Option<f64> {
    cell.value.filter(|value| value.is_finite())
}

/// Cells with more letters are broken into lines.
const LONG: usize = 48;

fn class(cell: &Cell, column: &Column) -> Option<String> {
    let mark = match cell.mark {
        Mark::None => None,
        Mark::Best => Some("best"),
        Mark::Bad => Some("bad"),
    };
    let long = cell.text.chars().count() > LONG;
    let classes: Vec<&str> =
        [column.numeric.then_some("n"), mark, long.then_some("long")].into_iter().flatten().collect();
    (!classes.is_empty()).then(|| classes.join(" "))
}

/// A picture with its caption; `id` is none of another's.
pub fn figure(picture: &Picture, id: &str) -> Markup {
    html! {
        figure.wide[picture.width > WIDE] style={ "max-width:" (picture.width / 2) "px" } {
            figcaption { (picture.title) }
            div { (PreEscaped(picture.within_page(id))) }
        }
    }
}

/// Names and texts; nothing where there are none.
pub fn pairs(facts: &[Fact]) -> Markup {
    html! {
        @if !facts.is_empty() {
            dl {
                @for (name, text) in facts {
                    dt { (name) }
                    @if name == "Command line" || name == "Mount options" {
                        // Each word in one piece, as far as there is room.
                        dd.typed { @for word in text.split_inclusive([' ', ',']) { span { (word) } } }
                    } @else {
                        dd { (text) }
                    }
                }
            }
        }
    }
}

/// Sentences as a list.
pub fn sentences<T: AsRef<str>>(sentences: &[T]) -> Markup {
    html! { ul.sentences { @for sentence in sentences { li { (sentence.as_ref()) } } } }
}
