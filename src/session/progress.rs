//! Progress on standard error while phases run.
//!
//! A thread of rank 0 looks at the [`Meter`] a few times a second and takes its own readings of time: the measured part
//! knows nothing of it. What it shows for all tasks is rank 0's own share times the tasks, so an estimate, marked with a
//! `~`. Phases that are over before they could be read are not shown.

mod screen;
mod text;
mod watch;

use crate::measure::meter::Meter;
use crate::plan::Progress;
use crate::session::console;
use crate::session::terminal::Terminal;
use screen::Bars;
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use text::View;
use watch::Watch;

/// Between two looks at the meter.
const LOOK: Duration = Duration::from_millis(150);
/// Between two lines.
const LINE: Duration = Duration::from_secs(10);
/// Between two lines of JSON.
const JSON: Duration = Duration::from_secs(1);

/// The display of a run. Its end takes away what stands on the screen.
#[derive(Debug)]
pub struct Display {
    until: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Shows the progress of `meter` in a run of at most `iterations`, if `mode` is to show anything here.
pub fn start(mode: Progress, meter: &Meter, iterations: u64) -> Option<Display> {
    let shown = match mode {
        Progress::Auto => Shown::Bars(Bars::on(Terminal::of_stderr()?)),
        Progress::Bar => Shown::Bars(Bars::on(Terminal::of_stderr().unwrap_or_else(Terminal::assumed))),
        Progress::Line => Shown::lines(LINE, |view| console::say(&view.line())),
        Progress::Json => Shown::lines(JSON, |view| console::tell(&view.json())),
        Progress::None => return None,
    };
    let (until, over) = channel();
    let meter = meter.clone();
    let show = move || watch_until(&over, &meter, iterations, shown);
    // Without a thread there is no display, and that is all.
    let thread = Builder::new().name("progress".to_string()).spawn(show).ok()?;
    Some(Display { until: Some(until), thread: Some(thread) })
}

impl Drop for Display {
    fn drop(&mut self) {
        drop(self.until.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn watch_until(over: &Receiver<()>, meter: &Meter, iterations: u64, mut shown: Shown) {
    let mut watch = Watch::new(iterations);
    let start = Instant::now();
    while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let now = start.elapsed();
        shown.show(watch.look(meter.reading(), now).as_ref(), now);
    }
    console::clear();
}

/// How views are shown.
enum Shown {
    Bars(Bars),
    Lines {
        every: Duration,
        /// When the next is due, after the start of the display.
        next: Duration,
        write: fn(&View),
    },
}

impl Shown {
    fn lines(every: Duration, write: fn(&View)) -> Self {
        Shown::Lines { every, next: every, write }
    }

    /// What is to be seen at `now` after the start of the display.
    fn show(&mut self, view: Option<&View>, now: Duration) {
        match (self, view) {
            (Shown::Bars(bars), Some(view)) => bars.draw(view),
            (Shown::Bars(_), None) => console::clear(),
            (Shown::Lines { every, next, write }, Some(view)) if now >= *next => {
                write(view);
                *next = now + *every;
            }
            (Shown::Lines { .. }, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_started_for_nothing() {
        assert!(start(Progress::None, &Meter::default(), 1).is_none());
    }

    #[test]
    fn a_display_ends_when_it_is_dropped() {
        drop(start(Progress::Json, &Meter::default(), 1).unwrap());
    }

    #[test]
    fn lines_come_when_they_are_due_and_a_phase_is_seen() {
        static WRITTEN: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let written = || WRITTEN.load(std::sync::atomic::Ordering::Relaxed);
        let write = |_: &View| {
            WRITTEN.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        };
        let mut shown = Shown::lines(LINE, write);
        let view = text::tests::view();
        shown.show(Some(&view), LINE / 2);
        shown.show(None, LINE);
        assert_eq!(written(), 0);
        shown.show(Some(&view), LINE + LOOK);
        shown.show(Some(&view), LINE + 2 * LOOK);
        assert_eq!(written(), 1);
        shown.show(Some(&view), 2 * LINE + LOOK);
        assert_eq!(written(), 2);
    }
}
