//! From the samples of single tasks to the outcome of an iteration, by reductions whose size does not depend on the
//! number of tasks or items. Lists of tasks are gathered only where an option asks for them.

use crate::bench::iteration::Samples;
use crate::bench::phase::as_f64;
use crate::measure::clock::{seconds, NS_PER_S};
use crate::measure::errors::{Failure, KINDS};
use crate::measure::sample::Sample;
use crate::namespace::phase::Phase;
use crate::plan::Plan;
use crate::result::outcome::{
    ErrorCount, Items, Iteration, PerTask, PhaseOutcome, Spread, Stonewall, Task, Times,
};
use crate::team::Team;

/// Gathers the samples of an iteration. `host_of` names the node of a rank; rank 0 gets the outcome. Collective.
pub fn iteration(
    plan: &Plan,
    team: &Team,
    number: u64,
    samples: &Samples,
    host_of: &dyn Fn(u64) -> String,
) -> Option<Iteration> {
    let gather = Gather { plan, team, host_of };
    let phases: Vec<PhaseOutcome> =
        samples.phases.iter().filter_map(|(phase, sample)| gather.phase(*phase, sample)).collect();
    let wanted = plan.output.all_procs || plan.output.rank_csv.is_some();
    let per_task = if wanted { gather.per_task(samples) } else { None };
    team.is_root().then_some(Iteration { iteration: number, phases, per_task })
}

struct Gather<'a> {
    plan: &'a Plan,
    team: &'a Team,
    host_of: &'a dyn Fn(u64) -> String,
}

impl Gather<'_> {
    fn phase(&self, phase: Phase, sample: &Sample) -> Option<PhaseOutcome> {
        let errors = self.errors(sample);
        let mut items = [sample.attempted, sample.errors.total()];
        self.team.sum(&mut items);
        let own_rate = rate(sample.share, sample.work_ns);
        let to_barrier = self.times(sample.work_ns);
        let through = self.times(sample.phase_ns);
        let task_rate_per_s = self.spread(own_rate);
        let mut smallest = [rate(sample.share, sample.phase_ns)];
        self.team.min(&mut smallest);
        let stonewall = self.stonewall(sample);
        if !self.team.is_root() || phase == Phase::DirectoryRead {
            return None;
        }
        let [attempted, failed] = items;
        let done = attempted.saturating_sub(failed);
        let (rated_seconds, rate_per_s) = match phase.kind() {
            Some(_) => (through.max, as_f64(self.team.tasks()) * smallest[0]),
            None => (seconds(sample.phase_ns), rate(sample.share, sample.phase_ns)), // rank 0's own
        };
        Some(PhaseOutcome {
            phase,
            items: Items { attempted, done, failed },
            errors,
            rated_seconds,
            rate_per_s,
            true_rate_per_s: if through.max > 0.0 { as_f64(done) / through.max } else { 0.0 },
            seconds_to_barrier: to_barrier,
            seconds: through,
            task_rate_per_s,
            stonewall,
        })
    }

    fn times(&self, ns: u64) -> Times {
        let (mut smallest, mut largest, mut sum) = ([ns], [ns], [ns]);
        self.team.min(&mut smallest);
        self.team.max(&mut largest);
        self.team.sum(&mut sum);
        let mut last = [if ns == largest[0] { self.team.rank() } else { u64::MAX }];
        self.team.min(&mut last);
        Times {
            min: seconds(smallest[0]),
            mean: seconds(sum[0]) / as_f64(self.team.tasks()),
            max: seconds(largest[0]),
            last: self.task(last[0]),
        }
    }

    fn spread(&self, value: f64) -> Spread {
        let (mut smallest, mut largest, mut sum) = ([value], [value], [value]);
        self.team.min(&mut smallest);
        self.team.max(&mut largest);
        self.team.sum(&mut sum);
        Spread { min: smallest[0], mean: sum[0] / as_f64(self.team.tasks()), max: largest[0] }
    }

    fn task(&self, rank: u64) -> Task {
        Task { rank, host: if self.team.is_root() { (self.host_of)(rank) } else { String::new() } }
    }

    fn stonewall(&self, sample: &Sample) -> Option<Stonewall> {
        let wall = sample.wall?; // on all tasks or on none
        let (mut smallest, mut largest, mut sum, mut slowest) =
            ([wall.items], [wall.items], [wall.items], [wall.ns]);
        self.team.min(&mut smallest);
        self.team.max(&mut largest);
        self.team.sum(&mut sum);
        self.team.max(&mut slowest);
        let hit = largest[0] < self.plan.items_per_task || smallest[0] < largest[0];
        hit.then(|| Stonewall {
            items_min: smallest[0],
            items_mean: as_f64(sum[0]) / as_f64(self.team.tasks()),
            items_max: largest[0],
            items_agreed: wall.agreed,
            rate_at_wall_per_s: rate(as_f64(sum[0]), slowest[0]),
            worn_out: wall.worn_out,
        })
    }

    /// Counts of each kind of failure, with the first of each: that of the lowest rank that met it.
    fn errors(&self, sample: &Sample) -> Vec<ErrorCount> {
        if !self.team.any(sample.errors.total() > 0) {
            return Vec::new();
        }
        let mut counts: Vec<u64> = (0..KINDS).map(|kind| sample.errors.of(kind)).collect();
        let mut firsts: Vec<u64> =
            counts.iter().map(|&n| if n > 0 { self.team.rank() } else { u64::MAX }).collect();
        self.team.sum(&mut counts);
        self.team.min(&mut firsts);
        let met = counts.iter().zip(&firsts).enumerate().filter(|(_, (&count, _))| count > 0);
        met.filter_map(|(kind, (&count, &rank))| {
            let first = sample.errors.first(kind);
            let operation = self.team.text_to_root(rank, first.map_or("", |f| f.operation));
            let path = self.team.text_to_root(rank, first.map_or("", |f| &f.path));
            let failure = Failure::at(kind);
            Some(ErrorCount {
                kind: failure.name(),
                errno: failure.errno(),
                text: failure.text(),
                count,
                operation: operation?,
                path: path?,
                first: self.task(rank),
            })
        })
        .collect()
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
