//! The stonewall: create for so many seconds, then level up, so that all tasks end with the same items.

use crate::backend::Backend;
use crate::bench::items::Content;
use crate::bench::iteration::Bench;
use crate::bench::phase::as_f64;
use crate::bench::walk::Walk;
use crate::measure::sample::{Sample, Wall};
use crate::namespace::phase::Phase;

const NS_PER_S: u64 = 1_000_000_000;

impl<B: Backend> Bench<'_, B> {
    /// Nanoseconds until the wall of a create phase; a share of them where rank 0 creates for all.
    pub(super) fn wall_ns(&self, phase: Phase) -> Option<u64> {
        if self.plan.stonewall_s == 0 || phase != phase.creation() || phase == Phase::TreeCreate {
            return None;
        }
        let wall_ns = self.plan.stonewall_s.saturating_mul(NS_PER_S);
        Some(if self.plan.collective { wall_ns / self.team.tasks() } else { wall_ns })
    }

    /// A create phase under a stonewall; the items that each task ended with. Collective.
    pub(super) fn create_to_the_wall(&mut self, phase: Phase, walk: &mut Walk) -> Wall {
        if self.plan.collective {
            return self.create_collectively_to_the_wall(phase, walk);
        }
        let (rank, all) = (self.team.rank(), self.layout.items());
        let items = self.create_range(phase, walk, rank, (0, all), Content::Written);
        let ns = walk.clock.elapsed_ns();
        let limit_ns = self.plan.wear_out_limit_s.map(|s| ns.saturating_add(s.saturating_mul(NS_PER_S)));
        walk.lift_wall(limit_ns);
        let mut largest = [items];
        self.team.max(&mut largest);
        let mut reached = items;
        if reached < largest[0] && !walk.gave_up() {
            walk.resume();
            reached = self.create_range(phase, walk, rank, (items, largest[0]), Content::Written);
        }
        walk.lift_wall(None);
        let (mut agreed, mut most) = ([reached], [reached]);
        self.team.min(&mut agreed);
        self.team.max(&mut most);
        Wall { items, ns, reached, most: most[0], agreed: agreed[0], worn_out: agreed[0] < largest[0] }
    }

    /// Rank 0 makes the first task's items up to its share of the time, then as many for each of the others.
    fn create_collectively_to_the_wall(&mut self, phase: Phase, walk: &mut Walk) -> Wall {
        let (root, all) = (self.team.is_root(), self.layout.items());
        let mut items = [if root { self.create_range(phase, walk, 0, (0, all), Content::Later) } else { 0 }];
        let ns = walk.clock.elapsed_ns();
        walk.lift_wall(None);
        self.team.max(&mut items);
        for task in 1..if root { self.team.tasks() } else { 0 } {
            if !walk.gave_up() {
                self.create_range(phase, walk, task, (0, items[0]), Content::Later);
            }
        }
        for t in 0..self.layout.test_directories {
            self.reopen_own(phase, walk, t, self.layout.made_in(t, items[0]));
        }
        Wall { items: items[0], ns, reached: items[0], most: items[0], agreed: items[0], worn_out: false }
    }

    /// Takes away what this task made beyond what all tasks ended with: untimed, since levelling up was cut short.
    /// Shared files are rank 0's to take away.
    pub(super) fn cut_back(&mut self, phase: Phase, wall: &Wall, sample: &mut Sample) {
        let surplus = match (self.plan.shared_file, self.team.is_root()) {
            (false, _) => wall.agreed..wall.reached,
            (true, true) => wall.agreed..wall.most,
            (true, false) => 0..0,
        };
        let mut walk = Walk::new(None, None, None);
        if self.plan.shared_file {
            self.team.barrier(); // no task makes any more
        }
        let rank = self.team.rank();
        self.remove_range(phase, &mut walk, rank..rank + 1, (surplus.start, surplus.end));
        // What was cut back does not count: the phase ends with what all tasks have.
        sample.attempted = sample.attempted - (wall.reached - wall.agreed) + walk.errors.total();
        sample.errors.take_over(walk.errors);
        sample.share = as_f64(sample.done());
    }
}
