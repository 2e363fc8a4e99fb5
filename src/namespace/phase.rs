//! The timed kinds of operation, in the order in which they run and stand in tables.

use serde::{Deserialize, Serialize};

/// A timed kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// mkdir of each item directory.
    DirectoryCreate,
    /// stat of each item directory.
    DirectoryStat,
    /// mdtest's place for reading directories: it does nothing, but commands and syncs around phases happen.
    DirectoryRead,
    /// rename of each item directory.
    DirectoryRename,
    /// rmdir of each item directory.
    DirectoryRemove,
    /// open with O_CREAT (or mknod), write, fsync and close of each file.
    FileCreate,
    /// stat of each file.
    FileStat,
    /// open, read and close of each file.
    FileRead,
    /// unlink of each file.
    FileRemove,
    /// mkdir of each tree directory.
    TreeCreate,
    /// rmdir of each tree directory.
    TreeRemove,
}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An item directory.
    Directory,
    /// A file.
    File,
}

impl Phase {
    /// Every phase, in the order of mdtest's tables.
    pub const ALL: [Phase; 11] = [
        Phase::DirectoryCreate,
        Phase::DirectoryStat,
        Phase::DirectoryRead,
        Phase::DirectoryRename,
        Phase::DirectoryRemove,
        Phase::FileCreate,
        Phase::FileStat,
        Phase::FileRead,
        Phase::FileRemove,
        Phase::TreeCreate,
        Phase::TreeRemove,
    ];

    /// mdtest's label.
    pub fn label(self) -> &'static str {
        match self {
            Phase::DirectoryCreate => "Directory creation",
            Phase::DirectoryStat => "Directory stat",
            Phase::DirectoryRead => "Directory read",
            Phase::DirectoryRename => "Directory rename",
            Phase::DirectoryRemove => "Directory removal",
            Phase::FileCreate => "File creation",
            Phase::FileStat => "File stat",
            Phase::FileRead => "File read",
            Phase::FileRemove => "File removal",
            Phase::TreeCreate => "Tree creation",
            Phase::TreeRemove => "Tree removal",
        }
    }

    /// The kind of item the phase works on; none for the phases of trees.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Phase::DirectoryCreate
            | Phase::DirectoryStat
            | Phase::DirectoryRead
            | Phase::DirectoryRename
            | Phase::DirectoryRemove => Some(Kind::Directory),
            Phase::FileCreate | Phase::FileStat | Phase::FileRead | Phase::FileRemove => Some(Kind::File),
            Phase::TreeCreate | Phase::TreeRemove => None,
        }
    }

    /// The phase that creates what this phase works on.
    pub fn creation(self) -> Phase {
        match self.kind() {
            Some(Kind::Directory) => Phase::DirectoryCreate,
            Some(Kind::File) => Phase::FileCreate,
            None => Phase::TreeCreate,
        }
    }

    /// Whether the phase only looks at what is there: a cache can answer it.
    pub fn looks(self) -> bool {
        matches!(self, Phase::DirectoryStat | Phase::DirectoryRead | Phase::FileStat | Phase::FileRead)
    }

    /// The name of the phase in the record.
    pub fn id(self) -> &'static str {
        match self {
            Phase::DirectoryCreate => "directory-create",
            Phase::DirectoryStat => "directory-stat",
            Phase::DirectoryRead => "directory-read",
            Phase::DirectoryRename => "directory-rename",
            Phase::DirectoryRemove => "directory-remove",
            Phase::FileCreate => "file-create",
            Phase::FileStat => "file-stat",
            Phase::FileRead => "file-read",
            Phase::FileRemove => "file-remove",
            Phase::TreeCreate => "tree-create",
            Phase::TreeRemove => "tree-remove",
        }
    }

    /// How many neighbour strides (`-N`) the names of this phase are away from the task's own: create 0, stat and
    /// rename 1, read 2, remove 3.
    pub fn strides(self) -> u64 {
        match self {
            Phase::DirectoryCreate | Phase::FileCreate | Phase::TreeCreate | Phase::TreeRemove => 0,
            Phase::DirectoryStat | Phase::DirectoryRename | Phase::FileStat => 1,
            Phase::DirectoryRead | Phase::FileRead => 2,
            Phase::DirectoryRemove | Phase::FileRemove => 3,
        }
    }
}
