//! From the record to texts: mdtest's own on standard output, CSV, JSON, and what else there is to say.

pub mod comparison;
pub mod csv;
pub mod escape;
pub mod findings;
pub mod grid;
pub mod json;
pub mod judgement;
pub mod junit;
pub mod notes;
pub mod output;
pub mod summary;
pub mod text;
pub mod verbose;
