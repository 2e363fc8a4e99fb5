//! Programs of others that read mdtest's text find the right numbers in ours. Each reader here is written after what
//! its program needs, and gets the dialects that it works on.

use crate::harness::{each, Place};
use serde_json::Value;

/// A row as a reader sees it: its label, and Max, Min, Mean and Std Dev as far as the reader takes them.
type Reading = (String, [Option<f64>; 4]);

type Reader = fn(&str) -> Vec<Reading>;

const ALL: &[&str] = &["1.9", "3", "4.0", "4.1"];
const WITH_COLON: &[&str] = &["1.9", "3"];
const WITHOUT: &[&str] = &["4.0", "4.1"];

/// Whose reader, the dialects it works on, the iterations it is shown, and how it reads.
const READERS: [(&str, &[&str], u64, Reader); 10] = [
    ("DAOS functional tests", WITHOUT, 2, |text| daos(text, "SUMMARY rate")),
    ("HPC2N ReFrame checks", ALL, 2, hpc2n),
    // It takes no blank line, and in 1.9 one stands before the end.
    ("Bobber", &["3", "4.0", "4.1"], 2, bobber),
    ("GalaxyBenchmarker", WITHOUT, 2, galaxy),
    // Of one iteration, as IO500 has it: where there is a colon the fourth word is another column.
    ("IO500 shell harness", ALL, 1, io500),
    ("Ramble, Benchpark", WITH_COLON, 2, with_colon),
    ("hpcbench", &["1.9"], 2, hpcbench),
    ("Xperior, Cbench, mdtest_formatter", WITH_COLON, 1, with_colon),
    ("EPCC ReFrame", &["1.9"], 1, epcc),
    ("IOPS, DAOS scaled testing and plot scripts", &["3", "4.0"], 2, iops),
];

#[test]
fn every_reader_finds_the_right_numbers_in_its_dialects() {
    let runs = ["1.9", "3", "4.0", "4.1"].into_iter().flat_map(|dialect| [1, 2].map(|i| (dialect, i)));
    each(runs, |&(dialect, iterations)| {
        let (text, record) = run(dialect, &format!("-i {iterations}"));
        let expected = rows(&record, "rate_per_s", dialect);
        let fits =
            |reader: &&(&str, &[&str], u64, Reader)| reader.1.contains(&dialect) && reader.2 == iterations;
        for (name, _, _, read) in READERS.iter().filter(fits) {
            compare(name, &read(&text), &expected);
        }
    });
}

#[test]
fn the_time_table_is_read_as_the_rate_table_is() {
    each(["4.0", "4.1"], |dialect| {
        let (text, record) = run(dialect, "-i 2 -P");
        compare("DAOS", &daos(&text, "SUMMARY rate"), &rows(&record, "rate_per_s", dialect));
        compare("DAOS", &daos(&text, "SUMMARY time"), &rows(&record, "seconds", dialect));
    });
}

#[test]
fn io500_gets_its_numbers() {
    let place = Place::new();
    let easy = "--dataPacketType=timestamp -n 20 -u -L -F -P -G 271 -N 1 -d {D}/easy -x {W}/easy -a POSIX \
                --saveRankPerformanceDetails={W}/easy.csv --json {W}/r.json --force";
    let hard =
        "--dataPacketType=timestamp -n 20 -I=5 -t -w 3901 -e 3901 -P -G=271 -N 1 -F -d {D}/hard -x {W}/hard \
                -a POSIX --saveRankPerformanceDetails={W}/hard.csv --json {W}/r.json --force";
    for (line, phases, row) in [
        (easy, "-C -Y -W 300", "File creation"),
        (hard, "-C -Y -W 300", "File creation"),
        (easy, "-T", "File stat"),
        (hard, "-T", "File stat"),
        (easy, "-r", "File removal"),
        (hard, "-E -X", "File read"),
        (hard, "-r", "File removal"),
    ] {
        let ran = place.run(3, &format!("{line} {phases}")).expect(0);
        let expected = rows(&place.record(), "rate_per_s", "4.1");
        let of = |rows: &[Reading]| rows.iter().find(|r| r.0 == row).and_then(|r| r.1[0]).unwrap();
        let read = of(&io500(&ran.stdout));
        assert!(read > 0.0 && read == of(&expected), "{row}: {read} in\n{}", ran.stdout);
    }
    assert_eq!([place.text("easy"), place.text("hard")], ["20", "20"]);
    assert_eq!(place.left(), ["easy/", "hard/"], "a run that removes keeps the directories it did not make");
}

/// The text of a run in a dialect, and its record.
fn run(dialect: &str, more: &str) -> (String, Value) {
    let place = Place::new();
    let ran =
        place.run(2, &format!("-n 3 -e 1 -w 1 -d {{D}} --dialect {dialect} --json {{W}}/r.json {more}"));
    (ran.expect(0).stdout, place.record())
}

/// The rows that a table of the record's run must have.
fn rows(record: &Value, of: &str, dialect: &str) -> Vec<Reading> {
    let labels = [
        ("Directory creation", "directory-create"),
        ("Directory stat", "directory-stat"),
        ("Directory rename", "directory-rename"),
        ("Directory removal", "directory-remove"),
        ("File creation", "file-create"),
        ("File stat", "file-stat"),
        ("File read", "file-read"),
        ("File removal", "file-remove"),
        ("Tree creation", "tree-create"),
        ("Tree removal", "tree-remove"),
    ];
    let found = record["results"][0]["statistics"].as_array().unwrap();
    let shown = |label: &str| label != "Directory rename" || dialect.starts_with('4');
    let row = |phase: &str| {
        let row = &found.iter().find(|row| row["phase"] == phase)?[of];
        Some(["max", "min", "mean", "std_dev"].map(|n| Some(rounded(row[n].as_f64().unwrap_or(0.0)))))
    };
    let shown = labels.into_iter().filter(|(label, _)| shown(label));
    shown.filter_map(|(label, phase)| Some((label.to_string(), row(phase)?))).collect()
}

/// As the table has it.
fn rounded(value: f64) -> f64 {
    format!("{value:.3}").parse().unwrap()
}

/// Every row that was found is right, and all rows of files are found, or all rows.
#[track_caller]
fn compare(name: &str, found: &[Reading], expected: &[Reading]) {
    let files_only = found.iter().all(|row| row.0.starts_with("File"));
    let wanted = expected.iter().filter(|row| !files_only || row.0.starts_with("File"));
    let labels = |rows: &mut dyn Iterator<Item = &Reading>| rows.map(|r| r.0.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&mut found.iter()), labels(&mut wanted.clone()), "{name}");
    for ((label, found), (_, expected)) in found.iter().zip(wanted) {
        let same = found.iter().zip(expected).all(|(found, expected)| found.is_none() || found == expected);
        assert!(same && found.iter().any(Option::is_some), "{name}, {label}: {found:?} is not {expected:?}");
    }
}

/// Digits, a dot, digits.
fn number(word: &str) -> Option<f64> {
    let (whole, part) = word.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    (digits(whole) && digits(part)).then(|| word.parse().ok()).flatten()
}

fn four(words: &[&str]) -> Option<[Option<f64>; 4]> {
    let numbers: Vec<f64> = words.iter().map(|word| number(word)).collect::<Option<_>>()?;
    <[f64; 4]>::try_from(numbers).ok().map(|numbers| numbers.map(Some))
}

/// From the title to the next one or the end; three lines are skipped; words 1 and 2 the name, 3 to 6 the numbers.
fn daos(text: &str, title: &str) -> Vec<Reading> {
    let table = &text[text.find(title).unwrap() + title.len()..];
    let end = [table.find("SUMMARY"), table.find("-- finished")].into_iter().flatten().min().unwrap();
    let lines = table[..end].lines().skip(3).filter(|line| !line.trim().is_empty());
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[..2].join(" "), four(&words[2..6]).unwrap())
    };
    lines.map(row).collect()
}

/// A label, perhaps a colon, numbers; the third is taken. File creation and Tree removal must be there.
fn hpc2n(text: &str) -> Vec<Reading> {
    let row = |line: &str| {
        let words: Vec<&str> = line.split([' ', ':']).filter(|word| !word.is_empty()).collect();
        let numbers = four(words.get(2..6)?)?;
        Some((words[..2].join(" "), [None, None, numbers[2], None]))
    };
    let found: Vec<Reading> = text.lines().filter_map(row).collect();
    assert!(["File creation", "Tree removal"].iter().all(|label| found.iter().any(|row| row.0 == *label)));
    found
}

/// Between the dashes and the end, without colons, two or more blanks part exactly five fields in every line.
fn bobber(text: &str) -> Vec<Reading> {
    let table = &text[text.find("---------").unwrap()..text.find("-- finished").unwrap()];
    let row = |line: &str| {
        let line = line.replace(':', "");
        let fields: Vec<&str> = line.trim().split("  ").map(str::trim).filter(|f| !f.is_empty()).collect();
        assert_eq!(fields.len(), 5, "{line:?}");
        (fields[0].to_string(), four(&fields[1..]).unwrap())
    };
    table.lines().skip(1).map(row).collect()
}

/// Lines of six words: the first two the operation, the fifth the mean.
fn galaxy(text: &str) -> Vec<Reading> {
    let table = text.lines().skip_while(|line| !line.starts_with("SUMMARY")).skip(3);
    let row = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [kind, operation, _, _, mean, _] => {
            Some((format!("{kind} {operation}"), [None, None, Some(number(mean)?), None]))
        }
        _ => None,
    };
    table.map_while(row).collect()
}

/// The fourth word of the line that begins with a file's operation. Of one iteration it is Max, Min and Mean alike.
fn io500(text: &str) -> Vec<Reading> {
    let operations = ["creation", "stat", "read", "removal"];
    let row = |operation: &str| {
        let label = format!("File {operation}");
        let line = text.lines().find(|line| line.trim_start_matches(' ').starts_with(&label))?;
        Some((label, [number(line.split_whitespace().nth(3)?), None, None, None]))
    };
    operations.into_iter().filter_map(row).collect()
}

/// Two words, a colon, four numbers; other lines are let be.
fn with_colon(text: &str) -> Vec<Reading> {
    let row = |line: &str| {
        let (label, numbers) = line.split_once(':')?;
        let label: Vec<&str> = label.split_whitespace().collect();
        let numbers: Vec<&str> = numbers.split_whitespace().collect();
        Some((label.join(" "), four(&numbers).filter(|_| label.len() == 2)?))
    };
    text.lines().filter_map(row).collect()
}

/// Behind a line that starts with `SUMMARY:`, up to a blank line before the end.
fn hpcbench(text: &str) -> Vec<Reading> {
    let first = text.lines().position(|line| line.starts_with("SUMMARY:")).unwrap();
    let (table, _) = text.split_once("\n\n-- finished").unwrap();
    let found = with_colon(table);
    assert_eq!(found.len(), table.lines().skip(first + 3).count(), "a line between is no row");
    found
}

/// The title with its iterations, to the letter.
fn epcc(text: &str) -> Vec<Reading> {
    with_colon(&text[text.find("\nSUMMARY: (of 1 iterations)\n").unwrap()..])
}

/// The title to the letter; the last four words of each line are numbers, what stands before is the label.
fn iops(text: &str) -> Vec<Reading> {
    let table = &text[text.find("SUMMARY rate:").unwrap()..];
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.len().checked_sub(4)?;
        let label = words[..at].join(" ");
        Some((label.trim_end_matches([' ', ':']).to_string(), four(&words[at..])?))
    };
    table.lines().filter_map(row).collect()
}
