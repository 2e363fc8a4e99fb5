//! Runs the real binary under mpirun on real directories.
//!
//! The tests run beside each other, whatever the number of threads: each has directories of its own, and the launcher
//! may start more tasks than there are processors. They need strace, and as root setpriv of util-linux. Another
//! launcher than mpirun is named by `MDTEST_RS_MPIRUN`.
#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod faults;
mod golden;
mod harness;
mod layering;
mod manpage;
mod options;
mod payload;
mod readers;
mod record;
mod rules;
mod scale;
mod schema;
mod stonewall;
mod trace;
