//! Tasks and nodes of all phases. The first task of each node reduces its tasks; rank 0 gets a row of fixed size from
//! each node, and looks once more at who is slow.

use crate::bench::gather::counts::All;
use crate::bench::gather::spectra::Spectra;
use crate::measure::sample::Sample;
use crate::result::latency::{Buckets, LatencyNumbers};
use crate::result::tasks::{slow_above_s, NodeSample, TaskSample};
use crate::team::{Team, NOBODY};
use crate::{measure::clock::seconds, plan::RankDetails};

/// Slowest tasks that stand in the record …
pub const SLOWEST: usize = 16;
/// … of which so many may be of one node where there are more nodes than that.
pub const SLOWEST_OF_NODE: usize = 4;

/// What rank 0 knows of the tasks of one phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseTasks {
    /// The nodes, in order.
    pub nodes: Vec<NodeSample>,
    /// Single tasks: all by rank, or the slowest first.
    pub details: Vec<TaskSample>,
    /// Tasks that worked.
    pub working: u64,
    /// Median time, seconds.
    pub median_s: f64,
    /// Above it a task is slow, seconds.
    pub slow_above_s: f64,
    /// How many are.
    pub slow: u64,
    /// Items of the others.
    pub items_of_rest: u64,
    /// Time of the slowest of the others, nanoseconds.
    pub rest_ns: u64,
}

/// Words of a task in what is sent.
const TASK: usize = 9;
/// Words of a node.
const NODE: usize = 15;

/// What rank 0 knows of the tasks, phase by phase; nothing elsewhere. Collective.
pub fn of(
    team: &Team,
    wanted: RankDetails,
    samples: &[&Sample],
    all: &[All],
    spectra: &Spectra,
) -> Vec<PhaseTasks> {
    if samples.is_empty() {
        return Vec::new();
    }
    let own: Vec<u64> = samples.iter().flat_map(|sample| words_of_task(team.rank(), sample)).collect();
    let phases = samples.len();
    let on_node = team.gather_on_node(&own);
    let nodes = on_node.as_deref().and_then(|words| reduce_nodes(team, words, phases, spectra));
    let details = match wanted {
        RankDetails::All => team.gather(&own).map(|words| by_phase(&words, phases)),
        RankDetails::Slowest => on_node.as_deref().and_then(|words| slowest(team, words, phases)),
        RankDetails::None => team.is_root().then(|| vec![Vec::new(); phases]),
    };
    let slow = look_again(team, samples, all, spectra);
    let (Some(nodes), Some(details)) = (nodes, details) else { return Vec::new() };
    slow.into_iter()
        .zip(nodes.into_iter().zip(details))
        .map(|(slow, (nodes, details))| PhaseTasks { nodes, details, ..slow })
        .collect()
}

fn words_of_task(rank: u64, sample: &Sample) -> [u64; TASK] {
    let latency = &sample.latency;
    let p99_ns = Buckets::of(0, latency.buckets()).quantile(0.99).unwrap_or(0);
    [
        rank,
        sample.done(),
        u64::from(sample.attempted > 0),
        sample.done_ns,
        latency.total(),
        latency.sum_ns,
        latency.min_ns,
        latency.slowest.ns,
        p99_ns.max(latency.min_ns.min(latency.slowest.ns)).min(latency.slowest.ns),
    ]
}

#[allow(clippy::cast_precision_loss)] // 2^53 ns are 104 days
fn task_of(words: &[u64]) -> TaskSample {
    TaskSample {
        rank: words[0],
        items: words[1],
        worked: words[2] > 0,
        done_ns: words[3],
        mean_ns: words[5] as f64 / words[4].max(1) as f64,
        p99_ns: words[8],
    }
}

/// The tasks of each phase, from words that are in the order of tasks.
fn by_phase(words: &[u64], phases: usize) -> Vec<Vec<TaskSample>> {
    (0..phases)
        .map(|phase| words.chunks_exact(TASK).skip(phase).step_by(phases).map(task_of).collect())
        .collect()
}

/// Reduces this node's tasks, and gathers the nodes of each phase. Collective of the nodes' first tasks.
fn reduce_nodes(
    team: &Team,
    words: &[u64],
    phases: usize,
    spectra: &Spectra,
) -> Option<Vec<Vec<NodeSample>>> {
    let tasks = by_phase(words, phases);
    let row = |phase: usize| {
        let of =
            |word: usize| words.chunks_exact(TASK).skip(phase).step_by(phases).map(move |task| task[word]);
        let latency = LatencyNumbers::of(
            &spectra.node[phase].latencies,
            of(5).sum(),
            of(6).min().unwrap_or(0),
            of(7).max().unwrap_or(0),
        );
        words_of_node(&NodeSample::of(&tasks[phase], latency.unwrap_or_default()))
    };
    let rows: Vec<u64> = (0..phases).flat_map(row).collect();
    let all = team.gather_over_nodes(&rows)?;
    let of_phase = |phase| all.chunks_exact(NODE).skip(phase).step_by(phases).map(node_of).collect();
    Some((0..phases).map(of_phase).collect())
}

fn words_of_node(node: &NodeSample) -> [u64; NODE] {
    let latency = &node.latency;
    [
        node.tasks,
        node.items,
        node.done_ns.0,
        node.done_ns.1.to_bits(),
        node.done_ns.2,
        node.squares_s2.to_bits(),
        latency.count,
        latency.min_ns,
        latency.mean_ns.to_bits(),
        latency.p50_ns,
        latency.p90_ns,
        latency.p99_ns,
        latency.p99_9_ns,
        latency.p99_99_ns,
        latency.max_ns,
    ]
}

fn node_of(words: &[u64]) -> NodeSample {
    NodeSample {
        tasks: words[0],
        items: words[1],
        done_ns: (words[2], f64::from_bits(words[3]), words[4]),
        squares_s2: f64::from_bits(words[5]),
        latency: LatencyNumbers {
            count: words[6],
            min_ns: words[7],
            mean_ns: f64::from_bits(words[8]),
            p50_ns: words[9],
            p90_ns: words[10],
            p99_ns: words[11],
            p99_9_ns: words[12],
            p99_99_ns: words[13],
            max_ns: words[14],
        },
    }
}

/// The slowest tasks of each phase, from the slowest of each node. Collective of the nodes' first tasks.
fn slowest(team: &Team, words: &[u64], phases: usize) -> Option<Vec<Vec<TaskSample>>> {
    let of_node = if team.nodes() > SLOWEST as u64 { SLOWEST_OF_NODE } else { SLOWEST };
    let mut rows: Vec<u64> = Vec::with_capacity(phases * of_node * TASK);
    for phase in 0..phases {
        let mut tasks: Vec<&[u64]> = words.chunks_exact(TASK).skip(phase).step_by(phases).collect();
        tasks.retain(|task| task[2] > 0);
        tasks.sort_by_key(|task| (std::cmp::Reverse(task[3]), task[0]));
        rows.extend(tasks.iter().take(of_node).flat_map(|task| task.iter()));
        rows.resize((phase + 1) * of_node * TASK, NOBODY);
    }
    let all = team.gather_over_nodes(&rows)?;
    let of_phase = |phase| {
        let blocks = all.chunks_exact(of_node * TASK).skip(phase).step_by(phases);
        let tasks = blocks.flat_map(|block| block.chunks_exact(TASK)).filter(|task| task[0] != NOBODY);
        let mut tasks: Vec<TaskSample> = tasks.map(task_of).collect();
        tasks.sort_by_key(|task| (std::cmp::Reverse(task.done_ns), task.rank));
        tasks.truncate(SLOWEST);
        tasks
    };
    Some((0..phases).map(of_phase).collect())
}

/// Who is slow, and what the others did: the limit is rank 0's, the count every task's. Collective.
fn look_again(team: &Team, samples: &[&Sample], all: &[All], spectra: &Spectra) -> Vec<PhaseTasks> {
    let limits: Vec<(f64, f64)> = spectra.all.iter().map(|spectrum| limit(&spectrum.times)).collect();
    let mut slow_above_ns = vec![0; samples.len()];
    for (ns, (_, limit_s)) in slow_above_ns.iter_mut().zip(&limits) {
        *ns = whole_ns(*limit_s);
    }
    team.share(&mut slow_above_ns);
    let (mut sums, mut rest_ns) = (Vec::new(), Vec::new());
    for (sample, &limit_ns) in samples.iter().zip(&slow_above_ns) {
        let worked = sample.attempted > 0;
        let slow = worked && sample.done_ns > limit_ns;
        let rest = worked && !slow;
        sums.extend([u64::from(slow), if rest { sample.done() } else { 0 }]);
        rest_ns.push(if rest { sample.done_ns } else { 0 });
    }
    team.sum(&mut sums);
    team.max(&mut rest_ns);
    let found = limits.iter().zip(sums.chunks_exact(2)).zip(rest_ns.iter().zip(all));
    found
        .map(|((&(median_s, slow_above_s), sums), (&rest_ns, all))| PhaseTasks {
            working: all.sum(super::counts::Count::Working),
            median_s,
            slow_above_s,
            slow: sums[0],
            items_of_rest: sums[1],
            rest_ns,
            ..PhaseTasks::default()
        })
        .collect()
}

/// Median, and above what a task is slow; seconds.
fn limit(times: &Buckets) -> (f64, f64) {
    let quantile_s = |q| seconds(times.quantile(q).unwrap_or(0));
    let median_s = quantile_s(0.5);
    (median_s, slow_above_s(quantile_s(0.25), median_s))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a time of this run
fn whole_ns(seconds: f64) -> u64 {
    (seconds * 1e9).max(0.0) as u64
}
