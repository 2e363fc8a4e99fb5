//! mdtest's text, to the byte, in the four dialects that are in the wild.

use crate::namespace::phase::{Kind, Phase};
use crate::plan::{Dialect, Plan};
use crate::report::plain::plain as printable;
use crate::result::outcome::Iteration;
use crate::result::record::TaskCount;
use crate::result::statistics::Summary;
use std::fmt::Write;

/// Which numbers a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Operations per second.
    Rates,
    /// Seconds of whole phases.
    Times,
}

/// A date as mdtest prints it.
pub fn date(time: &chrono::DateTime<chrono::Local>) -> String {
    time.format("%m/%d/%Y %H:%M:%S").to_string()
}

/// What is known before the run.
pub struct Header<'a> {
    /// Start of the run, as [`date`] prints it.
    pub started: &'a str,
    /// Tasks in all.
    pub tasks: u64,
    /// Nodes.
    pub nodes: u64,
    /// The words of the command line.
    pub command_line: &'a [String],
    /// A character a task: 1 where it is on rank 0's node.
    pub node_map: &'a str,
    /// The first test directory, as given.
    pub path: &'a str,
    /// Size of its file system, bytes.
    pub size_bytes: u64,
    /// Free bytes.
    pub free_bytes: u64,
    /// Inodes.
    pub inodes: u64,
    /// Free inodes.
    pub free_inodes: u64,
    /// Type of the file system.
    pub fs_type: Option<&'a str>,
}

/// The first lines, up to the ones of each number of tasks.
pub fn header(plan: &Plan, h: &Header) -> String {
    let mut out = format!(
        "-- started at {} --\n\nmdtest-rs-{} was launched with {} total task(s) on {} node(s)\n",
        h.started,
        env!("CARGO_PKG_VERSION"),
        h.tasks,
        h.nodes
    );
    out += &command_line(plan.output.dialect, h.command_line);
    let fs = file_system(plan.output.dialect, h);
    out += &match plan.output.dialect {
        Dialect::V1_9 => format!("Path: {}\nFS: {fs}\n\n", printable(h.path)),
        Dialect::V3 => format!("Path: {}\nFS: {fs}\n\nNodemap: {}\n", printable(h.path), h.node_map),
        Dialect::V4_0 | Dialect::V4_1 => {
            format!(
                "Nodemap: {}\nPath                : {}\nFS                  : {fs}\n",
                h.node_map,
                printable(h.path)
            )
        }
    };
    if let Some(seed) = plan.random_seed {
        let _ = writeln!(out, "random seed: {seed}");
    }
    out
}

fn command_line(dialect: Dialect, words: &[String]) -> String {
    let mut line = format!("Command line used: {}", printable(words.first().map_or("mdtest-rs", |w| w)));
    for word in words.iter().skip(1) {
        let word = printable(word);
        let _ = if dialect == Dialect::V1_9 { write!(line, " {word}") } else { write!(line, " '{word}'") };
    }
    line + "\n"
}

#[allow(clippy::cast_precision_loss)] // one decimal is printed
fn file_system(dialect: Dialect, h: &Header) -> String {
    const GIB: f64 = (1u64 << 30) as f64;
    const MI: f64 = (1u64 << 20) as f64;
    let percent = |free: u64, all: u64| if all == 0 { 0.0 } else { 100.0 * (1.0 - free as f64 / all as f64) };
    let gib = h.size_bytes as f64 / GIB;
    let size = if gib > 1024.0 { format!("{:.1} TiB", gib / 1024.0) } else { format!("{gib:.1} GiB") };
    let mut line = format!(
        "{size}   Used FS: {:.1}%   Inodes: {:.1} Mi   Used Inodes: {:.1}%",
        percent(h.free_bytes, h.size_bytes),
        h.inodes as f64 / MI,
        percent(h.free_inodes, h.inodes)
    );
    if let Some(fs_type) = h.fs_type.filter(|_| dialect >= Dialect::V4_0) {
        let _ = write!(line, "   Type: {}", printable(fs_type));
    }
    line
}

/// The line that counts the items of `tasks` tasks; none where neither kind is worked on.
pub fn items_line(plan: &Plan, tasks: u64) -> String {
    let items = plan.items_per_task * tasks;
    let what = match (plan.chosen.directories, plan.chosen.files) {
        (false, true) if plan.shared_file => "1 file".to_string(),
        (true, true) => format!("{items} files/directories"),
        (false, true) => format!("{items} files"),
        (true, false) => format!("{items} directories"),
        (false, false) => return String::new(),
    };
    format!("{tasks} tasks, {what}\n")
}

/// The lines of an iteration's stonewalls that were hit.
pub fn stonewalls(iteration: &Iteration) -> String {
    let hit = iteration.phases.iter().filter_map(|p| p.stonewall);
    hit.map(|w| {
        format!(
            "Continue stonewall hit min: {} max: {} avg: {:.1} \n\n",
            w.items_min, w.items_max, w.items_mean
        )
    })
    .collect()
}

/// The tables of one number of tasks.
pub fn summary(plan: &Plan, result: &TaskCount) -> String {
    let mut out = String::new();
    for (wanted, table) in [(plan.output.rates, Table::Rates), (plan.output.times, Table::Times)] {
        if wanted {
            out += &all_procs(plan, result, table);
            out += &one_table(plan, result, table);
        }
    }
    out
}

/// The last lines.
pub fn footer(dialect: Dialect, finished: &str) -> String {
    let blank = if dialect == Dialect::V1_9 { "\n" } else { "" };
    format!("{blank}-- finished at {finished} --\n\n")
}

fn one_table(plan: &Plan, result: &TaskCount, table: Table) -> String {
    let dialect = plan.output.dialect;
    let ranks = plan.output.rank_statistics && dialect >= Dialect::V4_0;
    let title = match (dialect, table) {
        (Dialect::V1_9, Table::Rates) => "SUMMARY:",
        (Dialect::V1_9 | Dialect::V3 | Dialect::V4_0, Table::Times) => "SUMMARY time:",
        (Dialect::V3 | Dialect::V4_0, Table::Rates) => "SUMMARY rate:",
        (Dialect::V4_1, Table::Rates) => "SUMMARY rate (in ops/sec):",
        (Dialect::V4_1, Table::Times) => "SUMMARY time (in sec):",
    };
    let iterations = plan.until_ci_percent.map_or(plan.iterations, |_| result.iterations.len() as u64);
    let mut out = format!("\n{title} (of {iterations} iterations)\n");
    out += match (ranks, dialect) {
        (true, _) => {
            "   Operation     per Rank: Max            Min           Mean      per Iteration: Max            Min           Mean        Std Dev\n   \
             ---------               ---            ---           ----                      ---            ---           ----        -------\n"
        }
        (false, Dialect::V1_9 | Dialect::V3) => {
            "   Operation                      Max            Min           Mean        Std Dev\n   \
             ---------                      ---            ---           ----        -------\n"
        }
        (false, Dialect::V4_0 | Dialect::V4_1) => {
            "   Operation                     Max            Min           Mean        Std Dev\n   \
             ---------                     ---            ---           ----        -------\n"
        }
    };
    for phase in shown(plan) {
        out += &row(dialect, ranks, phase, result, table);
    }
    out
}

/// The rows of a dialect's table: those before 4.0 have none for renames.
fn shown(plan: &Plan) -> impl Iterator<Item = Phase> + '_ {
    plan.rows().into_iter().filter(|p| *p != Phase::DirectoryRename || plan.output.dialect >= Dialect::V4_0)
}

fn row(dialect: Dialect, ranks: bool, phase: Phase, result: &TaskCount, table: Table) -> String {
    let found = result.of(phase);
    let of_iterations = found.map_or_else(Summary::default, |s| match table {
        Table::Rates => s.rate_per_s,
        Table::Times => s.seconds,
    });
    let label = phase.label();
    let mut out = match (dialect, ranks, phase.kind()) {
        (Dialect::V1_9, ..) => format!("   {label:<18}:"),
        (Dialect::V3, ..) => format!("   {label:<26}:"),
        (_, true, Some(_)) => format!("   {label:<18}"),
        _ => format!("   {label:<22}"),
    };
    if ranks {
        let of_tasks = match (phase.kind(), table) {
            (Some(_), Table::Rates) => found.map_or_else(Summary::default, |s| s.task_rate_per_s),
            (Some(_), Table::Times) => task_times(phase, result),
            (None, _) => of_iterations,
        };
        out += &format!(" {:14.3} {:14.3} {:14.3}", of_tasks.max, of_tasks.min, of_tasks.mean);
        out += if phase.kind().is_some() { "        " } else { "    " };
    }
    let s = of_iterations;
    out + &format!(" {:14.3} {:14.3} {:14.3} {:14.3}\n", s.max, s.min, s.mean, s.std_dev.unwrap_or(0.0))
}

/// Seconds of single tasks over all iterations.
fn task_times(phase: Phase, result: &TaskCount) -> Summary {
    let times: Vec<_> =
        result.iterations.iter().filter_map(|i| i.phase(phase)).map(|p| &p.seconds_to_barrier).collect();
    let of = |value: Vec<f64>| Summary::of(&value).unwrap_or_default();
    Summary {
        max: of(times.iter().map(|t| t.max).collect()).max,
        min: of(times.iter().map(|t| t.min).collect()).min,
        mean: of(times.iter().map(|t| t.mean).collect()).mean,
        ..Summary::default()
    }
}

/// Every task's value of each phase (`--print-all-procs`).
fn all_procs(plan: &Plan, result: &TaskCount, table: Table) -> String {
    if !plan.output.all_procs {
        return String::new();
    }
    let name = if table == Table::Rates { "rate" } else { "time" };
    let mut out = format!("\nPer process result ({name}):\n");
    for iteration in &result.iterations {
        let Some(tasks) = &iteration.per_task else { continue };
        let _ = writeln!(out, "iteration: {}", iteration.iteration);
        for (index, phase) in Phase::ALL.into_iter().enumerate() {
            let stands = match phase.kind() {
                Some(Kind::Directory) => plan.chosen.directories,
                Some(Kind::File) => plan.chosen.files,
                None => true,
            };
            if stands {
                let each = tasks.rate_and_seconds.chunks(Phase::ALL.len()).map(|of_task| of_task[index]);
                let values: Vec<String> = each
                    .map(|(rate, seconds)| if table == Table::Rates { rate } else { seconds })
                    .map(|value| crate::measure::operations::scientific(value, 6))
                    .collect();
                let _ = writeln!(out, "Test {} {}", phase.label(), values.join(","));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests;
