//! Whether the launcher that started this process is of the MPI that it was built with.
//!
//! A program of one MPI under the mpirun of another does not fail: it runs N times as rank 0 of 1, in one directory.

use crate::error::Error;
use std::time::Duration;

const OPEN_MPI: &str = "Open MPI";

/// Pairs of variables in which launchers tell a process the number of tasks and its rank.
const VARIABLES: [(&str, &str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", OPEN_MPI),
    ("PMI_SIZE", "PMI_RANK", "MPICH, Intel MPI or Slurm"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", "MVAPICH2"),
];

/// What a launcher told this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Number of tasks it started.
    pub tasks: u64,
    /// Rank it gave this process, 0 where it did not say.
    pub rank: u64,
    /// Whose launcher it is.
    pub whose: &'static str,
}

/// What the launcher told, if there is one.
pub fn told(variable: impl Fn(&str) -> Option<String>) -> Option<Told> {
    VARIABLES.iter().find_map(|&(size, rank, whose)| {
        let number = |name| variable(name).and_then(|v: String| v.trim().parse().ok());
        Some(Told { tasks: number(size)?, rank: number(rank).unwrap_or(0), whose })
    })
}

/// What the launcher told this process.
pub fn told_here() -> Option<Told> {
    told(|name| std::env::var(name).ok())
}

/// Refuses Open MPI's launcher for a library of the MPICH family: some versions end inside MPI_Init, with a message
/// that helps nobody.
///
/// # Errors
/// [`Error::Environment`], the same on every task; see [`rank_told_speaks`] for who prints it.
pub fn check_before_start() -> Result<(), Error> {
    let (library, _) = super::library();
    let of_mpich = ["MPICH", "Intel", "MVAPICH"].iter().any(|name| library.contains(name));
    match told_here() {
        Some(told) if told.whose == OPEN_MPI && told.tasks > 1 && of_mpich => {
            Err(foreign(&told, &library, 1))
        }
        _ => Ok(()),
    }
}

/// Refuses a launcher that started another number of tasks than MPI knows of.
///
/// # Errors
/// As [`check_before_start`].
pub fn check(world_tasks: u64) -> Result<(), Error> {
    match told_here() {
        Some(told) if told.tasks != world_tasks => Err(foreign(&told, &super::library().0, world_tasks)),
        _ => Ok(()),
    }
}

fn foreign(told: &Told, library: &str, world_tasks: u64) -> Error {
    Error::Environment(format!(
        "the launcher ({}) started {} tasks, but MPI ({library}) knows of {world_tasks}: \
         use the mpirun of the MPI that mdtest-rs was built with",
        told.whose, told.tasks
    ))
}

/// Whether this process is the one to speak where MPI cannot tell ranks apart. The others wait a moment, since some
/// launchers end all tasks as soon as one has failed, perhaps before it has spoken.
pub fn rank_told_speaks() -> bool {
    let speaks = told_here().is_none_or(|told| told.rank == 0);
    if !speaks {
        std::thread::sleep(Duration::from_millis(700));
    }
    speaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_launchers_variables_are_known() {
        let with = |names: &'static [(&str, &str)]| {
            told(move |name| names.iter().find(|n| n.0 == name).map(|n| n.1.to_string()))
        };
        assert_eq!(with(&[]), None);
        let ompi = with(&[("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "3")]).unwrap();
        assert_eq!((ompi.tasks, ompi.rank), (4, 3));
        assert_eq!(with(&[("PMI_SIZE", "2")]).unwrap().rank, 0);
        assert_eq!(with(&[("PMI_SIZE", "many")]), None);
    }
}
