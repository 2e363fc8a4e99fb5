//! From the record to texts: mdtest's own on standard output, CSV, JSON, and what else there is to say.

pub mod csv;
pub mod findings;
pub mod json;
pub mod notes;
pub mod output;
pub mod text;
pub mod verbose;
