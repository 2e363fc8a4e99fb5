//! `mdtest-rs sweep`.

use crate::cli::commands::{text, texts};
use crate::cli::values;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// What was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    /// Numbers of clients, in their order.
    pub clients: Vec<u64>,
    /// Numbers of tasks on each client, in their order.
    pub tasks_per_client: Vec<u64>,
    /// Options to vary, each `OPTION=VALUE,VALUE…`.
    pub vary: Vec<String>,
    /// Runs of each point.
    pub repeats: u64,
    /// In what order: `interleaved`, `shuffled` or `grouped`.
    pub order: String,
    /// Seed of the shuffled order.
    pub seed: u64,
    /// The file of hosts.
    pub hostfile: Option<String>,
    /// The hosts, as words in its place.
    pub host: Option<String>,
    /// What starts the tasks: a name that is known, or a template.
    pub launcher: String,
    /// The program that is run; this one if none is told.
    pub program: Option<String>,
    /// Seconds between runs.
    pub pause_s: u64,
    /// Seconds that a run may take.
    pub timeout_s: Option<u64>,
    /// The folder of the records.
    pub folder: String,
    /// Points that failed before are run again.
    pub retry_failed: bool,
    /// Commands are printed only.
    pub dry_run: bool,
    /// The options of the runs.
    pub arguments: Vec<String>,
}

const AFTER: &str = "\
A template of --launcher is split at blanks (quotes keep a word together; no shell sees it), and in its words {np} stands for \
the number of tasks, {nodes} for that of clients, {ppn} for the tasks on each, {hosts} for the hosts with commas between, \
{hostfile} for a file with a host a line. The program and its options are put behind it.

The same command goes on after an interruption: points that are done are not run again. Records, logs, the state (sweep.json) \
and the table (sweep.csv) are in DIR, which the first task must see too.

Example: mdtest-rs sweep --clients 1,2,4,8 --tasks-per-client 1,4,16,64 --hostfile myhost -- -n 5000 -u -z 2 -i 3 -d /mnt/cfs

Exit codes: 0 all points are done; 1 refused; 2 a point failed, or operations of one did; 5 the launcher or DIR; 130 interrupted.";

/// Its declaration.
pub fn command() -> Command {
    Command::new("sweep")
        .about("Runs mdtest-rs over numbers of clients and of tasks on each, and tells how it scales")
        .override_usage("mdtest-rs sweep [OPTIONS] -- <OPTION OF EACH RUN>...")
        .args(points())
        .args(launch())
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .default_value("./sweep")
                .help("Folder of the records, made if it is not there"),
        )
        .arg(
            Arg::new("retry-failed")
                .long("retry-failed")
                .action(ArgAction::SetTrue)
                .help("Run points again that failed before"),
        )
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Print the commands, and touch nothing"),
        )
        .arg(
            Arg::new("arguments")
                .value_name("OPTION")
                .num_args(1..)
                .last(true)
                .required(true)
                .help("Options of each run"),
        )
        .after_help(AFTER)
}

fn counts(id: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name("LIST").default_value("1").value_parser(values::counts).help(help)
}

fn number(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(name).value_parser(values::count).help(help)
}

fn points() -> [Arg; 6] {
    [
        counts("clients", "Numbers of clients, each a host of its own: 1,2,4,8"),
        counts("tasks-per-client", "Numbers of tasks on each client: 1,4,16,64"),
        Arg::new("vary")
            .long("vary")
            .value_name("OPTION=LIST")
            .action(ArgAction::Append)
            .help("Values of an option of the runs: w=1k,4k,16k; may be repeated, all are combined"),
        number("repeats", "RUNS", "Runs of each point").default_value("1"),
        Arg::new("order")
            .long("order")
            .value_name("ORDER")
            .value_parser(["interleaved", "shuffled", "grouped"])
            .default_value("interleaved")
            .help(
                "All points once, then again; all runs shuffled; or the repeats of a point behind each other",
            ),
        number("seed", "SEED", "Seed of the shuffled order").default_value("0"),
    ]
}

fn launch() -> [Arg; 6] {
    [
        Arg::new("hostfile").long("hostfile").value_name("FILE").conflicts_with("host").help(
            "Hosts, of which the first are taken: 'host', 'host slots=8' or 'host:8' a line, # for comments",
        ),
        Arg::new("host").long("host").value_name("LIST").help("Hosts, in place of a file: a,b,c:8"),
        Arg::new("launcher")
            .long("launcher")
            .value_name("LAUNCHER")
            .default_value("auto")
            .help("openmpi, mpich, srun, or a template such as 'mpirun -np {np} -H {hosts}'; auto asks mpirun what it is"),
        Arg::new("mdtest-rs")
            .long("mdtest-rs")
            .value_name("PATH")
            .help("The program, at the same path on all hosts [default: this one]"),
        number("pause", "SECONDS", "Wait between runs: until clients have forgotten names that the run before removed").default_value("1"),
        number("timeout", "SECONDS", "End a run that takes longer; its point has failed [default: none]"),
    ]
}

/// From what clap found.
pub fn from(m: &ArgMatches) -> Sweep {
    let list = |id: &str| m.get_one::<Vec<u64>>(id).cloned().unwrap_or_default();
    let number = |id: &str| m.get_one::<u64>(id).copied();
    Sweep {
        clients: list("clients"),
        tasks_per_client: list("tasks-per-client"),
        vary: texts(m, "vary"),
        repeats: number("repeats").unwrap_or_default(),
        order: text(m, "order").unwrap_or_default(),
        seed: number("seed").unwrap_or_default(),
        hostfile: text(m, "hostfile"),
        host: text(m, "host"),
        launcher: text(m, "launcher").unwrap_or_default(),
        program: text(m, "mdtest-rs"),
        pause_s: number("pause").unwrap_or_default(),
        timeout_s: number("timeout"),
        folder: text(m, "output").unwrap_or_default(),
        retry_failed: m.get_flag("retry-failed"),
        dry_run: m.get_flag("dry-run"),
        arguments: texts(m, "arguments"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{commands::Tool, parse, Request};

    fn sweep(line: &str) -> Result<Sweep, String> {
        let words = ["mdtest-rs", "sweep"].into_iter().chain(line.split_whitespace()).map(Into::into);
        match parse(&words.collect::<Vec<_>>()) {
            Ok(Request::Tool(Tool::Sweep(sweep))) => Ok(*sweep),
            other => Err(other.unwrap_err().to_string()),
        }
    }

    #[test]
    fn the_command_of_the_manual_parses() {
        let asked = sweep(
            "--clients 1,2,4,8 --tasks-per-client=1,4 --vary w=1k,4k --vary z=1,2 --hostfile F -- -n 5000 -u --json=x",
        )
        .unwrap();
        assert_eq!(
            (asked.clients.as_slice(), asked.tasks_per_client.as_slice()),
            (&[1, 2, 4, 8][..], &[1, 4][..])
        );
        assert_eq!((asked.vary.len(), asked.arguments.len()), (2, 4));
        assert_eq!(
            (asked.repeats, asked.order.as_str(), asked.folder.as_str()),
            (1, "interleaved", "./sweep")
        );
    }

    #[test]
    fn lists_are_refused_by_name() {
        for (line, parts) in [
            ("--clients 1,,2 -- -n 1", ["--clients", "1,,2"]),
            ("--clients 0 -- -n 1", ["--clients", "0"]),
            ("--clients 2,2 -- -n 1", ["--clients", "2,2"]),
            ("--tasks-per-client x -- -n 1", ["--tasks-per-client", "x"]),
            ("--order upwards -- -n 1", ["--order", "upwards"]),
        ] {
            let said = sweep(line).unwrap_err();
            assert!(parts.iter().all(|part| said.contains(part)) && !said.contains('\n'), "{said}");
        }
    }
}
