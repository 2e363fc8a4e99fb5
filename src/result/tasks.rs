//! Who was slow: single tasks and nodes in one phase, reduced node by node.
//!
//! Every node reduces its tasks to one [`NodeSample`] of a fixed size; rank 0 has nothing but those, and the median task
//! time (from the log-linear counts of all task times), so that its work grows with the nodes.

use crate::measure::clock::seconds;
use crate::result::latency::LatencyNumbers;
use crate::result::outcome::Task;
use serde::{Deserialize, Serialize};

/// A task is slow whose time is above so many times the median …
pub const SLOW_RATIO: f64 = 1.2;
/// … and above the median by so many deviations, taken from the faster half: (median − lower quartile) ÷ 0.6745.
pub const SLOW_DEVIATIONS: f64 = 4.0;
/// … and by so many seconds: less is what a processor that is busy elsewhere takes.
pub const SLOW_LEAST_S: f64 = 0.001;

/// What one task measured in one phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TaskSample {
    /// Its rank.
    pub rank: u64,
    /// Items that succeeded.
    pub items: u64,
    /// Whether it had anything to do.
    pub worked: bool,
    /// Its time: from the start to the end of its last operation, nanoseconds.
    pub done_ns: u64,
    /// Mean latency, nanoseconds; 0 where nothing succeeded.
    pub mean_ns: f64,
    /// 99th percentile of its latencies, nanoseconds.
    pub p99_ns: u64,
}

/// Tasks that worked on one node in one phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeSample {
    /// How many.
    pub tasks: u64,
    /// Items that succeeded.
    pub items: u64,
    /// Shortest, mean and longest time, nanoseconds.
    pub done_ns: (u64, f64, u64),
    /// Sum of the squared deviations of the times from their mean, seconds squared.
    pub squares_s2: f64,
    /// Its latencies; all zero where nothing succeeded.
    pub latency: LatencyNumbers,
}

impl NodeSample {
    /// Reduces the tasks of a node.
    pub fn of(tasks: &[TaskSample], latency: LatencyNumbers) -> Self {
        let working = || tasks.iter().filter(|t| t.worked);
        let count = working().count() as u64;
        if count == 0 {
            return NodeSample { latency, ..NodeSample::default() };
        }
        let n = as_f64(count);
        let mean_s = working().map(|t| seconds(t.done_ns)).sum::<f64>() / n;
        NodeSample {
            tasks: count,
            items: working().map(|t| t.items).sum(),
            done_ns: (
                working().map(|t| t.done_ns).min().unwrap_or(0),
                mean_s * 1e9,
                working().map(|t| t.done_ns).max().unwrap_or(0),
            ),
            squares_s2: working().map(|t| (seconds(t.done_ns) - mean_s).powi(2)).sum(),
            latency,
        }
    }

    /// The mean time of its tasks but the slowest, seconds: one slow task makes no slow node.
    fn typical_s(&self) -> f64 {
        match self.tasks {
            0 | 1 => self.mean_s(),
            tasks => (as_f64(tasks) * self.mean_s() - seconds(self.done_ns.2)) / as_f64(tasks - 1),
        }
    }

    /// Its mean time, seconds.
    pub fn mean_s(&self) -> f64 {
        self.done_ns.1 / 1e9
    }
}

/// The share of the spread of task times that the node explains: the squares between nodes over all squares (η², Fisher,
/// "Statistical Methods for Research Workers", 1925). `None` on one node, or where all took the same time.
pub fn node_share(nodes: &[NodeSample]) -> Option<f64> {
    let working = || nodes.iter().filter(|n| n.tasks > 0);
    let tasks: f64 = working().map(|n| as_f64(n.tasks)).sum();
    let mean_s = working().map(|n| as_f64(n.tasks) * n.mean_s()).sum::<f64>() / tasks;
    let between: f64 = working().map(|n| as_f64(n.tasks) * (n.mean_s() - mean_s).powi(2)).sum();
    let within: f64 = working().map(|n| n.squares_s2).sum();
    (working().count() > 1 && between + within > 0.0).then(|| between / (between + within))
}

/// The time above which a task is slow, seconds, from the lower quartile and the median of all tasks.
pub fn slow_above_s(lower_quartile_s: f64, median_s: f64) -> f64 {
    let deviation_s = (median_s - lower_quartile_s).max(0.0) / 0.6745;
    (median_s * SLOW_RATIO).max(median_s + (SLOW_DEVIATIONS * deviation_s).max(SLOW_LEAST_S))
}

/// What is left of a phase without one of its nodes.
struct Others {
    items: u64,
    longest_ns: u64,
    second_ns: u64,
    working: usize,
}

impl Others {
    fn of(nodes: &[NodeSample]) -> Self {
        let working = || nodes.iter().filter(|n| n.tasks > 0);
        let mut longest: Vec<u64> = working().map(|n| n.done_ns.2).collect();
        longest.sort_unstable_by(|a, b| b.cmp(a));
        Others {
            items: working().map(|n| n.items).sum(),
            longest_ns: longest.first().copied().unwrap_or(0),
            second_ns: longest.get(1).copied().unwrap_or(0),
            working: longest.len(),
        }
    }

    /// The rate of the phase without `node`: the others' items ÷ the time of their slowest task. `None` where there are
    /// no others.
    fn rate_without(&self, node: &NodeSample) -> Option<f64> {
        let longest_ns = if node.done_ns.2 == self.longest_ns { self.second_ns } else { self.longest_ns };
        (self.working > 1 && longest_ns > 0).then(|| as_f64(self.items - node.items) / seconds(longest_ns))
    }
}

/// The tasks of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskSpread {
    /// Tasks that had something to do; all that follows, but for `details` of all, is of these.
    pub working: u64,
    /// Shortest time from the start to the end of a task's last operation, seconds.
    pub min_s: f64,
    /// Median, seconds: at most 0.4 % off.
    pub median_s: f64,
    /// Longest, seconds.
    pub max_s: f64,
    /// The task with the longest.
    pub slowest: Task,
    /// Longest over median.
    pub max_over_median: f64,
    /// Tasks with a longer time are slow, seconds.
    pub slow_above_s: f64,
    /// How many are.
    pub slow: u64,
    /// The rate without them: items of the others ÷ the time of the slowest of the others. Absent where none is slow.
    pub rate_without_slow_per_s: Option<f64>,
    /// Share of the spread that the node explains, 0 … 1 (between-node over total sum of squares of the times); absent on
    /// one node.
    pub node_share: Option<f64>,
    /// Single tasks, as `--rank-details` wants them: all by rank, or the slowest first.
    pub details: Vec<TaskDetail>,
}

/// A task of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskDetail {
    /// Which.
    #[serde(flatten)]
    pub task: Task,
    /// Items that succeeded.
    pub items: u64,
    /// When it ended its last operation, seconds after its start.
    pub done_s: f64,
    /// Mean latency, nanoseconds.
    pub mean_ns: f64,
    /// 99th percentile of the latencies, nanoseconds.
    pub p99_ns: u64,
}

/// A node of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeOutcome {
    /// Its name.
    pub host: String,
    /// Tasks on it that had something to do.
    pub tasks: u64,
    /// Items that succeeded.
    pub items: u64,
    /// Those ÷ the time of its slowest task.
    pub rate_per_s: f64,
    /// Shortest time of a task, seconds.
    pub min_s: f64,
    /// Mean, seconds.
    pub mean_s: f64,
    /// Longest, seconds.
    pub max_s: f64,
    /// Latencies.
    pub latency: LatencyNumbers,
    /// The rate of the phase without this node, where it is slow: its tasks, the slowest left out, take longer on average
    /// than `slow_above_s`.
    pub rate_without_per_s: Option<f64>,
}

/// The nodes of a phase by name; those whose tasks typically take longer than `slow_above_s` with the rate without them.
pub fn node_outcomes(nodes: &[NodeSample], hosts: &[String], slow_above_s: f64) -> Vec<NodeOutcome> {
    let others = Others::of(nodes);
    let named = nodes.iter().zip(hosts);
    named
        .map(|(node, host)| NodeOutcome {
            host: host.clone(),
            tasks: node.tasks,
            items: node.items,
            rate_per_s: if node.done_ns.2 > 0 { as_f64(node.items) / seconds(node.done_ns.2) } else { 0.0 },
            min_s: seconds(node.done_ns.0),
            mean_s: node.mean_s(),
            max_s: seconds(node.done_ns.2),
            latency: node.latency,
            rate_without_per_s: (node.typical_s() > slow_above_s)
                .then(|| others.rate_without(node))
                .flatten(),
        })
        .collect()
}

#[allow(clippy::cast_precision_loss)] // exact up to 2^53
fn as_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(times_ms: &[u64]) -> NodeSample {
        let task = |&ms: &u64| TaskSample {
            items: 100,
            worked: true,
            done_ns: ms * 1_000_000,
            ..TaskSample::default()
        };
        NodeSample::of(&times_ms.iter().map(task).collect::<Vec<_>>(), LatencyNumbers::default())
    }

    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-9, "{one} is not {other}");
    }

    #[test]
    fn a_node_is_reduced_to_its_sums() {
        let n = node(&[10, 20, 30]);
        assert_eq!((n.tasks, n.items, n.done_ns.0, n.done_ns.2), (3, 300, 10_000_000, 30_000_000));
        close(n.mean_s(), 0.02);
        close(n.squares_s2, 2e-4);
        let idle = [TaskSample::default()];
        assert_eq!(NodeSample::of(&idle, LatencyNumbers::default()), NodeSample::default());
    }

    #[test]
    fn the_node_explains_all_or_nothing_of_the_spread() {
        close(node_share(&[node(&[10, 10]), node(&[30, 30])]).unwrap(), 1.0);
        close(node_share(&[node(&[10, 30]), node(&[10, 30])]).unwrap(), 0.0);
        // One-way analysis of variance by hand: between 2·(5²+5²) = 100, within 4·5² = 100.
        close(node_share(&[node(&[5, 15]), node(&[15, 25])]).unwrap(), 0.5);
        assert_eq!(node_share(&[node(&[10, 20])]), None);
        assert_eq!(node_share(&[node(&[10]), node(&[10])]), None);
        assert_eq!(node_share(&[node(&[10, 20]), NodeSample::default()]), None, "an idle node is none");
    }

    #[test]
    fn a_slow_node_is_told_with_the_rate_without_it() {
        let nodes = [node(&[10, 11]), node(&[18, 20]), node(&[9, 30])];
        let hosts = ["a", "b", "c"].map(String::from);
        let told = node_outcomes(&nodes, &hosts, slow_above_s(0.0095, 0.0105));
        assert_eq!((told[0].rate_without_per_s, told[2].rate_without_per_s), (None, None));
        close(told[1].rate_without_per_s.unwrap(), 400.0 / 0.030);
        close(told[1].rate_per_s, 200.0 / 0.020);
        let alone = node_outcomes(&nodes[1..2], &hosts, 0.0);
        assert_eq!(alone[0].rate_without_per_s, None);
    }

    #[test]
    fn slow_is_far_from_the_median_in_both_senses() {
        close(slow_above_s(1.0, 1.0), 1.2);
        close(slow_above_s(0.8, 1.0), 1.0 + 4.0 * 0.2 / 0.6745);
        close(slow_above_s(0.0002, 0.0002), 0.0012);
    }
}
