//! The run record as JSON.

use crate::result::record::RunRecord;

/// The record, as indented JSON with a final newline.
pub fn text(record: &RunRecord) -> String {
    // A record is plain data with text keys: there is nothing in it that JSON cannot say.
    serde_json::to_string_pretty(record).unwrap_or_default() + "\n"
}
