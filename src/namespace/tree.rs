//! The arithmetic of a balanced tree whose directories are numbered level by level.
//!
//! Directory 0 is the root; the children of directory k are b·k+1 … b·k+b.

use std::ops::ControlFlow;

/// Shape of a tree: branching factor b and depth z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    branch: u64,
    depth: u64,
    directories: u64,
    leaves: u64,
}

impl Tree {
    /// The tree of branching factor `branch` and depth `depth`, or `None` where it has more directories than a u64
    /// counts or `branch` is 0 below the root. A tree of depth 0 is one directory, whatever its branching factor.
    pub fn new(branch: u64, depth: u64) -> Option<Self> {
        let branch = if depth == 0 { 1 } else { branch };
        let (leaves, directories) = match branch {
            0 => return None,
            1 => (1, depth.checked_add(1)?),
            _ => {
                let leaves = branch.checked_pow(u32::try_from(depth).ok()?)?;
                (leaves, (leaves.checked_mul(branch)? - 1) / (branch - 1))
            }
        };
        Some(Tree { branch, depth, directories, leaves })
    }

    /// Levels below the root.
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// Directories in the tree: z+1 for b = 1, else (b^(z+1) − 1)/(b − 1).
    pub fn directories(&self) -> u64 {
        self.directories
    }

    /// Directories of the deepest level: b^z.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Number of the first directory of the deepest level.
    pub fn first_leaf(&self) -> u64 {
        self.directories - self.leaves
    }

    /// The directory that holds `directory`; the root has none.
    pub fn parent(&self, directory: u64) -> Option<u64> {
        (directory > 0).then(|| (directory - 1) / self.branch)
    }

    /// Greatest directory number on each level, root first: what the longest path is made of.
    pub fn last_of_each_level(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::successors(Some(0u64), |&last| Some(last * self.branch + self.branch))
            .take_while(|&last| last < self.directories)
    }

    /// The directory at `position` of the depth-first order that names a directory before its children.
    pub fn preorder(&self, position: u64) -> u64 {
        debug_assert!(position < self.directories);
        let (mut directory, mut rest, mut below) = (0, position, self.directories);
        while rest > 0 {
            below = (below - 1) / self.branch; // directories in the subtree of one child
            rest -= 1;
            directory = directory * self.branch + 1 + rest / below;
            rest %= below;
        }
        directory
    }

    /// Where `directory` stands in the depth-first order: the inverse of [`Tree::preorder`].
    pub fn preorder_position(&self, directory: u64) -> u64 {
        debug_assert!(directory < self.directories);
        let level = self.level(directory);
        // Size of the subtree below `directory`, then of its ancestors, climbing.
        let mut size = self.subtree(self.depth - level);
        let (mut node, mut position) = (directory, 0);
        while let Some(parent) = self.parent(node) {
            position += 1 + (node - (parent * self.branch + 1)) * size;
            size = size * self.branch + 1;
            node = parent;
        }
        position
    }

    /// Calls `visit` with every directory, each after its children, the children in ascending order, until it breaks.
    pub fn postorder(&self, visit: &mut impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.postorder_below(0, self.depth, visit)
    }

    fn postorder_below(
        &self,
        directory: u64,
        levels: u64,
        visit: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for child in 0..if levels > 0 { self.branch } else { 0 } {
            self.postorder_below(directory * self.branch + 1 + child, levels - 1, visit)?;
        }
        visit(directory)
    }

    fn level(&self, directory: u64) -> u64 {
        let (mut level, mut node) = (0, directory);
        while let Some(parent) = self.parent(node) {
            level += 1;
            node = parent;
        }
        level
    }

    /// Directories of a subtree with `levels` levels below its own root.
    fn subtree(&self, levels: u64) -> u64 {
        (0..levels).fold(1, |size, _| size * self.branch + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_directories_and_leaves() {
        for (branch, depth, directories, leaves) in [
            (1, 0, 1, 1),
            (0, 0, 1, 1),
            (5, 0, 1, 1),
            (1, 3, 4, 1),
            (2, 3, 15, 8),
            (3, 1, 4, 3),
            (6, 4, 1555, 1296),
        ] {
            let tree = Tree::new(branch, depth).unwrap();
            assert_eq!((tree.directories(), tree.leaves()), (directories, leaves), "b {branch} z {depth}");
        }
    }

    #[test]
    fn refuses_what_cannot_be_counted() {
        assert_eq!(Tree::new(0, 1), None);
        assert_eq!(Tree::new(2, 64), None);
        assert_eq!(Tree::new(u64::MAX, 2), None);
    }

    #[test]
    fn depth_first_order_of_a_small_tree() {
        let tree = Tree::new(2, 2).unwrap();
        let order: Vec<u64> = (0..7).map(|p| tree.preorder(p)).collect();
        assert_eq!(order, [0, 1, 3, 4, 2, 5, 6]);
        let mut post = Vec::new();
        let whole = tree.postorder(&mut |k| {
            post.push(k);
            ControlFlow::Continue(())
        });
        assert_eq!((whole, &post[..]), (ControlFlow::Continue(()), &[3, 4, 1, 5, 6, 2, 0][..]));
        let mut calls = 0;
        let cut = tree.postorder(&mut |_| {
            calls += 1;
            ControlFlow::Break(())
        });
        assert_eq!((cut, calls), (ControlFlow::Break(()), 1), "nothing is visited after a break");
        assert_eq!(tree.last_of_each_level().collect::<Vec<_>>(), [0, 2, 6]);
    }

    proptest! {
        #[test]
        fn preorder_and_its_inverse_agree(branch in 1u64..6, depth in 0u64..5) {
            let tree = Tree::new(branch, depth).unwrap();
            let mut seen = vec![false; usize::try_from(tree.directories()).unwrap()];
            let mut placed = 0;
            for position in 0..tree.directories() {
                let directory = tree.preorder(position);
                prop_assert_eq!(tree.preorder_position(directory), position);
                if let Some(parent) = tree.parent(directory) {
                    prop_assert!(seen[usize::try_from(parent).unwrap()], "a directory comes after its parent");
                }
                seen[usize::try_from(directory).unwrap()] = true;
                placed += 1;
            }
            prop_assert_eq!(placed, tree.directories());
        }

        #[test]
        fn postorder_visits_each_once_children_first(branch in 1u64..5, depth in 0u64..5) {
            let tree = Tree::new(branch, depth).unwrap();
            let mut order = Vec::new();
            let _ = tree.postorder(&mut |k| {
                order.push(k);
                ControlFlow::Continue(())
            });
            let at = |k: u64| order.iter().position(|&x| x == k).unwrap();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..tree.directories()).collect::<Vec<_>>());
            for k in 1..tree.directories() {
                prop_assert!(at(k) < at(tree.parent(k).unwrap()));
            }
        }
    }
}
