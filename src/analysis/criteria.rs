//! Bounds that a run is accepted by, as a TOML file has them.

pub mod bounds;

use crate::namespace::phase::Phase;
pub use bounds::{Bounds, Measure};
use toml::{Table, Value};

/// The bounds of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Criteria {
    /// On the run as a whole.
    pub run: Vec<(RunMeasure, RunBound)>,
    /// On every phase that was done, unless the phase has bounds of its own on the same number.
    pub all: Vec<(Measure, Bounds)>,
    /// On single phases, which must have been done.
    pub phases: Vec<(Phase, Vec<(Measure, Bounds)>)>,
}

/// A fact of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMeasure {
    /// Tasks.
    Tasks,
    /// Nodes.
    Nodes,
    /// Iterations.
    Iterations,
    /// Type of the file system.
    FsType,
}

/// What is wanted of it.
#[derive(Clone, Debug, PartialEq)]
pub enum RunBound {
    /// A number.
    Number(Bounds),
    /// A word.
    Word(String),
}

impl RunMeasure {
    const ALL: [(&'static str, RunMeasure); 4] = [
        ("tasks", RunMeasure::Tasks),
        ("nodes", RunMeasure::Nodes),
        ("iterations", RunMeasure::Iterations),
        ("fs_type", RunMeasure::FsType),
    ];

    /// Its key in the file.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, m)| *m == self).map_or("", |(name, _)| name)
    }
}

impl Criteria {
    /// From the text of a file.
    ///
    /// # Errors
    /// One line: the table and key, what stands there, and what is allowed.
    pub fn parse(text: &str) -> Result<Self, String> {
        let tables: Table = text.parse().map_err(|e: toml::de::Error| {
            let line =
                e.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            format!("line {line}: {}", e.message().replace('\n', "; "))
        })?;
        let mut criteria = Criteria::default();
        for (name, value) in &tables {
            let Value::Table(table) = value else {
                return Err(format!("{name} is no table: allowed are tables named run, all, or for a phase"));
            };
            if name == "run" {
                criteria.run = table.iter().map(run_bound).collect::<Result<_, _>>()?;
                continue;
            }
            let bounds = table
                .iter()
                .map(|(key, value)| Bounds::parse(key, value).map_err(|e| format!("[{name}] {key}: {e}")))
                .collect::<Result<Vec<_>, _>>()?;
            match phase_of(name)? {
                None => criteria.all = bounds,
                Some(phase) => criteria.phases.push((phase, bounds)),
            }
        }
        criteria.phases.sort_by_key(|(phase, _)| *phase);
        if criteria.run.is_empty()
            && criteria.all.is_empty()
            && criteria.phases.iter().all(|(_, b)| b.is_empty())
        {
            return Err(
                "there is no bound in it: allowed are tables such as [file-create] with rate, p99, errors"
                    .to_string(),
            );
        }
        Ok(criteria)
    }

    /// The bounds on `phase`: its own, and those on all that it has none for.
    pub fn on(&self, phase: Phase) -> Vec<(Measure, &Bounds)> {
        let own = self.phases.iter().find(|(p, _)| *p == phase).map_or(&[][..], |(_, bounds)| bounds);
        let has = |measure: Measure| own.iter().any(|(m, _)| *m == measure);
        own.iter().chain(self.all.iter().filter(|(m, _)| !has(*m))).map(|(m, b)| (*m, b)).collect()
    }
}

fn phase_of(name: &str) -> Result<Option<Phase>, String> {
    if name == "all" {
        return Ok(None);
    }
    let found = Phase::ALL.into_iter().find(|phase| phase.id() == name);
    found.map(Some).ok_or_else(|| {
        format!("[{name}] is not known: allowed are run, all, {}", Phase::ALL.map(Phase::id).join(", "))
    })
}

fn run_bound((key, value): (&String, &Value)) -> Result<(RunMeasure, RunBound), String> {
    let names = RunMeasure::ALL.map(|(name, _)| name).join(", ");
    let (_, measure) = RunMeasure::ALL
        .into_iter()
        .find(|(name, _)| name == key)
        .ok_or_else(|| format!("[run] {key} is not known: allowed are {names}"))?;
    let bound = match (measure, value) {
        (RunMeasure::FsType, Value::String(word)) => RunBound::Word(word.clone()),
        (RunMeasure::FsType, _) => return Err(format!("[run] {key}: allowed is a word such as \"nfs4\"")),
        (_, value) => RunBound::Number(Bounds::of_count(value).map_err(|e| format!("[run] {key}: {e}"))?),
    };
    Ok((measure, bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_phase_has_its_own_bounds_and_those_on_all() {
        let text = "[all]\nerrors = 0\nrate = 10\n[file-create]\nrate = 100\np99 = \"5ms\"\n[run]\ntasks = 4";
        let criteria = Criteria::parse(text).unwrap();
        let names = |phase| criteria.on(phase).into_iter().map(|(m, b)| (m, b.min)).collect::<Vec<_>>();
        assert_eq!(
            names(Phase::FileCreate),
            [(Measure::P99, None), (Measure::Rate, Some(100.0)), (Measure::Errors, None)]
        );
        assert_eq!(names(Phase::FileStat), [(Measure::Errors, None), (Measure::Rate, Some(10.0))]);
        assert_eq!(criteria.run.len(), 1);
    }

    #[test]
    fn odd_files_are_refused_in_one_line() {
        for (text, part) in [
            ("", "no bound"),
            ("x = 1", "x is no table"),
            ("[all", "line 1"),
            ("[all]\nrate = 1\nrate = 2", "line 3"),
            ("[files]\nrate = 1", "[files] is not known"),
            ("[all]\nspeed = 1", "speed"),
            ("[all]\nrate = \"fast\"", "[all] rate"),
            ("[run]\ntask = 1", "[run] task"),
            ("[run]\ntasks = \"many\"", "[run] tasks"),
            ("[run]\nfs_type = 3", "fs_type"),
        ] {
            let error = Criteria::parse(text).unwrap_err();
            assert!(error.contains(part) && !error.contains('\n'), "{text:?}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_file_panics(text in "(?s).{0,80}", value in "[ -~]{0,20}") {
            let _ = Criteria::parse(&text);
            let _ = Criteria::parse(&format!("[all]\nrate = {value}"));
            let _ = Criteria::parse(&format!("[file-stat]\np99 = \"{value}\""));
        }
    }
}
