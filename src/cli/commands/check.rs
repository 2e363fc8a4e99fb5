//! `mdtest-rs check`.

use crate::cli::commands::{format, output, overwrite, records, text, texts};
use clap::{Arg, ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// The records to judge.
    pub records: Vec<String>,
    /// The file of bounds.
    pub criteria: String,
    /// Where to; the terminal if nowhere.
    pub output: Option<String>,
    /// In what form; by the output's ending if not told.
    pub format: Option<String>,
    /// Existing files are overwritten.
    pub overwrite: bool,
}

/// Its declaration.
pub fn command() -> Command {
    Command::new("check")
        .about("Judges records by bounds on rates, latencies, errors, imbalance and intervals: acceptance")
        .arg(records().help("Records (--json), logs or CSV tables of mdtest"))
        .arg(
            Arg::new("criteria")
                .long("criteria")
                .value_name("FILE")
                .required(true)
                .help("The bounds, TOML: docs/criteria.toml is an example with comments"),
        )
        .arg(output("Write to FILE in place of standard output"))
        .arg(format())
        .arg(overwrite())
        .after_help("Exit codes: 0 all bounds are kept; 1 refused; 4 a bound is not kept, or cannot be judged; 5 a file cannot be read or written.")
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Check {
    Check {
        records: texts(m, "records"),
        criteria: text(m, "criteria").unwrap_or_default(),
        output: text(m, "output"),
        format: text(m, "format"),
        overwrite: m.get_flag("overwrite"),
    }
}
