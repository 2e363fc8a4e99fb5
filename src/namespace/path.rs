//! Names on disk, edited in place in one NUL-terminated buffer.
//!
//! `<root>/test-dir.<iteration>-<loop>/<base>.0/<base>.<k>/…/<item>` with base `mdtest_tree` or `mdtest_tree.<rank>`,
//! and items `dir.mdtest.<rank>.<j>`, `file.mdtest.<rank>.<j>` or `file.mdtest.shared.<j>`.

use crate::namespace::phase::Kind;
use crate::namespace::tree::Tree;

/// A path as system calls take it: it ends with the only NUL in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CPath<'a>(&'a [u8]);

impl<'a> CPath<'a> {
    /// The bytes with the final NUL.
    pub fn with_nul(self) -> &'a [u8] {
        self.0
    }

    /// The bytes without the final NUL.
    pub fn bytes(self) -> &'a [u8] {
        &self.0[..self.0.len() - 1]
    }

    /// The path as text, for messages.
    pub fn display(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

/// An owned path for system calls that are not part of a measured loop.
#[derive(Clone, Debug)]
pub struct CPathBuf(Vec<u8>);

impl CPathBuf {
    /// `path` with a NUL behind it, or `None` where it holds one already.
    pub fn new(path: &str) -> Option<Self> {
        (!path.as_bytes().contains(&0)).then(|| {
            let mut bytes = path.as_bytes().to_vec();
            bytes.push(0);
            CPathBuf(bytes)
        })
    }

    /// The path for a system call.
    pub fn as_c(&self) -> CPath<'_> {
        CPath(&self.0)
    }
}

/// Whose items, of which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The items of one task.
    Rank(u64),
    /// The files that all tasks share (`-S`).
    Shared,
}

/// Where a tree stands.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The `-d` directory, without trailing slashes.
    pub root: &'a str,
    /// Iteration, counted from 0.
    pub iteration: u64,
    /// The task whose tree it is (`-u`), or none where all share one.
    pub tree_rank: Option<u64>,
}

/// No item has this number.
const NONE: u64 = u64::MAX;

/// Longest number of a u64.
const DIGITS_MAX: usize = 20;

/// A path that moves from item to item.
///
/// [`ItemPath::enter`] writes the directory part, [`ItemPath::item`] only the number. Neither allocates once the
/// buffer is as long as the longest path.
#[derive(Clone, Debug)]
pub struct ItemPath {
    buffer: Vec<u8>,
    site_end: usize, // behind "<root>/test-dir.<iteration>-"
    base: Vec<u8>,   // "/mdtest_tree." or "/mdtest_tree.<rank>."
    item: Vec<u8>,   // "/file.mdtest.<rank>."
    number_at: usize,
    next: u64, // the number that counting up by one gives; NONE where the number must be written whole
    ancestors: Vec<u64>,
}

impl ItemPath {
    /// A path into the trees of `site`, for items of `kind` and `owner`.
    pub fn new(site: &Site, kind: Kind, owner: Owner) -> Self {
        let mut buffer = format!("{}/test-dir.{}-", site.root, site.iteration).into_bytes();
        let site_end = buffer.len();
        buffer.push(0);
        let mut path = ItemPath {
            buffer,
            site_end,
            base: tree_base(site.tree_rank).into_bytes(),
            item: Vec::new(),
            number_at: 0,
            next: NONE,
            ancestors: Vec::new(),
        };
        path.own(kind, owner);
        path
    }

    /// Names items of `owner` from now on; [`ItemPath::enter`] comes next.
    pub fn own(&mut self, kind: Kind, owner: Owner) {
        self.item = item_prefix(kind, owner).into_bytes();
    }

    /// Puts the path into tree directory `directory` of test directory `test_directory`.
    pub fn enter(&mut self, tree: &Tree, test_directory: u64, directory: u64) {
        self.write_directory(tree, test_directory, directory);
        self.buffer.extend_from_slice(&self.item);
        self.number_at = self.buffer.len();
        self.next = NONE;
    }

    /// The path of item `number` (below u64::MAX) of the directory entered last.
    #[inline]
    pub fn item(&mut self, number: u64) -> CPath<'_> {
        if number != self.next || !self.increment() {
            self.buffer.truncate(self.number_at);
            push_number(&mut self.buffer, number);
            self.buffer.push(0);
        }
        self.next = number + 1;
        CPath(&self.buffer)
    }

    /// The path of item `number` with `suffix` behind its name; the next [`ItemPath::item`] is written whole.
    pub fn item_with_suffix(&mut self, number: u64, suffix: &str) -> CPath<'_> {
        self.buffer.truncate(self.number_at);
        push_number(&mut self.buffer, number);
        self.buffer.extend_from_slice(suffix.as_bytes());
        self.buffer.push(0);
        self.next = NONE;
        CPath(&self.buffer)
    }

    /// Becomes the path that `other` is, without allocating once it has been as long.
    pub fn follow(&mut self, other: &ItemPath) {
        self.buffer.clone_from(&other.buffer);
        self.number_at = other.number_at;
        self.next = NONE;
    }

    /// The path of the item named last.
    #[inline]
    pub fn current(&self) -> CPath<'_> {
        CPath(&self.buffer)
    }

    /// The path of a tree directory.
    pub fn directory(&mut self, tree: &Tree, test_directory: u64, directory: u64) -> CPath<'_> {
        self.write_directory(tree, test_directory, directory);
        self.buffer.push(0);
        CPath(&self.buffer)
    }

    fn write_directory(&mut self, tree: &Tree, test_directory: u64, directory: u64) {
        self.buffer.truncate(self.site_end);
        push_number(&mut self.buffer, test_directory);
        self.ancestors.clear();
        self.ancestors.extend(std::iter::successors(Some(directory), |&d| tree.parent(d)));
        for &node in self.ancestors.iter().rev() {
            self.buffer.extend_from_slice(&self.base);
            push_number(&mut self.buffer, node);
        }
    }

    /// Counts the digits up by one in place; false where the number would grow longer.
    #[inline]
    fn increment(&mut self) -> bool {
        let end = self.buffer.len() - 1;
        let digits = &mut self.buffer[self.number_at..end];
        for digit in digits.iter_mut().rev() {
            if *digit < b'9' {
                *digit += 1;
                return true;
            }
            *digit = b'0';
        }
        false
    }
}

/// `<root>/test-dir.<iteration>-<loop>`.
pub fn test_directory(root: &str, iteration: u64, test_directory: u64) -> String {
    format!("{root}/test-dir.{iteration}-{test_directory}")
}

/// Bytes of the longest path that the items, trees and renames of a run have, without the NUL.
///
/// `last` are the greatest rank, iteration and test directory. The longest item is a file; with `renames` it has the
/// suffix of a renamed directory too, which is a byte more than there can be.
pub fn longest(
    root: &str,
    tree: &Tree,
    last: (u64, u64, u64),
    unique: bool,
    items_per_directory: u64,
    shared: bool,
    renames: bool,
) -> usize {
    let (last_rank, last_iteration, last_test_directory) = last;
    let base = tree_base(unique.then_some(last_rank)).len();
    let trees: usize = tree.last_of_each_level().map(|k| base + digits(k)).sum();
    let last_item = (tree.directories() * items_per_directory.max(1)).saturating_sub(1);
    let owner = if shared { Owner::Shared } else { Owner::Rank(last_rank) };
    let suffix = if renames { RENAMED.len() } else { 0 };
    let item = item_prefix(Kind::File, owner).len() + digits(last_item) + suffix;
    test_directory(root, last_iteration, last_test_directory).len() + trees + item
}

/// What the first item of a renamed chain is called meanwhile: its name and this.
pub const RENAMED: &str = "-XX";

fn tree_base(rank: Option<u64>) -> String {
    match rank {
        Some(rank) => format!("/mdtest_tree.{rank}."),
        None => "/mdtest_tree.".to_string(),
    }
}

fn item_prefix(kind: Kind, owner: Owner) -> String {
    match (kind, owner) {
        (Kind::Directory, Owner::Rank(rank)) => format!("/dir.mdtest.{rank}."),
        (Kind::File, Owner::Rank(rank)) => format!("/file.mdtest.{rank}."),
        (Kind::Directory, Owner::Shared) => "/dir.mdtest.shared.".to_string(),
        (Kind::File, Owner::Shared) => "/file.mdtest.shared.".to_string(),
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[inline]
fn push_number(buffer: &mut Vec<u8>, mut number: u64) {
    let mut reversed = [0u8; DIGITS_MAX];
    let mut at = DIGITS_MAX;
    loop {
        at -= 1;
        #[allow(clippy::cast_possible_truncation)] // a digit
        let digit = (number % 10) as u8;
        reversed[at] = b'0' + digit;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    buffer.extend_from_slice(&reversed[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(path: CPath) -> String {
        assert_eq!(path.with_nul().iter().filter(|&&b| b == 0).count(), 1);
        path.display()
    }

    #[test]
    fn names_of_a_shared_tree() {
        let tree = Tree::new(2, 2).unwrap();
        let site = Site { root: "/d", iteration: 1, tree_rank: None };
        let mut path = ItemPath::new(&site, Kind::File, Owner::Rank(0));
        path.enter(&tree, 3, 4);
        let base = "/d/test-dir.1-3/mdtest_tree.0/mdtest_tree.1/mdtest_tree.4";
        assert_eq!(text(path.item(8)), format!("{base}/file.mdtest.0.8"));
        assert_eq!(text(path.item(9)), format!("{base}/file.mdtest.0.9"));
        assert_eq!(text(path.item(10)), format!("{base}/file.mdtest.0.10"));
        assert_eq!(text(path.item_with_suffix(8, RENAMED)), format!("{base}/file.mdtest.0.8-XX"));
        assert_eq!(text(path.item(8)), format!("{base}/file.mdtest.0.8"));
        assert_eq!(text(path.directory(&tree, 0, 0)), "/d/test-dir.1-0/mdtest_tree.0");
    }

    #[test]
    fn names_of_unique_trees_and_shared_files() {
        let tree = Tree::new(1, 1).unwrap();
        let site = Site { root: "/d", iteration: 0, tree_rank: Some(12) };
        let mut path = ItemPath::new(&site, Kind::Directory, Owner::Rank(3));
        path.enter(&tree, 0, 1);
        assert_eq!(text(path.item(5)), "/d/test-dir.0-0/mdtest_tree.12.0/mdtest_tree.12.1/dir.mdtest.3.5");
        path.own(Kind::File, Owner::Shared);
        path.enter(&tree, 0, 0);
        assert_eq!(text(path.item(0)), "/d/test-dir.0-0/mdtest_tree.12.0/file.mdtest.shared.0");
    }

    #[test]
    fn a_path_with_a_nul_is_none() {
        assert!(CPathBuf::new("a\0b").is_none());
    }

    proptest! {
        #[test]
        fn any_walk_writes_the_plain_number(steps in proptest::collection::vec(0u64..3, 1..300), start in 0u64..1 << 60) {
            let tree = Tree::new(1, 0).unwrap();
            let site = Site { root: "r", iteration: 0, tree_rank: None };
            let mut path = ItemPath::new(&site, Kind::File, Owner::Rank(1));
            path.enter(&tree, 0, 0);
            let mut number = start;
            for step in steps {
                number += step;
                prop_assert_eq!(
                    text(path.item(number)),
                    format!("r/test-dir.0-0/mdtest_tree.0/file.mdtest.1.{number}")
                );
            }
        }

        #[test]
        fn no_path_is_longer_than_said(branch in 1u64..4, depth in 0u64..4, each in 0u64..30, unique: bool, rank in 0u64..200) {
            let tree = Tree::new(branch, depth).unwrap();
            let said = longest("/some/root", &tree, (rank, 11, 7), unique, each, false, true);
            let site = Site { root: "/some/root", iteration: 11, tree_rank: unique.then_some(rank) };
            let mut path = ItemPath::new(&site, Kind::File, Owner::Rank(rank));
            let mut longest_seen = 0;
            for directory in 0..tree.directories() {
                path.enter(&tree, 7, directory);
                let last = (directory + 1) * each.max(1) - 1;
                longest_seen = longest_seen.max(text(path.item_with_suffix(last, RENAMED)).len());
            }
            prop_assert_eq!(said, longest_seen);
        }
    }
}
