//! Every kind of run writes a record that docs/run-record.schema.json describes to the last field.

pub mod judge;

use crate::harness::{is_open_mpi, wait, Place};
use judge::*;
use mdtest_rs::plan::{Progress, RankDetails};
use mdtest_rs::result::course::course;
use mdtest_rs::result::findings::About;
use mdtest_rs::result::interval::Method;
use mdtest_rs::result::record::SCHEMA;
use serde_json::{json, Value};
use std::collections::BTreeSet;

/// The phase of the first iteration for the first number of tasks.
#[track_caller]
fn phase<'a>(record: &'a Value, name: &str) -> &'a Value {
    let phases = record["results"][0]["iterations"][0]["phases"].as_array().unwrap();
    phases.iter().find(|p| p["phase"] == name).unwrap_or_else(|| panic!("{name} is not there"))
}

/// The record of a run with `ranks` tasks that ends with `code`, held to the schema.
#[track_caller]
fn record(ranks: usize, code: i32, line: &str) -> Value {
    let place = Place::new();
    place.run(ranks, &format!("{line} -d {{D}} --json {{W}}/r.json")).expect(code);
    let record = place.record();
    Judge::new().accept(&record);
    assert_eq!(record["exit_code"], code);
    record
}

#[test]
fn the_schema_is_one_and_names_the_version_of_the_code() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
}

#[test]
fn every_field_is_described_and_every_object_closed() {
    fn look(value: &Value, here: &str) {
        if let Some(fields) = value["properties"].as_object() {
            assert_eq!(value["additionalProperties"], json!(false), "{here}");
            assert_eq!(value["required"].as_array().unwrap().len(), fields.len(), "{here}");
            for (name, field) in fields {
                assert!(field["description"].is_string(), "{here}/{name}");
            }
        }
        match value {
            Value::Object(fields) => fields.iter().for_each(|(k, v)| look(v, &format!("{here}/{k}"))),
            Value::Array(items) => items.iter().for_each(|v| look(v, here)),
            _ => {}
        }
    }
    look(&schema(), "");
}

#[test]
fn a_whole_run_with_every_output() {
    let record = record(
        3,
        0,
        "-n 6 -I 2 -i 2 -b 2 -z 1 -w 10 -e 10 -X --verify-write -y -Y -P -V 3 -G 7 --print-all-procs \
         --showRankStatistics --dialect 3 --saveRankPerformanceDetails={W}/r.csv --savePerOpDataCSV={W}/op \
         --run-cmd-before-phase=true --run-cmd-after-phase=true --dataPacketType=o",
    );
    Judge::new().accept_only(&record);
    assert_eq!(record["plan"]["test_directories"], 3);
    assert_eq!(record["results"][0]["iterations"][1]["phases"].as_array().unwrap().len(), 10);
}

#[test]
fn failed_operations() {
    let record = record(2, 2, "-n 3 -T -E");
    Judge::new().accept_only(&record);
    let phase = &record["results"][0]["iterations"][0]["phases"][0];
    assert_eq!((&phase["items"]["failed"], &phase["errors"][0]["kind"]), (&json!(6), &json!("ENOENT")));
}

#[test]
fn data_that_differ() {
    let place = Place::new();
    place.run(2, "-n 2 -F -C -w 64 -G 1 -d {D}").expect(0);
    place.run(2, "-n 2 -F -E -e 64 -X -G 2 -d {D} --json {W}/r.json").expect(3);
    let record = place.record();
    Judge::new().accept(&record);
    let error = &record["results"][0]["iterations"][0]["phases"][0]["errors"][0];
    assert_eq!((&error["kind"], &error["errno"]), (&json!("DATA-DIFFER"), &Value::Null));
}

#[test]
fn runs_that_end_early() {
    for (code, line) in [(2, "-n 30 -F -T --max-errors 4"), (5, "-n 3 -F -C --run-cmd-before-phase=false")] {
        assert!(record(2, code, line)["ended_early"].is_string(), "{line}");
    }
}

#[test]
fn stonewalls() {
    let line = "-a DUMMY --dummy.delay-create=1000 --dummy.delay-only-rank0 -F -C -u -n 4000 -W 1";
    for (more, worn_out) in [("--wear-out-limit 1", true), ("-x {W}/x -n 1100", false)] {
        let record = record(2, 0, &format!("{line} {more}"));
        Judge::new().accept_only(&record);
        let wall = &phase(&record, "file-create")["stonewall"];
        assert_eq!(wall["worn_out"], worn_out, "{wall}");
    }
}

#[test]
fn numbers_of_tasks_and_random_order() {
    let record = record(3, 0, "-n 4 -u -f 1 -l 3 -s 2 -R --dataPacketType=r -w 3 -e 2");
    let tasks: Vec<_> = record["results"].as_array().unwrap().iter().map(|r| r["tasks"].clone()).collect();
    assert_eq!(tasks, [1, 3]);
    assert!(record["plan"]["random_seed"].is_u64());
}

#[test]
fn several_directories() {
    let place = Place::new();
    place.run(3, "-n 2 -u -d {D}/a@{D}/b@{W} --json {W}/r.json").expect(0);
    let record = place.record();
    Judge::new().accept_only(&record);
    assert_eq!(record["test_directories"].as_array().unwrap().len(), 3);
}

#[test]
fn runs_of_few_phases_and_other_shapes() {
    for line in
        ["-a DUMMY -n 3", "-S -n 2 -w 8 --dataPacketType=i", "-c -D -n 2", "-N 1 -u -n 2 -F -t", "-z 2"]
    {
        record(2, 0, line);
    }
}

/// A phase that lasts: its course, and the interval of its only iteration.
#[test]
fn the_course_of_a_phase() {
    let record = record(2, 0, "-a DUMMY --dummy.delay-create=2000 -n 700 -F -C");
    Judge::new().accept_only(&record);
    let timeline = &phase(&record, "file-create")["timeline"];
    assert!(timeline["course"]["steady"]["windows"].is_u64(), "{timeline}");
    assert_eq!(timeline["interval"]["method"], "block-bootstrap");
    let statistics = record["results"][0]["statistics"].as_array().unwrap();
    let create = statistics.iter().find(|s| s["phase"] == "file-create").unwrap();
    for rate in ["rate_per_s", "true_rate_per_s"] {
        assert_eq!(create[rate]["interval"]["method"], "block-bootstrap");
        assert!(create[rate]["std_dev"].is_null());
    }
    assert!(create["seconds"]["interval"].is_null());
}

/// Longer than 20 of the narrowest windows, and shorter than a course takes, unless the node is very busy.
#[test]
fn windows_enough_for_an_interval_but_not_for_a_course() {
    let record = record(2, 0, "-a DUMMY --dummy.delay-create=1000 -n 30 -F -C");
    Judge::new().accept_only(&record);
    let timeline = &phase(&record, "file-create")["timeline"];
    let lasting = timeline["first_done_s"].as_f64().unwrap() >= 1.0;
    assert!(timeline["interval"].is_object() && (lasting || timeline["course"].is_null()), "{timeline}");
}

#[test]
fn several_iterations() {
    let record = record(2, 0, "-n 20 -i 3");
    Judge::new().accept_only(&record);
    for row in record["results"][0]["statistics"].as_array().unwrap() {
        for of in ["rate_per_s", "true_rate_per_s", "seconds"] {
            assert_eq!(row[of]["interval"]["method"], "student-t", "{row}");
        }
        assert!(row["task_rate_per_s"]["interval"].is_null() && row["latency"].is_object(), "{row}");
    }
}

#[test]
fn iterations_until_the_interval_is_narrow() {
    for (percent, more) in [(0.01, "--max-iterations 4 -i 2"), (100.0, "")] {
        let record = record(2, 0, &format!("-n 10 -F --until-ci {percent}% {more}"));
        Judge::new().accept_only(&record);
        let plan = &record["plan"];
        assert_eq!((&plan["until_ci_percent"], &plan["iterations"]), (&json!(percent), &json!(3)));
        assert_eq!(plan["max_iterations"], if more.is_empty() { 30 } else { 4 });
        let made = record["results"][0]["iterations"].as_array().unwrap().len() as u64;
        assert!((3..=plan["max_iterations"].as_u64().unwrap()).contains(&made), "{made}");
    }
    let plan = &record(1, 0, "-n 1 -F -i 2")["plan"];
    assert_eq!((&plan["until_ci_percent"], &plan["max_iterations"]), (&Value::Null, &json!(2)));
}

#[test]
fn single_tasks_as_they_are_asked_for() {
    for (wanted, there) in [("all", 3), ("slowest", 3), ("none", 0)] {
        let record = record(3, 0, &format!("-n 5 -F -u --rank-details {wanted}"));
        Judge::new().accept_only(&record);
        assert_eq!(record["plan"]["output"]["rank_details"], wanted);
        for phase in record["results"][0]["iterations"][0]["phases"].as_array().unwrap() {
            assert_eq!(phase["tasks"]["details"].as_array().unwrap().len(), there, "{phase}");
        }
    }
}

#[test]
fn caches_that_are_dropped_or_cannot_be() {
    let record = record(2, 0, "-n 3 -F -T -C -r --drop-caches --quiet --progress json");
    Judge::new().accept_only(&record);
    let can = std::fs::File::options().write(true).open("/proc/sys/vm/drop_caches").is_ok();
    assert_eq!(record["plan"]["drop_caches"], can);
    let output = &record["plan"]["output"];
    assert_eq!((&output["quiet"], &output["progress"]), (&json!(true), &json!("json")));
}

#[test]
fn names_of_the_code_are_those_of_the_schema() {
    let schema = schema();
    let names = |values: &[Value], pointer: &str| {
        let of =
            |list: &[Value]| list.iter().map(|v| v.as_str().unwrap().to_string()).collect::<BTreeSet<_>>();
        assert_eq!(of(values), of(schema.pointer(pointer).unwrap().as_array().unwrap()), "{pointer}");
    };
    let about = [
        About::SlowNode,
        About::SlowTasks,
        About::Tail,
        About::Cache,
        About::Harness,
        About::Dip,
        About::WarmUp,
        About::SlowOperation,
        About::Spread,
    ];
    names(&about.map(|v| json!(v)), "/$defs/finding/properties/about/enum");
    let methods = [Method::StudentT, Method::BlockBootstrap];
    names(&methods.map(|v| json!(v)), "/$defs/interval/properties/method/enum");
    let output = "/properties/plan/properties/output/properties";
    let details = [RankDetails::All, RankDetails::Slowest, RankDetails::None];
    names(&details.map(|v| json!(v)), &format!("{output}/rank_details/enum"));
    let progress = [Progress::Auto, Progress::Bar, Progress::Line, Progress::Json, Progress::None];
    names(&progress.map(|v| json!(v)), &format!("{output}/progress/enum"));
}

/// A run of everything that a single node and its moods bring, with a course that no run brings for sure.
#[test]
fn no_object_of_the_schema_is_in_no_record() {
    let line = "-a DUMMY --dummy.delay-create=1000 -F -C -u -n 4000 -W 1";
    let mut long = record(2, 0, &format!("{line} --wear-out-limit 0"));
    let (failed, quick) = (record(2, 2, "-n 3 -T -E"), record(2, 0, "-a DUMMY -n 100 -i 2"));
    let rates: Vec<f64> = (0..400)
        .map(|window| match window {
            0..=49 => 500.0,
            200..=219 | 300..=309 => 100.0,
            _ => 1000.0,
        } + f64::from(window % 7))
        .collect();
    let course = json!(course(&rates).unwrap());
    assert!(course["warm_up"].is_object() && course["dips"].as_array().unwrap().len() == 2, "{course}");
    let phases = long["results"][0]["iterations"][0]["phases"].as_array_mut().unwrap();
    let create = phases.iter_mut().find(|p| p["phase"] == "file-create").unwrap();
    assert!(create["timeline"]["interval"].is_object() && create["stonewall"].is_object(), "{create}");
    create["timeline"]["course"] = course;
    Judge::new().accept_only(&long);
    let found: BTreeSet<String> =
        [&long, &failed, &quick].into_iter().flat_map(|record| objects(record).into_keys()).collect();
    // Of the rates of single tasks there is no interval.
    let never = ["/results/*/statistics/*/task_rate_per_s/interval"];
    assert_eq!(described(&schema()).difference(&found).collect::<Vec<_>>(), never);
}

/// What several nodes, and file systems whose clients count, bring.
#[test]
fn numbers_that_one_node_does_not_bring() {
    let record = record(2, 0, "-n 3 -F");
    let judge = Judge::new();
    let phase = "/results/0/iterations/0/phases/0";
    for (field, good, bad) in [
        ("client_requests", json!(0), json!(0.5)),
        ("client_requests", json!(12), json!(-1)),
        ("tasks/node_share", json!(0.25), json!(1.5)),
        ("tasks/rate_without_slow_per_s", json!(2e5), json!(-1.0)),
        ("nodes/0/rate_without_per_s", json!(0.0), json!("1")),
        ("nodes/0/latency/p50_ns", json!(0), Value::Null),
        ("timeline/aligned", json!(false), Value::Null),
        ("latency/buckets", json!([[0, 1], [512, 3]]), json!([[0, 1, 2]])),
        ("latency/buckets", json!([[255, 7]]), json!([[512, 0]])),
    ] {
        for (value, valid) in [(good, true), (bad, false)] {
            let mut changed = record.clone();
            *changed.pointer_mut(&format!("{phase}/{field}")).unwrap() = value.clone();
            assert_eq!(judge.0.is_valid(&changed), valid, "{field}: {value}");
        }
    }
}

/// MPICH can pretend that tasks run on several nodes; CI runs this under MPICH.
#[test]
fn several_nodes_under_mpich() {
    let place = Place::new();
    let slow = "-a DUMMY --dummy.delay-create=300 --dummy.delay-only-rank0 -F -C -u -n 500";
    for (tasks, line) in [(2, slow), (4, "-n 30 -i 2 -u"), (4, "-b 2 -z 1 -I 2")] {
        let mut command = place.command(tasks, &format!("{line} -d {{D}} --json {{W}}/r.json --force"));
        command.env("MPIR_CVAR_NUM_CLIQUES", "2");
        wait(command).expect(0);
        let record = place.record();
        Judge::new().accept_only(&record);
        if is_open_mpi() {
            continue;
        }
        assert_eq!(record["placement"]["nodes"], 2);
        assert!(record["results"][0]["iterations"][0]["clock_error_s"].as_f64().unwrap() > 0.0);
        for phase in record["results"][0]["iterations"][0]["phases"].as_array().unwrap() {
            let nodes = phase["nodes"].as_array().unwrap();
            let sum =
                |field: &str| nodes.iter().map(|n| n.pointer(field).unwrap().as_u64().unwrap()).sum::<u64>();
            assert_eq!(
                (nodes.len(), sum("/items")),
                (2, phase["items"]["done"].as_u64().unwrap()),
                "{phase}"
            );
            assert_eq!(sum("/latency/count"), sum("/items"), "{phase}");
            assert_eq!(sum("/tasks"), phase["tasks"]["working"].as_u64().unwrap(), "{phase}");
            let operations = phase["timeline"]["operations"].as_array().unwrap();
            assert_eq!(operations.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), sum("/items"), "{phase}");
            let working = nodes.iter().filter(|n| n["tasks"] != 0).count();
            assert_eq!(phase["tasks"]["node_share"].is_f64(), working > 1, "{phase}");
        }
        if line == slow {
            let nodes = &phase(&record, "file-create")["nodes"];
            assert!(nodes[0]["rate_without_per_s"].is_f64() && nodes[1]["rate_without_per_s"].is_null());
            assert_eq!(record["results"][0]["findings"][0]["about"], "slow-node");
        }
    }
}

#[test]
fn findings_of_several_kinds() {
    let mut about = BTreeSet::new();
    let slow = "-a DUMMY --dummy.delay-create=300 --dummy.delay-only-rank0 -F -C -u -n 500";
    for (tasks, line) in [(4, slow), (2, "-a DUMMY -n 100 -i 3")] {
        let record = record(tasks, 0, line);
        Judge::new().accept_only(&record);
        let findings = record["results"][0]["findings"].as_array().unwrap();
        about.extend(findings.iter().map(|f| f["about"].as_str().unwrap().to_string()));
    }
    assert!(about.contains("slow-tasks") && about.contains("harness"), "{about:?}");
}

/// What a run that is killed later would leave: the record as it stood after the first number of tasks.
#[test]
fn a_run_that_goes_on() {
    let place = Place::new();
    let mut command = place.command(2, "-n 2 -F -l 2 -d {D} --json {W}/r.json");
    command.arg("--run-cmd-before-phase=test ! -f r.json || cp r.json kept.json");
    wait(command).expect(0);
    let kept = serde_json::from_str(&place.text("kept.json")).unwrap();
    Judge::new().accept_only(&kept);
    assert_eq!((&kept["finished"], &kept["exit_code"]), (&Value::Null, &Value::Null));
    assert_eq!((kept["results"].as_array().unwrap().len(), &place.record()["exit_code"]), (1, &json!(0)));
}
