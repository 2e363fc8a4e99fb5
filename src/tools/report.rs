//! `mdtest-rs report`.

use crate::analysis::scaling::{points, Grid};
use crate::archive::Record;
use crate::cli::commands::report::Report;
use crate::error::{Error, DONE};
use crate::report::chart::{rates, scaling};
use crate::report::entries::{entries, groups};
use crate::report::output::OutputFile;
use crate::report::plain::counted;
use crate::report::{self, markdown, page, summary, table_csv};
use crate::session::console;
use crate::tools::load_all;
use std::path::Path;

/// What a file is to be, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Page,
    Markdown,
    Text,
    Csv,
    Svg,
    Json,
}

/// Does it; the exit code.
///
/// # Errors
/// What was refused, or what the surroundings denied.
pub fn run(asked: &Report) -> Result<i32, Error> {
    let form = form(&asked.output)?;
    let output = OutputFile::new("-o", &asked.output, !asked.overwrite)?;
    let records = load_all(&asked.records)?;
    output.write(&text(form, &records)?)?;
    console::print(&format!(
        "{}: {}\n",
        crate::report::plain::plain(&asked.output),
        counted(records.len() as u64, "record")
    ));
    Ok(DONE)
}

fn form(path: &str) -> Result<Form, Error> {
    let ending = Path::new(path).extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(Form::Page),
        Some("md") => Ok(Form::Markdown),
        Some("txt") => Ok(Form::Text),
        Some("csv") => Ok(Form::Csv),
        Some("svg") => Ok(Form::Svg),
        Some("json") => Ok(Form::Json),
        _ => Err(Error::Refused(format!(
            "-o {path}: allowed are names that end with .html, .md, .txt, .csv, .svg or .json"
        ))),
    }
}

fn text(form: Form, records: &[Record]) -> Result<String, Error> {
    Ok(match form {
        Form::Page => page::page(records),
        Form::Markdown => markdown::text(records),
        Form::Text => plain_text(records),
        Form::Csv => table_csv::text(records),
        Form::Svg => picture(records)?,
        // Records are plain data with text keys: there is nothing in them that JSON cannot say.
        Form::Json => serde_json::to_string_pretty(records).unwrap_or_default() + "\n",
    })
}

/// mdtest's tables of each record; of a sweep the tables over clients and tasks.
fn plain_text(records: &[Record]) -> String {
    let all = entries(records);
    let mut out = String::new();
    for group in groups(&all) {
        if group.is_sweep() && !group.is_comparison() {
            out += &report::scaling::tables(&Grid::of(&points::measured(&group.records())));
            continue;
        }
        for entry in &group.entries {
            out += &format!("{}\n{}\n", entry.name, summary::tables(entry.result));
        }
    }
    out
}

/// The curves of a sweep, or the rates.
fn picture(records: &[Record]) -> Result<String, Error> {
    let all = entries(records);
    let groups = groups(&all);
    let [group] = &groups[..] else {
        return Err(Error::Refused(format!(
            "the records are of {} workloads: a picture is of one",
            groups.len()
        )));
    };
    let sweep = if group.is_sweep() && !group.is_comparison() { scaling::pictures(group) } else { None };
    let picture = sweep.or_else(|| rates::picture(&group.entries));
    picture
        .map(|p| p.alone())
        .ok_or_else(|| Error::Refused("the records have no rates: a picture shows rates".into()))
}
