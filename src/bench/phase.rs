//! One phase on one task: commands, barriers, the clock, and the work between.

use crate::backend::{caches, Backend};
use crate::bench::hooks;
use crate::bench::inject;
use crate::bench::items::Content;
use crate::bench::iteration::{Bench, Ended, Samples};
use crate::bench::walk::Walk;
use crate::measure::operations::OperationLog;
use crate::measure::sample::{Sample, Wall};
use crate::namespace::phase::{Kind, Phase};
use std::path::Path;

impl<B: Backend> Bench<'_, B> {
    /// Runs a phase on items, and keeps its sample. Collective.
    ///
    /// # Errors
    /// What ends the run, agreed by all tasks.
    pub(super) fn item_phase(&mut self, phase: Phase, samples: &mut Samples) -> Result<(), Ended> {
        self.command("--run-cmd-before-phase", self.plan.before_phase.as_deref())?;
        self.drop_caches(phase)?;
        let mut walk = Walk::new(self.plan.max_errors, self.wall_ns(phase), self.open_log(phase)?);
        let requests_before = self.client_requests();
        self.phase_barrier();
        if self.plan.unique && !self.plan.time_unique {
            self.phase_barrier(); // the tasks have entered their directories: the clock starts behind that
        }
        inject::panic_if_asked(self.team.rank());
        walk.meter = self.meter.clone();
        self.meter.begin(&self.ahead(phase));
        walk.start();
        let wall = self.work(phase, &mut walk);
        let work_ns = walk.clock.elapsed_ns();
        if self.plan.sync_phases {
            self.backend.sync();
        }
        let after = self.run_command("--run-cmd-after-phase", self.plan.after_phase.as_deref());
        self.phase_barrier();
        let phase_ns = walk.clock.elapsed_ns();
        self.meter.end();
        let requests =
            self.client_requests().zip(requests_before).map(|(after, before)| after.saturating_sub(before));
        let log = walk.log.take();
        let sample = Sample { requests, ..self.sample(phase, walk, wall, work_ns, phase_ns) };
        // What was measured is kept, whatever ends the run.
        let kept = self.keep(samples, phase, sample);
        self.agree_on_command(self.plan.after_phase.is_some(), after)?;
        self.agree_on_log_end(log)?;
        kept
    }

    fn sample(
        &mut self,
        phase: Phase,
        walk: Walk,
        wall: Option<Wall>,
        work_ns: u64,
        phase_ns: u64,
    ) -> Sample {
        match (wall, phase.kind()) {
            (Some(wall), Some(Kind::Directory)) => self.directories_made = wall.agreed,
            (Some(wall), _) => self.files_made = wall.agreed,
            (None, _) => {}
        }
        let share = self.share(phase, &walk);
        let mut sample = Sample { share, wall, ..sample_of(walk, work_ns, phase_ns) };
        if let Some(wall) = wall.filter(|wall| wall.worn_out) {
            self.cut_back(phase, &wall, &mut sample);
        }
        sample
    }

    /// Runs the phase that makes or removes trees, and keeps its sample: no commands, no sync, always with barriers.
    /// Collective.
    ///
    /// # Errors
    /// Too many failures, agreed by all tasks.
    pub(super) fn tree_phase(&mut self, phase: Phase, samples: &mut Samples) -> Result<(), Ended> {
        let mut walk = Walk::new(self.plan.max_errors, None, None);
        walk.meter = self.meter.clone();
        self.team.barrier();
        self.meter.begin(&self.ahead(phase));
        walk.start();
        match phase {
            Phase::TreeCreate => self.create_trees(&mut walk),
            _ => self.remove_trees(&mut walk),
        }
        let work_ns = walk.clock.elapsed_ns();
        self.team.barrier();
        let phase_ns = walk.clock.elapsed_ns();
        self.meter.end();
        let mut sample = sample_of(walk, work_ns, phase_ns);
        // mdtest counts one tree, however many there are.
        sample.share = as_f64(sample.done()) / as_f64(self.plan.test_directories);
        self.keep(samples, phase, sample)
    }

    /// The work of a phase; where the stonewall stood, if there is one.
    fn work(&mut self, phase: Phase, walk: &mut Walk) -> Option<Wall> {
        let made = self.made(phase);
        match phase {
            Phase::DirectoryCreate | Phase::FileCreate => {
                if self.wall_ns(phase).is_some() {
                    return Some(self.create_to_the_wall(phase, walk));
                }
                if self.plan.collective {
                    self.create_collectively(phase, walk);
                } else {
                    self.create_range(
                        phase,
                        walk,
                        self.team.rank(),
                        (0, self.layout.items()),
                        Content::Written,
                    );
                }
            }
            Phase::DirectoryStat | Phase::FileStat | Phase::FileRead => self.visit(phase, walk, made),
            Phase::DirectoryRename => self.rename(walk, made),
            Phase::DirectoryRemove | Phase::FileRemove => {
                if self.plan.shared_file && !self.plan.barriers {
                    self.team.barrier(); // others may still use the files that rank 0 removes
                    walk.resume();
                }
                self.remove(phase, walk, made);
            }
            Phase::DirectoryRead | Phase::TreeCreate | Phase::TreeRemove => {}
        }
        None
    }

    /// Items done as mdtest counts them for this task.
    fn share(&self, phase: Phase, walk: &Walk) -> f64 {
        let done = as_f64(walk.attempted.saturating_sub(walk.errors.total()));
        let removes = matches!(phase, Phase::DirectoryRemove | Phase::FileRemove);
        let by_rank_0 = if self.plan.collective {
            removes || phase == phase.creation()
        } else {
            removes && self.plan.shared_file
        };
        match (by_rank_0, self.team.is_root(), self.plan.collective) {
            (true, true, true) => done / as_f64(self.team.tasks()),
            (true, false, _) => as_f64(self.made(phase)) - as_f64(walk.errors.total()),
            _ => done,
        }
    }

    /// Drops the caches of each node before a phase that could be answered from them. Collective where it does.
    fn drop_caches(&self, phase: Phase) -> Result<(), Ended> {
        if !self.plan.drop_caches || !phase.looks() {
            return Ok(());
        }
        let dropped = if self.team.leads_node() { caches::drop_all() } else { Ok(()) };
        self.agree(dropped.err().map(|why| format!("--drop-caches: {why}")))
    }

    /// Requests that this node's clients have sent so far, where they count them; not where tasks do not wait for each
    /// other, for then no phase has the node for itself.
    fn client_requests(&self) -> Option<u64> {
        if self.clients.is_empty() || !self.plan.barriers {
            return None;
        }
        self.clients.iter().map(|client| client.requests(Path::new("/proc"))).sum()
    }

    fn phase_barrier(&self) {
        if self.plan.barriers {
            self.team.barrier();
        }
    }

    /// Runs a command before a phase, and agrees on how it ended. Collective where there is one.
    fn command(&self, option: &str, command: Option<&str>) -> Result<(), Ended> {
        let ended = self.run_command(option, command);
        self.agree_on_command(command.is_some(), ended)
    }

    fn run_command(&self, option: &str, command: Option<&str>) -> Result<(), String> {
        match command {
            Some(command) if self.team.leads_node() => hooks::run(option, command),
            _ => Ok(()),
        }
    }

    fn agree_on_command(&self, there_is_one: bool, ended: Result<(), String>) -> Result<(), Ended> {
        if there_is_one {
            self.agree(ended.err())?;
        }
        Ok(())
    }

    /// The first message of any task ends the run. Collective.
    fn agree(&self, message: Option<String>) -> Result<(), Ended> {
        let message = message.map(|m| format!("{m} (rank {} on {})", self.team.rank(), self.host));
        match self.team.first_message(message.as_deref()) {
            Some(message) => Err(Ended::Environment(message)),
            None => Ok(()),
        }
    }

    /// The log of this phase's operations, which goes on where an earlier iteration of this run left it.
    fn open_log(&mut self, phase: Phase) -> Result<Option<OperationLog>, Ended> {
        let Some(prefix) = &self.plan.output.operation_csv else { return Ok(None) };
        if phase == Phase::DirectoryRead {
            return Ok(None); // it has no operations
        }
        let goes_on = self.logged.contains(&phase);
        let opened = OperationLog::open(prefix, phase.label(), self.team.rank(), goes_on);
        let (log, error) = match opened {
            Ok(log) => (Some(log), None),
            Err(error) => (None, Some(error)),
        };
        self.agree(error)?;
        self.logged.push(phase);
        Ok(log)
    }

    fn agree_on_log_end(&self, log: Option<OperationLog>) -> Result<(), Ended> {
        match &self.plan.output.operation_csv {
            Some(_) => self.agree(log.and_then(|log| log.finish().err())),
            None => Ok(()),
        }
    }
}

/// What a walk saw.
fn sample_of(mut walk: Walk, work_ns: u64, phase_ns: u64) -> Sample {
    walk.timeline.close(walk.done());
    walk.latency.sum_ns = walk.busy_ns();
    Sample {
        attempted: walk.attempted,
        share: 0.0,
        start_ns: walk.clock.start_ns(),
        done_ns: walk.done_ns().min(work_ns),
        errors: walk.errors,
        latency: walk.latency,
        timeline: walk.timeline,
        work_ns,
        phase_ns,
        requests: None,
        wall: None,
    }
}

/// Counts as the numbers that rates are made of: exact up to 2^53.
#[allow(clippy::cast_precision_loss)]
pub(super) fn as_f64(count: u64) -> f64 {
    count as f64
}
