//! What works on records: a subcommand each, with its options in a file of its own.

pub mod check;
pub mod compare;
pub mod import;
pub mod report;
pub mod setup;
pub mod sweep;

use clap::{Arg, ArgAction, ArgMatches, Command};

/// A subcommand with its options, as typed.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    /// From what mdtest printed to records.
    Import(import::Import),
    /// Records beside each other.
    Compare(compare::Compare),
    /// A record against bounds.
    Check(check::Check),
    /// Records as pages, tables and pictures.
    Report(report::Report),
    /// Runs over numbers of clients and tasks.
    Sweep(Box<sweep::Sweep>),
    /// Man pages and shell completions.
    Setup(setup::Setup),
}

/// The declarations, in the order of the help text.
pub fn all() -> [Command; 6] {
    // The main command has a help option of its own, so that clap gives none to any.
    let help = || Arg::new("help").short('h').long("help").action(ArgAction::Help).help("Print help");
    [
        import::command(),
        compare::command(),
        check::command(),
        report::command(),
        sweep::command(),
        setup::command(),
    ]
    .map(|command| command.arg(help()))
}

/// The subcommand that was chosen.
pub fn chosen(matches: &ArgMatches) -> Option<Tool> {
    let (name, m) = matches.subcommand()?;
    Some(match name {
        "import" => Tool::Import(import::from(m)),
        "compare" => Tool::Compare(compare::from(m)),
        "check" => Tool::Check(check::from(m)),
        "report" => Tool::Report(report::from(m)),
        "sweep" => Tool::Sweep(Box::new(sweep::from(m))),
        _ => Tool::Setup(setup::from(m)),
    })
}

/// The files that are read: at least one.
fn records() -> Arg {
    Arg::new("records").value_name("RECORD").num_args(1..).required(true)
}

/// Where the result is written.
fn output(help: &'static str) -> Arg {
    Arg::new("output").short('o').long("output").value_name("FILE").help(help)
}

/// In what form it is written.
fn format() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(["table", "markdown", "json", "junit"])
        .help("Form of the output [default: by the ending of FILE: .md, .json, .xml; else table]")
}

/// That a file may be overwritten.
fn overwrite() -> Arg {
    Arg::new("overwrite").long("overwrite").action(ArgAction::SetTrue).help("Overwrite existing files")
}

fn texts(m: &ArgMatches, id: &str) -> Vec<String> {
    m.get_many::<String>(id).into_iter().flatten().cloned().collect()
}

fn text(m: &ArgMatches, id: &str) -> Option<String> {
    m.get_one::<String>(id).cloned()
}
