//! Charts as SVG: drawn by plotters, then made fit for a page or a file of their own.

pub mod course;
pub mod frame;
pub mod latency;
pub mod marks;
pub mod picture;
pub mod rates;
pub mod scale;
pub mod scaling;
pub mod strip;
