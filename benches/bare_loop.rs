//! mdtest-rs against a bare loop of the same system calls: `cargo bench --bench bare_loop [-- FILES [ROUNDS]]`.
//!
//! Method. One task, without mpirun, on tmpfs. A round measures each subject once, in a process and a fresh directory
//! of its own; every second round goes the other way round. The subjects are
//! - bare: this program once more, which prepares all paths (the names that mdtest gives, in a directory of the same
//!   form), then makes all files (open, close), stats them, opens and closes them, removes them: four loops over the C
//!   library's functions, each timed as a whole by the monotonic clock;
//! - mdtest-rs: `-F -u -n FILES`, whose true rates are read from its run record;
//! - bare again, for a measure of what chance and order do;
//! - original: the mdtest that the variable MDTEST_ORIGINAL names, if it is set: the Mean column of its text.
//!
//! The figure is the median, over the rounds, of a subject's rate by the bare loop's rate in the same round, with the
//! smallest and the largest. Many short rounds, because what else the machine does changes within seconds: fifteen
//! rounds of 200,000 files left the median of the bare loop against itself between 0.96 and 1.02. Rates of different
//! runs of this program mean nothing next to each other.
//!
//! All of it runs at a real-time priority where that is allowed (as root), so that others who use the machine take no
//! processor away; without it, figures of a busy machine scatter too widely to be read.
//!
//! Mark: 0.97 for each of create, stat, read and remove. A median below it fails the bench.
//!
//! MDTEST_RS_BENCH_DIR stands in for /dev/shm. Under `cargo test` a short round only shows that the bench works.
#![allow(unsafe_code)]

use std::ffi::{CString, OsStr};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const MARK: f64 = 0.97;
const FILES: u64 = 40_000;
const ROUNDS: u64 = 60;

/// A phase: its name here, in the run record, and in mdtest's text.
const PHASES: [(&str, &str, &str); 4] = [
    ("create", "file-create", "File creation"),
    ("stat", "file-stat", "File stat"),
    ("read", "file-read", "File read"),
    ("remove", "file-remove", "File removal"),
];

/// Operations per second, phase by phase.
type Rates = [f64; PHASES.len()];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bare", directory, files] => bare(directory, files),
        _ => bench(&words),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(io::stderr(), "bare_loop: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures all subjects in turns and prints what came of it; whether each mark was reached.
fn bench(words: &[String]) -> io::Result<bool> {
    let mut numbers = words.iter().filter(|w| !w.starts_with('-')).map(|w| w.parse::<u64>());
    let mut number = |usual: u64| numbers.next().unwrap_or(Ok(usual)).map_err(io::Error::other);
    let whole = words.iter().any(|w| w == "--bench"); // cargo test does not say so
    let files = number(if whole { FILES } else { 500 })?;
    let rounds = number(if whole { ROUNDS } else { 1 })?.max(1);
    let base = std::env::var_os("MDTEST_RS_BENCH_DIR").unwrap_or("/dev/shm".into());
    let scratch = tempfile::Builder::new().prefix("mdtest-rs-bench.").tempdir_in(&base)?;
    let original = std::env::var_os("MDTEST_ORIGINAL");

    let priority = if whole && take_priority() { "real-time" } else { "usual" };
    let subjects = if original.is_some() { 4 } else { 3 };
    let mut rates: Vec<Vec<Rates>> = vec![Vec::new(); subjects];
    for round in 0..rounds {
        for turn in 0..subjects {
            let subject = if round % 2 == 0 { turn } else { subjects - 1 - turn };
            let fresh = scratch.path().join(format!("{round:03}-{subject}"));
            rates[subject].push(match (subject, &original) {
                (0 | 2, _) => bare_rates(&fresh, files)?,
                (1, _) => our_rates(&fresh, files)?,
                (_, Some(original)) => original_rates(original, &fresh, files)?,
                (_, None) => continue,
            });
        }
    }
    let setting = format!("{files} files, {rounds} rounds, {}, {priority} priority", base.to_string_lossy());
    report(&rates, &setting, whole)
}

/// Asks for a real-time priority, which every run inherits; whether it was granted.
fn take_priority() -> bool {
    // SAFETY: an all-zero sched_param is a valid value of that plain C struct.
    let mut parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    parameters.sched_priority = 10;
    // SAFETY: sched_setscheduler reads one sched_param, which lives across the call.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &parameters) == 0 }
}

/// Prints the ratios; whether the mark is reached, or asked for at all.
fn report(rates: &[Vec<Rates>], setting: &str, whole: bool) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    writeln!(out, "Rate by the rate of the bare loop: median of the rounds (min … max). {setting}")?;
    writeln!(
        out,
        "{:8}{:>12}  {:24}{:16}{:24}original",
        "", "bare, op/s", "mdtest-rs", "mark", "bare again"
    )?;
    let mut reached = true;
    for (p, (name, _, _)) in PHASES.iter().enumerate() {
        let ratios = |subject: usize| {
            let pairs = rates.get(subject)?.iter().zip(&rates[0]);
            Some(spread(pairs.map(|(rate, bare)| rate[p] / bare[p]).collect()))
        };
        let text = |ratios: Option<[f64; 3]>| {
            ratios.map_or("-".to_string(), |[min, median, max]| format!("{median:.3} ({min:.3} … {max:.3})"))
        };
        let [_, bare, _] = spread(rates[0].iter().map(|r| r[p]).collect());
        let ours = ratios(1);
        let here = ours.is_some_and(|[_, median, _]| median >= MARK);
        let verdict = if here { "reached" } else { "missed" };
        let (ours, again, original) = (text(ours), text(ratios(2)), text(ratios(3)));
        writeln!(out, "{name:8}{bare:12.0}  {ours:24}{MARK} {verdict:11}{again:24}{original}")?;
        reached &= here;
    }
    Ok(reached || !whole)
}

/// Smallest, median and largest.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let median =
        if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
    [values[0], median, values[values.len() - 1]]
}

/// Runs `program`; what it prints.
fn run<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    words: impl IntoIterator<Item = S>,
) -> io::Result<String> {
    let done = Command::new(&program).args(words).stdin(Stdio::null()).output()?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let name = program.as_ref().to_string_lossy().into_owned();
        return Err(io::Error::other(format!("{name} ended with {}: {said}", done.status)));
    }
    String::from_utf8(done.stdout).map_err(io::Error::other)
}

fn not_there(what: &str) -> io::Error {
    io::Error::other(format!("{what} is not in what the program printed"))
}

fn mdtest_words(directory: &Path, files: u64) -> Vec<String> {
    ["-F", "-u", "-n", &files.to_string(), "-d", &directory.to_string_lossy()].map(str::to_string).to_vec()
}

fn our_rates(directory: &Path, files: u64) -> io::Result<Rates> {
    let record = directory.with_extension("json");
    let mut words = mdtest_words(directory, files);
    words.extend(["--json".to_string(), record.to_string_lossy().into_owned()]);
    run(env!("CARGO_BIN_EXE_mdtest-rs"), words)?;
    let record: serde_json::Value = serde_json::from_slice(&std::fs::read(record)?)?;
    let phases = record["results"][0]["iterations"][0]["phases"].as_array().ok_or(not_there("phases"))?;
    each_phase(|(_, in_record, _)| {
        let phase = phases.iter().find(|p| p["phase"] == in_record)?;
        let complete = phase["items"]["done"] == files;
        phase["true_rate_per_s"].as_f64().filter(|_| complete)
    })
}

fn original_rates(program: &OsStr, directory: &Path, files: u64) -> io::Result<Rates> {
    let text = run(program, mdtest_words(directory, files))?;
    each_phase(|(_, _, in_text)| {
        let line = text.lines().find_map(|l| l.trim().strip_prefix(in_text))?;
        line.split_whitespace().nth(2)?.parse().ok() // Max, Min, Mean
    })
}

fn bare_rates(directory: &Path, files: u64) -> io::Result<Rates> {
    let words = ["bare".to_string(), directory.to_string_lossy().into_owned(), files.to_string()];
    let text = run(std::env::current_exe()?, words)?;
    each_phase(|(name, _, _)| text.lines().find_map(|l| l.strip_prefix(name))?.trim().parse().ok())
}

fn each_phase(rate: impl Fn((&str, &str, &str)) -> Option<f64>) -> io::Result<Rates> {
    let mut rates = Rates::default();
    for (place, phase) in rates.iter_mut().zip(PHASES) {
        *place = rate(phase).ok_or_else(|| not_there(phase.0))?;
    }
    Ok(rates)
}

/// The bare loop: prints each phase with its rate.
fn bare(directory: &str, files: &str) -> io::Result<bool> {
    let files: u32 = files.parse().map_err(io::Error::other)?;
    let test_directory = Path::new(directory).join("test-dir.0-0");
    let tree = test_directory.join("mdtest_tree.0.0");
    std::fs::create_dir_all(&tree)?;
    let path = |item| CString::new(format!("{}/file.mdtest.0.{item}", tree.display()));
    let paths: Vec<CString> = (0..files).map(path).collect::<Result<_, _>>()?;

    // SAFETY: a CString ends in NUL and lives across the call; the descriptor is closed once.
    let create = |path: &CString| unsafe {
        let file = libc::open(path.as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o664);
        file >= 0 && libc::close(file) == 0
    };
    let stat = |path: &CString| {
        let mut attributes = std::mem::MaybeUninit::<libc::stat>::uninit();
        // SAFETY: a CString ends in NUL; stat writes one struct stat, and nothing reads it.
        unsafe { libc::stat(path.as_ptr(), attributes.as_mut_ptr()) == 0 }
    };
    // SAFETY: as in create.
    let read = |path: &CString| unsafe {
        let file = libc::open(path.as_ptr(), libc::O_RDWR);
        file >= 0 && libc::close(file) == 0
    };
    // SAFETY: a CString ends in NUL and lives across the call.
    let remove = |path: &CString| unsafe { libc::unlink(path.as_ptr()) == 0 };
    let times = [timed(&paths, create)?, timed(&paths, stat)?, timed(&paths, read)?, timed(&paths, remove)?];

    std::fs::remove_dir(&tree)?;
    std::fs::remove_dir(&test_directory)?;
    std::fs::remove_dir(directory)?;
    let mut out = io::stdout().lock();
    for ((name, _, _), seconds) in PHASES.iter().zip(times) {
        writeln!(out, "{name} {}", f64::from(files) / seconds)?;
    }
    Ok(true)
}

/// Seconds of one loop over `paths`.
#[inline(always)]
fn timed(paths: &[CString], operation: impl Fn(&CString) -> bool) -> io::Result<f64> {
    let start = Instant::now();
    for path in paths {
        if !operation(path) {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(start.elapsed().as_secs_f64())
}
