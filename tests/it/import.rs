//! What others printed becomes records, and the records become the same numbers again.

mod reading;

use crate::harness::{each, Place, Ran};
use crate::schema::judge::{described, objects, Judge};
use mdtest_rs::archive::{Record, TaskCount};
use mdtest_rs::namespace::phase::Phase;
use mdtest_rs::report::summary;
use reading::{tables, Numbers};
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A log that mdtest or mdtest-rs printed.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/import").join(name)
}

fn schema() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/imported-record.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Imports `file` into a folder of its own; what was said, and the records by the names of their files.
#[track_caller]
fn import(place: &Place, file: &Path) -> (Ran, Vec<(String, Value)>) {
    let ran = place.run_alone(&format!("import {} -o {{W}}/out/of/it", file.display())).expect(0);
    let folder = place.folder().join("out/of/it");
    let judge = Judge(jsonschema::draft202012::new(&schema()).unwrap());
    let said: Vec<&str> = ran.stdout.lines().map(|line| line.split_once(": ").unwrap().0).collect();
    let records = said.iter().map(|path| {
        let name = Path::new(path).file_name().unwrap().to_str().unwrap().to_string();
        let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        judge.accept(&record);
        (name, record)
    });
    let records: Vec<(String, Value)> = records.collect();
    assert_eq!(records.len(), std::fs::read_dir(folder).unwrap().count());
    (ran, records)
}

/// The imported records of `file`.
#[track_caller]
fn records(file: &Path) -> Vec<Record> {
    let (_, found) = import(&Place::new(), file);
    found.into_iter().map(|(_, record)| serde_json::from_value(record).unwrap()).collect()
}

/// The tables of records, printed again.
fn printed_again(records: &[Record]) -> Vec<Numbers> {
    let counts = records.iter().flat_map(|record| &record.results);
    counts.flat_map(|count| tables(&summary::tables(count))).collect()
}

fn of(count: &TaskCount, phase: Phase) -> &mdtest_rs::archive::PhaseSummary {
    count.of(phase).unwrap_or_else(|| panic!("{} is not there", phase.id()))
}

#[test]
fn logs_of_every_dialect_become_records_and_the_same_numbers_again() {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/text/tests");
    let logs = [ours, fixture("")].into_iter().flat_map(|folder| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|e| e == "txt" || e == "log")).collect::<Vec<_>>()
    });
    let logs: Vec<PathBuf> = logs.collect();
    assert!(logs.len() > 15, "{logs:?}");
    each(logs, |log| {
        let text = std::fs::read_to_string(log).unwrap();
        let (expected, found) = (tables(&text), printed_again(&records(log)));
        assert!(!expected.is_empty() || text.contains("FAILED"), "{log:?}");
        assert_eq!(found, expected, "{log:?}");
    });
}

#[test]
fn carriage_returns_prefixes_and_noise_change_nothing() {
    each(["1.9-several.log", "4.1-ranks.log", "4.1-counts-Z.log", "4.1-v-P.log"], |name| {
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let plain = records(&fixture(name));
        let place = Place::new();
        let lines =
            |change: &dyn Fn(&str) -> String| text.split('\n').map(change).collect::<Vec<_>>().join("\n");
        for (how, changed) in [
            ("CRLF", lines(&|line| format!("{line}\r"))),
            ("tags", lines(&|line| format!("[1,0]<stdout>: {line}"))),
            ("labels", lines(&|line| format!("0: {line}"))),
            ("dates", lines(&|line| format!("[2026-11-30 21:54:05.123] {line}"))),
            ("colours", lines(&|line| format!("\u{1b}[32m{line}\u{1b}[0m"))),
            ("noise", lines(&|line| format!("{line}\n[n1:77] *** a signal\n\0\u{fffd}\n\t"))),
        ] {
            let file = place.folder().join(name);
            std::fs::write(&file, changed).unwrap();
            let found = records(&file);
            let bare = |records: &[Record]| -> Vec<Record> {
                let without = |r: &Record| Record { origin: None, ..r.clone() };
                records.iter().map(without).collect()
            };
            assert_eq!(bare(&found), bare(&plain), "{name} with {how}");
        }
    });
}

/// Our own runs in each dialect: the text and the record beside it say the same.
#[test]
fn a_runs_text_tells_what_its_record_does() {
    let options = ["-P", "-Z -n 400", "-P --showRankStatistics -F", "-v -P", "-f 1 -l 3 -s 2", "-i 1 -P -D"];
    let runs = ["1.9", "3", "4.0", "4.1"].into_iter().flat_map(|d| options.map(|o| (d, o)));
    each(runs, |&(dialect, options)| {
        let place = Place::new();
        let line = format!("-a DUMMY --dummy.delay-create=300 -n 20 -i 3 {options} --dialect {dialect}");
        let ran = place.run(3, &format!("{line} -d {{D}} --json {{W}}/r.json")).expect(0);
        std::fs::write(place.folder().join("log"), &ran.stdout).unwrap();
        let found = records(&place.folder().join("log"));
        let [found] = &found[..] else { panic!("{} records", found.len()) };
        let own: Record = serde_json::from_value(place.record()).unwrap();
        assert_eq!(found.command_line, own.command_line);
        assert_eq!(found.placement.and_then(|p| p.tasks), Some(3));
        assert_eq!(found.results.len(), own.results.len());
        for (found, own) in found.results.iter().zip(&own.results) {
            assert_eq!((found.tasks, found.items), (own.tasks, own.items));
            agree(found, own, options);
        }
    });
}

/// Whether an imported result tells what a run's own does, to a thousandth.
#[track_caller]
fn agree(found: &TaskCount, own: &TaskCount, options: &str) {
    let same = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() < 0.0006;
    assert!(!found.statistics.is_empty());
    for s in &found.statistics {
        let own = of(own, s.phase);
        for (a, b) in [(&s.rate_per_s, &own.rate_per_s), (&s.seconds, &own.seconds)] {
            let Some((a, b)) = a.as_ref().zip(b.as_ref()) else { continue };
            assert!(same(a.max, b.max) && same(a.min, b.min) && same(a.mean, b.mean), "{a:?} {b:?}");
            assert_eq!(a.std_dev.is_some(), b.std_dev.is_some(), "{a:?} {b:?}");
        }
        assert_eq!(s.rate_per_s.is_none(), options.contains("-Z"));
        assert_eq!(s.seconds.is_some(), options.contains("-P") || options.contains("-Z"));
    }
    let known = if options.contains("-v") || options.contains("-i 1") { own.iterations.len() } else { 0 };
    assert_eq!((found.iterations.len(), found.iterations_in_all()), (known, own.iterations_in_all()));
    for (found, own) in found.iterations.iter().zip(&own.iterations) {
        for phase in &found.phases {
            let own = own.phases.iter().find(|p| p.phase == phase.phase).unwrap();
            assert!(same(phase.rate_per_s, own.rate_per_s), "{phase:?} {own:?}");
        }
    }
}

#[test]
fn several_runs_are_several_records_as_far_as_they_go() {
    let (ran, found) = import(&Place::new(), &fixture("1.9-several.log"));
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["1.9-several-1.json", "1.9-several-2.json", "1.9-several-3.json", "1.9-several-4.json"]
    );
    assert!(ran.stdout.lines().next().unwrap().ends_with(
        "1.9-several-1.json: mdtest 1.9 text, line 3, mdtest-1.9.3, 16 tasks, 2 nodes, 3 iterations, 8 phases"
    ));
    assert!(
        ran.stdout.ends_with("8 tasks, 1 node, 3 iterations, 2 phases, without its end\n"),
        "{}",
        ran.stdout
    );
    let [first, second, killed, torn] = [0, 1, 2, 3].map(|at| &found[at].1);
    assert_eq!(
        (&first["started"], &first["finished"]),
        (&json!("03/05/2014 14:01:23"), &json!("03/05/2014 14:02:12"))
    );
    assert_eq!(
        second["command_line"],
        json!(["mdtest", "-C", "-T", "-F", "-V=3", "-d", "/mnt/md test", "-i", "1"])
    );
    assert_eq!(second["results"][0]["iterations"][0]["phases"][0]["rate_per_s"], 24672.378);
    assert_eq!(second["results"][0]["statistics"][0]["rate_per_s"].get("std_dev"), None);
    assert_eq!((killed.get("finished"), &killed["results"][0]["statistics"]), (None, &json!([])));
    assert_eq!((torn.get("started"), torn.get("finished")), (None, None));
    let cut_off = &torn["results"][0]["statistics"][1]["rate_per_s"];
    assert_eq!((&cut_off["mean"], cut_off.get("std_dev")), (&json!(40000.125), None));
}

#[test]
fn texts_without_a_run_and_runs_without_a_table() {
    let found = records(&fixture("4.1-refused.log"));
    assert_eq!((found.len(), found[0].results.len()), (1, 0));
    assert!(found[0].ended_early.as_ref().unwrap().contains("FAILED in md_validate"), "{:?}", found[0]);
    let unknown = &found[0].origin.as_ref().unwrap().unknown;
    for what in ["end of the run", "file system type", "rates", "seconds", "latencies"] {
        assert!(unknown.iter().any(|u| u == what), "{unknown:?}");
    }
}

#[test]
fn times_are_seconds_and_no_rate_is_made_of_them() {
    let found = &records(&fixture("4.1-counts-Z.log"))[0];
    let tasks: Vec<_> = found.results.iter().map(|r| (r.tasks, r.items, r.iteration_count)).collect();
    assert_eq!(tasks, [1, 2, 3].map(|n| (Some(n), Some(2000 * n), Some(2))));
    let create = of(&found.results[0], Phase::FileCreate);
    assert_eq!((create.rate_per_s.clone(), create.seconds.as_ref().unwrap().mean), (None, Some(0.017)));
    assert!(found.origin.as_ref().unwrap().unknown.contains(&"rates".to_string()));
}

#[test]
fn columns_over_tasks_are_not_taken_for_those_over_iterations() {
    let found = &records(&fixture("3.4-tasks-and-iterations.log"))[0];
    let create = of(&found.results[0], Phase::DirectoryCreate);
    let (rate, of_tasks) = (create.rate_per_s.as_ref().unwrap(), create.task_rate_per_s.as_ref().unwrap());
    assert_eq!((rate.mean, rate.std_dev), (Some(34399.616), None));
    assert_eq!((of_tasks.mean, of_tasks.std_dev), (Some(63062.865), Some(35579.914)));
    assert_eq!(found.placement.unwrap().tasks_on_first_node, Some(10));
}

/// mdtest's own file has one row of all tasks, and rows of tasks that are shorter than the heading.
#[test]
fn the_original_rows_of_tasks_are_read_as_its_table_is() {
    let [csv] = &records(&fixture("4.1-ranks.csv"))[..] else { panic!() };
    let log = &records(&fixture("4.1-ranks.log"))[0];
    let (csv, log) = (&csv.results[0], &log.results[0]);
    assert_eq!((csv.tasks, csv.items, csv.iterations.len()), (Some(3), log.items, 2));
    for s in &log.statistics {
        if s.phase.kind().is_some() {
            let (a, b) =
                (of(csv, s.phase).task_rate_per_s.as_ref().unwrap(), s.task_rate_per_s.as_ref().unwrap());
            for (a, b) in [(a.max, b.max), (a.min, b.min), (a.mean, b.mean)] {
                assert!((a.unwrap() - b.unwrap()).abs() < 0.0006, "{a:?} {b:?}");
            }
        }
        // The first iteration is one of the two; of trees it has another rate than the table.
        let known: Vec<f64> = csv.outcomes(s.phase).filter_map(|p| p.rate_per_s).collect();
        let rate = s.rate_per_s.as_ref().unwrap();
        let ends = [rate.max.unwrap(), rate.min.unwrap()];
        assert_eq!(known.len(), usize::from(s.phase.kind().is_some()));
        let near = |known: &f64| ends.iter().any(|end| (end - known).abs() < 0.0006);
        assert!(known.iter().all(near), "{known:?} {ends:?}");
    }
    let counts = &records(&fixture("4.1-counts.csv"))[0].results;
    assert_eq!(
        counts.iter().map(|c| (c.tasks, c.iterations.len())).collect::<Vec<_>>(),
        [1, 2, 3].map(|n| (Some(n), 2))
    );
}

#[test]
fn our_own_rows_of_tasks_tell_what_the_record_does() {
    let place = Place::new();
    let line =
        "-n 12 -i 3 -f 1 -l 3 -s 2 --saveRankPerformanceDetails={W}/ranks.csv -d {D} --json {W}/r.json";
    place.run(3, line).expect(0);
    let [found] = &records(&place.folder().join("ranks.csv"))[..] else { panic!() };
    let own: Record = serde_json::from_value(place.record()).unwrap();
    assert_eq!(found.results.len(), 2);
    for (found, own) in found.results.iter().zip(&own.results) {
        assert_eq!((found.tasks, found.items, found.iterations.len()), (own.tasks, own.items, 3));
        for s in &own.statistics {
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-8 * b.abs();
            let (a, b) = (of(found, s.phase).rate_per_s.as_ref().unwrap(), s.rate_per_s.as_ref().unwrap());
            assert!(near(a.mean.unwrap(), b.mean.unwrap()) && near(a.std_dev.unwrap(), b.std_dev.unwrap()));
            assert!(near(a.interval.unwrap().low, b.interval.unwrap().low) || a.mean.unwrap() < 1.0);
        }
    }
}

#[test]
fn tables_as_people_publish_them_keep_every_digit() {
    for (name, first, count) in [
        ("juicefs-metadata-engines.csv", "juicefs-metadata-engines-empty-Redis-Always.json", 14),
        ("juicefs-efs-s3fs.csv", "juicefs-efs-s3fs-S3FS.json", 3),
        ("cubefs-sweep.csv", "cubefs-sweep-1-client-x-1.json", 16),
    ] {
        let (_, found) = import(&Place::new(), &fixture(name));
        assert_eq!((found[0].0.as_str(), found.len()), (first, count));
        let text = std::fs::read_to_string(fixture(name)).unwrap();
        let mut cells: Vec<&str> =
            text.lines().skip(1).flat_map(|l| l.split(',')).filter(|c| c.contains('.')).collect();
        let records =
            found.iter().map(|(_, record)| serde_json::from_value::<Record>(record.clone()).unwrap());
        let summaries = records.flat_map(|r| r.results[0].statistics.clone()).map(|s| s.rate_per_s.unwrap());
        let mut digits: Vec<String> = Vec::new();
        for s in summaries {
            let printed = s.printed.unwrap();
            assert_eq!(s.mean, printed.parse().ok());
            assert_eq!((s.max, s.std_dev), (None, None));
            digits.push(printed);
        }
        cells.sort_unstable();
        digits.sort_unstable();
        assert_eq!(digits, cells, "{name}");
    }
    let sweep = records(&fixture("cubefs-sweep.csv"));
    assert_eq!(sweep[6].origin.as_ref().unwrap().name.as_deref(), Some("2 clients x 16"));
    let placement = sweep[6].placement.unwrap();
    assert_eq!((placement.tasks, placement.nodes, placement.in_blocks), (Some(32), Some(2), None));
}

#[test]
fn bad_input_gets_one_line_and_nothing_is_written() {
    let place = Place::new();
    let w = place.folder();
    for (name, text, part) in [
        ("empty.log", "", "holds no record"),
        ("no-run.log", "hello\n2 tasks, 3 files\n", "holds no record"),
        ("other.csv", "a,b\n1,2\n", "holds no record"),
        (
            "op.csv",
            "operation,X\nFile opening,1\n",
            "line 2: operation 'File opening': allowed are Directory creation",
        ),
        ("cell.csv", "operation,X\nFile stat,1 000\n", "line 2: X '1 000': allowed are a rate"),
        ("twice.csv", "operation,X\nFile stat,1\nfile-stat,2\n", "line 3: File stat stands twice"),
        ("names.csv", "operation,X,X\nFile stat,1,2\n", "line 1: column 'X': allowed are names, each once"),
        ("wide.csv", "operation,X\nFile stat,1,2\n", "line 2: 3 cells: allowed are 2"),
        ("shape.csv", "workload,X,Y\nsmall,1,2\n", "line 1: the second column: allowed is operation"),
        (
            "clients.csv",
            "operation,clients,processes per client,ops per second\nFile stat,0,1,2\n",
            "line 2: clients '0'",
        ),
        ("rank.csv", "rank,items,rate-File stat\nx,1,2\n", "line 2: rank 'x': allowed are all"),
    ] {
        std::fs::write(w.join(name), text).unwrap();
        let ran = place.run_alone(&format!("import {{W}}/{name} -o {{W}}/out")).expect(1);
        let error = ran.only_error();
        assert!(error.contains(name) && error.contains(part), "{error}");
    }
    let error = place.run_alone("import {W}/none.log -o {W}/out").expect(5).only_error().to_string();
    assert!(error.contains("none.log cannot be read"), "{error}");
    assert!(!w.join("out").exists());
}

#[test]
fn nothing_is_written_over_what_is_there() {
    let place = Place::new();
    let log = fixture("4.1-tagged.log").display().to_string();
    place.run_alone(&format!("import {log} -o {{W}}/out")).expect(0);
    let target = place.folder().join("out/4.1-tagged.json");
    let before = std::fs::read(&target).unwrap();
    let both = format!("import {} {log} -o {{W}}/out", fixture("4.1-v-P.log").display());
    let error = place.run_alone(&both).expect(1).only_error().to_string();
    assert!(error.contains("4.1-tagged.json exists: allowed is a free name, or --overwrite"), "{error}");
    assert_eq!(crate::harness::names(&place.folder().join("out")), ["4.1-tagged.json"]);
    place.run_alone(&format!("{both} --overwrite")).expect(0);
    assert_eq!(std::fs::read(&target).unwrap(), before);

    for (line, part) in [
        (format!("import {log} {log} -o {{W}}/new"), "would both become"),
        (format!("import {} -o {{W}}/new", target.display()), "is a record already"),
        (format!("import {log} -o {log}"), "is no folder"),
    ] {
        let error = place.run_alone(&line).expect(1).only_error().to_string();
        assert!(error.contains(part), "{error}");
    }
    std::fs::copy(&log, place.folder().join("log.json")).unwrap();
    let ran = place.run_alone("import {W}/log.json -o {W} --overwrite").expect(1);
    assert!(ran.only_error().contains("is a file that is read"), "{}", ran.stderr);
}

#[test]
fn the_schema_describes_every_field_of_every_import() {
    fn look(value: &Value, here: &str) {
        if let Some(fields) = value["properties"].as_object() {
            assert_eq!(value["additionalProperties"], json!(false), "{here}");
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
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    assert_eq!(schema["properties"]["schema"]["const"], mdtest_rs::archive::IMPORTED_SCHEMA);
    look(&schema, "");
    let names = [
        "4.1-ranks.log",
        "4.1-ranks.csv",
        "4.1-vvv-Z.log",
        "1.9-several.log",
        "cubefs-sweep.csv",
        "juicefs-efs-s3fs.csv",
    ];
    let place = Place::new();
    place.run(2, "-n 5 -i 2 --saveRankPerformanceDetails={W}/own.csv -d {D}").expect(0);
    let files = names.map(fixture).into_iter().chain([place.folder().join("own.csv")]);
    let found: Vec<Value> = files.flat_map(|file| import(&Place::new(), &file).1).map(|(_, r)| r).collect();
    let seen: BTreeSet<String> = found.iter().flat_map(|record| objects(record).into_keys()).collect();
    assert_eq!(seen, described(&schema));
}
