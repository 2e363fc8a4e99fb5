//! `mdtest-rs setup`.

use crate::cli::commands::text;
use clap::{Arg, ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Below which folder; that of the user if none is told.
    pub prefix: Option<String>,
}

/// Its declaration.
pub fn command() -> Command {
    Command::new("setup")
        .about("Installs the man pages and the completions of bash, zsh and fish")
        .arg(
            Arg::new("prefix")
                .long("prefix")
                .value_name("DIR")
                .help("Below DIR/share, such as /usr/local [default: ~/.local]"),
        )
        .after_help("Exit codes: 0 installed; 1 refused; 5 a file cannot be written.")
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Setup {
    Setup { prefix: text(m, "prefix") }
}
