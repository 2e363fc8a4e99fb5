//! What one task sees of one phase.

pub mod client;
pub mod clock;
pub mod errors;
pub mod latency;
pub mod meter;
pub mod operations;
pub mod sample;
pub mod timeline;
