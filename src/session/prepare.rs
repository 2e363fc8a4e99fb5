//! Before the first operation: what is drawn, planned, opened and looked at.

use crate::backend::{caches, Backend};
use crate::bench::{buffers, harness};
use crate::cli::Cli;
use crate::error::Error;
use crate::namespace::path::CPathBuf;
use crate::plan::check::DATA_OFFSET_MAX;
use crate::plan::{stonewall, Api, Chosen, Drawn, Placement, Plan};
use crate::report::output::OutputFile;
use crate::report::{json, notes, text, verbose};
use crate::result::environment::{self, Host, TestDirectory};
use crate::result::outcome::Spread;
use crate::result::record::{Mpi, RunRecord, SCHEMA};
use crate::session::console::say;
use crate::team::{self, Team};
use std::hash::{BuildHasher, RandomState};

/// Files that rank 0 writes; none on the other tasks.
#[derive(Debug, Default)]
pub struct Outputs {
    rank_csv: Option<OutputFile>,
    json: Option<OutputFile>,
}

impl Outputs {
    /// Tries whether every file can be written.
    fn open(plan: &Plan) -> Result<Self, Error> {
        let open = |option, path: Option<&String>, keep| {
            path.map(|path| OutputFile::new(option, path, keep)).transpose()
        };
        if plan.chosen.create {
            open("-x", plan.stonewall_file.as_ref(), false)?;
        }
        Ok(Outputs {
            rank_csv: open("--saveRankPerformanceDetails", plan.output.rank_csv.as_ref(), false)?,
            json: open("--json", plan.output.json.as_ref(), !plan.output.force)?,
        })
    }

    /// Writes what there is so far.
    pub fn write(&self, rank_csv: &str, record: &RunRecord) -> Result<(), Error> {
        if let Some(file) = &self.rank_csv {
            file.write_again(rank_csv)?;
        }
        if let Some(file) = &self.json {
            file.write_again(&json::text(record))?;
        }
        Ok(())
    }

    /// Writes the stonewall file.
    pub fn write_stonewall(path: Option<&str>, text: &str) -> Result<(), Error> {
        path.map_or(Ok(()), |path| OutputFile::new("-x", path, false)?.write(text))
    }
}

/// The plan and its surroundings.
#[derive(Debug)]
pub struct Scene {
    /// The plan.
    pub plan: Plan,
    /// The record; only rank 0's is written.
    pub record: RunRecord,
    /// The files of rank 0.
    pub outputs: Outputs,
    /// Name of this node.
    pub host: String,
    started: chrono::DateTime<chrono::Local>,
    node_of: Vec<u64>, // of each rank, at rank 0
}

impl Scene {
    /// Plans the run. Collective.
    ///
    /// # Errors
    /// Why it cannot be run, the same on all tasks; nothing has been touched.
    pub fn set(cli: &Cli, team: &Team) -> Result<Self, Error> {
        let started = environment::now();
        let drawn = draw(cli, team)?;
        let placement = placement(team);
        let planned = Plan::resolve(cli, &drawn, &placement)?;
        let mut plan = planned.plan;
        let mut warnings = planned.warnings;
        if let Some(why) = caches_stay(&plan, team)? {
            plan.drop_caches = false;
            warnings.push(why);
        }
        memory_suffices(&plan, team)?;
        let outputs = open_outputs(&plan, team)?;
        warnings.extend(notes::dialect(&plan));
        let host = team::processor_name();
        let hosts = hosts(&host, team);
        let (library, standard) = team::library();
        let record = RunRecord {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            command_line: cli.command_line.clone(),
            started: started.to_rfc3339(),
            finished: None,
            exit_code: None,
            ended_early: None,
            warnings,
            mpi: Mpi { library, standard },
            placement,
            hosts,
            harness_ns: harness_ns(team),
            plan: plan.clone(),
            test_directories: Vec::new(),
            results: Vec::new(),
        };
        let node_of = team.gather(&[team.node()]).unwrap_or_default();
        Ok(Scene { plan, record, outputs, host, started, node_of })
    }

    /// The node of a rank: at rank 0.
    pub fn host_of(&self, rank: u64) -> String {
        let node = usize::try_from(rank).ok().and_then(|r| self.node_of.get(r)).copied().unwrap_or(0);
        let host = usize::try_from(node).ok().and_then(|n| self.record.hosts.get(n));
        host.map_or_else(|| "unknown".to_string(), |h| h.name.clone())
    }

    /// Finds out on what file systems the test directories lie: at rank 0.
    pub fn look_at_file_systems<B: Backend>(&mut self, team: &Team, plan: &Plan, backend: &mut B) {
        if team.is_root() {
            let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
            self.record.test_directories =
                plan.directories.iter().map(|d| look_at(d, plan.api, backend, &mounts)).collect();
        }
    }

    /// mdtest's first lines: at rank 0.
    pub fn header(&self, plan: &Plan) -> String {
        let node_map: String = self.node_of.iter().map(|&node| if node == 0 { '1' } else { '0' }).collect();
        let found = self.record.test_directories.first();
        let count = |of: fn(&TestDirectory) -> u64| found.map_or(0, of);
        let mut out = text::header(
            plan,
            &text::Header {
                started: &text::date(&self.started),
                tasks: self.record.placement.tasks,
                nodes: self.record.placement.nodes,
                command_line: &self.record.command_line,
                node_map: &node_map,
                path: plan.directories.first().map_or("", String::as_str),
                size_bytes: count(|d| d.size_bytes),
                free_bytes: count(|d| d.free_bytes),
                inodes: count(|d| d.inodes),
                free_inodes: count(|d| d.free_inodes),
                fs_type: found.and_then(|d| d.fs_type.as_deref()),
            },
        );
        if plan.output.verbosity >= 1 {
            out += &verbose::plan(plan);
        }
        out
    }

    /// Closes the record; rank 0's exit code, on all tasks. Collective.
    pub fn finish(mut self, team: &Team, code: i32) -> Result<i32, Error> {
        let mut code = code;
        if let (true, Some(file)) = (team.is_root(), &self.outputs.json) {
            self.record.finished = Some(environment::now().to_rfc3339());
            self.record.exit_code = Some(code);
            if let Err(error) = file.write_again(&json::text(&self.record)) {
                say_unless_said(&error);
                code = error.exit_code();
            }
        }
        let agreed = team.broadcast(&code.to_string());
        agreed.parse().map_err(|_| Error::Environment(format!("rank 0 sent {agreed:?} as its exit code")))
    }
}

/// Says what went wrong, where it was not said before.
pub fn say_unless_said(error: &Error) {
    let line = error.to_string();
    if !line.is_empty() {
        say(&format!("error: {line}"));
    }
}

/// Draws what all tasks must have the same of. Collective.
fn draw(cli: &Cli, team: &Team) -> Result<Drawn, Error> {
    let read = match (&cli.stonewall_file, Chosen::of(cli).create, team.is_root()) {
        (Some(path), false, true) => read_stonewall(path),
        _ => Ok(None),
    };
    if let Some(line) = team.first_message(read.as_ref().err().map(String::as_str)) {
        return Err(Error::Refused(line));
    }
    // Random without a crate of its own: the keys of a new hasher come from the system.
    let random = || (RandomState::new().hash_one(0u64) & DATA_OFFSET_MAX).max(1);
    let counts = read.ok().flatten().map_or(String::new(), |counts| counts.text());
    let drawn = team.broadcast(&format!("{} {} {counts}", random(), random()));
    let mut words = drawn.splitn(3, ' ');
    let mut number = || words.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let (random_seed, data_offset) = (number(), number());
    let stonewall = words.next().unwrap_or_default();
    let stonewall = stonewall::Counts::parse(stonewall);
    let wanted = cli.stonewall_file.as_ref().filter(|_| !Chosen::of(cli).create && stonewall.is_none());
    let no_stonewall_file =
        wanted.map(|path| format!("-x {path} is not there: each task is taken to have made all its items"));
    Ok(Drawn { random_seed, data_offset, stonewall, no_stonewall_file })
}

/// What the stonewall file says; `None` where there is none.
fn read_stonewall(path: &str) -> Result<Option<stonewall::Counts>, String> {
    const LONGEST: u64 = 1 << 20; // a count, and a line an iteration
    let refuse = |why: String| {
        Err(format!("-x {path} {why}: allowed is a file whose first line is the number of items of a task"))
    };
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return refuse("is no regular file".to_string()), // opening a pipe would wait for its writer
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return refuse(format!("cannot be read ({e})")),
    }
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(e) => return refuse(format!("cannot be read ({e})")),
    };
    let mut bytes = Vec::new();
    if let Err(e) = std::io::Read::read_to_end(&mut std::io::Read::take(file, LONGEST), &mut bytes) {
        return refuse(format!("cannot be read ({e})"));
    }
    match stonewall::Counts::parse(&String::from_utf8_lossy(&bytes)) {
        Some(counts) => Ok(Some(counts)),
        None => refuse("is no such file".to_string()),
    }
}

/// Collective.
fn placement(team: &Team) -> Placement {
    let first = team.broadcast(&team.tasks_on_node().to_string()).parse().unwrap_or(1);
    let out_of_place = (team.rank() < first) != (team.node() == 0);
    Placement {
        tasks: team.tasks(),
        nodes: team.nodes(),
        tasks_on_first_node: first,
        in_blocks: !team.any(out_of_place),
    }
}

/// The nodes, at rank 0. Collective.
fn hosts(name: &str, team: &Team) -> Vec<Host> {
    let here = if team.leads_node() {
        serde_json::to_string(&Host::here(name.to_string(), team.tasks_on_node())).unwrap_or_default()
    } else {
        String::new()
    };
    team.gather_of_nodes(&here).iter().filter_map(|text| serde_json::from_str(text).ok()).collect()
}

/// What the measured loop costs an operation, over tasks. Collective.
fn harness_ns(team: &Team) -> Spread {
    let here = harness::cost_ns();
    let (mut sum, mut min, mut max) = ([here], [here], [here]);
    team.sum(&mut sum);
    team.min(&mut min);
    team.max(&mut max);
    #[allow(clippy::cast_precision_loss)]
    Spread { min: min[0], mean: sum[0] / team.tasks() as f64, max: max[0] }
}

/// Why caches that should be dropped cannot be, if they cannot: every node has to. Collective.
///
/// # Errors
/// [`Error::Refused`] under `--warningAsErrors`.
fn caches_stay(plan: &Plan, team: &Team) -> Result<Option<String>, Error> {
    if !plan.drop_caches {
        return Ok(None);
    }
    let here = if team.leads_node() { caches::can_be_dropped() } else { Ok(()) };
    let told = here
        .err()
        .map(|why| format!("--drop-caches: {why} (on {}): nothing is dropped", team::processor_name()));
    match team.first_message(told.as_deref()) {
        Some(why) if plan.warnings_as_errors => Err(Error::Refused(format!("--warningAsErrors: {why}"))),
        told => Ok(told),
    }
}

/// Refuses buffers that some node has no memory for: the system would kill tasks. Collective.
fn memory_suffices(plan: &Plan, team: &Team) -> Result<(), Error> {
    let back = if plan.verify_write { plan.write_bytes } else { 0 };
    let bytes = plan.write_bytes.saturating_add(plan.read_bytes).saturating_add(back);
    let wanted = bytes.saturating_mul(team.tasks_on_node());
    let available = match buffers::can_be_had(bytes) {
        true => buffers::available_bytes(),
        false => Some(0), // a limit of this process
    };
    let short = available.filter(|&available| wanted > available).map(|available| {
        format!(
            "-w {} -e {} need {wanted} bytes of memory for the {} tasks on {}: allowed is up to {available}",
            plan.write_bytes,
            plan.read_bytes,
            team.tasks_on_node(),
            team::processor_name()
        )
    });
    team.first_message(short.as_deref()).map_or(Ok(()), |line| Err(Error::Refused(line)))
}

/// Opens rank 0's files. Collective.
fn open_outputs(plan: &Plan, team: &Team) -> Result<Outputs, Error> {
    let opened = if team.is_root() { Outputs::open(plan) } else { Ok(Outputs::default()) };
    let opened = match &plan.output.operation_csv {
        // Every task writes files of its own.
        Some(prefix) => {
            OutputFile::new("--savePerOpDataCSV", &format!("{prefix}-{:05}", team.rank()), false).and(opened)
        }
        None => opened,
    };
    let error = opened.as_ref().err();
    let refused = matches!(error, Some(Error::Refused(_)));
    let line = team.first_message(error.map(ToString::to_string).as_deref());
    let refused = team.any(refused);
    match (opened, line) {
        (Ok(outputs), None) => Ok(outputs),
        (_, line) if refused => Err(Error::Refused(line.unwrap_or_default())),
        (_, line) => Err(Error::Environment(line.unwrap_or_default())),
    }
}

/// A directory that is not there yet is on the file system of the nearest one above it that is.
fn look_at<B: Backend>(directory: &str, api: Api, backend: &mut B, mounts: &str) -> TestDirectory {
    let above = std::path::Path::new(directory).ancestors().find(|p| p.exists());
    let found = above.map_or(directory.to_string(), |p| p.to_string_lossy().into_owned());
    let usage = CPathBuf::new(&found).and_then(|p| backend.usage(p.as_c()).ok()).unwrap_or_default();
    let real = (api == Api::Posix).then(|| std::fs::canonicalize(&found).ok()).flatten();
    let mount = real.and_then(|path| environment::mount_of(&path.to_string_lossy(), mounts));
    let of = |field: fn(&environment::Mount) -> &String| mount.as_ref().map(|m| field(m).clone());
    TestDirectory {
        path: directory.to_string(),
        fs_type: of(|m| &m.fs_type),
        source: of(|m| &m.source),
        mount_point: of(|m| &m.mount_point),
        mount_options: of(|m| &m.options),
        size_bytes: usage.size_bytes,
        free_bytes: usage.free_bytes,
        inodes: usage.inodes,
        free_inodes: usage.free_inodes,
    }
}
