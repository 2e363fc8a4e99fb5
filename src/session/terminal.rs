//! The terminal on which standard error is read, which may be behind a launcher.
//!
//! Under mpirun standard error is a pipe, at the other end of which the launcher copies what comes to its own standard
//! error. So what counts is the standard error of the outermost launcher above this process, as long as the pipe is one
//! that the launcher holds: not where a shell in between has led it elsewhere. A task on another node than the
//! launcher's, and one that Slurm's daemon started, sees no terminal.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Programs that copy the standard error of their children to their own, without what stands behind a dot
/// (mpiexec.hydra, mpirun.openmpi).
const LAUNCHERS: [&str; 9] =
    ["mpirun", "mpiexec", "orterun", "prterun", "prte", "orted", "prted", "hydra_pmi_proxy", "srun"];

/// Processes above this one that are looked at.
const LEVELS: usize = 8;

/// Columns of a terminal that does not say how many it has.
const COLUMNS: u16 = 80;

/// A terminal, or what is to be used like one.
#[derive(Debug)]
pub struct Terminal {
    tty: Option<File>,
}

impl Terminal {
    /// The terminal on which standard error is read, if it is one that moves its cursor.
    pub fn of_stderr() -> Option<Self> {
        let able = std::env::var("TERM").is_ok_and(|term| !term.is_empty() && term != "dumb");
        let path = terminal_of(Path::new("/proc"), std::process::id()).filter(|_| able)?;
        // Opened for its size only, and never as the terminal that controls this process.
        let tty = OpenOptions::new().read(true).custom_flags(libc::O_NOCTTY | libc::O_NONBLOCK).open(path);
        Some(Terminal { tty: tty.ok() })
    }

    /// Standard error, taken for a terminal whatever it is.
    pub fn assumed() -> Self {
        Terminal { tty: None }
    }

    /// Columns as they are now; of a terminal that does not say, those of the variable COLUMNS, else 80.
    pub fn columns(&self) -> u16 {
        let size = self.tty.as_ref().and_then(terminal_size::terminal_size_of);
        let told = || std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
        size.map(|(width, _)| width.0).or_else(told).filter(|&columns| columns > 0).unwrap_or(COLUMNS)
    }
}

/// Whether colours are wanted on standard error: never with NO_COLOR (no-color.org), always with CLICOLOR_FORCE
/// (bixense.com/clicolors; for a rank 0 that cannot see the terminal from its node), else where it is read on a terminal.
pub fn wants_colours() -> bool {
    wants_colours_on(Terminal::of_stderr().is_some())
}

/// The same for a stream that is read on a terminal or is not.
pub fn wants_colours_on(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    let never = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !never && (set("CLICOLOR_FORCE") || terminal)
}

/// The entry below `proc` that leads to the terminal on which the standard error of process `pid` is read.
fn terminal_of(proc: &Path, pid: u32) -> Option<PathBuf> {
    let own = fs::read_link(stderr_of(proc, pid)).ok()?;
    let launchers = launchers_above(proc, pid);
    let (nearest, outermost) = match launchers[..] {
        [] => return is_terminal(&own).then(|| stderr_of(proc, pid)),
        [nearest, .., outermost] => (nearest, outermost),
        [only] => (only, only),
    };
    let forwarded = is_terminal(&own) || holds(proc, nearest, &own);
    let path = stderr_of(proc, outermost);
    let terminal = fs::read_link(&path).is_ok_and(|target| is_terminal(&target));
    (forwarded && terminal).then_some(path)
}

fn stderr_of(proc: &Path, pid: u32) -> PathBuf {
    proc.join(format!("{pid}/fd/2"))
}

fn is_terminal(target: &Path) -> bool {
    ["/dev/pts/", "/dev/tty", "/dev/console"].iter().any(|name| target.to_string_lossy().starts_with(name))
}

/// The launchers above `pid`, the nearest first: other processes may stand below the first, but not between them.
fn launchers_above(proc: &Path, pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut below = pid;
    for _ in 0..LEVELS {
        let Some((_, pid)) = name_and_parent(proc, below).filter(|(_, parent)| *parent > 1) else { break };
        let name = name_and_parent(proc, pid).map(|(name, _)| name).unwrap_or_default();
        let launches = LAUNCHERS.contains(&name.split('.').next().unwrap_or_default());
        if launches {
            found.push(pid);
        } else if !found.is_empty() {
            break;
        }
        below = pid;
    }
    found
}

/// From `<pid> (<name>) <state> <parent> …`; a name may hold blanks and brackets.
fn name_and_parent(proc: &Path, pid: u32) -> Option<(String, u32)> {
    let stat = fs::read(proc.join(format!("{pid}/stat"))).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let (start, rest) = stat.rsplit_once(')')?;
    let (_, name) = start.split_once('(')?;
    let parent = rest.split_whitespace().nth(1)?.parse().ok()?;
    Some((name.to_string(), parent))
}

/// Whether process `pid` has `target` open: the two ends of a pipe have one name.
fn holds(proc: &Path, pid: u32, target: &Path) -> bool {
    let Ok(entries) = fs::read_dir(proc.join(format!("{pid}/fd"))) else { return false };
    entries.flatten().any(|entry| fs::read_link(entry.path()).is_ok_and(|found| found == target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A pid, a name, a parent, and what the descriptors lead to.
    type Process<'a> = (u32, &'a str, u32, &'a [(u32, &'a str)]);

    /// A folder like /proc.
    fn proc(processes: &[Process]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (pid, name, parent, descriptors) in processes {
            let of_pid = folder.path().join(pid.to_string());
            fs::create_dir_all(of_pid.join("fd")).unwrap();
            fs::write(of_pid.join("stat"), format!("{pid} ({name}) S {parent} {pid} 0 34816")).unwrap();
            for (descriptor, target) in *descriptors {
                symlink(target, of_pid.join("fd").join(descriptor.to_string())).unwrap();
            }
        }
        folder
    }

    /// The process whose standard error is the terminal of process 9.
    fn found(processes: &[Process]) -> Option<String> {
        let folder = proc(processes);
        let path = terminal_of(folder.path(), 9)?;
        Some(path.strip_prefix(folder.path()).unwrap().display().to_string())
    }

    const SHELL: Process = (5, "bash", 1, &[(2, "/dev/pts/0")]);

    #[test]
    fn without_a_launcher_the_own_stream_counts() {
        assert_eq!(found(&[SHELL, (9, "mdtest-rs", 5, &[(2, "/dev/pts/3")])]), Some("9/fd/2".to_string()));
        assert_eq!(found(&[SHELL, (9, "mdtest-rs", 5, &[(2, "/dev/tty1")])]), Some("9/fd/2".to_string()));
        assert_eq!(found(&[SHELL, (9, "mdtest-rs", 5, &[(2, "pipe:[7]")])]), None);
        assert_eq!(found(&[SHELL, (9, "mdtest-rs", 5, &[(2, "/dev/null")])]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn behind_open_mpi_the_launchers_stream_counts() {
        let task = (9, "mdtest (rs)", 8, &[(2, "pipe:[7]")][..]);
        let at_terminal: &[(u32, &str)] = &[(2, "/dev/pts/0"), (30, "pipe:[7]")];
        assert_eq!(found(&[SHELL, (8, "mpirun", 5, at_terminal), task]), Some("8/fd/2".to_string()));
        let to_a_file: &[(u32, &str)] = &[(2, "/tmp/log"), (30, "pipe:[7]")];
        assert_eq!(found(&[SHELL, (8, "mpirun", 5, to_a_file), task]), None);
        // A terminal of its own, as launchers make them, is no terminal that somebody reads.
        let pseudo = (9, "mdtest-rs", 8, &[(2, "/dev/pts/4")][..]);
        assert_eq!(found(&[SHELL, (8, "mpirun", 5, to_a_file), pseudo]), None);
        assert_eq!(found(&[SHELL, (8, "mpirun", 5, at_terminal), pseudo]), Some("8/fd/2".to_string()));
    }

    #[test]
    fn behind_mpich_the_outermost_launcher_counts_and_shells_may_stand_below() {
        let launchers = [
            (6, "mpirun.mpich", 5, &[(2, "/dev/pts/0")][..]),
            (7, "hydra_pmi_proxy", 6, &[(2, "pipe:[6]"), (12, "pipe:[7]")][..]),
        ];
        let [launcher, proxy] = launchers;
        let shell = (8, "sh", 7, &[(2, "pipe:[7]")][..]);
        assert_eq!(
            found(&[SHELL, launcher, proxy, (9, "m", 7, &[(2, "pipe:[7]")])]),
            Some("6/fd/2".to_string())
        );
        assert_eq!(
            found(&[SHELL, launcher, proxy, shell, (9, "m", 8, &[(2, "pipe:[7]")])]),
            Some("6/fd/2".to_string())
        );
        assert_eq!(
            found(&[SHELL, launcher, proxy, shell, (9, "m", 8, &[(2, "pipe:[77]")])]),
            None,
            "mdtest-rs 2>&1 | less"
        );
        assert_eq!(
            found(&[SHELL, launcher, proxy, shell, (9, "m", 8, &[(2, "/tmp/log")])]),
            None,
            "mdtest-rs 2>log"
        );
    }

    #[test]
    fn what_is_too_far_above_is_not_asked() {
        let at_terminal: &[(u32, &str)] = &[(2, "/dev/pts/0"), (30, "pipe:[7]")];
        let mut processes = vec![(10, "mpirun", 1, at_terminal), (9, "m", 20, &[(2, "pipe:[7]")][..])];
        let (last, few) = (20 + 9, 20 + 3);
        let chain = |last: u32| {
            (20..=last).map(move |pid| (pid, "sh", if pid == last { 10 } else { pid + 1 }, &[][..]))
        };
        processes.extend(chain(last));
        assert_eq!(found(&processes), None);
        processes.truncate(2);
        processes.extend(chain(few));
        assert_eq!(found(&processes), Some("10/fd/2".to_string()));
    }

    #[test]
    fn columns_of_what_is_no_terminal_are_those_that_everybody_has() {
        let assumed = Terminal::assumed().columns();
        let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        assert_eq!(assumed, told.filter(|&columns| columns > 0).unwrap_or(80));
    }
}
