use super::*;
use crate::archive::PhaseSummary;
use crate::namespace::phase::Phase;
use proptest::prelude::*;

const LOG: &str = include_str!("../../../tests/it/import/4.1-ranks.log");
const CSV: &str = include_str!("../../../tests/it/import/4.1-ranks.csv");
const TABLE: &str = include_str!("../../../tests/it/import/juicefs-efs-s3fs.csv");

fn of(text: &str) -> Vec<Record> {
    records("a/x.log", "x", text.as_bytes()).unwrap()
}

/// A table with a row, behind lines of a run.
fn run(lines: &str, title: &str, row: &str) -> String {
    format!(
        "-- started at A --\n{lines}\n{title}\n   Operation   Max  Min  Mean  Std Dev\n   ---  ---\n   {row}\n-- finished at B --\n"
    )
}

fn summary(records: &[Record]) -> &PhaseSummary {
    records[0].results[0].of(Phase::FileStat).unwrap()
}

#[test]
fn a_phase_of_zeros_did_not_run() {
    let text = run("", "SUMMARY rate: (of 3 iterations)", "File stat 0.000 0.000 0.000 0.000");
    assert_eq!(of(&text)[0].results[0].statistics, []);
}

#[test]
fn numbers_that_are_none_are_absent_and_the_others_stay() {
    let text = run("", "SUMMARY rate: (of 3 iterations)", "File stat : inf 1.000 -nan *****");
    let rate = summary(&of(&text)).rate_per_s.clone().unwrap();
    assert_eq!((rate.max, rate.min, rate.mean, rate.std_dev), (None, Some(1.0), None, None));
}

#[test]
fn one_iteration_is_known_and_has_no_deviation_two_have_a_median_and_three_have_none() {
    for (n, row, median, std_dev, known) in [
        (1, "5.000 5.000 5.000 0.000", Some(5.0), None, 1),
        // Over tasks, as some versions have it.
        (1, "9.000 1.000 5.000 4.000", None, Some(4.0), 0),
        (2, "6.000 4.000 5.000 1.414", Some(5.0), Some(1.414), 0),
        (2, "6.000 4.000 5.500 1.414", None, Some(1.414), 0),
        (3, "6.000 4.000 5.000 1.000", None, Some(1.0), 0),
    ] {
        let found = of(&run("", &format!("SUMMARY rate: (of {n} iterations)"), &format!("File stat {row}")));
        let rate = summary(&found).rate_per_s.clone().unwrap();
        assert_eq!((rate.median, rate.std_dev), (median, std_dev), "{row}");
        let result = &found[0].results[0];
        assert_eq!((result.iterations.len(), result.iterations_in_all()), (known, Some(n)), "{row}");
    }
}

#[test]
fn what_a_table_says_is_told_from_its_title() {
    let row = "File stat 1.500 1.500 1.500 0.000";
    for (title, row, lines, format, rates) in [
        ("SUMMARY: (of 2 iterations)", row, "", "mdtest 1.9 text", true),
        (
            "SUMMARY rate: (of 2 iterations)",
            "File stat : 1.500 1.500 1.500 0.000",
            "Nodemap: 11",
            "mdtest 3.x text",
            true,
        ),
        ("SUMMARY rate: (of 2 iterations)", row, "", "mdtest 4.0 text", true),
        ("SUMMARY rate (in ops/sec): (of 2 iterations)", row, "", "mdtest 4.1 text", true),
        ("SUMMARY time (in ms/op): (of 2 iterations)", row, "", "mdtest 4.1 text", false),
        ("SUMMARY time (in sec): (of 2 iterations)", row, "", "mdtest 4.1 text", false),
        ("SUMMARY time: (of 2 iterations)", row, "", "mdtest 4.0 text", false),
        (
            "SUMMARY time: (of 2 iterations)",
            "File stat: 1.500 1.500 1.500 0.000",
            "",
            "mdtest 1.9 or 3.x text",
            false,
        ),
    ] {
        let found = of(&run(lines, title, row));
        assert_eq!(found[0].origin.as_ref().unwrap().format, format, "{title}");
        let s = summary(&found);
        let (rate, seconds) = (s.rate_per_s.as_ref(), s.seconds.as_ref());
        assert_eq!((rate.is_some(), seconds.is_some()), (rates, !rates), "{title}");
        assert_eq!(rate.or(seconds).unwrap().mean, Some(1.5));
    }
}

#[test]
fn a_second_table_without_a_line_of_items_is_of_another_number_of_tasks() {
    let table = |rate: &str| {
        format!("SUMMARY rate: (of 1 iterations)\n   Tree creation {rate} {rate} {rate} 0.000\n")
    };
    let found = of(&format!("-- started at A --\n{}{}-- finished at B --\n", table("1.000"), table("2.000")));
    let rates: Vec<_> =
        found[0].results.iter().map(|r| (r.tasks, r.iterations[0].phases[0].rate_per_s)).collect();
    assert_eq!(rates, [(None, Some(1.0)), (None, Some(2.0))]);
}

#[test]
fn values_of_every_task_are_taken_where_all_are_there() {
    let found = of(LOG);
    let outcomes: Vec<_> = found[0].results[0].outcomes(Phase::FileCreate).collect();
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.iter().all(|p| p.task_rate_per_s.is_some() && p.rate_per_s.is_none()));
    // A value is missing, or no number: then the smallest is not known.
    for change in [
        ("Test File creation ", "Test File creation inf,"),
        ("Test File creation ", "Test File creation 1.0,"),
    ] {
        let found = of(&LOG.replace(change.0, change.1));
        assert_eq!(found[0].results[0].outcomes(Phase::FileCreate).count(), 0);
    }
}

#[test]
fn a_killed_run_of_ours_keeps_the_iterations_it_told() {
    let line = |rest: &str| format!("V-1: Rank   0 Line     0 {rest}\n");
    let mut text = "-- started at A --\n\nmdtest-rs-0.1.0 was launched with 2 total task(s) on 1 node(s)\n2 tasks, 8 files\n".to_string();
    for n in [1, 2] {
        text += &line(&format!("main: * iteration {n} *"));
        text += &line(&format!("   File creation     :          {n}.250 sec,         {n}.500 ops/sec"));
    }
    let result = &of(&text)[0].results[0];
    let known: Vec<_> = result.outcomes(Phase::FileCreate).map(|p| (p.rate_per_s, p.rated_seconds)).collect();
    assert_eq!(known, [(Some(1.5), Some(1.25)), (Some(2.5), Some(2.25))]);
    assert_eq!(result.statistics, []);
}

#[test]
fn warnings_of_a_failing_run_do_not_fill_the_record() {
    let warnings = "WARNING: unable to remove x\n".repeat(10_000);
    let found = of(&run(&warnings, "SUMMARY: (of 1 iterations)", "File stat 1.000 1.000 1.000 0.000"));
    assert_eq!(found[0].warnings.len(), 100);
}

#[test]
fn a_file_of_rows_that_was_cut_off_is_read_up_to_the_last_whole_row() {
    let rows: Vec<&str> = CSV.lines().collect();
    let first = |text: &str| {
        let found = records("x.csv", "x", text.as_bytes()).unwrap();
        let result = found[0].results[0].clone();
        let spread = result.outcomes(Phase::FileStat).filter(|p| p.task_rate_per_s.is_some()).count();
        (result.tasks, result.items, spread)
    };
    assert_eq!(first(CSV), (Some(3), Some(4500), 2));
    // In the second iteration: of the first everything is known.
    assert_eq!(first(CSV.trim_end()), (Some(3), Some(4500), 1));
    // In the first: how many tasks there were is not known.
    assert_eq!(first(&rows[..5].join("\n")), (None, None, 0));
}

#[test]
fn files_of_rows_behind_each_other_are_records_of_their_own() {
    let names: Vec<String> = of(&format!("{CSV}{CSV}")).into_iter().map(|record| record.name).collect();
    assert_eq!(names, ["x-1", "x-2"]);
}

#[test]
fn marks_comments_and_quotes_of_other_programs_are_no_hindrance() {
    for text in [
        format!("\u{feff}{TABLE}"),
        TABLE.replace('\n', "\r\n"),
        format!("\n# published\n{TABLE}"),
        TABLE.replace("operation,S3FS", "\"Operation\",\"S3FS\"").replace("File stat", "FILE STAT"),
        TABLE.replace("Tree creation", "tree-create"),
        format!("{TABLE}Directory rename,-,,0.000\n"),
    ] {
        let found = of(&text);
        let names: Vec<&str> = found.iter().map(|record| record.name.as_str()).collect();
        assert_eq!(names, ["S3FS", "EFS", "JuiceFS"], "{text}");
        assert!(found.iter().all(|record| record.results[0].phases().count() == 9), "{text}");
        let printed = found[0].results[0].of(Phase::FileCreate).unwrap().rate_per_s.clone().unwrap().printed;
        assert_eq!(printed.as_deref(), Some("5.696"));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = records("x", "x", &bytes);
    }

    /// Logs and files of which bytes are changed, pieces left out, and pieces put elsewhere.
    #[test]
    fn what_was_damaged_is_read_or_refused(
        which in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 0..4),
    ) {
        let mut bytes = [LOG, CSV, TABLE][which].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        for (from, to, keep) in cuts {
            if !bytes.is_empty() {
                let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
                let piece: Vec<u8> = bytes.drain(from.min(to)..from.max(to)).collect();
                if keep {
                    bytes.extend(piece);
                }
            }
        }
        if let Ok(found) = records("x", "x", &bytes) {
            for record in found {
                let text = serde_json::to_string(&record).unwrap();
                let again: Record = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(again.results.len(), record.results.len());
            }
        }
    }

    /// A log of a killed run is the run, as far as it goes: a row that is there tells what it told.
    #[test]
    fn a_log_that_ends_anywhere_tells_nothing_else(end in 0..LOG.len()) {
        let whole = of(LOG);
        let Ok(part) = records("x.log", "x", &LOG.as_bytes()[..end]) else { return Ok(()) };
        prop_assert_eq!(part.len(), 1);
        for s in part[0].results.iter().flat_map(|r| &r.statistics) {
            let known = whole[0].results[0].of(s.phase).unwrap();
            for (part, whole) in [(&s.rate_per_s, &known.rate_per_s), (&s.seconds, &known.seconds)] {
                let Some((part, whole)) = part.as_ref().zip(whole.as_ref()) else { continue };
                prop_assert_eq!((part.max, part.min, part.mean), (whole.max, whole.min, whole.mean));
                prop_assert!(part.std_dev.is_none() || part.std_dev == whole.std_dev);
            }
        }
    }
}
