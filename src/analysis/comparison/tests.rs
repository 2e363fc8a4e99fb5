use super::made_up::{record, result};
use super::*;
use crate::archive::Origin;
use crate::result::noise::Noise;

const TERMS: Terms = Terms { force: false, same_within: 0.05 };
const PAIRS: u32 = 400;

/// The phases of a whole run.
fn phases() -> Vec<Phase> {
    Phase::ALL.into_iter().filter(|&p| p != Phase::DirectoryRead).collect()
}

/// A run of one phase with these rates.
fn one_phase(rates: &[f64]) -> Record {
    record("run", &[(Phase::FileCreate, rates)])
}

/// A run of `n` iterations whose rates have a deviation of 3 % round `mean(phase)`.
fn run(noise: &mut Noise, n: usize, mean: impl Fn(Phase) -> f64) -> Record {
    let rates: Vec<(Phase, Vec<f64>)> = phases()
        .into_iter()
        .map(|phase| (phase, noise.normals(n, mean(phase), 0.03 * mean(phase))))
        .collect();
    let rates: Vec<(Phase, &[f64])> = rates.iter().map(|(phase, list)| (*phase, list.as_slice())).collect();
    record("run", &rates)
}

fn compared(base: &Record, new: &Record) -> Comparison {
    compare(&[base, new], &TERMS).unwrap().remove(0)
}

fn verdicts(comparison: &Comparison) -> Vec<Verdict> {
    comparison.rows.iter().filter_map(|row| row.cells[1].verdict).collect()
}

/// The share of pairs of runs with some phase that is called faster or slower though no rate differs.
fn false_alarms(seed: u64, iterations: usize) -> f64 {
    let mut noise = Noise::new(seed);
    let mut alarms = 0;
    for _ in 0..PAIRS {
        let (a, b) = (run(&mut noise, iterations, |_| 1000.0), run(&mut noise, iterations, |_| 1000.0));
        let alarm = |v: &Verdict| matches!(v, Verdict::Faster { .. } | Verdict::Slower { .. });
        alarms += u32::from(verdicts(&compared(&a, &b)).iter().any(alarm));
    }
    f64::from(alarms) / f64::from(PAIRS)
}

#[test]
fn at_most_6_of_100_pairs_without_a_difference_give_an_alarm() {
    for (seed, iterations) in [(1, 3), (2, 5), (3, 7)] {
        let share = false_alarms(seed, iterations);
        assert!(share <= 0.06, "{iterations} iterations: {:.1} % false alarms", 100.0 * share);
    }
}

#[test]
fn of_phases_that_are_10_percent_slower_at_least_90_of_100_are_found() {
    let mut noise = Noise::new(4);
    let (mut found, mut all) = (0u32, 0u32);
    for _ in 0..PAIRS {
        let (a, b) = (run(&mut noise, 5, |_| 1000.0), run(&mut noise, 5, |_| 900.0));
        for verdict in verdicts(&compared(&a, &b)) {
            all += 1;
            found += u32::from(matches!(verdict, Verdict::Slower { .. }));
        }
    }
    let share = f64::from(found) / f64::from(all);
    assert!(share >= 0.90, "{:.1} % found", 100.0 * share);
}

#[test]
fn of_runs_with_one_phase_that_is_10_percent_faster_most_are_found_and_nothing_else() {
    let mut noise = Noise::new(5);
    let (mut found, mut wrong) = (0u32, 0u32);
    for _ in 0..PAIRS {
        let faster = |phase| if phase == Phase::FileCreate { 1100.0 } else { 1000.0 };
        let (a, b) = (run(&mut noise, 5, |_| 1000.0), run(&mut noise, 5, faster));
        for row in compared(&a, &b).rows {
            match row.cells[1].verdict {
                Some(Verdict::Faster { .. }) if row.phase == Phase::FileCreate => found += 1,
                Some(Verdict::Faster { .. } | Verdict::Slower { .. }) => wrong += 1,
                _ => {}
            }
        }
    }
    let share = |n: u32| f64::from(n) / f64::from(PAIRS);
    assert!(share(found) >= 0.70, "{:.1} % found", 100.0 * share(found));
    assert!(share(wrong) <= 0.06, "{:.1} % of the others", 100.0 * share(wrong));
}

#[test]
fn the_iterations_that_are_said_to_tell_mostly_do() {
    let mut noise = Noise::new(6);
    let (mut told, mut asked) = (0u32, 0u32);
    let mut pair = |n: usize| {
        compared(&one_phase(&noise.normals(n, 1000.0, 30.0)), &one_phase(&noise.normals(n, 970.0, 30.0)))
    };
    for _ in 0..PAIRS / 4 {
        let needed = pair(3).rows[0].cells[1].rate.and_then(|rate| rate.iterations_needed);
        let Some(n) = needed.and_then(|n| usize::try_from(n).ok()) else { continue };
        asked += 1;
        told += u32::from(!matches!(verdicts(&pair(n))[0], Verdict::Noisy { .. }));
    }
    // From three iterations the spread is known badly, and so is the number.
    assert!(asked > 20 && f64::from(told) > 0.5 * f64::from(asked), "{told} of {asked}");
}

#[test]
fn more_than_two_are_compared_to_the_first_and_the_best_is_marked() {
    let rates = |x: f64, y: f64| [(Phase::FileCreate, vec![x]), (Phase::FileStat, vec![y])];
    let records: Vec<Record> =
        [("a", rates(100.0, 10.0)), ("b", rates(300.0, 5.0)), ("b", rates(200.0, 10.0))]
            .iter()
            .map(|(name, r)| record(name, &[(r[0].0, &r[0].1), (r[1].0, &r[1].1)]))
            .collect();
    let all = compare(&records.iter().collect::<Vec<_>>(), &TERMS).unwrap();
    assert_eq!(all.len(), 1);
    let names: Vec<&str> = all[0].columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["a", "b (1)", "b (2)"]);
    let best: Vec<Vec<bool>> =
        all[0].rows.iter().map(|row| row.cells.iter().map(|c| c.best).collect()).collect();
    assert_eq!(best, [[false, true, false], [true, false, true]]);
    let ratios: Vec<f64> = all[0].rows[0].cells.iter().filter_map(|c| c.rate.map(|r| r.ratio)).collect();
    assert_eq!(ratios, [3.0, 2.0]);
    assert_eq!(all[0].rows[0].cells[1].verdict, Some(Verdict::Single));
}

#[test]
fn workloads_and_numbers_of_tasks_stand_apart() {
    let of = |name: &str, workload: &str| Record {
        origin: Some(Origin { workload: Some(workload.to_string()), ..Origin::default() }),
        ..record(name, &[(Phase::FileCreate, &[1.0])])
    };
    let all = compare(&[&of("a", "x"), &of("a", "y"), &of("b", "x")], &TERMS).unwrap();
    let shapes: Vec<_> = all.iter().map(|c| (c.workload.as_deref(), c.columns.len())).collect();
    assert_eq!(shapes, [(Some("x"), 2), (Some("y"), 1)]);

    let mut two = record("a", &[(Phase::FileCreate, &[1.0])]);
    two.results.push(TaskCount { tasks: Some(8), ..result(&[(Phase::FileCreate, &[2.0])]) });
    let all = compare(&[&two, &two], &TERMS).unwrap();
    assert_eq!(all.iter().map(|c| c.tasks).collect::<Vec<_>>(), [Some(4), Some(8)]);
}

#[test]
fn runs_of_different_shape_are_refused_unless_forced() {
    let (one, mut other) =
        (record("a", &[(Phase::FileCreate, &[1.0])]), record("b", &[(Phase::FileStat, &[1.0])]));
    other.results[0].tasks = Some(8);
    let refused = compare(&[&one, &other], &TERMS).unwrap_err();
    assert_eq!((refused.new.as_str(), refused.differs[0].what.as_str()), ("b", "tasks"));
    let forced = compare(&[&one, &other], &Terms { force: true, ..TERMS }).unwrap();
    let cells = &forced[0].rows[0].cells;
    assert_eq!((cells[0].rate_per_s, cells[1].rate_per_s, cells[1].verdict), (Some(1.0), None, None));
    assert!(!cells[0].best && forced[0].columns[1].differs.len() == 1);
}
