//! The system calls.
#![allow(unsafe_code)]

use super::{Backend, Errno, FsUsage};
use crate::namespace::path::CPath;
use crate::plan::PosixOptions;
use libc::{c_char, c_int};
use std::os::fd::RawFd;

/// Mode of tree and item directories, less the umask.
const DIRECTORY_MODE: libc::mode_t = 0o775;
/// Mode of files, less the umask.
const FILE_MODE: libc::mode_t = 0o664;

/// Makes each operation by its system call.
#[derive(Clone, Copy, Debug)]
pub struct Posix {
    open_flags: c_int,
    rangelocks: bool,
}

impl Posix {
    /// With these options.
    pub fn new(options: &PosixOptions) -> Self {
        let direct = if options.odirect { libc::O_DIRECT } else { 0 };
        Posix { open_flags: libc::O_RDWR | direct, rangelocks: options.rangelocks }
    }

    /// Locks or unlocks the first `bytes` of the file.
    fn lock(&self, file: RawFd, kind: c_int, bytes: usize) -> Result<(), Errno> {
        if !self.rangelocks {
            return Ok(());
        }
        // SAFETY: an all-zero flock is a valid value of that plain C struct.
        let mut range: libc::flock = unsafe { std::mem::zeroed() };
        range.l_type = libc::c_short::try_from(kind).unwrap_or_default();
        range.l_whence = 0; // SEEK_SET
        range.l_len = libc::off_t::try_from(bytes).unwrap_or(0); // 0: to the end
                                                                 // SAFETY: F_SETLKW takes a pointer to a flock, which lives across the call.
        check(unsafe { libc::fcntl(file, libc::F_SETLKW, &range) })
    }
}

/// The node's monotonic clock, nanoseconds since a start that is the same for all tasks on the node.
#[inline]
pub fn monotonic_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: clock_gettime writes one timespec. It cannot fail: every Linux has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec.unsigned_abs() * 1_000_000_000 + now.tv_nsec.unsigned_abs()
}

/// Lets a write beyond the limit of a file's size fail with EFBIG instead of ending the task.
pub fn ignore_file_size_signal() {
    // SAFETY: SIG_IGN is a valid disposition for SIGXFSZ, and no handler of ours is involved.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

/// Whether `path` is there, by access(2): it leaves no trace in a count of stats.
///
/// # Errors
/// Any errno but ENOENT.
pub fn exists(path: CPath) -> Result<bool, Errno> {
    // SAFETY: a CPath ends in NUL and lives across the call.
    match check(unsafe { libc::access(pointer(path), libc::F_OK) }) {
        Ok(()) => Ok(true),
        Err(libc::ENOENT) => Ok(false),
        Err(errno) => Err(errno),
    }
}

#[inline]
fn pointer(path: CPath) -> *const c_char {
    path.with_nul().as_ptr().cast()
}

fn errno() -> Errno {
    std::io::Error::last_os_error().raw_os_error().unwrap_or_default()
}

/// open(2), past the C library's function: that is a cancellation point, which in a process with threads (those of the
/// MPI library) costs several locked instructions a call.
#[inline]
fn open(path: CPath, flags: c_int) -> Result<RawFd, Errno> {
    // SAFETY: a CPath ends in NUL and lives across the call; the mode counts only with O_CREAT.
    check_long(unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, pointer(path), flags, FILE_MODE) })
}

/// What syscall(2) returned: a descriptor, or −1.
#[inline]
fn check_long(result: libc::c_long) -> Result<c_int, Errno> {
    match c_int::try_from(result) {
        Ok(value) if value >= 0 => Ok(value),
        _ => Err(errno()),
    }
}

#[inline]
fn check(result: c_int) -> Result<(), Errno> {
    if result == 0 {
        Ok(())
    } else {
        Err(errno())
    }
}

/// Calls `transfer(offset)` until `bytes` are through, it moves nothing more, or it fails; a signal only delays it.
fn transfer(bytes: usize, mut transfer: impl FnMut(usize) -> isize) -> Result<usize, Errno> {
    let mut done = 0;
    while done < bytes {
        match usize::try_from(transfer(done)) {
            Ok(0) => break,
            Ok(more) => done += more,
            Err(_) => match errno() {
                libc::EINTR => {}
                error => return Err(error),
            },
        }
    }
    Ok(done)
}

impl Backend for Posix {
    type File = RawFd;

    #[inline]
    fn mkdir(&mut self, path: CPath) -> Result<(), Errno> {
        // SAFETY: a CPath ends in NUL and lives across the call.
        check(unsafe { libc::mkdir(pointer(path), DIRECTORY_MODE) })
    }

    #[inline]
    fn rmdir(&mut self, path: CPath) -> Result<(), Errno> {
        // SAFETY: a CPath ends in NUL and lives across the call.
        check(unsafe { libc::rmdir(pointer(path)) })
    }

    #[inline]
    fn stat(&mut self, path: CPath) -> Result<(), Errno> {
        let mut attributes = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: a CPath ends in NUL; stat writes one struct stat, and nothing reads it.
        check(unsafe { libc::stat(pointer(path), attributes.as_mut_ptr()) })
    }

    #[inline]
    fn rename(&mut self, from: CPath, to: CPath) -> Result<(), Errno> {
        // SAFETY: CPaths end in NUL and live across the call.
        check(unsafe { libc::rename(pointer(from), pointer(to)) })
    }

    #[inline]
    fn unlink(&mut self, path: CPath) -> Result<(), Errno> {
        // SAFETY: a CPath ends in NUL and lives across the call.
        check(unsafe { libc::unlink(pointer(path)) })
    }

    #[inline]
    fn create(&mut self, path: CPath) -> Result<RawFd, Errno> {
        open(path, self.open_flags | libc::O_CREAT)
    }

    #[inline]
    fn mknod(&mut self, path: CPath) -> Result<(), Errno> {
        // SAFETY: a CPath ends in NUL and lives across the call.
        check(unsafe { libc::mknod(pointer(path), libc::S_IFREG | FILE_MODE, 0) })
    }

    #[inline]
    fn open(&mut self, path: CPath) -> Result<RawFd, Errno> {
        open(path, self.open_flags)
    }

    fn write(&mut self, file: &mut RawFd, data: &[u8]) -> Result<usize, Errno> {
        self.lock(*file, libc::F_WRLCK, data.len())?;
        let done = transfer(data.len(), |done| {
            let rest = &data[done..];
            // SAFETY: `rest` is readable for its length; an offset below isize::MAX fits off_t.
            unsafe { libc::pwrite(*file, rest.as_ptr().cast(), rest.len(), offset(done)) }
        });
        self.lock(*file, libc::F_UNLCK, data.len())?;
        done
    }

    fn read(&mut self, file: &mut RawFd, data: &mut [u8]) -> Result<usize, Errno> {
        self.lock(*file, libc::F_RDLCK, data.len())?;
        let done = transfer(data.len(), |done| {
            let rest = &mut data[done..];
            // SAFETY: `rest` is writable for its length; an offset below isize::MAX fits off_t.
            unsafe { libc::pread(*file, rest.as_mut_ptr().cast(), rest.len(), offset(done)) }
        });
        self.lock(*file, libc::F_UNLCK, data.len())?;
        done
    }

    fn fsync(&mut self, file: &mut RawFd) -> Result<(), Errno> {
        // SAFETY: fsync of a descriptor touches no memory of ours.
        check(unsafe { libc::fsync(*file) })
    }

    #[inline]
    fn close(&mut self, file: RawFd) -> Result<(), Errno> {
        // SAFETY: the descriptor came from open and is closed once: `close` takes it by value.
        check_long(unsafe { libc::syscall(libc::SYS_close, file) }).map(|_| ())
    }

    fn sync(&mut self) {
        // SAFETY: sync takes nothing and always succeeds.
        unsafe { libc::sync() }
    }

    fn usage(&mut self, path: CPath) -> Result<FsUsage, Errno> {
        // SAFETY: an all-zero statvfs is a valid value of that plain C struct.
        let mut found: libc::statvfs = unsafe { std::mem::zeroed() };
        // SAFETY: a CPath ends in NUL; statvfs writes one struct.
        check(unsafe { libc::statvfs(pointer(path), &mut found) })?;
        Ok(FsUsage {
            size_bytes: found.f_blocks.saturating_mul(found.f_frsize),
            free_bytes: found.f_bfree.saturating_mul(found.f_frsize),
            inodes: found.f_files,
            free_inodes: found.f_ffree,
        })
    }
}

fn offset(bytes: usize) -> libc::off_t {
    libc::off_t::try_from(bytes).unwrap_or(libc::off_t::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::namespace::path::CPathBuf;

    fn posix() -> Posix {
        Posix::new(&PosixOptions { odirect: false, rangelocks: true })
    }

    fn path(directory: &std::path::Path, name: &str) -> CPathBuf {
        CPathBuf::new(directory.join(name).to_str().unwrap()).unwrap()
    }

    #[test]
    fn a_file_is_made_written_read_and_removed() {
        let directory = tempfile::tempdir().unwrap();
        let (mut fs, name) = (posix(), path(directory.path(), "f"));
        let mut file = fs.create(name.as_c()).unwrap();
        assert_eq!(fs.write(&mut file, b"hello"), Ok(5));
        fs.fsync(&mut file).unwrap();
        let mut back = [0; 8];
        assert_eq!(fs.read(&mut file, &mut back), Ok(5), "a file that ends is read short, not waited for");
        assert_eq!(&back[..5], b"hello");
        fs.close(file).unwrap();
        fs.stat(name.as_c()).unwrap();
        fs.unlink(name.as_c()).unwrap();
        assert_eq!(fs.stat(name.as_c()), Err(libc::ENOENT));
        assert_eq!(fs.open(name.as_c()), Err(libc::ENOENT));
    }

    #[test]
    fn directories_and_mknod_and_rename() {
        let directory = tempfile::tempdir().unwrap();
        let (mut fs, a, b) = (posix(), path(directory.path(), "a"), path(directory.path(), "b"));
        fs.mkdir(a.as_c()).unwrap();
        assert_eq!(fs.mkdir(a.as_c()), Err(libc::EEXIST));
        fs.rename(a.as_c(), b.as_c()).unwrap();
        fs.rmdir(b.as_c()).unwrap();
        fs.mknod(a.as_c()).unwrap();
        assert_eq!(fs.rmdir(a.as_c()), Err(libc::ENOTDIR));
        assert!(fs.usage(a.as_c()).unwrap().size_bytes > 0);
    }

    #[test]
    fn a_short_transfer_is_continued() {
        let mut sizes = [3isize, 2, 0].into_iter();
        assert_eq!(transfer(9, |_| sizes.next().unwrap()), Ok(5));
        let mut sizes = [3isize, 6].into_iter();
        let mut offsets = Vec::new();
        let moved = transfer(9, |done| {
            offsets.push(done);
            sizes.next().unwrap()
        });
        assert_eq!((moved, offsets), (Ok(9), vec![0, 3]));
    }
}
