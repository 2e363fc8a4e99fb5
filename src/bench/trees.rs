//! The trees: every task makes and removes its own under `-u`, else rank 0 the one of all.

use crate::backend::Backend;
use crate::bench::iteration::Bench;
use crate::bench::walk::{Fault, Walk};
use crate::namespace::path::{ItemPath, Owner, Site};
use crate::namespace::phase::Kind;

impl<B: Backend> Bench<'_, B> {
    fn tree_path(&self) -> Option<ItemPath> {
        let tree_rank = self.plan.unique.then(|| self.team.rank());
        let site = Site { root: self.root, iteration: self.iteration, tree_rank };
        (self.plan.unique || self.team.is_root())
            .then(|| ItemPath::new(&site, Kind::Directory, Owner::Shared))
    }

    /// Makes this task's trees, each directory before its children.
    pub(super) fn create_trees(&mut self, walk: &mut Walk) {
        let Some(mut path) = self.tree_path() else { return };
        let (fs, tree) = (&mut *self.backend, self.layout.tree);
        for t in 0..self.layout.test_directories {
            for position in 0..tree.directories() {
                let path = path.directory(&tree, t, tree.preorder(position));
                if walk.one(path, || Fault::of("mkdir", fs.mkdir(path))).is_break() {
                    return;
                }
            }
        }
    }

    /// Removes this task's trees, each directory after its children.
    pub(super) fn remove_trees(&mut self, walk: &mut Walk) {
        let Some(mut path) = self.tree_path() else { return };
        let (fs, tree) = (&mut *self.backend, self.layout.tree);
        for t in 0..self.layout.test_directories {
            let removed = tree.postorder(&mut |directory| {
                let path = path.directory(&tree, t, directory);
                walk.one(path, || Fault::of("rmdir", fs.rmdir(path)))
            });
            if removed.is_break() {
                return;
            }
        }
    }
}
