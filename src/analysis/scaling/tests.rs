use super::*;
use crate::archive::{KnownPlacement, Origin, PhaseSummary, Record, Summary, TaskCount};

fn result(tasks: u64, phase: Phase, rate: f64, true_rate: f64) -> TaskCount {
    let mean = |mean| Some(Summary { mean: Some(mean), ..Summary::default() });
    let summary = PhaseSummary {
        rate_per_s: mean(rate),
        true_rate_per_s: mean(true_rate),
        ..PhaseSummary::unknown(phase)
    };
    TaskCount { tasks: Some(tasks), statistics: vec![summary], ..TaskCount::default() }
}

fn record(nodes: u64, tasks: u64, rate: f64) -> Record {
    let placement = KnownPlacement {
        tasks: Some(tasks),
        nodes: Some(nodes),
        tasks_on_first_node: Some(tasks / nodes),
        in_blocks: Some(true),
    };
    Record {
        placement: Some(placement),
        results: vec![result(tasks, Phase::FileCreate, rate, rate)],
        ..Record::default()
    }
}

fn grid(records: &[Record]) -> Grid {
    Grid::of(&points::measured(&records.iter().collect::<Vec<_>>()))
}

#[test]
fn records_lie_by_clients_and_tasks() {
    let grid = grid(&[record(2, 8, 300.0), record(1, 4, 200.0), record(1, 1, 60.0), record(2, 2, 90.0)]);
    let [table] = &grid.tables[..] else { panic!("{grid:?}") };
    assert!(table.is_by_clients());
    assert_eq!((table.clients(), table.tasks_per_client()), (vec![1, 2], vec![1, 4]));
    let cell = table.cell(2, 4).unwrap();
    assert_eq!((cell.tasks, cell.rate_per_s, cell.runs), (8, 300.0, 1));
    assert_eq!(table.over_clients(cell), Some(SpeedUp { factor: 1.5, efficiency: 0.75 }));
    assert_eq!(table.over_tasks(cell), Some(SpeedUp { factor: 5.0, efficiency: 0.625 }));
}

#[test]
fn runs_of_a_point_are_averaged() {
    let grid = grid(&[record(1, 4, 100.0), record(1, 4, 300.0)]);
    let cell = &grid.tables[0].cells[0];
    assert_eq!((cell.rate_per_s, cell.runs, cell.spread()), (200.0, 2, 1.0));
}

#[test]
fn numbers_of_tasks_inside_a_run_are_points() {
    let mut run = record(2, 8, 0.0);
    run.results = [1, 4, 6, 8].map(|tasks| result(tasks, Phase::FileCreate, 10.0, 10.0)).to_vec();
    let records = [run];
    let clients: Vec<_> =
        points::measured(&records.iter().collect::<Vec<_>>()).iter().map(|m| (m.clients, m.tasks)).collect();
    assert_eq!(clients, [(Some(1), 1), (Some(1), 4), (Some(2), 6), (Some(2), 8)]);
    let mut unknown = records[0].clone();
    unknown.placement = None;
    let grid = grid(&[unknown]);
    assert!(!grid.tables[0].is_by_clients());
    assert_eq!(grid.tables[0].over_tasks(&grid.tables[0].cells[3]).unwrap().efficiency, 0.125);
}

#[test]
fn different_options_and_workloads_are_different_tables() {
    let with = |words: &str, rate| {
        let words = words.split(' ').map(String::from).collect();
        Record { command_line: words, ..record(1, 4, rate) }
    };
    let grid = grid(&[
        with("mdtest-rs -u -w=1k --json a", 5.0),
        with("/usr/bin/mdtest-rs -u -w=4k --json=b", 4.0),
        with("mdtest-rs -u -w=1k --json c", 7.0),
    ]);
    let told: Vec<_> = grid.tables.iter().map(|t| (t.varied[0].value.as_str(), t.cells[0].runs)).collect();
    assert_eq!(told, [("-w=1k", 2), ("-w=4k", 1)]);
    let of = |workload: &str| Record {
        origin: Some(Origin { workload: Some(workload.to_string()), ..Origin::default() }),
        ..record(1, 4, 1.0)
    };
    assert_eq!(Grid::of(&points::measured(&[&of("empty"), &of("small")])).tables.len(), 2);
}

#[test]
fn trees_are_judged_by_the_rate_of_all_trees() {
    let mut run = record(1, 4, 1.0);
    run.results = vec![result(4, Phase::TreeCreate, 20.0, 80.0)];
    let cell = grid(&[run.clone()]).tables[0].cells[0].clone();
    assert_eq!((cell.rate_per_s, cell.whole_rate_per_s, cell.one_tree_only), (20.0, 80.0, false));
    run.results[0].statistics[0].true_rate_per_s = None;
    let cell = grid(&[run]).tables[0].cells[0].clone();
    assert_eq!((cell.whole_rate_per_s, cell.one_tree_only), (20.0, true));
}

#[test]
fn laws_are_fitted_where_there_are_enough_points() {
    let records: Vec<Record> = [1, 2, 4, 8]
        .into_iter()
        .flat_map(|clients| [1, 4].map(|each| record(clients, clients * each, (clients * each) as f64)))
        .collect();
    let fits = grid(&records).tables[0].fits();
    let over: Vec<Over> = fits.iter().map(|fit| fit.over).collect();
    let column = |tasks_per_client| Over::Clients { tasks_per_client };
    assert_eq!(over, [Over::Tasks, column(1), column(4)]);
    assert!(fits.iter().all(|fit| fit.law.is_some_and(|law| law.rms_residual < 1e-9)));
    let few = grid(&records[..4]).tables[0].fits();
    assert_eq!((few.len(), few[0].numbers, few[0].law), (1, 4, few[0].law));
    assert!(grid(&records[..3]).tables[0].fits()[0].law.is_none());
}

#[test]
fn zeros_and_what_is_no_rate_give_no_table_and_no_panic() {
    assert_eq!(grid(&[]).tables, []);
    for rate in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(grid(&[record(1, 1, rate)]).tables, [], "{rate}");
    }
    let grid = grid(&[record(1, 1, 0.0), record(2, 2, 5.0)]);
    let table = &grid.tables[0];
    assert_eq!(table.over_tasks(&table.cells[1]), None);
    assert_eq!(table.fits()[0].law, None);
}
