//! One run as a child in a process group of its own: until it ends, takes too long, or the sweep is interrupted.

use crate::error::Error;
use crate::sweep::words;
use rustix::process::{kill_process_group, Pid, Signal};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the child is looked after.
pub const LOOK: Duration = Duration::from_millis(20);
/// How long it may take to end after it was told to.
const GRACE: Duration = Duration::from_secs(10);

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Itself(ExitStatus),
    /// It took too long and was ended.
    TooLong,
    /// It was ended because the sweep was interrupted.
    Interrupted,
}

/// A child that was started.
#[derive(Debug)]
pub struct Run {
    child: Child,
    started: Instant,
}

impl Run {
    /// Starts `command` with `environment` on top; what it prints goes to a new file at `log`.
    ///
    /// # Errors
    /// [`Error::Environment`] where there is a file at `log`, or where the command cannot be started.
    pub fn start(command: &[String], environment: &[(&str, &str)], log: &Path) -> Result<Self, Error> {
        let cannot =
            |e: std::io::Error| Error::Environment(format!("{} cannot be written: {e}", log.display()));
        let out = File::options().write(true).create_new(true).open(log).map_err(cannot)?;
        let too = out.try_clone().map_err(cannot)?;
        let mut words = command.iter();
        let child = Command::new(words.next().map_or("", String::as_str))
            .args(words)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(too)
            // Ctrl-C reaches the sweep alone, which then ends the run: once, and whatever the launcher does with signals.
            .process_group(0)
            .spawn()
            .map_err(|e| {
                Error::Environment(format!(
                    "{} cannot be started: {e}",
                    words::quoted(&command[..1.min(command.len())])
                ))
            })?;
        Ok(Run { child, started: Instant::now() })
    }

    /// The child's process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end; how it came to that, and after how many seconds.
    ///
    /// # Errors
    /// [`Error::Environment`] where the child cannot be waited for.
    pub fn wait(mut self, limit: Option<Duration>, interrupted: &AtomicBool) -> Result<(Ended, f64), Error> {
        let cannot =
            |e: std::io::Error| Error::Environment(format!("the launcher cannot be waited for: {e}"));
        let ended = loop {
            if let Some(status) = self.child.try_wait().map_err(cannot)? {
                break Ended::Itself(status);
            }
            if interrupted.load(Ordering::Relaxed) {
                self.end().map_err(cannot)?;
                break Ended::Interrupted;
            }
            if limit.is_some_and(|limit| self.started.elapsed() > limit) {
                self.end().map_err(cannot)?;
                break Ended::TooLong;
            }
            std::thread::sleep(LOOK);
        };
        Ok((ended, self.started.elapsed().as_secs_f64()))
    }

    /// Tells the whole group to end; what is left after a while is killed.
    fn end(&mut self) -> std::io::Result<()> {
        let group = Pid::from_child(&self.child);
        let told = Instant::now();
        let _ = kill_process_group(group, Signal::TERM);
        while self.child.try_wait()?.is_none() {
            if told.elapsed() > GRACE {
                let _ = kill_process_group(group, Signal::KILL);
                self.child.wait()?;
                break;
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }
}

/// Whether `process` is there and has `word` among the words it was started with.
pub fn is_running(process: u32, word: &Path) -> bool {
    let word = word.as_os_str().as_encoded_bytes();
    std::fs::read(format!("/proc/{process}/cmdline"))
        .is_ok_and(|line| line.split(|byte| *byte == 0).any(|own| own == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(line: &str, log: &Path) -> Result<Run, Error> {
        Run::start(&words::split(line).unwrap(), &[("MDTEST_RS_WORD", "there")], log)
    }

    #[test]
    fn a_run_ends_by_itself_or_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let (log, never) = (|name: &str| folder.path().join(name), AtomicBool::new(false));
        let run = start("sh -c 'echo $MDTEST_RS_WORD; echo out >&2; exit 3'", &log("a")).unwrap();
        let (Ended::Itself(status), _) = run.wait(None, &never).unwrap() else { panic!() };
        assert_eq!(status.code(), Some(3));
        assert_eq!(std::fs::read_to_string(log("a")).unwrap(), "there\nout\n");
        let run = start("sleep 100", &log("b")).unwrap();
        assert_eq!(run.wait(Some(Duration::from_millis(50)), &never).unwrap().0, Ended::TooLong);
        // The shell's child is of the group too, and is not left.
        let run = start("sh -c 'sleep 100 & wait'", &log("c")).unwrap();
        // Its words are not there yet at once: a process has none between fork and exec.
        while !is_running(run.process(), Path::new("sleep 100 & wait")) {
            std::thread::sleep(LOOK);
        }
        assert!(!is_running(run.process(), Path::new("sleep")));
        assert_eq!(run.wait(None, &AtomicBool::new(true)).unwrap().0, Ended::Interrupted);
    }

    #[test]
    fn what_cannot_be_started_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let error = start("/no/such/launcher -np 1", &folder.path().join("a")).unwrap_err().to_string();
        assert!(error.contains("/no/such/launcher"), "{error}");
        let error = start("true", &folder.path().join("a")).unwrap_err().to_string();
        assert!(error.contains("cannot be written"), "a log that is there is kept: {error}");
    }
}
