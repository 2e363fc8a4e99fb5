//! What one task sees of one phase.

pub mod clock;
pub mod errors;
pub mod operations;
pub mod sample;
