//! Results that never were, for tests.

use crate::namespace::phase::Phase;
use crate::result::latency::{Buckets, Latencies, LatencyNumbers, SlowestOperation};
use crate::result::outcome::{Items, Iteration, PhaseOutcome, Spread, Task, Times};
use crate::result::record::TaskCount;
use crate::result::statistics::summarize;
use crate::result::tasks::{NodeOutcome, TaskDetail, TaskSpread};
use crate::result::timeline::PhaseTimeline;

fn task(rank: u64) -> Task {
    Task { rank, host: format!("node{:02}", rank / 2) }
}

fn times(max: f64) -> Times {
    Times { min: max, mean: max, max, last: task(0) }
}

/// Latencies of 1,000 operations of `ns`, and one of `max_ns`.
pub fn latencies(ns: u64, max_ns: u64) -> Latencies {
    let mut counts = vec![0; 7424];
    counts[crate::measure::latency::bucket_of(ns)] += 1000;
    counts[crate::measure::latency::bucket_of(max_ns)] += 1;
    let buckets = Buckets::of(0, &counts);
    let numbers = LatencyNumbers::of(&buckets, 1000 * ns + max_ns, ns, max_ns).unwrap();
    let slowest = SlowestOperation {
        iteration: 0,
        task: task(3),
        path: "/d/file.mdtest.3.7".to_string(),
        ended_s: 1.0,
    };
    Latencies { numbers, slowest, buckets }
}

/// Two tasks on each of two nodes, all done within a tenth.
pub fn outcome(phase: Phase) -> PhaseOutcome {
    let node = |host: &str| NodeOutcome {
        host: host.to_string(),
        tasks: 2,
        items: 2000,
        rate_per_s: 2000.0,
        min_s: 1.0,
        mean_s: 1.0,
        max_s: 1.0,
        latency: latencies(1_000_000, 2_000_000).numbers,
        rate_without_per_s: None,
    };
    PhaseOutcome {
        phase,
        items: Items { attempted: 4000, done: 4000, failed: 0 },
        errors: Vec::new(),
        seconds_to_barrier: times(1.0),
        seconds: times(1.0),
        rated_seconds: 1.0,
        rate_per_s: 4000.0,
        true_rate_per_s: 4000.0,
        task_rate_per_s: Spread::default(),
        stonewall: None,
        client_requests: None,
        latency: Some(latencies(1_000_000, 2_000_000)),
        timeline: Some(PhaseTimeline {
            window_s: 0.1,
            aligned: true,
            operations: vec![400; 10],
            first_done_s: 0.95,
            last_done_s: 1.0,
            rate_while_all_worked_per_s: Some(4100.0),
            tail_share: 0.05,
            ..PhaseTimeline::default()
        }),
        tasks: Some(TaskSpread {
            working: 4,
            min_s: 0.95,
            median_s: 1.0,
            max_s: 1.0,
            max_over_median: 1.0,
            slow_above_s: 1.2,
            ..TaskSpread::default()
        }),
        nodes: vec![node("node00"), node("node01")],
    }
}

/// What four tasks came to in these iterations.
pub fn result(iterations: Vec<Vec<PhaseOutcome>>) -> TaskCount {
    let iterations: Vec<Iteration> = (0..)
        .zip(iterations)
        .map(|(iteration, phases)| Iteration { iteration, clock_error_s: 0.0, phases, per_task: None })
        .collect();
    let statistics = Phase::ALL.into_iter().filter_map(|phase| summarize(phase, &iterations)).collect();
    TaskCount { tasks: 4, items: 4000, tree_directories: 1, iterations, statistics, findings: Vec::new() }
}

/// Makes the second node slow, as reduced from its tasks.
pub fn slow_node(p: &mut PhaseOutcome) {
    (p.rate_per_s, p.true_rate_per_s) = (2222.2, 2222.2);
    let node = &mut p.nodes[1];
    (node.mean_s, node.max_s, node.rate_without_per_s) = (1.8, 1.8, Some(3000.0));
    let tasks = p.tasks.as_mut().unwrap();
    (tasks.max_s, tasks.slow) = (1.8, 2);
    let detail =
        |rank| TaskDetail { task: task(rank), items: 1000, done_s: 1.8, mean_ns: 1.8e6, p99_ns: 2_000_000 };
    tasks.details = vec![detail(2), detail(3)];
    tasks.rate_without_slow_per_s = Some(3000.0);
}
