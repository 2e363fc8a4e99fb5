//! The subcommands: files → records → results → texts → files. None needs MPI to be running.

pub mod check;
pub mod compare;
pub mod import;
pub mod report;
pub mod setup;
pub mod sweep;

use crate::archive::{load, Record};
use crate::cli::commands::Tool;
use crate::error::Error;
use crate::report::output::OutputFile;
use crate::session::{console, terminal};
use std::io::IsTerminal;
use std::path::Path;

/// Does what a subcommand asks for; the exit code.
///
/// # Errors
/// What was refused, or what the surroundings denied.
pub fn run(tool: &Tool) -> Result<i32, Error> {
    match tool {
        Tool::Import(asked) => import::run(asked),
        Tool::Compare(asked) => compare::run(asked),
        Tool::Check(asked) => check::run(asked),
        Tool::Report(asked) => report::run(asked),
        Tool::Sweep(asked) => sweep::run(asked),
        Tool::Setup(asked) => setup::run(asked),
    }
}

/// The records of all files, in their order.
///
/// # Errors
/// As [`load::load`].
pub fn load_all(paths: &[String]) -> Result<Vec<Record>, Error> {
    let mut records = Vec::new();
    for path in paths {
        records.extend(load::load(path)?);
    }
    Ok(records)
}

/// Writes to the file of `-o`, or to standard output where there is none.
///
/// # Errors
/// As [`OutputFile`].
pub fn deliver(output: Option<&str>, overwrite: bool, text: &str) -> Result<(), Error> {
    match output {
        None => console::print(text),
        Some(path) => OutputFile::new("-o", path, !overwrite)?.write(text)?,
    }
    Ok(())
}

/// In what form a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For a terminal.
    Table,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
    /// JUnit XML.
    Junit,
}

impl Form {
    /// As `--format` says, else by the ending of the output file.
    ///
    /// # Errors
    /// [`Error::Refused`] for an ending that says nothing.
    pub fn of(format: Option<&str>, output: Option<&str>) -> Result<Self, Error> {
        let ending =
            output.and_then(|path| Path::new(path).extension()).map(|e| e.to_string_lossy().into_owned());
        match (format, ending.as_deref()) {
            (Some("table"), _) | (None, None | Some("txt")) => Ok(Form::Table),
            (Some("markdown"), _) | (None, Some("md")) => Ok(Form::Markdown),
            (Some("json"), _) | (None, Some("json")) => Ok(Form::Json),
            (Some(_), _) | (None, Some("xml")) => Ok(Form::Junit),
            (None, Some(_)) if output.is_some_and(|path| path.starts_with("/dev/")) => Ok(Form::Table),
            (None, Some(ending)) => Err(Error::Refused(format!(
                "-o: the ending .{ending} tells no form: allowed are .txt, .md, .json, .xml, or --format"
            ))),
        }
    }
}

/// Whether a table for a terminal has colours: on standard output, if it is a terminal; NO_COLOR forbids, CLICOLOR_FORCE
/// forces them.
fn wants_colours(output: Option<&str>) -> bool {
    output.is_none() && terminal::wants_colours_on(std::io::stdout().is_terminal())
}
