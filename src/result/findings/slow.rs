//! Slow nodes and slow tasks, over all phases and iterations.

use super::{item_phases, median, outcomes, About, Finding, LASTING_S};
use crate::namespace::phase::Phase;
use crate::result::outcome::PhaseOutcome;
use crate::result::record::TaskCount;
use crate::result::tasks::TaskSpread;
use crate::result::units::rate;
use std::collections::BTreeMap;

/// Slow nodes that are told at most.
const NODES: usize = 16;

/// A phase of an iteration whose tasks can be compared.
type Compared<'a> = (&'a PhaseOutcome, &'a TaskSpread);

/// A node or task where it was slow.
struct Case {
    phase: Phase,
    ratio: f64,
    rate_per_s: f64,
    without_per_s: Option<f64>,
    /// Tasks that the rate without them leaves out; 1 for a node.
    slow_tasks: u64,
}

impl Case {
    /// The share of the rate that it costs.
    fn lost(&self) -> f64 {
        self.without_per_s.map_or(0.0, |without| (1.0 - self.rate_per_s / without).max(0.0))
    }
}

/// One finding for each slow node; for slow tasks on other nodes one for all.
pub fn findings(result: &TaskCount) -> Vec<Finding> {
    let compared: Vec<Compared> = item_phases(result)
        .flat_map(|phase| outcomes(result, phase))
        .filter_map(|p| Some((p, p.tasks.as_ref().filter(|t| t.working > 1 && t.max_s >= LASTING_S)?)))
        .collect();
    let mut found = nodes(&compared);
    let slow_hosts: Vec<String> = found.iter().map(|(host, _)| host.clone()).collect();
    let of_nodes: Vec<Finding> = found.drain(..).map(|(_, finding)| finding).collect();
    of_nodes.into_iter().chain(tasks(&compared, &slow_hosts)).collect()
}

/// The slow nodes with what is to say of them, the weightiest only.
fn nodes(compared: &[Compared]) -> Vec<(String, Finding)> {
    let mut cases: BTreeMap<usize, Vec<Case>> = BTreeMap::new();
    for (p, tasks) in compared.iter().filter(|(p, _)| p.nodes.len() > 1) {
        for (node, of) in p.nodes.iter().enumerate() {
            let Some(without) = of.rate_without_per_s else { continue };
            cases.entry(node).or_default().push(Case {
                phase: p.phase,
                ratio: of.mean_s / tasks.median_s,
                rate_per_s: p.true_rate_per_s,
                without_per_s: Some(without),
                slow_tasks: 1,
            });
        }
    }
    let Some((first, _)) = compared.iter().max_by_key(|(p, _)| p.nodes.len()) else { return Vec::new() };
    let mut found: Vec<(usize, Finding)> = cases
        .iter()
        .filter_map(|(&node, cases)| Some((node, sentence(About::SlowNode, "", cases, compared)?)))
        .collect();
    found.sort_by(|a, b| b.1.weight.total_cmp(&a.1.weight));
    found.truncate(NODES);
    let name = |node: usize| {
        let host = &first.nodes[node].host;
        let same = first.nodes.iter().filter(|n| n.host == *host).count();
        if same > 1 {
            format!("{host} (node {node})")
        } else {
            host.clone()
        }
    };
    found
        .into_iter()
        .map(|(node, finding)| {
            (first.nodes[node].host.clone(), Finding { text: name(node) + &finding.text, ..finding })
        })
        .collect()
}

/// A slow task of a phase: its rank, its host, its time over the median.
type Slow = (u64, String, f64);

/// The tasks that are slow most often, on nodes that are not slow as a whole.
fn tasks(compared: &[Compared], slow_hosts: &[String]) -> Option<Finding> {
    let slow = |t: &TaskSpread| -> Vec<Slow> {
        if t.details.is_empty() && t.slow > 0 {
            return vec![(t.slowest.rank, t.slowest.host.clone(), t.max_over_median)];
            // --rank-details none
        }
        let named = t.details.iter().filter(|d| d.done_s > t.slow_above_s);
        let elsewhere = named.filter(|d| !slow_hosts.contains(&d.task.host));
        elsewhere.map(|d| (d.task.rank, d.task.host.clone(), d.done_s / t.median_s)).collect()
    };
    let all: Vec<(&PhaseOutcome, &TaskSpread, Vec<Slow>)> =
        compared.iter().map(|(p, t)| (*p, *t, slow(t))).collect();
    // Of the tasks that are slow most often the slowest one is named.
    let mut ranks: Vec<(usize, &Slow)> = Vec::new();
    for slow in all.iter().flat_map(|(_, _, slow)| slow) {
        match ranks.iter_mut().find(|(_, known)| known.0 == slow.0) {
            Some((times, most)) => {
                *times += 1;
                *most = if slow.2 > most.2 { slow } else { most };
            }
            None => ranks.push((1, slow)),
        }
    }
    let most = ranks.iter().map(|(times, _)| *times).max()?;
    let worst: Vec<&Slow> = ranks.iter().filter(|(times, _)| *times == most).map(|(_, slow)| *slow).collect();
    let (rank, host, _) = worst.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2))?;
    let cases: Vec<Case> = all
        .iter()
        .filter_map(|(p, t, slow)| {
            let (_, _, ratio) = slow.iter().find(|(r, ..)| r == rank)?;
            Some(Case {
                phase: p.phase,
                ratio: *ratio,
                rate_per_s: p.true_rate_per_s,
                without_per_s: t.rate_without_slow_per_s,
                slow_tasks: t.slow,
            })
        })
        .collect();
    let others = worst.len() - 1;
    let name = match others {
        0 => format!("rank {rank} on {host}"),
        1 => format!("rank {rank} on {host}, like one other task,"),
        _ => format!("rank {rank} on {host}, like {others} other tasks,"),
    };
    sentence(About::SlowTasks, &name, &cases, compared)
}

/// "node07 is 1.8 times slower than the median in all phases: without it File creation would be 41 k/s instead of 29 k/s".
fn sentence(about: About, name: &str, cases: &[Case], compared: &[Compared]) -> Option<Finding> {
    let several =
        compared.iter().any(|(p, _)| compared.iter().filter(|(q, _)| p.phase == q.phase).count() > 1);
    let compared = compared.len();
    let worst = cases.iter().rev().max_by(|a, b| a.lost().total_cmp(&b.lost()))?;
    if worst.lost() <= 0.0 {
        return None; // without them it would have been no faster
    }
    let ratio = median(cases.iter().map(|c| c.ratio).collect())?;
    let mut phases: Vec<Phase> = cases.iter().map(|c| c.phase).collect();
    phases.dedup();
    let place = match (cases.len(), phases.len()) {
        (n, _) if n == compared && n > 1 => "in all phases".to_string(),
        (_, 1) => format!("in {}", worst.phase.label()),
        (n, _) if several => format!("in {n} of {compared} phases of all iterations"),
        (n, _) => format!("in {n} of {compared} phases"),
    };
    let them = match worst.slow_tasks {
        1 => "it".to_string(),
        n => format!("the {n} slow tasks"),
    };
    let without = worst.without_per_s.map_or(String::new(), |without| {
        let (now, then) = (rate(worst.rate_per_s), rate(without));
        format!(": without {them} {} would be {then} instead of {now}", worst.phase.label())
    });
    #[allow(clippy::cast_precision_loss)]
    let often = cases.len() as f64 / compared as f64;
    Some(Finding {
        about,
        phase: worst.phase,
        weight: (worst.lost() * (0.5 + 0.5 * often)).min(1.0),
        text: format!("{name} is {} times slower than the median {place}{without}", times(ratio)),
    })
}

fn times(ratio: f64) -> String {
    if ratio < 99.95 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}
