//! One phase on one task: commands, barriers, the clock, and the work between.

use crate::backend::Backend;
use crate::bench::hooks;
use crate::bench::inject;
use crate::bench::items::Content;
use crate::bench::iteration::{Bench, Ended, Samples};
use crate::bench::walk::Walk;
use crate::measure::operations::OperationLog;
use crate::measure::sample::{Sample, Wall};
use crate::namespace::phase::{Kind, Phase};

impl<B: Backend> Bench<'_, B> {
    /// Runs a phase on items, and keeps its sample. Collective.
    ///
    /// # Errors
    /// What ends the run, agreed by all tasks.
    pub(super) fn item_phase(&mut self, phase: Phase, samples: &mut Samples) -> Result<(), Ended> {
        self.command("--run-cmd-before-phase", self.plan.before_phase.as_deref())?;
        let log = self.open_log(phase)?;
        self.phase_barrier();
        if self.plan.unique && !self.plan.time_unique {
            self.phase_barrier(); // the tasks have entered their directories: the clock starts behind that
        }
        inject::panic_if_asked(self.team.rank());
        let mut walk = Walk::new(self.plan.max_errors, self.wall_ns(phase), log);
        let wall = self.work(phase, &mut walk);
        let work_ns = walk.clock.elapsed_ns();
        if self.plan.sync_phases {
            self.backend.sync();
        }
        let after = self.run_command("--run-cmd-after-phase", self.plan.after_phase.as_deref());
        self.phase_barrier();
        let phase_ns = walk.clock.elapsed_ns();
        let log = walk.log.take();
        let sample = self.sample(phase, walk, wall, work_ns, phase_ns);
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
        let mut sample =
            Sample { attempted: walk.attempted, share, errors: walk.errors, work_ns, phase_ns, wall };
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
        self.team.barrier();
        let mut walk = Walk::new(self.plan.max_errors, None, None);
        match phase {
            Phase::TreeCreate => self.create_trees(&mut walk),
            _ => self.remove_trees(&mut walk),
        }
        let work_ns = walk.clock.elapsed_ns();
        self.team.barrier();
        let phase_ns = walk.clock.elapsed_ns();
        let mut sample =
            Sample { attempted: walk.attempted, errors: walk.errors, work_ns, phase_ns, ..Sample::default() };
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

/// Counts as the numbers that rates are made of: exact up to 2^53.
#[allow(clippy::cast_precision_loss)]
pub(super) fn as_f64(count: u64) -> f64 {
    count as f64
}
