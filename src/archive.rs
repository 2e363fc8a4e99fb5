//! Records as they are read back: of runs of any version, and of what other programs printed. What is not known is absent.

pub mod import;
pub mod load;

use crate::namespace::phase::Phase;
use crate::plan::Placement;
use crate::result::environment::Host;
use crate::result::interval::Interval;
use crate::result::latency::Latencies;
use crate::result::outcome::{ErrorCount, Items, Spread, Stonewall, Times};
use crate::result::record::Mpi;
use crate::result::tasks::{NodeOutcome, TaskSpread};
use crate::result::timeline::PhaseTimeline;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Name and version of the schema of what was imported; a run's own record has [`crate::result::record::SCHEMA`].
pub const IMPORTED_SCHEMA: &str = "mdtest-rs-import/1";

/// A run, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// Name and version of the schema: of a run's record, or [`IMPORTED_SCHEMA`].
    pub schema: String,
    /// Version of the mdtest-rs that wrote the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Where an imported record comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The words of the command line; empty where it is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command_line: Vec<String>,
    /// Start: RFC 3339 of a run, as it was printed of an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// End, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<String>,
    /// Exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Why the run ended before its end, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_early: Option<String>,
    /// Warnings given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The MPI library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mpi: Option<Mpi>,
    /// Tasks and nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<KnownPlacement>,
    /// The nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Host>,
    /// What mdtest-rs itself costs an operation, nanoseconds, over tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub harness_ns: Option<Spread>,
    /// The plan of a run, as its record has it.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub plan: Value,
    /// The test directories and their file systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_directories: Vec<Directory>,
    /// Results for each number of tasks.
    pub results: Vec<TaskCount>,
    /// What to call the record: its file's name without ending, or what a table calls its column.
    #[serde(skip)]
    pub name: String,
}

/// Where an imported record comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The file.
    pub file: String,
    /// The line of the file where it begins, from 1.
    pub line: u64,
    /// What the file was taken for: `mdtest 4.1 text`, `per-rank CSV`, `CSV table`.
    pub format: String,
    /// The program that printed it, with its version: `mdtest-3.3.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// What the file calls the record: the heading of its column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The workload that the file says it is of; records of different workloads are not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<String>,
    /// What the file does not tell, in words.
    pub unknown: Vec<String>,
}

/// Tasks and nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KnownPlacement {
    /// Tasks in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<u64>,
    /// Nodes they ran on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Tasks on rank 0's node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks_on_first_node: Option<u64>,
    /// Whether neighbouring ranks share nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_blocks: Option<bool>,
}

impl From<Placement> for KnownPlacement {
    fn from(p: Placement) -> Self {
        KnownPlacement {
            tasks: Some(p.tasks),
            nodes: Some(p.nodes),
            tasks_on_first_node: Some(p.tasks_on_first_node),
            in_blocks: Some(p.in_blocks),
        }
    }
}

/// A test directory and its file system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Directory {
    /// The directory as given.
    pub path: String,
    /// Type of the file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fs_type: Option<String>,
    /// What is mounted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mount_point: Option<String>,
    /// Options of the mount and of the file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mount_options: Option<String>,
    /// Size, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// Free, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_bytes: Option<u64>,
    /// Inodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inodes: Option<u64>,
    /// Free inodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_inodes: Option<u64>,
}

/// Results for one number of tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskCount {
    /// How many tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<u64>,
    /// Items of each kind, over all tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<u64>,
    /// Tree directories made in each iteration, over all trees of all tasks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree_directories: Option<u64>,
    /// How many iterations there were, where only statistics over them are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration_count: Option<u64>,
    /// The iterations, where they are known one by one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub iterations: Vec<Iteration>,
    /// Statistics over them, in the order of [`Phase::ALL`].
    pub statistics: Vec<PhaseSummary>,
    /// Findings of a run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// One iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Iteration {
    /// Counted from 0.
    pub iteration: u64,
    /// By how much the comparison of the nodes' clocks can be wrong, seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_error_s: Option<f64>,
    /// The phases that ran.
    pub phases: Vec<PhaseOutcome>,
}

/// One phase of one iteration. The fields mean what those of [`crate::result::outcome::PhaseOutcome`] do.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseOutcome {
    pub phase: Phase,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Items>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_to_barrier: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_rate_per_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_rate_per_s: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stonewall: Option<Stonewall>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_requests: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latencies>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<PhaseTimeline>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<TaskSpread>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<NodeOutcome>,
}

impl PhaseOutcome {
    /// Nothing known of `phase`.
    pub fn unknown(phase: Phase) -> Self {
        PhaseOutcome {
            phase,
            items: None,
            errors: Vec::new(),
            seconds_to_barrier: None,
            seconds: None,
            rated_seconds: None,
            rate_per_s: None,
            true_rate_per_s: None,
            task_rate_per_s: None,
            stonewall: None,
            client_requests: None,
            latency: None,
            timeline: None,
            tasks: None,
            nodes: Vec::new(),
        }
    }
}

/// A phase over all iterations. The fields mean what those of [`crate::result::statistics::PhaseSummary`] do.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseSummary {
    pub phase: Phase,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub true_rate_per_s: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_rate_per_s: Option<Summary>,
    /// Seconds of single tasks, which only texts with `-Z` or `-P` and `--showRankStatistics` tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_seconds: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latencies>,
}

impl PhaseSummary {
    /// Nothing known of `phase`.
    pub fn unknown(phase: Phase) -> Self {
        PhaseSummary {
            phase,
            rate_per_s: None,
            true_rate_per_s: None,
            seconds: None,
            task_rate_per_s: None,
            task_seconds: None,
            latency: None,
        }
    }
}

/// A value over iterations. The fields mean what those of [`crate::result::statistics::Summary`] do.
#[allow(missing_docs)]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub std_dev: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The mean to the digit, as the imported table has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
}

/// A sentence about a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// What it is about.
    pub about: String,
    /// The phase, as the record names it.
    pub phase: String,
    /// How much it matters, 0 … 1.
    pub weight: f64,
    /// The sentence.
    pub text: String,
}

impl Record {
    /// What it is of, for tables: the workload that an imported file names.
    pub fn workload(&self) -> Option<&str> {
        self.origin.as_ref()?.workload.as_deref()
    }

    /// Nodes, where they are known.
    pub fn nodes(&self) -> Option<u64> {
        self.placement.and_then(|p| p.nodes)
    }

    /// Type of the file system of the first test directory, where it is known.
    pub fn fs_type(&self) -> Option<&str> {
        self.test_directories.first()?.fs_type.as_deref()
    }
}

impl TaskCount {
    /// The statistics of `phase`, where there are any.
    pub fn of(&self, phase: Phase) -> Option<&PhaseSummary> {
        self.statistics.iter().find(|s| s.phase == phase)
    }

    /// What came of `phase` in each iteration that is known.
    pub fn outcomes(&self, phase: Phase) -> impl Iterator<Item = &PhaseOutcome> {
        self.iterations.iter().filter_map(move |i| i.phases.iter().find(|p| p.phase == phase))
    }

    /// How many iterations there were, where it is known.
    pub fn iterations_in_all(&self) -> Option<u64> {
        match self.iterations.len() {
            0 => self.iteration_count,
            known => Some(known as u64),
        }
    }

    /// The phases of which something is known, in the order of mdtest's tables.
    pub fn phases(&self) -> impl Iterator<Item = Phase> + '_ {
        Phase::ALL
            .into_iter()
            .filter(|&phase| self.of(phase).is_some() || self.outcomes(phase).next().is_some())
    }

    /// Failed operations of `phase` over all iterations; of numbers that no run had, at most 2^64 − 1.
    pub fn failed(&self, phase: Phase) -> u64 {
        self.outcomes(phase).filter_map(|p| p.items).fold(0, |sum, items| sum.saturating_add(items.failed))
    }
}
