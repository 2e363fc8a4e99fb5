//! Long lists of numbers as JSON on one line, however the rest is laid out.

use serde::{Serialize, Serializer};
use serde_json::value::to_raw_value;

/// `list` on one line.
///
/// # Errors
/// Those of the serializer.
pub fn compact<T: Serialize, S: Serializer>(list: &T, serializer: S) -> Result<S::Ok, S::Error> {
    to_raw_value(list).map_err(serde::ser::Error::custom)?.serialize(serializer)
}
