//! Sweeps: with a launcher and a program that only write down that they were started, and real ones.

use crate::harness::{is_open_mpi, mpirun, names, wait, Place, Ran, BINARY};
use serde_json::{json, Value};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Nine points, each twice.
const POINTS: &str = "--clients 1,2,4 --tasks-per-client 1,2,4 --repeats 2";

/// Stands for mpirun: writes down what it was to start, waits where it is told to, and starts it once.
const LAUNCHER: &str = r#"#!/bin/sh
folder=$1 np=$2 nodes=$3
shift 3
echo "$np $nodes $*" >>"$folder/launches"
if [ -e "$folder/stop-at" ] && [ "$(wc -l <"$folder/launches")" = "$(cat "$folder/stop-at")" ]; then
    : >"$folder/waiting"
    while :; do sleep 0.01; done
fi
NP=$np NODES=$nodes exec "$@"
"#;

/// Stands for mdtest-rs: a record whose rates follow from the numbers of tasks and nodes alone.
const PROGRAM: &str = r#"#!/bin/sh
for word in "$@"; do last=$word; done
case " $* " in *" --json "*) ;; *) exit 0 ;; esac
[ ! -e "$FAIL_AT" ] || [ "$(cat "$FAIL_AT")" != "$NP" ] || { echo "mdtest-rs: error: no $NP today" >&2; exit 5; }
rate() { echo "{\"phase\":\"$1\",\"rate_per_s\":{\"mean\":$((NP * 100000 / (20 + NP + NODES))).25}}"; }
cat >"$last" <<END
{"schema":"mdtest-rs/1","finished":"2026-01-01T00:00:00Z","exit_code":${EXIT_CODE:-0},
"placement":{"tasks":$NP,"nodes":$NODES},
"results":[{"tasks":$NP,"statistics":[$(rate directory-create),$(rate file-create)]}]}
END
"#;

/// A place with the two scripts in it.
fn stage() -> Place {
    let place = Place::new();
    for (name, text) in [("launch", LAUNCHER), ("program", PROGRAM)] {
        let path = place.folder().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

/// The command of a sweep on that stage.
fn command(place: &Place, line: &str) -> Command {
    let folder = place.folder();
    let (before, behind) = line.split_once(" -- ").unwrap_or((line, "-n 5 -u -d {D}"));
    let mut command = Command::new(BINARY);
    command
        .args(["sweep", "--pause", "0"])
        .args(["--launcher", &format!("{0}/launch {0} {{np}} {{nodes}}", folder.display()), "-o", "out"])
        .args(["--mdtest-rs", &folder.join("program").display().to_string()])
        .args(place.words(before))
        .arg("--")
        .args(place.words(behind))
        .env("FAIL_AT", folder.join("fail-at"))
        .current_dir(folder);
    command
}

#[track_caller]
fn sweep(place: &Place, line: &str) -> Ran {
    wait(command(place, line))
}

/// The names of the records that were asked for, in the order of the launches.
fn launched(place: &Place) -> Vec<String> {
    let text = if place.folder().join("launches").exists() { place.text("launches") } else { String::new() };
    let record = |line: &str| line.rsplit_once('/').unwrap().1.trim_end_matches(".json").to_string();
    text.lines().filter(|line| line.contains(" --json ")).map(record).collect()
}

fn state(place: &Place) -> Value {
    serde_json::from_str(&place.text("out/sweep.json")).unwrap()
}

fn await_file(path: &Path) {
    for _ in 0..12_000 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{} is never there", path.display());
}

fn kill(process: u32, signal: &str) {
    let killed = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status().unwrap();
    assert!(killed.success());
}

/// Starts a sweep whose launcher waits at its launch number `at`, and interrupts it there.
fn interrupt(place: &Place, line: &str, at: usize, signal: &str) -> Ran {
    std::fs::write(place.folder().join("stop-at"), at.to_string()).unwrap();
    let mut command = command(place, line);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let waiting = place.folder().join("waiting");
    await_file(&waiting);
    kill(child.id(), signal);
    let out = child.wait_with_output().unwrap();
    std::fs::remove_file(place.folder().join("stop-at")).unwrap();
    std::fs::remove_file(waiting).unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran {
        code: out.status.code(),
        stdout: text(out.stdout),
        stderr: text(out.stderr),
        took: Default::default(),
    }
}

#[test]
fn an_interrupted_sweep_goes_on_to_the_same_tables_and_runs_nothing_twice() {
    let straight = stage();
    let whole = sweep(&straight, POINTS).expect(0);
    assert_eq!(launched(&straight).len(), 18);
    assert!(whole.says(&["[18/18] 4 clients x 4 tasks: file-create 40.0 k/s"]), "{}", whole.stderr);
    for (signal, at) in [("INT", 8), ("TERM", 1), ("INT", 18)] {
        let place = stage();
        let cut = interrupt(&place, POINTS, at, signal).expect(130);
        assert!(cut.says(&["interrupted", &format!("{} of 18 points are done", at - 1)]), "{}", cut.stderr);
        assert!(cut.says(&["the same command goes on:", "--repeats 2"]), "{}", cut.stderr);
        assert_eq!(cut.stdout.is_empty(), at == 1, "what is done is told: {}", cut.stdout);
        let resumed = sweep(&place, POINTS).expect(0);
        assert_eq!(resumed.stdout, whole.stdout);
        assert_eq!(place.text("out/sweep.csv"), straight.text("out/sweep.csv"));
        let mut names = launched(&place);
        assert_eq!(names.remove(at), names[at - 1], "the one that was cut is run again, at once");
        assert_eq!(names, launched(&straight));
        let cleared = place.text("launches").lines().filter(|line| line.contains(" -r=1 ")).count();
        assert_eq!(cleared, 1, "what it left is removed");
        // Everything is done: nothing is launched any more.
        let again = sweep(&place, POINTS).expect(0);
        assert_eq!((again.stdout, launched(&place).len()), (whole.stdout.clone(), 19));
    }
}

#[test]
fn a_sweep_that_was_killed_goes_on_too() {
    let place = stage();
    sweep(&place, "--tasks-per-client 1,2,4").expect(0);
    // As if it had been killed behind the end of one run and within another.
    let mut state = state(&place);
    state["runs"][1]["state"] = json!("running");
    state["runs"][2]["state"] = json!("running");
    std::fs::write(place.folder().join("out/sweep.json"), state.to_string()).unwrap();
    let half = place.text("out/c1-t4-r1.json").replace("\"finished\"", "\"other\"");
    std::fs::write(place.folder().join("out/c1-t4-r1.json"), half).unwrap();
    sweep(&place, "--tasks-per-client 1,2,4").expect(0);
    assert_eq!(launched(&place), ["c1-t1-r1", "c1-t2-r1", "c1-t4-r1", "c1-t4-r1"]);
}

#[test]
fn a_run_that_outlives_its_sweep_is_waited_for() {
    let place = stage();
    std::fs::write(place.folder().join("stop-at"), "1").unwrap();
    let mut killed = command(&place, "").stderr(Stdio::null()).spawn().unwrap();
    await_file(&place.folder().join("waiting"));
    kill(killed.id(), "KILL");
    killed.wait().unwrap();
    let left = state(&place)["runs"][0]["process"].as_u64().unwrap();
    let ran = sweep(&place, "").expect(1);
    assert!(
        ran.only_error().contains(&format!("c1-t1-r1 is still being run by process {left}")),
        "{}",
        ran.stderr
    );
    kill(u32::try_from(left).unwrap(), "KILL");
    std::fs::remove_file(place.folder().join("stop-at")).unwrap();
    // Its process may take a moment to go.
    for _ in 0..1000 {
        if !Path::new(&format!("/proc/{left}")).exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    sweep(&place, "").expect(0);
}

#[test]
fn a_point_that_fails_is_noted_and_the_sweep_goes_on() {
    let place = stage();
    std::fs::write(place.folder().join("fail-at"), "2").unwrap();
    let ran = sweep(&place, "--tasks-per-client 1,2,4").expect(2);
    assert!(ran.says(&["[2/3] 1 client x 2 tasks failed: no 2 today", "c1-t2-r1.log"]), "{}", ran.stderr);
    assert!(ran.says(&["1 of 3 points failed", "--retry-failed"]), "{}", ran.stderr);
    assert!(ran.stdout.contains("  clients    1 task    4 tasks\n"), "{}", ran.stdout);
    let run = &state(&place)["runs"][1];
    assert_eq!((&run["state"], &run["note"]), (&json!("failed"), &json!("no 2 today")));
    std::fs::remove_file(place.folder().join("fail-at")).unwrap();
    sweep(&place, "--tasks-per-client 1,2,4").expect(2);
    assert_eq!(launched(&place).len(), 3, "it stays failed");
    sweep(&place, "--tasks-per-client 1,2,4 --retry-failed").expect(0);
    assert_eq!(launched(&place), ["c1-t1-r1", "c1-t2-r1", "c1-t4-r1", "c1-t2-r1"]);
}

#[test]
fn failed_operations_slow_points_and_other_placements_are_told() {
    let place = stage();
    let mut failing = command(&place, "--tasks-per-client 1");
    failing.env("EXIT_CODE", "2");
    let ran = wait(failing).expect(2);
    assert!(
        ran.says(&["[1/1]", "operations failed"]) && ran.stdout.contains("File creation"),
        "{}",
        ran.stderr
    );

    let place = stage();
    std::fs::write(place.folder().join("stop-at"), "1").unwrap();
    let ran = sweep(&place, "--tasks-per-client 1,2 --timeout 1").expect(2);
    assert!(ran.says(&["[1/2]", "failed: it took longer than --timeout 1"]), "{}", ran.stderr);
    assert!(ran.says(&["[2/2]", "file-create"]), "{}", ran.stderr);

    let place = stage();
    // A launcher that has all tasks on one node.
    let mut placed = Command::new(BINARY);
    placed
        .args(["sweep", "--pause", "0", "--launcher"])
        .arg(format!("{0}/launch {0} {{np}} 1", place.folder().display()));
    placed.args(place.words("--mdtest-rs {W}/program --clients 1,2,4 -o out -- -n 5"));
    placed.env("FAIL_AT", "").current_dir(place.folder());
    let ran = wait(placed).expect(0);
    assert!(ran.stdout.contains("        4  "), "{}", ran.stdout);
    let warned = ran.said().iter().filter(|line| line.contains("1 node(s) in place of")).count();
    assert_eq!(warned, 1, "once: {}", ran.stderr);
    assert!(state(&place)["runs"][2]["warning"].as_str().unwrap().contains("in place of 4"));
}

#[test]
fn values_of_options_are_points_too() {
    let place = stage();
    let ran = sweep(&place, "--tasks-per-client 1,2 --vary w=1k,4k --order shuffled --seed 5").expect(0);
    assert!(ran.stdout.contains("File creation, -w=1k, operations per second\n"), "{}", ran.stdout);
    let table = place.text("out/sweep.csv");
    assert!(table.starts_with("operation,-w,clients,processes per client,ops per second\n"), "{table}");
    assert!(
        place.text("launches").contains(" -n 5 -u -d ") && place.text("launches").contains(" -w=4k --json ")
    );
    let order: Vec<String> = launched(&place);
    assert_eq!(order.len(), 4);
    let again = stage();
    sweep(&again, "--tasks-per-client 1,2 --vary w=1k,4k --order shuffled --seed 5").expect(0);
    assert_eq!(launched(&again), order, "a seed is an order");
    assert_eq!(again.text("out/sweep.csv"), table);
}

#[test]
fn a_dry_run_prints_commands_and_touches_nothing() {
    let place = stage();
    let before = names(&place.folder());
    let ran = sweep(&place, "--clients 1,2 --tasks-per-client 3 --dry-run -- -n 5 -d /a/it's").expect(0);
    assert_eq!(names(&place.folder()), before);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stdout);
    let record = place.folder().join("out/c2-t3-r1.json");
    let end = format!(
        r" 6 2 {}/program -n 5 -d '/a/it'\''s' --json {}",
        place.folder().display(),
        record.display()
    );
    assert!(lines[1].ends_with(&end), "{}", lines[1]);
}

#[test]
fn sweeps_that_cannot_be_are_refused_before_anything() {
    let place = stage();
    std::fs::write(place.folder().join("hosts"), "a\nb slots=4\n# c\n").unwrap();
    for (line, parts) in [
        ("--clients 1,2,4 --hostfile {W}/hosts", ["needs 4 hosts", "has 2"]),
        ("--hostfile {W}/none", ["--hostfile", "/none"]),
        ("--launcher mpirun", ["--launcher", "{np}"]),
        ("--clients 0", ["--clients", "'0'"]),
        ("--vary w=1,x", ["-w", "x"]),
        ("--vary quatsch=1", ["options of the runs", "--quatsch"]),
        ("--repeats 0", ["--repeats", "1 or more"]),
        ("--clients 2000 --tasks-per-client 1,2 --repeats 6000", ["10000 runs", "--repeats"]),
        ("--seed 1 -- -n 5 --json r", ["--json", "-o"]),
        ("--seed 1 -- -n 5 -f 2", ["-f", "--tasks-per-client"]),
        ("--seed 1 -- -n quatsch", ["-n", "quatsch"]),
    ] {
        let ran = sweep(&place, line);
        let expected = if line.contains("none") { 5 } else { 1 };
        let ran = ran.expect(expected);
        assert!(parts.iter().all(|part| ran.only_error().contains(part)), "{line}: {}", ran.stderr);
        assert!(!place.folder().join("out").exists(), "{line}");
    }
    assert!(launched(&place).is_empty());
}

#[test]
fn a_folder_is_of_one_sweep_at_a_time() {
    let place = stage();
    sweep(&place, "--tasks-per-client 1,2").expect(0);
    let ran = sweep(&place, "--tasks-per-client 1,2,4").expect(1);
    assert!(ran.only_error().contains("--tasks-per-client '1,2', asked for is '1,2,4'"), "{}", ran.stderr);
    let ran = sweep(&place, "--tasks-per-client 1,2 -- -n 6").expect(1);
    assert!(ran.only_error().contains("-n 5 -u"), "{}", ran.stderr);
    std::fs::write(place.folder().join("out/sweep.json"), "{}").unwrap();
    assert!(sweep(&place, "").expect(1).only_error().contains("sweep.json is no state of a sweep"));
    std::fs::remove_file(place.folder().join("out/sweep.json")).unwrap();
    let ran = sweep(&place, "").expect(1);
    assert!(ran.only_error().contains("c1-t1-r1.json is there, but no sweep.json"), "{}", ran.stderr);

    let place = stage();
    std::fs::write(place.folder().join("stop-at"), "1").unwrap();
    let mut first = command(&place, "").stderr(Stdio::null()).spawn().unwrap();
    await_file(&place.folder().join("waiting"));
    assert!(sweep(&place, "").expect(1).only_error().contains("in use by another sweep"));
    kill(first.id(), "INT");
    assert_eq!(first.wait().unwrap().code(), Some(130));
}

/// Real runs, one of which is cut in the middle of its phases.
#[test]
fn a_real_sweep_is_interrupted_and_goes_on() {
    let place = Place::new();
    let launcher = format!("{} {}-np {{np}}", mpirun(), if is_open_mpi() { "--oversubscribe " } else { "" });
    let command = || {
        let mut command = Command::new(BINARY);
        command.args(["sweep", "--pause", "0"]).args([
            "--clients",
            "1,2",
            "--tasks-per-client",
            "1,2",
            "--launcher",
            &launcher,
        ]);
        command.args(place.words("-o {W}/s -- -n 200 -b 2 -z 1 -u -d {D}")).current_dir(place.folder());
        command.env("OMPI_MCA_mpi_yield_when_idle", "1");
        command
    };
    let child = command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Somewhere in the second run: it does not matter where.
    await_file(&place.folder().join("s/c1-t2-r1.log"));
    std::thread::sleep(Duration::from_millis(300));
    kill(child.id(), "INT");
    child.wait_with_output().unwrap();
    let ran = wait(command()).expect(0);
    assert!(ran.says(&["points are done already"]), "{}", ran.stderr);
    for operation in ["Directory creation", "File stat", "Tree removal"] {
        let head = format!("{operation}, operations per second\n  clients ");
        assert!(ran.stdout.contains(&head), "{}", ran.stdout);
    }
    let table = place.text("s/sweep.csv");
    assert_eq!(table.lines().filter(|line| line.starts_with("File creation,")).count(), 4, "{table}");
    assert_eq!(place.left(), Vec::<String>::new(), "nothing is left of any run");
}

/// The launcher that is found by itself, with the words made for it.
#[test]
fn a_real_sweep_finds_its_launcher() {
    if std::env::var_os("MDTEST_RS_MPIRUN").is_some() {
        return; // it finds mpirun, which is another MPI's
    }
    let place = Place::new();
    let ran = place.run_alone("sweep --tasks-per-client 1,3 -o {W}/s -- -n 20 -F -d {D}").expect(0);
    assert!(ran.says(&["[2/2] 1 client x 3 tasks: file-create"]), "{}", ran.stderr);
    let ran =
        place.run_alone("sweep --tasks-per-client 3 --host localhost -o {W}/t -- -n 20 -F -d {D}").expect(0);
    assert!(!ran.says(&["warning"]) && ran.stdout.contains("File creation"), "{}", ran.stderr);
}
