//! What records come to: beside each other, against bounds, over clients and tasks. Pure.

pub mod comparison;
pub mod condition;
pub mod criteria;
pub mod difference;
pub mod judgement;
pub mod metric;
pub mod permutation;
pub mod scaling;
pub mod shape;
pub mod verdict;
