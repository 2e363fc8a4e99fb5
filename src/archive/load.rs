//! From files to records.

use crate::archive::{import, Record, IMPORTED_SCHEMA};
use crate::error::Error;
use crate::result::record::SCHEMA;
use std::path::Path;

/// The largest file that is read, bytes.
const MOST_BYTES: u64 = 4 << 30;

/// The records in the file at `path`: one of a record of a run, perhaps several of what was
/// printed.
///
/// # Errors
/// [`Error::Environment`] where it cannot be read, [`Error::Refused`] where it holds no record.
pub fn load(path: &str) -> Result<Vec<Record>, Error> {
    let read = || -> std::io::Result<Vec<u8>> {
        let found = std::fs::metadata(path)?;
        if found.is_dir() {
            return Err(std::io::Error::other("it is a directory, allowed is a file"));
        }
        if found.len() > MOST_BYTES {
            return Err(std::io::Error::other("it is larger than 4 GiB"));
        }
        std::fs::read(path)
    };
    let bytes = read().map_err(|e| Error::Environment(format!("{path} cannot be read: {e}")))?;
    records(path, &bytes)
}

/// The records in `bytes`, which came from `path`.
///
/// # Errors
/// [`Error::Refused`] where there are none.
pub fn records(path: &str, bytes: &[u8]) -> Result<Vec<Record>, Error> {
    let name =
        Path::new(path).file_stem().map_or_else(|| path.into(), |stem| stem.to_string_lossy().into_owned());
    match bytes.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{') => {
            let record = serde_json::from_slice(bytes)
                .map_err(|e| Error::Refused(format!("{path} is no record of mdtest-rs: {e}")))?;
            Ok(vec![named(of_known_schema(path, record)?, name)])
        }
        // Launchers begin lines with a bracket too: what is no list of records is taken for text.
        Some(b'[') => match serde_json::from_slice::<Vec<Record>>(bytes) {
            Ok(records) if !records.is_empty() => (1..)
                .zip(records)
                .map(|(n, record)| Ok(named(of_known_schema(path, record)?, format!("{name}-{n}"))))
                .collect(),
            _ => import::records(path, &name, bytes),
        },
        _ => import::records(path, &name, bytes),
    }
}

/// The record under the name that its own origin has for it, or under `name`.
fn named(record: Record, name: String) -> Record {
    let own = record.origin.as_ref().and_then(|origin| origin.name.clone());
    Record { name: own.unwrap_or(name), ..record }
}

fn of_known_schema(path: &str, record: Record) -> Result<Record, Error> {
    if record.schema == SCHEMA || record.schema == IMPORTED_SCHEMA {
        Ok(record)
    } else {
        Err(Error::Refused(format!(
            "{path} has the schema '{}': allowed are {SCHEMA} and {IMPORTED_SCHEMA}",
            record.schema
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_record_is_refused_in_one_line() {
        for (text, part) in [
            ("", "holds no record"),
            ("{", "EOF"),
            ("{}", "schema ''"),
            (r#"{"schema":"mdtest-rs/2"}"#, "mdtest-rs/2"),
            (r#"{"schema":"mdtest-rs/1","results":3}"#, "invalid type"),
        ] {
            let error = records("r.json", text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("r.json") && error.contains(part) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_record_with_little_in_it_opens() {
        let text = br#"{"schema":"mdtest-rs/1","results":[{"tasks":2,"statistics":[{"phase":"file-create","rate_per_s":{"mean":5.0}}]}],"later":1}"#;
        let record = &records("dir/a.b.json", text).unwrap()[0];
        assert_eq!(record.name, "a.b");
        let phases: Vec<_> = record.results[0].phases().collect();
        assert_eq!(phases, [crate::namespace::phase::Phase::FileCreate]);
    }

    #[test]
    fn a_list_of_records_is_read_one_by_one() {
        let list = br#"[{"schema":"mdtest-rs/1"},{"schema":"mdtest-rs-import/1","origin":{"name":"TiKV"}}]"#;
        let names: Vec<String> = records("a.json", list).unwrap().into_iter().map(|r| r.name).collect();
        assert_eq!(names, ["a-1", "TiKV"]);
        assert!(records("a.json", br#"[{"schema":"x"}]"#).is_err());
        assert!(records("a.json", b"[node1:12] some noise\n").is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = records("x", &bytes);
        }
    }
}
