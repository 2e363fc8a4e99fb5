//! The runs of a sweep, one behind the other.

use crate::archive::TaskCount;
use crate::error::Error;
use crate::namespace::phase::Phase;
use crate::result::units::rate;
use crate::session::console;
use crate::sweep::launch::{Ended, Run as Launched, LOOK};
use crate::sweep::points::Point;
use crate::sweep::state::{judge, output, Folder, Judged, Stands, State};
use crate::sweep::Sweep;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Bytes of a log that are searched for what was said last.
const LOG_BYTES: usize = 64 << 10;
/// Characters of it that are told.
const NOTE: usize = 300;

/// What the runs need.
pub(super) struct Course<'a> {
    pub sweep: &'a Sweep,
    pub folder: &'a Folder,
    pub limit: Option<Duration>,
    pub pause: Duration,
    pub interrupted: &'a AtomicBool,
}

/// What came of a run.
enum Came {
    Done(Box<Judged>),
    Failed { why: String, left: bool },
    Interrupted,
}

impl Course<'_> {
    /// Runs what is waiting, and keeps `state` and its file true. A run that fails does not end the course.
    ///
    /// # Errors
    /// [`Error::Environment`] where a launcher cannot be started or the folder not be written.
    pub fn run(&self, state: &mut State) -> Result<(), Error> {
        let done = state.runs.iter().filter(|run| run.state == Stands::Done).count();
        if done > 0 {
            console::say(&format!("{done} of {} points are done already", state.runs.len()));
        }
        let mut first = true;
        for index in 0..state.runs.len() {
            if state.runs[index].state != Stands::Waiting {
                continue;
            }
            self.clear(state)?;
            if !std::mem::take(&mut first) {
                self.rest();
            }
            if self.is_interrupted() {
                break;
            }
            self.point(state, index)?;
        }
        Ok(())
    }

    /// Waits between two runs, as long as nobody interrupts.
    ///
    /// A client of a network file system remembers names for a while. The run before removed its test directory, and its
    /// task on another node would look for the new one where the old one was: ENOENT for all it does.
    fn rest(&self) {
        let from = Instant::now();
        while from.elapsed() < self.pause && !self.is_interrupted() {
            std::thread::sleep(LOOK);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// One run, from its start to its line.
    fn point(&self, state: &mut State, index: usize) -> Result<(), Error> {
        let point = state.runs[index].point.clone();
        let (record, log) = (self.sweep.record(&point), self.sweep.log(&point));
        for own in [&record, &log] {
            remove(own)?;
        }
        if let Some((path, text)) = self.sweep.hostfile(&point) {
            output(&path)?.write(&text)?;
        }
        let launched = Launched::start(&self.sweep.command(&point), &self.sweep.environment(), &log)?;
        state.runs[index].state = Stands::Running;
        state.runs[index].process = Some(launched.process());
        let saved = self.folder.save(state);
        let (ended, seconds) = launched.wait(self.limit, self.interrupted)?;
        saved?;
        let came = came(&point, ended, &record, &log, self.limit);
        let head = format!("[{}/{}] {}", index + 1, state.runs.len(), point.title());
        let known = state.runs.iter().any(|run| run.warning.is_some());
        let run = &mut state.runs[index];
        run.process = None;
        run.seconds = Some(seconds);
        match came {
            Came::Done(judged) => {
                let result = judged.record.results.first();
                let rates = result.and_then(told).map(|told| format!(": {told}")).unwrap_or_default();
                let note = judged.note.as_ref().map(|note| format!(", {note}")).unwrap_or_default();
                console::say(&format!("{head}{rates} ({seconds:.1} s){note}"));
                if let Some(warning) = judged.warning.as_ref().filter(|_| !known) {
                    console::say(&format!(
                        "warning: {warning}; rates are told for the clients that were asked for"
                    ));
                }
                (run.state, run.note, run.warning) = (Stands::Done, judged.note, judged.warning);
            }
            Came::Failed { why, left } => {
                console::say(&format!("{head} failed: {why} ({})", log.display()));
                (run.state, run.note, run.left) = (Stands::Failed, Some(why), left);
            }
            Came::Interrupted => (run.state, run.seconds, run.left) = (Stands::Waiting, None, true),
        }
        self.folder.save(state)
    }

    /// Removes what earlier runs left that did not come to their end: the next would meet it under the same names.
    fn clear(&self, state: &mut State) -> Result<(), Error> {
        for index in 0..state.runs.len() {
            if !state.runs[index].left || self.is_interrupted() {
                continue;
            }
            let point = state.runs[index].point.clone();
            state.runs[index].left = false;
            let title = point.title();
            let Some(command) = self.sweep.clearing(&point) else {
                console::say(&format!(
                    "warning: the run of {title} did not come to its end: what it made is left"
                ));
                continue;
            };
            let log = self.sweep.folder.join(format!("{}.clear.log", point.name));
            remove(&log)?;
            console::say(&format!("removing what the run of {title} left"));
            let launched = Launched::start(&command, &self.sweep.environment(), &log)?;
            let (ended, _) = launched.wait(self.limit, self.interrupted)?;
            state.runs[index].left = ended == Ended::Interrupted;
            self.folder.save(state)?;
        }
        Ok(())
    }
}

/// What became of a run that has ended.
fn came(point: &Point, ended: Ended, record: &Path, log: &Path, limit: Option<Duration>) -> Came {
    match (judge(point, record), ended) {
        (Ok(judged), _) => Came::Done(Box::new(judged)),
        (Err(_), Ended::Interrupted) => Came::Interrupted,
        (Err(_), Ended::TooLong) => {
            let seconds = limit.unwrap_or_default().as_secs();
            Came::Failed { why: format!("it took longer than --timeout {seconds}"), left: true }
        }
        (Err(why), Ended::Itself(status)) => {
            // A run that was refused has touched nothing.
            let left = status.code() != Some(crate::error::REFUSED);
            let said = last_words(log);
            let why = if record.is_file() { why } else { said.unwrap_or_else(|| exit(status, &why)) };
            Came::Failed { why, left }
        }
    }
}

fn exit(status: ExitStatus, why: &str) -> String {
    match status.code() {
        Some(0) => format!("{why}: does the first task see the folder of -o?"),
        Some(code) => format!("the launcher ended with exit code {code}"),
        None => "the launcher was killed".to_string(),
    }
}

/// mdtest-rs's first error in a log, else the last line that is there.
fn last_words(log: &Path) -> Option<String> {
    let bytes = std::fs::read(log).ok()?;
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(LOG_BYTES)..]).into_owned();
    let error = text.lines().find_map(|line| line.strip_prefix("mdtest-rs: error: "));
    let line = error.or_else(|| text.lines().rev().find(|line| line.chars().any(char::is_alphanumeric)))?;
    Some(line.trim().chars().take(NOTE).collect())
}

/// The rate that stands for a run: of the creation of files where there is one.
fn told(result: &TaskCount) -> Option<String> {
    let mean = |phase: Phase| result.of(phase)?.rate_per_s.as_ref()?.mean;
    let phase =
        std::iter::once(Phase::FileCreate).chain(result.phases()).find(|&phase| mean(phase).is_some())?;
    Some(format!("{} {}", phase.id(), rate(mean(phase)?)))
}

fn remove(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::Environment(format!("{} cannot be removed: {e}", path.display())))
        }
        _ => Ok(()),
    }
}
