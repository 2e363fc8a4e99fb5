//! The bytes of written files are mdtest's: `data/payload.jsonl` holds digests of what mdtest wrote.

use crate::harness::{each, Place};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

#[test]
fn files_hold_what_mdtest_writes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/payload.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() >= 40);
    // Lines of the same kind and size come from one run.
    let mut runs: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in lines {
        let key = format!(
            "--dataPacketType={} -G {} -w {}",
            line["packet"].as_str().unwrap(),
            line["G"],
            line["bytes"]
        );
        runs.entry(key).or_default().push(line);
    }
    each(runs, |(line, files)| {
        let place = Place::new();
        // What was written is read back and verified by the neighbour, as far as can be told by a part of it.
        let part = files[0]["bytes"].as_u64().unwrap().div_ceil(2);
        place.run(2, &format!("{line} -n 2 -F -N 1 -C -E -X -e {part} --verify-write -d {{D}}")).expect(0);
        for file in files {
            let name = format!("test-dir.0-0/mdtest_tree.0/file.mdtest.{}.{}", file["rank"], file["item"]);
            let bytes = std::fs::read(place.test_directory().join(name)).unwrap();
            let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
            assert_eq!(hex(&bytes[..bytes.len().min(24)]), file["first"].as_str().unwrap());
            assert_eq!(hex(&Sha256::digest(&bytes)), file["sha256"].as_str().unwrap(), "{file}");
        }
    });
}

#[test]
fn any_size_can_be_read_back_and_verified() {
    let cases = [
        "-w 1 -e 1",
        "-w 12345 -e 12345",
        "-w 8191 -e 8190",
        "-w 1m -e 1m --dataPacketType=random",
        "-w 4096 -e 4096 --posix.odirect",
        "-w 9000 -e 9000 --posix.rangelocks -y",
    ];
    each(cases, |line| {
        let place = Place::new();
        place.run(3, &format!("{line} -n 4 -F -u -N 1 -X --verify-write -d {{D}}")).expect(0);
        assert_eq!(place.left(), Vec::<String>::new());
    });
}
