//! The rename phase: a chain in which each directory takes the name of the one before it.
//!
//! Of n items, item 0 becomes `<item 0>-XX`, item i takes the name of item i−1 for i = 1 … n−2, and last `<item 0>-XX`
//! takes the name of item n−2: n renames, after which the names are those of before.

use crate::backend::Backend;
use crate::bench::iteration::Bench;
use crate::bench::walk::{Fault, Walk};
use crate::namespace::order;
use crate::namespace::path::{ItemPath, RENAMED};
use crate::namespace::phase::Phase;
use std::ops::ControlFlow;

impl<B: Backend> Bench<'_, B> {
    /// Renames the first `made` item directories, test directory by test directory.
    pub(super) fn rename(&mut self, walk: &mut Walk, made: u64) {
        for t in 0..self.layout.test_directories {
            let here = self.layout.made_in(t, made);
            if here >= 2 && self.rename_chain(walk, t, here).is_break() {
                return;
            }
        }
    }

    fn rename_chain(&mut self, walk: &mut Walk, test_directory: u64, made: u64) -> ControlFlow<()> {
        let layout = self.layout;
        let mut current = self.names(Phase::DirectoryRename, self.team.rank());
        let (mut previous, mut aside): (ItemPath, ItemPath) = (current.clone(), current.clone());
        let fs = &mut *self.backend;
        let mut left = made - 1; // the last item keeps its name
        for run in order::ascending(&layout, made) {
            current.enter(&layout.tree, test_directory, run.directory);
            for item in (run.first..run.first + run.count).take(usize::try_from(left).unwrap_or(usize::MAX)) {
                let from = current.item(item);
                let to = if left == made - 1 {
                    aside.enter(&layout.tree, test_directory, run.directory);
                    aside.item_with_suffix(item, RENAMED)
                } else {
                    previous.current()
                };
                walk.one(from, || Fault::of("rename", fs.rename(from, to)))?;
                previous.follow(&current);
                left -= 1;
            }
        }
        let (from, to) = (aside.current(), previous.current());
        walk.one(from, || Fault::of("rename", fs.rename(from, to)))
    }
}
