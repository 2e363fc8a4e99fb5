//! `mdtest-rs sweep`.

use crate::cli::commands::texts;
use clap::{Arg, ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    /// The options of the runs.
    pub arguments: Vec<String>,
}

/// Its declaration.
pub fn command() -> Command {
    Command::new("sweep")
        .about("Runs mdtest-rs over numbers of clients and of tasks on each, and tells how it scales")
        .arg(
            Arg::new("arguments")
                .value_name("OPTION")
                .num_args(1..)
                .last(true)
                .required(true)
                .help("Options of each run"),
        )
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Sweep {
    Sweep { arguments: texts(m, "arguments") }
}
