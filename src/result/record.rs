//! The run record, `mdtest-rs/1`: docs/run-record.schema.json describes it for other programs.

use crate::plan::{Placement, Plan};
use crate::result::environment::{Host, TestDirectory};
use crate::result::findings::{findings, Finding, Setting};
use crate::result::outcome::{Iteration, Spread};
use crate::result::statistics::{summarize, PhaseSummary};
use serde::{Deserialize, Serialize};

/// Name and version of the schema. Fields may be added within a version; none changes its meaning or goes.
pub const SCHEMA: &str = "mdtest-rs/1";

/// Everything about a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRecord {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Version of mdtest-rs.
    pub version: &'static str,
    /// The words of the command line.
    pub command_line: Vec<String>,
    /// Start, RFC 3339.
    pub started: String,
    /// End; absent while the run goes on, as in a record that a killed run left.
    pub finished: Option<String>,
    /// Exit code; absent while the run goes on.
    pub exit_code: Option<i32>,
    /// Why the run ended before its end, if it did.
    pub ended_early: Option<String>,
    /// Warnings given before and during the run.
    pub warnings: Vec<String>,
    /// The MPI library.
    pub mpi: Mpi,
    /// Tasks and nodes.
    pub placement: Placement,
    /// The nodes, in the order of their first rank.
    pub hosts: Vec<Host>,
    /// What mdtest-rs itself costs an operation: the measured loop, run against nothing at the start, nanoseconds, over
    /// tasks.
    pub harness_ns: Spread,
    /// The plan, with every default resolved.
    pub plan: Plan,
    /// The test directories and their file systems.
    pub test_directories: Vec<TestDirectory>,
    /// Results for each number of tasks.
    pub results: Vec<TaskCount>,
}

/// The MPI library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mpi {
    /// Its name and version, the first line of what it says.
    pub library: String,
    /// Version of the standard.
    pub standard: String,
}

/// Results for one number of tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskCount {
    /// How many tasks.
    pub tasks: u64,
    /// Items of each kind, over all tasks.
    pub items: u64,
    /// Tree directories made in each iteration, over all trees of all tasks.
    pub tree_directories: u64,
    /// The iterations.
    pub iterations: Vec<Iteration>,
    /// Statistics over them.
    pub statistics: Vec<PhaseSummary>,
    /// What the numbers come to, the weightiest first.
    pub findings: Vec<Finding>,
}

impl TaskCount {
    /// What `tasks` tasks came to in these iterations of `plan`.
    pub fn new(plan: &Plan, tasks: u64, iterations: Vec<Iteration>, setting: &Setting) -> Self {
        let statistics = crate::namespace::phase::Phase::ALL
            .into_iter()
            .filter_map(|phase| summarize(phase, &iterations))
            .collect();
        let mut result = TaskCount {
            tasks,
            items: plan.items_per_task * tasks,
            tree_directories: plan.tree_directories * plan.trees(tasks),
            iterations,
            statistics,
            findings: Vec::new(),
        };
        result.findings = findings(&result, setting);
        result
    }

    /// The statistics of `phase`, if it ran.
    pub fn of(&self, phase: crate::namespace::phase::Phase) -> Option<&PhaseSummary> {
        self.statistics.iter().find(|s| s.phase == phase)
    }
}
