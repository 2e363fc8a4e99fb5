//! Why a run could not be made, and the exit codes that tell it.

use std::fmt;

/// Everything was done.
pub const DONE: i32 = 0;
/// Refused before anything was touched.
pub const REFUSED: i32 = 1;
/// Operations failed; the counts are on standard error and in the record.
pub const OPERATIONS_FAILED: i32 = 2;
/// Data read back were not what was written (graver than [`OPERATIONS_FAILED`], and told instead of it).
pub const DATA_DIFFER: i32 = 3;
/// A bound of `check` is not kept, or a condition of `compare --fail-if` is met.
pub const NOT_ACCEPTED: i32 = 4;
/// The environment: MPI, the launcher, a before or after command, an output file that cannot be written.
pub const ENVIRONMENT: i32 = 5;
/// A signal ended a sweep, which can go on later.
pub const INTERRUPTED: i32 = 130;
/// A fault of mdtest-rs itself: a task panicked and the job was aborted.
pub const INTERNAL: i32 = 101;

/// One line for the user, and what kind of trouble it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The request makes no sense or cannot be met; nothing was touched.
    Refused(String),
    /// The surroundings failed.
    Environment(String),
    /// An operation without which the run cannot go on failed, after something was touched.
    Failed(String),
}

impl Error {
    /// The documented exit code of this error.
    pub fn exit_code(&self) -> i32 {
        match self {
            Error::Refused(_) => REFUSED,
            Error::Environment(_) => ENVIRONMENT,
            Error::Failed(_) => OPERATIONS_FAILED,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(line) | Error::Environment(line) | Error::Failed(line) => f.write_str(line),
        }
    }
}

impl std::error::Error for Error {}
