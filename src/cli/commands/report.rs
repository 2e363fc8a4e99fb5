//! `mdtest-rs report`.

use crate::cli::commands::{output, overwrite, records, text, texts};
use clap::{ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The records.
    pub records: Vec<String>,
    /// The file to write; its ending tells the form.
    pub output: String,
    /// An existing file is overwritten.
    pub overwrite: bool,
}

/// Its declaration.
pub fn command() -> Command {
    Command::new("report")
        .about("Writes records as a page (.html), text (.md, .txt), table (.csv), picture (.svg) or data (.json)")
        .arg(records().help("Records (--json), logs or CSV tables of mdtest"))
        .arg(output("The file to write: .html, .md, .txt, .csv, .svg or .json").required(true))
        .arg(overwrite())
        .after_help("Exit codes: 0 written; 1 refused; 5 a file cannot be read or written.")
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Report {
    Report {
        records: texts(m, "records"),
        output: text(m, "output").unwrap_or_default(),
        overwrite: m.get_flag("overwrite"),
    }
}
