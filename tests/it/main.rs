//! Runs the real binary under mpirun on real directories.
//!
//! The tests run beside each other, whatever the number of threads: each has directories of its own, and the launcher
//! may start more tasks than there are processors. They need strace, script of bsdutils and /dev/fuse, as root setpriv of
//! util-linux, as another user fusermount3. Where there is a Chromium, pages are opened in it. Another
//! launcher than mpirun is named by `MDTEST_RS_MPIRUN`.
#![allow(clippy::unwrap_used)] // a test that cannot go on fails

mod browser;
mod compare;
mod faults;
mod findings;
mod fuse;
mod golden;
mod harness;
mod import;
mod latency;
mod layering;
mod manpage;
mod options;
mod payload;
mod progress;
mod readers;
mod record;
mod report;
mod rules;
mod scale;
mod schema;
mod stonewall;
mod sweep;
mod trace;
