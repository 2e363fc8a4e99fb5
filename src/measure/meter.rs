//! What the measured loop tells about how far it is, for whoever looks on from another thread.
//!
//! The loop stores one number at the end of each window of time. There is no lock, no system call and nothing to wait for
//! on either side: a look that meets the beginning of a phase sees nothing, and the next one sees more.

use crate::namespace::phase::Phase;
use std::sync::atomic::{fence, AtomicU64, Ordering};
use std::sync::Arc;

/// What a task has before it in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// The phase.
    pub phase: Phase,
    /// The iteration, counted from 0.
    pub iteration: u64,
    /// Tasks that take part.
    pub tasks: u64,
    /// Items that this task works on; with a stonewall, at most.
    pub items: u64,
    /// How many tasks this one's items stand for: 1 where it does the work of all.
    pub stands_for: u64,
    /// The stonewall, nanoseconds after the start.
    pub wall_ns: Option<u64>,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Another one for each phase that began.
    pub generation: u64,
    /// What there is to do.
    pub work: Work,
    /// Items this task has begun.
    pub done: u64,
}

/// No stonewall.
const NO_WALL: u64 = u64::MAX;

#[derive(Debug, Default)]
struct Cells {
    generation: AtomicU64, // odd while a phase runs
    phase: AtomicU64,      // place in Phase::ALL
    iteration: AtomicU64,
    tasks: AtomicU64,
    items: AtomicU64,
    stands_for: AtomicU64,
    wall_ns: AtomicU64,
    done: AtomicU64,
}

/// The cells between the loop and those who look on. Clones are the same meter.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    cells: Arc<Cells>,
}

impl Meter {
    /// A phase begins. Only the task's own thread calls this, [`Meter::done`] and [`Meter::end`].
    pub fn begin(&self, work: &Work) {
        self.end();
        let cells = &*self.cells;
        let place = Phase::ALL.iter().position(|p| *p == work.phase).unwrap_or_default();
        cells.phase.store(place as u64, Ordering::Relaxed);
        cells.iteration.store(work.iteration, Ordering::Relaxed);
        cells.tasks.store(work.tasks, Ordering::Relaxed);
        cells.items.store(work.items, Ordering::Relaxed);
        cells.stands_for.store(work.stands_for, Ordering::Relaxed);
        cells.wall_ns.store(work.wall_ns.unwrap_or(NO_WALL), Ordering::Relaxed);
        cells.done.store(0, Ordering::Relaxed);
        let generation = cells.generation.load(Ordering::Relaxed);
        cells.generation.store(generation + 1, Ordering::Release);
    }

    /// The task has begun `count` items of this phase.
    #[inline]
    pub fn done(&self, count: u64) {
        self.cells.done.store(count, Ordering::Relaxed);
    }

    /// The phase is over; without one that runs, nothing.
    pub fn end(&self) {
        let generation = self.cells.generation.load(Ordering::Relaxed);
        if generation % 2 == 1 {
            self.cells.generation.store(generation + 1, Ordering::Relaxed);
            fence(Ordering::Release); // whoever sees a cell of the next phase sees that this one is over
        }
    }

    /// How far the phase is that runs.
    pub fn reading(&self) -> Option<Reading> {
        let cells = &*self.cells;
        let generation = cells.generation.load(Ordering::Acquire);
        let place = usize::try_from(cells.phase.load(Ordering::Relaxed)).ok()?;
        let wall_ns = cells.wall_ns.load(Ordering::Relaxed);
        let work = Work {
            phase: *Phase::ALL.get(place)?,
            iteration: cells.iteration.load(Ordering::Relaxed),
            tasks: cells.tasks.load(Ordering::Relaxed),
            items: cells.items.load(Ordering::Relaxed),
            stands_for: cells.stands_for.load(Ordering::Relaxed),
            wall_ns: (wall_ns != NO_WALL).then_some(wall_ns),
        };
        let done = cells.done.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let same = cells.generation.load(Ordering::Relaxed) == generation;
        (same && generation % 2 == 1).then_some(Reading { generation, work, done })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    const WORK: Work =
        Work { phase: Phase::FileCreate, iteration: 1, tasks: 4, items: 10, stands_for: 4, wall_ns: Some(5) };

    #[test]
    fn a_phase_is_seen_while_it_runs() {
        let meter = Meter::default();
        assert_eq!(meter.reading(), None);
        meter.begin(&WORK);
        meter.clone().done(3);
        let first = meter.reading().unwrap();
        assert_eq!((first.work, first.done), (WORK, 3));
        meter.end();
        assert_eq!(meter.reading(), None);
        meter.end();
        let next = Work { phase: Phase::TreeRemove, wall_ns: None, ..WORK };
        meter.begin(&next);
        let second = meter.reading().unwrap();
        assert_eq!((second.work, second.done), (next, 0));
        assert_ne!(first.generation, second.generation);
    }

    #[test]
    fn a_reading_never_mixes_phases() {
        let (meter, over) = (Meter::default(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for n in 0..200_000 {
                    meter.begin(&Work { iteration: n, items: n, tasks: n, ..WORK });
                    meter.done(n);
                }
                over.store(true, Ordering::Relaxed);
            });
            while !over.load(Ordering::Relaxed) {
                if let Some(Reading { generation, work, done }) = meter.reading() {
                    assert_eq!((work.items, work.tasks), (work.iteration, work.iteration));
                    assert!(done == 0 || done == work.items, "{done} of {work:?}");
                    assert_eq!(generation, 2 * work.iteration + 1);
                }
            }
        });
    }
}
