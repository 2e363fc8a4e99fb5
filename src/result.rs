//! The record of a run: plain data with units in their names, and the statistics that are drawn from them.

pub mod course;
pub mod environment;
pub mod interval;
#[cfg(test)]
mod noise;
pub mod outcome;
pub mod record;
pub mod statistics;
pub mod units;
