//! One iteration on one task, in mdtest's order of work.

use crate::backend::Backend;
use crate::bench::data::Data;
use crate::measure::client::Client;
use crate::measure::meter::Meter;
use crate::measure::sample::Sample;
use crate::namespace::layout::Layout;
use crate::namespace::phase::{Kind, Phase};
use crate::plan::{Api, Plan};
use crate::result::environment;
use crate::team::clocks::{self, Comparison};
use crate::team::Team;
use std::time::Duration;

/// Why a run ends before its end; the same on all tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Operations failed: too many of them, or one that nothing can go on without.
    Failed(String),
    /// A command or an output file failed.
    Environment(String),
}

/// What one task works with.
pub struct Bench<'a, B: Backend> {
    /// The plan.
    pub plan: &'a Plan,
    /// The tasks that take part.
    pub team: &'a Team,
    /// How operations are made.
    pub backend: &'a mut B,
    /// Name of this node.
    pub host: &'a str,
    /// Phases whose operations this run has begun to log.
    pub logged: &'a mut Vec<Phase>,
    /// What is told to those who look on.
    pub meter: Meter,
    pub(super) layout: Layout,
    pub(super) root: &'a str,
    pub(super) data: Data,
    /// Clients of the test directories that count their requests: on the node's first task.
    pub(super) clients: Vec<Client>,
    pub(super) iteration: u64,
    pub(super) order_key: Option<u64>,
    pub(super) directories_made: u64,
    pub(super) files_made: u64,
    /// Failures of this task in the iterations behind it.
    pub failed: u64,
}

/// What one task saw of an iteration.
#[derive(Debug, Default)]
pub struct Samples {
    /// How the clock of this node stood against rank 0's when the iteration began.
    pub clocks: Comparison,
    /// The phases that ran.
    pub phases: Vec<(Phase, Sample)>,
    /// What ended the iteration before its end.
    pub ended: Option<Ended>,
    /// A test directory that could not be removed.
    pub left: Option<String>,
    /// Items of each kind that each task made, where the run creates them.
    pub made: Vec<(u64, Kind, u64)>,
}

impl Samples {
    /// Failures of this task.
    fn failed(&self) -> u64 {
        self.phases.iter().map(|(_, sample)| sample.errors.total()).sum()
    }
}

impl<'a, B: Backend> Bench<'a, B> {
    /// The bench of this task in `team`.
    pub fn new(
        plan: &'a Plan,
        team: &'a Team,
        backend: &'a mut B,
        host: &'a str,
        logged: &'a mut Vec<Phase>,
    ) -> Self {
        let roots = plan.directories.len() as u64;
        let root = &plan.directories[usize::try_from(team.rank() % roots).unwrap_or(0)];
        Bench {
            layout: plan.layout(),
            data: Data::new(plan, team.rank(), team.tasks()),
            clients: if team.leads_node() { clients(plan) } else { Vec::new() },
            plan,
            team,
            backend,
            host,
            logged,
            meter: Meter::default(),
            root,
            iteration: 0,
            order_key: None,
            directories_made: 0,
            files_made: 0,
            failed: 0,
        }
    }

    /// Runs iteration `iteration`. Collective.
    pub fn iteration(&mut self, iteration: u64) -> Samples {
        self.iteration = iteration;
        self.order_key = self.plan.random_seed.map(|seed| order_key(seed, self.team.rank(), iteration));
        let all = self.layout.items();
        let before = |kind| match &self.plan.stonewall_counts {
            Some(counts) if !self.plan.chosen.create => counts.of(iteration, kind).min(all),
            _ => all,
        };
        (self.directories_made, self.files_made) = (before(Kind::Directory), before(Kind::File));
        let mut samples = Samples { clocks: clocks::compare(self.team), ..Samples::default() };
        samples.ended = self.all_phases(&mut samples).err();
        self.failed += samples.failed();
        if self.plan.chosen.create && samples.ended.is_none() {
            let kinds = [(Kind::Directory, self.directories_made), (Kind::File, self.files_made)];
            let done = kinds.into_iter().filter(|(kind, _)| !self.plan.phases(*kind).is_empty());
            samples.made = done.map(|(kind, made)| (iteration, kind, made)).collect();
        }
        samples
    }

    fn all_phases(&mut self, samples: &mut Samples) -> Result<(), Ended> {
        if self.plan.chosen.create {
            self.make_test_directories()?;
            self.tree_phase(Phase::TreeCreate, samples)?;
        }
        for kind in [Kind::Directory, Kind::File] {
            let phases = self.plan.phases(kind);
            if !phases.is_empty() {
                std::thread::sleep(Duration::from_secs(self.plan.pre_delay_s));
            }
            for phase in phases {
                self.item_phase(phase, samples)?;
            }
        }
        if !self.plan.barriers {
            self.too_many_failures(samples)?; // tasks agree here on what they could not agree on between phases
        }
        if self.plan.chosen.remove {
            self.tree_phase(Phase::TreeRemove, samples)?;
            samples.left = self.remove_test_directories();
        }
        Ok(())
    }

    /// Keeps a sample; ends the run where all tasks together met too many failures. Under `-B` tasks do not wait for
    /// each other between phases. Collective, but for phases on items under `-B`.
    ///
    /// # Errors
    /// Too many failures.
    pub(super) fn keep(&self, samples: &mut Samples, phase: Phase, sample: Sample) -> Result<(), Ended> {
        samples.phases.push((phase, sample));
        if self.plan.barriers || phase.kind().is_none() {
            self.too_many_failures(samples)?;
        }
        Ok(())
    }

    fn too_many_failures(&self, samples: &Samples) -> Result<(), Ended> {
        let Some(max) = self.plan.max_errors else { return Ok(()) };
        let mut failed = [self.failed + samples.failed()];
        self.team.sum(&mut failed);
        if failed[0] < max {
            return Ok(());
        }
        let option = if self.plan.warnings_as_errors { "--warningAsErrors" } else { "--max-errors" };
        Err(Ended::Failed(format!("{} operations failed, {option} allows fewer than {max}", failed[0])))
    }

    /// Where rank 0's items of each phase lie, for those who want to see it.
    pub fn places(&self) -> Vec<(Phase, String)> {
        let of = |phase| {
            let mut path = self.names(phase, self.team.rank());
            (phase, path.directory(&self.layout.tree, 0, 0).display())
        };
        [Kind::Directory, Kind::File].into_iter().flat_map(|kind| self.plan.phases(kind)).map(of).collect()
    }

    /// Items of each task that a phase finds.
    pub(super) fn made(&self, phase: Phase) -> u64 {
        match phase.kind() {
            Some(Kind::Directory) => self.directories_made,
            _ => self.files_made,
        }
    }
}

/// The clients of the file systems that the test directories lie on, each once.
fn clients(plan: &Plan) -> Vec<Client> {
    if plan.api == Api::Dummy {
        return Vec::new();
    }
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mut found = Vec::new();
    for directory in &plan.directories {
        let real = std::fs::canonicalize(directory).ok();
        let mount = real.and_then(|path| environment::mount_of(&path.to_string_lossy(), &mounts));
        let client = mount.and_then(|m| Client::of(&m.fs_type, &m.source, &m.mount_point));
        found.extend(client.filter(|client| !found.contains(client)));
    }
    found
}

/// Each task uses seed + rank; each iteration another order, in which stat and read agree.
fn order_key(seed: u64, rank: u64, iteration: u64) -> u64 {
    seed.wrapping_add(rank) ^ iteration.wrapping_mul(0xd1b5_4a32_d192_ed03)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_differ_between_tasks_and_iterations() {
        assert_ne!(order_key(3, 0, 0), order_key(3, 1, 0));
        assert_ne!(order_key(3, 0, 0), order_key(3, 0, 1));
        assert_eq!(order_key(3, 1, 0), order_key(4, 0, 0), "seed + rank, as in mdtest");
    }
}
