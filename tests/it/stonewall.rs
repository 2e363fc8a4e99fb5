//! Under a stonewall tasks stop at different counts; all end with the same, and later runs find just that.

use crate::harness::{each, Place, Ran};
use crate::trace;
use serde_json::Value;

/// The phases of the first iteration.
fn phases(record: &Value) -> &Vec<Value> {
    record["results"][0]["iterations"][0]["phases"].as_array().unwrap()
}

#[track_caller]
fn phase<'a>(record: &'a Value, name: &str) -> &'a Value {
    phases(record).iter().find(|p| p["phase"] == name).unwrap_or_else(|| panic!("{name} is not there"))
}

#[track_caller]
fn wall<'a>(record: &'a Value, name: &str) -> &'a Value {
    &phase(record, name)["stonewall"]
}

/// The items that are there.
fn items(place: &Place) -> u64 {
    let item = |name: &&String| name.trim_end_matches('/').rsplit('/').next().unwrap().contains(".mdtest.");
    place.left().iter().filter(item).count() as u64
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
    assert_eq!(phase(&record, "file-create")["items"]["done"], 12000);
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
    let done = &phase(&record, "file-create")["items"]["done"];
    assert_eq!(done, 2 * agreed, "what was cut back does not count");
}

/// Runs that are split, on a real directory, with trees of every shape: what the first made the others find, to the
/// last item.
#[test]
fn split_runs_find_what_was_made_before_the_wall() {
    let shapes = [
        "-F -b 2 -z 3 -n 3000",
        "-F -u -L -b 3 -z 1 -N 1 -n 3000",
        "-F -b 2 -z 1 -n 2000 -I 50",
        "-D -u -z 2 -n 3000",
        "-F -R -n 3000 -I 100",
        "-F -c -b 2 -z 1 -n 3000",
    ];
    each(shapes, |shape| {
        let place = Place::new();
        let line = format!("{shape} -d {{D}} -x {{W}}/stone --json {{W}}/r.json --force");
        trace::run_unevenly(&place, 2, &format!("{line} -C -W 1")).expect(0);
        let record = place.record();
        let kind = if shape.contains("-D") { "directory" } else { "file" };
        let wall = wall(&record, &format!("{kind}-create"));
        let agreed = count(wall, "items_agreed");
        let uneven =
            count(wall, "items_min") < count(wall, "items_max") && count(wall, "items_max") == agreed;
        assert!((uneven || shape.contains("-c")) && agreed < 3000, "{wall}");
        assert_eq!(place.text("stone"), agreed.to_string());
        assert_eq!(items(&place), 2 * agreed);
        place.run(2, &format!("{line} -T -r")).expect(0);
        let record = place.record();
        for name in ["stat", "remove"] {
            assert_eq!(phase(&record, &format!("{kind}-{name}"))["items"]["done"], 2 * agreed, "{name}");
        }
        assert_eq!(place.left(), Vec::<String>::new());
    });
}

/// Both kinds, two iterations: up to four counts, and levelling is cut short.
#[test]
fn split_runs_with_several_counts_find_each() {
    let place = Place::new();
    let line = "-u -b 2 -z 1 -n 3000 -i 2 -d {D} -x {W}/stone";
    let create = format!("{line} -C -W 1 --wear-out-limit 0 --json {{W}}/r.json");
    let ran = trace::run_unevenly(&place, 2, &create).expect(0);
    assert_eq!(hits(&ran).len(), 4);
    let record = place.record();
    let mut agreed = Vec::new();
    for (number, iteration) in record["results"][0]["iterations"].as_array().unwrap().iter().enumerate() {
        for (name, word) in [("file-create", "files"), ("directory-create", "directories")] {
            let phase = iteration["phases"].as_array().unwrap().iter().find(|p| p["phase"] == name).unwrap();
            agreed.push((count(&phase["stonewall"], "items_agreed"), format!("iteration {number} {word}")));
        }
    }
    // The first line is one count; the others name those that differ from it.
    let (stone, first) = (place.text("stone"), agreed[0].0);
    let (line_1, listed) = stone.split_once('\n').unwrap_or((&stone, ""));
    assert_eq!((line_1, items(&place)), (first.to_string().as_str(), agreed.iter().map(|a| 2 * a.0).sum()));
    for (count, what) in agreed {
        assert_eq!(listed.contains(&format!("{what} {count}")), count != first, "{what} in\n{stone}");
    }
    place.run(2, &format!("{line} -T -E -r -U")).expect(0);
    assert_eq!(place.left(), Vec::<String>::new());
}

/// A wall in one run that does all: the later phases take what the wall left.
#[test]
fn a_whole_run_under_a_wall_leaves_nothing() {
    for limit in ["", "--wear-out-limit 0"] {
        let place = Place::new();
        let line = format!("-n 3000 -W 1 -b 2 -z 2 -d {{D}} --json {{W}}/r.json {limit}");
        let ran = trace::run_unevenly(&place, 3, &line).expect(0);
        assert_eq!((hits(&ran).len(), place.left().len()), (2, 0));
        let record = place.record();
        for kind in ["directory", "file"] {
            let wall = wall(&record, &format!("{kind}-create"));
            assert_eq!(wall["worn_out"], !limit.is_empty(), "{wall}");
            let phases = phases(&record).iter().filter(|p| p["phase"].as_str().unwrap().starts_with(kind));
            for phase in phases {
                assert_eq!(phase["items"]["done"], 3 * count(wall, "items_agreed"), "{phase}");
            }
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
