//! The orders in which the items of a test directory are visited, as runs of consecutive numbers in one tree
//! directory, so that a loop changes the directory part of a path only when the directory changes.

use crate::namespace::layout::Layout;
use crate::namespace::permutation::Permutation;

/// Items `first` … `first + count − 1`, all in tree directory `directory`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The tree directory they lie in.
    pub directory: u64,
    /// Number of the first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// Creation and removal: depth first, the items of a directory before its children; the items from place `from` up to
/// place `to` of that order.
pub fn creation(layout: &Layout, from: u64, to: u64) -> impl Iterator<Item = Run> + '_ {
    debug_assert!(to <= layout.items_per_test_directory());
    let each = layout.items_per_directory.max(1);
    let holders = if from < to { from / each..(to - 1) / each + 1 } else { 0..0 };
    holders.map(move |position| {
        let (start, end) = (from.max(position * each), to.min((position + 1) * each));
        let directory = layout.holder(position);
        Run { directory, first: directory * each + (start - position * each), count: end - start }
    })
}

/// Stat, read and rename: ascending item numbers, of those among the first `made` in creation order.
pub fn ascending(layout: &Layout, made: u64) -> impl Iterator<Item = Run> + '_ {
    let first = if layout.leaf_only { layout.tree.first_leaf() } else { 0 };
    let whole = made == layout.items_per_test_directory();
    (first..layout.tree.directories())
        .map(move |directory| Run {
            directory,
            first: directory * layout.items_per_directory,
            count: if whole { layout.items_per_directory } else { layout.made_in_holder(directory, made) },
        })
        .filter(|run| run.count > 0)
}

/// Where one item lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which test directory.
    pub test_directory: u64,
    /// Which tree directory.
    pub directory: u64,
    /// The item's number.
    pub item: u64,
}

/// Random order (`-R`): the first `made` items of all test directories, each once, in the order that belongs to `key`.
pub fn scattered(layout: &Layout, made: u64, key: u64) -> impl Iterator<Item = Place> + '_ {
    let order = Permutation::new(made, key);
    let (each, per_tree) = (layout.items_per_directory.max(1), layout.items_per_test_directory().max(1));
    (0..made).map(move |index| {
        let position = order.at(index);
        let within = position % per_tree;
        let directory = layout.holder(within / each);
        Place { test_directory: position / per_tree, directory, item: directory * each + within % each }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::namespace::tree::Tree;
    use proptest::prelude::*;

    fn layout(branch: u64, depth: u64, items_per_directory: u64, leaf_only: bool) -> Layout {
        Layout {
            tree: Tree::new(branch, depth).unwrap(),
            items_per_directory,
            leaf_only,
            test_directories: 2,
        }
    }

    fn numbers(runs: impl Iterator<Item = Run>) -> Vec<u64> {
        runs.flat_map(|r| r.first..r.first + r.count).collect()
    }

    #[test]
    fn leaves_are_numbered_from_the_first_leaf() {
        let l = layout(2, 2, 3, true);
        assert_eq!(numbers(creation(&l, 0, 12)), (9..21).collect::<Vec<_>>());
        assert_eq!(numbers(ascending(&l, 12)), (9..21).collect::<Vec<_>>());
    }

    #[test]
    fn creation_goes_depth_first() {
        let l = layout(2, 2, 1, false);
        assert_eq!(numbers(creation(&l, 0, 7)), [0, 1, 3, 4, 2, 5, 6]);
        assert_eq!(numbers(ascending(&l, 5)), [0, 1, 2, 3, 4]);
        assert_eq!(numbers(ascending(&l, 3)), [0, 1, 3]);
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let l = layout(2, 2, 0, false);
        assert_eq!((creation(&l, 0, 0).count(), ascending(&l, 0).count()), (0, 0));
        assert_eq!(scattered(&l, 0, 1).count(), 0);
    }

    proptest! {
        #[test]
        fn every_order_visits_what_was_made_once(branch in 1u64..5, depth in 0u64..4, each in 1u64..5,
                                                leaf_only: bool, part in 0.0f64..=1.0, cut in 0.0f64..=1.0, key: u64) {
            let l = layout(branch, depth, each, leaf_only);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
            let share = |f: f64, n: u64| (f * n as f64) as u64;
            let all = l.items();
            let made = share(part, all);
            let mut expected: Vec<(u64, u64)> = Vec::new();
            let mut visited: Vec<(u64, u64)> = Vec::new();
            for t in 0..l.test_directories {
                let here = l.made_in(t, made);
                let split = share(cut, here);
                // Stopped at `split` and gone on from there is the same as in one go.
                let mut halves = numbers(creation(&l, 0, split));
                halves.extend(numbers(creation(&l, split, here)));
                let whole = numbers(creation(&l, 0, here));
                prop_assert_eq!(&halves, &whole);
                for run in creation(&l, 0, here) {
                    for j in run.first..run.first + run.count {
                        prop_assert_eq!(j / each, run.directory, "item j lies in directory j div I");
                    }
                }
                expected.extend(whole.iter().map(|&j| (t, j)));
                let up = numbers(ascending(&l, here));
                prop_assert!(up.windows(2).all(|w| w[0] < w[1]));
                visited.extend(up.iter().map(|&j| (t, j)));
            }
            prop_assert_eq!(u64::try_from(expected.len()).unwrap(), made);
            let mut random: Vec<(u64, u64)> =
                scattered(&l, made, key).map(|p| (p.test_directory, p.item)).collect();
            expected.sort_unstable();
            visited.sort_unstable();
            random.sort_unstable();
            prop_assert_eq!(&visited, &expected);
            prop_assert_eq!(&random, &expected);
        }
    }
}
