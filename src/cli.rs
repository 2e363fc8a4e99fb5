//! What was typed: a field for each option, no meaning yet. The options themselves are declared in [`options`].

pub mod commands;
pub mod options;
pub mod values;

use crate::error::Error;
use clap::ArgMatches;

/// The command line, as typed. `None` stands for an option that was not given.
#[allow(missing_docs)] // each field is named for the option, whose help text says what it is
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cli {
    pub command_line: Vec<String>,

    pub directories_only: bool,
    pub files_only: bool,
    pub shared_file: bool,
    pub create: bool,
    pub stat: bool,
    pub read: bool,
    pub remove: bool,
    pub rename: bool,
    pub collective: bool,
    pub mknod: bool,
    pub api: String,

    pub directories: String,
    pub unique: bool,
    pub time_unique: bool,
    pub neighbor_stride: u64,

    pub items: u64,
    pub items_per_directory: u64,
    pub branch: u64,
    pub depth: u64,
    pub leaf_only: bool,
    pub iterations: u64,
    /// In hundredths of a percent.
    pub until_ci: Option<u64>,
    pub max_iterations: Option<u64>,
    pub first_tasks: Option<u64>,
    pub last_tasks: Option<u64>,
    pub task_step: u64,

    pub no_barriers: bool,
    pub random_order: bool,
    pub random_seed: Option<u64>,
    pub stonewall_s: u64,
    pub stonewall_file: Option<String>,
    pub wear_out_limit_s: Option<u64>,
    pub pre_delay_s: u64,
    pub sync_phases: bool,
    pub drop_caches: bool,
    pub before_phase: Option<String>,
    pub after_phase: Option<String>,
    pub max_errors: Option<u64>,
    pub warnings_as_errors: bool,

    pub write_bytes: u64,
    pub read_bytes: u64,
    pub verify_read: bool,
    pub verify_write: bool,
    pub fsync: bool,
    pub packet: String,
    pub data_offset: Option<u64>,

    pub posix_odirect: bool,
    pub posix_rangelocks: bool,
    pub dummy_create_us: u64,
    pub dummy_close_us: u64,
    pub dummy_sync_us: u64,
    pub dummy_xfer_us: u64,
    pub dummy_only_rank0: bool,

    pub print_times: bool,
    pub print_rates_and_times: bool,
    pub print_all_procs: bool,
    pub rank_statistics: bool,
    pub rank_csv: Option<String>,
    pub operation_csv: Option<String>,
    pub json: Option<String>,
    pub force: bool,
    pub dialect: String,
    pub rank_details: String,
    pub progress: String,
    pub quiet: bool,
    pub verbosity: u64,
}

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// A benchmark run.
    Run(Box<Cli>),
    /// A subcommand, which needs no MPI.
    Tool(commands::Tool),
    /// A text for standard output: the help or the version.
    Show(String),
}

/// Reads the command line; the first word is the program's name.
///
/// # Errors
/// [`Error::Refused`] with one line that names the option, the value and what is allowed.
pub fn parse(words: &[std::ffi::OsString]) -> Result<Request, Error> {
    use clap::error::ErrorKind;
    match options::command().try_get_matches_from(words) {
        Ok(matches) => {
            if let Some(tool) = commands::chosen(&matches) {
                return Ok(Request::Tool(tool));
            }
            let command_line = words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
            Ok(Request::Run(Box::new(from_matches(command_line, &matches))))
        }
        Err(e) if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Request::Show(e.render().to_string()))
        }
        Err(e) => Err(Error::Refused(one_line(&e.render().to_string()))),
    }
}

/// Every option as it is typed (`-n`, `--json`), with its value or default, in the order of their declaration: numbers in
/// full, flags `on` or `off`, what is absent `off`. The first word is the program's name. `None` where the line is not
/// understood or asks for no run.
pub fn values_of(words: &[String]) -> Option<Vec<(String, String)>> {
    let command = options::command();
    let matches = options::command().try_get_matches_from(words).ok()?;
    if words.is_empty() || matches.subcommand().is_some() {
        return None;
    }
    let named = |arg: &clap::Arg| match (arg.get_short(), arg.get_long()) {
        (Some(letter), _) => Some(format!("-{letter}")),
        (None, long) => long.map(|long| format!("--{long}")),
    };
    let all =
        command.get_arguments().filter_map(|arg| Some((named(arg)?, shown(&matches, arg.get_id().as_str()))));
    Some(all.collect())
}

/// The value of an option, whatever its type.
fn shown(m: &ArgMatches, id: &str) -> String {
    let seed = |seed: &Option<u64>| seed.map_or("drawn".to_string(), |seed| seed.to_string());
    let flag = |on: &bool| if *on { "on" } else { "off" }.to_string();
    let found = [
        m.try_get_one::<bool>(id).ok().flatten().map(flag),
        m.try_get_one::<u64>(id).ok().flatten().map(u64::to_string),
        m.try_get_one::<String>(id).ok().flatten().cloned(),
        m.try_get_one::<Option<u64>>(id).ok().flatten().map(seed),
    ];
    found.into_iter().flatten().next().unwrap_or_else(|| "off".to_string())
}

/// clap's message without its usage and tips: its first paragraph, as one line.
fn one_line(rendered: &str) -> String {
    let paragraph = rendered.split("\n\n").next().unwrap_or(rendered);
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_start_matches("error: ").to_string()
}

fn from_matches(command_line: Vec<String>, m: &ArgMatches) -> Cli {
    let flag = |id: &str| m.get_one::<bool>(id).copied().unwrap_or(false);
    let number = |id: &str| m.get_one::<u64>(id).copied();
    let count = |id: &str| number(id).unwrap_or_default();
    let text = |id: &str| m.get_one::<String>(id).cloned();
    let name = |id: &str| text(id).unwrap_or_default();
    let seed = m.get_one::<Option<u64>>("R").copied();
    Cli {
        command_line,
        directories_only: flag("D"),
        files_only: flag("F"),
        shared_file: flag("S"),
        create: flag("C"),
        stat: flag("T"),
        read: flag("E"),
        remove: flag("r"),
        rename: flag("U"),
        collective: flag("c"),
        mknod: flag("k"),
        api: name("a"),
        directories: name("d"),
        unique: flag("u"),
        time_unique: flag("t"),
        neighbor_stride: count("N"),
        items: count("n"),
        items_per_directory: count("I"),
        branch: count("b"),
        depth: count("z"),
        leaf_only: flag("L"),
        iterations: count("i"),
        until_ci: number("until-ci"),
        max_iterations: number("max-iterations"),
        first_tasks: number("f"),
        last_tasks: number("l"),
        task_step: count("s"),
        no_barriers: flag("B"),
        random_order: seed.is_some() || number("random-seed").is_some(),
        random_seed: seed.flatten().or(number("random-seed")),
        stonewall_s: count("W"),
        stonewall_file: text("x"),
        wear_out_limit_s: number("wear-out-limit"),
        pre_delay_s: count("p"),
        sync_phases: flag("Y"),
        drop_caches: flag("drop-caches"),
        before_phase: text("run-cmd-before-phase"),
        after_phase: text("run-cmd-after-phase"),
        max_errors: number("max-errors"),
        warnings_as_errors: flag("warningAsErrors"),
        write_bytes: count("w"),
        read_bytes: count("e"),
        verify_read: flag("X"),
        verify_write: flag("verify-write"),
        fsync: flag("y"),
        packet: name("dataPacketType"),
        data_offset: number("G"),
        posix_odirect: flag("posix.odirect"),
        posix_rangelocks: flag("posix.rangelocks"),
        dummy_create_us: count("dummy.delay-create"),
        dummy_close_us: count("dummy.delay-close"),
        dummy_sync_us: count("dummy.delay-sync"),
        dummy_xfer_us: count("dummy.delay-xfer"),
        dummy_only_rank0: flag("dummy.delay-only-rank0"),
        ..output(m)
    }
}

/// What is printed and written.
fn output(m: &ArgMatches) -> Cli {
    let flag = |id: &str| m.get_one::<bool>(id).copied().unwrap_or(false);
    let text = |id: &str| m.get_one::<String>(id).cloned();
    let name = |id: &str| text(id).unwrap_or_default();
    Cli {
        print_times: flag("Z"),
        print_rates_and_times: flag("P"),
        print_all_procs: flag("print-all-procs"),
        rank_statistics: flag("showRankStatistics"),
        rank_csv: text("saveRankPerformanceDetails"),
        operation_csv: text("savePerOpDataCSV"),
        json: text("json"),
        force: flag("force"),
        dialect: name("dialect"),
        rank_details: name("rank-details"),
        progress: name("progress"),
        quiet: flag("quiet"),
        verbosity: verbosity(m),
        ..Cli::default()
    }
}

/// Each `-v` counts as much as it says, and `-V` on top.
fn verbosity(m: &ArgMatches) -> u64 {
    let each = m.get_many::<u64>("v").into_iter().flatten().chain(m.get_one::<u64>("V"));
    each.fold(0, |sum, &level| sum.saturating_add(level))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cli(line: &str) -> Cli {
        match parse(&words(line)) {
            Ok(Request::Run(cli)) => *cli,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn refusal(line: &str) -> String {
        parse(&words(line)).unwrap_err().to_string()
    }

    fn words(line: &str) -> Vec<std::ffi::OsString> {
        std::iter::once("mdtest-rs").chain(line.split_whitespace()).map(Into::into).collect()
    }

    #[test]
    fn values_may_be_apart_or_glued_or_behind_an_equals_sign() {
        for line in ["-n 5 -d /x", "-n=5 -d=/x", "-n5 -d/x"] {
            let c = cli(line);
            assert_eq!((c.items, c.directories.as_str()), (5, "/x"), "{line}");
        }
        assert_eq!(cli("--random-seed 3").random_seed, Some(3));
        assert_eq!(cli("--random-seed=3").random_seed, Some(3));
    }

    #[test]
    fn flags_group_and_take_0_or_1() {
        let c = cli("-FC -vv -S=0 -u=1 -Fv");
        assert!(c.files_only && c.create && c.unique && !c.shared_file);
        assert_eq!(c.verbosity, 3);
        assert_eq!(cli("-v=2 -V 1").verbosity, 3);
        assert!(cli("-B").no_barriers && cli("-B=1").no_barriers && !cli("-B=0").no_barriers);
        assert!(cli("--verify-read=1").verify_read);
    }

    #[test]
    fn the_last_of_a_repeated_option_counts() {
        assert_eq!(cli("-n 1 -n 2").items, 2);
        assert!(!cli("-F -F=0").files_only);
    }

    #[test]
    fn defaults_are_mdtests() {
        let c = cli("");
        assert_eq!((c.branch, c.depth, c.iterations, c.task_step), (1, 0, 1, 1));
        assert_eq!((c.api.as_str(), c.directories.as_str(), c.packet.as_str()), ("POSIX", "./out", "t"));
        assert_eq!((c.random_order, c.random_seed, c.data_offset), (false, None, None));
    }

    #[test]
    fn a_seed_turns_the_random_order_on() {
        assert_eq!((cli("-R").random_order, cli("-R").random_seed), (true, None));
        assert_eq!(cli("-R=7").random_seed, Some(7));
        assert!(cli("--random-seed=7").random_order);
        assert_eq!(cli("-R --random-seed=7").random_seed, Some(7));
    }

    #[test]
    fn refusals_are_one_line_with_option_and_value() {
        for (line, parts) in [
            ("-n abc", ["-n", "abc", "whole number"].as_slice()),
            ("-n -5", &["-n", "-5"]),
            ("-n 10x", &["-n", "10x", "k, m, g, t or p"]),
            ("-w 1.5k", &["-w", "1.5k"]),
            ("-n", &["-n", "value"]),
            ("--no-such-option", &["--no-such-option"]),
            ("extra", &["extra"]),
            ("-u=2", &["-u", "2", "0 or 1"]),
            ("--dialect 5", &["--dialect", "5", "4.1"]),
            ("-R=x", &["-R", "x"]),
        ] {
            let said = refusal(line);
            assert!(!said.contains('\n'), "{said}");
            for part in parts {
                assert!(said.contains(part), "{line}: {said}");
            }
        }
    }

    #[test]
    fn help_and_version_are_shown() {
        for line in ["-h", "--help", "--version"] {
            assert!(matches!(parse(&words(line)), Ok(Request::Show(_))), "{line}");
        }
    }

    #[test]
    fn io500s_lines_parse() {
        let c =
            cli("--dataPacketType=timestamp -n 1000000 -u -L -F -P -G 271 -N 1 -d /d -x /f -C -Y -W 300 \
                     --saveRankPerformanceDetails=/r.csv -a POSIX");
        assert!(c.unique && c.leaf_only && c.files_only && c.create && c.sync_phases);
        assert_eq!((c.data_offset, c.stonewall_s, c.stonewall_file.as_deref()), (Some(271), 300, Some("/f")));
    }
}
