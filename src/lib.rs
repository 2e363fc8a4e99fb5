//! mdtest, the MPI-parallel file-system metadata benchmark, written anew.
//!
//! One way through: arguments → [`cli::Cli`] → [`plan::Plan`] → [`mod@bench`] → samples → outcomes at rank 0 →
//! [`result::record::RunRecord`] → [`report`] → a writer. Each module imports only from those above it:
//!
//! | module | subject |
//! | --- | --- |
//! | [`error`] | why a run could not be made; exit codes |
//! | [`namespace`] | trees, items, names, orders, data patterns: pure |
//! | [`cli`] | what was typed |
//! | [`plan`] | what will happen, with every default and check |
//! | [`backend`] | how operations are made; the only unsafe code |
//! | [`measure`] | clock, latencies, windows, failures: what one task saw of one phase |
//! | [`result`] | the record, its environment, statistics and findings: pure |
//! | [`archive`] | records as they are read back; import of what other programs printed |
//! | [`analysis`] | records beside each other, against bounds, over clients and tasks: pure |
//! | [`team`] | the tasks and the nodes' clocks; the only module that speaks MPI |
//! | [`mod@bench`] | iterations, phases, the measured loop |
//! | [`report`] | the record as text, CSV, JSON, a screen of findings; comparisons, pages, charts |
//! | [`session`] | a whole run, from the plan to the exit code |
//! | [`sweep`] | runs over clients and tasks |
//! | [`tools`] | the subcommands |

pub mod error;
pub mod namespace;

pub mod cli;

pub mod plan;

pub mod backend;

pub mod measure;

pub mod result;

pub mod archive;

pub mod analysis;

pub mod team;

pub mod bench;

pub mod report;

pub mod session;

pub mod sweep;

pub mod tools;

use error::Error;
use session::console;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Does what the command line asks for; the exit code.
pub fn run(words: &[OsString]) -> i32 {
    console::code_or_lost(perform(words))
}

fn perform(words: &[OsString]) -> i32 {
    let request = match cli::parse(words) {
        Ok(cli::Request::Show(text)) => {
            if team::launcher::rank_told_speaks() {
                console::print(&text);
            }
            return error::DONE;
        }
        Ok(cli::Request::Tool(tool)) => {
            return if team::launcher::rank_told_speaks() { use_tool(&tool) } else { error::DONE }
        }
        Ok(cli::Request::Run(cli)) => Ok(cli),
        Err(error) => Err(error),
    };
    // A refused command line starts MPI too where a launcher waits for it: so rank 0 speaks, and all end together.
    if let (Err(error), None) = (&request, team::launcher::told_here()) {
        console::say(&format!("error: {error}"));
        return error.exit_code();
    }
    measure::clock::Clock::start(); // the pace of the processor's counter is measured from here on
    let world = match team::World::start() {
        Ok(world) => world,
        Err(error) => {
            if team::launcher::rank_told_speaks() {
                console::say(&format!("error: {error}"));
            }
            return error.exit_code();
        }
    };
    let request = same_on_all_tasks(&world.team, words).and(request);
    let ended = request.and_then(|cli| session::run(&cli, &world.team));
    finish(&world.team, ended)
}

/// Does what a subcommand asks for; under a launcher one task does it.
fn use_tool(tool: &cli::commands::Tool) -> i32 {
    tools::run(tool).unwrap_or_else(|error| {
        console::say(&format!("error: {error}"));
        error.exit_code()
    })
}

/// Refuses tasks that were started with different arguments: they would wait for each other in different places.
fn same_on_all_tasks(team: &team::Team, words: &[OsString]) -> Result<(), Error> {
    let mut hasher = DefaultHasher::new();
    words.iter().skip(1).for_each(|word| word.hash(&mut hasher));
    let hash = hasher.finish();
    let mut extremes = [hash, !hash];
    team.max(&mut extremes);
    if extremes[0] == !extremes[1] {
        Ok(())
    } else {
        Err(Error::Refused(
            "tasks were started with different arguments: allowed are the same for all".to_string(),
        ))
    }
}

/// Says at rank 0 why a run ended, and leaves together with all other tasks.
fn finish(team: &team::Team, ended: Result<i32, Error>) -> i32 {
    let code = match ended {
        Ok(code) => code,
        Err(error) => {
            if team.is_root() {
                console::say(&format!("error: {error}"));
            }
            error.exit_code()
        }
    };
    team.barrier();
    code
}
