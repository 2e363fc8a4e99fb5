//! The CSV files of a run.

use crate::harness::{each, names, Place};

#[test]
fn every_row_of_the_rank_csv_has_every_cell() {
    let cases = [
        (3, "-n 3 -i 2 -b 2 -z 1", 2 * 4, vec!["3"; 4]),
        (3, "-S -n 2", 4, vec!["2"; 4]),
        (3, "-n 2 -F -f 1 -l 3", 2 + 3 + 4, vec!["2"; 4]),
        (2, "-n 3 -T -F", 3, vec!["3", "0", "0"]),
        (2, "-n 3 -C -a DUMMY -D", 3, vec!["3"; 3]),
    ];
    each(cases, |(tasks, line, rows, items)| {
        let place = Place::new();
        let code = if line.contains("-T") { 2 } else { 0 };
        place.run(*tasks, &format!("{line} -d {{D}} --saveRankPerformanceDetails={{W}}/r.csv")).expect(code);
        let text = place.text("r.csv");
        let table: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(table.len(), 1 + rows, "{text}");
        assert_eq!(table[0][..3], ["rank", "items", "rate-Directory creation"]);
        assert!(table[0].ends_with(&["iteration", "tasks"]) && table[0].len() == 2 + 2 * 11 + 2, "{text}");
        for row in &table[1..] {
            assert_eq!(row.len(), table[0].len(), "{row:?}");
            let numbers = row.iter().skip(1).all(|cell| cell.parse::<f64>().is_ok_and(f64::is_finite));
            assert!(numbers && (row[0] == "all" || row[0].parse::<u64>().is_ok()), "{row:?}");
        }
        let last: Vec<&str> = table[1 + rows - items.len()..].iter().map(|row| row[1]).collect();
        assert_eq!(&last, items, "{text}");
    });
}

#[test]
fn the_csv_of_operations_has_a_row_for_each() {
    let place = Place::new();
    place.run(2, "-n 6 -I 3 -u=0 -i 2 -w 3 -e 3 -d {D} --savePerOpDataCSV={W}/op").expect(0);
    let files = names(&place.folder());
    let phases = [
        "Directory creation",
        "Directory stat",
        "Directory rename",
        "Directory removal",
        "File creation",
        "File stat",
        "File read",
        "File removal",
    ];
    let mut expected: Vec<String> =
        phases.iter().flat_map(|phase| [0, 1].map(|rank| format!("op-{phase}-{rank:05}.csv"))).collect();
    expected.sort();
    assert_eq!(files, expected);
    for file in files {
        let text = place.text(&file);
        let (header, rows) = text.split_once('\n').unwrap();
        assert_eq!(header, "time,runtime,tp", "{file}");
        let rows: Vec<Vec<f64>> =
            rows.lines().map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        assert_eq!(rows.len(), 12, "{file}: six items in each of two iterations");
        for row in &rows {
            assert!(row.len() == 3 && row.iter().all(|n| n.is_finite() && *n >= 0.0), "{file}: {row:?}");
            assert!(row[1] == 0.0 || (row[2] * row[1] - 1.0).abs() < 1e-4, "{file}: {row:?}");
        }
        let in_order = rows[..6].windows(2).chain(rows[6..].windows(2)).all(|pair| pair[0][0] <= pair[1][0]);
        assert!(in_order, "{file}");
    }
    // The next run begins anew.
    place.run(2, "-n 2 -F -d {D} --savePerOpDataCSV={W}/op").expect(0);
    assert_eq!(place.text("op-File stat-00001.csv").lines().count(), 3);
}
