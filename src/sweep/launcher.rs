//! The words that start so many tasks on so many hosts, for each launcher.

use crate::error::Error;
use crate::sweep::hosts::Host;
use crate::sweep::words;
use std::process::{Command, Stdio};

/// What starts the tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// mpirun of Open MPI 4 or 5.
    OpenMpi,
    /// mpirun of MPICH, or of one of its relatives with Hydra.
    Mpich,
    /// Slurm's.
    Srun,
    /// Any other: words with `{np}` and perhaps `{nodes}`, `{ppn}`, `{hosts}`, `{hostfile}` in them.
    Template(Vec<String>),
}

/// Where the tasks of a point are to be.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Clients, each a host.
    pub clients: u64,
    /// Tasks on each.
    pub tasks_per_client: u64,
    /// The hosts, as many as clients; none where the launcher knows.
    pub hosts: &'a [Host],
    /// The file that has them a line each.
    pub hostfile: &'a str,
}

impl Launcher {
    /// The launcher of `--launcher`; for `auto` mpirun is asked what it is, and srun whether it is there.
    ///
    /// # Errors
    /// [`Error::Refused`] for a template without `{np}`, [`Error::Environment`] where `auto` finds none.
    pub fn of(asked: &str) -> Result<Self, Error> {
        match asked {
            "openmpi" => Ok(Launcher::OpenMpi),
            "mpich" => Ok(Launcher::Mpich),
            "srun" => Ok(Launcher::Srun),
            "auto" => found(said_by("mpirun"), said_by("srun")).ok_or_else(|| {
                Error::Environment(
                    "--launcher auto finds neither mpirun of Open MPI or MPICH nor srun: a template such as \
                     'mpiexec -n {np}' is allowed too"
                        .to_string(),
                )
            }),
            template => {
                let refuse = |why: &str| {
                    Error::Refused(format!(
                        "--launcher '{template}' is not allowed: {why}; allowed are auto, openmpi, mpich, srun, or a \
                         command with {{np}} in it"
                    ))
                };
                let words = words::split(template).ok_or_else(|| refuse("a quote is not closed"))?;
                if words.iter().any(|word| word.contains("{np}")) {
                    Ok(Launcher::Template(words))
                } else {
                    Err(refuse("it has no {np}"))
                }
            }
        }
    }

    /// Whether it has to be told the hosts, where there are several.
    pub fn wants_hosts(&self) -> bool {
        match self {
            // An allocation of Slurm has hosts of its own, which Open MPI and MPICH know too.
            Launcher::OpenMpi | Launcher::Mpich => std::env::var_os("SLURM_JOB_ID").is_none(),
            Launcher::Srun => false,
            Launcher::Template(words) => {
                words.iter().any(|word| word.contains("{hosts}") || word.contains("{hostfile}"))
            }
        }
    }

    /// Whether it reads a file of hosts.
    pub fn wants_hostfile(&self) -> bool {
        matches!(self, Launcher::Template(words) if words.iter().any(|word| word.contains("{hostfile}")))
    }

    /// Its words, up to the program.
    pub fn words(&self, place: &Place) -> Vec<String> {
        let (tasks, each) = (place.clients.saturating_mul(place.tasks_per_client), place.tasks_per_client);
        let hosts =
            |name: &dyn Fn(&Host) -> String| place.hosts.iter().map(name).collect::<Vec<_>>().join(",");
        let names = || hosts(&|host| host.name.clone());
        let text = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut words = Vec::new();
        match self {
            Launcher::OpenMpi => {
                words.extend(text(&["mpirun", "-np", &tasks.to_string()]));
                if !place.hosts.is_empty() {
                    words.extend(["--host".to_string(), hosts(&|host| format!("{}:{each}", host.name))]);
                }
                words.extend(["--map-by".to_string(), format!("ppr:{each}:node")]);
                // On this machine alone there may be more tasks than cores.
                let is_full = |host: &Host| host.slots.is_some_and(|slots| slots < each);
                let alone = place.hosts.is_empty() && place.clients == 1;
                if alone || place.hosts.iter().any(is_full) {
                    words.push("--oversubscribe".to_string());
                }
            }
            Launcher::Mpich => {
                words.extend(text(&["mpirun", "-np", &tasks.to_string(), "-ppn", &each.to_string()]));
                if !place.hosts.is_empty() {
                    words.extend(["-hosts".to_string(), names()]);
                }
            }
            Launcher::Srun => {
                let (nodes, tasks) = (place.clients.to_string(), tasks.to_string());
                words.extend(text(&[
                    "srun",
                    "-N",
                    &nodes,
                    "-n",
                    &tasks,
                    "--ntasks-per-node",
                    &each.to_string(),
                ]));
                if !place.hosts.is_empty() {
                    words.extend(["-w".to_string(), names()]);
                }
            }
            Launcher::Template(template) => {
                let filled = |word: &String| {
                    word.replace("{np}", &tasks.to_string())
                        .replace("{nodes}", &place.clients.to_string())
                        .replace("{ppn}", &each.to_string())
                        .replace("{hosts}", &names())
                        .replace("{hostfile}", place.hostfile)
                };
                words.extend(template.iter().map(filled));
            }
        }
        words
    }
}

/// The launcher, by what `mpirun --version` and `srun --version` say, where they are there.
fn found(mpirun: Option<String>, srun: Option<String>) -> Option<Launcher> {
    let says =
        |names: &[&str]| mpirun.as_ref().is_some_and(|said| names.iter().any(|name| said.contains(name)));
    if says(&["Open MPI", "OpenRTE", "PRRTE"]) {
        Some(Launcher::OpenMpi)
    } else if says(&["HYDRA", "MPICH", "Intel(R) MPI"]) {
        Some(Launcher::Mpich)
    } else {
        srun.filter(|said| said.contains("slurm")).map(|_| Launcher::Srun)
    }
}

fn said_by(program: &str) -> Option<String> {
    let out = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(launcher: &Launcher, hosts: &[(&str, Option<u64>)]) -> String {
        let host = |&(name, slots): &(&str, Option<u64>)| Host { name: name.to_string(), slots };
        let hosts: Vec<Host> = hosts.iter().map(host).collect();
        let place = Place { clients: 2, tasks_per_client: 4, hosts: &hosts, hostfile: "/s/c2.hosts" };
        words::quoted(&launcher.words(&place))
    }

    #[test]
    fn each_launcher_places_on_exactly_the_hosts() {
        let hosts = [("h1", None), ("h2", Some(8))];
        for (launcher, known) in [
            (Launcher::OpenMpi, "mpirun -np 8 --host h1:4,h2:4 --map-by ppr:4:node"),
            (Launcher::Mpich, "mpirun -np 8 -ppn 4 -hosts h1,h2"),
            (Launcher::Srun, "srun -N 2 -n 8 --ntasks-per-node 4 -w h1,h2"),
            (
                Launcher::of("my 'run it' -n{np} -N {nodes}x{ppn} {hosts} -f={hostfile}").unwrap(),
                "my 'run it' -n8 -N 2x4 h1,h2 -f=/s/c2.hosts",
            ),
        ] {
            assert_eq!(line(&launcher, &hosts), known);
        }
        let narrow = line(&Launcher::OpenMpi, &[("h1", Some(2)), ("h2", Some(8))]);
        assert!(narrow.ends_with(" --oversubscribe"), "{narrow}");
        assert_eq!(line(&Launcher::Srun, &[]), "srun -N 2 -n 8 --ntasks-per-node 4");
    }

    #[test]
    fn launchers_are_known_by_what_they_say() {
        let found = |mpirun: &str| found(Some(mpirun.to_string()), Some("slurm 23.02.1".to_string()));
        assert_eq!(found("mpirun (Open MPI) 4.1.4"), Some(Launcher::OpenMpi));
        assert_eq!(found("HYDRA build details:\n Version: 4.0.2"), Some(Launcher::Mpich));
        assert_eq!(found("Intel(R) MPI Library for Linux* OS, Version 2021.9"), Some(Launcher::Mpich));
        assert_eq!(found("jsrun"), Some(Launcher::Srun));
        assert_eq!(super::found(None, None), None);
    }

    #[test]
    fn a_template_says_how_many_tasks() {
        for (template, part) in [("mpirun -np 4", "no {np}"), ("", "no {np}"), ("mpirun '{np}", "quote")] {
            let error = Launcher::of(template).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(&format!("'{template}'")), "{error}");
        }
    }
}
