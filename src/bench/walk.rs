//! The measured loop: the next path, the call, a count; nothing else unless the options ask for it.

use crate::measure::clock::Clock;
use crate::measure::errors::{Errors, Failure};
use crate::measure::operations::OperationLog;
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

/// Counts operations and failures, and says when to stop.
#[derive(Debug)]
pub struct Walk {
    /// Operations begun.
    pub attempted: u64,
    /// Failures.
    pub errors: Errors,
    /// The clock of the phase.
    pub clock: Clock,
    /// The stonewall, nanoseconds after the start; `u64::MAX` for none.
    pub deadline_ns: u64,
    /// The log of every operation, where it was asked for.
    pub log: Option<OperationLog>,
    /// Failures after which the task stops.
    max_errors: u64,
    /// Whether the clock is read around each operation.
    timed: bool,
}

impl Walk {
    /// A walk that begins now. It stops at `max_errors` failures of this task.
    pub fn new(max_errors: Option<u64>, deadline_ns: Option<u64>, log: Option<OperationLog>) -> Self {
        Walk {
            attempted: 0,
            errors: Errors::default(),
            clock: Clock::start(),
            deadline_ns: deadline_ns.unwrap_or(u64::MAX),
            timed: deadline_ns.is_some() || log.is_some(),
            log,
            max_errors: max_errors.unwrap_or(u64::MAX),
        }
    }

    /// Takes the stonewall down: what is made from now on is made to level up. `until_ns` may stand in its place.
    pub fn lift_wall(&mut self, until_ns: Option<u64>) {
        self.deadline_ns = until_ns.unwrap_or(u64::MAX);
        self.timed = until_ns.is_some() || self.log.is_some();
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

    /// Does one `operation`, on `path`.
    #[inline]
    pub fn one(&mut self, path: CPath, operation: impl FnOnce() -> Result<(), Fault>) -> ControlFlow<()> {
        if self.timed {
            return self.one_timed(path, operation);
        }
        self.attempted += 1;
        match operation() {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => self.failed(fault, path),
        }
    }

    fn one_timed(&mut self, path: CPath, operation: impl FnOnce() -> Result<(), Fault>) -> ControlFlow<()> {
        let start_ns = self.clock.elapsed_ns();
        self.attempted += 1;
        let result = operation();
        let end_ns = self.clock.elapsed_ns();
        if let Some(log) = &mut self.log {
            log.operation(start_ns, end_ns);
        }
        if let Err(fault) = result {
            self.failed(fault, path)?;
        }
        if end_ns >= self.deadline_ns {
            return ControlFlow::Break(());
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
