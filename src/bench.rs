//! Drives a run on one task: iterations, phases, and the measured loop.

mod ahead;
pub mod buffers;
pub mod data;
pub mod directories;
pub mod gather;
pub mod harness;
pub mod hooks;
pub mod inject;
pub mod items;
pub mod iteration;
pub mod phase;
pub mod rename;
pub mod stonewall;
pub mod trees;
pub mod walk;
