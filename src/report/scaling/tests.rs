use super::*;
use crate::analysis::scaling::points;
use crate::archive::{KnownPlacement, PhaseSummary, Record, Summary, TaskCount};

/// CubeFS 3.3.1, 1, 2, 4 and 8 clients by 1, 4, 16 and 64 processes, `-n 5000 -u -z 2 -i 3`, as published.
const PUBLISHED: &str = include_str!("../../../tests/it/import/cubefs-sweep.csv");

/// The published rows as records: one a point, as they are imported.
fn published() -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for line in PUBLISHED.lines().skip(1) {
        let [operation, clients, each, printed] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let phase = Phase::ALL.into_iter().find(|p| p.label() == operation).unwrap();
        let (clients, each): (u64, u64) = (clients.parse().unwrap(), each.parse().unwrap());
        let mean =
            Summary { mean: printed.parse().ok(), printed: Some(printed.to_string()), ..Summary::default() };
        let placement =
            KnownPlacement { nodes: Some(clients), tasks: Some(clients * each), ..KnownPlacement::default() };
        let at = records.iter().position(|r| r.placement == Some(placement)).unwrap_or_else(|| {
            let result = TaskCount { tasks: placement.tasks, ..TaskCount::default() };
            records.push(Record { placement: Some(placement), results: vec![result], ..Record::default() });
            records.len() - 1
        });
        records[at].results[0]
            .statistics
            .push(PhaseSummary { rate_per_s: Some(mean), ..PhaseSummary::unknown(phase) });
    }
    records
}

fn grid(records: &[Record]) -> Grid {
    Grid::of(&points::measured(&records.iter().collect::<Vec<_>>()))
}

#[test]
fn the_published_sweep_comes_out_digit_for_digit() {
    let records = published();
    assert_eq!(records.len(), 16);
    assert_eq!(csv(&grid(&records)).unwrap(), PUBLISHED.replace("\r\n", "\n"));
}

#[test]
fn the_published_sweep_as_grids() {
    let text = tables(&grid(&published()));
    if std::env::var("MDTEST_RS_BLESS").is_ok_and(|bless| bless == "1") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/report/scaling/published.txt");
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, include_str!("published.txt"));
    for line in PUBLISHED.lines().skip(1) {
        assert!(text.contains(line.rsplit(',').next().unwrap()), "{line}");
    }
}

#[test]
fn varied_options_have_columns_and_headings() {
    let mut records = published();
    records.truncate(2);
    let varied = |value: &str| vec![Varied { option: "-w".to_string(), value: value.to_string() }];
    let mut runs = points::measured(&records.iter().collect::<Vec<_>>());
    runs[0].varied = varied("1k");
    runs[1].varied = varied("\u{1b}[2J,4k");
    let grid = Grid::of(&runs);
    let rows = csv(&grid).unwrap();
    assert!(rows.starts_with("operation,-w,clients,processes per client,ops per second\n"), "{rows}");
    assert!(rows.contains("\nDirectory creation,1k,1,1,769.908\n"), "{rows}");
    assert!(tables(&grid).contains("Directory creation, -w=\\u{1b}[2J,4k, operations per second\n"));
}

#[test]
fn points_that_are_no_grid_stand_below_each_other() {
    let mut records = published();
    records.iter_mut().for_each(|r| r.placement = None);
    records.truncate(4);
    let grid = grid(&records);
    let text = tables(&grid);
    assert!(
        text.starts_with(
            "Directory creation, operations per second\n  tasks  clients\n      1        -    769.908\n"
        ),
        "{text}"
    );
    assert!(csv(&grid)
        .unwrap()
        .contains("operation,clients,processes,ops per second\nDirectory creation,,1,769.908\n"));
}

#[test]
fn a_single_point_has_no_speed_up() {
    let mut records = published();
    records.truncate(1);
    records[0].results[0].statistics.truncate(1);
    let text = tables(&grid(&records));
    assert_eq!(text, "Directory creation, operations per second\n  clients   1 task\n        1  769.908\n");
    assert_eq!(tables(&Grid::default()), "");
}

#[test]
fn runs_that_are_apart_are_told() {
    let mut records = published();
    records.truncate(2);
    records[1].placement = records[0].placement;
    records[1].results[0].tasks = Some(1);
    let text = tables(&grid(&records));
    assert!(
        text.contains("Runs of the same point are up to 130 % of their mean apart (1 client x 1 task)."),
        "{text}"
    );
}
