//! What mdtest's trees and items are called, where they lie and in which order they are visited: pure arithmetic,
//! no file system.

pub mod layout;
pub mod order;
pub mod path;
pub mod payload;
pub mod permutation;
pub mod phase;
pub mod tree;
