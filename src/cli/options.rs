//! The declaration of every option: parser, default and help text in one place.

use crate::cli::{commands, values};
use clap::{Arg, ArgAction, Command};

/// Where the options stand in the help text.
const WHAT: &str = "What is done";
const WHERE: &str = "Where";
const HOW_MANY: &str = "How many";
const PHASES: &str = "Phases";
const DATA: &str = "Data";
const MEASURING: &str = "Measuring";
const OUTPUT: &str = "Output";
const LAUNCH: &str = "Launch";

const EXIT_CODES: &str = "\
Exit codes: 0 all done; 1 refused before anything was touched; 2 operations failed; 3 data did not verify; \
4 a bound or condition of check or compare is not met; 5 environment (MPI, launcher, before or after command, output file not writable); 101 internal fault; 130 sweep interrupted.

Flags take nothing, or =0 or =1, and may be grouped (-FC). Values follow as -n 5, -n=5 or -n5. Counts and sizes take one \
of k, m, g, t, p (powers of 1024).

Example: mpirun -np 12 --hostfile myhost mdtest-rs -b 3 -z 1 -I 100 -u -d /mnt/jfs";

/// The command line of mdtest-rs.
pub fn command() -> Command {
    Command::new("mdtest-rs")
        .bin_name("mdtest-rs")
        .about("Measures how fast a file system creates, stats, reads, renames and removes files and directories, by many MPI tasks at once")
        .version(env!("CARGO_PKG_VERSION"))
        .long_version(version_text())
        .after_help(EXIT_CODES)
        .args_override_self(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(what())
        .args(place())
        .args(how_many())
        .args(phases())
        .args(data())
        .args(measuring())
        .args(output())
        .args(launch())
        .subcommands(commands::all())
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
}

fn version_text() -> String {
    let mpi = mpi::environment::library_version().unwrap_or_else(|_| "unknown".to_string());
    format!("{}\nMPI library: {}", env!("CARGO_PKG_VERSION"), first_line(&mpi))
}

/// The first line of an MPI library's version text, with single blanks (Open MPI's ends in NUL, MPICH's has tabs).
pub fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end_matches('\0');
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn flag(id: &'static str, help: &'static str) -> Arg {
    named(id)
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("1")
        .hide_possible_values(true)
        .value_name("0|1")
        .value_parser(values::flag)
        .help(help)
}

fn number(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    named(id).value_name(name).allow_negative_numbers(true).value_parser(values::count).help(help)
}

fn text(id: &'static str, name: &'static str, help: &'static str) -> Arg {
    named(id).value_name(name).help(help)
}

fn named(id: &'static str) -> Arg {
    let mut letters = id.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Arg::new(id).short(letter),
        _ => Arg::new(id).long(id),
    }
}

fn under(heading: &'static str, args: Vec<Arg>) -> Vec<Arg> {
    args.into_iter().map(|arg| arg.help_heading(heading)).collect()
}

fn what() -> Vec<Arg> {
    under(WHAT, vec![
        flag("D", "Directories only; -D with -F means both"),
        flag("F", "Files only; neither -D nor -F means both"),
        flag("S", "All tasks use the same files; no directory phases"),
        flag("c", "Collective: rank 0 makes and removes the items of all tasks; each task re-opens its own files"),
        flag("k", "Create files with mknod"),
        text("a", "API", "How operations are made: POSIX, or DUMMY, which does nothing; case-blind").default_value("POSIX"),
    ])
}

fn place() -> Vec<Arg> {
    under(WHERE, vec![
        text("d", "DIR[@DIR...]", "Test directory or directories; rank r works in number r mod count").default_value("./out"),
        flag("u", "A tree of its own for each task"),
        flag("t", "With -u: count the time to enter the unique directory too"),
        number("N", "STRIDE", "Neighbour stride: stat, read and remove the items of the task 1, 2 and 3 times N further, so that no client's cache helps").default_value("0"),
    ])
}

fn how_many() -> Vec<Arg> {
    under(HOW_MANY, vec![
        number("n", "ITEMS", "Items per task: files and as many directories").default_value("0"),
        number("I", "ITEMS", "Items per tree directory; with -n: n/I test directories, each with a whole tree").default_value("0"),
        number("b", "BRANCHES", "Branching factor of the tree").default_value("1"),
        number("z", "DEPTH", "Depth of the tree").default_value("0"),
        flag("L", "Items only in the leaves of the tree"),
        number("i", "ITERATIONS", "Iterations").default_value("1"),
        text("until-ci", "PERCENT", "Repeat until the 95 % interval of each item phase's rate is at most so far from its mean: 5%; at least 3 iterations and at least -i").allow_negative_numbers(true).value_parser(values::percent),
        number("max-iterations", "ITERATIONS", "With --until-ci: iterations at most [default: 30, or -i where that is more]"),
        number("f", "TASKS", "First number of tasks: the whole test runs for each from -f to -l [default: 1 where -l is given]"),
        number("l", "TASKS", "Last number of tasks [default: all]"),
        number("s", "TASKS", "Step of the number of tasks").default_value("1"),
    ])
}

fn phases() -> Vec<Arg> {
    under(
        PHASES,
        vec![
            flag("C", "Only create; -C, -T, -E, -r and -U combine, none of them means all"),
            flag("T", "Only stat"),
            flag("E", "Only read files"),
            flag("r", "Only remove; also what an earlier run left"),
            flag("U", "Only rename directories"),
            flag("B", "No barriers between phases"),
            flag("Y", "Sync at the end of each phase, inside its time"),
            flag(
                "drop-caches",
                "Once a node, sync and drop the kernel's page, dentry and inode caches before each stat and read phase, untimed (root)",
            ),
            number(
                "p",
                "SECONDS",
                "Sleep before the directory part and before the file part of each iteration, untimed",
            )
            .default_value("0"),
            text(
                "run-cmd-before-phase",
                "CMD",
                "Run by sh once a node before each phase, untimed; one that fails ends the run",
            ),
            text(
                "run-cmd-after-phase",
                "CMD",
                "Run by sh once a node after each phase, inside its time; one that fails ends the run",
            ),
        ],
    )
}

fn data() -> Vec<Arg> {
    under(
        DATA,
        vec![
            number("w", "BYTES", "Bytes to write into each file after creating it").default_value("0"),
            number("e", "BYTES", "Bytes to read from each file; 0 opens and closes only").default_value("0"),
            flag("X", "Verify the data read").long("verify-read"),
            flag("verify-write", "Read the data back right after writing and verify them"),
            flag("y", "fsync each file after writing (with -w)"),
            text(
                "dataPacketType",
                "TYPE",
                "What is written: t or timestamp, o or offset, i or incompressible, r or random",
            )
            .default_value("t"),
            number(
                "G",
                "NUMBER",
                "Number mixed into the data, up to 2147483647 [default: random, shared by all tasks]",
            ),
            flag("posix.odirect", "Open files with O_DIRECT"),
            flag("posix.rangelocks", "Lock the range around each transfer"),
        ],
    )
}

fn measuring() -> Vec<Arg> {
    under(
        MEASURING,
        vec![
            Arg::new("R")
                .short('R')
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .allow_negative_numbers(true)
                .value_name("SEED")
                .value_parser(values::optional_count)
                .help("Random item order in stat and read [default seed: chosen, printed and shared]"),
            number("random-seed", "SEED", "Seed of the random order; turns it on too"),
            number(
                "W",
                "SECONDS",
                "Stonewall: stop creating after so long, then all tasks level up to the largest count",
            )
            .default_value("0"),
            text("x", "FILE", "Holds that count: written by a run that creates, read by one that does not"),
            number(
                "wear-out-limit",
                "SECONDS",
                "Level up for so long at most, then cut all tasks back to the smallest count",
            ),
            number(
                "max-errors",
                "COUNT",
                "End the run once so many operations have failed, by agreement of all tasks [default: go on]",
            ),
            flag("warningAsErrors", "The first warning or failed operation ends the run"),
            number("dummy.delay-create", "US", "DUMMY: microseconds to spend on each create")
                .default_value("0"),
            number("dummy.delay-close", "US", "DUMMY: microseconds to spend on each close")
                .default_value("0"),
            number("dummy.delay-sync", "US", "DUMMY: microseconds to spend on each sync and fsync")
                .default_value("0"),
            number("dummy.delay-xfer", "US", "DUMMY: microseconds to spend on each read and write")
                .default_value("0"),
            flag("dummy.delay-only-rank0", "DUMMY: only rank 0 spends them"),
        ],
    )
}

fn output() -> Vec<Arg> {
    under(OUTPUT, vec![
        flag("P", "Print the rate table and the time table"),
        flag("Z", "Print times instead of rates"),
        flag("print-all-procs", "A line of every task's value for each phase, before the summary"),
        flag("showRankStatistics", "Max, min and mean over tasks in the table"),
        text("saveRankPerformanceDetails", "FILE", "CSV, a row per task and iteration"),
        text("savePerOpDataCSV", "PREFIX", "CSV of every operation: PREFIX-<phase name>-<rank>.csv with time,runtime,tp"),
        text("json", "FILE", "Write the run record, schema mdtest-rs/1; an existing file is refused without --force"),
        flag("force", "Overwrite an existing record (--json)"),
        text("rank-details", "WHICH", "Single tasks in the record: all, the 16 slowest of each phase, or none")
            .value_parser(["all", "slowest", "none"])
            .default_value("slowest"),
        text("progress", "HOW", "Progress on standard error, ~ where rank 0's own stands for all tasks: auto (a bar on a terminal, else none), bar, line (every 10 s), json (a line of it a second), none")
            .value_parser(["auto", "bar", "line", "json", "none"])
            .default_value("auto"),
        flag("quiet", "No findings on standard error behind the tables"),
        text("dialect", "VERSION", "Whose text: mdtest 1.9, 3, 4.0 or 4.1").value_parser(["1.9", "3", "4.0", "4.1"]).default_value("4.1"),
        Arg::new("v")
            .short('v')
            .action(ArgAction::Append)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("1")
            .value_name("LEVEL")
            .value_parser(values::count)
            .help("Say more; each counts one: 1 the plan and each phase, 2 the directories made, 3 the paths of each phase"),
        number("V", "LEVEL", "Verbosity as a number").default_value("0"),
    ])
}

fn launch() -> Vec<Arg> {
    under(
        LAUNCH,
        vec![
            Arg::new("help")
                .short('h')
                .long("help")
                .action(ArgAction::Help)
                .help("Print this help; works without mpirun"),
            Arg::new("version")
                .long("version")
                .action(ArgAction::Version)
                .help("Print the version and the MPI library"),
        ],
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_declaration_is_sound() {
        super::command().debug_assert();
    }
}
