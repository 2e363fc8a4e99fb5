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
use crate::session::console;

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
