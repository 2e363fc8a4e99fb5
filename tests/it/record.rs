//! The files that a run writes: its record, and the CSV files.

mod agreement;
mod csv;

use crate::harness::{each, Place};
use agreement::*;
use serde_json::Value;

#[test]
fn the_record_tells_the_run_and_its_surroundings() {
    let place = Place::new();
    place.run(3, "-n 4 -b 2 -z 1 -u -I 0 -F -w 10 -e 10 -G 5 -d {D} --json {W}/r.json -i 2").expect(0);
    let record = place.record();
    let text = |pointer: &str| {
        record.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer}"))
    };
    assert_eq!((text("/schema"), text("/version")), ("mdtest-rs/1", env!("CARGO_PKG_VERSION")));
    assert!(text("/command_line/0").ends_with("mdtest-rs") && text("/command_line/2") == "4");
    let times = ["/started", "/finished"].map(|t| chrono::DateTime::parse_from_rfc3339(text(t)).unwrap());
    assert!(times[0] <= times[1]);
    assert!(text("/mpi/library").contains("MPI") && text("/mpi/standard").starts_with(['3', '4', '5']));
    assert_eq!((record["exit_code"].as_i64(), &record["ended_early"]), (Some(0), &Value::Null));
    // Everyone on one node.
    assert_eq!((&record["placement"]["tasks"], &record["placement"]["nodes"]), (&3.into(), &1.into()));
    assert_eq!(record["placement"]["tasks_on_first_node"], 3);
    assert!(list(&record["hosts"]).len() == 1 && record["hosts"][0]["tasks"] == 3);
    assert!(!text("/hosts/0/name").is_empty() && !text("/hosts/0/kernel").is_empty());
    // Defaults and what they came to.
    let plan = &record["plan"];
    for (name, value) in [
        ("branch", 2),
        ("depth", 1),
        ("items_per_directory", 1),
        ("items_per_task", 3),
        ("tree_directories", 3),
        ("data_offset", 5),
    ] {
        assert_eq!(plan[name], value, "{name}");
    }
    assert_eq!(
        (&plan["api"], &plan["packet"], &plan["barriers"]),
        (&"POSIX".into(), &"timestamp".into(), &true.into())
    );
    assert!(list(&record["warnings"]).iter().any(|w| w.as_str().is_some_and(|w| w.contains("rounded down"))));
    // The file system under it, as the system tells it.
    let under = &record["test_directories"][0];
    let stat = |format: &str| {
        let mut stat = std::process::Command::new("stat");
        let out = stat.args(["-f", "-c", format]).arg(place.folder()).output().unwrap().stdout;
        String::from_utf8(out).unwrap().trim().to_string()
    };
    if stat("%T") == "tmpfs" {
        assert_eq!(under["fs_type"], "tmpfs");
    }
    let blocks: u64 = stat("%b").parse().unwrap();
    assert_eq!(under["size_bytes"], blocks * stat("%S").parse::<u64>().unwrap());
    assert!(under["mount_point"].is_string() && under["free_inodes"].as_u64() <= under["inodes"].as_u64());
}

#[test]
fn counts_and_rates_agree_with_each_other() {
    let lines = [
        "-n 6 -I 3 -b 2 -z 1 -i 3 -e 1 -w 1",
        "-u -b 3 -z 1 -I 2 -i 2",
        "-c -n 5",
        "-S -n 4",
        "-n 3 -T -E -F",
        "-n 4 -F -l 3",
        "-u -n 7 -i 4 --rank-details none",
        "-n 300 -i 3 -F --rank-details all",
        "-n 1 -B",
    ];
    each(lines, |line| {
        let place = Place::new();
        let code = if line.contains("-T -E") { 2 } else { 0 };
        place.run(3, &format!("{line} -d {{D}} --json {{W}}/r.json")).expect(code);
        let record = place.record();
        for phase in phases(&record) {
            let count = |of: &str| phase["items"][of].as_u64().unwrap();
            assert_eq!(count("attempted"), count("done") + count("failed"), "{phase}");
            let errors: u64 = list(&phase["errors"]).iter().map(|e| e["count"].as_u64().unwrap()).sum();
            assert_eq!(count("failed"), errors, "{phase}");
            let (to, through) = (&phase["seconds_to_barrier"], &phase["seconds"]);
            for times in [to, through] {
                let [min, mean, max] = ["min", "mean", "max"].map(|of| float(&times[of]));
                assert!(0.0 <= min && min <= mean * (1.0 + 1e-9) && mean <= max * (1.0 + 1e-9), "{times}");
                assert!(
                    times["last"]["rank"].as_u64().unwrap() < 3
                        && times["last"]["host"] == record["hosts"][0]["name"]
                );
            }
            assert!(float(&to["max"]) <= float(&through["max"]), "{phase}");
            #[allow(clippy::cast_precision_loss)]
            close(float(&phase["true_rate_per_s"]), count("done") as f64 / float(&through["max"]));
            latencies_agree(phase);
            windows_agree(phase);
            tasks_and_nodes_agree(phase, record["plan"]["output"]["rank_details"] == "all");
        }
        let harness = ["min", "mean", "max"].map(|of| float(&record["harness_ns"][of]));
        assert!(0.0 < harness[0] && harness[0] <= harness[1] * (1.0 + 1e-9), "{harness:?}");
        assert!(harness[1] <= harness[2] * (1.0 + 1e-9), "{harness:?}");
        for result in list(&record["results"]) {
            // Everyone on one node.
            assert!(list(&result["iterations"]).iter().all(|i| float(&i["clock_error_s"]) == 0.0));
            statistics_come_from_the_iterations(result);
            latencies_of_iterations_are_merged(result);
            findings_are_in_order(result);
        }
    });
}

/// The interval of the only iteration is that of its windows, as wide in proportion.
#[test]
fn the_interval_of_one_iteration_is_that_of_its_windows() {
    let place = Place::new();
    let line = "-a DUMMY --dummy.delay-create=1000 -n 100 -F -C --json {W}/r.json";
    place.run(2, line).expect(0);
    let record = place.record();
    let phase = phases(&record).into_iter().find(|p| p["phase"] == "file-create").unwrap();
    let rows = list(&record["results"][0]["statistics"]);
    let row = rows.iter().find(|row| row["phase"] == "file-create").unwrap();
    let timeline = &phase["timeline"];
    for rate in ["rate_per_s", "true_rate_per_s"] {
        let share = float(&row[rate]["mean"]) / float(&timeline["rate_while_all_worked_per_s"]);
        let [whole, windows] = [&row[rate]["interval"], &timeline["interval"]];
        assert_eq!(
            (&whole["method"], &windows["method"]),
            (&"block-bootstrap".into(), &"block-bootstrap".into())
        );
        for end in ["low", "high"] {
            close(float(&whole[end]), share * float(&windows[end]));
        }
        assert!(float(&whole["low"]) <= float(&row[rate]["mean"]), "{row}");
    }
}

/// Items that a worn-out stonewall took back do not count; that they were made has its latencies and its windows.
#[test]
fn what_is_cut_back_keeps_its_latencies() {
    let place = Place::new();
    let line = "-a DUMMY --dummy.delay-create=2000 --dummy.delay-only-rank0 -F -C -u -n 4000 -W 1";
    place.run(2, &format!("{line} --wear-out-limit 0 --rank-details all --json {{W}}/r.json")).expect(0);
    let record = place.record();
    let phase = phases(&record).into_iter().find(|p| p["phase"] == "file-create").unwrap();
    assert_eq!(phase["stonewall"]["worn_out"], true);
    let (done, made) = (count(&phase["items"]["done"]), count(&phase["latency"]["count"]));
    // The fast task had made all of its items by the wall.
    let agreed = count(&phase["stonewall"]["items_agreed"]);
    assert_eq!((done, made), (2 * agreed, agreed + 4000), "{}", phase["stonewall"]);
    assert_eq!(list(&phase["timeline"]["operations"]).iter().map(count).sum::<u64>(), made);
    let node = &phase["nodes"][0];
    assert_eq!((count(&node["items"]), count(&node["latency"]["count"])), (done, made));
    let details = list(&phase["tasks"]["details"]);
    assert!(details.len() == 2 && details.iter().all(|task| task["items"] == agreed), "{details:?}");
    latency_comes_from_its_buckets(&phase["latency"]);
}

/// A rate of 0 is known well enough: that all failed is told elsewhere.
#[test]
fn no_spread_is_found_where_nothing_succeeded() {
    let place = Place::new();
    place.run(2, "-n 10 -i 2 -F -T -E -d {D} --json {W}/r.json").expect(2);
    let record = place.record();
    let result = &record["results"][0];
    assert!(list(&result["statistics"]).iter().all(|row| float(&row["rate_per_s"]["mean"]) == 0.0));
    assert_eq!(result["findings"], serde_json::json!([]));
}

#[test]
fn the_text_tells_how_many_iterations_there_were() {
    for (line, made) in [
        ("--until-ci 0.01% --max-iterations 5", 5..=5),
        ("--until-ci 100%", 3..=30),
        ("--until-ci 5% -i 4 --max-iterations 4", 4..=4),
        ("-i 2", 2..=2),
    ] {
        let place = Place::new();
        let ran = place.run(2, &format!("-n 30 -F {line} -d {{D}} --json {{W}}/r.json")).expect(0);
        let record = place.record();
        let iterations = list(&record["results"][0]["iterations"]);
        assert!(made.contains(&iterations.len()), "{line}: {}", iterations.len());
        assert!(iterations.iter().enumerate().all(|(number, i)| i["iteration"] == number), "{line}");
        let text = format!("(of {} iterations)", iterations.len());
        assert_eq!(ran.stdout.matches(&text).count(), 1, "{line}: {}", ran.stdout);
        assert_eq!(ran.stdout.matches(" iterations)").count(), 1, "{line}: {}", ran.stdout);
    }
}

#[test]
fn the_true_rate_of_trees_counts_all_trees() {
    let place = Place::new();
    let trees = |line: &str, tasks: usize| {
        place.run(tasks, &format!("{line} -d {{D}} --json {{W}}/r.json --force")).expect(0);
        let record = place.record();
        let phase = phases(&record).into_iter().find(|p| p["phase"] == "tree-create").unwrap().clone();
        (phase, record["results"][0]["tree_directories"].as_u64().unwrap())
    };
    for (line, tasks, one, all) in
        [("-b 3 -z 1 -I 1 -F -u", 3, 4.0, 12), ("-n 4 -I 2 -F -b 2 -z 1", 2, 3.0, 6), ("-n 1 -F", 2, 1.0, 1)]
    {
        let (phase, directories) = trees(line, tasks);
        assert_eq!((phase["items"]["done"].as_u64(), directories), (Some(all), all), "{line}");
        // mdtest's number is rank 0's, of one tree.
        close(float(&phase["rate_per_s"]), one / float(&phase["rated_seconds"]));
    }
}

#[test]
fn all_values_of_all_tasks_are_printed_where_they_are_asked_for() {
    let place = Place::new();
    let ran = place.run(3, "-n 2 -F -i 2 -d {D} --print-all-procs -P").expect(0);
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("Test ")).collect();
    assert_eq!(lines.len(), 2 * 2 * 6, "{}", ran.stdout);
    for line in lines {
        let values: Vec<&str> = line.rsplit(' ').next().unwrap().split(',').collect();
        assert!(
            values.len() == 3 && values.iter().all(|v| v.parse::<f64>().is_ok_and(f64::is_finite)),
            "{line}"
        );
    }
}
