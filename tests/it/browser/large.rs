//! The record of a run on 7,800 nodes with 62,400 tasks that never was.

use mdtest_rs::archive::{Iteration, KnownPlacement, PhaseOutcome, PhaseSummary, Record, Summary, TaskCount};
use mdtest_rs::namespace::phase::Phase;
use mdtest_rs::result::environment::Host;
use mdtest_rs::result::latency::{Buckets, Latencies, LatencyNumbers, SlowestOperation};
use mdtest_rs::result::outcome::{Items, Task};
use mdtest_rs::result::tasks::{NodeOutcome, TaskDetail, TaskSpread};
use mdtest_rs::result::timeline::PhaseTimeline;

const NODES: u64 = 7_800;
const TASKS: u64 = 8 * NODES;

/// The record: with the 16 slowest tasks of each phase, or with all.
pub fn record(all_tasks: bool) -> Record {
    let phases = Phase::ALL.into_iter().filter(|phase| *phase != Phase::DirectoryRead);
    let outcomes: Vec<PhaseOutcome> = phases.map(|phase| outcome(phase, all_tasks)).collect();
    let statistics = outcomes.iter().map(summary).collect();
    let iterations = vec![Iteration { iteration: 0, clock_error_s: Some(1e-5), phases: outcomes }];
    let result = TaskCount {
        tasks: Some(TASKS),
        items: Some(1000 * TASKS),
        iterations,
        statistics,
        ..TaskCount::default()
    };
    let host = |node| Host {
        name: name(node),
        tasks: 8,
        kernel: Some("6.1.0".into()),
        cpu_model: Some("AMD EPYC".into()),
        cpus: Some(128),
    };
    Record {
        schema: "mdtest-rs/1".into(),
        version: Some("0.1.0".into()),
        placement: Some(KnownPlacement {
            tasks: Some(TASKS),
            nodes: Some(NODES),
            ..KnownPlacement::default()
        }),
        hosts: (0..NODES).map(host).collect(),
        results: vec![result],
        ..Record::default()
    }
}

fn name(node: u64) -> String {
    format!("nid{node:06}")
}

/// Times that look measured: from 0.9 to 1.1, and 2 for every thousandth.
fn time_s(n: u64) -> f64 {
    let scattered = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    if n % 1000 == 999 {
        2.0
    } else {
        0.9 + scattered as f64 / f64::from(1 << 24) / 5.0
    }
}

fn latencies() -> Latencies {
    let counts: Vec<u64> =
        (0..3000).map(|bucket| if bucket > 1200 { 5_000_000 / (bucket - 1100) } else { 0 }).collect();
    let buckets = Buckets::of(0, &counts);
    let numbers = LatencyNumbers::of(&buckets, 1, 2_000, 5_000_000_000).unwrap();
    let task = Task { rank: 7, host: name(0) };
    let slowest = SlowestOperation { iteration: 0, task, path: "/d/file.mdtest.7.1".into(), ended_s: 1.0 };
    Latencies { numbers, slowest, buckets }
}

fn outcome(phase: Phase, all_tasks: bool) -> PhaseOutcome {
    let latency = latencies();
    let node = |node: u64| NodeOutcome {
        host: name(node),
        tasks: 8,
        items: 8000,
        rate_per_s: 8000.0 / time_s(node),
        min_s: 0.9 * time_s(node),
        mean_s: time_s(node),
        max_s: 1.1 * time_s(node),
        latency: latency.numbers,
        rate_without_per_s: (time_s(node) > 1.5).then_some(6e7),
    };
    let detail = |rank: u64| TaskDetail {
        task: Task { rank, host: name(rank / 8) },
        items: 1000,
        done_s: time_s(rank / 8) * (0.95 + (rank % 8) as f64 / 80.0),
        mean_ns: 1e6,
        p99_ns: 2_000_000,
    };
    let details = if all_tasks {
        (0..TASKS).map(detail).collect()
    } else {
        (0..16).map(|n| detail(8 * (1000 * (n % 7) + 999) + n / 7)).collect()
    };
    let tasks = TaskSpread {
        working: TASKS,
        min_s: 0.85,
        median_s: 1.0,
        max_s: 2.1,
        slowest: Task { rank: 7999, host: name(999) },
        max_over_median: 2.1,
        slow_above_s: 1.2,
        slow: 56,
        rate_without_slow_per_s: Some(6e7),
        node_share: Some(0.9),
        details,
    };
    let operations = (0..4000).map(|window| 20_000 + window % 977).collect();
    PhaseOutcome {
        items: Some(Items { attempted: 1000 * TASKS, done: 1000 * TASKS, failed: 0 }),
        rate_per_s: Some(3e7),
        latency: Some(latency.clone()),
        timeline: Some(PhaseTimeline::of(0.001, true, operations, (3.0, 4.0))),
        tasks: Some(tasks),
        nodes: (0..NODES).map(node).collect(),
        ..PhaseOutcome::unknown(phase)
    }
}

fn summary(outcome: &PhaseOutcome) -> PhaseSummary {
    let rate =
        Summary { max: Some(3e7), min: Some(3e7), mean: Some(3e7), median: Some(3e7), ..Summary::default() };
    PhaseSummary {
        rate_per_s: Some(rate),
        latency: outcome.latency.clone(),
        ..PhaseSummary::unknown(outcome.phase)
    }
}
