//! Whatever fails: the run ends, with the documented code, and says once what it was.

use crate::harness::{each, launcher_behind, wait, Place, Ran, BINARY};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Refusals and aborts are over within this time: whoever waited for another task would wait for ever.
const SOON: Duration = Duration::from_secs(10);

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Runs the binary as one whom modes of files bind: root must give up what lets it pass them by.
fn run_bound_by_modes(place: &Place, ranks: usize, line: &str) -> Ran {
    const GIVE_UP: [&str; 2] = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
    let root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let mut command = launcher_behind(if root { &GIVE_UP } else { &[] }, ranks);
    command.arg(BINARY).args(place.words(line)).current_dir(place.folder());
    wait(command)
}

fn phases(record: &Value) -> &Vec<Value> {
    record["results"][0]["iterations"][0]["phases"].as_array().unwrap()
}

/// Items attempted, done and failed in a phase of the first iteration, and its errors by kind.
#[track_caller]
fn phase(record: &Value, name: &str) -> ([u64; 3], Vec<(String, u64)>) {
    let found = phases(record).iter().find(|phase| phase["phase"] == name);
    let phase = found.unwrap_or_else(|| panic!("{name} is not in {record:#}"));
    let items = ["attempted", "done", "failed"].map(|name| phase["items"][name].as_u64().unwrap());
    let errors = phase["errors"].as_array().unwrap().iter();
    let error = |e: &Value| (e["kind"].as_str().unwrap().to_string(), e["count"].as_u64().unwrap());
    (items, errors.map(error).collect())
}

fn kind(name: &str, count: u64) -> Vec<(String, u64)> {
    vec![(name.to_string(), count)]
}

fn file(place: &Place, rank: usize, item: usize) -> PathBuf {
    place.test_directory().join(format!("test-dir.0-0/mdtest_tree.0/file.mdtest.{rank}.{item}"))
}

// Only builds with debug assertions panic when they are asked to.
#[cfg(debug_assertions)]
#[test]
fn a_panic_of_one_task_ends_all() {
    let place = Place::new();
    let mut command = place.command(3, "-n 100 -F -C -d {D}");
    command.env("MDTEST_RS_PANIC_RANK", "1");
    let ran = wait(command).expect(101);
    let said = ran.said();
    assert!(
        said.len() == 1 && said[0].starts_with("mdtest-rs: internal error: rank 1 on "),
        "{}",
        ran.stderr
    );
    assert!(ran.took < SOON, "{:?}", ran.took);
}

#[test]
fn a_launcher_of_another_mpi_is_refused() {
    let foreign: [&[(&str, &str)]; 3] = [
        &[("PMI_SIZE", "3"), ("PMI_RANK", "0")],
        &[("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_RANK", "0")],
        &[("MV2_COMM_WORLD_SIZE", "2"), ("MV2_COMM_WORLD_RANK", "0")],
    ];
    each(foreign, |variables| {
        let place = Place::new();
        let mut command = Command::new(BINARY);
        command.args(place.words("-n 1 -d {D}")).envs(variables.iter().copied());
        let ran = wait(command).expect(5);
        let said = ran.only_error();
        assert!(said.contains(&format!("{} tasks", variables[0].1)) && said.contains("knows of 1"), "{said}");
        assert!(ran.took < SOON && !place.test_directory().exists());
    });
    // All tasks that a foreign launcher starts believe to be rank 0; one of them speaks.
    let mut command = Command::new(BINARY);
    command.args(["-n", "1"]).env("PMI_SIZE", "3").env("PMI_RANK", "2");
    let ran = wait(command).expect(5);
    assert_eq!((ran.stdout.as_str(), ran.said()), ("", vec![]));
}

#[test]
fn a_directory_that_cannot_be_made_is_refused() {
    each(
        [
            "-n 2 -d {W}/file",
            "-n 2 -d {W}/file/below",
            "-D -n 2 -d {W}/closed/d",
            "-u -n 2 -d {W}@{W}/closed/d",
        ],
        |line| {
            let place = Place::new();
            fs::write(place.folder().join("file"), "kept").unwrap();
            fs::create_dir(place.folder().join("closed")).unwrap();
            set_mode(&place.folder().join("closed"), 0o555);
            let ran = run_bound_by_modes(&place, 2, line).expect(1);
            assert!(ran.only_error().contains("-d "), "{}", ran.stderr);
            assert_eq!(crate::harness::names(&place.folder()), ["closed/", "file"]);
            assert!(place.text("file") == "kept" && ran.took < SOON);
        },
    );
}

#[test]
fn a_test_directory_that_takes_nothing_ends_the_run() {
    let place = Place::new();
    fs::create_dir(place.test_directory()).unwrap();
    set_mode(&place.test_directory(), 0o555);
    let ran = run_bound_by_modes(&place, 3, "-n 2 -d {D} --json {W}/r.json").expect(2);
    assert!(
        ran.says(&["error", "test-dir.0-0", "EACCES", "rank 0 on "]) && ran.took < SOON,
        "{}",
        ran.stderr
    );
    assert_eq!(place.record()["exit_code"], 2);
    assert!(place.record()["ended_early"].as_str().unwrap().contains("EACCES"));
}

#[test]
fn calls_that_are_denied_are_counted_and_named_and_the_run_goes_on() {
    let place = Place::new();
    place.run(2, "-n 5 -F -C -d {D}").expect(0);
    let tree = place.test_directory().join("test-dir.0-0/mdtest_tree.0");
    set_mode(&tree, 0o555);
    let ran = run_bound_by_modes(&place, 2, "-n 5 -T -r -F -d {D} --json {W}/r.json").expect(2);
    let record = place.record();
    assert_eq!(phase(&record, "file-stat"), ([10, 10, 0], vec![]));
    assert_eq!(phase(&record, "file-remove"), ([10, 0, 10], kind("EACCES", 10)));
    assert_eq!(phase(&record, "tree-remove").0, [1, 0, 1]);
    let host = record["hosts"][0]["name"].as_str().unwrap();
    let first = file(&place, 0, 0).display().to_string();
    assert!(ran.says(&[
        "File removal: 10 of 10",
        "EACCES",
        "Permission denied",
        "unlink",
        &first,
        "rank 0",
        host
    ]));
    assert!(ran.says(&["Tree removal: 1 of 1", "rmdir"]), "{}", ran.stderr);
    assert!(ran.stdout.contains("File removal                    0.000          0.000"), "{}", ran.stdout);
    assert_eq!(place.left().len(), 12);
    set_mode(&tree, 0o755);
    place.run(2, "-n 5 -r -F -d {D}").expect(0);
}

#[test]
fn missing_items_are_counted_in_every_phase() {
    let place = Place::new();
    let ran = place.run(2, "-n 3 -T -E -U -r -d {D} --json {W}/r.json").expect(2);
    let record = place.record();
    for (name, count) in [
        ("directory-stat", 6),
        ("directory-rename", 6),
        ("directory-remove", 6),
        ("file-stat", 6),
        ("file-read", 6),
        ("file-remove", 6),
        ("tree-remove", 1),
    ] {
        assert_eq!(phase(&record, name), ([count, 0, count], kind("ENOENT", count)), "{name}");
    }
    assert_eq!(ran.said().iter().filter(|line| line.contains("ENOENT")).count(), 7, "{}", ran.stderr);
    let rates = ran.stdout.lines().filter(|l| l.starts_with("   File") || l.starts_with("   Dir"));
    assert!(
        rates.clone().count() == 8 && rates.clone().all(|l| l.ends_with("0.000          0.000")),
        "{}",
        ran.stdout
    );
    assert!(
        place.test_directory().symlink_metadata().is_err(),
        "a run that does not create makes no directory"
    );
}

#[test]
fn leftovers_are_no_secret() {
    let place = Place::new();
    place.run(2, "-n 3 -F -C -d {D}").expect(0);
    // The tree is there already, the files are opened all the same; then a stranger keeps the tree from going.
    let ran = place.run(2, "-n 3 -F -C -d {D} --json {W}/r.json").expect(2);
    assert_eq!(phase(&place.record(), "tree-create"), ([1, 0, 1], kind("EEXIST", 1)));
    assert_eq!(phase(&place.record(), "file-create").0, [6, 6, 0]);
    assert!(ran.says(&["Tree creation: 1 of 1", "EEXIST"]), "{}", ran.stderr);
    fs::write(file(&place, 7, 7), "").unwrap();
    let ran = place.run(2, "-n 3 -F -r -d {D}").expect(2);
    assert!(
        ran.says(&["Tree removal: 1 of 1", "ENOTEMPTY"])
            && ran.says(&["warning", "test-dir.0-0", "ENOTEMPTY"])
    );
    assert_eq!(place.left().len(), 3);
}

#[test]
fn too_many_failures_end_the_run_by_agreement() {
    each(["--max-errors 4", "--max-errors=1", "--warningAsErrors -e 1 -w 1"], |line| {
        let place = Place::new();
        // Rank 0's files are there, so only one task meets failures.
        place.run_alone("-n 100 -F -C -d {D}").expect(0);
        let ran = place.run(2, &format!("-n 100 -F -T -E -r -d {{D}} --json {{W}}/r.json {line}")).expect(2);
        assert!(ran.says(&[
            "error",
            line.split(' ').next().unwrap().split('=').next().unwrap(),
            "the run ends here"
        ]));
        let record = place.record();
        assert_eq!(phases(&record).len(), 1, "stat is the last phase");
        let (items, _) = phase(&record, "file-stat");
        assert!(items[2] < 10 && items[0] == 100 + items[2], "the task that fails stops, {items:?}");
        assert_eq!((place.left().len(), ran.took < SOON), (102, true));
    });
    let place = Place::new();
    place.run(2, "-n 3 -F -T -d {D} --max-errors 7").expect(2);
}

#[test]
fn data_that_differ_are_errors_of_their_own() {
    let place = Place::new();
    let data = "-n 6 -F -w 5000 -e 5000 -G 7 -d {D}";
    place.run(2, &format!("{data} -C")).expect(0);
    place.run(2, &format!("{data} -E -X")).expect(0);
    for (rank, item, at) in [(0, 1, 0), (0, 5, 4999), (1, 0, 2500)] {
        let mut bytes = fs::read(file(&place, rank, item)).unwrap();
        bytes[at] ^= 0x40;
        fs::write(file(&place, rank, item), bytes).unwrap();
    }
    let cut = fs::File::options().write(true).open(file(&place, 1, 3)).unwrap();
    cut.set_len(4096).unwrap();
    let ran = place.run(2, &format!("{data} -E -X --json {{W}}/r.json")).expect(3);
    let (items, mut errors) = phase(&place.record(), "file-read");
    errors.sort();
    assert_eq!(items, [12, 8, 4]);
    assert_eq!(errors, [("DATA-DIFFER".to_string(), 3), ("SHORT-READ".to_string(), 1)]);
    let first = |rank, item| file(&place, rank, item).display().to_string();
    assert!(ran.says(&["DATA-DIFFER", "3 of 12", &first(0, 1), "rank 0"]), "{}", ran.stderr);
    assert!(ran.says(&["SHORT-READ", "1 of 12", &first(1, 3), "rank 1"]), "{}", ran.stderr);
    // Without -X nobody looks at the bytes, but that some are missing is seen.
    place.run(2, &format!("{data} -E --json {{W}}/r.json --force")).expect(2);
    assert_eq!(phase(&place.record(), "file-read"), ([12, 11, 1], kind("SHORT-READ", 1)));
    // Another number in the data is another data.
    place.run(2, "-n 6 -F -w 5000 -e 5000 -G 8 -d {D} -E -X").expect(3);
    place.run(2, &format!("{data} -r")).expect(0);
}

#[test]
fn commands_around_phases_are_run_once_a_node_and_end_the_run_where_they_fail() {
    let place = Place::new();
    let script = place.folder().join("hook");
    fs::write(&script, "#!/bin/sh\necho x >> \"$(dirname \"$0\")/seen\"\necho printed\n").unwrap();
    set_mode(&script, 0o755);
    let ran = place
        .run(2, "-n 2 -F -d {D} --run-cmd-before-phase={W}/hook --run-cmd-after-phase={W}/hook")
        .expect(0);
    assert_eq!((place.text("seen").lines().count(), ran.stdout.contains("printed")), (8, false));
    each([("before", "exit-3"), ("after", "false")], |(when, command)| {
        let place = Place::new();
        let failing = place.folder().join("exit-3");
        fs::write(&failing, "#!/bin/sh\nexit 3\n").unwrap();
        set_mode(&failing, 0o755);
        let command = if *command == "false" { "false".to_string() } else { failing.display().to_string() };
        let option = format!("--run-cmd-{when}-phase");
        let ran = place.run(2, &format!("-n 2 -F -d {{D}} --json {{W}}/r.json {option}={command}")).expect(5);
        assert!(
            ran.says(&["error", &option, &command, "exit status: "]) && ran.took < SOON,
            "{}",
            ran.stderr
        );
        assert_eq!(place.record()["exit_code"], 5);
        assert!(place.record()["ended_early"].as_str().unwrap().contains(&option));
    });
}

#[test]
fn output_files_that_cannot_be_written_are_found_before_the_run() {
    let cases = [
        ("--json {W}/no/r.json", 5),
        ("--json {W}", 1),
        ("--json {W}/old", 1),
        ("--saveRankPerformanceDetails={W}/no/r.csv", 5),
        ("--saveRankPerformanceDetails={W}", 1),
        ("-x {W}/no/stone", 5),
        ("-x {W}", 1),
        ("--savePerOpDataCSV={W}/no/op", 5),
    ];
    each(cases, |(option, code)| {
        let place = Place::new();
        fs::write(place.folder().join("old"), "kept").unwrap();
        let ran = place.run(2, &format!("-n 2 -F -C -d {{D}} {option}")).expect(*code);
        let name = option.split([' ', '=']).next().unwrap();
        assert!(ran.only_error().contains(name) && ran.took < SOON, "{}", ran.stderr);
        assert_eq!((place.test_directory().exists(), place.text("old").as_str()), (false, "kept"));
    });
    let place = Place::new();
    fs::write(place.folder().join("r.json"), "old").unwrap();
    place.run(2, "-n 2 -F -d {D} --json {W}/r.json --force").expect(0);
    assert_eq!(place.record()["schema"], "mdtest-rs/1");
}

#[test]
fn a_reader_that_goes_away_ends_nothing() {
    let place = Place::new();
    let mut command = Command::new("sh");
    let line = place.words("-n 2000 -u -F -i 3 -v -d {D} --json {W}/r.json").join(" ");
    command
        .args(["-c", &format!("({BINARY} {line}; echo $? > {}/code) | head -1", place.folder().display())]);
    wait(command).expect(0);
    assert_eq!((place.text("code").trim(), place.left().len()), ("0", 0));
    assert_eq!(place.record()["exit_code"], 0);
}

#[test]
fn output_that_does_not_fit_is_told_once_and_by_the_exit_code() {
    let place = Place::new();
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let alone = |line: &str, full_stdout: bool| {
        let mut command = std::process::Command::new(crate::harness::BINARY);
        command.args(place.words(line));
        if full_stdout {
            command.stdout(full());
        }
        let ran = command.output().unwrap();
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    for line in ["-n 2 -d {D} --quiet", "--help", "--version"] {
        let (code, said) = alone(line, true);
        assert_eq!(code, Some(5), "{said}");
        assert_eq!(said.matches("standard output cannot be written").count(), 1, "{said}");
    }
    let (code, said) = alone("-n 2 -d {D} --quiet --json /dev/full --force", false);
    assert_eq!((code, said.matches("/dev/full cannot be written").count()), (Some(5), 1), "{said}");
    assert!(place.left().is_empty());
}

#[test]
fn the_screen_of_findings_counts_what_one_task_removed_once() {
    let place = Place::new();
    let ran = place.run(4, "-n 50 -S -F -w 1 -d {D} --json {W}/r.json").expect(0);
    let phases = &place.record()["results"][0]["statistics"];
    let removal = phases.as_array().unwrap().iter().find(|p| p["phase"] == "file-remove").unwrap().clone();
    let true_rate = removal["true_rate_per_s"]["mean"].as_f64().unwrap();
    let shown = mdtest_rs::result::units::rate(true_rate).replace(' ', "");
    let row = ran.stderr.lines().find(|line| line.starts_with("file-remove")).unwrap();
    assert!(row.contains(&shown), "{row}: {shown}");
}
