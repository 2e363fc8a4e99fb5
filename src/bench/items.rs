//! The work of the phases on items: create, stat, read and remove.

use crate::backend::Backend;
use crate::bench::iteration::Bench;
use crate::bench::walk::{Fault, Walk};
use crate::namespace::layout::Layout;
use crate::namespace::order;
use crate::namespace::path::{CPath, ItemPath, Owner, Site};
use crate::namespace::phase::{Kind, Phase};
use std::ops::{ControlFlow, Range};

/// What a file gets when it is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Its data.
    Written,
    /// Nothing: its own task opens it later (`-c`).
    Later,
}

impl<B: Backend> Bench<'_, B> {
    /// The task whose items this task works on in `phase`.
    pub(super) fn owner(&self, phase: Phase, task: u64) -> u64 {
        self.shifted(task, phase.strides())
    }

    fn shifted(&self, task: u64, strides: u64) -> u64 {
        let tasks = self.team.tasks();
        (task + strides * (self.plan.rank_shift % tasks)) % tasks
    }

    /// A path into the items that `task` works on in `phase`. Under `-u` the trees shift by one stride more.
    pub(super) fn names(&self, phase: Phase, task: u64) -> ItemPath {
        let tree_rank = self.plan.unique.then(|| self.shifted(task, phase.strides() + 1));
        let owner = if self.plan.shared_file { Owner::Shared } else { Owner::Rank(self.owner(phase, task)) };
        let site = Site { root: self.root, iteration: self.iteration, tree_rank };
        ItemPath::new(&site, phase.kind().unwrap_or(Kind::Directory), owner)
    }

    /// Creates the items of `task` from place `from` up to place `to` of all test directories; the place reached.
    pub(super) fn create_range(
        &mut self,
        phase: Phase,
        walk: &mut Walk,
        task: u64,
        (from, to): (u64, u64),
        content: Content,
    ) -> u64 {
        let before = walk.attempted;
        let mut path = self.names(phase, task);
        for t in 0..self.layout.test_directories {
            let part = (self.layout.made_in(t, from), self.layout.made_in(t, to));
            if self.create_part(phase, walk, &mut path, t, part, content).is_break() {
                break;
            }
        }
        from + walk.attempted - before
    }

    fn create_part(
        &mut self,
        phase: Phase,
        walk: &mut Walk,
        path: &mut ItemPath,
        test_directory: u64,
        (from, to): (u64, u64),
        content: Content,
    ) -> ControlFlow<()> {
        let (fs, data, layout) = (&mut *self.backend, &mut self.data, self.layout);
        // One loop for each call: what is the same for all items is not asked again for each.
        for run in order::creation(&layout, from, to) {
            path.enter(&layout.tree, test_directory, run.directory);
            match (phase.kind(), content) {
                (Some(Kind::File), Content::Written) => {
                    walk.run(run, path, &mut |p, item| data.create(fs, p, item))?
                }
                (Some(Kind::File), Content::Later) => {
                    walk.run(run, path, &mut |p, _| data.create_empty(fs, p))?
                }
                _ => walk.run(run, path, &mut |p, _| Fault::of("mkdir", fs.mkdir(p)))?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Rank 0 creates the items of all tasks, then each task opens its own files: one test directory after another.
    pub(super) fn create_collectively(&mut self, phase: Phase, walk: &mut Walk) {
        let tasks = if self.team.is_root() { self.team.tasks() } else { 0 };
        let here = self.layout.items_per_test_directory();
        let mut stopped = false;
        for t in 0..self.layout.test_directories {
            walk.resume();
            for task in 0..tasks {
                let mut path = self.names(phase, task);
                let part = (0, here);
                stopped =
                    stopped || self.create_part(phase, walk, &mut path, t, part, Content::Later).is_break();
            }
            self.reopen_own(phase, walk, t, if stopped { 0 } else { here });
        }
    }

    /// The first `made` files of the task's own in test directory `test_directory`, opened and filled once rank 0 has
    /// made them. They are counted where they are created, so only a failure adds to the operations here. Collective.
    pub(super) fn reopen_own(&mut self, phase: Phase, walk: &mut Walk, test_directory: u64, made: u64) {
        if phase.kind() == Some(Kind::File) {
            self.team.barrier();
            let _ = self.reopen_part(phase, walk, test_directory, made);
        }
    }

    fn reopen_part(
        &mut self,
        phase: Phase,
        walk: &mut Walk,
        test_directory: u64,
        made: u64,
    ) -> ControlFlow<()> {
        let rank = self.team.rank();
        let mut path = self.names(phase, rank);
        let (fs, data, layout) = (&mut *self.backend, &mut self.data, self.layout);
        for run in order::creation(&layout, 0, made) {
            path.enter(&layout.tree, test_directory, run.directory);
            for item in run.first..run.first + run.count {
                if let Err(fault) = data.reopen(fs, path.item(item), item) {
                    walk.attempted += 1;
                    walk.failed(fault, path.current())?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Stat or read of the first `made` items of another task or of this one.
    pub(super) fn visit(&mut self, phase: Phase, walk: &mut Walk, made: u64) {
        let mut path = self.names(phase, self.team.rank());
        let writer = self.owner(phase, self.team.rank());
        let (fs, data) = (&mut *self.backend, &mut self.data);
        let _ = match phase {
            Phase::FileRead => {
                let operation = &mut |p: CPath, item| data.read(fs, p, writer, item);
                visit_each(&self.layout, self.order_key, made, walk, &mut path, operation)
            }
            _ => {
                let operation = &mut |p: CPath, _| Fault::of("stat", fs.stat(p));
                visit_each(&self.layout, self.order_key, made, walk, &mut path, operation)
            }
        };
    }

    /// Removes the first `made` items: rank 0 those of all tasks under `-c`, and the shared ones under `-S`.
    pub(super) fn remove(&mut self, phase: Phase, walk: &mut Walk, made: u64) {
        let tasks = match (self.plan.collective, self.plan.shared_file) {
            (true, _) if self.team.is_root() => 0..self.team.tasks(),
            (false, true) if self.team.is_root() => 0..1,
            (false, false) => self.team.rank()..self.team.rank() + 1,
            _ => 0..0,
        };
        self.remove_range(phase, walk, tasks, (0, made));
    }

    /// Removes the items of `tasks`, by the names of `phase`, from place `from` up to place `to`.
    pub(super) fn remove_range(
        &mut self,
        phase: Phase,
        walk: &mut Walk,
        tasks: Range<u64>,
        part: (u64, u64),
    ) {
        let layout = self.layout;
        for t in 0..layout.test_directories {
            for task in tasks.clone() {
                let mut path = self.names(phase, task);
                if remove_part(self.backend, &layout, phase, walk, &mut path, t, part).is_break() {
                    return;
                }
            }
        }
    }
}

fn remove_part<B: Backend>(
    fs: &mut B,
    layout: &Layout,
    phase: Phase,
    walk: &mut Walk,
    path: &mut ItemPath,
    test_directory: u64,
    (from, to): (u64, u64),
) -> ControlFlow<()> {
    let files = phase.kind() == Some(Kind::File);
    let part = (layout.made_in(test_directory, from), layout.made_in(test_directory, to));
    for run in order::creation(layout, part.0, part.1) {
        path.enter(&layout.tree, test_directory, run.directory);
        if files {
            walk.run(run, path, &mut |p, _| Fault::of("unlink", fs.unlink(p)))?;
        } else {
            walk.run(run, path, &mut |p, _| Fault::of("rmdir", fs.rmdir(p)))?;
        }
    }
    ControlFlow::Continue(())
}

/// Goes through the first `made` items in ascending order, or in the random order of `key`.
fn visit_each(
    layout: &Layout,
    key: Option<u64>,
    made: u64,
    walk: &mut Walk,
    path: &mut ItemPath,
    operation: &mut impl FnMut(CPath, u64) -> Result<(), Fault>,
) -> ControlFlow<()> {
    if let Some(key) = key {
        for place in order::scattered(layout, made, key) {
            path.enter(&layout.tree, place.test_directory, place.directory);
            let path = path.item(place.item);
            walk.one(path, || operation(path, place.item))?;
        }
        return ControlFlow::Continue(());
    }
    for t in 0..layout.test_directories {
        for run in order::ascending(layout, layout.made_in(t, made)) {
            path.enter(&layout.tree, t, run.directory);
            walk.run(run, path, operation)?;
        }
    }
    ControlFlow::Continue(())
}
