use super::*;
use crate::archive::{KnownPlacement, Origin, PhaseSummary, Summary, TaskCount};
use crate::namespace::phase::Phase;
use crate::report::{chart, markdown, table_csv};
use crate::result::findings::{findings, Setting};
use crate::result::outcome::ErrorCount;
use crate::result::samples::{outcome, result, slow_node};
use proptest::prelude::*;
use serde_json::Value;

/// A record of two iterations with something of everything.
fn full() -> Value {
    let mut create = outcome(Phase::FileCreate);
    slow_node(&mut create);
    create.errors.push(ErrorCount {
        kind: "ENOSPC".into(),
        errno: Some(28),
        text: "No space left on device".into(),
        count: 3,
        operation: "open".into(),
        path: "/d/<b>\u{1b}[31m".into(),
        first: Default::default(),
    });
    create.items.failed = 3;
    let mut stat = outcome(Phase::DirectoryStat);
    let timeline = stat.timeline.as_mut().unwrap();
    timeline.operations = (0..3000).map(|i| if i == 2000 { 0 } else { 900 + i % 200 }).collect();
    timeline.course =
        crate::result::course::course(&[vec![10.0; 100], vec![30.0; 100], vec![5.0; 40]].concat());
    let iterations = [create, stat].to_vec();
    let mut result = result(vec![iterations.clone(), iterations]);
    result.findings = findings(&result, &Setting::default());
    serde_json::json!({
        "schema": "mdtest-rs/1", "version": "9.9.9", "command_line": ["mdtest-rs", "-d", "/a b"],
        "started": "2026-01-01T00:00:00+00:00", "placement": { "tasks": 4, "nodes": 2 },
        "hosts": [{ "name": "node00", "tasks": 2 }, { "name": "node01", "tasks": 2 }],
        "test_directories": [{ "path": "/d", "fs_type": "ext4", "size_bytes": 5 }],
        "results": [result],
    })
}

fn record(value: Value, name: &str) -> Record {
    Record { name: name.into(), ..serde_json::from_value(value).unwrap() }
}

#[test]
fn text_of_files_is_no_markup() {
    let hostile = "<script>alert(1)</script>\"'><img src=x>\u{1b}[31m";
    let mut value = full();
    value["hosts"][0]["name"] = hostile.into();
    value["warnings"] = serde_json::json!([hostile]);
    value["started"] = hostile.into();
    value["results"][0]["iterations"][1]["phases"][1]["nodes"][1]["host"] = hostile.into();
    value["results"][0]["findings"] = serde_json::json!([{ "text": hostile }]);
    let mut hostile_record = record(value, hostile);
    hostile_record.origin =
        Some(Origin { workload: Some(hostile.into()), unknown: vec![hostile.into()], ..Origin::default() });
    for records in
        [vec![hostile_record.clone()], vec![hostile_record.clone(), hostile_record, record(full(), "b")]]
    {
        let page = page(&records);
        assert!(!page.contains("<script>alert") && !page.contains("<img") && !page.contains('\u{1b}'));
        assert_eq!(page.matches("<script>").count(), 1);
        let text = markdown::text(&records);
        assert!(
            !text.contains("\\<script>alert")
                && !text.contains('\u{1b}')
                && text.contains("\\<script\\>alert")
        );
        assert!(!table_csv::text(&records).contains('\u{1b}'));
    }
}

#[test]
fn a_page_shows_every_part() {
    let page = page(&[record(full(), "r")]);
    for part in [
        "What was run",
        "On what",
        "Findings",
        "Rates",
        "Latencies",
        "Operations over time",
        "Tasks and nodes",
        "Slow nodes and tasks",
        "Errors",
        "ENOSPC",
        "node node01",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("going on when the record was written"));
    assert!(!page.contains("<h2"), "one record has no parts of several");
}

#[test]
fn what_is_not_known_is_a_dash_and_no_zero() {
    let summary = Summary { mean: Some(1234.5), printed: Some("1234.500".into()), ..Summary::default() };
    let create = PhaseSummary { rate_per_s: Some(summary), ..PhaseSummary::unknown(Phase::FileCreate) };
    let statistics = vec![create, PhaseSummary::unknown(Phase::FileStat)];
    let results = vec![TaskCount { statistics, ..TaskCount::default() }];
    let page = page(&[Record { name: "import".into(), results, ..Record::default() }]);
    assert!(page.contains("1234.500") && page.contains(">–<"));
    let body = page.split("<body>").nth(1).unwrap();
    assert!(!body.contains(">0<") && !body.contains(">0.000<") && !body.contains("Errors"), "{body}");
}

/// An imported record with one rate.
fn imported(name: &str, workload: &str, mean: f64) -> Record {
    let rate = Summary { mean: Some(mean), printed: Some(format!("{mean:.3}")), ..Summary::default() };
    let statistics =
        vec![PhaseSummary { rate_per_s: Some(rate), ..PhaseSummary::unknown(Phase::FileCreate) }];
    let results = vec![TaskCount { statistics, ..TaskCount::default() }];
    let origin = Origin { workload: Some(workload.into()), ..Origin::default() };
    Record { name: name.into(), origin: Some(origin), results, ..Record::default() }
}

#[test]
fn each_workload_has_a_table_of_its_own() {
    let records = [
        imported("a", "easy", 10.0),
        imported("b", "easy", 25.0),
        imported("a", "hard", 1.0),
        imported("b", "hard", 0.5),
    ];
    let page = page(&records);
    for part in ["Comparison: easy", "Comparison: hard", "★ 25.000 (2.50×)", "★ 1.000", "0.500 (0.50×)"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("★ marks the best").count(), 2);
}

/// A record of so many nodes with so many tasks on each, and one rate.
fn sized(nodes: u64, each: u64, mean: f64) -> Record {
    let mut record = Record { origin: None, ..imported(&format!("n{nodes}t{each}"), "", mean) };
    record.results[0].tasks = Some(nodes * each);
    record.placement =
        Some(KnownPlacement { tasks: Some(nodes * each), nodes: Some(nodes), ..KnownPlacement::default() });
    record
}

#[test]
fn clients_and_tasks_on_each_make_curves_and_a_grid() {
    let sizes = [(1, 1), (2, 1), (4, 1), (1, 8), (2, 8), (4, 8)];
    let records = sizes.map(|(nodes, each)| sized(nodes, each, 100.0 * (nodes * each) as f64));
    let page = page(&records);
    assert!(page.contains("<h2>Scaling</h2>") && !page.contains("Comparison"));
    let words = "with 1 task a node 100/s at 1 node, 200/s at 2 nodes, 400/s at 4 nodes; with 8 tasks a node 800/s at 1 node";
    assert!(page.contains(words), "{page}");
    let text = markdown::text(&records);
    let row = text.lines().find(|line| line.starts_with("| 4 ")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["|", "4", "|", "400.000", "|", "3200.000", "|"]);
}

#[test]
fn ids_are_unique() {
    let page = page(&[record(full(), "a"), record(full(), "b")]);
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(all > 20 && ids.len() == all, "{all} ids, {} different", ids.len());
}

/// Puts `value` in place of the number or text that comes `at`-th.
fn put(tree: &mut Value, at: &mut usize, value: &Value) {
    match tree {
        Value::Array(list) => list.iter_mut().for_each(|part| put(part, at, value)),
        Value::Object(map) => map.values_mut().for_each(|part| put(part, at, value)),
        Value::Number(_) | Value::Null if *at == 0 => {
            *tree = value.clone();
            *at = usize::MAX;
        }
        Value::Number(_) | Value::Null => *at -= 1,
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_numbers_a_record_has_it_is_shown(
        changes in prop::collection::vec((0usize..4000, prop_oneof![
            Just(serde_json::json!(0)), Just(serde_json::json!(u64::MAX)), Just(serde_json::json!(-1)),
            Just(serde_json::json!(1e308)), Just(serde_json::json!(-1e308)), Just(serde_json::json!(5e-324)),
            Just(Value::Null),
        ]), 1..8)
    ) {
        let mut value = full();
        for (at, new) in &changes {
            let mut changed = value.clone();
            put(&mut changed, &mut at.clone(), new);
            // What cannot be a record is refused when it is loaded.
            if serde_json::from_value::<Record>(changed.clone()).is_ok() {
                value = changed;
            }
        }
        let records = [record(value, "a"), record(full(), "b")];
        page(&records[..1]);
        page(&records);
        markdown::text(&records);
        table_csv::text(&records);
        chart::rates::picture(&entries(&records));
    }
}
