//! What all tasks together saw of a phase, an iteration, a number of tasks.

use crate::namespace::phase::Phase;
use crate::result::latency::Latencies;
use crate::result::tasks::{NodeOutcome, TaskSpread};
use crate::result::timeline::PhaseTimeline;
use serde::{Deserialize, Serialize};

/// A task by its rank and its host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Rank among all tasks of the run.
    pub rank: u64,
    /// Name of its node.
    pub host: String,
}

/// Smallest, mean and largest value over tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Smallest.
    pub min: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Largest.
    pub max: f64,
}

/// The same, in seconds, and who was last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Smallest, seconds.
    pub min: f64,
    /// Mean, seconds.
    pub mean: f64,
    /// Largest, seconds.
    pub max: f64,
    /// The task with the largest.
    pub last: Task,
}

/// Counts over all tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Items {
    /// Operations begun.
    pub attempted: u64,
    /// Operations that succeeded.
    pub done: u64,
    /// Operations that failed.
    pub failed: u64,
}

/// Failures of one kind in one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// The errno's symbol, or SHORT-READ, SHORT-WRITE, DATA-DIFFER.
    pub kind: String,
    /// The errno, where a system call failed.
    pub errno: Option<i32>,
    /// A sentence about it.
    pub text: String,
    /// How many.
    pub count: u64,
    /// The call of the first: that of the lowest rank that met it.
    pub operation: String,
    /// Its path.
    pub path: String,
    /// Its task.
    pub first: Task,
}

/// A stonewall that was hit in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stonewall {
    /// Items of the slowest task at the wall.
    pub items_min: u64,
    /// Items a task at the wall, on average.
    pub items_mean: f64,
    /// Items of the fastest task at the wall.
    pub items_max: u64,
    /// Items of each task in the end.
    pub items_agreed: u64,
    /// Items of all tasks at the wall over the seconds of the slowest task until then.
    pub rate_at_wall_per_s: f64,
    /// `--wear-out-limit` ended the levelling, and the tasks were cut back to `items_agreed`.
    pub worn_out: bool,
}

/// One phase of one iteration over all tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseOutcome {
    /// Which phase.
    pub phase: Phase,
    /// Counts over all tasks.
    pub items: Items,
    /// Failures by kind.
    pub errors: Vec<ErrorCount>,
    /// Seconds from the start to the end of a task's own work.
    pub seconds_to_barrier: Times,
    /// Seconds from the start through the barrier behind the phase.
    pub seconds: Times,
    /// Seconds that `rate_per_s` is counted over: those of the slowest task; of trees, rank 0's.
    pub rated_seconds: f64,
    /// The rate as mdtest counts it: tasks × the smallest items ÷ seconds of a task; of trees, the directories of one
    /// tree ÷ rank 0's seconds.
    pub rate_per_s: f64,
    /// Items done by all tasks (trees of all tasks and test directories) ÷ the largest seconds.
    pub true_rate_per_s: f64,
    /// Rates of single tasks to the barrier.
    pub task_rate_per_s: Spread,
    /// The stonewall, where it was hit.
    pub stonewall: Option<Stonewall>,
    /// Requests that the clients of all nodes sent to servers during the phase, where all of them count (NFS, Lustre)
    /// and there are barriers between phases.
    pub client_requests: Option<u64>,
    /// Latencies of the operations that succeeded; absent where none did.
    pub latency: Option<Latencies>,
    /// When operations were done; absent where no task had anything to do.
    pub timeline: Option<PhaseTimeline>,
    /// How the tasks compare; absent where none had anything to do.
    pub tasks: Option<TaskSpread>,
    /// The nodes, in the order of their first rank.
    pub nodes: Vec<NodeOutcome>,
}

/// One iteration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// Counted from 0.
    pub iteration: u64,
    /// By how much the comparison of the nodes' clocks can be wrong, seconds; 0 on one node.
    pub clock_error_s: f64,
    /// The phases that ran, in mdtest's order.
    pub phases: Vec<PhaseOutcome>,
    /// Values of each task, where they were asked for.
    #[serde(skip)]
    pub per_task: Option<PerTask>,
}

/// Values of single tasks, phase by phase as in [`Phase::ALL`], task after task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerTask {
    /// Rate and seconds of task t in phase p at `t × phases + p`; a phase that did not run has zeros.
    pub rate_and_seconds: Vec<(f64, f64)>,
    /// Items of each task.
    pub items: Vec<u64>,
}

impl Iteration {
    /// What came of `phase`, if it ran.
    pub fn phase(&self, phase: Phase) -> Option<&PhaseOutcome> {
        self.phases.iter().find(|p| p.phase == phase)
    }

    /// Failed operations of all phases.
    pub fn failed(&self) -> u64 {
        self.phases.iter().map(|p| p.items.failed).sum()
    }
}
