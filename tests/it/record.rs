//! The files that a run writes: its record, and the CSV files.

use crate::harness::{each, names, Place};
use serde_json::Value;

/// What stands at a place of the record, as an array.
#[track_caller]
fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// All phases of all iterations of all numbers of tasks.
fn phases(record: &Value) -> Vec<&Value> {
    let iterations = list(&record["results"]).iter().flat_map(|result| list(&result["iterations"]));
    iterations.flat_map(|iteration| list(&iteration["phases"])).collect()
}

#[track_caller]
fn close(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * one.abs().max(other.abs()), "{one} is not {other}");
}

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
        }
        for result in list(&record["results"]) {
            statistics_come_from_the_iterations(result);
        }
    });
}

/// Max, min, mean and the sample's deviation, worked out anew.
#[allow(clippy::cast_precision_loss)]
fn statistics_come_from_the_iterations(result: &Value) {
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
            if values.len() == 1 {
                assert_eq!(found["std_dev"], Value::Null);
            } else {
                let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
                let (deviation, own) = ((squares / (n - 1.0)).sqrt(), float(&found["std_dev"]));
                assert!((deviation - own).abs() <= 1e-6 * mean.abs(), "{deviation} is not {own}");
            }
        }
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
fn every_row_of_the_rank_csv_has_every_cell() {
    let cases = [
        (3, "-n 3 -i 2 -b 2 -z 1", 2 * 4, vec!["3"; 4]),
        (3, "-S -n 2", 4, vec!["2"; 4]),
        (3, "-n 2 -F -f 1 -l 3", 2 + 3 + 4, vec!["2"; 4]),
        (2, "-n 3 -T -F", 3, vec!["3", "0", "0"]),
        (2, "-n 3 -C -a DUMMY -D", 3, vec!["3"; 3]),
    ];
    each(cases, |(tasks, line, rows, items)| {
        let place = Place::new();
        let code = if line.contains("-T") { 2 } else { 0 };
        place.run(*tasks, &format!("{line} -d {{D}} --saveRankPerformanceDetails={{W}}/r.csv")).expect(code);
        let text = place.text("r.csv");
        let table: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(table.len(), 1 + rows, "{text}");
        assert_eq!(table[0][..3], ["rank", "items", "rate-Directory creation"]);
        assert!(table[0].ends_with(&["iteration", "tasks"]) && table[0].len() == 2 + 2 * 11 + 2, "{text}");
        for row in &table[1..] {
            assert_eq!(row.len(), table[0].len(), "{row:?}");
            let numbers = row.iter().skip(1).all(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite));
            assert!(numbers && (row[0] == "all" || row[0].parse::<u64>().is_ok()), "{row:?}");
        }
        let last: Vec<&str> = table[1 + rows - items.len()..].iter().map(|row| row[1]).collect();
        assert_eq!(&last, items, "{text}");
    });
}

#[test]
fn the_csv_of_operations_has_a_row_for_each() {
    let place = Place::new();
    place.run(2, "-n 6 -I 3 -u=0 -i 2 -w 3 -e 3 -d {D} --savePerOpDataCSV={W}/op").expect(0);
    let files = names(&place.folder());
    let phases = [
        "Directory creation",
        "Directory stat",
        "Directory rename",
        "Directory removal",
        "File creation",
        "File stat",
        "File read",
        "File removal",
    ];
    let mut expected: Vec<String> =
        phases.iter().flat_map(|phase| [0, 1].map(|rank| format!("op-{phase}-{rank:05}.csv"))).collect();
    expected.sort();
    assert_eq!(files, expected);
    for file in files {
        let text = place.text(&file);
        let (header, rows) = text.split_once('\n').unwrap();
        assert_eq!(header, "time,runtime,tp", "{file}");
        let rows: Vec<Vec<f64>> =
            rows.lines().map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        assert_eq!(rows.len(), 12, "{file}: six items in each of two iterations");
        for row in &rows {
            assert!(row.len() == 3 && row.iter().all(|n| n.is_finite() && *n >= 0.0), "{file}: {row:?}");
            assert!(row[1] == 0.0 || (row[2] * row[1] - 1.0).abs() < 1e-4, "{file}: {row:?}");
        }
        let in_order = rows[..6].windows(2).chain(rows[6..].windows(2)).all(|pair| pair[0][0] <= pair[1][0]);
        assert!(in_order, "{file}");
    }
    // The next run begins anew.
    place.run(2, "-n 2 -F -d {D} --savePerOpDataCSV={W}/op").expect(0);
    assert_eq!(place.text("op-File stat-00001.csv").lines().count(), 3);
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
