//! The directories around the trees: `-d` and its parents, and the `test-dir.<iteration>-<loop>` in it. All untimed.

use crate::backend::{posix, Backend, Errno};
use crate::bench::iteration::{Bench, Ended};
use crate::error::Error;
use crate::measure::errors::Failure;
use crate::namespace::path::{self, CPath, CPathBuf};
use crate::plan::{Api, Plan};
use crate::team::Team;
use std::path::{Path, PathBuf};

/// The `-d` directories that this task made, with their parents: removed at the end by the same task.
#[derive(Debug, Default)]
pub struct Roots {
    made: Vec<PathBuf>,
}

/// The directory that this task is the one to make: rank i the i-th, where no lower rank has the same.
fn own_root<'a>(plan: &'a Plan, team: &Team) -> Option<&'a str> {
    let index = usize::try_from(team.rank()).ok()?;
    let root = plan.directories.get(index)?;
    (!plan.directories[..index].contains(root)).then_some(root)
}

fn exists(path: &Path) -> Result<bool, Errno> {
    CPathBuf::new(&path.to_string_lossy()).map_or(Ok(false), |path| posix::exists(path.as_c()))
}

fn depth(path: &Path) -> u64 {
    path.components().count() as u64
}

impl Roots {
    /// Looks at the `-d` directories, and where the run creates, makes those that are missing. Collective.
    ///
    /// # Errors
    /// [`Error::Refused`], the same on all tasks, with the path and what is in its way; what was made is removed.
    pub fn prepare(plan: &Plan, team: &Team) -> Result<Self, Error> {
        if plan.api == Api::Dummy {
            return Ok(Roots::default());
        }
        let mut roots = Roots::default();
        let refused =
            own_root(plan, team).and_then(|root| roots.make(Path::new(root), plan.chosen.create).err());
        match team.first_message(refused.as_deref()) {
            None => Ok(roots),
            Some(line) => {
                let _ = roots.remove(team);
                Err(Error::Refused(line))
            }
        }
    }

    fn make(&mut self, root: &Path, create: bool) -> Result<(), String> {
        let refuse = |what: String| Err(format!("-d {} {what}", root.display()));
        match exists(root) {
            Ok(true) if root.is_dir() => return Ok(()),
            Ok(true) => {
                return refuse("is a file: allowed is a directory, or a name that is free".to_string())
            }
            Ok(false) if !create => return Ok(()), // each operation will tell
            Ok(false) => {}
            Err(errno) => return refuse(format!("cannot be used: {}", Failure::System(errno).text())),
        }
        let plain: PathBuf = root.components().collect(); // "a/./b/." is a/b
        let missing = plain.ancestors().take_while(|p| !p.as_os_str().is_empty() && exists(p) == Ok(false));
        let missing: Vec<&Path> = missing.collect();
        for directory in missing.into_iter().rev() {
            match std::fs::create_dir(directory) {
                Ok(()) => self.made.push(directory.to_path_buf()),
                // Another task's directory may have the same parents.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return refuse(format!("cannot be made: {}: {e}", directory.display())),
            }
        }
        if root.is_dir() {
            Ok(())
        } else {
            refuse("is a link to nowhere: allowed is a directory, or a name that is free".to_string())
        }
    }

    /// Removes what [`Roots::prepare`] made on all tasks, the deepest first: tasks may have made the parents of each
    /// other's directories. Collective.
    ///
    /// # Errors
    /// One line for the first of this task that cannot be removed.
    pub fn remove(&mut self, team: &Team) -> Result<(), String> {
        let mut result = Ok(());
        loop {
            let mut deepest = [self.made.iter().map(|made| depth(made)).max().unwrap_or(0)];
            team.max(&mut deepest);
            if deepest[0] == 0 {
                return result;
            }
            let (now, later): (Vec<_>, _) = self.made.drain(..).partition(|made| depth(made) == deepest[0]);
            self.made = later;
            for directory in now {
                match std::fs::remove_dir(&directory) {
                    Ok(()) => {}
                    Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                    Err(e) => result = Err(format!("{} cannot be removed: {e}", directory.display())),
                }
            }
        }
    }
}

impl<B: Backend> Bench<'_, B> {
    /// Makes the test directories of this iteration: one task for each `-d` directory. Those that are there already
    /// stay, as a run that was split left them. Collective.
    ///
    /// # Errors
    /// What ends the run, agreed by all tasks: no phase could do anything in a directory that is not there.
    pub(super) fn make_test_directories(&mut self) -> Result<(), Ended> {
        match self.at_test_directories("made", B::mkdir, libc::EEXIST) {
            Some(line) => Err(Ended::Failed(line)),
            None => Ok(()),
        }
    }

    /// Removes the test directories of this iteration; a name that is not there any more is no fault. Collective.
    ///
    /// # Errors
    /// What could not be removed, the same on all tasks: the run can go on.
    pub(super) fn remove_test_directories(&mut self) -> Option<String> {
        self.at_test_directories("removed", B::rmdir, libc::ENOENT)
    }

    /// Makes the call on each test directory of this task's own root; the first failure of any task.
    fn at_test_directories(
        &mut self,
        what: &str,
        call: fn(&mut B, CPath) -> Result<(), Errno>,
        no_fault: Errno,
    ) -> Option<String> {
        let mut failed = None;
        for t in 0..own_root(self.plan, self.team).map_or(0, |_| self.layout.test_directories) {
            let name = path::test_directory(self.root, self.iteration, t);
            let result = CPathBuf::new(&name).map_or(Ok(()), |path| call(self.backend, path.as_c()));
            if let Some(errno) = result.err().filter(|&errno| errno != no_fault) {
                let failure = Failure::System(errno);
                let (text, kind, rank) = (failure.text(), failure.name(), self.team.rank());
                failed =
                    Some(format!("{name} cannot be {what}: {text} ({kind}, rank {rank} on {})", self.host));
                break;
            }
        }
        self.team.first_message(failed.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_made_and_known() {
        let base = tempfile::tempdir().unwrap();
        let mut roots = Roots::default();
        roots.make(&base.path().join("a/./b/."), true).unwrap();
        assert_eq!(roots.made, [base.path().join("a"), base.path().join("a/b")]);
        roots.make(base.path(), true).unwrap();
        assert_eq!(roots.made.len(), 2, "a directory that was there is not ours");
    }

    #[test]
    fn a_file_is_refused_and_a_missing_directory_only_made_where_the_run_creates() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("f");
        std::fs::write(&file, "").unwrap();
        let mut roots = Roots::default();
        assert!(roots.make(&file, true).unwrap_err().contains("is a file"));
        assert!(roots.make(&file.join("x"), true).is_err());
        let link = base.path().join("l");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(roots.make(&link, true).unwrap_err().contains("link to nowhere"));
        roots.make(&base.path().join("none"), false).unwrap();
        assert!(!base.path().join("none").exists());
    }
}
