//! `mdtest-rs sweep`.

mod course;

use crate::analysis::scaling::points::Measured;
use crate::analysis::scaling::Grid;
use crate::archive::Record;
use crate::cli::commands::sweep::Sweep as Asked;
use crate::error::{self, Error};
use crate::report::scaling;
use crate::session::console;
use crate::sweep::state::{judge, output, Folder, Run, Stands, State};
use crate::sweep::{words, Sweep};
use course::Course;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// Does it; the exit code.
///
/// # Errors
/// What was refused, or what the surroundings denied.
pub fn run(asked: &Asked) -> Result<i32, Error> {
    let sweep = Sweep::resolve(asked)?;
    if asked.dry_run {
        console::print(&commands(&sweep));
        return Ok(error::DONE);
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM].into_iter().chain((!is_ignored(SIGHUP)).then_some(SIGHUP)) {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))
            .map_err(|e| Error::Environment(format!("signals cannot be waited for: {e}")))?;
    }
    let (folder, mut state) = Folder::open(&sweep, asked.retry_failed)?;
    let limit = asked.timeout_s.map(Duration::from_secs);
    let pause = Duration::from_secs(asked.pause_s);
    let course = Course { sweep: &sweep, folder: &folder, limit, pause, interrupted: &interrupted };
    let ended = course.run(&mut state);
    report(&sweep, &state)?;
    ended?;
    Ok(conclude(&state, interrupted.load(Ordering::Relaxed)))
}

/// Whether whoever started this process wants it to go on through `signal`, as nohup does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    ignored >> (signal - 1) & 1 == 1
}

/// The commands of all points, as a shell would take them.
fn commands(sweep: &Sweep) -> String {
    let environment: Vec<String> =
        sweep.environment().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let line = |command: Vec<String>| words::quoted(&[environment.clone(), command].concat()) + "\n";
    sweep.points.iter().map(|point| line(sweep.command(point))).collect()
}

/// Writes the table of what is done, and prints its tables.
fn report(sweep: &Sweep, state: &State) -> Result<(), Error> {
    let mut done: Vec<(&Run, Record)> = Vec::new();
    for run in state.runs.iter().filter(|run| run.state == Stands::Done) {
        match judge(&run.point, &sweep.record(&run.point)) {
            Ok(judged) => done.push((run, judged.record)),
            Err(why) => console::say(&format!("warning: {} is left out: {why}", run.point.name)),
        }
    }
    let point = |(run, record): &'_ (&Run, Record)| {
        record.results.first().map(|result| (run.point.clone(), result.clone()))
    };
    let results: Vec<_> = done.iter().filter_map(point).collect();
    let mut measured: Vec<Measured> = results
        .iter()
        .map(|(point, result)| Measured {
            clients: Some(point.clients),
            tasks: point.tasks(),
            varied: point.varied.clone(),
            result,
        })
        .collect();
    // Whatever the order of the runs, tables follow each other as the values were given.
    measured.sort_by_cached_key(|run| sweep.definition.place_of(&run.varied));
    let grid = Grid::of(&measured);
    if !grid.tables.is_empty() {
        output(&sweep.folder.join("sweep.csv"))?.write(&scaling::csv(&grid)?)?;
        console::print(&scaling::tables(&grid));
    }
    Ok(())
}

/// Says how the sweep stands; the exit code.
fn conclude(state: &State, interrupted: bool) -> i32 {
    let count = |stands: Stands| state.runs.iter().filter(|run| run.state == stands).count();
    let (all, done, failed) = (state.runs.len(), count(Stands::Done), count(Stands::Failed));
    for run in state.runs.iter().filter(|run| run.left) {
        console::say(&format!(
            "warning: what the run of {} made may be left in its test directory; going on removes it",
            run.point.title()
        ));
    }
    if failed > 0 {
        console::say(&format!("warning: {failed} of {all} points failed: --retry-failed runs them again"));
    }
    if interrupted && done + failed < all {
        let command: Vec<String> =
            std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        console::say(&format!(
            "interrupted: {done} of {all} points are done; the same command goes on: {}",
            words::quoted(&command)
        ));
        return error::INTERRUPTED;
    }
    if failed > 0 || state.runs.iter().any(|run| run.note.is_some()) {
        return error::OPERATIONS_FAILED;
    }
    error::DONE
}
