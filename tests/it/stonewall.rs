//! Under a stonewall tasks stop at different counts; all end with the same, and later runs find just that.

use crate::harness::{each, Place, Ran};
use serde_json::Value;

/// The stonewall of a phase of the first iteration.
#[track_caller]
fn wall<'a>(record: &'a Value, phase: &str) -> &'a Value {
    let phases = record["results"][0]["iterations"][0]["phases"].as_array().unwrap();
    let found = phases.iter().find(|p| p["phase"] == phase).unwrap_or_else(|| panic!("{phase} is not there"));
    &found["stonewall"]
}

#[track_caller]
fn count(value: &Value, name: &str) -> u64 {
    value[name].as_u64().unwrap_or_else(|| panic!("{name} is not in {value}"))
}

/// The numbers of a `Continue stonewall hit` line.
fn hits(ran: &Ran) -> Vec<[f64; 3]> {
    let line = |line: &str| {
        let numbers = line.strip_prefix("Continue stonewall hit min: ")?;
        let words: Vec<&str> = numbers.split_whitespace().collect();
        let [min, "max:", max, "avg:", mean] = words[..] else { panic!("{line}") };
        Some([min, max, mean].map(|n| n.parse().unwrap()))
    };
    ran.stdout.lines().filter_map(line).collect()
}

/// Only rank 0 is slow: it stops far from the others' count, and levels up to it.
const UNEVEN: &str =
    "-a DUMMY --dummy.delay-create=500 --dummy.delay-only-rank0 -n 4000 -W 1 -C --json {W}/r.json";

#[test]
fn tasks_that_differ_level_up_to_the_fastest() {
    let place = Place::new();
    let ran = place.run(3, &format!("{UNEVEN} -F -x {{W}}/stone")).expect(0);
    let record = place.record();
    let wall = wall(&record, "file-create");
    let (min, max) = (count(wall, "items_min"), count(wall, "items_max"));
    assert!(0 < min && min < max && max == 4000, "{wall}");
    assert_eq!((count(wall, "items_agreed"), &wall["worn_out"]), (4000, &Value::Bool(false)));
    assert_eq!(record.pointer("/results/0/iterations/0/phases/1/items/done"), Some(&12000.into()));
    let hits = hits(&ran);
    #[allow(clippy::cast_precision_loss)]
    let expected = [min as f64, max as f64];
    assert!(hits.len() == 1 && hits[0][..2] == expected && min < 2100, "{}", ran.stdout);
    assert!((hits[0][2] - wall["items_mean"].as_f64().unwrap()).abs() <= 0.05);
    let before = ran.stdout.find("Continue stonewall hit").unwrap();
    assert!(before < ran.stdout.find("SUMMARY").unwrap() && before > ran.stdout.find("3 tasks").unwrap());
    assert!(wall["rate_at_wall_per_s"].as_f64().unwrap() > 0.0);
    assert_eq!(place.text("stone"), "4000");
}

#[test]
fn nothing_is_said_of_a_wall_that_was_not_hit() {
    let place = Place::new();
    let ran = place.run(2, "-n 5 -F -W 60 -C -d {D} -x {W}/stone --json {W}/r.json").expect(0);
    assert_eq!((hits(&ran).len(), wall(&place.record(), "file-create")), (0, &Value::Null));
    assert_eq!(place.text("stone"), "5");
}

#[test]
fn levelling_up_can_be_limited() {
    let place = Place::new();
    let line = UNEVEN.replace("create=500", "create=2000");
    let ran = place.run(2, &format!("{line} -F --wear-out-limit 1 -x {{W}}/stone")).expect(0);
    let record = place.record();
    let wall = wall(&record, "file-create");
    let agreed = count(wall, "items_agreed");
    assert!(wall["worn_out"] == true && count(wall, "items_min") < agreed && agreed < 4000, "{wall}");
    assert!(ran.says(&[
        "warning",
        "File creation",
        "--wear-out-limit",
        &format!("cut back to {agreed} items")
    ]));
    assert_eq!(place.text("stone"), agreed.to_string());
    let done = record.pointer("/results/0/iterations/0/phases/1/items/done");
    assert_eq!(done.and_then(Value::as_u64), Some(2 * agreed), "what was cut back does not count");
}

/// Runs that are split, on a real directory, with trees of every shape: what the first made the others find, to the
/// last item. The second number of `-n` is more than can be made in a second.
#[test]
fn split_runs_find_what_was_made_before_the_wall() {
    let shapes = [
        ("-F -b 2 -z 3", "-n 3000000"),
        ("-F -u -L -b 3 -z 1 -N 1", "-n 3000000"),
        ("-F -b 2 -z 1", "-n 900000 -I 300000"),
        ("-D -u -z 2", "-n 3000000"),
        ("-n 2000000 -I 500 -F -R", ""),
        ("-c -F -b 2 -z 1", "-n 3000000"),
    ];
    each(shapes, |(shape, items)| {
        let place = Place::new();
        let line = format!("{shape} {items} -d {{D}} -x {{W}}/stone --json {{W}}/r.json --force");
        place.run(2, &format!("{line} -C -W 1")).expect(0);
        let record = place.record();
        let created = if shape.contains("-D") { "directory" } else { "file" };
        let agreed = count(wall(&record, &format!("{created}-create")), "items_agreed");
        assert_eq!(place.text("stone"), agreed.to_string());
        place.run(2, &format!("{line} -T -r")).expect(0);
        let record = place.record();
        for phase in ["stat", "remove"] {
            let phases = record["results"][0]["iterations"][0]["phases"].as_array().unwrap();
            let found = phases.iter().find(|p| p["phase"] == format!("{created}-{phase}")).unwrap();
            assert_eq!(found["items"]["done"], 2 * agreed, "{phase}");
        }
        assert_eq!(place.left(), Vec::<String>::new());
    });
}

/// Both kinds, two iterations: four counts, none of them the same as another.
#[test]
fn split_runs_with_several_counts_find_each() {
    let place = Place::new();
    let line = "-u -b 2 -z 1 -n 3000000 -i 2 -d {D} -x {W}/stone";
    let ran = place.run(2, &format!("{line} -C -W 1 --wear-out-limit 0")).expect(0);
    assert_eq!(hits(&ran).len(), 4);
    let first: u64 = place.text("stone").lines().next().unwrap().parse().unwrap();
    assert!(first > 0 && place.text("stone").lines().count() == 4, "{}", place.text("stone"));
    place.run(2, &format!("{line} -T -E -r -U")).expect(0);
    assert_eq!(place.left(), Vec::<String>::new());
}

/// A wall in one run that does all: the later phases take what the wall left.
#[test]
fn a_whole_run_under_a_wall_leaves_nothing() {
    let place = Place::new();
    let ran = place.run(3, "-n 3000000 -W 1 --wear-out-limit 0 -b 2 -z 2 -d {D} --json {W}/r.json").expect(0);
    assert_eq!((hits(&ran).len(), place.left().len()), (2, 0));
    let record = place.record();
    let phases = record["results"][0]["iterations"][0]["phases"].as_array().unwrap();
    for kind in ["directory", "file"] {
        let all = 3 * count(wall(&record, &format!("{kind}-create")), "items_agreed");
        for phase in phases.iter().filter(|p| p["phase"].as_str().unwrap().starts_with(kind)) {
            assert_eq!(phase["items"]["done"], all, "{phase}");
        }
    }
}

#[test]
fn a_stonewall_file_that_is_missing_or_too_large_is_no_fault() {
    let place = Place::new();
    place.run(2, "-n 4 -F -C -d {D}").expect(0);
    let ran = place.run(2, "-n 4 -F -T -d {D} -x {W}/none").expect(0);
    assert!(ran.says(&["warning", "-x", "none is not there"]), "{}", ran.stderr);
    std::fs::write(place.folder().join("stone"), "93406\n").unwrap();
    place.run(2, "-n 4 -F -T -r -d {D} -x {W}/stone").expect(0);
    assert_eq!(place.left(), Vec::<String>::new());
}
