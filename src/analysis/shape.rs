//! In what two runs differ that makes their numbers incomparable, and in what else.

use crate::archive::Record;
use crate::cli;
use serde::Serialize;

/// Options that say how a run is printed, repeated or seeded, not what is measured.
const NO_SHAPE: [&str; 28] = [
    "-i",
    "--until-ci",
    "--max-iterations",
    "-f",
    "-l",
    "-s",
    "-d",
    "-G",
    "-R",
    "--random-seed",
    "-x",
    "-p",
    "-v",
    "-V",
    "-P",
    "-Z",
    "--print-all-procs",
    "--showRankStatistics",
    "--saveRankPerformanceDetails",
    "--savePerOpDataCSV",
    "--warningAsErrors",
    "--max-errors",
    "--json",
    "--force",
    "--dialect",
    "--rank-details",
    "--progress",
    "--quiet",
];

/// Something in which two records differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Differs {
    /// What: an option as it is typed, tasks, nodes, file system.
    pub what: String,
    /// In the base.
    pub base: String,
    /// In the new record.
    pub new: String,
}

/// In what `new` differs from `base` so that their rates say nothing about each other: options, tasks, nodes, file system.
/// What one of them does not tell counts as no difference.
pub fn differences(base: &Record, new: &Record) -> Vec<Differs> {
    let mut found = Vec::new();
    let mut look = |what: &str, base: Option<String>, new: Option<String>| {
        if let (Some(base), Some(new)) = (base, new) {
            if base != new {
                found.push(Differs { what: what.to_string(), base, new });
            }
        }
    };
    look("tasks", tasks(base), tasks(new));
    let nodes = |r: &Record| r.nodes().map(|n| n.to_string());
    look("nodes", nodes(base), nodes(new));
    let fs = |r: &Record| r.fs_type().map(str::to_string);
    look("file system", fs(base), fs(new));
    look("workload", base.workload().map(str::to_string), new.workload().map(str::to_string));
    match (options(base), options(new)) {
        (Some(base), Some(new)) => {
            for ((option, base), (_, new)) in base.into_iter().zip(new) {
                look(&option, Some(base), Some(new));
            }
        }
        _ => look("command line", words(base), words(new)),
    }
    found
}

/// In what else they differ: what a user who sees another rate would want to know.
pub fn notes(base: &Record, new: &Record) -> Vec<Differs> {
    let first = |r: &Record| r.hosts.first().cloned();
    let values = |r: &Record| {
        let host = first(r);
        [
            ("mdtest-rs", r.version.clone()),
            ("MPI", r.mpi.as_ref().map(|m| m.library.clone())),
            ("kernel", host.as_ref().and_then(|h| h.kernel.clone())),
            ("processor", host.as_ref().and_then(|h| h.cpu_model.clone())),
            ("mount options", r.test_directories.first().and_then(|d| d.mount_options.clone())),
        ]
    };
    let pairs = values(base).into_iter().zip(values(new));
    let differing = pairs.filter_map(|((what, base), (_, new))| match (base, new) {
        (Some(base), Some(new)) if base != new => Some(Differs { what: what.to_string(), base, new }),
        _ => None,
    });
    differing.collect()
}

/// The numbers of tasks, where they are known.
fn tasks(record: &Record) -> Option<String> {
    let known: Option<Vec<String>> = record.results.iter().map(|r| Some(r.tasks?.to_string())).collect();
    known.filter(|list| !list.is_empty()).map(|list| list.join(", "))
}

/// Every option that shapes the run, with its value or default, in the order of their declaration; the number of test
/// directories stands for their names. `None` where the command line is not known or not understood.
fn options(record: &Record) -> Option<Vec<(String, String)>> {
    let all = cli::values_of(&record.command_line)?;
    let directories = all.iter().find(|(name, _)| name == "-d").map_or(1, |(_, d)| d.split('@').count());
    let random =
        all.iter().any(|(name, value)| ["-R", "--random-seed"].contains(&name.as_str()) && value != "off");
    let shape = all.into_iter().filter(|(name, _)| !NO_SHAPE.contains(&name.as_str()));
    let also = [("test directories", directories.to_string()), ("-R", random.to_string())];
    Some(shape.chain(also.map(|(name, value)| (name.to_string(), value))).collect())
}

/// The words behind the program's name.
fn words(record: &Record) -> Option<String> {
    let (_, words) = record.command_line.split_first()?;
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Directory, KnownPlacement, TaskCount};

    fn record(line: &str) -> Record {
        Record {
            command_line: line.split_whitespace().map(str::to_string).collect(),
            results: vec![TaskCount { tasks: Some(4), ..TaskCount::default() }],
            ..Record::default()
        }
    }

    fn whats(base: &Record, new: &Record) -> Vec<String> {
        differences(base, new).into_iter().map(|d| format!("{} {}/{}", d.what, d.base, d.new)).collect()
    }

    #[test]
    fn options_are_compared_by_their_meaning() {
        let base = record("mdtest -n=1k -u -d /mnt/a -i 3");
        assert_eq!(whats(&base, &record("other/mdtest-rs -u -n 1024 -d /mnt/b -i 9 --json r -v")), [""; 0]);
        assert_eq!(
            whats(&base, &record("mdtest -n 1k -F -d /a@/b")),
            ["-F off/on", "-u on/off", "test directories 1/2"]
        );
        assert_eq!(whats(&record("x -R=3 -n 1"), &record("x -n 1 --random-seed 4")), [""; 0]);
        assert_eq!(whats(&record("x -R -n 1"), &record("x -n 1")), ["-R true/false"]);
        assert_eq!(whats(&record("x -n 1"), &record("x -n 1 -E"))[0], "-E off/on");
    }

    #[test]
    fn what_is_not_known_is_no_difference() {
        assert_eq!(whats(&Record::default(), &record("x -n 5")), [""; 0]);
        assert_eq!(whats(&record("x -n 5 --old"), &record("x -n 5")), ["command line -n 5 --old/-n 5"]);
    }

    #[test]
    fn tasks_nodes_and_file_systems_count() {
        let base = record("x -n 1");
        let mut new = record("x -n 1");
        new.results.push(TaskCount { tasks: Some(8), ..TaskCount::default() });
        assert_eq!(whats(&base, &new), ["tasks 4/4, 8"]);
        let on = |nodes, fs: &str| Record {
            placement: Some(KnownPlacement { nodes: Some(nodes), ..KnownPlacement::default() }),
            test_directories: vec![Directory { fs_type: Some(fs.to_string()), ..Directory::default() }],
            ..record("x -n 1")
        };
        assert_eq!(whats(&on(1, "ext4"), &on(2, "nfs4")), ["nodes 1/2", "file system ext4/nfs4"]);
    }
}
