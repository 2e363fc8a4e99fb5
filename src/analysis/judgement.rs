//! Records against bounds.

use crate::analysis::criteria::bounds::Grade;
use crate::analysis::criteria::{Bounds, Criteria, Measure, RunBound, RunMeasure};
use crate::analysis::metric::Metric;
use crate::archive::{Record, TaskCount};
use crate::namespace::phase::Phase;
use serde::Serialize;

/// What a bound came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Name of the record.
    pub record: String,
    /// The number of tasks, where the record has several.
    pub tasks: Option<u64>,
    /// The phase; none for the run as a whole.
    pub phase: Option<Phase>,
    /// What is bounded, as the criteria name it.
    pub measure: String,
    /// Its value: operations per second, nanoseconds, a count, a share or a ratio.
    pub value: Option<f64>,
    /// The value as people read it.
    pub shown: String,
    /// What is wanted, likewise.
    pub wanted: String,
    /// How it stands.
    pub grade: Grade,
}

/// Every bound of `criteria` on every record, in order.
pub fn judge(records: &[Record], criteria: &Criteria) -> Vec<Line> {
    records.iter().flat_map(|record| of_record(record, criteria)).collect()
}

fn of_record(record: &Record, criteria: &Criteria) -> Vec<Line> {
    let mut lines = vec![ended(record)];
    lines.retain(|line| line.grade != Grade::Unknown);
    lines.extend(criteria.run.iter().map(|(measure, bound)| of_run(record, *measure, bound)));
    for result in &record.results {
        let tasks = result.tasks.filter(|_| record.results.len() > 1);
        let phases = Phase::ALL.into_iter().filter(|&phase| {
            result.phases().any(|ran| ran == phase)
                || criteria.phases.iter().any(|(named, _)| *named == phase)
        });
        for phase in phases {
            for (measure, bounds) in criteria.on(phase) {
                lines.push(Line { tasks, ..of_phase(record, result, phase, measure, bounds) });
            }
        }
    }
    if record.results.is_empty() {
        let nothing = "no results".to_string();
        lines.push(Line { shown: nothing, ..line(record, "results", "results".to_string(), Grade::Failed) });
    }
    lines
}

fn line(record: &Record, measure: &str, wanted: String, grade: Grade) -> Line {
    Line {
        record: record.name.clone(),
        tasks: None,
        phase: None,
        measure: measure.to_string(),
        value: None,
        shown: "-".to_string(),
        wanted,
        grade,
    }
}

/// Whether the run came to its end. Of imports that is not known, and nothing is said.
fn ended(record: &Record) -> Line {
    let (shown, grade) = match (&record.ended_early, &record.finished) {
        _ if record.origin.is_some() => (String::new(), Grade::Unknown),
        (Some(why), _) => (why.clone(), Grade::Failed),
        (None, None) => ("did not end".to_string(), Grade::Failed),
        (None, Some(_)) => ("yes".to_string(), Grade::Passed),
    };
    Line { shown, ..line(record, "run to its end", "yes".to_string(), grade) }
}

#[allow(clippy::cast_precision_loss)] // tasks, nodes, iterations
fn of_run(record: &Record, measure: RunMeasure, bound: &RunBound) -> Line {
    let each = |number: fn(&TaskCount) -> Option<u64>| {
        // Where there are several numbers, the least: every one must be within.
        record.results.iter().map(number).min().flatten()
    };
    let number = match measure {
        RunMeasure::Tasks => each(|r| r.tasks),
        RunMeasure::Iterations => each(TaskCount::iterations_in_all),
        RunMeasure::Nodes => record.nodes(),
        RunMeasure::FsType => None,
    };
    match bound {
        RunBound::Word(word) => {
            let grade = match record.fs_type() {
                None => Grade::Unknown,
                Some(found) if found == word => Grade::Passed,
                Some(_) => Grade::Failed,
            };
            let shown = record.fs_type().unwrap_or("-").to_string();
            Line { shown, ..line(record, measure.name(), word.clone(), grade) }
        }
        RunBound::Number(bounds) => {
            let value = number.map(|n| n as f64);
            let wanted = match (bounds.min, bounds.max) {
                (Some(min), Some(max)) if min == max => format!("{min:.0}"),
                _ => Measure::Errors.wanted(bounds),
            };
            let shown = number.map_or("-".to_string(), |n| n.to_string());
            let grade = Measure::Errors.grade(value, bounds);
            Line { value, shown, ..line(record, measure.name(), wanted, grade) }
        }
    }
}

fn of_phase(record: &Record, result: &TaskCount, phase: Phase, measure: Measure, bounds: &Bounds) -> Line {
    let ran = result.phases().any(|p| p == phase);
    let value = if ran { value(result, phase, measure) } else { None };
    let shown = match value {
        Some(value) => measure.shown(value),
        None if ran => "not known".to_string(),
        None => "did not run".to_string(),
    };
    let grade = measure.grade(value, bounds);
    Line { phase: Some(phase), value, shown, ..line(record, measure.name(), measure.wanted(bounds), grade) }
}

#[allow(clippy::cast_precision_loss)] // counts of operations, to be compared to a bound
fn value(result: &TaskCount, phase: Phase, measure: Measure) -> Option<f64> {
    if let Some(metric) = measure.metric() {
        return metric.of(result, phase).map(|known| known.value);
    }
    let interval = || Metric::Rate.of(result, phase)?.estimate?.interval();
    let items = || result.outcomes(phase).map(|p| p.items).collect::<Option<Vec<_>>>();
    match measure {
        Measure::RateLow => interval().map(|i| i.low),
        Measure::Interval => interval().map(|i| i.relative_half_width()),
        Measure::Errors => {
            items().filter(|all| !all.is_empty()).map(|all| all.iter().map(|i| i.failed as f64).sum())
        }
        Measure::ErrorShare => {
            let sums =
                items()?.iter().fold((0.0, 0.0), |(f, a), i| (f + i.failed as f64, a + i.attempted as f64));
            (sums.1 > 0.0).then(|| sums.0 / sums.1)
        }
        Measure::Imbalance => {
            let worst = result.outcomes(phase).filter_map(|p| p.tasks.as_ref()).map(|t| t.max_over_median);
            worst.max_by(f64::total_cmp)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::made_up::record;
    use crate::archive::{KnownPlacement, Origin};
    use crate::result::outcome::Items;

    fn grades(record: &Record, criteria: &str) -> Vec<(String, Grade)> {
        let criteria = Criteria::parse(criteria).unwrap();
        judge(std::slice::from_ref(record), &criteria).into_iter().map(|l| (l.measure, l.grade)).collect()
    }

    fn run() -> Record {
        let mut run = record("r", &[(Phase::FileCreate, &[90.0, 110.0]), (Phase::FileStat, &[500.0, 500.0])]);
        run.finished = Some("then".to_string());
        for p in run.results[0].iterations.iter_mut().flat_map(|i| &mut i.phases) {
            p.items = Some(Items { attempted: 10, done: 9, failed: 1 });
        }
        run
    }

    #[test]
    fn every_bound_is_a_line() {
        let lines =
            grades(&run(), "[all]\nerrors = 4\n[file-create]\nrate = 100\nerrors = 0\ninterval = \"10%\"");
        let grades: Vec<(&str, Grade)> = lines.iter().map(|(m, g)| (m.as_str(), *g)).collect();
        assert_eq!(
            grades,
            [
                ("run to its end", Grade::Passed),
                ("errors", Grade::Failed),
                ("interval", Grade::Failed),
                ("rate", Grade::Passed),
                ("errors", Grade::Passed),
            ]
        );
    }

    #[test]
    fn what_is_not_there_is_not_accepted() {
        let missing = grades(&run(), "[file-remove]\nrate = 1");
        assert_eq!(missing[1].1, Grade::Unknown);
        let unknown = grades(&run(), "[file-create]\np99 = \"1s\"");
        assert_eq!(unknown[1].1, Grade::Unknown);
        let cut = Record { finished: None, ..run() };
        assert_eq!(grades(&cut, "[all]\nrate = 1")[0].1, Grade::Failed);
        let empty = Record { results: Vec::new(), ..run() };
        assert!(grades(&empty, "[all]\nrate = 1").iter().any(|(_, g)| *g == Grade::Failed));
    }

    #[test]
    fn facts_of_the_run_are_bounded_too() {
        let mut run = run();
        run.placement = Some(KnownPlacement { nodes: Some(3), ..KnownPlacement::default() });
        let criteria =
            "[run]\ntasks = 4\nnodes = { min = 4 }\niterations = { min = 2, max = 9 }\nfs_type = \"nfs4\"";
        let found: Vec<Grade> = grades(&run, criteria).into_iter().skip(1).map(|(_, g)| g).collect();
        // In the order of the keys.
        assert_eq!(found, [Grade::Unknown, Grade::Passed, Grade::Failed, Grade::Passed]);
    }

    #[test]
    fn of_an_import_it_is_not_asked_whether_it_ended() {
        let import = Record { origin: Some(Origin::default()), finished: None, ..run() };
        assert_eq!(grades(&import, "[file-create]\nrate = 1"), [("rate".to_string(), Grade::Passed)]);
    }
}
