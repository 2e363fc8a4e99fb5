//! The record of a run: plain data with units in their names, and the statistics that are drawn from them.

pub mod compact;
pub mod course;
pub mod environment;
pub mod findings;
pub mod interval;
pub mod latency;
#[cfg(test)]
pub mod noise;
pub mod outcome;
pub mod record;
#[cfg(test)]
pub mod samples;
pub mod statistics;
pub mod tasks;
pub mod timeline;
pub mod units;
