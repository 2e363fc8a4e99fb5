//! Records as columns and points: one entry for each record and number of tasks.

use crate::archive::{Record, TaskCount};
use crate::report::plain::{count, counted, plain};

/// A record's results for one number of tasks.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// What to call it: no two entries are called the same.
    pub name: String,
    /// The record.
    pub record: &'a Record,
    /// The results.
    pub result: &'a TaskCount,
}

/// Entries that may be compared: those of one workload.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The workload, where files name it.
    pub workload: Option<&'a str>,
    /// Its entries.
    pub entries: Vec<Entry<'a>>,
}

/// All entries, in the order of the records.
pub fn entries(records: &[Record]) -> Vec<Entry<'_>> {
    let mut all: Vec<Entry> = Vec::new();
    for record in records {
        for result in &record.results {
            let own = if record.name.is_empty() { "record".to_string() } else { plain(&record.name) };
            let own = match result.tasks {
                Some(tasks) if record.results.len() > 1 => format!("{own}, {}", counted(tasks, "task")),
                _ => own,
            };
            let same = |name: &str| all.iter().any(|entry| entry.name == name);
            let again = (2..).map(|n| format!("{own} ({n})"));
            let name = std::iter::once(own.clone()).chain(again).find(|name| !same(name)).unwrap_or(own);
            all.push(Entry { name, record, result });
        }
    }
    all
}

/// The entries by workload, in the order in which workloads first come.
pub fn groups<'a>(entries: &[Entry<'a>]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for entry in entries {
        let workload = entry.record.workload();
        match groups.iter_mut().find(|group| group.workload == workload) {
            Some(group) => group.entries.push(entry.clone()),
            None => groups.push(Group { workload, entries: vec![entry.clone()] }),
        }
    }
    groups
}

impl Entry<'_> {
    /// Tasks, where they are known.
    pub fn tasks(&self) -> Option<u64> {
        self.result.tasks.or_else(|| self.record.placement.and_then(|p| p.tasks))
    }

    /// Nodes that these tasks ran on, where they are known.
    pub fn nodes(&self) -> Option<u64> {
        let all = self.record.nodes()?;
        let in_all = self.record.placement.and_then(|p| p.tasks);
        if all <= 1 || self.result.tasks.is_none() || self.result.tasks == in_all {
            return Some(all);
        }
        let phases = self.result.iterations.iter().flat_map(|i| &i.phases);
        let working = phases.map(|p| p.nodes.iter().filter(|n| n.tasks > 0).count()).max()?;
        (working > 0).then_some(working as u64)
    }

    /// Tasks on each node, where each has as many.
    pub fn tasks_per_node(&self) -> Option<u64> {
        let (tasks, nodes) = (self.tasks()?, self.nodes()?);
        (nodes > 0 && tasks % nodes == 0).then(|| tasks / nodes)
    }

    /// Tasks, nodes, file system and iterations in a few words.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        match (self.tasks(), self.nodes()) {
            (Some(tasks), Some(nodes)) => {
                parts.push(format!("{} on {}", counted(tasks, "task"), counted(nodes, "node")));
            }
            (Some(tasks), None) => parts.push(counted(tasks, "task")),
            (None, Some(nodes)) => parts.push(counted(nodes, "node")),
            (None, None) => {}
        }
        parts.extend(self.record.fs_type().map(plain));
        parts.extend(self.result.items.map(|items| format!("{} items of each kind", count(items))));
        parts.extend(self.result.iterations_in_all().map(|n| counted(n, "iteration")));
        parts.join(" · ")
    }
}

impl<'a> Group<'a> {
    /// The records of the entries, each once.
    pub fn records(&self) -> Vec<&'a Record> {
        let mut records: Vec<&Record> = Vec::new();
        for entry in &self.entries {
            if !records.iter().any(|record| std::ptr::eq(*record, entry.record)) {
                records.push(entry.record);
            }
        }
        records
    }

    /// Whether the entries are of different numbers of nodes or tasks, each known.
    pub fn is_sweep(&self) -> bool {
        let sizes: Option<Vec<_>> = self.entries.iter().map(|e| Some((e.nodes(), e.tasks()?))).collect();
        sizes.is_some_and(|sizes| sizes.iter().any(|size| *size != sizes[0]))
    }

    /// Whether entries are compared: some are of the same numbers, or of unknown ones.
    pub fn is_comparison(&self) -> bool {
        let mut sizes: Vec<_> = self.entries.iter().map(|e| (e.nodes(), e.tasks())).collect();
        sizes.sort_unstable();
        sizes.windows(2).any(|pair| pair[0] == pair[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::KnownPlacement;

    pub fn record(name: &str, nodes: u64, tasks: &[u64]) -> Record {
        let all = tasks.last().copied();
        let placement = KnownPlacement { tasks: all, nodes: Some(nodes), ..KnownPlacement::default() };
        let results = tasks.iter().map(|&tasks| TaskCount { tasks: Some(tasks), ..TaskCount::default() });
        Record {
            name: name.into(),
            placement: Some(placement),
            results: results.collect(),
            ..Record::default()
        }
    }

    #[test]
    fn names_are_told_apart() {
        let records = [record("r", 1, &[4]), record("r", 1, &[2, 4]), record("r", 1, &[4])];
        let names: Vec<String> = entries(&records).into_iter().map(|e| e.name).collect();
        assert_eq!(names, ["r", "r, 2 tasks", "r, 4 tasks", "r (2)"]);
    }

    #[test]
    fn what_differs_in_size_is_a_sweep() {
        let of = |records: &[Record]| {
            let entries = entries(records);
            let group = &groups(&entries)[0];
            (group.is_sweep(), group.is_comparison())
        };
        assert_eq!(of(&[record("a", 1, &[4]), record("b", 1, &[4])]), (false, true));
        assert_eq!(of(&[record("a", 1, &[4]), record("b", 2, &[8])]), (true, false));
        assert_eq!(of(&[record("a", 1, &[1, 2])]), (true, false));
        assert_eq!(of(&[record("a", 1, &[4]), record("b", 2, &[8]), record("c", 1, &[4])]), (true, true));
        assert_eq!(
            of(&[Record { results: vec![TaskCount::default()], ..Record::default() }]),
            (false, false)
        );
    }
}
