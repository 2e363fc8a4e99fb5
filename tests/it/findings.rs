//! What a run says of itself on standard error, and the options that change it.

use crate::harness::{is_open_mpi, wait, Place};

/// The lines of the screen: from its title to the end.
fn screen(stderr: &str) -> Vec<&str> {
    stderr.lines().skip_while(|line| !line.starts_with("Findings: ")).collect()
}

#[test]
fn every_phase_has_a_row_and_standard_output_has_none() {
    let place = Place::new();
    let ran = place.run(2, "-n 200 -d {D} -i 2").expect(0);
    let screen = screen(&ran.stderr);
    assert_eq!(screen[0], "Findings: 2 tasks, 2 iterations");
    for phase in [
        "dir-create",
        "dir-stat",
        "dir-rename",
        "dir-remove",
        "file-create",
        "file-stat",
        "file-read",
        "file-remove",
        "tree-create",
        "tree-remove",
    ] {
        let rows: Vec<_> = screen.iter().filter(|line| line.starts_with(&format!("{phase} "))).collect();
        assert!(rows.len() == 1 && rows[0].split_whitespace().count() >= 8, "{phase}: {screen:#?}");
    }
    assert!(!ran.stdout.contains("Findings") && !ran.stdout.contains("file-create"), "{}", ran.stdout);
    assert!(!ran.stderr.contains('\u{1b}'), "no terminal, no colours: {}", ran.stderr);
    let long: Vec<_> = screen.iter().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn colours_are_forced_or_forbidden() {
    let place = Place::new();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = std::process::Command::new(crate::harness::BINARY);
        command.args(place.words("-n 5 -d {D}")).envs(variables.iter().copied());
        wait(command).expect(0).stderr.contains("\u{1b}[1mFindings: ")
    };
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
}

#[test]
fn quiet_leaves_it_out() {
    let ran = Place::new().run(2, "-n 5 -d {D} --quiet -e 1 -w 1").expect(0);
    assert!(screen(&ran.stderr).is_empty() && ran.said().is_empty(), "{}", ran.stderr);
}

#[test]
fn every_number_of_tasks_has_its_screen() {
    let ran = Place::new().run(3, "-n 5 -F -u -l 3 -s 2 -d {D}").expect(0);
    let titles: Vec<_> = ran.stderr.lines().filter(|line| line.starts_with("Findings: ")).collect();
    assert_eq!(titles, ["Findings: 1 task, 1 iteration", "Findings: 3 tasks, 1 iteration"]);
}

#[test]
fn the_straggler_is_named_with_the_rate_without_it() {
    let place = Place::new();
    let line = "-a DUMMY --dummy.delay-create=300 --dummy.delay-only-rank0 -F -C -u -n 500 --json {W}/r.json";
    let ran = place.run(4, line).expect(0);
    let text = screen(&ran.stderr).join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("- rank 0 on ") && text.contains(" slower than the median in File creation: without"),
        "{text}"
    );
    let record = place.record();
    let finding = &record["results"][0]["findings"][0];
    assert_eq!(
        (&finding["about"], &finding["phase"]),
        (&"slow-tasks".into(), &"file-create".into()),
        "{finding}"
    );
}

/// MPICH can pretend that tasks run on several nodes; CI runs this under MPICH.
#[test]
fn the_slow_node_is_named_under_mpich() {
    let place = Place::new();
    let line = "-a DUMMY --dummy.delay-create=300 --dummy.delay-only-rank0 -F -C -u -n 500 --json {W}/r.json";
    let mut command = place.command(2, line);
    command.env("MPIR_CVAR_NUM_CLIQUES", "2");
    let ran = wait(command).expect(0);
    let record = place.record();
    let nodes = if is_open_mpi() { 1 } else { 2 };
    assert_eq!(record["placement"]["nodes"], nodes);
    let iteration = &record["results"][0]["iterations"][0];
    let phase = iteration["phases"].as_array().unwrap().iter().find(|p| p["phase"] == "file-create").unwrap();
    assert_eq!(phase["nodes"].as_array().unwrap().len(), nodes);
    let about = &record["results"][0]["findings"][0]["about"];
    if is_open_mpi() {
        assert_eq!((about, &phase["tasks"]["node_share"]), (&"slow-tasks".into(), &serde_json::Value::Null));
        assert_eq!(iteration["clock_error_s"], 0.0);
    } else {
        let host = record["hosts"][0]["name"].as_str().unwrap();
        assert!(ran.stderr.contains(&format!("- {host} (node 0) is ")), "{}", ran.stderr);
        assert!(phase["tasks"]["node_share"].as_f64().unwrap() > 0.99, "{phase}");
        assert!(iteration["clock_error_s"].as_f64().unwrap() > 0.0);
        assert!(
            phase["nodes"][0]["rate_without_per_s"].is_number()
                && phase["nodes"][1]["rate_without_per_s"].is_null()
        );
    }
}

#[test]
fn until_ci_repeats_until_it_knows_or_says_that_it_does_not() {
    let place = Place::new();
    // Every create takes a millisecond: the other phases do nothing, and are left out.
    let line = "-a DUMMY --dummy.delay-create=1000 -F -C -n 30 -d {D} --json {W}/r.json --force";
    let ran = place.run(2, &format!("{line} --until-ci 100%")).expect(0);
    let record = place.record();
    let iterations = record["results"][0]["iterations"].as_array().unwrap().len();
    assert!((3..=30).contains(&iterations), "{iterations}");
    assert!(ran.stdout.contains(&format!("(of {iterations} iterations)")), "{}", ran.stdout);
    assert!(!ran.says(&["--until-ci"]), "{}", ran.stderr);

    let ran = place.run(2, &format!("{line} --until-ci 0.01% --max-iterations 4")).expect(0);
    let record = place.record();
    assert_eq!(record["results"][0]["iterations"].as_array().unwrap().len(), 4);
    assert!(ran.stdout.contains("(of 4 iterations)"), "{}", ran.stdout);
    assert!(
        ran.says(&["warning", "--until-ci 0.01%", "after 4 iterations", "File creation"]),
        "{}",
        ran.stderr
    );
    assert_eq!(record["plan"]["until_ci_percent"], 0.01);
}

#[test]
fn refusals_of_the_options_that_repeat() {
    for (line, parts) in [
        ("-n 1 --until-ci 0", ["--until-ci", "2.5%"]),
        ("-n 1 --max-iterations 5", ["--max-iterations", "--until-ci"]),
        ("-n 1 --until-ci 5% --max-iterations 2", ["--max-iterations 2", "3 or more"]),
        ("-n 1 -i 8 --until-ci 5% --max-iterations 7", ["--max-iterations 7", "8 or more"]),
        ("-n 1 -T --until-ci 5%", ["--until-ci", "create"]),
        ("-n 1 --rank-details some", ["--rank-details", "slowest"]),
        ("-n 1 --progress fast", ["--progress", "line"]),
    ] {
        let ran = Place::new().run_alone(&format!("{line} -d {{D}}")).expect(1);
        let said = ran.only_error();
        assert!(parts.iter().all(|part| said.contains(part)), "{line}: {said}");
    }
}

/// As root caches are dropped, as anyone else it is said why not.
#[test]
fn caches_are_dropped_or_it_is_said_why_not() {
    let can = std::fs::File::options().write(true).open("/proc/sys/vm/drop_caches").is_ok();
    let place = Place::new();
    let line = "-n 3 -d {D} --drop-caches --json {W}/r.json";
    let ran = place.run(2, line).expect(0);
    assert_eq!(place.record()["plan"]["drop_caches"], can);
    assert_eq!(
        ran.says(&["warning", "--drop-caches", "/proc/sys/vm/drop_caches cannot be written"]),
        !can,
        "{}",
        ran.stderr
    );
}
