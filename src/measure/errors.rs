//! Failed operations, counted by kind.

use crate::backend::Errno;

/// How an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A system call failed with this errno.
    System(Errno),
    /// A file ended before all bytes were read.
    ShortRead,
    /// A file took fewer bytes than it was given.
    ShortWrite,
    /// Data read were not the data written.
    DataDiffer,
}

/// Errnos that have a count of their own: Linux's go up to 133.
const ERRNOS: usize = 160;
/// Kinds of failure.
pub const KINDS: usize = ERRNOS + 3;

impl Failure {
    /// Its place among the [`KINDS`] kinds; errnos beyond Linux's share the place of none (0).
    pub fn index(self) -> usize {
        match self {
            Failure::System(errno) => usize::try_from(errno).ok().filter(|&e| e < ERRNOS).unwrap_or(0),
            Failure::ShortRead => ERRNOS,
            Failure::ShortWrite => ERRNOS + 1,
            Failure::DataDiffer => ERRNOS + 2,
        }
    }

    /// The kind at a place: the inverse of [`Failure::index`].
    pub fn at(index: usize) -> Self {
        match index.checked_sub(ERRNOS) {
            Some(0) => Failure::ShortRead,
            Some(1) => Failure::ShortWrite,
            Some(_) => Failure::DataDiffer,
            None => Failure::System(Errno::try_from(index).unwrap_or_default()),
        }
    }

    /// A short name: the errno's symbol, or what happened.
    pub fn name(self) -> String {
        match self {
            Failure::System(errno) => symbol(errno).map_or_else(|| format!("errno {errno}"), str::to_string),
            Failure::ShortRead => "SHORT-READ".to_string(),
            Failure::ShortWrite => "SHORT-WRITE".to_string(),
            Failure::DataDiffer => "DATA-DIFFER".to_string(),
        }
    }

    /// A sentence about it.
    pub fn text(self) -> String {
        match self {
            Failure::System(errno) => {
                let text = std::io::Error::from_raw_os_error(errno).to_string();
                text.split(" (os error").next().unwrap_or_default().to_string()
            }
            Failure::ShortRead => "the file ended before all bytes were read".to_string(),
            Failure::ShortWrite => "the file took fewer bytes than it was given".to_string(),
            Failure::DataDiffer => "the data read are not the data written".to_string(),
        }
    }

    /// The errno, where a system call failed.
    pub fn errno(self) -> Option<Errno> {
        match self {
            Failure::System(errno) => Some(errno),
            _ => None,
        }
    }
}

impl From<Errno> for Failure {
    fn from(errno: Errno) -> Self {
        Failure::System(errno)
    }
}

/// What failed first of its kind on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// Its place among the kinds.
    pub index: usize,
    /// The call: mkdir, open, write …
    pub operation: &'static str,
    /// The path it was made on.
    pub path: String,
}

/// Counts of failures, with the first of each kind.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    counts: Vec<u64>, // empty until the first failure, then one place a kind
    firsts: Vec<First>,
    total: u64,
}

impl Errors {
    /// Counts a failure; `path` is asked for only at the first of its kind.
    #[cold]
    pub fn count(&mut self, failure: Failure, operation: &'static str, path: impl FnOnce() -> String) {
        if self.counts.is_empty() {
            self.counts = vec![0; KINDS];
        }
        let index = failure.index();
        if self.counts[index] == 0 {
            self.firsts.push(First { index, operation, path: path() });
        }
        self.counts[index] += 1;
        self.total += 1;
    }

    /// Adds what another walk counted; a first failure of its own kind stays the first.
    pub fn take_over(&mut self, other: Errors) {
        if self.counts.is_empty() {
            *self = other;
            return;
        }
        for (own, more) in self.counts.iter_mut().zip(&other.counts) {
            *own += more;
        }
        self.total += other.total;
        for first in other.firsts {
            if self.first(first.index).is_none() {
                self.firsts.push(first);
            }
        }
    }

    /// Failures in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Failures of the kind at `index`.
    pub fn of(&self, index: usize) -> u64 {
        self.counts.get(index).copied().unwrap_or(0)
    }

    /// The first failure of the kind at `index`.
    pub fn first(&self, index: usize) -> Option<&First> {
        self.firsts.iter().find(|f| f.index == index)
    }
}

macro_rules! symbols {
    ($($name:ident)*) => {
        fn symbol(errno: Errno) -> Option<&'static str> {
            match errno {
                $(libc::$name => Some(stringify!($name)),)*
                _ => None,
            }
        }
    };
}

symbols! {
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST
    EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE
    EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP ENODATA ETIME EREMOTE ENOLINK ECOMM EPROTO EBADMSG EOVERFLOW
    ENOTUNIQ EUSERS EOPNOTSUPP ENETDOWN ENETUNREACH ECONNABORTED ECONNRESET ENOBUFS ENOTCONN ESHUTDOWN ETIMEDOUT
    ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EREMOTEIO EDQUOT ENOMEDIUM ECANCELED ENOKEY
    EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE EUCLEAN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_places_of_their_own() {
        for failure in
            [Failure::System(libc::ENOSPC), Failure::ShortRead, Failure::ShortWrite, Failure::DataDiffer]
        {
            assert_eq!(Failure::at(failure.index()), failure);
        }
        assert!(Failure::System(i32::MAX).index() < KINDS && Failure::System(-1).index() < KINDS);
    }

    #[test]
    fn names_are_symbols() {
        assert_eq!(Failure::System(libc::ENOSPC).name(), "ENOSPC");
        assert_eq!(Failure::System(libc::ENOSPC).text(), "No space left on device");
        assert_eq!(Failure::System(131).name(), "ENOTRECOVERABLE");
        assert_eq!(Failure::System(158).name(), "errno 158");
    }

    #[test]
    fn the_first_of_each_kind_is_kept() {
        let mut errors = Errors::default();
        for (errno, path) in [(2, "a"), (2, "b"), (28, "c")] {
            errors.count(Failure::System(errno), "open", || path.to_string());
        }
        assert_eq!((errors.total(), errors.of(2), errors.of(28), errors.of(5)), (3, 2, 1, 0));
        assert_eq!(errors.first(2).unwrap().path, "a");
        assert_eq!(errors.first(5), None);
    }
}
