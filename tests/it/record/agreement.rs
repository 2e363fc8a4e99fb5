//! How the numbers of a record agree with each other, worked out anew.

use serde_json::Value;
use std::collections::BTreeMap;

/// What stands at a place of the record, as an array.
#[track_caller]
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

pub fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// All phases of all iterations of all numbers of tasks.
pub fn phases(record: &Value) -> Vec<&Value> {
    let iterations = list(&record["results"]).iter().flat_map(|result| list(&result["iterations"]));
    iterations.flat_map(|iteration| list(&iteration["phases"])).collect()
}

#[track_caller]
pub fn close(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * one.abs().max(other.abs()), "{one} is not {other}");
}

pub fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no count: {value}"))
}

/// Pairs of the smallest value of a bucket and its count.
fn buckets(latency: &Value) -> BTreeMap<u64, u64> {
    let pairs: Vec<(u64, u64)> =
        list(&latency["buckets"]).iter().map(|pair| (count(&pair[0]), count(&pair[1]))).collect();
    assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0) && pairs.iter().all(|pair| pair.1 > 0));
    pairs.into_iter().collect()
}

/// Nanoseconds that a bucket is wide.
fn width(begins: u64) -> u64 {
    1 << begins.checked_ilog2().unwrap_or(0).saturating_sub(7)
}

const PERCENTILES: [(&str, u64); 5] =
    [("p50_ns", 5000), ("p90_ns", 9000), ("p99_ns", 9900), ("p99.9_ns", 9990), ("p99.99_ns", 9999)];

/// Every number of latencies worked out anew from the buckets; the mean as far as buckets tell it.
#[allow(clippy::cast_precision_loss)]
pub fn latency_comes_from_its_buckets(latency: &Value) {
    let (buckets, n) = (buckets(latency), count(&latency["count"]));
    assert_eq!(buckets.values().sum::<u64>(), n, "{latency}");
    let (min, max) = (count(&latency["min_ns"]), count(&latency["max_ns"]));
    let ends = [buckets.first_key_value(), buckets.last_key_value()].map(|end| *end.unwrap().0);
    assert!((ends[0]..ends[0] + width(ends[0])).contains(&min), "{latency}");
    assert!((ends[1]..ends[1] + width(ends[1])).contains(&max), "{latency}");
    for (name, of_10_000) in PERCENTILES {
        let rank = (n * of_10_000).div_ceil(10_000);
        let mut below = 0;
        let holds = buckets.iter().find(|(_, &here)| {
            below += here;
            below >= rank
        });
        let begins = *holds.unwrap().0;
        assert_eq!(
            count(&latency[name]),
            (begins + (width(begins) - 1) / 2).clamp(min, max),
            "{name} {latency}"
        );
    }
    let mean = |place: fn(u64) -> u64| {
        buckets
            .iter()
            .map(|(&begins, &here)| (begins + place(width(begins))) as f64 * here as f64)
            .sum::<f64>()
            / n as f64
    };
    let found = float(&latency["mean_ns"]);
    assert!(
        mean(|_| 0) <= found * (1.0 + 1e-9) && found <= mean(|width| width - 1) * (1.0 + 1e-9),
        "{latency}"
    );
}

/// One latency for each operation that succeeded: also under -c and -S, where one task does the work of others. What a
/// task does there besides (open its files, wait for others) is no operation.
pub fn latencies_agree(phase: &Value) {
    let latency = &phase["latency"];
    if phase["items"]["done"] == 0 {
        assert_eq!(latency, &Value::Null, "{phase}");
        return;
    }
    assert_eq!(latency["count"], phase["items"]["done"], "{phase}");
    latency_comes_from_its_buckets(latency);
    let (slowest, max) = (&latency["slowest"], float(&latency["max_ns"]) / 1e9);
    assert!(max <= float(&slowest["ended_s"]) * (1.0 + 1e-9), "{phase}");
    // Two readings of the clock, of which one is quick and a little off.
    assert!(float(&slowest["ended_s"]) <= float(&phase["tasks"]["max_s"]) * 1.01 + 1e-4, "{phase}");
    assert!(slowest["path"].as_str().is_some_and(|path| path.contains("test-dir.")), "{phase}");
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn windows_agree(phase: &Value) {
    let timeline = &phase["timeline"];
    if phase["items"]["attempted"] == 0 {
        assert_eq!((timeline, &phase["tasks"]), (&Value::Null, &Value::Null), "{phase}");
        return;
    }
    let operations: Vec<u64> = list(&timeline["operations"]).iter().map(count).collect();
    assert_eq!(operations.iter().sum::<u64>(), count(&phase["items"]["done"]), "{phase}");
    assert!(operations.last() != Some(&0), "{timeline}");
    let [window, first, last] = ["window_s", "first_done_s", "last_done_s"].map(|of| float(&timeline[of]));
    assert!((window / 0.001).log2().fract().abs() < 1e-9, "{timeline}");
    assert!(0.0 < first && first <= last, "{timeline}");
    let tail = float(&timeline["tail_share"]);
    assert!((0.0..=1.0).contains(&tail) && (tail - (1.0 - first / last)).abs() < 1e-9, "{timeline}");
    let whole = ((first / window) as usize).min(operations.len());
    let rate = &timeline["rate_while_all_worked_per_s"];
    if whole == 0 {
        assert_eq!(rate, &Value::Null, "{timeline}");
    } else {
        let sum: u64 = operations[..whole].iter().sum();
        close(float(rate), sum as f64 / (whole as f64 * window));
    }
    assert_eq!(timeline["interval"].is_object(), whole >= 20, "{timeline}");
    assert!(timeline["aligned"] == true && (first >= 1.0 || timeline["course"].is_null()), "{timeline}");
}

pub fn tasks_and_nodes_agree(phase: &Value, all: bool) {
    let (tasks, nodes) = (&phase["tasks"], list(&phase["nodes"]));
    let sum = |pointer: &str| nodes.iter().map(|node| count(node.pointer(pointer).unwrap())).sum::<u64>();
    assert_eq!(nodes.len(), 1, "everyone on one node");
    assert_eq!(sum("/items"), count(&phase["items"]["done"]), "{phase}");
    assert_eq!(sum("/latency/count"), phase["latency"]["count"].as_u64().unwrap_or(0), "{phase}");
    assert_eq!(sum("/tasks"), tasks["working"].as_u64().unwrap_or(0), "{phase}");
    for (name, value) in nodes[0]["latency"].as_object().unwrap() {
        let whole = phase["latency"].get(name).map_or(0.0, float);
        assert!((whole - float(value)).abs() <= 1e-9 * whole, "{name}: {phase}");
    }
    if tasks.is_null() {
        assert_eq!((&nodes[0]["max_s"], &nodes[0]["rate_per_s"]), (&0.0.into(), &0.0.into()), "{phase}");
        return;
    }
    let [min, median, max] = ["min_s", "median_s", "max_s"].map(|of| float(&tasks[of]));
    assert!(min <= median && median <= max, "{tasks}");
    assert!(max <= float(&phase["seconds_to_barrier"]["max"]), "{phase}");
    assert!((float(&nodes[0]["min_s"]), float(&nodes[0]["max_s"])) == (min, max), "{phase}");
    close(float(&tasks["max_over_median"]), max / median);
    assert!(tasks["node_share"].is_null() && nodes[0]["rate_without_per_s"].is_null(), "one node: {phase}");
    let (slow, working) = (count(&tasks["slow"]), count(&tasks["working"]));
    assert!(slow < working, "{tasks}");
    assert_eq!(tasks["rate_without_slow_per_s"].is_f64(), slow > 0, "{tasks}");
    if all {
        let details = list(&tasks["details"]);
        assert!(details.iter().enumerate().all(|(rank, task)| task["rank"] == rank), "{tasks}");
        let items: u64 = details.iter().map(|task| count(&task["items"])).sum();
        assert_eq!(items, count(&phase["items"]["done"]), "{phase}");
    }
}

/// Those of all iterations together, bucket by bucket.
#[allow(clippy::cast_precision_loss)]
pub fn latencies_of_iterations_are_merged(result: &Value) {
    for row in list(&result["statistics"]) {
        let phases = list(&result["iterations"]).iter().flat_map(|i| list(&i["phases"]));
        let each: Vec<&Value> = phases
            .filter(|p| p["phase"] == row["phase"] && !p["latency"].is_null())
            .map(|p| &p["latency"])
            .collect();
        let merged = &row["latency"];
        if each.is_empty() {
            assert_eq!(merged, &Value::Null);
            continue;
        }
        latency_comes_from_its_buckets(merged);
        let mut sums = BTreeMap::new();
        for (begins, here) in each.iter().flat_map(|latency| buckets(latency)) {
            *sums.entry(begins).or_insert(0) += here;
        }
        assert_eq!(buckets(merged), sums);
        let n: u64 = each.iter().map(|latency| count(&latency["count"])).sum();
        assert_eq!(count(&merged["count"]), n);
        let sum: f64 = each.iter().map(|l| float(&l["mean_ns"]) * count(&l["count"]) as f64).sum();
        close(float(&merged["mean_ns"]), sum / n as f64);
        let extreme = |name: &str| each.iter().map(|latency| count(&latency[name])).collect::<Vec<_>>();
        assert_eq!(Some(&count(&merged["min_ns"])), extreme("min_ns").iter().min());
        assert_eq!(Some(&count(&merged["max_ns"])), extreme("max_ns").iter().max());
        let slowest = each.iter().find(|latency| latency["max_ns"] == merged["max_ns"]).unwrap();
        assert_eq!(merged["slowest"], slowest["slowest"]);
    }
}

pub fn findings_are_in_order(result: &Value) {
    let findings = list(&result["findings"]);
    let weights: Vec<f64> = findings.iter().map(|finding| float(&finding["weight"])).collect();
    assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{findings:?}");
    assert!(weights.windows(2).all(|two| two[0] >= two[1]), "{findings:?}");
    let ran = |phase: &Value| list(&result["statistics"]).iter().any(|row| row["phase"] == *phase);
    assert!(findings.iter().all(|finding| ran(&finding["phase"])), "{findings:?}");
}

/// Max, min, mean and the sample's deviation, worked out anew.
#[allow(clippy::cast_precision_loss)]
pub fn statistics_come_from_the_iterations(result: &Value) {
    let iterations = list(&result["iterations"]);
    for row in list(&result["statistics"]) {
        for (statistic, value) in [
            ("rate_per_s", "rate_per_s"),
            ("true_rate_per_s", "true_rate_per_s"),
            ("seconds", "rated_seconds"),
        ] {
            let phases =
                iterations.iter().flat_map(|i| list(&i["phases"])).filter(|p| p["phase"] == row["phase"]);
            let values: Vec<f64> = phases.map(|phase| float(&phase[value])).collect();
            let (n, found) = (values.len() as f64, &row[statistic]);
            let mean = values.iter().sum::<f64>() / n;
            close(float(&found["mean"]), mean);
            close(float(&found["max"]), values.iter().copied().fold(f64::MIN, f64::max));
            close(float(&found["min"]), values.iter().copied().fold(f64::MAX, f64::min));
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            let middle = [sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]];
            close(float(&found["median"]), f64::midpoint(middle[0], middle[1]));
            if values.len() == 1 {
                assert_eq!(found["std_dev"], Value::Null);
                assert_ne!(found["interval"]["method"], "student-t");
                continue;
            }
            let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
            let (deviation, own) = ((squares / (n - 1.0)).sqrt(), float(&found["std_dev"]));
            assert!((deviation - own).abs() <= 1e-6 * mean.abs(), "{deviation} is not {own}");
            let half = STUDENTS_T[values.len() - 2] * deviation / n.sqrt();
            let interval = &found["interval"];
            assert_eq!(interval["method"], "student-t");
            for (end, expected) in [("low", (mean - half).max(0.0)), ("high", mean + half)] {
                let own = float(&interval[end]);
                assert!((expected - own).abs() <= 1e-6 * mean.abs(), "{end}: {expected} is not {own}");
            }
        }
        let tasks = &row["task_rate_per_s"];
        assert!(tasks["std_dev"].is_null() && tasks["interval"].is_null(), "{row}");
    }
}

/// The 0.975 quantiles of Student's t with 1, 2 and 3 degrees of freedom, from tables.
const STUDENTS_T: [f64; 3] = [12.706_204_736_432_095, 4.302_652_729_911_275, 3.182_446_305_284_263];
