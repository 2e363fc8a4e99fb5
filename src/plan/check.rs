//! What is refused, each with one line that names the option, the value and what is allowed.

use crate::cli::Cli;
use crate::error::Error;
use crate::namespace::layout::Layout;
use crate::namespace::path;
use crate::namespace::payload::Packet;
use crate::namespace::tree::Tree;
use crate::plan::{Api, Chosen};

/// Longest path that the system takes, without the NUL (PATH_MAX − 1 of Linux).
pub const PATH_BYTES_MAX: usize = 4095;
/// Largest `-G`: the generator of mdtest's data patterns has 31-bit seeds.
pub const DATA_OFFSET_MAX: u64 = 0x7fff_ffff;

fn refuse<T>(line: String) -> Result<T, Error> {
    Err(Error::Refused(line))
}

/// Options that exclude each other, and values out of range.
pub fn combinations(cli: &Cli, chosen: &Chosen) -> Result<(), Error> {
    let rules: [(bool, &str); 15] = [
        (cli.unique && cli.shared_file, "-u cannot go with -S: shared files lie in one tree"),
        (cli.collective && cli.shared_file, "-c cannot go with -S: shared files are opened by every task"),
        (cli.collective && cli.no_barriers, "-c cannot go with -B: the tasks must wait for rank 0"),
        (
            cli.no_barriers && cli.neighbor_stride > 0,
            "-B cannot go with -N: the neighbour's items may not be there yet",
        ),
        (cli.mknod && cli.write_bytes > 0, "-k cannot go with -w: mknod opens nothing to write to"),
        (cli.mknod && cli.verify_write, "-k cannot go with --verify-write: mknod writes nothing"),
        (cli.verify_read && !chosen.read, "-X needs a read phase: add -E, or leave the phases out"),
        (cli.verify_read && cli.read_bytes == 0, "-X needs -e above 0: bytes to read and verify"),
        (
            cli.verify_write && cli.write_bytes == 0,
            "--verify-write needs -w above 0: bytes to write and verify",
        ),
        (cli.iterations == 0, "-i 0 is not allowed: allowed is 1 or more"),
        (
            cli.max_iterations.is_some() && cli.until_ci.is_none(),
            "--max-iterations needs --until-ci: -i says how many iterations there are",
        ),
        (
            cli.until_ci.is_some() && !chosen.create,
            "--until-ci needs a create phase: the trees of further iterations are not there to be found",
        ),
        (cli.branch == 0 && cli.depth > 0, "-b 0 is not allowed with -z above 0: allowed is 1 or more"),
        (cli.max_errors == Some(0), "--max-errors 0 is not allowed: allowed is 1 or more"),
        (
            cli.wear_out_limit_s.is_some() && cli.stonewall_s == 0,
            "--wear-out-limit needs -W above 0: there is nothing to level up",
        ),
    ];
    if let Some((_, line)) = rules.iter().find(|(broken, _)| *broken) {
        return refuse((*line).to_string());
    }
    if chosen.create && chosen.read && chosen.files && cli.read_bytes > cli.write_bytes {
        return refuse(format!(
            "-e {} is larger than -w {}: a run that writes and reads can read what it wrote at most",
            cli.read_bytes, cli.write_bytes
        ));
    }
    if let Some(offset) = cli.data_offset.filter(|&g| g > DATA_OFFSET_MAX) {
        return refuse(format!("-G {offset} is not allowed: allowed is up to {DATA_OFFSET_MAX}"));
    }
    for (option, bytes) in [("-w", cli.write_bytes), ("-e", cli.read_bytes)] {
        if bytes > i64::MAX.unsigned_abs() {
            return refuse(format!("{option} {bytes} is not allowed: files have up to {} bytes", i64::MAX));
        }
    }
    output_paths(cli)?;
    for (option, command) in
        [("--run-cmd-before-phase", &cli.before_phase), ("--run-cmd-after-phase", &cli.after_phase)]
    {
        if command.as_deref().is_some_and(|c| c.contains('\0')) {
            return refuse(format!("{option} is not allowed to hold a NUL"));
        }
    }
    Ok(())
}

/// Fewest iterations from which `--until-ci` takes an interval.
pub const ITERATIONS_MIN: u64 = 3;
/// Most iterations of `--until-ci` where `--max-iterations` says nothing else.
const ITERATIONS_MAX: u64 = 30;

/// Iterations that are made in any case.
pub fn iterations_at_least(cli: &Cli) -> u64 {
    cli.until_ci.map_or(cli.iterations, |_| cli.iterations.max(ITERATIONS_MIN))
}

/// Iterations that are made at most.
pub fn iterations_at_most(cli: &Cli) -> Result<u64, Error> {
    let least = iterations_at_least(cli);
    match (cli.until_ci, cli.max_iterations) {
        (None, _) => Ok(least),
        (Some(_), None) => Ok(least.max(ITERATIONS_MAX)),
        (Some(_), Some(most)) if most < least => refuse(format!(
            "--max-iterations {most} is not allowed: allowed is {least} or more (-i, and at least {ITERATIONS_MIN})"
        )),
        (Some(_), Some(most)) => Ok(most),
    }
}

/// Output files have names, each its own.
fn output_paths(cli: &Cli) -> Result<(), Error> {
    let given: Vec<(&str, &String)> = [
        ("--json", &cli.json),
        ("--saveRankPerformanceDetails", &cli.rank_csv),
        ("--savePerOpDataCSV", &cli.operation_csv),
        ("-x", &cli.stonewall_file),
    ]
    .into_iter()
    .filter_map(|(option, path)| path.as_ref().map(|path| (option, path)))
    .collect();
    for (index, (option, path)) in given.iter().enumerate() {
        if path.is_empty() || path.contains('\0') {
            return refuse(format!("{option} {path:?} is not allowed: allowed is the name of a file"));
        }
        if let Some((other, _)) = given[..index].iter().find(|(_, earlier)| earlier == path) {
            return refuse(format!(
                "{option} and {other} name the same file {path}: allowed is a file for each"
            ));
        }
    }
    Ok(())
}

/// How the operations are made.
pub fn api(name: &str) -> Result<Api, Error> {
    match name.to_ascii_uppercase().as_str() {
        "POSIX" => Ok(Api::Posix),
        "DUMMY" => Ok(Api::Dummy),
        _ => refuse(format!("-a {name} is not known: allowed are POSIX and DUMMY")),
    }
}

/// The kind of data.
pub fn packet(name: &str) -> Result<Packet, Error> {
    Packet::from_name(name).map_or_else(
        || {
            refuse(format!(
                "--dataPacketType {name} is not known: allowed are t or timestamp, o or offset, i or incompressible, r or random"
            ))
        },
        Ok,
    )
}

/// The test directories, for `tasks` tasks.
pub fn directories(cli: &Cli, directories: &[String], tasks: u64) -> Result<(), Error> {
    let given = &cli.directories;
    if directories.iter().any(|d| d.is_empty() || d.contains('\0')) {
        return refuse(format!("-d {given:?} has an empty name: allowed are paths with an @ between two"));
    }
    let count = directories.len() as u64;
    if count > 1 {
        if cli.neighbor_stride > 0 {
            return refuse(format!(
                "-N cannot go with several directories (-d {given}): neighbours are elsewhere"
            ));
        }
        if cli.collective {
            return refuse(format!(
                "-c cannot go with several directories (-d {given}): rank 0 works in one"
            ));
        }
        if !cli.unique {
            return refuse(format!(
                "several directories (-d {given}) need -u: each task has its tree in one of them"
            ));
        }
    }
    if count > tasks {
        return refuse(format!(
            "-d {given} names {count} directories for {tasks} tasks: allowed is one a task at most"
        ));
    }
    Ok(())
}

/// The tree and its items: what `-b -z -n -I -L` come to, and what was rounded.
pub fn layout(cli: &Cli, chosen: &Chosen) -> Result<(Layout, Vec<String>), Error> {
    let Some(tree) = Tree::new(cli.branch, cli.depth) else {
        return refuse(format!(
            "-b {} -z {} is a tree of more directories than can be counted",
            cli.branch, cli.depth
        ));
    };
    let mut layout = Layout {
        tree,
        items_per_directory: cli.items_per_directory,
        leaf_only: cli.leaf_only,
        test_directories: 1,
    };
    let mut warnings = Vec::new();
    match (cli.items, cli.items_per_directory) {
        (0, 0) => {
            if chosen.directories || chosen.files {
                warnings.push("neither -n nor -I is given: only trees are made and removed".to_string());
            }
        }
        (0, _) => {}
        (items, 0) => {
            let holders = layout.holders();
            let what = if cli.leaf_only { "leaves of the tree" } else { "directories of the tree" };
            if items < holders {
                return refuse(format!(
                    "-n {items} is fewer than the {holders} {what}: allowed is {holders} or more"
                ));
            }
            layout.items_per_directory = items / holders;
            if items % holders > 0 {
                warnings.push(format!(
                    "-n {items} is no multiple of the {holders} {what}: rounded down to {} items a task",
                    layout.items_per_directory * holders
                ));
            }
        }
        (items, each) => {
            if cli.unique {
                return refuse(format!("-n {items} with -I {each} cannot go with -u: give one of -n and -I"));
            }
            if items % each > 0 {
                return refuse(format!("-n {items} is no multiple of -I {each}: each test directory has -I items in each tree directory"));
            }
            layout.test_directories = items / each;
        }
    }
    Ok((layout, warnings))
}

/// That all counts of `tasks` tasks can be counted.
pub fn counts(cli: &Cli, layout: &Layout, tasks: u64) -> Result<(), Error> {
    if layout.countable(tasks) {
        return Ok(());
    }
    refuse(format!(
        "-n {} -I {} -b {} -z {} with {tasks} tasks is more items than can be counted ({})",
        cli.items,
        cli.items_per_directory,
        cli.branch,
        cli.depth,
        u64::MAX
    ))
}

/// That no path is longer than the system takes.
pub fn path_lengths(
    cli: &Cli,
    chosen: &Chosen,
    layout: &Layout,
    directories: &[String],
    tasks: u64,
) -> Result<(), Error> {
    if cli.depth > PATH_BYTES_MAX as u64 {
        // Each level adds bytes to the path: no need to add up as many.
        return refuse(format!("-z {} is not allowed: a path has up to {PATH_BYTES_MAX} bytes", cli.depth));
    }
    for directory in directories {
        let last = (tasks - 1, iterations_at_most(cli)? - 1, layout.test_directories.saturating_sub(1));
        let bytes = path::longest(
            directory,
            &layout.tree,
            last,
            cli.unique,
            layout.items_per_directory,
            cli.shared_file,
            chosen.directories && chosen.rename,
        );
        if bytes > PATH_BYTES_MAX {
            return refuse(format!(
                "-z {} in -d {} makes paths of {bytes} bytes: allowed is up to {PATH_BYTES_MAX}",
                cli.depth,
                shortened(directory)
            ));
        }
    }
    Ok(())
}

/// A path that is itself too long is not printed whole.
fn shortened(path: &str) -> String {
    let head: String = path.chars().take(60).collect();
    if head.len() < path.len() {
        format!("{head}… ({} bytes)", path.len())
    } else {
        head
    }
}

/// The numbers of tasks for which the test runs.
pub fn task_counts(cli: &Cli, tasks: u64) -> Result<Vec<u64>, Error> {
    if cli.task_step == 0 {
        return refuse("-s 0 is not allowed: allowed is 1 or more".to_string());
    }
    let Some(last) = cli.last_tasks.filter(|&last| last > 0) else {
        return Ok(vec![tasks]); // -f alone changes nothing
    };
    let first = cli.first_tasks.unwrap_or(1).max(1);
    if first > last {
        return refuse(format!("-f {first} is larger than -l {last}: allowed is up to -l"));
    }
    if last > tasks {
        return refuse(format!(
            "-l {last} is more than the {tasks} tasks that were launched: allowed is up to {tasks}"
        ));
    }
    let counts = std::iter::successors(Some(first), |count: &u64| count.checked_add(cli.task_step));
    Ok(counts.take_while(|&count| count <= last).collect())
}
