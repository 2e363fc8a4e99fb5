//! `mdtest-rs import`.

use crate::cli::commands::{overwrite, texts};
use clap::{Arg, ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// The files to read.
    pub files: Vec<String>,
    /// The folder that records are written to.
    pub folder: String,
    /// Existing records are overwritten.
    pub overwrite: bool,
}

/// Its declaration.
pub fn command() -> Command {
    Command::new("import")
        .about("Turns what mdtest printed into records: its text in all dialects, its per-rank CSV, a plain CSV table")
        .arg(Arg::new("files").value_name("FILE").num_args(1..).required(true).help("Logs of mdtest, or CSV files"))
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .default_value(".")
                .help("Folder for the records, one a run, named for the file and the run's place in it"),
        )
        .arg(overwrite())
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Import {
    Import {
        files: texts(m, "files"),
        folder: super::text(m, "output").unwrap_or_default(),
        overwrite: m.get_flag("overwrite"),
    }
}
