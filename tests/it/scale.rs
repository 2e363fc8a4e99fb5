//! Many tasks, and parts of them.

use crate::harness::{each, Place};
use serde_json::Value;

#[test]
fn a_dozen_tasks_and_more_do_the_main_job() {
    for (tasks, line, items) in
        [(12, "-b 3 -z 1 -I 5 -u", 240), (64, "-n 5 -u -F", 320), (12, "-n 3 -N 5 -R", 36)]
    {
        let place = Place::new();
        let ran = place.run(tasks, &format!("{line} -d {{D}} --json {{W}}/r.json")).expect(0);
        assert!(ran.stdout.contains(&format!("\n{tasks} tasks, {items} files")), "{}", ran.stdout);
        assert!(ran.stdout.contains(&format!("\nNodemap: {}\n", "1".repeat(tasks))), "{}", ran.stdout);
        let record = place.record();
        for phase in record["results"][0]["iterations"][0]["phases"].as_array().unwrap() {
            let tree = phase["phase"].as_str().unwrap().starts_with("tree");
            assert!(phase["items"]["failed"] == 0 && (tree || phase["items"]["done"] == items), "{phase}");
        }
        assert!(place.left().is_empty() && !place.test_directory().exists());
    }
}

#[test]
fn parts_of_the_tasks_do_the_whole_test_each() {
    let cases: [(&str, &[u64]); 6] = [
        ("-l 4", &[1, 2, 3, 4]),
        ("-f 2 -l 4 -s 2", &[2, 4]),
        ("-f 2 -l 3 -s 5", &[2]),
        ("-f 3", &[4]),
        ("-s 2", &[4]),
        ("-f 3 -l 4 -N 1", &[3, 4]),
    ];
    each(cases, |(line, counts)| {
        let place = Place::new();
        let ran = place.run(4, &format!("-n 3 -u -b 2 -z 1 -d {{D}} --json {{W}}/r.json {line}")).expect(0);
        let said = |tasks: &u64| format!("{tasks} tasks, {} files/directories", 3 * tasks);
        let lines: Vec<&str> = ran.stdout.lines().filter(|l| l.contains(" tasks, ")).collect();
        assert_eq!(lines, counts.iter().map(said).collect::<Vec<_>>());
        let record = place.record();
        let results = record["results"].as_array().unwrap();
        assert_eq!(results.iter().map(|r| r["tasks"].as_u64().unwrap()).collect::<Vec<_>>(), *counts);
        let done = |of: &Value| of.pointer("/iterations/0/phases/1/items/done").and_then(Value::as_u64);
        assert!(results.iter().zip(*counts).all(|(result, tasks)| done(result) == Some(3 * tasks)));
        assert_eq!(place.left(), Vec::<String>::new());
    });
}

#[test]
fn a_failure_in_a_part_reaches_the_exit_code_of_all() {
    let place = Place::new();
    place.run_alone("-n 3 -F -C -d {D}").expect(0);
    // One task finds its files, two do not.
    let ran = place.run(3, "-n 3 -F -T -l 3 -d {D} --json {W}/r.json").expect(2);
    assert_eq!(ran.said().iter().filter(|l| l.contains("ENOENT")).count(), 2, "{}", ran.stderr);
    let record = place.record();
    let failed = |i: usize| record["results"][i]["iterations"][0]["phases"][0]["items"]["failed"].clone();
    assert_eq!([failed(0), failed(1), failed(2)], [0, 3, 6]);
}
