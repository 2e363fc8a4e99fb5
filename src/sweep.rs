//! Runs over numbers of clients and of tasks on each: what is run, how it is launched, and what is known of it so far.

pub mod hosts;
pub mod launch;
pub mod launcher;
pub mod points;
pub mod state;
pub mod words;

use crate::cli::commands::sweep::Sweep as Asked;
use crate::cli::{self, Cli};
use crate::error::Error;
use crate::namespace::phase::Phase;
use crate::plan::{Api, Drawn, Placement, Plan};
use hosts::Host;
use launcher::{Launcher, Place};
use points::{Definition, Order, Point};
use std::path::{Path, PathBuf};

/// A sweep, with every default resolved and every point checked.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What makes it this sweep and no other.
    pub definition: Definition,
    /// Its points, in the order in which they are run.
    pub points: Vec<Point>,
    /// Where its records go: an absolute path.
    pub folder: PathBuf,
    /// What starts the tasks.
    pub launcher: Launcher,
    hosts: Vec<Host>,
}

impl Sweep {
    /// Resolves and checks all that was asked for. Nothing is written; `mpirun --version` is run where the launcher is
    /// to be found out.
    ///
    /// # Errors
    /// [`Error::Refused`] for what cannot be run at some point; [`Error::Environment`] where a file or the launcher
    /// cannot be found.
    pub fn resolve(asked: &Asked) -> Result<Self, Error> {
        let launcher = Launcher::of(&asked.launcher)?;
        let needed = asked.clients.iter().copied().max().unwrap_or(1);
        let hosts = hosts::first(asked, needed, launcher.wants_hosts())?;
        let definition = Definition {
            clients: asked.clients.clone(),
            tasks_per_client: asked.tasks_per_client.clone(),
            vary: points::vary(&asked.vary)?,
            repeats: asked.repeats,
            order: Order::named(&asked.order),
            seed: asked.seed,
            hosts: hosts.iter().map(|host| host.name.clone()).collect(),
            program: program(asked.program.as_deref())?,
            arguments: asked.arguments.clone(),
        };
        if asked.timeout_s == Some(0) {
            return Err(Error::Refused("--timeout 0 is not allowed: allowed is 1 or more".to_string()));
        }
        let points = definition.points()?;
        let folder = absolute(&asked.folder)
            .ok_or_else(|| Error::Refused(format!("-o '{}' is not allowed: it is no path", asked.folder)))?;
        let sweep = Sweep { definition, points, folder, launcher, hosts };
        for point in sweep.points.iter().filter(|point| point.repeat == 1) {
            sweep.plan(point)?;
        }
        Ok(sweep)
    }

    /// The command that runs `point`, word by word.
    pub fn command(&self, point: &Point) -> Vec<String> {
        let record = self.record(point).display().to_string();
        let mut words = self.launch(point);
        words.extend(self.arguments(point));
        words.extend(["--json".to_string(), record]);
        words
    }

    /// The command that removes what a run of `point` left that did not come to its end. None where runs leave something
    /// on purpose, or work on what others left.
    pub fn clearing(&self, point: &Point) -> Option<Vec<String>> {
        let (cli, plan) = self.plan(point).ok()?;
        if plan.api != Api::Posix || !plan.chosen.create || !plan.chosen.remove {
            return None;
        }
        let mut words = self.launch(point);
        words.push("-r=1".to_string());
        if plan.does(Phase::DirectoryRename) {
            // One that was cut has put the first directory aside: another puts it back among the rest.
            words.push("-U=1".to_string());
        }
        let flags = [
            ("D", cli.directories_only),
            ("F", cli.files_only),
            ("S", cli.shared_file),
            ("u", cli.unique),
            ("L", cli.leaf_only),
        ];
        words.extend(flags.iter().filter(|(_, given)| *given).map(|(letter, _)| format!("-{letter}=1")));
        let numbers = [
            ("n", cli.items),
            ("I", cli.items_per_directory),
            ("b", cli.branch),
            ("z", cli.depth),
            ("i", plan.max_iterations),
        ];
        words.extend(numbers.iter().map(|(letter, number)| format!("-{letter}={number}")));
        words.extend([format!("-d={}", cli.directories), "--quiet=1".to_string()]);
        Some(words)
    }

    /// Variables that the launcher wants to see: Open MPI asks root twice.
    pub fn environment(&self) -> Vec<(&'static str, &'static str)> {
        const ROOT: [&str; 2] = ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"];
        let wanted = self.launcher != Launcher::Srun && rustix::process::geteuid().is_root();
        ROOT.iter().filter(|_| wanted).map(|name| (*name, "1")).collect()
    }

    /// The file of hosts of `point`, and its text, where the launcher wants one.
    pub fn hostfile(&self, point: &Point) -> Option<(PathBuf, String)> {
        let lines = || self.hosts_of(point).iter().map(|host| format!("{}\n", host.name)).collect();
        self.launcher.wants_hostfile().then(|| (self.hostfile_path(point), lines()))
    }

    /// The record of `point`.
    pub fn record(&self, point: &Point) -> PathBuf {
        self.folder.join(format!("{}.json", point.name))
    }

    /// What a run of `point` printed.
    pub fn log(&self, point: &Point) -> PathBuf {
        self.folder.join(format!("{}.log", point.name))
    }

    fn launch(&self, point: &Point) -> Vec<String> {
        let hostfile = self.hostfile_path(point).display().to_string();
        let place = Place {
            clients: point.clients,
            tasks_per_client: point.tasks_per_client,
            hosts: self.hosts_of(point),
            hostfile: &hostfile,
        };
        let mut words = self.launcher.words(&place);
        words.push(self.definition.program.clone());
        words
    }

    fn hosts_of(&self, point: &Point) -> &[Host] {
        let count = usize::try_from(point.clients).unwrap_or(usize::MAX);
        self.hosts.get(..count).unwrap_or(&self.hosts)
    }

    fn hostfile_path(&self, point: &Point) -> PathBuf {
        self.folder.join(format!("c{}.hosts", point.clients))
    }

    /// The options of the runs, with the varied ones behind, so that they win.
    fn arguments(&self, point: &Point) -> Vec<String> {
        let varied = point.varied.iter().map(|v| format!("{}={}", v.option, v.value));
        self.definition.arguments.iter().cloned().chain(varied).collect()
    }

    /// What a run of `point` will do, as its own first task will see it.
    fn plan(&self, point: &Point) -> Result<(Box<Cli>, Plan), Error> {
        let words: Vec<_> =
            std::iter::once("mdtest-rs".to_string()).chain(self.arguments(point)).map(Into::into).collect();
        let refuse = |line: &str| Error::Refused(format!("the options of the runs: {line}"));
        let cli = match cli::parse(&words) {
            Ok(cli::Request::Run(cli)) => cli,
            Ok(_) => return Err(refuse("they ask for no run: allowed are options of mdtest")),
            Err(error) => return Err(refuse(&error.to_string())),
        };
        if cli.json.is_some() {
            return Err(refuse("--json is not allowed: each record goes to the folder of -o"));
        }
        if cli.first_tasks.is_some() || cli.last_tasks.is_some() || cli.task_step != 1 {
            return Err(refuse("-f, -l and -s are not allowed: --clients and --tasks-per-client say how many tasks there are"));
        }
        let drawn = Drawn { random_seed: 0, data_offset: 0, stonewall: None, no_stonewall_file: None };
        let placement = Placement {
            tasks: point.tasks(),
            nodes: point.clients,
            tasks_on_first_node: point.tasks_per_client,
            in_blocks: true,
        };
        let planned = Plan::resolve(&cli, &drawn, &placement)
            .map_err(|error| refuse(&format!("{} with {}", error, point.place())))?;
        Ok((cli, planned.plan))
    }
}

/// The program that is run: a path is made absolute, since runs start elsewhere; a bare name is looked up there.
fn program(told: Option<&str>) -> Result<String, Error> {
    let path = match told {
        Some(name) if !name.contains('/') && !name.is_empty() => return Ok(name.to_string()),
        Some(path) => absolute(path).filter(|path| path.is_file()).ok_or_else(|| {
            Error::Refused(format!("--mdtest-rs '{path}' is not allowed: allowed is a program that is there"))
        })?,
        None => std::env::current_exe()
            .map_err(|e| Error::Environment(format!("the path of mdtest-rs cannot be found: {e}")))?,
    };
    path.to_str().map(String::from).ok_or_else(|| {
        Error::Refused(format!("--mdtest-rs {} is not allowed: it is no UTF-8", path.display()))
    })
}

fn absolute(path: &str) -> Option<PathBuf> {
    std::path::absolute(Path::new(path)).ok()
}

#[cfg(test)]
mod tests;
