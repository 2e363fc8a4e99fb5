//! Starting the binary under whatever mpirun there is, with a limit on its time: a test never judges how long
//! something took, but nothing may hang.

use std::fmt::Debug;
use std::io::Read;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_mdtest-rs");
/// A run that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

impl Ran {
    /// The run itself, if it ended with `code`.
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Our own lines of standard error, without what mpirun says.
    pub fn said(&self) -> Vec<&str> {
        self.stderr.lines().filter(|l| l.starts_with("mdtest-rs: ")).collect()
    }

    /// The only line that says why the run was refused: there is no other error, and no text of a run.
    #[track_caller]
    pub fn only_error(&self) -> &str {
        let said = self.said();
        let errors: Vec<&str> = said.into_iter().filter(|l| l.starts_with("mdtest-rs: error: ")).collect();
        assert!(errors.len() == 1 && self.stdout.is_empty(), "{}\n{}", self.stdout, self.stderr);
        errors[0]
    }

    /// Whether some line of ours holds all of `parts`.
    pub fn says(&self, parts: &[&str]) -> bool {
        self.said().iter().any(|line| parts.iter().all(|part| line.contains(part)))
    }
}

/// The launcher: `MDTEST_RS_MPIRUN`, else mpirun.
pub fn mpirun() -> String {
    std::env::var("MDTEST_RS_MPIRUN").unwrap_or_else(|_| "mpirun".to_string())
}

/// Whether the launcher is Open MPI's.
pub fn is_open_mpi() -> bool {
    static OPEN_MPI: OnceLock<bool> = OnceLock::new();
    *OPEN_MPI.get_or_init(|| {
        let said = Command::new(mpirun()).arg("--version").output().expect("mpirun is installed");
        let said = String::from_utf8_lossy(&said.stdout);
        said.contains("Open MPI") || said.contains("PRRTE")
    })
}

/// mpirun for `ranks` tasks, before the program's name.
pub fn launcher(ranks: usize) -> Command {
    launcher_behind(&[], ranks)
}

/// The same, behind the words of a command that runs another command.
pub fn launcher_behind(words: &[&str], ranks: usize) -> Command {
    let mpirun = mpirun();
    let mut words = words.iter().copied().chain([mpirun.as_str()]);
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    // Tests run beside each other: a task that waits leaves its processor to others.
    command.env("OMPI_MCA_mpi_yield_when_idle", "1");
    if is_open_mpi() {
        command.arg("--oversubscribe");
    }
    command.arg("-np").arg(ranks.to_string());
    command
}

/// Runs a command to its end and keeps what it printed.
#[track_caller]
pub fn wait(mut command: Command) -> Ran {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let stdout = collect(child.stdout.take().unwrap());
    let stderr = collect(child.stderr.take().unwrap());
    let status: Option<ExitStatus> = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status),
            None if start.elapsed() > LIMIT => break None,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let took = start.elapsed();
    if status.is_none() {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (stdout, stderr) = (stdout.join().unwrap(), stderr.join().unwrap());
    let code =
        status.unwrap_or_else(|| panic!("{command:?} hangs; stdout:\n{stdout}\nstderr:\n{stderr}")).code();
    Ran { code, stdout, stderr, took }
}

fn collect(mut stream: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A fresh directory that is removed at the end of the test, in memory where there is a place for it.
pub fn scratch() -> tempfile::TempDir {
    let shm = Path::new("/dev/shm");
    let builder = || tempfile::Builder::new().prefix("mdtest-rs-").to_owned();
    if shm.is_dir() {
        builder().tempdir_in(shm).unwrap()
    } else {
        builder().tempdir().unwrap()
    }
}

/// A fresh place to run in. In arguments `{D}` stands for a test directory that is not there yet, `{W}` for a folder
/// for other files.
pub struct Place {
    base: PathBuf,
    _removed_at_the_end: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        let scratch = scratch();
        let base = scratch.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("w")).unwrap();
        Place { base, _removed_at_the_end: scratch }
    }

    /// What `{D}` stands for.
    pub fn test_directory(&self) -> PathBuf {
        self.base.join("d")
    }

    /// What `{W}` stands for.
    pub fn folder(&self) -> PathBuf {
        self.base.join("w")
    }

    /// The words of a line, split at blanks and then filled in.
    pub fn words(&self, line: &str) -> Vec<String> {
        let (d, w) = (self.test_directory().display().to_string(), self.folder().display().to_string());
        line.split_whitespace().map(|word| word.replace("{D}", &d).replace("{W}", &w)).collect()
    }

    /// The command that runs the binary with `ranks` tasks.
    pub fn command(&self, ranks: usize, line: &str) -> Command {
        let mut command = launcher(ranks);
        command.arg(BINARY).args(self.words(line)).current_dir(self.folder());
        command
    }

    /// Runs the binary with `ranks` tasks.
    #[track_caller]
    pub fn run(&self, ranks: usize, line: &str) -> Ran {
        wait(self.command(ranks, line))
    }

    /// Runs the binary without mpirun.
    #[track_caller]
    pub fn run_alone(&self, line: &str) -> Ran {
        let mut command = Command::new(BINARY);
        command.args(self.words(line)).current_dir(self.folder());
        wait(command)
    }

    /// The run record that `--json {W}/r.json` left.
    #[track_caller]
    pub fn record(&self) -> serde_json::Value {
        serde_json::from_str(&self.text("r.json")).unwrap()
    }

    /// The text of a file in the folder for other files.
    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// What there is in the test directory; that it is not there itself counts as nothing.
    pub fn left(&self) -> Vec<String> {
        names(&self.test_directory())
    }
}

/// Every name below `directory`, sorted, directories with a slash behind.
pub fn names(directory: &Path) -> Vec<String> {
    fn walk(base: &Path, here: &Path, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(here).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(base).unwrap().display().to_string();
            if entry.file_type().unwrap().is_dir() {
                names.push(format!("{name}/"));
                walk(base, &path, names);
            } else {
                names.push(name);
            }
        }
    }
    let mut names = Vec::new();
    if directory.is_dir() {
        walk(directory, directory, &mut names);
    }
    names.sort();
    names
}

/// Checks every case, several at a time since a launcher mostly waits, and names all that fail.
#[track_caller]
pub fn each<T: Debug + Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(&T) + Sync) {
    const WORKERS: usize = 3;
    let cases: Mutex<Vec<T>> = Mutex::new(cases.into_iter().collect());
    let failed = Mutex::new(Vec::new());
    let work = || loop {
        let Some(case) = cases.lock().unwrap().pop() else { return };
        if catch_unwind(AssertUnwindSafe(|| check(&case))).is_err() {
            failed.lock().unwrap().push(case);
        }
    };
    std::thread::scope(|scope| (0..WORKERS).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{} cases fail, the reasons stand above: {failed:#?}", failed.len());
}
