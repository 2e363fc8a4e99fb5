//! Latencies, single tasks and the course in time, as the run record tells them: against delays that are known because
//! the test itself made them, by the DUMMY API or by a file system of its own. Lower limits only: the machine may
//! always be slower.

use crate::fuse::{Mounted, Operation, Rule, What};
use crate::harness::Place;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no count: {value}"))
}

#[track_caller]
fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

#[track_caller]
fn close(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * one.abs().max(other.abs()), "{one} is not {other}");
}

/// Runs with `tasks` and reads the phases of the first iteration from the record, which has to agree with itself.
#[track_caller]
fn phases(place: &Place, tasks: usize, line: &str, code: i32) -> Vec<Value> {
    place.run(tasks, &format!("{line} --json {{W}}/r.json --force")).expect(code);
    let record = place.record();
    let phases = list(&record["results"][0]["iterations"][0]["phases"]).clone();
    phases.iter().for_each(|phase| agrees_with_itself(phase, &record["hosts"][0]["name"]));
    phases
}

#[track_caller]
fn phase<'a>(phases: &'a [Value], name: &str) -> &'a Value {
    phases.iter().find(|phase| phase["phase"] == name).unwrap_or_else(|| panic!("no {name}"))
}

/// What holds in every phase in which something succeeded, on one node.
#[allow(clippy::cast_precision_loss)]
fn agrees_with_itself(phase: &Value, host: &Value) {
    let (latency, done) = (&phase["latency"], count(&phase["items"]["done"]));
    assert_eq!(count(&latency["count"]), done, "{phase}");
    percentiles_come_from_the_buckets(latency);
    assert_eq!(latency["slowest"]["task"]["host"], *host);
    let longest_s = float(&phase["seconds_to_barrier"]["max"]);
    let ended_s = float(&latency["slowest"]["ended_s"]);
    assert!(
        float(&latency["max_ns"]) / 1e9 <= ended_s * (1.0 + 1e-9) && ended_s <= longest_s * (1.0 + 1e-4),
        "{phase}"
    );

    let timeline = &phase["timeline"];
    let operations: u64 = list(&timeline["operations"]).iter().map(count).sum();
    assert_eq!(operations, done, "{phase}");
    let (first_s, last_s) = (float(&timeline["first_done_s"]), float(&timeline["last_done_s"]));
    assert!(0.0 < first_s && first_s <= last_s, "{timeline}");
    close(float(&timeline["tail_share"]), 1.0 - first_s / last_s);

    let spread = &phase["tasks"];
    let [min_s, median_s, max_s] = ["min_s", "median_s", "max_s"].map(|of| float(&spread[of]));
    assert!(min_s <= median_s && median_s <= max_s, "{spread}");
    assert!(max_s <= longest_s, "{phase}");
    close(float(&spread["max_over_median"]), max_s / median_s);
    let (slow, without) = (count(&spread["slow"]), &spread["rate_without_slow_per_s"]);
    assert_eq!(slow > 0, max_s > float(&spread["slow_above_s"]), "{spread}");
    assert!(without.is_null() == (slow == 0) && spread["node_share"].is_null(), "{spread}");

    let nodes = list(&phase["nodes"]);
    assert!(nodes.len() == 1 && nodes[0]["host"] == *host, "{phase}");
    assert_eq!((&nodes[0]["tasks"], count(&nodes[0]["items"])), (&spread["working"], done));
    close(float(&nodes[0]["max_s"]), max_s);
    for (name, value) in nodes[0]["latency"].as_object().unwrap() {
        close(float(value), float(&latency[name]));
    }
}

/// The pairs of a bucket's smallest value and its count, with the bucket's largest value.
fn buckets(latency: &Value) -> Vec<(u64, u64, u64)> {
    let pairs = list(&latency["buckets"]).iter().map(|pair| (count(&pair[0]), count(&pair[1])));
    pairs.map(|(first, n)| (first, first + (1 << first.max(128).ilog2().saturating_sub(7)) - 1, n)).collect()
}

/// The percentiles worked out anew, and the other numbers as far as the buckets tell them.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn percentiles_come_from_the_buckets(latency: &Value) {
    let (buckets, n) = (buckets(latency), count(&latency["count"]));
    assert_eq!(buckets.iter().map(|bucket| bucket.2).sum::<u64>(), n, "{latency}");
    assert!(
        buckets.windows(2).all(|pair| pair[0].1 < pair[1].0) && buckets.iter().all(|b| b.2 > 0),
        "{latency}"
    );
    let names = ["min_ns", "p50_ns", "p90_ns", "p99_ns", "p99.9_ns", "p99.99_ns", "max_ns"];
    let numbers = names.map(|name| count(&latency[name]));
    assert!(numbers.is_sorted(), "{latency}");
    for (q, found) in [0.5, 0.9, 0.99, 0.999, 0.9999].into_iter().zip(&numbers[1..6]) {
        let wanted = ((q * n as f64 - 1e-6).ceil() as u64).max(1);
        let mut upto = 0;
        let at = buckets.iter().find(|bucket| {
            upto += bucket.2;
            upto >= wanted
        });
        let (first, last, _) = *at.unwrap();
        let (low, high) = (first as f64 * 0.99, last as f64 * 1.01);
        assert!(
            (low..=high).contains(&(*found as f64)),
            "{q}: {found} is not in {first}..={last}: {latency}"
        );
    }
    let (first, last) = (buckets[0], buckets[buckets.len() - 1]);
    assert!(
        (first.0..=first.1).contains(&numbers[0]) && (last.0..=last.1).contains(&numbers[6]),
        "{latency}"
    );
    let sum = float(&latency["mean_ns"]) * n as f64;
    let [low, high] = [|b: &(u64, u64, u64)| b.0 * b.2, |b: &(u64, u64, u64)| b.1 * b.2]
        .map(|of| buckets.iter().map(of).sum::<u64>() as f64);
    assert!(low * (1.0 - 1e-9) <= sum && sum <= high * (1.0 + 1e-9), "{low} {sum} {high}");
}

fn path_of_slowest(latency: &Value) -> &str {
    latency["slowest"]["path"].as_str().unwrap()
}

#[test]
#[allow(clippy::cast_precision_loss)]
fn delays_of_the_dummy_are_seen_in_each_operation() {
    let place = Place::new();
    let line = "-a DUMMY -n 300 -d {D} --dummy.delay-create=300 --rank-details all";
    let phases = phases(&place, 2, line, 0);
    let names: Vec<&str> = phases.iter().map(|phase| phase["phase"].as_str().unwrap()).collect();
    for name in ["tree-create", "directory-create", "directory-rename", "file-create", "tree-remove"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let create = phase(&phases, "file-create");
    let latency = &create["latency"];
    assert_eq!(count(&latency["count"]), 600);
    assert!(count(&latency["min_ns"]) >= 300_000 && count(&latency["p50_ns"]) >= 300_000, "{latency}");
    // The sums of single tasks are the sum of all, and take no longer than the tasks did.
    let sum_ns = float(&latency["mean_ns"]) * float(&latency["count"]);
    let tasks = list(&create["tasks"]["details"]);
    let of_task = |task: &Value| float(&task["mean_ns"]) * count(&task["items"]) as f64;
    close(sum_ns, tasks.iter().map(of_task).sum());
    for task in tasks {
        assert!(of_task(task) <= float(&task["done_s"]) * 1e9 * (1.0 + 1e-4), "{task}");
        assert!(count(&task["p99_ns"]) >= 300_000, "{task}");
    }
}

#[test]
fn a_straggler_is_named_with_the_rate_without_it() {
    let place = Place::new();
    let line = "-a DUMMY -n 300 -F -d {D} --dummy.delay-create=300 --dummy.delay-only-rank0 --rank-details";
    let spread_of = |which: &str, tasks| {
        let phases = phases(&place, tasks, &format!("{line} {which}"), 0);
        let create = phase(&phases, "file-create").clone();
        (create["tasks"].clone(), float(&create["rate_per_s"]))
    };
    // The others are done in less than a moment, so that one of them may be slow against two more.
    let is_found = |(spread, rate): &(Value, f64)| {
        assert!(count(&spread["slow"]) >= 1 && float(&spread["max_over_median"]) > 2.0, "{spread}");
        assert!(float(&spread["rate_without_slow_per_s"]) > *rate, "{spread}");
    };
    let ranks = |spread: &Value| -> Vec<u64> {
        list(&spread["details"]).iter().map(|task| count(&task["rank"])).collect()
    };
    let slowest = spread_of("slowest", 4);
    is_found(&slowest);
    assert_eq!((ranks(&slowest.0)[0], ranks(&slowest.0).len()), (0, 4));
    let all = spread_of("all", 4);
    is_found(&all);
    assert_eq!(ranks(&all.0), [0, 1, 2, 3]);
    let times: Vec<f64> = list(&all.0["details"]).iter().map(|task| float(&task["done_s"])).collect();
    let above = times.iter().filter(|time| **time > float(&all.0["slow_above_s"])).count() as u64;
    assert_eq!((count(&all.0["slow"]), times[0]), (above, float(&all.0["max_s"])));
    let none = spread_of("none", 4);
    is_found(&none);
    assert!(ranks(&none.0).is_empty());
    let (many, _) = spread_of("slowest", 18);
    let times: Vec<f64> = list(&many["details"]).iter().map(|task| float(&task["done_s"])).collect();
    assert!(times.len() == 16 && times.is_sorted_by(|one, next| one >= next), "{times:?}");
}

#[test]
fn twelve_tasks_have_the_counts_of_all_their_operations() {
    let place = Place::new();
    let phases = phases(&place, 12, "-a DUMMY -n 500 -d {D} --savePerOpDataCSV={W}/op", 0);
    let label = |name: &str| match name {
        "directory-create" => "Directory creation",
        "directory-stat" => "Directory stat",
        "directory-rename" => "Directory rename",
        "directory-remove" => "Directory removal",
        "file-create" => "File creation",
        "file-stat" => "File stat",
        "file-read" => "File read",
        _ => "File removal",
    };
    for phase in phases.iter().filter(|phase| !phase["phase"].as_str().unwrap().starts_with("tree")) {
        let name = phase["phase"].as_str().unwrap();
        let mut counts = BTreeMap::new();
        let mut sum_ns = 0;
        for rank in 0..12 {
            let text = place.text(&format!("op-{}-{rank:05}.csv", label(name)));
            for ns in text.lines().skip(1).map(runtime_ns) {
                let width = 1 << ns.max(128).ilog2().saturating_sub(7);
                *counts.entry(ns / width * width).or_insert(0) += 1;
                sum_ns += ns;
            }
        }
        let told: BTreeMap<u64, u64> =
            buckets(&phase["latency"]).into_iter().map(|(first, _, n)| (first, n)).collect();
        assert_eq!(told, counts, "{name}");
        #[allow(clippy::cast_precision_loss)]
        let sum_ns = sum_ns as f64;
        close(float(&phase["latency"]["mean_ns"]) * float(&phase["latency"]["count"]), sum_ns);
    }
}

/// The second cell of a row, seconds with nine digits: to the nanosecond where it is less than one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn runtime_ns(row: &str) -> u64 {
    (row.split(',').nth(1).unwrap().parse::<f64>().unwrap() * 1e9).round() as u64
}

#[test]
fn rare_slow_operations_are_seen_at_the_99th_percentile() {
    // The machine may hold up an operation for longer than the file system does, but not each time.
    assert!((0..4).any(|_| slowest_is_among_the_delayed()));
}

/// Delays every 50th create; whether the slowest is one of these.
fn slowest_is_among_the_delayed() -> bool {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let slow = fs.add(Rule::on(Operation::Create, What::Delay(40 * MS)).named("file.mdtest").every(50));
    let phases = phases(&place, 2, "-n 150 -F -u -d {W}/m/d", 0);
    let latency = &phase(&phases, "file-create")["latency"];
    let delayed = fs.fired(slow);
    assert_eq!(delayed.len(), 6);
    assert!(count(&latency["p50_ns"]) < 40_000_000 && count(&latency["max_ns"]) >= 40_000_000, "{latency}");
    assert!(float(&latency["p99_ns"]) >= 0.99 * 40e6, "{latency}");
    let late: u64 = buckets(latency).iter().filter(|bucket| bucket.1 >= 40_000_000).map(|b| b.2).sum();
    assert!(late >= 6, "{latency}");
    delayed.iter().any(|path| path == path_of_slowest(latency))
}

#[test]
fn the_slowest_operation_is_told_by_its_path_and_task() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let creates = fs.add(Rule::on(Operation::Create, What::Delay(400 * MS)).named("file.mdtest.1.17"));
    let removes = fs.add(Rule::on(Operation::Unlink, What::Delay(400 * MS)).named("file.mdtest.2.25"));
    let phases = phases(&place, 3, "-n 40 -F -u -d {W}/m/d", 0);
    for (name, rule, rank) in [("file-create", creates, 1), ("file-remove", removes, 2)] {
        let latency = &phase(&phases, name)["latency"];
        assert!(count(&latency["max_ns"]) >= 400_000_000, "{latency}");
        assert_eq!(fs.fired(rule), [path_of_slowest(latency)]);
        let slowest = &latency["slowest"];
        assert_eq!((&slowest["task"]["rank"], &slowest["iteration"]), (&rank.into(), &0.into()));
    }
}

#[test]
fn a_task_whose_items_are_slow_is_named() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    fs.add(Rule::on(Operation::Create, What::Delay(10 * MS)).named("file.mdtest"));
    fs.add(Rule::on(Operation::Create, What::Delay(20 * MS)).named("file.mdtest.2."));
    let phases = phases(&place, 4, "-n 60 -F -C -u -d {W}/m/d", 0);
    let create = phase(&phases, "file-create");
    let (spread, timeline) = (&create["tasks"], &create["timeline"]);
    // Rank 2, and others only where the machine held them up.
    let slow = list(&spread["details"])
        .iter()
        .filter(|task| float(&task["done_s"]) > float(&spread["slow_above_s"]));
    assert!(slow.count() as u64 == count(&spread["slow"]) && count(&spread["slow"]) >= 1, "{spread}");
    assert_eq!((&spread["details"][0]["rank"], &spread["details"][0]["items"]), (&2.into(), &60.into()));
    assert!(float(&spread["max_over_median"]) > 1.2 && spread["working"] == 4, "{spread}");
    assert!(float(&spread["rate_without_slow_per_s"]) > float(&create["true_rate_per_s"]), "{create}");
    assert_eq!(create["seconds_to_barrier"]["last"]["rank"], 2);
    assert!(float(&timeline["tail_share"]) > 0.0, "{timeline}");
    assert!(float(&timeline["first_done_s"]) < float(&timeline["last_done_s"]), "{timeline}");
}

/// Creates for three seconds or more with four tasks, which sleep most of it, so that other tests beside hardly change
/// their rate; the file creation's timeline.
fn timeline_with(fs: &Mounted, place: &Place) -> Value {
    fs.add(Rule::on(Operation::Create, What::Delay(8 * MS)).named("file.mdtest"));
    let phases = phases(place, 4, "-n 380 -F -C -u -d {W}/m/d", 0);
    let timeline = phase(&phases, "file-create")["timeline"].clone();
    assert!(timeline["aligned"] == true && float(&timeline["rate_while_all_worked_per_s"]) > 0.0);
    timeline
}

/// From when to when a level is, seconds.
fn moments(level: &Value, timeline: &Value) -> (f64, f64) {
    let (first, windows) = (float(&level["first_window"]), float(&level["windows"]));
    let width_s = float(&timeline["window_s"]);
    (first * width_s, (first + windows) * width_s)
}

#[test]
fn a_pause_is_a_dip_in_the_course() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let pause = Rule::on(Operation::Create, What::Delay(600 * MS)).named("file.mdtest");
    let paused = fs.add(pause.between(1000 * MS, 1600 * MS));
    let timeline = timeline_with(&fs, &place);
    assert_eq!(fs.fired(paused).len(), 4, "one create of each task");
    let dips = list(&timeline["course"]["dips"]);
    let found = dips
        .iter()
        .map(|dip| moments(dip, &timeline))
        .any(|(from_s, to_s)| (0.7..=1.3).contains(&from_s) && (1.4..=2.1).contains(&to_s));
    assert!(found, "{timeline}");
}

#[test]
fn a_slow_start_is_a_warm_up() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let cold = Rule::on(Operation::Create, What::Delay(24 * MS)).named("file.mdtest");
    fs.add(cold.between(Duration::ZERO, 1000 * MS));
    let timeline = timeline_with(&fs, &place);
    let course = &timeline["course"];
    let (from_s, to_s) = moments(&course["warm_up"], &timeline);
    assert!(from_s == 0.0 && (0.7..=1.3).contains(&to_s), "{timeline}");
    assert!(float(&course["warm_up"]["mean"]) < 0.8 * float(&course["steady"]["mean"]), "{course}");
}

#[test]
fn what_failed_has_no_latency() {
    let place = Place::new();
    let fs = Mounted::new(&place);
    let failing = fs.add(Rule::on(Operation::Stat, What::Fail(libc::EIO)).named("file.mdtest").every(3));
    let phases = phases(&place, 2, "-n 40 -F -d {W}/m/d", 2);
    let (stat, failed) = (phase(&phases, "file-stat"), fs.fired(failing).len());
    assert!(failed > 0);
    assert_eq!((count(&stat["items"]["failed"]), count(&stat["items"]["attempted"])), (failed as u64, 80));
    assert_eq!(count(&stat["latency"]["count"]), 80 - failed as u64);
    assert_eq!((&stat["errors"][0]["kind"], &stat["errors"][0]["count"]), (&"EIO".into(), &failed.into()));
    let paths = fs.fired(failing);
    assert!(paths.iter().any(|path| stat["errors"][0]["path"] == **path), "{stat} {paths:?}");
}
