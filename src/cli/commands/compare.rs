//! `mdtest-rs compare`.

use crate::cli::commands::{format, output, overwrite, records, text, texts};
use crate::cli::values;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compare {
    /// The records, the first of which the others are compared to.
    pub records: Vec<String>,
    /// Where to; the terminal if nowhere.
    pub output: Option<String>,
    /// In what form; by the output's ending if not told.
    pub format: Option<String>,
    /// Existing files are overwritten.
    pub overwrite: bool,
    /// Runs of different shape are compared.
    pub force: bool,
    /// Conditions under which the exit code is 4.
    pub fail_if: Vec<String>,
    /// Rates that differ by no more are the same, hundredths of a percent.
    pub same_within: u64,
}

const AFTER: &str = "\
A condition of --fail-if is PHASE.METRIC OP VALUE%: the difference of a later record to the first, in percent of the first. \
PHASE is file-create, file-stat, file-read, file-remove, directory-create … tree-remove (dir- for directory- will do), or any. \
METRIC is rate, true-rate, p50, p99; rate.low and rate.high are the ends of the difference's 95 % interval. OP is <, <=, > or >=. \
PHASE.verdict = faster|slower|same|noisy asks for the verdict. A condition on what is not known counts as met.

Exit codes: 0 compared; 1 refused; 4 a condition of --fail-if is met; 5 a file cannot be read or written.";

/// Its declaration.
pub fn command() -> Command {
    Command::new("compare")
        .about("Compares records phase by phase: what is faster, slower, the same, or too noisy to tell")
        .arg(records().num_args(1..).help(
            "Records (--json), logs or CSV tables of mdtest; the first is what the others are compared to",
        ))
        .arg(output("Write to FILE in place of standard output"))
        .arg(format())
        .arg(overwrite())
        .arg(
            Arg::new("force")
                .long("force")
                .action(ArgAction::SetTrue)
                .help("Compare runs that differ in options, tasks, nodes or file system"),
        )
        .arg(
            Arg::new("fail-if")
                .long("fail-if")
                .value_name("CONDITION")
                .action(ArgAction::Append)
                .help("Exit code 4 where it is met, such as 'file-create.rate < -5%'; may be repeated"),
        )
        .arg(
            Arg::new("same-within")
                .long("same-within")
                .value_name("PERCENT")
                .default_value("5%")
                .value_parser(values::percent)
                .help("Rates are the same where the interval of their difference lies within"),
        )
        .after_help(AFTER)
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Compare {
    Compare {
        records: texts(m, "records"),
        output: text(m, "output"),
        format: text(m, "format"),
        overwrite: m.get_flag("overwrite"),
        force: m.get_flag("force"),
        fail_if: texts(m, "fail-if"),
        same_within: m.get_one("same-within").copied().unwrap_or_default(),
    }
}
