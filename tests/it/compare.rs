//! `compare` and `check` on records of runs and on records made by hand.

use crate::harness::{Place, Ran};
use serde_json::Value;

const BASE: &str = include_str!("compare/base.json");
const NEW: &str = include_str!("compare/new.json");

/// A place with the two records of the fixtures in its folder.
fn place() -> Place {
    let place = Place::new();
    std::fs::write(place.folder().join("base.json"), BASE).unwrap();
    std::fs::write(place.folder().join("new.json"), NEW).unwrap();
    place
}

/// Runs `line`, which ends with `code`, and holds standard output to the file of expected text `name`.
#[track_caller]
fn expect(place: &Place, line: &str, code: i32, name: &str) -> Ran {
    let ran = place.run_alone(line).expect(code);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/compare").join(name);
    if std::env::var_os("MDTEST_RS_BLESS").is_some() {
        std::fs::write(&path, &ran.stdout).unwrap();
    }
    assert_eq!(ran.stdout, std::fs::read_to_string(&path).unwrap(), "{line}");
    ran
}

#[test]
fn two_records_stand_beside_each_other_in_every_form() {
    let place = place();
    expect(&place, "compare base.json new.json", 0, "pair.txt");
    expect(&place, "compare base.json new.json --format markdown", 0, "pair.md");
    expect(&place, "compare base.json new.json --format junit --fail-if any.verdict=slower", 4, "pair.xml");
    expect(&place, "compare base.json new.json --format json --fail-if any.verdict=slower", 4, "pair.json");
    expect(&place, "compare base.json new.json base.json", 0, "three.txt");
}

#[test]
fn published_tables_are_shown_digit_for_digit() {
    let place = Place::new();
    for (name, csv, groups) in [
        ("engines.csv", include_str!("import/juicefs-metadata-engines.csv"), 2),
        ("services.csv", include_str!("import/juicefs-efs-s3fs.csv"), 1),
    ] {
        std::fs::write(place.folder().join(name), csv).unwrap();
        let shown = place.run_alone(&format!("compare {name}")).expect(0).stdout;
        assert_eq!(shown.matches("Operation ").count(), groups, "{shown}");
        // Group after group, row after row, the same words in the same order.
        let words: Vec<&str> =
            shown.split_whitespace().filter(|w| w.contains('.') && !w.starts_with('×')).collect();
        let cells: Vec<&str> =
            csv.split([',', '\n', '\r']).filter(|cell| cell.parse::<f64>().is_ok()).collect();
        assert_eq!(words, cells, "{shown}");
    }
}

#[test]
fn a_condition_that_is_met_is_told_by_the_exit_code() {
    let place = place();
    for (condition, code) in [
        ("file-read.rate<-15%", 4),
        ("file-read.rate<-25%", 0),
        ("file-read.rate.high<-15%", 4),
        ("file-create.verdict=faster", 4),
        ("any.verdict=slower", 4),
        ("file-stat.rate<-5%", 0),
        ("tree-create.rate<-5%", 4), // neither did it: it cannot be judged
        ("file-stat.p99>10%", 4),    // nor can this
    ] {
        let ran = place.run_alone(&format!("compare base.json new.json --fail-if {condition}")).expect(code);
        assert!(ran
            .stdout
            .contains(&format!("'{condition}': {}", if code == 4 { "MET" } else { "not met" })));
    }
    let both = "compare base.json new.json --fail-if file-stat.rate<-5% --fail-if file-read.rate<-5%";
    place.run_alone(both).expect(4);
    let refused = place.run_alone("compare base.json new.json --fail-if file-read.speed<-5%").expect(1);
    assert!(refused.says(&["--fail-if", "file-read.speed", "allowed are rate"]));
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let place = place();
    let other = NEW.replace("\"1000\"", "\"2000\"").replace("\"nodes\": 3", "\"nodes\": 2");
    std::fs::write(place.folder().join("other.json"), other).unwrap();
    std::fs::write(place.folder().join("text.json"), "[]").unwrap();
    let refused = place.run_alone("compare base.json other.json").expect(1);
    assert!(
        refused.says(&["base and other differ in nodes (3 against 2), -n (1000 against 2000)", "--force"])
    );
    let forced = place.run_alone("compare base.json other.json --force").expect(0);
    assert!(forced.stdout.contains("differs in -n: 1000 against 2000"));
    for (line, code, parts) in [
        ("compare base.json", 1, ["base.json", "two records or more"].as_slice()),
        ("compare", 1, &["RECORD"]),
        ("compare base.json missing.json", 5, &["missing.json", "cannot be read"]),
        ("compare base.json .", 5, &["directory"]),
        ("compare base.json text.json", 1, &["text.json"]),
        ("compare base.json new.json -o x.pdf", 1, &["-o", ".pdf", ".md"]),
        ("compare base.json new.json -o base.json", 1, &["base.json exists"]),
        ("compare base.json new.json -o no/x.md", 5, &["no/x.md", "cannot be written"]),
        ("compare base.json new.json --same-within 0", 1, &["--same-within", "percentage"]),
        ("check base.json", 1, &["--criteria"]),
        ("check base.json --criteria none.toml", 5, &["none.toml"]),
        ("check base.json --criteria base.json", 1, &["--criteria", "base.json", "line 1"]),
    ] {
        let ran = place.run_alone(line).expect(code);
        assert!(ran.says(parts), "{line}: {}", ran.stderr);
    }
    assert_eq!(place.text("base.json"), BASE);
}

#[test]
fn files_are_written_by_their_ending() {
    let place = place();
    for (name, start) in
        [("c.md", "## 12 tasks"), ("c.json", "{\n"), ("c.xml", "<?xml"), ("c.txt", "12 tasks\n")]
    {
        place.run_alone(&format!("compare base.json new.json -o {name}")).expect(0);
        assert!(place.text(name).starts_with(start), "{name}: {}", place.text(name));
    }
    place.run_alone("compare base.json new.json -o c.md").expect(1);
    place.run_alone("compare base.json new.json -o c.md --overwrite").expect(0);
}

#[test]
fn names_in_records_do_not_play_with_the_terminal_or_the_markup() {
    let place = Place::new();
    let odd = BASE.replace("/mnt/base", "x").replace("fuse.juicefs", "\\u001b[31m<b>|&");
    std::fs::write(place.folder().join("o|<i>.json"), odd).unwrap();
    std::fs::write(place.folder().join("new.json"), NEW).unwrap();
    let text = place.run_alone("compare --force new.json o|<i>.json").expect(0).stdout;
    assert!(!text.contains('\u{1b}') && text.contains("\\u{1b}[31m<b>|&"), "{text}");
    let md = place.run_alone("compare --force new.json o|<i>.json --format markdown").expect(0).stdout;
    assert!(md.contains("o\\|\\<i\\>") && !md.contains("<b>"), "{md}");
    let xml = place.run_alone("compare --force new.json o|<i>.json --format junit").expect(0).stdout;
    assert!(!xml.contains("<i>") && xml.contains("&lt;i&gt;"), "{xml}");
}

const CRITERIA: &str = "[run]\ntasks = 12\nnodes = { max = 2 }\n[all]\nerrors = 0\n\
    [file-create]\nrate = { good = 20000, fair = 10000 }\n[file-stat]\nrate = { good = 80000, fair = 50000 }\n\
    p99 = \"5ms\"\n[file-remove]\nrate = 1\ninterval = \"10%\"\n";

#[test]
fn bounds_are_judged_in_every_form() {
    let place = place();
    std::fs::write(place.folder().join("c.toml"), CRITERIA).unwrap();
    expect(&place, "check new.json --criteria c.toml", 4, "check.txt");
    expect(&place, "check new.json base.json --criteria c.toml --format markdown", 4, "check.md");
    expect(&place, "check new.json --criteria c.toml --format junit", 4, "check.xml");
    expect(&place, "check new.json --criteria c.toml --format json", 4, "check.json");
    std::fs::write(place.folder().join("kept.toml"), "[file-create]\nrate = 10000\nerrors = 0").unwrap();
    let kept = place.run_alone("check new.json base.json --criteria kept.toml").expect(0);
    assert!(kept.stdout.contains("Accepted: 6 of 6 bounds are kept"));
}

#[test]
fn the_example_in_the_documentation_is_understood() {
    let place = place();
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/criteria.toml");
    let ran = place.run_alone(&format!("check base.json --criteria {}", example.display())).expect(4);
    assert!(ran.stdout.contains("fs_type") && ran.stdout.contains("fuse.juicefs"), "{}", ran.stdout);
}

#[test]
fn records_of_real_runs_are_compared_and_judged() {
    let place = Place::new();
    for name in ["a", "b"] {
        place.run(2, &format!("-n 20 -i 4 -d {{D}} --json {{W}}/{name}.json")).expect(0);
    }
    place.run(3, "-n 20 -d {D} --json {W}/three.json").expect(0);
    let json = place.run_alone("compare a.json b.json --format json").expect(0).stdout;
    let all: Value = serde_json::from_str(&json).unwrap();
    let rows = all["comparisons"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let cell = &row["cells"][1];
        assert!(cell["rate"]["p_corrected"].is_number() && cell["p99"]["ratio"].is_number(), "{row}");
    }
    assert!(place.run_alone("compare a.json three.json").expect(1).says(&["tasks (2 against 3)"]));
    std::fs::write(
        place.folder().join("c.toml"),
        "[run]\ntasks = 2\n[all]\nerrors = 0\np99 = \"60s\"\nrate = 0.001",
    )
    .unwrap();
    place.run_alone("check a.json b.json --criteria c.toml").expect(0);
    assert!(place
        .run_alone("check three.json --criteria c.toml")
        .expect(4)
        .stdout
        .contains("Not accepted: 1 of"));
}

#[test]
fn under_a_launcher_one_task_speaks() {
    let place = place();
    let ran = place.run(2, "compare base.json new.json").expect(0);
    assert_eq!(ran.stdout.matches("base: base").count(), 1, "{}", ran.stdout);
}
