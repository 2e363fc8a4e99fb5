//! How the items of one task lie in its test directories and trees.

use crate::namespace::tree::Tree;

/// Items of one task: `test_directories` trees of the same shape, each with the same number of items in each directory
/// that holds items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Shape of each tree.
    pub tree: Tree,
    /// Items in each tree directory that holds items.
    pub items_per_directory: u64,
    /// Only the leaves hold items (`-L`).
    pub leaf_only: bool,
    /// Test directories `test-dir.<iteration>-<loop>`, each with a whole tree (`-n` with `-I`: n div I of them).
    pub test_directories: u64,
}

impl Layout {
    /// Tree directories that hold items, in one tree.
    pub fn holders(&self) -> u64 {
        if self.leaf_only {
            self.tree.leaves()
        } else {
            self.tree.directories()
        }
    }

    /// Items in one test directory.
    pub fn items_per_test_directory(&self) -> u64 {
        self.items_per_directory * self.holders()
    }

    /// Items of the task, over all test directories.
    pub fn items(&self) -> u64 {
        self.items_per_test_directory() * self.test_directories
    }

    /// Whether every count of `tasks` tasks fits a u64 (each is checked on its own, so that none is ever wrong).
    pub fn countable(&self, tasks: u64) -> bool {
        self.items_per_directory
            .checked_mul(self.tree.directories())
            .and_then(|n| n.checked_mul(self.test_directories))
            .and_then(|n| n.checked_mul(tasks))
            .is_some()
    }

    /// Of the first `made` items in creation order, how many lie in test directory `test_directory`.
    pub fn made_in(&self, test_directory: u64, made: u64) -> u64 {
        let each = self.items_per_test_directory();
        made.saturating_sub(test_directory * each).min(each)
    }

    /// The holder at `position` in creation order: depth first, or leaf by leaf.
    pub fn holder(&self, position: u64) -> u64 {
        if self.leaf_only {
            self.tree.first_leaf() + position
        } else {
            self.tree.preorder(position)
        }
    }

    /// Of the first `made` items of a test directory in creation order, how many lie in tree directory `directory`.
    pub fn made_in_holder(&self, directory: u64, made: u64) -> u64 {
        let position = if self.leaf_only {
            directory - self.tree.first_leaf()
        } else {
            self.tree.preorder_position(directory)
        };
        made.saturating_sub(position * self.items_per_directory).min(self.items_per_directory)
    }
}
