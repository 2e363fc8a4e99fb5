//! One task's numbers of one phase of one iteration.

use crate::measure::errors::Errors;
use crate::measure::latency::Latency;
use crate::measure::timeline::Timeline;

/// Where the stonewall stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wall {
    /// Items this task had made when the time was over (or all of them, where it was done before).
    pub items: u64,
    /// Its own time until then, nanoseconds.
    pub ns: u64,
    /// Items it had made when levelling up ended.
    pub reached: u64,
    /// Items of the task that had made most by then.
    pub most: u64,
    /// Items that all tasks ended with.
    pub agreed: u64,
    /// The limit of levelling up was met, and tasks were cut back.
    pub worn_out: bool,
}

/// What one task saw of one phase.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Items the task worked on.
    pub attempted: u64,
    /// Items done as mdtest counts them for this task: its share of all items, whoever did the work. What failed is
    /// taken off where it failed.
    pub share: f64,
    /// What failed.
    pub errors: Errors,
    /// Latencies of the operations that succeeded.
    pub latency: Latency,
    /// When they ended.
    pub timeline: Timeline,
    /// The start, nanoseconds of the node's monotonic clock.
    pub start_ns: u64,
    /// From the start to the end of the task's last operation, nanoseconds; 0 where it had none.
    pub done_ns: u64,
    /// From the start to the task's own end of work, nanoseconds.
    pub work_ns: u64,
    /// From the start through the barrier behind the phase, nanoseconds.
    pub phase_ns: u64,
    /// Requests that this node's client sent in the meantime, where it counts them: on the node's first task.
    pub requests: Option<u64>,
    /// The stonewall of a create phase.
    pub wall: Option<Wall>,
}

impl Sample {
    /// Items done.
    pub fn done(&self) -> u64 {
        self.attempted.saturating_sub(self.errors.total())
    }
}
