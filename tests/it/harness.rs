//! Starting the binary under whatever mpirun there is, with a limit on its time: a test never judges how long
//! something took, but nothing may hang.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
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

    /// The mean of a row of the first table.
    #[track_caller]
    pub fn mean(&self, row: &str) -> f64 {
        let line = self.stdout.lines().find(|l| l.trim_start().starts_with(row));
        let line = line.unwrap_or_else(|| panic!("no row {row} in\n{}", self.stdout));
        line.split_whitespace().rev().nth(1).unwrap().parse().unwrap()
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
        String::from_utf8_lossy(&said.stdout).contains("Open MPI") || String::from_utf8_lossy(&said.stdout).contains("PRRTE")
    })
}

/// mpirun for `ranks` tasks, before the program's name.
pub fn launcher(ranks: usize) -> Command {
    let mut command = Command::new(mpirun());
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    if is_open_mpi() {
        command.arg("--oversubscribe");
    }
    command.arg("-np").arg(ranks.to_string());
    command
}

/// Runs the binary with `ranks` tasks; words are split at blanks.
#[track_caller]
pub fn run(ranks: usize, arguments: &str) -> Ran {
    run_in(Path::new("/"), ranks, arguments)
}

/// The same, in a working directory.
#[track_caller]
pub fn run_in(directory: &Path, ranks: usize, arguments: &str) -> Ran {
    let mut command = launcher(ranks);
    command.arg(BINARY).args(arguments.split_whitespace()).current_dir(directory);
    wait(command)
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
    let status: ExitStatus = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{command:?} hangs; stdout:\n{}\nstderr:\n{}", stdout.join().unwrap(), stderr.join().unwrap());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    Ran { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), took: start.elapsed() }
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
