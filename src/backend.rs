//! How operations are made: one file an API, and the only unsafe code.
//!
//! Paths come ready with their NUL; nothing here allocates, formats or locks on the way to a system call.

pub mod caches;
pub mod dummy;
pub mod posix;
pub mod ticks;

use crate::namespace::path::CPath;

/// Number of a system error, as in errno(3).
pub type Errno = i32;

/// Space and inodes of a file system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FsUsage {
    /// Size in bytes.
    pub size_bytes: u64,
    /// Bytes that are free, reserved ones included.
    pub free_bytes: u64,
    /// Inodes in all, 0 where the file system does not say.
    pub inodes: u64,
    /// Inodes that are free.
    pub free_inodes: u64,
}

/// What mdtest asks of a file system.
pub trait Backend {
    /// An open file.
    type File;

    /// Makes a directory.
    fn mkdir(&mut self, path: CPath) -> Result<(), Errno>;
    /// Removes a directory.
    fn rmdir(&mut self, path: CPath) -> Result<(), Errno>;
    /// Asks for a name's attributes, following links.
    fn stat(&mut self, path: CPath) -> Result<(), Errno>;
    /// Gives a name to what another name stood for.
    fn rename(&mut self, from: CPath, to: CPath) -> Result<(), Errno>;
    /// Removes a file.
    fn unlink(&mut self, path: CPath) -> Result<(), Errno>;
    /// Opens for reading and writing a file that is made if it is not there.
    fn create(&mut self, path: CPath) -> Result<Self::File, Errno>;
    /// Makes a file without opening it.
    fn mknod(&mut self, path: CPath) -> Result<(), Errno>;
    /// Opens for reading and writing a file that is there.
    fn open(&mut self, path: CPath) -> Result<Self::File, Errno>;
    /// Writes `data` at the start of the file; fewer bytes than that only where the file takes no more.
    fn write(&mut self, file: &mut Self::File, data: &[u8]) -> Result<usize, Errno>;
    /// Reads into `data` from the start of the file; fewer bytes only where the file ends.
    fn read(&mut self, file: &mut Self::File, data: &mut [u8]) -> Result<usize, Errno>;
    /// Brings the file to stable storage.
    fn fsync(&mut self, file: &mut Self::File) -> Result<(), Errno>;
    /// Closes the file, whatever comes of it.
    fn close(&mut self, file: Self::File) -> Result<(), Errno>;
    /// Brings everything to stable storage.
    fn sync(&mut self);
    /// Space and inodes of the file system that `path` lies on.
    fn usage(&mut self, path: CPath) -> Result<FsUsage, Errno>;
}
