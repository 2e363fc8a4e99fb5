//! The parts of a plan that are choices: of the API, the operations, the output.

use crate::cli::Cli;
use serde::Serialize;

/// How operations are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Api {
    /// System calls.
    Posix,
    /// Nothing at all.
    Dummy,
}

/// Options of the POSIX API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PosixOptions {
    /// Open files with O_DIRECT.
    pub odirect: bool,
    /// Lock the range around each transfer.
    pub rangelocks: bool,
}

/// Microseconds that the DUMMY API spends on each operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct DummyOptions {
    pub create_us: u64,
    pub close_us: u64,
    pub sync_us: u64,
    pub xfer_us: u64,
    /// Only rank 0 spends them.
    pub only_rank0: bool,
}

/// Which kinds of operation the run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Chosen {
    pub create: bool,
    pub stat: bool,
    pub read: bool,
    pub rename: bool,
    pub remove: bool,
    /// Item directories are worked on.
    pub directories: bool,
    /// Files are worked on.
    pub files: bool,
}

impl Chosen {
    /// What the options choose: every phase unless one is named, both kinds unless one is named.
    pub fn of(cli: &Cli) -> Self {
        let any = cli.create || cli.stat || cli.read || cli.remove || cli.rename;
        let both = cli.directories_only == cli.files_only;
        Chosen {
            create: cli.create || !any,
            stat: cli.stat || !any,
            read: cli.read || !any,
            rename: cli.rename || !any,
            remove: cli.remove || !any,
            directories: (both || cli.directories_only) && !cli.shared_file,
            files: both || cli.files_only,
        }
    }
}

/// Whose text is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[allow(missing_docs)]
pub enum Dialect {
    #[serde(rename = "1.9")]
    V1_9,
    #[serde(rename = "3")]
    V3,
    #[serde(rename = "4.0")]
    V4_0,
    #[serde(rename = "4.1")]
    V4_1,
}

/// Which single tasks stand in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum RankDetails {
    All,
    Slowest,
    None,
}

/// How progress is shown, on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// A bar where standard error is a terminal, else nothing.
    Auto,
    /// A bar.
    Bar,
    /// A line now and then.
    Line,
    /// A line of JSON now and then.
    Json,
    /// Nothing.
    None,
}

/// What is printed and written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Output {
    /// The rate table is printed.
    pub rates: bool,
    /// The time table is printed.
    pub times: bool,
    /// A line of every task's values for each phase.
    pub all_procs: bool,
    /// Statistics over tasks in the table.
    pub rank_statistics: bool,
    /// CSV with a row per task.
    pub rank_csv: Option<String>,
    /// Prefix of the CSV files of every operation.
    pub operation_csv: Option<String>,
    /// The run record.
    pub json: Option<String>,
    /// Existing output files are overwritten.
    pub force: bool,
    /// Whose text.
    pub dialect: Dialect,
    /// Which single tasks stand in the record.
    pub rank_details: RankDetails,
    /// How progress is shown.
    pub progress: Progress,
    /// No findings are printed.
    pub quiet: bool,
    /// How much more is said.
    pub verbosity: u64,
}

impl Output {
    /// What the options ask for.
    pub fn of(cli: &Cli) -> Self {
        Output {
            rates: cli.print_rates_and_times || !cli.print_times,
            times: cli.print_rates_and_times || cli.print_times,
            all_procs: cli.print_all_procs,
            rank_statistics: cli.rank_statistics,
            rank_csv: cli.rank_csv.clone(),
            operation_csv: cli.operation_csv.clone(),
            json: cli.json.clone(),
            force: cli.force,
            dialect: match cli.dialect.as_str() {
                "1.9" => Dialect::V1_9,
                "3" => Dialect::V3,
                "4.0" => Dialect::V4_0,
                _ => Dialect::V4_1,
            },
            rank_details: match cli.rank_details.as_str() {
                "all" => RankDetails::All,
                "none" => RankDetails::None,
                _ => RankDetails::Slowest,
            },
            progress: match cli.progress.as_str() {
                "bar" => Progress::Bar,
                "line" => Progress::Line,
                "json" => Progress::Json,
                "none" => Progress::None,
                _ => Progress::Auto,
            },
            quiet: cli.quiet,
            verbosity: cli.verbosity,
        }
    }
}
