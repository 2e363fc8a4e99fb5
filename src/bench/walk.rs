//! The measured loop: the next path, the call, the clock, a count; nothing else unless the options ask for it.

use crate::measure::clock::Clock;
use crate::measure::errors::{Errors, Failure};
use crate::measure::latency::Latency;
use crate::measure::meter::Meter;
use crate::measure::operations::OperationLog;
use crate::measure::timeline::Timeline;
use crate::namespace::order::Run;
use crate::namespace::path::{CPath, ItemPath};
use std::ops::ControlFlow;

/// A failed call: what failed, and which call it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What failed.
    pub failure: Failure,
    /// The call.
    pub operation: &'static str,
}

impl Fault {
    /// `result` of the call `operation`.
    #[inline]
    pub fn of<T, E: Into<Failure>>(operation: &'static str, result: Result<T, E>) -> Result<T, Fault> {
        result.map_err(|error| Fault { failure: error.into(), operation })
    }
}

/// Counts and times operations, and says when to stop.
///
/// What every operation touches stands together at the start, in as few cache lines as it fits: behind a system call the
/// rest of the cache is the kernel's.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Walk {
    /// Operations begun.
    pub attempted: u64,
    /// End of the operation before, which is the start of the next: nanoseconds after the start of the phase.
    last_ns: u64,
    /// When something has to be done beside counting: the end of a window, the stonewall, every time for a log.
    next_ns: u64,
    /// The clock of the phase.
    pub clock: Clock,
    /// Latencies of the operations that succeeded.
    pub latency: Latency,
    /// Time that was no operation's, or one's that failed, nanoseconds.
    other_ns: u64,
    /// Failures.
    pub errors: Errors,
    /// When operations succeeded.
    pub timeline: Timeline,
    /// The log of every operation, where it was asked for.
    pub log: Option<OperationLog>,
    /// What is told to those who look on.
    pub meter: Meter,
    /// The stonewall, nanoseconds after the start; `u64::MAX` for none.
    deadline_ns: u64,
    /// Failures after which the task stops.
    max_errors: u64,
}

impl Walk {
    /// A walk that stops at `max_errors` failures of this task, or at the stonewall. Its memory is made ready here, its
    /// time begins with [`Walk::start`].
    pub fn new(max_errors: Option<u64>, deadline_ns: Option<u64>, log: Option<OperationLog>) -> Self {
        let mut walk = Walk {
            attempted: 0,
            errors: Errors::default(),
            clock: Clock::start(),
            latency: Latency::new(),
            timeline: Timeline::new(),
            log,
            meter: Meter::default(),
            deadline_ns: deadline_ns.unwrap_or(u64::MAX),
            max_errors: max_errors.unwrap_or(u64::MAX),
            last_ns: 0,
            next_ns: 0,
            other_ns: 0,
        };
        walk.look_ahead();
        walk
    }

    /// Time begins now.
    pub fn start(&mut self) {
        self.clock = Clock::start();
    }

    /// The next operation begins now, not at the end of the one before: the task waited for others.
    pub fn resume(&mut self) {
        let now_ns = self.clock.quick_ns();
        self.other_ns += now_ns.saturating_sub(self.last_ns);
        self.last_ns = now_ns;
    }

    /// Takes the stonewall down: what is made from now on is made to level up. `until_ns` may stand in its place.
    pub fn lift_wall(&mut self, until_ns: Option<u64>) {
        self.deadline_ns = until_ns.unwrap_or(u64::MAX);
        self.look_ahead();
    }

    /// Operations that succeeded.
    pub fn done(&self) -> u64 {
        self.attempted - self.errors.total()
    }

    /// Nanoseconds that the operations that succeeded took together.
    pub fn busy_ns(&self) -> u64 {
        self.last_ns.saturating_sub(self.other_ns)
    }

    /// End of the last operation, nanoseconds after the start; 0 where there was none.
    pub fn done_ns(&self) -> u64 {
        if self.attempted > 0 {
            self.last_ns
        } else {
            0
        }
    }

    fn look_ahead(&mut self) {
        self.next_ns = if self.log.is_some() { 0 } else { self.timeline.end_ns().min(self.deadline_ns) };
    }

    /// Does `operation` on each item of `run`; [`ItemPath::enter`] has been called for its directory.
    #[inline]
    pub fn run(
        &mut self,
        run: Run,
        path: &mut ItemPath,
        operation: &mut impl FnMut(CPath, u64) -> Result<(), Fault>,
    ) -> ControlFlow<()> {
        for item in run.first..run.first + run.count {
            let path = path.item(item);
            self.one(path, || operation(path, item))?;
        }
        ControlFlow::Continue(())
    }

    /// Does one `operation`, on `path`. The clock is read once: the end of one operation is the start of the next.
    #[inline]
    pub fn one(&mut self, path: CPath, operation: impl FnOnce() -> Result<(), Fault>) -> ControlFlow<()> {
        self.attempted += 1;
        let result = operation();
        let now_ns = self.clock.quick_ns();
        let ns = now_ns.saturating_sub(self.last_ns);
        self.last_ns = now_ns;
        let succeeded = result.is_ok();
        match result {
            Ok(()) => self.latency.count(ns, now_ns, path),
            Err(fault) => {
                self.other_ns += ns;
                self.failed(fault, path)?;
            }
        }
        if now_ns >= self.next_ns {
            return self.turn(now_ns, ns, succeeded);
        }
        ControlFlow::Continue(())
    }

    /// What comes due at `now_ns`, behind an operation of `ns`.
    #[cold]
    fn turn(&mut self, now_ns: u64, ns: u64, succeeded: bool) -> ControlFlow<()> {
        self.meter.done(self.attempted);
        if now_ns >= self.timeline.end_ns() {
            // The operation that ended now did so behind the window's end.
            self.timeline.advance(now_ns, self.done() - u64::from(succeeded));
        }
        if let Some(log) = &mut self.log {
            log.operation(now_ns - ns, now_ns);
        }
        if now_ns >= self.deadline_ns {
            return ControlFlow::Break(());
        }
        self.look_ahead();
        if self.log.is_some() {
            self.resume(); // writing a line is no part of the next operation
        }
        ControlFlow::Continue(())
    }

    /// Counts a failure; breaks where it was one too many.
    #[cold]
    pub fn failed(&mut self, fault: Fault, path: CPath) -> ControlFlow<()> {
        self.errors.count(fault.failure, fault.operation, || path.display());
        if self.gave_up() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Whether this task alone has met as many failures as end the run.
    pub fn gave_up(&self) -> bool {
        self.errors.total() >= self.max_errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::namespace::path::{Owner, Site};
    use crate::namespace::phase::Kind;
    use crate::namespace::tree::Tree;

    fn path() -> ItemPath {
        let site = Site { root: "/d", iteration: 0, tree_rank: None };
        let mut path = ItemPath::new(&site, Kind::File, Owner::Rank(0));
        path.enter(&Tree::new(1, 0).unwrap(), 0, 0);
        path
    }

    const RUN: Run = Run { directory: 0, first: 0, count: 10 };

    #[test]
    fn each_item_is_done_once_and_failures_are_counted() {
        let mut walk = Walk::new(None, None, None);
        let mut seen = Vec::new();
        let flow = walk.run(RUN, &mut path(), &mut |path, item| {
            seen.push((item, path.display()));
            Fault::of("stat", if item % 3 == 0 { Err(libc::ENOENT) } else { Ok(()) })
        });
        assert_eq!(flow, ControlFlow::Continue(()));
        assert_eq!((walk.attempted, walk.errors.total()), (10, 4));
        assert_eq!(seen[9], (9, "/d/test-dir.0-0/mdtest_tree.0/file.mdtest.0.9".to_string()));
        assert_eq!(walk.errors.first(2).unwrap().path, seen[0].1);
    }

    #[test]
    fn a_task_stops_at_its_limit_of_failures() {
        let mut walk = Walk::new(Some(3), None, None);
        let flow = walk.run(RUN, &mut path(), &mut |_, _| Fault::of("stat", Err::<(), i32>(libc::EIO)));
        assert_eq!(flow, ControlFlow::Break(()));
        assert!(walk.gave_up() && walk.attempted == 3);
    }

    #[test]
    fn a_wall_stops_after_the_operation_that_reaches_it() {
        let mut walk = Walk::new(None, Some(0), None);
        assert_eq!(walk.run(RUN, &mut path(), &mut |_, _| Ok(())), ControlFlow::Break(()));
        assert_eq!(walk.attempted, 1);
        walk.lift_wall(None);
        assert_eq!(walk.run(RUN, &mut path(), &mut |_, _| Ok(())), ControlFlow::Continue(()));
        assert_eq!(walk.attempted, 11);
    }
}
