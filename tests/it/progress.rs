//! Progress on standard error, and nothing of it anywhere else.

use crate::harness::{launcher_behind, wait, Place, Ran, BINARY};
use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

/// A phase of more than a second in which nothing is done.
const SLOW: &str = "-a DUMMY -F -C -n 1500 --dummy.delay-create=1000 --quiet";
/// What the texts of a phase begin with.
const PHASE: &str = "file-create";

/// The lines of a text without what differs between runs: numbers, dates, the words of the command.
fn shape(text: &str) -> Vec<String> {
    let word = |word: &str| match word.contains(|c: char| c.is_ascii_digit()) {
        true => "#".to_string(),
        false => word.to_string(),
    };
    let lines = text.lines().filter(|line| !line.starts_with("Command line used"));
    lines.map(|line| line.split_whitespace().map(word).collect::<Vec<_>>().join(" ")).collect()
}

/// What a terminal shows in the end of each line: what was drawn is taken away by the sequence that clears it.
fn shown(text: &str) -> String {
    let line = |line: &str| line.rsplit("\x1b[2K").next().unwrap_or_default().replace('\r', "");
    text.lines().flat_map(|text| [line(text), "\n".to_string()]).collect()
}

/// Runs a command with a terminal for its streams; its standard output is what came to the terminal.
#[track_caller]
fn on_a_terminal(place: &Place, words: &[String]) -> Ran {
    let mut command = Command::new("script");
    command.args(["-qec", &words.join(" "), "/dev/null"]).current_dir(place.folder());
    command.env("TERM", "xterm").env("SHELL", "/bin/sh").env_remove("COLUMNS");
    for (name, value) in launcher_behind(&[], 1).get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    wait(command)
}

fn words_of(command: &Command) -> Vec<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

#[test]
fn json_lines_tell_how_far_each_phase_is() {
    let place = Place::new();
    let ran = place.run(2, &format!("{SLOW} -i 2 --progress json")).expect(0);
    let lines: Vec<Value> = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect();
    assert!(!lines.is_empty(), "{}", ran.stderr);
    let mut last = (0, 0);
    for line in &lines {
        let progress = &line["progress"];
        let number = |name: &str| progress[name].as_u64().unwrap_or_else(|| panic!("{name}: {line}"));
        assert_eq!(progress["phase"], PHASE);
        assert_eq!((number("tasks"), number("items"), number("iterations")), (2, 3000, 2));
        assert_eq!(progress["estimate"], true);
        let now = (number("iteration"), number("done"));
        assert!(now > last || now.1 == 3000, "{lines:#?}");
        assert!((1..=2).contains(&now.0) && now.1 <= 3000, "{line}");
        assert!(progress["rate_per_s"].as_f64().unwrap() >= 0.0, "{line}");
        assert!(progress["seconds_left"].is_null() || progress["seconds_left"].as_f64().unwrap() >= 0.0);
        last = now;
    }
}

#[test]
fn standard_output_is_the_same_however_progress_is_shown() {
    let place = Place::new();
    let run = |how: &str| place.run(2, &format!("{SLOW} {how}")).expect(0);
    let (none, auto) = (run("--progress none"), run(""));
    let (json, line, bar) = (run("--progress json"), run("--progress line"), run("--progress bar"));
    for ran in [&none, &auto] {
        assert!(!ran.stderr.contains(PHASE), "{}", ran.stderr);
    }
    assert!(bar.stderr.contains(&format!("{PHASE}  1/1 [")), "{}", bar.stderr);
    for ran in [&auto, &json, &line, &bar] {
        assert_eq!(shape(&ran.stdout), shape(&none.stdout));
        assert!(!ran.stdout.contains(['\x1b', '\r', '{']) && !ran.stdout.contains(PHASE), "{}", ran.stdout);
    }
}

#[test]
fn a_line_now_and_then() {
    let place = Place::new();
    let line = "-a DUMMY -F -C -n 12 --dummy.delay-create=1000000 --progress line";
    let ran = place.run(1, line).expect(0);
    assert!(ran.says(&["mdtest-rs: file-create iteration 1/1: ", " of 12 (", " /s, "]), "{}", ran.stderr);
}

#[test]
fn a_bar_stands_on_a_terminal_and_tears_nothing() {
    let place = Place::new();
    let alone: Vec<String> = [BINARY.to_string()].into_iter().chain(place.words(SLOW)).collect();
    let ran = on_a_terminal(&place, &alone).expect(0);
    assert!(ran.stdout.contains(&format!("{PHASE}  1/1 [")), "{}", ran.stdout);
    assert!(ran.stdout.contains(" of 1,500 "), "no estimate: there is one task\n{}", ran.stdout);
    let plain = place.run_alone(SLOW).expect(0);
    assert_eq!(shape(&shown(&ran.stdout)), shape(&plain.stdout));
}

#[test]
fn a_terminal_is_found_behind_the_launcher() {
    let place = Place::new();
    let ran = on_a_terminal(&place, &words_of(&place.command(2, SLOW))).expect(0);
    assert!(ran.stdout.contains(&format!("{PHASE}  1/1 [")), "{}", ran.stdout);
    assert!(ran.stdout.contains(" of 3,000  ~"), "{}", ran.stdout);
    let quiet = [words_of(&place.command(2, SLOW)), vec!["2>/dev/null".to_string()]].concat();
    let ran = on_a_terminal(&place, &quiet).expect(0);
    assert!(!ran.stdout.contains(PHASE), "{}", ran.stdout);
    let dumb = [vec!["TERM=dumb".to_string()], words_of(&place.command(2, SLOW))].concat();
    let ran = on_a_terminal(&place, &dumb).expect(0);
    assert!(!ran.stdout.contains(PHASE), "{}", ran.stdout);
}

#[test]
fn a_reader_of_progress_that_goes_away_ends_nothing() {
    let place = Place::new();
    for how in ["bar", "json"] {
        let mut command = Command::new(BINARY);
        command.args(place.words(&format!("{SLOW} --progress {how}"))).current_dir(place.folder());
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        let status = child.wait().unwrap();
        assert_eq!((status.code(), status.signal()), (Some(0), None), "{how}");
    }
}

// Only builds with debug assertions panic when they are asked to.
#[cfg(debug_assertions)]
#[test]
fn a_panic_is_seen_while_progress_is_shown() {
    let place = Place::new();
    let mut command = place.command(2, &format!("{SLOW} --progress bar"));
    command.env("MDTEST_RS_PANIC_RANK", "0");
    let ran = wait(command).expect(101);
    assert!(ran.stderr.contains("mdtest-rs: internal error: rank 0 on "), "{}", ran.stderr);
}
