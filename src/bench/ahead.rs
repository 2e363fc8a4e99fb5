//! What a task has before it in a phase: for those who look on while it runs.

use crate::backend::Backend;
use crate::bench::iteration::Bench;
use crate::measure::meter::Work;
use crate::namespace::phase::Phase;

impl<B: Backend> Bench<'_, B> {
    /// The work that rank 0 has before it in `phase`, and how many tasks it stands for.
    pub(super) fn ahead(&self, phase: Phase) -> Work {
        let (plan, tasks) = (self.plan, self.team.tasks());
        let creates = phase == phase.creation();
        let removes = matches!(phase, Phase::DirectoryRemove | Phase::FileRemove);
        let own = match phase.kind() {
            None => self.layout.tree.directories().saturating_mul(self.layout.test_directories),
            Some(_) if creates => self.layout.items(),
            Some(_) => self.made(phase),
        };
        let for_all = plan.collective && phase.kind().is_some() && (creates || removes);
        let by_rank_0 = for_all || plan.shared_file && removes || phase.kind().is_none() && !plan.unique;
        // Rank 0's wall stands before the first task's items, then it makes as many for each of the others.
        let walls = if plan.collective { tasks } else { 1 };
        Work {
            phase,
            iteration: self.iteration,
            tasks,
            items: if for_all { own.saturating_mul(tasks) } else { own },
            stands_for: if by_rank_0 { 1 } else { tasks },
            wall_ns: self.wall_ns(phase).map(|ns| ns.saturating_mul(walls)),
        }
    }
}
