//! Judging records by docs/run-record.schema.json.

use serde_json::{json, Value};
use std::collections::{BTreeMap, BTreeSet};

pub fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/run-record.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The schema, ready to judge records.
pub struct Judge(pub jsonschema::Validator);

impl Judge {
    pub fn new() -> Self {
        Judge(jsonschema::draft202012::new(&schema()).unwrap())
    }

    #[track_caller]
    pub fn accept(&self, record: &Value) {
        let faults: Vec<String> =
            self.0.iter_errors(record).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(faults.is_empty(), "{faults:#?}");
    }

    /// No object of the record may have a field less or a field more.
    #[track_caller]
    pub fn accept_only(&self, record: &Value) {
        self.accept(record);
        for pointer in objects(record).into_values() {
            let object = |of: &Value| of.pointer(&pointer).and_then(Value::as_object).cloned().unwrap();
            let mut changes: Vec<_> = object(record).into_iter().map(|(key, _)| (key, None)).collect();
            changes.push(("surplus".to_string(), Some(json!(1))));
            for (key, value) in changes {
                let mut changed = record.clone();
                let fields = changed.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap();
                match value {
                    Some(value) => fields.insert(key.clone(), value),
                    None => fields.remove(&key),
                };
                assert!(!self.0.is_valid(&changed), "{pointer}/{key} may be there or not");
            }
        }
    }
}

/// Every kind of object in `record`, by the names on the way to it with a star for each place in an array, and a pointer
/// to the first of the kind.
pub fn objects(record: &Value) -> BTreeMap<String, String> {
    fn look(value: &Value, kind: &str, pointer: &str, found: &mut BTreeMap<String, String>) {
        match value {
            Value::Object(fields) => {
                found.entry(kind.to_string()).or_insert_with(|| pointer.to_string());
                for (key, value) in fields {
                    look(value, &format!("{kind}/{key}"), &format!("{pointer}/{key}"), found);
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    look(item, &format!("{kind}/*"), &format!("{pointer}/{index}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    look(record, "", "", &mut found);
    found
}

/// Every kind of object that the schema describes, named as by [`objects`].
pub fn described(schema: &Value) -> BTreeSet<String> {
    fn look(schema: &Value, part: &Value, kind: &str, found: &mut BTreeSet<String>) {
        if let Some(name) = part["$ref"].as_str() {
            look(schema, schema.pointer(name.trim_start_matches('#')).unwrap(), kind, found);
        }
        for choice in part["oneOf"].as_array().into_iter().flatten() {
            look(schema, choice, kind, found);
        }
        if let Some(fields) = part["properties"].as_object() {
            found.insert(kind.to_string());
            fields.iter().for_each(|(key, field)| look(schema, field, &format!("{kind}/{key}"), found));
        }
        if part["items"].is_object() {
            look(schema, &part["items"], &format!("{kind}/*"), found);
        }
    }
    let mut found = BTreeSet::new();
    look(schema, schema, "", &mut found);
    found
}
