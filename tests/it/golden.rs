//! What mdtest does, call by call: each file in `golden/` is a recording of mdtest 4.1, and a run of ours must read
//! the same.
//!
//! After `tasks` each `run` with its arguments is followed by the exit code, the `items` lines, the rows of each table
//! (`rate` or `time`; `=0` behind a rate that is zero), the calls of each rank, and the names and sizes `left`. Calls
//! on names that differ only behind their last dot share a line; calls on an open file are joined to its opening.
//! In the calls of a rank, `R` stands for its own number, and `R+1` for the next one's: so ranks that do the same
//! with their own and their neighbours' items share a section.

use crate::harness::{each, Place};
use crate::trace::{self, Call};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn every_recording_of_mdtest_is_reproduced() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 40, "recordings are missing");
    each(files, |file| {
        let expected = std::fs::read_to_string(file).unwrap();
        let (got, place) = (replay(&expected), file.file_name());
        let differs = expected.lines().zip(got.lines()).position(|(a, b)| a != b);
        assert!(
            expected == got,
            "{place:?} differs from line {:?} on; expected\n{expected}\ngot\n{got}",
            differs.map(|n| n + 1)
        );
    });
}

/// Does what a recording did, and records it.
fn replay(recording: &str) -> String {
    let value_of = |line: &'static str| move |l: &'_ str| l.strip_prefix(line).map(str::to_string);
    let tasks = recording.lines().find_map(value_of("tasks ")).unwrap();
    let mut out = format!("tasks {tasks}\n");
    let place = Place::new();
    for line in recording.lines().filter_map(value_of("run ")) {
        let (ran, calls) = trace::run(&place, tasks.parse().unwrap(), &line);
        let _ = writeln!(
            out,
            "run {line}\nexit {}",
            ran.code.map_or("none".to_string(), |code| code.to_string())
        );
        out += &tables(&ran.stdout);
        out += &sections(&calls);
        out += &left(&place);
    }
    out
}

/// The items lines and the labels of the tables' rows.
fn tables(stdout: &str) -> String {
    let (mut lines, mut kind, mut rates) = (Vec::new(), "", false);
    for line in stdout.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], lines.last_mut()) {
            ([number, "tasks,", ..], _) if number.parse::<u64>().is_ok() => {
                lines.push(format!("items {line}"))
            }
            (["SUMMARY", what, ..], _) => {
                (kind, rates) = ("", what.starts_with("rate"));
                lines.push(if rates { "rate" } else { "time" }.to_string());
            }
            ([of @ ("Directory" | "File" | "Tree"), operation, .., mean, _], Some(table)) => {
                if *of != kind {
                    let _ = write!(table, " {of}");
                }
                kind = of;
                let _ = write!(table, " {operation}{}", if rates && *mean == "0.000" { "=0" } else { "" });
            }
            _ => {}
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The calls of all ranks; those that read the same share a section.
fn sections(ranks: &[Vec<Call>]) -> String {
    let mut sections: Vec<(String, String)> = Vec::new();
    for (rank, calls) in ranks.iter().enumerate().filter(|(_, calls)| !calls.is_empty()) {
        let text = section(calls, &|path| relative(path, rank, ranks.len()));
        match sections.iter_mut().find(|section| section.1 == text) {
            Some((same, _)) => *same += &format!(" {rank}"),
            None => sections.push((format!("ranks {rank}"), text)),
        }
    }
    sections.into_iter().map(|(ranks, text)| ranks + "\n" + &text).collect()
}

fn section(calls: &[Call], relative: &dyn Fn(&str) -> String) -> String {
    let mut groups: Vec<(String, String)> = Vec::new();
    for call in calls {
        let outcome = call.outcome.as_ref().map_or(String::new(), |outcome| format!(":{outcome}"));
        let word = call.operation.clone() + &outcome;
        let path = relative(&call.path);
        let path = match &call.to {
            Some(to) => format!("{path}>{}", shortened(&path, &relative(to))),
            None => path,
        };
        let on_open_file = matches!(call.operation.as_str(), "write" | "read" | "fsync" | "close");
        match groups.last_mut().filter(|(_, last)| on_open_file && *last == path) {
            Some((words, _)) => *words += &format!("+{word}"),
            None => groups.push((word, path)),
        }
    }
    lines(&groups)
}

/// The new name of a rename without the part that it has in common with the old one, if that is all before the last dot.
fn shortened<'a>(from: &str, to: &'a str) -> &'a str {
    let ((before, _), (also, name)) = (at_last_dot(from), at_last_dot(to));
    if before == also {
        name
    } else {
        to
    }
}

/// A path with its own rank as `R` and others relative to it.
fn relative(path: &str, rank: usize, tasks: usize) -> String {
    let mut parts: Vec<String> = path.split('.').map(str::to_string).collect();
    for i in 1..parts.len().saturating_sub(1) {
        // A number that a dot follows is a rank: the one behind the last dot is an item's or a tree directory's.
        let named = parts[i - 1] == "mdtest" || parts[i - 1].ends_with("mdtest_tree");
        if let (true, Ok(number)) = (named, parts[i].parse::<usize>()) {
            parts[i] = match (number + tasks - rank) % tasks {
                0 => "R".to_string(),
                further => format!("R+{further}"),
            };
        }
    }
    parts.join(".")
}

fn left(place: &Place) -> String {
    let size = |name: &str| std::fs::metadata(place.test_directory().join(name)).unwrap().len();
    let sized = |name: String| if name.ends_with('/') { name } else { format!("{name}:{}", size(&name)) };
    lines(&place.left().into_iter().map(|name| ("left".to_string(), sized(name))).collect::<Vec<_>>())
}

/// A line for each run of groups that have the word and the path up to its last dot in common.
fn lines(groups: &[(String, String)]) -> String {
    let (mut out, mut last) = (String::new(), ("", ""));
    for (word, path) in groups {
        let (before, _) = at_last_dot(path.split('>').next().unwrap_or_default());
        let name = &path[before.len()..];
        if (word.as_str(), before) == last && word != "sync" {
            let _ = write!(out, " {name}");
        } else {
            let _ = write!(out, "\n{}", [word.as_str(), before, name].join(" ").trim_end());
        }
        last = (word, before);
    }
    out.trim_start().to_string() + if groups.is_empty() { "" } else { "\n" }
}

/// A path up to its last dot, and what is behind.
fn at_last_dot(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('.').map_or(0, |dot| dot + 1))
}
