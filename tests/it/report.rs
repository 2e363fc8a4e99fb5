//! `mdtest-rs report`: every form of output, and what is refused.

use crate::harness::Place;
use serde_json::Value;

/// A record of the first version of the schema.
const OLDEST: &str = include_str!("report/oldest.json");

fn place() -> Place {
    let place = Place::new();
    std::fs::write(place.folder().join("old.json"), OLDEST).unwrap();
    place
}

#[test]
fn a_record_of_the_first_version_has_every_form() {
    let place = place();
    for (ending, parts) in [
        ("html", &["<!DOCTYPE html>", "File creation", "tmpfs", "<svg role=\"img\""] as &[_]),
        ("md", &["| File creation |", "    mdtest-rs -n 3 -F", "File system: tmpfs"]),
        ("csv", &["record,workload,program", "old,,mdtest-rs 0.1.0,", ",file-create,"]),
        ("svg", &["<svg role=\"img\"", "</svg>", "File creation"]),
        ("json", &["\"schema\": \"mdtest-rs/1\"", "\"file-create\""]),
    ] {
        let ran = place.run_alone(&format!("report {{W}}/old.json -o {{W}}/out.{ending}")).expect(0);
        assert_eq!(
            ran.stdout,
            format!("{}: 1 record\n", place.folder().join(format!("out.{ending}")).display())
        );
        let text = place.text(&format!("out.{ending}"));
        parts.iter().for_each(|part| assert!(text.contains(part), "{ending}: {part} is not in\n{text}"));
    }
    let records: Value = serde_json::from_str(&place.text("out.json")).unwrap();
    assert_eq!(records[0]["results"][0]["tasks"], 2);
}

#[test]
fn a_run_has_a_row_a_phase_in_the_csv_table() {
    let place = Place::new();
    place.run(2, "-n 20 -u -i 2 -l 2 -d {D} --json {W}/r.json").expect(0);
    place.run_alone("report {W}/r.json -o {W}/r.csv").expect(0);
    let text = place.text("r.csv");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let heads: Vec<String> = rows.headers().unwrap().iter().map(String::from).collect();
    let column = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2 * 10);
    let record = place.record();
    let mut index = 0;
    for result in record["results"].as_array().unwrap() {
        for summary in result["statistics"].as_array().unwrap() {
            let row = &rows[index];
            let same = |head: &str, value: &Value| {
                assert_eq!(
                    row[column(head)].parse::<f64>().unwrap(),
                    value.as_f64().unwrap(),
                    "{head}: {row:?}"
                );
            };
            assert_eq!(row[column("phase")], *summary["phase"].as_str().unwrap());
            same("tasks", &result["tasks"]);
            same("rate_mean_per_s", &summary["rate_per_s"]["mean"]);
            same("rate_low_per_s", &summary["rate_per_s"]["interval"]["low"]);
            same("latency_p99_ns", &summary["latency"]["p99_ns"]);
            assert_eq!(&row[column("failed")], "0");
            index += 1;
        }
    }
}

#[test]
fn several_records_are_compared_and_sizes_are_curves() {
    let place = place();
    place.run(1, "-n 3 -F -d {D} --json {W}/one.json").expect(0);
    std::fs::copy(place.folder().join("old.json"), place.folder().join("b.json")).unwrap();
    place.run_alone("report {W}/old.json {W}/b.json {W}/one.json -o {W}/r.html").expect(0);
    let page = place.text("r.html");
    for part in ["<h2>Comparison</h2>", "<h2>Scaling</h2>", "(1.00×)", "★", "id=\"r2\""] {
        assert!(page.contains(part), "{part}");
    }
    place.run_alone("report {W}/old.json {W}/one.json -o {W}/r.svg").expect(0);
    assert!(place.text("r.svg").contains("<title id=\"chart-t\">Rates over sizes</title>"));
    place.run_alone("report {W}/old.json {W}/b.json -o {W}/same.svg").expect(0);
    assert!(place.text("same.svg").contains("each record with a mark of its own"));
}

#[test]
fn failures_are_told_with_kind_count_and_path() {
    let place = Place::new();
    place.run_alone("-n 4 -F -T -d {D} --json {W}/r.json").expect(2);
    place.run_alone("report {W}/r.json -o {W}/r.md").expect(0);
    let text = place.text("r.md");
    let row = text.lines().find(|line| line.contains("ENOENT")).unwrap();
    assert!(row.contains("| File stat") && row.contains(" 4 |") && row.contains("file.mdtest.0.0"), "{row}");
}

#[test]
fn refusals_name_the_file_and_what_is_allowed() {
    let place = place();
    std::fs::write(place.folder().join("there.md"), "x").unwrap();
    for (line, code, parts) in [
        (
            "report {W}/old.json -o {W}/r.pdf",
            1,
            &["-o", "r.pdf", ".html, .md, .txt, .csv, .svg or .json"] as &[_],
        ),
        ("report {W}/old.json -o {W}/there.md", 1, &["-o", "there.md", "--overwrite"]),
        ("report {W}/no.json -o {W}/r.md", 5, &["no.json", "cannot be read"]),
        ("report {W}/there.md -o {W}/r.md", 1, &["there.md", "no record"]),
        ("report {W}/old.json -o {W}/no/r.md", 5, &["-o", "no/r.md", "cannot be written"]),
        ("report {W}/old.json", 1, &["--output"]),
    ] {
        let ran = place.run_alone(line).expect(code);
        let said = ran.only_error();
        assert!(parts.iter().all(|part| said.contains(part)), "{line}: {said}");
    }
    assert_eq!(place.text("there.md"), "x");
    place.run_alone("report {W}/old.json -o {W}/there.md --overwrite").expect(0);
    assert!(place.text("there.md").contains("File creation"));
}

#[test]
fn numbers_of_tasks_within_one_run_are_reported_as_a_sweep() {
    let place = Place::new();
    place.run(3, "-f 1 -l 3 -n 30 -F -d {D} --json {W}/r.json").expect(0);
    place.run_alone("report {W}/r.json -o {W}/r.txt").expect(0);
    let text = place.text("r.txt");
    for part in [
        "File creation, operations per second\n  clients  ",
        "1 task  ",
        "3 tasks",
        "File removal, speed-up over tasks, from 1 task (efficiency)",
        "File stat, Universal Scalability Law: 3 different numbers of tasks are too few, 4 are needed.",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    place.run(2, "-n 30 -F -i 2 -d {D} --json {W}/one.json").expect(0);
    place.run_alone("report {W}/one.json -o {W}/one.txt").expect(0);
    assert!(place.text("one.txt").contains("SUMMARY rate (in ops/sec): (of 2 iterations)"));
}
