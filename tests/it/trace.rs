//! The calls that each task makes below the test directory, as strace sees them.

use crate::harness::{self, Place, Ran, BINARY};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

const CALLS: &str = "mkdir,mkdirat,rmdir,unlink,unlinkat,rename,renameat,renameat2,open,openat,creat,mknod,\
                     mknodat,stat,newfstatat,statx,lstat,write,pwrite64,read,pread64,fsync,fdatasync,close,sync,syncfs";

/// A call on a name below the test directory, or on a file that was opened there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// mkdir, rmdir, create (an open with O_CREAT), open, mknod, write, read, fsync, close, stat, rename, unlink, sync.
    pub operation: String,
    /// Below the test directory; empty for sync.
    pub path: String,
    /// The new name of a rename.
    pub to: Option<String>,
    /// The bytes that went through, or the symbol of the errno.
    pub outcome: Option<String>,
}

impl Call {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Whether the call is on a test file or a test directory, not on a tree.
    pub fn on_item(&self) -> bool {
        self.name().starts_with("file.") || self.name().starts_with("dir.")
    }

    /// Whether the call failed.
    pub fn failed(&self) -> bool {
        self.outcome.as_deref().is_some_and(|outcome| outcome.starts_with('E'))
    }

    /// The test directory itself and the `test-dir.*` in it: who makes them, and how often they are looked at, is
    /// nobody's business.
    fn on_root(&self) -> bool {
        self.operation != "sync" && (self.path.is_empty() || self.name().starts_with("test-dir."))
    }
}

/// Runs the binary with `ranks` tasks under strace; what each rank called, in order.
#[track_caller]
pub fn run(place: &Place, ranks: usize, line: &str) -> (Ran, Vec<Vec<Call>>) {
    let traces = harness::scratch();
    let strace = format!("-y -s 0 -e trace={CALLS} -o {}/$rank", traces.path().display());
    let ran = under_strace(place, ranks, &strace, line);
    let calls_of = |rank: usize| {
        let trace = std::fs::read_to_string(traces.path().join(rank.to_string())).unwrap_or_default();
        let calls = trace.lines().filter_map(|line| parse(line, &place.test_directory()));
        calls.filter(|call| !call.on_root()).collect()
    };
    (ran, (0..ranks).map(calls_of).collect())
}

/// Runs the binary with tasks of different speed: each create takes rank 0 a millisecond more, rank 1 two, and so on.
#[track_caller]
pub fn run_unevenly(place: &Place, ranks: usize, line: &str) -> Ran {
    let creates = "openat,mkdir,mknod";
    let delay =
        format!("-e trace={creates} -e inject={creates}:delay_enter=$((1000 * (rank + 1))) -o /dev/null");
    under_strace(place, ranks, &delay, line)
}

/// Runs the binary under strace with options that a shell fills in; launchers tell the rank in a variable.
#[track_caller]
fn under_strace(place: &Place, ranks: usize, options: &str, line: &str) -> Ran {
    strace_is_there();
    let rank = "rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}";
    let mut command = harness::launcher(ranks);
    command.args(["sh", "-c", &format!("{rank}; exec strace {options} \"$@\""), "sh", BINARY]);
    command.args(place.words(line)).current_dir(place.folder());
    harness::wait(command)
}

fn strace_is_there() {
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = || Command::new("strace").arg("-V").output().is_ok_and(|out| out.status.success());
    assert!(*FOUND.get_or_init(found), "these tests need strace: apt-get install strace");
}

/// A line of strace's, such as `openat(AT_FDCWD</w>, "/d/f", O_RDWR|O_CREAT, 0664) = 9</d/f>` or
/// `close(9</d/f>) = 0`; `None` for what is not below `root`.
fn parse(line: &str, root: &Path) -> Option<Call> {
    let (call, result) = line.rsplit_once(" = ")?;
    let (call, arguments) = call.trim_end().strip_suffix(')')?.split_once('(')?;
    let below = |path: &str| {
        let below = Path::new(path).strip_prefix(root).ok()?;
        // Collected anew: components leave doubled and trailing slashes out.
        Some(below.components().collect::<std::path::PathBuf>().display().to_string())
    };
    let mut quoted = arguments.split('"').skip(1).step_by(2);
    let mut by_name = || below(quoted.next()?);
    let by_file = || below(arguments.split_once('<')?.1.split_once('>')?.0);
    let (operation, path) = match call {
        "sync" | "syncfs" => ("sync", Some(String::new())),
        "write" | "pwrite64" => ("write", by_file()),
        "read" | "pread64" => ("read", by_file()),
        "fsync" | "fdatasync" => ("fsync", by_file()),
        "close" => ("close", by_file()),
        "open" | "openat" if arguments.contains("O_DIRECTORY") => return None,
        "open" | "openat" if !arguments.contains("O_CREAT") => ("open", by_name()),
        "open" | "openat" | "creat" => ("create", by_name()),
        "unlinkat" if arguments.contains("AT_REMOVEDIR") => ("rmdir", by_name()),
        "unlink" | "unlinkat" => ("unlink", by_name()),
        "stat" | "newfstatat" | "statx" | "lstat" => ("stat", by_name()),
        "rename" | "renameat" | "renameat2" => ("rename", by_name()),
        "mkdirat" => ("mkdir", by_name()),
        "mknodat" => ("mknod", by_name()),
        other => (other, by_name()),
    };
    let path = path?;
    let to = if operation == "rename" { quoted.next().and_then(below) } else { None };
    let mut result = result.split_whitespace();
    let outcome = match (result.next()?, operation) {
        ("-1", _) => result.next().map(str::to_string),
        (bytes, "read" | "write") => Some(bytes.to_string()),
        _ => None,
    };
    Some(Call { operation: operation.to_string(), path, to, outcome })
}

#[test]
fn lines_of_strace_are_understood() {
    let call = |line: &str| {
        let call = parse(line, Path::new("/t/d")).unwrap();
        [Some(call.operation), Some(call.path), call.to, call.outcome]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
    };
    for (line, expected) in [
        (r#"mkdir("/t/d/a//b/", 0775)      = 0"#, vec!["mkdir", "a/b"]),
        (r#"stat("/t/d/a", 0x7ffd) = -1 ENOENT (No such file or directory)"#, vec!["stat", "a", "ENOENT"]),
        (r#"rename("/t/d/a", "/t/d/b") = 0"#, vec!["rename", "a", "b"]),
        (r#"openat(AT_FDCWD</>, "/t/d/f", O_RDWR|O_CREAT, 0664) = 5</t/d/f>"#, vec!["create", "f"]),
        (r#"openat(AT_FDCWD</>, "/t/d/f", O_RDWR) = 5</t/d/f>"#, vec!["open", "f"]),
        (r#"pwrite64(5</t/d/f>, ""..., 4096, 0) = 4096"#, vec!["write", "f", "4096"]),
        (r"close(5</t/d/f>) = 0", vec!["close", "f"]),
        (r"sync() = 0", vec!["sync", ""]),
    ] {
        assert_eq!(call(line), expected, "{line}");
    }
    for line in ["mkdir(\"/t/dd/a\", 0775) = 0", "close(5</t>) = 0", "+++ exited with 0 +++"] {
        assert_eq!(parse(line, Path::new("/t/d")), None, "{line}");
    }
}
