//! Every kind of run writes a record that docs/run-record.schema.json describes to the last field.

use crate::harness::{wait, Place};
use mdtest_rs::result::record::SCHEMA;
use serde_json::{json, Value};

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/run-record.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The schema, ready to judge records.
struct Judge(jsonschema::Validator);

impl Judge {
    fn new() -> Self {
        Judge(jsonschema::draft202012::new(&schema()).unwrap())
    }

    #[track_caller]
    fn accept(&self, record: &Value) {
        let faults: Vec<String> =
            self.0.iter_errors(record).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }

    /// No object of the record may have a field less or a field more.
    #[track_caller]
    fn accept_only(&self, record: &Value) {
        self.accept(record);
        for pointer in objects(record, String::new()) {
            let object = |of: &Value| of.pointer(&pointer).and_then(Value::as_object).cloned().unwrap();
            let mut changes: Vec<_> = object(record).into_iter().map(|(key, _)| (key, None)).collect();
            changes.push(("surplus".to_string(), Some(json!(1))));
            for (key, value) in changes {
                let mut changed = record.clone();
                let fields = changed.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap();
                match value {
                    Some(value) => fields.insert(key.clone(), value),
                    None => fields.remove(&key),
                };
                assert!(!self.0.is_valid(&changed), "{pointer}/{key} may be there or not");
            }
        }
    }
}

/// Pointers to every object in `value`, the first of each array only.
fn objects(value: &Value, here: String) -> Vec<String> {
    match value {
        Value::Object(fields) => std::iter::once(here.clone())
            .chain(fields.iter().flat_map(|(key, value)| objects(value, format!("{here}/{key}"))))
            .collect(),
        Value::Array(items) => items.first().map_or(Vec::new(), |item| objects(item, format!("{here}/0"))),
        _ => Vec::new(),
    }
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
        let phases = record["results"][0]["iterations"][0]["phases"].as_array().unwrap();
        let wall = &phases.iter().find(|p| p["phase"] == "file-create").unwrap()["stonewall"];
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
