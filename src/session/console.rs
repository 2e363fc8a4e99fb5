//! The two streams of rank 0. A reader that has gone away ends no benchmark; a disk that is full is told at the end.
//!
//! A bar that stands is taken away before anything is printed; whoever drew it draws it again. The lock between the two
//! is none of the measured part's: nothing is printed there.

use crate::error;
use indicatif::ProgressBar;
use std::io::{ErrorKind, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The bar on standard error, while one stands.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Launchers read the two streams of a task from two pipes: in so much time what takes the bar away is ahead of the text.
const BAR_GOES: Duration = Duration::from_millis(20);
/// And the text is out before what is to stand behind it.
const TEXT_GOES: Duration = Duration::from_millis(60);

/// Why text did not get to standard output, the first time, where that was no reader's going away.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// mdtest's text: standard output, at once.
pub fn print(text: &str) {
    let _bar = without_bar();
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe && e.raw_os_error() != Some(libc::EBADF) => {
            LOST.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| e.to_string());
        }
        _ => {}
    }
}

/// `code`, or that of the environment where text did not get to standard output, which is then said.
pub fn code_or_lost(code: i32) -> i32 {
    match LOST.lock().unwrap_or_else(PoisonError::into_inner).take() {
        None => code,
        Some(why) => {
            say(&format!("error: standard output cannot be written: {why}"));
            if code == error::DONE {
                error::ENVIRONMENT
            } else {
                code
            }
        }
    }
}

/// A screen of text on standard error.
pub fn show(text: &str) {
    let _bar = without_bar();
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Everything else: a line on standard error, without what would play with a terminal.
pub fn say(line: &str) {
    let plain: String = line
        .chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect();
    tell(&format!("mdtest-rs: {plain}"));
}

/// A screen of text on standard error, behind all that standard output got.
pub fn show_last(text: &str) {
    std::thread::sleep(TEXT_GOES);
    show(text);
}

/// A line for programs on standard error, as it is, in one piece.
pub fn tell(line: &str) {
    show(&format!("{line}\n"));
}

/// Draws on the bar, which is there or has to be made, while nobody prints.
pub fn draw(bar: impl FnOnce(&mut Option<ProgressBar>)) {
    bar(&mut lock());
}

/// Takes the bar away.
pub fn clear() {
    drop(without_bar());
}

fn without_bar() -> MutexGuard<'static, Option<ProgressBar>> {
    let mut bar = lock();
    if let Some(bar) = bar.take() {
        bar.finish_and_clear();
        std::thread::sleep(BAR_GOES);
    }
    bar
}

fn lock() -> MutexGuard<'static, Option<ProgressBar>> {
    BAR.lock().unwrap_or_else(PoisonError::into_inner)
}
