//! What was run and on what, as pairs of a name and a text. What is not known is left out.

use crate::archive::{Directory, Record};
use crate::report::plain::{bytes, count, counted, plain, typed};
use crate::result::environment::Host;
use crate::result::units;
use serde_json::Value;

/// Name and text.
pub type Fact = (String, String);

fn fact(name: &str, text: Option<String>) -> Option<Fact> {
    Some((name.to_string(), text?))
}

/// The run.
pub fn run(record: &Record) -> Vec<Fact> {
    let origin = record.origin.as_ref();
    let early = record.ended_early.as_ref();
    let mpi = record.mpi.as_ref();
    let unfinished = record.version.is_some() && record.finished.is_none();
    let version = record.version.as_ref().map(|v| format!("mdtest-rs {}", plain(v)));
    let printed = origin.and_then(|o| o.program.as_ref()).map(|p| plain(p));
    let harness =
        record.harness_ns.map(|h| format!("{} per operation (mean over tasks)", units::time(h.mean)));
    [
        fact("Program", version.or(printed)),
        fact("Command line", (!record.command_line.is_empty()).then(|| typed(&record.command_line))),
        fact("Started", record.started.as_deref().map(date)),
        fact("Took", duration(record)),
        fact(
            "Finished",
            unfinished.then(|| "no: the run was going on when the record was written, or was killed".into()),
        ),
        fact("MPI", mpi.map(|m| format!("{} (MPI {})", plain(&m.library), plain(&m.standard)))),
        fact("Cost of measuring", harness),
        fact("Exit code", record.exit_code.map(|code| code.to_string())),
        fact("Ended early", early.map(|why| plain(why))),
        fact(
            "Imported from",
            origin.map(|o| format!("{}, line {} ({})", plain(&o.file), o.line, plain(&o.format))),
        ),
        fact("Workload", record.workload().map(plain)),
        fact("Not known", origin.filter(|o| !o.unknown.is_empty()).map(|o| plain(&o.unknown.join("; ")))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Date and time without parts of a second, where it is one.
fn date(text: &str) -> String {
    let date = chrono::DateTime::parse_from_rfc3339(text);
    date.map_or_else(|_| plain(text), |date| date.format("%Y-%m-%d %H:%M:%S %:z").to_string())
}

fn duration(record: &Record) -> Option<String> {
    let at = |text: &Option<String>| chrono::DateTime::parse_from_rfc3339(text.as_ref()?).ok();
    let took = at(&record.finished)?.signed_duration_since(at(&record.started)?);
    let seconds = took.num_milliseconds() as f64 / 1000.0;
    (seconds >= 0.0).then(|| match seconds {
        s if s >= 7200.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 120.0 => format!("{:.1} min", s / 60.0),
        s => units::time(s * 1e9),
    })
}

/// The nodes and the file systems.
pub fn place(record: &Record) -> Vec<Fact> {
    let mut facts = Vec::new();
    let placement = record.placement.unwrap_or_default();
    let on = match (placement.tasks, placement.nodes) {
        (Some(tasks), Some(nodes)) => {
            Some(format!("{} on {}", counted(tasks, "task"), counted(nodes, "node")))
        }
        (tasks, nodes) => tasks.map(|n| counted(n, "task")).or(nodes.map(|n| counted(n, "node"))),
    };
    let dealt = placement.in_blocks.filter(|_| placement.nodes.is_some_and(|n| n > 1));
    let order =
        dealt.map(
            |blocks| if blocks { ", neighbouring ranks share nodes" } else { ", ranks dealt out in turn" },
        );
    facts.extend(fact("Tasks", on.map(|on| on + order.unwrap_or_default())));
    facts.extend(hosts(&record.hosts).into_iter().map(|text| ("Nodes".to_string(), text)));
    for directory in &record.test_directories {
        facts.extend(self::directory(directory));
    }
    facts
}

/// Nodes that are alike together, the most first: how many, what they are, the first and the last name.
fn hosts(hosts: &[Host]) -> Vec<String> {
    /// Kinds of node that are told.
    const MOST: usize = 8;
    let mut kinds: Vec<(&Host, &Host, u64)> = Vec::new();
    let kind = |h: &Host| (h.cpu_model.clone(), h.cpus, h.kernel.clone(), h.tasks);
    let mut index = std::collections::HashMap::new();
    for host in hosts {
        let place = *index.entry(kind(host)).or_insert(kinds.len());
        match kinds.get_mut(place) {
            Some((_, last, count)) => (*last, *count) = (host, *count + 1),
            None => kinds.push((host, host, 1)),
        }
    }
    kinds.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    let told = kinds.iter().take(MOST).map(|(first, last, n)| {
        let names = if *n > 1 {
            format!("{} … {}", plain(&first.name), plain(&last.name))
        } else {
            plain(&first.name)
        };
        let mut parts = vec![
            format!("{}: {names}", counted(*n, "node")),
            counted(first.tasks, "task") + if *n > 1 { " each" } else { "" },
        ];
        parts.extend(first.cpu_model.as_ref().map(|m| plain(m)));
        parts.extend(first.cpus.map(|n| counted(n, "processor")));
        parts.extend(first.kernel.as_ref().map(|k| format!("kernel {}", plain(k))));
        parts.join(", ")
    });
    let more = kinds.len().saturating_sub(MOST);
    told.chain((more > 0).then(|| format!("{} more kinds of node", count(more as u64)))).collect()
}

fn directory(d: &Directory) -> Vec<Fact> {
    let source = d.source.as_ref().map_or(String::new(), |s| format!(", {}", plain(s)));
    let point = d.mount_point.as_ref().map_or(String::new(), |p| format!(" at {}", plain(p)));
    let fs = d.fs_type.as_ref().map(|t| format!("{}{source}{point}", plain(t)));
    let of = |free: Option<u64>, all: Option<u64>, show: fn(u64) -> String| {
        let all = all.filter(|all| *all > 0)?;
        Some(free.map_or_else(|| show(all), |free| format!("{} free of {}", show(free), show(all))))
    };
    [
        fact("Directory", (!d.path.is_empty()).then(|| plain(&d.path))),
        fact("File system", fs),
        fact("Mount options", d.mount_options.as_ref().map(|o| plain(o))),
        fact("Space", of(d.free_bytes, d.size_bytes, bytes)),
        fact("Inodes", of(d.free_inodes, d.inodes, count)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The plan's main values: what is on or not zero.
pub fn plan(record: &Record) -> Vec<Fact> {
    const NAMES: [(&str, &str); 25] = [
        ("api", "API"),
        ("iterations", "iterations"),
        ("items_per_task", "items of each kind per task"),
        ("items_per_directory", "items per directory"),
        ("branch", "branching factor"),
        ("depth", "depth"),
        ("tree_directories", "directories of a tree"),
        ("leaf_only", "items in leaves only"),
        ("unique", "a tree for each task"),
        ("shared_file", "shared files"),
        ("collective", "rank 0 makes all items"),
        ("mknod", "mknod in place of open"),
        ("neighbor_stride", "neighbour stride"),
        ("rank_shift", "ranks between neighbours"),
        ("random_seed", "seed of the random order"),
        ("stonewall_s", "stonewall, seconds"),
        ("wear_out_limit_s", "limit of levelling, seconds"),
        ("pre_delay_s", "delay before parts, seconds"),
        ("write_bytes", "bytes written into each file"),
        ("read_bytes", "bytes read from each file"),
        ("fsync", "fsync after writing"),
        ("sync_phases", "sync after phases"),
        ("drop_caches", "caches dropped between phases"),
        ("until_ci_percent", "repeated until intervals are within, percent"),
        ("max_errors", "errors that end the run"),
    ];
    let value = |key: &str| match record.plan.get(key)? {
        Value::Bool(true) => Some("yes".to_string()),
        Value::Number(n) => match n.as_u64() {
            Some(0) => None,
            Some(n) => Some(count(n)),
            None => Some(n.to_string()),
        },
        Value::String(text) if !text.is_empty() => Some(plain(text)),
        _ => None,
    };
    let mut facts = Vec::new();
    facts.extend(fact("operations", chosen(&record.plan)));
    facts.extend(NAMES.iter().filter_map(|(key, name)| fact(name, value(key))));
    if record.plan.get("barriers") == Some(&Value::Bool(false)) {
        facts.push(("barriers between phases".into(), "no".into()));
    }
    facts
}

/// Which operations on which items.
fn chosen(plan: &Value) -> Option<String> {
    let chosen = plan.get("chosen")?.as_object()?;
    let on = |names: &[&str]| {
        let on = names.iter().filter(|name| chosen.get(**name) == Some(&Value::Bool(true)));
        on.copied().collect::<Vec<_>>().join(", ")
    };
    Some(format!(
        "{} of {}",
        on(&["create", "stat", "read", "rename", "remove"]),
        on(&["directories", "files"])
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_that_are_alike_are_told_together() {
        let host = |i: u64| Host {
            name: format!("n{i:04}"),
            tasks: 8,
            kernel: None,
            cpu_model: Some(if i < 7799 { "AMD EPYC" } else { "other" }.into()),
            cpus: Some(64),
        };
        let told = hosts(&(0..7800).map(host).collect::<Vec<_>>());
        assert_eq!(
            told,
            [
                "7,799 nodes: n0000 … n7798, 8 tasks each, AMD EPYC, 64 processors",
                "1 node: n7799, 8 tasks, other, 64 processors"
            ]
        );
    }

    #[test]
    fn nothing_is_told_of_an_empty_record() {
        let record = Record::default();
        assert!(run(&record).is_empty() && place(&record).is_empty() && plan(&record).is_empty());
    }
}
