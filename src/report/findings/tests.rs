use super::*;
use crate::result::findings::{findings, Setting};
use crate::result::outcome::Spread;
use crate::result::samples::{latencies, outcome, result, slow_node};

/// A run with something in every column and more than five findings.
fn eventful() -> TaskCount {
    let mut create = outcome(Phase::FileCreate);
    slow_node(&mut create);
    let mut stat = outcome(Phase::FileStat);
    stat.latency = Some(latencies(800, 20_000_000));
    stat.items.failed = 12;
    let mut read = outcome(Phase::FileRead);
    read.timeline.as_mut().unwrap().tail_share = 0.34;
    let mut remove = outcome(Phase::FileRemove);
    remove.latency = Some(latencies(1_000_000, 600_000_000));
    remove.timeline.as_mut().unwrap().tail_share = 0.25;
    let tree = outcome(Phase::TreeCreate);
    let faster =
        |p: &PhaseOutcome, by: f64| PhaseOutcome { true_rate_per_s: p.true_rate_per_s * by, ..p.clone() };
    let phases = [create, stat, read, remove, tree];
    let iterations = [1.3, 1.1, 1.0].map(|by| phases.iter().map(|p| faster(p, by)).collect());
    let mut result = result(iterations.to_vec());
    let setting = Setting { harness_ns: Spread { min: 90.0, mean: 90.0, max: 90.0 }, remote: true };
    result.findings = findings(&result, &setting);
    result
}

#[test]
fn the_screen_is_as_it_was() {
    let screen = screen(&eventful(), false);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/findings/tests.txt");
    if std::env::var("MDTEST_RS_BLESS").is_ok_and(|bless| bless == "1") {
        std::fs::write(path, &screen).unwrap();
    }
    assert_eq!(screen, std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_screen_fits_80_columns_and_its_rows_are_no_rows_of_mdtests_table() {
    let long = |text: &str| text.chars().count() > WIDTH;
    let screen = screen(&eventful(), false);
    assert!(!screen.lines().any(long), "{screen}");
    for phase in Phase::ALL {
        let row = |line: &str| line.trim_start().starts_with(phase.label());
        assert!(!screen.lines().any(row), "{screen}");
    }
}

#[test]
fn colours_come_only_where_they_are_wanted() {
    let plain = screen(&eventful(), false);
    let coloured = screen(&eventful(), true);
    assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}[31m"), "{coloured:?}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn one_iteration_says_where_its_interval_comes_from() {
    let mut one = outcome(Phase::FileCreate);
    let timeline = one.timeline.as_mut().unwrap();
    timeline.interval = crate::result::interval::Interval::of_windows(&[3990.0, 4010.0].repeat(20));
    let screen = screen(&result(vec![vec![one]]), false);
    assert!(screen.contains(" ~0.1% ") && screen.contains("by block bootstrap"), "{screen}");
    assert!(screen.starts_with("Findings: 4 tasks, 1 iteration\n"), "{screen}");
}

#[test]
fn what_would_play_with_a_terminal_is_escaped() {
    let mut remove = outcome(Phase::FileRemove);
    let mut latency = latencies(1_000_000, 600_000_000);
    latency.slowest.path = "/d/\u{1b}[2J".to_string();
    remove.latency = Some(latency);
    let mut result = result(vec![vec![remove]]);
    result.findings = findings(&result, &Setting::default());
    let screen = screen(&result, false);
    assert!(!screen.contains('\u{1b}') && screen.contains("[2J"), "{screen}");
}

#[test]
fn nothing_that_ran_shows_nothing() {
    assert_eq!(screen(&result(vec![]), true), "");
}
