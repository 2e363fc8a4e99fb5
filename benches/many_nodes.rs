//! What rank 0 does behind an iteration of 62,400 tasks on 7,800 nodes: `cargo bench --bench many_nodes [-- NODES]`.
//!
//! Method. Tasks are simulated: 8 a node, ten phases, each task with 2,000 latencies (log-normal) and a time to the barrier
//! that is larger on some nodes and for some tasks. Every node reduces its own tasks first, as it would by itself; that and
//! the sums that MPI makes are not timed. Timed is all that is rank 0's: nodes by name with the rates without the slow
//! ones, the share that nodes explain, the percentiles of all latencies, timelines with intervals and change points,
//! statistics, findings, and the record as JSON. The memory is the largest that this process had, the simulation with it.
//!
//! Marks: 2 s and 200 MB. A figure above its mark fails the bench. Under `cargo test` 40 nodes show that it works.
#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss
)]

use mdtest_rs::measure::clock::{seconds, Clock};
use mdtest_rs::measure::latency::bucket_of;
use mdtest_rs::namespace::phase::Phase;
use mdtest_rs::result::findings::{findings, Setting};
use mdtest_rs::result::latency::{Buckets, Latencies, LatencyNumbers, SlowestOperation};
use mdtest_rs::result::outcome::{Items, Iteration, PhaseOutcome, Spread, Task, Times};
use mdtest_rs::result::record::TaskCount;
use mdtest_rs::result::statistics::summarize;
use mdtest_rs::result::tasks::{
    node_outcomes, node_share, slow_above_s, NodeSample, TaskDetail, TaskSample, TaskSpread,
};
use mdtest_rs::result::timeline::PhaseTimeline;
use std::io::Write;
use std::process::ExitCode;

const NODES: u64 = 7_800;
const TASKS_OF_NODE: u64 = 8;
const OPERATIONS: u64 = 2_000;
const BUCKETS: usize = 7_424;
const MARK_S: f64 = 2.0;
const MARK_MB: f64 = 200.0;

/// SplitMix64: numbers that only have to look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// About normal: the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// What reaches rank 0 of one phase.
struct Arrived {
    nodes: Vec<NodeSample>,
    latencies: Vec<u64>,
    times: Vec<u64>,
    windows: Vec<u64>,
    slowest: Vec<TaskSample>,
    sum_ns: u64,
    min_ns: u64,
    max_ns: u64,
}

fn main() -> ExitCode {
    let whole = std::env::args().any(|w| w == "--bench");
    let wanted = std::env::args().skip(1).find_map(|w| w.parse().ok());
    let nodes = wanted.unwrap_or(if whole { NODES } else { 40 });
    let hosts: Vec<String> = (0..nodes).map(|n| format!("node{n:05}")).collect();
    let phases: Vec<Phase> = Phase::ALL.into_iter().filter(|p| *p != Phase::DirectoryRead).collect();
    let mut random = Random(1);
    let arrived: Vec<Arrived> = phases.iter().map(|_| simulate(nodes, &mut random)).collect();

    let clock = Clock::start();
    let outcomes =
        phases.iter().zip(&arrived).map(|(phase, arrived)| outcome(*phase, arrived, &hosts)).collect();
    let iterations = vec![Iteration { iteration: 0, clock_error_s: 0.0, phases: outcomes, per_task: None }];
    let statistics = Phase::ALL.into_iter().filter_map(|phase| summarize(phase, &iterations)).collect();
    let tasks = nodes * TASKS_OF_NODE;
    let mut result = TaskCount {
        tasks,
        items: tasks,
        tree_directories: tasks,
        iterations,
        statistics,
        findings: Vec::new(),
    };
    let nothing = Spread { min: 20.0, mean: 20.0, max: 20.0 };
    result.findings = findings(&result, &Setting { harness_ns: nothing, remote: true });
    let json = serde_json::to_string_pretty(&result).unwrap();
    let took_s = seconds(clock.elapsed_ns());

    let peak_mb = peak_memory_mb();
    let verdict = |reached: bool| if reached { "reached" } else { "missed" };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(
        out,
        "{tasks} tasks on {nodes} nodes, {} phases: rank 0's part of an iteration",
        phases.len()
    );
    let _ = writeln!(out, "time: {took_s:.3} s   mark {MARK_S} {}", verdict(took_s <= MARK_S));
    let _ = writeln!(out, "memory: {peak_mb:.0} MB   mark {MARK_MB} {}", verdict(peak_mb <= MARK_MB));
    let found = result.findings.first().map_or("", |f| &f.text);
    let _ = writeln!(out, "record: {:.1} MB; first finding: {found}", json.len() as f64 / 1e6);
    if whole && (took_s > MARK_S || peak_mb > MARK_MB) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The tasks of all nodes in one phase, reduced node by node. Every 400th node is slow, and every 3,000th task.
fn simulate(nodes: u64, random: &mut Random) -> Arrived {
    let mut all = Arrived {
        nodes: Vec::new(),
        latencies: vec![0; BUCKETS],
        times: vec![0; BUCKETS],
        windows: (0..400).map(|_| (60_000.0 + 600.0 * random.normal()) as u64).collect(),
        slowest: Vec::new(),
        sum_ns: 0,
        min_ns: u64::MAX,
        max_ns: 0,
    };
    for node in 0..nodes {
        let slow_node = if node % 400 == 7 { 1.8 } else { 1.0 };
        let mut counts = vec![0u64; BUCKETS];
        let (mut tasks, mut sum_ns, mut min_ns, mut max_ns) = (Vec::new(), 0, u64::MAX, 0);
        for rank in node * TASKS_OF_NODE..(node + 1) * TASKS_OF_NODE {
            let slow = slow_node * if rank % 3_000 == 11 { 1.5 } else { 1.0 };
            for _ in 0..OPERATIONS / 20 {
                let ns = (200_000.0 * slow * (0.5 * random.normal()).exp()) as u64;
                counts[bucket_of(ns)] += 20;
                (sum_ns, min_ns, max_ns) = (sum_ns + 20 * ns, min_ns.min(ns), max_ns.max(ns));
            }
            let done_ns = (4e8 * slow * (1.0 + 0.02 * random.normal())) as u64;
            all.times[bucket_of(done_ns)] += 1;
            let task =
                TaskSample { rank, items: OPERATIONS, worked: true, done_ns, mean_ns: 2e5, p99_ns: 600_000 };
            tasks.push(task);
        }
        let buckets = Buckets::of(0, &counts);
        let latency = LatencyNumbers::of(&buckets, sum_ns, min_ns, max_ns).unwrap_or_default();
        all.nodes.push(NodeSample::of(&tasks, latency));
        tasks.sort_by_key(|task| std::cmp::Reverse(task.done_ns));
        all.slowest.extend(tasks.iter().take(4));
        all.latencies.iter_mut().zip(&counts).for_each(|(sum, n)| *sum += n);
        (all.sum_ns, all.min_ns, all.max_ns) =
            (all.sum_ns + sum_ns, all.min_ns.min(min_ns), all.max_ns.max(max_ns));
    }
    all
}

/// Rank 0's part.
fn outcome(phase: Phase, arrived: &Arrived, hosts: &[String]) -> PhaseOutcome {
    let task = |rank: u64| Task { rank, host: hosts[usize::try_from(rank / TASKS_OF_NODE).unwrap()].clone() };
    let buckets = Buckets::of(0, &arrived.latencies);
    let times_of_tasks = Buckets::of(0, &arrived.times);
    let at = |q| seconds(times_of_tasks.quantile(q).unwrap_or(0));
    let limit_s = slow_above_s(at(0.25), at(0.5));
    let mut slowest = arrived.slowest.clone();
    slowest.sort_by_key(|t| std::cmp::Reverse(t.done_ns));
    slowest.truncate(16);
    let max_s = seconds(slowest[0].done_ns);
    let items = arrived.nodes.iter().map(|n| n.items).sum();
    let done_s = (0.85 * at(0.5), max_s);
    let detail = |t: &TaskSample| TaskDetail {
        task: task(t.rank),
        items: t.items,
        done_s: seconds(t.done_ns),
        mean_ns: t.mean_ns,
        p99_ns: t.p99_ns,
    };
    let times = || Times { min: at(0.01), mean: at(0.5), max: max_s, last: task(slowest[0].rank) };
    let rate = items as f64 / max_s;
    PhaseOutcome {
        phase,
        items: Items { attempted: items, done: items, failed: 0 },
        errors: Vec::new(),
        seconds_to_barrier: times(),
        seconds: times(),
        rated_seconds: max_s,
        rate_per_s: rate,
        true_rate_per_s: rate,
        task_rate_per_s: Spread::default(),
        stonewall: None,
        client_requests: None,
        latency: LatencyNumbers::of(&buckets, arrived.sum_ns, arrived.min_ns, arrived.max_ns).map(
            |numbers| Latencies {
                numbers,
                slowest: SlowestOperation {
                    iteration: 0,
                    task: task(5),
                    path: "/mnt/x".to_string(),
                    ended_s: 0.1,
                },
                buckets,
            },
        ),
        timeline: Some(PhaseTimeline::of(0.001, true, arrived.windows.clone(), done_s)),
        tasks: Some(TaskSpread {
            working: arrived.nodes.iter().map(|n| n.tasks).sum(),
            min_s: at(0.0),
            median_s: at(0.5),
            max_s,
            slowest: task(slowest[0].rank),
            max_over_median: max_s / at(0.5),
            slow_above_s: limit_s,
            slow: 1,
            rate_without_slow_per_s: Some(rate * 1.5),
            node_share: node_share(&arrived.nodes),
            details: slowest.iter().map(detail).collect(),
        }),
        nodes: node_outcomes(&arrived.nodes, hosts, limit_s),
    }
}

/// The largest memory that was resident, from /proc.
fn peak_memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("VmHWM: 0 kB");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0 / 1e6
}
