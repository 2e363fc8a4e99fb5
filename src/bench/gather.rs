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
use crate::team::{Team, NOBODY};

/// Gathers the samples of an iteration. `host_of` names the node of a rank; rank 0 gets the outcome. Collective.
pub fn iteration(
    plan: &Plan,
    team: &Team,
    number: u64,
    samples: &Samples,
    host_of: &dyn Fn(u64) -> String,
) -> Option<Iteration> {
    let own: Vec<Own> = samples.phases.iter().map(|(_, sample)| Own::of(sample)).collect();
    let all = All::of(team, &own);
    let gather = Gather { plan, team, host_of };
    let phases: Vec<PhaseOutcome> = samples
        .phases
        .iter()
        .zip(own.iter().zip(&all))
        .filter_map(|((phase, sample), (own, all))| gather.phase(*phase, sample, own, all))
        .collect();
    let wanted = plan.output.all_procs || plan.output.rank_csv.is_some();
    let per_task = if wanted { gather.per_task(samples) } else { None };
    team.is_root().then_some(Iteration { iteration: number, phases, per_task })
}

/// What a task brings of one phase.
#[derive(Clone, Copy, Debug)]
struct Own {
    /// To be summed.
    counts: [u64; COUNTS],
    /// To be compared: see [`Compared`].
    values: [u64; VALUES],
    /// Operations per second to the barrier.
    rate_per_s: f64,
}

/// Places of [`Own::counts`].
const ATTEMPTED: usize = 0;
const FAILED: usize = 1;
const WORK_NS: usize = 2;
const PHASE_NS: usize = 3;
const WALL_ITEMS: usize = 4;

/// Places of [`Own::values`], whose smallest and largest are wanted. Rates stand there as the bits of the number, which
/// are in the same order as numbers that are not negative.
#[derive(Clone, Copy)]
enum Compared {
    Work,
    Phase,
    Rate,
    PhaseRate,
    Wall,
    WallTime,
}

const COUNTS: usize = 5;
const VALUES: usize = 6;

impl Own {
    fn of(sample: &Sample) -> Self {
        let wall_items = sample.wall.map_or(0, |w| w.items);
        let rate_per_s = rate(sample.share, sample.work_ns);
        Own {
            counts: [sample.attempted, sample.errors.total(), sample.work_ns, sample.phase_ns, wall_items],
            values: [
                sample.work_ns,
                sample.phase_ns,
                rate_per_s.to_bits(),
                rate(sample.share, sample.phase_ns).to_bits(),
                wall_items,
                sample.wall.map_or(0, |w| w.ns),
            ],
            rate_per_s,
        }
    }
}

/// What all tasks bring of one phase.
#[derive(Clone, Copy, Debug)]
struct All {
    sums: [u64; COUNTS],
    smallest: [u64; VALUES],
    largest: [u64; VALUES],
    rates_per_s: f64,
    /// Lowest ranks with the largest work and phase time.
    last: [u64; 2],
}

impl All {
    /// Few collectives for all phases together: with more tasks than processors each costs milliseconds. Collective.
    fn of(team: &Team, own: &[Own]) -> Vec<All> {
        let mut sums: Vec<u64> = own.iter().flat_map(|o| o.counts).collect();
        let mut rates: Vec<f64> = own.iter().map(|o| o.rate_per_s).collect();
        // The smallest of x is the complement of the largest of the complement.
        let mut extremes: Vec<u64> =
            own.iter().flat_map(|o| o.values.into_iter().chain(o.values.map(|v| !v))).collect();
        if own.is_empty() {
            return Vec::new();
        }
        team.sum(&mut sums);
        team.sum(&mut rates);
        team.max(&mut extremes);
        let found: Vec<All> = (0..own.len())
            .map(|phase| {
                let extremes = &extremes[2 * VALUES * phase..];
                All {
                    sums: std::array::from_fn(|i| sums[COUNTS * phase + i]),
                    largest: std::array::from_fn(|i| extremes[i]),
                    smallest: std::array::from_fn(|i| !extremes[VALUES + i]),
                    rates_per_s: rates[phase],
                    last: [0; 2],
                }
            })
            .collect();
        All::with_last(team, own, found)
    }

    fn with_last(team: &Team, own: &[Own], mut found: Vec<All>) -> Vec<All> {
        let candidates = own.iter().zip(&found).flat_map(|(own, all)| {
            [Compared::Work, Compared::Phase].map(|c| {
                let is_last = own.values[c as usize] == all.largest[c as usize];
                if is_last {
                    team.rank()
                } else {
                    NOBODY
                }
            })
        });
        let mut last: Vec<u64> = candidates.collect();
        team.min(&mut last);
        for (all, last) in found.iter_mut().zip(last.chunks_exact(2)) {
            all.last = [last[0], last[1]];
        }
        found
    }
}

struct Gather<'a> {
    plan: &'a Plan,
    team: &'a Team,
    host_of: &'a dyn Fn(u64) -> String,
}

impl Gather<'_> {
    fn phase(&self, phase: Phase, sample: &Sample, own: &Own, all: &All) -> Option<PhaseOutcome> {
        let errors = if all.sums[FAILED] > 0 { self.errors(sample) } else { Vec::new() };
        if !self.team.is_root() || phase == Phase::DirectoryRead {
            return None;
        }
        let tasks = as_f64(self.team.tasks());
        let (attempted, failed) = (all.sums[ATTEMPTED], all.sums[FAILED]);
        let done = attempted.saturating_sub(failed);
        let seconds_to_barrier = self.times(all, Compared::Work, all.sums[WORK_NS], all.last[0]);
        let through = self.times(all, Compared::Phase, all.sums[PHASE_NS], all.last[1]);
        let (rated_seconds, rate_per_s) = match phase.kind() {
            Some(_) => (through.max, tasks * f64::from_bits(all.smallest[Compared::PhaseRate as usize])),
            // rank 0's own
            None => (seconds(sample.phase_ns), f64::from_bits(own.values[Compared::PhaseRate as usize])),
        };
        Some(PhaseOutcome {
            phase,
            items: Items { attempted, done, failed },
            errors,
            rated_seconds,
            rate_per_s,
            true_rate_per_s: rate(as_f64(done), all.largest[Compared::Phase as usize]),
            seconds_to_barrier,
            seconds: through,
            task_rate_per_s: Spread {
                min: f64::from_bits(all.smallest[Compared::Rate as usize]),
                mean: all.rates_per_s / tasks,
                max: f64::from_bits(all.largest[Compared::Rate as usize]),
            },
            stonewall: self.stonewall(sample, all),
        })
    }

    fn times(&self, all: &All, value: Compared, sum_ns: u64, last: u64) -> Times {
        Times {
            min: seconds(all.smallest[value as usize]),
            mean: seconds(sum_ns) / as_f64(self.team.tasks()),
            max: seconds(all.largest[value as usize]),
            last: self.task(last),
        }
    }

    fn task(&self, rank: u64) -> Task {
        Task { rank, host: if self.team.is_root() { (self.host_of)(rank) } else { String::new() } }
    }

    /// Where the wall stood, if any task was stopped by it.
    fn stonewall(&self, sample: &Sample, all: &All) -> Option<Stonewall> {
        let wall = sample.wall?; // on all tasks or on none
        let (items_min, items_max) =
            (all.smallest[Compared::Wall as usize], all.largest[Compared::Wall as usize]);
        // Under -c the items at the wall are those that rank 0 had made of the first task's.
        let at_wall = if self.plan.collective { items_max } else { all.sums[WALL_ITEMS] };
        (items_min < self.plan.items_per_task).then(|| Stonewall {
            items_min,
            items_mean: as_f64(all.sums[WALL_ITEMS]) / as_f64(self.team.tasks()),
            items_max,
            items_agreed: wall.agreed,
            rate_at_wall_per_s: rate(as_f64(at_wall), all.largest[Compared::WallTime as usize]),
            worn_out: wall.worn_out,
        })
    }

    /// Counts of each kind of failure, with the first of each: that of the lowest rank that met it.
    fn errors(&self, sample: &Sample) -> Vec<ErrorCount> {
        let mut counts: Vec<u64> = (0..KINDS).map(|kind| sample.errors.of(kind)).collect();
        let mut firsts: Vec<u64> =
            counts.iter().map(|&n| if n > 0 { self.team.rank() } else { NOBODY }).collect();
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
