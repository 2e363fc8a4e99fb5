//! From the samples of single tasks to the outcome of an iteration, by reductions whose size does not depend on the
//! number of items, and at rank 0 grows with the nodes, not the tasks. Lists of all tasks are gathered only where an
//! option asks for them.

mod counts;
mod errors;
mod spectra;
mod tasks;

use crate::bench::iteration::Samples;
use crate::bench::phase::as_f64;
use crate::measure::clock::{seconds, NS_PER_S};
use crate::measure::sample::Sample;
use crate::namespace::phase::Phase;
use crate::plan::Plan;
use crate::result::latency::{Latencies, LatencyNumbers, SlowestOperation};
use crate::result::outcome::{Items, Iteration, PerTask, PhaseOutcome, Spread, Stonewall, Task, Times};
use crate::result::tasks::{node_outcomes, node_share, TaskDetail, TaskSpread};
use crate::result::timeline::PhaseTimeline;
use crate::team::Team;
use counts::{All, Compared, Count, High, Last, Low, Own};
use spectra::{Shape, Spectra, Spectrum};
use tasks::PhaseTasks;

/// Gathers the samples of an iteration. `host_of` names the node of a rank, `hosts` the nodes in order; rank 0 gets the
/// outcome. Collective.
pub fn iteration(
    plan: &Plan,
    team: &Team,
    number: u64,
    samples: &Samples,
    host_of: &dyn Fn(u64) -> String,
) -> Option<Iteration> {
    let clocks = &samples.clocks;
    let each: Vec<&Sample> = samples.phases.iter().map(|(_, sample)| sample).collect();
    let own: Vec<Own> = each.iter().map(|sample| Own::of(sample, clocks)).collect();
    let all = All::of(team, &own);
    let spectra = Spectra::of(team, &each, &all, clocks);
    let tasks = tasks::of(team, plan.output.rank_details, &each, &all, &spectra);
    let hosts = node_hosts(team, host_of);
    let gather = Gather { plan, team, number, host_of, hosts: &hosts };
    let mut phases = Vec::new();
    for (index, (phase, sample)) in samples.phases.iter().enumerate() {
        let slowest = gather.slowest(sample, &all[index]);
        let outcome = gather.phase(*phase, sample, &own[index], &all[index]);
        let Some(outcome) = outcome else { continue };
        let spectrum = &spectra.all[index];
        phases.push(PhaseOutcome {
            latency: gather.latencies(spectrum, &all[index], slowest),
            timeline: timeline(spectrum, &spectra.shapes[index], &all[index]),
            tasks: gather.tasks(&tasks[index], &all[index]),
            nodes: node_outcomes(&tasks[index].nodes, &hosts, tasks[index].slow_above_s),
            ..outcome
        });
    }
    let wanted = plan.output.all_procs || plan.output.rank_csv.is_some();
    let per_task = if wanted { gather.per_task(samples) } else { None };
    let clock_error_s = seconds(clocks.error_ns);
    team.is_root().then_some(Iteration { iteration: number, clock_error_s, phases, per_task })
}

/// Names of the nodes, at rank 0. Collective.
fn node_hosts(team: &Team, host_of: &dyn Fn(u64) -> String) -> Vec<String> {
    let firsts = team.gather_over_nodes(&[team.rank()]).unwrap_or_default();
    firsts.into_iter().map(host_of).collect()
}

/// When operations were done; `None` where no task had anything to do.
fn timeline(spectrum: &Spectrum, shape: &Shape, all: &All) -> Option<PhaseTimeline> {
    if all.sum(Count::Working) == 0 {
        return None;
    }
    let done_ns = if shape.aligned {
        let start_ns = all.low(Low::CommonStart);
        (all.low(Low::CommonDone) - start_ns, all.high(High::CommonDone) - start_ns)
    } else {
        (all.low(Low::Done), all.high(High::Done))
    };
    let done_s = (seconds(done_ns.0), seconds(done_ns.1));
    Some(PhaseTimeline::of(seconds(shape.width_ns), shape.aligned, spectrum.windows.clone(), done_s))
}

struct Gather<'a> {
    plan: &'a Plan,
    team: &'a Team,
    number: u64,
    host_of: &'a dyn Fn(u64) -> String,
    hosts: &'a [String],
}

impl Gather<'_> {
    fn phase(&self, phase: Phase, sample: &Sample, own: &Own, all: &All) -> Option<PhaseOutcome> {
        let (attempted, failed) = (all.sum(Count::Attempted), all.sum(Count::Failed));
        let errors =
            if failed > 0 { errors::errors(self.team, sample, &|rank| self.task(rank)) } else { Vec::new() };
        if !self.team.is_root() || phase == Phase::DirectoryRead {
            return None;
        }
        let tasks = as_f64(self.team.tasks());
        let done = attempted.saturating_sub(failed);
        let seconds_to_barrier = self.times(all, Compared::Work, Count::WorkNs, Last::Work);
        let through = self.times(all, Compared::Phase, Count::PhaseNs, Last::Phase);
        let (rated_seconds, rate_per_s) = match phase.kind() {
            Some(_) => (through.max, tasks * f64::from_bits(all.smallest(Compared::PhaseRate))),
            // rank 0's own
            None => (seconds(sample.phase_ns), f64::from_bits(own.value(Compared::PhaseRate))),
        };
        Some(PhaseOutcome {
            phase,
            items: Items { attempted, done, failed },
            errors,
            rated_seconds,
            rate_per_s,
            true_rate_per_s: rate(as_f64(done), all.largest(Compared::Phase)),
            seconds_to_barrier,
            seconds: through,
            task_rate_per_s: Spread {
                min: f64::from_bits(all.smallest(Compared::Rate)),
                mean: all.rates_per_s / tasks,
                max: f64::from_bits(all.largest(Compared::Rate)),
            },
            stonewall: self.stonewall(sample, all),
            client_requests: (all.sum(Count::RequestNodes) == self.team.nodes())
                .then(|| all.sum(Count::Requests)),
            latency: None,
            timeline: None,
            tasks: None,
            nodes: Vec::new(),
        })
    }

    fn times(&self, all: &All, value: Compared, sum: Count, last: Last) -> Times {
        Times {
            min: seconds(all.smallest(value)),
            mean: seconds(all.sum(sum)) / as_f64(self.team.tasks()),
            max: seconds(all.largest(value)),
            last: self.task(all.last[last as usize]),
        }
    }

    fn task(&self, rank: u64) -> Task {
        Task { rank, host: if self.team.is_root() { (self.host_of)(rank) } else { String::new() } }
    }

    /// Where the wall stood, if any task was stopped by it.
    fn stonewall(&self, sample: &Sample, all: &All) -> Option<Stonewall> {
        let wall = sample.wall?; // on all tasks or on none
        let (items_min, items_max) = (all.smallest(Compared::Wall), all.largest(Compared::Wall));
        // Under -c the items at the wall are those that rank 0 had made of the first task's.
        let at_wall = if self.plan.collective { items_max } else { all.sum(Count::WallItems) };
        (items_min < self.plan.items_per_task).then(|| Stonewall {
            items_min,
            items_mean: as_f64(all.sum(Count::WallItems)) / as_f64(self.team.tasks()),
            items_max,
            items_agreed: wall.agreed,
            rate_at_wall_per_s: rate(as_f64(at_wall), all.largest(Compared::WallTime)),
            worn_out: wall.worn_out,
        })
    }

    /// The slowest operation's path and when it ended, from the task that waited for it. Called by all.
    fn slowest(&self, sample: &Sample, all: &All) -> Option<SlowestOperation> {
        if all.low(Low::LatencyNs) == crate::team::NOBODY {
            return None; // nothing succeeded
        }
        let rank = all.last[Last::Latency as usize];
        let slowest = &sample.latency.slowest;
        let here = format!("{} {}", slowest.ended_ns, String::from_utf8_lossy(&slowest.path));
        let told = self.team.text_to_root(rank, &here)?;
        let (ended_ns, path) = told.split_once(' ')?;
        Some(SlowestOperation {
            iteration: self.number,
            task: self.task(rank),
            path: path.to_string(),
            ended_s: seconds(ended_ns.parse().ok()?),
        })
    }

    fn latencies(
        &self,
        spectrum: &Spectrum,
        all: &All,
        slowest: Option<SlowestOperation>,
    ) -> Option<Latencies> {
        let (sum_ns, min_ns) = (all.sum(Count::LatencyNs), all.low(Low::LatencyNs));
        let numbers = LatencyNumbers::of(&spectrum.latencies, sum_ns, min_ns, all.high(High::LatencyNs))?;
        Some(Latencies { numbers, slowest: slowest?, buckets: spectrum.latencies.clone() })
    }

    fn tasks(&self, found: &PhaseTasks, all: &All) -> Option<TaskSpread> {
        if found.working == 0 {
            return None;
        }
        let details = found.details.iter().map(|t| TaskDetail {
            task: self.task(t.rank),
            items: t.items,
            done_s: seconds(t.done_ns),
            mean_ns: t.mean_ns,
            p99_ns: t.p99_ns,
        });
        let (min_s, max_s) = (seconds(all.low(Low::Done)), seconds(all.high(High::Done)));
        let median_s = found.median_s.clamp(min_s, max_s);
        Some(TaskSpread {
            working: found.working,
            min_s,
            median_s,
            max_s,
            max_over_median: if median_s > 0.0 { max_s / median_s } else { 1.0 },
            slow_above_s: found.slow_above_s,
            slowest: self.task(all.last[Last::Done as usize]),
            slow: found.slow,
            rate_without_slow_per_s: (found.slow > 0 && found.rest_ns > 0)
                .then(|| rate(as_f64(found.items_of_rest), found.rest_ns)),
            node_share: if self.hosts.len() > 1 { node_share(&found.nodes) } else { None },
            details: details.collect(),
        })
    }

    fn per_task(&self, samples: &Samples) -> Option<PerTask> {
        let of = |phase: Phase| samples.phases.iter().find(|(p, _)| *p == phase).map(|(_, s)| s);
        let mut values = Vec::new();
        for phase in Phase::ALL {
            let sample = of(phase);
            values.push(sample.map_or(0.0, |s| rate(s.share, s.work_ns)));
            values.push(sample.map_or(0.0, |s| seconds(s.work_ns)));
        }
        let most = samples.phases.iter().filter(|(p, _)| p.kind().is_some()).map(|(_, s)| s.done()).max();
        let values = self.team.gather(&values);
        let items = self.team.gather(&[most.unwrap_or(0)]);
        Some(PerTask {
            rate_and_seconds: values?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
            items: items?,
        })
    }
}

/// Operations per second; 0 where no time went by.
fn rate(items: f64, ns: u64) -> f64 {
    if ns == 0 {
        0.0
    } else {
        items.max(0.0) * NS_PER_S / as_f64(ns)
    }
}
