//! Records as one HTML file that asks for nothing: no network, no other file; complete without its script.

mod parts;
mod record;
mod several;

use crate::archive::Record;
use crate::report::entries::{entries, groups};
use crate::report::plain::plain;
use maud::{html, Markup, PreEscaped, DOCTYPE};

/// What the page may do: nothing but what is in it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/sort.js");

/// The page of these records.
pub fn page(records: &[Record]) -> String {
    let entries = entries(records);
    let groups = groups(&entries);
    let title = title(records);
    let body = html! {
        header {
            h1 { (title) }
            @if let [entry] = &entries[..] { p.lead { (entry.summary()) } }
            @if records.len() > 1 { (contents(records)) }
        }
        main {
            @for (index, group) in groups.iter().enumerate() { (several::sections(group, index, groups.len())) }
            @for (index, record) in records.iter().enumerate() { (record::article(record, index, records.len())) }
        }
        footer { p { "Made by mdtest-rs " (env!("CARGO_PKG_VERSION")) "." } }
    };
    frame(&title, &body).into_string()
}

fn title(records: &[Record]) -> String {
    match records {
        [one] if !one.name.is_empty() => plain(&one.name),
        [_] => "A run of mdtest".to_string(),
        several => format!("{} runs of mdtest", several.len()),
    }
}

fn contents(records: &[Record]) -> Markup {
    html! {
        nav aria-label="Records" {
            ul {
                @for (index, record) in records.iter().enumerate() {
                    li { a href={ "#r" (index) } { (name(record, index)) } }
                }
            }
        }
    }
}

fn name(record: &Record, index: usize) -> String {
    if record.name.is_empty() {
        format!("Record {}", index + 1)
    } else {
        plain(&record.name)
    }
}

fn frame(title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – mdtest-rs" }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body { (body) script { (PreEscaped(SCRIPT)) } }
        }
    }
}

#[cfg(test)]
mod tests;
