//! Files that a run writes: beside their name, then renamed, so that a reader never sees half of one.

use crate::error::Error;
use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

/// A file that is written whole, perhaps several times.
#[derive(Debug)]
pub struct OutputFile {
    option: &'static str,
    path: PathBuf,
    temporary: PathBuf,
    /// Nothing may be there yet: until it has been written once, where an existing file is kept.
    free: Cell<bool>,
    /// Why it could not be written, as it was said last.
    said: RefCell<String>,
}

impl OutputFile {
    /// The file of `option`, at `path`. Nothing is written yet, but it has been tried that it can be.
    ///
    /// # Errors
    /// [`Error::Refused`] for a directory, and for an existing file where `keep`; [`Error::Environment`] where it
    /// cannot be written.
    pub fn new(option: &'static str, path: &str, keep: bool) -> Result<Self, Error> {
        let path = PathBuf::from(path);
        let temporary = path.with_file_name(format!(".mdtest-rs.{}.tmp", std::process::id()));
        let file = OutputFile { option, path, temporary, free: Cell::new(keep), said: RefCell::default() };
        let shown = file.path.display();
        if file.path.is_dir() {
            return Err(Error::Refused(format!("{option} {shown} is a directory: allowed is a file")));
        }
        if !file.is_special() && file.path.is_symlink() {
            return Err(Error::Refused(format!(
                "{option} {shown} is a symbolic link: allowed is the file's own name"
            )));
        }
        if keep && file.path.symlink_metadata().is_ok() {
            // What works on records has -o and --overwrite, a run has its own options and --force.
            let way = if option == "-o" { "--overwrite" } else { "--force" };
            return Err(Error::Refused(format!("{option} {shown} exists: allowed is a free name, or {way}")));
        }
        if !file.is_special() {
            file.create().map_err(|e| file.cannot(&e))?;
            let _ = fs::remove_file(&file.temporary);
        }
        Ok(file)
    }

    /// Writes `text` in place of what was there.
    ///
    /// # Errors
    /// [`Error::Environment`] with the path.
    pub fn write(&self, text: &str) -> Result<(), Error> {
        let written = if self.is_special() {
            File::options().append(true).open(&self.path).and_then(|mut out| out.write_all(text.as_bytes()))
        } else {
            self.create().and_then(|mut out| {
                out.write_all(text.as_bytes())?;
                out.sync_all()?;
                self.place()
            })
        };
        written.map_err(|e| {
            let _ = fs::remove_file(&self.temporary);
            self.cannot(&e)
        })
    }

    /// The same, where a second failure for one reason is told by silence: [`Error::Environment`] with an empty line.
    ///
    /// # Errors
    /// As [`OutputFile::write`].
    pub fn write_again(&self, text: &str) -> Result<(), Error> {
        self.write(text).map_err(|error| {
            let line = error.to_string();
            let same = *self.said.borrow() == line;
            self.said.replace(line.clone());
            Error::Environment(if same { String::new() } else { line })
        })
    }

    /// Gives the written file its name; not over one that appeared meanwhile, where existing files are kept.
    fn place(&self) -> std::io::Result<()> {
        if self.free.replace(false) {
            match fs::hard_link(&self.temporary, &self.path) {
                Ok(()) => return fs::remove_file(&self.temporary),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                    self.free.set(true);
                    return Err(std::io::Error::other("another run has written it meanwhile"));
                }
                Err(_) => {} // a file system without links
            }
        }
        fs::rename(&self.temporary, &self.path)
    }

    /// A terminal, a pipe, a stream of this process: written to, never replaced.
    fn is_special(&self) -> bool {
        const STREAMS: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
        STREAMS.iter().any(|stream| self.path.starts_with(stream))
            || fs::metadata(&self.path).is_ok_and(|found| !found.is_file())
    }

    /// Never through a link or into a file that someone else put there.
    fn create(&self) -> std::io::Result<File> {
        File::options().write(true).create_new(true).open(&self.temporary)
    }

    fn cannot(&self, error: &std::io::Error) -> Error {
        Error::Environment(format!("{} {} cannot be written: {error}", self.option, self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_files_are_kept_or_replaced_whole() {
        let directory = tempfile::tempdir().unwrap();
        let name = directory.path().join("r.json");
        let text = name.to_str().unwrap();
        assert!(OutputFile::new("--json", text, true).is_ok());
        fs::write(&name, "x").unwrap();
        assert!(matches!(OutputFile::new("--json", text, true), Err(Error::Refused(_))));
        let file = OutputFile::new("--json", text, false).unwrap();
        assert_eq!(fs::read_to_string(&name).unwrap(), "x", "nothing is written before there is something");
        file.write("y").unwrap();
        file.write("z").unwrap();
        assert_eq!(fs::read_to_string(&name).unwrap(), "z");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_another_run_wrote_meanwhile_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let name = directory.path().join("r.json");
        let file = OutputFile::new("--json", name.to_str().unwrap(), true).unwrap();
        fs::write(&name, "theirs").unwrap();
        for said in ["meanwhile", ""] {
            let error = file.write_again("ours").unwrap_err().to_string();
            assert!(error.contains(said) && (error.is_empty() == said.is_empty()), "{error}");
        }
        assert_eq!(fs::read_to_string(&name).unwrap(), "theirs");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(
            OutputFile::new("--json", directory.path().to_str().unwrap(), false),
            Err(Error::Refused(_))
        ));
        OutputFile::new("--json", "/dev/null", false).unwrap().write("x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn links_are_neither_followed_nor_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (link, target) = (directory.path().join("l"), directory.path().join("t"));
        fs::write(&target, "x").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for keep in [true, false] {
            assert!(matches!(
                OutputFile::new("--json", link.to_str().unwrap(), keep),
                Err(Error::Refused(_))
            ));
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "x");
        assert!(link.is_symlink());
    }

    #[test]
    fn a_missing_folder_is_an_environment_fault() {
        let error = OutputFile::new("--json", "/no/such/folder/r.json", true).unwrap_err();
        assert!(matches!(&error, Error::Environment(line) if line.contains("/no/such/folder/r.json")));
    }
}
