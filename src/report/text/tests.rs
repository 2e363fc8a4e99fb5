//! Whole texts, byte for byte: each case has its file in `tests/`.

use super::*;
use crate::cli::{self, Request};
use crate::plan::{Drawn, Placement};
use crate::result::findings::Setting;
use crate::result::outcome::{Items, PerTask, PhaseOutcome, Spread, Stonewall, Task, Times};

const TASKS: u64 = 4;

fn plan(line: &str) -> Plan {
    let words: Vec<_> = std::iter::once("mdtest-rs").chain(line.split_whitespace()).map(Into::into).collect();
    let Ok(Request::Run(cli)) = cli::parse(&words) else { panic!("{line} is no run") };
    let drawn = Drawn { random_seed: 5, data_offset: 9, stonewall: None, no_stonewall_file: None };
    let placement = Placement { tasks: TASKS, nodes: 2, tasks_on_first_node: 2, in_blocks: true };
    Plan::resolve(&cli, &drawn, &placement).unwrap().plan
}

/// Numbers that tell phases, iterations and columns apart.
fn outcome(phase: Phase, iteration: u64) -> PhaseOutcome {
    let place = f64::from(u8::try_from(Phase::ALL.iter().position(|p| *p == phase).unwrap() + 1).unwrap());
    let further = f64::from(u8::try_from(iteration).unwrap());
    let (rate, seconds) = (369_420.147_9 / place - 1000.5 * further, 0.015_62 * place + 0.25 * further);
    let times = |max: f64| Times {
        min: max / 4.0,
        mean: max / 2.0,
        max,
        last: Task { rank: 3, host: "n1".to_string() },
    };
    PhaseOutcome {
        phase,
        items: Items { attempted: 8, done: 8, failed: 0 },
        errors: Vec::new(),
        seconds_to_barrier: times(seconds / 2.0),
        seconds: times(seconds),
        rated_seconds: seconds,
        rate_per_s: rate,
        true_rate_per_s: rate,
        task_rate_per_s: Spread { min: rate / 8.0, mean: rate / 4.0, max: rate / 2.0 },
        stonewall: None,
        client_requests: None,
        latency: None,
        timeline: None,
        tasks: None,
        nodes: Vec::new(),
    }
}

fn iteration(plan: &Plan, iteration: u64) -> Iteration {
    let ran = |phase: &Phase| plan.does(*phase) && *phase != Phase::DirectoryRead;
    let mut phases: Vec<PhaseOutcome> =
        Phase::ALL.into_iter().filter(ran).map(|phase| outcome(phase, iteration)).collect();
    let made = phases.iter_mut().find(|p| p.phase == Phase::FileCreate && plan.stonewall_s > 0);
    if let Some(made) = made {
        made.stonewall = Some(Stonewall {
            items_min: 93,
            items_mean: 94.25,
            items_max: 95,
            items_agreed: 95,
            rate_at_wall_per_s: 1.0,
            worn_out: false,
        });
    }
    let value = |task: u64, phase: Phase| match phases.iter().find(|p| p.phase == phase) {
        Some(p) if phase.kind().is_some() => {
            (p.task_rate_per_s.max, p.seconds.min * f64::from(u8::try_from(task).unwrap()))
        }
        _ => (0.0, 0.0),
    };
    let values = (0..TASKS).flat_map(|task| Phase::ALL.map(|phase| value(task, phase))).collect();
    let per_task = PerTask { rate_and_seconds: values, items: vec![2; 4] };
    Iteration { iteration, clock_error_s: 0.0, phases, per_task: plan.output.all_procs.then_some(per_task) }
}

/// All that a run prints.
fn text(line: &str, h: &Header) -> String {
    let plan = plan(line);
    let words: Vec<String> =
        std::iter::once("mdtest-rs").chain(line.split(' ')).map(str::to_string).collect();
    let mut out = header(&plan, &Header { command_line: &words, path: &plan.directories[0], ..*h });
    for &tasks in &plan.task_counts {
        out += &items_line(&plan, tasks);
        let iterations: Vec<Iteration> = (0..plan.iterations).map(|i| iteration(&plan, i)).collect();
        out.extend(iterations.iter().map(stonewalls));
        out += &summary(&plan, &TaskCount::new(&plan, tasks, iterations, &Setting::default()));
    }
    out + &footer(plan.output.dialect, "11/30/2026 21:54:06")
}

const HEADER: Header = Header {
    started: "11/30/2026 21:54:05",
    tasks: TASKS,
    nodes: 2,
    command_line: &[],
    node_map: "1100",
    path: "",
    size_bytes: 25_232_932_864,
    free_bytes: 25_106_769_200,
    inodes: 3_040_870,
    free_inodes: 2_888_826,
    fs_type: Some("fuse.juicefs"),
};

macro_rules! expected {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("tests/", $name, ".txt")))),*]
    };
}

/// The files, each with the command line that it belongs to in its fourth line.
const EXPECTED: [(&str, &str); 12] = expected![
    "dialect-4.1" "dialect-4.0" "dialect-3" "dialect-1.9"
    "rates-and-times-4.1" "rates-and-times-4.0" "rates-and-times-3" "rates-and-times-1.9"
    "rank-statistics" "all-procs" "files-of-some-phases" "numbers-of-tasks"
];

/// The line `Command line used` of a text, as it was typed.
fn typed(text: &str) -> String {
    let line = text.lines().nth(3).unwrap().strip_prefix("Command line used: mdtest-rs ").unwrap();
    line.replace('\'', "")
}

#[test]
fn texts_are_mdtests_to_the_byte() {
    for (name, expected) in EXPECTED {
        let got = text(&typed(expected), &HEADER).replace(env!("CARGO_PKG_VERSION"), "VERSION");
        let differs = got.lines().zip(expected.lines()).find(|(got, expected)| got != expected);
        assert!(got == expected, "{name} differs: {differs:?}\n{got}");
    }
}

#[test]
fn numbers_are_never_printed_with_an_exponent_or_as_none() {
    let plan = plan("-n 1 -F -i 2 -P");
    let mut iterations = vec![iteration(&plan, 0), iteration(&plan, 1)];
    for (value, phase) in [(1e18, 0), (1e-12, 1), (0.0, 2)] {
        iterations[0].phases[phase].rate_per_s = value;
        iterations[1].phases[phase].rate_per_s = value;
    }
    let text = summary(&plan, &TaskCount::new(&plan, 1, iterations, &Setting::default()));
    assert!(
        text.contains("   File creation          1000000000000000000.000 1000000000000000000.000"),
        "{text}"
    );
    assert!(text
        .contains("   File stat                       0.000          0.000          0.000          0.000\n"));
    let numbers = text.lines().filter(|line| line.starts_with("   File") || line.starts_with("   Tree"));
    let plain = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    assert!(numbers.flat_map(|line| line.split_whitespace().skip(2)).all(plain), "{text}");
}

#[test]
fn what_a_user_types_cannot_play_with_a_terminal() {
    let words = ["mdtest-rs", "-d", "/a\x1b[2J\n/b"].map(str::to_string);
    let text = header(&plan("-n 1"), &Header { command_line: &words, path: &words[2], ..HEADER });
    assert!(text.contains("'/a\\u{1b}[2J\\n/b'\n") && text.contains(": /a\\u{1b}[2J\\n/b\n"), "{text}");
}

#[test]
fn file_systems_of_every_size_have_a_line() {
    let line = |h: Header| header(&plan("-n 1"), &h).lines().last().unwrap().to_string();
    for (size_bytes, free_bytes, inodes, free_inodes, fs_type, expected) in [
        (0, 0, 0, 0, None, "0.0 GiB   Used FS: 0.0%   Inodes: 0.0 Mi   Used Inodes: 0.0%"),
        (
            1 << 40,
            1 << 39,
            1 << 20,
            1 << 19,
            None,
            "1024.0 GiB   Used FS: 50.0%   Inodes: 1.0 Mi   Used Inodes: 50.0%",
        ),
        (
            1 << 50,
            0,
            10 << 20,
            0,
            Some("nfs4"),
            "1024.0 TiB   Used FS: 100.0%   Inodes: 10.0 Mi   Used Inodes: 100.0%   Type: nfs4",
        ),
    ] {
        let got = line(Header { size_bytes, free_bytes, inodes, free_inodes, fs_type, ..HEADER });
        assert_eq!(got, format!("FS                  : {expected}"));
    }
}

#[test]
fn items_are_named_for_what_is_worked_on() {
    for (line, expected) in [
        ("-n 3", "4 tasks, 12 files/directories\n"),
        ("-n 3 -F", "4 tasks, 12 files\n"),
        ("-n 3 -D", "4 tasks, 12 directories\n"),
        ("-n 3 -S", "4 tasks, 1 file\n"),
        ("-n 3 -S -D", ""),
        ("-b 2 -z 1 -I 2 -u", "4 tasks, 24 files/directories\n"),
    ] {
        assert_eq!(items_line(&plan(line), TASKS), expected, "{line}");
    }
}
