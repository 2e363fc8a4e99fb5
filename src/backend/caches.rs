//! The caches of this node's kernel: pages, directory entries, inodes.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::Write;

const SWITCH: &str = "/proc/sys/vm/drop_caches";

/// Whether [`drop_all`] can do it.
///
/// # Errors
/// Why not, with the file that would have to be written.
pub fn can_be_dropped() -> Result<(), String> {
    open().map(|_| ())
}

/// Writes what is dirty, then drops pages, directory entries and inodes.
///
/// # Errors
/// Why not, with the file that has to be written.
pub fn drop_all() -> Result<(), String> {
    // SAFETY: sync takes nothing and always succeeds.
    unsafe { libc::sync() };
    open()?.write_all(b"3\n").map_err(|e| cannot(&e))
}

fn open() -> Result<File, String> {
    File::options().write(true).open(SWITCH).map_err(|e| cannot(&e))
}

fn cannot(error: &std::io::Error) -> String {
    format!("{SWITCH} cannot be written: {error}")
}
