use super::*;
use crate::result::course::{Course, Level};
use crate::result::samples::{latencies, outcome, result, slow_node};

const SETTING: Setting = Setting { harness_ns: Spread { min: 20.0, mean: 20.0, max: 20.0 }, remote: false };

fn texts(result: &TaskCount, setting: &Setting) -> Vec<String> {
    findings(result, setting).into_iter().map(|f| f.text).collect()
}

#[test]
fn an_even_run_says_nothing() {
    let even = result(vec![vec![outcome(Phase::FileCreate), outcome(Phase::FileStat)]; 3]);
    assert_eq!(texts(&even, &SETTING), Vec::<String>::new());
}

#[test]
fn a_node_that_is_slow_everywhere_is_named_once_and_its_tasks_not() {
    let mut phases = vec![outcome(Phase::FileCreate), outcome(Phase::FileStat)];
    phases.iter_mut().for_each(slow_node);
    let said = texts(&result(vec![phases; 2]), &SETTING);
    assert_eq!(
        said,
        ["node01 is 1.8 times slower than the median in all phases: without it File creation would be 3.00 k/s \
          instead of 2.22 k/s"]
    );
}

#[test]
fn nodes_of_one_name_are_told_apart() {
    let mut p = outcome(Phase::FileCreate);
    slow_node(&mut p);
    p.nodes.iter_mut().for_each(|n| n.host = "vm".to_string());
    let said = texts(&result(vec![vec![p]]), &SETTING);
    assert!(
        said[0].starts_with("vm (node 1) is 1.8 times slower than the median in File creation: "),
        "{said:?}"
    );
}

#[test]
fn a_slow_task_on_a_node_that_is_not_is_named() {
    let mut p = outcome(Phase::FileCreate);
    slow_node(&mut p);
    p.nodes[1].rate_without_per_s = None;
    p.tasks.as_mut().unwrap().details.truncate(1);
    p.tasks.as_mut().unwrap().slow = 1;
    let said = texts(&result(vec![vec![p.clone()]]), &SETTING);
    assert_eq!(
        said,
        ["rank 2 on node01 is 1.8 times slower than the median in File creation: without it File creation would be \
          3.00 k/s instead of 2.22 k/s"]
    );
    p.tasks.as_mut().unwrap().max_s = 0.01;
    assert_eq!(texts(&result(vec![vec![p]]), &SETTING), Vec::<String>::new(), "too short to say");
}

#[test]
fn without_details_the_slowest_task_is_named_all_the_same() {
    let mut p = outcome(Phase::FileCreate);
    slow_node(&mut p);
    p.nodes[1].rate_without_per_s = None;
    let tasks = p.tasks.as_mut().unwrap();
    tasks.details.clear();
    (tasks.slow, tasks.max_over_median, tasks.slowest.rank) = (1, 1.8, 7);
    let said = texts(&result(vec![vec![p]]), &SETTING);
    assert!(said[0].starts_with("rank 7 on "), "{said:?}");
}

#[test]
fn of_several_slow_tasks_the_slowest_is_named() {
    let mut p = outcome(Phase::FileCreate);
    slow_node(&mut p);
    p.nodes[1].rate_without_per_s = None;
    p.tasks.as_mut().unwrap().details[1].done_s = 2.5;
    assert_eq!(
        texts(&result(vec![vec![p.clone()]]), &SETTING),
        ["rank 3 on node01, like one other task, is 2.5 times slower than the median in File creation: without the \
          2 slow tasks File creation would be 3.00 k/s instead of 2.22 k/s"]
    );
}

#[test]
fn a_tail_without_a_slow_task_is_told() {
    let mut p = outcome(Phase::FileRemove);
    p.timeline.as_mut().unwrap().tail_share = 0.34;
    assert_eq!(
        texts(&result(vec![vec![p.clone()]]), &SETTING),
        ["File removal: for the last 34 % of its time only some tasks were working; while all worked it was 4.10 k/s"]
    );
    p.timeline.as_mut().unwrap().rate_while_all_worked_per_s = Some(p.true_rate_per_s / 2.0);
    assert_eq!(
        texts(&result(vec![vec![p]]), &SETTING),
        ["File removal: for the last 34 % of its time only some tasks were working"],
        "the tail took nothing from that rate"
    );
}

#[test]
fn dips_and_warm_ups_are_told_in_seconds() {
    let level = |first_window, windows, mean| Level { first_window, windows, mean };
    let mut p = outcome(Phase::FileCreate);
    p.timeline.as_mut().unwrap().course = Some(Course {
        warm_up: Some(level(0, 20, 1000.0)),
        steady: level(20, 80, 4000.0),
        at_level_windows: 70,
        dips: vec![level(40, 5, 100.0), level(60, 5, 900.0)],
    });
    let said = texts(&result(vec![vec![p]]), &SETTING);
    assert!(
        said.contains(
            &"File creation: fell 2 times, deepest, from 4.0 s to 4.5 s, to 100/s of 4.00 k/s".to_string()
        ),
        "{said:?}"
    );
    assert!(
        said.contains(&"File creation: warmed up for 2.0 s at 1.00 k/s, then 4.00 k/s".to_string()),
        "{said:?}"
    );
}

#[test]
fn one_operation_that_held_up_a_phase_is_named() {
    let mut p = outcome(Phase::FileCreate);
    p.latency = Some(latencies(1_000_000, 600_000_000));
    let said = texts(&result(vec![vec![p]]), &SETTING);
    assert!(
        said[0].contains("/d/file.mdtest.3.7 (rank 3 on node01)") && said[0].contains("600 ms"),
        "{said:?}"
    );
}

#[test]
fn a_cache_is_seen_by_its_speed_where_a_server_should_answer() {
    let mut p = outcome(Phase::FileStat);
    p.latency = Some(latencies(800, 20_000_000));
    let run = result(vec![vec![p]]);
    let remote = Setting { remote: true, harness_ns: Spread::default() };
    let said = texts(&run, &remote);
    assert!(
        said[0].starts_with("File stat was answered by a cache: 100 % of its operations took less than 5 µs"),
        "{said:?}"
    );
    assert!(texts(&run, &Setting { remote: false, ..remote }).iter().all(|s| !s.contains("cache")));
    let mut p = outcome(Phase::FileCreate);
    p.latency = Some(latencies(800, 20_000_000));
    assert!(texts(&result(vec![vec![p]]), &remote).iter().all(|s| !s.contains("cache")), "no cache creates");
}

#[test]
fn a_cache_is_seen_by_the_requests_that_were_not_sent() {
    let mut p = outcome(Phase::FileRead);
    p.client_requests = Some(3);
    let said = texts(&result(vec![vec![p.clone()]]), &SETTING);
    assert!(
        said[0].starts_with("File read was answered by the clients' caches: they sent 3 requests for 1001"),
        "{said:?}"
    );
    p.client_requests = Some(2500);
    assert!(texts(&result(vec![vec![p]]), &SETTING).is_empty());
}

#[test]
fn the_harness_says_when_it_is_what_was_measured() {
    let mut p = outcome(Phase::FileStat);
    p.latency = Some(latencies(200, 200));
    assert_eq!(
        texts(&result(vec![vec![p]]), &SETTING),
        ["mdtest-rs itself took 10 % of File stat (20 ns of 200 ns an operation)"]
    );
}

#[test]
fn iterations_that_disagree_are_told() {
    let with_rate = |rate: f64| vec![PhaseOutcome { true_rate_per_s: rate, ..outcome(Phase::FileCreate) }];
    let said = texts(&result(vec![with_rate(1000.0), with_rate(3000.0), with_rate(2000.0)]), &SETTING);
    assert!(
        said[0].starts_with("File creation is known only to ± 100 % after 3 iterations (mean 2.00 k/s)"),
        "{said:?}"
    );
}

#[test]
fn the_weightiest_comes_first() {
    let mut p = outcome(Phase::FileStat);
    slow_node(&mut p);
    p.latency = Some(latencies(200, 200));
    p.client_requests = Some(0);
    let found = findings(&result(vec![vec![p]]), &SETTING);
    let about: Vec<About> = found.iter().map(|f| f.about).collect();
    assert_eq!(about, [About::Cache, About::SlowNode, About::Harness]);
    assert!(found.windows(2).all(|pair| pair[0].weight >= pair[1].weight));
}

#[test]
fn what_several_phases_have_in_common_is_said_once() {
    let with_tail = |phase, share| {
        let mut p = outcome(phase);
        p.timeline.as_mut().unwrap().tail_share = share;
        p
    };
    let mut phases = vec![with_tail(Phase::FileCreate, 0.3), with_tail(Phase::FileStat, 0.5)];
    let start = "File stat: for the last 50 % of its time only some tasks were working; while all worked it was 4.10 k/s";
    assert_eq!(
        texts(&result(vec![phases.clone()]), &SETTING),
        [format!("{start}; so it was in File creation")]
    );
    phases.extend([with_tail(Phase::FileRead, 0.4), with_tail(Phase::FileRemove, 0.25)]);
    assert_eq!(
        texts(&result(vec![phases]), &SETTING),
        [format!("{start}; so it was in File read and 2 other phases")]
    );
}

#[test]
fn slow_phases_are_counted() {
    let mut phases = vec![outcome(Phase::FileCreate), outcome(Phase::FileStat), outcome(Phase::FileRead)];
    phases.iter_mut().take(2).for_each(slow_node);
    let said = texts(&result(vec![phases.clone()]), &SETTING);
    assert!(said[0].contains(" slower than the median in 2 of 3 phases: "), "{said:?}");
    let said = texts(&result(vec![phases; 2]), &SETTING);
    assert!(said[0].contains(" slower than the median in 4 of 6 phases of all iterations: "), "{said:?}");
}
