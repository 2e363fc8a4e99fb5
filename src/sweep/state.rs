//! What is known of a sweep so far: `sweep.json` in its folder, and the records beside it.

use crate::archive::{load, Record};
use crate::error::{self, Error};
use crate::report::output::OutputFile;
use crate::sweep::points::{Definition, Point};
use crate::sweep::{launch, Sweep};
use rustix::fs::{flock, FlockOperation};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Name and version of the schema of `sweep.json`.
pub const SCHEMA: &str = "mdtest-rs-sweep/1";

/// A sweep as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// [`SCHEMA`].
    pub schema: String,
    /// What makes it this sweep.
    pub definition: Definition,
    /// Its runs, in their order.
    pub runs: Vec<Run>,
}

/// A run, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Which.
    #[serde(flatten)]
    pub point: Point,
    /// How it stands.
    pub state: Stands,
    /// Process of its launcher while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<u32>,
    /// Seconds it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Why it failed, or what of it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What is doubtful about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// It did not come to its end: what it made may still be in the test directories.
    #[serde(default)]
    pub left: bool,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stands {
    /// It was not started, or is to be run again.
    Waiting,
    /// It was started, and its end was not seen.
    Running,
    /// Its record is there.
    Done,
    /// It failed.
    Failed,
}

/// The folder of a sweep, held by this process alone.
#[derive(Debug)]
pub struct Folder {
    file: OutputFile,
    /// Held until the end: the lock goes with it.
    _lock: File,
}

impl Run {
    fn new(point: &Point) -> Self {
        Run {
            point: point.clone(),
            state: Stands::Waiting,
            process: None,
            seconds: None,
            note: None,
            warning: None,
            left: false,
        }
    }
}

impl Folder {
    /// Makes the folder of `sweep` where it is not there, holds it, and reads how the sweep stands. A run that was
    /// started and whose record is whole is done; one whose record is not is to be run again.
    ///
    /// # Errors
    /// [`Error::Refused`] where it is held by another sweep or holds another; [`Error::Environment`] where it cannot be
    /// read or written.
    pub fn open(sweep: &Sweep, retry_failed: bool) -> Result<(Self, State), Error> {
        let shown = sweep.folder.display();
        std::fs::create_dir_all(&sweep.folder)
            .map_err(|e| Error::Environment(format!("-o {shown} cannot be made: {e}")))?;
        let lock = lock(&sweep.folder)?;
        let path = sweep.folder.join("sweep.json");
        let state = match std::fs::read(&path) {
            Ok(bytes) => resumed(sweep, &path, &bytes, retry_failed)?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => fresh(sweep)?,
            Err(e) => return Err(Error::Environment(format!("{} cannot be read: {e}", path.display()))),
        };
        let file = output(&path)?;
        let folder = Folder { file, _lock: lock };
        folder.save(&state)?;
        Ok((folder, state))
    }

    /// Writes how the sweep stands.
    ///
    /// # Errors
    /// [`Error::Environment`] with the path.
    pub fn save(&self, state: &State) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(state)
            .map_err(|e| Error::Environment(format!("the state of the sweep cannot be written: {e}")))?;
        self.file.write(&(text + "\n"))
    }
}

/// The file at `path`, which is the sweep's own.
///
/// # Errors
/// As [`OutputFile::new`].
pub fn output(path: &Path) -> Result<OutputFile, Error> {
    let text = path.to_str().ok_or_else(|| Error::Refused(format!("-o {} is no UTF-8", path.display())))?;
    OutputFile::new("-o", text, false)
}

fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join("sweep.lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|e| Error::Environment(format!("{} cannot be written: {e}", path.display())))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => {
            Err(Error::Refused(format!("-o {} is in use by another sweep that is running", folder.display())))
        }
        // Some file systems have no locks: then it is up to the user.
        _ => Ok(file),
    }
}

fn fresh(sweep: &Sweep) -> Result<State, Error> {
    let theirs = |path: PathBuf| path.symlink_metadata().is_ok().then_some(path);
    let taken = sweep.points.iter().find_map(|p| theirs(sweep.record(p)).or_else(|| theirs(sweep.log(p))));
    match taken {
        Some(path) => Err(Error::Refused(format!(
            "-o {}: {} is there, but no sweep.json: allowed is a folder of the same sweep, or another",
            sweep.folder.display(),
            path.display()
        ))),
        None => Ok(State {
            schema: SCHEMA.to_string(),
            definition: sweep.definition.clone(),
            runs: sweep.points.iter().map(Run::new).collect(),
        }),
    }
}

fn resumed(sweep: &Sweep, path: &Path, bytes: &[u8], retry_failed: bool) -> Result<State, Error> {
    let shown = path.display();
    let refuse =
        |why: String| Err(Error::Refused(format!("{shown} {why}: allowed is the same sweep, or another -o")));
    let mut state: State = match serde_json::from_slice(bytes) {
        Ok(state) => state,
        Err(e) => return refuse(format!("is no state of a sweep ({e})")),
    };
    if state.schema != SCHEMA {
        return refuse(format!("has the schema '{}', not {SCHEMA}", state.schema));
    }
    if let Some(difference) = difference(&state.definition, &sweep.definition) {
        return refuse(format!("is of a sweep with {difference}"));
    }
    if state.runs.iter().map(|run| &run.point).ne(&sweep.points) {
        return refuse("has other points".to_string());
    }
    for run in &mut state.runs {
        let record = sweep.record(&run.point);
        if let Some(process) = run.process.filter(|&process| launch::is_running(process, &record)) {
            return Err(Error::Refused(format!(
                "{} is still being run by process {process}, which an earlier sweep started: allowed is to wait, or to end it",
                run.point.name
            )));
        }
        reconsider(run, &record, retry_failed);
    }
    Ok(state)
}

/// How a run of an earlier sweep stands now.
fn reconsider(run: &mut Run, record: &Path, retry_failed: bool) {
    run.process = None;
    let again = match run.state {
        Stands::Waiting => false,
        Stands::Done => !record.is_file(),
        Stands::Failed => retry_failed,
        Stands::Running => match judge(&run.point, record) {
            Ok(judged) => {
                run.state = Stands::Done;
                (run.note, run.warning) = (judged.note, judged.warning);
                false
            }
            Err(_) => {
                run.left = true;
                true
            }
        },
    };
    if again {
        *run = Run { left: run.left, ..Run::new(&run.point) };
    }
}

/// The first difference, with both values.
fn difference(known: &Definition, asked: &Definition) -> Option<String> {
    let numbers = |n: &[u64]| n.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let vary = |d: &Definition| {
        let each =
            d.vary.iter().map(|v| format!("{}={}", v.option.trim_start_matches('-'), v.values.join(",")));
        each.collect::<Vec<_>>().join(" ")
    };
    let texts = |d: &Definition| {
        [
            ("--clients", numbers(&d.clients)),
            ("--tasks-per-client", numbers(&d.tasks_per_client)),
            ("--vary", vary(d)),
            ("--repeats", d.repeats.to_string()),
            ("--order", format!("{:?}", d.order).to_lowercase()),
            ("--seed", d.seed.to_string()),
            ("hosts", d.hosts.join(",")),
            ("--mdtest-rs", d.program.clone()),
            ("options", d.arguments.join(" ")),
        ]
    };
    let pairs = texts(known).into_iter().zip(texts(asked));
    let differs = pairs.into_iter().find(|((_, known), (_, asked))| known != asked);
    let (name, known, asked) = match differs {
        Some(((name, known), (_, asked))) => (name, known, asked),
        None if known != asked => ("options", known.arguments.join("|"), asked.arguments.join("|")),
        None => return None,
    };
    Some(format!("{name} '{known}', asked for is '{asked}'"))
}

/// What a record says of its run.
#[derive(Debug)]
pub struct Judged {
    /// The record.
    pub record: Record,
    /// What failed of it.
    pub note: Option<String>,
    /// What is doubtful.
    pub warning: Option<String>,
}

/// Whether the record at `path` is that of a run of `point` which came to its end.
///
/// # Errors
/// Why not.
pub fn judge(point: &Point, path: &Path) -> Result<Judged, String> {
    if !path.is_file() {
        return Err("there is no record".to_string());
    }
    let records = load::load(&path.display().to_string()).map_err(|e| e.to_string())?;
    let record = records.into_iter().next().ok_or("there is no record")?;
    if record.finished.is_none() {
        return Err("it did not come to its end".to_string());
    }
    if let Some(line) = &record.ended_early {
        return Err(line.clone());
    }
    let note = match record.exit_code {
        Some(error::DONE) => None,
        Some(error::OPERATIONS_FAILED) => Some("operations failed".to_string()),
        Some(error::DATA_DIFFER) => return Err("data did not verify".to_string()),
        Some(code) => return Err(format!("exit code {code}")),
        None => return Err("it has no exit code".to_string()),
    };
    let placement = record.placement.unwrap_or_default();
    if placement.tasks != Some(point.tasks()) {
        let had = placement.tasks.map_or_else(|| "another number of".to_string(), |tasks| tasks.to_string());
        return Err(format!("the launcher started {had} tasks in place of {}", point.tasks()));
    }
    let warning = placement.nodes.filter(|&nodes| nodes != point.clients).map(|nodes| {
        format!("the launcher placed the tasks on {nodes} node(s) in place of {}", point.clients)
    });
    Ok(Judged { record, note, warning })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point() -> Point {
        let name = "c2-t4-r1".to_string();
        Point { name, clients: 2, tasks_per_client: 4, varied: Vec::new(), repeat: 1 }
    }

    #[test]
    fn a_run_is_done_where_its_record_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.json");
        let judged = |fields: &str| {
            std::fs::write(&path, format!("{{\"schema\":\"mdtest-rs/1\",\"results\":[]{fields}}}")).unwrap();
            judge(&point(), &path).map(|judged| (judged.note, judged.warning))
        };
        let whole = r#","finished":"x","exit_code":0,"placement":{"tasks":8,"nodes":2}"#;
        assert_eq!(judged(whole), Ok((None, None)));
        let failing = judged(&whole.replace(":0,", ":2,")).unwrap();
        assert_eq!(failing.0.as_deref(), Some("operations failed"));
        let elsewhere = judged(&whole.replace("\"nodes\":2", "\"nodes\":1")).unwrap();
        assert!(elsewhere.1.is_some_and(|warning| warning.contains("1 node(s) in place of 2")));
        for (fields, part) in [
            ("", "did not come to its end"),
            (&whole.replace(":0,", ":3,"), "did not verify"),
            (&whole.replace(":0,", ":5,"), "exit code 5"),
            (&whole.replace("\"tasks\":8", "\"tasks\":1"), "started 1 tasks in place of 8"),
            (&format!("{whole},\"ended_early\":\"no space\""), "no space"),
            (",", "no record"),
        ] {
            let why = judged(fields).unwrap_err();
            assert!(why.contains(part), "{fields}: {why}");
        }
        assert_eq!(judge(&point(), Path::new("/no/such/record")).unwrap_err(), "there is no record");
    }

    #[test]
    fn differences_are_told_with_both_values() {
        let one = Definition {
            clients: vec![1, 2],
            tasks_per_client: vec![1],
            vary: Vec::new(),
            repeats: 1,
            order: crate::sweep::points::Order::Interleaved,
            seed: 0,
            hosts: Vec::new(),
            program: "p".to_string(),
            arguments: vec!["-n".to_string(), "5".to_string()],
        };
        let other = Definition { repeats: 2, ..one.clone() };
        assert_eq!(difference(&one, &one), None);
        assert_eq!(difference(&one, &other).unwrap(), "--repeats '1', asked for is '2'");
        let split = Definition { arguments: vec!["-n 5".to_string()], ..one.clone() };
        assert_eq!(difference(&one, &split).unwrap(), "options '-n|5', asked for is '-n 5'");
    }
}
