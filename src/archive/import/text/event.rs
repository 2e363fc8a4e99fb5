//! What a line of mdtest's text says.

use crate::archive::import::number;
use crate::archive::import::text::tables::{columns, Column};
use crate::namespace::phase::Phase;

/// Which numbers a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Operations per second.
    Rates,
    /// Seconds of whole phases: mdtest 4.1's heading says ms/op, but the numbers are seconds.
    Times,
}

/// A table's title, which differs between the dialects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `SUMMARY:`.
    V1_9,
    /// `SUMMARY rate:`.
    Between,
    /// `SUMMARY rate (in ops/sec):`.
    V4_1,
}

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A run begins.
    Started(String),
    /// It has ended.
    Finished(String),
    /// Who runs, with how many tasks on how many nodes.
    Launched { program: Option<String>, tasks: Option<u64>, nodes: Option<u64> },
    /// The words of the command line.
    CommandLine(Vec<String>),
    /// The test directory.
    Path(String),
    /// The line of its file system, whose type mdtest-rs prints.
    FileSystem { fs_type: Option<String> },
    /// A character a task.
    NodeMap(String),
    /// A number of tasks begins.
    Items { tasks: Option<u64>, items: Option<u64> },
    /// A table begins.
    Title { layout: Option<Layout>, table: Table, iterations: Option<u64> },
    /// Its heading.
    Columns(Vec<Column>),
    /// A line of it.
    Row { phase: Phase, colon: bool, cells: Vec<Option<f64>> },
    /// An iteration begins, counted from 0 (`-v` of mdtest-rs).
    Iteration(u64),
    /// One phase of it.
    Phase { phase: Phase, seconds: Option<f64>, rate: Option<f64> },
    /// Values of every task begin (`--print-all-procs`).
    EachTask(Table),
    /// One phase of them.
    Tasks { phase: Phase, values: Vec<Option<f64>> },
    /// A warning of mdtest's.
    Warning(String),
    /// Why it gave up.
    Trouble(String),
}

/// What `line` says, if it is one of mdtest's that matter. The line is clean.
pub fn event(line: &str) -> Option<Event> {
    let between = |head: &str| Some(line.strip_prefix(head)?.strip_suffix("--")?.trim().to_string());
    between("-- started at ")
        .map(Event::Started)
        .or_else(|| between("-- finished at ").map(Event::Finished))
        .or_else(|| launched(line))
        .or_else(|| header(line))
        .or_else(|| items(line))
        .or_else(|| title(line))
        .or_else(|| columns(line).map(Event::Columns))
        .or_else(|| row(line))
        .or_else(|| verbose(line))
        .or_else(|| each_task(line))
        .or_else(|| message(line))
}

fn launched(line: &str) -> Option<Event> {
    let (before, rest) = line.split_once(" was launched with ")?;
    let (tasks, rest) = rest.split_once(" total task")?;
    let nodes = rest.split_once(" on ").and_then(|(_, rest)| Some(rest.split_once(" node")?.0));
    Some(Event::Launched {
        program: before.split_whitespace().next_back().map(str::to_string),
        tasks: tasks.trim().parse().ok(),
        nodes: nodes.and_then(|n| n.parse().ok()),
    })
}

/// `Path: x`, `Path                : x` and the like.
fn header(line: &str) -> Option<Event> {
    let (key, value) = line.split_once(':')?;
    let value = value.trim();
    match key.trim_end() {
        "Command line used" => Some(Event::CommandLine(words(value))),
        "Path" => Some(Event::Path(value.to_string())),
        "FS" => {
            let fs_type = value.split_once("   Type: ").map(|(_, name)| name.trim().to_string());
            Some(Event::FileSystem { fs_type })
        }
        "Nodemap" if value.bytes().all(|b| b == b'0' || b == b'1') => Some(Event::NodeMap(value.to_string())),
        _ => None,
    }
}

/// The words of a command line: `mdtest '-n' '5'`, `mdtest "-n" "5"` or `mdtest -n 5`.
fn words(line: &str) -> Vec<String> {
    for quote in ['\'', '"'] {
        let Some((program, rest)) = line.split_once(&format!(" {quote}")) else { continue };
        if let Some(rest) = rest.strip_suffix(quote) {
            let parted = format!("{quote} {quote}");
            return [program].into_iter().chain(rest.split(&parted)).map(str::to_string).collect();
        }
    }
    line.split_whitespace().map(str::to_string).collect()
}

/// `4 tasks, 1600 files/directories`.
fn items(line: &str) -> Option<Event> {
    let [tasks, "tasks," | "task,", items, "files/directories" | "files" | "directories" | "file"] =
        line.split_whitespace().collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    (digits(tasks) && digits(items))
        .then(|| Event::Items { tasks: tasks.parse().ok(), items: items.parse().ok() })
}

fn title(line: &str) -> Option<Event> {
    let rest = line.strip_prefix("SUMMARY")?;
    let (head, rest) = rest.split_once(':')?;
    let (layout, table) = match head.trim() {
        "" => (Some(Layout::V1_9), Table::Rates),
        "rate" => (Some(Layout::Between), Table::Rates),
        // All but the newest print it so: other lines tell which.
        "time" => (Some(Layout::Between), Table::Times),
        head if head.starts_with("rate (") => (Some(Layout::V4_1), Table::Rates),
        head if head.starts_with("time (") => (Some(Layout::V4_1), Table::Times),
        _ => return None,
    };
    let of = rest.trim().strip_prefix("(of ").and_then(|rest| rest.strip_suffix(" iterations)"));
    Some(Event::Title { layout, table, iterations: of.and_then(|n| n.parse().ok()).filter(|n| *n > 0) })
}

/// The phase whose label a line begins with, and what stands behind it.
fn labelled(line: &str) -> Option<(Phase, &str)> {
    Phase::ALL.into_iter().find_map(|phase| Some((phase, line.strip_prefix(phase.label())?)))
}

fn row(line: &str) -> Option<Event> {
    let (phase, rest) = labelled(line)?;
    let rest = rest.trim_start();
    let (colon, rest) = rest.strip_prefix(':').map_or((false, rest), |rest| (true, rest));
    let words: Vec<&str> = rest.split_whitespace().collect();
    // Other lines begin with labels too: `File stat : 0.1 sec, 5.0 ops/sec`.
    let fits = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.*".contains(&b));
    let fits = !words.is_empty() && words.iter().all(fits);
    fits.then(|| Event::Row { phase, colon, cells: numbers(&words) })
}

/// The numbers of a row. All have as many decimals as the first: the last of a log that was cut off may have fewer, and
/// is then not what mdtest wanted to print.
fn numbers(words: &[&str]) -> Vec<Option<f64>> {
    let decimals = |word: &str| word.split_once('.').map_or(0, |(_, part)| part.len());
    let first = words.iter().find(|word| number(word).is_some()).map_or(0, |word| decimals(word));
    words.iter().map(|word| number(word).filter(|_| decimals(word) == first)).collect()
}

/// Lines of `-v` that tell the rates of an iteration: only those of mdtest-rs. mdtest's own are the rates of one task.
fn verbose(line: &str) -> Option<Event> {
    let rest = line.strip_prefix("V-1: Rank   0 Line     0 ")?.trim();
    if let Some(rest) = rest.strip_prefix("main: * iteration ") {
        let from_1: u64 = rest.strip_suffix(" *")?.parse().ok()?;
        return from_1.checked_sub(1).map(Event::Iteration);
    }
    let (phase, rest) = labelled(rest)?;
    let rest = rest.trim_start().strip_prefix(':')?;
    let [seconds, "sec,", rate, "ops/sec"] = rest.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    // A phase that ran took some time: zeros are less than half a millisecond, which is not known.
    let seconds = number(seconds).filter(|s| *s > 0.0);
    Some(Event::Phase { phase, seconds, rate: number(rate) })
}

fn each_task(line: &str) -> Option<Event> {
    match line {
        "Per process result (rate):" => return Some(Event::EachTask(Table::Rates)),
        "Per process result (time):" => return Some(Event::EachTask(Table::Times)),
        _ => {}
    }
    if let Some(index) = line.strip_prefix("iteration: ") {
        return index.parse().ok().map(Event::Iteration);
    }
    let (phase, rest) = labelled(line.strip_prefix("Test ")?)?;
    Some(Event::Tasks { phase, values: rest.trim().split(',').map(number).collect() })
}

fn message(line: &str) -> Option<Event> {
    let warns = ["WARNING: ", "ior WARNING: ", "mdtest-rs: warning: "];
    if warns.iter().any(|head| line.starts_with(head)) {
        return Some(Event::Warning(line.to_string()));
    }
    let gives_up = line.starts_with("ERROR: ")
        || line.starts_with("mdtest-rs: error: ")
        || (line.contains(": Process ") && line.contains(": FAILED in "));
    gives_up.then(|| Event::Trouble(line.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_they_were_printed() {
        for (line, expected) in [
            ("mdtest '-n' '5'", vec!["mdtest", "-n", "5"]),
            ("/a b/mdtest '-d' '/x y/it's'", vec!["/a b/mdtest", "-d", "/x y/it's"]),
            ("mdtest \"-C\" \"-V=3\"", vec!["mdtest", "-C", "-V=3"]),
            ("mdtest -n  5", vec!["mdtest", "-n", "5"]),
            ("mdtest", vec!["mdtest"]),
            ("mdtest '", vec!["mdtest", "'"]),
            ("", vec![]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    #[test]
    fn a_number_that_was_cut_off_is_none() {
        let cells = |line| match event(line) {
            Some(Event::Row { cells, .. }) => cells,
            other => panic!("{line} is {other:?}"),
        };
        assert_eq!(cells("File read 5.000 4.000 3.000 0.00"), [Some(5.0), Some(4.0), Some(3.0), None]);
        assert_eq!(cells("File read : inf -nan 3.000 -"), [None, None, Some(3.0), None]);
        assert_eq!(event("File read : 0.1 sec, 3.0 ops/sec"), None);
    }

    #[test]
    fn rates_of_one_task_are_not_taken_for_those_of_all() {
        let of = |line: u64| {
            format!("V-1: Rank   0 Line {line:>5}    Directory stat    :          0.000 sec,         97.541 ops/sec")
        };
        assert_eq!(event(&of(1126)), None);
        assert_eq!(
            event(&of(0)),
            Some(Event::Phase { phase: Phase::DirectoryStat, seconds: None, rate: Some(97.541) })
        );
    }
}
