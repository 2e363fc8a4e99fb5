//! Where mdtest is wrong, ours is held to a rule: what makes no sense is refused before anything is touched, and
//! everything else visits each item once in each phase and leaves nothing behind.

use crate::harness::{each, Place};
use crate::trace::{self, Call};
use serde_json::Value;
use std::collections::BTreeMap;

/// Tasks, arguments, and what the line about it must hold.
const REFUSED: [(usize, &str, &[&str]); 46] = [
    (2, "-u -S -n 1", &["-u", "-S"]),
    (2, "-c -S -n 1", &["-c", "-S"]),
    (2, "-c -B -n 1", &["-c", "-B"]),
    (2, "-B=1 -N 1 -n 1", &["-B", "-N"]),
    (2, "-c -u -n 1 -d {D}@{W}/b", &["-c", "-d"]),
    (2, "-u -N 1 -n 1 -d {D}@{W}/b", &["-N", "-d"]),
    (2, "-n 1 -d {D}@{W}/b", &["-u", "-d"]),
    (1, "-u -n 1 -d {D}@{W}/b", &["-d", "2 directories", "1 task"]),
    (3, "-u -n 1 -d {D}@", &["-d", "empty"]),
    (2, "-n 4 -I 2 -u", &["-n 4", "-I 2", "-u"]),
    (2, "-n 5 -I 2", &["-n 5", "-I 2", "multiple"]),
    (1, "-k -w 10 -F -n 1", &["-k", "-w"]),
    (1, "-k --verify-write -F -n 1", &["-k", "--verify-write"]),
    (1, "-X -n 1 -C -F -w 8 -e 8", &["-X", "-E"]),
    (1, "-X -n 1 -F -w 10", &["-X", "-e"]),
    (1, "-F -n 1 -w 10 -e 20", &["-e 20", "-w 10"]),
    (1, "-F -n 1 -C -E -e 20", &["-e 20", "-w 0"]),
    (4, "-f 3 -l 2 -n 1", &["-f 3", "-l 2"]),
    (2, "-f 1 -l 4 -n 1", &["-l 4", "2"]),
    (2, "-l 2 -s 0 -n 1", &["-s 0"]),
    (1, "-z -1 -n 1", &["-z", "-1"]),
    (1, "-z 1 -b 0 -n 2", &["-b 0", "-z"]),
    (1, "-z 1 -b -2 -n 2", &["-b", "-2"]),
    (1, "--no-such-option", &["--no-such-option"]),
    (1, "-n 1 -Q", &["-Q"]),
    (1, "-n", &["-n", "value"]),
    (1, "-n 1 --json", &["--json", "value"]),
    (1, "-a NOSUCH -n 1", &["-a", "NOSUCH", "POSIX"]),
    (1, "-n abc", &["-n", "abc"]),
    (1, "-n -5", &["-n", "-5"]),
    (1, "-n 10x", &["-n", "10x"]),
    (1, "-n 1kk", &["-n", "1kk"]),
    (1, "-n 99999999999999999999", &["-n", "99999999999999999999"]),
    (1, "-n 1 -i 0", &["-i 0"]),
    (2, "-n 1 -i abc", &["-i", "abc"]),
    (2, "-b 3 -z 2 -n 1", &["-n 1", "13"]),
    (2, "-L -b 3 -z 2 -n 8", &["-n 8", "9"]),
    (1, "-F -n 1 -w 1.5k", &["-w", "1.5k"]),
    (1, "-n 1 -p 0.5", &["-p", "0.5"]),
    (1, "-n 1 -F=2", &["-F", "2"]),
    (1, "-n 1 -G 2147483648", &["-G 2147483648", "2147483647"]),
    (1, "-n 1 --dataPacketType=x", &["--dataPacketType", "x", "timestamp"]),
    (2, "-n 2 -T -F -x /proc/version", &["-x /proc/version", "number"]),
    (1, "-n 401 -z 400", &["-z 400", "4095"]),
    (1, "-I 1 -z 400", &["-z 400", "4095"]),
    (1, "-n 1 -b 10 -z 40", &["-b 10", "-z 40"]),
];

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_touched() {
    each(REFUSED, |(ranks, line, parts)| {
        let place = Place::new();
        let line = if line.contains("-d ") { line.to_string() } else { format!("-d {{D}} {line}") };
        let ran = if *ranks == 1 { place.run_alone(&line) } else { place.run(*ranks, &line) }.expect(1);
        let said = ran.only_error();
        assert_eq!(ran.said().len(), 1);
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
        assert!(!place.test_directory().exists() && crate::harness::names(&place.folder()).is_empty());
    });
}

/// Tasks, items of all of them in one iteration, arguments.
const COMPLETE: [(usize, usize, &str); 48] = [
    // Random order.
    (1, 6, "-n 6 -R --random-seed 3 -F"),
    (2, 12, "-R --random-seed=7 -n 6 -I 2 -F"),
    (3, 18, "-R -n 6 -I 2 -N 1"),
    (3, 27, "-R=5 -I 3 -b 2 -z 1 -u -N 2 -i 2"),
    (2, 16, "-R -L -b 2 -z 2 -I 2 -F"),
    // Collective.
    (3, 9, "-c -u -n 3"),
    (3, 9, "-c -N 1 -u -n 3 -F"),
    (2, 18, "-c -u -b 2 -z 1 -I 3"),
    (2, 12, "-c -n 6 -I 2 -i 2"),
    (2, 12, "-c -L -b 3 -z 1 -I 2 -u -w 100 -e 100 -X -F"),
    (2, 6, "-c -k -n 3 -F"),
    (3, 12, "-c -R -N 1 -n 4 -F"),
    // No barriers.
    (2, 6, "-B=1 -n 3"),
    (3, 12, "-B -u -t -n 4 -i 2"),
    (4, 24, "-B -b 2 -z 1 -I 2 -u -F"),
    (2, 12, "-B -n 6 -I 3 -R"),
    // Loops on a tree.
    (2, 36, "-n 6 -I 3 -z 1 -b 2"),
    (2, 24, "-n 4 -I 2 -z 1 -b 2 -i 2 -F"),
    (2, 16, "-n 4 -I 2 -L -b 2 -z 1 -N 1"),
    (1, 12, "-n 4 -I 4 -z 2 -b 1"),
    // Stride.
    (2, 12, "-n 6 -N 1 -u -F -z 1 -b 2"),
    (3, 21, "-N 1 -u -D -b 2 -z 2 -I 1"),
    (4, 24, "-N 2 -u -L -b 3 -z 1 -I 2 -F"),
    (3, 6, "-N 3 -u -n 2"),
    (3, 6, "-N 10 -n 2 -w 64 -e 64 -X -G 3"),
    // Several directories.
    (2, 6, "-n 3 -F -u -d {D}@{D}"),
    (3, 9, "-n 3 -u -i 2 -d {D}@{D}/../d@{D}/x"),
    (2, 4, "-n 2 -F -d {D}/a/b/c"),
    (4, 8, "-n 2 -u -d {D}/a/b@{D}/a/c"),
    // Stonewall that is not hit.
    (2, 12, "-W 60 -n 6 -I 2 -F"),
    (1, 9, "-W 60 -z 2 -b 1 -n 9 -F"),
    (2, 10, "-W 60 -n 5 -D"),
    (2, 12, "-W 60 -z 1 -b 2 -n 6 -F"),
    (2, 28, "-W 60 -b 2 -z 2 -I 2 -u -i 2"),
    (3, 18, "-W 60 -L -b 3 -z 1 -I 2 -N 1"),
    (2, 36, "-W 60 -n 6 -I 3 -b 2 -z 1"),
    (2, 6, "-W 60 -c -n 3"),
    (2, 6, "-W 60 -B -n 3"),
    (2, 6, "-W 60 -R -n 3 -x {W}/stone"),
    // Shared files: as many as one task has, used by all.
    (3, 2, "-S -n 2"),
    (3, 6, "-S -n 6 -I 2 -w 64 -e 64 -X"),
    (2, 6, "-S -b 2 -z 1 -I 2 -w 5000 -e 5000 -X -i 2"),
    (3, 2, "-k -S -n 2"),
    (3, 2, "-B -S -n 2 -i 2"),
    (3, 4, "-S -N 1 -R -n 4"),
    (2, 2, "-S -W 60 -n 2 -w 8 -y"),
    // Odd spellings.
    (2, 6, "-n4 -b2 -z1 -i1"),
    (2, 6, "-FD -n=3 -S=0 -u=1 -vv -k"),
];

#[test]
fn everything_else_is_complete() {
    each(COMPLETE, |(ranks, items, line)| {
        let place = Place::new();
        let directory = if line.contains("-d ") { "" } else { "-d {D}" };
        let (ran, calls) = trace::run(&place, *ranks, &format!("{line} {directory} --json {{W}}/r.json"));
        let ran = ran.expect(0);
        assert_eq!(place.left(), Vec::<String>::new());
        let record = place.record();
        let shared = record["plan"]["shared_file"] == true;
        let counted = if shared { "1 file".to_string() } else { format!("{items} ") };
        assert!(ran.stdout.contains(&format!("\n{ranks} tasks, {counted}")), "{}", ran.stdout);
        complete(&record, &calls.concat(), *items, if shared { *ranks } else { 1 });
    });
}

/// Each item is made, visited by each later phase and removed; `sharers` tasks make and visit each file.
fn complete(record: &Value, calls: &[Call], items: usize, sharers: usize) {
    // Of the tasks that mknod a shared file all but one find it there.
    let failed = |c: &&Call| c.failed() && !(sharers > 1 && c.operation == "mknod");
    let inside = |c: &&Call| c.on_item() || c.name().starts_with("mdtest_tree");
    assert_eq!(calls.iter().filter(inside).find(failed), None, "a call fails");
    let plan = &record["plan"];
    let yes = |name: &str| plan["chosen"][name] == true;
    let all = items * usize::try_from(plan["iterations"].as_u64().unwrap()).unwrap();
    let visited = |operation: &str, kind: &str| {
        let on_kind = |c: &&Call| c.operation == operation && c.name().starts_with(kind);
        let mut times = BTreeMap::new();
        calls.iter().filter(on_kind).for_each(|c| *times.entry(c.path.clone()).or_insert(0) += 1);
        times
    };
    let as_often = |times: usize, names: &BTreeMap<String, usize>| -> BTreeMap<String, usize> {
        names.keys().map(|name| (name.clone(), times)).collect()
    };
    for (kind, make, take) in [
        ("dir.", "mkdir", "rmdir"),
        ("file.", if plan["mknod"] == true { "mknod" } else { "create" }, "unlink"),
    ] {
        if !yes(if kind == "dir." { "directories" } else { "files" }) {
            continue;
        }
        let made = visited(make, kind);
        assert_eq!((made.len(), &made), (all, &as_often(sharers, &made)), "{make} {kind}");
        assert_eq!(visited("stat", kind), as_often(sharers, &made), "stat {kind}");
        assert_eq!(visited(take, kind), as_often(1, &made), "{take} {kind}");
        if kind == "file." {
            let opened = sharers + usize::from(plan["collective"] == true); // a task opens what rank 0 made for it
            assert_eq!(visited("open", kind), as_often(opened, &made), "open {kind}");
        } else {
            renamed(calls);
        }
    }
    let (made, taken) = (visited("mkdir", "mdtest_tree"), visited("rmdir", "mdtest_tree"));
    assert_eq!((&made, made.values().max()), (&taken, Some(&1)), "trees");
    counted(record, all, sharers);
}

/// The names that renames take away and those that they give are the same.
fn renamed(calls: &[Call]) {
    let renames = || calls.iter().filter(|c| c.operation == "rename");
    let (mut from, mut to): (Vec<&str>, Vec<&str>) =
        renames().map(|c| (c.path.as_str(), c.to.as_deref().unwrap())).unzip();
    from.sort_unstable();
    to.sort_unstable();
    assert_eq!(from, to, "renames");
}

/// The record counts the same.
fn counted(record: &Value, all: usize, sharers: usize) {
    let mut attempted = BTreeMap::new();
    for iteration in record["results"][0]["iterations"].as_array().unwrap() {
        for phase in iteration["phases"].as_array().unwrap() {
            assert_eq!(phase["items"]["failed"], 0);
            let name = phase["phase"].as_str().unwrap().to_string();
            *attempted.entry(name).or_insert(0) +=
                usize::try_from(phase["items"]["done"].as_u64().unwrap()).unwrap();
        }
    }
    for (phase, &done) in attempted.iter().filter(|(phase, _)| !phase.starts_with("tree-")) {
        let expected = if phase == "file-remove" { all } else { all * sharers };
        // Chains of a single item have nothing to rename.
        assert!(done == expected || (phase == "directory-rename" && done < expected), "{phase}: {done}");
    }
}
